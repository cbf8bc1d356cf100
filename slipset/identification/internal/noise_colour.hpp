// How the noise of folded signals is correlated from bin to bin.       docs/theory/identification.md
// Zero-phase filtered white noise has the spectrum |H(f)|⁴, noise of correlation a from sample to sample (first order)
// 1/|1 - a e^(-2πif)|²; f = k over the samples per revolution at the harmonic k of the turn.                 (I.24)
#pragma once

#include <Eigen/Core>

#include "slipset/identification/signals.hpp"

namespace slipset::internal {

struct NoiseColour {
  bool white = true;
  Eigen::VectorXd density;  // at harmonics 0 … bins/2, over that of white noise of the same variance
  double effective = 0;     // number of independent values among the bins, of one force
};
// `autocorrelation` from one sample to the next; signals that went through a filter have its colour.
NoiseColour noise_colour(const FoldedSignals& signals, double autocorrelation);
inline NoiseColour noise_colour(const FoldedSignals& signals) { return noise_colour(signals, signals.autocorrelation); }

// Covariance of the scores Σ_j J_jᵀ e_j with noise of this colour, two rows of J and one row of `residuals` per bin, all
// divided by their standard deviations; the variances of the two forces come from the residuals, by sectors of 30
// degrees.                                                                                                   (I.25)
Eigen::MatrixXd coloured_scores(const NoiseColour& colour, const Eigen::MatrixXd& jacobian,
                                const Eigen::MatrixX2d& residuals);

}  // namespace slipset::internal
