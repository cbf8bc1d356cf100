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

// The full error of Siconos, √Σ|p − P_K(p − u − (μ|u_T| + μ_R|u_R|)e_N)|² / max(|q|, |p|, |u|) with K the friction cones
// (of sliding, or of sliding and rolling; of joints all impulses): it adds impulses and velocities and so changes with
// units. NaN where a law has no such cone or a normal impulse is given. (C.12)
double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity);
double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse);

// Of a unilateral contact whose friction is the same in every direction, or of a joint; with the reservoir's factor.
std::optional<FrictionCone> cone_of(const Contact& contact);
// Whether every contact has one, so that the full error exists.
bool has_full_error(std::span<const Contact> contacts);

}  // namespace slipset
