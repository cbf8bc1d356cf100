#include "slipset/motion/integrators/internal/contact_phase.hpp"

#include <algorithm>

namespace slipset::internal {
namespace {

using Index = Eigen::Index;

}  // namespace

Phase::Phase(const System& system)
    : system_(&system),
      at_(sized_for(system)),
      ahead_(sized_for(system)),
      behind_(sized_for(system)),
      contacts_(system.contacts().size()),
      drift_(system.contacts().size(), Vec3::Zero()),
      acceleration_(VectorX::Zero(system.dofs())),
      rest_(VectorX::Zero(system.dofs())),
      beside_(VectorX::Zero(system.dofs())),
      u_(VectorX::Zero(system.dofs())),
      rest_slip_(system.contacts().size(), Vec2::Zero()),
      line_resistance_(system.contacts().size(), {Vec2::Zero(), Vec2::Zero()}),
      longest_(system.contacts().size(), 0) {
  for (const SystemContact& contact : system.contacts()) {
    if (!contact.law)
      throw InvalidInput("event-driven: contact \"" + contact.name +
                         "\" does not slide by two sets; use the moreau integrator");
    sides_.push_back(flat_sides(contact.law->law()));
  }
}

double Phase::stribeck_at(std::size_t i, double speed) const {
  const auto& rate = law(i).law().stribeck();
  return rate ? rate->factor(speed) : 1;
}

void Phase::look_at(double t, const VectorX& q, const VectorX& u) {
  u_ = u;
  beside_ = u - rest_;
  look(t, q);
}

void Phase::look(double t, const VectorX& q) {
  const double h = difference_;  // central differences: error h², rounding ε/h
  system_->evaluate(t, q, u_, at_);
  if (!looked_) require_filled(*system_, at_);
  looked_ = true;
  system_->evaluate(t + h, q + h * u_, u_, ahead_);
  system_->evaluate(t - h, q - h * u_, u_, behind_);
  if (!mass_.compute(at_.mass)) throw InvalidInput("the mass matrix is not positive definite");
  for (std::size_t i = 0; i < size(); ++i) {
    ContactPhase& contact = contacts_[i];
    const ContactAt &here = at_.contacts[i], &after = ahead_.contacts[i], &before = behind_.contacts[i];
    const auto slip = [&](const ContactAt& c) {
      const Vec2 at_rest = Vec2(c.tangents.transpose() * rest_) - c.surface_velocity - rest_slip_[i];
      return Vec2(Vec2(c.tangents.transpose() * beside_) + at_rest);
    };
    contact.slip = slip(here);
    drift_[i].tail<2>() = (slip(after) - slip(before)) / (2 * h);
    if (contact.line) find_line(i);
    if (!unilateral(i)) {
      if (contact.mode != PhaseMode::given) contact.normal_force = here.normal_force;
      continue;
    }
    if (std::isnan(here.surface_normal_velocity))
      throw InvalidInput("event-driven: evaluate() does not say the surface_normal_velocity of contact \"" +
                         system_->contacts()[i].name +
                         "\", which this integrator needs: write -∂gap/∂t there, or let has_steady_surfaces() say that "
                         "no surface moves but with constant velocity along its tangents");
    contact.gap = here.gap;
    const auto closing = [&](const ContactAt& c) { return c.normal.dot(u_) - c.surface_normal_velocity; };
    contact.normal_velocity = closing(here);
    drift_[i][0] = (closing(after) - closing(before)) / (2 * h);
  }
}

// Beyond the ends of its side, where only trial steps lead, it goes straight on: the reservoir may have a corner there.
Vec2 Phase::side_resistance(std::size_t i, double place) const {
  const FlatSide& side = sides_[i][contacts_[i].sector];
  const auto on_side = [&](double at) -> Vec2 {
    const Vec2 z = side.from + at * (side.to - side.from);
    return z * (stribeck_at(i, contacts_[i].slip.norm()) / law(i).law().reservoir().gauge(z));
  };
  const double end = std::clamp(place, 0.0, 1.0);
  if (place == end) return on_side(place);
  constexpr double h = 1e-6;
  const double inward = end == 0 ? h : -h;
  return on_side(end) + (place - end) / inward * (on_side(end + inward) - on_side(end));
}

// Beyond its sector, where only trial steps lead, the slip keeps the resistance of the sector's end.
Vec2 Phase::sector_resistance(std::size_t i) const {
  const ContactPhase& c = contacts_[i];
  if (c.slip.isZero(0)) return Vec2::Zero();
  const auto& sides = sides_[i];
  if (!sides.empty()) {
    const auto [from_start, to_end] = inside_sector(i);
    const FlatSide &first = sides[c.sector], &last = sides[(c.sector + 1) % sides.size()];
    if (from_start <= 1e-12 || to_end <= 1e-12) {
      const Vec2& z = from_start < to_end ? first.to : last.from;
      return z * (stribeck_at(i, c.slip.norm()) / law(i).law().reservoir().gauge(z));
    }
  }
  return slip_resistance(law(i).law(), c.slip);
}

std::pair<double, double> Phase::inside_sector(std::size_t i) const {
  const auto& sides = sides_[i];
  const std::size_t k = contacts_[i].sector;
  const double start = angle_of(sides[k].normal);
  const double half = wrap_to_turn(angle_of(sides[(k + 1) % sides.size()].normal) - start) / 2;
  const double off = wrap_to_pi(angle_of(contacts_[i].slip) - (start + half));
  return {half + off, half - off};
}

const VectorX& Phase::acceleration(double t, const VectorX& q, const VectorX& u) {
  look_at(t, q, u);
  return solve_modes();
}

const VectorX& Phase::acceleration_beside_rest(double t, const VectorX& q, const VectorX& v) {
  beside_ = v;
  u_ = rest_ + v;
  look(t, q);
  return solve_modes();
}

const VectorX& Phase::solve_modes() {
  Index unknowns = 0;
  bool has_side = false;
  for (std::size_t i = 0; i < size(); ++i) {
    ContactPhase& c = contacts_[i];
    if (c.mode == PhaseMode::open || c.mode == PhaseMode::given) continue;
    unknowns += unilateral(i) + (c.mode == PhaseMode::stick ? 2 : c.mode == PhaseMode::side ? 1 : 0);
    has_side |= c.mode == PhaseMode::side;
    if (c.mode == PhaseMode::slip)
      c.resistance = held_contact_ == i ? held_resistance_ : c.line ? line_resistance(i) : sector_resistance(i);
  }
  const Index n = system_->dofs();
  MatrixX columns(n, unknowns), rows(n, unknowns);  // ∂force/∂unknown; constrained directions
  VectorX drift(unknowns), force(n);
  for (int iteration = 0; iteration < 60; ++iteration) {
    force = at_.force;
    Index k = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      ContactPhase& c = contacts_[i];
      const ContactAt& here = at_.contacts[i];
      if (c.mode == PhaseMode::open) {
        c.resistance.setZero();
        c.normal_force = 0;
        continue;
      }
      if (c.mode == PhaseMode::side) c.resistance = side_resistance(i, c.place);
      if (unilateral(i)) force += here.normal * c.normal_force;
      force -= here.tangents * (c.normal_force * c.resistance);
      if (c.mode == PhaseMode::given) continue;
      if (unilateral(i)) {  // a sticking contact's tangential force is an unknown of its own
        columns.col(k) = here.normal;
        if (c.mode != PhaseMode::stick) columns.col(k) -= here.tangents * c.resistance;
        rows.col(k) = here.normal;
        drift[k++] = drift_[i][0];
      }
      if (c.mode == PhaseMode::stick) {
        columns.middleCols<2>(k) = rows.middleCols<2>(k) = here.tangents;
        drift.segment<2>(k) = drift_[i].tail<2>();
        k += 2;
      } else if (c.mode == PhaseMode::side) {
        constexpr double h = 1e-6;
        const Vec2 slope = (side_resistance(i, c.place + h) - side_resistance(i, c.place - h)) / (2 * h);
        const Vec2 across = turn_left(sides_[i][c.sector].normal);
        c.turning_slope = -c.normal_force * across.dot(contact_block(i) * slope);
        columns.col(k) = here.tangents * (-c.normal_force * slope);
        rows.col(k) = here.tangents * across;
        drift[k++] = across.dot(drift_[i].tail<2>());
      }
    }
    acceleration_ = mass_.solve(force);
    if (unknowns == 0) break;
    const VectorX defect = rows.transpose() * acceleration_ + drift;
    const VectorX change = -solve_shortest(rows.transpose() * mass_.solve(columns), defect);
    k = 0;
    double moved = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      ContactPhase& c = contacts_[i];
      if (c.mode == PhaseMode::open || c.mode == PhaseMode::given) continue;
      Vec2 tangential = -c.normal_force * c.resistance;
      if (unilateral(i)) c.normal_force += change[k++];
      if (c.mode == PhaseMode::stick) {
        tangential += change.segment<2>(k);
        k += 2;
        c.resistance = -tangential / c.normal_force;
      } else if (c.mode == PhaseMode::side) {
        moved = std::max(moved, std::abs(change[k]));
        c.place = std::clamp(c.place + std::clamp(change[k++], -0.1, 0.1), -0.2, 1.2);
      }
    }
    if (!has_side || !(moved > 1e-14)) {
      acceleration_ += mass_.solve(VectorX(columns * change));
      break;
    }
    if (iteration == 59 && moved > 1e-9) acceleration_.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  for (std::size_t i = 0; i < size(); ++i) {
    contacts_[i].slip_rate = Vec2(at_.contacts[i].tangents.transpose() * acceleration_) + drift_[i].tail<2>();
    if (unilateral(i)) contacts_[i].normal_acceleration = at_.contacts[i].normal.dot(acceleration_) + drift_[i][0];
  }
  return acceleration_;
}

