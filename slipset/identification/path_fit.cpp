// Laws fitted to sliding paths alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/axis_order.hpp"
#include "slipset/identification/internal/path_problem.hpp"
#include "slipset/identification/rate_fit.hpp"
#include "slipset/identification/sliding_paths.hpp"

namespace slipset {
namespace {

// Points further off than so many times their noise: the law is not that of the surface.
constexpr double kOtherLaw = 3;

// Of a coordinate with its next value, over all paths.
double correlation_of(const internal::PathProblem& paths, const Eigen::VectorXd& e) {
  double next = 0;
  for (Eigen::Index k = 0, first = 0; k < paths.count(); first = paths.end_of(k++))
    for (Eigen::Index row = first + 2; row < paths.end_of(k); ++row) next += e[row] * e[row - 2];
  return next / std::max(1e-300, e.squaredNorm());
}

struct SolvedPaths {
  std::unique_ptr<internal::PathProblem> paths;
  std::vector<Eigen::VectorXd> starts;
  internal::LeastSquares fit;
};
// The fit of ellipses as a start of superellipses.
Eigen::VectorXd start_from(const SolvedPaths& ellipses, const internal::PathProblem& curved, Eigen::VectorXd start) {
  const Eigen::VectorXd& fitted = ellipses.fit.parameters;
  const Eigen::Index own = ellipses.paths->own();
  start.tail(start.size() - curved.own()) = fitted.tail(fitted.size() - own);
  const auto known = ellipses.paths->model().parameters(fitted.head(own));
  for (const NamedParameter& p : curved.model().parameters(start.head(curved.own()))) {
    if (p.name.ends_with("exponent")) start[p.index] = 2;
    for (const NamedParameter& q : known)
      if (p.name == q.name) start[p.index] = fitted[q.index];
  }
  return start;
}

SolvedPaths solve_paths(std::span<const SlidingPath> paths, const PathFitOptions& options) {
  SolvedPaths s{std::make_unique<internal::PathProblem>(paths, options), {}, {}};
  internal::PathProblem& all = *s.paths;
  s.starts = all.starts();
  const bool curved =
      options.model.reservoir == ReservoirKind::superellipse || options.model.direction == DirectionKind::superellipse;
  // Superellipses are dear: first their ellipses.
  if (curved) {
    PathFitOptions plain = options;
    if (plain.model.reservoir == ReservoirKind::superellipse) plain.model.reservoir = ReservoirKind::ellipse;
    if (plain.model.direction == DirectionKind::superellipse) plain.model.direction = DirectionKind::ellipse;
    const SolvedPaths ellipses = solve_paths(paths, plain);
    if (ellipses.fit.usable) s.starts.insert(s.starts.begin(), start_from(ellipses, all, s.starts[0]));
  }
  // A few steps from each start, more from the best.
  std::vector<internal::LeastSquares> tried;
  for (const Eigen::VectorXd& start : s.starts) {
    tried.push_back(internal::solve_with_held(all.problem(), start, -1, curved ? 8 : 15, 1e-9));
    if (!tried.back().usable) tried.pop_back();
  }
  std::sort(tried.begin(), tried.end(), [](const auto& a, const auto& b) { return a.rms < b.rms; });
  tried.resize(std::min<std::size_t>(curved ? 2 : 3, tried.size()));
  for (const internal::LeastSquares& start : tried) {
    const internal::LeastSquares more = internal::solve_with_held(all.problem(), start.parameters, -1, 60, 1e-9);
    if (more.usable && (!s.fit.usable || more.rms < s.fit.rms)) s.fit = more;
  }
  if (!s.fit.usable) return s;
  // The same law, its first axis next to e1.
  Eigen::VectorXd free = s.fit.parameters.head(all.own());
  internal::order_axes(all.model(), free);
  s.fit.parameters.head(all.own()) = free;
  s.fit = internal::solve_least_squares(all.problem(), s.fit.parameters);
  return s;
}

// By BIC as choose_model does: the fewest parameters within 10 of the least. The residuals of the largest model, the
// last one, say how many values are independent.
std::size_t chosen_of(const std::vector<SolvedPaths>& solved, std::vector<PathModel>& models) {
  const SolvedPaths& last = solved.back();
  const double count = static_cast<double>(last.paths->problem().count),
               inflation =
                   last.fit.usable ? internal::inflation_of(correlation_of(*last.paths, last.fit.residuals)) : 1;
  const double independent = std::max(2.0, count / (inflation * inflation)), floor = last.paths->accuracy();
  std::size_t best = 0;
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const internal::PathProblem& all = *solved[i].paths;
    const double square = solved[i].fit.usable ? solved[i].fit.residuals.squaredNorm() / count : INFINITY;
    models.push_back({all.model().name(), all.own(), solved[i].fit.rms,
                      independent * std::log(std::max(square, floor * floor)) +
                          std::log(independent) * static_cast<double>(all.own())});
    if (models[i].bic < models[best].bic - 10) best = i;
  }
  return best;
}

// What the law leaves unexplained, in words; true: intervals would not hold.
bool note_misfit(const internal::PathProblem& all, const internal::LeastSquares& fit, PathFit& result) {
  const double ratio = fit.rms / result.noise, points = static_cast<double>(all.problem().count) / 2;
  // Both are estimates; windows of five points leave two fifths of their values to tell the noise.
  const double expected = std::sqrt(std::max(1.3, 1 + 4 * std::sqrt(2 / (0.8 * points))));
  const char* remedy = all.model().name().ends_with("separate axes")
                           ? "choose shapes with more parameters"
                           : "try separate axes, or shapes with more parameters";
  if (ratio > kOtherLaw) {
    result.notes.push_back(
        fmt::format("the points are off the law's paths by {:.3g} m, {:.3g} times their noise of {:.2g} m: the surface "
                    "has another law, and no interval would hold; {}",
                    fit.rms, ratio, result.noise, remedy));
    return true;
  }
  if (ratio > expected)
    result.notes.push_back(
        fmt::format("the points are off the law's paths by {:.3g} times their noise of {:.2g} m: the law misses "
                    "something; {}",
                    ratio, result.noise, remedy));
  if (result.autocorrelation > 0.5)
    result.notes.push_back(
        fmt::format("neighbouring residuals are correlated ({:.2g}): the law misses something, or the noise is "
                    "correlated; intervals are widened for it, as for fewer points",
                    result.autocorrelation));
  return false;
}

}  // namespace

