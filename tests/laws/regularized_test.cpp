#include <doctest/doctest.h>

#include "slipset/core/error.hpp"
#include "slipset/laws/regularized.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;
using test::Random;

namespace {

// The pseudo-code of [Q04 Appendix A].
double quinn_appendix(double v, double balance, double limit, double epsilon) {
  const double zeta = std::abs(balance) > limit ? (balance > 0 ? 1 : -1) : balance / limit;
  if (std::abs(v - epsilon * zeta) > epsilon) return v - epsilon * zeta > 0 ? -limit : limit;
  return -limit * (v / epsilon - zeta);
}

constexpr Regularization kAll[] = {Regularization::sign, Regularization::martins_oden, Regularization::karnopp,
                                   Regularization::arctan, Regularization::quinn};

}  // namespace

TEST_CASE("Q04 4: quinn is the pseudo-code of the appendix; half width is half the epsilon") {
  Random random(4);
  double worst = 0;
  for (int k = 0; k < test::sample_count(); ++k) {
    const double limit = random.log_uniform(1e-3, 1e3), epsilon = random.log_uniform(1e-6, 1);
    const double v = 3 * epsilon * random.uniform(-1, 1), balance = 2 * limit * random.uniform(-1, 1);
    const RegularizedCoulomb full(Regularization::quinn, epsilon),
        half(Regularization::quinn, epsilon, RampWidth::half);
    worst += std::abs(full.force(v, balance, limit) - quinn_appendix(v, balance, limit, epsilon)) > 1e-14 * limit;
    worst += std::abs(half.force(v, balance, limit) - quinn_appendix(v, balance, limit, epsilon / 2)) > 1e-14 * limit;
  }
  CHECK(worst == 0);
}

TEST_CASE("Q04 1-3: every law by hand") {
  const double L = 2, e = 0.1;
  const RegularizedCoulomb sign = RegularizedCoulomb::sign(), ramp(Regularization::martins_oden, e),
                           band(Regularization::karnopp, e), smooth(Regularization::arctan, e);
  CHECK(sign.force(1e-300, 0.5, L) == -L);
  CHECK(sign.force(-1e-300, 0.5, L) == L);
  CHECK(sign.force(0, 0.5, L) == 0.5);
  CHECK(sign.force(0, -7, L) == -L);
  CHECK(ramp.force(0.05, 1.7, L) == near(-1, 1e-12));
  CHECK(ramp.force(0.2, 1.7, L) == -L);
  CHECK(ramp.force(0, 1.7, L) == 0);
  CHECK(band.force(0.0999, 0.5, L) == 0.5);
  CHECK(band.force(-0.0999, 5, L) == L);
  CHECK(band.force(0.1, 0.5, L) == -L);
  CHECK(smooth.force(1e9, 0, L) == near(-L, 1e-10));
  // The slope at rest is that of martins-oden.
  CHECK(smooth.force(1e-8, 0, L) == near(ramp.force(1e-8, 0, L), 1e-10));
}

// [s/m]: one over the half width, also as the force has it near rest.
TEST_CASE("Q04 3, 4: the slope of the ramp is one over its half width") {
  for (const double e : {0.02, 1e-4, 3.0})
    for (const Regularization kind : kAll) {
      const bool ramp = kind != Regularization::sign && kind != Regularization::karnopp;
      const RegularizedCoulomb full(kind, e), half(kind, e, RampWidth::half);
      CHECK(full.ramp_slope() == within(ramp ? 1 / e : 0, 1e-12 / e));
      CHECK(half.ramp_slope() == within(ramp ? 2 / e : 0, 1e-12 / e));
      if (!ramp) continue;
      const double v = 1e-6 * e, limit = 5;
      CHECK(full.force(v, 0, limit) == near(-limit * full.ramp_slope() * v, 1e-9));
      CHECK(half.force(v, 0, limit) == near(-limit * half.ramp_slope() * v, 1e-9));
    }
}

TEST_CASE("every law: odd, within the limit, never with the slip by more than it was held; NaN stays NaN") {
  Random random(7);
  for (const Regularization kind : kAll) {
    const RegularizedCoulomb law(kind, 0.02);
    int bad = 0;
    for (int k = 0; k < test::sample_count(); ++k) {
      const double v = 0.1 * random.uniform(-1, 1), b = 3 * random.uniform(-1, 1), L = random.uniform(0, 2);
      const double f = law.force(v, b, L);
      bad += !(std::abs(f) <= L * (1 + 1e-15));
      bad += f != -law.force(-v, -b, L);
      bad += std::abs(v) > 2 * law.half_width() && f * v > 0;
      // More slip, less force along it.
      bad += law.force(v + 0.01, b, L) > f + 1e-15;
    }
    CHECK_MESSAGE(bad == 0, law.name());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(law.force(nan, 0.5, 1)));
  }
  CHECK(std::isnan(RegularizedCoulomb(Regularization::quinn, 0.1).force(0, std::nan(""), 1)));
}

TEST_CASE("at rest quinn, karnopp and sign are Coulomb's law, martins-oden and arctan are not") {
  for (const Regularization kind : kAll)
    for (const double b : {-3.0, -1.0, -0.4, 0.0, 0.7, 1.0, 2.0}) {
      const bool exact = kind != Regularization::martins_oden && kind != Regularization::arctan;
      CHECK(RegularizedCoulomb(kind, 0.1).force(0, b, 1) == (exact ? std::clamp(b, -1.0, 1.0) : 0.0));
    }
}

TEST_CASE("epsilon must be positive and finite") {
  for (const Regularization kind : kAll) {
    if (kind == Regularization::sign) continue;
    for (const double epsilon : {0.0, -0.1, std::nan(""), std::numeric_limits<double>::infinity()})
      CHECK_THROWS_AS(RegularizedCoulomb(kind, epsilon), InvalidInput);
  }
  CHECK_THROWS_WITH_AS(
      RegularizedCoulomb(Regularization::quinn, 0),
      "regularize: epsilon of quinn is 0; it is the slip speed over which friction is smoothed and must "
      "be positive and finite, as in 0.02 (twice the step of an RK4 run)",
      InvalidInput);
  CHECK_NOTHROW(RegularizedCoulomb(Regularization::sign, 0));
}
