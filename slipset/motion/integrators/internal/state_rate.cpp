#include "slipset/motion/integrators/internal/state_rate.hpp"

#include <fmt/format.h>

namespace slipset::internal {

using Eigen::Index;

StateRate::StateRate(const System& system, const State& start, const char* what, const char* fastest,
                     std::size_t states)
    : PlanarRate(system),
      count_(system.contacts().size()),
      fastest_(fastest),
      at_(sized_for(system)),
      ahead_(sized_for(system)),
      behind_(sized_for(system)) {
  require_fit(system, start);
  for (const SystemContact& contact : system.contacts())
    if (!contact.law)
      throw InvalidInput(std::string(what) + ": contact \"" + contact.name +
                         "\" does not slide by two sets; use the moreau integrator");
    else if (contact.unilateral)
      throw InvalidInput(std::string(what) + ": contact \"" + contact.name +
                         "\" can open, so that its normal force is unknown; give the contact a normal_force, or use "
                         "the moreau integrator");
  const Index n = system.dofs(), m = at2(count_);
  q_ = start.q;
  u_ = start.u;
  shifted_q_ = shifted_u_ = acceleration_ = VectorX::Zero(n);
  velocity_ = force_ = VectorX::Zero(m);
  first_states_ = VectorX::Zero(static_cast<Index>(states * count_));
  look_at(start.t);
  MatrixX tangents(n, m);
  for (std::size_t i = 0; i < count_; ++i) tangents.middleCols<2>(at2(i)) = at_.contacts[i].tangents;
  delassus_ = tangents.transpose() * mass_.solve(tangents);
}

double StateRate::weighted_compliance(const VectorX& weight) const {
  double most = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < count_; ++j)
      sum += spectral_norm(delassus_.block<2, 2>(at2(i), at2(j))) * weight[static_cast<Index>(j)];
    most = std::max(most, sum);
  }
  return most;
}

double StateRate::normal_force_rate(std::size_t i) const {
  return (ahead_.contacts[i].normal_force - behind_.contacts[i].normal_force) / (2 * difference_);
}

// Masses, forces and velocities at (t, q_, u_).
void StateRate::look_at(double t) {
  system_->evaluate(t, q_, u_, at_);
  factorize(at_);
  for (std::size_t i = 0; i < count_; ++i) {
    const ContactAt& c = at_.contacts[i];
    velocity_.segment<2>(at2(i)).noalias() = c.tangents.transpose() * u_;
    velocity_.segment<2>(at2(i)) -= c.surface_velocity;
  }
}

void StateRate::look_around(double t) {
  shifted_q_ = q_ + difference_ * u_;
  shifted_u_ = u_ + difference_ * acceleration_;
  system_->evaluate(t + difference_, shifted_q_, shifted_u_, ahead_);
  shifted_q_ = q_ - difference_ * u_;
  shifted_u_ = u_ - difference_ * acceleration_;
  system_->evaluate(t - difference_, shifted_q_, shifted_u_, behind_);
}

void StateRate::operator()(double t, const double* y, double* dy) {
  ++evaluations_;
  const Index n = system_->dofs(), sums = 2 * n + first_states_.size();
  q_ = Eigen::Map<const VectorX>(y, n);
  u_ = Eigen::Map<const VectorX>(y + n, n);
  look_at(t);
  if (!has_masses()) {
    std::fill(dy, dy + sums + 2, NAN);
    return;
  }
  find_forces(y + 2 * n);
  double work = u_.dot(at_.force - at_.potential_force);
  acceleration_ = at_.force;
  for (std::size_t i = 0; i < count_; ++i) {
    acceleration_.noalias() += at_.contacts[i].tangents * force_.segment<2>(at2(i));
    work += force_.segment<2>(at2(i)).dot(at_.contacts[i].surface_velocity);
  }
  mass_.solve_in_place(acceleration_);
  if (!system_->has_constant_mass() || needs_normal_force_rate()) look_around(t);
  const double heat = find_rates(y + 2 * n, dy + 2 * n, work);
  if (!system_->has_constant_mass())  // the drives do the work that a change of M needs                    (D.2)
    work += 0.5 * u_.dot((ahead_.mass - behind_.mass).lazyProduct(u_)) / (2 * difference_);
  Eigen::Map<VectorX>(dy, n) = u_;
  Eigen::Map<VectorX>(dy + n, n) = acceleration_;
  dy[sums] = heat;
  dy[sums + 1] = work;
}

// RK4 follows what is faster than its step allows only by growing.
void StateRate::warn_of_step(double step, std::vector<std::string>& warnings) const {
  const double limit = kRk4RealAxis / fastest_rate_;
  if (step > limit)
    warnings.push_back(
        fmt::format("step {:g} is above {:.4g}, the largest step that resolves the fastest rate of {} at the start; "
                    "use a shorter step, or kind = \"adaptive\"",
                    step, limit, fastest_));
}

}  // namespace slipset::internal