PathFit fit_paths(std::span<const SlidingPath> paths, const PathFitOptions& options) {
  if (paths.empty()) throw InvalidInput("no sliding path to fit a law to");
  std::vector<SolvedPaths> solved;
  solved.push_back(solve_paths(paths, options));
  PathFitOptions separate = options;
  separate.model.axes = AxesKind::separate;
  if (options.choose_axes && options.model.axes == AxesKind::common && !solved.back().paths->stopped() &&
      make_flow_model(separate.model).size() > solved.back().paths->own())
    solved.push_back(solve_paths(paths, separate));
  PathFit result;
  const std::size_t best = chosen_of(solved, result.models);
  result.chosen = result.models[best].name;
  internal::PathProblem& all = *solved[best].paths;
  internal::LeastSquares& fit = solved[best].fit;
  internal::LeastSquaresProblem& problem = all.problem();
  const FlowModel& model = all.model();
  const Eigen::Index own = all.own(), count = all.count();
  result.noise = all.noise();
  result.stopped = std::any_of(solved.begin(), solved.end(), [](const SolvedPaths& s) { return s.paths->stopped(); });
  result.converged = fit.converged && !result.stopped;
  if (!fit.usable) {
    result.notes.emplace_back("the fit did not converge from any start");
    return result;
  }
  result.iterations = fit.iterations;
  result.rms = fit.rms;
  result.law = all.law_of(fit.parameters);
  result.autocorrelation = correlation_of(all, fit.residuals);
  double size = 0;
  for (int i = 0; i < 64; ++i) size += result.law->reservoir().radius(2 * kPi * i / 64) / 64;
  if (size > kLargestFriction) {
    result.plausible = false;
    result.notes.push_back(
        fmt::format("friction is {:.4g} times the normal force: no dry surface has that; check the units of time and "
                    "position, and gravity",
                    size));
  }
  const auto fitted = model.parameters(fit.parameters.head(own));
  // A quarter turn is the same law with its axes exchanged.
  for (const NamedParameter& p : fitted)
    if (p.name.ends_with("angle")) {
      problem.lower[p.index] = fit.parameters[p.index] - kPi / 4;
      problem.upper[p.index] = fit.parameters[p.index] + kPi / 4;
    }
  std::string withheld;
  if (result.stopped)
    withheld = "the fit was stopped";
  else if (note_misfit(all, fit, result))
    withheld = "the law does not fit the paths";
  std::vector<internal::ParameterInterval> intervals(static_cast<std::size_t>(own));
  all.work_anew();
  if (withheld.empty())
    intervals = internal::parameter_intervals(problem, fit, own, internal::inflation_of(result.autocorrelation),
                                              solved[best].starts);
  result.stopped = result.stopped || all.stopped();
  if (result.stopped)
    result.notes.emplace_back(
        "the search was stopped, as asked for or after the work that is allowed; what was found is given. A simpler "
        "shape, fixed axes or more paths need less");
  result.sensitivities.resize(2 * count, static_cast<Eigen::Index>(fitted.size()));
  Eigen::Index column = 0;
  for (const NamedParameter& p : fitted) {
    const internal::ParameterInterval& interval = intervals[static_cast<std::size_t>(p.index)];
    PathParameter named{.name = p.name, .identified = interval.determined || !withheld.empty(), .why = interval.why};
    if (!withheld.empty()) {
      named.value = p.value;
      named.why = withheld;
    } else if (interval.determined) {
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
