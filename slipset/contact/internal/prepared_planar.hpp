// A sliding contact, or one without friction, of three rows in coordinates that suit its law.  docs/theory/contact.md
// An associated law with an ellipse (or a disk) as its set is Coulomb's law with coefficient one in other tangential
// coordinates: with E = L B, B the unit disk, p = T p̃ and ũ = Tᵀu, T = diag(1, L), a contact's block G becomes TᵀG T
// (C.8). Other laws keep their coordinates. This is the fast way of problems with such contacts alone; it has the
// members of PreparedGeneral, with fixed sizes.
#pragma once

#include <cstdint>

#include "slipset/contact/planar_contact_law.hpp"

namespace slipset::internal {

class PreparedPlanar {
 public:
  static constexpr int kRows = 3;
  static constexpr bool kMixedRows = false;
  using Vec = Vec3;
  using Mat = Mat3;

  struct Block {
    Mat3 g, inverse;              // inverse: of the symmetric or unsymmetric block; NaN if it is singular
    double mobility;              // tr(G)/3
    bool may_jam = false;         // friction alone may press it on or lift it (Painlevé)
    bool along_one_line = false;  // its tangents can only move so
  };
  struct State {
    Vec3 impulse = Vec3::Zero();
    Vec3 velocity = Vec3::Zero();
    // While it slips, for the first guess of the next solution: the resistance's ray, and how much velocity across the
    // law's direction a turn of it brings [m/s]; 0: not known.
    Vec2 ray = Vec2::Zero();
    double slope = 0;
    Vec2 last_slip = Vec2::Zero();  // before the step
    ContactMode mode = ContactMode::none;
  };
  struct Tangent {
    Mat3 by_impulse, by_velocity;
  };

  PreparedPlanar() = default;
  PreparedPlanar(const Contact& contact, int rows);

  // --- coordinates ---
  Vec3 impulse(const Vec3& scaled) const { return join(scaled[0], tangential_ * scaled.tail<2>()); }
  Vec3 scaled_impulse(const Vec3& p) const { return join(p[0], inverse_ * p.tail<2>()); }
  Vec3 scaled_velocity(const Vec3& u) const { return join(u[0], tangential_.transpose() * u.tail<2>()); }
  Vec3 velocity(const Vec3& scaled) const { return join(scaled[0], inverse_.transpose() * scaled.tail<2>()); }
  Mat3 scaling() const;  // T
  Mat3 inverse_scaling() const;

  // --- scaled from here on ---
  Block block(const Mat3& g) const;
  State first_state(const Contact& contact) const;
  // `accuracy`: of the slip direction [rad]. False if there is no solution (Painlevé); the state is then as before.
  bool solve(const Block& block, const Vec3& c, double accuracy, State& state) const;
  // Rows in velocities; the block's mobility, or `mobility` where that is zero, scales those of impulses. Open: r = 0.
  // Stick: u = 0. Slip: u_N = 0 and
  //   r_T + r_N s + p_N S'(v) u_T = 0,  s, S' = ∂s/∂v at the local solution (p, v),  S'v = 0                     (C.11)
  // scaled by mobility |v|/(|v| + mobility p_N), which keeps it finite as the slip ends.
  Tangent linearize(const Block& block, const State& state, double mobility) const;
  // B p + A v there: zero but for a given normal impulse. From the law and not from (p, v), which are as exact as the
  // local solution only; what it lacks is then made up for by the step.
  Vec3 constant(const Tangent& tangent, const State&) const {
    return join(normal_impulse_ ? tangent.by_impulse(0, 0) * *normal_impulse_ : 0, Vec2::Zero());
  }

  // Of isotropic friction.
  std::optional<FrictionCone> cone() const {
    return FrictionCone{.sliding = kind_ == Kind::frictionless ? 0 : tangential_(0, 0)};
  }

 private:
  enum class Kind : std::uint8_t { frictionless, unit_disk, general };

  static Vec3 join(double normal, const Vec2& tangential) { return {normal, tangential.x(), tangential.y()}; }
  bool solve_by_search(const Block& block, const Vec3& c, State& state) const;
  void slip_with(const Block& block, const Vec3& c, const Vec2& s, State& state) const;
  bool solve_disk(const Block& block, const Vec3& c, const Vec3& stick, double accuracy, State& state) const;
  bool solve_general(const Block& block, const Vec3& c, const Vec3& stick, double reach, double accuracy,
                     State& state) const;

  Kind kind_ = Kind::frictionless;
  const PlanarContactLaw* law_ = nullptr;  // where the kind is general
  double factor_ = 1;                      // of its reservoir
  double inner_ = 0;                       // radius of a disk inside it, with the factor
  std::optional<double> normal_impulse_;   // given
  Mat2 tangential_ = Mat2::Identity();     // L
  Mat2 inverse_ = Mat2::Identity();        // of L
};

}  // namespace slipset::internal
