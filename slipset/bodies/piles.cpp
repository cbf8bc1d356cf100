#include "slipset/bodies/piles.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "slipset/core/error.hpp"
#include "slipset/sets/disk.hpp"

namespace slipset {
namespace {

constexpr double kFilled = 0.55;  // of the box by the spheres, about

// In [0, 1), the same on every machine.
double uniform(std::mt19937_64& random) { return std::ldexp(static_cast<double>(random() >> 11), -53); }

// Spheres in a box 0 ≤ x, y ≤ width, z ≥ 0, with a grid of cells that finds the neighbours of a place.
class Deposit {
 public:
  Deposit(double width, double largest)
      : width_(width), largest_(largest), side_(static_cast<int>(std::clamp(width / (2 * largest), 1.0, 1000.0))) {}

  // Where a sphere that comes down at x, y comes to rest.
  Vec3 settle(double x, double y, double radius) const {
    Vec3 p(x, y, top_ + radius + largest_);
    double step = largest_ / 2;
    for (int tries = 0; tries < 1000 && step > 1e-6 * radius; ++tries) {
      Vec3 next = p - step * Vec3::UnitZ();
      gather(next, radius, 2 * step);
      double overlap = INFINITY;
      for (int i = 0; i < 20 && overlap > 1e-7 * radius; ++i) overlap = push_out(next, radius);
      const bool lower = next.z() < p.z() - 0.02 * step && overlap <= 1e-7 * radius;
      if (lower) p = next;
      step = lower ? std::min(1.5 * step, largest_ / 2) : step / 2;
    }
    gather(p, radius, 0.1 * radius);
    Vec3 touching = p;
    touch(touching, radius);
    Vec3 probe = touching;
    return push_out(probe, radius) < 1e-9 * radius ? touching : p;
  }

  void add(const Vec3& centre, double radius) {
    const std::size_t cell = cell_of(cell_along(centre.x()), cell_along(centre.y()), layer_of(centre.z()));
    if (cell >= first_.size())
      first_.resize(cell + static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_), -1);
    balls_.push_back({centre, radius, first_[cell]});
    first_[cell] = static_cast<int>(balls_.size()) - 1;
    top_ = std::max(top_, centre.z() + radius);
  }

 private:
  struct Ball {
    Vec3 centre;
    double radius;
    int next;  // in the same cell
  };

  int cell_along(double x) const { return std::clamp(static_cast<int>(x / width_ * side_), 0, side_ - 1); }
  int layer_of(double z) const { return std::max(0, static_cast<int>(z / (2 * largest_))); }
  std::size_t cell_of(int i, int j, int k) const {
    return (static_cast<std::size_t>(k) * static_cast<std::size_t>(side_) + static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(side_) +
           static_cast<std::size_t>(i);
  }

  // The spheres that one near p can touch.
  void gather(const Vec3& p, double radius, double around) const {
    near_.clear();
    const int i = cell_along(p.x()), j = cell_along(p.y()), k = layer_of(p.z());
    for (int c = std::max(0, k - 1); c <= k + 1; ++c)
      for (int b = std::max(0, j - 1); b <= std::min(side_ - 1, j + 1); ++b)
        for (int a = std::max(0, i - 1); a <= std::min(side_ - 1, i + 1); ++a) {
          const std::size_t cell = cell_of(a, b, c);
          if (cell >= first_.size()) continue;
          for (int at = first_[cell]; at >= 0; at = balls_[static_cast<std::size_t>(at)].next) {
            const Ball& ball = balls_[static_cast<std::size_t>(at)];
            const double reach = radius + ball.radius + around;
            if ((p - ball.centre).squaredNorm() < reach * reach) near_.push_back(ball);
          }
        }
  }

  // f(normal towards p, gap) for the walls and the spheres gathered.
  template <class Function>
  void for_neighbours(const Vec3& p, double radius, Function&& f) const {
    f(Vec3(Vec3::UnitZ()), p.z() - radius);
    for (int axis = 0; axis < 2; ++axis) {
      f(Vec3(Vec3::Unit(axis)), p[axis] - radius);
      f(Vec3(-Vec3::Unit(axis)), width_ - p[axis] - radius);
    }
    for (const Ball& ball : near_) {
      const Vec3 out = p - ball.centre;
      const double distance = out.norm();
      f(distance > 0 ? Vec3(out / distance) : Vec3(Vec3::UnitZ()), distance - radius - ball.radius);
    }
  }

  // Out of the deepest overlap, which is returned.
  double push_out(Vec3& p, double radius) const {
    Vec3 by = Vec3::Zero();
    double deepest = 0;
    for_neighbours(p, radius, [&](const Vec3& n, double gap) {
      if (gap < deepest) {
        deepest = gap;
        by = -gap * n;
      }
    });
    p += by;
    return -deepest;
  }

  // Closes the gaps to the three that hold it, by Newton's method.
  void touch(Vec3& p, double radius) const {
    for (int i = 0; i < 6; ++i) {
      struct Support {
        Vec3 n;
        double gap;
      };
      std::array<Support, 3> held;
      std::size_t count = 0;
      for_neighbours(p, radius, [&](const Vec3& n, double gap) {
        if (gap > 1e-3 * radius) return;
        std::size_t place = count < 3 ? count++ : 3;
        if (place == 3) {  // keep the three deepest
          place = 0;
          for (std::size_t k = 1; k < 3; ++k)
            if (held[k].gap > held[place].gap) place = k;
          if (gap >= held[place].gap) return;
        }
        held[place] = {n, gap};
      });
      if (count < 3) {
        for (std::size_t k = 0; k < count; ++k) p -= held[k].gap * held[k].n;
        continue;
      }
      Mat3 normals;
      for (int k = 0; k < 3; ++k) normals.row(k) = held[static_cast<std::size_t>(k)].n;
      const Vec3 by = normals.inverse() * Vec3(held[0].gap, held[1].gap, held[2].gap);
      if (!(by.norm() < 1e-3 * radius)) {  // nearly in one plane
        push_out(p, radius);
        continue;
      }
      p -= by;
    }
  }

  double width_, largest_;
  int side_;
  double top_ = 0;
  std::vector<Ball> balls_;
  mutable std::vector<Ball> near_;
  std::vector<int> first_;  // sphere of each cell; -1: none
};

void add_plane(BodyWorld& world, const char* name, const Vec3& at, const Vec3& normal, int law) {
  RigidBody plane = fixed_body(name, plane_shape());
  plane.surface.law = law;
  BodyState place;
  place.position = at;
  place.orientation = Quaternion::FromTwoVectors(Vec3::UnitZ(), normal);
  world.add(std::move(plane), place);
}

}  // namespace

void add_sphere_pile(BodyWorld& world, std::size_t spheres, std::uint64_t seed, const SpherePileOptions& options) {
  require_positive(options.radius, "radius of the spheres of a pile");
  require_positive(options.density, "density of the spheres of a pile");
  if (!(options.spread >= 0 && options.spread <= 0.5))
    throw InvalidInput(fmt::format("pile of spheres: spread of the radii {}; expected 0 to 0.5", options.spread));
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
  Deposit deposit(width, largest);
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
