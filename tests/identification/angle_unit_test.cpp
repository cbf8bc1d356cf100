// Units, signs and drifts that the record itself tells, or must not be guessed.
#include "slipset/identification/angle_unit.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/pin_on_disk.hpp"
#include "slipset/identification/virtual_tribometer.hpp"

using namespace slipset;

namespace {

const FrictionLaw kDisk(Disk(0.42), Disk(0.42)), kEllipse(Ellipse(0.5, 0.35, 0.3), Ellipse(0.5, 0.35, 0.3));

PinRecord record_of(const FrictionLaw& law, double revolutions, int samples = 360, double noise = 0.02) {
  TribometerOptions machine;
  machine.revolutions = revolutions;
  machine.samples = samples;
  machine.noise = noise;
  return simulate_tribometer(law, machine);
}

// The record's angle as a file of this unit would have it.
AngleUnit told(const PinRecord& record, double per_radian, double wrapped_at = 0) {
  std::vector<double> angle = record.angle;
  for (double& a : angle) {
    a *= per_radian;
    if (wrapped_at > 0) a -= wrapped_at * std::floor(a / wrapped_at);
  }
  return tell_angle_unit(angle, record.tangential, record.radial);
}

}  // namespace

TEST_CASE("A15 angle units: the forces repeat every turn, and tell which number a turn is") {
  const double degree = 180 / kPi;
  for (const double noise : {0.0, 0.02, 0.5}) {
    INFO("noise ", noise);
    // 80 revolutions in radians have the numbers of 1.4 revolutions in degrees.
    CHECK(told(record_of(kEllipse, 80, 200, noise), 1).unit == "rad");
    CHECK(told(record_of(kEllipse, 20, 360, noise), degree).unit == "deg");
    CHECK(told(record_of(kEllipse, 20, 360, noise), 1 / (2 * kPi)).unit == "rev");
    CHECK(told(record_of(kEllipse, 20, 360, noise), 200 / kPi).unit == "gon");
  }
  const AngleUnit whole = told(record_of(kEllipse, 1, 720), degree);
  CHECK(whole.unit == "deg");
  CHECK(std::abs(whole.factor * 180 / kPi - 1) < 1e-15);
  // A drift is no long period.
  PinRecord drifting = record_of(kEllipse, 80, 200);
  for (std::size_t i = 0; i < drifting.size(); ++i) drifting.tangential[i] += 1e-4 * static_cast<double>(i);
  CHECK(told(drifting, 1).unit == "rad");
}

TEST_CASE("A15 angle units: a column that jumps tells it at once") {
  const PinRecord record = record_of(kDisk, 5);
  CHECK(told(record, 180 / kPi, 360).unit == "deg");
  CHECK(told(record, 1, 2 * kPi).unit == "rad");
  CHECK(told(record, -1, 2 * kPi).unit == "rad");
  CHECK(told(record, 1 / (2 * kPi), 1).unit == "rev");
  CHECK(told(record, 200 / kPi, 400).unit == "gon");
  CHECK(told(record, 1, 4.5).unit.empty());
}

TEST_CASE("A15 angle units: what the record does not tell is left open") {
  CHECK(told(record_of(kDisk, 80, 200), 1).unit.empty());                  // the same in every direction
  CHECK(told(record_of(kEllipse, 1.4, 720), 180 / kPi).unit.empty());      // or 1.26 turns in gon
  CHECK(told(record_of(kEllipse, 1.1, 720), 1).unit.empty());              // or 7 degrees
  CHECK(told(record_of(kEllipse, 0.4, 720), 180 / kPi).unit.empty());      // or 23 turns in radians
  CHECK(told(record_of(kEllipse, 30, 360), 60 * 180 / kPi).unit.empty());  // minutes of arc
}

