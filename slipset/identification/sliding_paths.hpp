// Sliding paths: velocities, comparison with laws, and laws fitted to paths alone.    docs/theory/identification.md
//   v̇ = -g s(v)                                     [WL16 Sect. 4.1], until rest; mass does not count
// Velocities come from local quadratic fits over a window of half width H (I.14): their bias is H² x‴/10 and is
// reported. Within H of an end the window cannot be about its point, and a quadratic would be off by four times as
// much: there it is a cubic over 4H, with bias 16/21 H³ x⁗ at the end itself and a smaller variance (I.22).
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slipset/core/vec.hpp"
#include "slipset/identification/flow_model.hpp"
#include "slipset/laws/friction_law.hpp"

namespace slipset {

struct SlidingPath {
  std::vector<double> time;    // [s], increasing
  std::vector<Vec2> position;  // [m]
};
// Throws InvalidInput for fewer than 5 points and times that do not increase.
void require_valid(const SlidingPath& path);

struct SmoothedPath {
  std::vector<Vec2> position, velocity;
  double half_width = 0;          // H of the window [s]
  double noise = 0;               // of a position, per coordinate [m]
  double velocity_sigma = 0;      // of a velocity from that noise [m/s]
  double velocity_bias = 0;       // H² x‴/10 with the largest x‴ of the path, from cubic fits [m/s]
  double end_velocity_sigma = 0;  // of the velocity at the first and last point [m/s]
  double end_velocity_bias = 0;   // 16/21 H³ x⁗ there, x⁗ from quartic fits: noise is part of it [m/s]
};
// half_width 0: where noise and bias are about equal.
SmoothedPath smooth_path(const SlidingPath& path, double half_width = 0);

struct PathSummary {
  double length = 0;        // [m]
  Vec2 end = Vec2::Zero();  // along the initial direction, and to the left of it [m]
  double deflection = 0;    // angle of the end point from the initial direction [rad]
  double rms = 0;           // distance from the measured path at equal times [m]
  double stop_time = 0;     // [s]
};
// The motion from a velocity until rest, at given times after the start; after rest it stays.
struct SlideOptions {
  double gravity = 9.81;  // [m/s²]
  double part = 0.02;     // of the velocity, lost in a step of Runge and Kutta's method; less where the law asks for it
  double rest = 1e-9;     // of the velocity at the start: slower is at rest
  int most_steps = 200000;  // a slide against a tenth of the largest resistance takes 10000
};
// Throws InvalidInput for a law so elongated that the slide does not come to rest in so many steps.
std::vector<Vec2> slide_positions(const FrictionLaw& law, const Vec2& velocity, std::span<const double> times,
                                  const SlideOptions& options = {}, PathSummary* summary = nullptr);

struct PathComparison {
  PathSummary measured;
  std::vector<PathSummary> laws;  // in the order of the laws
  Vec2 start_velocity = Vec2::Zero();
};
// Each law from the measured start; the start velocity is fitted for each law if `fit_start`, else taken from the
// smoothed path.
PathComparison compare_path(const SlidingPath& path, std::span<const FrictionLaw> laws,
                            const SlideOptions& options = {});

struct PathParameter {
  std::string name;
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN if the paths do not determine it
  std::optional<double> sigma{}, low{}, high{};             // 95 %, whatever the other parameters are
  bool identified = true;
  std::string why;  // it is not, or why it has no interval
};
struct PathFitOptions {
  FlowModelOptions model;  // superellipse family only
  SlideOptions slide;
  // Where C and D both have axes, also try separate ones (model.axes: common), and choose by BIC as choose_model does.
  bool choose_axes = false;
  // Evaluations of the law until the search for the fit, and then that for intervals, is given up, with a note: about
  // half a minute of superellipses. Most fits need a hundredth of it.
  double most_work = 2e8;
  std::function<bool()> go_on{};  // asked at every iteration; false: end with what was found
};
struct PathModel {
  std::string name;
  Eigen::Index parameters = 0;  // of the law
  double rms = 0, bic = 0;
};
struct PathFit {
  std::vector<PathParameter> parameters;  // of the law
  std::vector<Vec2> start_velocities;     // of each path
  std::optional<FrictionLaw> law;         // the best; where parameters are not determined, one of many that fit as well
  double rms = 0;                         // of the positions, per coordinate [m]
  double noise = 0;                       // of a position by local fits, without a law; as SmoothedPath::noise [m]
  std::vector<PathModel> models;          // that were tried
  std::string chosen;                     // of them
  double autocorrelation = 0;             // of neighbouring residuals; intervals are widened for it
  Eigen::MatrixXd sensitivities;   // d end point (x, y) of each path / d parameter of the law, in `parameters`' units
  std::vector<std::string> notes;  // parameters that are not identifiable; what the law does not explain
  bool converged = false;
  bool plausible = true;  // no more friction than ten times the normal force: else a unit is wrong
  bool stopped = false;   // before all was found, by `go_on` or `most_work`
  int iterations = 0;
};
// Least squares on all points of all paths; start position and velocity of each path are fitted, too. Looked for are
// coefficients within a factor of 12 of the mean one, axis ratios of D up to 20, exponents from 1.05 to 12. Where the
// points are off by more than three times their noise the law is not the surface's: no interval holds, none is given.
PathFit fit_paths(std::span<const SlidingPath> paths, const PathFitOptions& options = {});

}  // namespace slipset
