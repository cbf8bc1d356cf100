// Recovery of known laws from signals of the virtual tribometer.
#include <doctest/doctest.h>

#include <Eigen/LU>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/fourier.hpp"
#include "slipset/identification/model_choice.hpp"
#include "slipset/identification/sets_from_data.hpp"
#include "slipset/identification/virtual_tribometer.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/identification/coverage.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// Table 1 of Walker & Leine 2019, per unit normal force.
FrictionLaw table1(double turned = 0) {
  return FrictionLaw(Superellipse(4.99 / 9.3, 4.25 / 9.3, 2.94), Superellipse(1.84, 1.19, 2.51)).turned(turned);
}

double value_of(const FlowFit& fit, const std::string& name) {
  for (const FittedParameter& p : fit.parameters)
    if (p.name == name) return p.value;
  FAIL("no parameter ", name);
  return NAN;
}

FoldedSignals folded(const FrictionLaw& law, const TribometerOptions& machine, const SignalOptions& options = {}) {
  PinRecord record = simulate_tribometer(law, machine);
  return fold(record, options);
}

TribometerOptions exact(double revolutions = 1, int samples = 3600) {
  TribometerOptions o;
  o.noise = 0;
  o.revolutions = revolutions;
  o.samples = samples;
  return o;
}

}  // namespace

TEST_CASE("signals without noise give back the parameters to 1e-6, and close to 1e-8") {
  for (const double turned : {0.0, 12.345, -31.7}) {
    const FoldedSignals signals = folded(table1(radians(turned)), exact());
    CHECK(signals.bins.size() == 3600);
    const FlowFit fit = fit_flow(signals, make_flow_model({}));
    CHECK(fit.converged);
    INFO("turned by ", turned);
    CHECK(std::abs(value_of(fit, "reservoir.semi_axes.1") / (4.99 / 9.3) - 1) < 1e-6);
    CHECK(std::abs(value_of(fit, "reservoir.semi_axes.2") / (4.25 / 9.3) - 1) < 1e-6);
    CHECK(std::abs(value_of(fit, "reservoir.exponent") / 2.94 - 1) < 1e-6);
    CHECK(std::abs(value_of(fit, "direction.axis_ratio") / (1.84 / 1.19) - 1) < 1e-6);
    CHECK(std::abs(value_of(fit, "direction.exponent") / 2.51 - 1) < 1e-6);
    CHECK(std::abs(value_of(fit, "reservoir.angle") - turned) < 1e-5);
    const SetsFromData sets = sets_from_data(signals, fit);
    show_worst("closure", "Table 1", std::abs(sets.closure));
    CHECK(std::abs(sets.closure) < 1e-8);
    CHECK(sets.convex);
    // The points lie on the boundaries of the true sets; D of any scale.
    const FrictionLaw law = table1(radians(turned));
    const double scale = law.direction().gauge(sets.points[0].direction);
    Worst off;
    double counted = 0, folded_samples = 0;
    for (const FoldedBin& bin : signals.bins) folded_samples += bin.count;
    for (const DataPoint& p : sets.points) {
      counted += p.count;
      off.add(std::abs(law.reservoir().gauge(p.reservoir) - 1));
      off.add(std::abs(law.direction().gauge(p.direction) / scale - 1));
    }
    CHECK(off.value() < 1e-3);  // five bins are joined to one point
    CHECK(counted == folded_samples);
  }
}

