// Critical values of a parameter.                                     docs/theory/stability.md
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "slipset/stability/internal/assignment.hpp"
#include "slipset/stability/scan.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;

std::vector<Complex> values_of(const std::vector<Mode>& modes) {
  std::vector<Complex> v;
  for (const Mode& m : modes) v.push_back(m.value);
  return v;
}

// The eigenvalues `to` in the order of `from`.
std::vector<Index> matched(const std::vector<Complex>& from, const std::vector<Mode>& to) {
  Eigen::MatrixXd cost(static_cast<Index>(from.size()), static_cast<Index>(to.size()));
  for (Index i = 0; i < cost.rows(); ++i)
    for (Index j = 0; j < cost.cols(); ++j)
      cost(i, j) = std::abs(from[static_cast<std::size_t>(i)] - to[static_cast<std::size_t>(j)].value);
  return internal::least_cost_assignment(cost);
}

std::vector<Mode> modes_at(const SlidingAt& sliding_at, double p) {
  const LinearSliding s = sliding_at(p);
  return s.report.converged ? modes_of(s) : std::vector<Mode>{};
}

double largest_growth(const std::vector<Mode>& modes) {
  double most = -INFINITY;
  for (const Mode& m : modes) most = std::max(most, m.growth_rate());
  return most;
}

// Two undamped modes meet and one of them grows like the root of the distance, so the distance is a smooth function of
// σ²: the polynomial through some points, at σ² = 0.
double where_growth_starts(const SlidingAt& sliding_at, double marginal, double growing) {
  constexpr int kPoints = 6;
  double x[kPoints], y[kPoints];
  for (int i = 0; i < kPoints; ++i) {
    y[i] = marginal + (growing - marginal) * (1 + i);
    const double growth = largest_growth(modes_at(sliding_at, y[i]));
    x[i] = growth * growth;
  }
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    double weight = 1;
    for (int j = 0; j < kPoints; ++j)
      if (j != i) weight *= x[j] / (x[j] - x[i]);
    sum += weight * (y[i] - marginal);
  }
  return marginal + sum;
}

// Where two undamped modes meet rounding parts them, but not their mean.
double frequency_near(const std::vector<Mode>& modes, double frequency) {
  double sum = 0;
  int count = 0;
  for (const Mode& m : modes)
    if (std::abs(m.value.imag() - frequency) < 1e-2 * frequency) {
      sum += m.value.imag();
      ++count;
    }
  return count > 0 ? sum / count : frequency;
}

struct Bracket {
  double stable, unstable;
  std::vector<Mode> at_stable, at_unstable;
  std::vector<Index> pairs{};  // which of at_unstable belongs to each of at_stable
  std::size_t critical = 0;    // of at_stable: the mode that grows most where unstable

  const Mode& after() const { return at_unstable[static_cast<std::size_t>(pairs[critical])]; }
  bool match() {
    if (at_stable.empty() || at_stable.size() != at_unstable.size()) return false;
    pairs = matched(values_of(at_stable), at_unstable);
    critical = 0;
    for (std::size_t i = 0; i < at_stable.size(); ++i)
      if (at_unstable[static_cast<std::size_t>(pairs[i])].growth_rate() > after().growth_rate()) critical = i;
    return true;
  }
  // Decays clearly at one end and grows clearly at the other.
  bool crosses() const {
    const Mode& before = at_stable[critical];
    return before.growth_rate() < -10 * before.rounding && after().growth_rate() > 10 * after().rounding;
  }
};

}  // namespace

CriticalValue refine_critical(const SlidingAt& sliding_at, double stable, double unstable) {
  const double first_width = std::abs(unstable - stable);
  CriticalValue found{0.5 * (stable + unstable), unstable > stable, 0, false};
  Bracket bracket{stable, unstable, modes_at(sliding_at, stable), modes_at(sliding_at, unstable)};
  if (!bracket.match()) return found;
  std::optional<Bracket> crossing;
  if (bracket.crosses()) crossing = bracket;
  // By halves, until the modes hardly change in between.
  for (int i = 0; i < 12; ++i) {
    const double middle = 0.5 * (bracket.stable + bracket.unstable);
    std::vector<Mode> modes = modes_at(sliding_at, middle);
    if (modes.empty()) break;
    const bool ok = is_stable(modes);
    (ok ? bracket.stable : bracket.unstable) = middle;
    (ok ? bracket.at_stable : bracket.at_unstable) = std::move(modes);
    if (!bracket.match()) break;
    if (bracket.crosses()) crossing = bracket;
  }
  found.value = 0.5 * (bracket.stable + bracket.unstable);
  found.frequency = bracket.after().frequency();
  if (!crossing) {
    found.by_coalescence = true;
    const double width = bracket.unstable - bracket.stable;
    const double value = where_growth_starts(sliding_at, bracket.stable, bracket.unstable + 2 * width);
    if (std::abs(value - bracket.stable) < 4 * std::abs(width)) found.value = value;
    found.frequency = frequency_near(modes_at(sliding_at, found.value), found.frequency);
    return found;
  }
  const std::vector<Mode>&at_stable = crossing->at_stable, &at_unstable = crossing->at_unstable;
  const std::vector<Index>& pairs = crossing->pairs;
  const std::size_t critical = crossing->critical;
  const Mode& before = at_stable[critical];
  stable = crossing->stable;
  unstable = crossing->unstable;
  std::vector<std::size_t> summed;
  for (std::size_t i = 0; i < at_stable.size(); ++i) {
    // Modes that neither grow nor decay at both ends are summed with it: where two eigenvalues meet, rounding parts
    // them by its root, but not their sum.
    const Mode& other = at_unstable[static_cast<std::size_t>(pairs[i])];
    const bool twin = std::abs(at_stable[i].value - std::conj(before.value)) < 1e-9 * std::abs(before.value);
    if (i == critical || twin || (at_stable[i].is_marginal() && other.is_marginal())) summed.push_back(i);
  }
  const auto growth = [&](double p) {
    const double part = (p - stable) / (unstable - stable);
    std::vector<Complex> expected;
    for (std::size_t i = 0; i < at_stable.size(); ++i)
      expected.push_back((1 - part) * at_stable[i].value +
                         part * at_unstable[static_cast<std::size_t>(pairs[i])].value);
    const std::vector<Mode> modes = modes_at(sliding_at, p);
    if (modes.size() != expected.size()) return std::numeric_limits<double>::quiet_NaN();
    const std::vector<Index> where = matched(expected, modes);
    double sum = 0;
    for (const std::size_t i : summed) sum += modes[static_cast<std::size_t>(where[i])].growth_rate();
    return sum;
  };
  const double lo = std::min(stable, unstable), hi = std::max(stable, unstable);
  const double at_lo = growth(lo), at_hi = growth(hi);
  found.value = 0.5 * (lo + hi);
  if (!(at_lo * at_hi < 0)) return found;
  boost::uintmax_t iterations = 100;
  const double tolerance = 1e-12 * first_width + 2e-16 * std::max(std::abs(lo), std::abs(hi));
  const auto close = [&](double a, double b) { return std::abs(b - a) <= tolerance; };
  try {
    const auto ends = boost::math::tools::toms748_solve(growth, lo, hi, at_lo, at_hi, close, iterations);
    found.value = 0.5 * (ends.first + ends.second);
    if (found.frequency > 0) found.frequency = frequency_near(modes_at(sliding_at, found.value), found.frequency);
  } catch (const std::exception&) {  // NaN inside the bracket: the middle stays
  }
  return found;
}

}  // namespace slipset
