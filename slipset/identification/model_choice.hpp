// Which model of C and D the data ask for.                             docs/theory/identification.md
#pragma once

#include "slipset/identification/flow_fit.hpp"

namespace slipset {

// Several models of C beside a superellipse as D, then of D beside the chosen C, then series for both, by the Bayesian
// information criterion: of all that are within 10 of the least the one with the fewest parameters. More than 1800 bins
// are joined for it. Pairs of shapes with axes are tried with common and with separate ones.
struct ModelChoice {
  std::vector<FlowFit> fits;  // all that were tried, without bootstrap
  std::size_t best = 0;
};
struct ChoiceOptions {
  std::optional<ReservoirKind> reservoir;  // chosen if empty
  std::optional<DirectionKind> direction;
  std::optional<AxesKind> axes;  // chosen if empty: common, or separate where C and D both have axes
  double angle = 0;              // of fixed axes [rad]
  std::vector<int> orders = {4, 8};
  FitOptions fit;
};
ModelChoice choose_model(const FoldedSignals& signals, const ChoiceOptions& options = {});

}  // namespace slipset
