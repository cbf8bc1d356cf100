// One phase of a motion: every contact keeps its mode, so that the accelerations are smooth.   docs/theory/dynamics.md
//   open   no force
//   stick  γ̇_T = 0, and the force is what that takes
//   slip   λ_T = -λ_N s(γ_T), the direction of γ_T within one sector: sector i lies between flat side i of D and the
//          next
//   side   γ_T along the normal n of a flat side of D; of the resistances of that side, z(τ)/k_C(z(τ)) with
//          z(τ) = from + τ (to - from), the one that keeps it there: t·γ̇_T = 0 for t across n           (D.3)
//          It must fall with τ there, else the slip direction runs away.
// A contact that can slip along one line only (a block on a rail) has two directions of slip, known before it moves: its
// slip begins and ends at zero without any limit to be taken, and it sticks as long as some point of C has the
// component that is needed; what is across the line, the guide takes.
// A unilateral contact that is not open has γ̇_N = 0 besides, with λ_N unknown. The unknowns of all contacts are found
// together by Newton's method: one step but for sides.
#pragma once

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_solver.hpp"
#include "slipset/laws/slip_path.hpp"
#include "slipset/systems/system.hpp"

namespace slipset::internal {

enum class PhaseMode {
  open,
  stick,
  slip,
  side,
  given,  // λ_N and the resistance are held; only while modes are being decided
};

struct ContactPhase {
  PhaseMode mode = PhaseMode::slip;
  std::size_t sector = 0;          // of slip, or the side
  bool line = false;               // W_T leaves one direction to slip in, and the surface moves in no other
  Vec2 along = Vec2::Zero();       // that direction, unit length
  int way = 1;                     // of a slip along it
  double place = 0.5;              // τ on a side
  double turning_slope = 0;        // ∂(t·γ̇_T)/∂τ on a side, the other contacts' forces held
  double normal_force = 0;         // λ_N [N]
  Vec2 resistance = Vec2::Zero();  // -λ_T/λ_N
  Vec2 slip = Vec2::Zero();        // γ_T [m/s]
  Vec2 slip_rate = Vec2::Zero();   // γ̇_T [m/s²]
  double normal_velocity = 0;      // γ_N [m/s], unilateral only
  double normal_acceleration = 0;  // γ̇_N [m/s²], unilateral only
  double gap = 0;                  // [m], unilateral only
};

// The first of the three rows of a contact.
inline Eigen::Index first_row(std::size_t contact) { return 3 * static_cast<Eigen::Index>(contact); }

class Phase {
 public:
  explicit Phase(const System& system);

  std::size_t size() const { return contacts_.size(); }
  ContactPhase& contact(std::size_t i) { return contacts_[i]; }
  const ContactPhase& contact(std::size_t i) const { return contacts_[i]; }
  const std::vector<FlatSide>& sides(std::size_t i) const { return sides_[i]; }
  const PlanarContactLaw& law(std::size_t i) const { return *system_->contacts()[i].law; }
  bool unilateral(std::size_t i) const { return system_->contacts()[i].unilateral; }

  // The system at (t, q, u): slips, gaps, drifts.
  void look_at(double t, const VectorX& q, const VectorX& u);
  // q̈ with every contact in its mode; fills in forces and rates. Looks at (t, q, u) first. Not finite where Newton's
  // method fails.
  const VectorX& acceleration(double t, const VectorX& q, const VectorX& u);
  // Chooses velocities `rest` next to u with which closed contacts do not slip, as far as that is possible for all of
  // them, and finds out which contacts are lines. From then on the slip is that of u - rest, so that a small slip is not
  // the difference of two large numbers: rounding would turn its direction.
  void take_rest(double t, const VectorX& q, const VectorX& u);
  const VectorX& rest() const { return rest_; }
  const VectorX& acceleration_beside_rest(double t, const VectorX& q, const VectorX& v);  // at u = rest + v
  // By which derivatives of directions and surface velocities are taken, a small part of the motion's time scale [s].
  void set_difference(double h) { difference_ = h; }
  // The largest rate at which the contacts' directions turn, and the velocities of their surfaces change [1/s].
  double turning_rate() const;

