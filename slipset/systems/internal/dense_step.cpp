#include "slipset/systems/internal/dense_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/laws/rolling_law.hpp"
#include "slipset/systems/internal/velocity_rounding.hpp"

namespace slipset::internal {
namespace {

constexpr double kClosing = 0.01;     // of the way that forces alone move a contact in a step                    (D.6)
constexpr double kOverlapped = 1e-6;  // of the lengths in a gap: overlap at the start that is told

int rows_of(const SystemContact& contact) { return contact.other_law ? contact.other_law->rows() : 3; }

// Laws of other kinds have sliding in row 1, and in row 2 if they have one: as ContactStep::slip takes them.
int sliding_rows_of(const SystemContact& contact) {
  if (const RollingLaw* rolling = rolling_law_of(contact)) return rolling->has_sliding() ? 2 : 0;
  return std::min(2, rows_of(contact) - 1);
}

}  // namespace

template <int Rows>
DenseStep<Rows>::DenseStep(const System& system)
    : system_(&system),
      parts_(&system.contacts()),
      constant_mass_(system.has_constant_mass()),
      steady_(system.has_steady_surfaces()),
      at_(sized_for(system)) {
  const std::size_t n = parts_->size();
  const Eigen::Index dofs = system.dofs();
  if (system.positions() != dofs)
    throw InvalidInput(
        fmt::format("the system has {} positions and {} velocities; where they differ it needs a step of its own "
                    "(System::make_step)",
                    system.positions(), dofs));
  u_free_ = u_end_ = mean_ = VectorX::Zero(dofs);
  closed_.reserve(n);
  closed_before_.reserve(n);
  elastic_force_.assign(n, Vec2::Zero());
  contacts_.resize(n);
  for (const SystemContact& contact : *parts_) {
    const int rows = rows_of(contact);
    rows_.push_back(rows);
    sliding_.push_back(sliding_rows_of(contact));
    w_.push_back(Directions::Zero(dofs, rows));
    warm_.push_back(Vec::Zero(rows));
    elastic_.push_back(contact.law && contact.law->law().elastic() ? &*contact.law->law().elastic() : nullptr);
    has_elastic_ |= elastic_.back() != nullptr;
    can_open_ |= contact.unilateral;
  }
  mw_ = w_;
  impulse_ = velocity_ = surface_ = surface_before_ = first_ = rate_ = warm_;
  stored_.assign(n, 0);
  surface_normal_.assign(n, 0);
  if (!steady_) end_ = other_time_ = at_;
}

template <int Rows>
void DenseStep<Rows>::set_closing_distance(double distance) {
  if (!can_open_) SystemStep::set_closing_distance(distance);
  if (!(distance >= 0 && std::isfinite(distance)))
    throw InvalidInput(fmt::format("closing_distance is {}; it must be a length, 0 or above", distance));
  closing_ = distance;
}

template <int Rows>
double DenseStep<Rows>::closing_distance() const {
  return can_open_ ? closing_.value_or(largest_closing_) : SystemStep::closing_distance();
}

template <int Rows>
void DenseStep<Rows>::start(const State& state, EnergyBalance& energy) {
  system_->evaluate(state.t, state.q, state.u, at_);
  require_filled(*system_, at_);
  if (!steady_) end_ = at_;
  mass_now_ = at_.mass;
  if (!constant_mass_) driven_ = system_->driven_energy(state.t, state.q, state.u);
  energy.kinetic = kinetic_energy(at_.mass, state.u) + driven_;
  energy.potential = system_->potential_energy(state.q);
  energy.initial = energy.kinetic + energy.potential;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    set_surface(i);
    copy_directions(i);
    velocity_[i] = velocity(i, state.u);
    // What is left of a difference of equal velocities is no slip.
    const Vec terms = Vec(w_[i].cwiseAbs().transpose().lazyProduct(state.u.cwiseAbs())) + surface_[i].cwiseAbs();
    for (Eigen::Index k = 0; k < terms.size(); ++k)
      if (std::abs(velocity_[i][k]) <= kVelocityRounding * terms[k]) velocity_[i][k] = 0;
    rate_[i] = velocity_[i];
    surface_before_[i] = surface_[i];
    contacts_[i].slip = slip_in(i, velocity_[i]);
    // Forces, and with them the modes of closed contacts, are those of a step.
    contacts_[i].mode = (*parts_)[i].unilateral && at_.contacts[i].gap > 0 ? ContactMode::open : ContactMode::none;
  }
  warn_of_overlap(state);
}