// A17: an amplifier that drifts from 0 to 0.4 N.
TEST_CASE("A17 a drift is removed exactly, about the time when the zero was right; its mean is an offset") {
  const auto drifting = [](double revolutions) {
    PinRecord record = record_of(kEllipse, revolutions, 720, 0);
    for (std::size_t i = 0; i < record.size(); ++i)
      record.tangential[i] += 0.4 * static_cast<double>(i) / static_cast<double>(record.size() - 1);
    return record;
  };
  // The force varies by itself: also over a part of a turn the drift is found.
  for (const double revolutions : {2.0, 5.37, 20.0}) {
    PinRecord record = drifting(revolutions);
    const PinRecord truth = record_of(kEllipse, revolutions, 720, 0);
    const double drift = remove_drift(record.tangential, record.angle, ZeroAt::start);
    INFO(revolutions, " revolutions: ", drift);
    CHECK(std::abs(drift - 0.4) < 1e-3);
    double worst = 0;
    for (std::size_t i = 0; i < record.size(); ++i) worst += std::abs(record.tangential[i] - truth.tangential[i]);
    CHECK(worst / static_cast<double>(record.size()) < 1e-3);
  }
  PinRecord two = drifting(20), three = two;
  remove_drift(two.tangential, two.angle, ZeroAt::end);
  remove_drift(three.tangential, three.angle, ZeroAt::unknown);
  CHECK(std::abs(two.tangential.back() - drifting(20).tangential.back()) < 1e-12);
  CHECK(std::abs(three.tangential[0] - two.tangential[0] + 0.2) < 1e-3);
  PinRecord few = drifting(1.5);
  CHECK_THROWS_WITH_AS(drift_of(few.tangential, few.angle), doctest::Contains("needs two or more"), InvalidInput);
}

TEST_CASE("A17 a drift that is left, and one whose zero is not known, are warned of") {
  const auto warnings = [](bool detrend, ZeroAt zero) {
    PinRecord record = record_of(kDisk, 20, 360, 0.01);
    for (std::size_t i = 0; i < record.size(); ++i)
      record.tangential[i] += 0.4 * static_cast<double>(i) / static_cast<double>(record.size() - 1);
    SignalOptions options;
    options.detrend = detrend;
    options.zero_at = zero;
    const FoldedSignals signals = fold(record, options);
    double mean = 0;
    for (const FoldedBin& b : signals.bins) mean += b.tangential / static_cast<double>(signals.bins.size());
    return std::pair(signals.warnings, mean);
  };
  const double offset = 0.2 / TribometerOptions{}.normal_force;
  const auto [left, left_mean] = warnings(false, ZeroAt::unknown);
  REQUIRE(left.size() == 1);
  const std::string begin = "the forces drift, by ";
  REQUIRE(left[0].text.find(begin) == 0);
  CHECK(std::abs(std::stod(left[0].text.substr(begin.size())) - 0.4) < 0.01);
  const auto [middle, middle_mean] = warnings(true, ZeroAt::unknown);
  REQUIRE(middle.size() == 1);
  CHECK(middle[0].setting == "zero");
  CHECK(std::abs(middle_mean - 0.42 - offset) < 1e-3);
  const auto [start, start_mean] = warnings(true, ZeroAt::start);
  CHECK(start.empty());
  CHECK(std::abs(start_mean - 0.42) < 1e-3);
  PinRecord still = record_of(kDisk, 20, 360, 0.01);
  CHECK(fold(still).warnings.empty());
}

TEST_CASE("A17 a set that does not close: the zero of the radial force is named, with its size") {
  PinRecord record = record_of(kEllipse, 20, 720, 0.005);
  for (double& r : record.radial) r += 0.15;
  FoldedSignals signals = fold(record);
  const SetsFromData sets = sets_from_data(signals, fit_flow(signals, make_flow_model({})));
  CHECK(sets.closure_p_value < 1e-6);
  const std::string begin = "zero of the radial force is off or drifts (an offset of ";
  const std::size_t at = sets.verdict.find(begin);
  REQUIRE(at != std::string::npos);
  CHECK(std::abs(std::stod(sets.verdict.substr(at + begin.size())) - 0.15) < 0.01);
}

