// Intervals of parameters, from the covariance or from the profile of the sum of squares.
#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "slipset/identification/internal/least_squares.hpp"

namespace slipset::internal {
namespace {

// Directions with singular values below this part of the largest are noise of the differences.
constexpr double kNoInformation = 1e-8;
// A parameter with more than this of such a direction is not determined.
constexpr double kPartOfDirection = 1e-3;
// Deviations below this part of the scale: the sum of squares is a parabola.
constexpr double kNearlyLinear = 0.1;

// Deviation of each parameter over its scale, whatever the others are; infinite where there is no information.
struct Deviations {
  Eigen::VectorXd scaled;
  std::vector<std::string> with;  // by whom a change of it can be compensated
};

std::string names_of(const LeastSquaresProblem& problem, const Eigen::VectorXd& part, Eigen::Index except) {
  std::string names;
  for (Eigen::Index k = 0; k < part.size(); ++k)
    if (k != except && std::abs(part[k]) > 0.3 * part.cwiseAbs().maxCoeff())
      names += (names.empty() ? "" : ", ") + problem.names[static_cast<std::size_t>(k)];
  return names;
}

Deviations linear_deviations(const LeastSquaresProblem& problem, const LeastSquares& fit) {
  const Eigen::Index n = fit.parameters.size();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(fit.jacobian * problem.scale.asDiagonal(), Eigen::ComputeFullV);
  Eigen::VectorXd s = Eigen::VectorXd::Zero(n);
  s.head(svd.singularValues().size()) = svd.singularValues();
  Deviations d{Eigen::VectorXd::Zero(n), std::vector<std::string>(static_cast<std::size_t>(n))};
  for (Eigen::Index k = 0; k < n; ++k) {
    double square = 0;
    for (Eigen::Index j = 0; j < n; ++j) {
      const double part = std::abs(svd.matrixV()(k, j));
      if (s[j] <= kNoInformation * s[0]) {
        if (part > kPartOfDirection) square = INFINITY;
      } else {
        square += std::pow(fit.rms * part / s[j], 2);
      }
    }
    d.scaled[k] = std::sqrt(square);
    // The direction that contributes most.
    Eigen::Index most = n - 1;
    (svd.matrixV().row(k).cwiseAbs().transpose().array() / s.array().max(kNoInformation * s[0])).maxCoeff(&most);
    d.with[static_cast<std::size_t>(k)] = names_of(problem, svd.matrixV().col(most), k);
  }
  return d;
}

bool is_physical(const LeastSquaresProblem& problem, Eigen::Index k) {
  return !problem.physical.empty() && problem.physical[static_cast<std::size_t>(k)];
}

std::string compensated_by(const std::string& names) {
  return names.empty() ? "the data do not depend on it" : "a change of it can be compensated by " + names;
}

bool stopped(const LeastSquaresProblem& problem) { return problem.stop && problem.stop(); }

// The least sum of squares over all other parameters, with one of them held.                                  (I.23)
class Profile {
 public:
  Profile(const LeastSquaresProblem& problem, const LeastSquares& fit, Eigen::Index index, double rise,
          std::span<const Eigen::VectorXd> starts)
      : problem_(problem), fit_(fit), index_(index), rise_(rise), starts_(starts) {
    least_ = fit.residuals.squaredNorm();
  }

  struct Side {
    bool ends = false;
    double at = 0;
    Eigen::VectorXd farthest;  // parameters far away that fit as well
  };
  Side side(double sign, double first) const {
    const double bound = sign > 0 ? problem_.upper[index_] : problem_.lower[index_];
    const double room = std::max(0.0, sign * (bound - fit_.parameters[index_]));
    const bool physical = sign < 0 && is_physical(problem_, index_);
    Point in{0, 0, fit_.parameters}, out{};
    double x = std::clamp(first, 1e-6 * problem_.scale[index_], std::max(room, 1e-300));
    for (int i = 0;; ++i) {
      if (in.offset >= room && physical) return {true, bound, {}};
      if (i == 60 || in.offset >= room || stopped(problem_)) return {false, 0, in.parameters};
      const Point tried = at(sign, std::min(x, room), in.parameters);
      if (tried.rise > 1) {
        out = tried;
        break;
      }
      in = tried;
      x *= 1.8;
    }
    for (int i = 0; i < 8 && std::abs(out.rise - 1) > 0.02; ++i) {
      // √rise is nearly linear.
      const double part = (1 - std::sqrt(in.rise)) / (std::sqrt(std::min(out.rise, 1e6)) - std::sqrt(in.rise));
      const double x_new = in.offset + std::clamp(part, 0.1, 0.9) * (out.offset - in.offset);
      const Point tried = at(sign, x_new, in.parameters);
      (tried.rise > 1 ? out : in) = tried;
    }
    // Is it low again further away?
    Eigen::VectorXd from = out.parameters;
    for (const double part : {0.3, 1.0}) {
      if (stopped(problem_)) return {false, 0, in.parameters};
      if (physical) break;  // a short way, looked at already
      const Point tried = at(sign, out.offset + part * (room - out.offset), from);
      if (tried.rise <= 1) return {false, 0, tried.parameters};
      from = tried.parameters;
    }
    return {true, fit_.parameters[index_] + sign * out.offset, {}};
  }

