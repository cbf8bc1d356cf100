// LuGre: steady sliding is the law, a principal axis is the scalar model, energy is not created.
#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/laws/lugre.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;
using test::Random;

namespace {

Vec2 random_velocity(Random& random) { return random.log_uniform(1e-3, 1e2) * unit(random.uniform(0, 7)); }

FrictionLaw with_rate(Random& random) {
  const FrictionLaw law = test::random_law(random);
  return random.coin() ? law.with_stribeck({random.uniform(0.5, 3), random.log_uniform(0.01, 10)}) : law;
}

// Scalar LuGre, written from the paper.                                                               [H07 1, 2, 12]
struct Scalar {
  double fs, fc, vs, sigma0, sigma1, sigma2;
  double g(double v) const { return fc + (fs - fc) * std::exp(-v * v / (vs * vs)); }
  double rate(double v, double z) const { return v - sigma0 * std::abs(v) / g(v) * z; }
  double force(double v, double z) const { return sigma0 * z + sigma1 * rate(v, z) + sigma2 * v; }
};

}  // namespace

TEST_CASE("B.1 in steady sliding the resistance is the law's, for every pair of sets") {
  Random random(601);
  Worst worst;
  for (int i = 0; i < test::sample_count(); ++i) {
    const FrictionLaw law = with_rate(random);
    const LuGre lugre{random.log_uniform(0.1, 1e5), random.uniform(0, 2), 0};
    const Vec2 v = random_velocity(random), z = steady_deflection(law, lugre, v);
    worst.add(bristle_rate(law, lugre, v, z).norm() / v.norm());
    const Vec2 s = slip_resistance(law, v), r = bristle_resistance(law, lugre, v, z);
    worst.add((r - s - lugre.sigma1 * bristle_rate(law, lugre, v, z)).norm() / s.norm());
  }
  CHECK(worst.value() < 1e-13);
}

// From any deflection the bristles come to the law: no other steady state, and it attracts.
TEST_CASE("B.2 is positive definite") {
  Random random(602);
  for (int i = 0; i < test::sample_count(); ++i) {
    const FrictionLaw law = with_rate(random);
    const Vec2 v = random_velocity(random), x = unit(random.uniform(0, 7));
    const Mat2 a = bristle_matrix(law, v);
    REQUIRE(a(0, 1) == a(1, 0));
    REQUIRE(x.dot(a * x) > 0);
  }
}

TEST_CASE("B.1 along a principal axis is Hoffmann's scalar model") {
  const Scalar scalar{6, 4, 5, 100, 0.7, 0.3};
  const FrictionLaw law = FrictionLaw(Ellipse(4, 2), Ellipse(3, 1)).with_stribeck({1.5, 5});
  const LuGre lugre{100, 0.7, 0.3};
  Random random(603);
  for (int i = 0; i < 300; ++i) {
    const double v = random.uniform(-20, 20), z = random.uniform(-0.1, 0.1);
    const Vec2 rate = bristle_rate(law, lugre, {v, 0}, {z, 0}), force = bristle_resistance(law, lugre, {v, 0}, {z, 0});
    CHECK(rate.x() == near(scalar.rate(v, z), 1e-13));
    CHECK(rate.y() == 0);
    CHECK(force.x() == near(scalar.force(v, z), 1e-13));
  }
  // Isotropic: in every direction.
  const Vec2 e = unit(0.7);
  const FrictionLaw disk = isotropic(4).with_stribeck({1.5, 5});
  CHECK((bristle_rate(disk, lugre, 3 * e, 0.02 * e) - scalar.rate(3, 0.02) * e).norm() < 1e-13);
}