// Contacts act on velocities alone: an overlap stays.
template <int Rows>
void DenseStep<Rows>::warn_of_overlap(const State& state) {
  warnings_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactAt& c = at_.contacts[i];
    if (!(*parts_)[i].unilateral) continue;
    if (c.gap < -kOverlapped * c.normal.cwiseProduct(state.q).lpNorm<1>())
      warnings_.push_back(
          fmt::format("contact \"{}\" starts {:.3g} m inside its surface, and stays there: contacts "
                      "stop what moves in, but push nothing out; start with a gap of 0 or more",
                      (*parts_)[i].name, -c.gap));
  }
}

template <int Rows>
bool DenseStep<Rows>::begin(State& state, double dt, ContactProblem& problem, ContactSolution& solution) {
  if (unstarted_ && !steady_) look_at_start(state, dt);
  unstarted_ = false;
  state.q += (dt / 2) * state.u;  // the midpoint
  system_->evaluate(state.t + dt / 2, state.q, state.u, at_);
  if (!steady_) look_at_end(state, dt);
  factorise();
  find_closed(state, dt);
  if (closed_.empty()) return false;
  build_problem(state, dt, problem, solution);
  return true;
}

template <int Rows>
bool DenseStep<Rows>::tells_normal_velocities(const SystemAt& at) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if ((*parts_)[i].unilateral && std::isnan(at.contacts[i].surface_normal_velocity)) return false;
  return true;
}

// Directions and surfaces at the end, where the body would be with its present velocity; normal velocities that are not
// told from the gap at the midpoint's place, now, in the middle and at the end of the step.                       (D.7)
template <int Rows>
void DenseStep<Rows>::look_at_end(const State& state, double dt) {
  q_end_ = state.q + (dt / 2) * state.u;
  system_->evaluate(state.t + dt, q_end_, state.u, end_);
  if (tells_normal_velocities(end_)) return;
  system_->evaluate(state.t, state.q, state.u, other_time_);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    surface_normal_[i] = at_.contacts[i].gap - other_time_.contacts[i].gap;
  system_->evaluate(state.t + dt, state.q, state.u, other_time_);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    surface_normal_[i] = (surface_normal_[i] - 3 * (other_time_.contacts[i].gap - at_.contacts[i].gap)) / dt;
}

// γ_N before the first step, likewise; that before the others is what the last one ended with.
template <int Rows>
void DenseStep<Rows>::look_at_start(const State& state, double dt) {
  if (tells_normal_velocities(end_)) return;
  const auto gaps = [&](double t, double factor, double own) {
    system_->evaluate(state.t + t, state.q, state.u, other_time_);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      surface_normal_[i] = own * surface_normal_[i] + factor * (other_time_.contacts[i].gap - end_.contacts[i].gap);
  };
  gaps(dt / 2, -4 / dt, 0);
  gaps(dt, 1 / dt, 1);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    set_surface(i);
    rate_[i][0] = velocity_[i][0] = velocity(i, state.u)[0];
    surface_before_[i][0] = surface_[i][0];
  }
}

template <int Rows>
void DenseStep<Rows>::factorise() {
  if (factorised_ && constant_mass_) return;
  if (!mass_.compute(at_.mass)) throw InvalidInput("the mass matrix is not positive definite");
  factorised_ = true;
  if (constant_mass_) inverse_mass_ = mass_.solve(MatrixX(MatrixX::Identity(at_.mass.rows(), at_.mass.cols())));
}

