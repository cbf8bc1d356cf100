// The contact problem of one step of many bodies: u = W p + q.         docs/theory/bodies.md
//   γ = F (v_o + ω_o × r_o − v_s − ω_s × r_s)                 F: rows normal, first, second axis; s surface, o other
//   W_ij = Σ_b ±( F_i F_jᵀ/m_b + A_ib Î_b⁻¹ A_jbᵀ ),  A_ib = F_i [r_ib]x, Î = R I Rᵀ                             (G.4)
//   q = γ_free + max(gap, 0)/Δt e_N                                                                              (G.6)
// with prescribed bodies as they move at the end of the step (G.17),
// over the free bodies b of both contacts. W is kept by bodies (C.18). Contacts whose law resists drilling or rolling
// have rows for relative spins, too:
//   ρ = F (ω_o − ω_s)                relative spin: about the normal (drilling), the first and second axis (rolling)
//   the other body gets Fᵀp at the contact's point and the torque Fᵀτ, the surface gets both back               (G.12)
#pragma once

#include <optional>

#include "slipset/contact/body_delassus.hpp"
#include "slipset/contact/contact_problem.hpp"
#include "slipset/systems/bodies/contact_finder.hpp"

namespace slipset {

// A body at the beginning of a step, and where it would go without contacts.
struct BodyMotion {
  double inverse_mass = 0;              // 0 for prescribed bodies
  Mat3 inverse_inertia = Mat3::Zero();  // along the world's axes
  Vec3 velocity_before, spin_before;    // along the world's axes
  Vec3 velocity_free, spin_free;        // of prescribed bodies: at the end of the step
  Vec3 spin_free_body;                  // along the body's axes
};
void free_motions(const BodyWorld& world, double dt, std::vector<BodyMotion>& motions);

struct BodyProblem {
  // Arrays are kept from step to step. `problem` refers to `pairs`. Gaps up to `closing` count as closed [m].
  void build(const BodyWorld& world, const std::vector<BodyMotion>& motions, const std::vector<BodyContact>& contacts,
             double dt, double closing, ContactProblem& problem);
  // Contacts come first, then joints: where the rows of these begin.
  Eigen::Index joint_offset() const { return joint_offset_; }

  BodyDelassus pairs;
  Eigen::VectorXd velocity_before;  // γ with the velocities before the step, 3 per contact
  // What γ has at the end besides contact_velocity(), 3 per contact: a turning surface has moved on under the body. (G.17)
  Eigen::VectorXd moved_on;

 private:
  void add_joints(const BodyWorld& world, const std::vector<BodyMotion>& motions, std::size_t contacts, double dt,
                  ContactProblem& problem);

  Eigen::Index joint_offset_ = 0;
};

// How far apart the two points of a joint are [m], and the turn between its axes [rad]: along the rows of its frame,
// only of those that it holds.
struct JointError {
  Vec3 distance = Vec3::Zero(), turn = Vec3::Zero();
};
JointError joint_error_of(const Joint& joint, const BodyWorld& world);
// The largest of all joints, in length.
struct LargestJointError {
  double distance = 0, turn = 0;  // [m], [rad]
};
LargestJointError largest_joint_error(const BodyWorld& world);

// With W in blocks, on its own: it keeps the laws of the world alive.
ContactProblem standing_alone(const ContactProblem& problem, const BodyWorld& world);

// A contact's rows from, and to, its point's velocity (impulse) and its spin (torque) along the frame. What it has no
// row for is zero.
void put_rows(const BodyDelassus& pairs, std::size_t contact, const Vec3& point, const Vec3& turn, Eigen::VectorXd& to);
void take_rows(const BodyDelassus& pairs, std::size_t contact, const Eigen::VectorXd& from, Vec3& point, Vec3& turn);

// γ of a contact for any velocities.
Vec3 contact_velocity(const BodyContact& contact, const BodyWorld& world, const Vec3& surface_velocity,
                      const Vec3& surface_spin, const Vec3& other_velocity, const Vec3& other_spin);

// The problem of the next step, W in blocks, on its own: it keeps the laws alive. `margin` [m]: contacts with smaller
// gaps count, those below `closed` as closed; 0: a hundredth of the smallest radius or half side.
ContactProblem problem_of(const BodyWorld& world, double dt, double margin = 0, double closed = 0);

double margin_of(const BodyWorld& world, double margin);
// Small overlap is taken out in the first step; what is deeper than half of the smallest body is a mistake.
struct Overlap {
  std::size_t first, second;  // bodies
  double depth;               // [m]
};
std::optional<Overlap> overlap_of(const BodyWorld& world);

}  // namespace slipset
