// One contact of many, with the impulses of all others held.
#pragma once

#include "slipset/contact/contact_problem.hpp"

namespace slipset {

inline LocalProblem local_problem_of(const ContactProblem& problem, const Eigen::VectorXd& impulse, std::size_t i) {
  const ContactPoint& contact = problem.contacts[i];
  LocalProblem local;
  local.delassus = problem.delassus.diagonal(i);
  local.free_velocity = problem.free_velocity.segment<3>(static_cast<Eigen::Index>(3 * i));
  for (const BlockDelassus::Block& block : problem.delassus.row(i))
    if (block.column != i)
      local.free_velocity += block.values * impulse.segment<3>(static_cast<Eigen::Index>(3 * block.column));
  local.normal_impulse = contact.normal_impulse;
  local.reservoir_factor = contact.reservoir_factor;
  local.last_slip = contact.last_slip;
  return local;
}

// |q_i| + Σ_j |W_ij p_j|: the velocities that (C.1) adds up at contact i, before they cancel.                 (C.4)
inline double velocity_scale(const BlockDelassus& w, const Eigen::VectorXd& q, const Eigen::VectorXd& impulse,
                             std::size_t i) {
  double scale = q.segment<3>(static_cast<Eigen::Index>(3 * i)).norm();
  for (const BlockDelassus::Block& block : w.row(i))
    scale += (block.values * impulse.segment<3>(static_cast<Eigen::Index>(3 * block.column))).norm();
  return scale;
}

}  // namespace slipset
