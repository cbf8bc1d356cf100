// What a step of few degrees of freedom does to the energies.
#include "slipset/systems/internal/dense_step.hpp"

namespace slipset::internal {
namespace {

// a·b; by hand where sizes differ: g++ 12 sees packets of bounded vectors as not initialised.
template <int Rows>
double product(const RowsVec<Rows>& a, const RowsVec<Rows>& b) {
  if constexpr (Rows == 3) {
    return a.dot(b);
  } else {
    double sum = 0;
    for (Eigen::Index k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  }
}

}  // namespace

double kinetic_energy(const MatrixX& mass, const VectorX& u) {
  double sum = 0;
  for (Eigen::Index i = 0; i < u.size(); ++i)
    for (Eigen::Index j = 0; j < u.size(); ++j) sum += u[i] * mass(i, j) * u[j];
  return sum / 2;
}

// The work of every impulse is its product with the mean velocity. Of it is heat what it does on the slip, and on what
// closes; the rest is the scheme's. (D.1, D.5)
template <int Rows>
void DenseStep<Rows>::balance(const State& state, double dt, EnergyBalance& energy) {
  mean_ = (state.u + u_end_) / 2;
  energy.input += dt * mean_.dot(at_.force - at_.potential_force);
  for (const std::size_t i : closed_) {
    Vec p = impulse_[i];
    if (!(*parts_)[i].unilateral) p[0] = 0;
    const bool elastic = has_elastic_ && elastic_[i];
    const double work = product<Rows>(p, w_[i].transpose().lazyProduct(mean_));
    double by_surface = product<Rows>(p, surface_[i]);
    if (!steady_) {  // the mean of before and after, each along its own axes                                    (D.7)
      by_surface = product<Rows>(p, surface_before_[i] + surface_[i]) / 2;
      rate_[i] = velocity(i, u_end_);
      if (contacts_[i].mode == ContactMode::stick && !elastic) rate_[i].tail(rows_[i] - 1).setZero();
    }
    const double lost = by_surface - work;
    const double impact = -p[0] * (first_[i][0] + velocity_[i][0]) / 2;
    p[0] = 0;
    // An elastic contact's impulse works on its plastic slip, that of the end of the step.                    (E.7)
    const double after = product<Rows>(p, velocity_[i]);
    const double friction = elastic ? -after : -(product<Rows>(p, first_[i]) + after) / 2;
    energy.input += by_surface;
    energy.dissipated += friction + impact;
    energy.by_impacts += impact;
    energy.numerical += lost - friction - impact;
    if (elastic) energy.numerical -= elastic_[i]->energy(elastic_force_[i]) - stored_[i];
  }
  if (!steady_) surface_before_ = surface_;
}

// The drives, and the inertia forces in h, do the work that the change of M and of the driven energy needs.      (D.2)
template <int Rows>
void DenseStep<Rows>::follow_mass(const State& state, EnergyBalance& energy) {
  system_->evaluate(state.t, state.q, state.u, at_);
  const double driven = system_->driven_energy(state.t, state.q, state.u);
  energy.input += kinetic_energy(at_.mass, mean_) - kinetic_energy(mass_now_, mean_) + driven - driven_;
  energy.kinetic = kinetic_energy(at_.mass, state.u) + driven;
  mass_now_ = at_.mass;
  driven_ = driven;
}

template <int Rows>
double DenseStep<Rows>::stored_energy() const {
  if (!has_elastic_) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (elastic_[i]) sum += elastic_[i]->energy(elastic_force_[i]);
  return sum;
}

template void DenseStep<3>::balance(const State&, double, EnergyBalance&);
template void DenseStep<3>::follow_mass(const State&, EnergyBalance&);
template double DenseStep<3>::stored_energy() const;
template void DenseStep<Eigen::Dynamic>::balance(const State&, double, EnergyBalance&);
template void DenseStep<Eigen::Dynamic>::follow_mass(const State&, EnergyBalance&);
template double DenseStep<Eigen::Dynamic>::stored_energy() const;

}  // namespace slipset::internal
