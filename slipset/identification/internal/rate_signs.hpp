// Friction over velocity: its sign in the two directions of slip, and a zero offset.
#pragma once

#include <span>

#include "slipset/identification/internal/least_squares.hpp"

namespace slipset::internal {

struct SlipSides {
  double forward = 0, backward = 0;  // means of the friction
  bool both = false;                 // 5 % of the samples or more in each direction
};
SlipSides sides_of(std::span<const double> velocity, std::span<const double> friction);

// Most instruments give the magnitude of friction. Signed friction has one sign, too, if it has a zero offset larger than
// itself: then the two directions differ by twice the friction, which is refused, and so is friction that is negative in
// both.
bool is_magnitude(std::span<const double> velocity, std::span<const double> friction);

// The same problem with one more parameter, a zero offset of the friction.
LeastSquaresProblem with_offset(const LeastSquaresProblem& problem, double friction);
// By BIC, as models of the flow are chosen; correlated residuals count less.
bool asks_for_offset(const LeastSquares& without, const LeastSquares& with, double friction);

// Of residuals with the next ones.
double lag_correlation(const Eigen::VectorXd& residuals);

}  // namespace slipset::internal
