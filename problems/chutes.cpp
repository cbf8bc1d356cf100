// What goes down a chute: boxes in layers, boxes in a row against a stop, a box of spheres that was tilted.
#include <cmath>

#include "problems/kinds.hpp"
#include "problems/recipe.hpp"
#include "slipset/core/angle.hpp"
#include "slipset/systems/bodies/body_problem.hpp"
#include "slipset/systems/bodies/piles.hpp"

namespace slipset::problems {
namespace {

constexpr double kStep = 1e-3;  // [s]
constexpr double kNear = 1e-5;  // gaps below count as closed [m]

// The chute is the plane z = 0; gravity is turned instead.
Vec3 down(double slope) { return 9.81 * Vec3(std::sin(radians(slope)), 0, -std::cos(radians(slope))); }

BodyState turned(const Vec3& position, double yaw) {
  BodyState state;
  state.position = position;
  state.orientation = rotation_by(Vec3(0, 0, yaw));
  return state;
}

// Columns of boxes, each box turned against the one below, sliding down at speeds of their own.
Recipe boxes(int columns, int layers, Kind kind) {
  return {"chute-" + std::to_string(columns) + "x" + std::to_string(layers) + "-" + name_of(kind), "chute",
          name_of(kind), std::to_string(columns) + " columns of " + std::to_string(layers) + " boxes; sliding", [=] {
            BodyWorld world;
            world.gravity = down(25);
            const int law = world.add_law(law_of(kind, 0.4));
            world.add(floor_of(law), at(0, 0, 0));
            const Vec3 sides(0.08, 0.06, 0.04);
            Seeded random(static_cast<std::uint64_t>(100 * columns + layers));
            for (int c = 0; c < columns; ++c)
              for (int k = 0; k < layers; ++k) {
                BodyState state = turned(Vec3(0.12 * c, 0, (k + 0.5) * sides.z()), random.uniform(-0.6, 0.6));
                const double along = random.uniform(-0.05, 0.2);
                state.velocity = Vec3(along, random.uniform(-0.05, 0.05), 0);
                world.add(free_box("box", sides, 800, law), state);
              }
            return problem_of(world, kStep, kNear, kNear);
          }};
}

// Each pushes on the next, and the first on a stop across the chute.
Recipe train(int length, Kind kind) {
  return {"chute-train-" + std::to_string(length) + "-" + name_of(kind), "chute", name_of(kind),
          std::to_string(length) + " boxes in a row against a stop; steep", [=] {
            BodyWorld world;
            world.gravity = down(40);
            const int law = world.add_law(law_of(kind, 0.3));
            world.add(floor_of(law), at(0, 0, 0));
            const Vec3 sides(0.08, 0.06, 0.04);
            for (int k = 0; k < length; ++k)
              world.add(free_box("box", sides, 800, law), at((k + 0.5) * sides.x(), 0, sides.z() / 2));
            world.add(fixed_box("stop", Vec3(0.1, 0.2, 0.2), law), at(length * sides.x() + 0.05, 0, 0.1));
            return problem_of(world, kStep, kNear, kNear);
          }};
}

Recipe spheres(std::size_t count, std::uint64_t seed, Kind kind) {
  return {"chute-spheres-" + std::to_string(count) + "-" + name_of(kind), "chute", name_of(kind),
          std::to_string(count) + " spheres in a box that was tilted by 35 degrees", [=] {
            BodyWorld world;
            SpherePileOptions options;
            options.law = world.add_law(law_of(kind, 0.4));
            options.wall_law = world.add_law(law_of(kind, 0.2));
            add_sphere_pile(world, count, seed, options);
            world.gravity = down(35);
            return problem_of(world, kStep, kNear, kNear);
          }};
}

}  // namespace

std::vector<Recipe> chutes() {
  return {
      boxes(4, 1, Kind::elliptic),       boxes(6, 2, Kind::superelliptic),
      boxes(12, 3, Kind::nonconvex),     boxes(30, 2, Kind::elliptic),
      train(8, Kind::elliptic),          train(30, Kind::superelliptic),
      spheres(40, 31, Kind::nonconvex),  spheres(150, 32, Kind::superelliptic),
      spheres(450, 33, Kind::isotropic),
  };
}

}  // namespace slipset::problems
