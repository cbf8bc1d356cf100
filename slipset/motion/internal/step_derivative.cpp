#include "slipset/motion/internal/step_derivative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipset::internal {
namespace {

// Central differences of order 4: f' ≈ Σ weight f(x + shift h)/h.
constexpr std::array<std::pair<double, double>, 4> kDifference = {
    {{-2, 1.0 / 12}, {-1, -2.0 / 3}, {1, 2.0 / 3}, {2, -1.0 / 12}}};

}  // namespace

StepDerivative::StepDerivative(const MoreauStepper& stepper, const State& begin, double dt,
                               const std::vector<bool>& slid, const std::vector<const PlanarContactLaw*>& laws,
                               double difference, double border)
    : system_(&stepper.system()),
      t_(begin.t),
      dt_(dt),
      difference_(difference),
      steady_(system_->has_steady_surfaces()),
      q_mid_(begin.q + (dt / 2) * begin.u),
      q_end_(begin.q + dt * begin.u),
      u_begin_(begin.u),
      u_end_(stepper.state().u),
      laws_(laws.size()),
      at_(sized_for(*system_)) {
  system_->evaluate(t_ + dt_ / 2, q_mid_, u_begin_, at_);
  mass_.compute(at_.mass);
  const ContactProblem& problem = stepper.problem();
  if (problem.contacts.empty()) return;
  contact_.emplace(problem, stepper.solution(), DerivativeOptions{border, true});
  impulse_ = stepper.solution().impulse;
  if (!steady_) system_->evaluate(t_ + dt_, q_end_, u_begin_, at_);
  const std::span<const std::size_t> closed = stepper.form().closed();
  for (std::size_t a = 0; a < closed.size(); ++a) {
    const SystemContact& contact = system_->contacts()[closed[a]];
    Closed one{closed[a], problem.delassus->layout().offset(a), contact.restitution, contact.unilateral, Vec2::Zero()};
    // The reservoir is that of the speed at the beginning of the step; where it stuck then, of rest.
    if (contact.law && contact.law->law().stribeck() && slid[closed[a]]) {
      const ContactAt& c = at_.contacts[closed[a]];
      const Vec2 slip = c.tangents.transpose() * u_begin_ - c.surface_velocity;
      if (const double speed = slip.norm(); speed > 0)
        one.factor_slope = contact.law->law().stribeck()->slope(speed) * slip / speed;
    }
    closed_.push_back(one);
  }
  w_ = directions(at_);
  for (const ContactLaw* const law : contact_->laws())
    law_numbers_.push_back(static_cast<std::size_t>(std::find(laws.begin(), laws.end(), law) - laws.begin()));
}

MatrixX StepDerivative::directions(const SystemAt& at) const {
  MatrixX w = MatrixX::Zero(u_begin_.size(), impulse_.size());
  for (const Closed& one : closed_) {
    const ContactAt& c = at.contacts[one.contact];
    if (one.unilateral) w.col(one.row) = c.normal;
    w.middleCols<2>(one.row + 1) = c.tangents;
  }
  return w;
}

Eigen::VectorXd StepDerivative::surfaces(const SystemAt& at) const {
  Eigen::VectorXd chi = Eigen::VectorXd::Zero(impulse_.size());
  for (const Closed& one : closed_) {
    const ContactAt& c = at.contacts[one.contact];
    if (one.unilateral && !std::isnan(c.surface_normal_velocity)) chi[one.row] = c.surface_normal_velocity;
    chi.segment<2>(one.row + 1) = c.surface_velocity;
  }
  return chi;
}

// add(weight, system at a point), for the derivative along a direction.
template <class Function>
void StepDerivative::along(const VectorX& q, const VectorX& u, const StateChange& direction, double t,
                           const Function& add) const {
  // A step along the direction that moves no number further than differences with respect to it alone would.
  double h = INFINITY;
  const auto limit = [&](const VectorX& x, const VectorX& d) {
    for (Eigen::Index i = 0; i < x.size(); ++i)
      if (d[i] != 0) h = std::min(h, moved(x[i]) / std::abs(d[i]));
  };
  limit(q, direction.q);
  limit(u, direction.u);
  if (!std::isfinite(h)) return;
  for (const auto& [shift, weight] : kDifference) {
    system_->evaluate(t, q + shift * h * direction.q, u + shift * h * direction.u, at_);
    add(weight / h, at_);
  }
}

// Of value(system at (q, u)).
template <class Function>
StateChange StepDerivative::gradient(const VectorX& q, const VectorX& u, double t, const Function& value) const {
  StateChange result{VectorX::Zero(q.size()), VectorX::Zero(u.size())};
  VectorX at_q = q, at_u = u;
  const auto by = [&](VectorX& x, VectorX& to) {
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const double kept = x[i], h = moved(kept);
      for (const auto& [shift, weight] : kDifference) {
        x[i] = kept + shift * h;
        system_->evaluate(t, at_q, at_u, at_);
        to[i] += weight * value(at_) / h;
      }
      x[i] = kept;
    }
  };
  by(at_q, result.q);
  by(at_u, result.u);
  return result;
}

