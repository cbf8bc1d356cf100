// The Coulomb-Contensou set of a circular patch: closed forms against quadrature, limits, duality.
#include "slipset/sets/contensou.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr PatchPressure kAll[] = {PatchPressure::uniform, PatchPressure::hertz, PatchPressure::ring};
using Quadrature = boost::math::quadrature::gauss_kronrod<double, 61>;

// ∫ p f dA for f of the radius and the angle: the definition (T.1), with no closed form in it. The radius is divided
// where the integrand has its kink, and by r = √(1 - x²) for Hertz, so that each part is smooth.
template <class Function>
double over_patch(PatchPressure pressure, double kink, Function&& f) {
  const auto around = [&](double r) {
    return Quadrature::integrate([&](double angle) { return f(r, angle); }, 0.0, kPi, 12, 1e-13) / kPi;
  };
  if (pressure == PatchPressure::ring) return around(1);
  const bool hertz = pressure == PatchPressure::hertz;
  const auto along = [&](double x) { return hertz ? 3 * x * x * around(std::sqrt(1 - x * x)) : 2 * x * around(x); };
  const double at = kink >= 1 ? 0 : hertz ? std::sqrt(1 - kink * kink) : kink;
  return Quadrature::integrate(along, 0.0, at, 8, 1e-12) + Quadrature::integrate(along, at, 1.0, 8, 1e-12);
}

// h for slip a along x and spin b: |v + ω × r| = |(a - b r sin, b r cos)|.
double support_by_quadrature(PatchPressure pressure, double a, double b) {
  return over_patch(pressure, b > 0 ? a / b : 2, [&](double r, double angle) {
    return std::hypot(a - b * r * std::cos(angle), b * r * std::sin(angle));
  });
}

Vec3 random_vector(Random& random) {
  Vec3 v(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  switch (random.integer(0, 5)) {  // near and on the axes, and near |v| = |ω|, where the ring is not smooth
    case 0: v.z() *= random.log_uniform(1e-9, 1); break;
    case 1: v.head<2>() *= random.log_uniform(1e-9, 1); break;
    case 2: v.z() = 0; break;
    case 3: v.head<2>().setZero(); break;
    case 4: v.z() = v.head<2>().norm() * (1 + random.log_uniform(1e-12, 0.1)); break;
    default: break;
  }
  return v;
}

}  // namespace

TEST_CASE("T.1 support is the power of the patch, by quadrature") {
  Worst worst;
  for (const PatchPressure pressure : kAll)
    for (const auto& [a, b] : {std::pair{1.0, 0.0},
                               {1.0, 0.1},
                               {1.0, 0.6},
                               {1.0, 0.72},
                               {1.0, 0.95},
                               {1.0, 1.0},
                               {0.9, 1.0},
                               {0.75, 1.0},
                               {0.65, 1.0},
                               {0.3, 1.0},
                               {0.02, 1.0},
                               {0.0, 1.0}})
      worst.add(
          std::abs(ContensouSet(pressure).support({0.6 * a, 0.8 * a, -b}) - support_by_quadrature(pressure, a, b)));
  show_worst("contensou", "support", worst.value());
  CHECK(worst.value() < 1e-9);  // 2e-10 at |v| = |ω|, where the quadrature has its kink at the rim; 4e-16 elsewhere
}

TEST_CASE("limits: pure drilling, pure sliding, the slopes beside them") {
  CHECK(ContensouSet(PatchPressure::uniform).drilling_limit() == near(2.0 / 3, 1e-15));
  CHECK(ContensouSet(PatchPressure::hertz).drilling_limit() == near(3 * kPi / 16, 1e-15));
  CHECK(ContensouSet(PatchPressure::ring).drilling_limit() == near(1, 1e-15));
  for (const PatchPressure pressure : kAll) {
    const ContensouSet set(pressure);
    const double second = pressure == PatchPressure::uniform ? 0.5
                          : pressure == PatchPressure::hertz ? 0.4
                                                             : 1;  // ∫ p r²
    const double inverse = pressure == PatchPressure::uniform ? 2 : pressure == PatchPressure::hertz ? 0.75 * kPi : 1;
    CHECK((set.support_point({3, 4, 0}) - Vec3(0.6, 0.8, 0)).norm() < 1e-15);
    CHECK((set.support_point({0, 0, -2}) - Vec3(0, 0, -set.drilling_limit())).norm() < 1e-15);
    // Slow spin beside sliding: torque = ½ (ω/v) ∫ p r²; slow sliding beside spin: force = ½ (v/ω) ∫ p/r.
    CHECK(set.support_point({1, 0, 1e-6}).z() == near(0.5e-6 * second, 1e-10));
    CHECK(set.support_point({1e-6, 0, 1}).x() == near(0.5e-6 * inverse, 1e-10));
    CHECK((*set.support_hessian({1, 0, 0}))(2, 2) == near(0.5 * second, 1e-14));
    CHECK((*set.support_hessian({0, 0, 1}))(0, 0) == near(0.5 * inverse, 1e-14));
    CHECK((*set.support_hessian({0, 0, 1}))(1, 1) == near(0.5 * inverse, 1e-14));
  }
}

