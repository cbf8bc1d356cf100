// Contacts that slip along one line, and velocities beside those of rest.
#include <algorithm>
#include <cmath>
#include <utility>

#include "slipset/motion/integrators/internal/contact_phase.hpp"

namespace slipset::internal {
namespace {

using Index = Eigen::Index;

constexpr double kRounding = 1e-14;  // of a slip, over the velocities that it is the difference of
constexpr double kParallel = 1e-10;  // directions this near are one

// What the terms of a slip velocity add up to before they cancel.
double terms_of_slip(const ContactAt& c, const VectorX& u) {
  return Vec2(c.tangents.cwiseAbs().transpose() * u.cwiseAbs()).norm() + c.surface_velocity.norm();
}

// The unit vector e with the largest |W_T e|.
Vec2 main_direction(const Eigen::MatrixX2d& tangents) {
  const double xx = tangents.col(0).squaredNorm(), yy = tangents.col(1).squaredNorm();
  return unit(std::atan2(2 * tangents.col(0).dot(tangents.col(1)), xx - yy) / 2);
}

}  // namespace

// The directions of a lever near its dead point are short: no velocity that it will ever have stops the slip there.
// Longest directions are those one unit (radian, metre) around the start, and what was met since.
bool Phase::at_dead_point(std::size_t i) const {
  constexpr double kShort = 1e-2;
  return at_.contacts[i].tangents.norm() < kShort * longest_[i];
}

void Phase::find_longest(double t, const VectorX& q) {
  const auto add = [&](const SystemAt& at) {
    for (std::size_t i = 0; i < size(); ++i) longest_[i] = std::fmax(longest_[i], at.contacts[i].tangents.norm());
  };
  add(at_);
  if (std::exchange(looked_around_, true)) return;
  VectorX beside = q;
  for (Index k = 0; k < q.size(); ++k) {
    for (const double away : {1.0, -1.0}) {
      beside[k] = q[k] + away;
      system_->evaluate(t, beside, u_, behind_);
      add(behind_);
    }
    beside[k] = q[k];
  }
}

void Phase::take_rest(double t, const VectorX& q, const VectorX& u) {
  rest_.setZero();
  for (Vec2& slip : rest_slip_) slip.setZero();
  look_at(t, q, u);
  Index rows = 0;
  MatrixX w(u.size(), 2 * static_cast<Index>(size()));
  VectorX slip(w.cols());
  find_longest(t, q);
  for (std::size_t i = 0; i < size(); ++i) {
    contacts_[i].line = false;
    find_line(i);
    if (contacts_[i].mode == PhaseMode::open || at_dead_point(i)) continue;
    w.middleCols<2>(rows) = at_.contacts[i].tangents;
    slip.segment<2>(rows) = contacts_[i].slip;
    rows += 2;
  }
  // With nothing closed there is no slip to keep: beside u itself CVODE's first step would be too short for a gap to open.
  if (rows == 0) return look_at(t, q, u);
  rest_ = u;
  const MatrixX closed = w.leftCols(rows), mw = mass_.solve(closed);
  rest_ -= mw * solve_shortest(closed.transpose() * mw, slip.head(rows));
  for (std::size_t i = 0; i < size(); ++i) {
    const ContactAt& c = at_.contacts[i];
    const Vec2 left = Vec2(c.tangents.transpose() * rest_) - c.surface_velocity;
    if (left.norm() <= kRounding * terms_of_slip(c, rest_)) rest_slip_[i] = left;
  }
  look_at(t, q, u);
}

bool Phase::slip_is_rounding(std::size_t i) const {
  return contacts_[i].slip.norm() <= kRounding * terms_of_slip(at_.contacts[i], u_);
}

double Phase::turning_rate() const {
  double rate = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const ContactAt &here = at_.contacts[i], &after = ahead_.contacts[i], &before = behind_.contacts[i];
    const auto add = [&](double change, double size) {
      if (size > 0) rate = std::max(rate, change / (2 * difference_) / size);
    };
    add((after.tangents - before.tangents).norm(), here.tangents.norm());
    add((after.surface_velocity - before.surface_velocity).norm(), here.surface_velocity.norm());
  }
  return rate;
}

// The direction of a line; with `line` false it finds out whether the contact is one.
void Phase::find_line(std::size_t i) {
  ContactPhase& c = contacts_[i];
  const ContactAt& at = at_.contacts[i];
  const Vec2 e = main_direction(at.tangents), across = turn_left(e);
  if (c.line) {
    c.along = e.dot(c.along) < 0 ? Vec2(-e) : e;
    return;
  }
  c.line = at.tangents.norm() > 0 && (at.tangents * across).norm() <= kParallel * at.tangents.norm() &&
           std::abs(across.dot(at.surface_velocity)) <= kParallel * at.surface_velocity.norm();
  if (c.line && e.dot(c.along) < 0)
    c.along = -e;
  else if (c.line)
    c.along = e;
}

Vec2 Phase::line_resistance(std::size_t i) {
  const ContactPhase& c = contacts_[i];
  const Vec2 direction = c.way * c.along;
  LineResistance& last = line_resistance_[i];
  if (direction != last.direction) {
    const double angle = resistance_angle_at(law(i).law(), angle_of(direction));
    last = {direction, law(i).law().reservoir().boundary_point(angle)};
  }
  return last.resistance * stribeck_at(i, std::max(0.0, direction.dot(c.slip)));
}

double Phase::stick_excess(std::size_t i) const {
  const ContactPhase& c = contacts_[i];
  const PlanarSet& reservoir = law(i).law().reservoir();
  const double held = stribeck_at(i, 0);
  if (!c.line) return reservoir.gauge(c.resistance) / held - 1;
  const double along = c.resistance.dot(c.along);
  return std::abs(along) / (held * reservoir.support(along < 0 ? Vec2(-c.along) : c.along)) - 1;
}

}  // namespace slipset::internal
