// Closed forms and exact cases of each shape.
#include <doctest/doctest.h>

#include "slipset/testing/set_checks.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shapes.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// Area of the polygon through boundary points: from below for convex sets, error of second order.
double polygon_area(const PlanarSet& set, int points) {
  std::vector<double> angles = set.resolving_angles(points);
  double twice = 0;
  for (std::size_t i = 0; i < angles.size(); ++i)
    twice += cross(set.boundary_point(angles[i]), set.boundary_point(angles[(i + 1) % angles.size()]));
  return twice / 2;
}

void check_cone(const AngleInterval& cone, double from, double to) {
  CHECK(degrees(wrap_to_pi(cone.from - radians(from))) == within(0, 1e-12));
  CHECK(degrees(cone.width()) == within(to - from, 1e-12));
}

std::vector<PlanarSet> all_shapes() {
  const double angles[] = {0, 1, 2, 3.5, 5}, radii[] = {1, 1.1, 0.9, 1, 1.2};
  return {Disk(0.7),
          Ellipse(0.6, 0.3, 0.4),
          Superellipse(0.6, 0.3, 3.5, 0.4),
          Superellipse(0.6, 0.3, 0.6, 0.4),
          Rectangle(0.6, 0.3, 0.4),
          Stadium(0.6, 0.3, 0.2, 0.4),
          Polygon({{1, 0}, {0.2, 0.3}, {-1, 0.5}, {-0.5, -1}}),
          PolarCurve(angles, radii),
          Wedge(1.2, radians(36)),
          NormMix(0.4, 0.2, 2.5, -1.5, 0.1)};
}

}  // namespace

TEST_CASE("area agrees with the boundary") {
  for (const PlanarSet& set : all_shapes()) {
    INFO(set.description());
    CHECK(set.area() == near(polygon_area(set, 20000), 2e-6));
  }
  CHECK(Superellipse(2, 3, 1).area() == near(12, 1e-14));
  CHECK(Superellipse(2, 3, 2).area() == near(6 * kPi, 1e-14));
}

TEST_CASE("turned and scaled do what they say") {
  Random random(11);
  for (const PlanarSet& set : all_shapes()) {
    INFO(set.description());
    const PlanarSet changed = set.scaled(3).turned(0.7);
    for (int i = 0; i < 50; ++i) {
      const double angle = random.uniform(0, 7);
      CHECK(changed.radius(angle + 0.7) == near(3 * set.radius(angle), 1e-13));
    }
    CHECK(changed.area() == near(9 * set.area(), 1e-13));
    CHECK(changed.is_convex() == set.is_convex());
  }
}

TEST_CASE("the rays point where gradient and support point do") {
  Random random(12);
  for (const PlanarSet& set : all_shapes()) {
    INFO(set.description());
    for (int i = 0; i < 200; ++i) {
      const Vec2 v = random.uniform(0.1, 3) * unit(random.uniform(0, 7));
      CHECK((set.normal_ray(v).normalized() - set.gauge_gradient(v).normalized()).norm() <= 1e-12);
      if (set.is_convex()) CHECK((set.support_ray(v).normalized() - set.support_point(v).normalized()).norm() <= 1e-12);
    }
  }
}

TEST_CASE("is_convex and nonconvex_arcs agree with chords of the boundary") {
  for (const PlanarSet& set : all_shapes()) {
    INFO(set.description());
    // Convex exactly if no middle of a short chord lies outside.
    bool convex = true;
    for (int i = 0; i < 3600; ++i) {
      const Vec2 middle = 0.5 * (set.boundary_point(i * kPi / 1800) + set.boundary_point((i + 3) * kPi / 1800));
      const double outside = set.gauge(middle) - 1;
      if (outside > 1e-9) convex = false;
    }
    CHECK(set.is_convex() == convex);
    CHECK(set.nonconvex_arcs().empty() == convex);
  }
}

TEST_CASE("normal_ray has the direction of the gradient, whatever its length") {
  std::vector<PlanarSet> shapes = all_shapes();
  for (const double exponent : {0.7, 1.0, 1.3, 2.0, 8.0, 50.0})
    shapes.push_back(Superellipse(0.6, 0.01, exponent, 0.4));
  for (const PlanarSet& set : shapes)
    for (double angle = 0.01; angle < 6.3; angle += 0.1) {
      const Vec2 t = 3 * unit(angle), n = set.normal_ray(t).normalized(), g = set.gauge_gradient(t).normalized();
      CAPTURE(angle);
      CHECK((n - g).norm() < 1e-13);
    }
}

