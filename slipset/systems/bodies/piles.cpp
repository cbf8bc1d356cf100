#include "slipset/systems/bodies/piles.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "slipset/core/error.hpp"
#include "slipset/sets/disk.hpp"
#include "slipset/systems/bodies/internal/deposit.hpp"

namespace slipset {
namespace {

constexpr double kFilled = 0.55;  // of the box by the spheres, about

// In [0, 1), the same on every machine.
double uniform(std::mt19937_64& random) { return std::ldexp(static_cast<double>(random() >> 11), -53); }

void add_plane(BodyWorld& world, const char* name, const Vec3& at, const Vec3& normal, int law) {
  RigidBody plane = fixed_body(name, plane_shape());
  plane.surface.law = law;
  BodyState place;
  place.position = at;
  place.orientation = rotation_between(Vec3::UnitZ(), normal);
  world.add(std::move(plane), place);
}

}  // namespace

void add_sphere_pile(BodyWorld& world, std::size_t spheres, std::uint64_t seed, const SpherePileOptions& options) {
  require_positive(options.radius, "radius of the spheres of a pile");
  require_positive(options.density, "density of the spheres of a pile");
  if (!(options.spread >= 0 && options.spread <= 0.5))
    throw InvalidInput(fmt::format("pile of spheres: spread of the radii {}; expected 0 to 0.5", options.spread));
  if (!(options.width >= 0 && std::isfinite(options.width)))
    throw InvalidInput(fmt::format(
        "pile of spheres: a box {} m wide; expected a positive length, or 0 for one as wide as the pile is high",
        options.width));
  if (!options.centre.allFinite()) throw InvalidInput("pile of spheres: the centre of the floor is not finite");
  const double largest = options.radius * (1 + options.spread);
  const double volume = static_cast<double>(spheres) * 4 * std::numbers::pi / 3 * std::pow(options.radius, 3);
  const double width = options.width > 0 ? options.width : std::max(2.5 * largest, std::cbrt(volume / kFilled));
  if (!(width > 2 * largest && std::isfinite(width)))
    throw InvalidInput(fmt::format("pile of spheres: a box {} m wide does not hold a sphere", width));
  const Vec3 &c = options.centre, half(width / 2, width / 2, 0);
  add_plane(world, "floor", c, Vec3::UnitZ(), options.wall_law);
  add_plane(world, "wall-x", c - half, Vec3::UnitX(), options.wall_law);
  add_plane(world, "wall+x", c + half, -Vec3::UnitX(), options.wall_law);
  add_plane(world, "wall-y", c - half, Vec3::UnitY(), options.wall_law);
  add_plane(world, "wall+y", c + half, -Vec3::UnitY(), options.wall_law);
  world.bodies.reserve(world.bodies.size() + spheres);
  world.states.reserve(world.states.size() + spheres);
  std::mt19937_64 random(seed);
  internal::Deposit deposit(width, largest);
  for (std::size_t k = 0; k < spheres; ++k) {
    const double radius = options.radius * (1 + options.spread * (2 * uniform(random) - 1));
    const double x = radius + (width - 2 * radius) * uniform(random);
    const double y = radius + (width - 2 * radius) * uniform(random);
    const Vec3 place = deposit.settle(x, y, radius);
    deposit.add(place, radius);
    const SolidShape shape = sphere_shape(radius);
    RigidBody body = free_body(fmt::format("sphere{}", k + 1), shape, options.density * shape.volume());
    body.surface.law = options.law;
    BodyState state;
    state.position = c - half + place;
    world.add(std::move(body), state);
  }
}

BodyWorld make_sphere_pile(std::size_t spheres, std::uint64_t seed, double friction) {
  BodyWorld world;
  SpherePileOptions options;
  options.law = options.wall_law = world.add_law(FrictionLaw(Disk(friction), Disk(friction)));
  add_sphere_pile(world, spheres, seed, options);
  return world;
}

ContactProblem sphere_pile_problem(std::size_t spheres, std::uint64_t seed, double friction, double dt) {
  const double closed = 1e-3 * SpherePileOptions().radius;
  return problem_of(make_sphere_pile(spheres, seed, friction), dt, closed, closed);
}

void add_stack(BodyWorld& world, std::size_t boxes, const Vec3& sides, double density, int law, const Vec3& base) {
  require_positive(density, "density of the boxes of a stack");
  const SolidShape shape = box_shape(sides);
  for (std::size_t k = 0; k < boxes; ++k) {
    RigidBody body = free_body(fmt::format("box{}", k + 1), shape, density * shape.volume());
    body.surface.law = law;
    BodyState state;
    state.position = base + Vec3(0, 0, (static_cast<double>(k) + 0.5) * sides.z());
    world.add(std::move(body), state);
  }
}

}  // namespace slipset
