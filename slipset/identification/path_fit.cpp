// Laws fitted to sliding paths alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/axis_order.hpp"
#include "slipset/identification/internal/least_squares.hpp"
#include "slipset/identification/internal/slide.hpp"
#include "slipset/identification/sliding_paths.hpp"

namespace slipset {
namespace {

constexpr double kLargestRatio = 20, kLargestExponent = 12, kCoefficientRange = 12;

// All paths with one law. Parameters: those of the law, then velocity and position at the start of each path.
class PathProblem {
 public:
  PathProblem(std::span<const SlidingPath> paths, const PathFitOptions& options)
      : paths_(paths), model_(make_flow_model(options.model)), slide_(options.slide) {
    if (!model_.has_superellipse_reservoir() || !model_.has_superellipse_direction())
      throw InvalidInput("a law is fitted to paths with disks, ellipses or superellipses");
    require_positive(slide_.gravity, "gravity");
    // Differences from the exact motion are far below the noise of any camera: 1e-6 of the way.
    slide_.part = std::max(slide_.part, 0.05);
    slide_.most_steps = 5000;
    const Eigen::Index size = own() + 4 * count();
    start_ = Eigen::VectorXd::Zero(size);
    problem_.scale = Eigen::VectorXd::Ones(size);
    problem_.lower = Eigen::VectorXd::Constant(size, -INFINITY);
    problem_.upper = Eigen::VectorXd::Constant(size, INFINITY);
    for (Eigen::Index k = 0; k < count(); ++k) add_path(k);
    add_law();
    problem_.residuals = [this](const Eigen::VectorXd& p, Eigen::VectorXd& e) { return residuals(p, e); };
    problem_.jacobian = [this](const Eigen::VectorXd& p, Eigen::MatrixXd& j) { return jacobian(p, j); };
    if (problem_.count <= size)
      throw InvalidInput(fmt::format("{} points are too few for the {} parameters of the law and {} of the starts",
                                     problem_.count / 2, own(), size - own()));
  }
  PathProblem(const PathProblem&) = delete;
  PathProblem& operator=(const PathProblem&) = delete;

  const FlowModel& model() const { return model_; }
  Eigen::Index own() const { return model_.size(); }
  Eigen::Index count() const { return static_cast<Eigen::Index>(paths_.size()); }
  // The row after the last of path k.
  Eigen::Index end_of(Eigen::Index k) const { return ends_[static_cast<std::size_t>(k)]; }
  internal::LeastSquaresProblem& problem() { return problem_; }

  struct Sets {
    PlanarSet reservoir, direction;  // of any scale, which a slide does not need
  };
  Sets sets_of(const Eigen::VectorXd& p) const {
    // Differences may reach a little beyond the bounds.
    const Eigen::VectorXd free = p.head(own()).cwiseMax(model_.lower_bounds());
    return {model_.reservoir(free), model_.direction(free)};
  }
  FrictionLaw law_of(const Eigen::VectorXd& p) const {
    const Sets sets = sets_of(p);
    return {sets.reservoir, sets.direction};
  }

  // From several angles and both ratios of D: the paths' misfit has several valleys.
  std::vector<Eigen::VectorXd> starts() const {
    std::vector<Eigen::VectorXd> all;
    for (const double angle : {0.0, 30.0, 60.0})
      for (const double ratio : {0.2, -0.2}) {
        Eigen::VectorXd from = start_;
        bool angles = false, ratios = false;
        for (const NamedParameter& p : model_.parameters(start_.head(own()))) {
          if (p.name.ends_with("angle")) from[p.index] = radians(angle), angles = true;
          if (p.name == "direction.axis_ratio") from[p.index] = ratio, ratios = true;
          if (p.name == "reservoir.semi_axes.1") from[p.index] += ratio / 4;
          if (p.name == "reservoir.semi_axes.2") from[p.index] -= ratio / 4;
        }
        if ((!angles && angle > 0) || (!ratios && !angles && ratio < 0)) continue;
        all.push_back(from);
      }
    return all;
  }

