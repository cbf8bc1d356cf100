#include "slipset/stability/internal/mode_critical.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipset::internal {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;

constexpr int kMostHalves = 30;

bool is_zero(const Eigenpair& pair) { return std::abs(pair.value.real()) <= 4 * pair.rounding; }

}  // namespace

// The mode between two ends at which it has been found.
Eigenpair CriticalSearch::between(const End& a, const End& b, double at) {
  const double part = (at - a.at) / (b.at - a.at);
  const Complex expected = a.pair.value + part * (b.pair.value - a.pair.value);
  const Eigenpair& like = part < 0.5 ? a.pair : b.pair;
  const double reach = std::abs(b.pair.value - a.pair.value) + 1e-9 * size_in(box_, expected);
  modes_.move_to(problem_at_(at));
  ReducedPair reduced = modes_.coordinates(like);
  reduced.value = expected;
  if (modes_.find(reduced, reach)) return modes_.whole(reduced);
  double least = 2 * kUnmatched;
  const ReducedPair* best = nullptr;
  const std::vector<ReducedPair> all = learn_modes(find_modes_, at, modes_);
  const ReducedPair wanted = modes_.coordinates(like);
  for (const ReducedPair& one : all)
    if (const double cost = difference(box_, wanted, expected, one); cost < least) {
      least = cost;
      best = &one;
    }
  if (!best) throw InvalidInput("a mode is lost between two points; give more points");
  return modes_.whole(*best);
}

// Whether growth rates are like a root beside `at`, where two undamped modes meet; else the mode just passes zero.
bool CriticalSearch::is_root(const End& a, const End& b, double at) {
  const double side = a.pair.grows() ? a.at - at : b.at - at;
  if (side == 0) return false;
  const auto growth = [&](double part) { return between(a, b, at + part * side).value.real(); };
  return growth(4e-3) < 2.8 * growth(1e-3);  // 2 of a root, 4 of a line
}

// Where a mode that grows at one of two ends begins to: the Illinois form of the false position, for growth rates that
// have different signs; halves where one of them is zero to rounding, as where two undamped modes meet.
// Nothing where the ends turn out to be of two modes.
std::optional<CriticalValue> CriticalSearch::critical_between(const End& first, const End& last) {
  End a = first, b = last;
  const bool unstable_above = b.pair.grows() == (b.at > a.at), a_grows = a.pair.grows();
  const bool crosses = !is_zero(a.pair) && !is_zero(b.pair);
  const double tolerance = 1e-12 * std::abs(b.at - a.at);
  double ga = a.pair.value.real(), gb = b.pair.value.real();
  std::optional<bool> moved_a;
  for (int i = 0; i < 200 && std::abs(b.at - a.at) > tolerance; ++i) {
    const bool by_halves = !crosses || i % 8 == 7;
    const double at = by_halves ? (a.at + b.at) / 2 : a.at - ga * (b.at - a.at) / (gb - ga);
    if (at == a.at || at == b.at) break;
    End middle{at, between(a, b, at)};
    if (crosses && is_zero(middle.pair)) {
      // Of neither end: the mode between is another one.
      if (std::abs(middle.pair.right.dot(a.pair.right)) < 0.5 && std::abs(middle.pair.right.dot(b.pair.right)) < 0.5)
        return std::nullopt;
      return CriticalValue{at, unstable_above, middle.pair.value.imag(), false};
    }
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
  if (apart > (crosses ? 1e-9 : 1e-4) * size_in(box_, growing.value)) return std::nullopt;
  const double at = (a.at + b.at) / 2;
  return CriticalValue{at, unstable_above, growing.value.imag(), !crosses && is_root(first, last, at)};
}

void CriticalSearch::look(const ModeList& before, const ModeList& after, const std::vector<Index>& next) {
  look(before, after, next, kMostHalves);
}

void CriticalSearch::look(const ModeList& before, const ModeList& after, const std::vector<Index>& next, int depth) {
  const SpectrumBox deep = smaller(box_, 0.02);
  const auto matters = [&](const ReducedPair& pair) { return pair.grows() && deep.contains(pair.value); };
  std::vector<bool> taken(after.pairs.size(), false);
  std::vector<CriticalValue> values;
  bool clear = true;
  for (std::size_t k = 0; k < before.pairs.size() && clear; ++k) {
    if (next[k] < 0) {
      clear = !matters(before.pairs[k]);
      continue;
    }
    const auto j = static_cast<std::size_t>(next[k]);
    taken[j] = true;
    const ReducedPair &from = before.pairs[k], &to = after.pairs[j];
    // Modes beside the band are known by chance: what they do is not told.
    if (from.grows() == to.grows() || (!is_in_band(from) && !is_in_band(to))) continue;
    try {
      const auto critical = critical_between({before.at, modes_.whole(from)}, {after.at, modes_.whole(to)});
      clear = critical.has_value();
      if (critical && box_.contains({0, critical->frequency})) values.push_back(*critical);
    } catch (const InvalidInput& error) {
      say(before.at, after.at, error.what());
    }
  }
  for (std::size_t j = 0; j < after.pairs.size() && clear; ++j) clear = taken[j] || !matters(after.pairs[j]);
  if (clear) {
    found.insert(found.end(), values.begin(), values.end());
    return;
  }
  const double middle = (before.at + after.at) / 2;
  if (depth == 0 || middle == before.at || middle == after.at) {
    say(before.at, after.at, "modes change too quickly to tell where they begin to grow");
    return;
  }
  try {
    const Spectrum spectrum = find_modes_(middle, problem_at_(middle), Counting::counted);
    if (!spectrum.report.complete) throw InvalidInput(spectrum.report.reason);
    ModeList between{middle, {}};
    for (const std::vector<Eigenpair>* pairs : {&spectrum.pairs, &spectrum.around})
      for (const Eigenpair& pair : *pairs) between.pairs.push_back(modes_.add(pair));
    look(before, between, successors(box_, before.pairs, between.pairs), depth - 1);
    look(between, after, successors(box_, between.pairs, after.pairs), depth - 1);
  } catch (const InvalidInput& error) {
    say(before.at, after.at, error.what());
  }
}

void CriticalSearch::say(double from, double to, const std::string& reason) {
  unknown.push_back(
      fmt::format("between {:.9g} and {:.9g} a mode begins or ceases to grow, not known where: {}", from, to, reason));
}

}  // namespace slipset::internal
