#include "slipset/laws/friction_law.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include "slipset/laws/classical.hpp"
#include "slipset/testing/law_checks.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shapes.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

PlanarSet random_convex(Random& random) {
  switch (random.integer(0, 8)) {
    case 0: return DiskKind::make(random);
    case 1: return EllipseKind::make(random);
    case 2: return SuperellipseKind::make(random);
    case 3: return RectangleKind::make(random);
    case 4: return StadiumKind::make(random);
    case 5: return PolygonKind::make(random);
    case 6: return PolarKind::make(random);
    case 7: return WedgeKind::make(random);
    default: return NormMixKind::make(random);
  }
}

PlanarSet random_reservoir(Random& random) {
  switch (random.integer(0, 4)) {
    case 0: return Superellipse(random.log_uniform(0.1, 1), random.log_uniform(0.1, 1), random.uniform(0.4, 1), 0.3);
    case 1: return Wedge(1.2, radians(36), random.uniform(0, 7));
    case 2: return NormMix(0.4, 0.2, 2.5, -1.5, random.uniform(0, 7));
    default: return random_convex(random);
  }
}

// Moderate pairs, whose laws are smooth: for derivatives.
FrictionLaw random_smooth(Random& random) {
  const auto axes = [&] { return Vec2(random.log_uniform(0.2, 1), random.log_uniform(0.2, 1)); };
  const Vec2 c = axes(), d = axes();
  const double turn_c = random.uniform(0, 7), turn_d = random.uniform(0, 7);
  switch (random.integer(0, 3)) {
    case 0: return {Ellipse(c.x(), c.y(), turn_c), Ellipse(d.x(), d.y(), turn_d)};
    case 1: return {Wedge(1.2, radians(36), turn_c), Ellipse(d.x(), d.y(), turn_d)};
    case 2: return {NormMix(c.x(), c.y(), 2.5, -1.5, turn_c), PolarKind::make(random)};
    default: return {Superellipse(c.x(), c.y(), 3, turn_c), Superellipse(d.x(), d.y(), 1.6, turn_d)};
  }
}

}  // namespace

TEST_CASE("WL19 84: slip_resistance is the law, for any pair of sets") {
  Random random(21);
  Worst worst;
  for (int i = 0; i < sample_count() / 3; ++i) {
    const FrictionLaw law(random_reservoir(random), random_convex(random));
    const Vec2 v = random.log_uniform(1e-12, 1e12) * random.direction(law.direction().angle());
    const double condition = aspect(law.direction()) * aspect(law.direction()) * aspect(law.reservoir());
    const double defect = law_defect(law, v, slip_resistance(law, v)) / condition;
    worst.add(defect);
  }
  show_worst("slip_resistance", "random pairs", worst.value());
  CHECK(worst.value() < 1e-13);
}

TEST_CASE("law_defect has teeth") {
  const FrictionLaw law(Ellipse(0.6, 0.2, 0.5), Ellipse(3, 1));
  const Vec2 v(0.3, 1), s = slip_resistance(law, v);
  CHECK(law_defect(law, v, s) < 1e-14);
  CHECK(law_defect(law, v, law.reservoir().support_point(v)) > 0.1);  // normal to C instead of D
  CHECK(law_defect(law, v, law.direction().support_point(v)) > 0.1);  // on D instead of C
  CHECK(law_defect(law, v, v / law.reservoir().gauge(v)) > 0.1);      // collinear
}

TEST_CASE("slip_resistance: extreme speeds, zero and NaN") {
  for (const double speed :
       {1e-200, 1e155, 1e200, 1e300}) {  // with rate dependence: the square of the speed has no room
    const Vec2 plain = slip_resistance(isotropic(0.3).with_stribeck({2, 0.1}), {0, speed});
    CHECK(plain.x() == 0);
    CHECK(plain.y() == near(speed < 1 ? 0.6 : 0.3, 1e-15));
    const Face range = slip_resistance_range(isotropic(0.3).with_stribeck({2, 0.1, 2}), {0, speed});
    CHECK(range.from == range.to);
    CHECK(range.from.y() == near(speed < 1 ? 0.6 : 0.6 * speed, 1e-14));
  }
  const FrictionLaw law(Superellipse(0.6, 0.2, 3, 0.5), Ellipse(3, 1));
  const Vec2 v(0.3, 1), s = slip_resistance(law, v);
  for (const double speed : {1e-300, 1e-160, 1e-20, 1e20, 1e160, 1e300})
    CHECK((slip_resistance(law, speed * v) - s).norm() < 1e-15);
  CHECK(slip_resistance(law, {0, 0}) == Vec2(0, 0));
  CHECK(slip_resistance(law, {NAN, 1}).hasNaN());
  CHECK(slip_resistance(law, {INFINITY, 1}).hasNaN());
}

