// Fourier series of folded signals, and what they say about the law.   docs/theory/identification.md
//   λ_t(φ) = Σ t_k e^(ikφ),  λ_r(φ) = Σ r_k e^(ikφ), least squares over the bins
// For the associated law λ_t is the support function of C and λ_r its derivative: r_k = ik t_k                    (I.3)
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "slipset/identification/signals.hpp"

namespace slipset {

// Complex coefficients k = 0 … harmonics of both forces.
struct FlowHarmonics {
  Eigen::VectorXcd tangential, radial;
};
FlowHarmonics flow_harmonics(std::span<const FoldedBin> bins, int harmonics);

// Correlation of λ_r with dλ_t/dφ over eight harmonics: 1 for an associated law, 0 where both are constant.
double flow_correlation(std::span<const FoldedBin> bins);

// Is D's flow that of C? The contrasts r_k - ik t_k, k = 1 … harmonics, are zero for the associated law, whatever C is.
// Their variances come from blocks of revolutions (noise of any colour), each harmonic has its F statistic, and the
// p-values are combined by Fisher's rule; with one revolution from the noise beyond the harmonics (white noise).  (I.4)
struct AssociatedTest {
  double p_value = 1;    // of data at least as far from the associated law, if it holds
  double statistic = 0;  // -2 Σ ln p_k
  int harmonics = 0;
  std::vector<double> p_values;   // of each harmonic
  std::vector<double> contrasts;  // |r_k - ik t_k|
  std::string noise;              // where the variances come from
};
AssociatedTest test_associated(const FoldedSignals& signals, int harmonics = 8);

}  // namespace slipset
