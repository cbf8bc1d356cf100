// Grippers. Fingers that are led close on what is rigid: no impulses can satisfy that, and the certificate proves it
// (C.21). Fingers that are pressed on, along sliders, hold it.
#include <cmath>

#include "problems/kinds.hpp"
#include "problems/recipe.hpp"
#include "slipset/systems/bodies/body_problem.hpp"
#include "slipset/systems/bodies/piles.hpp"

namespace slipset::problems {
namespace {

constexpr double kStep = 1e-3;     // [s]
constexpr double kNear = 1e-5;     // gaps below count as closed [m]
constexpr double kClosing = 0.05;  // speed of a finger that is led [m/s]
constexpr double kRadius = 0.03;   // of a ball [m]

const Vec3 kFinger(0.02, 0.04, 0.04);  // its face is across its first axis

// The directions from the middle to the fingers.
std::vector<Vec3> around(int fingers) {
  std::vector<Vec3> directions;
  for (int k = 0; k < fingers; ++k) {
    const double angle = 2 * std::acos(-1.0) * k / fingers;
    directions.emplace_back(std::cos(angle), std::sin(angle), 0);
  }
  return directions;
}
std::vector<Vec3> tetrahedron() {
  std::vector<Vec3> directions = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (Vec3& d : directions) d.normalize();
  return directions;
}

BodyState facing(const Vec3& direction, double distance) {
  BodyState state;
  state.position = distance * direction;
  state.orientation = rotation_between(Vec3::UnitX(), direction);
  return state;
}

void add_ball(BodyWorld& world, int law) {
  RigidBody ball = free_body("ball", sphere_shape(kRadius), 0.3);
  ball.surface.law = law;
  world.add(ball, at(0, 0, 0));
}

void add_led_finger(BodyWorld& world, const Vec3& direction, double face, int law) {
  RigidBody finger = fixed_box("finger", kFinger, law);
  finger.motion.velocity = -kClosing * direction;
  world.add(finger, facing(direction, face + kFinger.x() / 2));
}

// On a slider along its direction, from a base that stands still, pressed on with a force.
void add_pressed_finger(BodyWorld& world, std::size_t base, const Vec3& direction, double face, double force, int law) {
  RigidBody finger = free_box("finger", kFinger, 2000, law);
  finger.force = -force * direction;
  Joint slider;
  slider.kind = JointKind::slider;
  slider.first = base;
  slider.second = world.add(finger, facing(direction, face + kFinger.x() / 2));
  slider.point = world.states[slider.second].position;
  slider.axis = direction;
  world.add(slider);
}

ContactProblem step_of(const BodyWorld& world) { return problem_of(world, kStep, kNear, kNear); }

ContactProblem ball_between(const std::vector<Vec3>& fingers, Kind kind, bool on_floor) {
  BodyWorld world;
  const int law = world.add_law(law_of(kind, 0.5));
  if (on_floor) world.add(floor_of(law), at(0, 0, -kRadius));
  add_ball(world, law);
  for (const Vec3& direction : fingers) add_led_finger(world, direction, kRadius, law);
  return step_of(world);
}

// Something welded to a base, and a finger that is led against it.
ContactProblem welded(Kind kind) {
  BodyWorld world;
  const int law = world.add_law(law_of(kind, 0.5));
  const std::size_t base = world.add(fixed_box("base", Vec3::Constant(0.05), law), at(-1, 0, 0));
  Joint weld;
  weld.kind = JointKind::fixed;
  weld.first = base;
  weld.second = world.add(free_box("part", Vec3::Constant(0.04), 2000, law), at(0, 0, 0));
  weld.point = Vec3(-0.5, 0, 0);
  world.add(weld);
  add_led_finger(world, Vec3::UnitX(), 0.02, law);
  return step_of(world);
}

// The upper plate comes down.
ContactProblem pressed_stack(int boxes, Kind kind) {
  BodyWorld world;
  const int law = world.add_law(law_of(kind, 0.5));
  world.add(floor_of(law), at(0, 0, 0));
  add_stack(world, static_cast<std::size_t>(boxes), Vec3(0.1, 0.08, 0.05), 2000, law);
  RigidBody plate = fixed_box("plate", Vec3(0.3, 0.3, 0.02), law);
  plate.motion.velocity = Vec3(0, 0, -kClosing);
  world.add(plate, at(0, 0, 0.05 * boxes + 0.01));
  return step_of(world);
}

ContactProblem box_between(Kind kind, bool led, double force) {
  BodyWorld world;
  const int law = world.add_law(law_of(kind, 0.5));
  const std::size_t base = world.add(fixed_box("base", Vec3::Constant(0.05), law), at(0, 0, 1));
  world.add(free_box("part", Vec3(0.06, 0.06, 0.06), 2000, law), at(0, 0, 0));
  for (const Vec3& direction : around(2))
    if (led)
      add_led_finger(world, direction, 0.03, law);
    else
      add_pressed_finger(world, base, direction, 0.03, force, law);
  return step_of(world);
}

ContactProblem held_ball(Kind kind, double force) {
  BodyWorld world;
  const int law = world.add_law(law_of(kind, 0.6));
  const std::size_t base = world.add(fixed_box("base", Vec3::Constant(0.05), law), at(0, 0, 1));
  add_ball(world, law);
  for (const Vec3& direction : around(3)) add_pressed_finger(world, base, direction, kRadius, force, law);
  return step_of(world);
}

Recipe recipe(const std::string& what, Kind kind, const std::string& about, std::function<ContactProblem()> make) {
  return {"gripper-" + what + "-" + name_of(kind), "gripper", name_of(kind), about, std::move(make)};
}

}  // namespace

std::vector<Recipe> grippers() {
  using enum Kind;
  return {
      recipe("ball-2", isotropic, "two led fingers close on a ball on a floor",
             [] { return ball_between(around(2), isotropic, true); }),
      recipe("ball-3", elliptic, "three led fingers close on a ball",
             [] { return ball_between(around(3), elliptic, false); }),
      recipe("ball-4", nonconvex, "four led fingers close on a ball from all sides",
             [] { return ball_between(tetrahedron(), nonconvex, false); }),
      recipe("box-2", superelliptic, "two led fingers close on a box",
             [] { return box_between(superelliptic, true, 0); }),
      recipe("press-3", elliptic, "a plate is led down on three boxes", [] { return pressed_stack(3, elliptic); }),
      recipe("weld", superelliptic, "a finger is led against a welded part", [] { return welded(superelliptic); }),
      recipe("hold-box", elliptic, "two pressed fingers hold a box; sliders",
             [] { return box_between(elliptic, false, 30); }),
      recipe("hold-ball-3", superelliptic, "three pressed fingers hold a ball; sliders",
             [] { return held_ball(superelliptic, 10); }),
  };
}

}  // namespace slipset::problems