 private:
  struct Point {
    double offset = 0, rise = 0;  // of the parameter; of the sum of squares over the rise that is allowed
    Eigen::VectorXd parameters{};
  };
  Point at(double sign, double offset, const Eigen::VectorXd& near) const {
    Point best{offset, INFINITY, near};
    const auto attempt = [&](Eigen::VectorXd start) {
      start[index_] = fit_.parameters[index_] + sign * offset;
      const LeastSquares tried = solve_with_held(problem_, start, index_, 15, 1e-5);
      if (!tried.usable) return;
      const double rise = (tried.residuals.squaredNorm() - least_) / rise_;
      if (rise < best.rise) best = {offset, std::max(0.0, rise), tried.parameters};
    };
    attempt(near);
    for (const Eigen::VectorXd& start : starts_)
      if (best.rise > 1 && !stopped(problem_)) attempt(start);
    return best;
  }

  const LeastSquaresProblem& problem_;
  const LeastSquares& fit_;
  Eigen::Index index_;
  double rise_, least_ = 0;
  std::span<const Eigen::VectorXd> starts_;
};

}  // namespace

double inflation_of(double correlation) {
  const double rho = std::clamp(correlation, 0.0, 0.99);
  return std::sqrt((1 + rho) / (1 - rho));
}

std::vector<ParameterInterval> parameter_intervals(const LeastSquaresProblem& problem, const LeastSquares& fit,
                                                   Eigen::Index wanted, double inflation,
                                                   std::span<const Eigen::VectorXd> starts) {
  std::vector<ParameterInterval> all(static_cast<std::size_t>(wanted));
  if (!fit.usable) {
    for (ParameterInterval& p : all) p.why = "the fit did not converge";
    return all;
  }
  const double freedom = std::max(2.0, fit.freedom / (inflation * inflation));
  const double t = boost::math::quantile(boost::math::students_t(freedom), 0.975);
  const Deviations linear = linear_deviations(problem, fit);
  const bool parabola = inflation * linear.scaled.head(wanted).maxCoeff() <= kNearlyLinear;
  const double rise = std::max(std::pow(t * inflation * fit.rms, 2), 1e-300);
  for (Eigen::Index k = 0; k < wanted; ++k) {
    ParameterInterval& p = all[static_cast<std::size_t>(k)];
    const double value = fit.parameters[k], sigma = inflation * linear.scaled[k] * problem.scale[k];
    if (!(inflation * linear.scaled[k] <= 1)) {
      p.why = compensated_by(linear.with[static_cast<std::size_t>(k)]);
      continue;
    }
    p.determined = true;
    p.sigma = sigma;
    p.low = value - t * sigma;
    p.high = value + t * sigma;
    if (is_physical(problem, k)) p.low = std::max(p.low, problem.lower[k]);
    if (parabola) continue;
    const Profile profile(problem, fit, k, rise, starts);
    const Profile::Side below = profile.side(-1, t * sigma), above = profile.side(1, t * sigma);
    p.low = below.at;
    p.high = above.at;
    if (stopped(problem)) {
      p = {};
      p.why = "the search for its interval was stopped";
      continue;
    }
    if (below.ends && above.ends) continue;
    const Eigen::VectorXd& far = below.ends ? above.farthest : below.farthest;
    const Eigen::VectorXd moved = ((far - fit.parameters).array() / problem.scale.array()).head(wanted);
    p = {};
    p.why = compensated_by(names_of(problem, moved, k));
  }
  return all;
}

}  // namespace slipset::internal
