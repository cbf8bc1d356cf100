// Snakes: links on a floor, four points each, with hinges between them, in the middle of a travelling wave. Problems with
// joints. The law is that of the links, its axes turn with them.
#include <cmath>

#include "problems/kinds.hpp"
#include "problems/recipe.hpp"
#include "slipset/systems/bodies/body_problem.hpp"

namespace slipset::problems {
namespace {

constexpr double kStep = 1e-3;  // [s]
constexpr double kNear = 1e-5;  // gaps below count as closed [m]
constexpr double kLength = 0.1;

// Headings θ_i = A sin(i δ) and their rates A ω cos(i δ); links touch at their ends, so that the hinges hold already.
ContactProblem snake(int links, Kind kind, double pull) {
  constexpr double kAmplitude = 0.5, kPhase = 0.7, kFrequency = 4;
  BodyWorld world;
  const int law = world.add_law(law_of(kind, 0.5));
  world.add(floor_of(-1), at(0, 0, 0));
  const Vec3 sides(0.8 * kLength, 0.04, 0.03);
  Vec3 end = Vec3::Zero(), end_velocity = Vec3::Zero();
  for (int i = 0; i < links; ++i) {
    const double heading = kAmplitude * std::sin(i * kPhase), rate = kAmplitude * kFrequency * std::cos(i * kPhase);
    const Vec3 half = kLength / 2 * Vec3(std::cos(heading), std::sin(heading), 0);
    const Vec3 half_rate = rate * Vec3(-half.y(), half.x(), 0);
    BodyState state;
    state.position = end + half + Vec3(0, 0, sides.z() / 2);
    state.orientation = rotation_by(Vec3(0, 0, heading));
    state.velocity = end_velocity + half_rate;
    state.spin = Vec3(0, 0, rate);
    RigidBody link = free_box("link", sides, 1000, law);
    link.surface.priority = 1;  // over the floor
    if (i == links - 1) link.force = Vec3(pull, 0, 0);
    const std::size_t body = world.add(link, state);
    if (i > 0) {
      Joint joint;
      joint.kind = JointKind::hinge;
      joint.first = body - 1;
      joint.second = body;
      joint.point = end + Vec3(0, 0, sides.z() / 2);
      world.add(joint);
    }
    end += 2 * half;
    end_velocity += 2 * half_rate;
  }
  return problem_of(world, kStep, kNear, kNear);
}

Recipe recipe(int links, Kind kind, double pull = 0) {
  return {"snake-" + std::to_string(links) + "-" + name_of(kind) + (pull > 0 ? "-pulled" : ""), "snake", name_of(kind),
          std::to_string(links) + " links with hinges" + (pull > 0 ? "; pulled at its head" : ""),
          [=] { return snake(links, kind, pull); }};
}

}  // namespace

std::vector<Recipe> snakes() {
  return {
      recipe(4, Kind::elliptic),       recipe(10, Kind::elliptic),  recipe(10, Kind::superelliptic),
      recipe(20, Kind::isotropic, 20), recipe(30, Kind::nonconvex), recipe(60, Kind::elliptic),
  };
}

}  // namespace slipset::problems
