#include "slipset/sets/polar_curve.hpp"

#include <doctest/doctest.h>

#include "slipset/sets/ellipse.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

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
      CHECK(curve.radius(angles[static_cast<std::size_t>(i)]) == near(radii[static_cast<std::size_t>(i)], 1e-13));
    Worst worst;
    for (int i = 0; i < 1000; ++i) {
      const double a = 2 * kPi * i / 1000;
      worst.add(std::abs(curve.radius(a) / ellipse.radius(a) - 1));
    }
    if (previous > 0 && n > 40) CHECK(std::log2(previous / worst.value()) == near(4, 0.12));  // measured 4.4 and less
    previous = worst.value();
    if (n == 160) {
      for (const double node : angles) {
        const double left = curve.gauge_hessian(unit(node - 1e-7))->trace();
        const double right = curve.gauge_hessian(unit(node + 1e-7))->trace();
        CHECK(left == near(right, 1e-4));
      }
      CHECK(curve.is_convex());
      CHECK(curve.area() == near(ellipse.area(), 1e-6));
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

// ln r = -cos(2τ)/2 is not convex where 1 + ρ'² - ρ'' < 0, within acos(√3 - 1)/2 of 0 and of 180°.
TEST_CASE("polar curve: the arcs that are not convex are those of the curve that it goes through") {
  std::vector<double> angles, radii;
  for (int i = 0; i < 360; ++i) {
    angles.push_back(2 * kPi * i / 360);
    radii.push_back(std::exp(-std::cos(2 * angles.back()) / 2));
  }
  const PolarCurve curve(angles, radii);
  const std::vector<AngleInterval> arcs = curve.nonconvex_arcs();
  REQUIRE(arcs.size() == 2);
  const double half = std::acos(std::sqrt(3.0) - 1) / 2;
  for (const AngleInterval& arc : arcs) {
    CHECK(arc.width() == within(2 * half, 2e-3));  // the second derivative of the spline errs by its step squared
    CHECK(std::abs(std::remainder((arc.from + arc.to) / 2, kPi)) < 1e-9);
  }
}
