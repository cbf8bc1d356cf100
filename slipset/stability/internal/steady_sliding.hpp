// Steady sliding: the system with every contact slipping, and where it rests so.      docs/theory/stability.md
#pragma once

#include "slipset/stability/linearize.hpp"

namespace slipset::internal {

// The system with every contact slipping, and its derivatives. What is stacked for differences: h, then for each
// contact λ_N (given), W_T s, w_N λ_N, gap and χ, with s and λ_N of unilateral contacts held.
class Sliding {
 public:
  using Index = Eigen::Index;

  Sliding(const System& system, const LinearizeOptions& options);

  Index dofs() const { return n_; }
  Index unknowns() const { return n_ + unilateral_; }

  // From now on without force, at whatever gap.
  void open(std::size_t i) { open_[i] = true; }
  bool is_open(std::size_t i) const { return open_[i]; }

  // Everything at q, with the normal forces of unilateral contacts in `reactions`.
  void look_at(const VectorX& q, const VectorX& reactions);

  VectorX residual() const;
  double force_size() const;
  VectorX force_of(std::size_t i) const;

  // Differences of the stacked quantities at the place last looked at.
  void differentiate(const VectorX& q);
  void differentiate_by_position(const VectorX& q);

  Index start(std::size_t i) const { return n_ + static_cast<Index>(i) * (2 * n_ + 4); }
  auto normal_by_q(std::size_t i) const { return by_q_.row(start(i)); }
  auto normal_by_u(std::size_t i) const { return by_u_.row(start(i)); }
  auto follower(std::size_t i) const { return by_q_.middleRows(start(i) + 1, n_); }
  auto normal_turn(std::size_t i) const { return by_q_.middleRows(start(i) + 1 + n_, n_); }
  auto gap_by_q(std::size_t i) const { return by_q_.row(start(i) + 1 + 2 * n_); }
  auto surface_by_q(std::size_t i) const { return by_q_.middleRows<2>(start(i) + 2 + 2 * n_); }
  auto force_by_q() const { return by_q_.topRows(n_); }
  auto force_by_u() const { return by_u_.topRows(n_); }

  // Of each equation of the residual, so that it has something to be compared with: the largest force; the largest gap
  // so far, and what the coordinates make of it.
  VectorX sizes(const VectorX& q, const VectorX& so_far) const;

  const FrictionLaw& law(std::size_t i) const { return system_.contacts()[i].law->law(); }
  const std::string& name(std::size_t i) const { return system_.contacts()[i].name; }
  bool unilateral(std::size_t i) const { return system_.contacts()[i].unilateral; }
  const SystemAt& at() const { return at_; }
  std::vector<SlidingContact>& contacts() { return contacts_; }

 private:
  void stack(const VectorX& x, const VectorX& u, VectorX& y);
  // At rest at zero, and at the guess; and away from both, where springs and dampers that change in time show.
  void require_autonomous();
  bool is_steady_at(const VectorX& q, const VectorX& u);

  const System& system_;
  const LinearizeOptions& options_;
  Index n_, unilateral_ = 0, rows_ = 0;
  SystemAt at_, probe_;
  VectorX zero_;
  std::vector<SlidingContact> contacts_;
  std::vector<bool> open_;
  MatrixX by_q_, by_u_;
};

// The names of contacts whose normal forces can be traded for one another without any change of the sum; empty: there
// are none.
std::vector<std::string> sharing_contacts(Sliding& s);

// Newton's method for (B.4), with the derivatives of an earlier place as long as they do; leaves those of the last
// place in `s`. Fills in position and report.
void find_steady(Sliding& s, const LinearizeOptions& options, LinearSliding& out);

// Contact `first` would have to pull: says where it is open instead.
[[noreturn]] void throw_open(const System& system, const LinearizeOptions& options, const LinearSliding& closed,
                             std::size_t first);

}  // namespace slipset::internal
