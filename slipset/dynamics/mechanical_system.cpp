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

}  // namespace slipset
