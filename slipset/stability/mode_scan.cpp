#include "slipset/stability/mode_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "slipset/stability/internal/assignment.hpp"
#include "slipset/stability/internal/reduced_modes.hpp"
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
Eigenpair between(const ProblemAt& problem_at, const FindModes& find_modes, internal::ReducedModes* reduced,
                  const End& a, const End& b, double at) {
  const double part = (at - a.value) / (b.value - a.value);
  const Complex expected = a.pair.value + part * (b.pair.value - a.pair.value);
  const QuadraticProblem problem = problem_at(at);
  Eigenpair pair = part < 0.5 ? a.pair : b.pair;
  pair.value = expected;
  const double reach = std::abs(b.pair.value - a.pair.value) + 1e-9 * std::abs(expected);
  if (reduced) {
    reduced->move_to(problem);
    if (reduced->find(internal::QuadraticForm(problem), pair, reach)) return pair;
  }
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
// Nothing where the ends turn out to be of two modes.
std::optional<CriticalValue> critical_between(const ProblemAt& problem_at, const FindModes& find_modes,
                                              internal::ReducedModes* reduced, End a, End b) {
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
    End middle{at, between(problem_at, find_modes, reduced, a, b, at)};
    if (crosses && is_zero(middle.pair)) return CriticalValue{at, unstable_above, middle.pair.value.imag(), false};
    const double g = middle.pair.value.real();
    const bool moves_a = middle.pair.grows() == a_grows;
    // The end that stays twice counts half.
    (moves_a ? gb : ga) *= moved_a == moves_a ? 0.5 : 1;
    moved_a = moves_a;
    (moves_a ? a : b) = std::move(middle);
    (moves_a ? ga : gb) = g;
  }
  const Eigenpair& growing = a_grows ? a.pair : b.pair;
  // Two that meet are a root's length apart where the interval ends.
  const double apart = std::abs(a.pair.value - b.pair.value);
  if (apart > (crosses ? 1e-9 : 1e-4) * std::abs(growing.value)) return std::nullopt;
  return CriticalValue{(a.value + b.value) / 2, unstable_above, growing.value.imag(), !crosses};
}

// A scan from its first point to its last. Some points are solved and counted, those between are followed: every mode that
// was in the box is found again in the span of the vectors that are known. At the next counted point the list must be that
// of the modes that were followed; one that has come in between is followed back, and if a mode is lost the points between
// are counted after all.
class ModeScan {
 public:
  ModeScan(const ProblemAt& problem_at, const FindModes& find_modes, const SpectrumBox& box, const ScanOptions& options)
      : problem_at_(problem_at),
        find_modes_(find_modes),
        box_(box),
        options_(options),
        count_(static_cast<std::size_t>(options.count)) {
    for (std::size_t i = 0; i < count_; ++i)
      scan_.parameter.push_back(options.from +
                                (options.to - options.from) * static_cast<double>(i) / static_cast<double>(count_ - 1));
    scan_.answered.assign(count_, false);
    scan_.stable.assign(count_, false);
  }

  StabilityScan run() {
    constexpr std::size_t kFewest = 6;  // points that it is worth it for
    if (count_ < kFewest) follow_from_ = count_;
    for (const std::size_t i : {std::size_t{0}, count_ - 1, (count_ - 1) / 2})
      if (count_ >= kFewest && !solve(i)) return ended();
    for (std::size_t i = 0; i < count_; ++i) {
      if (!follow(i) && !count(i)) return ended();
      if (options_.progress && !options_.progress(static_cast<int>(i) + 1) && i + 1 < count_) return ended();
    }
    scan_.values.resize(options_.count, static_cast<Index>(columns_.size()));
    for (std::size_t k = 0; k < columns_.size(); ++k)
      for (std::size_t i = 0; i < count_; ++i)
        scan_.values(static_cast<Index>(i), static_cast<Index>(k)) = columns_[k][i];
    std::sort(scan_.critical.begin(), scan_.critical.end(), [&](const CriticalValue& a, const CriticalValue& b) {
      return options_.from < options_.to ? a.value < b.value : a.value > b.value;
    });
    return std::move(scan_);
  }

