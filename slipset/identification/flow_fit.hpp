// Least-squares fit of a flow model to folded signals, with its uncertainty.   docs/theory/identification.md
//   minimise Σ_j n_j [ (λ_t - s_t)²/σ_t² + (λ_r - s_r)²/σ_r² ] over the model's parameters                    (I.9)
// with Huber's loss at 4σ.
// The slip angle is what the machine prescribes; both components are measured at it. So the fit is in the forces over
// φ and not in points of the plane, whose noise is in the abscissa as well (a fit of r_C over a measured θ is biased by
// the square of the noise).
#pragma once

#include <optional>

#include "slipset/identification/flow_model.hpp"
#include "slipset/identification/signals.hpp"

namespace slipset {

struct FitOptions {
  double robust = 4;    // Huber's threshold in standard deviations of a bin; 0: plain least squares
  int bootstrap = 400;  // replications, each one Gauss-Newton step from the fit; 0: none
  unsigned seed = 1;
  bool profile = true;  // intervals of angles from the profile of the sum of squares, not its curvature
};

struct FittedParameter {
  std::string name;
  double value;                     // NaN if the data do not determine it
  std::optional<double> sigma;      // standard deviation; empty if the data do not determine it
  std::optional<double> low, high;  // 95 % confidence interval, whatever the other parameters are
};

struct FlowFit {
  FlowModel model;
  Eigen::VectorXd free;                       // the fitted free parameters
  Eigen::MatrixXd covariance{};               // of them; zero for those that the data do not determine
  std::vector<FittedParameter> parameters{};  // of superellipses; semi-axes per unit normal force, angles in degrees
  std::vector<std::string> not_identified{};  // parameters that the data do not determine
  double sigma_tangential = 0, sigma_radial = 0;  // of one sample about the model, per unit normal force
  double lack_of_fit = 0;         // residual variance about the model over that within bins; 1: nothing is left
  std::string covariance_kind{};  // "white noise", "blocks of revolutions", "filtered noise" or "correlated noise"
  double effective = 0;           // number of bins with independent noise, as many as there are for white noise
  double freedom = 0;             // of Student's t for the intervals
  double log_likelihood = 0, aic = 0, bic = 0;
  int iterations = 0;
  bool converged = false;
  std::vector<Eigen::VectorXd> replications{};  // of the bootstrap

  PlanarSet reservoir() const { return model.reservoir(free); }
  PlanarSet direction() const { return model.direction(free); }
};

FlowFit fit_flow(const FoldedSignals& signals, const FlowModel& model, const FitOptions& options = {});

}  // namespace slipset