TEST_CASE("1 % noise, 20 revolutions: the true parameters are inside the 95 % intervals in 95 of 100 cases") {
  const int runs = repetitions(40);
  const std::vector<std::pair<std::string, double>> truth = {
      {"reservoir.semi_axes.1", 4.99 / 9.3}, {"reservoir.semi_axes.2", 4.25 / 9.3},
      {"reservoir.exponent", 2.94},          {"reservoir.angle", 12.3},
      {"direction.axis_ratio", 1.84 / 1.19}, {"direction.exponent", 2.51}};
  std::vector<int> held(truth.size(), 0);
  std::vector<double> spread(truth.size(), 0.0), stated(truth.size(), 0.0);
  int closed = 0, rejected = 0;
  const FrictionLaw law = table1(radians(12.3));
  for (int i = 0; i < runs; ++i) {
    TribometerOptions machine;
    machine.samples = 720;
    machine.seed = 1000 + static_cast<unsigned>(i);
    const FoldedSignals signals = folded(law, machine);
    FitOptions options;
    options.bootstrap = 0;
    const FlowFit fit = fit_flow(signals, make_flow_model({}), options);
    CHECK(fit.covariance_kind == "white noise");
    for (std::size_t k = 0; k < truth.size(); ++k)
      for (const FittedParameter& p : fit.parameters)
        if (p.name == truth[k].first) {
          REQUIRE(p.low);
          held[k] += *p.low <= truth[k].second && truth[k].second <= *p.high;
          spread[k] += std::pow(p.value - truth[k].second, 2) / runs;
          stated[k] += *p.sigma * *p.sigma / runs;
        }
    closed += sets_from_data(signals, fit).closure_p_value > 0.05;
    rejected += test_associated(signals).p_value < 0.05;
  }
  // Four standard deviations of a binomial about 95 %; with 400 runs the bar itself.
  const double least = runs >= 400 ? 0.93 : 0.95 - 4 * std::sqrt(0.0475 / runs);
  for (std::size_t k = 0; k < truth.size(); ++k) {
    show_worst(truth[k].first, "part held by the 95 % interval", static_cast<double>(held[k]) / runs);
    CHECK(held[k] >= least * runs);
    if (runs >= 400) CHECK(held[k] <= 0.97 * runs);
    CHECK(std::abs(std::sqrt(spread[k] / stated[k]) - 1) < (runs >= 40 ? 0.45 : 0.9));
  }
  show_worst("closure", "part not rejected at 5 %", static_cast<double>(closed) / runs);
  CHECK(closed >= least * runs);
  CHECK(rejected == runs);  // Table 1 is not associated
}

TEST_CASE("an isotropic record is a circle and keeps the associated law at the nominal rate") {
  const int runs = repetitions(100);
  int rejected = 0, circles = 0;
  for (int i = 0; i < runs; ++i) {
    TribometerOptions machine;
    machine.samples = 360;
    machine.seed = 5000 + static_cast<unsigned>(i);
    const FoldedSignals signals = folded(isotropic(0.14), machine);
    rejected += test_associated(signals).p_value < 0.05;
    if (i % 10 != 0) continue;
    ChoiceOptions options;
    options.fit.bootstrap = 0;
    options.orders = {4};
    const ModelChoice choice = choose_model(signals, options);
    const FlowFit& best = choice.fits[choice.best];
    ++circles;
    CHECK(best.model.name().starts_with("disk"));
    if (best.parameters.size() != 1) continue;
    CHECK(std::abs(best.parameters[0].value - 0.14) < 5 * *best.parameters[0].sigma);
  }
  show_worst("associated law", "part rejected at 5 %", static_cast<double>(rejected) / runs);
  if (runs >= 400) {
    CHECK(rejected >= 0.03 * runs);
    CHECK(rejected <= 0.07 * runs);
  } else {
    CHECK(rejected <= 0.05 * runs + 4 * std::sqrt(0.0475 * runs));
  }
  CHECK(circles > 0);
}

