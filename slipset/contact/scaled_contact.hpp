// One contact of many in coordinates that suit its law, and its solution with the others held.  docs/theory/contact.md
// An associated law with an ellipse (or a disk) as its set is Coulomb's law with coefficient one in other tangential
// coordinates: with E = L B, B the unit disk, p = T p̃ and ũ = Tᵀu, T = diag(1, L), a contact's block G becomes TᵀG T
// (C.8). Other laws keep their coordinates.
#pragma once

#include <cstdint>
#include <optional>

#include "slipset/contact/contact_problem.hpp"

namespace slipset {

enum class LawKind : std::uint8_t { frictionless, unit_disk, general };

struct ScaledContact {
  Vec3 impulse(const Vec3& scaled) const { return join(scaled[0], tangential * scaled.tail<2>()); }
  Vec3 scaled_impulse(const Vec3& p) const;
  Vec3 scaled_velocity(const Vec3& u) const { return join(u[0], tangential.transpose() * u.tail<2>()); }
  Vec3 velocity(const Vec3& scaled) const;
  Mat3 scaling() const;  // T
  // Of isotropic friction.
  double coefficient() const { return kind == LawKind::frictionless ? 0 : tangential(0, 0); }
  static Vec3 join(double normal, const Vec2& tangential) { return {normal, tangential.x(), tangential.y()}; }

  LawKind kind = LawKind::frictionless;
  const ContactLaw* law = nullptr;       // where kind is general
  double factor = 1;                     // of its reservoir
  double inner = 0;                      // radius of a disk inside it, with the factor
  std::optional<double> normal_impulse;  // given
  Mat2 tangential = Mat2::Identity();    // L
};

ScaledContact scaled_contact(const ContactPoint& point);

// One contact with block G and velocity c without its own impulse: p, and u = G p + c, with the contact's laws. All
// scaled.
struct LocalBlock {
  explicit LocalBlock(const Mat3& g);
  Mat3 g, inverse;  // inverse: of the symmetric or unsymmetric block; NaN if it is singular
  double mobility;  // tr(G)/3
};

struct LocalState {
  Vec3 impulse = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
  // While it slips, for the first guess of the next solution: the resistance's ray, and how much velocity across the
  // law's direction a turn of it brings [m/s]; 0: not known.
  Vec2 ray = Vec2::Zero();
  double slope = 0;
  Vec2 last_slip = Vec2::Zero();  // before the step
  ContactMode mode = ContactMode::none;
};

LocalState first_state(const ScaledContact& contact, const ContactPoint& point);

// `accuracy`: of the slip direction [rad]. False if there is no solution (Painlevé); the state is then as before.
bool solve_block(const ScaledContact& contact, const LocalBlock& block, const Vec3& c, double accuracy,
                 LocalState& state);

// At a slip state: resistance s on the boundary, and its Jacobian with the slip velocity.
struct SlipLinearization {
  Vec2 resistance;
  Mat2 jacobian;
};
SlipLinearization linearize_slip(const ScaledContact& contact, const LocalState& state);

}  // namespace slipset