 private:
  void add_path(Eigen::Index k) {
    const SlidingPath& path = paths_[static_cast<std::size_t>(k)];
    const SmoothedPath smooth = smooth_path(path);
    problem_.count += 2 * static_cast<Eigen::Index>(path.time.size());
    ends_.push_back(problem_.count);
    std::vector<double>& own_times = times_.emplace_back();
    for (const double t : path.time) own_times.push_back(t - path.time.front());
    const double length = (path.position.back() - path.position.front()).norm();
    if (!(length > 0)) throw InvalidInput(fmt::format("sliding path {}: it does not move", k + 1));
    const Eigen::Index at = own() + 4 * k;
    start_.segment<2>(at) = smooth.velocity[0];
    start_.segment<2>(at + 2) = path.position.front();
    problem_.scale.segment<2>(at).setConstant(std::max(smooth.velocity[0].norm(), length / own_times.back()));
    problem_.scale.segment<2>(at + 2).setConstant(length);
    mean_friction_ += smooth.velocity[0].squaredNorm() / (2 * slide_.gravity * length) / static_cast<double>(count());
  }

  void add_law() {
    for (Eigen::Index k = 0; k < own(); ++k) problem_.names.push_back(fmt::format("parameter {}", k + 1));
    const Eigen::VectorXd least = model_.lower_bounds();
    const auto range = [&](Eigen::Index k, double start, double lower, double upper) {
      start_[k] = start;
      problem_.lower[k] = lower;
      problem_.upper[k] = upper;
    };
    const double middle = std::log(mean_friction_), wide = std::log(kCoefficientRange), long_ = std::log(kLargestRatio);
    for (const NamedParameter& p : model_.parameters(start_.head(own()))) {
      problem_.names[static_cast<std::size_t>(p.index)] = p.name;
      if (p.name.starts_with("reservoir.semi_axes") || p.name == "reservoir.radius")
        range(p.index, middle, middle - wide, middle + wide);
      if (p.name.ends_with("exponent")) range(p.index, 2.3, least[p.index], kLargestExponent);
      if (p.name == "direction.axis_ratio") range(p.index, 0.1, -long_, long_);
    }
    for (Eigen::Index k = 0; k < count(); ++k)
      for (const char* what : {"start velocity x", "start velocity y", "start x", "start y"})
        problem_.names.push_back(fmt::format("{} of path {}", what, k + 1));
  }

  // Of path k alone.
  bool add_residuals(const Sets& sets, Eigen::Index k, const Eigen::VectorXd& p, Eigen::VectorXd& e) const {
    const Vec2 v = p.segment<2>(own() + 4 * k), x0 = p.segment<2>(own() + 4 * k + 2);
    const auto& points = paths_[static_cast<std::size_t>(k)].position;
    Eigen::Index row = end_of(k) - 2 * static_cast<Eigen::Index>(points.size());
    try {
      const std::vector<Vec2> x =
          internal::slide([&](const Vec2& u) { return slip_resistance(sets.reservoir, sets.direction, u); }, true, v,
                          times_[static_cast<std::size_t>(k)], slide_, nullptr);
      for (std::size_t i = 0; i < x.size(); ++i, row += 2) e.segment<2>(row) = x[i] + x0 - points[i];
    } catch (const InvalidInput&) {
      return false;
    }
    return true;
  }
  bool residuals(const Eigen::VectorXd& p, Eigen::VectorXd& e) const {
    const Sets sets = sets_of(p);
    for (Eigen::Index k = 0; k < count(); ++k)
      if (!add_residuals(sets, k, p, e)) return false;
    return true;
  }

  bool jacobian(const Eigen::VectorXd& p, Eigen::MatrixXd& j) const {
    j.setZero();
    Eigen::VectorXd above = Eigen::VectorXd::Zero(problem_.count), below = above;
    const auto both = [&](Eigen::Index index, auto&& evaluate) {
      Eigen::VectorXd moved = p;
      const double step = 1e-4 * problem_.scale[index];
      moved[index] = p[index] + step;
      if (!evaluate(moved, above)) return false;
      moved[index] = p[index] - step;
      if (!evaluate(moved, below)) return false;
      j.col(index) = (above - below) / (2 * step);
      return true;
    };
    for (Eigen::Index index = 0; index < own(); ++index)
      if (!both(index, [&](const Eigen::VectorXd& x, Eigen::VectorXd& e) { return residuals(x, e); })) return false;
    const Sets sets = sets_of(p);
    for (Eigen::Index k = 0; k < count(); ++k) {
      above.setZero();
      below.setZero();
      const Eigen::Index at = own() + 4 * k,
                         rows = 2 * static_cast<Eigen::Index>(times_[static_cast<std::size_t>(k)].size());
      for (const Eigen::Index index : {at, at + 1})
        if (!both(index, [&](const Eigen::VectorXd& x, Eigen::VectorXd& e) { return add_residuals(sets, k, x, e); }))
          return false;
      for (Eigen::Index row = end_of(k) - rows; row < end_of(k); ++row) j(row, at + 2 + row % 2) = 1;
    }
    return true;
  }

