// The Delassus matrix of contacts between rigid bodies, kept by bodies and never assembled.  docs/theory/contact.md
//   u_i = q_i + F_i (v_2 + ω_2 × r_2 − v_1 − ω_1 × r_1),  contact i of the bodies 1 and 2                       (C.18)
// with v, ω the velocities that the impulses give the bodies: p_i pushes 2 with F_iᵀp_i at r_2, 1 with −F_iᵀp_i at r_1.
// 140 bytes a contact instead of some 900 for the blocks of a pile, and a product with W is one pass over the contacts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "slipset/contact/block_delassus.hpp"

namespace slipset {

struct BodyInertia {
  double inverse_mass = 0;  // 0: nothing moves it
  Mat3 inverse_inertia = Mat3::Zero();
};

struct BodyVelocity {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

struct BodyPair {
  std::uint32_t first = 0, second = 0;  // bodies
  Mat3 frame = Mat3::Identity();        // rows: normal from the first to the second, two tangents
  Vec3 arm_first = Vec3::Zero(), arm_second = Vec3::Zero();
};

class BodyPairs {
 public:
  // Memory is used again: resize(), fill each, then connect().
  void resize(std::size_t bodies, std::size_t contacts);
  BodyInertia& body(std::size_t i) { return bodies_[i]; }
  BodyPair& contact(std::size_t i) { return contacts_[i]; }
  void connect();
  // Contacts in an order in which those near each other, from body to body, are near each other in memory.
  std::vector<std::uint32_t> near_order() const;
  // With the contacts in another order, and the bodies in the order in which these meet them. Bodies without a contact
  // are left out.
  BodyPairs reordered(std::span<const std::uint32_t> order) const;

  std::size_t size() const { return contacts_.size(); }  // contacts
  std::size_t bodies() const { return bodies_.size(); }
  const BodyPair& contact(std::size_t i) const { return contacts_[i]; }
  std::span<const std::uint32_t> contacts_of(std::uint32_t body) const;  // none for a body that nothing moves

  Vec3 velocity(std::size_t contact, const std::vector<BodyVelocity>& of) const;
  void push(std::size_t contact, const Vec3& impulse, std::vector<BodyVelocity>& of) const;
  Mat3 diagonal(std::size_t contact) const;  // W_ii
  // Σ_j |W_ij p_j|
  double velocity_sum(std::size_t contact, const Eigen::VectorXd& impulse) const;
  std::size_t most_blocks() const;  // of the assembled matrix
  void assemble(BlockDelassus& to) const;

 private:
  struct Side {  // of a contact
    Mat3 frame;  // ±F
    Mat3 arm;    // ±F [r]x
  };
  Side side(std::size_t contact, bool second) const;
  // The velocity of a body by the impulse of a contact.
  BodyVelocity effect(std::size_t contact, std::uint32_t body, const Vec3& impulse) const;

  std::vector<BodyInertia> bodies_;
  std::vector<BodyPair> contacts_;
  std::vector<std::size_t> starts_;  // of each body's contacts in touching_
  std::vector<std::uint32_t> touching_;
};

}  // namespace slipset
