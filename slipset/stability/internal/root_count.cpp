#include "slipset/stability/internal/root_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/stability/internal/smooth_log.hpp"

namespace slipset::internal {
namespace {

using Complex = std::complex<double>;

constexpr double kLargestTurn = 0.8, kLargestBend = 0.15;
constexpr double kSmallTurn = 0.6, kGoodFit = 0.15;
constexpr double kSlenderest = 8;  // height over width of a contour
// Not the middle: a turn by 2π a step would look like none at all.
constexpr double kBetween = 0.42;
constexpr int kDeepest = 24;
constexpr std::ptrdiff_t kNeighbours = 3;
constexpr std::size_t kTried = 3;

struct Step {
  Complex from, to;
  int depth = 0;
  // Both ends, one between, and one more between each.
  std::array<Complex, 5> points() const {
    const Complex middle = between(from, to);
    return {from, between(from, middle), middle, between(middle, to), to};
  }
  static Complex between(Complex a, Complex b) { return a + kBetween * (b - a); }
};

double wrapped(double angle) { return std::remainder(angle, 2 * kPi); }

// log Π(λ - λᵢ)(λ - λ̄ᵢ), conjugates of real ones left out.
Complex log_known(Complex at, const Points& known) {
  double magnitude = 0, angle = 0;
  for (const Complex& root : known) {
    const Complex first = at - root;
    magnitude += std::log(std::abs(first));
    angle += std::arg(first);
    if (root.imag() == 0) continue;
    const Complex second = at - std::conj(root);
    magnitude += std::log(std::abs(second));
    angle += std::arg(second);
  }
  return {magnitude, angle};
}

// Along the contour, counter-clockwise from its lower right corner, closer together at corners; with its mirror image
// only the upper half. Those of level 2 are among those of level 4.
Points points_along(const SpectrumBox& contour, int level) {
  const double a = contour.growth_from, b = contour.growth_to, c = contour.frequency_from, d = contour.frequency_to;
  const double width = b - a, height = d - c;
  const bool symmetric = c == 0;
  const auto pieces = [&](double length, double other) {
    const double spacing = std::min(other, length / 4);
    return level * std::clamp(static_cast<int>(std::ceil(kPi / 2 * length / spacing)), 4, 64);
  };
  const int up = pieces(height, width), across = pieces(width, symmetric ? 2 * height : height);
  Points points;
  const auto along = [&](int count, bool half, const auto& at) {
    for (int k = 0; k < count; ++k)
      points.push_back(at(half ? std::sin(kPi / 2 * k / count) : (1 - std::cos(kPi * k / count)) / 2));
  };
  along(up, symmetric, [&](double t) { return Complex(b, c + t * height); });
  along(across, false, [&](double t) { return Complex(b - t * width, d); });
  const std::size_t corner = points.size();
  along(up, symmetric, [&](double t) { return Complex(a, c + t * height); });
  // Downwards: the corner comes first.
  points.push_back({a, d});
  std::reverse(points.begin() + static_cast<std::ptrdiff_t>(corner), points.end());
  if (!symmetric) {
    points.pop_back();
    along(across, false, [&](double t) { return Complex(a + t * width, c); });
    points.push_back(points.front());
  }
  return points;
}

bool is_finite(Complex x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }

}  // namespace

RootCount::RootCount(LogDeterminants determinants, int most, std::function<bool()> stop)
    : determinants_(std::move(determinants)), most_(most), stop_(std::move(stop)) {}

bool RootCount::evaluate(const Points& points) {
  Points fresh;
  for (const Complex& point : points)
    if (!values_.contains(point) && std::find(fresh.begin(), fresh.end(), point) == fresh.end()) fresh.push_back(point);
  if (fresh.empty()) return true;
  if (determinants() + static_cast<int>(fresh.size()) > most_) return false;
  const Points found = determinants_(fresh);
  for (std::size_t i = 0; i < fresh.size(); ++i) values_[fresh[i]] = found[i];
  return true;
}

RootCount::Outcome RootCount::missing(const SpectrumBox& contour, const Points& known) {
  Outcome outcome;
  const bool symmetric = contour.frequency_from == 0;
  std::map<Complex, Complex, Less> logs;  // log f
  const auto add = [&](const Points& points) {
    if (stop_ && stop_()) {
      outcome.reason = "stopped before the count was done";
      return false;
    }
    if (!evaluate(points)) {
      outcome.reason = fmt::format("the count needs more than {} determinants", most_);
      return false;
    }
    for (const Complex& point : points) {
      if (logs.contains(point)) continue;
      const Complex value = values_[point] - log_known(point, known);
      if (!is_finite(value)) {
        outcome.reason = fmt::format("an eigenvalue is on the contour at {:.9g} + {:.9g}i", point.real(), point.imag());
        outcome.on_contour = point;
        return false;
      }
      logs[point] = value;
    }
    return true;
  };

  Points points;
  std::optional<SmoothLog> smooth;
  for (int level = 1;; level *= 2) {
    points = points_along(contour, level);
    if (!add(points)) return outcome;
    Points distinct = points;
    if (!symmetric) distinct.pop_back();
    Eigen::VectorXd magnitudes(static_cast<Eigen::Index>(distinct.size()));
    for (std::size_t i = 0; i < distinct.size(); ++i)
      magnitudes[static_cast<Eigen::Index>(i)] = logs[distinct[i]].real();
    smooth.emplace(distinct, magnitudes, symmetric, 0.3 * kGoodFit);
    // A few steps may be resolved one by one; a poor fit everywhere asks for more points.
    if (smooth->worst() <= kGoodFit || level == 4) break;
    long poor = 0;
    for (const Complex& point : distinct) poor += std::abs(logs[point].real() - (*smooth)(point).real()) > kGoodFit;
    if (4 * poor < static_cast<long>(distinct.size())) break;
  }
  std::map<Complex, Complex, Less> left;  // log f - g
  const auto left_at = [&](Complex point) {
    const auto [at, fresh] = left.try_emplace(point);
    if (fresh) at->second = logs[point] - (*smooth)(point);
    return at->second;
  };
  const auto turn_of = [&](Complex from, Complex to) { return wrapped(left_at(to).imag() - left_at(from).imag()); };
  double turned = 0;
  const auto accept = [&](double turn) {
    turned += turn;
    outcome.largest_step = std::max(outcome.largest_step, std::abs(turn));
  };
  // A step alone may look good by chance where f turns more often than the points can tell; not it and all about it.
  const auto count = static_cast<std::ptrdiff_t>(points.size()) - 1;
  const auto is_good = [&](Complex from, Complex to) {
    return std::abs(turn_of(from, to)) <= kSmallTurn && std::abs(left_at(from).real()) <= kGoodFit &&
           std::abs(left_at(to).real()) <= kGoodFit;
  };
  // Every third one with a point between that g does not know: it may go through the others without being right.
  Points tried;
  for (std::size_t i = kTried / 2; i + 1 < points.size(); i += kTried)
    tried.push_back(Step::between(points[i], points[i + 1]));
  if (!add(tried)) return outcome;
  std::vector<bool> good;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Complex from = points[i], to = points[i + 1];
    good.push_back(i % kTried == kTried / 2
                       ? is_good(from, Step::between(from, to)) && is_good(Step::between(from, to), to)
                       : is_good(from, to));
  }
  std::vector<Step> steps;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    bool all_about = true;
    for (std::ptrdiff_t j = i - kNeighbours; j <= i + kNeighbours; ++j) {
      // Round a closed contour; the half of one goes on with its mirror image.
      const std::ptrdiff_t at = !symmetric ? (j + count) % count : j < 0 ? -1 - j : j >= count ? 2 * count - 1 - j : j;
      all_about = all_about && good[static_cast<std::size_t>(at)];
    }
    const Complex from = points[static_cast<std::size_t>(i)], to = points[static_cast<std::size_t>(i) + 1];
    if (all_about)
      accept(turn_of(from, to));
    else
      steps.push_back({from, to});
  }
  while (!steps.empty()) {
    Points between;
    for (const Step& step : steps) {
      const std::array<Complex, 5> at = step.points();
      between.insert(between.end(), at.begin() + 1, at.end() - 1);
    }
    if (!add(between)) return outcome;
    std::vector<Step> next;
    for (const Step& step : steps) {
      const std::array<Complex, 5> at = step.points();
      std::array<Complex, 5> value = {left_at(at[0])};  // log f - g, its argument continued from point to point
      bool resolved = true;
      for (std::size_t i = 1; i < at.size(); ++i) {
        const double turn = turn_of(at[i - 1], at[i]);
        value[i] = {left_at(at[i]).real(), value[i - 1].imag() + turn};
        resolved = resolved && std::abs(turn) <= kLargestTurn;
      }
      for (std::size_t i = 1; i + 1 < at.size(); ++i) {
        const double part = std::abs(at[i] - at[0]) / std::abs(at[4] - at[0]);
        const Complex bend = value[i] - (value[0] + part * (value[4] - value[0]));
        resolved = resolved && std::abs(bend.real()) <= kLargestBend && std::abs(bend.imag()) <= kLargestBend;
      }
      if (resolved) {
        for (std::size_t i = 1; i < at.size(); ++i) accept(value[i].imag() - value[i - 1].imag());
      } else if (step.depth == kDeepest) {
        outcome.reason = fmt::format("an eigenvalue that is not in the list is on the contour at {:.9g} + {:.9g}i",
                                     at[2].real(), at[2].imag());
        outcome.on_contour = at[2];
        return outcome;
      } else {
        next.push_back({at[0], at[2], step.depth + 1});
        next.push_back({at[2], at[4], step.depth + 1});
      }
    }
    steps = std::move(next);
  }
  // The mirror image turns f as much again.
  const double roots = turned / (symmetric ? kPi : 2 * kPi);
  if (std::abs(roots - std::round(roots)) > 0.01) {
    outcome.reason = fmt::format("the determinants are too inexact: they count {:.3f} eigenvalues", roots);
    return outcome;
  }
  outcome.missing = static_cast<int>(std::lround(roots));
  return outcome;
}