template <int Rows>
void DenseStep<Rows>::find_closed(const State& state, double dt) {
  if (constant_mass_) {
    u_free_.noalias() = state.u + dt * inverse_mass_.lazyProduct(at_.force);
  } else {
    u_free_ = at_.force * dt;
    mass_.solve_in_place(u_free_);
    u_free_ += state.u;
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) set_surface(i);
  closed_changed_ = can_open_ || closed_.size() != contacts_.size();
  if (!closed_changed_) return;
  std::swap(closed_, closed_before_);
  closed_.clear();
  const double closing = closing_ ? *closing_ : suitable_closing(state, dt);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (!(*parts_)[i].unilateral || at_.contacts[i].gap <= closing) closed_.push_back(i);
  closed_changed_ = closed_ != closed_before_;
}

// The midpoint is where the body goes with its present velocity; a surface that accelerates has moved off by Δt²/8 of
// that meanwhile, and by as much again where its acceleration was another before.                                (D.6)
template <int Rows>
double DenseStep<Rows>::suitable_closing(const State& state, double dt) {
  double fall = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!(*parts_)[i].unilateral) continue;
    const VectorX& normal = at_.contacts[i].normal;
    fall = std::max(fall, std::abs(normal.dot(u_free_) - normal.dot(state.u)));
    if (steady_) continue;
    const double surface_before = seen()[i].normal.dot(state.u) - rate_[i][0];
    surface_acceleration_ = std::max(surface_acceleration_, std::abs(surface_[i][0] - surface_before) / dt);
  }
  const double closing = kClosing * dt * fall + dt * dt / 4 * surface_acceleration_;
  largest_closing_ = std::max(largest_closing_, closing);
  return closing;
}

template <int Rows>
void DenseStep<Rows>::copy_directions(std::size_t i) {
  const ContactAt& contact = seen()[i];
  if ((*parts_)[i].unilateral) w_[i].col(0) = contact.normal;
  if (rows_[i] == 3 && !(*parts_)[i].other_law)
    w_[i].template rightCols<2>() = contact.tangents;
  else if (rows_[i] > 1)
    w_[i].rightCols(rows_[i] - 1) = contact.other_directions;
}

template <int Rows>
bool DenseStep<Rows>::same_directions(std::size_t i) const {
  const ContactAt& contact = seen()[i];
  if ((*parts_)[i].unilateral && w_[i].col(0) != contact.normal) return false;
  if (rows_[i] == 3 && !(*parts_)[i].other_law) return w_[i].template rightCols<2>() == contact.tangents;
  return rows_[i] == 1 || w_[i].rightCols(rows_[i] - 1) == contact.other_directions;
}

// The directions of the closed contacts. False if they, and M, are those of the step before.
template <int Rows>
bool DenseStep<Rows>::take_directions() {
  bool changed = !constant_mass_ || closed_changed_;
  for (const std::size_t i : closed_) {
    if (!changed && same_directions(i)) continue;
    changed = true;
    copy_directions(i);
  }
  return changed;
}

// χ, in every direction.
template <int Rows>
void DenseStep<Rows>::set_surface(std::size_t i) {
  Vec& v = surface_[i];
  const ContactAt& contact = seen()[i];
  if ((*parts_)[i].unilateral)
    v[0] = std::isnan(contact.surface_normal_velocity) ? surface_normal_[i] : contact.surface_normal_velocity;
  const Vec2& along = contact.surface_velocity;
  for (int k = 0; k < 2; ++k) {
    if (k < sliding_[i])
      v[k + 1] = along[k];
    else if (along[k] != 0)
      throw InvalidInput(
          fmt::format("contact \"{}\" has a surface_velocity{}, and its law no sliding that it could drive; give the "
                      "law sliding, or "
                      "leave the velocity at zero",
                      (*parts_)[i].name, k < 1 ? "" : " along its second axis"));
  }
}

