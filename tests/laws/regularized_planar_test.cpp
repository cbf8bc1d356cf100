#include "slipset/laws/regularized_planar.hpp"

#include <doctest/doctest.h>

#include "slipset/core/error.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;
using test::Random;

namespace {

constexpr Regularization kAll[] = {Regularization::sign, Regularization::martins_oden, Regularization::karnopp,
                                   Regularization::arctan, Regularization::quinn};

// Within the reservoir and, one in two, up to three times outside.
Vec2 random_balance(Random& random, const FrictionLaw& law) {
  const double angle = random.uniform(0, 2 * kPi);
  return law.reservoir().boundary_point(angle) * (random.coin() ? random.uniform(0, 1) : random.uniform(1, 3));
}

// Speeds around the ramp, and one in three next to the normal of a flat side.
Vec2 random_velocity(Random& random, const std::vector<FlatSide>& sides, double epsilon) {
  const double speed = epsilon * (random.coin() ? random.uniform(0, 4) : random.log_uniform(1e-6, 1e6));
  if (sides.empty() || random.integer(0, 2) > 0) return speed * unit(random.uniform(0, 2 * kPi));
  const Vec2 n = sides[static_cast<std::size_t>(random.integer(0, static_cast<int>(sides.size()) - 1))].normal;
  return speed * (n + random.uniform(-6, 6) * std::min(1.0, epsilon / speed) * turn_left(n)).normalized();
}

bool is_near_a_side(const std::vector<FlatSide>& sides, const Vec2& v, double epsilon) {
  for (const FlatSide& side : sides)
    if (side.normal.dot(v) > 0 && std::abs(turn_left(side.normal).dot(v)) < 4 * epsilon) return true;
  return false;
}

}  // namespace

TEST_CASE("no regularised law leaves the reservoir, convex or not, whatever the balance") {
  Random random(11);
  Worst worst;
  for (int k = 0; k < test::sample_count() / 30; ++k) {
    const FrictionLaw law = test::random_law(random);
    const std::vector<FlatSide> sides = flat_sides(law);
    for (const Regularization kind : kAll) {
      const double epsilon = random.log_uniform(1e-6, 1);
      const RegularizedLaw regular(law, {kind, epsilon});
      for (int i = 0; i < 200; ++i) {
        const Vec2 v = random_velocity(random, sides, epsilon), b = random_balance(random, law);
        const double excess = law.reservoir().gauge(regular.resistance(v, b)) - 1;
        worst.add(excess);
      }
    }
  }
  test::show_worst("regularised", "gauge - 1", worst.value());
  CHECK(worst.value() < 1e-12);  // worst over 1e5 evaluations 2e-15
}

TEST_CASE("R.12 at rest: the balance resistance itself if the reservoir holds it, else its ray's end on the boundary") {
  Random random(12);
  for (int k = 0; k < 300; ++k) {
    const FrictionLaw law = test::random_law(random);
    const Vec2 b = random_balance(random, law);
    const double gauge = law.reservoir().gauge(b);
    for (const Regularization kind : {Regularization::sign, Regularization::karnopp, Regularization::quinn}) {
      const RegularizedLaw regular(law, {kind, 0.01});
      const Vec2 r = regular.resistance(Vec2::Zero(), b);
      if (gauge <= 1)
        CHECK(r == b);
      else
        CHECK((r - b / gauge).norm() < 1e-15);
      CHECK(regular.needs_balance(Vec2::Zero()));
    }
    for (const Regularization kind : {Regularization::martins_oden, Regularization::arctan})
      CHECK(RegularizedLaw(law, {kind, 0.01}).resistance(Vec2::Zero(), b) == Vec2(0, 0));
  }
}

TEST_CASE("outside the band: exactly the slip law, for every balance and direction but next to flat sides") {
  Random random(13);
  int compared = 0;
  for (int k = 0; k < 300; ++k) {
    const FrictionLaw law = test::random_law(random);
    const std::vector<FlatSide> sides = flat_sides(law);
    const double epsilon = random.log_uniform(1e-6, 1);
    for (const Regularization kind : {Regularization::martins_oden, Regularization::karnopp, Regularization::quinn}) {
      const RegularizedLaw regular(law, {kind, epsilon});
      for (int i = 0; i < 20; ++i) {
        const Vec2 v = random_velocity(random, sides, epsilon);
        if (v.norm() < 3 * epsilon || is_near_a_side(sides, v, epsilon)) continue;
        CHECK(regular.resistance(v, random_balance(random, law)) == slip_resistance(law, v));
        CHECK(!regular.needs_balance(v));
        ++compared;
      }
    }
    // The arctangent is not, at any speed: 1 - (2/π) arctan(πσ/2) → 4/(π²σ).
    const RegularizedLaw smooth(law, {Regularization::arctan, epsilon});
    const Vec2 v = 1e3 * epsilon * unit(random.uniform(0, 7));
    if (is_near_a_side(sides, v, epsilon)) continue;
    const Vec2 s = slip_resistance(law, v);
    CHECK((s - smooth.resistance(v, s)).norm() == near(4e-3 / (kPi * kPi) * s.norm(), 1e-5));
  }
  CHECK(compared > 1000);
}

