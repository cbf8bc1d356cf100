// Sums and largest values of measures, contact by contact.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "slipset/contact/contact_problem.hpp"

namespace slipset::internal {

// The larger of two; a NaN stays.
inline double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

// Of the components from `first` up to `end`, as far as there are any.
template <class Vector>
double norm_between(const Vector& x, Eigen::Index first, Eigen::Index end) {
  double sum = 0;
  for (Eigen::Index k = first; k < std::min(end, x.size()); ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}
// |x| without its first component.
template <class Vector>
double friction_norm(const Vector& x) {
  return norm_between(x, 1, x.size());
}

// Of a contact that slides in any direction; without friction it slips at any speed.
inline ContactMode sliding_mode(const Contact& contact, double normal_impulse, double slip, double negligible) {
  if (!(normal_impulse > 0)) return ContactMode::open;
  return contact.law && slip <= negligible ? ContactMode::stick : ContactMode::slip;
}

// Of a sum, over its largest terms. Velocities of impulses that cancel are only known so far.
constexpr double kSumRounding = 4 * std::numeric_limits<double>::epsilon();

// What velocities and impulses can add up to in a problem unless they cancel; errors are never taken over more. Impulses
// that cancel grow without limit where there is no solution, and would make any error look small.               (C.4)
struct Limits {
  double velocity = INFINITY;  // (n + 1) max_i(|q_i| + g_i |p_N given|), g_i the contact's mobility [m/s]
  double impulse = INFINITY;   // that, over √(Σ g_i⁻²)⁻¹ [N s]
  double mobility = 0;         // the largest g_i

  // What rounding of a sum hides beyond that.
  double hidden(double sum) const { return sum > velocity ? kSumRounding * sum : 0; }
  // (value + hidden) / min(sum, velocity)
  double over(double value, double sum) const {
    const double scale = std::min(sum, velocity);
    return scale > 0 ? (value + hidden(sum)) / scale : value;
  }
  // The sums, no more than that; returns what is hidden over them.
  double limit(VelocitySums& sums) const {
    if (!(sums.total > velocity)) return 0;
    const double lost = hidden(sums.total) / velocity;
    sums.rows *= velocity / sums.total;
    sums.total = velocity;
    return lost;
  }
};
// `mobility`: of every contact, where their own are not at hand.
Limits limits_of(const ContactProblem& problem, std::optional<double> mobility = {});

// Of the full error (C.12).
struct FullErrorSums {
  double errors = 0, impulses = 0, velocities = 0;  // squared

  // |p − P_K(y)|², y = p − u − (μ|u_T| + μ_R|u_R|)e_N. With a = μ, b = μ_R, the closest point's normal part n solves
  // n − y_N = a max(0, |y_T| − a n) + b max(0, |y_R| − b n): it is the largest of the four solutions with and without
  // either, and of 0.
  template <class Vector>
  void add(const Vector& p, const Vector& u, const std::optional<FrictionCone>& cone) {
    if (!cone) {
      errors = std::numeric_limits<double>::quiet_NaN();
    } else if (cone->everything) {
      errors += u.squaredNorm();
    } else {
      const double a = cone->sliding, b = cone->rolling;
      Vector y = p - u;
      y[0] -= a * norm_between(u, 1, 3) + b * norm_between(u, 3, u.size());
      const double t = norm_between(y, 1, 3), r = norm_between(y, 3, y.size());
      const double n = std::max({0.0, y[0], (y[0] + a * t) / (1 + a * a), (y[0] + b * r) / (1 + b * b),
                                 (y[0] + a * t + b * r) / (1 + a * a + b * b)});
      const double slide = t > a * n ? a * n / t : 1, roll = r > b * n ? b * n / r : 1;
      y[0] = n;
      for (Eigen::Index k = 1; k < y.size(); ++k) y[k] *= k < 3 ? slide : roll;
      errors += (p - y).squaredNorm() + 0 * t * r;  // a NaN shows
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
    return over(std::sqrt(errors), std::max({free_velocity_norm, std::sqrt(impulses), std::sqrt(velocities)}));
  }
  // With what rounding hides, and with no more for the impulses than the problem has unless they cancel.
  double error(double free_velocity_norm, const Limits& limits) const {
    const double p = std::sqrt(impulses), rounding = p > limits.impulse ? kSumRounding * (1 + limits.mobility) * p : 0;
    return over(std::sqrt(errors) + rounding,
                std::max({free_velocity_norm, std::min(p, limits.impulse), std::sqrt(velocities)}));
  }

 private:
  static double over(double value, double scale) { return scale > 0 ? value / scale : value; }
};

// What is solved by (C.12) has no larger residual (C.4), which cannot be fooled by units.
inline double most_residual(double tolerance) { return std::clamp(1e4 * tolerance, 1e-10, 0.1); }

// (C.12) over no more than the problem's limits: what methods stop at.
double limited_full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse);

}  // namespace slipset::internal