TEST_CASE("faults of the machine are found or do no harm: reversal, wobble, crosstalk, spikes, misalignment, offset") {
  const FrictionLaw law = table1();
  const auto check_parameters = [&](const FoldedSignals& signals, double tolerance) {
    const FlowFit fit = fit_flow(signals, make_flow_model({}));
    CHECK(std::abs(value_of(fit, "reservoir.semi_axes.1") / (4.99 / 9.3) - 1) < tolerance);
    CHECK(std::abs(value_of(fit, "reservoir.semi_axes.2") / (4.25 / 9.3) - 1) < tolerance);
    CHECK(std::abs(value_of(fit, "direction.axis_ratio") / (1.84 / 1.19) - 1) < 3 * tolerance);
    return fit;
  };
  {  // The disk turns the other way: the pin slides against the tangential axis.
    PinRecord record = simulate_tribometer(law, exact(2));
    std::reverse(record.angle.begin(), record.angle.end());
    for (auto* force : {&record.tangential, &record.radial, &record.normal}) std::reverse(force->begin(), force->end());
    for (std::size_t i = 0; i < record.size(); ++i) {
      record.angle[i] += kPi;  // slip along φ is slip against the axis at φ + π
      record.tangential[i] *= -1;
      record.radial[i] *= -1;
    }
    const FoldedSignals signals = fold(record);
    CHECK(signals.reversed);
    check_parameters(signals, 1e-6);
  }
  {  // A normal force that varies by 20 %: friction follows it.
    TribometerOptions machine = exact(3);
    machine.wobble = 0.2;
    const FoldedSignals signals = folded(law, machine);
    CHECK(std::abs(signals.normal_variation - 0.2 / std::sqrt(2.0)) < 1e-3);
    check_parameters(signals, 1e-6);
  }
  {  // Crosstalk, undone by the matrix from known loads.
    TribometerOptions machine = exact(1);
    machine.crosstalk = 0.05;
    PinRecord record = simulate_tribometer(law, machine);
    PinRecord raw = record;
    const Eigen::Matrix3d sensor = crosstalk_compensation(0.05).inverse();
    std::vector<std::vector<double>> loads(6);
    for (const Eigen::Vector3d& load :
         {Eigen::Vector3d(5, 0, 0), Eigen::Vector3d(0, 5, 0), Eigen::Vector3d(0, 0, 9), Eigen::Vector3d(1, 2, 3)}) {
      const Eigen::Vector3d reading = sensor * load;
      for (Eigen::Index k = 0; k < 3; ++k) {
        loads[static_cast<std::size_t>(k)].push_back(load[k]);
        loads[static_cast<std::size_t>(k) + 3].push_back(reading[k]);
      }
    }
    const Eigen::Matrix3d matrix = compensation_from_loads(loads);
    CHECK((matrix - crosstalk_compensation(0.05)).norm() < 1e-12);
    compensate(record, matrix);
    check_parameters(fold(record), 1e-6);
    const FlowFit wrong = fit_flow(fold(raw), make_flow_model({}));
    CHECK(std::abs(value_of(wrong, "reservoir.semi_axes.1") / (4.99 / 9.3) - 1) > 1e-3);  // it matters
    loads.pop_back();
    CHECK_THROWS_AS(compensation_from_loads(loads), InvalidInput);
  }
  {  // One sample in a hundred is a spike.
    TribometerOptions machine;
    machine.outliers = 0.01;
    const FoldedSignals signals = folded(law, machine);
    CHECK(std::abs(static_cast<double>(signals.rejected) / static_cast<double>(signals.samples) - 0.01) < 0.002);
    check_parameters(signals, 1e-3);
    CHECK(std::abs(signals.noise_radial - 0.01 * 0.52) < 0.001);
  }
  {  // A sensor that is turned by half a degree: D does not close, and the angle is found.
    TribometerOptions machine;
    machine.misalignment = radians(0.5);
    FoldedSignals signals = folded(law, machine);
    const SetsFromData sets = sets_from_data(signals, fit_flow(signals, make_flow_model({})));
    CHECK(sets.closure_p_value < 1e-6);
    CHECK(std::abs(degrees(sets.misalignment) - 0.5) < 5 * degrees(sets.misalignment_sigma) + 0.002);
    turn_forces(signals, -sets.misalignment);
    check_parameters(signals, 1e-3);
  }
  {  // The frame's offset, given and not.
    TribometerOptions machine = exact(1);
    machine.offset = radians(20);
    SignalOptions given;
    given.offset = radians(20);
    const FlowFit right = check_parameters(folded(law, machine, given), 1e-6);
    CHECK(std::abs(value_of(right, "reservoir.angle")) < 1e-5);
    FoldedSignals signals = folded(law, machine);
    const FlowFit off = check_parameters(signals, 1e-6);
    CHECK(std::abs(value_of(off, "reservoir.angle") + 20) < 1e-5);
    shift_angle(signals, radians(20));
    CHECK(std::abs(value_of(fit_flow(signals, make_flow_model({})), "reservoir.angle")) < 1e-5);
  }
  {  // The angle counts the other way.
    PinRecord record = simulate_tribometer(law, exact(2));
    for (double& a : record.angle) a = -a;
    PinRecord copy = record;
    const FoldedSignals naive = fold(copy);
    CHECK(naive.sense_correlation < -0.9);
    CHECK(naive.warnings.size() == 1);
    SignalOptions automatic;
    automatic.sense = 0;
    const FoldedSignals signals = fold(record, automatic);
    CHECK(signals.sense == -1);
    check_parameters(signals, 1e-6);
  }
}

