#include "slipset/identification/fourier.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <complex>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/noise_colour.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;

// 1, cos φ, sin φ, cos 2φ, ...
void fill_row(double angle, int harmonics, Eigen::VectorXd& row) {
  row[0] = 1;
  const Complex turn = std::polar(1.0, angle);
  Complex power = 1;
  for (int k = 1; k <= harmonics; ++k) {
    power *= turn;
    row[2 * k - 1] = power.real();
    row[2 * k] = power.imag();
  }
}

struct Series {
  Eigen::VectorXd tangential, radial;         // 1, cos, sin, ...
  double rms_tangential = 0, rms_radial = 0;  // of one sample about the series
};

Series series_of(std::span<const FoldedBin> bins, int harmonics) {
  const Eigen::Index n = 2 * harmonics + 1;
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd t = Eigen::VectorXd::Zero(n), r = t, row(n);
  for (const FoldedBin& b : bins) {
    fill_row(b.slip_angle, harmonics, row);
    normal.selfadjointView<Eigen::Lower>().rankUpdate(row, b.count);
    t += b.count * b.tangential * row;
    r += b.count * b.radial * row;
  }
  const Eigen::LDLT<Eigen::MatrixXd> solver(normal.selfadjointView<Eigen::Lower>());
  Series series{solver.solve(t), solver.solve(r)};
  double tt = 0, rr = 0;
  for (const FoldedBin& b : bins) {
    fill_row(b.slip_angle, harmonics, row);
    tt += b.count * std::pow(b.tangential - row.dot(series.tangential), 2);
    rr += b.count * std::pow(b.radial - row.dot(series.radial), 2);
  }
  const double freedom = std::max(1.0, static_cast<double>(bins.size()) - static_cast<double>(n));
  series.rms_tangential = std::sqrt(tt / freedom);
  series.rms_radial = std::sqrt(rr / freedom);
  return series;
}

Eigen::VectorXcd complex_of(const Eigen::VectorXd& real) {
  Eigen::VectorXcd c((real.size() + 1) / 2);
  c[0] = real[0];
  for (Eigen::Index k = 1; k < c.size(); ++k) c[k] = Complex(real[2 * k - 1], -real[2 * k]) / 2.0;
  return c;
}

void require_bins(std::span<const FoldedBin> bins, int harmonics) {
  if (bins.size() < 6 || harmonics < 1)
    throw InvalidInput(
        fmt::format("harmonics: {} of {} bins; expected 1 or more, of at least 6 bins", harmonics, bins.size()));
}

int most_harmonics(std::span<const FoldedBin> bins, int wanted) {
  return std::max(1, std::min(wanted, static_cast<int>(bins.size() / 3) - 1));
}

}  // namespace

FlowHarmonics flow_harmonics(std::span<const FoldedBin> bins, int harmonics) {
  require_bins(bins, harmonics);
  const Series series = series_of(bins, most_harmonics(bins, harmonics));
  return {complex_of(series.tangential), complex_of(series.radial)};
}

double flow_correlation(std::span<const FoldedBin> bins) {
  const FlowHarmonics h = flow_harmonics(bins, 8);
  double both = 0, t = 0, r = 0;
  for (Eigen::Index k = 1; k < h.tangential.size(); ++k) {
    const Complex slope = Complex(0, static_cast<double>(k)) * h.tangential[k];
    both += (std::conj(slope) * h.radial[k]).real();
    t += std::norm(slope);
    r += std::norm(h.radial[k]);
  }
  const double size = std::norm(h.tangential[0]);
  return t > 1e-8 * size && r > 1e-8 * size ? both / std::sqrt(t * r) : 0;
}

AssociatedTest test_associated(const FoldedSignals& signals, int harmonics) {
  require_bins(signals.bins, harmonics);
  AssociatedTest test;
  test.harmonics = most_harmonics(signals.bins, harmonics);
  // Twice as many in the fit, so that what lies beyond does not leak in through uneven sampling.
  const int fitted = most_harmonics(signals.bins, 3 * test.harmonics);
  const Series series = series_of(signals.bins, fitted);
  const Eigen::VectorXcd t = complex_of(series.tangential), r = complex_of(series.radial);
  const auto blocks = static_cast<double>(signals.blocks.size());
  double samples = 0;
  for (const FoldedBin& b : signals.bins) samples += b.count;
  const internal::NoiseColour colour = internal::noise_colour(signals);
  test.noise = blocks > 1     ? "blocks of revolutions"
               : colour.white ? "white noise, from the residual of the series"
                              : "filtered noise, from the residual of the series";
  // Each block's Σ (residual of λ_r - ik that of λ_t) e^(-ikφ).
  Eigen::MatrixXcd sums = Eigen::MatrixXcd::Zero(static_cast<Eigen::Index>(signals.blocks.size()), test.harmonics + 1);
  for (std::size_t j = 0; j < signals.bins.size() && blocks > 1; ++j) {
    const Complex turn = std::polar(1.0, -signals.bins[j].slip_angle);
    Complex power = 1;
    for (int k = 1; k <= test.harmonics; ++k) {
      power *= turn;
      for (std::size_t b = 0; b < signals.blocks.size(); ++b)
        sums(static_cast<Eigen::Index>(b), k) +=
            power * Complex(signals.blocks[b].radial[j], -k * signals.blocks[b].tangential[j]);
    }
  }
  for (int k = 1; k <= test.harmonics; ++k) {
    const Complex slope(0, k), contrast = r[k] - slope * t[k];
    test.contrasts.push_back(std::abs(contrast));
    double variance = 0, freedom = 0;  // of the real and of the imaginary part of the contrast
    if (blocks > 1) {
      variance = sums.col(k).squaredNorm();
      // Sums of blocks → variance of their total over all samples.
      variance *= blocks / (2 * (blocks - 1)) / (samples * samples);
      freedom = 2 * (blocks - 1);
    } else {
      variance = colour.density[std::min<Eigen::Index>(k, colour.density.size() - 1)] *
                 (series.rms_radial * series.rms_radial + k * k * series.rms_tangential * series.rms_tangential) /
                 (2 * samples);
      freedom = 2 * colour.effective - 2.0 * (2 * fitted + 1);
    }
    // Below rounding the contrast counts as zero.
    const double rounding = std::pow(1e-12 * std::abs(t[0]), 2);
    const double f = std::norm(contrast) / 2 / (variance + rounding);
    test.p_values.push_back(std::max(
        1e-300, boost::math::cdf(boost::math::complement(boost::math::fisher_f(2, std::max(1.0, freedom)), f))));
    test.statistic -= 2 * std::log(test.p_values.back());
  }
  test.p_value =
      boost::math::cdf(boost::math::complement(boost::math::chi_squared(2.0 * test.harmonics), test.statistic));
  return test;
}

}  // namespace slipset