 private:
  struct Solved {
    Spectrum spectrum;
    std::string why;  // there is no answer
  };

  StabilityScan ended() {
    scan_.ended_early = true;
    return std::move(scan_);
  }

  // False: stopped.
  bool solve(std::size_t i) {
    if (solved_.contains(i)) return true;
    Solved solved;
    try {
      const QuadraticProblem problem = problem_at_(scan_.parameter[i]);
      solved.spectrum = find_modes_(problem);
      if (solved.spectrum.report.stopped) return false;
      if (!solved.spectrum.report.complete) solved.why = solved.spectrum.report.reason;
      if (solved.why.empty()) {
        if (!reduced_) reduced_.emplace(problem);
        reduced_->add(solved.spectrum.pairs);
      }
    } catch (const InvalidInput& error) {
      solved.why = error.what();
    }
    solved_.emplace(i, std::move(solved));
    return true;
  }

  bool is_inside(const Eigenpair& pair) const { return box_.contains(pair.value); }
  // Well inside: what is here at one counted point and followed to the next cannot be missing there.
  bool is_deep_inside(Complex value) const {
    const double across = 0.02 * (box_.growth_to - box_.growth_from),
                 up = 0.02 * (box_.frequency_to - box_.frequency_from);
    return SpectrumBox{box_.growth_from + across, box_.growth_to - across,
                       box_.frequency_from > 0 ? box_.frequency_from + up : 0, box_.frequency_to - up}
        .contains(value);
  }

  void put(const Followed& mode, std::size_t i) {
    columns_[static_cast<std::size_t>(mode.column)][i] = mode.pair.value;
    if (mode.pair.grows()) scan_.stable[i] = false;
  }
  // Where modes begin or cease to grow between two points with their lists. If it is not clear which mode of one list is
  // which of the other, as where two of them nearly meet, the point between is solved, too.
  void look_for_critical(double from, const std::vector<Eigenpair>& before, double to,
                         const std::vector<Eigenpair>& after, int depth = 30) {
    std::vector<Followed> modes;
    for (const Eigenpair& pair : before) modes.push_back({0, pair, 0});
    const std::vector<Index> next = successors(modes, after);
    std::vector<bool> taken(after.size(), false);
    std::vector<CriticalValue> found;
    bool clear = true;
    for (std::size_t k = 0; k < before.size() && clear; ++k) {
      if (next[k] < 0) {
        clear = !before[k].grows() || !is_deep_inside(before[k].value);
        continue;
      }
      const auto j = static_cast<std::size_t>(next[k]);
      taken[j] = true;
      if (before[k].grows() == after[j].grows()) continue;
      internal::ReducedModes* const reduced = reduced_ ? &*reduced_ : nullptr;
      const auto critical = critical_between(problem_at_, find_modes_, reduced, {from, before[k]}, {to, after[j]});
      clear = critical.has_value();
      if (critical) found.push_back(*critical);
    }
    for (std::size_t j = 0; j < after.size() && clear; ++j)
      clear = taken[j] || !after[j].grows() || !is_deep_inside(after[j].value);
    if (clear) {
      scan_.critical.insert(scan_.critical.end(), found.begin(), found.end());
      return;
    }
    const double middle = (from + to) / 2;
    if (depth == 0 || middle == from || middle == to) {
      tell(fmt::format("near {:.9g} modes change too quickly to tell where they begin to grow", middle));
      return;
    }
    try {
      const Spectrum between = find_modes_(problem_at_(middle));
      if (!between.report.complete) throw InvalidInput(between.report.reason);
      look_for_critical(from, before, middle, between.pairs, depth - 1);
      look_for_critical(middle, between.pairs, to, after, depth - 1);
    } catch (const InvalidInput& error) {
      tell(fmt::format("near {:.9g}, where a mode begins or ceases to grow: {}", middle, error.what()));
    }
  }
  void look_for_critical(double from, const std::vector<Followed>& before, double to,
                         const std::vector<Followed>& after) {
    std::vector<Eigenpair> a, b;
    for (const Followed& mode : before) a.push_back(mode.pair);
    for (const Followed& mode : after) b.push_back(mode.pair);
    look_for_critical(from, a, to, b);
  }
  void tell(const std::string& why) {
    if (std::find(scan_.why.begin(), scan_.why.end(), why) == scan_.why.end() && scan_.why.size() < 10)
      scan_.why.push_back(why);
  }
  // Of a mode that is there already, to within its error.
  static bool is_same(const Eigenpair& a, const Eigenpair& b) {
    return std::abs(a.value - b.value) <= 1e-8 * std::abs(a.value) && std::abs(a.right.dot(b.right)) > 0.99;
  }

