#include "slipset/identification/stick_slip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <numeric>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/statistics.hpp"
#include "slipset/identification/internal/least_squares.hpp"
#include "slipset/identification/internal/turning_fit.hpp"
#include "slipset/identification/rate_fit.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/spring_slider.hpp"

namespace slipset {
namespace {

constexpr std::size_t kReach = 3;  // of the median filter, to both sides

// Spikes away: the median of each sample with its neighbours.
std::vector<double> median_filtered(std::span<const double> y, std::size_t reach) {
  std::vector<double> out(y.size()), window;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t r = std::min({reach, i, y.size() - 1 - i});
    window.assign(y.begin() + static_cast<std::ptrdiff_t>(i - r), y.begin() + static_cast<std::ptrdiff_t>(i + r + 1));
    out[i] = internal::median(window);
  }
  return out;
}

// Least-squares line through samples from a to b, both included.
double slope_of(std::span<const double> t, std::span<const double> y, std::size_t a, std::size_t b) {
  double mt = 0, my = 0, above = 0, below = 0;
  const auto n = static_cast<double>(b - a + 1);
  for (std::size_t i = a; i <= b; ++i) mt += t[i] / n, my += y[i] / n;
  for (std::size_t i = a; i <= b; ++i) above += (t[i] - mt) * (y[i] - my), below += (t[i] - mt) * (t[i] - mt);
  return above / below;
}

struct Turning {
  std::size_t at;
  bool peak;
};

// Peaks and troughs in turn, each at least `prominence` from its neighbours.
std::vector<Turning> turnings_of(std::span<const double> y, double prominence) {
  std::vector<Turning> turnings;
  std::size_t high = 0, low = 0;
  int rising = 0;  // 0: not known yet
  for (std::size_t i = 1; i < y.size(); ++i) {
    if (y[i] > y[high]) high = i;
    if (y[i] < y[low]) low = i;
    if (rising >= 0 && y[i] < y[high] - prominence) {
      turnings.push_back({high, true});
      rising = -1;
      low = i;
    } else if (rising <= 0 && y[i] > y[low] + prominence) {
      turnings.push_back({low, false});
      rising = 1;
      high = i;
    }
    if (rising > 0 && y[i] >= y[high]) high = i;
    if (rising < 0 && y[i] <= y[low]) low = i;
  }
  return turnings;
}

void check(std::span<const double> time, std::span<const double> force, const StickSlipOptions& o) {
  const auto positive = [](double value, const char* option) {
    if (!(value > 0) || !std::isfinite(value))
      throw InvalidInput(fmt::format("stick-slip: {} must be given and positive", option));
  };
  positive(o.stiffness, "the stiffness [N/m]");
  positive(o.speed, "the driving speed [m/s]");
  positive(o.weight, "the weight [N]");
  if (!(o.mass >= 0) || !std::isfinite(o.mass)) throw InvalidInput("stick-slip: the mass [kg] must be positive");
  if (!(o.prominence >= 0) || !std::isfinite(o.prominence))
    throw InvalidInput("stick-slip: the prominence must be positive", "prominence");
  if (time.size() != force.size() || time.size() < 50)
    throw InvalidInput(fmt::format("stick-slip: {} times and {} forces; expected as many of each, at least 50",
                                   time.size(), force.size()));
  for (std::size_t i = 1; i < time.size(); ++i)
    if (!(time[i] > time[i - 1]))
      throw InvalidInput(
          fmt::format("stick-slip: the time does not increase at row {}; sort the record or name its column", i + 1));
  for (const double y : force)
    if (!std::isfinite(y)) throw InvalidInput("stick-slip: a force is not finite");
}

// Peaks and troughs by local fits (I.27); the frequency of the slip is that of the fitted falls. Empty where the falls
// have too few samples for it.
std::map<std::size_t, internal::TurningFit> fitted_turnings(const internal::TurningSamples& samples,
                                                            const std::vector<Turning>& turnings) {
  std::map<std::size_t, internal::TurningFit> fits;
  std::vector<double> falls, steps;
  for (std::size_t i = 0; i + 1 < turnings.size(); ++i)
    if (turnings[i].peak) {
      falls.push_back(samples.time[turnings[i + 1].at] - samples.time[turnings[i].at]);
      steps.push_back(falls.back() / static_cast<double>(turnings[i + 1].at - turnings[i].at));
    }
  if (falls.empty()) return fits;
  const double step = internal::median(steps);
  double frequency = 0;
  for (int pass = 0; pass < 8; ++pass) {
    const double before = frequency;
    frequency = kPi / internal::median(falls);
    if (std::abs(frequency - before) < 1e-4 * frequency) break;
    fits.clear();
    for (std::size_t i = 0; i < turnings.size(); ++i) {
      const bool peak = turnings[i].peak;
      // The rise before a peak, or after a trough.
      const std::size_t from = peak ? (i > 0 ? turnings[i - 1].at : 0) : turnings[i].at,
                        to = peak ? turnings[i].at
                                  : (i + 1 < turnings.size() ? turnings[i + 1].at : samples.time.size() - 1);
      if (const auto fit = internal::fit_turning(samples, turnings[i].at, peak, frequency,
                                                 0.4 * (samples.time[to] - samples.time[from]), step))
        fits.emplace(turnings[i].at, *fit);
    }
    falls.clear();
    for (std::size_t i = 0; i + 1 < turnings.size(); ++i) {
      const auto peak = fits.find(turnings[i].at), trough = fits.find(turnings[i + 1].at);
      if (turnings[i].peak && peak != fits.end() && trough != fits.end() && trough->second.time > peak->second.time)
        falls.push_back(trough->second.time - peak->second.time);
    }
    if (4 * falls.size() + 4 < turnings.size() || falls.empty()) return {};
  }
  return fits;
}

void simulate_model(const StickSlipOptions& o, StickSlipResult& r) {
  SpringSliderParameters p;
  p.mass = o.mass > 0 ? o.mass : o.weight / 9.81;
  p.stiffness = o.stiffness;
  p.speed = o.speed;
  p.friction_limit = r.kinetic_friction.value * o.weight;
  p.static_limit = r.static_friction.value * o.weight;
  if (!(p.static_limit > p.friction_limit)) {
    r.notes.push_back(
        fmt::format("the static coefficient is not above the kinetic one: with this mass, inertia alone explains the "
                    "record, and the model slides without sticking"));
    return;
  }
  const StickSlipPeriod period = stick_slip_period(p);
  r.model_period = period.stick + period.slip;
  r.model_slip_time = period.slip;
  r.model_fall_time = kPi * std::sqrt(p.mass / p.stiffness);
  const AxialSystem system = spring_slider(p);
  const double first = 2 * r.kinetic_friction.value - r.static_friction.value;  // where slip ends
  const double duration = std::min(r.duration, 200 * *r.model_period);
  const EventDriven exact{.row_step = std::min(*r.model_period / 60, duration / 100)};
  const State start{0, VectorX::Constant(1, -first * o.weight / o.stiffness), VectorX::Zero(1)};
  const Run run = simulate(system, start, exact, {.duration = duration});
  const double begins = r.events.front().trough_time;
  const std::size_t x = run.table.column("x");
  for (const auto row : run.table.rows()) {
    r.model_time.push_back(begins + row[0]);
    r.model_force.push_back(o.stiffness * (o.speed * row[0] - row[x]) / o.weight);
  }
}

}  // namespace