// Power into the contact, less what the bristles store, along random motions: ½σ0|z|² is a storage function for
// σ1 = 0. One-step check of the inequality itself: r·v - σ0 z·ż ≥ 0 at any z, not only steady ones.
TEST_CASE("B.1 without bristle damping never creates energy") {
  Random random(604);
  Least least;
  for (int i = 0; i < test::sample_count(); ++i) {
    const FrictionLaw law = with_rate(random);
    const LuGre lugre{random.log_uniform(0.1, 1e4), 0, random.coin() ? random.uniform(0, 1) : 0};
    const Vec2 v = random_velocity(random),
               z = random.log_uniform(1e-3, 10) / lugre.sigma0 * unit(random.uniform(0, 7));
    const double heat =
        bristle_resistance(law, lugre, v, z).dot(v) - lugre.sigma0 * z.dot(bristle_rate(law, lugre, v, z));
    least.add(heat / (lugre.sigma0 * z.norm() * v.norm()));
  }
  CHECK(least.value() > -1e-12);
}

// A plausible wrong model, ż = v - σ0|v| z/|s|, comes to rest at z = |s| v/(σ0|v|), along v: where the law deflects,
// that is no steady state, and what the bristles hold there is not the law's resistance.
TEST_CASE("steady sliding has teeth: where the isotropic evolution rests, B.1 does not") {
  const FrictionLaw law(Ellipse(0.6, 0.2, 0.5), Ellipse(3, 1));
  const LuGre lugre{100, 0, 0};
  const Vec2 v(1, 0.4), s = slip_resistance(law, v), wrong = s.norm() / lugre.sigma0 * v.normalized();
  CHECK(bristle_rate(law, lugre, v, wrong).norm() > 0.05 * v.norm());
  CHECK((bristle_resistance(law, lugre, v, wrong) - s).norm() > 0.05 * s.norm());
  CHECK(bristle_rate(law, lugre, v, s / lugre.sigma0).norm() < 1e-13 * v.norm());
}

TEST_CASE("B.3 the Jacobians against differences of the nonlinear equations") {
  Random random(605);
  Worst worst;
  for (int i = 0; i < 400; ++i) {
    const FrictionLaw law(Ellipse(random.log_uniform(0.1, 1), random.log_uniform(0.1, 1), random.uniform(0, 7)),
                          Superellipse(random.log_uniform(0.2, 1), 1, random.uniform(1.5, 4), random.uniform(0, 7)),
                          Stribeck{random.uniform(0.5, 3), random.log_uniform(0.1, 10)});
    const LuGre lugre{random.log_uniform(1, 100), 0, 0};
    const Vec2 v = random.log_uniform(0.1, 10) * unit(random.uniform(0, 7)), z = steady_deflection(law, lugre, v);
    const auto jacobian = bristle_jacobian(law, lugre, v);
    REQUIRE(jacobian);
    const double h = 1e-4 * v.norm();
    Mat2 by_v, by_z;
    for (Eigen::Index k = 0; k < 2; ++k) {
      const Vec2 e = Vec2::Unit(k);
      const auto f = [&](double t) { return bristle_rate(law, lugre, v + t * e, z); };
      by_v.col(k) = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
      by_z.col(k) = bristle_rate(law, lugre, v, z + e) - bristle_rate(law, lugre, v, z);
    }
    // A superellipse of exponent below 2 has a sharp bend at its axes: keep away from it.
    if (jacobian->by_slip.norm() > 20) continue;
    worst.add((by_v - jacobian->by_slip).norm() / (1 + by_v.norm()));
    worst.add((by_z - jacobian->by_deflection).norm() / by_z.norm());
  }
  CHECK(worst.value() < 1e-8);
}

TEST_CASE("LuGre constants out of range are refused") {
  CHECK_THROWS_WITH_AS(require_valid(LuGre{0, 0, 0}), doctest::Contains("sigma0"), InvalidInput);
  CHECK_THROWS_WITH_AS(require_valid(LuGre{1, -1, 0}), doctest::Contains("sigma1"), InvalidInput);
  CHECK_THROWS_WITH_AS(require_valid(LuGre{1, 0, NAN}), doctest::Contains("sigma2"), InvalidInput);
}
