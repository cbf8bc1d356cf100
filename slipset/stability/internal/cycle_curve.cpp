#include "slipset/stability/internal/cycle_curve.hpp"

#include <cmath>

#include "slipset/stability/internal/shooting.hpp"

namespace slipset::internal {

using Index = Eigen::Index;

BeltCurve::BeltCurve(SystemAtParameter system_at, double parameter, const Cycle& cycle, std::function<bool()> go_on)
    : system_at_(std::move(system_at)), go_on_(std::move(go_on)) {
  last_.w = last_.p = std::numeric_limits<double>::quiet_NaN();
  const std::shared_ptr<const System> system = system_at_(parameter);
  BeltMotion motion = belt_motion_of(*system);
  motion.go_on = go_on_;
  const Vec2 q(cycle.at.q), along = motion.belt_velocity.normalized();
  const BeltReturn turn = belt_return(motion, q);
  inside_ = best_held(motion, turn.slip_start);
  longest_ = 3 * turn.slip_time;
  start_ = {VectorX::Constant(1, Vec2(-along.y(), along.x()).dot(q)), parameter, {}};
}

const BeltCurve::Turn& BeltCurve::turn_at(double w, double p) const {
  if (last_.w == w && last_.p == p) return last_;
  last_.w = w;
  last_.p = p;
  last_.turn.reset();
  try {
    last_.system = system_at_(p);
    last_.motion = belt_motion_of(*last_.system);
    last_.motion.go_on = go_on_;
    const Vec2 along = last_.motion.belt_velocity.normalized(), across(-along.y(), along.x());
    const BeltReturn turn = belt_return(last_.motion, along.dot(inside_) * along + w * across, longest_);
    if (stick_gauge(last_.motion, turn.stick_start) < 1) last_.turn = turn;  // else the slip's end is no stick
  } catch (const InvalidInput&) {  // no slip that ends, no reservoir that holds
  }
  return last_;
}

bool BeltCurve::residual(const VectorX& y, double p, VectorX& r) const {
  const Turn& at = turn_at(y[0], p);
  if (!at.turn) return false;
  r[0] = at.turn->next_offset - at.turn->offset;
  return true;
}

bool BeltCurve::derivative(const VectorX& y, double p, MatrixX& by_y) const {
  const Turn& at = turn_at(y[0], p);
  if (!at.turn) return false;
  by_y(0, 0) = at.turn->slope - 1;
  return true;
}

std::optional<Cycle> BeltCurve::describe(const CurvePoint& at) const {
  const Turn turn = turn_at(at.y[0], at.p);
  if (!turn.turn) return std::nullopt;
  Cycle cycle;
  try {
    const BeltCycle c = belt_cycle_from(turn.motion, turn.turn->stick_start);
    cycle.found = true;
    cycle.why = "return map";
    cycle.period = c.period();
    cycle.stick_time = c.stick_time;
    cycle.multipliers = {turn.turn->slope};
    cycle.multiplier_error = kReturnMapError;
    cycle.smallest = c.smallest;
    cycle.largest = c.largest;
    cycle.at = State{0, VectorX(c.stick_start), VectorX(turn.motion.belt_velocity)};
    cycle.closing = std::abs(c.next_offset - c.offset) / (c.largest - c.smallest).norm();
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
  return cycle;
}

void BeltCurve::accept(const CurvePoint& at) {
  const Turn& turn = turn_at(at.y[0], at.p);
  if (turn.turn) {
    inside_ = best_held(turn.motion, turn.turn->slip_start);
    longest_ = 3 * turn.turn->slip_time;
  }
  last_.p = std::numeric_limits<double>::quiet_NaN();  // computed from the old place
}

ShootingCurve::ShootingCurve(SystemAtParameter system_at, double parameter, const Cycle& cycle, double size,
                             std::function<bool()> go_on)
    : system_at_(std::move(system_at)),
      go_on_(std::move(go_on)),
      size_(size),
      time_scale_(size / cycle.period),
      unit_time_(unit_time_of(cycle.period)) {
  const Index n = cycle.at.q.size();
  VectorX y(2 * n + 1);
  y << cycle.at.q, unit_time_ * cycle.at.u, size_;
  start_ = {y, parameter, {}};
  if (cycle.stick_time < 1e-6 * cycle.period) try {
      const std::shared_ptr<const System> system = system_at_(parameter);
      belt_motion_of(*system);
      without_stick_ = true;
    } catch (const InvalidInput&) {  // no mass on a belt
    }
  accept(start_);
}

void ShootingCurve::accept(const CurvePoint& at) {
  const auto system = system_at_(at.p);
  reference_ = at.y.head(at.y.size() - 1);
  along_ = Flow{*system, unit_time_, go_on_}.velocity(reference_, at.y[at.y.size() - 1] / time_scale_).normalized();
}

bool ShootingCurve::residual(const VectorX& y, double p, VectorX& r) const {
  const Index k = y.size() - 1;
  const double period = y[k] / time_scale_;
  if (!(period > 0)) return false;
  try {
    const auto system = system_at_(p);
    r.head(k) = Flow{*system, unit_time_, go_on_}.end(y.head(k), period) - y.head(k);
  } catch (const InvalidInput&) {
    return false;
  }
  r[k] = along_.dot(y.head(k) - reference_);
  return r.allFinite();
}

bool ShootingCurve::derivative(const VectorX& y, double p, MatrixX& by_y) const {
  const Index k = y.size() - 1;
  const double period = y[k] / time_scale_;
  if (!(period > 0)) return false;
  try {
    const auto system = system_at_(p);
    const Flow flow{*system, unit_time_, go_on_};
    const VectorX x = y.head(k);
    by_y.topLeftCorner(k, k) = flow.monodromy(x, period, size_) - MatrixX::Identity(k, k);
    by_y.block(0, k, k, 1) = flow.velocity(flow.end(x, period), period) / time_scale_;
    by_y.block(k, 0, 1, k) = along_.transpose();
    by_y(k, k) = 0;
  } catch (const InvalidInput&) {
    return false;
  }
  return by_y.allFinite();
}

std::optional<Cycle> ShootingCurve::describe(const CurvePoint& at) const {
  const Index k = at.y.size() - 1;
  const double period = at.y[k] / time_scale_;
  try {
    const auto system = system_at_(at.p);
    const Flow flow{*system, unit_time_, go_on_};
    const VectorX x = at.y.head(k);
    Cycle cycle = flow.cycle_through(x, period, size_, 500);
    VectorX r(k + 1);
    if (!residual(at.y, at.p, r)) return std::nullopt;
    cycle.closing = r.head(k).norm() / size_;
    cycle.why = "shooting";
    cycle.rows = {};
    return cycle;
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

}  // namespace slipset::internal
