#include "slipset/identification/flow_fit.hpp"

#include <ceres/ceres.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/axis_order.hpp"
#include "slipset/identification/internal/flow_uncertainty.hpp"
#include "slipset/identification/internal/noise_colour.hpp"
#include "slipset/identification/internal/quiet_solve.hpp"
#include "slipset/identification/internal/settled.hpp"

namespace slipset {
namespace {

// Both forces of one bin.
class BinCost : public ceres::CostFunction {
 public:
  BinCost(const FlowModel& model, const FoldedBin& bin, const internal::ForceWeights& weights)
      : model_(model), bin_(bin) {
    weight_ = std::sqrt(bin.count) * Eigen::Vector2d(weights.tangential, weights.radial);
    set_num_residuals(2);
    mutable_parameter_block_sizes()->push_back(static_cast<int>(model.size()));
  }
  bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
    const Eigen::VectorXd free = Eigen::VectorXd::Map(parameters[0], model_.size());
    Eigen::Matrix2Xd derivatives;
    const bool wanted = jacobians != nullptr && jacobians[0] != nullptr;
    const Vec2 s = model_.evaluate(bin_.slip_angle, free, wanted ? &derivatives : nullptr);
    residuals[0] = weight_[0] * (s.x() - bin_.tangential);
    residuals[1] = weight_[1] * (s.y() - bin_.radial);
    if (wanted)
      Eigen::Map<Eigen::Matrix<double, 2, Eigen::Dynamic, Eigen::RowMajor>>(jacobians[0], 2, model_.size()) =
          weight_.asDiagonal() * derivatives;
    return std::isfinite(residuals[0]) && std::isfinite(residuals[1]);
  }

 private:
  const FlowModel& model_;
  const FoldedBin& bin_;
  Eigen::Vector2d weight_;
};

struct Solved {
  int iterations = 0;
  bool converged = false;
};

Solved minimise(std::span<const FoldedBin> bins, const FlowModel& model, const internal::ForceWeights& weights,
                double robust, Eigen::VectorXd& free, int most_iterations = 100) {
  ceres::Problem problem;
  ceres::LossFunction* const loss = robust > 0 ? new ceres::HuberLoss(robust * std::sqrt(2.0)) : nullptr;
  for (const FoldedBin& bin : bins) problem.AddResidualBlock(new BinCost(model, bin, weights), loss, free.data());
  const Eigen::VectorXd least = model.lower_bounds();
  for (Eigen::Index k = 0; k < model.size(); ++k)
    if (std::isfinite(least[k])) problem.SetParameterLowerBound(free.data(), static_cast<int>(k), least[k]);
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_NORMAL_CHOLESKY;
  options.function_tolerance = 1e-16;
  options.gradient_tolerance = 1e-14;
  options.parameter_tolerance = 1e-13;
  options.max_num_iterations = most_iterations;
  options.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  internal::quiet_solve(options, problem, summary);
  return {static_cast<int>(summary.iterations.size()), internal::settled(summary)};
}

// A start: axes, exponents and angle of a coarse search over every 30th bin, or zero for series.
Eigen::VectorXd start_of(std::span<const FoldedBin> bins, const FlowModel& model) {
  std::vector<FoldedBin> few;
  const std::size_t step = std::max<std::size_t>(1, bins.size() / 120);
  for (std::size_t j = 0; j < bins.size(); j += step) few.push_back(bins[j]);
  double size = 0;
  for (const FoldedBin& b : few) size += std::hypot(b.tangential, b.radial) / static_cast<double>(few.size());
  Eigen::VectorXd best = Eigen::VectorXd::Zero(model.size());
  double least = INFINITY;
  const auto names = model.parameters(best);
  for (int turn = 0; turn < 6; ++turn)
    for (const double exponent : {1.5, 2.5, 4.0}) {
      Eigen::VectorXd free = Eigen::VectorXd::Zero(model.size());
      if (!model.has_superellipse_reservoir() && model.size() > 0) free[0] = std::log(size);  // see below for splines
      bool turned = false, curved = false;
      for (const NamedParameter& p : names) {
        if (p.name.ends_with("angle")) free[p.index] = radians(15.0 * turn), turned = true;
        if (p.name.ends_with("exponent")) free[p.index] = exponent, curved = true;
        if (p.name.starts_with("reservoir.semi_axes") || p.name == "reservoir.radius") free[p.index] = std::log(size);
        if (p.name == "direction.axis_ratio") free[p.index] = 0.02;
      }
      minimise(few, model, {}, 0, free, 12);
      double sum = 0;
      for (const FoldedBin& b : few)
        sum += (model.evaluate(b.slip_angle, free) - Vec2(b.tangential, b.radial)).squaredNorm();
      if (sum < least) {
        least = sum;
        best = free;
      }
      if (!turned) turn = 6;
      if (!curved) break;
    }
  return best;
}

struct Moments {
  double tangential = 0, radial = 0, count = 0;  // Σ n e², number of bins
};
Moments moments_of(std::span<const FoldedBin> bins, const FlowModel& model, const Eigen::VectorXd& free) {
  Moments m;
  for (const FoldedBin& b : bins) {
    const Vec2 e = Vec2(b.tangential, b.radial) - model.evaluate(b.slip_angle, free);
    m.tangential += b.count * e.x() * e.x();
    m.radial += b.count * e.y() * e.y();
    m.count += 1;
  }
  return m;
}

}  // namespace

