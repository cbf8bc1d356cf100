// The second half of fit_flow: how well the data determine a fit.      docs/theory/identification.md
#pragma once

#include "slipset/identification/flow_fit.hpp"

namespace slipset::internal {

// Of the two forces of a sample: 1/σ.
struct ForceWeights {
  double tangential = 1, radial = 1;
};

// Adds what the data cannot determine (`not_identified`), or else the covariance, intervals of the parameters and
// replications of the bootstrap, to a fit whose free parameters are at the minimum.                     (I.15, I.16)
void add_uncertainty(const FoldedSignals& signals, const ForceWeights& weights, const FitOptions& options,
                     FlowFit& fit);

}  // namespace slipset::internal
