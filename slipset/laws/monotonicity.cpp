#include "slipset/laws/monotonicity.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "slipset/laws/slip_path.hpp"
#include "slipset/sets/boundary_scan.hpp"

namespace slipset {
namespace {

constexpr int kNodes = 360;

// By more than the rounding of the two differences.
bool violate(const SlipState& a, const SlipState& b) {
  const Vec2 ds = a.resistance - b.resistance, dv = a.slip_velocity - b.slip_velocity;
  return ds.dot(dv) < -1e-15 * ((a.resistance.norm() + b.resistance.norm()) * dv.norm() +
                                (a.slip_velocity.norm() + b.slip_velocity.norm()) * ds.norm());
}

SlipState state_at(const FrictionLaw& law, const Vec2& v) { return {v, slip_resistance(law, v)}; }

// The law's speeds that matter: where the factor at rest is left, the Stribeck velocity, and where viscous friction
// doubles the factor.
std::vector<double> scales_of(const Stribeck& rate) {
  std::vector<double> scales = {rate.velocity, rate.velocity * std::sqrt(std::min(1.0, rate.static_ratio))};
  if (rate.viscous > 1e-200) scales.push_back(1 / rate.viscous);
  return scales;
}

// The resistance of a slow slip elsewhere that opposes v more than the law's own, p·v > s·v.
std::vector<SlipState> by_slow_slip(const FrictionLaw& law) {
  std::vector<SlipState> states;  // all at unit speed
  for (const SlipNode& node : slip_path(law, kNodes))
    states.push_back({unit(node.slip_angle), law.reservoir().boundary_point(node.resistance_angle)});
  double best_gain = 1e-12;  // less is rounding
  SlipState fast, slow;
  for (const SlipState& own : states) {
    const double drag = own.resistance.dot(own.slip_velocity);
    for (const SlipState& other : states)
      if (const double gain = other.resistance.dot(own.slip_velocity) / drag - 1; gain > best_gain) {
        best_gain = gain;
        fast = own;
        slow = other;
      }
  }
  // Speeds at which the factor hardly changes: so fast that the exponential is zero to the last digit, or ever slower.
  const auto speeds = [&](double ratio) {
    std::vector<double> list;
    const std::vector<double> scales = scales_of(*law.stribeck());
    if (law.stribeck()->viscous == 0) list.push_back(10 * law.stribeck()->velocity / ratio);
    const double least = *std::min_element(scales.begin(), scales.end());
    for (double speed = least; speed > 1e-16 * least; speed /= 10) list.push_back(speed);
    return list;
  };
  for (; slow.slip_velocity.norm() > 1e-6; slow.slip_velocity /= 2) {
    if (!violate(fast, slow)) continue;
    if (!law.stribeck()) return {fast, slow};
    for (const double speed : speeds(slow.slip_velocity.norm())) {
      const Vec2 v = speed * fast.slip_velocity, w = speed * slow.slip_velocity;
      const SlipState a{v, law.stribeck()->factor(v.norm()) * fast.resistance},
          b{w, law.stribeck()->factor(w.norm()) * slow.resistance};
      if (violate(a, b)) return {a, b};
    }
  }
  return {};
}

// Two speeds in one direction, about that of the steepest fall.
std::vector<SlipState> by_falling(const FrictionLaw& law) {
  const double steepest = law.stribeck()->velocity / std::sqrt(2.0);
  for (const double off : {0.5, 0.1, 0.01, 1e-3}) {
    const SlipState a = state_at(law, Vec2(steepest * (1 - off), 0)), b = state_at(law, Vec2(steepest * (1 + off), 0));
    if (violate(a, b)) return {a, b};
  }
  return {};
}

// |v| f'/f, without cancellation at low speeds.
double rise_at(const Stribeck& rate, double speed) {
  const double x = speed / rate.velocity, decay = std::exp(-x * x), viscous = rate.viscous * speed;
  const double steep = decay == 0 ? 0 : 2 * x * x * (1 - rate.static_ratio) * decay;
  return (steep + viscous) / (-std::expm1(-x * x) + rate.static_ratio * decay + viscous);
}

// Four decades about each of the law's speeds: in between and beyond, |v| f'/f is constant.
std::vector<double> speeds_of(const Stribeck& rate) {
  std::vector<double> speeds;
  for (const double scale : scales_of(rate))
    for (int k = -80; k <= 80; ++k) speeds.push_back(scale * std::pow(10, k / 20.0));
  std::sort(speeds.begin(), speeds.end());
  return speeds;
}

// h'/h and (h + h")/h at a slip angle: h' = h tan δ, and h + h" is the radius of curvature of D, infinite on a flat
// side.
struct Bend {
  double slope, curvature;
};
Bend bend_at(const PlanarSet& d, double slip_angle) {
  const Vec2 n = unit(slip_angle), t = turn_left(n), z = d.support_point(n);
  const std::optional<Mat2> hessian = d.support_hessian(n);
  const double h = z.dot(n), slope = z.dot(t) / h;
  const double curvature = hessian ? t.dot(*hessian * t) / h : INFINITY;
  // Rounding is no slope: at an axis of symmetry h' = 0, and a sharp tip has no curvature either.
  return {std::abs(slope) < 1e-12 ? 0 : slope, std::isfinite(curvature) ? std::max(0.0, curvature) : INFINITY};
}

// The symmetric part of the damping over f h/|v|, in the frame of the slip direction, and its lower eigenvalue.
Mat2 damping_of(double rise, const Bend& bend) {
  const double off = rise * bend.slope / 2;
  return (Mat2() << rise, off, off, bend.curvature).finished();
}
double least_damping(double rise, const Bend& bend) {
  return (rise + bend.curvature) / 2 - std::hypot((rise - bend.curvature) / 2, rise * bend.slope / 2);
}

// Two states about one with negative damping, along the negative direction: where it is most negative, and there at the
// lowest speed that has half of that.
std::vector<SlipState> by_rise(const FrictionLaw& law) {
  const std::vector<double> speeds = speeds_of(*law.stribeck());
  double largest = 0;
  for (const double speed : speeds) largest = std::max(largest, rise_at(*law.stribeck(), speed));
  std::vector<double> angles = {allowed_rise(law).slip_angle};
  for (const SlipNode& node : slip_path(law, kNodes)) angles.push_back(node.slip_angle);
  struct Found {
    double least = 0, angle = 0, speed = 0;
    Mat2 damping = Mat2::Zero();
  } found;
  for (const double angle : angles) {
    const Bend bend = bend_at(law.direction(), angle);
    if (!std::isfinite(bend.curvature)) continue;
    // Where the damping can be negative, it is most so for the largest rise.
    const double least = least_damping(largest, bend);
    if (least < found.least) found = {least, angle, 0, Mat2::Zero()};
  }
  if (!(found.least < 0)) return {};
  const Bend bend = bend_at(law.direction(), found.angle);
  for (const double speed : speeds) {
    const double rise = rise_at(*law.stribeck(), speed);
    if (!(least_damping(rise, bend) <= found.least / 2)) continue;
    found.speed = speed;
    found.damping = damping_of(rise, bend);
    break;
  }
  const Vec2 n = unit(found.angle), negative = symmetric_eigen(found.damping).vectors.col(0);
  const Vec2 along = negative.x() * n + negative.y() * turn_left(n);
  for (double step = 0.1; step > 1e-7; step /= 2)
    for (const double side : {0.0, 1.0, -1.0}) {  // at a corner's fan, states on one side may be beyond it
      const SlipState a = state_at(law, found.speed * (n + (side + 1) * step * along)),
                      b = state_at(law, found.speed * (n + (side - 1) * step * along));
      if (violate(a, b)) return {a, b};
    }
  return {};
}

}  // namespace

double monotonicity_product(const SlipState& a, const SlipState& b) {
  return (a.resistance - b.resistance).dot(a.slip_velocity - b.slip_velocity);
}

double steepest_rise(const Stribeck& rate) {
  const std::vector<double> speeds = speeds_of(rate);
  std::size_t best = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    if (rise_at(rate, speeds[i]) > rise_at(rate, speeds[best])) best = i;
  const double from = std::log(speeds[best > 0 ? best - 1 : 0]),
               to = std::log(speeds[std::min(best + 1, speeds.size() - 1)]);
  const auto refined =
      boost::math::tools::brent_find_minima([&](double x) { return -rise_at(rate, std::exp(x)); }, from, to, 40);
  const double largest = std::max(rise_at(rate, speeds[best]), -refined.second);
  return std::max(largest, rate.viscous > 0 ? 1.0 : 0.0);
}

AllowedRise allowed_rise(const FrictionLaw& law) {
  // h'²/(h'² + 4 h (h + h")): from 0, no limit, to 1, where no rise is allowed.
  const AngleFunction share = [&](double slip_angle) {
    const Bend bend = bend_at(law.direction(), slip_angle);
    const double square = bend.slope * bend.slope;
    return square == 0 || !std::isfinite(bend.curvature) ? 0 : square / (square + 4 * bend.curvature);
  };
  std::vector<double> nodes;
  for (const SlipNode& node : slip_path(law, kNodes)) nodes.push_back(wrap_to_turn(node.slip_angle));
  std::sort(nodes.begin(), nodes.end());
  const auto same = [](double x, double y) { return y - x < 1e-14; };
  nodes.erase(std::unique(nodes.begin(), nodes.end(), same), nodes.end());
  const Extremum most = maximum_on_circle(share, nodes);
  return {most.value > 0 ? (1 - most.value) / most.value : INFINITY, most.angle};
}

std::vector<SlipState> monotonicity_violation(const FrictionLaw& law) {
  std::vector<SlipState> found;
  if (law.stribeck() && law.stribeck()->falls()) found = by_falling(law);
  if (found.empty()) found = by_slow_slip(law);
  if (found.empty() && law.stribeck()) found = by_rise(law);
  return found;
}

}  // namespace slipset
