#include "slipset/dynamics/moreau.hpp"

#include <algorithm>

namespace slipset {
namespace {

double kinetic_energy(const MatrixX& mass, const VectorX& u) {
  double sum = 0;
  for (Eigen::Index i = 0; i < u.size(); ++i)
    for (Eigen::Index j = 0; j < u.size(); ++j) sum += u[i] * mass(i, j) * u[j];
  return sum / 2;
}

}  // namespace

MoreauStepper::MoreauStepper(const MechanicalSystem& system, const State& start, const ContactOptions& options)
    : system_(&system), options_(options), state_(start), at_(sized_for(system)) {
  const std::size_t n = system.contacts().size();
  const Eigen::Index dofs = system.dofs();
  require_fit(system, start);
  u_free_ = u_end_ = mean_ = VectorX::Zero(dofs);
  closed_.reserve(n);
  closed_before_.reserve(n);
  w_.assign(n, Eigen::MatrixX3d::Zero(dofs, 3));
  mw_ = w_;
  warm_.assign(n, Vec3::Zero());
  elastic_force_.assign(n, Vec2::Zero());
  for (const SystemContact& contact : system.contacts()) has_elastic_ |= contact.law->law().elastic().has_value();
  contacts_.resize(n);
  problem_.contacts.reserve(n);
  system.evaluate(start.t, start.q, start.u, at_);
  mass_now_ = at_.mass;
  if (!system.has_constant_mass()) driven_ = system.driven_energy(start.t, start.q, start.u);
  energy_.kinetic = kinetic_energy(at_.mass, start.u) + driven_;
  energy_.potential = system.potential_energy(start.q);
  energy_.initial = energy_.kinetic + energy_.potential;
  for (std::size_t i = 0; i < n; ++i)
    contacts_[i].slip = Vec2(at_.contacts[i].tangents.transpose() * start.u) - at_.contacts[i].surface_velocity;
}

void MoreauStepper::step(double dt) {
  state_.q += (dt / 2) * state_.u;  // the midpoint
  system_->evaluate(state_.t + dt / 2, state_.q, state_.u, at_);
  factorise();
  find_closed(dt);
  if (!closed_.empty()) {
    build_problem(dt);
    problem_.delassus = kept_elsewhere(delassus_);
    solver_.solve(problem_, options_, solution_);
  } else {
    solution_.report.iterations = 0;
    solution_.report.residual = std::numeric_limits<double>::quiet_NaN();
    solution_.report.status = ContactStatus::solved;
    solution_.report.stop_reason = "no contact is closed";
  }
  apply(dt);
  state_.q += (dt / 2) * state_.u;
  state_.t += dt;
  energy_.potential = system_->potential_energy(state_.q) + stored_energy();
  if (!system_->has_constant_mass()) follow_mass();
}

// The drives, and the inertia forces in h, do the work that the change of M and of the driven energy needs.      (D.2)
void MoreauStepper::follow_mass() {
  system_->evaluate(state_.t, state_.q, state_.u, at_);
  const double driven = system_->driven_energy(state_.t, state_.q, state_.u);
  energy_.input += kinetic_energy(at_.mass, mean_) - kinetic_energy(mass_now_, mean_) + driven - driven_;
  energy_.kinetic = kinetic_energy(at_.mass, state_.u) + driven;
  mass_now_ = at_.mass;
  driven_ = driven;
}

void MoreauStepper::factorise() {
  if (factorised_ && system_->has_constant_mass()) return;
  if (!mass_.compute(at_.mass)) throw InvalidInput("the mass matrix is not positive definite");
  factorised_ = true;
  if (system_->has_constant_mass())
    inverse_mass_ = mass_.solve(MatrixX(MatrixX::Identity(at_.mass.rows(), at_.mass.cols())));
}

void MoreauStepper::find_closed(double dt) {
  if (system_->has_constant_mass()) {
    u_free_.noalias() = state_.u + dt * inverse_mass_.lazyProduct(at_.force);
  } else {
    u_free_ = at_.force * dt;
    mass_.solve_in_place(u_free_);
    u_free_ += state_.u;
  }
  std::swap(closed_, closed_before_);
  closed_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (!system_->contacts()[i].unilateral || at_.contacts[i].gap <= 0) closed_.push_back(i);
}

// The directions of the closed contacts. False if they, and M, are those of the step before.
bool MoreauStepper::take_directions() {
  bool changed = !system_->has_constant_mass() || closed_ != closed_before_;
  for (const std::size_t i : closed_) {
    const ContactAt& contact = at_.contacts[i];
    if (!changed && w_[i].rightCols<2>() == contact.tangents &&
        (!system_->contacts()[i].unilateral || w_[i].col(0) == contact.normal))
      continue;
    changed = true;
    if (system_->contacts()[i].unilateral) w_[i].col(0) = contact.normal;
    w_[i].rightCols<2>() = contact.tangents;
  }
  return changed;
}

void MoreauStepper::build_problem(double dt) {
  const std::size_t n = closed_.size();
  if (problem_.contacts.size() != n) {
    problem_.contacts.resize(n);
    delassus_.resize(n);
    problem_.free_velocity.resize(static_cast<Eigen::Index>(3 * n));
    solution_.impulse.resize(static_cast<Eigen::Index>(3 * n));
    solution_.velocity.resize(static_cast<Eigen::Index>(3 * n));
    solution_.modes.resize(n);
    solution_.solutions.resize(n);
  }
  if (take_directions()) {
    for (const std::size_t i : closed_) {
      mw_[i] = w_[i];
      mass_.solve_in_place(mw_[i]);
    }
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        delassus_.block<3>(a, b) = w_[closed_[a]].transpose().lazyProduct(mw_[closed_[b]]);
  }
  for (std::size_t a = 0; a < n; ++a) {
    const std::size_t i = closed_[a];
    const SystemContact& contact = system_->contacts()[i];
    Vec3 free = w_[i].transpose().lazyProduct(u_free_);
    const Vec3 before = w_[i].transpose().lazyProduct(state_.u);
    free[0] += contact.restitution * before[0];
    free.tail<2>() -= at_.contacts[i].surface_velocity;
    const Adhesion* elastic = nullptr;
    if (has_elastic_ && contact.law->law().elastic()) elastic = &*contact.law->law().elastic();
    if (elastic) {  // (E.7)
      delassus_.block<3>(a, a) = w_[i].transpose().lazyProduct(mw_[i]);
      delassus_.block<3>(a, a).block<2, 2>(1, 1) += elastic->compliance() / (dt * dt);
      free.tail<2>() += elastic->stretch(elastic_force_[i]) / dt;
    }
    problem_.free_velocity.segment<3>(static_cast<Eigen::Index>(3 * a)) = free;

    Contact& point = problem_.contacts[a];
    point.law = contact.law.get();
    point.normal_impulse.reset();
    if (!contact.unilateral) point.normal_impulse = at_.contacts[i].normal_force * dt;
    point.last_slip = elastic ? contacts_[i].slip : Vec2(before.tail<2>() - at_.contacts[i].surface_velocity);
    if (contacts_[i].mode == ContactMode::stick) point.last_slip.setZero();
    const auto& rate = contact.law->law().stribeck();
    point.reservoir_factor = rate ? rate->factor(point.last_slip.norm()) : 1;
  }
  // Nothing of the step before but what memory() holds, even where the solver gives up.
  for (std::size_t a = 0; a < n; ++a)
    solution_.impulse.segment<3>(static_cast<Eigen::Index>(3 * a)) = warm_[closed_[a]] * dt;
  solution_.velocity.setZero();
  std::fill(solution_.modes.begin(), solution_.modes.end(), ContactMode::open);
  std::fill(solution_.solutions.begin(), solution_.solutions.end(), 0);
}

void MoreauStepper::apply(double dt) {
  u_end_ = u_free_;
  for (std::size_t a = 0; a < closed_.size(); ++a) {
    const std::size_t i = closed_[a];
    ContactStep& contact = contacts_[i];
    contact.impulse = solution_.impulse.segment<3>(static_cast<Eigen::Index>(3 * a));
    contact.mode = solution_.modes[a];
    contact.solutions = solution_.solutions[a];
    contact.slip = contact.mode == ContactMode::stick
                       ? Vec2(0, 0)
                       : Vec2(solution_.velocity.segment<2>(static_cast<Eigen::Index>(3 * a + 1)));
    warm_[i] = contact.impulse / dt;
    u_end_ += mw_[i].lazyProduct(contact.impulse);
  }
  const double stored = stored_energy();
  for (const std::size_t i : closed_)
    if (has_elastic_ && system_->contacts()[i].law->law().elastic())
      elastic_force_[i] = -contacts_[i].impulse.tail<2>() / dt;
  for (std::size_t i = 0; i < contacts_.size() && closed_.size() < contacts_.size(); ++i)
    if (!std::binary_search(closed_.begin(), closed_.end(), i)) {
      contacts_[i] = {};
      elastic_force_[i].setZero();
      warm_[i].setZero();
      contacts_[i].slip =
          Vec2(at_.contacts[i].tangents.transpose().lazyProduct(u_end_)) - at_.contacts[i].surface_velocity;
      contacts_[i].gap_rate = at_.contacts[i].normal.dot(u_end_);
    }

  for (const std::size_t i : closed_) {
    const bool unilateral = system_->contacts()[i].unilateral;
    contacts_[i].gap_rate = unilateral ? w_[i].col(0).dot(u_end_) : 0;
    contacts_[i].free_gap_rate = unilateral ? w_[i].col(0).dot(u_free_) : 0;
  }

  // The work of every impulse is its product with the mean velocity.
  mean_ = (state_.u + u_end_) / 2;
  energy_.input += dt * mean_.dot(at_.force - at_.potential_force);
  for (const std::size_t i : closed_) {
    const Vec3 mean = w_[i].transpose().lazyProduct(mean_), &p = contacts_[i].impulse;
    const Vec2& surface = at_.contacts[i].surface_velocity;
    const double normal = system_->contacts()[i].unilateral ? p[0] * mean[0] : 0;
    energy_.dissipated -= normal + p.tail<2>().dot(mean.tail<2>() - surface);
    energy_.input += p.tail<2>().dot(surface);
  }
  energy_.dissipated -= stored_energy() - stored;
  state_.u = u_end_;
  energy_.kinetic = kinetic_energy(at_.mass, state_.u);
}

double MoreauStepper::stored_energy() const {
  if (!has_elastic_) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (const auto& elastic = system_->contacts()[i].law->law().elastic()) sum += elastic->energy(elastic_force_[i]);
  return sum;
}

std::vector<double> MoreauStepper::memory() const {
  std::vector<double> m{state_.t,        energy_.kinetic,    energy_.potential,
                        energy_.initial, energy_.dissipated, energy_.input};
  m.insert(m.end(), state_.q.begin(), state_.q.end());
  m.insert(m.end(), state_.u.begin(), state_.u.end());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    m.push_back(static_cast<double>(contacts_[i].mode));
    m.insert(m.end(), warm_[i].begin(), warm_[i].end());
    if (!system_->contacts()[i].law->law().elastic()) continue;
    m.insert(m.end(), elastic_force_[i].begin(), elastic_force_[i].end());
    m.insert(m.end(), contacts_[i].slip.begin(), contacts_[i].slip.end());
  }
  return m;
}