void StepDerivative::forward(const std::vector<VectorX>& law, StateChange& change) const {
  const StateChange middle{change.q + (dt_ / 2) * change.u, change.u};
  const StateChange end{change.q + dt_ * change.u, change.u};
  const VectorX gained = u_end_ - u_begin_;
  VectorX momentum = VectorX::Zero(gained.size());
  MatrixX dw = MatrixX::Zero(w_.rows(), w_.cols());
  Eigen::VectorXd dchi = Eigen::VectorXd::Zero(impulse_.size());
  ContactDerivative::OfContacts numbers{Eigen::VectorXd::Zero(static_cast<Eigen::Index>(closed_.size())),
                                        Eigen::VectorXd::Zero(static_cast<Eigen::Index>(closed_.size()))};
  const auto of_contacts = [&](double weight, const SystemAt& at) {
    dw += weight * directions(at);
    dchi += weight * surfaces(at);
  };
  along(q_mid_, u_begin_, middle, t_ + dt_ / 2, [&](double weight, const SystemAt& at) {
    momentum += weight * (dt_ * at.force - at.mass * gained);
    if (steady_ && contact_) of_contacts(weight, at);
    for (std::size_t a = 0; a < closed_.size(); ++a)
      if (!closed_[a].unilateral)
        numbers.normal_impulse[static_cast<Eigen::Index>(a)] +=
            weight * dt_ * at.contacts[closed_[a].contact].normal_force;
  });
  if (!steady_ && contact_) along(q_end_, u_begin_, end, t_ + dt_, of_contacts);
  if (contact_) momentum += dw * impulse_;
  VectorX dv = change.u + mass_.solve(momentum);
  if (contact_) {
    Eigen::VectorXd r = dw.transpose() * u_end_ + w_.transpose() * dv - dchi;
    for (std::size_t a = 0; a < closed_.size(); ++a) {
      const Closed& one = closed_[a];
      const auto before = [&](Eigen::Index row) {  // dγ_B
        return dw.col(row).dot(u_begin_) + w_.col(row).dot(change.u) - dchi[row];
      };
      if (one.restitution > 0) r[one.row] += one.restitution * before(one.row);
      if (!one.factor_slope.isZero(0))
        numbers.reservoir_factor[static_cast<Eigen::Index>(a)] =
            one.factor_slope.dot(Vec2(before(one.row + 1), before(one.row + 2)));
    }
    std::vector<Eigen::VectorXd> of_laws;
    if (!law.empty())
      for (const std::size_t i : law_numbers_) of_laws.push_back(law[i]);
    const ContactDerivative::Change found = contact_->forward(r, of_laws, numbers);
    // Beyond the rounding of the differences.
    if (!(found.misfit <= 1e-7 * (change.u.norm() + r.norm() + change.q.norm() / dt_)))
      throw InvalidInput("the contacts that stick are more than needed, and cannot follow this change together");
    dv += mass_.solve(VectorX(w_ * found.impulse));
  }
  change.u = dv;
  change.q = middle.q + (dt_ / 2) * dv;
}

void StepDerivative::reverse(StateChange& of_state, std::vector<VectorX>& law) const {
  const VectorX gained = u_end_ - u_begin_;
  VectorX of_end = of_state.u + (dt_ / 2) * of_state.q;  // of u_E
  VectorX pushed = of_end;
  ContactDerivative::Gradient found;
  Eigen::VectorXd r, before;
  if (contact_) {
    found = contact_->reverse(w_.transpose() * mass_.solve(of_end), Eigen::VectorXd::Zero(impulse_.size()));
    r = found.free_velocity;
    for (std::size_t i = 0; i < law_numbers_.size(); ++i)
      if (found.law[i].size() > 0) law[law_numbers_[i]] += found.law[i];
    pushed += w_ * r;
    before = Eigen::VectorXd::Zero(r.size());  // of γ_B
    for (std::size_t a = 0; a < closed_.size(); ++a) {
      const Closed& one = closed_[a];
      before[one.row] = one.restitution * r[one.row];
      before.segment<2>(one.row + 1) = found.contacts.reservoir_factor[static_cast<Eigen::Index>(a)] * one.factor_slope;
    }
  }
  const VectorX a = mass_.solve(pushed);
  const auto of_contacts = [&](const SystemAt& at) {
    const MatrixX w = directions(at);
    return a.dot(w * impulse_) + r.dot(w.transpose() * u_end_) + before.dot(w.transpose() * u_begin_) -
           (r + before).dot(surfaces(at));
  };
  const auto of_middle = [&](const SystemAt& at) {
    double value = a.dot(dt_ * at.force - at.mass * gained);
    for (std::size_t i = 0; i < closed_.size(); ++i)
      if (!closed_[i].unilateral)
        value += found.contacts.normal_impulse[static_cast<Eigen::Index>(i)] * dt_ *
                 at.contacts[closed_[i].contact].normal_force;
    return steady_ && contact_ ? value + of_contacts(at) : value;
  };
  StateChange begin = gradient(q_mid_, u_begin_, t_ + dt_ / 2, of_middle);
  begin.q += of_state.q;
  begin.u += pushed + (dt_ / 2) * begin.q;
  if (contact_) begin.u += w_ * before;
  if (!steady_ && contact_) {
    const StateChange end = gradient(q_end_, u_begin_, t_ + dt_, of_contacts);
    begin.q += end.q;
    begin.u += end.u + dt_ * end.q;
  }
  of_state = std::move(begin);
}

}  // namespace slipset::internal
