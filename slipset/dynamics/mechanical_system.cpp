#include "slipset/dynamics/mechanical_system.hpp"

namespace slipset {

SystemAt sized_for(const MechanicalSystem& system) {
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
  return at;
}

void require_fit(const MechanicalSystem& system, const State& state) {
  if (state.q.size() != system.dofs() || state.u.size() != system.dofs())
    throw InvalidInput("initial position and velocity must have one number a degree of freedom (" +
                       std::to_string(system.dofs()) + ")");
}

}  // namespace slipset
