#include "slipset/identification/internal/flow_uncertainty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <random>

#include "slipset/core/dense.hpp"

namespace slipset::internal {
namespace {

// Weighted derivatives at every bin, stacked: rows 2j, 2j + 1.
Eigen::MatrixXd stacked(std::span<const FoldedBin> bins, const FlowModel& model, const Eigen::VectorXd& free,
                        const ForceWeights& w) {
  Eigen::MatrixXd all(2 * static_cast<Eigen::Index>(bins.size()), model.size());
  Eigen::Matrix2Xd derivatives;
  Eigen::Index row = 0;
  for (const FoldedBin& b : bins) {
    model.evaluate(b.slip_angle, free, &derivatives);
    all.row(row++) = std::sqrt(b.count) * w.tangential * derivatives.row(0);
    all.row(row++) = std::sqrt(b.count) * w.radial * derivatives.row(1);
  }
  return all;
}

// Directions of the parameter space that the data do not determine: eigenvectors of the scaled information matrix.
std::vector<std::string> weak_directions(const FlowModel& model, const Eigen::VectorXd& free,
                                         const Eigen::MatrixXd& information) {
  const Eigen::VectorXd scale = information.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const double largest = information.diagonal().maxCoeff();
  std::vector<std::string> weak;
  const auto named = model.parameters(free);
  const auto name_of = [&](Eigen::Index k) {
    for (const NamedParameter& p : named)
      if (p.index == k) return p.name;
    return fmt::format("coefficient {}", k + 1);
  };
  for (Eigen::Index k = 0; k < information.rows(); ++k)
    if (information(k, k) < 1e-12 * largest) weak.push_back(name_of(k));
  if (!weak.empty()) return weak;
  const SymmetricEigen eigen(scale.asDiagonal() * information * scale.asDiagonal());
  for (Eigen::Index k = 0; k < eigen.values().size(); ++k) {
    if (eigen.values()[k] > 1e-10) break;
    std::string text;
    for (Eigen::Index i = 0; i < information.rows(); ++i)
      if (std::abs(eigen.vectors()(i, k)) > 0.3) text += (text.empty() ? "" : " with ") + name_of(i);
    weak.push_back(text);
  }
  return weak;
}

// Where the sum of squares, least over the other parameters (linearised), has grown by limit², to both sides. The flow
// of a superellipse D has a vertical tangent at its axes: next to a sample there, an angle is determined better than
// its derivative says, and the sum of squares is no parabola. (I.15)
std::pair<double, double> profile_interval(std::span<const FoldedBin> bins, const FlowModel& model,
                                           const Eigen::VectorXd& free, const ForceWeights& w,
                                           const Eigen::MatrixXd& jacobian, Eigen::Index index, double spread,
                                           double limit) {
  Eigen::MatrixXd others(jacobian.rows(), jacobian.cols() - 1);
  others.leftCols(index) = jacobian.leftCols(index);
  others.rightCols(others.cols() - index) = jacobian.rightCols(others.cols() - index);
  const Cholesky normal(others.transpose() * others);
  Eigen::VectorXd residuals(jacobian.rows());
  const auto profile = [&](double offset) {
    Eigen::VectorXd moved = free;
    moved[index] += offset;
    Eigen::Index row = 0;
    for (const FoldedBin& b : bins) {
      const Vec2 e = model.evaluate(b.slip_angle, moved) - Vec2(b.tangential, b.radial);
      residuals[row++] = std::sqrt(b.count) * w.tangential * e.x();
      residuals[row++] = std::sqrt(b.count) * w.radial * e.y();
    }
    const Eigen::VectorXd along = others.transpose() * residuals;
    return residuals.squaredNorm() - along.dot(normal.solve(along));
  };
  const double least = profile(0);
  const auto side = [&](double sign) {
    double low = 0, high = limit * spread;
    for (int i = 0; i < 6 && profile(sign * high) - least < limit * limit; ++i) low = high, high *= 1.5;
    for (int i = 0; i < 14; ++i) {
      const double middle = (low + high) / 2;
      (profile(sign * middle) - least < limit * limit ? low : high) = middle;
    }
    return sign * (low + high) / 2;
  };
  return {side(-1), side(1)};
}

// Each replication: the bins' residuals are drawn anew, by whole blocks of revolutions where there are enough of them,
// else with random signs, and one Gauss-Newton step is made.
void bootstrap(const FoldedSignals& signals, const Eigen::MatrixXd& jacobian, const ForceWeights& w,
               const FitOptions& options, const Eigen::MatrixXd& inverse, FlowFit& fit) {
  std::mt19937_64 engine(options.seed);
  const std::size_t blocks = signals.blocks.size();
  const bool by_blocks = blocks >= 10;
  std::vector<Eigen::VectorXd> steps;  // J^T W of each block's residual sums, or of each bin's residuals
  if (by_blocks) {
    for (const auto& block : signals.blocks) {
      Eigen::VectorXd step = Eigen::VectorXd::Zero(jacobian.cols());
      for (std::size_t j = 0; j < signals.bins.size(); ++j) {
        const double root = std::sqrt(signals.bins[j].count);
        const auto row = 2 * static_cast<Eigen::Index>(j);
        step += jacobian.row(row).transpose() * (w.tangential * block.tangential[j] / root) +
                jacobian.row(row + 1).transpose() * (w.radial * block.radial[j] / root);
      }
      steps.push_back(inverse * step);
    }
    // Drawing with replacement underestimates the variance by (blocks - 1)/blocks.
    const double scale = std::sqrt(static_cast<double>(blocks) / static_cast<double>(blocks - 1));
    for (int r = 0; r < options.bootstrap; ++r) {
      Eigen::VectorXd free = fit.free;
      for (std::size_t b = 0; b < blocks; ++b)
        free += scale * steps[std::uniform_int_distribution<std::size_t>(0, blocks - 1)(engine)];
      fit.replications.push_back(std::move(free));
    }
    return;
  }
  Eigen::VectorXd residuals(jacobian.rows());
  Eigen::Index row = 0;
  for (const FoldedBin& b : signals.bins) {
    const Vec2 e = Vec2(b.tangential, b.radial) - fit.model.evaluate(b.slip_angle, fit.free);
    residuals[row++] = std::sqrt(b.count) * w.tangential * e.x();
    residuals[row++] = std::sqrt(b.count) * w.radial * e.y();
  }
  const Eigen::MatrixXd gains = inverse * jacobian.transpose();
  std::bernoulli_distribution coin;
  for (int r = 0; r < options.bootstrap; ++r) {
    Eigen::VectorXd drawn = residuals;
    for (Eigen::Index k = 0; k < drawn.size(); ++k)
      if (coin(engine)) drawn[k] = -drawn[k];
    fit.replications.emplace_back(fit.free + gains * drawn);
  }
}

// Covariance of the free parameters, its kind and Student's degrees of freedom; `inverse` of the information matrix.
void add_covariance(const FoldedSignals& signals, const ForceWeights& w, const Eigen::MatrixXd& jacobian,
                    const Eigen::MatrixXd& inverse, FlowFit& fit) {
  const std::span<const FoldedBin> bins = signals.bins;
  const FlowModel& model = fit.model;
  // The noise of the normal force is along the resistance in both components, so that they are neither of one
  // variance all around nor independent: each bin's own residuals say how much. (I.16)
  Eigen::MatrixXd spread_of_scores = Eigen::MatrixXd::Zero(model.size(), model.size());
  for (std::size_t j = 0; j < bins.size(); ++j) {
    const FoldedBin& b = bins[j];
    const Vec2 e = Vec2(b.tangential, b.radial) - model.evaluate(b.slip_angle, fit.free);
    const auto row = 2 * static_cast<Eigen::Index>(j);
    const Eigen::VectorXd score = std::sqrt(b.count) * (w.tangential * e.x() * jacobian.row(row).transpose() +
                                                        w.radial * e.y() * jacobian.row(row + 1).transpose());
    spread_of_scores += score * score.transpose();
  }
  const auto count = static_cast<double>(bins.size());
  fit.covariance = count / (count - static_cast<double>(model.size()) / 2) * inverse * spread_of_scores * inverse;
  fit.freedom = 2 * count - static_cast<double>(model.size());
  fit.covariance_kind = "white noise";
  // Noise that is correlated from sample to sample (a filter, a rough surface): the blocks know how much.
  const double samples = static_cast<double>(signals.samples - signals.rejected);
  const auto blocks = static_cast<double>(signals.blocks.size());
  if (blocks >= 4 && std::abs(signals.autocorrelation) > 5 / std::sqrt(samples)) {
    Eigen::MatrixXd scores = Eigen::MatrixXd::Zero(model.size(), model.size());
    for (const auto& block : signals.blocks) {
      Eigen::VectorXd score = Eigen::VectorXd::Zero(model.size());
      for (std::size_t j = 0; j < bins.size(); ++j) {
        const double root = std::sqrt(bins[j].count);
        const auto row = 2 * static_cast<Eigen::Index>(j);
        score += jacobian.row(row).transpose() * (w.tangential * block.tangential[j] / root) +
                 jacobian.row(row + 1).transpose() * (w.radial * block.radial[j] / root);
      }
      scores += score * score.transpose();
    }
    fit.covariance = blocks / (blocks - 1) * inverse * scores * inverse;
    fit.freedom = blocks - 1;
    fit.covariance_kind = "blocks of revolutions";
  }
}

}  // namespace

void add_uncertainty(const FoldedSignals& signals, const ForceWeights& w, const FitOptions& options, FlowFit& fit) {
  const std::span<const FoldedBin> bins = signals.bins;
  const FlowModel& model = fit.model;
  const Eigen::MatrixXd jacobian = stacked(bins, model, fit.free, w);
  const Eigen::MatrixXd information = jacobian.transpose() * jacobian;
  fit.not_identified = weak_directions(model, fit.free, information);
  std::optional<Eigen::VectorXd> deviation;
  if (fit.not_identified.empty()) {
    // Scaled, since one coefficient may be known a million times better than another.
    const Eigen::VectorXd scale = information.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd inverse =
        scale.asDiagonal() * inverse_of(scale.asDiagonal() * information * scale.asDiagonal()) * scale.asDiagonal();
    add_covariance(signals, w, jacobian, inverse, fit);
    deviation = fit.covariance.diagonal().cwiseSqrt();
    if (options.bootstrap > 0) bootstrap(signals, jacobian, w, options, inverse, fit);
  }
  const double t =
      fit.freedom > 0 ? boost::math::quantile(boost::math::students_t(std::max(1.0, fit.freedom)), 0.975) : 0;
  for (const NamedParameter& p : model.parameters(fit.free)) {
    FittedParameter named{p.name, p.value, std::nullopt, std::nullopt, std::nullopt};
    if (deviation) {
      const double spread = (*deviation)[p.index];
      named.sigma = std::abs(p.derivative) * spread;
      named.low = p.value_of(fit.free[p.index] - t * spread);
      named.high = p.value_of(fit.free[p.index] + t * spread);
      if (options.profile && model.has_superellipse_direction() && p.name.ends_with("angle")) {
        const double white = std::sqrt(inverse_of(information)(p.index, p.index)), limit = t * spread / white;
        const auto [below, above] = profile_interval(bins, model, fit.free, w, jacobian, p.index, white, limit);
        named.low = p.value_of(fit.free[p.index] + below);
        named.high = p.value_of(fit.free[p.index] + above);
      }
    }
    fit.parameters.push_back(std::move(named));
  }
}

}  // namespace slipset::internal
