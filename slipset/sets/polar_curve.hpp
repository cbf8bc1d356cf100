// PolarCurve: the smooth periodic curve through measured points.      docs/theory/sets.md
//   ln r(θ) is the periodic cubic spline through (θ_i, ln r_i): twice continuously differentiable, so the
//   curvature is continuous; positive between the points, whatever they are; and (ln r)' = tan(θ - normal
//   angle) is the very quantity that a measured flow gives                    [WL19 124, 125] (S.25)
#pragma once

#include <span>
#include <utility>

#include "slipset/sets/smooth_boundary.hpp"

namespace slipset {

class PolarCurve : public SmoothSet<PolarCurve> {
 public:
  static constexpr std::string_view kName = "polar";

  // Angles [rad] in any order and any turn, radii positive. At least four different angles, no gap of half
  // a turn or more. A first point repeated after a full turn is taken once. Throws InvalidInput otherwise.
  PolarCurve(std::span<const double> angles, std::span<const double> radii, double angle = 0);

  double area() const;
  PolarCurve scaled(double factor) const;  // throws InvalidInput unless factor > 0
  std::size_t points() const { return nodes_.size(); }
  std::vector<std::pair<double, double>> nodes() const;  // angle [rad] and radius of each, in the curve's own axes

  std::string own_description() const;
  std::vector<double> parameters() const;  // angle [degrees] and radius of each point, angle [degrees]
  static PolarCurve from_parameters(std::span<const double> parameters);

 private:
  friend class Oriented<PolarCurve>;
  friend class SmoothSet<PolarCurve>;
  // ln r on [node, next node]: the sum of c[k] (θ - node)^k.
  struct Piece {
    double node;
    double c[4];
  };

  double own_gauge(const Vec2& t) const;
  Vec2 own_gauge_gradient(const Vec2& t) const;
  std::optional<double> own_gauge_bending(const Vec2& t) const;
  std::vector<AngleInterval> own_nonconvex_arcs() const;
  std::vector<double> own_resolving_angles(int count) const;

  LogRadius log_radius(double theta) const;
  static Vec2 scale() { return Vec2::Ones(); }
  double piece_end(std::size_t i) const;
  void fit_pieces(const std::vector<double>& log_radii);

  std::vector<double> nodes_;  // increasing, within one turn
  std::vector<Piece> pieces_;
};

}  // namespace slipset