MatrixX Phase::constraints() const {
  MatrixX w(at_.force.size(), first_row(size()));
  Index k = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const ContactPhase& c = contacts_[i];
    if (c.mode == PhaseMode::open) continue;
    if (unilateral(i)) w.col(k++) = at_.contacts[i].normal;
    if (c.mode == PhaseMode::stick) {
      w.middleCols<2>(k) = at_.contacts[i].tangents;
      k += 2;
    } else if (c.mode == PhaseMode::side) {
      w.col(k++) = at_.contacts[i].tangents * turn_left(sides_[i][c.sector].normal);
    }
  }
  return w.leftCols(k);
}

void Phase::project(VectorX& u) const {
  const MatrixX w = constraints();
  if (w.cols() == 0) return;
  VectorX off(w.cols());
  Index k = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const ContactPhase& c = contacts_[i];
    if (c.mode == PhaseMode::open) continue;
    const Vec2 slip = Vec2(at_.contacts[i].tangents.transpose() * u) - at_.contacts[i].surface_velocity;
    if (unilateral(i)) off[k++] = at_.contacts[i].normal.dot(u) - at_.contacts[i].surface_normal_velocity;
    if (c.mode == PhaseMode::stick) {
      off.segment<2>(k) = slip;
      k += 2;
    } else if (c.mode == PhaseMode::side) {
      off[k++] = turn_left(sides_[i][c.sector].normal).dot(slip);
    }
  }
  const MatrixX mw = mass_.solve(w);
  u -= mw * solve_shortest(w.transpose() * mw, off);
}

void Phase::push(std::size_t i, const Vec2& v, VectorX& u) const {
  const MatrixX w = at_.contacts[i].tangents, mw = mass_.solve(w);
  u += mw * solve_shortest(w.transpose() * mw, v);
}

Mat2 Phase::contact_block(std::size_t i) const {
  const MatrixX w = at_.contacts[i].tangents;
  return w.transpose() * mass_.solve(w);
}

double Phase::free_normal_acceleration(std::size_t i) const {
  return at_.contacts[i].normal.dot(mass_.solve(at_.force)) + drift_[i][0];
}

Eigen::MatrixX3d Phase::directions(std::size_t i) const {
  Eigen::MatrixX3d w = Eigen::MatrixX3d::Zero(at_.force.size(), 3);
  if (unilateral(i)) w.col(0) = at_.contacts[i].normal;
  w.rightCols<2>() = at_.contacts[i].tangents;
  return w;
}

}  // namespace slipset::internal