TEST_CASE("non-convex sets refuse support and projection") {
  const Superellipse star(1, 1, 0.5);
  CHECK_THROWS_AS(star.support({1, 0}), InvalidInput);
  CHECK_THROWS_AS(star.project({3, 0}), InvalidInput);
  CHECK(star.gauge({0.25, 0.25}) == near(1, 1e-15));  // (√¼ + √¼)² = 1
}

TEST_CASE("NaN in, NaN out; never silent") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const PlanarSet& set : all_shapes()) {
    INFO(set.description());
    for (const Vec2& bad : {Vec2(nan, 1), Vec2(1, nan)}) {
      CHECK(std::isnan(set.gauge(bad)));
      if (!set.is_convex()) continue;
      CHECK(std::isnan(set.support(bad)));
      CHECK(set.support_point(bad).hasNaN());
      CHECK(set.project(bad).hasNaN());
    }
    CHECK(set.gauge({0, 0}) == 0);
    CHECK(set.contains({0, 0}));
  }
}

TEST_CASE("superellipse: the ellipse at s = 2, towards the rectangle at s = 50") {
  Random random(12);
  Worst ellipse;
  for (int i = 0; i < 2000; ++i) {
    const Vec2 a = random_axes(random);
    const double angle = random_angle(random);
    const Superellipse s(a.x(), a.y(), 2, angle);
    const Ellipse e(a.x(), a.y(), angle);
    const Vec2 v = random.direction(angle), x = v * (random.log_uniform(0.1, 100) / e.gauge(v));
    const double size = a.maxCoeff(), ratio = size / a.minCoeff();
    ellipse.add(std::abs(s.gauge(v) / e.gauge(v) - 1));
    ellipse.add(std::abs(s.support(v) / e.support(v) - 1));
    ellipse.add((s.support_point(v) - e.support_point(v)).norm() / (size * ratio));
    ellipse.add((s.project(x) - e.project(x)).norm() / (size * ratio));
    ellipse.add((s.gauge_gradient(v) - e.gauge_gradient(v)).norm() / (e.gauge_gradient(v).norm() * ratio));
  }
  show_worst("s = 2 and the ellipse", "", ellipse.value());
  CHECK(ellipse.value() < 1e-13);
  // The corner is what the superellipse lacks: 2^(-1/50) of it is reached. Distance over diameter.
  const Superellipse s(0.4, 0.2, 50);
  const Rectangle r(0.4, 0.2);
  Worst most;
  for (int i = 0; i < 3600; ++i) {
    const Vec2 p = r.boundary_point(i * kPi / 1800);
    most.add((p - s.project(p)).norm() / (2 * std::hypot(0.4, 0.2)));
  }
  CHECK(most.value() < 1e-2);
  CHECK(most.value() > 1e-3);
}

TEST_CASE("quadratic: intercepts and coupling are those of the ellipse") {
  Random random(13);
  for (int i = 0; i < 200; ++i) {
    const double n1 = random.log_uniform(0.1, 10), n2 = random.log_uniform(0.1, 10);
    const double nu = random.uniform(-1.99, 1.99) / (n1 * n2);
    const Ellipse e = quadratic(n1, n2, nu);
    CHECK(e.radius(0) == near(n1, 1e-11));
    CHECK(e.radius(kPi / 2) == near(n2, 1e-11));
    // On the diagonal of the intercepts k² = 1 + 1 + ν n1 n2.
    CHECK(e.gauge({n1, n2}) == near(std::sqrt(2 + nu * n1 * n2), 1e-11));
  }
  CHECK_THROWS_AS(quadratic(1, 1, 2), InvalidInput);
}

TEST_CASE("ellipse: what the circle transformation gives, and what not") {
  const Ellipse e(0.8, 0.2, 0.3);
  const Vec2 x(1, 1);
  // It is radial scaling: on the boundary, but not the closest point.
  CHECK(e.gauge(e.project_by_circle(x)) == near(1, 1e-15));
  CHECK((x - e.project_by_circle(x)).norm() > 1.05 * (x - e.project(x)).norm());
  // It solves the normal cone inclusion all the same: x ∈ E, y ∈ N_E(x) is its fixed point for any r > 0 ...
  const Vec2 y(0.3, -1), boundary = e.support_point(y);
  for (const double r : {1e-3, 1.0, 1e3})
    CHECK((e.project_by_circle(boundary + r * e.support_ray(y)) - boundary).norm() < 1e-14);
  // ... and a point with another normal is not.
  const Vec2 other = e.support_point({0.4, -1});
  CHECK((e.project_by_circle(other + 1.0 * e.support_ray(y)) - other).norm() > 1e-3);
  // The fixed point with the true projection has the same solution.
  CHECK((e.project(boundary + 0.7 * y) - boundary).norm() < 1e-14);
}