// A16: with the radial axis to the other side the right law comes from its negative; sense -1 gives the mirror image.
TEST_CASE("A16 a radial force of the wrong sign: both causes are named, with what each gives") {
  const auto angle_of = [](double radial_sign, int sense) {
    PinRecord record = record_of(kEllipse, 10, 360, 0.001);
    for (double& r : record.radial) r *= -radial_sign;
    PinOptions options;
    options.signals.sense = sense;
    options.fit.bootstrap = 0;
    options.model.reservoir = ReservoirKind::ellipse;
    const PinIdentification result = identify_pin(std::move(record), options);
    for (const FittedParameter& p : result.fit.parameters)
      if (p.name == "reservoir.angle") return std::pair(p.value, result.warnings);
    return std::pair(std::nan(""), result.warnings);
  };
  const auto [right, none] = angle_of(-1, 1);
  CHECK(std::abs(right - degrees(0.3)) < 0.2);
  const auto [mirrored, chosen] = angle_of(1, 0);
  CHECK(std::abs(mirrored + degrees(0.3)) < 0.2);
  REQUIRE_FALSE(chosen.empty());
  CHECK(chosen[0].text.find("sense -1 was chosen") == 0);
  PinRecord record = record_of(kEllipse, 10, 360, 0.001);
  for (double& r : record.radial) r = -r;
  const FoldedSignals signals = fold(record);
  REQUIRE(signals.warnings.size() == 1);
  CHECK(signals.warnings[0].setting == "radial sign");
  CHECK(signals.warnings[0].text.find("mirror images") != std::string::npos);
}

// D: forwards and back in one record; a zero offset keeps its sign and shows.
TEST_CASE("both directions of rotation: the law of one direction, and the sensor's zero") {
  // The motion to and fro in four parts. The slip points the other way where the disk turns back; the readings there are
  // those of the law at φ + 180°, with their signs changed.
  PinRecord both;
  const double offset_t = 0.3, offset_r = -0.2;
  const FrictionLaw& law = kEllipse;
  const double normal = 10;
  const auto add = [&](double angle, double direction) {
    const Vec2 slip = direction * unit(angle), left(-unit(angle).y(), unit(angle).x());
    const Vec2 resistance = slip_resistance(law.reservoir(), law.direction(), slip) * normal;
    both.angle.push_back(angle);
    both.tangential.push_back(resistance.dot(unit(angle)) + offset_t);
    both.radial.push_back(resistance.dot(left) + offset_r);
    both.normal.push_back(normal);
  };
  double angle = 0.4;
  for (const double turns : {2.3, -1.7, 1.2, -1.3}) {
    const int steps = static_cast<int>(std::abs(turns) * 720);
    for (int i = 0; i < steps; ++i) add(angle += 2 * kPi * turns / steps, turns > 0 ? 1 : -1);
  }
  PinRecord copy = both;
  const Directions d = join_directions(copy);
  CHECK(d.reversals == 3);
  CHECK(std::abs(d.offset_tangential - offset_t) < 1e-3);
  CHECK(std::abs(d.offset_radial - offset_r) < 1e-3);
  CHECK(copy.size() + d.left_out == both.size());
  double worst = 0;
  for (std::size_t i = 0; i < copy.size(); ++i) {
    const Vec2 slip = unit(copy.angle[i]), left(-slip.y(), slip.x()),
               truth = slip_resistance(law.reservoir(), law.direction(), slip) * normal;
    worst += std::abs(copy.tangential[i] - truth.dot(slip)) + std::abs(copy.radial[i] - truth.dot(left));
    if (i > 0) CHECK(copy.angle[i] > copy.angle[i - 1]);
  }
  CHECK(worst / static_cast<double>(copy.size()) < 2e-3);
  PinOptions options;
  options.fit.bootstrap = 0;
  options.model.reservoir = ReservoirKind::ellipse;
  const PinIdentification result = identify_pin(both, options);
  CHECK(std::abs(result.reservoir.gauge(0.5 * unit(0.3)) - 1) < 2e-3);
  CHECK(std::abs(result.reservoir.gauge(0.35 * unit(0.3 + kPi / 2)) - 1) < 2e-3);
  PinRecord absolute = both;
  for (double& t : absolute.tangential) t = std::abs(t);
  CHECK_THROWS_WITH_AS(fold(absolute), doctest::Contains("does not change its sign"), InvalidInput);
  SignalOptions filtered;
  filtered.lowpass = 20;
  CHECK_THROWS_WITH_AS(fold(both, filtered), doctest::Contains("both directions"), InvalidInput);
}
