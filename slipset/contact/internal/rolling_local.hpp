// One contact with sliding, drilling and rolling in own coordinates: the way to its exact solution.
//                                                                                             docs/theory/rolling.md
//   y = -p_F;   P given: y the closest point of P f K in the metric of G_FF;   u_N(P) = 0 for P               (T.6)
#pragma once

#include <cmath>

#include "slipset/contact/contact_law.hpp"
#include "slipset/laws/rolling_law.hpp"

namespace slipset::internal {

// Velocities below this are rest: bodies at rest for long come to the end of the range of numbers.
inline constexpr double kRestVelocity = 1e-140;

// Of all velocities that add up at the contact: a factor whose own are less counts relative to this, not to itself.
inline constexpr double kLeastShare = 1e-15;

// |x_i, i of the factor|. By hand: g++ 12 sees segments of such vectors out of bounds.
template <class Vector>
double part_norm(const Vector& x, Eigen::Index first, Eigen::Index size) {
  double sum = 0;
  for (Eigen::Index i = first; i < first + size; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}
template <class Vector>
double part_norm(const Vector& x, const RollingLaw::Factor& factor, Eigen::Index offset = 0) {
  return part_norm(x, offset + factor.first, factor.size);
}

class RollingLocalSolver {
 public:
  // `step`: R of each component of friction, R < G_FF⁻¹. `accuracy`: the residual that will do.
  RollingLocalSolver(const RollingLaw& law, const ContactMat& g, const RollingVec& step, const ContactVec& c,
                     double factor, double accuracy)
      : law_(law), original_(g), g_(g), c_(c), step_(step), factor_(factor), accuracy_(accuracy), m_(law.size()) {}

  // Stick, if friction can hold it: a linear system, which gives every component its own accuracy.
  bool stick(bool given, double& p, RollingVec& y);
  // Newton's method for (P, y) from a guess. True if it reached the accuracy.                                     (T.8)
  bool newton(double& p, RollingVec& y);
  // y for P given, from a guess. Blocks of large condition number make the way to the solution a bent valley; it is
  // then followed from a block with more on its diagonal.
  bool metric_projection(double p, RollingVec& y);
  // Both, sure: u_N(P) = 0 bracketed.
  bool bracketed(double& p, RollingVec& y);
  // Whether (P, y) is a solution, after Newton's method for both once more where it is not.
  bool polished(double& p, RollingVec& y);

 private:
  // y for P given, by Newton's method on the forward-backward envelope of the convex problem.                     (T.9)
  bool newton_given(double p, RollingVec& y);
  void evaluate(double p, const RollingVec& y);
  double normal_error() const { return std::abs(u_n_) / sums_n_; }
  // A bound of (T.10): the natural residual grows with its step, and over its step falls.
  double friction_error(double p) const;
  // y - P(y + R u) is what rounding of y, u and P leaves: small sets beside large blocks have more of it than an accuracy
  // relative to the set.
  bool friction_is_rounding(const RollingVec& y) const;
  // ∂(y - P(y + R u))/∂y and ∂P(y + R u)/∂p
  RollingMat by_friction() const;
  RollingVec by_normal(double p) const;
  // The envelope's derivative along d at the point last evaluated: d·(R⁻¹ - G)(y - P). The envelope is convex, so that
  // this grows along d; its value itself would be lost to rounding near the minimum.
  double slope_along(const RollingVec& d) const;
  // y = start + t d near the envelope's minimum over 0 ≤ t ≤ 1; false if it does not fall along d.
  bool line_search(double p, const RollingVec& start, const RollingVec& d, double size, RollingVec& y);

  const RollingLaw& law_;
  const ContactMat& original_;
  ContactMat g_;  // the same, or with more on its diagonal
  const ContactVec& c_;
  const RollingVec step_;
  double factor_, accuracy_;
  Eigen::Index m_;
  double u_n_ = 0, sums_n_ = 0;
  RollingVec u_, z_, closest_, sums_, f_;
  RollingMat derivative_;
};

}  // namespace slipset::internal
