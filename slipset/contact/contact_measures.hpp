// How far impulses are from a solution of a contact problem.      docs/theory/contact.md
// All throw InvalidInput where the problem is not sound (require_fit) or where impulses or velocities are not one number
// per row; a number that is none gives NaN.
#pragma once

#include <span>

#include "slipset/contact/contact_problem.hpp"
#include "slipset/contact/contact_solver.hpp"

namespace slipset {

// The largest residual of a contact, as its law has it, each seen with the others' impulses held, over what the
// dynamics add up there, |q_i| + Σ_j |W_ij p_j|, but no more than n + 1 times the largest free velocity: impulses that
// cancel do not make it small. Without units. (C.4, T.12)
double contact_residual(const ContactProblem& problem, const Eigen::VectorXd& impulse);

// The full error of Siconos for isotropic laws, √Σ|p − P_K(p − u − μ|u_T|e_N)|² / max(|q|, |p|, |u|) with K the
// friction cones: it adds impulses and velocities and so changes with units. NaN where a law is not isotropic or a
// normal impulse is given. (C.12)
double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity);
double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse);

// Coulomb's coefficient of a unilateral contact, with its factor; 0: no friction; NaN: not isotropic.
double isotropic_coefficient(const Contact& contact);
// Whether every contact has one, so that the full error exists.
bool is_isotropic(std::span<const Contact> contacts);

}  // namespace slipset
