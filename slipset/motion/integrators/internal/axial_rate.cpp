#include "slipset/motion/integrators/internal/axial_rate.hpp"

#include <fmt/format.h>

namespace slipset::internal {
namespace {

using Eigen::Index;

// R x for the contacts in `mask` only.
void masked_product(const SparseRows& r, const std::vector<char>& mask, const VectorX& x, VectorX& out) {
  for (Index i = 0; i < r.outerSize(); ++i) {
    if (!mask[static_cast<std::size_t>(i)]) continue;
    double sum = 0;
    for (SparseRows::InnerIterator e(r, i); e; ++e)
      if (mask[static_cast<std::size_t>(e.col())]) sum += e.value() * x[e.col()];
    out[i] = sum;
  }
}

// R22 x = rhs by conjugate gradients over the contacts in a mask: exact after as many steps as there are contacts, no
// memory but four vectors, any sparse R.
struct MaskedSolver {
  std::vector<char> mask;
  VectorX x, residual, direction, product;

  explicit MaskedSolver(Index m)
      : mask(static_cast<std::size_t>(m)), x(m), residual(m), direction(m), product(VectorX::Zero(m)) {}

  // x is the first guess; `residual` holds the right-hand side. Entries outside the mask must be 0 in both.
  void solve(const SparseRows& r) {
    const double target = 1e-30 * residual.squaredNorm();
    masked_product(r, mask, x, product);
    for (Index i = 0; i < x.size(); ++i)
      if (mask[static_cast<std::size_t>(i)]) residual[i] -= product[i];
    direction = residual;
    double size = residual.squaredNorm();
    for (Index k = 0; k < 2 * x.size() + 10 && size > target; ++k) {
      masked_product(r, mask, direction, product);
      double curvature = 0;
      for (Index i = 0; i < x.size(); ++i)
        if (mask[static_cast<std::size_t>(i)]) curvature += direction[i] * product[i];
      if (!(curvature > 0)) break;
      const double step = size / curvature;
      x += step * direction;
      for (Index i = 0; i < x.size(); ++i)
        if (mask[static_cast<std::size_t>(i)]) residual[i] -= step * product[i];
      const double next = residual.squaredNorm();
      direction = residual + next / size * direction;
      size = next;
    }
  }
};

// The five arrays are apart, which lets the compiler take several blocks at once.
template <class Law>
void friction_loop(const Law law, Index n, const double* __restrict__ u, const double* __restrict__ limit,
                   const double* __restrict__ inverse_mass, double* __restrict__ f, double* __restrict__ a) {
  for (Index i = 0; i < n; ++i) {
    f[i] = law(u[i], -a[i], limit[i]);
    a[i] = (a[i] + f[i]) * inverse_mass[i];
  }
}

template <class Law>
class AxialRateOf final : public AxialRate {
 public:
  AxialRateOf(const AxialSystem& system, const Law& law, const RegularizedCoulomb& form, const BalanceOptions& options)
      : AxialRate(system, form, options.freeze_band),
        law_(law),
        options_(options),
        near_(system.is_direct() ? 0 : system.contact_count()) {
    if (system.is_direct()) return;
    const Index m = system.contact_count();
    slip_ = drift_ = surface_ = surface_rate_ = VectorX::Zero(m);
    spare_ = added_ = VectorX::Zero(system.dofs());
    double largest = 0;
    for (Index i = 0; i < m; ++i) largest = std::max(largest, system.limits()[i]);
    tolerance_ = 4e-15 * largest;
    for (Index i = 0; i < system.delassus().outerSize(); ++i)
      for (SparseRows::InnerIterator e(system.delassus(), i); e; ++e) coupled_ |= e.col() != i && e.value() != 0;
  }

  void operator()(double t, const double* y, double* dy) override {
    ++evaluations_;
    const Index n = system_->dofs();
    const double *q = y, *u = y + n;
    double *dq = dy, *a = dy + n;
    std::copy_n(u, n, dq);
    system_->external_force(t, a);
    if (!system_->stiffness().is_zero()) system_->stiffness().subtract_product(q, a);
    if (!system_->damping().is_zero()) system_->damping().subtract_product(u, a);
    double heat = 0, work = system_->input_power(t, q, u);
    if (system_->is_direct()) {
      direct(u, dq, a);
      heat = -friction_.dot(Eigen::Map<const VectorX>(dq, n));
    } else {
      coupled(t, u, dq, a);
      heat = -friction_.dot(slip_);
      work += friction_.dot(surface_);
    }
    dy[2 * n] = heat;
    dy[2 * n + 1] = work;
  }

