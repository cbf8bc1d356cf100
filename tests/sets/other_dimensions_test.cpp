// Sets of one and of three dimensions.
#include <doctest/doctest.h>

#include "slipset/sets/ellipse.hpp"
#include "slipset/sets/ellipsoid.hpp"
#include "slipset/sets/interval.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

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
    CHECK(i.gauge_gradient(t) * t == near(i.gauge(t), 1e-15));
    CHECK(i.support(i.gauge_gradient(t)) == near(1, 1e-15));
  }
  CHECK_THROWS_AS(Interval(0, 1), InvalidInput);
}

TEST_CASE("ellipsoid: complete defects in R³") {
  Random random(14);
  Worst support, gradient, projection, hessian;
  for (int i = 0; i < sample_count(); ++i) {
    const double size = random.log_uniform(1e-2, 1e2);
    const Vec3 axes(size, size / random.log_uniform(1, 1e3), size / random.log_uniform(1, 1e3));
    const Ellipsoid e(axes, random.uniform(-4, 4));
    const double aspect = size / axes.minCoeff();
    const Vec3 v(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Vec3 z = e.support_point(v), x = v * (random.log_uniform(1e-1, 1e3) / e.gauge(v)), g = e.gauge_gradient(x);
    support.add((std::abs(e.gauge(z) - 1) + std::abs(z.dot(v) / e.support(v) - 1)) / aspect);
    gradient.add((std::abs(g.dot(x) / e.gauge(x) - 1) + std::abs(e.support(g) - 1)) / aspect);
    const Vec3 p = e.project(x), d = x - p;
    projection.add((std::max(e.gauge(p) - 1, 0.0) + std::abs(e.support(d) - d.dot(p)) / (x.norm() * size)) / aspect);
    // Homogeneous: Hessians annihilate their argument, and the gradient changes by them (central difference).
    const Vec3 w(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const double step = 1e-4 * axes.minCoeff() / size;
    const Vec3 change = (e.support_point(v + step * w) - e.support_point(v - step * w)) / (2 * step);
    const Mat3 h = *e.support_hessian(v);
    hessian.add((h * w - change).norm() / (h.norm() * w.norm() + size));
    CHECK((h * v).norm() < 1e-14 * aspect * h.norm() * v.norm());
  }
  CHECK(support.value() < 1e-14);
  CHECK(gradient.value() < 1e-14);
  CHECK(projection.value() < 1e-14);
  CHECK(hessian.value() < 1e-3);
  CHECK(Ellipsoid(Vec3(1, 2, 3)).volume() == near(8 * kPi, 1e-12));
  // Without drilling it is the ellipse.
  const Vec3 flat = Ellipsoid(Vec3(0.6, 0.3, 0.1), 0.4).project({1, 1, 0});
  const Vec2 planar = Ellipse(0.6, 0.3, 0.4).project({1, 1});
  CHECK((flat.head<2>() - planar).norm() < 1e-15);
}