// Along the axes in which the contact slides; zero along others.
template <int Rows>
Vec2 DenseStep<Rows>::slip_in(std::size_t i, const Vec& velocity) const {
  Vec2 slip = Vec2::Zero();
  for (int k = 0; k < sliding_[i]; ++k) slip[k] = velocity[k + 1];
  return slip;
}

template <int Rows>
typename DenseStep<Rows>::Vec DenseStep<Rows>::velocity_before(std::size_t i, const State& state) const {
  if (!steady_) return rate_[i];
  return velocity(i, state.u);
}

template <int Rows>
void DenseStep<Rows>::build_problem(const State& state, double dt, ContactProblem& problem, ContactSolution& solution) {
  const std::size_t n = closed_.size();
  const bool moved = closed_changed_ || problem.contacts.size() != n;
  if (moved) {
    problem.contacts.resize(n);
    if constexpr (Rows == 3) {
      blocks_.resize(n);
    } else {
      closed_rows_.clear();
      for (const std::size_t i : closed_) closed_rows_.push_back(rows_[i]);
      blocks_.resize(RowLayout(closed_rows_));
    }
    problem.free_velocity.resize(blocks_.rows());
    solution.impulse.resize(blocks_.rows());
    solution.velocity.resize(blocks_.rows());
    solution.modes.resize(n);
    solution.solutions.resize(n);
  }
  if (problem.delassus.get() != &blocks_) problem.delassus = kept_elsewhere(blocks_);
  if (take_directions() || moved) {
    for (const std::size_t i : closed_) {
      mw_[i] = w_[i];
      mass_.solve_in_place(mw_[i]);
    }
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        blocks_.block<Rows>(a, b) = w_[closed_[a]].transpose().lazyProduct(mw_[closed_[b]]);
  }
  for (std::size_t a = 0; a < n; ++a) {
    const std::size_t i = closed_[a];
    const SystemContact& contact = (*parts_)[i];
    Vec free = velocity(i, u_free_);
    const Vec before = velocity_before(i, state);
    begin_contact(i, before);
    free[0] += contact.restitution * before[0];
    Contact& point = problem.contacts[a];
    point.law = contact_law_of(contact);
    point.normal_impulse.reset();
    if (!contact.unilateral) point.normal_impulse = at_.contacts[i].normal_force * dt;
    point.reservoir_factor = 1;
    point.last_slip.setZero();
    if (contact.law) {
      if (has_elastic_ && elastic_[i]) {  // (E.7)
        auto block = blocks_.block<Rows>(a, a);
        block = w_[i].transpose().lazyProduct(mw_[i]);
        block.template block<2, 2>(1, 1) += elastic_[i]->compliance() / (dt * dt);
        free.template segment<2>(1) += elastic_[i]->stretch(elastic_force_[i]) / dt;
      }
      if (contacts_[i].mode != ContactMode::stick)
        point.last_slip = has_elastic_ && elastic_[i] ? contacts_[i].slip : Vec2(before.template segment<2>(1));
      const auto& rate = contact.law->law().stribeck();
      if (rate) point.reservoir_factor = rate->factor(point.last_slip.norm());
    } else if (contact.other_law && contacts_[i].mode != ContactMode::stick) {
      point.last_slip = slip_in(i, before);
    }
    // Nothing of the step before but what add_memory() holds, even where the solver gives up.
    problem.free_velocity.segment(offset(a), free.size()) = free;
    solution.impulse.segment(offset(a), free.size()) = warm_[i] * dt;
  }
  solution.velocity.setZero();
  std::fill(solution.modes.begin(), solution.modes.end(), ContactMode::open);
  std::fill(solution.solutions.begin(), solution.solutions.end(), 0);
}

