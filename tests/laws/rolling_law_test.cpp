// Laws for sliding, drilling and rolling: reservoirs in R¹ to R⁵.
#include "slipset/laws/rolling_law.hpp"

#include <doctest/doctest.h>

#include "slipset/sets/ellipsoid.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_rolling.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

RollingVec random_rates(Random& random, const RollingLaw& law) {
  RollingVec v(law.size());
  for (int i = 0; i < law.size(); ++i) v[i] = random.uniform(-1, 1) * random.log_uniform(1e-3, 1);
  return v;
}

}  // namespace

TEST_CASE("T.4 every law: support point, duality, homogeneity, convexity, closest point and its derivative") {
  Random random(82);
  double derivative = 0;
  Worst reach, polar, convex, projection;
  int sizes[6] = {};
  for (int i = 0; i < sample_count(); ++i) {
    const RollingLaw law = random_rolling_law(random);
    ++sizes[law.size()];
    const RollingVec v = random_rates(random, law), w = random_rates(random, law), z = law.support_point(v);
    const double h = law.support(v);
    reach.add(std::abs(z.dot(v) / h - 1) + std::abs(law.gauge(z) - 1));
    const RollingVec t = law.coordinates() * random_rates(random, law);
    polar.add(t.dot(v) / (law.gauge(t) * h) - 1);
    convex.add(law.support(v + w) / (h + law.support(w)) - 1);
    CHECK(law.support(3 * v) == near(3 * h, 1e-14));
    CHECK(law.gauge(2 * t) == near(2 * law.gauge(t), 1e-13));

    // p = P(x) in own coordinates: in the set, and x - p reaches its support at p.
    const double size = random.log_uniform(1e-2, 1e2);
    RollingVec x = size * random.log_uniform(0.3, 30) * random_rates(random, law), p;
    RollingMat dp;
    law.project_own(x, size, p, &dp);
    const RollingVec d = x - p, back = law.coordinates() * p / size;
    // d = Lᵀ rates: there and back costs the condition of L, to 1e3 here.
    const RollingVec d_rates = law.inverse_coordinates().transpose() * d;
    const double condition = law.coordinates().norm() * law.inverse_coordinates().norm();
    projection.add(std::max(law.gauge(back) - 1, 0.0) +
                   std::abs(law.support(d_rates) - d.dot(p) / size) / (x.norm() / size * condition));
    RollingVec plus, minus;
    const double step = 1e-7 * size;
    law.project_own(x + step * w, size, plus, nullptr);
    law.project_own(x - step * w, size, minus, nullptr);
    const double error = (dp * w - (plus - minus) / (2 * step)).norm();
    // At corners, joints and the ends of an interval the derivative jumps; few samples meet one within a step.
    if (!(error < 1e-3)) derivative += 1.0 / sample_count();
  }
  show_worst("rolling law", "reach", reach.value());
  show_worst("rolling law", "projection", projection.value());
  show_worst("rolling law", "share of jumps", derivative);
  CHECK(reach.value() < 1e-13);  // of a million: 4e-15, projection 4e-14
  CHECK(polar.value() < 1e-12);
  CHECK(convex.value() < 1e-12);
  CHECK(projection.value() < 1e-13);
  CHECK(derivative < 0.01);
  for (int m = 1; m <= 5; ++m) CHECK(sizes[m] > 0);
}

TEST_CASE("T.5 the ellipsoid in R³ is the set of sets/ellipsoid.hpp") {
  const RollingLaw law = RollingLaw::ellipsoid({Vec2(0.6, 0.3), 0.4, 0.02, std::nullopt, 0});
  const Ellipsoid set(Vec3(0.6, 0.3, 0.02), 0.4);
  for (const Vec3& v : {Vec3(1, 2, 3), Vec3(-1, 0.2, 50), Vec3(0, 0, 1)}) {
    CHECK(law.gauge(v) == near(set.gauge(v), 1e-14));
    CHECK(law.support(v) == near(set.support(v), 1e-14));
    CHECK((law.support_point(v) - set.support_point(v)).norm() < 1e-15);
  }
}

TEST_CASE("a patch: friction and torque in their own units") {
  const RollingLaw law = RollingLaw::contensou(0.3, 0.05, PatchPressure::uniform, PlanarSet(Disk(0.001)));
  REQUIRE(law.size() == 5);
  RollingVec v = RollingVec::Zero(5);
  v[2] = 7;  // pure spin: torque 2/3 μ R per unit normal force
  CHECK(law.support_point(v)[2] == near(2.0 / 3 * 0.3 * 0.05, 1e-15));
  v << 1, 0, 1 / 0.05, 0, 2;  // v = R ω: force 8/(3π) μ; rolling apart
  CHECK(law.support_point(v)[0] == near(8 / (3 * kPi) * 0.3, 1e-14));
  CHECK(law.support_point(v)[4] == near(0.001, 1e-15));
  CHECK(law.support_point(v)[3] == 0);
}

TEST_CASE("what makes no law is reported") {
  CHECK_THROWS_AS(RollingLaw::product(std::nullopt, std::nullopt, std::nullopt), InvalidInput);
  CHECK_THROWS_AS(RollingLaw::ellipsoid({}), InvalidInput);
  CHECK_THROWS_AS(RollingLaw::ellipsoid({Vec2(0.3, -1), 0, std::nullopt, std::nullopt, 0}), InvalidInput);
  CHECK_THROWS_AS(RollingLaw::ellipsoid({std::nullopt, 0, 0.0, std::nullopt, 0}), InvalidInput);
  CHECK_THROWS_AS(RollingLaw::contensou(0, 1, PatchPressure::ring), InvalidInput);
  CHECK_THROWS_AS(RollingLaw::contensou(0.3, NAN, PatchPressure::ring), InvalidInput);
  CHECK_THROWS_AS(RollingLaw::product(PlanarSet(NormMix(1, 1, 2.5, -1.5)), Interval(1), std::nullopt), InvalidInput);
}
