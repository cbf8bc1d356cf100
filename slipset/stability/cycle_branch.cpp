#include "slipset/stability/cycle_branch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/stability/internal/cycle_curve.hpp"

namespace slipset {

using namespace internal;

namespace {

struct Walked {
  CurvePoint at;
  Cycle cycle;
};

struct Walk {
  std::vector<Walked> points;  // without the first
  std::vector<BranchEvent> events;
  std::string end;
};

double doubling(const Cycle& c) {
  std::complex<double> product = 1;
  for (const auto& m : c.multipliers) product *= m + 1.0;
  return product.real();
}

// The largest modulus of the complex ones, less 1.
double turning(const Cycle& c) {
  double largest = 0;
  for (const auto& m : c.multipliers)
    if (m.imag() != 0) largest = std::max(largest, std::abs(m));
  return largest - 1;
}

bool has_pair(const Cycle& c) {
  return std::any_of(c.multipliers.begin(), c.multipliers.end(), [](const auto& m) { return m.imag() != 0; });
}

// The value at x = 0 of the polynomial through the points.
double at_zero(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double weight = 1;
    for (std::size_t j = 0; j < x.size(); ++j)
      if (j != i) weight *= x[j] / (x[j] - x[i]);
    sum += weight * y[i];
  }
  return sum;
}

class Walker {
 public:
  Walker(CycleCurve& curve, const CurveOptions& curve_options, const BranchOptions& options)
      : curve_(curve), o_(curve_options), options_(options) {}

  Walk walk(Walked from, double sign) {
    Walk walk;
    met_stick_ = false;
    if (from.at.tangent[from.at.tangent.size() - 1] * sign < 0) from.at.tangent = -from.at.tangent;
    const double lowest = std::min(options_.from, options_.to), highest = std::max(options_.from, options_.to);
    double s = options_.step / 4;
    curve_.accept(from.at);
    while (static_cast<int>(walk.points.size()) < options_.max_points) {
      if (options_.go_on && !options_.go_on()) {
        walk.end = "stopped";
        return walk;
      }
      const Walked& last = walk.points.empty() ? from : walk.points.back();
      std::optional<Walked> next = try_step(last, s);
      if (!next) {
        s /= 2;
        if (s < options_.step / 6 && find_end_of_stick(from, walk)) return walk;
        if (s > options_.step / 50) continue;
        walk.end = met_stick_ ? "stick begins" : "no cycle of this kind beyond";
        return walk;
      }
      add_events(last, *next, walk);
      const double p = next->at.p;
      if (p < lowest || p > highest) {
        const double edge = p < lowest ? lowest : highest;
        if (last.at.p != edge) add_edge(last, *next, edge, walk);
        walk.end = "end of the range";
        return walk;
      }
      curve_.accept(next->at);
      walk.points.push_back(std::move(*next));
      if (options_.progress && !options_.progress(static_cast<int>(walk.points.size()))) {
        walk.end = "stopped";
        return walk;
      }
      s = std::min(1.5 * s, options_.step);
    }
    walk.end = "reached the maximum number of points";
    return walk;
  }

 private:
  std::optional<Walked> try_step(const Walked& last, double s) {
    met_stick_ = false;
    std::optional<CurvePoint> at = step_along(curve_, o_, last.at, s);
    if (!at || at->tangent.dot(last.at.tangent) < 0.8) return std::nullopt;
    std::optional<Cycle> cycle = curve_.describe(*at);
    met_stick_ = cycle && cycle->stick_time > 0 && curve_.ends_with_stick();
    if (met_stick_) return std::nullopt;
    if (!cycle || std::abs(cycle->period - last.cycle.period) > 0.2 * last.cycle.period) return std::nullopt;
    if (!((cycle->largest - cycle->smallest).norm() > 1e-4 * o_.y_size)) return std::nullopt;  // shrunk to a point
    return Walked{std::move(*at), std::move(*cycle)};
  }

  void add_event(CycleEvent kind, const std::optional<CurvePoint>& at, Walk& walk) {
    if (!at) return;
    if (std::optional<Cycle> cycle = curve_.describe(*at)) walk.events.push_back({kind, at->p, std::move(*cycle)});
  }

  void add_events(const Walked& a, const Walked& b, Walk& walk) {
    const auto slope = [](const CurvePoint& at) { return at.tangent[at.tangent.size() - 1]; };
    const auto of_cycle = [&](double (*g)(const Cycle&)) {
      return [this, g](const CurvePoint& at) -> std::optional<double> {
        const std::optional<Cycle> c = curve_.describe(at);
        return c ? std::optional(g(*c)) : std::nullopt;
      };
    };
    if (slope(a.at) * slope(b.at) < 0)
      add_event(CycleEvent::fold,
                locate(curve_, o_, a.at, b.at, [&](const CurvePoint& at) { return std::optional(slope(at)); }), walk);
    if (doubling(a.cycle) * doubling(b.cycle) < 0)
      add_event(CycleEvent::period_doubling, locate(curve_, o_, a.at, b.at, of_cycle(doubling)), walk);
    if (has_pair(a.cycle) && has_pair(b.cycle) && turning(a.cycle) * turning(b.cycle) < 0)
      add_event(CycleEvent::torus, locate(curve_, o_, a.at, b.at, of_cycle(turning)), walk);
    if ((a.cycle.stick_time > 0) != (b.cycle.stick_time > 0))
      add_event(
          CycleEvent::stick_vanishes,
          locate(curve_, o_, a.at, b.at, of_cycle([](const Cycle& c) { return c.stick_time > 0 ? 1.0 : -1.0; }), 1e-5),
          walk);
  }

