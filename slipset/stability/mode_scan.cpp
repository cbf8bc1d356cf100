#include "slipset/stability/mode_scan.hpp"

#include <algorithm>
#include <cmath>

#include "slipset/stability/internal/assignment.hpp"
#include "slipset/stability/refine_eigenpair.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;

// Of a mode that leaves the list, and of one that is new: half of what two different shapes differ by.
constexpr double kUnmatched = 0.24;

struct Followed {
  Index column;
  Eigenpair pair;
  Complex heading = 0;  // to the next point
};

double difference(const Eigenpair& from, Complex expected, const Eigenpair& to) {
  const double size = std::abs(from.value) + std::abs(to.value) + 1e-300;
  return std::abs(to.value - expected) / size + 0.5 * (1 - std::abs(from.right.dot(to.right)));
}

// Which of the new modes each followed one becomes; -1: none.
std::vector<Index> successors(const std::vector<Followed>& followed, const std::vector<Eigenpair>& pairs) {
  const auto old = static_cast<Index>(followed.size()), fresh = static_cast<Index>(pairs.size());
  std::vector<Index> result(followed.size(), -1);
  if (old == 0 || fresh == 0) return result;
  Eigen::MatrixXd cost = Eigen::MatrixXd::Constant(old + fresh, old + fresh, kUnmatched);
  cost.bottomRightCorner(fresh, old).setZero();
  for (Index i = 0; i < old; ++i) {
    const Followed& mode = followed[static_cast<std::size_t>(i)];
    // Not far ahead: past a place where two modes met, the heading may be that of a jump.
    const double most = 0.25 * std::abs(mode.pair.value), ahead = std::abs(mode.heading);
    const Complex expected = mode.pair.value + mode.heading * (ahead > most ? most / ahead : 1.0);
    for (Index j = 0; j < fresh; ++j) cost(i, j) = difference(mode.pair, expected, pairs[static_cast<std::size_t>(j)]);
  }
  const std::vector<Index> assigned = internal::least_cost_assignment(cost);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (assigned[i] < fresh) result[i] = assigned[i];
  return result;
}

struct End {
  double value;  // of the parameter
  Eigenpair pair;
};

// The mode between two ends at which it has been found.
Eigenpair between(const ProblemAt& problem_at, const FindModes& find_modes, const End& a, const End& b, double at) {
  const double part = (at - a.value) / (b.value - a.value);
  const Complex expected = a.pair.value + part * (b.pair.value - a.pair.value);
  const QuadraticProblem problem = problem_at(at);
  Eigenpair pair = part < 0.5 ? a.pair : b.pair;
  pair.value = expected;
  const double reach = std::abs(b.pair.value - a.pair.value) + 1e-9 * std::abs(expected);
  if (refine_eigenpair(problem, pair, reach)) return pair;
  const Spectrum spectrum = find_modes(problem);
  const Eigenpair& like = part < 0.5 ? a.pair : b.pair;
  const auto best =
      std::min_element(spectrum.pairs.begin(), spectrum.pairs.end(), [&](const Eigenpair& x, const Eigenpair& y) {
        return difference(like, expected, x) < difference(like, expected, y);
      });
  if (best == spectrum.pairs.end()) throw InvalidInput("sweep: a mode is lost between two points; give more points");
  return *best;
}

// Where a mode that grows at one of two ends begins to: the Illinois form of the false position, for growth rates that
// have different signs; halves where one of them is zero to rounding, as where two undamped modes meet.
CriticalValue critical_between(const ProblemAt& problem_at, const FindModes& find_modes, End a, End b) {
  const auto is_zero = [](const Eigenpair& pair) { return std::abs(pair.value.real()) <= 4 * pair.rounding; };
  const bool unstable_above = b.pair.grows() == (b.value > a.value), a_grows = a.pair.grows();
  const bool crosses = !is_zero(a.pair) && !is_zero(b.pair);
  const double tolerance = 1e-12 * std::abs(b.value - a.value);
  double ga = a.pair.value.real(), gb = b.pair.value.real();
  std::optional<bool> moved_a;
  for (int i = 0; i < 200 && std::abs(b.value - a.value) > tolerance; ++i) {
    const bool by_halves = !crosses || i % 8 == 7;
    const double at = by_halves ? (a.value + b.value) / 2 : a.value - ga * (b.value - a.value) / (gb - ga);
    if (at == a.value || at == b.value) break;
    End middle{at, between(problem_at, find_modes, a, b, at)};
    if (crosses && is_zero(middle.pair)) return {at, unstable_above, middle.pair.value.imag(), false};
    const double g = middle.pair.value.real();
    const bool moves_a = middle.pair.grows() == a_grows;
    // The end that stays twice counts half.
    (moves_a ? gb : ga) *= moved_a == moves_a ? 0.5 : 1;
    moved_a = moves_a;
    (moves_a ? a : b) = std::move(middle);
    (moves_a ? ga : gb) = g;
  }
  const Eigenpair& growing = a_grows ? a.pair : b.pair;
  return {(a.value + b.value) / 2, unstable_above, growing.value.imag(), !crosses};
}

}  // namespace