  // The point by the vectors that are known. False: it has to be solved.
  bool follow(std::size_t i) {
    if (!reduced_ || solved_.contains(i) || !last_ || i < follow_from_) return false;
    std::vector<Followed> now;
    try {
      const QuadraticProblem problem = problem_at_(scan_.parameter[i]);
      const internal::QuadraticForm form(problem);
      reduced_->move_to(problem);
      for (const Followed& mode : followed_) {
        Followed next{mode.column, mode.pair, 0};
        const Complex expected = mode.pair.value + mode.heading;
        next.pair.value = expected;
        if (!reduced_->find(form, next.pair, 2 * std::abs(mode.heading) + 0.02 * std::abs(expected)) ||
            difference(mode.pair, expected, next.pair) > 2 * kUnmatched)
          return false;
        for (const Followed& other : now)
          if (is_same(other.pair, next.pair)) return false;
        next.heading = next.pair.value - mode.pair.value;
        now.push_back(std::move(next));
      }
    } catch (const InvalidInput&) {  // told when it is solved
      return false;
    }
    scan_.answered[i] = scan_.stable[i] = true;
    std::vector<Followed> kept;
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (!is_inside(now[k].pair)) continue;  // one that comes back is followed back from the next counted point
      put(now[k], i);
      kept.push_back(std::move(now[k]));
    }
    at_between_.push_back(kept);
    followed_ = std::move(kept);
    last_ = scan_.parameter[i];
    between_.push_back(i);
    return true;
  }

  // A point that is solved: the modes of its list. False: stopped.
  bool count(std::size_t i) {
    if (!solve(i)) return false;
    Solved& solved = solved_.at(i);
    if (!solved.why.empty()) {
      tell(solved.why);
      for (Followed& mode : followed_) mode.heading = 0;
      return true;
    }
    const std::vector<Eigenpair>& pairs = solved.spectrum.pairs;
    const std::vector<Index> next = successors(followed_, pairs);
    std::vector<Followed> now;
    std::vector<bool> taken(pairs.size(), false);
    for (std::size_t k = 0; k < followed_.size(); ++k) {
      if (next[k] < 0) {
        if (!between_.empty() && is_deep_inside(followed_[k].pair.value + followed_[k].heading)) return count_again(i);
        continue;
      }
      const auto j = static_cast<std::size_t>(next[k]);
      taken[j] = true;
      now.push_back({followed_[k].column, pairs[j], pairs[j].value - followed_[k].pair.value});
    }
    std::vector<Followed> fresh;
    for (std::size_t j = 0; j < pairs.size(); ++j)
      if (!taken[j]) fresh.push_back({static_cast<Index>(columns_.size() + fresh.size()), pairs[j], 0});
    for (std::size_t k = 0; k < fresh.size(); ++k) columns_.emplace_back(count_, Complex(NAN, NAN));
    for (const Followed& mode : fresh)
      if (!follow_back(mode)) {
        columns_.resize(columns_.size() - fresh.size());
        return count_again(i);
      }
    scan_.answered[i] = scan_.stable[i] = true;
    now.insert(now.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
    for (const Followed& mode : now) put(mode, i);
    // Now the lists of the points between are whole.
    if (last_) {
      std::vector<Followed> before = std::move(counted_.followed);
      double at = counted_.at;
      for (std::size_t k = 0; k < between_.size(); ++k) {
        look_for_critical(at, before, scan_.parameter[between_[k]], at_between_[k]);
        at = scan_.parameter[between_[k]];
        before = std::move(at_between_[k]);
      }
      look_for_critical(at, before, scan_.parameter[i], now);
    }
    followed_ = std::move(now);
    last_ = scan_.parameter[i];
    between_.clear();
    at_between_.clear();
    counted_ = {followed_, *last_};
    ++scan_.counted;
    solved_.erase(i);
    return true;
  }

  // A mode that is new at a counted point, back through those that were followed, until it is outside the box. False if it
  // is lost.
  bool follow_back(Followed mode) {
    for (std::size_t k = between_.size(); k-- > 0;) {
      const std::size_t m = between_[k];
      const QuadraticProblem problem = problem_at_(scan_.parameter[m]);
      reduced_->move_to(problem);
      Followed before{mode.column, mode.pair, 0};
      before.pair.value += mode.heading;
      if (!reduced_->find(internal::QuadraticForm(problem), before.pair,
                          2 * std::abs(mode.heading) + 0.02 * std::abs(mode.pair.value)))
        return false;
      if (!is_inside(before.pair)) break;
      for (const std::vector<Complex>& column : columns_)  // then it is no new one
        if (std::abs(column[m] - before.pair.value) <= 1e-9 * std::abs(before.pair.value)) return false;
      before.heading = before.pair.value - mode.pair.value;
      put(before, m);
      at_between_[k].push_back(before);
      mode = std::move(before);
    }
    return true;
  }

  // The points between the last counted one and this one were not followed rightly: each is solved.
  bool count_again(std::size_t i) {
    const std::vector<std::size_t> points = std::move(between_);
    between_.clear();
    at_between_.clear();
    follow_from_ = i + 1;
    followed_ = counted_.followed;
    last_ = counted_.at;
    for (const std::size_t m : points) {
      scan_.answered[m] = scan_.stable[m] = false;
      for (std::vector<Complex>& column : columns_) column[m] = Complex(NAN, NAN);
    }
    for (const std::size_t m : points)
      if (!count(m)) return false;
    return count(i);
  }

  const ProblemAt& problem_at_;
  const FindModes& find_modes_;
  SpectrumBox box_;
  const ScanOptions& options_;
  std::size_t count_;
  StabilityScan scan_;
  std::vector<std::vector<Complex>> columns_;  // of each mode, NaN where it is not there
  std::map<std::size_t, Solved> solved_;
  std::optional<internal::ReducedModes> reduced_;
  std::vector<Followed> followed_;                 // at the last answered point
  std::optional<double> last_;                     // its parameter
  std::vector<std::size_t> between_;               // points that were followed since the last counted one
  std::vector<std::vector<Followed>> at_between_;  // their lists
  std::size_t follow_from_ = 0;
  struct {
    std::vector<Followed> followed;
    double at = 0;
  } counted_;  // the last counted point
};

}  // namespace

StabilityScan scan_modes(const ProblemAt& problem_at, const FindModes& find_modes, const SpectrumBox& box,
                         const ScanOptions& options) {
  if (options.count < 2) throw InvalidInput("sweep: count must be at least 2");
  if (!(std::isfinite(options.from) && std::isfinite(options.to) && options.from != options.to))
    throw InvalidInput("sweep: from and to must be finite and different");
  return ModeScan(problem_at, find_modes, box, options).run();
}

}  // namespace slipset
