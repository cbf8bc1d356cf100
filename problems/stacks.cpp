// Boxes on top of each other, and walls of bricks: four points where two faces meet, of which three would do.
#include <cmath>

#include "problems/kinds.hpp"
#include "problems/recipe.hpp"
#include "slipset/systems/bodies/body_problem.hpp"
#include "slipset/systems/bodies/piles.hpp"

namespace slipset::problems {
namespace {

constexpr double kStep = 1e-3;  // [s]
constexpr double kNear = 1e-5;  // gaps below count as closed [m]
constexpr double kDensity = 2000;
constexpr double kPulled = 0.1;  // speed of the table [m/s]

struct Tower {
  std::size_t boxes;
  Kind kind;
  bool pulled = false;         // the table below begins to move
  double top_over_bottom = 1;  // masses, growing from box to box
};

ContactProblem tower(const Tower& t) {
  BodyWorld world;
  const int law = world.add_law(law_of(t.kind, 0.4));
  RigidBody table = fixed_box("table", Vec3(1, 1, 0.1), law);
  if (t.pulled) table.motion.velocity = kPulled * Vec3(0.8, 0.6, 0);
  world.add(table, at(0, 0, -0.05));
  add_stack(world, t.boxes, Vec3(0.1, 0.08, 0.05), kDensity, law);
  const double growth = std::pow(t.top_over_bottom, 1 / static_cast<double>(std::max<std::size_t>(t.boxes, 2) - 1));
  for (std::size_t i = 1; i < world.bodies.size(); ++i) {
    const double factor = std::pow(growth, static_cast<double>(i - 1));
    world.bodies[i].mass *= factor;
    world.bodies[i].inertia *= factor;
  }
  return problem_of(world, kStep, kNear, kNear);
}

Recipe tower_recipe(const Tower& t, const std::string& ending, const std::string& about) {
  return {"stack-" + std::to_string(t.boxes) + "-" + name_of(t.kind) + ending, "stack", name_of(t.kind),
          std::to_string(t.boxes) + " boxes" + about, [=] { return tower(t); }};
}

// Courses of so many bricks in running bond, joints between the bricks of a course open; a push in the middle.
Recipe wall(int courses, int bricks, Kind kind, double push) {
  return {"wall-" + std::to_string(courses) + "x" + std::to_string(bricks) + "-" + name_of(kind), "stack",
          name_of(kind), std::to_string(courses) + " courses of " + std::to_string(bricks) + " bricks; one is pushed",
          [=] {
            const Vec3 sides(0.24, 0.115, 0.07);
            constexpr double kOpen = 0.01;
            BodyWorld world;
            const int law = world.add_law(law_of(kind, 0.6));
            world.add(floor_of(law), at(0, 0, 0));
            for (int c = 0; c < courses; ++c)
              for (int b = 0; b < bricks; ++b) {
                const double x = (b + 0.5 * (c % 2)) * (sides.x() + kOpen), z = (c + 0.5) * sides.z();
                RigidBody brick = free_box("brick", sides, kDensity, law);
                if (c == courses / 2 && b == bricks / 2) brick.force = Vec3(0, push, 0);
                world.add(brick, at(x, 0, z));
              }
            return problem_of(world, kStep, kNear, kNear);
          }};
}

}  // namespace

std::vector<Recipe> stacks() {
  return {
      tower_recipe({3, Kind::isotropic, true}, "-pulled", "; the table begins to move"),
      tower_recipe({10, Kind::elliptic}, "", "; at rest"),
      tower_recipe({10, Kind::superelliptic, true}, "-pulled", "; the table begins to move"),
      tower_recipe({12, Kind::nonconvex, true}, "-pulled", "; the table begins to move"),
      tower_recipe({40, Kind::elliptic, true}, "-pulled", "; the table begins to move"),
      tower_recipe({12, Kind::elliptic, true, 1e6}, "-heavy", "; the top a million times heavier than the bottom"),
      wall(4, 5, Kind::elliptic, 30),
      wall(8, 10, Kind::superelliptic, 200),
  };
}

}  // namespace slipset::problems
