#include "slipset/identification/internal/flow_uncertainty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <random>

#include "slipset/core/dense.hpp"
#include "slipset/identification/internal/noise_colour.hpp"

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

// Inverse of the information matrix for the parameters that the data determine, zero for the others: those without
// information, and those with a part of a direction of the parameter space that has none.
struct Inverse {
  Eigen::MatrixXd matrix;
  std::vector<bool> determined;
};
Inverse inverse_information(const Eigen::MatrixXd& information) {
  const Eigen::Index n = information.rows();
  constexpr double kPart = 1e-3;
  Inverse inverse{Eigen::MatrixXd::Zero(n, n), std::vector<bool>(static_cast<std::size_t>(n), true)};
  const double largest = information.diagonal().maxCoeff();
  // Scaled, since one coefficient may be known a million times better than another.
  Eigen::VectorXd scale = Eigen::VectorXd::Zero(n);
  for (Eigen::Index k = 0; k < n; ++k)
    if (information(k, k) >= 1e-12 * largest) scale[k] = 1 / std::sqrt(information(k, k));
  const SymmetricEigen eigen(scale.asDiagonal() * information * scale.asDiagonal());
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::VectorXd direction = eigen.vectors().col(k);
    if (eigen.values()[k] > 1e-10) {
      const Eigen::VectorXd scaled = scale.asDiagonal() * direction;
      inverse.matrix += scaled * scaled.transpose() / eigen.values()[k];
      continue;
    }
    for (Eigen::Index i = 0; i < n; ++i)
      if (std::abs(direction[i]) > kPart) inverse.determined[static_cast<std::size_t>(i)] = false;
  }
  for (Eigen::Index i = 0; i < n; ++i)
    if (!inverse.determined[static_cast<std::size_t>(i)]) {
      inverse.matrix.row(i).setZero();
      inverse.matrix.col(i).setZero();
    }
  return inverse;
}

std::string name_of(const FlowFit& fit, Eigen::Index k) {
  for (const NamedParameter& p : fit.model.parameters(fit.free))
    if (p.index == k) return p.name;
  return fmt::format("coefficient {}", k + 1);
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
  const PivotedQr normal(others.transpose() * others);  // the others may not all be determined
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
    return residuals.squaredNorm() - along.dot(normal.solve(along).col(0));
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

// Of each bin: model subtracted, over the standard deviations.
Eigen::MatrixX2d weighted_residuals(std::span<const FoldedBin> bins, const FlowFit& fit, const ForceWeights& w) {
  Eigen::MatrixX2d residuals(static_cast<Eigen::Index>(bins.size()), 2);
  for (std::size_t j = 0; j < bins.size(); ++j) {
    const FoldedBin& b = bins[j];
    const Vec2 e = Vec2(b.tangential, b.radial) - fit.model.evaluate(b.slip_angle, fit.free);
    residuals.row(static_cast<Eigen::Index>(j)) = std::sqrt(b.count) * Vec2(w.tangential * e.x(), w.radial * e.y());
  }
  return residuals;
}

// JᵀW of a block's residual sums.
Eigen::VectorXd block_score(const FoldedSignals& signals, const FoldedSignals::Block& block,
                            const Eigen::MatrixXd& jacobian, const ForceWeights& w) {
  Eigen::VectorXd score = Eigen::VectorXd::Zero(jacobian.cols());
  for (std::size_t j = 0; j < signals.bins.size(); ++j) {
    const double root = std::sqrt(signals.bins[j].count);
    const auto row = 2 * static_cast<Eigen::Index>(j);
    score += jacobian.row(row).transpose() * (w.tangential * block.tangential[j] / root) +
             jacobian.row(row + 1).transpose() * (w.radial * block.radial[j] / root);
  }
  return score;
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
    for (const auto& block : signals.blocks) steps.push_back(inverse * block_score(signals, block, jacobian, w));
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
  if (fit.covariance_kind != "white noise") {  // its covariance knows more than single residuals do
    const SymmetricEigen eigen(fit.covariance);
    const Eigen::MatrixXd factor = eigen.vectors() * eigen.values().cwiseMax(0).cwiseSqrt().asDiagonal();
    std::normal_distribution<double> gauss;
    for (int r = 0; r < options.bootstrap; ++r) {
      const Eigen::VectorXd drawn = Eigen::VectorXd::NullaryExpr(jacobian.cols(), [&] { return gauss(engine); });
      fit.replications.emplace_back(fit.free + factor * drawn);
    }
    return;
  }
  const Eigen::MatrixX2d by_bin = weighted_residuals(signals.bins, fit, w);
  Eigen::VectorXd residuals(jacobian.rows());
  for (Eigen::Index j = 0; j < by_bin.rows(); ++j) residuals.segment<2>(2 * j) = by_bin.row(j).transpose();
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
  const auto size = static_cast<double>(fit.model.size()), count = static_cast<double>(bins.size());
  const Eigen::MatrixX2d residuals = weighted_residuals(bins, fit, w);
  // Noise that is correlated from sample to sample (a filter, a rough surface): the blocks know how much.
  const double samples = static_cast<double>(signals.samples - signals.rejected);
  const auto blocks = static_cast<double>(signals.blocks.size());
  if (blocks >= 4 && std::abs(signals.autocorrelation) > 5 / std::sqrt(samples)) {
    Eigen::MatrixXd scores = Eigen::MatrixXd::Zero(fit.model.size(), fit.model.size());
    for (const auto& block : signals.blocks) {
      const Eigen::VectorXd score = block_score(signals, block, jacobian, w);
      scores += score * score.transpose();
    }
    fit.covariance = blocks / (blocks - 1) * inverse * scores * inverse;
    fit.freedom = blocks - 1;
    fit.covariance_kind = "blocks of revolutions";
    return;
  }
  // Fewer revolutions: what the filter makes of white noise, or the first-order correlation; of a single revolution
  // that of the residuals themselves.
  double correlation = signals.autocorrelation;
  if (blocks < 2) {
    double next = 0;
    for (Eigen::Index j = 0; j < residuals.rows(); ++j)
      next += residuals.row(j).dot(residuals.row((j + 1) % residuals.rows()));
    correlation = next / std::max(1e-300, residuals.squaredNorm());
  }
  const NoiseColour colour = noise_colour(signals, correlation);
  if (!colour.white) {
    fit.covariance = colour.effective / std::max(1.0, colour.effective - size / 2) * inverse *
                     coloured_scores(colour, jacobian, residuals) * inverse;
    fit.freedom = std::max(2.0, 2 * colour.effective - size);
    fit.covariance_kind = signals.filter.empty() ? "correlated noise" : "filtered noise";
    return;
  }
  // The noise of the normal force is along the resistance in both components, so that they are neither of one
  // variance all around nor independent: each bin's own residuals say how much. (I.16)
  Eigen::MatrixXd spread_of_scores = Eigen::MatrixXd::Zero(fit.model.size(), fit.model.size());
  for (Eigen::Index j = 0; j < residuals.rows(); ++j) {
    const Eigen::VectorXd score = jacobian.middleRows<2>(2 * j).transpose() * residuals.row(j).transpose();
    spread_of_scores += score * score.transpose();
  }
  fit.covariance = count / (count - size / 2) * inverse * spread_of_scores * inverse;
  fit.freedom = 2 * count - size;
  fit.covariance_kind = "white noise";
}

// An angle with an interval of a quarter turn and more is not determined. Where it is not, the set may be a circle, and
// two parameters vanish there at once: the axes' intervals are those of two degrees of freedom.
void drop_angles(FlowFit& fit) {
  constexpr double kQuarterTurn = 90, kTwoForOne = 2.4477 / 1.9600;  // √χ²(95 %; 2) over √χ²(95 %; 1)
  bool dropped = false;
  for (FittedParameter& p : fit.parameters)
    if (p.name.ends_with("angle") && p.low && !(*p.high - *p.low < kQuarterTurn)) {
      fit.not_identified.push_back(p.name);
      p = {p.name, NAN, std::nullopt, std::nullopt, std::nullopt};
      dropped = true;
    }
  if (!dropped) return;
  for (FittedParameter& p : fit.parameters)
    if (p.low && (p.name.starts_with("reservoir.semi_axes") || p.name == "direction.axis_ratio")) {
      p.low = p.value * std::pow(*p.low / p.value, kTwoForOne);
      p.high = p.value * std::pow(*p.high / p.value, kTwoForOne);
    }
}

}  // namespace

