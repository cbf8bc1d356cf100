// The 95 % intervals of every model that prints some, over synthetic records.
#include <random>

#include "slipset/core/angle.hpp"
#include "slipset/identification/flow_fit.hpp"
#include "slipset/identification/pull_calibration.hpp"
#include "slipset/identification/rate_fit.hpp"
#include "slipset/identification/sets_from_data.hpp"
#include "slipset/identification/sliding_paths.hpp"
#include "slipset/identification/stick_slip.hpp"
#include "slipset/identification/virtual_tribometer.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/spring_slider.hpp"
#include "tests/identification/coverage.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

class Noise {
 public:
  Noise(unsigned seed, double sigma) : engine_(seed), gauss_(0, sigma) {}
  double operator()() { return gauss_(engine_); }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> gauss_;
};

}  // namespace

// A24. Noise that went through the filter is not white: with two revolutions there are no blocks that would show it.
TEST_CASE("A24 coverage: pin on disk with a low-pass and few revolutions") {
  const FrictionLaw law = FrictionLaw(Ellipse(0.54, 0.46), Ellipse(1.5, 1)).turned(radians(12.3));
  for (const double revolutions : {1.0, 2.0, 3.0}) {
    Coverage coverage;
    const int runs = revolutions == 2 ? repetitions(200) : repetitions(20);
    int closed = 0, convex = 0;
    for (int i = 0; i < runs; ++i) {
      TribometerOptions machine;
      machine.samples = 360;
      machine.revolutions = revolutions;
      machine.seed = 20000 + static_cast<unsigned>(i);
      PinRecord record = simulate_tribometer(law, machine);
      SignalOptions signal_options;
      signal_options.lowpass = 20;
      const FoldedSignals signals = fold(record, signal_options);
      FitOptions options;
      options.bootstrap = 0;
      const FlowFit fit = fit_flow(signals, make_flow_model({ReservoirKind::ellipse, DirectionKind::ellipse}), options);
      CHECK(fit.covariance_kind == "filtered noise");
      const double truth[] = {0.54, 0.46, 1.5, 12.3};
      const char* const names[] = {"reservoir.semi_axes.1", "reservoir.semi_axes.2", "direction.axis_ratio",
                                   "reservoir.angle"};
      for (const FittedParameter& p : fit.parameters)
        for (int k = 0; k < 4; ++k)
          if (p.name == names[k]) coverage.add(p.name, truth[k], p.low, p.high);
      const SetsFromData sets = sets_from_data(signals, fit);
      closed += sets.closure_p_value > 0.05;
      convex += sets.convex;
    }
    coverage.check(fmt::format("low-pass, {} revolutions", revolutions));
    CHECK(closed >= (0.95 - 4 * std::sqrt(0.0475 / runs)) * runs);
    CHECK(convex >= 0.97 * runs);
  }
}

TEST_CASE("coverage: correlated noise and two revolutions") {
  Coverage coverage;
  const FrictionLaw law = FrictionLaw(Ellipse(0.54, 0.46), Ellipse(1.5, 1)).turned(radians(12.3));
  for (int i = 0; i < repetitions(20); ++i) {
    TribometerOptions machine;
    machine.samples = 360;
    machine.revolutions = 2;
    machine.correlation = 0.8;
    machine.seed = 40000 + static_cast<unsigned>(i);
    PinRecord record = simulate_tribometer(law, machine);
    FitOptions options;
    options.bootstrap = 0;
    const FlowFit fit =
        fit_flow(fold(record), make_flow_model({ReservoirKind::ellipse, DirectionKind::ellipse}), options);
    CHECK(fit.covariance_kind == "correlated noise");
    for (const FittedParameter& p : fit.parameters)
      if (p.name == "reservoir.semi_axes.1") coverage.add(p.name, 0.54, p.low, p.high);
  }
  coverage.check("correlated noise, 2 revolutions");
}

