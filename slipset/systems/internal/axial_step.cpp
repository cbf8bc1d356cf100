#include "slipset/systems/internal/axial_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipset/systems/internal/velocity_rounding.hpp"

namespace slipset::internal {

using Eigen::Index;

AxialStep::AxialStep(const AxialSystem& system)
    : system_(&system), law_(Interval(1), LineContactLaw::Rows::line_alone) {
  if (system.has_static_limits())
    throw InvalidInput("moreau: static limits above the kinetic ones need the event-driven integrator");
  const Index n = system.dofs(), m = system.contact_count();
  force_ = middle_ = u_free_ = mean_ = spare_ = VectorX::Zero(n);
  free_ = slip_ = first_ = surface_ = impulse_ = VectorX::Zero(m);
  for (Index i = 0; i < m; ++i)
    if (system.limits()[i] > 0) slides_.push_back(i);
  build_blocks();
}

// R = WᵀM⁻¹W of the contacts with friction.
void AxialStep::build_blocks() {
  blocks_.begin(RowLayout(slides_.size(), 1));
  std::vector<Index> place(static_cast<std::size_t>(system_->contact_count()), -1);
  for (std::size_t a = 0; a < slides_.size(); ++a) place[static_cast<std::size_t>(slides_[a])] = static_cast<Index>(a);
  for (std::size_t a = 0; a < slides_.size(); ++a) {
    const Index i = slides_[a];
    if (system_->is_direct()) {
      *blocks_.append(a) = system_->delassus_diagonal(i);
    } else {
      for (SparseRows::InnerIterator e(system_->delassus(), i); e; ++e)
        if (const Index b = place[static_cast<std::size_t>(e.col())]; b >= 0)
          *blocks_.append(static_cast<std::size_t>(b)) = e.value();
    }
    blocks_.end_row();
  }
}

void AxialStep::start(const State& state, EnergyBalance& energy) {
  energy.kinetic = system_->kinetic_energy(state.u);
  energy.potential = system_->potential_energy(state.t, state.q);
  energy.initial = energy.kinetic + energy.potential;
  surface_.setZero();
  for (const TimeFunctionAt& s : system_->surfaces()) surface_[s.index] += s.function.rate(state.t);
  system_->along_contacts(state.u.data(), slip_.data());
  for (Index i = 0; i < slip_.size(); ++i) {  // what is left of a difference of equal velocities is no slip
    const double rounding = kVelocityRounding * (std::abs(slip_[i]) + std::abs(surface_[i]));
    slip_[i] -= surface_[i];
    if (std::abs(slip_[i]) <= rounding) slip_[i] = 0;
  }
}

bool AxialStep::begin(State& state, double dt, ContactProblem& problem, ContactSolution& solution) {
  const double middle = state.t + dt / 2;
  middle_ = state.q + dt / 2 * state.u;
  system_->external_force(middle, force_.data());
  if (!system_->stiffness().is_zero()) system_->stiffness().subtract_product(middle_.data(), force_.data());
  if (!system_->damping().is_zero()) system_->damping().subtract_product(state.u.data(), force_.data());
  system_->apply_inverse_mass(force_.data(), spare_.data());
  u_free_ = state.u + dt * force_;
  surface_.setZero();
  for (const TimeFunctionAt& s : system_->surfaces()) surface_[s.index] += s.function.rate(state.t + dt);
  system_->along_contacts(u_free_.data(), free_.data());
  free_ -= surface_;
  if (slides_.empty()) return false;

  const auto n = static_cast<Index>(slides_.size());
  problem.delassus = kept_elsewhere(blocks_);
  problem.contacts.resize(slides_.size());
  problem.free_velocity.resize(n);
  solution.impulse.resize(n);
  for (std::size_t a = 0; a < slides_.size(); ++a) {
    const Index i = slides_[a];
    Contact& contact = problem.contacts[a];
    contact.law = &law_;
    contact.normal_impulse = dt * system_->limits()[i];
    contact.last_slip = Vec2(slip_[i], 0);
    problem.free_velocity[static_cast<Index>(a)] = free_[i];
    solution.impulse[static_cast<Index>(a)] = impulse_[i];
  }
  return true;
}

void AxialStep::finish(const ContactSolution& solution, double dt, State& state, EnergyBalance& energy) {
  dt_ = dt;
  // γ at the beginning of the step; a contact that stuck had none.
  system_->along_contacts(state.u.data(), first_.data());
  for (const TimeFunctionAt& s : system_->surfaces()) first_[s.index] -= s.function.rate(state.t);
  for (Index i = 0; i < slip_.size(); ++i)
    if (slip_[i] == 0) first_[i] = 0;
  slip_ = free_;
  impulse_.setZero();
  for (std::size_t a = 0; a < slides_.size(); ++a) {
    const Index i = slides_[a];
    const double p = solution.impulse[static_cast<Index>(a)];
    impulse_[i] = p;
    slip_[i] = solution.modes[a] == ContactMode::stick ? 0 : solution.velocity[static_cast<Index>(a)];
  }
  force_.setZero();
  system_->add_contact_forces(impulse_.data(), force_.data());
  system_->apply_inverse_mass(force_.data(), spare_.data());
  const double middle = state.t + dt / 2;
  mean_ = 0.5 * (state.u + u_free_ + force_);
  state.u = u_free_ + force_;
  state.q = middle_ + dt / 2 * state.u;
  // As mean_: then sticking dissipates nothing.
  surface_.setZero();
  for (const TimeFunctionAt& s : system_->surfaces())
    surface_[s.index] += (s.function.rate(state.t) + s.function.rate(state.t + dt)) / 2;
  state.t += dt;
  system_->along_contacts(mean_.data(), free_.data());
  const double lost = -impulse_.dot(free_ - surface_), friction = -impulse_.dot(first_ + slip_) / 2;
  energy.dissipated += friction;
  energy.numerical += lost - friction;  // (D.5)
  energy.input += impulse_.dot(surface_) + dt * system_->input_power(middle, middle_.data(), mean_.data());
  energy.kinetic = system_->kinetic_energy(state.u);
  energy.potential = system_->potential_energy(state.t, state.q);
}

bool AxialStep::all_stick() {
  for (Index i = 0; i < slip_.size(); ++i)
    if (slip_[i] != 0) return false;
  return slip_.size() > 0;
}

// A contact that came to rest within the step needed only that part of the impulse that friction could give.
double AxialStep::stick_fraction() const {
  double latest = 0;
  for (const Index i : slides_)
    if (first_[i] != 0) latest = std::max(latest, std::abs(impulse_[i]) / (system_->limits()[i] * dt_));
  return std::min(latest, 1.0);
}

std::vector<std::string> AxialStep::columns() const { return axial_columns(*system_); }

void AxialStep::add_row(const State& state, double dt, const EnergyBalance& energy, std::vector<double>& row) const {
  add_state(state, row);
  for (Index i = 0; i < slip_.size(); ++i)
    row.insert(row.end(), {impulse_[i] / dt, slip_[i],
                           static_cast<double>(slip_[i] == 0 ? ContactMode::stick : ContactMode::slip)});
  add_energies(energy, row);
}

void AxialStep::add_memory(std::vector<double>& memory) const {
  memory.insert(memory.end(), impulse_.begin(), impulse_.end());
  memory.insert(memory.end(), slip_.begin(), slip_.end());
}

const double* AxialStep::restore(const State&, const double* from, const double* end) {
  if (end - from != impulse_.size() + slip_.size())
    throw InvalidInput(fmt::format("the checkpoint belongs to another system: it has {} numbers for {} contacts",
                                   end - from, impulse_.size()));
  for (double& x : impulse_) x = *from++;
  for (double& x : slip_) x = *from++;
  return from;
}

std::vector<std::string> axial_columns(const AxialSystem& system) {
  std::vector<std::string> names = state_columns(system);
  for (const std::string& contact : system.contact_names())
    for (const char* what : {"friction_1", "slip_1", "mode"}) names.push_back(fmt::format("{}.{}", contact, what));
  add_energy_columns(names);
  return names;
}

}  // namespace slipset::internal
