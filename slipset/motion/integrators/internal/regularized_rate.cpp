#include "slipset/motion/integrators/internal/regularized_rate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipset::internal {
namespace {

using Eigen::Index;

Mat2 inverse_on_range(const Mat2& g) {
  const PlanarEigen eigen = symmetric_eigen(g);
  const double least = 1e-12 * eigen.values[1];
  Vec2 inverse = Vec2::Zero();
  for (int k = 0; k < 2; ++k)
    if (eigen.values[k] > least) inverse[k] = 1 / eigen.values[k];
  return eigen.vectors * inverse.asDiagonal() * eigen.vectors.transpose();
}

}  // namespace

RegularizedRate::RegularizedRate(const System& system, const RegularizedCoulomb& form, const State& start,
                                 const BalanceOptions& options)
    : PlanarRate(system),
      form_(form),
      options_(options),
      half_width_(form.half_width()),
      at_(sized_for(system)),
      ahead_(sized_for(system)),
      behind_(sized_for(system)) {
  require_fit(system, start);
  for (const SystemContact& contact : system.contacts()) {
    if (contact.unilateral)
      throw InvalidInput("regularised friction: contact \"" + contact.name +
                         "\" can open, so that its normal force is unknown; use the moreau or event-driven integrator "
                         "without regularize, or give the contact a normal_force");
    if (!contact.law)
      throw InvalidInput("regularised friction: contact \"" + contact.name +
                         "\" does not slide by two sets; use the moreau integrator");
    if (contact.law->law().elastic())
      throw InvalidInput("regularised friction: contact \"" + contact.name +
                         "\" is elastic, and a regularised law has no state; remove the elasticity, or use "
                         "SmoothFriction{} for the elastic law itself");
    laws_.emplace_back(contact.law->law(), form);
  }
  if (options.freeze_band && form.kind() != Regularization::karnopp)
    throw InvalidInput("a frozen band is part of Karnopp's scheme; use the kind karnopp, or a free band");
  const auto contacts = static_cast<Index>(laws_.size());
  const Index n = system.dofs(), m = 2 * contacts;
  q_ = u_ = shifted_ = free_ = acceleration_ = VectorX::Zero(n);
  tangents_ = compliant_ = MatrixX::Zero(n, m);
  delassus_ = masked_ = MatrixX::Zero(m, m);
  slip_ = friction_ = drift_ = x_ = residual_ = direction_ = product_ = VectorX::Zero(m);
  inverse_.assign(laws_.size(), Mat2::Zero());
  mask_.assign(laws_.size(), 0);
  needs_.assign(laws_.size(), 0);

  q_ = start.q;
  u_ = start.u;
  look_at(start.t);
  look_at_contacts(start.t);
  if (laws_.size() > 1) dependent_ = PivotedQr(delassus_, 1e-10).rank() < m;
  const bool has_fixed_point = form.kind() == Regularization::quinn && !dependent_;
  if (options_.rule == BalanceRule::fixed_point && !has_fixed_point)
    throw InvalidInput(dependent_ ? "balance fixed-point: the contacts depend on each other; use partition"
                                  : "balance fixed-point: only the law quinn has it; use partition, or remove balance");
  if (options_.rule == BalanceRule::automatic)
    options_.rule = has_fixed_point ? BalanceRule::fixed_point : BalanceRule::partition;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < laws_.size(); ++j)
      sum +=
          spectral_norm(delassus_.block<2, 2>(at2(i), at2(j))) * at_.contacts[j].normal_force * laws_[j].ramp_slope();
    ramp_rate_ = std::max(ramp_rate_, sum);
    largest_ = std::max(largest_, at_.contacts[i].normal_force * system.contacts()[i].law->largest_resistance());
  }
}

// Masses, forces and slip at (t, q_, u_).
void RegularizedRate::look_at(double t) {
  system_->evaluate(t, q_, u_, at_);
  factorize(at_);
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const ContactAt& c = at_.contacts[i];
    slip_.segment<2>(at2(i)).noalias() = c.tangents.transpose() * u_;
    slip_.segment<2>(at2(i)) -= c.surface_velocity;
  }
  looked_ = false;
}