SpectrumBox outermost(const SpectrumBox& box, double margin) {
  const double across = margin * (box.growth_to - box.growth_from),
               up = margin * (box.frequency_to - box.frequency_from);
  // From the axis, if it is near: a contour along it would pass all eigenvalues that are on it.
  const double from = box.frequency_from - 2 * up;
  SpectrumBox out = {box.growth_from - across, box.growth_to + across, from <= 0 ? 0 : box.frequency_from - up,
                     box.frequency_to + up};
  out.growth_to = std::max(out.growth_to, out.growth_from + (out.frequency_to - out.frequency_from) / kSlenderest);
  return out;
}

SpectrumBox contour_around(const SpectrumBox& box, const Points& known, double margin) {
  const SpectrumBox out = outermost(box, margin);
  // The line between `edge` and `limit` from which the nearest of the coordinates is farthest; not on the edge itself.
  const auto free_line = [](double edge, double limit, std::vector<double> coordinates) {
    constexpr int kLines = 64;
    double best = limit, widest = -1;
    for (int i = 1; i <= kLines; ++i) {
      const double line = edge + (limit - edge) * i / kLines;
      double nearest = std::abs(limit - edge);
      for (double x : coordinates) nearest = std::min(nearest, std::abs(x - line));
      // Of lines about as free the first: the nearest to the box.
      if (nearest > 1.01 * widest) {
        widest = nearest;
        best = line;
      }
    }
    return best;
  };
  std::vector<double> left_right, down_up;
  for (const Complex& root : known) {
    if (root.imag() >= out.frequency_from && root.imag() <= out.frequency_to) left_right.push_back(root.real());
    if (root.real() >= out.growth_from && root.real() <= out.growth_to) down_up.push_back(root.imag());
  }
  SpectrumBox contour;
  contour.growth_from = free_line(box.growth_from, out.growth_from, left_right);
  const double growth_to = std::max(box.growth_to, out.growth_to - margin * (out.growth_to - out.growth_from));
  contour.growth_to = free_line(growth_to, out.growth_to, left_right);
  contour.frequency_from = out.frequency_from == 0 ? 0 : free_line(box.frequency_from, out.frequency_from, down_up);
  contour.frequency_to = free_line(box.frequency_to, out.frequency_to, down_up);
  return contour;
}

int count_inside(const SpectrumBox& contour, const Points& known) {
  int count = 0;
  for (const Complex& root : known)
    if (contour.contains(root)) count += contour.frequency_from == 0 && root.imag() > 0 ? 2 : 1;
  return count;
}

}  // namespace slipset::internal
