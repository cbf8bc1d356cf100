#include "slipset/laws/flow.hpp"

#include <fmt/format.h>

#include <boost/math/quadrature/gauss.hpp>

namespace slipset {
namespace {

struct FlowPoint {
  double slip;        // φ
  double deflection;  // δ = θ - φ
  double radius;      // of C
  double angle() const { return slip + deflection; }
};

FlowPoint evaluate(const Flow& flow, double slip) {
  if (!flow) throw InvalidInput("flow: the function is empty; give one from slip direction to resistance");
  const Vec2 n = unit(slip), s = flow(n);
  if (!s.allFinite())
    throw InvalidInput(fmt::format("flow: the resistance at slip angle {:.6g} degrees is not finite", degrees(slip)));
  if (!(s.dot(n) > 0))
    throw InvalidInput(
        fmt::format("flow: not dissipative: at slip angle {:.6g} degrees the resistance ({:.6g}, {:.6g}) does "
                    "not oppose the slip",
                    degrees(slip), s.x(), s.y()));
  return {slip, std::atan2(cross(n, s), n.dot(s)), s.norm()};
}

double integrate_tangent(const Flow& flow, double from, double to) {
  return boost::math::quadrature::gauss<double, 7>::integrate(
      [&](double slip) { return std::tan(evaluate(flow, slip).deflection); }, from, to);
}

// Halves the step until slip and resistance angle advance by less than `spacing`.
void add_points(const Flow& flow, const FlowPoint& from, const FlowPoint& to, double spacing,
                std::vector<FlowPoint>& points) {
  const double advance = to.angle() - from.angle();
  if (advance < -1e-12)
    throw InvalidInput(
        fmt::format("flow: between slip angles {:.6g} and {:.6g} degrees the resistance turns back, from {:.6g} to "
                    "{:.6g} degrees: the reservoir is not star-shaped and no convex direction set exists",
                    degrees(from.slip), degrees(to.slip), degrees(from.angle()), degrees(to.angle())));
  if (advance <= spacing) {
    points.push_back(to);
    return;
  }
  if (to.slip - from.slip < 1e-10)
    throw InvalidInput(
        fmt::format("flow: the resistance jumps by {:.6g} degrees at slip angle {:.6g} degrees: a flat side of the "
                    "direction set, where the flow does not determine the reservoir; give the two sets themselves",
                    degrees(advance), degrees(to.slip)));
  const FlowPoint middle = evaluate(flow, from.slip + (to.slip - from.slip) / 2);
  add_points(flow, from, middle, spacing, points);
  add_points(flow, middle, to, spacing, points);
}

}  // namespace

FlowSets sets_from_flow(const Flow& flow, const FlowOptions& options) {
  if (!(options.spacing >= 1e-6 && options.spacing <= 1))
    throw InvalidInput(fmt::format("flow: a spacing of {} rad; expected 1e-6 to 1", options.spacing));
  if (!(options.closure_tolerance >= 0))
    throw InvalidInput(
        fmt::format("flow: a closure tolerance of {}; expected a number not below 0", options.closure_tolerance));
  const int steps = static_cast<int>(std::ceil(2 * kPi / options.spacing));
  const FlowPoint start = evaluate(flow, 0);
  std::vector<FlowPoint> points{start};
  for (int i = 1; i <= steps; ++i) {
    FlowPoint to = i < steps ? evaluate(flow, 2 * kPi * i / steps) : FlowPoint{2 * kPi, start.deflection, start.radius};
    add_points(flow, FlowPoint(points.back()), to, options.spacing, points);
  }

  std::vector<double> log_support{0};  // ln h_D
  for (std::size_t i = 1; i < points.size(); ++i)
    log_support.push_back(log_support.back() + integrate_tangent(flow, points[i - 1].slip, points[i].slip));
  const double closure = log_support.back();
  if (!(std::abs(closure) <= options.closure_tolerance))
    throw InvalidInput(
        fmt::format("flow: the direction set does not close: its radius grows by the factor exp({:.6g}) per turn; the "
                    "slip direction is not normal to any closed curve",
                    closure));

  std::vector<double> angles, reservoir, direction;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    angles.push_back(points[i].angle());
    reservoir.push_back(points[i].radius);
    const double evened = log_support[i] - closure * points[i].slip / (2 * kPi);
    direction.push_back(std::exp(evened) / std::cos(points[i].deflection));
  }
  FlowSets sets{PolarCurve(angles, reservoir), PolarCurve(angles, direction), closure};
  if (!sets.direction.is_convex()) {
    const AngleInterval arc = sets.direction.nonconvex_arcs().front();
    throw InvalidInput(fmt::format("flow: the direction set is not convex between {:.6g} and {:.6g} degrees",
                                   degrees(arc.from), degrees(arc.to)));
  }
  return sets;
}

FrictionLaw law_from_flow(const Flow& flow, const FlowOptions& options) {
  const FlowSets sets = sets_from_flow(flow, options);
  return {sets.reservoir, sets.direction};
}

double flow_closure(const Flow& flow) {
  double sum = 0;
  const int steps = 360;
  for (int i = 0; i < steps; ++i) sum += integrate_tangent(flow, 2 * kPi * i / steps, 2 * kPi * (i + 1) / steps);
  return sum;
}

Flow tensor_flow(const Mat2& second) {
  return [second](const Vec2& n) { return Vec2(second * n); };
}

Flow tensor_flow(const Mat2& second, const std::array<double, 16>& fourth) {
  return [second, fourth](const Vec2& n) {
    Vec2 s = second * n;
    for (std::size_t index = 0; index < 16; ++index) {
      const auto bit = [&](int position) { return static_cast<Eigen::Index>((index >> position) & 1); };
      s[bit(3)] += fourth[index] * n[bit(2)] * n[bit(1)] * n[bit(0)];
    }
    return s;
  };
}

}  // namespace slipset