StabilityScan scan_modes(const ProblemAt& problem_at, const FindModes& find_modes, const ScanOptions& options) {
  if (options.count < 2) throw InvalidInput("sweep: count must be at least 2");
  if (!(std::isfinite(options.from) && std::isfinite(options.to) && options.from != options.to))
    throw InvalidInput("sweep: from and to must be finite and different");
  const auto count = static_cast<std::size_t>(options.count);
  StabilityScan scan;
  scan.answered.assign(count, false);
  scan.stable.assign(count, false);
  std::vector<std::vector<Complex>> columns;  // of each mode, NaN where it is not there
  std::vector<Followed> followed;
  double last = NAN;
  for (std::size_t i = 0; i < count; ++i) {
    const double p =
        options.from + (options.to - options.from) * static_cast<double>(i) / static_cast<double>(count - 1);
    scan.parameter.push_back(p);
    std::string why;
    Spectrum spectrum;
    try {
      spectrum = find_modes(problem_at(p));
      if (spectrum.report.stopped) {
        scan.ended_early = true;
        return scan;
      }
      if (!spectrum.report.complete) why = spectrum.report.reason;
    } catch (const InvalidInput& error) {
      why = error.what();
    }
    if (!why.empty()) {
      if (std::find(scan.why.begin(), scan.why.end(), why) == scan.why.end() && scan.why.size() < 10)
        scan.why.push_back(why);
      for (Followed& mode : followed) mode.heading = 0;
    } else {
      scan.answered[i] = true;
      scan.stable[i] = std::none_of(spectrum.pairs.begin(), spectrum.pairs.end(),
                                    [](const Eigenpair& pair) { return pair.grows(); });
      const std::vector<Index> next = successors(followed, spectrum.pairs);
      std::vector<Followed> now;
      std::vector<bool> taken(spectrum.pairs.size(), false);
      for (std::size_t k = 0; k < followed.size(); ++k) {
        if (next[k] < 0) continue;
        const auto j = static_cast<std::size_t>(next[k]);
        taken[j] = true;
        Eigenpair& pair = spectrum.pairs[j];
        if (followed[k].pair.grows() != pair.grows())
          scan.critical.push_back(critical_between(problem_at, find_modes, {last, followed[k].pair}, {p, pair}));
        now.push_back({followed[k].column, pair, pair.value - followed[k].pair.value});
      }
      for (std::size_t j = 0; j < spectrum.pairs.size(); ++j) {
        if (taken[j]) continue;
        now.push_back({static_cast<Index>(columns.size()), spectrum.pairs[j]});
        columns.emplace_back(count, Complex(NAN, NAN));
      }
      for (const Followed& mode : now) columns[static_cast<std::size_t>(mode.column)][i] = mode.pair.value;
      followed = std::move(now);
      last = p;
    }
    if (options.progress && !options.progress(static_cast<int>(i) + 1)) {
      scan.ended_early = i + 1 < count;
      if (scan.ended_early) return scan;
    }
  }
  scan.values.resize(options.count, static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t i = 0; i < count; ++i) scan.values(static_cast<Index>(i), static_cast<Index>(k)) = columns[k][i];
  std::sort(scan.critical.begin(), scan.critical.end(), [&](const CriticalValue& a, const CriticalValue& b) {
    return options.from < options.to ? a.value < b.value : a.value > b.value;
  });
  return scan;
}

}  // namespace slipset
