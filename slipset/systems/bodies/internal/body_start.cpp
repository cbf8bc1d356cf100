#include "slipset/systems/bodies/internal/body_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "slipset/contact/contact_solver.hpp"
#include "slipset/contact/joint_law.hpp"
#include "slipset/systems/bodies/body_problem.hpp"

namespace slipset::internal {
namespace {

constexpr double kFast = 1e-9;  // of the fastest body: speeds that joints may have
constexpr std::size_t kMostNames = 3;

void warn_of_overlap(const BodyWorld& world, double overlap, std::vector<std::string>& warnings) {
  std::vector<BodyContact> contacts;
  ContactFinder().find(world, 0, std::max(overlap, margin_of(world, world.margin)), contacts);
  std::size_t count = 0;
  const BodyContact* deepest = nullptr;
  for (const BodyContact& c : contacts) {
    if (!(c.gap < -overlap)) continue;
    ++count;
    if (!deepest || c.gap < deepest->gap) deepest = &c;
  }
  if (!deepest) return;
  warnings.push_back(fmt::format(
      "\"{}\" and \"{}\" overlap by {:.3g} m at the start{}: they are moved apart step by step, which is no "
      "motion of theirs and changes their potential energy (corrected); start them apart",
      world.bodies[deepest->surface].name, world.bodies[deepest->other].name, -deepest->gap,
      count > 1 ? fmt::format(", the deepest of {} contacts that do", count) : ""));
}

// Joints alone, with the velocities of the start.
void warn_of_joints(const BodyWorld& world, std::vector<std::string>& warnings) {
  if (world.joints.empty()) return;
  double fastest = 0;
  for (std::size_t b = 0; b < world.bodies.size(); ++b)
    fastest = std::max(fastest, world.states[b].velocity.norm() +
                                    world.states[b].spin.norm() * std::min(world.bodies[b].shape.reach(), 1e9));
  std::vector<BodyMotion> motions;
  free_motions(world, 1e-9, motions);
  BodyDelassus pairs;
  pairs.resize(motions.size(), world.joints.size());
  ContactProblem problem;
  problem.contacts.resize(world.joints.size());
  for (std::size_t b = 0; b < motions.size(); ++b)
    pairs.body(b) = {motions[b].inverse_mass, motions[b].inverse_inertia};
  for (std::size_t k = 0; k < world.joints.size(); ++k) {
    const Joint& joint = world.joints[k];
    const BodyState &first = world.states[joint.first], &second = world.states[joint.second];
    pairs.contact(k) = {static_cast<std::uint32_t>(joint.first),
                        static_cast<std::uint32_t>(joint.second),
                        joint.frame_first * first.orientation.matrix().transpose(),
                        first.orientation * joint.point_first,
                        second.orientation * joint.point_second,
                        rows_of(joint.kind)};
    problem.contacts[k].law = &joint_law(std::popcount(rows_of(joint.kind)));
  }
  pairs.connect();
  problem.free_velocity.setZero(pairs.rows());
  std::vector<std::string> names;
  std::size_t count = 0;
  for (std::size_t k = 0; k < world.joints.size(); ++k) {
    const BodyPair& pair = pairs.contact(k);
    const BodyMotion &a = motions[pair.first], &b = motions[pair.second];
    const Vec3 apart = b.velocity_before + b.spin_before.cross(pair.arm_second) - a.velocity_before -
                       a.spin_before.cross(pair.arm_first);
    put_rows(pairs, k, pair.frame * apart, pair.frame * (b.spin_before - a.spin_before), problem.free_velocity);
    Vec3 speed, turn;
    take_rows(pairs, k, problem.free_velocity, speed, turn);
    const double length = pair.arm_first.norm() + pair.arm_second.norm();
    if (!(speed.norm() + length * turn.norm() > kFast * fastest)) continue;
    if (++count > kMostNames) continue;
    names.push_back(fmt::format("\"{}\" by {}", world.joints[k].name,
                                speed.norm() > kFast * fastest ? fmt::format("{:.3g} m/s", speed.norm())
                                                               : fmt::format("{:.3g} rad/s", turn.norm())));
  }
  if (count == 0) return;
  problem.delassus = kept_elsewhere(pairs);
  ContactOptions options = world.contact_options();
  options.tolerance = 1e-6;
  const ContactSolution solution = solve(problem, options);
  const double taken = -solution.impulse.dot(problem.free_velocity) / 2;
  warnings.push_back(fmt::format(
      "at the start bodies move against their joints ({}{}): the first step takes {:.3g} J for it, which no friction "
      "has; give them velocities that the joints allow",
      fmt::join(names, ", "), count > kMostNames ? fmt::format(" and {} more", count - kMostNames) : "", taken));
}

}  // namespace

std::vector<std::string> start_warnings(const BodyWorld& world, double overlap) {
  std::vector<std::string> warnings;
  warn_of_overlap(world, overlap, warnings);
  warn_of_joints(world, warnings);
  return warnings;
}

}  // namespace slipset::internal
