// How far impulses are from a solution of a contact problem.      docs/theory/contact.md
#pragma once

#include <cmath>
#include <span>

#include "slipset/contact/contact_problem.hpp"

namespace slipset {

// The largest local defect (C.3), each contact seen with the others' impulses held, over |q_i| + Σ_j |W_ij p_j|, what
// the dynamics add up there; without units.                                                                      (C.4)
double contact_residual(const ContactProblem& problem, const Eigen::VectorXd& impulse);

// The full error of Siconos for isotropic laws, √Σ|p − P_K(p − u − μ|u_T|e_N)|² / max(|q|, |p|, |u|) with K the
// friction cones: it adds impulses and velocities and so changes with units. NaN where a law is not isotropic or a
// normal impulse is given. (C.12)
double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity);
double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse);

// Its sums, contact by contact.
struct FullErrorSums {
  double errors = 0, impulses = 0, velocities = 0;  // squared

  void add(const Vec3& impulse, const Vec3& velocity, double coefficient);
  void add(const FullErrorSums& other);
  double error(double free_velocity_norm) const;
};

// (C.3) of one contact; law null: no friction.
double contact_defect(const ContactLaw* law, const LocalProblem& problem, const Vec3& impulse, const Vec3& velocity);

// The larger of two; a NaN stays.
inline double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

// The closest point of the cone { |x_T| ≤ μ x_N }.
Vec3 project_on_cone(const Vec3& y, double mu);

// Whether every law is isotropic Coulomb friction of unilateral contacts, so that full_error exists.
bool is_isotropic(std::span<const ContactPoint> contacts);
// Throws InvalidInput where the full error is asked for and does not exist.
void require_measurable(std::span<const ContactPoint> contacts, ContactMeasure measure);

}  // namespace slipset
