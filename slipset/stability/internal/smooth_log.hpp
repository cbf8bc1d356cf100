// An analytic function through the magnitudes of another one.                       docs/theory/structures.md
//   g(λ) = Σ c_k p_k(λ) with Re g = log|f| at given points, by least squares; e^g has no zeros                  (F.8)
// Then f e^-g turns as often as f does along a closed contour, but varies less on the way: the part of f's argument that
// comes from roots elsewhere follows from its magnitude. Magnitudes have no branches to choose from.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace slipset::internal {

class SmoothLog {
 public:
  // The degree is the lowest that leaves at most `tolerance`, or the best of those with two points per unknown. Real: f
  // is real on the real axis, about which the points are to be mirrored.
  SmoothLog(const std::vector<std::complex<double>>& points, const Eigen::VectorXd& log_magnitudes, bool real,
            double tolerance);

  std::complex<double> operator()(std::complex<double> at) const;
  double worst() const { return worst_; }  // |Re g - log|f|| at the points
  int degree() const { return static_cast<int>(coefficients_.size()) - 1; }

 private:
  Eigen::VectorXcd basis(std::complex<double> at, Eigen::Index count) const;

  // z = (λ - centre)/size; polynomials orthogonal over the points, by Arnoldi's recurrence (powers would be useless).
  std::complex<double> centre_;
  double size_ = 1;
  Eigen::MatrixXcd recurrence_;
  Eigen::VectorXcd coefficients_;
  double worst_ = 0;
};

}  // namespace slipset::internal
