// A11: the law that `slipset identify` prints is the law that was fitted, for every model: printed, read, evaluated.
#include <doctest/doctest.h>

#include <random>

#include "slipset/core/angle.hpp"
#include "slipset/identification/path_identification.hpp"
#include "slipset/identification/virtual_tribometer.hpp"
#include "slipset/io/files.hpp"
#include "slipset/report/measurements/path_report.hpp"
#include "slipset/report/measurements/pin_report.hpp"
#include "slipset/report/measurements/rate_report.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/scenario.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

LawSetup read_again(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.path() / "law.toml", text);
  return read_law(Scenario(folder.path() / "law.toml").root());
}

// Largest difference of the two resistances, over the larger one; NaN if there is one.
double difference(const FrictionLaw& a, const FrictionLaw& b) {
  double sum = 0;
  for (int i = 0; i < 360; ++i)
    for (const double speed : {1e-3, 0.05, 0.7, 3.0}) {
      const Vec2 v = speed * unit(radians(i + 0.37)), s = slip_resistance(a, v);
      sum += (s - slip_resistance(b, v)).norm() / s.norm() / (360 * 4);
    }
  return sum;
}

}  // namespace

TEST_CASE("A11 Stribeck: the printed law has the viscous part of the fitted curve") {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> gauss(0, 0.002);
  for (const double sigma2 : {0.35, 0.0}) {
    std::vector<double> v, f;
    for (int i = 1; i <= 60; ++i) {
      v.push_back(0.002 * i);
      f.push_back(stribeck_friction(v.back(), 0.2, {1.5, 0.02, sigma2 / 0.2}) + gauss(engine));
    }
    const RateFit fit = fit_stribeck(v, f);
    const LawSetup again = read_again(rate_law_toml(fit));
    for (const double speed : {0.003, 0.02, 0.12, 1.0}) {
      const double fitted = stribeck_friction(speed, fit.friction, fit.stribeck);
      CHECK(std::abs(slip_resistance(again.law, {0.6 * speed, -0.8 * speed}).norm() / fitted - 1) < 1e-9);
    }
    if (sigma2 > 0) CHECK(std::abs(slip_resistance(again.law, {0.12, 0}).x() / (0.2 + 0.35 * 0.12) - 1) < 0.02);
  }
  // A curve that falls at high speeds, too: a law cannot have less than no viscous friction.
  std::vector<double> v, f;
  for (int i = 1; i <= 60; ++i) {
    v.push_back(0.002 * i);
    f.push_back(0.3 - 0.2 * v.back() + gauss(engine));
  }
  const RateFit falling = fit_stribeck(v, f);
  CHECK(falling.stribeck.viscous >= 0);
  const double fitted = stribeck_friction(0.1, falling.friction, falling.stribeck);
  CHECK(std::abs(slip_resistance(read_again(rate_law_toml(falling)).law, {0.1, 0}).x() / fitted - 1) < 1e-9);
}

TEST_CASE("A11 LuGre: the printed law answers a record as the fitted one does") {
  std::mt19937_64 engine(6);
  std::normal_distribution<double> gauss(0, 0.003);
  std::vector<double> t, v;
  for (int i = 0; i < 800; ++i) {
    t.push_back(2e-3 * i);
    v.push_back(0.02 * std::sin(2 * kPi * t.back()) + 0.008 * std::sin(2 * kPi * 3.3 * t.back()));
  }
  for (const LuGre& truth : {LuGre{2000, 4, 0.8}, LuGre{2000, 0, 0}}) {  // the second: estimates of either sign
    std::vector<double> f = lugre_response(t, v, 0.3, {1.4, 0.008}, truth);
    for (double& x : f) x += gauss(engine);
    const RateFit fit = fit_lugre(t, v, f);
    REQUIRE(fit.lugre);
    const LawSetup again = read_again(rate_law_toml(fit));
    REQUIRE(again.lugre());
    REQUIRE(again.law.stribeck());
    const std::vector<double> fitted = lugre_response(t, v, fit.friction, fit.stribeck, *fit.lugre, fit.deflection),
                              printed = lugre_response(t, v, again.law.reservoir().radius(0), *again.law.stribeck(),
                                                       *again.lugre(), fit.deflection);
    double off = 0;
    for (std::size_t i = 0; i < t.size(); ++i) off += std::abs(fitted[i] - printed[i]);
    CHECK(off < 1e-9);
  }
}

TEST_CASE("A11 pin on disk: every pair of shapes, printed and read") {
  const FrictionLaw law(Superellipse(0.54, 0.46, 2.9, radians(10)), Superellipse(1.5, 1, 2.4, radians(25)));
  TribometerOptions machine;
  machine.samples = 180;
  machine.revolutions = 4;
  for (const ReservoirKind c : {ReservoirKind::disk, ReservoirKind::ellipse, ReservoirKind::superellipse,
                                ReservoirKind::fourier, ReservoirKind::spline})
    for (const DirectionKind d : {DirectionKind::disk, DirectionKind::ellipse, DirectionKind::superellipse,
                                  DirectionKind::series, DirectionKind::associated}) {
      if (d == DirectionKind::associated && c >= ReservoirKind::fourier) continue;
      PinOptions options;
      options.model.reservoir = c;
      options.model.direction = d;
      options.model.orders = {4};
      options.fit.bootstrap = 0;
      const PinIdentification r = identify_pin(simulate_tribometer(law, machine), options);
      INFO(r.fit.model.name());
      const FrictionLaw again = read_again(pin_law_toml(r)).law;
      CHECK(difference(FrictionLaw(r.reservoir, r.direction), again) < 1e-9);
      // Its flow is that of the model; of series, to the splines' accuracy.
      double off = 0;
      for (int i = 0; i < 360; ++i) {
        const double phi = radians(i + 0.37);
        const Vec2 n = unit(phi), s = slip_resistance(again, n);
        off += (Vec2(s.dot(n), cross(n, s)) - r.fit.model.evaluate(phi, r.fit.free)).norm() / s.norm() / 360;
      }
      CHECK(off < (c >= ReservoirKind::fourier || d == DirectionKind::series ? 1e-4 : 1e-9));
    }
}

TEST_CASE("A11 path: the fitted law, printed and read; what is not determined is said in it") {
  const FrictionLaw truth(Ellipse(0.52, 0.42, radians(7)), Ellipse(1.5, 1, radians(7)));
  SlidingPath path;
  for (int i = 0; i < 60; ++i) path.time.push_back(0.008 * i);
  path.position = slide_positions(truth, {1, 1}, path.time);
  PathFitOptions options;
  options.model = {ReservoirKind::ellipse, DirectionKind::ellipse};
  const PathFit fit = fit_paths(std::vector{path}, options);
  REQUIRE(fit.law);
  CHECK(difference(*fit.law, read_again(path_law_toml(fit)).law) < 1e-9);

  path.position = slide_positions(truth.turned(radians(-7)), {1.5, 0}, path.time);
  const PathFit poor = fit_paths(std::vector{path}, options);
  REQUIRE(poor.law);
  const std::string text = path_law_toml(poor);
  CHECK(text.find("# not determined by these data: ") == 0);
  CHECK(text.find("direction.axis_ratio") != std::string::npos);
  CHECK(difference(*poor.law, read_again(text).law) < 1e-9);
}
