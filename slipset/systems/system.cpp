#include "slipset/systems/system.hpp"

#include <fmt/format.h>

#include "slipset/systems/internal/dense_step.hpp"

namespace slipset {

SystemAt sized_for(const System& system) {
  const Eigen::Index n = system.dofs();
  SystemAt at;
  at.mass = MatrixX::Zero(n, n);
  at.force = VectorX::Zero(n);
  at.potential_force = VectorX::Zero(n);
  at.contacts.resize(system.contacts().size());
  for (ContactAt& contact : at.contacts) {
    contact.normal = VectorX::Zero(n);
    contact.tangents = Eigen::MatrixX2d::Zero(n, 2);
  }
  for (std::size_t i = 0; i < at.contacts.size(); ++i)
    if (const ContactLaw* law = system.contacts()[i].other_law.get())
      at.contacts[i].other_directions = MatrixX::Zero(n, law->rows() - 1);
  return at;
}

void require_fit(const System& system, const State& state) {
  if (state.q.size() != system.positions() || state.u.size() != system.dofs())
    throw InvalidInput(fmt::format("the start has {} positions and {} velocities; the system has {} and {}",
                                   state.q.size(), state.u.size(), system.positions(), system.dofs()));
}

std::vector<std::string> System::coordinates() const {
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < positions(); ++i) names.push_back(fmt::format("q{}", i + 1));
  return names;
}

State System::start() const { return {0, VectorX::Zero(positions()), VectorX::Zero(dofs())}; }

std::unique_ptr<SystemStep> System::make_step() const { return internal::make_dense_step(*this); }

ContactOptions System::contact_options() const { return {}; }

}  // namespace slipset