TEST_CASE("the scale of D does not matter, and it ends inside C") {
  Random random(22);
  for (int i = 0; i < 200; ++i) {
    const PlanarSet c = random_reservoir(random), d = random_convex(random);
    const FrictionLaw law(c, d), other(c, d.scaled(37));
    const Vec2 v = unit(random.uniform(0, 7));
    CHECK((slip_resistance(law, v) - slip_resistance(other, v)).norm() < 1e-9 * slip_resistance(law, v).norm());
    Worst touching;
    for (const double a : resolving_angles(c, d)) {
      touching.add(law.direction().radius(a) / c.radius(a));
    }
    CHECK(touching.value() > 1 - 1e-2);
    CHECK(touching.value() <= 1 + 1e-12);
  }
}

TEST_CASE("WL19 87, 88: the Jacobian by central differences, and what it must annihilate") {
  Random random(23);
  for (int i = 0; i < 300; ++i) {
    FrictionLaw law = random_smooth(random);
    if (random.coin()) law = law.with_stribeck({random.uniform(0.5, 2), random.uniform(0.2, 2)});
    const Vec2 v = random.uniform(0.3, 2) * unit(random.uniform(0, 7));
    const auto jacobian = slip_jacobian(law, v);
    REQUIRE(jacobian);
    // Richardson: the error of the difference is of second order, so this is of fourth.
    const auto difference = [&](double h, const Vec2& w) {
      return Vec2((slip_resistance(law, v + h * w) - slip_resistance(law, v - h * w)) / (2 * h));
    };
    for (const Vec2& w : {Vec2(1, 0), Vec2(0, 1)}) {
      const Vec2 extrapolated = (4 * difference(5e-5, w) - difference(1e-4, w)) / 3;
      CHECK((*jacobian * w - extrapolated).norm() < 1e-6 * (1 + jacobian->norm()));
    }
    if (!law.stribeck()) {
      CHECK((*jacobian * v).norm() < 1e-12 * jacobian->norm());  // only the direction counts: [WL19 97]
      const Vec2 s = slip_resistance(law, v);
      CHECK((law.reservoir().gauge_gradient(s).transpose() * *jacobian).norm() <
            1e-10 * jacobian->norm() * law.reservoir().gauge_gradient(s).norm());  // s stays on C
    }
  }
}

TEST_CASE("the Jacobian does not exist at flat sides of D and corners of C, and vanishes at corners of D") {
  const FrictionLaw law = two_sign(0.4, 0.2);
  CHECK_FALSE(slip_jacobian(law, {1, 0}));
  CHECK_FALSE(slip_jacobian(law, {0, 0}));
  CHECK(slip_jacobian(law, {1, 1})->isZero(0));
  const FrictionLaw cornered(Superellipse(0.4, 0.2, 1), Disk(1));
  CHECK_FALSE(slip_jacobian(cornered, {1, 0}));
  CHECK(slip_jacobian(cornered, {1, 0.5}));
}

TEST_CASE("values: nonzero eigenvalue of the damping matrix of the mass on a belt") {
  // Walker & Leine 2019 Sect. 4.2: C 30 and 10 N turned by 30°, D 3:1, belt speed 1. At the equilibrium γ = -χ.
  const FrictionLaw law(Ellipse(30, 10, radians(30)), Ellipse(3, 1));
  const std::pair<double, double> rows[] = {{0, 1.924501},   {40, 0.368640},   {50, -0.763854748},
                                            {70, -8.711887}, {90, 102.050408}, {130, 5.550351}};
  for (const auto& [angle, expected] : rows)
    CHECK(slip_jacobian(law, -unit_at_degrees(angle))->trace() == within(expected, 6e-7));
  const Vec2 force = slip_resistance(law, -unit_at_degrees(50));  // equilibrium of k = 1: q = -λ... on the body +
  CHECK(-force.x() == near(20.2015502054, 1e-11));
  CHECK(-force.y() == near(2.6750300037, 1e-11));
}

TEST_CASE("WL19 56, 67: the scaling functions are inverse to each other and mark the boundary") {
  Random random(24);
  for (int i = 0; i < 500; ++i) {
    const FrictionLaw law(random_reservoir(random), random_convex(random));
    const Vec2 boundary = law.reservoir().boundary_point(random.uniform(0, 7));
    const Vec2 s = boundary * random.uniform(0, 1);
    const double alpha = alpha_of_resistance(law, s);
    CHECK(alpha_of_scaled(law, alpha * s) == near(alpha, 1e-11));
    CHECK(law.direction().gauge(alpha * s) < 1 + 1e-12);
    CHECK(is_admissible(law, s));
    CHECK(law.direction().gauge(alpha_of_resistance(law, boundary) * boundary) == near(1, 1e-11));
  }
}

