// An ellipse as a user would write a set of his own.
#pragma once

#include <cmath>

#include "slipset/sets/planar_set.hpp"

namespace slipset::test {

// r = 1/√q, q = cos²τ/a² + sin²τ/b²
class UserEllipse final : public UserShape {
 public:
  UserEllipse(double a, double b) : a_(a), b_(b) {}
  LogRadius log_radius(double angle) const override {
    const double c = std::cos(angle), s = std::sin(angle), d = 1 / (b_ * b_) - 1 / (a_ * a_);
    const double q = c * c / (a_ * a_) + s * s / (b_ * b_), first = 2 * s * c * d, second = 2 * (c * c - s * s) * d;
    return {-std::log(q) / 2, -first / (2 * q), -second / (2 * q) + first * first / (2 * q * q)};
  }
  std::string description() const override { return "a user's ellipse"; }

 private:
  double a_, b_;
};

inline UserSet user_ellipse(double a, double b, double angle = 0) {
  return UserSet(std::make_shared<UserEllipse>(a, b), angle);
}

}  // namespace slipset::test
