// Records with numbers that are none, of different lengths or empty, and options out of range: refused, saying what.
#include "slipset/identification/angle_unit.hpp"
#include "slipset/identification/path_identification.hpp"
#include "slipset/identification/pin_on_disk.hpp"
#include "slipset/identification/pull_calibration.hpp"
#include "slipset/identification/rate_fit.hpp"
#include "slipset/identification/stick_slip.hpp"
#include "slipset/identification/virtual_tribometer.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refused.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

PinRecord record() {
  return simulate_tribometer(associated(Ellipse(0.5, 0.3)), {.revolutions = 3, .samples = 360, .noise = 0.01});
}

FoldedSignals folded(const SignalOptions& options = {}) {
  PinRecord r = record();
  return fold(r, options);
}

SlidingPath path() {
  SlidingPath p;
  for (int i = 0; i < 20; ++i) {
    const double t = 0.01 * i;
    p.time.push_back(t);
    p.position.emplace_back(t - 2 * t * t, 0.1 * t);
  }
  return p;
}

}  // namespace

TEST_CASE("a pin's record with one number that is none is refused with its row, not folded or counted as an outlier") {
  PinRecord good = record();
  REQUIRE_NOTHROW(fold(good));
  for (const double x : kNotFinite)
    for (const auto& [member, says] :
         std::vector<std::pair<std::vector<double> PinRecord::*, const char*>>{{&PinRecord::angle, "angle: row 101"},
                                                                               {&PinRecord::tangential, "tangential"},
                                                                               {&PinRecord::radial, "radial"},
                                                                               {&PinRecord::normal, "normal force"}}) {
      CAPTURE(says);
      PinRecord bad = record();
      (bad.*member)[100] = x;
      require_refused({{"valid", [&] { require_valid(bad); }, says},
                       {"row", [&] { require_valid(bad); }, "row 101"},
                       {"fold", [&] { fold(bad); }, says},
                       {"identify", [&] { identify_pin(bad, {}); }, says}});
    }
  for (const auto member : {&PinRecord::tangential, &PinRecord::radial, &PinRecord::normal}) {
    PinRecord bad = record();
    (bad.*member).pop_back();
    require_refused({{"length", [&] { require_valid(bad); }, "differ in length"}});
  }
  PinRecord constant = record();
  constant.normal.clear();
  require_refused(
      "normal force", kNotPositive,
      [&](double x) {
        constant.normal_force = x;
        require_valid(constant);
      },
      "no normal force");
}

TEST_CASE("parts of the way from a record to sets refuse lengths and numbers on their own") {
  std::vector<double> none, angle(100), short_one(99, 1.0), bad(100, 1.0);
  for (std::size_t i = 0; i < angle.size(); ++i) angle[i] = 0.3 * static_cast<double>(i);
  bad[7] = kNan;
  std::vector<double> wrapped = bad, normal = bad;
  CHECK_NOTHROW(unwrap(none));
  PinRecord without = record(), uneven = record();
  without.normal.clear();
  uneven.radial.resize(4);
  require_refused({{"unwrap", [&] { unwrap(wrapped); }, "row 8"},
                   {"turns", [&] { turns_of(none); }, "0 samples"},
                   {"turns", [&] { turns_of(bad); }, "row 8"},
                   {"drift", [&] { drift_of(short_one, angle); }, "as many"},
                   {"drift", [&] { drift_of(none, none); }, "at least 2"},
                   {"drift", [&] { drift_of(bad, angle); }, "row 8"},
                   {"normal", [&] { check_normal_force(normal); }, "row 8"},
                   {"normal", [&] { check_normal_force(none); }, "no normal force"},
                   {"compensate", [&] { compensate(without, Eigen::Matrix3d::Identity()); }, "normal"},
                   {"compensate", [&] { compensate(uneven, Eigen::Matrix3d::Identity()); }, "length"},
                   {"compensate", [&] { compensate(without, Eigen::Matrix3d::Constant(kNan)); }, ""},
                   {"unit", [&] { tell_angle_unit(angle, short_one, angle); }, "as many"},
                   {"unit", [&] { tell_angle_unit(angle, angle, bad); }, "row 8"}});

  // Known loads: the sensor gives back twice what is applied.
  std::vector<std::vector<double>> loads = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1},
                                            {2, 0, 0, 2}, {0, 2, 0, 2}, {0, 0, 2, 2}};
  CHECK((compensation_from_loads(loads) - 0.5 * Eigen::Matrix3d::Identity()).norm() < 1e-14);
  for (std::size_t k = 1; k < 6; ++k) {
    auto uneven_loads = loads, nan_loads = loads;
    uneven_loads[k].pop_back();
    nan_loads[k][2] = kNan;
    require_refused({{"loads", [&] { compensation_from_loads(uneven_loads); }, "columns of 4 and of 3 rows"},
                     {"loads", [&] { compensation_from_loads(nan_loads); }, "row 3"}});
  }
  const std::vector<std::vector<double>> empty(6);
  require_refused({{"loads", [&] { compensation_from_loads(empty); }, "three directions"},
                   {"loads", [&] { compensation_from_loads({}); }, "expected six"}});

  const std::vector<FilterSection> sections = butterworth_lowpass(2, 0.1), unstable = {{1, 0, 0, 0, 1.5}},
                                   not_finite = {{kNan, 0, 0, 0, 0}};
  std::vector<double> signal = angle;
  require_refused({{"filter", [&] { filter_zero_phase(sections, bad); }, "row 8"},
                   {"filter", [&] { filter_zero_phase(unstable, signal); }, "not stable"},
                   {"filter", [&] { filter_zero_phase(not_finite, signal); }, "not stable"},
                   {"order", [] { butterworth_lowpass(0, 0.1); }, "order"}});
  require_refused(
      "cutoff", kNotPositive, [](double x) { butterworth_lowpass(2, x); }, "cutoff");
}

