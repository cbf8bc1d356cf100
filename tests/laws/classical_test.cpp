#include "slipset/laws/classical.hpp"

#include <doctest/doctest.h>

#include "slipset/laws/flow.hpp"
#include "slipset/testing/law_checks.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shapes.hpp"

using namespace slipset;
using namespace slipset::test;

TEST_CASE("isotropic, collinear and two-sign laws by their own formulas") {
  Random random(31);
  for (int i = 0; i < 200; ++i) {
    const Vec2 v = random.log_uniform(1e-3, 1e3) * unit(random.uniform(0, 7));
    CHECK((slip_resistance(isotropic(0.3), v) - 0.3 * v.normalized()).norm() < 1e-15);
    // [WL19 42]: μ(γ) = |γ|/√((γ1/μ1)² + (γ2/μ2)²)
    const double mu = v.norm() / std::hypot(v.x() / 0.4, v.y() / 0.2);
    CHECK((slip_resistance(collinear(Ellipse(0.4, 0.2)), v) - mu * v.normalized()).norm() < 1e-15);
    const Vec2 signs(std::copysign(0.4, v.x()), std::copysign(0.2, v.y()));
    CHECK((slip_resistance(two_sign(0.4, 0.2), v) - signs).norm() < 1e-15);
  }
  CHECK(slip_resistance(two_sign(0.4, 0.2), {0, -1}) == Vec2(0, -0.2));
  const Face range = slip_resistance_range(two_sign(0.4, 0.2), {0, -1});
  CHECK(range.from == Vec2(-0.4, -0.2));
  CHECK(range.to == Vec2(0.4, -0.2));
}

// [WL19 54]: T^s v ∈ N_C(s), T = diag(p_i/μ_i), is the pair form.
TEST_CASE("WL19 54: the inclusion on C with T^s equals the pair of superellipses") {
  Random random(32);
  Worst worst;
  for (int i = 0; i < sample_count(); ++i) {
    const Vec2 c(random.log_uniform(0.1, 1), random.log_uniform(0.1, 1)),
        d(random.log_uniform(0.1, 1), random.log_uniform(0.1, 1));
    const double exponent = random.uniform(1.2, 6), angle = random.uniform(-4, 4);
    const SuperellipsePair pair(c, d, exponent, angle);
    const Vec2 v = unit(random.uniform(0, 7)), s = slip_resistance(pair.law(), v);
    // T^s v is normal to C at s, with C the superellipse itself.
    worst.add(outside_normals(Superellipse(c.x(), c.y(), exponent, angle), s, pair.mapped_velocity(v)));
  }
  show_worst("inclusion on C", "superellipse pairs", worst.value());
  CHECK(worst.value() < 1e-11);
  // With the exponent forgotten (T v) it is not.
  const SuperellipsePair pair({0.4, 0.2}, {1, 1}, 3), linear({0.4, 0.2}, {1, 1}, 1);
  const Vec2 s = slip_resistance(pair.law(), {1, 1});
  CHECK(outside_normals(Superellipse(0.4, 0.2, 3), s, linear.mapped_velocity({1, 1})) > 0.1);
}

TEST_CASE("WL16 12: the bipotential is at least s·v, with equality exactly on the law") {
  Random random(33);
  for (int i = 0; i < 2000; ++i) {
    const Vec2 c(random.log_uniform(0.1, 1), random.log_uniform(0.1, 1)),
        d(random.log_uniform(0.1, 1), random.log_uniform(0.1, 1));
    const SuperellipsePair pair(c, d, random.uniform(1.2, 6), random.uniform(-4, 4));
    const FrictionLaw law = pair.law();
    const Vec2 v = unit(random.uniform(0, 7)), s = slip_resistance(law, v) * (1 - 1e-15);
    const double scale = law.reservoir().support(v) + law.reservoir().support(pair.mapped_velocity(v));
    CHECK(std::abs(pair.bipotential(v, s) - s.dot(v)) < 1e-13 * scale);
    const double other_angle = angle_of(s) + random.uniform(0.2, 2 * kPi - 0.2);
    const Vec2 other = law.reservoir().boundary_point(other_angle) * random.uniform(0, 1 - 1e-12);
    CHECK(pair.bipotential(v, other) > other.dot(v));
    CHECK(pair.bipotential(v, 1.01 * s) == std::numeric_limits<double>::infinity());
  }
}