TEST_CASE("as epsilon falls every law tends to the set-valued one") {
  Random random(14);
  for (int k = 0; k < 100; ++k) {
    const FrictionLaw law = test::random_law(random);
    const std::vector<FlatSide> sides = flat_sides(law);
    const Vec2 v = unit(random.uniform(0, 7)), b = random_balance(random, law);
    if (is_near_a_side(sides, v, 1e-5)) continue;
    for (const Regularization kind : kAll)
      CHECK((RegularizedLaw(law, {kind, 1e-6}).resistance(v, b) - slip_resistance(law, v)).norm() <
            1e-6 * slip_resistance(law, v).norm());
  }
}

TEST_CASE("martins-oden, arctan and quinn are continuous, across flat sides of D too; sign and karnopp are not") {
  Random random(15);
  const auto jump = [&](Regularization kind) {
    Worst worst;
    Random own(16);
    for (int k = 0; k < test::sample_count() / 15; ++k) {
      const FrictionLaw law = test::random_law(own);
      const std::vector<FlatSide> sides = flat_sides(law);
      const RegularizedLaw regular(law, {kind, 0.01});
      for (int i = 0; i < 50; ++i) {
        const Vec2 v = random_velocity(own, sides, 0.01), b = random_balance(own, law);
        if (v.norm() < 1e-4) continue;  // 1e-13 is then too large a part of v
        const Vec2 dv = 1e-13 * unit(own.uniform(0, 7)), db = 1e-13 * unit(own.uniform(0, 7));
        worst.add((regular.resistance(v + dv, b + db) - regular.resistance(v, b)).norm());
      }
    }
    test::show_worst("regularised", kRegularizationNames[static_cast<std::size_t>(kind)], worst.value());
    return worst.value();
  };
  // A superellipse of exponent 8 lets the resistance move with the 7th root of the velocity's turning.
  CHECK(jump(Regularization::martins_oden) < 0.03);
  CHECK(jump(Regularization::arctan) < 0.03);
  CHECK(jump(Regularization::quinn) < 0.03);
  // Through the whole ramp in steps of 1e-4 of it, along a line over the middle of a rectangle's sides and corners.
  const RegularizedLaw table(FrictionLaw(Rectangle(0.4, 0.2), Rectangle(0.4, 0.2)), {Regularization::quinn, 0.01}),
      jumps(table.law(), {Regularization::karnopp, 0.01});
  Worst most, most_of_karnopp;
  for (int line = 0; line < 20; ++line) {
    const Vec2 start = 0.1 * unit(random.uniform(0, 7)), end = 0.1 * unit(random.uniform(0, 7)), b(0.3, -0.15);
    Vec2 last = table.resistance(start, b), last_of_karnopp = jumps.resistance(start, b);
    for (int i = 1; i <= 10000; ++i) {
      const Vec2 v = start + i * 1e-4 * (end - start);
      const Vec2 r = table.resistance(v, b), of_karnopp = jumps.resistance(v, b);
      most.add((r - last).norm());
      most_of_karnopp.add((of_karnopp - last_of_karnopp).norm());
      last = r;
      last_of_karnopp = of_karnopp;
    }
  }
  CHECK(most.value() < 0.02);  // steps of up to 2e-5 m/s, slopes of up to 0.4/0.00177 s/m: 4e-3
  CHECK(most_of_karnopp.value() > 0.1);
}