TEST_CASE("dissipation of associated laws is the support function of C, the largest possible") {
  Random random(25);
  for (int i = 0; i < 200; ++i) {
    const PlanarSet c = random_convex(random);
    const Vec2 v = random.direction(c.angle());
    CHECK(dissipation(associated(c), v) == near(c.support(v), 1e-9));
    CHECK(dissipation({c, random_convex(random)}, v) <= c.support(v) * (1 + 1e-12));
  }
}

TEST_CASE("the Jacobian at extreme speeds is a number or empty, never NaN") {
  const FrictionLaw law(Ellipse(0.6, 0.2, 0.5), Ellipse(3, 1));
  for (const double speed : {5e-324, 1e-310, 1e-300, 1e300})
    if (const auto j = slip_jacobian(law, {speed, speed})) CHECK(j->allFinite());
  const auto j = slip_jacobian(law.with_stribeck({1.5, 1e-300}), {1, 1});
  REQUIRE(j);
  CHECK((*j - *slip_jacobian(law, {1, 1})).norm() == 0);
}

TEST_CASE("Stribeck: factor, slope, and the reservoir at rest") {
  const Stribeck rate{1.5, 5};
  CHECK(rate.factor(0) == 1.5);
  CHECK(rate.factor(1e3) == 1);
  CHECK(rate.factor(5) == near(1 + 0.5 / std::exp(1), 1e-15));
  CHECK(rate.slope(0) == 0);
  for (const double v : {0.1, 2.0, 5.0, 9.0})
    CHECK(rate.slope(v) == near((rate.factor(v + 1e-5) - rate.factor(v - 1e-5)) / 2e-5, 1e-8));
  const FrictionLaw law = isotropic(0.4).with_stribeck(rate);
  CHECK(is_admissible(law, {0.6, 0}));
  CHECK_FALSE(is_admissible(law, {0.61, 0}));
  CHECK(is_admissible(law, {0.605, 0}, 0.01));  // slack: 0.606
  CHECK_FALSE(is_admissible(law, {0.607, 0}, 0.01));
  CHECK(slip_resistance(law, {0, 5}).y() == near(0.4 * rate.factor(5), 1e-15));
  CHECK_THROWS_AS(isotropic(0.4).with_stribeck({-1, 1}), InvalidInput);
  CHECK_THROWS_AS(isotropic(0.4).with_stribeck({1.5, 0}), InvalidInput);
  // A11: the viscous part of a fitted curve, μ viscous |v| against the slip.
  const Stribeck viscous{1.5, 5, 0.7};
  CHECK(viscous.factor(0) == 1.5);
  for (const double v : {0.1, 2.0, 9.0}) {
    CHECK(std::abs(viscous.factor(v) - rate.factor(v) - 0.7 * v) < 1e-14);
    CHECK(std::abs(viscous.slope(v) - rate.slope(v) - 0.7) < 1e-14);
  }
  const Vec2 fast(3e3, -4e3);
  CHECK((slip_resistance(isotropic(0.4).with_stribeck(viscous), fast) - 0.4 * (fast.normalized() + 0.7 * fast)).norm() <
        1e-12 * fast.norm());
  CHECK(rate.falls());
  CHECK_FALSE(viscous.falls());
  CHECK(Stribeck{1.5, 5, 0.05}.falls());
  CHECK_THROWS_AS(isotropic(0.4).with_stribeck({1.5, 1, -0.1}), InvalidInput);
  CHECK_THROWS_AS(isotropic(0.4).with_stribeck({1.5, 1, NAN}), InvalidInput);
}

TEST_CASE("a law turns with its surface") {
  const FrictionLaw law(Superellipse(0.6, 0.2, 3, 0.5), Ellipse(3, 1));
  const Vec2 v(0.3, 1);
  CHECK((slip_resistance(law.turned(0.7), turn(v, 0.7)) - turn(slip_resistance(law, v), 0.7)).norm() < 1e-14);
}

TEST_CASE("no allocation in a loop over velocities, for any shape") {
  Random random(26);
  for (int i = 0; i < 60; ++i) {
    const FrictionLaw law(random_reservoir(random), random_convex(random));
    const Vec2 v(0.3, 1);
    const std::size_t before = allocations();
    Vec2 sum = slip_resistance(law, v) + law.direction().project(v) + law.reservoir().gauge_gradient(v);
    law.visit([&](const auto& c, const auto& d) { sum += slip_resistance(c, d, v); });
    if (const auto j = slip_jacobian(law, v)) sum += *j * v;
    CHECK(allocations() == before);
    CHECK(sum.allFinite());
  }
}

// The message says 1e7.
TEST_CASE("a law's sets may be as long as 1e7 times their width, no more") {
  CHECK_NOTHROW(FrictionLaw(Ellipse(1, 1.05e-7), Disk(1)));
  CHECK_THROWS_AS(FrictionLaw(Ellipse(1, 0.95e-7), Disk(1)), InvalidInput);
  CHECK_THROWS_AS(FrictionLaw(Disk(1), Ellipse(1, 0.95e-7)), InvalidInput);
}
