// Eigenvalues and mode shapes of steady sliding, and which terms supply energy.    docs/theory/stability.md
//   x = Re(x̂ e^{λt}),  λ = σ + iω: growth rate σ, frequency ω
// Each term's force does work on the mode; its part of the growth rate is
//   σ_k = -Re( ûᴴB_k û + ûᴴK_k,skew û/λ ) / ( ûᴴMû + ûᴴK_sym û/|λ|² ),   Σ σ_k = σ                         (B.6)
// and its work per cycle over the mean energy of the cycle is 4π σ_k/ω.
#pragma once

#include <complex>
#include <memory>
#include <optional>

#include "slipset/stability/linearize.hpp"

namespace slipset {

struct Mode {
  std::complex<double> value;  // λ [1/s]
  Eigen::VectorXcd state;      // x̂, of unit length
  Eigen::VectorXcd shape;      // q̂, of unit length, its largest component real and positive; empty if q̂ = 0
  double condition = 0;        // |x||y|/|yᴴx|: how far rounding errors move λ
  double rounding = 0;         // of λ, estimated [1/s]

  double growth_rate() const { return value.real(); }
  double frequency() const { return std::abs(value.imag()); }  // [rad/s]
  std::optional<double> damping_ratio() const {                // -σ/|λ|; empty for λ = 0
    return value == 0.0 ? std::nullopt : std::optional(-value.real() / std::abs(value));
  }
  bool grows() const { return value.real() > rounding; }
  bool is_marginal() const { return std::abs(value.real()) <= rounding; }
};

// Largest real part first; of a pair the positive imaginary part first. λ is refined with residuals in long double.
std::vector<Mode> modes_of(const LinearSliding& sliding);

// The same bits in the same order, without what a scan does not need; asks for memory only when the size changes.
class ModeSolver {
 public:
  ModeSolver();
  ~ModeSolver();
  void compute(const MatrixX& system);
  Eigen::Index size() const { return values_.size(); }
  const Eigen::VectorXcd& values() const { return values_; }
  const Eigen::MatrixXcd& states() const { return states_; }  // columns x̂, of unit length
  const VectorX& conditions() const { return conditions_; }
  const VectorX& roundings() const { return roundings_; }

 private:
  struct Work;
  std::unique_ptr<Work> work_;
  Eigen::MatrixXcd states_;
  Eigen::VectorXcd values_;
  VectorX conditions_, roundings_;
};
// λ only, in no order: for scans.
Eigen::VectorXcd eigenvalues_of(const LinearSliding& sliding);

// Whether a mode with that rounding tells anything of the structure: below a tenth of √(|K|/|M|). Dampers and bristles
// of great speed hide the slower modes in their rounding.
bool is_resolved(const LinearSliding& sliding, double rounding);

// No mode grows. Modes that neither grow nor decay, to rounding, count as stable.
bool is_stable(const std::vector<Mode>& modes);

struct Contribution {
  std::size_t contact;  // that of no contact: the structure
  Mechanism mechanism;
  double growth;          // σ_k [1/s]
  double work_per_cycle;  // over the mean energy of the cycle [-]; NaN without oscillation
};
// Largest first. Needs the terms. Empty for a mode without motion (λ = 0 or of the bristles alone).
std::vector<Contribution> contributions(const LinearSliding& sliding, const Mode& mode);

}  // namespace slipset
