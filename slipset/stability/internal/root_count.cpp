#include "slipset/stability/internal/root_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"

namespace slipset::internal {
namespace {

using Complex = std::complex<double>;

constexpr double kPi = 3.141592653589793238;
constexpr double kLargestTurn = 1.0, kLargestBend = 0.25;
// Not the middle: a turn by 2π a step would look like none at all.
constexpr double kBetween = 0.42;
constexpr int kDeepest = 40;

struct Step {
  Complex from, to;
  int depth = 0;
  Complex between() const { return from + kBetween * (to - from); }
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

RootCount::Outcome RootCount::missing(const Box& contour, const Points& known) {
  Outcome outcome;
  const double a = contour.growth_from, b = contour.growth_to, c = contour.frequency_from, d = contour.frequency_to;
  const bool symmetric = c == 0;
  std::vector<Complex> corners = {{b, c}, {b, d}, {a, d}, {a, c}};
  if (!symmetric) corners.push_back(corners.front());
  // Across the box the argument turns with the number of roots beside it, also of those far away.
  const double crowd = static_cast<double>(count_inside(contour, known)) / (symmetric ? 2 : 1);
  std::vector<Step> steps;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const double length = std::abs(corners[i + 1] - corners[i]);
    const bool across = i % 2 == 1;
    const int pieces = across ? 1 + static_cast<int>(std::min(50.0, crowd * length / (d - c))) : 2;
    for (int k = 0; k < pieces; ++k)
      steps.push_back(
          {corners[i] + (corners[i + 1] - corners[i]) * (static_cast<double>(k) / pieces),
           k + 1 == pieces ? corners[i + 1] : corners[i] + (corners[i + 1] - corners[i]) * ((k + 1.0) / pieces)});
  }
  double turned = 0;
  std::map<Complex, Complex, Less> logs;
  while (!steps.empty()) {
    if (stop_ && stop_()) {
      outcome.reason = "stopped before the count was done";
      return outcome;
    }
    Points points;
    for (const Step& step : steps) points.insert(points.end(), {step.from, step.between(), step.to});
    if (!evaluate(points)) {
      outcome.reason = fmt::format("the count needs more than {} determinants", most_);
      return outcome;
    }
    for (const Complex& point : points) {
      if (logs.contains(point)) continue;
      const Complex value = values_[point] - log_known(point, known);
      if (!is_finite(value)) {
        outcome.reason = fmt::format("an eigenvalue is on the contour at {:.9g} + {:.9g}i", point.real(), point.imag());
        return outcome;
      }
      logs[point] = value;
    }
    std::vector<Step> next;
    for (const Step& step : steps) {
      const Complex between = step.between(), first = logs[between] - logs[step.from],
                    second = logs[step.to] - logs[between];
      const double one = wrapped(first.imag()), two = wrapped(second.imag());
      const double bend = std::abs((1 - kBetween) * one - kBetween * two);
      const double magnitude = std::abs((1 - kBetween) * first.real() - kBetween * second.real());
      if (std::abs(one) <= kLargestTurn && std::abs(two) <= kLargestTurn && bend <= kLargestBend &&
          magnitude <= kLargestBend) {
        turned += one + two;
        outcome.largest_step = std::max({outcome.largest_step, std::abs(one), std::abs(two)});
      } else if (step.depth == kDeepest) {
        outcome.reason = fmt::format("an eigenvalue that is not in the list is on the contour at {:.9g} + {:.9g}i",
                                     between.real(), between.imag());
        return outcome;
      } else {
        next.push_back({step.from, between, step.depth + 1});
        next.push_back({between, step.to, step.depth + 1});
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

Box outermost(const Box& box, double margin) {
  const double across = margin * (box.growth_to - box.growth_from),
               up = margin * (box.frequency_to - box.frequency_from);
  // From the axis, if it is near: a contour along it would pass all eigenvalues that are on it.
  const double from = box.frequency_from - 2 * up;
  return {box.growth_from - across, box.growth_to + across, from <= 0 ? 0 : box.frequency_from - up,
          box.frequency_to + up};
}

Box contour_around(const Box& box, const Points& known, double margin) {
  const Box out = outermost(box, margin);
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
  Box contour;
  contour.growth_from = free_line(box.growth_from, out.growth_from, left_right);
  contour.growth_to = free_line(box.growth_to, out.growth_to, left_right);
  contour.frequency_from = out.frequency_from == 0 ? 0 : free_line(box.frequency_from, out.frequency_from, down_up);
  contour.frequency_to = free_line(box.frequency_to, out.frequency_to, down_up);
  return contour;
}

int count_inside(const Box& contour, const Points& known) {
  int count = 0;
  for (const Complex& root : known)
    if (contour.contains(root)) count += contour.frequency_from == 0 && root.imag() > 0 ? 2 : 1;
  return count;
}

}  // namespace slipset::internal
