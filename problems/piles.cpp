// Spheres that lie in a box, at rest before the step: no first guess is near what carries them.
#include "slipset/systems/bodies/piles.hpp"

#include "problems/kinds.hpp"
#include "problems/masses.hpp"
#include "problems/recipe.hpp"

namespace slipset::problems {
namespace {

constexpr double kStep = 1e-3;    // [s]
constexpr double kClosed = 1e-5;  // gaps below count as closed [m]: a thousandth of the radius
constexpr double kFriction = 0.5;

BodyWorld pile(std::size_t spheres, std::uint64_t seed, const FrictionLaw& law) {
  BodyWorld world;
  SpherePileOptions options;
  options.law = options.wall_law = world.add_law(law);
  add_sphere_pile(world, spheres, seed, options);
  return world;
}

Recipe resting(std::size_t spheres, std::uint64_t seed, Kind kind) {
  return {"pile-" + std::to_string(spheres) + "-" + name_of(kind), "pile", name_of(kind),
          std::to_string(spheres) + " spheres in a box; from rest",
          [=] { return problem_of(pile(spheres, seed, law_of(kind, kFriction)), kStep, kClosed, kClosed); }};
}

// Every fifth sphere, and so the upper ones as well, is so many times heavier.
Recipe heavy(std::size_t spheres, std::uint64_t seed, Kind kind, double ratio, const std::string& in_words) {
  return {"pile-" + std::to_string(spheres) + "-" + name_of(kind) + "-heavy", "pile", name_of(kind),
          std::to_string(spheres) + " spheres; every fifth " + in_words + " times heavier", [=] {
            BodyWorld world = pile(spheres, seed, law_of(kind, kFriction));
            std::size_t next = 0;
            for (RigidBody& body : world.bodies)
              if (!body.prescribed && ++next % 5 == 0) {
                body.mass *= ratio;
                body.inertia *= ratio;
              }
            return problem_of(world, kStep, kClosed, kClosed);
          }};
}

// As after a blow: contacts stick, slip and open side by side.
Recipe moving(std::size_t spheres, std::uint64_t seed, Kind kind) {
  return {"pile-" + std::to_string(spheres) + "-" + name_of(kind) + "-moving", "pile", name_of(kind),
          std::to_string(spheres) + " spheres; each with its own velocity and spin", [=] {
            BodyWorld world = pile(spheres, seed, law_of(kind, kFriction));
            Seeded random(seed + 1);
            for (std::size_t i = 0; i < world.bodies.size(); ++i) {
              if (world.bodies[i].prescribed) continue;
              const auto any = [&](double most) {
                const double x = random.uniform(-most, most), y = random.uniform(-most, most);
                return Vec3(x, y, random.uniform(-most, most));
              };
              world.states[i].velocity = any(0.3);
              world.states[i].spin = any(30);
            }
            return problem_of(world, kStep, kClosed, kClosed);
          }};
}

// M and H of the bodies: FCLib holds rolling friction in this form only.
Recipe rolling(std::size_t spheres, std::uint64_t seed, double torque, const std::string& in_words) {
  return {"pile-" + std::to_string(spheres) + "-rolling", "pile", "rolling",
          std::to_string(spheres) + " spheres; rolling friction " + in_words + " of the radius", [=] {
            BodyWorld world;
            SpherePileOptions options;
            options.law = options.wall_law = world.add_law(RollingLaw::product(
                PlanarSet(Disk(kFriction)), std::nullopt, PlanarSet(Disk(torque * options.radius))));
            add_sphere_pile(world, spheres, seed, options);
            return masses_problem(world, kStep, kClosed);
          }};
}

}  // namespace

std::vector<Recipe> piles() {
  return {
      resting(4, 11, Kind::elliptic),
      resting(30, 12, Kind::isotropic),
      resting(120, 13, Kind::elliptic),
      resting(400, 14, Kind::elliptic),
      resting(60, 15, Kind::superelliptic),
      resting(250, 16, Kind::nonconvex),
      heavy(60, 17, Kind::isotropic, 1e3, "1000"),
      heavy(60, 18, Kind::elliptic, 1e6, "a million"),
      moving(20, 19, Kind::superelliptic),
      moving(150, 20, Kind::nonconvex),
      rolling(8, 21, 0.1, "a tenth"),
      rolling(60, 22, 0.01, "a hundredth"),
  };
}

}  // namespace slipset::problems
