// Closed forms and exact cases of each shape.
#include <doctest/doctest.h>

#include "slipset/sets/ellipsoid.hpp"
#include "slipset/sets/interval.hpp"
#include "tests/support/set_checks.hpp"
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
  CHECK(degrees(wrap_to_pi(cone.from - radians(from))) == doctest::Approx(0).epsilon(1e-12));
  CHECK(degrees(cone.width()) == doctest::Approx(to - from).epsilon(1e-12));
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
    CHECK(set.area() == doctest::Approx(polygon_area(set, 20000)).epsilon(2e-6));
  }
  CHECK(Superellipse(2, 3, 1).area() == doctest::Approx(12).epsilon(1e-14));
  CHECK(Superellipse(2, 3, 2).area() == doctest::Approx(6 * kPi).epsilon(1e-14));
}

TEST_CASE("turned and scaled do what they say") {
  Random random(11);
  for (const PlanarSet& set : all_shapes()) {
    INFO(set.description());
    const PlanarSet changed = set.scaled(3).turned(0.7);
    for (int i = 0; i < 50; ++i) {
      const double angle = random.uniform(0, 7);
      CHECK(changed.radius(angle + 0.7) == doctest::Approx(3 * set.radius(angle)).epsilon(1e-13));
    }
    CHECK(changed.area() == doctest::Approx(9 * set.area()).epsilon(1e-13));
    CHECK(changed.is_convex() == set.is_convex());
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

TEST_CASE("non-convex sets refuse support and projection") {
  const Superellipse star(1, 1, 0.5);
  CHECK_THROWS_AS(star.support({1, 0}), InvalidInput);
  CHECK_THROWS_AS(star.project({3, 0}), InvalidInput);
  CHECK(star.gauge({0.25, 0.25}) == doctest::Approx(1).epsilon(1e-15));  // (√¼ + √¼)² = 1
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
  double ellipse = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec2 a = random_axes(random);
    const double angle = random_angle(random);
    const Superellipse s(a.x(), a.y(), 2, angle);
    const Ellipse e(a.x(), a.y(), angle);
    const Vec2 v = random.direction(angle), x = v * (random.log_uniform(0.1, 100) / e.gauge(v));
    const double size = a.maxCoeff(), ratio = size / a.minCoeff();
    ellipse = std::max({ellipse, std::abs(s.gauge(v) / e.gauge(v) - 1), std::abs(s.support(v) / e.support(v) - 1),
                        (s.support_point(v) - e.support_point(v)).norm() / (size * ratio),
                        (s.project(x) - e.project(x)).norm() / (size * ratio),
                        (s.gauge_gradient(v) - e.gauge_gradient(v)).norm() / (e.gauge_gradient(v).norm() * ratio)});
  }
  CHECK(ellipse < 1e-13);  // worst measured 1.4e-15
  // The corner is what the superellipse lacks: 2^(-1/50) of it is reached. Distance over diameter.
  const Superellipse s(0.4, 0.2, 50);
  const Rectangle r(0.4, 0.2);
  double most = 0;
  for (int i = 0; i < 3600; ++i) {
    const Vec2 p = r.boundary_point(i * kPi / 1800);
    most = std::max(most, (p - s.project(p)).norm() / (2 * std::hypot(0.4, 0.2)));
  }
  CHECK(most < 1e-2);
  CHECK(most > 1e-3);
}

TEST_CASE("quadratic: intercepts and coupling are those of the ellipse") {
  Random random(13);
  for (int i = 0; i < 200; ++i) {
    const double n1 = random.log_uniform(0.1, 10), n2 = random.log_uniform(0.1, 10);
    const double nu = random.uniform(-1.99, 1.99) / (n1 * n2);
    const Ellipse e = quadratic(n1, n2, nu);
    CHECK(e.radius(0) == doctest::Approx(n1).epsilon(1e-11));
    CHECK(e.radius(kPi / 2) == doctest::Approx(n2).epsilon(1e-11));
    // On the diagonal of the intercepts k² = 1 + 1 + ν n1 n2.
    CHECK(e.gauge({n1, n2}) == doctest::Approx(std::sqrt(2 + nu * n1 * n2)).epsilon(1e-11));
  }
  CHECK_THROWS_AS(quadratic(1, 1, 2), InvalidInput);
}

TEST_CASE("ellipse: what the circle transformation gives, and what not") {
  const Ellipse e(0.8, 0.2, 0.3);
  const Vec2 x(1, 1);
  // It is radial scaling: on the boundary, but not the closest point.
  CHECK(e.gauge(e.project_by_circle(x)) == doctest::Approx(1).epsilon(1e-15));
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
  CHECK(degrees(l.nonconvex_arcs()[0].from) == doctest::Approx(45).epsilon(1e-14));
}

TEST_CASE("flat sides: all of the side is the support face") {
  const Rectangle r(2, 1, radians(30));
  const Face side = r.support_face(unit(radians(30)));
  CHECK(side.is_flat());
  CHECK((side.to - side.from).norm() == doctest::Approx(2).epsilon(1e-15));
  CHECK(cross(side.from, side.to) > 0);  // counter-clockwise
  CHECK(side.middle().x() == doctest::Approx(2 * std::cos(radians(30))).epsilon(1e-15));
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
  CHECK(wedge.radius(0) == doctest::Approx(7.64327641).epsilon(1e-8));
  CHECK(wedge.radius(kPi / 4) == doctest::Approx(2.33205864).epsilon(1e-8));
  CHECK(wedge.radius(kPi / 2) == doctest::Approx(1.48328157).epsilon(1e-8));
  REQUIRE(wedge.nonconvex_arcs().size() == 2);
  CHECK(degrees(wedge.nonconvex_arcs()[0].from) == doctest::Approx(56.1).epsilon(1e-3));
  CHECK(Wedge(std::sqrt(0.5), kPi / 4).is_convex());
  CHECK_FALSE(Wedge(std::sqrt(0.5) + 1e-6, kPi / 4).is_convex());
  CHECK(Wedge(0.3, 0).radius(1.1) == doctest::Approx(0.3).epsilon(1e-15));  // no slope: a disk

  const NormMix mix(0.4, 0.2, 2.5, -1.5);
  const Ellipse ellipse(0.4, 0.2);
  CHECK(radius_ratio(mix, ellipse).smallest.value == doctest::Approx(0.80732706).epsilon(1e-8));
  CHECK(radius_ratio(mix, ellipse).largest.value == doctest::Approx(1).epsilon(1e-14));
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

TEST_CASE("polar curve: through its points, fourth order between them, continuous curvature") {
  const Ellipse ellipse(0.6, 0.3, 0.2);
  double previous = 0;
  for (const int n : {20, 40, 80, 160}) {
    std::vector<double> angles, radii;
    for (int i = 0; i < n; ++i) {
      angles.push_back(0.1 - 2 * kPi * i / n);  // any order
      radii.push_back(ellipse.radius(angles.back()));
    }
    const PolarCurve curve(angles, radii);
    for (int i = 0; i < n; ++i)
      CHECK(curve.radius(angles[static_cast<std::size_t>(i)]) ==
            doctest::Approx(radii[static_cast<std::size_t>(i)]).epsilon(1e-13));
    double worst = 0;
    for (int i = 0; i < 1000; ++i) {
      const double a = 2 * kPi * i / 1000;
      worst = std::max(worst, std::abs(curve.radius(a) / ellipse.radius(a) - 1));
    }
    if (previous > 0 && n > 40) CHECK(std::log2(previous / worst) == doctest::Approx(4).epsilon(0.1));
    previous = worst;
    if (n == 160) {
      for (const double node : angles) {
        const double left = curve.gauge_hessian(unit(node - 1e-7))->trace();
        const double right = curve.gauge_hessian(unit(node + 1e-7))->trace();
        CHECK(left == doctest::Approx(right).epsilon(1e-4));
      }
      CHECK(curve.is_convex());
      CHECK(curve.area() == doctest::Approx(ellipse.area()).epsilon(1e-6));
    }
  }
}

TEST_CASE("polar curve: a repeated end point is one point; contradictions and gaps are refused") {
  const std::vector<double> closed{0, 1, 2, 3, 4, 5, 2 * kPi}, radii{1, 2, 1, 2, 1, 2, 1};
  CHECK(PolarCurve(closed, radii).points() == 6);
  const std::vector<double> other{1, 2, 1, 2, 1, 2, 1.5};
  CHECK_THROWS_WITH_AS(PolarCurve(closed, other),
                       "polar: two radii, 1 and 1.5, at the same angle 0 degrees; give one, for instance their mean",
                       InvalidInput);
  const std::vector<double> half{0, 1, 2, 3}, ones{1, 1, 1, 1};
  CHECK_THROWS_AS(PolarCurve(half, ones), InvalidInput);
  CHECK_FALSE(PolarCurve(closed, radii).is_convex());
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

TEST_CASE("interval: forward and backward apart") {
  const Interval i(0.5, 2);
  CHECK(i.gauge(1) == 0.5);
  CHECK(i.gauge(-1) == 2);
  CHECK(i.support(3) == 6);
  CHECK(i.support(-3) == 1.5);
  CHECK(i.support_point(1) == 2);
  CHECK(i.support_point(-1) == -0.5);
  CHECK(i.support_point(0) == 0);
  CHECK(i.project(-3) == -0.5);
  CHECK(i.project(0.1) == 0.1);
  CHECK(std::isnan(i.project(std::numeric_limits<double>::quiet_NaN())));
  CHECK(i.contains(-0.5));
  CHECK_FALSE(i.contains(-0.6));
  for (const double t : {-3.0, -0.1, 0.1, 3.0}) {  // subgradient: g t = k, h(g) = 1
    CHECK(i.gauge_gradient(t) * t == doctest::Approx(i.gauge(t)).epsilon(1e-15));
    CHECK(i.support(i.gauge_gradient(t)) == doctest::Approx(1).epsilon(1e-15));
  }
  CHECK_THROWS_AS(Interval(0, 1), InvalidInput);
}

TEST_CASE("ellipsoid: complete defects in R³") {
  Random random(14);
  double support = 0, gradient = 0, projection = 0, hessian = 0;
  for (int i = 0; i < sample_count(); ++i) {
    const double size = random.log_uniform(1e-2, 1e2);
    const Vec3 axes(size, size / random.log_uniform(1, 1e3), size / random.log_uniform(1, 1e3));
    const Ellipsoid e(axes, random.uniform(-4, 4));
    const double aspect = size / axes.minCoeff();
    const Vec3 v(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Vec3 z = e.support_point(v), x = v * (random.log_uniform(1e-1, 1e3) / e.gauge(v)), g = e.gauge_gradient(x);
    support = std::max(support, (std::abs(e.gauge(z) - 1) + std::abs(z.dot(v) / e.support(v) - 1)) / aspect);
    gradient = std::max(gradient, (std::abs(g.dot(x) / e.gauge(x) - 1) + std::abs(e.support(g) - 1)) / aspect);
    const Vec3 p = e.project(x), d = x - p;
    projection = std::max(
        projection, (std::max(0.0, e.gauge(p) - 1) + std::abs(e.support(d) - d.dot(p)) / (x.norm() * size)) / aspect);
    // Homogeneous: Hessians annihilate their argument, and the gradient changes by them (central difference).
    const Vec3 w(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const double step = 1e-4 * axes.minCoeff() / size;
    const Vec3 change = (e.support_point(v + step * w) - e.support_point(v - step * w)) / (2 * step);
    const Mat3 h = *e.support_hessian(v);
    hessian = std::max(hessian, (h * w - change).norm() / (h.norm() * w.norm() + size));
    CHECK((h * v).norm() < 1e-14 * aspect * h.norm() * v.norm());
  }
  CHECK(support < 1e-14);
  CHECK(gradient < 1e-14);
  CHECK(projection < 1e-14);
  CHECK(hessian < 1e-3);
  CHECK(Ellipsoid(Vec3(1, 2, 3)).volume() == doctest::Approx(8 * kPi));
  // Without drilling it is the ellipse.
  const Vec3 flat = Ellipsoid(Vec3(0.6, 0.3, 0.1), 0.4).project({1, 1, 0});
  const Vec2 planar = Ellipse(0.6, 0.3, 0.4).project({1, 1});
  CHECK((flat.head<2>() - planar).norm() < 1e-15);
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