  // How far the direction of slip is inside its sector, from its start and to its end [rad].
  std::pair<double, double> inside_sector(std::size_t i) const;
  // For a contact that slips: its sector or, within 1e-9 rad of a side's normal, that side, if it has a place where the
  // slip stays. True if the choice was not unique.
  bool choose_slip(std::size_t i, double t, const VectorX& q, const VectorX& u);
  // For a contact at rest that starts to slip: sector or side.
  void start_slip(std::size_t i, const Vec2& direction, const Vec2& resistance);
  // For a contact whose resistance has just reached the boundary of C: sector or side, and its direction.
  Vec2 leave_stick(std::size_t i);

  // u without slip at contacts that stick, across sides, and without normal velocity where closed; changed as little as
  // the masses allow.
  void project(VectorX& u) const;
  // Gives u the slip `v` more at one contact.
  void push(std::size_t i, const Vec2& v, VectorX& u) const;

  // Accelerations with the contacts in `resting` free to stick, to slip or, if unilateral, to open; the others as they
  // are. Impulses of the solution are forces, velocities are accelerations. `shrink` is a factor on the reservoirs.
  ContactSolution decide(double t, const VectorX& q, const VectorX& u, const std::vector<std::size_t>& resting,
                         VectorX& acceleration, double shrink = 1);
  // The impact of the contacts in `closing`, with restitution: u changes.
  ContactSolution impact(const std::vector<std::size_t>& closing, VectorX& u);

  const SystemAt& at() const { return at_; }
  Mat2 contact_block(std::size_t i) const;               // W_TᵀM⁻¹W_T
  double free_normal_acceleration(std::size_t i) const;  // without contact forces; unilateral only
  VectorX free_acceleration() const { return mass_.solve(at_.force); }
  double stribeck_at(std::size_t i, double speed) const;
  // Of a contact that sticks, how far its resistance is beyond C: 0 on the boundary.
  double stick_excess(std::size_t i) const;
  // Whether the slip is zero but for the rounding of the velocities that it is the difference of.
  bool slip_is_rounding(std::size_t i) const;

 private:
  void look(double t, const VectorX& q);  // at u_ = rest_ + beside_
  const VectorX& solve_modes();
  void find_line(std::size_t i);
  bool at_dead_point(std::size_t i) const;
  void find_longest(double t, const VectorX& q);  // at_ is at (t, q); may leave behind_ elsewhere
  Vec2 line_resistance(std::size_t i);
  std::size_t sector_of(std::size_t i, const Vec2& direction) const;
  std::optional<std::size_t> side_along(std::size_t i, const Vec2& direction, double tolerance) const;
  double turning_with(std::size_t i, const Vec2& resistance, double t, const VectorX& q, const VectorX& u);
  Vec2 side_resistance(std::size_t i, double place) const;
  Vec2 sector_resistance(std::size_t i) const;
  MatrixX constraints() const;  // directions in which the velocity must stay zero
  Eigen::MatrixX3d directions(std::size_t i) const;
  ContactProblem problem_of(const std::vector<std::size_t>& contacts, BlockDelassus& delassus) const;

  const System* system_;
  SystemAt at_, ahead_, behind_;
  Cholesky mass_;
  std::vector<std::vector<FlatSide>> sides_;
  std::vector<ContactPhase> contacts_;
  std::vector<Vec3> drift_;  // what (γ_N, γ_T) change by while u does not
  VectorX acceleration_;
  VectorX rest_, beside_, u_;
  std::vector<Vec2> rest_slip_;  // of `rest`, where that is rounding only: counts as zero
  struct LineResistance {
    Vec2 direction, resistance;  // of slip, and on the boundary of C
  };
  std::vector<LineResistance> line_resistance_;  // computed last
  double difference_ = 1e-5;
  bool looked_ = false, looked_around_ = false;
  std::vector<double> longest_;              // of each contact: the largest norm of its directions [-]
  std::optional<std::size_t> held_contact_;  // slips with this resistance while sides are being chosen
  Vec2 held_resistance_ = Vec2::Zero();
};

}  // namespace slipset::internal
