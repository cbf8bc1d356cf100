// Sums and largest values of measures, contact by contact.
#pragma once

#include <algorithm>
#include <cmath>

#include "slipset/contact/rows.hpp"

namespace slipset::internal {

// The larger of two; a NaN stays.
inline double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

// |x| without its first component.
template <class Vector>
double friction_norm(const Vector& x) {
  double sum = 0;
  for (Eigen::Index k = 1; k < x.size(); ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

// Of the full error (C.12).
struct FullErrorSums {
  double errors = 0, impulses = 0, velocities = 0;  // squared

  // |p − P_K(y)|², y = p − u − μ|u_T|e_N, K = { |x_T| ≤ μ x_N }
  template <class Vector>
  void add(const Vector& p, const Vector& u, double mu) {
    Vector y = p - u;
    y[0] -= mu * friction_norm(u);
    const double t = friction_norm(y);
    if (std::isnan(mu)) {
      errors = mu;
    } else if (mu * t <= -y[0]) {
      errors += p.squaredNorm();
    } else if (t > mu * y[0]) {
      const double n = (mu * t + y[0]) / (1 + mu * mu);
      y *= t > 0 ? mu * n / t : 0;
      y[0] = n;
      errors += (p - y).squaredNorm();
    } else {
      errors += (p - y).squaredNorm();
    }
    impulses += p.squaredNorm();
    velocities += u.squaredNorm();
  }
  void add(const FullErrorSums& other) {
    errors += other.errors;
    impulses += other.impulses;
    velocities += other.velocities;
  }
  double error(double free_velocity_norm) const {
    const double scale = std::max({free_velocity_norm, std::sqrt(impulses), std::sqrt(velocities)});
    return scale > 0 ? std::sqrt(errors) / scale : std::sqrt(errors);
  }
};

}  // namespace slipset::internal