TEST_CASE("along an axis of symmetry: the law of one line") {
  Random random(17);
  Worst worst;
  for (int k = 0; k < test::sample_count() / 10; ++k) {
    const double angle = random.uniform(0, 7), epsilon = random.log_uniform(1e-4, 1);
    const auto set = [&](int kind, double exponent) -> PlanarSet {
      const double a = random.log_uniform(0.1, 1), b = random.log_uniform(0.1, 1);
      switch (kind) {
        case 0: return Ellipse(a, b, angle);
        case 1: return Superellipse(a, b, exponent, angle);
        case 2: return Rectangle(a, b, angle);
        default: return Stadium(a, b, 0.5, angle);
      }
    };
    const FrictionLaw law(set(random.integer(0, 3), random.uniform(1.2, 8)),
                          set(random.integer(0, 3), random.uniform(1.2, 3)));
    const Regularization kind = kAll[random.integer(0, 4)];
    const RampWidth width = random.coin() ? RampWidth::full : RampWidth::half;
    const RegularizedCoulomb line(kind, epsilon, width);
    const RegularizedLaw plane(law, line);
    const Vec2 axis = unit(angle + kPi / 2 * random.integer(0, 3));
    const double limit = 1 / law.reservoir().gauge(axis);
    for (int i = 0; i < 20; ++i) {
      const double v = epsilon * random.uniform(-4, 4), b = limit * random.uniform(-2, 2);
      const Vec2 r = plane.resistance(v * axis, b * axis);
      worst.add((r + line.force(v, -b, limit) * axis).norm());
    }
  }
  // A superellipse of exponent 3 as D turns the rounding of the axis into its square root.
  test::show_worst("regularised", "on an axis", worst.value());
  CHECK(worst.value() < 1e-7);
  // Without them, to rounding.
  const FrictionLaw law(Superellipse(0.6, 0.3, 3, 0.7), Ellipse(0.2, 0.5, 0.7));
  for (const double v : {-0.05, -0.015, -0.005, 0.0, 0.001, 0.02, 0.035})
    for (const double b : {-0.9, -0.5, 0.0, 0.2, 0.7})
      for (const Regularization kind : kAll)
        CHECK((RegularizedLaw(law, {kind, 0.01}).resistance(v * unit(0.7), b * unit(0.7)) +
               RegularizedCoulomb(kind, 0.01).force(v, -b, 0.6) * unit(0.7))
                  .norm() < 1e-14);
}

TEST_CASE("two sign functions: on a flat side quinn's law holds the other axis at rest by the balance") {
  const RegularizedLaw table(FrictionLaw(Rectangle(0.4, 0.2), Rectangle(0.4, 0.2)), {Regularization::quinn, 0.01});
  for (const double b : {-0.7, -0.13, 0.0, 0.05, 0.19})
    for (const double v : {-0.012, -0.003, 0.0, 0.007, 0.015}) {
      const Vec2 r = table.resistance({1.0, v}, {5.0, b});
      CHECK(r.x() == near(0.4, 1e-12));
      CHECK(r.y() == within(-RegularizedCoulomb(Regularization::quinn, 0.01).force(v, -b, 0.2), 1e-13));
    }
}

TEST_CASE("R.12: near rest the resistance grows from the balance by σ s(v), so that it takes energy out") {
  Random random(18);
  for (int k = 0; k < 500; ++k) {
    const FrictionLaw law = test::random_law(random);
    const RegularizedLaw regular(law, {Regularization::quinn, 0.01});
    const Vec2 b = law.reservoir().boundary_point(random.uniform(0, 7)) * random.uniform(0, 0.5);
    const Vec2 v = 1e-6 * unit(random.uniform(0, 7)), off = regular.resistance(v, b) - b;
    CHECK(off.norm() > 0);
    if (dissipation(law, v) > 0.05 * v.norm() * slip_resistance(law, v).norm()) CHECK(off.dot(v) > 0);
  }
}

TEST_CASE("a Stribeck factor scales the reservoir at the speed") {
  const FrictionLaw law(Ellipse(0.4, 0.2), Disk(1), Stribeck{2, 0.5});
  const RegularizedLaw regular(law, {Regularization::quinn, 1e-3});
  CHECK(regular.resistance({0, 0}, {0.7, 0}) == Vec2(0.7, 0));
  CHECK((regular.resistance({0, 0}, {1.0, 0}) - Vec2(0.8, 0)).norm() < 1e-15);
  CHECK((regular.resistance({0.4, 0.1}, {0.7, 0}) - slip_resistance(law, {0.4, 0.1})).norm() < 1e-15);
}

TEST_CASE("R.14: the slope on the ramp; epsilon must be positive; NaN stays NaN") {
  for (const double epsilon : {1e-4, 0.1}) {
    CHECK(RegularizedLaw(FrictionLaw(Disk(0.3), Disk(1)), {Regularization::quinn, epsilon}).ramp_slope() ==
          near(0.3 / epsilon, 1e-6));
    CHECK(RegularizedLaw(FrictionLaw(Ellipse(0.4, 0.2), Ellipse(0.4, 0.2)), {Regularization::martins_oden, epsilon})
              .ramp_slope() >= 0.4 / epsilon);
    CHECK(RegularizedLaw(FrictionLaw(Disk(0.3), Disk(1)), {Regularization::karnopp, epsilon}).ramp_slope() == 0);
  }
  for (const double epsilon : {0.0, -1.0, double(NAN), double(INFINITY)})
    CHECK_THROWS_AS(RegularizedLaw(FrictionLaw(Disk(1), Disk(1)), {Regularization::quinn, epsilon}), InvalidInput);
  const RegularizedLaw law(FrictionLaw(Ellipse(0.4, 0.2), Rectangle(1, 2)), {Regularization::quinn, 0.01});
  CHECK(std::isnan(law.resistance({NAN, 0}, {0, 0}).sum()));
  CHECK(std::isnan(law.resistance({0, 0}, {NAN, 0}).sum()));
  CHECK(std::isnan(law.resistance({0.01, 0}, {0, NAN}).sum()));
}
