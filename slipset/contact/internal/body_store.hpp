// What sweeps ask of an operator that is kept by bodies.      docs/theory/contact.md
// The velocities that the impulses give the bodies are kept: a contact reads those of its two bodies and pushes both
// (C.18). Arrays are in the order of the sweeps, so that a sweep reads memory from its beginning to its end.
#pragma once

#include "slipset/contact/body_delassus.hpp"
#include "slipset/contact/contact_problem.hpp"
#include "slipset/contact/internal/sweep_order.hpp"

namespace slipset::internal {

template <int Rows>
class BodyStore {
 public:
  using Vec = RowsVec<Rows>;
  using Mat = RowsMat<Rows>;

  void take(const BodyDelassus& bodies, const ContactProblem& problem) {
    bodies.near_order(order_);
    near_.take_reordered(bodies, order_);
    sweep_order_ = SweepOrder(near_);
    std::vector<std::uint32_t> by_colour = sweep_order_.take_order();
    bodies_.take_reordered(near_, by_colour);
    near_ = {};
    for (std::uint32_t& i : by_colour) i = order_[i];
    order_ = std::move(by_colour);
    motion_.assign(bodies_.bodies(), {});
    q_.resize(problem.free_velocity.size());
    for (std::size_t k = 0; k < order_.size(); ++k)
      set_part<Rows>(q_, layout(), k, part_of<Rows>(problem.free_velocity, bodies.layout(), order_[k]));
  }
  const BodyDelassus& bodies() const { return bodies_; }
  const RowLayout& layout() const { return bodies_.layout(); }
  std::size_t contact(std::size_t place) const { return order_[place]; }
  const SweepOrder& order() const { return sweep_order_; }
  const Eigen::VectorXd& free_velocity() const { return q_; }
  Mat diagonal(std::size_t i) const { return bodies_.diagonal_of<Rows>(i); }
  double products() const { return 2 * static_cast<double>(layout().contacts()); }

  template <class Prepared>
  Vec without_own(std::size_t i, const Prepared& contact, const typename Prepared::Block& block,
                  const Eigen::VectorXd& impulse) const {
    return contact.scaled_velocity(velocity(i, impulse)) -
           block.g * contact.scaled_impulse(part_of<Rows>(impulse, layout(), i));
  }
  void changed(std::size_t i, const Vec& before, const Vec& after) { bodies_.push<Rows>(i, after - before, motion_); }
  // From the impulses anew: what sweeps add up loses digits.
  void restart(const Eigen::VectorXd& impulse, int threads) {
    std::fill(motion_.begin(), motion_.end(), BodyVelocity{});
    sweep_order_.visit(layout().contacts(), false, threads, [&](std::size_t i) {
      bodies_.push<Rows>(i, part_of<Rows>(impulse, layout(), i), motion_);
      return true;
    });
  }

  Vec velocity(std::size_t i, const Eigen::VectorXd&) const {
    return part_of<Rows>(q_, layout(), i) + bodies_.velocity<Rows>(i, motion_);
  }
  double sum(std::size_t i, const Eigen::VectorXd& impulse) const {
    return part_of<Rows>(q_, layout(), i).norm() + bodies_.velocity_sum<Rows>(i, impulse);
  }
  ContactVec row_sums(std::size_t i, const Eigen::VectorXd& impulse) const {
    return part_of<Rows>(q_, layout(), i).cwiseAbs() + bodies_.velocity_sums<Rows>(i, impulse);
  }

 private:
  std::vector<std::uint32_t> order_;  // place k: contact order_[k] of the problem
  BodyDelassus bodies_, near_;
  SweepOrder sweep_order_;
  Eigen::VectorXd q_;
  std::vector<BodyVelocity> motion_;  // M⁻¹Hp
};

}  // namespace slipset::internal
