// What sweeps ask of an operator that is kept in blocks.      docs/theory/contact.md
#pragma once

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_problem.hpp"
#include "slipset/contact/internal/block_kernels.hpp"
#include "slipset/contact/internal/sweep_order.hpp"

namespace slipset::internal {

template <int Rows>
class BlockStore {
 public:
  using Vec = RowsVec<Rows>;
  using Mat = RowsMat<Rows>;
  void take(const BlockDelassus& w, const ContactProblem& problem) {
    w_ = &w;
    q_ = &problem.free_velocity;
    if (w.contacts() < kManyContacts) {
      order_ = {};
      pattern_ = {};
    } else if (!w.has(pattern_)) {
      order_ = SweepOrder(w);
      w.copy_pattern(pattern_);
    }
  }
  const BlockDelassus& matrix() const { return *w_; }
  const RowLayout& layout() const { return w_->layout(); }
  std::size_t contact(std::size_t place) const { return place; }
  const SweepOrder& order() const { return order_; }
  const Eigen::VectorXd& free_velocity() const { return *q_; }
  Mat diagonal(std::size_t i) const { return w_->diagonal_of<Rows>(i); }
  double products() const { return static_cast<double>(w_->blocks()); }  // of a sweep

  // The velocity without the contact's own impulse, scaled.
  template <class Prepared>
  Vec without_own(std::size_t i, const Prepared& contact, const typename Prepared::Block&,
                  const Eigen::VectorXd& impulse) const {
    Vec c = part_of<Rows>(*q_, layout(), i);
    const std::size_t own = w_->diagonal_place(i);
    add(i, 0, own, impulse, c);
    add(i, own + 1, w_->blocks(i), impulse, c);
    return contact.scaled_velocity(c);
  }
  void changed(std::size_t, const Vec&, const Vec&) {}
  void restart(const Eigen::VectorXd&, int) {}

  Vec velocity(std::size_t i, const Eigen::VectorXd& impulse) const {
    Vec u = part_of<Rows>(*q_, layout(), i);
    add(i, 0, w_->blocks(i), impulse, u);
    return u;
  }
  // |q_i| + Σ_j |W_ij p_j|                                                                                        (C.4)
  double sum(std::size_t i, const Eigen::VectorXd& impulse) const {
    double sum = part_of<Rows>(*q_, layout(), i).norm();
    for (std::size_t k = 0; k < w_->blocks(i); ++k) {
      const auto b = w_->template at<Rows>(i, k);
      sum += (b.values * part_of<Rows>(impulse, layout(), b.column)).norm();
    }
    return sum;
  }
  ContactVec row_sums(std::size_t i, const Eigen::VectorXd& impulse) const {
    Vec sums = part_of<Rows>(*q_, layout(), i).cwiseAbs();
    for (std::size_t k = 0; k < w_->blocks(i); ++k) {
      const auto b = w_->template at<Rows>(i, k);
      sums += b.values.cwiseAbs() * part_of<Rows>(impulse, layout(), b.column).cwiseAbs();
    }
    return sums;
  }

 private:
  // What the blocks `first` to `last` of a row add.
  void add(std::size_t i, std::size_t first, std::size_t last, const Eigen::VectorXd& impulse, Vec& sum) const {
    if (first == last) return;
    if constexpr (Rows == 3) {
      add_products(w_->template at<3>(i, first).values.data(), w_->columns(i).data() + first, last - first,
                   impulse.data(), 1, sum.data());
    } else {
      for (std::size_t k = first; k < last; ++k) {
        const auto b = w_->template at<Rows>(i, k);
        sum.noalias() += b.values * part_of<Rows>(impulse, layout(), b.column);
      }
    }
  }

  const BlockDelassus* w_ = nullptr;
  const Eigen::VectorXd* q_ = nullptr;
  SweepOrder order_;
  BlockDelassus::Pattern pattern_;  // that order_ is of
};

}  // namespace slipset::internal