TEST_CASE("S.8 S.9 normal and tangent cones are exact at corners") {
  const Rectangle r(2, 1, radians(30));
  check_cone(r.normal_cone(r.support_face(unit(radians(50))).from), 30, 120);
  check_cone(r.tangent_cone(r.support_face(unit(radians(50))).from), 210, 300);
  check_cone(r.normal_cone(unit(radians(30))), 30, 30);
  check_cone(r.tangent_cone(unit(radians(30))), 120, 300);

  const Superellipse rhombus(2, 1, 1);
  check_cone(rhombus.normal_cone({2, 0}), -degrees(std::atan(2)), degrees(std::atan(2)));
  check_cone(rhombus.normal_cone({0, -1}), -90 - degrees(std::atan(0.5)), -90 + degrees(std::atan(0.5)));
  const Superellipse star(2, 1, 0.5);  // cusps: the tangent cone is one ray, inwards
  check_cone(star.normal_cone({2, 0}), -90, 90);
  check_cone(star.tangent_cone({2, 0}), 180, 180);

  // A convex corner and a re-entrant one, whose Clarke tangent cone is what both sides allow.
  const Polygon l({{1, -1}, {1, 0.5}, {0.5, 0.5}, {0.5, 1}, {-1, 1}, {-1, -1}});
  check_cone(l.normal_cone({1, -1}), -90, 0);
  check_cone(l.normal_cone({0.5, 0.5}), 0, 90);
  check_cone(l.tangent_cone({0.5, 0.5}), 180, 270);
  CHECK(l.nonconvex_arcs().size() == 1);
  CHECK(degrees(l.nonconvex_arcs()[0].from) == near(45, 1e-14));
}

TEST_CASE("flat sides: all of the side is the support face") {
  const Rectangle r(2, 1, radians(30));
  const Face side = r.support_face(unit(radians(30)));
  CHECK(side.is_flat());
  CHECK((side.to - side.from).norm() == near(2, 1e-15));
  CHECK(cross(side.from, side.to) > 0);  // counter-clockwise
  CHECK(side.middle().x() == near(2 * std::cos(radians(30)), 1e-15));
  const Face top = Stadium(0.5, 0.3, 0.2).support_face({0, 1});
  CHECK(top.from == Vec2(0.5, 0.3));
  CHECK(top.to == Vec2(-0.5, 0.3));
  const Polygon square({{1, -1}, {1, 0}, {1, 1}, {-1, 1}, {-1, -1}});  // a vertex in the middle of a side
  CHECK(square.support_face({1, 0}).from == Vec2(1, -1));
  CHECK(square.support_face({1, 0}).to == Vec2(1, 1));
  CHECK(square.is_convex());
}

TEST_CASE("wedge and norm mix: published shapes") {
  const Wedge wedge(1.2, radians(36));
  CHECK(wedge.radius(0) == near(7.64327641, 1e-8));
  CHECK(wedge.radius(kPi / 4) == near(2.33205864, 1e-8));
  CHECK(wedge.radius(kPi / 2) == near(1.48328157, 1e-8));
  REQUIRE(wedge.nonconvex_arcs().size() == 2);
  CHECK(degrees(wedge.nonconvex_arcs()[0].from) == near(56.1, 1e-3));
  CHECK(Wedge(std::sqrt(0.5), kPi / 4).is_convex());
  CHECK_FALSE(Wedge(std::sqrt(0.5) + 1e-6, kPi / 4).is_convex());
  CHECK(Wedge(0.3, 0).radius(1.1) == near(0.3, 1e-15));  // no slope: a disk

  const NormMix mix(0.4, 0.2, 2.5, -1.5);
  const Ellipse ellipse(0.4, 0.2);
  CHECK(radius_ratio(mix, ellipse).smallest.value == near(0.80732706, 1e-8));
  CHECK(radius_ratio(mix, ellipse).largest.value == near(1, 1e-14));
  CHECK(NormMix(1, 1, 1, -1 / (0.75 * std::pow(2, 1.75)) + 1e-9).is_convex());
  CHECK_FALSE(NormMix(1, 1, 1, -1 / (0.75 * std::pow(2, 1.75)) - 1e-9).is_convex());
  CHECK_FALSE(NormMix(1, 1, -0.1, 1).is_convex());
}