  void add_edge(const Walked& a, const Walked& b, double edge, Walk& walk) {
    // From the straight line between the two, at the edge itself.
    const double part = (edge - a.at.p) / (b.at.p - a.at.p);
    const CurvePoint guess{(1 - part) * a.at.y + part * b.at.y, edge, {}};
    std::optional<CurvePoint> at = correct(curve_, o_, guess, VectorX::Unit(guess.y.size() + 1, guess.y.size()));
    if (!at) return;
    at->p = edge;
    if (std::optional<Cycle> cycle = curve_.describe(*at)) walk.points.push_back({*at, std::move(*cycle)});
  }

  // (B.11). p is nearly linear in τ² (the slip grazes zero) or in τ; from cycle to cycle most of the way that is left
  // by the first. False: stick does not vanish near here.
  bool find_end_of_stick(const Walked& from, Walk& walk) {
    std::vector<Walked> near;
    for (std::size_t i = walk.points.size() > 3 ? walk.points.size() - 3 : 0; i < walk.points.size(); ++i)
      near.push_back(walk.points[i]);
    if (near.size() < 3) near.insert(near.begin(), from);
    if (near.size() < 2) return false;
    const double period = near.back().cycle.period;
    const auto stick = [](const Walked& w) { return w.cycle.stick_time; };
    if (!(stick(near.back()) > 0 && stick(near.back()) < stick(near[near.size() - 2])) ||
        stick(near.back()) > 0.2 * period)
      return false;
    double part = 0.8;
    for (int i = 0; i < 20 && part > 0.05 && stick(near.back()) > 1e-3 * period; ++i) {
      const Walked &a = near[near.size() - 2], &b = near.back();
      const double ta = stick(a), tb = stick(b);
      const double left = (b.at.p - a.at.p) * tb * tb / (ta * ta - tb * tb);
      const double expected = tb * std::sqrt(1 - part);
      CurvePoint guess{b.at.y + (b.at.y - a.at.y) * ((expected - tb) / (tb - ta)), b.at.p + part * left, {}};
      const VectorX fixed = VectorX::Unit(guess.y.size() + 1, guess.y.size());
      const std::optional<CurvePoint> at = correct(curve_, o_, guess, fixed);
      std::optional<Cycle> cycle = at ? curve_.describe(*at) : std::nullopt;
      if (!cycle || !(cycle->stick_time > 0 && cycle->stick_time < tb)) {
        part /= 2;
        continue;
      }
      curve_.accept(*at);
      near.push_back({*at, std::move(*cycle)});
      walk.points.push_back(near.back());
      part = std::min(0.8, 1.5 * part);
    }
    const std::size_t count = std::min<std::size_t>(4, near.size());
    std::vector<double> times, parameters;
    for (std::size_t i = near.size() - count; i < near.size(); ++i) {
      times.push_back(stick(near[i]));
      parameters.push_back(near[i].at.p);
    }
    const double value = at_zero(times, parameters);
    if (stick(near.back()) > 0.01 * period || std::abs(value - parameters.back()) > 0.01 * o_.p_size) return false;
    walk.events.push_back({CycleEvent::stick_vanishes, value, near.back().cycle});
    walk.end = "stick vanishes";
    return true;
  }

  CycleCurve& curve_;
  CurveOptions o_;
  const BranchOptions& options_;
  bool met_stick_ = false;
};

}  // namespace

const char* name_of(CycleEvent event) {
  switch (event) {
    case CycleEvent::stick_vanishes: return "stick vanishes";
    case CycleEvent::fold: return "fold";
    case CycleEvent::period_doubling: return "period doubling";
    case CycleEvent::torus: return "torus";
  }
  return "";
}

CycleBranch continue_cycle(const SystemAtParameter& system_at, double parameter, const Cycle& cycle,
                           const BranchOptions& options) {
  if (!cycle.found) throw InvalidInput("continuation: needs a cycle to start from");
  if (!(std::isfinite(options.from) && std::isfinite(options.to) && options.from != options.to))
    throw InvalidInput("continuation: from and to must be finite and different");
  CurveOptions o;
  o.y_size = o.r_size = (cycle.largest - cycle.smallest).maxCoeff();
  o.p_size = std::abs(options.to - options.from);
  std::unique_ptr<CycleCurve> curve;
  if (cycle.stick_time > 0) try {
      curve = std::make_unique<BeltCurve>(system_at, parameter, cycle, options.go_on);
    } catch (const InvalidInput&) {  // not of this kind
    }
  if (!curve) curve = std::make_unique<ShootingCurve>(system_at, parameter, cycle, o.y_size, options.go_on);

  CycleBranch branch;
  const CurvePoint guess = curve->start();
  const VectorX fixed = VectorX::Unit(guess.y.size() + 1, guess.y.size());
  const std::optional<CurvePoint> at = correct(*curve, o, guess, fixed);
  std::optional<Cycle> first = at ? curve->describe(*at) : std::nullopt;
  if (!first) {
    branch.first_end = branch.last_end = "the cycle could not be solved for again";
    return branch;
  }
  const Walked start{*at, std::move(*first)};
  Walker walker(*curve, o, options);
  Walk down = walker.walk(start, -1), up = walker.walk(start, 1);
  std::reverse(down.points.begin(), down.points.end());
  std::reverse(down.events.begin(), down.events.end());
  for (auto& w : down.points) branch.points.push_back({w.at.p, std::move(w.cycle)});
  branch.points.push_back({start.at.p, start.cycle});
  for (auto& w : up.points) branch.points.push_back({w.at.p, std::move(w.cycle)});
  branch.events = std::move(down.events);
  branch.events.insert(branch.events.end(), up.events.begin(), up.events.end());
  branch.first_end = down.end;
  branch.last_end = up.end;
  return branch;
}

}  // namespace slipset