  std::span<const SlidingPath> paths_;
  FlowModel model_;
  SlideOptions slide_;
  std::vector<std::vector<double>> times_;
  std::vector<Eigen::Index> ends_;
  double mean_friction_ = 0;
  Eigen::VectorXd start_;
  internal::LeastSquaresProblem problem_;
};

// Of a coordinate with its next value, over all paths.
double correlation_of(const PathProblem& paths, const Eigen::VectorXd& e) {
  double next = 0;
  for (Eigen::Index k = 0, first = 0; k < paths.count(); first = paths.end_of(k++))
    for (Eigen::Index row = first + 2; row < paths.end_of(k); ++row) next += e[row] * e[row - 2];
  return next / std::max(1e-300, e.squaredNorm());
}

}  // namespace

PathFit fit_paths(std::span<const SlidingPath> paths, const PathFitOptions& options) {
  if (paths.empty()) throw InvalidInput("no sliding path to fit a law to");
  PathProblem all(paths, options);
  internal::LeastSquaresProblem& problem = all.problem();
  const FlowModel& model = all.model();
  const Eigen::Index own = all.own(), count = all.count();
  const std::vector<Eigen::VectorXd> starts = all.starts();
  internal::LeastSquares fit;
  for (const Eigen::VectorXd& start : starts) {
    const internal::LeastSquares tried = internal::solve_least_squares(problem, start);
    if (tried.usable && (!fit.usable || tried.rms < fit.rms)) fit = tried;
  }
  PathFit result;
  if (fit.usable) {  // the same law, its first axis next to e1
    Eigen::VectorXd free = fit.parameters.head(own);
    internal::order_axes(model, free);
    fit.parameters.head(own) = free;
    fit = internal::solve_least_squares(problem, fit.parameters);
  }
  result.converged = fit.converged;
  if (!fit.usable) {
    result.notes.emplace_back("the fit did not converge from any start");
    return result;
  }
  result.iterations = fit.iterations;
  result.rms = fit.rms;
  result.law = all.law_of(fit.parameters);
  result.autocorrelation = correlation_of(all, fit.residuals);
  const auto fitted = model.parameters(fit.parameters.head(own));
  // A quarter turn is the same law with its axes exchanged.
  for (const NamedParameter& p : fitted)
    if (p.name.ends_with("angle")) {
      problem.lower[p.index] = fit.parameters[p.index] - kPi / 4;
      problem.upper[p.index] = fit.parameters[p.index] + kPi / 4;
    }
  const std::vector<internal::ParameterInterval> intervals =
      internal::parameter_intervals(problem, fit, own, internal::inflation_of(result.autocorrelation), starts);
  result.sensitivities.resize(2 * count, static_cast<Eigen::Index>(fitted.size()));
  Eigen::Index column = 0;
  for (const NamedParameter& p : fitted) {
    const internal::ParameterInterval& interval = intervals[static_cast<std::size_t>(p.index)];
    PathParameter named{.name = p.name, .identified = interval.determined, .why = interval.why};
    if (interval.determined) {
      named.value = p.value;
      named.sigma = std::abs(p.derivative) * interval.sigma;
      named.low = p.value_of(interval.low);
      named.high = p.value_of(interval.high);
    } else {
      result.notes.push_back(fmt::format("{} is not determined by these paths: {}", p.name, interval.why));
    }
    result.parameters.push_back(std::move(named));
    for (Eigen::Index i = 0; i < count; ++i)
      result.sensitivities.block<2, 1>(2 * i, column) =
          fit.jacobian.block<2, 1>(all.end_of(i) - 2, p.index) / p.derivative;
    ++column;
  }
  for (Eigen::Index k = 0; k < count; ++k) result.start_velocities.emplace_back(fit.parameters.segment<2>(own + 4 * k));
  return result;
}

}  // namespace slipset
