#include "slipset/motion/integrators/internal/phase_scales.hpp"

#include <algorithm>
#include <cmath>

#include "slipset/motion/internal/own_rates.hpp"

namespace slipset::internal {

double time_scale(const System& system, const State& state, double longest) {
  const OwnRates rates = own_rates(system, state);
  const double fastest = std::max({2 * kPi * system.drive_frequency(), rates.by_position, rates.by_velocity});
  return fastest * longest > 1 ? 1 / fastest : longest;
}

void PhaseScales::add(const Phase& phase, const VectorX& u) {
  const SystemAt& at = phase.at();
  VectorX reach = VectorX::Zero(u.size());  // of a coordinate's velocity on slip
  for (std::size_t i = 0; i < phase.size(); ++i) {
    const ContactPhase& c = phase.contact(i);
    const ContactAt& here = at.contacts[i];
    speed = std::max({speed, c.slip.norm(), here.surface_velocity.norm(), std::abs(c.normal_velocity)});
    reach = reach.cwiseMax(here.tangents.rowwise().norm());
  }
  if (!(speed > 0)) {  // at rest on a surface at rest: what friction would do in the time scale
    for (std::size_t i = 0; i < phase.size(); ++i) {
      const ContactPhase& c = phase.contact(i);
      speed = std::max(speed, time * c.normal_force * (phase.contact_block(i) * c.resistance).norm());
    }
    if (!(speed > 0)) speed = time * phase.free_acceleration().lpNorm<Eigen::Infinity>();
    if (!(speed > 0)) speed = 1;  // nothing moves
  }
  if (velocity.size() == 0) velocity = VectorX::Zero(u.size());
  double sum = 0, work = 0;  // of friction at that speed in the time scale
  for (std::size_t i = 0; i < phase.size(); ++i) {
    double pressed = phase.contact(i).normal_force;
    if (const VectorX& n = at.contacts[i].normal; phase.unilateral(i) && n.squaredNorm() > 0)
      pressed = std::max(pressed, std::abs(n.dot(at.force)) / n.squaredNorm());
    work += pressed * phase.law(i).largest_resistance() * speed * time;
  }
  for (Eigen::Index k = 0; k < u.size(); ++k) {
    // A coordinate that hardly moves a contact is not as fast as would make that speed there: it has no more energy
    // than friction supplies.
    double most = reach[k] > 0 ? speed / reach[k] : 0;
    if (work > 0) most = std::min(most, std::sqrt(2 * work / at.mass(k, k)));
    velocity[k] = std::max({velocity[k], std::abs(u[k]), most});
    if (!(velocity[k] > 0)) velocity[k] = speed;
    sum += at.mass(k, k) * velocity[k] * velocity[k] / 2;
  }
  energy = std::max(energy, sum);
}

}  // namespace slipset::internal