void MoreauStepper::restore(const std::vector<double>& memory) {
  const auto n = static_cast<std::size_t>(system_->dofs());
  std::size_t elastic = 0;
  for (const SystemContact& contact : system_->contacts()) elastic += contact.law->law().elastic().has_value();
  if (memory.size() != 6 + 2 * n + 4 * contacts_.size() + 4 * elastic)
    throw InvalidInput("the checkpoint is of another system: it has " + std::to_string(memory.size()) + " numbers");
  const double* at = memory.data();
  state_.t = *at++;
  energy_ = {at[0], at[1], at[2], at[3], at[4]};
  at += 5;
  for (double& x : state_.q) x = *at++;
  for (double& x : state_.u) x = *at++;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    contacts_[i].mode = static_cast<ContactMode>(static_cast<int>(*at++));
    for (double& x : warm_[i]) x = *at++;
    if (!system_->contacts()[i].law->law().elastic()) continue;
    for (double& x : elastic_force_[i]) x = *at++;
    for (double& x : contacts_[i].slip) x = *at++;
  }
  if (system_->has_constant_mass()) return;
  system_->evaluate(state_.t, state_.q, state_.u, at_);
  mass_now_ = at_.mass;
  driven_ = system_->driven_energy(state_.t, state_.q, state_.u);
}

}  // namespace slipset