void add_uncertainty(const FoldedSignals& signals, const ForceWeights& w, const FitOptions& options, FlowFit& fit) {
  const std::span<const FoldedBin> bins = signals.bins;
  const FlowModel& model = fit.model;
  const Eigen::MatrixXd jacobian = stacked(bins, model, fit.free, w);
  const Inverse inverse = inverse_information(jacobian.transpose() * jacobian);
  for (Eigen::Index k = 0; k < model.size(); ++k)
    if (!inverse.determined[static_cast<std::size_t>(k)]) fit.not_identified.push_back(name_of(fit, k));
  add_covariance(signals, w, jacobian, inverse.matrix, fit);
  if (options.bootstrap > 0 && fit.not_identified.empty())
    bootstrap(signals, jacobian, w, options, inverse.matrix, fit);
  const double t = boost::math::quantile(boost::math::students_t(std::max(1.0, fit.freedom)), 0.975);
  for (const NamedParameter& p : model.parameters(fit.free)) {
    FittedParameter named{p.name, NAN, std::nullopt, std::nullopt, std::nullopt};
    if (inverse.determined[static_cast<std::size_t>(p.index)]) {
      const double spread = std::sqrt(fit.covariance(p.index, p.index));
      named.value = p.value;
      named.sigma = std::abs(p.derivative) * spread;
      named.low = p.value_of(fit.free[p.index] - t * spread);
      named.high = p.value_of(fit.free[p.index] + t * spread);
      const double white = std::sqrt(inverse.matrix(p.index, p.index));
      if (options.profile && model.has_superellipse_direction() && p.name.ends_with("angle") && t * spread < 1) {
        const auto [below, above] =
            profile_interval(bins, model, fit.free, w, jacobian, p.index, white, t * spread / white);
        named.low = p.value_of(fit.free[p.index] + below);
        named.high = p.value_of(fit.free[p.index] + above);
      }
    }
    fit.parameters.push_back(std::move(named));
  }
  drop_angles(fit);
}

}  // namespace slipset::internal
