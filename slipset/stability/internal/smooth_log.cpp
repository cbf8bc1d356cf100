#include "slipset/stability/internal/smooth_log.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <limits>

namespace slipset::internal {

SmoothLog::SmoothLog(const std::vector<std::complex<double>>& points, const Eigen::VectorXd& log_magnitudes, bool real,
                     double tolerance) {
  const auto count = static_cast<Eigen::Index>(points.size());
  centre_ = 0;
  for (const std::complex<double>& point : points) centre_ += point / static_cast<double>(count);
  if (real) centre_ = centre_.real();
  size_ = 0;
  for (const std::complex<double>& point : points) size_ = std::max(size_, std::abs(point - centre_));
  Eigen::VectorXcd z(count);
  for (Eigen::Index i = 0; i < count; ++i) z[i] = (points[static_cast<std::size_t>(i)] - centre_) / size_;

  const Eigen::Index highest = std::max<Eigen::Index>(0, (real ? count / 2 : (count / 2 - 1) / 2) - 1);
  Eigen::MatrixXcd q(count, highest + 1);
  recurrence_ = Eigen::MatrixXcd::Zero(highest + 1, highest + 1);
  q.col(0).setConstant(1);
  const double norm = std::sqrt(static_cast<double>(count));
  for (Eigen::Index k = 0; k < highest; ++k) {
    Eigen::VectorXcd next = z.cwiseProduct(q.col(k));
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index i = 0; i <= k; ++i) {
        std::complex<double> part = q.col(i).dot(next) / static_cast<double>(count);
        if (real) part = part.real();
        recurrence_(i, k) += part;
        next -= part * q.col(i);
      }
    const double length = next.norm() / norm;
    recurrence_(k + 1, k) = length;
    q.col(k + 1) = next / length;
  }
  worst_ = std::numeric_limits<double>::infinity();
  for (Eigen::Index degree = 0; degree <= highest; ++degree) {
    Eigen::MatrixXd matrix(count, real ? degree + 1 : 2 * degree + 1);
    matrix.leftCols(degree + 1) = q.leftCols(degree + 1).real();
    // Of the constant only the real part is seen in magnitudes.
    if (!real && degree > 0) matrix.rightCols(degree) = -q.middleCols(1, degree).imag();
    const Eigen::VectorXd solution = matrix.householderQr().solve(log_magnitudes);
    const double left = (matrix * solution - log_magnitudes).cwiseAbs().maxCoeff();
    if (left < worst_) {
      worst_ = left;
      coefficients_ = solution.head(degree + 1).cast<std::complex<double>>();
      if (!real && degree > 0)
        coefficients_.tail(degree) += std::complex<double>(0, 1) * solution.tail(degree).cast<std::complex<double>>();
    }
    if (worst_ <= tolerance) break;
  }
}

Eigen::VectorXcd SmoothLog::basis(std::complex<double> at, Eigen::Index count) const {
  const std::complex<double> z = (at - centre_) / size_;
  Eigen::VectorXcd values(count);
  values[0] = 1;
  for (Eigen::Index k = 0; k + 1 < count; ++k) {
    std::complex<double> next = z * values[k];
    for (Eigen::Index i = 0; i <= k; ++i) next -= recurrence_(i, k) * values[i];
    values[k + 1] = next / recurrence_(k + 1, k);
  }
  return values;
}

std::complex<double> SmoothLog::operator()(std::complex<double> at) const {
  return basis(at, coefficients_.size()).cwiseProduct(coefficients_).sum();
}

}  // namespace slipset::internal