TEST_CASE("correlated noise: blocks of revolutions tell it, and the intervals hold") {
  const int runs = repetitions(20);
  int held = 0;
  double spread = 0, stated = 0;
  for (int i = 0; i < runs; ++i) {
    TribometerOptions machine;
    machine.samples = 360;
    machine.revolutions = 40;
    machine.correlation = 0.9;
    machine.seed = 9000 + static_cast<unsigned>(i);
    FitOptions options;
    options.bootstrap = 0;
    const FlowFit fit = fit_flow(folded(table1(), machine), make_flow_model({}), options);
    CHECK(fit.covariance_kind == "blocks of revolutions");
    for (const FittedParameter& p : fit.parameters)
      if (p.name == "reservoir.semi_axes.1") {
        held += *p.low <= 4.99 / 9.3 && 4.99 / 9.3 <= *p.high;
        spread += std::pow(p.value - 4.99 / 9.3, 2) / runs;
        stated += *p.sigma * *p.sigma / runs;
      }
  }
  CHECK(held >= (0.95 - 4 * std::sqrt(0.0475 / runs)) * runs);
  CHECK(std::abs(std::sqrt(spread / stated) - 1) < 0.8);
}

TEST_CASE("records that cannot be used are refused with what to do") {
  const PinRecord good = simulate_tribometer(table1(), exact(2, 360));
  const auto message = [](PinRecord record) -> std::string {
    try {
      fold(record);
      return "";
    } catch (const InvalidInput& error) {
      return error.what() + (error.setting().empty() ? "" : "; setting: " + error.setting());
    }
  };
  CHECK(message(good).empty());
  PinRecord r = good;
  for (std::size_t i = 300; i < 420; ++i) r.angle[i] = r.angle[300] - 0.01 * static_cast<double>(i - 300);
  CHECK(message(r).find("not monotone") != std::string::npos);
  r = good;
  for (auto* column : {&r.angle, &r.tangential, &r.radial, &r.normal}) column->resize(300);
  CHECK(message(r).find("less than one") != std::string::npos);
  r = good;
  std::fill(r.normal.begin(), r.normal.end(), 0.0);
  CHECK(message(r).find("normal force is zero") != std::string::npos);
  r = good;
  for (double& f : r.tangential) f -= 4.9;  // the amplifier's zero
  CHECK(message(r).find("does not oppose the slip") != std::string::npos);
  r = good;
  r.normal.clear();
  CHECK(message(r).find("setting: normal force") != std::string::npos);
}

// The derivatives of every model against central differences.
TEST_CASE("I.5 to I.8: derivatives of the flow models") {
  Random random(11);
  for (const ReservoirKind c : {ReservoirKind::disk, ReservoirKind::ellipse, ReservoirKind::superellipse,
                                ReservoirKind::fourier, ReservoirKind::spline})
    for (const DirectionKind d : {DirectionKind::disk, DirectionKind::ellipse, DirectionKind::superellipse,
                                  DirectionKind::series, DirectionKind::associated}) {
      if (d == DirectionKind::associated && c >= ReservoirKind::fourier) {
        CHECK_THROWS_AS(make_flow_model({c, d}), InvalidInput);
        continue;
      }
      const FlowModel model = make_flow_model({c, d, AxesKind::separate, 0, 3});
      Worst worst;
      for (int i = 0; i < 40; ++i) {
        Eigen::VectorXd p(model.size());
        for (Eigen::Index k = 0; k < p.size(); ++k) p[k] = random.uniform(-0.1, 0.1);
        for (const NamedParameter& named : model.parameters(p))
          if (named.name.ends_with("exponent")) p[named.index] = random.uniform(1.4, 4);
        const double phi = random.uniform(0, 2 * kPi);
        Eigen::Matrix2Xd exact_derivatives;
        model.evaluate(phi, p, &exact_derivatives);
        for (Eigen::Index k = 0; k < p.size(); ++k) {
          Eigen::VectorXd above = p, below = p;
          above[k] += 1e-6;
          below[k] -= 1e-6;
          const Vec2 numeric = (model.evaluate(phi, above) - model.evaluate(phi, below)) / 2e-6;
          const double size = 1 + exact_derivatives.col(k).norm();
          if (size < 50) worst.add((numeric - Vec2(exact_derivatives.col(k))).norm() / size);
        }
      }
      INFO(model.name());
      CHECK(worst.value() < 1e-5);
    }
}