TEST_CASE("options of folding, fits and models out of range") {
  const auto with = [](auto SignalOptions::*member, auto value) {
    SignalOptions options;
    options.*member = value;
    return folded(options);
  };
  require_refused(
      "offset", kNotFinite, [&](double x) { with(&SignalOptions::offset, x); }, "offset");
  require_refused(
      "misalignment", kNotFinite, [&](double x) { with(&SignalOptions::misalignment, x); }, "misalignment");
  require_refused(
      "lowpass", kNotFinite, [&](double x) { with(&SignalOptions::lowpass, x); }, "low-pass");
  require_refused(
      "outliers", std::array{kNan, -1.0}, [&](double x) { with(&SignalOptions::outliers, x); }, "outliers");
  FoldedSignals signals = folded();
  const FlowModel model = make_flow_model({});
  FlowFit fit = fit_flow(signals, model, {.bootstrap = 0});
  FoldedSignals none, spoilt = signals;
  spoilt.bins[3].radial = kNan;
  ChoiceOptions no_orders;
  no_orders.orders.clear();
  FlowFit no_fit = fit;
  no_fit.free.resize(0);
  require_refused(
      {{"bins", [&] { with(&SignalOptions::bins, -1); }, "bins"},
       {"bins", [&] { with(&SignalOptions::bins, 2'000'000'000); }, "bins"},
       {"sense", [&] { with(&SignalOptions::sense, 2); }, "sense"},
       {"shift", [&] { shift_angle(signals, kNan); }, "shift"},
       {"turn", [&] { turn_forces(signals, kInf); }, "turn"},
       {"no bins", [&] { fit_flow(none, model); }, "too few"},
       {"bad bin", [&] { fit_flow(spoilt, model); }, "not finite"},
       {"robust", [&] { fit_flow(signals, model, {.robust = kNan}); }, "robust"},
       {"robust", [&] { fit_flow(signals, model, {.robust = -1}); }, "robust"},
       {"bootstrap", [&] { fit_flow(signals, model, {.bootstrap = -1}); }, "bootstrap"},
       {"sets", [&] { sets_from_data(none, fit); }, "bins"},
       {"sets", [&] { sets_from_data(signals, no_fit); }, "parameters"},
       {"harmonics", [&] { flow_harmonics(none.bins, 8); }, "harmonics"},
       {"harmonics", [&] { flow_harmonics(signals.bins, 0); }, "harmonics"},
       {"harmonics", [&] { test_associated(signals, -1); }, "harmonics"},
       {"orders", [&] { choose_model(signals, no_orders); }, "orders"},
       {"order", [] { fourier_reservoir(-1); }, "order"},
       {"order", [] { series_direction(0); }, "order"},
       {"pieces", [] { spline_reservoir(3); }, "pieces"},
       {"order", [] { make_flow_model({.reservoir = ReservoirKind::fourier, .order = -2}); }, "order"},
       {"angle", [] { make_flow_model({.axes = AxesKind::fixed, .angle = kNan}); }, "angle"},
       {"null", [] { FlowModel("own", nullptr, superellipse_direction(), {}, {}); }, "null"},
       {"map", [] { FlowModel("own", superellipse_reservoir(), superellipse_direction(), Eigen::MatrixXd(2, 2), {}); },
        "parameters"},
       {"points",
        [] {
          convex_smoothing(std::vector<Vec2>{{1, 0}, {0, 1}, {-1, kNan}});
        },
        "not finite"},
       {"points", [] { convex_smoothing({}); }, "three points"}});
  require_refused("crosstalk", std::array{kNan, kInf, 1.0, -0.5}, crosstalk_compensation, "crosstalk");
  require_refused(
      "normal noise", kNotFinite, [](double x) { simulate_tribometer(isotropic(0.3), {.normal_noise = x}); }, "noise");
}

TEST_CASE("paths, pulls, rates and events refuse what they cannot use") {
  const SlidingPath good = path();
  const FrictionLaw law = isotropic(0.4);
  const std::vector<double> falling = {0, 0.2, 0.1}, negative = {-0.1, 0}, bad = {0, kNan}, three = {1, 2, 3};
  SlidingPath unequal = good, repeated = good, spoilt = good;
  unequal.position.pop_back();
  repeated.time[4] = repeated.time[3];
  spoilt.position[2].x() = kInf;
  require_refused({{"path", [&] { require_valid(unequal); }, "as many"},
                   {"path", [&] { require_valid(repeated); }, "row 5"},
                   {"path", [&] { require_valid(spoilt); }, "row 3"},
                   {"window", [&] { smooth_path(good, -1); }, "window"},
                   {"window", [&] { smooth_path(good, kNan); }, "window"},
                   {"times",
                    [&] {
                      slide_positions(law, {1, 0}, falling);
                    },
                    "time 3"},
                   {"times",
                    [&] {
                      slide_positions(law, {1, 0}, negative);
                    },
                    "time 1"},
                   {"times",
                    [&] {
                      slide_positions(law, {1, 0}, bad);
                    },
                    "time 2"},
                   {"velocity",
                    [&] {
                      slide_positions(law, {1, kNan}, three);
                    },
                    "velocity"},
                   {"steps",
                    [&] {
                      slide_positions(law, {1, 0}, three, {.most_steps = 0});
                    },
                    "steps"},
                   {"gravity",
                    [&] {
                      slide_positions(law, {1, 0}, three, {.gravity = -1});
                    },
                    "gravity"},
                   {"names", [&] { identify_paths({}, {good}, {}, std::nullopt, {}); }, "names"},
                   {"no path", [] { fit_paths({}); }, "no sliding path"},
                   {"ratio", [] { modelled_pull_angle(0.1, kNan); }, "ratio"},
                   {"alpha", [] { modelled_pull_angle(kNan, 1); }, "orientation"},
                   {"ratio", [] { stiffness_ratio(-1, 1, 1); }, "ratio"},
                   {"mean",
                    [] {
                      estimate_of(std::vector<double>{1, kNan});
                    },
                    "not finite"},
                   {"LuGre",
                    [&] {
                      lugre_response(three, bad, 0.3, {1, 1}, {100});
                    },
                    "3 times and 2 velocities"},
                   {"events", [] { identify_stick_slip({}, {}, {.stiffness = 1, .speed = 1, .weight = 1}); }, "50"}});
  require_refused("maximum", kNotFinite, ratio_from_maximum, "angle");
  require_refused(
      "normal force", kNotPositive, [](double x) { friction_from_forces(1, 0, x); }, "normal force");
}

TEST_CASE("friction of the sign opposite to the velocity is refused, with the remedy; of the same sign it is fitted") {
  std::vector<double> time, velocity, friction, opposite;
  const Stribeck curve{1.5, 0.05, 0.2};
  for (int i = 0; i < 200; ++i) {
    time.push_back(0.01 * i);
    velocity.push_back(0.4 * std::sin(0.05 * i + 0.01));
    friction.push_back(stribeck_friction(velocity.back(), 0.3, curve));
    opposite.push_back(-friction.back());
  }
  const RateFit fit = fit_stribeck(velocity, friction);
  CHECK(fit.friction == near(0.3, 1e-6));
  CHECK(fit.stribeck.static_ratio == near(1.5, 1e-6));
  const std::vector<double> zero(200, 0.0);
  require_refused({{"stribeck", [&] { fit_stribeck(velocity, opposite); }, "friction=-NAME"},
                   {"lugre", [&] { fit_lugre(time, velocity, opposite); }, "friction=-NAME"},
                   {"no friction", [&] { fit_stribeck(velocity, zero); }, "sign of the velocity"}});
  try {
    fit_stribeck(velocity, opposite);
  } catch (const InvalidInput& error) {
    CHECK(error.setting() == "columns");
  }
}
