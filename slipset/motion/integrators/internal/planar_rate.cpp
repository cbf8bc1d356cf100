#include "slipset/motion/integrators/internal/planar_rate.hpp"

namespace slipset::internal {

PlanarRate::PlanarRate(const System& system)
    : system_(&system), difference_(1e-5 / std::max(1.0, 2 * kPi * system.drive_frequency())) {}

void PlanarRate::factorize(const SystemAt& at) {
  if (begun_ && system_->has_constant_mass()) return;
  if (!begun_) require_filled(*system_, at);
  has_masses_ = mass_.compute(at.mass);
  if (!begun_ && !has_masses_) throw InvalidInput("the mass matrix is not positive definite");
  begun_ = true;
}

std::vector<std::string> PlanarRate::columns() const { return run_columns(*system_); }

void PlanarRate::look(double t, const VectorX& y) {
  spare_.resize(y.size());
  (*this)(t, y.data(), spare_.data());
}

bool PlanarRate::all_stick(const VectorX&) const {
  for (std::size_t i = 0; i < contacts(); ++i)
    if (!sticks(i)) return false;
  return true;
}

void PlanarRate::add_contacts(const VectorX&, std::vector<double>& row) const {
  for (std::size_t i = 0; i < contacts(); ++i) {
    const Vec2 force = friction_force(i), v = slip(i);
    row.insert(row.end(), {at().contacts[i].normal_force, force.x(), force.y(), v.x(), v.y(),
                           static_cast<double>(sticks(i) ? ContactMode::stick : ContactMode::slip)});
  }
}

double PlanarRate::kinetic_energy(const State& state) const {
  return 0.5 * state.u.dot(at().mass.lazyProduct(state.u)) + driven_energy(state);
}

double PlanarRate::potential_energy(const State& state) const {
  return system_->potential_energy(state.q) + stored_energy();
}

double PlanarRate::driven_energy(const State& state) const {
  return system_->has_constant_mass() ? 0 : system_->driven_energy(state.t, state.q, state.u);
}

}  // namespace slipset::internal
