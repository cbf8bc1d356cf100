// Friction against sliding, drilling and rolling: one convex reservoir in R¹ to R⁵.      docs/theory/rolling.md
//   resistance t per unit normal force: tangential [-] (2), drilling torque [m] (1), rolling torques [m] (2)
//   rates      v: slip velocity [m/s] (2), spin about the normal [rad/s] (1), rolling rates [rad/s] (2); t·v is a power
//   stick: t ∈ K      slip: t maximises t·v over K: v ∈ N_K(t)        (associated: maximum dissipation)           (T.4)
// Parts that a law does not have resist nothing and have no component; the order stays. K is one of
//   ellipsoid   Σ (t_i/a_i)² ≤ 1, sliding and rolling axes each turned by an angle
//   product     planar set × interval × planar set: the parts do not know of each other
//   contensou   a circular patch (sets/contensou.hpp) for sliding and drilling × planar set for rolling
// Own coordinates t = L x, w = Lᵀv make the factors of K alike in size: an ellipse or ellipsoid is a unit ball, a patch
// the unit Contensou set. x·w is the same power, and all components of w are in m/s.                              (T.5)
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "slipset/sets/contensou.hpp"
#include "slipset/sets/interval.hpp"
#include "slipset/sets/planar_set.hpp"

namespace slipset {

using RollingVec = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 5, 1>;
using RollingMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 5, 5>;

// { x : |x| ≤ 1 }
struct UnitBall {};

class RollingLaw {
 public:
  // One factor of K in own coordinates.
  struct Factor {
    int first, size;  // components
    std::variant<UnitBall, Interval, PlanarSet, ContensouSet> set;
  };

  // Each throws InvalidInput for semi-axes, radii and sets that are not positive, not finite or not convex, and for a
  // law without any part.
  struct EllipsoidAxes {
    std::optional<Vec2> sliding;     // semi-axes [-]
    double sliding_angle = 0;        // [rad]
    std::optional<double> drilling;  // [m]
    std::optional<Vec2> rolling;     // [m]
    double rolling_angle = 0;
  };
  static RollingLaw ellipsoid(const EllipsoidAxes& axes);
  static RollingLaw product(const std::optional<PlanarSet>& sliding, const std::optional<Interval>& drilling,
                            const std::optional<PlanarSet>& rolling);
  // `friction` [-] of the patch, its radius [m].
  static RollingLaw contensou(double friction, double radius, PatchPressure pressure,
                              const std::optional<PlanarSet>& rolling = std::nullopt);

  int size() const { return size_; }  // m
  bool has_sliding() const { return sliding_; }
  bool has_drilling() const { return drilling_; }
  bool has_rolling() const { return rolling_; }
  int drilling_place() const { return sliding_ ? 2 : 0; }
  int rolling_place() const { return drilling_place() + (drilling_ ? 1 : 0); }
  const std::vector<Factor>& factors() const { return factors_; }
  double largest_torque() const;  // of drilling and rolling, per unit normal force [m]; 0 without them
  const std::string& description() const { return description_; }

  double gauge(const RollingVec& t) const;
  double support(const RollingVec& v) const;            // power per unit normal force
  RollingVec support_point(const RollingVec& v) const;  // the resistance of slip v; 0 in a factor where v is 0

  // L, one block a part.                                                                                         (T.5)
  const RollingMat& coordinates() const { return coordinates_; }
  const RollingMat& inverse_coordinates() const { return inverse_; }
  // The closest point of size·K in own coordinates, and its derivative by x if that is not null. Allocates nothing.
  //   DP = H(I + H)⁻¹, H the Hessian of size·h at x - P(x)                                                       (T.7)
  void project_own(const RollingVec& x, double size, RollingVec& closest, RollingMat* derivative) const;

 private:
  RollingLaw(bool sliding, bool drilling, bool rolling);
  void add_planar(int first, const PlanarSet& set, const char* what);

  bool sliding_, drilling_, rolling_;
  int size_;
  std::vector<Factor> factors_;
  RollingMat coordinates_, inverse_;
  std::string description_;
};

}  // namespace slipset
