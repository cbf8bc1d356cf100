#include "slipset/identification/internal/time_holes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace slipset::internal {

std::string time_holes(std::span<const double> time) {
  constexpr double kLong = 5;  // times the usual step
  std::vector<double> steps;
  for (std::size_t i = 1; i < time.size(); ++i) steps.push_back(time[i] - time[i - 1]);
  if (steps.empty()) return "";
  std::vector<double> sorted = steps;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double usual = *middle;
  std::size_t holes = 0, longest = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] > kLong * usual) ++holes;
    if (steps[i] > steps[longest]) longest = i;
  }
  if (holes == 0) return "";
  return fmt::format(
      "the record has {} hole{}, time steps of more than {:g} times the usual {:.4g} s; the longest is {:.4g} s, after "
      "row {}: the velocity there is interpolated, and the bristles' state behind it rests on that. Cut the record at "
      "the "
      "hole, and fit its parts",
      holes, holes > 1 ? "s" : "", kLong, usual, steps[longest], longest + 1);
}

}  // namespace slipset::internal