// Curvature of the nonconvex arcs changes sign exactly at their ends.
TEST_CASE("nonconvex arcs end where the curvature vanishes") {
  for (const PlanarSet& set : {PlanarSet(Wedge(1.2, radians(36), 0.3)), PlanarSet(NormMix(0.4, 0.2, 2.5, -1.5, 0.3)),
                               PlanarSet(NormMix(0.4, 0.2, -0.1, 1, 0.3))}) {
    for (const AngleInterval& arc : set.nonconvex_arcs()) {
      const auto bending = [&](double angle) { return set.gauge_hessian(set.boundary_point(angle))->trace(); };
      for (const double end : {arc.from, arc.to}) CHECK(std::abs(bending(end)) < 1e-10 / set.area());
      CHECK(bending((arc.from + arc.to) / 2) < 0);
      CHECK(bending(arc.from - 0.01) > 0);
      CHECK(bending(arc.to + 0.01) > 0);
    }
  }
}

TEST_CASE("constructors refuse what is no set") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(Disk(0), InvalidInput);
  CHECK_THROWS_AS(Ellipse(1, -1), InvalidInput);
  CHECK_THROWS_AS(Ellipse(1, nan), InvalidInput);
  CHECK_THROWS_AS(Ellipse(1, 1, inf), InvalidInput);
  CHECK_THROWS_AS(Superellipse(1, 1, 0), InvalidInput);
  CHECK_THROWS_AS(Rectangle(inf, 1), InvalidInput);
  CHECK_THROWS_AS(Stadium(1, 1, 0), InvalidInput);
  CHECK_THROWS_AS(Wedge(1.2, radians(45)), InvalidInput);  // locks: μ > cot β
  CHECK_THROWS_AS(Wedge(1.2, radians(-1)), InvalidInput);
  CHECK_THROWS_AS(NormMix(1, 1, 1, -1), InvalidInput);
  CHECK_THROWS_AS(Polygon({{1, 0}, {0, 1}}), InvalidInput);
  CHECK_THROWS_WITH_AS(Polygon({{1, 0}, {0, -1}, {-1, 0}, {0, 1}}),
                       "polygon: the vertices run clockwise; list them counter-clockwise", InvalidInput);
  CHECK_THROWS_AS(Polygon({{1, 1}, {2, 1}, {2, 2}, {1, 2}}), InvalidInput);      // origin outside
  CHECK_THROWS_AS(Polygon({{1, 0}, {0, 1}, {1, 0.1}, {-1, -1}}), InvalidInput);  // turns back
  CHECK_THROWS_AS(Polygon({{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0.0}, {0, 1}, {-1, 0}, {0, -1}}),
                  InvalidInput);  // twice round
}

TEST_CASE("Hessians by central differences of the gradients") {
  Random random(15);
  for (const PlanarSet& set : all_shapes()) {
    INFO(set.description());
    for (int i = 0; i < 40; ++i) {
      const Vec2 t = random.uniform(0.5, 2) * unit(random.uniform(0, 7)), w = unit(random.uniform(0, 7));
      const double step = 1e-5;
      if (const auto h = set.gauge_hessian(t); h && set.corners().empty()) {
        const Vec2 change = (set.gauge_gradient(t + step * w) - set.gauge_gradient(t - step * w)) / (2 * step);
        CHECK((*h * w - change).norm() < 1e-4 * (h->norm() + 1));
      }
      if (!set.is_convex()) continue;
      if (const auto h = set.support_hessian(t)) {
        const Vec2 change = (set.support_point(t + step * w) - set.support_point(t - step * w)) / (2 * step);
        CHECK((*h * w - change).norm() < 1e-3 * (h->norm() + 1));
      }
    }
  }
  // Where they do not exist, they say so.
  CHECK_FALSE(Rectangle(1, 1).support_hessian({1, 0}));
  CHECK_FALSE(Rectangle(1, 1).gauge_hessian({1, 1}));
  CHECK_FALSE(Superellipse(1, 1, 3).support_hessian({1, 0}));
  CHECK_FALSE(Superellipse(1, 1, 1.5).gauge_hessian({1, 0}));
  CHECK(Superellipse(1, 1, 3).gauge_hessian({1, 0})->isZero(0));
  CHECK_FALSE(Ellipse(1, 1).gauge_hessian({0, 0}));
}

TEST_CASE("what counts as a corner does not depend on the size of the set or of the point") {
  for (const double size : {1e-6, 1.0, 1e6})
    for (const double far : {1e-3, 1.0, 1e3}) {
      const Rectangle set(0.6 * size, 0.2 * size);
      const auto beside = [&](double off) { return Vec2(far * size * Vec2(0.6, 0.2 * (1 - off))); };
      CAPTURE(size);
      CHECK_FALSE(set.gauge_hessian(beside(3e-13)));
      CHECK(set.gauge_hessian(beside(1e-9)));
      CHECK(set.normal_cone(beside(3e-13)).width() == near(kPi / 2, 1e-12));
      CHECK(set.normal_cone(beside(1e-9)).width() == 0);
    }
}
