#include "slipset/systems/mode_coupling.hpp"

#include <Eigen/LU>

namespace slipset {

ModeCoupling::ModeCoupling(std::shared_ptr<const PlanarContactLaw> law, const ModeCouplingParameters& parameters)
    : p_(parameters) {
  if (!law) throw InvalidInput("mode-coupling: the law is null");
  require_positive(p_.mass, "mode-coupling: mass");
  require_positive(p_.k2, "mode-coupling: k2");
  require_positive(p_.normal_load, "mode-coupling: normal_load");
  require_finite(p_.k1, "mode-coupling: k1");
  require_finite(p_.k, "mode-coupling: k");
  require_finite(p_.c1, "mode-coupling: c1");
  require_finite(p_.c2, "mode-coupling: c2");
  require_finite(p_.belt_speed, "mode-coupling: belt_speed");
  contacts_.push_back({"contact", std::move(law), false, 0});
}

void ModeCoupling::evaluate(double, const VectorX& q, const VectorX& u, SystemAt& at) const {
  at.mass(0, 0) = at.mass(1, 1) = p_.mass;
  at.mass(0, 1) = at.mass(1, 0) = 0;
  at.potential_force[0] = -(p_.k1 + p_.k / 2) * q[0] + p_.k / 2 * q[1];
  at.potential_force[1] = p_.k / 2 * q[0] - (p_.k2 + p_.k / 2) * q[1];
  at.force[0] = at.potential_force[0] - p_.c1 * u[0];
  at.force[1] = at.potential_force[1] - p_.c2 * u[1] - p_.normal_load;
  at.contacts[0].tangents << 1, 0, 0, 0;
  at.contacts[0].normal_force = std::max(0.0, -p_.k2 * q[1]);
  at.contacts[0].surface_velocity = Vec2(p_.belt_speed, 0);
}

double ModeCoupling::potential_energy(const VectorX& q) const {
  const double across = q[0] - q[1];
  return 0.5 * (p_.k1 * q[0] * q[0] + p_.k2 * q[1] * q[1]) + 0.25 * p_.k * across * across;
}

std::optional<VectorX> ModeCoupling::equilibrium() const {
  if (p_.belt_speed == 0) return std::nullopt;
  const double s = slip_resistance(contacts_[0].law->law(), Vec2(-p_.belt_speed, 0)).x();
  Mat2 stiffness;  // λ = -λ_N s = k2 s x2
  stiffness << p_.k1 + p_.k / 2, -p_.k / 2 - p_.k2 * s, -p_.k / 2, p_.k2 + p_.k / 2;
  if (!(std::abs(stiffness.determinant()) > 1e-14 * stiffness.squaredNorm())) return std::nullopt;
  const VectorX q = stiffness.inverse() * Vec2(0, -p_.normal_load);
  return q[1] < 0 ? std::optional(q) : std::nullopt;
}

}  // namespace slipset
