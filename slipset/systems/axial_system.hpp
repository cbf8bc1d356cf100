// A linear system with dry friction contacts, each along one line.    docs/theory/regularized.md
//   M q̈ + D q̇ + K q = F(t) + W f,    γ = Wᵀq̇ - χ(t),    χ = ds/dt                             (R.2)
//   |f_i| ≤ L_i at rest (or a larger static limit),    f_i = -L_i sgn γ_i in slip                [Q04 1]
// F and the displacements s of the surfaces are sums of a constant, a ramp and a sine. Sizes: n coordinates, m
// contacts. Cost and memory are linear in n and in the nonzeros of K, D and W: a chain has three diagonals and one
// contact per block.
#pragma once

#include "slipset/systems/compact_matrix.hpp"

namespace slipset {

// constant + slope t + amplitude sin(frequency t + phase)
struct TimeFunction {
  double constant = 0, slope = 0, amplitude = 0;
  double frequency = 0;  // [rad/s]
  double phase = 0;      // [rad]

  double value(double t) const { return constant + slope * t + amplitude * std::sin(frequency * t + phase); }
  double rate(double t) const { return slope + amplitude * frequency * std::cos(frequency * t + phase); }
  double second_rate(double t) const { return -amplitude * frequency * frequency * std::sin(frequency * t + phase); }
  bool is_finite() const;
};

// A force on one coordinate [N], or the displacement of the surface of one contact [m].
struct TimeFunctionAt {
  Eigen::Index index = 0;
  TimeFunction function;
};

// A spring and a damper between a coordinate and a drive that moves as prescribed: force k(s - q) + c(ṡ - q̇). Both are
// part of K and D as well. What the spring stores is potential energy; the drive puts in its force times ṡ.     (R.8)
struct Drive {
  Eigen::Index index = 0;
  double stiffness = 0, damping = 0;  // k [N/m], c [N s/m]
  TimeFunction displacement;          // s [m]
};

struct AxialSystemParameters {
  VectorX mass;                        // diagonal of M [kg]
  MatrixX full_mass;                   // or all of M, for small systems; then `mass` is empty
  CompactMatrix stiffness, damping;    // K [N/m], D [N s/m]; zero if left out
  std::vector<TimeFunctionAt> forces;  // F, without those of drives
  std::vector<Drive> drives;
  SparseMatrix directions;               // W, n x m; empty: contact i holds coordinate i, m = n
  VectorX limits;                        // L [N], one per contact, 0 or more
  VectorX static_limits;                 // at rest [N]; empty: the same
  std::vector<TimeFunctionAt> surfaces;  // s; contacts without one are on ground at rest
  std::vector<std::string> coordinates;  // names for tables; empty: x1, x2, ...
};

class AxialSystem final : public System {
 public:
  // Throws InvalidInput for sizes that do not fit, numbers that are not finite, masses that are not positive and static
  // limits below the limits.
  explicit AxialSystem(AxialSystemParameters parameters);

  Eigen::Index dofs() const override { return inverse_mass_.size() > 0 ? inverse_mass_.size() : p_.full_mass.rows(); }
  Eigen::Index contact_count() const { return p_.limits.size(); }
  const CompactMatrix& stiffness() const { return p_.stiffness; }
  const CompactMatrix& damping() const { return p_.damping; }
  const std::vector<TimeFunctionAt>& forces() const { return p_.forces; }
  const std::vector<Drive>& drives() const { return p_.drives; }
  const std::vector<TimeFunctionAt>& surfaces() const { return p_.surfaces; }
  const VectorX& limits() const { return p_.limits; }
  double static_limit(Eigen::Index i) const { return (p_.static_limits.size() > 0 ? p_.static_limits : p_.limits)[i]; }
  bool has_static_limits() const { return p_.static_limits.size() > 0; }
  std::vector<std::string> coordinates() const override;
  std::vector<std::string> contact_names() const;  // contact, or contact1, contact2, ...

  // Contact i holds coordinate i against ground at rest, and M is diagonal: nothing couples the contacts but K and D.
  bool is_direct() const { return direct_; }
  bool has_diagonal_mass() const { return inverse_mass_.size() > 0; }
  const VectorX& inverse_mass() const { return inverse_mass_; }  // of a diagonal M
  const SparseMatrix& directions() const { return p_.directions; }
  // R = WᵀM⁻¹W: γ̇ = (slip acceleration without friction) + R f. Empty for direct systems, where it is diag(1/m).  (R.3)
  const SparseRows& delassus() const { return delassus_; }
  double delassus_diagonal(Eigen::Index i) const { return direct_ ? inverse_mass_[i] : delassus_diagonal_[i]; }

  // x = M⁻¹x; `spare` has n numbers.
  void apply_inverse_mass(double* x, double* spare) const;
  // F(t) into `out`, with that of the drives, k s + c ṡ.
  void external_force(double t, double* out) const;
  // Wᵀx into `out`, and out += W f.
  void along_contacts(const double* x, double* out) const;
  void add_contact_forces(const double* f, double* out) const;

  double kinetic_energy(const VectorX& u) const;
  double potential_energy(double t, const VectorX& q) const;  // ½ qᵀKq, springs to drives stretched by s - q
  double potential_energy(const VectorX& q) const override;   // throws InvalidInput where there are drives
  // Power of all forces that have no potential and are no friction: F, drives, dampers, the skew part of K [W].
  double input_power(double t, const double* q, const double* u) const;
  const std::vector<Eigen::Triplet<double>>& skew_stiffness() const { return skew_; }

  // A bound of the fastest rate in e^{λt} of the motion without friction [1/s].                           (R.4)
  double rate_bound() const { return rate_bound_; }
  // The largest decay rate that friction of slope 1 over the limit, per unit of 1/ε, adds: ‖R diag(L)‖ [m/s²].   (R.5)
  double friction_rate() const { return friction_rate_; }
  // Period of the first force, surface or drive with a sine [s]; 0 if there is none.
  double period() const override;
  double drive_frequency() const override;
  bool has_constant_mass() const override { return true; }
  std::unique_ptr<SystemStep> make_step() const override;
  double stable_step() const override { return rate_bound_ > 0 ? 2 / rate_bound_ : System::stable_step(); }
  // Its contacts are many and simple: they are not kept one by one, and evaluate() throws InvalidInput.
  const std::vector<SystemContact>& contacts() const override;
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;

 private:
  void check() const;
  void build_delassus();
  template <class Function>
  void each_sine(const Function& f) const;

  AxialSystemParameters p_;
  bool direct_ = false;
  VectorX inverse_mass_;
  MatrixX inverse_full_mass_;
  std::vector<Eigen::Triplet<double>> skew_;  // of K; a list, since it is mostly empty
  SparseRows delassus_;
  VectorX delassus_diagonal_;
  double rate_bound_ = 0, friction_rate_ = 0;
};

}  // namespace slipset