 private:
  void direct(const double* u, double* dq, double* a) {
    const Index n = system_->dofs();
    friction_loop(law_, n, u, system_->limits().data(), system_->inverse_mass().data(), friction_.data(), a);
    if (options_.freeze_band)
      for (Index i = 0; i < n; ++i) dq[i] = std::abs(u[i]) < half_width_ ? 0 : u[i];
  }

  void coupled(double t, const double* u, double* dq, double* a) {
    const Index n = system_->dofs();
    system_->apply_inverse_mass(a, spare_.data());
    for (const TimeFunctionAt& s : system_->surfaces()) surface_[s.index] = surface_rate_[s.index] = 0;
    for (const TimeFunctionAt& s : system_->surfaces()) {
      surface_[s.index] += s.function.rate(t);
      surface_rate_[s.index] += s.function.second_rate(t);
    }
    system_->along_contacts(u, slip_.data());
    slip_ -= surface_;
    system_->along_contacts(a, drift_.data());
    drift_ -= surface_rate_;
    if constexpr (!Law::kUsesBalance) {
      for (Index i = 0; i < friction_.size(); ++i) friction_[i] = law_(slip_[i], 0, system_->limits()[i]);
    } else if (!coupled_) {
      for (Index i = 0; i < friction_.size(); ++i)
        friction_[i] = law_(slip_[i], -drift_[i] / system_->delassus_diagonal(i), system_->limits()[i]);
    } else if (Law::kContinuous && options_.rule != BalanceRule::partition) {
      fixed_point();
    } else {
      partition();
    }
    if (options_.freeze_band) freeze(dq);
    added_.setZero();
    system_->add_contact_forces(friction_.data(), added_.data());
    system_->apply_inverse_mass(added_.data(), spare_.data());
    for (Index i = 0; i < n; ++i) a[i] += added_[i];
  }

  void fixed_point() {
    const SparseRows& r = system_->delassus();
    for (int sweep = 0; sweep < options_.max_sweeps; ++sweep) {
      double change = 0;
      for (Index i = 0; i < friction_.size(); ++i) {
        double rate = drift_[i];
        for (SparseRows::InnerIterator e(r, i); e; ++e)
          if (e.col() != i) rate += e.value() * friction_[e.col()];
        const double f = law_(slip_[i], -rate / system_->delassus_diagonal(i), system_->limits()[i]);
        change += std::abs(f - friction_[i]);
        friction_[i] = f;
      }
      if (change <= tolerance_) return;
    }
    ++not_converged_;
  }

  void partition() {
    const SparseRows& r = system_->delassus();
    const Index m = friction_.size();
    for (Index i = 0; i < m; ++i) {
      const double limit = system_->limits()[i];
      const bool near = std::abs(slip_[i]) <= half_width_;
      near_.mask[static_cast<std::size_t>(i)] = near;
      friction_[i] = near ? 0 : slip_[i] > 0 ? -limit : slip_[i] < 0 ? limit : slip_[i];
    }
    for (Index i = 0; i < m; ++i) {
      near_.x[i] = near_.residual[i] = 0;
      if (!near_.mask[static_cast<std::size_t>(i)]) continue;
      double rate = drift_[i];
      for (SparseRows::InnerIterator e(r, i); e; ++e) rate += e.value() * friction_[e.col()];
      near_.residual[i] = -rate;
    }
    near_.solve(r);
    for (Index i = 0; i < m; ++i)
      if (near_.mask[static_cast<std::size_t>(i)]) friction_[i] = law_(slip_[i], near_.x[i], system_->limits()[i]);
  }

