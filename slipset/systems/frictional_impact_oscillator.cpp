#include "slipset/systems/frictional_impact_oscillator.hpp"

#include <Eigen/LU>
#include <cmath>

namespace slipset {
namespace {

void check_impact_oscillator(const FrictionalImpactOscillatorParameters& p) {
  require_positive(p.upper_mass, "frictional-impact-oscillator: upper_mass");
  require_positive(p.tip_mass, "frictional-impact-oscillator: tip_mass");
  require_positive(p.length, "frictional-impact-oscillator: length");
  require_finite(p.k, "frictional-impact-oscillator: k");
  require_finite(p.k_angle, "frictional-impact-oscillator: k_angle");
  require_finite(p.c, "frictional-impact-oscillator: c");
  require_finite(p.c_angle, "frictional-impact-oscillator: c_angle");
  require_finite(p.load, "frictional-impact-oscillator: load");
  require_finite(p.belt_speed, "frictional-impact-oscillator: belt_speed");
  if (!(std::abs(p.angle) < 1.5))
    throw InvalidInput("frictional-impact-oscillator: angle must be between -85 and 85 degrees");
  if (!(p.restitution >= 0 && p.restitution <= 1))
    throw InvalidInput("frictional-impact-oscillator: restitution must be from 0 to 1");
}

}  // namespace

const char* name_of(SlidingSolutions solutions) {
  switch (solutions) {
    case SlidingSolutions::slides: return "one: slides";
    case SlidingSolutions::opens: return "one: opens";
    case SlidingSolutions::none: return "none";
    case SlidingSolutions::several: return "several";
  }
  return "";
}

FrictionalImpactOscillator::FrictionalImpactOscillator(std::shared_ptr<const PlanarContactLaw> law,
                                                       const FrictionalImpactOscillatorParameters& parameters)
    : p_(parameters) {
  if (!law) throw InvalidInput("frictional-impact-oscillator: the law is null");
  check_impact_oscillator(p_);
  contacts_.push_back({"tip", std::move(law), true, p_.restitution});
}

State FrictionalImpactOscillator::start() const {
  State state{0, VectorX::Zero(2), VectorX::Zero(2)};
  state.q << p_.length * std::cos(p_.angle), p_.angle;
  return state;
}

void FrictionalImpactOscillator::evaluate(double, const VectorX& q, const VectorX& u, SystemAt& at) const {
  const double s = std::sin(q[1]), c = std::cos(q[1]), l = p_.length;
  at.mass(0, 0) = p_.upper_mass + p_.tip_mass;
  at.mass(0, 1) = at.mass(1, 0) = p_.tip_mass * l * s;
  at.mass(1, 1) = p_.tip_mass * l * l;
  at.potential_force[0] = -p_.k * (q[0] - l * std::cos(p_.angle));
  at.potential_force[1] = -p_.k_angle * (q[1] - p_.angle);
  at.force[0] = at.potential_force[0] - p_.load - p_.c * u[0] - p_.tip_mass * l * c * u[1] * u[1];
  at.force[1] = at.potential_force[1] - p_.c_angle * u[1];
  ContactAt& contact = at.contacts[0];
  contact.gap = q[0] - l * c;
  contact.normal << 1, l * s;
  contact.tangents.setZero();
  contact.tangents(1, 0) = l * c;
  contact.surface_velocity = Vec2(p_.belt_speed, 0);
}

double FrictionalImpactOscillator::potential_energy(const VectorX& q) const {
  const double y = q[0] - p_.length * std::cos(p_.angle), a = q[1] - p_.angle;
  return 0.5 * (p_.k * y * y + p_.k_angle * a * a);
}

double FrictionalImpactOscillator::painleve_friction(const FrictionalImpactOscillatorParameters& p, double angle) {
  check_impact_oscillator(p);
  require_finite(angle, "frictional-impact-oscillator: angle");
  if (!(p.belt_speed * angle < 0)) return INFINITY;
  const double t = std::tan(std::abs(angle));
  return t + p.tip_mass / p.upper_mass / t;
}

double FrictionalImpactOscillator::damping_friction(const FrictionalImpactOscillatorParameters& p, double angle) {
  check_impact_oscillator(p);
  require_finite(angle, "frictional-impact-oscillator: angle");
  if (!(p.belt_speed * angle < 0 && p.c > 0)) return INFINITY;
  const double s = std::sin(std::abs(angle)), c = std::cos(angle);
  return s / c + p.c_angle / (p.c * p.length * p.length * s * c);
}

SlidingSolutions FrictionalImpactOscillator::solutions(const VectorX& q, const VectorX& u) const {
  require_fit(*this, {0, q, u});
  SystemAt at = sized_for(*this);
  evaluate(0, q, u, at);
  const ContactAt& contact = at.contacts[0];
  const Vec2 slip = contact.tangents.transpose() * u - contact.surface_velocity;
  if (slip.isZero(0)) throw InvalidInput("frictional-impact-oscillator: the contact does not slip");
  const VectorX pushed = contact.normal - contact.tangents * slip_resistance(contacts_[0].law->law(), slip);
  const Mat2 inverse = Mat2(at.mass).inverse();
  // g̈ = A λ_N + b; d/dt(w_N)ᵀu is l cosφ φ̇².
  const double a = contact.normal.dot(inverse * pushed);
  const double b = contact.normal.dot(inverse * at.force) + p_.length * std::cos(q[1]) * u[1] * u[1];
  const bool closed = -b / a >= 0, open = b > 0;
  if (closed && open) return SlidingSolutions::several;
  if (closed) return SlidingSolutions::slides;
  return open ? SlidingSolutions::opens : SlidingSolutions::none;
}

}  // namespace slipset