// G, and the slip accelerations without friction: what force and mass make, and what γ changes by while u does not, by
// central differences.
void RegularizedRate::look_at_contacts(double t) {
  const double h = difference_;
  shifted_ = q_ + h * u_;
  system_->evaluate(t + h, shifted_, u_, ahead_);
  shifted_ = q_ - h * u_;
  system_->evaluate(t - h, shifted_, u_, behind_);
  free_ = at_.force;
  mass_.solve_in_place(free_);
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const ContactAt &after = ahead_.contacts[i], &before = behind_.contacts[i];
    tangents_.middleCols<2>(at2(i)) = at_.contacts[i].tangents;
    const Vec2 turning = (after.tangents - before.tangents).transpose() * u_;
    drift_.segment<2>(at2(i)).noalias() = at_.contacts[i].tangents.transpose() * free_;
    drift_.segment<2>(at2(i)) += (turning - (after.surface_velocity - before.surface_velocity)) / (2 * h);
  }
  compliant_ = tangents_;
  mass_.solve_in_place(compliant_);
  delassus_.noalias() = tangents_.transpose() * compliant_;
  for (std::size_t i = 0; i < laws_.size(); ++i) inverse_[i] = inverse_on_range(delassus_.block<2, 2>(at2(i), at2(i)));
  looked_ = true;
}

void RegularizedRate::apply_law(std::size_t i, const Vec2& balance_force) {
  const double normal = at_.contacts[i].normal_force;
  const Vec2 balance = normal > 0 ? Vec2(-balance_force / normal) : Vec2(0, 0);
  const Vec2 r = laws_[i].resistance(slip_.segment<2>(at2(i)), balance);
  friction_.segment<2>(at2(i)) = -normal * r;
}

// The friction force that would hold contact i, the others' as they are.
Vec2 RegularizedRate::single_balance(std::size_t i) const {
  Vec2 rate = drift_.segment<2>(at2(i));
  for (std::size_t j = 0; j < laws_.size(); ++j)
    if (j != i) rate += delassus_.block<2, 2>(at2(i), at2(j)) * friction_.segment<2>(at2(j));
  return -inverse_[i] * rate;
}

// The shortest x, over the contacts in the mask, that fits G22 x = residual best: by eigenvalues where contacts depend
// on each other, else by conjugate gradients.
void RegularizedRate::solve_masked() {
  if (dependent_) {
    masked_ = delassus_;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      if (mask_[i]) continue;
      masked_.middleRows<2>(at2(i)).setZero();
      masked_.middleCols<2>(at2(i)).setZero();
    }
    eigen_.compute(masked_);
    const VectorX& values = eigen_.values();
    product_.noalias() = eigen_.vectors().transpose() * residual_;
    for (Index k = 0; k < values.size(); ++k)
      product_[k] = values[k] > 1e-10 * values[values.size() - 1] ? product_[k] / values[k] : 0;
    x_.noalias() = eigen_.vectors() * product_;
    return;
  }
  const auto product = [&](const VectorX& of) {
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      Vec2 sum = Vec2::Zero();
      if (mask_[i])
        for (std::size_t j = 0; j < laws_.size(); ++j)
          if (mask_[j]) sum += delassus_.block<2, 2>(at2(i), at2(j)) * of.segment<2>(at2(j));
      product_.segment<2>(at2(i)) = sum;
    }
  };
  x_.setZero();
  direction_ = residual_;
  double size = residual_.squaredNorm();
  const double target = 1e-32 * size;
  for (Index k = 0; k < 3 * x_.size() + 10 && size > target; ++k) {
    product(direction_);
    const double curvature = direction_.dot(product_);
    if (!(curvature > 0)) break;
    const double step = size / curvature;
    x_ += step * direction_;
    residual_ -= step * product_;
    const double next = residual_.squaredNorm();
    direction_ = residual_ + next / size * direction_;
    size = next;
  }
}

void RegularizedRate::partition() {
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    mask_[i] = needs_[i] && slip_.segment<2>(at2(i)).norm() <= half_width_;
    if (needs_[i] && !mask_[i])  // for the others' balance it slips
      friction_.segment<2>(at2(i)) =
          -at_.contacts[i].normal_force * slip_resistance(laws_[i].law(), Vec2(slip_.segment<2>(at2(i))));
  }
  for (std::size_t round = 0; round <= laws_.size(); ++round) {
    residual_.setZero();
    bool any = false;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      if (!mask_[i]) continue;
      any = true;
      Vec2 rate = drift_.segment<2>(at2(i));
      for (std::size_t j = 0; j < laws_.size(); ++j)
        if (!mask_[j]) rate += delassus_.block<2, 2>(at2(i), at2(j)) * friction_.segment<2>(at2(j));
      residual_.segment<2>(at2(i)) = -rate;
    }
    if (!any) break;
    solve_masked();
    bool cut = false;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      if (!mask_[i]) continue;
      const Vec2 balance = x_.segment<2>(at2(i));
      apply_law(i, balance);
      const double normal = at_.contacts[i].normal_force;
      if (normal > 0 && is_admissible(laws_[i].law(), -balance / normal, 1e-12)) continue;
      mask_[i] = 0;
      cut = true;
    }
    if (!cut) break;
  }
  for (std::size_t i = 0; i < laws_.size(); ++i)  // beyond the band, and not yet slipping as the law says
    if (needs_[i] && slip_.segment<2>(at2(i)).norm() > half_width_) apply_law(i, single_balance(i));
}

