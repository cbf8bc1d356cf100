#include "slipset/identification/pull_calibration.hpp"

#include <doctest/doctest.h>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

TEST_CASE("values of the paper: friction from forces, maximum rule, stiffness ratio") {
  const double normal = 1.875 * 9.806;
  const double mu1 = friction_from_forces(12.5, 5, normal), mu2 = friction_from_forces(16.5, 5, normal);
  CHECK(std::abs(mu1 - 0.4079135) < 5e-8);
  CHECK(std::abs(mu2 - 0.6254674) < 5e-8);
  const double ratio = ratio_from_maximum(radians(11.5));
  CHECK(std::abs(ratio - 0.8170343) < 5e-8);
  CHECK(std::abs(stiffness_ratio(0.817, 0.408, 0.625) - 1.25153) < 5e-6);
  CHECK(std::abs(ratio_from_maximum(radians(-11.5)) - 1 / ratio) < 1e-15);
  // The curve with that ratio has that maximum.
  Worst largest;
  for (int i = 0; i <= 9000; ++i) largest.add(modelled_pull_angle(radians(0.01 * i), ratio));
  CHECK(std::abs(degrees(largest.value()) - 11.5) < 1e-5);
  CHECK(std::abs(degrees(modelled_pull_angle(std::atan(ratio), ratio)) - 11.5) < 1e-12);
}

TEST_CASE("least squares finds the ratio of exact data, the published formula does not") {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const double ratio = random.log_uniform(0.02, 50);
    std::vector<PullAngle> data;
    const int points = random.integer(1, 12), quarter = random.integer(-2, 2);
    for (int k = 0; k < points; ++k) {
      const double alpha = random.uniform(0.1, 1.4) + quarter * kPi / 2;
      data.push_back({alpha, modelled_pull_angle(alpha, ratio)});
    }
    const PullCalibration fit = calibrate_pull(data);
    REQUIRE(fit.ratio);
    CHECK(fit.converged);
    CHECK(std::abs(*fit.ratio / ratio - 1) < 1e-9);
    CHECK(fit.sigma.has_value() == (data.size() > 1));
  }
  std::vector<PullAngle> data, mirrored;
  for (int k = 1; k < 9; ++k) data.push_back({radians(10 * k), modelled_pull_angle(radians(10 * k), 0.5)});
  for (const PullAngle& p : data) mirrored.push_back({-p.alpha, -p.phi});
  CHECK(std::abs(*calibrate_pull(data).by_maximum - 0.5) < 0.01);  // the angle is largest near 27 degrees
  CHECK(std::abs(*calibrate_pull(mirrored).by_maximum - *calibrate_pull(data).by_maximum) < 1e-14);
  REQUIRE(ratio_by_published_formula(data));
  CHECK(std::abs(*ratio_by_published_formula(data) - 0.5) > 0.02);
}

TEST_CASE("the 95 % interval holds the true ratio in 95 of 100 cases") {
  Random random(5);
  std::mt19937_64 engine(8);
  std::normal_distribution<double> noise(0, radians(1));
  const int runs = 400;
  int held = 0;
  double spread = 0, sigma = 0;
  for (int i = 0; i < runs; ++i) {
    std::vector<PullAngle> data;
    for (int k = 1; k < 9; ++k)
      data.push_back({radians(10 * k), modelled_pull_angle(radians(10 * k), 0.8) + noise(engine)});
    const PullCalibration fit = calibrate_pull(data);
    REQUIRE(fit.low);
    held += *fit.low <= 0.8 && 0.8 <= *fit.high;
    spread += std::pow(*fit.ratio - 0.8, 2) / runs;
    sigma += *fit.sigma * *fit.sigma / runs;
  }
  CHECK(held > 0.92 * runs);
  CHECK(held < 0.98 * runs);
  CHECK(std::abs(std::sqrt(spread / sigma) - 1) < 0.15);
}

TEST_CASE("data that do not determine the ratio are reported; wrong data are refused") {
  const std::vector<PullAngle> flat = {{0, 0.01}, {kPi / 2, -0.01}};
  const PullCalibration fit = calibrate_pull(flat);
  CHECK_FALSE(fit.identifiable);
  CHECK_FALSE(fit.ratio);
  CHECK(fit.why.find("0 or 90") != std::string::npos);
  CHECK_THROWS_AS(calibrate_pull({}), InvalidInput);
  const std::vector<PullAngle> steep = {{0.5, 1.6}};
  CHECK_THROWS_AS(calibrate_pull(steep), InvalidInput);
  const std::vector<PullAngle> nothing = {{NAN, 0.1}};
  CHECK_THROWS_AS(calibrate_pull(nothing), InvalidInput);
  CHECK_THROWS_AS(friction_from_forces(1, 0, 0), InvalidInput);
}