TEST_CASE("coverage: Stribeck curve") {
  Coverage coverage;
  for (int i = 0; i < repetitions(40); ++i) {
    Noise noise(100 + static_cast<unsigned>(i), 0.005);
    std::vector<double> v, f;
    for (int k = 1; k <= 120; ++k) {
      v.push_back((k % 2 == 0 ? 1 : -1) * 0.003 * k);
      f.push_back(stribeck_friction(v.back(), 0.3, {1.6, 0.05, 0.2 / 0.3}) + noise());
    }
    const RateFit fit = fit_stribeck(v, f);
    const std::pair<const char*, double> truth[] = {
        {"friction", 0.3}, {"static", 1.6}, {"velocity", 0.05}, {"sigma2", 0.2}};
    for (const auto& [name, value] : truth)
      coverage.add(name, value, fit.parameter(name).low, fit.parameter(name).high);
  }
  coverage.check("stribeck");
}

TEST_CASE("coverage: LuGre model") {
  Coverage coverage;
  std::vector<double> t, v;
  for (int i = 0; i < 1000; ++i) {
    t.push_back(2e-3 * i);
    v.push_back(0.02 * std::sin(2 * kPi * t.back()) + 0.008 * std::sin(2 * kPi * 3.3 * t.back()));
  }
  const LuGre truth{2000, 4, 0.8};
  const std::vector<double> exact = lugre_response(t, v, 0.3, {1.4, 0.008}, truth);
  for (int i = 0; i < repetitions(15); ++i) {
    Noise noise(300 + static_cast<unsigned>(i), 0.003);
    std::vector<double> f = exact;
    for (double& x : f) x += noise();
    const RateFit fit = fit_lugre(t, v, f);
    const std::pair<const char*, double> values[] = {{"friction", 0.3}, {"static", 1.4}, {"velocity", 0.008},
                                                     {"sigma0", 2000},  {"sigma1", 4},   {"sigma2", 0.8}};
    for (const auto& [name, value] : values)
      coverage.add(name, value, fit.parameter(name).low, fit.parameter(name).high);
  }
  coverage.check("lugre");
}

TEST_CASE("coverage: laws from sliding paths") {
  const FrictionLaw law(Ellipse(0.52, 0.42), Ellipse(1.5, 1));
  const std::pair<const char*, double> truth[] = {{"reservoir.semi_axes.1", 0.52},
                                                  {"reservoir.semi_axes.2", 0.42},
                                                  {"direction.axis_ratio", 1.5},
                                                  {"reservoir.angle", 0}};
  for (const bool one : {false, true}) {
    Coverage coverage;
    std::vector<SlidingPath> exact;
    for (const double angle : one ? std::vector{50.0} : std::vector{20.0, 50.0, 75.0}) {
      SlidingPath path;
      for (int i = 0; i < 60; ++i) path.time.push_back(0.008 * i);
      path.position = slide_positions(law, 1.5 * unit(radians(angle)), path.time);
      exact.push_back(path);
    }
    PathFitOptions options;
    options.model = {ReservoirKind::ellipse, DirectionKind::ellipse, AxesKind::common, 0, 6};
    for (int i = 0; i < repetitions(8); ++i) {
      Noise noise(500 + static_cast<unsigned>(i), one ? 3e-4 : 1e-4);
      std::vector<SlidingPath> paths = exact;
      for (SlidingPath& path : paths)
        for (Vec2& p : path.position) p += Vec2(noise(), noise());
      const PathFit fit = fit_paths(paths, options);
      REQUIRE(fit.converged);
      for (const PathParameter& p : fit.parameters)
        for (const auto& [name, value] : truth)
          if (p.name == name) coverage.add(name, value, p.low, p.high);
    }
    coverage.check(one ? "one path" : "three paths");
  }
}

TEST_CASE("coverage: elastic interface") {
  Coverage coverage;
  for (int i = 0; i < repetitions(100); ++i) {
    Noise noise(700 + static_cast<unsigned>(i), radians(1));
    std::vector<PullAngle> data;
    for (int k = 0; k <= 9; ++k) {
      const double alpha = radians(10.0 * k);
      data.push_back({alpha, modelled_pull_angle(alpha, 0.8) + noise()});
    }
    const PullCalibration fit = calibrate_pull(data);
    coverage.add("ratio", 0.8, fit.low, fit.high);
  }
  coverage.check("elastic-interface");
}

