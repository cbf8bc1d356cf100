#include "slipset/systems/system_step.hpp"

#include <fmt/format.h>

#include "slipset/core/error.hpp"

namespace slipset {

std::string SystemStep::contact_name(std::size_t contact) const { return fmt::format("contact {}", contact + 1); }

void SystemStep::set_closing_distance(double) {
  throw InvalidInput("closing_distance: no contact of this system opens; leave it out");
}

const std::vector<ContactStep>& SystemStep::contacts() const {
  static const std::vector<ContactStep> none;
  return none;
}

std::vector<std::string> state_columns(const System& system) {
  const std::vector<std::string> coordinates = system.coordinates();
  std::vector<std::string> names{"t"};
  names.insert(names.end(), coordinates.begin(), coordinates.end());
  for (const std::string& q : coordinates) names.push_back("d" + q);
  return names;
}

void add_state(const State& state, std::vector<double>& row) {
  row.push_back(state.t);
  row.insert(row.end(), state.q.begin(), state.q.end());
  row.insert(row.end(), state.u.begin(), state.u.end());
}

void add_energy_columns(std::vector<std::string>& names) {
  for (const char* energy : {"kinetic", "potential", "dissipated", "input", "numerical"}) names.push_back(energy);
}

void add_energies(const EnergyBalance& e, std::vector<double>& row) {
  row.insert(row.end(), {e.kinetic, e.potential, e.dissipated, e.input, e.numerical});
}

}  // namespace slipset
