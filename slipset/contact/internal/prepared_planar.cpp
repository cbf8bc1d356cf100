#include "slipset/contact/internal/prepared_planar.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "slipset/contact/internal/slip_search.hpp"

namespace slipset::internal {
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
    if (10 * turn * turn <= accuracy) {  // what is left after this turn
      if (!(along > 0) || !(weight > 0)) return std::nullopt;
      return n;
    }
  }
  return std::nullopt;
}

}  // namespace

PreparedPlanar::PreparedPlanar(const Contact& contact, int)
    : factor_(contact.reservoir_factor), normal_impulse_(contact.normal_impulse) {
  const PlanarContactLaw* law = contact.law ? contact.law->as_planar() : nullptr;
  if (!law) return;
  const PlanarSet &c = law->law().reservoir(), &d = law->law().direction();
  const Disk *c_disk = c.as<Disk>(), *d_disk = d.as<Disk>();
  const Ellipse *c_ellipse = c.as<Ellipse>(), *d_ellipse = d.as<Ellipse>();
  kind_ = Kind::unit_disk;
  if (c_disk && d_disk) {
    tangential_ *= c_disk->radius();
  } else if (c_ellipse && d_ellipse && c_ellipse->semi_axes() == d_ellipse->semi_axes() &&
             c_ellipse->angle() == d_ellipse->angle()) {
    const Vec2 first = unit(c_ellipse->angle());
    tangential_ << first * c_ellipse->semi_axes().x(), turn_left(first) * c_ellipse->semi_axes().y();
  } else {
    kind_ = Kind::general;
    law_ = law;
    inner_ = factor_ * law->inner_radius();
    return;
  }
  tangential_ *= factor_;
  inverse_ = tangential_.inverse();
  factor_ = 1;
}

Mat3 PreparedPlanar::scaling() const {
  Mat3 t = Mat3::Identity();
  t.block<2, 2>(1, 1) = tangential_;
  return t;
}

Mat3 PreparedPlanar::inverse_scaling() const {
  Mat3 t = Mat3::Identity();
  t.block<2, 2>(1, 1) = inverse_;
  return t;
}

PreparedPlanar::State PreparedPlanar::first_state(const Contact& contact) const {
  State state;
  state.last_slip = tangential_.transpose() * contact.last_slip;
  return state;
}

PreparedPlanar::Block PreparedPlanar::block(const Mat3& g) const {
  Block block{.g = g, .inverse = g.inverse(), .mobility = g.trace() / 3};
  const Vec2 normal_row(g(0, 1), g(0, 2));
  // Not where nothing moves at all: then only the velocity counts.
  if (kind_ != Kind::frictionless && !normal_impulse_ && !normal_row.isZero(0))
    block.may_jam =
        law_ ? factor_ * law_->most_along(normal_row, g(0, 0) / factor_) >= g(0, 0) : normal_row.norm() >= g(0, 0);
  block.along_one_line = is_along_one_line(g.block<2, 2>(1, 1));
  return block;
}

// Exactly, by the search along the whole path.
bool PreparedPlanar::solve_by_search(const Block& block, const Vec3& c, State& state) const {
  static const PlanarContactLaw unit_law{FrictionLaw(Disk(1), Disk(1))};
  PlanarProblem local;
  local.delassus = block.g;
  local.free_velocity = c;
  local.normal_impulse = normal_impulse_;
  local.reservoir_factor = factor_;
  local.last_slip = state.mode == ContactMode::slip ? Vec2(state.velocity.tail<2>()) : state.last_slip;
  const PlanarAnswer answer = solve_planar(law_ ? *law_ : unit_law, local);
  if (answer.count == 0) return false;
  state.mode = answer.chosen.mode;
  state.impulse = answer.chosen.impulse;
  state.velocity = answer.chosen.velocity;
  if (state.mode == ContactMode::slip) state.ray = -state.impulse.tail<2>();
  return true;
}

void PreparedPlanar::slip_with(const Block& block, const Vec3& c, const Vec2& s, State& state) const {
  const Vec2 fs = factor_ * s;
  const double pn =
      normal_impulse_ ? *normal_impulse_ : -c[0] / (block.g(0, 0) - block.g(0, 1) * fs.x() - block.g(0, 2) * fs.y());
  state.impulse << pn, -pn * fs;
  state.velocity = block.g * state.impulse + c;
  if (!normal_impulse_) state.velocity[0] = 0;
  state.mode = ContactMode::slip;
}

