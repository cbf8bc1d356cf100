// Tables and checkpoints of a system of few degrees of freedom.
#include <fmt/format.h>

#include <array>

#include "slipset/laws/rolling_law.hpp"
#include "slipset/systems/internal/dense_step.hpp"

namespace slipset::internal {

// As add_row() writes them: the forces of all rows, then the rates of those behind the normal one.
template <int Rows>
std::vector<std::string> DenseStep<Rows>::columns() const {
  std::vector<std::string> names = state_columns(*system_);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto add = [&](const std::string& name) { names.push_back(fmt::format("{}.{}", (*parts_)[i].name, name)); };
    const auto add_rows = [&](const std::array<const char*, 2>& of_rolling, const char* of_others) {
      if (const RollingLaw* law = rolling_law_of((*parts_)[i])) {
        const auto both = [&](const char* name) {
          for (const int k : {1, 2}) add(fmt::format("{}_{}", name, k));
        };
        if (law->has_sliding()) both(of_others);
        if (law->has_drilling()) add(of_rolling[0]);
        if (law->has_rolling()) both(of_rolling[1]);
      } else {
        for (int k = 1; k < rows_[i]; ++k) add(fmt::format("{}_{}", of_others, k));
      }
    };
    add("normal_force");
    add_rows({"drilling_torque", "rolling_torque"}, "friction");
    add_rows({"spin", "rolling"}, "slip");
    add("mode");
  }
  add_energy_columns(names);
  return names;
}

template <int Rows>
void DenseStep<Rows>::add_row(const State& state, double dt, const EnergyBalance& energy,
                              std::vector<double>& row) const {
  add_state(state, row);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    for (int k = 0; k < rows_[i]; ++k) row.push_back(impulse_[i][k] / dt);
    for (int k = 1; k < rows_[i]; ++k) row.push_back(velocity_[i][k]);
    row.push_back(static_cast<double>(contacts_[i].mode));
  }
  add_energies(energy, row);
}

template <int Rows>
void DenseStep<Rows>::add_memory(std::vector<double>& memory) const {
  memory.insert(memory.end(),
                {largest_gap_rate_, largest_closing_, surface_acceleration_, static_cast<double>(unstarted_)});
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    memory.push_back(static_cast<double>(contacts_[i].mode));
    memory.push_back(velocity_[i][0]);
    for (int k = 0; k < rows_[i]; ++k) memory.push_back(warm_[i][k]);
    for (int k = 0; k < rows_[i] && !steady_; ++k) memory.insert(memory.end(), {rate_[i][k], surface_before_[i][k]});
    if (!elastic_[i]) continue;
    memory.insert(memory.end(), elastic_force_[i].begin(), elastic_force_[i].end());
    memory.insert(memory.end(), contacts_[i].slip.begin(), contacts_[i].slip.end());
  }
}

template <int Rows>
const double* DenseStep<Rows>::restore(const State& state, const double* from, const double* end) {
  std::ptrdiff_t wanted = 4;
  for (std::size_t i = 0; i < contacts_.size(); ++i) wanted += 2 + (steady_ ? 1 : 3) * rows_[i] + (elastic_[i] ? 4 : 0);
  if (end - from != wanted)
    throw InvalidInput(fmt::format("the checkpoint belongs to another system: it has {} numbers for {} of its contacts",
                                   end - from, wanted));
  largest_gap_rate_ = *from++;
  largest_closing_ = *from++;
  surface_acceleration_ = *from++;
  unstarted_ = *from++ != 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    contacts_[i].mode = static_cast<ContactMode>(static_cast<int>(*from++));
    velocity_[i][0] = *from++;
    for (int k = 0; k < rows_[i]; ++k) warm_[i][k] = *from++;
    for (int k = 0; k < rows_[i] && !steady_; ++k) {
      rate_[i][k] = *from++;
      surface_before_[i][k] = *from++;
    }
    if (!elastic_[i]) continue;
    for (double& x : elastic_force_[i]) x = *from++;
    for (double& x : contacts_[i].slip) x = *from++;
  }
  if (!constant_mass_) {
    system_->evaluate(state.t, state.q, state.u, at_);
    mass_now_ = at_.mass;
    driven_ = system_->driven_energy(state.t, state.q, state.u);
  }
  return from;
}

template std::vector<std::string> DenseStep<3>::columns() const;
template void DenseStep<3>::add_row(const State&, double, const EnergyBalance&, std::vector<double>&) const;
template void DenseStep<3>::add_memory(std::vector<double>&) const;
template const double* DenseStep<3>::restore(const State&, const double*, const double*);
template std::vector<std::string> DenseStep<Eigen::Dynamic>::columns() const;
template void DenseStep<Eigen::Dynamic>::add_row(const State&, double, const EnergyBalance&,
                                                 std::vector<double>&) const;
template void DenseStep<Eigen::Dynamic>::add_memory(std::vector<double>&) const;
template const double* DenseStep<Eigen::Dynamic>::restore(const State&, const double*, const double*);

}  // namespace slipset::internal
