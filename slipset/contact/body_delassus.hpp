// The Delassus matrix of contacts between rigid bodies, kept by bodies and never assembled.  docs/theory/contact.md
//   u_i = q_i + F_i (v_2 + ω_2 × r_2 − v_1 − ω_1 × r_1),  contact i of the bodies 1 and 2                       (C.18)
// with v, ω the velocities that the impulses give the bodies: p_i pushes 2 with F_iᵀp_i at r_2, 1 with −F_iᵀp_i at r_1.
// 140 bytes per contact instead of some 900 for the blocks of a pile, and a product with W is one pass over the
// contacts. A contact, or a joint, has some of six rows: the three of F for velocities at its point, and the three of F
// for relative spins, ρ = F (ω_2 − ω_1), whose impulses are torques.                                           (G.12)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "slipset/contact/delassus.hpp"

namespace slipset {

struct BodyInertia {
  double inverse_mass = 0;  // 0: nothing moves it
  Mat3 inverse_inertia = Mat3::Zero();
};

struct BodyVelocity {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

// Rows of a contact, as bits: they stand in this order in p, u and q.
enum BodyRows : std::uint8_t {
  kNormalRow = 1,
  kTangentRows = 2 | 4,
  kPointRows = kNormalRow | kTangentRows,  // sliding; with a joint_law: a ball joint
  kDrillingRow = 8,                        // spin about the normal
  kRollingRows = 16 | 32,                  // spins about the tangents
  kAllRows = 63,                           // with a joint_law: a weld; without kDrillingRow a hinge about the normal
};

struct BodyPair {
  std::uint32_t first = 0, second = 0;  // bodies
  Mat3 frame = Mat3::Identity();        // F, rows: normal from the first to the second, two tangents
  Vec3 arm_first = Vec3::Zero(), arm_second = Vec3::Zero();
  std::uint8_t rows = kPointRows;  // of BodyRows
};

class BodyDelassus final : public DelassusOperator {
 public:
  // Memory is used again: resize(), fill each, then connect().
  void resize(std::size_t bodies, std::size_t contacts);
  BodyInertia& body(std::size_t i) { return bodies_[i]; }
  BodyPair& contact(std::size_t i) { return contacts_[i]; }
  // Throws InvalidInput for a contact without rows or at a body that does not exist, and for a mass that is none.
  void connect();

  std::size_t bodies() const { return bodies_.size(); }
  const BodyInertia& body(std::size_t i) const { return bodies_[i]; }
  const BodyPair& contact(std::size_t i) const { return contacts_[i]; }
  std::span<const std::uint32_t> contacts_of(std::uint32_t body) const;  // none for a body that nothing moves
  std::size_t most_blocks() const;                                       // of the assembled matrix
  static constexpr std::size_t kMostAssembledBlocks = 4'000'000;         // 300 MB

  // The velocity of a contact when the bodies move so.
  template <int Rows>
  RowsVec<Rows> velocity(std::size_t contact, const std::vector<BodyVelocity>& of) const;
  // Adds what an impulse gives to its two bodies.
  template <int Rows>
  void push(std::size_t contact, const RowsVec<Rows>& impulse, std::vector<BodyVelocity>& of) const;
  // The same for its second body alone, or its first.
  template <int Rows>
  void push_one(std::size_t contact, bool second, const RowsVec<Rows>& impulse, std::vector<BodyVelocity>& of) const;
  template <int Rows>
  RowsMat<Rows> diagonal_of(std::size_t contact) const;
  // What of it the second body makes, or the first.
  template <int Rows>
  RowsMat<Rows> diagonal_of_one(std::size_t contact, bool second) const;
  // Σ_j |W_ij p_j|                                                                                                (C.4)
  template <int Rows>
  double velocity_sum(std::size_t contact, const Eigen::VectorXd& impulse) const;
  // Σ_j |W_ij| |p_j| by rows                                                                                     (T.12)
  template <int Rows>
  RowsVec<Rows> velocity_sums(std::size_t contact, const Eigen::VectorXd& impulse) const;

  // Contacts in an order in which those near each other, from body to body, are near each other in memory.
  void near_order(std::vector<std::uint32_t>& order) const;
  // Those of `from` in another order, and the bodies in the order in which these meet them. Bodies without a contact
  // are left out.
  void take_reordered(const BodyDelassus& from, std::span<const std::uint32_t> order);

  const RowLayout& layout() const override { return layout_; }
  void multiply_add(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& result) const override;
  ContactMat diagonal(std::size_t i) const override;
  // Throws InvalidInput for more than 4·10⁶ blocks.
  void assemble(BlockDelassus& to) const override;
  std::unique_ptr<ShiftedSolver> shifted_solver() const override;  // of the assembled matrix

 private:
  // A contact's rows for one of its bodies: ±[F; 0] for velocities, ±[F [r]x; F] for spins.
  template <int Rows>
  struct Side {
    Eigen::Matrix<double, Rows, 3, 0, kRoomFor<Rows>, 3> linear, angular;
  };
  template <int Rows>
  Side<Rows> side(std::size_t contact, bool second) const;
  template <int Rows>
  void assemble_rows(BlockDelassus& to) const;

  std::vector<BodyInertia> bodies_;
  std::vector<BodyPair> contacts_;
  RowLayout layout_;
  std::vector<std::size_t> starts_;  // of each body's contacts in touching_
  std::vector<std::uint32_t> touching_;
  std::vector<int> sizes_;  // of connect()
};

}  // namespace slipset