TEST_CASE("support and gauge: gradients, duality, homogeneity, convexity, projection") {
  for (const PatchPressure pressure : kAll) {
    const ContensouSet set(pressure);
    Random random(81);
    Worst reach, duality, convex, gradient, projection, derivative, hessian;
    for (int i = 0; i < sample_count(); ++i) {
      const Vec3 v = random_vector(random), w = random_vector(random);
      const double h = set.support(v), size = random.log_uniform(1e-3, 1e3);
      const Vec3 z = set.support_point(v);
      reach.add(std::abs(z.dot(v) - h) / h + std::abs(set.gauge(z) - 1));
      duality.add(std::abs(set.support(size * v) / (size * h) - 1) +
                  std::abs(set.gauge(size * v) / (size * set.gauge(v)) - 1));
      duality.add(v.dot(w) / (set.gauge(v) * set.support(w)) - 1);  // polar inequality
      convex.add(set.support(v + w) / (h + set.support(w)) - 1);
      const Vec3 g = set.gauge_gradient(v);  // h(∇k) = 1 and ∇k·v = k
      gradient.add(std::abs(set.support(g) - 1) + std::abs(g.dot(v) / set.gauge(v) - 1));
      const Vec3 x = v * (random.log_uniform(0.5, 100) / set.gauge(v));
      Mat3 dp;
      const Vec3 p = set.project(x, &dp), d = x - p;
      projection.add(std::max(set.gauge(p) - 1, 0.0) + std::abs(set.support(d) - d.dot(p)) / x.norm());
      if (std::abs(x.head<2>().norm() - std::abs(x.z())) < 1e-3 * x.norm() || set.gauge(x) < 1.001) continue;
      const double step = 1e-6 * x.norm();
      const Vec3 change = (set.project(x + step * w) - set.project(x - step * w)) / (2 * step);
      derivative.add((dp * w - change).norm());
      if (std::abs(v.head<2>().norm() - std::abs(v.z())) < 1e-2 * v.norm()) continue;
      const double dv = 1e-6 * v.norm();
      const Vec3 bent = (set.support_point(v + dv * w) - set.support_point(v - dv * w)) / (2 * dv);
      hessian.add((*set.support_hessian(v) * w - bent).norm() * v.norm());
    }
    for (const auto& [what, worst] : {std::pair{"reach", reach.value()},
                                      {"duality", duality.value()},
                                      {"convex", convex.value()},
                                      {"gradient", gradient.value()},
                                      {"projection", projection.value()},
                                      {"derivative", derivative.value()},
                                      {"hessian", hessian.value()}})
      show_worst(kPatchPressureNames[static_cast<std::size_t>(pressure)], what, worst);
    CHECK(reach.value() < 1e-14);
    CHECK(duality.value() < 1e-14);
    CHECK(convex.value() < 1e-14);
    CHECK(gradient.value() < 1e-14);
    CHECK(projection.value() < 1e-13);
    CHECK(derivative.value() < 1e-4);
    CHECK(hessian.value() < 1e-4);
  }
}

TEST_CASE("projection has teeth: radial scaling is not the closest point") {
  const ContensouSet set(PatchPressure::uniform);
  const Vec3 x(1, 0.5, 1.5), radial = x / set.gauge(x), d = x - radial;
  CHECK(set.support(d) - d.dot(radial) > 0.01);
  const Vec3 nan = set.project({1, std::numeric_limits<double>::quiet_NaN(), 0});
  CHECK(std::isnan(nan.x()));
  CHECK(set.project(Vec3::Zero()) == Vec3::Zero());
  CHECK(set.gauge(Vec3::Zero()) == 0);
}

TEST_CASE("a disk's ratio of sliding to spinning: 0.653 for uniform pressure") {
  // v̇/v = ω̇/ω at the ratio c = v/(Rω) that stays: F(c)/c = 2 T(c), J = ½ m R². Force and torque by quadrature of
  // their own integrals, not by the closed form.                           Farkas, Bartels, Unger & Wolf 2003
  const auto defect = [](double c) {
    const double force = over_patch(PatchPressure::uniform, c, [&](double r, double angle) {
      const double x = c - r * std::cos(angle), y = r * std::sin(angle);
      return x / std::max(std::hypot(x, y), 1e-300);
    });
    const double torque = over_patch(PatchPressure::uniform, c, [&](double r, double angle) {
      const double x = c - r * std::cos(angle), y = r * std::sin(angle);
      return (r * r - c * r * std::cos(angle)) / std::max(std::hypot(x, y), 1e-300);
    });
    return force - 2 * c * torque;
  };
  const auto closed = [](double c) {
    const Vec3 z = ContensouSet(PatchPressure::uniform).support_point({c, 0, 1});
    return z.x() - 2 * c * z.z();
  };
  std::uintmax_t iterations = 60;
  const auto tolerance = boost::math::tools::eps_tolerance<double>(40);
  const double exact = boost::math::tools::toms748_solve(closed, 0.3, 0.9, tolerance, iterations).first;
  iterations = 60;
  const double by_quadrature = boost::math::tools::toms748_solve(defect, 0.3, 0.9, tolerance, iterations).first;
  CHECK(exact == near(0.653, 1e-3));
  CHECK(by_quadrature == near(exact, 1e-6));
}