namespace {

constexpr double kNear = 0.3;  // first turn [rad]
constexpr int kMostSecants = 8;

// The root of cross(n, u_T) = 0 along the rays of the resistance, from one of them with brackets. Empty where it does
// not arrive.
template <class Reservoir, class Direction>
std::optional<Vec2> follow_ray(const std::optional<double>& given, double factor, const PreparedPlanar::Block& block,
                               const Vec3& c, const Reservoir& reservoir, const Direction& direction, double accuracy,
                               Vec2 ray, double& slope) {
  struct Point {
    Vec2 ray, resistance;
    double off, along, weight;
  };
  const Vec2 normal_row(block.g(0, 1), block.g(0, 2)), column(block.g(1, 0), block.g(2, 0)), free(c[1], c[2]);
  const Mat2 tangential = block.g.block<2, 2>(1, 1);
  const auto evaluate = [&](const Vec2& r) -> Point {
    const Vec2 s = factor / reservoir.gauge(r) * r;
    const double weight = block.g(0, 0) - normal_row.dot(s);
    const double pn = given ? *given : -c[0] / weight;
    const Vec2 v = free + pn * (column - tangential * s);
    const Vec2 n = direction.normal_ray(r).normalized();
    return {r, s / factor, cross(n, v), n.dot(v), weight};
  };
  const auto done = [&](const Point& p) {
    return p.off * p.off <= accuracy * accuracy * (p.off * p.off + p.along * p.along);
  };
  const auto answer = [](const Point& p) {
    return p.along > 0 && p.weight > 0 ? std::optional(p.resistance) : std::nullopt;
  };
  const auto turned = [&](const Point& p, double turn) {
    return evaluate((p.ray + turn * turn_left(p.ray)).normalized());
  };
  Point a = evaluate(ray.normalized());
  if (done(a)) return answer(a);
  if (!(slope > 0)) slope = std::abs(a.along) + block.mobility * factor * std::abs(c[0]) / block.g(0, 0);
  // Near the root the secant alone, while its turns become smaller.
  Point b = a;
  double turn = a.off / slope;
  if (std::abs(turn) < kNear) {
    for (int i = 0; i < kMostSecants; ++i) {
      b = turned(a, turn);
      const double found = (a.off - b.off) / turn;
      if (!(found > 0)) break;
      slope = found;
      if (done(b)) return answer(b);
      const double next = b.off / slope;
      if (!(std::abs(next) < 0.5 * std::abs(turn))) break;
      a = b;
      turn = next;
    }
  }
  // Ahead while the velocity is counter-clockwise of the normal, with the secant's step once there is one.
  double step = std::clamp(std::abs(a.off) / slope, 1e-12, 0.5);
  b = a;
  for (int i = 0; (a.off > 0) == (b.off > 0); ++i) {
    if (i == 40) return std::nullopt;
    if (i > 0) {
      const double fall = 1 - b.off / a.off;
      step *= fall > 0 ? std::clamp(1.1 * (1 / fall - 1), 0.1, 4.0) : 4.0;
      step = std::min(step, 0.5);
      a = b;
    }
    b = turned(a, std::copysign(step, a.off));
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

bool PreparedPlanar::solve_disk(const Block& block, const Vec3& c, const Vec3& p, double accuracy, State& state) const {
  const Mat3& g = block.g;
  if (p[0] > 0 && p[1] * p[1] + p[2] * p[2] <= p[0] * p[0]) {
    state.impulse = p;
    state.velocity = normal_impulse_ ? Vec3(g.row(0).dot(p) + c[0], 0, 0) : Vec3::Zero();
    state.mode = ContactMode::stick;
    return true;
  }
  Vec2 start = state.mode == ContactMode::slip && !state.ray.isZero(0) ? state.ray : Vec2(c.tail<2>());
  if (state.mode != ContactMode::slip && p[0] > 0) start = -p.tail<2>();
  if (start.isZero(0)) start = Vec2(1, 0);
  auto n = disk_direction(g, c, normal_impulse_, accuracy, start.normalized());
  if (!n) n = follow_ray(normal_impulse_, 1, block, c, Disk(1), Disk(1), accuracy, start, state.slope);
  if (!n) return solve_by_search(block, c, state);
  state.ray = *n;
  slip_with(block, c, *n, state);
  return true;
}

bool PreparedPlanar::solve_general(const Block& block, const Vec3& c, const Vec3& p, double reach, double accuracy,
                                   State& state) const {
  const FrictionLaw& law = law_->law();
  const double tangential = p.tail<2>().norm();
  if (p[0] > 0 && tangential <= reach * p[0] &&
      (tangential <= inner_ * p[0] || law.reservoir().gauge(Vec2(-p.tail<2>())) <= p[0] * factor_)) {
    state.impulse = p;
    state.velocity = normal_impulse_ ? Vec3(block.g.row(0).dot(p) + c[0], 0, 0) : Vec3::Zero();
    state.mode = ContactMode::stick;
    return true;
  }
  if (law_->direction_has_corners()) return solve_by_search(block, c, state);
  Vec2 start = state.mode == ContactMode::slip ? state.ray : Vec2::Zero();
  if (start.isZero(0)) state.slope = 0;
  if (start.isZero(0) && !state.last_slip.isZero(0)) start = law.direction().support_ray(state.last_slip);
  if (start.isZero(0) && p[0] > 0) start = -p.tail<2>();
  if (start.isZero(0)) start = law.direction().support_ray(c.tail<2>());
  if (start.isZero(0)) start = Vec2(1, 0);
  const auto s = law.visit([&](const auto& reservoir, const auto& direction) {
    return follow_ray(normal_impulse_, factor_, block, c, reservoir, direction, accuracy, start, state.slope);
  });
  if (!s) return solve_by_search(block, c, state);
  state.ray = *s;
  slip_with(block, c, *s, state);
  return true;
}

bool PreparedPlanar::solve(const Block& block, const Vec3& c, double accuracy, State& state) const {
  const Mat3& g = block.g;
  const bool given = normal_impulse_.has_value();
  if (kind_ == Kind::frictionless) {
    const double pn = given ? *normal_impulse_ : c[0] < 0 ? -c[0] / g(0, 0) : 0.0;
    if (!(pn >= 0) || !std::isfinite(pn)) return false;
    state.impulse = Vec3(pn, 0, 0);
    state.velocity = c + pn * g.col(0);
    state.mode = pn > 0 ? ContactMode::slip : ContactMode::open;
    state.ray.setZero();
    return true;
  }
  if (given && !(*normal_impulse_ > 0)) return solve_by_search(block, c, state);
  const double reach = kind_ == Kind::unit_disk ? 1 : law_->largest_resistance() * factor_ * 1.05;
  if (block.may_jam) return solve_by_search(block, c, state);
  if (!given && c[0] >= 0) {
    state.impulse.setZero();
    state.velocity = c;
    state.mode = ContactMode::open;
    return true;
  }
  // Then friction across that line is not determined.
  if (block.along_one_line) return solve_by_search(block, c, state);
  Vec3 stick;
  if (given) {
    stick << *normal_impulse_,
        -(g.block<2, 2>(1, 1).inverse() * Vec2(c.tail<2>() + *normal_impulse_ * g.block<2, 1>(1, 0)));
  } else {
    stick.noalias() = -(block.inverse * c);
  }
  if (!stick.allFinite()) return solve_by_search(block, c, state);
  return kind_ == Kind::unit_disk ? solve_disk(block, c, stick, accuracy, state)
                                  : solve_general(block, c, stick, reach, accuracy, state);
}

PreparedPlanar::Tangent PreparedPlanar::linearize(const Block& block, const State& state, double fallback) const {
  const double mobility = block.mobility > 0 ? block.mobility : fallback;
  Tangent tangent{Mat3::Zero(), Mat3::Identity()};
  if (state.mode == ContactMode::open) {
    tangent = {mobility * Mat3::Identity(), Mat3::Zero()};
  } else if (state.mode == ContactMode::slip) {
    const Vec2 v = state.velocity.tail<2>();
    const double pn = state.impulse[0], speed = v.norm();
    const double scale = kind_ == Kind::frictionless ? mobility : mobility * speed / (speed + mobility * pn);
    Vec2 resistance = Vec2::Zero();
    Mat2 jacobian = Mat2::Zero();
    if (kind_ == Kind::unit_disk) {
      resistance = state.ray.normalized();
      if (speed > 0) jacobian = turn_left(resistance) * turn_left(resistance).transpose() / speed;
    } else if (kind_ == Kind::general) {
      const FrictionLaw& law = law_->law();
      resistance = factor_ / law.reservoir().gauge(state.ray) * state.ray;
      if (const auto at = speed > 0 ? slip_jacobian(law, v) : std::nullopt) jacobian = factor_ * *at;
    }
    tangent.by_velocity.block<2, 2>(1, 1) = scale * pn * jacobian;
    tangent.by_impulse.block<2, 1>(1, 0) = scale * resistance;
    tangent.by_impulse.block<2, 2>(1, 1) = scale * Mat2::Identity();
  }
  if (normal_impulse_) {
    tangent.by_velocity.row(0).setZero();
    tangent.by_impulse.row(0) << mobility, 0, 0;
  }
  return tangent;
}

}  // namespace slipset::internal
