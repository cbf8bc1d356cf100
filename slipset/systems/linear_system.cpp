#include "slipset/systems/linear_system.hpp"

#include <fmt/format.h>

namespace slipset {

LinearSystem::LinearSystem(MatrixX mass, MatrixX damping, MatrixX stiffness, VectorX force,
                           std::vector<LinearContact> contacts)
    : mass_(std::move(mass)),
      damping_(std::move(damping)),
      stiffness_(std::move(stiffness)),
      force_(std::move(force)),
      details_(std::move(contacts)) {
  const Eigen::Index n = mass_.rows();
  const auto fits = [&](const char* name, Eigen::Index rows, Eigen::Index columns, Eigen::Index wanted) {
    if (rows != n || columns != wanted)
      throw InvalidInput(fmt::format("linear: {} is {} x {}; M has {} rows, so it must be {} x {}", name, rows, columns,
                                     n, n, wanted));
  };
  if (n < 1) throw InvalidInput("linear: M is empty; give one row per degree of freedom");
  fits("M", mass_.rows(), mass_.cols(), n);
  fits("D", damping_.rows(), damping_.cols(), n);
  fits("K", stiffness_.rows(), stiffness_.cols(), n);
  fits("force", force_.size(), 1, 1);
  if (!(mass_.allFinite() && damping_.allFinite() && stiffness_.allFinite() && force_.allFinite()))
    throw InvalidInput("linear: M, D, K and force must be finite");
  if ((mass_ - mass_.transpose()).norm() > 1e-12 * mass_.norm() || !Cholesky(mass_).positive_definite())
    throw InvalidInput("linear: M must be symmetric and positive definite");
  symmetric_stiffness_ = (stiffness_ + stiffness_.transpose()) / 2;
  for (std::size_t i = 0; i < details_.size(); ++i) {
    const LinearContact& c = details_[i];
    const std::string name = fmt::format("contact{}", i + 1);
    fits((name + ".tangents").c_str(), c.tangents.rows(), c.tangents.cols(), 2);
    const bool unilateral = c.normal.size() > 0;
    if (unilateral) fits((name + ".normal").c_str(), c.normal.size(), 1, 1);
    if (!(c.tangents.allFinite() && c.normal.allFinite() && c.surface_velocity.allFinite() && std::isfinite(c.gap)))
      throw InvalidInput("linear: " + name + ": directions, surface velocity and gap must be finite");
    if (unilateral && c.normal.isZero(0)) throw InvalidInput("linear: " + name + ".normal is zero; give a direction");
    if (c.tangents.isZero(0)) throw InvalidInput("linear: " + name + ".tangents are zero; give a direction");
    if (!unilateral) require_positive(c.normal_force, (name + ".normal_force").c_str());
    if (!(c.restitution >= 0 && c.restitution <= 1))
      throw InvalidInput(fmt::format("linear: {}.restitution is {}; it must be from 0 to 1", name, c.restitution));
    contacts_.push_back({name, std::make_shared<PlanarContactLaw>(c.law), unilateral, c.restitution});
  }
}

void LinearSystem::evaluate(double, const VectorX& q, const VectorX& u, SystemAt& at) const {
  at.mass = mass_;
  at.potential_force.noalias() = -symmetric_stiffness_.lazyProduct(q);
  at.force.noalias() = force_ - stiffness_.lazyProduct(q);
  at.force.noalias() -= damping_.lazyProduct(u);
  for (std::size_t i = 0; i < details_.size(); ++i) {
    ContactAt& contact = at.contacts[i];
    contact.tangents = details_[i].tangents;
    contact.surface_velocity = details_[i].surface_velocity;
    contact.normal_force = details_[i].normal_force;
    if (!contacts_[i].unilateral) continue;
    contact.normal = details_[i].normal;
    contact.gap = details_[i].normal.dot(q) + details_[i].gap;
  }
}

double LinearSystem::potential_energy(const VectorX& q) const {
  double sum = 0;
  for (Eigen::Index i = 0; i < q.size(); ++i)
    for (Eigen::Index j = 0; j < q.size(); ++j) sum += q[i] * symmetric_stiffness_(i, j) * q[j] / 2;
  return sum;
}

std::vector<std::string> LinearSystem::coordinates() const {
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < dofs(); ++i) names.push_back(fmt::format("q{}", i + 1));
  return names;
}

}  // namespace slipset