// The flow of the model is that of the library's law with the model's sets: a second way to the same numbers.
TEST_CASE("I.5 the models' flow is slip_resistance of their sets") {
  Random random(12);
  for (int i = 0; i < 200; ++i) {
    const FlowModel model =
        make_flow_model({ReservoirKind::superellipse, DirectionKind::superellipse, AxesKind::separate});
    Eigen::VectorXd p(model.size());
    for (Eigen::Index k = 0; k < p.size(); ++k) p[k] = random.uniform(-1, 1);
    for (const NamedParameter& named : model.parameters(p))
      if (named.name.ends_with("exponent")) p[named.index] = random.uniform(1.2, 6);
    const FrictionLaw law(model.reservoir(p), model.direction(p));
    const double phi = random.uniform(0, 2 * kPi);
    const Vec2 n = unit(phi), s = slip_resistance(law, n), m = model.evaluate(phi, p);
    CHECK((Vec2(s.dot(n), cross(n, s)) - m).norm() < 1e-10 * s.norm());
  }
  for (const ReservoirKind c : {ReservoirKind::fourier, ReservoirKind::spline}) {
    const FlowModel model = make_flow_model({c, DirectionKind::series, AxesKind::common, 0, 3});
    Eigen::VectorXd p(model.size());
    for (Eigen::Index k = 0; k < p.size(); ++k) p[k] = random.uniform(-0.02, 0.02);
    const FrictionLaw law(model.reservoir(p), model.direction(p));
    for (int i = 0; i < 20; ++i) {
      const double phi = random.uniform(0, 2 * kPi);
      const Vec2 n = unit(phi), s = slip_resistance(law, n), m = model.evaluate(phi, p);
      CHECK((Vec2(s.dot(n), cross(n, s)) - m).norm() < 1e-3 * s.norm());  // splines through 72 points
    }
  }
}

TEST_CASE("I.11 smoothing keeps convexity, and a dent is filled") {
  std::vector<Vec2> points;
  for (int i = 0; i < 200; ++i) {
    const double a = 2 * kPi * i / 200;
    points.push_back((1 + 0.3 * std::cos(2 * a) - 0.2 * std::exp(-50 * std::pow(a - 1, 2))) * unit(a));
  }
  for (const int order : {4, 8, 16, 32}) {
    const PolarCurve curve = convex_smoothing(points, order);
    CHECK(curve.is_convex());
  }
  // A disk stays one: Fejér's kernel has the mean 1.
  std::vector<Vec2> circle;
  for (int i = 0; i < 2000; ++i) circle.push_back(2 * unit(2 * kPi * i / 2000));
  const PolarCurve disk = convex_smoothing(circle, 12);
  for (int i = 0; i < 20; ++i) CHECK(std::abs(disk.radius(0.3 * i) - 2) < 1e-5);
}

TEST_CASE("model choice: BIC takes the shapes that made the signals") {
  const std::vector<std::pair<FrictionLaw, std::string>> cases = {
      {associated(Ellipse(0.5, 0.4)), "ellipse + associated"},
      {collinear(Superellipse(0.5, 0.4, 3)), "superellipse + disk"},
      {table1(), "superellipse + superellipse"}};
  for (const auto& [law, name] : cases) {
    TribometerOptions machine;
    machine.samples = 360;
    const FoldedSignals signals = folded(law, machine);
    ChoiceOptions options;
    options.orders = {4};
    const ModelChoice choice = choose_model(signals, options);
    CHECK(choice.fits[choice.best].model.name() == name);
    CHECK((test_associated(signals).p_value > 0.01) == (name == "ellipse + associated"));
  }
}