// Springs on both sides of a wedge: the macroscopic force from the forces on one inclined plane.     [WL19 45-49]
TEST_CASE("WL19 50-52: the wedge law from the asperity model") {
  const auto one_side = [](double mu, double beta, double phi) {
    // The spring slides along the plane: its velocity has the macroscopic one as projection.
    const Vec2 slip = Vec2(std::cos(phi) / std::cos(beta), std::sin(phi)).normalized();
    const double normal = 1;
    const Vec2 tangential = mu * normal * slip;
    const double lambda_n = normal * std::cos(beta) - tangential.x() * std::sin(beta);
    const double lambda_1 = normal * std::sin(beta) + tangential.x() * std::cos(beta);
    return Vec2(lambda_1 / lambda_n, tangential.y() / lambda_n);
  };
  Random random(34);
  Worst worst;
  for (int i = 0; i < 2000; ++i) {
    const double beta = random.uniform(0, 1.2), mu = random.uniform(0.05, 0.95) / std::max(std::tan(beta), 0.3);
    const double phi = random.uniform(0, 7);
    const Vec2 force = 0.5 * (one_side(mu, beta, phi) + one_side(mu, -beta, phi));
    const Vec2 s = slip_resistance(wedge_asperities(mu, beta), unit(phi));
    worst.add((s - force).norm() / force.norm());
  }
  show_worst("wedge from asperities", "", worst.value());
  CHECK(worst.value() < 1e-11);
}

TEST_CASE("flows: a constant friction tensor") {
  const Mat2 tensor = Vec2(0.4, 0.1).asDiagonal();
  const FlowSets sets = sets_from_flow(tensor_flow(tensor));
  CHECK(sets.reservoir.radius(0) == near(0.4, 1e-12));
  CHECK(sets.direction.radius(0) / sets.direction.radius(kPi / 2) == near(2, 1e-9));  // √(μ1/μ2)
  CHECK(std::abs(sets.closure) < 1e-12);
  const FrictionLaw law = law_from_flow(tensor_flow(tensor));
  Random random(35);
  for (int i = 0; i < 200; ++i) {
    const Vec2 n = unit(random.uniform(0, 7));
    CHECK((slip_resistance(law, n) - tensor * n).norm() < 1e-7);
  }
}

TEST_CASE("flows: a skew part leaves D open, by the factor exp(-2πω/√det S) a turn") {
  Mat2 tensor;
  const double omega = 0.05;
  tensor << 0.4, -omega, omega, 0.2;
  const double expected = 2 * kPi * omega / std::sqrt(0.4 * 0.2);
  CHECK(std::abs(flow_closure(tensor_flow(tensor))) == near(expected, 1e-9));
  CHECK_THROWS_WITH_AS(law_from_flow(tensor_flow(tensor)), doctest::Contains("does not close"), InvalidInput);
}

TEST_CASE("flows: a fourth-order tensor, and a law given back as its own flow") {
  // F_ijkl n_j n_k n_l with F_1111 = 0.1, F_2222 = 0.1, symmetric under 90°: s = T n + 0.1 (n1³, n2³).
  std::array<double, 16> fourth{};
  fourth[0] = 0.1;
  fourth[15] = 0.1;
  const Mat2 second = 0.3 * Mat2::Identity();
  const Flow flow = tensor_flow(second, fourth);
  CHECK((flow({0.6, 0.8}) - Vec2(0.18 + 0.1 * 0.216, 0.24 + 0.1 * 0.512)).norm() < 1e-15);
  const FrictionLaw law = law_from_flow(flow);
  const FrictionLaw pair(NormMix(0.4, 0.2, 2.5, -1.5, 0.1), Ellipse(3, 1.2, 0.4));
  const FrictionLaw again = law_from_flow([&](const Vec2& n) { return slip_resistance(pair, n); });
  Random random(36);
  for (int i = 0; i < 200; ++i) {
    const Vec2 n = unit(random.uniform(0, 7));
    CHECK((slip_resistance(law, n) - flow(n)).norm() < 1e-8);
    CHECK((slip_resistance(again, n) - slip_resistance(pair, n)).norm() < 1e-6);
  }
}

TEST_CASE("flows that are no law are refused with the reason") {
  CHECK_THROWS_WITH_AS(law_from_flow([](const Vec2& n) { return Vec2(turn_left(n)); }),
                       doctest::Contains("not dissipative"), InvalidInput);
  // Resistance that turns back: θ = φ + 0.9 sin 2φ.
  CHECK_THROWS_WITH_AS(law_from_flow([](const Vec2& n) {
                         const double phi = angle_of(n);
                         return unit(phi + 0.9 * std::sin(2 * phi));
                       }),
                       doctest::Contains("turns back"), InvalidInput);
  CHECK_THROWS_WITH_AS(law_from_flow([](const Vec2& n) { return slip_resistance(two_sign(0.4, 0.2), n); }),
                       doctest::Contains("jumps"), InvalidInput);
  CHECK_THROWS_WITH_AS(law_from_flow([](const Vec2&) { return Vec2(NAN, 0); }), doctest::Contains("not finite"),
                       InvalidInput);
}
