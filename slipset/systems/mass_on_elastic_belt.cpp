#include "slipset/systems/mass_on_elastic_belt.hpp"

#include <Eigen/LU>
#include <cmath>

namespace slipset {
namespace {

void check_elastic_belt(const MassOnElasticBeltParameters& p) {
  require_positive(p.mass, "mass-on-elastic-belt: mass");
  require_positive(p.belt_mass, "mass-on-elastic-belt: belt_mass");
  require_positive(p.k3, "mass-on-elastic-belt: k3");
  require_positive(p.normal_load, "mass-on-elastic-belt: normal_load");
  require_finite(p.k1, "mass-on-elastic-belt: k1");
  require_finite(p.k2, "mass-on-elastic-belt: k2");
  require_finite(p.k, "mass-on-elastic-belt: k");
  require_finite(p.c1, "mass-on-elastic-belt: c1");
  require_finite(p.c2, "mass-on-elastic-belt: c2");
  require_finite(p.c3, "mass-on-elastic-belt: c3");
  require_finite(p.belt_speed, "mass-on-elastic-belt: belt_speed");
}

}  // namespace

MassOnElasticBelt::MassOnElasticBelt(std::shared_ptr<const PlanarContactLaw> law,
                                     const MassOnElasticBeltParameters& parameters)
    : p_(parameters) {
  if (!law) throw InvalidInput("mass-on-elastic-belt: the law is null");
  check_elastic_belt(p_);
  contacts_.push_back({"contact", std::move(law), true, 0});
}

void MassOnElasticBelt::evaluate(double, const VectorX& q, const VectorX& u, SystemAt& at) const {
  at.mass.setZero();
  at.mass(0, 0) = at.mass(1, 1) = p_.mass;
  at.mass(2, 2) = p_.belt_mass;
  at.potential_force[0] = -(p_.k1 + p_.k / 2) * q[0] + p_.k / 2 * q[1];
  at.potential_force[1] = p_.k / 2 * q[0] - (p_.k2 + p_.k / 2) * q[1];
  at.potential_force[2] = -p_.k3 * q[2];
  at.force[0] = at.potential_force[0] - p_.c1 * u[0];
  at.force[1] = at.potential_force[1] - p_.c2 * u[1] - p_.normal_load;
  at.force[2] = at.potential_force[2] - p_.c3 * u[2];
  ContactAt& c = at.contacts[0];
  c.gap = q[1] - q[2];
  c.normal << 0, 1, -1;
  c.tangents.setZero();
  c.tangents(0, 0) = 1;
  c.surface_velocity = Vec2(p_.belt_speed, 0);
}

double MassOnElasticBelt::potential_energy(const VectorX& q) const {
  const double across = q[0] - q[1];
  return 0.5 * (p_.k1 * q[0] * q[0] + p_.k2 * q[1] * q[1] + p_.k3 * q[2] * q[2]) + 0.25 * p_.k * across * across;
}

std::optional<VectorX> MassOnElasticBelt::equilibrium() const {
  if (p_.belt_speed == 0) return std::nullopt;
  const double s = slip_resistance(contacts_[0].law->law(), Vec2(-p_.belt_speed, 0)).x();
  Mat2 stiffness;  // λ_N = -k3 y, λ_T = -s λ_N
  stiffness << p_.k1 + p_.k / 2, -p_.k / 2 - s * p_.k3, -p_.k / 2, p_.k2 + p_.k / 2 + p_.k3;
  if (!(std::abs(stiffness.determinant()) > 1e-14 * stiffness.squaredNorm())) return std::nullopt;
  const Vec2 xy = stiffness.inverse() * Vec2(0, -p_.normal_load);
  if (!(xy.y() < 0)) return std::nullopt;
  VectorX q(3);
  q << xy, xy.y();
  return q;
}

std::optional<double> MassOnElasticBelt::critical_friction(const MassOnElasticBeltParameters& p) {
  check_elastic_belt(p);
  const double a = p.k1 + p.k / 2, b = p.k / 2, d = p.k2 + p.k / 2 + p.k3, all = p.mass + p.belt_mass;
  const double middle = p.mass * d + all * a, last = a * d - b * b;
  // (middle + b μ m_b)² = 4 m M (last + b μ k3)
  const double c2 = b * b * p.belt_mass * p.belt_mass;
  const double c1 = 2 * middle * b * p.belt_mass - 4 * p.mass * all * b * p.k3;
  const double c0 = middle * middle - 4 * p.mass * all * last;
  const double root = c1 * c1 - 4 * c2 * c0;
  if (!(root >= 0)) return std::nullopt;
  // The smaller one, without cancellation; c0 > 0 for two frequencies that differ.
  const double q = -0.5 * (c1 - std::sqrt(root));
  if (!(c1 < 0)) return std::nullopt;
  return c0 / q;
}

}  // namespace slipset
