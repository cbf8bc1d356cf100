#include "slipset/identification/flow_fit.hpp"

#include <ceres/ceres.h>
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <random>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/fourier.hpp"

namespace slipset {
namespace {

struct Weights {
  double tangential = 1, radial = 1;  // 1/σ
};

// Both forces of one bin.
class BinCost : public ceres::CostFunction {
 public:
  BinCost(const FlowModel& model, const FoldedBin& bin, const Weights& weights) : model_(model), bin_(bin) {
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

Solved minimise(std::span<const FoldedBin> bins, const FlowModel& model, const Weights& weights, double robust,
                Eigen::VectorXd& free, int most_iterations = 100) {
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
  ceres::Solve(options, &problem, &summary);
  return {static_cast<int>(summary.iterations.size()), summary.IsSolutionUsable()};
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

// The first axis is the one next to e1, so that semi-axes keep their meaning from file to file.
void order_axes(const FlowModel& model, Eigen::VectorXd& free) {
  Eigen::Index angle = -1, first = -1, second = -1, ratio = -1;
  int angles = 0;
  for (const NamedParameter& p : model.parameters(free)) {
    if (p.name.ends_with("angle")) angle = p.index, ++angles;
    if (p.name == "reservoir.semi_axes.1") first = p.index;
    if (p.name == "reservoir.semi_axes.2") second = p.index;
    if (p.name == "direction.axis_ratio") ratio = p.index;
  }
  if (angles != 1) {  // each set by itself
    for (const NamedParameter& p : model.parameters(free))
      if (p.name.ends_with("angle")) {
        const double quarter = std::round(free[p.index] / (kPi / 2));
        free[p.index] -= quarter * kPi / 2;
        if (std::fmod(std::abs(quarter), 2) != 1) continue;
        if (p.name.starts_with("reservoir") && first >= 0 && second >= 0) std::swap(free[first], free[second]);
        if (p.name.starts_with("direction") && ratio >= 0) free[ratio] = -free[ratio];
      }
    return;
  }
  const double quarter = std::round(free[angle] / (kPi / 2));
  free[angle] -= quarter * kPi / 2;
  if (std::fmod(std::abs(quarter), 2) != 1) return;
  if (first >= 0 && second >= 0) std::swap(free[first], free[second]);
  if (ratio >= 0) free[ratio] = -free[ratio];
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

// Weighted derivatives at every bin, stacked: rows 2j, 2j + 1.
Eigen::MatrixXd stacked(std::span<const FoldedBin> bins, const FlowModel& model, const Eigen::VectorXd& free,
                        const Weights& w) {
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

// Directions of the parameter space that the data do not tell: eigenvectors of the scaled information matrix.
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
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.asDiagonal() * information * scale.asDiagonal());
  for (Eigen::Index k = 0; k < eigen.eigenvalues().size(); ++k) {
    if (eigen.eigenvalues()[k] > 1e-10) break;
    std::string text;
    for (Eigen::Index i = 0; i < information.rows(); ++i)
      if (std::abs(eigen.eigenvectors()(i, k)) > 0.3) text += (text.empty() ? "" : " with ") + name_of(i);
    weak.push_back(text);
  }
  return weak;
}

// Where the sum of squares, least over the other parameters (linearised), has grown by limit², to both sides. The flow
// of a superellipse D has a vertical tangent at its axes: next to a sample there, an angle is told better than its
// derivative says, and the sum of squares is no parabola. (I.15)
std::pair<double, double> profile_interval(std::span<const FoldedBin> bins, const FlowModel& model,
                                           const Eigen::VectorXd& free, const Weights& w,
                                           const Eigen::MatrixXd& jacobian, Eigen::Index index, double spread,
                                           double limit) {
  Eigen::MatrixXd others(jacobian.rows(), jacobian.cols() - 1);
  others.leftCols(index) = jacobian.leftCols(index);
  others.rightCols(others.cols() - index) = jacobian.rightCols(others.cols() - index);
  const Eigen::LDLT<Eigen::MatrixXd> normal(Eigen::MatrixXd(others.transpose() * others));
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
void bootstrap(const FoldedSignals& signals, const Eigen::MatrixXd& jacobian, const Weights& w,
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

}  // namespace

FlowFit fit_flow(const FoldedSignals& signals, const FlowModel& model, const FitOptions& options) {
  const std::span<const FoldedBin> bins = signals.bins;
  if (static_cast<Eigen::Index>(2 * bins.size()) <= model.size() + 2)
    throw InvalidInput(
        fmt::format("{} bins are too few for the {} parameters of {}", bins.size(), model.size(), model.name()));
  FlowFit fit{model, start_of(bins, model)};
  order_axes(model, fit.free);
  // Twice: the noise of the two forces is known after the first fit.
  Weights w;
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
  order_axes(model, fit.free);
  w = {1 / fit.sigma_tangential, 1 / fit.sigma_radial};

  const double n = 2 * static_cast<double>(bins.size()), k = static_cast<double>(model.size()) + 2;
  fit.log_likelihood =
      -static_cast<double>(bins.size()) * (std::log(fit.sigma_tangential * fit.sigma_radial) + std::log(2 * kPi) + 1);
  fit.aic = 2 * k - 2 * fit.log_likelihood;
  fit.bic = std::log(n) * k - 2 * fit.log_likelihood;
  if (signals.noise_tangential > 0)
    fit.lack_of_fit = (std::pow(fit.sigma_tangential / signals.noise_tangential, 2) +
                       std::pow(fit.sigma_radial / std::max(signals.noise_radial, 1e-300), 2)) /
                      2;

  const Eigen::MatrixXd jacobian = stacked(bins, model, fit.free, w);
  const Eigen::MatrixXd information = jacobian.transpose() * jacobian;
  fit.not_identified = weak_directions(model, fit.free, information);
  std::optional<Eigen::VectorXd> deviation;
  if (fit.not_identified.empty()) {
    // Scaled, since a coefficient may be told a million times better than another.
    const Eigen::VectorXd scale = information.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd inverse =
        scale.asDiagonal() * (scale.asDiagonal() * information * scale.asDiagonal()).inverse() * scale.asDiagonal();
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
    fit.freedom = n - static_cast<double>(model.size());
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
        const double white = std::sqrt((information.inverse())(p.index, p.index)), limit = t * spread / white;
        const auto [below, above] = profile_interval(bins, model, fit.free, w, jacobian, p.index, white, limit);
        named.low = p.value_of(fit.free[p.index] + below);
        named.high = p.value_of(fit.free[p.index] + above);
      }
    }
    fit.parameters.push_back(std::move(named));
  }
  return fit;
}

namespace {

// Neighbouring bins joined, so that there are at most `most`; without blocks. For comparing models.
FoldedSignals coarsened(const FoldedSignals& signals, std::size_t most) {
  FoldedSignals coarse;
  coarse.revolutions = signals.revolutions;
  coarse.samples = signals.samples;
  coarse.rejected = signals.rejected;
  const std::size_t n = signals.bins.size(), step = (n + most - 1) / most;
  for (std::size_t first = 0; first < n; first += step) {
    FoldedBin joined{0, 0, 0, 0};
    for (std::size_t j = first; j < std::min(n, first + step); ++j) {
      const FoldedBin& b = signals.bins[j];
      joined.slip_angle += b.count * b.slip_angle;
      joined.tangential += b.count * b.tangential;
      joined.radial += b.count * b.radial;
      joined.count += b.count;
    }
    coarse.bins.push_back({joined.slip_angle / joined.count, joined.tangential / joined.count,
                           joined.radial / joined.count, joined.count});
  }
  return coarse;
}

// The fit with the fewest parameters whose BIC is within 10 of the least: more must be told by very strong evidence.
std::size_t simplest_of(const std::vector<FlowFit>& fits) {
  double least = INFINITY;
  for (const FlowFit& fit : fits) least = std::min(least, fit.bic);
  std::size_t best = 0;
  bool found = false;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    if (!(fits[i].bic <= least + 10)) continue;
    const bool fewer = fits[i].model.size() < fits[best].model.size();
    const bool same = fits[i].model.size() == fits[best].model.size();
    if (!found || fewer || (same && fits[i].bic < fits[best].bic)) best = i;
    found = true;
  }
  return best;
}

}  // namespace

ModelChoice choose_model(const FoldedSignals& all, const ChoiceOptions& options) {
  const FoldedSignals coarse = coarsened(all, 900);
  const FoldedSignals& signals = all.bins.size() > 900 ? coarse : all;
  ModelChoice choice;
  FitOptions quick = options.fit;
  quick.bootstrap = 0;
  quick.profile = false;
  const auto attempt = [&](ReservoirKind c, DirectionKind d, int order) {
    FlowModelOptions o{c, d, options.axes, options.angle, order};
    choice.fits.push_back(fit_flow(signals, make_flow_model(o), quick));
    choice.best = simplest_of(choice.fits);
  };
  const int largest = options.orders.back();
  const std::vector<ReservoirKind> all_c = {ReservoirKind::disk, ReservoirKind::ellipse, ReservoirKind::superellipse,
                                            ReservoirKind::fourier, ReservoirKind::spline};
  const std::vector<DirectionKind> all_d = {DirectionKind::disk, DirectionKind::ellipse, DirectionKind::superellipse,
                                            DirectionKind::series, DirectionKind::associated};
  const auto wanted_c = options.reservoir ? std::vector{*options.reservoir} : all_c;
  const auto wanted_d = options.direction ? std::vector{*options.direction} : all_d;
  // C beside the superellipse D (or the wanted one), then D beside the best C.
  ReservoirKind best_c = wanted_c.front();
  const DirectionKind beside = options.direction.value_or(DirectionKind::superellipse);
  for (const ReservoirKind c : wanted_c) {
    const bool series = c >= ReservoirKind::fourier;
    if (series && beside == DirectionKind::associated) continue;
    for (const int order : series ? options.orders : std::vector{largest}) {
      attempt(c, beside, order);
      if (choice.best + 1 == choice.fits.size()) best_c = c;
    }
  }
  if (choice.fits.empty())
    throw InvalidInput("an associated law is fitted with a disk, an ellipse or a superellipse as reservoir");
  for (const DirectionKind d : wanted_d) {
    if (d == beside || (d == DirectionKind::associated && best_c >= ReservoirKind::fourier)) continue;
    for (const int order : d == DirectionKind::series ? options.orders : std::vector{largest})
      attempt(best_c, d, order);
  }
  // What both free ends were not tried with: nothing but a circle, and no shape at all.
  if (!options.reservoir && !options.direction && best_c != ReservoirKind::disk)
    attempt(ReservoirKind::disk, DirectionKind::disk, largest);
  if (!options.reservoir && !options.direction)
    for (const int order : options.orders) attempt(ReservoirKind::fourier, DirectionKind::series, order);
  return choice;
}

namespace {

template <class SetOf>
std::vector<Band> band_of(const FlowFit& fit, int count, SetOf&& set_of) {
  std::vector<Band> band;
  const PlanarSet best = set_of(fit.free);
  std::vector<std::vector<double>> radii(static_cast<std::size_t>(count));
  for (const Eigen::VectorXd& free : fit.replications) {
    try {
      const PlanarSet set = set_of(free);
      for (int i = 0; i < count; ++i)
        radii[static_cast<std::size_t>(i)].push_back(set.radius(2 * kPi * i / (count - 1)));
    } catch (const InvalidInput&) {
      // a replication beyond the model's range says nothing
    }
  }
  for (int i = 0; i < count; ++i) {
    auto& r = radii[static_cast<std::size_t>(i)];
    const double angle = 2 * kPi * i / (count - 1), value = best.radius(angle);
    std::sort(r.begin(), r.end());
    const auto at = [&](double part) {
      return r.empty() ? value : r[static_cast<std::size_t>(part * static_cast<double>(r.size() - 1) + 0.5)];
    };
    band.push_back({angle, value, at(0.025), at(0.975)});
  }
  return band;
}

}  // namespace

std::vector<Band> reservoir_band(const FlowFit& fit, int count) {
  return band_of(fit, count, [&](const Eigen::VectorXd& free) { return fit.model.reservoir(free); });
}

std::vector<Band> direction_band(const FlowFit& fit, int count) {
  // Of one area for all: D's scale is free, and the band is to show its shape.
  const double area = fit.model.direction(fit.free).area();
  return band_of(fit, count, [&](const Eigen::VectorXd& free) {
    const PlanarSet set = fit.model.direction(free);
    return set.scaled(std::sqrt(area / set.area()));
  });
}

}  // namespace slipset
