#include "slipset/dynamics/line_stepper.hpp"

#include <algorithm>

namespace slipset {
namespace {

using Eigen::Index;

class Rk4Stepper final : public LineStepper {
 public:
  Rk4Stepper(LineRate& rate, const VectorX& y) : rate_(&rate), rk4_(y.size()), k_(y) { y_ = y; }

  bool advance(double t, double to) override {
    y_.swap(rk4_.step(*rate_, t, to - t, y_));
    return true;
  }
  std::optional<double> dissipated_at(double t, double to) override {
    const VectorX& after = rk4_.step(*rate_, t, to - t, y_);
    return after[after.size() - 2];
  }
  void look(double t) override { (*rate_)(t, y_.data(), k_.data()); }
  double friction(Index i) const override { return rate_->friction()[i]; }
  double slip(Index i) const override { return rate_->slip(i, y_); }

 private:
  LineRate* rate_;
  Rk4 rk4_;
  VectorX k_;
};

// q_M = q_B + u_B h/2;  M(u_E - u_B) = h F_M + W P;  γ_E = Wᵀu_E - χ_M;  |P| ≤ hL, P = -hL sgn γ_E in slip.
// [WL19 19, 20]
class LineMoreauStepper final : public LineStepper {
 public:
  LineMoreauStepper(const LineSystem& system, const VectorX& y) : system_(&system) {
    y_ = kept_ = y;
    const Index n = system.dofs(), m = system.contacts();
    force_ = spare_ = middle_ = mean_ = VectorX::Zero(n);
    slip_ = surface_ = impulse_ = friction_ = VectorX::Zero(m);
    for (Index i = 0; i < m; ++i) largest_ = std::max(largest_, system.static_limit(i));
  }

  bool advance(double t, double to) override {
    step(t, to - t);
    return true;
  }
  std::optional<double> dissipated_at(double t, double to) override {
    kept_ = y_;
    step(t, to - t);
    y_.swap(kept_);
    return kept_[kept_.size() - 2];
  }
  void look(double) override {}
  double friction(Index i) const override { return friction_[i]; }
  double slip(Index i) const override { return slip_[i]; }
  void add_statistics(LineReport& report) const override { report.not_converged += not_converged_; }

 private:
  void step(double t, double h) {
    const Index n = system_->dofs();
    auto q = y_.head(n), u = y_.segment(n, n);
    const double middle = t + h / 2;
    middle_ = q + h / 2 * u;
    system_->external_force(middle, force_.data());
    if (!system_->stiffness().is_zero()) system_->stiffness().subtract_product(middle_.data(), force_.data());
    mean_ = u;
    if (!system_->damping().is_zero()) system_->damping().subtract_product(mean_.data(), force_.data());
    system_->apply_inverse_mass(force_.data(), spare_.data());
    u += h * force_;
    surface_.setZero();
    for (const TimeFunctionAt& s : system_->surfaces()) surface_[s.index] += s.function.rate(middle);
    mean_ = u;
    system_->along_contacts(mean_.data(), slip_.data());
    slip_ -= surface_;
    find_impulses(h);
    force_.setZero();
    system_->add_contact_forces(impulse_.data(), force_.data());
    system_->apply_inverse_mass(force_.data(), spare_.data());
    // Energies with the mean velocity, of which u_B is the part before this step: u_B = (q_M - q_B)·2/h.
    mean_ = 0.5 * (u + force_ + 2 / h * (middle_ - q));
    u += force_;
    q = middle_ + h / 2 * u;
    system_->along_contacts(mean_.data(), friction_.data());
    y_[2 * n] -= impulse_.dot(friction_ - surface_);
    y_[2 * n + 1] += impulse_.dot(surface_) + h * system_->input_power(middle, middle_.data(), mean_.data());
    friction_ = impulse_ / h;
  }

  // γ = γ_free + R P with each P_i in its interval; γ overwrites γ_free.
  void find_impulses(double h) {
    const Index m = system_->contacts();
    if (system_->is_direct()) {
      for (Index i = 0; i < m; ++i) {
        const double r = system_->delassus_diagonal(i);
        impulse_[i] = cut(-slip_[i] / r, h * system_->limits()[i]);
        slip_[i] = std::abs(impulse_[i]) < h * system_->limits()[i] ? 0 : slip_[i] + r * impulse_[i];
      }
      return;
    }
    const SparseRows& r = system_->delassus();
    bool done = false;
    for (int sweep = 0; sweep < 2000 && !done; ++sweep) {
      double change = 0;
      for (Index i = 0; i < m; ++i) {
        double rate = slip_[i];
        for (SparseRows::InnerIterator e(r, i); e; ++e)
          if (e.col() != i) rate += e.value() * impulse_[e.col()];
        const double p = cut(-rate / system_->delassus_diagonal(i), h * system_->limits()[i]);
        change += std::abs(p - impulse_[i]);
        impulse_[i] = p;
      }
      done = change <= 4e-15 * h * largest_;
    }
    not_converged_ += !done;
    for (Index i = 0; i < m; ++i) {
      if (std::abs(impulse_[i]) < h * system_->limits()[i]) {
        slip_[i] = 0;
        continue;
      }
      for (SparseRows::InnerIterator e(r, i); e; ++e) slip_[i] += e.value() * impulse_[e.col()];
    }
  }

  const LineSystem* system_;
  VectorX kept_, force_, spare_, middle_, mean_, slip_, surface_, impulse_, friction_;
  double largest_ = 0;
  long not_converged_ = 0;
};

}  // namespace

std::unique_ptr<LineStepper> make_rk4_stepper(LineRate& rate, const VectorX& y) {
  return std::make_unique<Rk4Stepper>(rate, y);
}

std::unique_ptr<LineStepper> make_moreau_stepper(const LineSystem& system, const VectorX& y) {
  if (system.has_static_limits())
    throw InvalidInput("moreau: static limits above the kinetic ones need the event-driven integrator");
  return std::make_unique<LineMoreauStepper>(system, y);
}

}  // namespace slipset
