#include "slipset/core/roots.hpp"

namespace slipset {
namespace {

double horner(std::span<const double> c, double x) {
  double sum = 0;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * x + c[k];
  return sum;
}

}  // namespace

// Between two neighbouring roots of its derivative a polynomial is monotone: one bracket, one root.
std::vector<double> polynomial_roots(std::span<const double> coefficients, double lo, double hi) {
  if (coefficients.size() < 2) return {};
  std::vector<double> derivative(coefficients.size() - 1);
  for (std::size_t k = 0; k < derivative.size(); ++k) derivative[k] = static_cast<double>(k + 1) * coefficients[k + 1];

  std::vector<double> ends = polynomial_roots(derivative, lo, hi);
  ends.insert(ends.begin(), lo);
  ends.push_back(hi);

  std::vector<double> roots;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double from = horner(coefficients, ends[i]), to = horner(coefficients, ends[i + 1]);
    if (from == 0 && (roots.empty() || roots.back() != ends[i])) roots.push_back(ends[i]);
    if (!((from < 0 && to > 0) || (from > 0 && to < 0))) continue;
    const double sign = from < 0 ? 1 : -1;
    roots.push_back(increasing_root(
        [&](double x) {
          return ValueAndSlope{sign * horner(coefficients, x), sign * horner(derivative, x)};
        },
        ends[i], ends[i + 1], ends[i] + (ends[i + 1] - ends[i]) / 2));
  }
  if (horner(coefficients, hi) == 0 && (roots.empty() || roots.back() != hi)) roots.push_back(hi);
  return roots;
}

}  // namespace slipset