// Coefficients vary from event to event, as on real surfaces: the intervals are those of the means.
TEST_CASE("coverage: stick and slip") {
  Coverage coverage;
  StickSlipOptions o;
  o.stiffness = 168;
  o.speed = 1.1e-3;
  o.weight = 0.0307 * 9.81;
  const double mass = o.weight / 9.81, omega = std::sqrt(o.stiffness / mass), rate = o.stiffness * o.speed / o.weight;
  const double kinetic = 0.31, step = 2e-4;
  for (int i = 0; i < repetitions(200); ++i) {
    Noise events(60000 + static_cast<unsigned>(i), 0.01), noise(70000 + static_cast<unsigned>(i), 3e-4);
    std::vector<double> t, y;
    double force = 0.26, begins = 0;  // of the event
    for (int event = 0; event < 30; ++event) {
      // (I.12): stick until y = μ_s, then y - μ_k = A cos(ωτ - ψ) with ẏ = kV/W at first, until ẏ is that again.
      const double limit = 0.36 + events(), stick = (limit - force) / rate;
      const double a = limit - kinetic, b = rate / omega, amplitude = std::hypot(a, b), psi = std::atan2(b, a);
      const double ends = begins + stick + (2 * kPi - 2 * std::atan2(a, b)) / omega;
      for (double time; (time = step * static_cast<double>(t.size())) < ends;) {
        const double tau = time - begins - stick;
        t.push_back(time);
        y.push_back(noise() + (tau < 0 ? limit + rate * tau : kinetic + amplitude * std::cos(omega * tau - psi)));
      }
      force = 2 * kinetic - limit;
      begins = ends;
    }
    const StickSlipResult r = identify_stick_slip(t, y, o);
    const auto add = [&](const char* name, double truth, const Estimate& e) {
      coverage.add(name, truth, std::optional(e.low), std::optional(e.high));
    };
    add("static", 0.36, r.static_friction);
    add("kinetic", kinetic, r.kinetic_friction);
    add("slope", rate, r.slope);
  }
  coverage.check("stick-slip");
}

// A slider in closed form, the same in every event: the intervals are those of noise alone. The largest of the samples is
// lower than the static limit for little noise, and higher for more.
TEST_CASE("coverage: stick and slip, noise alone") {
  StickSlipOptions o;
  o.stiffness = 200;
  o.speed = 0.005;
  o.weight = 4.905;
  const double mass = 0.5, omega = std::sqrt(o.stiffness / mass), limit = 3 / o.weight, kinetic = 2 / o.weight;
  const double rate = o.stiffness * o.speed / o.weight, a = limit - kinetic, b = rate / omega;
  const double slip = (2 * kPi - 2 * std::atan2(a, b)) / omega, period = slip + 2 * a / rate, step = 2e-3;
  for (const double sigma : {0.005, 0.02}) {
    Coverage coverage;
    for (int i = 0; i < repetitions(60); ++i) {
      Noise noise(80000 + static_cast<unsigned>(i), sigma / o.weight);
      std::vector<double> t, y;
      for (int k = 0; k < 30000; ++k) {
        const double phase = std::fmod(step * k, period);
        t.push_back(step * k);
        y.push_back(noise() + (phase < slip ? kinetic + a * std::cos(omega * phase) + b * std::sin(omega * phase)
                                            : kinetic - a + rate * (phase - slip)));
      }
      const StickSlipResult r = identify_stick_slip(t, y, o);
      const auto add = [&](const char* name, double truth, const Estimate& e) {
        coverage.add(name, truth, std::optional(e.low), std::optional(e.high));
      };
      add("static", limit, r.static_friction);
      add("kinetic", kinetic, r.kinetic_friction);
      add("slope", rate, r.slope);
    }
    coverage.check(fmt::format("stick-slip, {} N", sigma));
  }
}