FlowFit fit_flow(const FoldedSignals& signals, const FlowModel& model, const FitOptions& options) {
  const std::span<const FoldedBin> bins = signals.bins;
  if (static_cast<Eigen::Index>(2 * bins.size()) <= model.size() + 2)
    throw InvalidInput(
        fmt::format("{} bins are too few for the {} parameters of {}", bins.size(), model.size(), model.name()));
  for (const FoldedBin& b : bins)
    if (!std::isfinite(b.slip_angle + b.tangential + b.radial) || !(b.count > 0 && std::isfinite(b.count)))
      throw InvalidInput(fmt::format(
          "the bin at slip angle {:.6g} degrees has a force that is not finite, or no samples", degrees(b.slip_angle)));
  if (!(options.robust >= 0))
    throw InvalidInput(
        fmt::format("robust: found {:.6g} deviations; expected a number above 0, or 0 for plain least "
                    "squares",
                    options.robust));
  if (options.bootstrap < 0)
    throw InvalidInput(
        fmt::format("bootstrap: found {} replications; expected 1 or more, or 0 for none", options.bootstrap));
  FlowFit fit{model, start_of(bins, model)};
  internal::order_axes(model, fit.free);
  // Twice: the noise of the two forces is known after the first fit.
  internal::ForceWeights w;
  for (const bool last : {false, true}) {
    const Solved solved = minimise(bins, model, w, last ? options.robust : 0, fit.free);
    fit.iterations += solved.iterations;
    fit.converged = solved.converged;
    const Moments m = moments_of(bins, model, fit.free);
    const double freedom = std::max(1.0, m.count - static_cast<double>(model.size()) / 2);
    // Never below rounding: exact data have a noise, too.
    const double floor = 1e-14 * std::hypot(bins[0].tangential, bins[0].radial);
    fit.sigma_tangential = std::max(floor, std::sqrt(m.tangential / freedom));
    fit.sigma_radial = std::max(floor, std::sqrt(m.radial / freedom));
    if (!last) w = {1 / fit.sigma_tangential, 1 / fit.sigma_radial};
  }
  internal::order_axes(model, fit.free);
  w = {1 / fit.sigma_tangential, 1 / fit.sigma_radial};

  // Correlated noise: as many independent values as its colour leaves.
  fit.effective = internal::noise_colour(signals).effective;
  const double n = 2 * fit.effective, k = static_cast<double>(model.size()) + 2;
  fit.log_likelihood = -fit.effective * (std::log(fit.sigma_tangential * fit.sigma_radial) + std::log(2 * kPi) + 1);
  fit.aic = 2 * k - 2 * fit.log_likelihood;
  fit.bic = std::log(n) * k - 2 * fit.log_likelihood;
  if (signals.noise_tangential > 0)
    fit.lack_of_fit = (std::pow(fit.sigma_tangential / signals.noise_tangential, 2) +
                       std::pow(fit.sigma_radial / std::max(signals.noise_radial, 1e-300), 2)) /
                      2;

  internal::add_uncertainty(signals, w, options, fit);
  return fit;
}

}  // namespace slipset