  // q̇ without slip in the band: q̇ = u - M⁻¹W R22⁻¹ γ2. The mask is that of the partition; γ there becomes 0.
  void freeze(double* dq) {
    for (Index i = 0; i < friction_.size(); ++i) {
      near_.mask[static_cast<std::size_t>(i)] = std::abs(slip_[i]) < half_width_;
      near_.x[i] = 0;
      near_.residual[i] = near_.mask[static_cast<std::size_t>(i)] ? slip_[i] : 0;
    }
    near_.solve(system_->delassus());
    added_.setZero();
    system_->add_contact_forces(near_.x.data(), added_.data());
    system_->apply_inverse_mass(added_.data(), spare_.data());
    for (Index i = 0; i < system_->dofs(); ++i) dq[i] -= added_[i];
    system_->along_contacts(dq, slip_.data());
    slip_ -= surface_;
  }

  Law law_;
  BalanceOptions options_;
  bool coupled_ = false;
  double tolerance_ = 0;
  VectorX drift_, surface_, surface_rate_, spare_, added_;
  MaskedSolver near_;
};

}  // namespace

AxialRate::AxialRate(const AxialSystem& system, const RegularizedCoulomb& law, bool frozen)
    : system_(&system),
      form_(law),
      half_width_(law.half_width()),
      frozen_(frozen),
      friction_(VectorX::Zero(system.contact_count())) {}

double AxialRate::longest_step() const {
  double longest = ContactRate::longest_step();
  if (system_->rate_bound() > 0) longest = std::min(longest, 1 / system_->rate_bound());
  if (system_->drive_frequency() > 0) longest = std::min(longest, 0.05 / system_->drive_frequency());
  return longest;
}

void AxialRate::warn_of_step(double step, std::vector<std::string>& warnings) const {
  const StepLimits limits = rk4_step_limits(*system_, form_);
  if (step > limits.elastic)
    warnings.push_back(
        fmt::format("step {:g} is above {:.4g}, the guaranteed stability limit of RK4 for this system without friction",
                    step, limits.elastic));
  if (step > limits.ramp)
    warnings.push_back(
        fmt::format("step {:g} is above {:.4g}, the stability limit of RK4 on the ramp of {} with epsilon = {:g}: "
                    "friction may chatter; use a shorter step or a larger epsilon",
                    step, limits.ramp, form_.name(), form_.epsilon()));
}

void AxialRate::look(double t, const VectorX& y) {
  spare_.resize(y.size());
  (*this)(t, y.data(), spare_.data());
}

bool AxialRate::all_stick(const VectorX& y) const {
  for (Index i = 0; i < friction_.size(); ++i)
    if (!sticks(i, y)) return false;
  return friction_.size() > 0;
}

void AxialRate::add_contacts(const VectorX& y, std::vector<double>& row) const {
  for (Index i = 0; i < friction_.size(); ++i)
    row.insert(row.end(),
               {friction_[i], slip(i, y), static_cast<double>(sticks(i, y) ? ContactMode::stick : ContactMode::slip)});
}

std::unique_ptr<AxialRate> make_axial_rate(const AxialSystem& system, const RegularizedCoulomb& law,
                                           const BalanceOptions& options) {
  if (system.has_static_limits())
    throw InvalidInput("regularised laws have one friction limit; static limits need the event-driven integrator");
  if (options.freeze_band && law.kind() != Regularization::karnopp)
    throw InvalidInput("freeze_band is Karnopp's scheme; it needs the law karnopp");
  return law.visit([&](const auto& force) -> std::unique_ptr<AxialRate> {
    if (options.rule == BalanceRule::fixed_point && !std::decay_t<decltype(force)>::kContinuous)
      throw InvalidInput("balance fixed-point: the law " + std::string(law.name()) +
                         " jumps; use partition, or remove balance");
    return std::make_unique<AxialRateOf<std::decay_t<decltype(force)>>>(system, force, law, options);
  });
}

StepLimits rk4_step_limits(const AxialSystem& system, const RegularizedCoulomb& law) {
  StepLimits limits;
  if (system.rate_bound() > 0) limits.elastic = 2 * std::sqrt(2.0) / system.rate_bound();
  if (const double decay = law.ramp_slope() * system.friction_rate(); decay > 0) limits.ramp = kRk4RealAxis / decay;
  return limits;
}

}  // namespace slipset::internal