void RegularizedRate::fixed_point() {
  for (int sweep = 0; sweep < options_.max_sweeps; ++sweep) {
    double change = 0;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      if (!needs_[i]) continue;
      const Vec2 before = friction_.segment<2>(at2(i));
      apply_law(i, single_balance(i));
      change += (friction_.segment<2>(at2(i)) - before).norm();
    }
    if (change <= 4e-15 * largest_) return;
    if (!std::isfinite(change)) break;
  }
  ++not_converged_;
}

void RegularizedRate::find_resistances(double t) {
  std::size_t needing = 0;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    needs_[i] = laws_[i].needs_balance(slip_.segment<2>(at2(i)));
    needing += needs_[i] != 0;
    if (!needs_[i]) apply_law(i, Vec2::Zero());
  }
  if (needing == 0) return;
  look_at_contacts(t);
  if (needing == 1) {
    for (std::size_t i = 0; i < laws_.size(); ++i)
      if (needs_[i]) apply_law(i, single_balance(i));
    return;
  }
  partition();
  if (options_.rule == BalanceRule::fixed_point) fixed_point();
}

// q̇ without slip in the band: q̇ = u - M⁻¹W G22⁻¹ γ2; γ there becomes 0.
void RegularizedRate::freeze(double* dq) {
  residual_.setZero();
  bool any = false;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    mask_[i] = slip_.segment<2>(at2(i)).norm() < half_width_;
    any |= mask_[i] != 0;
    if (mask_[i]) residual_.segment<2>(at2(i)) = slip_.segment<2>(at2(i));
  }
  if (!any) return;
  solve_masked();
  Eigen::Map<VectorX>(dq, u_.size()).noalias() -= compliant_ * x_;
  for (std::size_t i = 0; i < laws_.size(); ++i)
    if (mask_[i]) slip_.segment<2>(at2(i)).setZero();
}

void RegularizedRate::operator()(double t, const double* y, double* dy) {
  ++evaluations_;
  const Index n = system_->dofs();
  q_ = Eigen::Map<const VectorX>(y, n);
  u_ = Eigen::Map<const VectorX>(y + n, n);
  look_at(t);
  if (!has_masses()) {
    std::fill(dy, dy + 2 * n + 2, NAN);
    return;
  }
  find_resistances(t);

  Eigen::Map<VectorX>(dy, n) = u_;
  if (options_.freeze_band) freeze(dy);
  double heat = 0, work = u_.dot(at_.force - at_.potential_force);
  acceleration_ = at_.force;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const Vec2 force = friction_.segment<2>(at2(i));
    acceleration_.noalias() += at_.contacts[i].tangents * force;
    heat -= force.dot(slip_.segment<2>(at2(i)));
    work += force.dot(at_.contacts[i].surface_velocity);
  }
  mass_.solve_in_place(acceleration_);
  if (!system_->has_constant_mass()) {  // the drives do the work that a change of M needs                  (D.2)
    if (!looked_) look_at_contacts(t);
    work += 0.5 * u_.dot((ahead_.mass - behind_.mass).lazyProduct(u_)) / (2 * difference_);
  }
  Eigen::Map<VectorX>(dy + n, n) = acceleration_;
  dy[2 * n] = heat;
  dy[2 * n + 1] = work;
}

double RegularizedRate::ramp_limit() const {
  return ramp_rate_ > 0 ? kRk4RealAxis / ramp_rate_ : std::numeric_limits<double>::infinity();
}

void RegularizedRate::warn_of_step(double step, std::vector<std::string>& warnings) const {
  if (step > ramp_limit())
    warnings.push_back(
        fmt::format("step {:g} is above {:.4g}, the guaranteed stability limit of RK4 on the ramp of {} with epsilon = "
                    "{:g}: friction may chatter; use a shorter step or a larger epsilon",
                    step, ramp_limit(), form_.name(), form_.epsilon()));
}

}  // namespace slipset::internal