// Friction works on slip: a contact that stuck at the end of the last step begins this one without, and a closed one
// keeps its normal velocity, though the new directions may see another.
template <int Rows>
void DenseStep<Rows>::begin_contact(std::size_t i, const Vec& before) {
  first_[i] = before;
  const ContactMode mode = contacts_[i].mode;
  if (mode != ContactMode::open) first_[i][0] = velocity_[i][0];
  const Eigen::Index others = rows_[i] - 1;
  if (mode == ContactMode::stick || (mode == ContactMode::none && velocity_[i].tail(others).isZero(0)))
    first_[i].tail(others).setZero();
  if (has_elastic_) stored_[i] = elastic_[i] ? elastic_[i]->energy(elastic_force_[i]) : 0;
}

template <int Rows>
void DenseStep<Rows>::finish(const ContactSolution& solution, double dt, State& state, EnergyBalance& energy) {
  u_end_ = u_free_;
  for (std::size_t a = 0; a < closed_.size(); ++a) {
    const std::size_t i = closed_[a];
    ContactStep& contact = contacts_[i];
    impulse_[i] = part_of<Rows>(solution.impulse, blocks_.layout(), a);
    velocity_[i] = part_of<Rows>(solution.velocity, blocks_.layout(), a);
    contact.mode = solution.modes[a];
    if (contact.mode == ContactMode::slip && rests(i, solution.report.options.tolerance))
      contact.mode = ContactMode::stick;
    if (contact.mode == ContactMode::stick) {
      const double normal = velocity_[i][0];
      velocity_[i].setZero();
      velocity_[i][0] = normal;
    }
    warm_[i] = impulse_[i] / dt;
    contact.solutions = solution.solutions[a];
    u_end_ += mw_[i].lazyProduct(impulse_[i]);
    for (int k = 0; k < std::min(3, rows_[i]); ++k) contact.impulse[k] = impulse_[i][k];
    contact.slip = slip_in(i, velocity_[i]);
  }
  if (has_elastic_)
    for (const std::size_t i : closed_)
      if (elastic_[i]) elastic_force_[i] = -contacts_[i].impulse.template tail<2>() / dt;
  for (std::size_t i = 0; i < contacts_.size() && closed_.size() < contacts_.size(); ++i)
    if (!std::binary_search(closed_.begin(), closed_.end(), i)) {
      contacts_[i] = {};
      if (elastic_[i]) energy.dissipated += elastic_[i]->energy(elastic_force_[i]);
      elastic_force_[i].setZero();
      warm_[i].setZero();
      impulse_[i].setZero();
      copy_directions(i);
      velocity_[i] = velocity(i, u_end_);
      contacts_[i].slip = slip_in(i, velocity_[i]);
      contacts_[i].gap_rate = velocity_[i][0];
      rate_[i] = velocity_[i];
    }
  for (const std::size_t i : closed_) {
    if (!(*parts_)[i].unilateral) continue;
    const double surface = surface_[i][0];
    velocity_[i][0] = contacts_[i].gap_rate = w_[i].col(0).dot(u_end_) - surface;  // without restitution's part
    contacts_[i].free_gap_rate = w_[i].col(0).dot(u_free_) - surface;
  }
  balance(state, dt, energy);
  state.u = u_end_;
  energy.kinetic = kinetic_energy(at_.mass, state.u);
  state.q += (dt / 2) * state.u;
  state.t += dt;
  energy.potential = system_->potential_energy(state.q) + stored_energy();
  if (!constant_mass_) follow_mass(state, energy);
}

template class DenseStep<3>;
template class DenseStep<Eigen::Dynamic>;

std::unique_ptr<SystemStep> make_dense_step(const System& system) {
  for (const SystemContact& contact : system.contacts())
    if (contact.other_law) return std::make_unique<DenseStep<Eigen::Dynamic>>(system);
  return std::make_unique<DenseStep<3>>(system);
}

}  // namespace slipset::internal
