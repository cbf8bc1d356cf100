#include "slipset/identification/internal/rate_signs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/error.hpp"

namespace slipset::internal {

SlipSides sides_of(std::span<const double> velocity, std::span<const double> friction) {
  SlipSides d;
  double forwards = 0, backwards = 0;
  for (std::size_t i = 0; i < std::min(velocity.size(), friction.size()); ++i) {
    if (velocity[i] > 0) d.forward += friction[i], ++forwards;
    if (velocity[i] < 0) d.backward += friction[i], ++backwards;
  }
  d.forward /= std::max(1.0, forwards);
  d.backward /= std::max(1.0, backwards);
  d.both = std::min(forwards, backwards) >= std::max(3.0, 0.05 * (forwards + backwards));
  return d;
}

bool is_magnitude(std::span<const double> velocity, std::span<const double> friction) {
  const SlipSides d = sides_of(velocity, friction);
  if (!d.both || !(d.forward * d.backward > 0)) return false;
  const double ratio = std::min(d.forward / d.backward, d.backward / d.forward);
  if (d.forward < 0 || ratio < 0.5)
    throw InvalidInput(
        fmt::format("friction over velocity: friction has one sign in both directions of slip, with means {:.4g} and "
                    "{:.4g}; expected the sign of the velocity, or the magnitude. Take the zero offset off, or turn "
                    "the sign of the column (friction=-NAME)",
                    d.forward, d.backward),
        "columns");
  return true;
}

LeastSquaresProblem with_offset(const LeastSquaresProblem& problem, double friction) {
  LeastSquaresProblem more = problem;
  const Eigen::Index n = problem.scale.size();
  more.residuals = [residuals = problem.residuals, n](const Eigen::VectorXd& x, Eigen::VectorXd& e) {
    if (!residuals(x.head(n), e)) return false;
    e.array() += x[n];
    return true;
  };
  for (auto [vector, value] :
       {std::pair{&more.scale, friction}, {&more.lower, -100 * friction}, {&more.upper, 100 * friction}}) {
    vector->conservativeResize(n + 1);
    (*vector)[n] = value;
  }
  more.physical.push_back(false);
  more.names.emplace_back("offset");
  return more;
}

bool asks_for_offset(const LeastSquares& without, const LeastSquares& with, double friction) {
  if (!with.usable || std::abs(with.parameters[with.parameters.size() - 1]) < 1e-5 * friction) return false;
  const double count =
      static_cast<double>(with.residuals.size()) / std::pow(inflation_of(lag_correlation(with.residuals)), 2);
  const double gain = without.residuals.squaredNorm() / std::max(1e-300, with.residuals.squaredNorm());
  return count * std::log(gain) > std::log(std::max(2.0, count)) + 10;
}

double lag_correlation(const Eigen::VectorXd& e) {
  if (e.size() < 3) return 0;
  return e.head(e.size() - 1).dot(e.tail(e.size() - 1)) / std::max(1e-300, e.squaredNorm());
}

}  // namespace slipset::internal