Estimate estimate_of(std::span<const double> values) {
  if (values.size() < 2) throw InvalidInput("a mean with an interval needs at least two values");
  for (const double v : values)
    if (!std::isfinite(v)) throw InvalidInput("a mean with an interval: a value is not finite");
  const auto n = static_cast<double>(values.size());
  Estimate e;
  e.value = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double square = 0;
  for (const double v : values) square += (v - e.value) * (v - e.value);
  e.spread = std::sqrt(square / (n - 1));
  // Events that follow each other may be alike.
  double next = 0;
  for (std::size_t i = 1; i < values.size(); ++i) next += (values[i] - e.value) * (values[i - 1] - e.value);
  const double correlation = square > 0 ? next / square : 0;
  e.sigma = e.spread / std::sqrt(n) * (correlation > 2 / std::sqrt(n) ? internal::inflation_of(correlation) : 1);
  const double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
  e.low = e.value - t * e.sigma;
  e.high = e.value + t * e.sigma;
  return e;
}

StickSlipResult identify_stick_slip(std::span<const double> time, std::span<const double> force,
                                    const StickSlipOptions& o) {
  check(time, force, o);
  StickSlipResult r;
  r.samples = time.size();
  r.duration = time.back() - time.front();
  r.expected_slope = o.stiffness * o.speed / o.weight;
  const std::vector<double> y = median_filtered(force, kReach);
  std::vector<double> off;
  for (std::size_t i = 0; i < y.size(); ++i) off.push_back(std::abs(force[i] - y[i]));
  // Of quantised signals most differences are zero: the root mean square of the lower 95 % instead of a median.
  std::sort(off.begin(), off.end());
  double square = 0;
  const std::size_t most = off.size() * 19 / 20;
  for (std::size_t i = 0; i < most; ++i) square += off[i] * off[i];
  r.noise = 1.2 * std::sqrt(square / static_cast<double>(most));  // of a normal distribution cut there
  std::vector<double> sorted = y;
  std::sort(sorted.begin(), sorted.end());
  const double spread = sorted[sorted.size() * 9 / 10] - sorted[sorted.size() / 10];
  const double mass = o.mass > 0 ? o.mass : o.weight / 9.81;
  const double swing = o.speed * std::sqrt(o.stiffness * mass) / o.weight;  // V√(km)/W
  r.prominence = o.prominence > 0 ? o.prominence : std::max(6 * r.noise, 0.2 * spread);

  const std::vector<Turning> turnings = turnings_of(y, r.prominence);
  // What is no spike: noise, and what the filter itself takes off a peak.
  const double missed = (kReach + 1) * r.expected_slope * r.duration / static_cast<double>(r.samples - 1);
  const auto fits = fitted_turnings({time, force, y, std::max(6 * r.noise, 2 * missed)}, turnings);
  const auto turned = [&](std::size_t at) {
    const auto fit = fits.find(at);
    return fit != fits.end() ? fit->second : internal::TurningFit{y[at], time[at]};
  };
  std::vector<double> slopes, statics, kinetics, periods, slips, ratios;
  double stick_time = 0;
  for (std::size_t i = 0; i + 2 < turnings.size(); ++i) {
    if (turnings[i].peak) continue;
    const std::size_t a = turnings[i].at, b = turnings[i + 1].at, c = turnings[i + 2].at;
    const internal::TurningFit before = turned(a), peak = turned(b), after = turned(c);
    StickSlipEvent e{before.time, before.value, peak.time, peak.value, after.time, after.value, NAN, NAN, NAN, NAN};
    const double middle = (peak.value + after.value) / 2, amplitude = (peak.value - after.value) / 2;
    e.kinetic_friction = middle;
    kinetics.push_back(e.kinetic_friction);
    if (amplitude > swing) {
      e.static_friction = middle + std::sqrt(amplitude * amplitude - swing * swing);
      statics.push_back(e.static_friction);
    } else {
      ++r.swings;
    }
    slips.push_back(e.next_trough_time - e.peak_time);
    // The rise, without its two roundings: where y is between a quarter and seven tenths of the way.
    std::size_t from = a, to = b;
    while (from < b && y[from] < y[a] + 0.25 * (y[b] - y[a])) ++from;
    while (to > from && y[to] > y[a] + 0.7 * (y[b] - y[a])) --to;
    // Without the samples whose own noise decided where the window ends.
    from += kReach + 1;
    to = to > kReach + 1 ? to - kReach - 1 : 0;
    if (to > from + 8) {
      e.slope = slope_of(time, force, from, to);
      // Rises with a halt in them (a small slip) are no stick phase: the slope of the halves differs.
      const std::size_t half = (from + to) / 2;
      const double first = slope_of(time, y, from, half), second = slope_of(time, y, half, to);
      if (std::min(first, second) > 0.7 * std::max(first, second)) {
        slopes.push_back(e.slope);
        std::size_t late = to, last = b;
        while (last > late && y[last] > y[a] + 0.92 * (y[b] - y[a])) --last;
        if (last > late + 4) {
          e.late_slope = slope_of(time, y, late, last);
          ratios.push_back(e.late_slope);
        }
      }
      stick_time += time[b] - time[a];
    }
    if (!r.events.empty()) periods.push_back(e.peak_time - r.events.back().peak_time);
    r.events.push_back(e);
  }
  if (r.events.size() < 4 || slopes.size() < 3)
    throw InvalidInput(
        fmt::format("stick-slip: only {} events with a stick phase were found ({} rises and falls above {:.3g}); the "
                    "record may be steady sliding; or set a smaller prominence",
                    slopes.size(), r.events.size(), r.prominence),
        "prominence");
  // Outlying slopes (a spike, two slips in one) do not count: four robust deviations.
  const double centre = internal::median(slopes);
  std::vector<double> gaps;
  for (const double s : slopes) gaps.push_back(std::abs(s - centre));
  const double scale = 4 * 1.4826 * internal::median(gaps) + 1e-12;
  std::erase_if(slopes, [&](double s) { return std::abs(s - centre) > scale; });
  r.slope = estimate_of(slopes);
  r.slope_agrees =
      std::abs(r.slope.value - r.expected_slope) <= 2 * std::hypot(r.slope.sigma, o.tolerance * r.expected_slope);
  if (statics.size() < 3)
    throw InvalidInput(
        "stick-slip: the force varies by less than inertia alone explains (V√(km)/W): there is no static coefficient "
        "to find; check stiffness, speed and weight");
  r.static_friction = estimate_of(statics);
  r.kinetic_friction = estimate_of(kinetics);
  if (r.static_friction.value > kLargestFriction)
    r.notes.push_back(
        fmt::format("the static coefficient is {:.4g}: no dry surface has that; check the units of force and weight, "
                    "and whether commas are decimal commas or thousands",
                    r.static_friction.value));
  if (fits.empty()) {
    // The median filter cuts peaks by the growth of the force over its reach, and between two samples the force may be
    // higher than at both.
    for (Estimate* e : {&r.static_friction, &r.kinetic_friction}) e->low -= missed, e->high += missed;
    r.notes.push_back(
        fmt::format("the falls have too few samples for a fit of peaks and troughs: the extremes are those of the "
                    "samples, and the intervals are wider by what may be missed between them, {:.2g}; sample faster",
                    missed));
  }
  r.recurrence = estimate_of(periods);
  r.fall_time = estimate_of(slips);
  r.stick_fraction = stick_time / std::max(1e-300, r.events.back().next_trough_time - r.events.front().trough_time);
  if (ratios.size() >= 3) {
    r.creep_ratio = internal::median(ratios) / r.slope.value;
    std::vector<double> speeds;
    for (const double s : ratios) speeds.push_back(o.speed * (1 - s / r.slope.value));
    r.creep_speed = estimate_of(speeds);
  }
  simulate_model(o, r);
  if (r.creep_ratio > 0 && r.creep_speed.low > 0)
    r.notes.push_back(
        fmt::format("creep: between 70 and 92 % of the rise the force grows at {:.3g} of its rate in stick, so the "
                    "slider already moves at "
                    "{:.3g} ± {:.2g} µm/s; a rigid law holds it until the static limit",
                    r.creep_ratio, 1e6 * r.creep_speed.value, 1e6 * r.creep_speed.sigma));
  if (r.swings > 0)
    r.notes.push_back(
        fmt::format("{} of {} events are smaller than the oscillation of a slider that does not stick (V√(km)/W = "
                    "{:.3g}) and are not used for the static coefficient",
                    r.swings, r.events.size(), swing));
  if (!r.slope_agrees)
    r.notes.push_back(
        fmt::format("the slope in stick is {:.4g} ± {:.2g} times stiffness x speed / weight: this exceeds their "
                    "assumed uncertainty of {:g} %. No friction law makes the slope larger than 1; check the three "
                    "numbers and the calibration of the force. With this speed and weight the slope requires a "
                    "stiffness of at least {:.4g} N/m, and the fall time {:.4g} N/m",
                    r.slope.value / r.expected_slope, r.slope.sigma / r.expected_slope, 100 * o.tolerance,
                    r.slope.value * o.weight / o.speed, mass * std::pow(kPi / r.fall_time.value, 2)));
  if (r.static_friction.spread > 0.03 * r.static_friction.value)
    r.notes.push_back(
        fmt::format("the static coefficient varies by {:.3g} % from event to event: this is the surface, not noise "
                    "({:.2g} %); in the model every event has the same coefficient",
                    100 * r.static_friction.spread / r.static_friction.value, 100 * r.noise / r.static_friction.value));
  if (r.model_fall_time && std::abs(r.fall_time.value - *r.model_fall_time) > 2 * r.fall_time.sigma)
    r.notes.push_back(
        fmt::format("the fall takes {:.4g} ± {:.2g} s, π√(m/k) = {:.4g} s in the model, which has no damping, no rate "
                    "dependence and no moving mass but the slider's",
                    r.fall_time.value, r.fall_time.sigma, *r.model_fall_time));
  return r;
}

}  // namespace slipset
