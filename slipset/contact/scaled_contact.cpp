#include "slipset/contact/scaled_contact.hpp"

#include <Eigen/LU>
#include <cmath>

#include "slipset/contact/slip_search.hpp"

namespace slipset {
namespace {

// Newton's method for the slip direction n of a unit disk: cross(n, u_T) = 0 with u_T and p_N from (C.2). Empty where
// it does not arrive.
std::optional<Vec2> disk_direction(const Mat3& g, const Vec3& c, const std::optional<double>& given, double accuracy,
                                   Vec2 n) {
  const Vec2 normal_row(g(0, 1), g(0, 2)), column(g(1, 0), g(2, 0)), free(c[1], c[2]);
  for (int i = 0; i < 12; ++i) {
    const Vec2 gn(g(1, 1) * n.x() + g(1, 2) * n.y(), g(2, 1) * n.x() + g(2, 2) * n.y());
    const double weight = g(0, 0) - normal_row.dot(n);
    const double pn = given ? *given : -c[0] / weight;
    const Vec2 reaction = column - gn;
    const Vec2 v = free + pn * reaction;
    const double along = n.dot(v), off = cross(n, v);
    const Vec2 m = turn_left(n);
    const Vec2 gm(g(1, 1) * m.x() + g(1, 2) * m.y(), g(2, 1) * m.x() + g(2, 2) * m.y());
    const double dpn = given ? 0 : pn * normal_row.dot(m) / weight;
    const double slope = -along + cross(n, Vec2(dpn * reaction - pn * gm));
    if (!(slope < 0)) return std::nullopt;
    const double turn = std::clamp(-off / slope, -1.0, 1.0);
    n = (n + turn * m).normalized();
    if (std::abs(turn) <= accuracy) {
      if (!(along > 0) || !(weight > 0)) return std::nullopt;
      return n;
    }
  }
  return std::nullopt;
}

}  // namespace

ScaledContact scaled_contact(const ContactPoint& point) {
  ScaledContact contact;
  contact.normal_impulse = point.normal_impulse;
  contact.factor = point.reservoir_factor;
  if (!point.law) return contact;
  const PlanarSet &c = point.law->law().reservoir(), &d = point.law->law().direction();
  const Disk *c_disk = c.as<Disk>(), *d_disk = d.as<Disk>();
  const Ellipse *c_ellipse = c.as<Ellipse>(), *d_ellipse = d.as<Ellipse>();
  contact.kind = LawKind::unit_disk;
  if (c_disk && d_disk) {
    contact.tangential *= c_disk->radius();
  } else if (c_ellipse && d_ellipse && c_ellipse->semi_axes() == d_ellipse->semi_axes() &&
             c_ellipse->angle() == d_ellipse->angle()) {
    const Vec2 first = unit(c_ellipse->angle());
    contact.tangential << first * c_ellipse->semi_axes().x(), turn_left(first) * c_ellipse->semi_axes().y();
  } else {
    contact.kind = LawKind::general;
    contact.law = point.law;
    contact.inner = INFINITY;  // 0.9: the path is only known at its nodes
    for (const ContactLaw::Node& node : point.law->path())
      contact.inner = std::min(contact.inner, 0.9 * contact.factor * node.resistance.norm());
    return contact;
  }
  contact.tangential *= contact.factor;
  contact.factor = 1;
  return contact;
}

Vec3 ScaledContact::scaled_impulse(const Vec3& p) const {
  if (kind == LawKind::frictionless) return p;
  return join(p[0], tangential.inverse() * p.tail<2>());
}

Vec3 ScaledContact::velocity(const Vec3& scaled) const {
  if (kind == LawKind::frictionless) return scaled;
  return join(scaled[0], tangential.transpose().inverse() * scaled.tail<2>());
}

Mat3 ScaledContact::scaling() const {
  Mat3 t = Mat3::Identity();
  t.block<2, 2>(1, 1) = tangential;
  return t;
}

LocalState first_state(const ScaledContact& contact, const ContactPoint& point) {
  LocalState state;
  state.last_slip = contact.tangential.transpose() * point.last_slip;
  return state;
}

LocalBlock::LocalBlock(const Mat3& block) : g(block), inverse(block.inverse()), mobility(block.trace() / 3) {}

namespace {

// Exactly, by the search along the whole path.
bool solve_by_search(const ScaledContact& contact, const LocalBlock& block, const Vec3& c, LocalState& state) {
  static const ContactLaw unit_law{FrictionLaw(Disk(1), Disk(1))};
  LocalProblem local;
  local.delassus = block.g;
  local.free_velocity = c;
  local.normal_impulse = contact.normal_impulse;
  local.reservoir_factor = contact.factor;
  local.last_slip = state.mode == ContactMode::slip ? Vec2(state.velocity.tail<2>()) : state.last_slip;
  const LocalAnswer answer = solve_local(contact.law ? *contact.law : unit_law, local);
  if (answer.count == 0) return false;
  state.mode = answer.chosen.mode;
  state.impulse = answer.chosen.impulse;
  state.velocity = answer.chosen.velocity;
  if (state.mode == ContactMode::slip) state.ray = -state.impulse.tail<2>();
  return true;
}

void slip_with(const ScaledContact& contact, const LocalBlock& block, const Vec3& c, const Vec2& s, LocalState& state) {
  const Vec2 fs = contact.factor * s;
  const double pn = contact.normal_impulse ? *contact.normal_impulse
                                           : -c[0] / (block.g(0, 0) - block.g(0, 1) * fs.x() - block.g(0, 2) * fs.y());
  state.impulse << pn, -pn * fs;
  state.velocity = block.g * state.impulse + c;
  if (!contact.normal_impulse) state.velocity[0] = 0;
  state.mode = ContactMode::slip;
}

template <class Reservoir, class Direction>
std::optional<Vec2> follow_ray(const ScaledContact& contact, const LocalBlock& block, const Vec3& c,
                               const Reservoir& reservoir, const Direction& direction, double accuracy, Vec2 ray,
                               double& slope) {
  struct Point {
    Vec2 ray, resistance;
    double off, along, weight;
  };
  const Vec2 normal_row(block.g(0, 1), block.g(0, 2)), column(block.g(1, 0), block.g(2, 0)), free(c[1], c[2]);
  const Mat2 tangential = block.g.block<2, 2>(1, 1);
  const auto evaluate = [&](const Vec2& r) -> Point {
    const Vec2 s = contact.factor / reservoir.gauge(r) * r;
    const double weight = block.g(0, 0) - normal_row.dot(s);
    const double pn = contact.normal_impulse ? *contact.normal_impulse : -c[0] / weight;
    const Vec2 v = free + pn * (column - tangential * s);
    const Vec2 n = direction.normal_ray(r).normalized();
    return {r, s / contact.factor, cross(n, v), n.dot(v), weight};
  };
  const auto done = [&](const Point& p) {
    return p.off * p.off <= accuracy * accuracy * (p.off * p.off + p.along * p.along);
  };
  const auto answer = [](const Point& p) {
    return p.along > 0 && p.weight > 0 ? std::optional(p.resistance) : std::nullopt;
  };
  // Ahead while the velocity is counter-clockwise of the normal, with the secant's step once there is one.
  Point a = evaluate(ray.normalized());
  if (done(a)) return answer(a);
  if (!(slope > 0)) slope = std::abs(a.along) + block.mobility * contact.factor * std::abs(c[0]) / block.g(0, 0);
  double step = std::clamp(std::abs(a.off) / slope, 1e-12, 0.5);
  Point b = a;
  for (int i = 0; (a.off > 0) == (b.off > 0); ++i) {
    if (i == 40) return std::nullopt;
    if (i > 0) {
      const double fall = 1 - b.off / a.off;
      step *= fall > 0 ? std::clamp(1.1 * (1 / fall - 1), 0.1, 4.0) : 4.0;
      step = std::min(step, 0.5);
      a = b;
    }
    b = evaluate((a.ray + std::copysign(step, a.off) * turn_left(a.ray)).normalized());
    slope = std::abs(b.off - a.off) / step;
    if (done(b)) return answer(b);
  }
  // Illinois: the secant through both ends, halving the value of an end that stays.
  double fa = a.off, fb = b.off;
  for (int i = 0; i < 60; ++i) {
    const Point m = evaluate(a.ray + fa / (fa - fb) * (b.ray - a.ray));
    if (done(m) || (b.ray - a.ray).squaredNorm() < 1e-31) return answer(m);
    if ((m.off > 0) == (b.off > 0)) {
      fa /= 2;
    } else {
      a = b;
      fa = fb;
    }
    b = m;
    fb = m.off;
  }
  return answer(b);
}

}  // namespace

bool solve_block(const ScaledContact& contact, const LocalBlock& block, const Vec3& c, double accuracy,
                 LocalState& state) {
  const Mat3& g = block.g;
  const bool given = contact.normal_impulse.has_value();
  if (contact.kind == LawKind::frictionless) {
    const double pn = given ? *contact.normal_impulse : c[0] < 0 ? -c[0] / g(0, 0) : 0.0;
    if (!(pn >= 0) || !std::isfinite(pn)) return false;
    state.impulse = Vec3(pn, 0, 0);
    state.velocity = c + pn * g.col(0);
    state.mode = pn > 0 ? ContactMode::slip : ContactMode::open;
    state.ray.setZero();
    return true;
  }
  if (given && !(*contact.normal_impulse > 0)) return solve_by_search(contact, block, c, state);
  const Vec2 normal_row(g(0, 1), g(0, 2));
  const double reach =
      contact.kind == LawKind::unit_disk ? 1 : contact.law->largest_resistance() * contact.factor * 1.05;
  // Not where nothing moves at all: then only the velocity counts.
  const bool jams = !given && normal_row.norm() * reach >= g(0, 0) && !normal_row.isZero(0);
  if (jams) return solve_by_search(contact, block, c, state);
  if (!given && c[0] >= 0) {
    state.impulse.setZero();
    state.velocity = c;
    state.mode = ContactMode::open;
    return true;
  }
  // Stick.
  Vec3 p;
  if (given) {
    const Mat2 tangential = g.block<2, 2>(1, 1);
    p << *contact.normal_impulse,
        -(tangential.inverse() * Vec2(c.tail<2>() + *contact.normal_impulse * g.block<2, 1>(1, 0)));
  } else {
    p.noalias() = -(block.inverse * c);
  }
  if (!p.allFinite()) return solve_by_search(contact, block, c, state);
  if (contact.kind == LawKind::unit_disk) {
    if (p[0] > 0 && p[1] * p[1] + p[2] * p[2] <= p[0] * p[0]) {
      state.impulse = p;
      state.velocity = given ? Vec3(g.row(0).dot(p) + c[0], 0, 0) : Vec3::Zero();
      state.mode = ContactMode::stick;
      return true;
    }
    Vec2 start = state.mode == ContactMode::slip && !state.ray.isZero(0) ? state.ray : Vec2(c.tail<2>());
    if (state.mode != ContactMode::slip && p[0] > 0) start = -p.tail<2>();
    if (start.isZero(0)) start = Vec2(1, 0);
    auto n = disk_direction(g, c, contact.normal_impulse, accuracy, start.normalized());
    if (!n) n = disk_direction(g, c, contact.normal_impulse, accuracy, Vec2(c.tail<2>()).normalized());
    if (!n) return solve_by_search(contact, block, c, state);
    state.ray = *n;
    slip_with(contact, block, c, *n, state);
    return true;
  }
  const FrictionLaw& law = contact.law->law();
  const double tangential = p.tail<2>().norm();
  if (p[0] > 0 && tangential <= reach * p[0] &&
      (tangential <= contact.inner * p[0] || law.reservoir().gauge(Vec2(-p.tail<2>())) <= p[0] * contact.factor)) {
    state.impulse = p;
    state.velocity = given ? Vec3(g.row(0).dot(p) + c[0], 0, 0) : Vec3::Zero();
    state.mode = ContactMode::stick;
    return true;
  }
  if (contact.law->direction_has_corners()) return solve_by_search(contact, block, c, state);
  Vec2 start = state.mode == ContactMode::slip ? state.ray : Vec2::Zero();
  if (start.isZero(0)) state.slope = 0;
  if (start.isZero(0) && !state.last_slip.isZero(0)) start = law.direction().support_ray(state.last_slip);
  if (start.isZero(0) && p[0] > 0) start = -p.tail<2>();
  if (start.isZero(0)) start = law.direction().support_ray(c.tail<2>());
  if (start.isZero(0)) start = Vec2(1, 0);
  const auto s = law.visit([&](const auto& reservoir, const auto& direction) {
    return follow_ray(contact, block, c, reservoir, direction, accuracy, start, state.slope);
  });
  if (!s) return solve_by_search(contact, block, c, state);
  state.ray = *s;
  slip_with(contact, block, c, *s, state);
  return true;
}

SlipLinearization linearize_slip(const ScaledContact& contact, const LocalState& state) {
  const Vec2 v = state.velocity.tail<2>();
  const double speed = v.norm();
  SlipLinearization at;
  if (contact.kind == LawKind::frictionless) return {Vec2::Zero(), Mat2::Zero()};
  if (contact.kind == LawKind::unit_disk) {
    const Vec2 n = state.ray.normalized();
    at.resistance = n;
    at.jacobian = speed > 0 ? Mat2(turn_left(n) * turn_left(n).transpose() / speed) : Mat2::Zero();
    return at;
  }
  const FrictionLaw& law = contact.law->law();
  at.resistance = contact.factor / law.reservoir().gauge(state.ray) * state.ray;
  const auto jacobian = speed > 0 ? slip_jacobian(law, v) : std::nullopt;
  at.jacobian = jacobian ? Mat2(contact.factor * *jacobian) : Mat2::Zero();
  return at;
}

}  // namespace slipset
