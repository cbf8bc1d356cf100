// All sliding paths with one law, as a least-squares problem.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/least_squares.hpp"
#include "slipset/identification/internal/slide.hpp"
#include "slipset/identification/sliding_paths.hpp"

namespace slipset::internal {

inline constexpr double kLargestRatio = 20, kLeastExponent = 1.05, kLargestExponent = 12, kCoefficientRange = 12;
// Integration in fits is that good, over the length of a path.
inline constexpr double kAccuracy = 5e-6;
// Parameters: those of the law, then velocity and position at the start of each path.
class PathProblem {
 public:
  PathProblem(std::span<const SlidingPath> paths, const PathFitOptions& options)
      : paths_(paths), model_(make_flow_model(options.model)), slide_(options.slide), options_(options) {
    if (!model_.has_superellipse_reservoir() || !model_.has_superellipse_direction())
      throw InvalidInput("a law is fitted to paths with disks, ellipses or superellipses");
    require_positive(slide_.gravity, "gravity");
    // Differences from the exact motion are far below the noise of any camera: 1e-6 of the way.
    slide_.part = std::max(slide_.part, 0.05);
    slide_.rest = std::max(slide_.rest, 1e-5);  // the way from there is 1e-10 of all
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
    problem_.stop = [this] {
      stopped_ = stopped_ || work_ > options_.most_work || (options_.go_on && !options_.go_on());
      return stopped_;
    };
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
  LeastSquaresProblem& problem() { return problem_; }
  const LeastSquaresProblem& problem() const { return problem_; }
  void work_anew() { work_ = 0; }
  bool stopped() const { return stopped_; }
  double accuracy() const { return kAccuracy * longest_; }
  // Of a position: by local fits, and at least what the integration leaves.
  double noise() const {
    return std::max(std::sqrt(noise_square_ / (static_cast<double>(problem_.count) / 2)), accuracy());
  }

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
    const bool separate = model_.name().ends_with("separate axes");
    for (const double between : separate ? std::vector{0.0, 45.0} : std::vector{0.0})
      for (const auto& [angle, ratio] :
           {std::pair{0.0, 0.2}, {0.0, -0.2}, {30.0, 0.2}, {30.0, -0.2}, {60.0, 0.2}, {60.0, -0.2}}) {
        Eigen::VectorXd from = start_;
        bool angles = false, ratios = false;
        for (const NamedParameter& p : model_.parameters(start_.head(own()))) {
          if (p.name.ends_with("angle")) from[p.index] = radians(angle), angles = true;
          if (separate && p.name == "direction.angle") from[p.index] += radians(between);
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
    longest_ = std::max(longest_, length);
    noise_square_ += smooth.noise * smooth.noise * static_cast<double>(path.time.size());
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
      if (p.name.ends_with("exponent")) range(p.index, 2.3, std::max(least[p.index], kLeastExponent), kLargestExponent);
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
      const std::vector<Vec2> x = slide(
          [&](const Vec2& u) {
            ++work_;
            return slip_resistance(sets.reservoir, sets.direction, u);
          },
          true, v, times_[static_cast<std::size_t>(k)], slide_, nullptr);
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
  double mean_friction_ = 0, noise_square_ = 0, longest_ = 0;
  const PathFitOptions& options_;
  mutable double work_ = 0;  // evaluations of the law
  bool stopped_ = false;
  Eigen::VectorXd start_;
  LeastSquaresProblem problem_;
};

}  // namespace slipset::internal
