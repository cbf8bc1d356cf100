#include "slipset/identification/internal/noise_colour.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <complex>

#include "slipset/core/angle.hpp"

namespace slipset::internal {

NoiseColour noise_colour(const FoldedSignals& signals, double autocorrelation) {
  const auto bins = static_cast<Eigen::Index>(signals.bins.size());
  NoiseColour colour;
  colour.density = Eigen::VectorXd::Ones(bins / 2 + 1);
  colour.effective = static_cast<double>(bins);
  const double samples = static_cast<double>(signals.samples - signals.rejected);
  const bool correlated = autocorrelation > 5 / std::sqrt(std::max(1.0, samples));
  if (signals.filter.empty() && !correlated) return colour;
  colour.white = false;
  const double a = std::min(autocorrelation, 0.999);
  double sum = 0, squares = 0;
  for (Eigen::Index k = 0; k <= bins / 2; ++k) {
    const double f = std::min(0.5, static_cast<double>(k) / signals.samples_each);
    const std::complex<double> turn = std::polar(1.0, -2 * kPi * f);
    colour.density[k] =
        signals.filter.empty() ? 1 / std::norm(1.0 - a * turn) : std::pow(std::norm(response(signals.filter, f)), 2);
    const double twice = k == 0 || 2 * k == bins ? 1 : 2;  // k and -k
    sum += twice * colour.density[k];
    squares += twice * colour.density[k] * colour.density[k];
  }
  colour.density *= static_cast<double>(bins) / sum;
  colour.effective = sum * sum / squares;
  return colour;
}

Eigen::MatrixXd coloured_scores(const NoiseColour& colour, const Eigen::MatrixXd& jacobian,
                                const Eigen::MatrixX2d& residuals) {
  constexpr Eigen::Index kSectors = 12;
  const Eigen::Index bins = residuals.rows(), n = jacobian.cols();
  // Factors of the covariance of the two forces, sector by sector.
  Eigen::MatrixXd loaded(2 * bins, n);
  for (Eigen::Index s = 0; s < kSectors; ++s) {
    const Eigen::Index first = s * bins / kSectors, last = (s + 1) * bins / kSectors;
    const auto own = residuals.middleRows(first, last - first);
    const Eigen::Matrix2d covariance =
        own.transpose() * own / static_cast<double>(last - first) + 1e-24 * Eigen::Matrix2d::Identity();
    const Eigen::Matrix2d factor = covariance.llt().matrixL();
    for (Eigen::Index j = first; j < last; ++j)
      loaded.middleRows<2>(2 * j) = factor.transpose() * jacobian.middleRows<2>(2 * j);
  }
  // Σ_jj' ρ(j - j') Jᵀ_j J_j' by harmonics: each contributes its density.
  Eigen::MatrixXd scores = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index k = 0; k <= bins / 2; ++k) {
    if (colour.density[k] < 1e-9 * colour.density[0]) continue;
    const std::complex<double> turn = std::polar(1.0, 2 * kPi * static_cast<double>(k) / static_cast<double>(bins));
    std::complex<double> power = 1;
    Eigen::MatrixXd real = Eigen::MatrixXd::Zero(2, n), imaginary = real;
    for (Eigen::Index j = 0; j < bins; ++j, power *= turn) {
      real += power.real() * loaded.middleRows<2>(2 * j);
      imaginary += power.imag() * loaded.middleRows<2>(2 * j);
    }
    const double twice = k == 0 || 2 * k == bins ? 1 : 2;
    scores += twice * colour.density[k] / static_cast<double>(bins) *
              (real.transpose() * real + imaginary.transpose() * imaginary);
  }
  return scores;
}

}  // namespace slipset::internal
