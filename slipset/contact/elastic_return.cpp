#include "slipset/contact/elastic_return.hpp"

#include <Eigen/Dense>
#include <boost/math/tools/toms748_solve.hpp>

namespace slipset {
namespace {

std::optional<Ellipse> as_ellipse(const PlanarSet& set) {
  if (const auto* e = set.as<Ellipse>()) return *e;
  if (const auto* d = set.as<Disk>()) return Ellipse(d->radius(0), d->radius(0));
  return std::nullopt;
}

template <class Function>
double bracketed_root(const Function& f, double lo, double hi, double f_lo, double f_hi) {
  std::uintmax_t iterations = 100;
  const auto ends = boost::math::tools::toms748_solve(f, lo, hi, f_lo, f_hi,
                                                      boost::math::tools::eps_tolerance<double>(52), iterations);
  return ends.first + (ends.second - ends.first) / 2;
}

void require_numbers(const Vec2& force, const Vec2& change, double normal_before, double normal_after) {
  if (!std::isfinite(force.sum() + change.sum() + normal_before + normal_after))
    throw InvalidInput("elastic interface: force, displacement or normal force is not a finite number");
}

InterfaceUpdate no_pressure(const Adhesion& adhesion, const Vec2& trial) {
  return {Vec2::Zero(), adhesion.stretch(trial), true, 1};
}

}  // namespace

ElasticReturn::ElasticReturn(ElasticInterface interface, int nodes) : interface_(std::move(interface)) {
  const FrictionLaw& law = interface_.law();
  const auto c = as_ellipse(law.reservoir()), d = as_ellipse(law.direction());
  if (c && d)
    elliptic_.emplace(interface_.adhesion(), *c, *d);
  else
    law_ = std::make_shared<const PlanarContactLaw>(
        FrictionLaw(law.reservoir(), law.direction()).turned(-interface_.adhesion().angle()), nodes);
}

InterfaceUpdate ElasticReturn::update(const Vec2& before, const Vec2& displacement, double normal_force) const {
  return from_trial(before + interface_.adhesion().force(displacement), normal_force, before);
}

InterfaceUpdate ElasticReturn::from_trial(const Vec2& trial, double normal_force, const Vec2& last) const {
  require_numbers(trial, last, normal_force, normal_force);
  if (!(normal_force > 0)) return no_pressure(interface_.adhesion(), trial);
  if (elliptic_) return (*elliptic_)(trial, normal_force, last);
  if (interface_.law().reservoir().gauge(trial) <= normal_force) return {trial, Vec2::Zero(), false, 1};
  return search(trial, normal_force, last);
}

// In units of the normal force and of the smaller stiffness.
InterfaceUpdate ElasticReturn::search(const Vec2& trial, double normal_force, const Vec2& last) const {
  const Adhesion& b = interface_.adhesion();
  const double soft = b.stiffness().minCoeff();
  const Vec2 compliance = soft * b.stiffness().cwiseInverse();
  const Vec2 goal = b.into_axes(trial) / normal_force;
  PlanarProblem p;
  p.delassus.diagonal() << 1, compliance;
  p.free_velocity << 0, goal.cwiseProduct(compliance);
  p.normal_impulse = 1;
  p.last_slip = (goal - b.into_axes(last) / normal_force).cwiseProduct(compliance);
  const PlanarAnswer answer = solve_planar(*law_, p);
  if (answer.chosen.mode == ContactMode::none)
    return {answer.chosen.impulse.tail<2>(), answer.chosen.velocity.tail<2>(), true, 0};
  return {b.out_of_axes(-answer.chosen.impulse.tail<2>()) * normal_force,
          b.out_of_axes(answer.chosen.velocity.tail<2>()) * (normal_force / soft), true, answer.count};
}

double ElasticReturn::elastic_part(const Vec2& before, const Vec2& displacement, double normal_before,
                                   double normal_after) const {
  require_numbers(before, displacement, normal_before, normal_after);
  const PlanarSet& c = interface_.law().reservoir();
  const Vec2 elastic = interface_.adhesion().force(displacement);
  const auto outside = [&](double t) {
    return c.gauge(before + t * elastic) - (normal_before + t * (normal_after - normal_before));
  };
  const double first = outside(0), last = outside(1);
  if (!(last > 0)) return 1;
  if (first < -1e-12 * normal_before) return bracketed_root(outside, 0, 1, first, last);
  // From the boundary inwards, and out again on another side.
  if (!(c.gauge_gradient(before).dot(elastic) < normal_after - normal_before)) return 0;
  for (double t = 0.5; t > 1e-12; t /= 2)
    if (const double inside = outside(t); inside < 0) return bracketed_root(outside, t, 1, inside, last);
  return 0;
}

InterfaceUpdate ElasticReturn::midpoint(const Vec2& before, const Vec2& displacement, double normal_before,
                                        double normal_after) const {
  require_numbers(before, displacement, normal_before, normal_after);
  const Adhesion& b = interface_.adhesion();
  const PlanarSet& c = interface_.law().reservoir();
  const Vec2 elastic = b.force(displacement), trial = before + elastic;
  const InterfaceUpdate implicit = from_trial(trial, normal_after, before);
  if (!implicit.slips || !(normal_after > 0) || !(normal_before > 0)) return implicit;

  const auto normal_at = [&](double t) { return normal_before + t * (normal_after - normal_before); };
  const double begin = elastic_part(before, displacement, normal_before, normal_after);  // of slip
  const double rest = 1 - begin;
  const Vec2 start = before + begin * elastic;
  const InterfaceUpdate middle = from_trial(start + rest / 2 * elastic, normal_at(begin + rest / 2), start);
  const double size = middle.slip.norm();
  if (!middle.slips || !(size > 0)) return implicit;

  const Vec2 n = middle.slip / size, flow = b.force(n);
  const auto miss = [&](double x) { return c.gauge(trial - x * flow) - normal_after; };
  double lo = 0, hi = 2 * size, f_lo = miss(0), f_hi = miss(hi);
  for (int i = 0; f_hi > 0; ++i) {
    if (i == 20) return implicit;
    lo = hi;
    f_lo = f_hi;
    hi *= 1.3;
    f_hi = miss(hi);
  }
  const double x = f_hi == 0 ? hi : bracketed_root(miss, lo, hi, f_lo, f_hi);
  return {trial - x * flow, x * n, true, middle.solutions, true};
}

// T + k B m(T) = T_trial and k_C(T) = N with m = ∇k_D, linearised.                                          (E.5)
std::optional<InterfaceTangent> ElasticReturn::tangent(const InterfaceUpdate& update, double normal_force) const {
  const Adhesion& b = interface_.adhesion();
  const PlanarSet &c = interface_.law().reservoir(), &d = interface_.law().direction();
  const Vec2& t = update.force;
  if (update.solutions == 0) return std::nullopt;
  require_numbers(t, update.slip, normal_force, normal_force);
  if (!(normal_force > 0)) return InterfaceTangent{Mat2::Zero(), Vec2::Zero()};
  if (!update.slips) return InterfaceTangent{b.tensor(), Vec2::Zero()};
  const AngleInterval fan = d.normal_cone(t);
  if (fan.width() > 0) {  // held by a corner of D while the slip is inside its fan
    const double in = wrap_to_turn(angle_of(update.slip) - fan.from);
    if (!(in > 1e-9 && in < fan.width() - 1e-9)) return std::nullopt;
    return InterfaceTangent{Mat2::Zero(), t / normal_force};
  }
  const std::optional<Mat2> bending = d.gauge_hessian(t);
  if (!bending || c.normal_cone(t).width() > 0) return std::nullopt;
  const Vec2 m = d.gauge_gradient(t), out = c.gauge_gradient(t);
  const double k = update.slip.norm() / m.norm();
  const Mat2 a = (Mat2::Identity() + k * b.tensor() * *bending).inverse();
  const Vec2 flow = a * b.force(m);
  const double resists = out.dot(flow);
  if (!(std::abs(resists) > 0)) return std::nullopt;
  const Mat2 by_trial = a - flow * (out.transpose() * a) / resists;
  return InterfaceTangent{by_trial * b.tensor(), flow / resists};
}

}  // namespace slipset
