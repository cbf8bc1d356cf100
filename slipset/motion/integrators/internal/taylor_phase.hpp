// One phase of the exact motion of an axial system: which contacts stick, and the Taylor series that follow.
//                                                                     docs/theory/regularized.md, (R.10)
// Series are in τ = (t - t0)/H, 0 ≤ τ ≤ 1: coefficient k is the k-th derivative times Hᵏ/k!.
#pragma once

#include <Eigen/SparseCholesky>

#include "slipset/systems/axial_system.hpp"

namespace slipset::internal {

class TaylorPhase {
 public:
  static constexpr int kTerms = 25;

  TaylorPhase(const AxialSystem& system, double longest);

  double length() const { return h_; }                                           // H [s]
  int mode(Eigen::Index i) const { return mode_[static_cast<std::size_t>(i)]; }  // 0 stick, else direction of slip
  void set_mode(Eigen::Index i, int mode) { mode_[static_cast<std::size_t>(i)] = mode; }

  // To be called when modes have changed, before project() and expand(). Throws InvalidInput if the sticking contacts
  // depend on each other.
  void factorise();
  // Takes the rounding errors of the slip out of the sticking contacts.
  void project(double t, VectorX& u);
  // The series from a state.
  void expand(double t, const VectorX& q, const VectorX& u);

  double slip(Eigen::Index i, int k) const { return slip_series(i)(i, k); }
  double force(Eigen::Index i, int k) const { return force_(i, k); }  // of friction, on the body
  void position_at(double tau, VectorX& q) const { horner(q_, tau, q); }
  void velocity_at(double tau, VectorX& u) const { horner(u_, tau, u); }
  double slip_at(Eigen::Index i, double tau) const { return horner(slip_series(i), i, tau); }
  double force_at(Eigen::Index i, double tau) const { return horner(force_, i, tau); }
  // Energies from τ = 0 on [J].
  double dissipated_to(double tau) const { return integral(heat_, tau); }
  double input_to(double tau) const { return integral(power_, tau); }

  // Slip velocities at a state.
  void slip_of(double t, const VectorX& u, VectorX& slip) const;
  // What the terms of the force on each contact add up to before they cancel [N].
  void force_scale(double t, const VectorX& q, const VectorX& u, VectorX& scale) const;

 private:
  using Terms = Eigen::Matrix<double, 1, kTerms>;
  const MatrixX& slip_series(Eigen::Index) const { return system_->is_direct() ? u_ : slip_; }
  void expand_energy();
  void add_product(const Terms& a, const Terms& b, double factor);
  static void horner(const MatrixX& series, double tau, VectorX& out);
  static double horner(const MatrixX& series, Eigen::Index row, double tau);
  double integral(const VectorX& rate, double tau) const;
  void solve_stick();

  const AxialSystem* system_;
  double h_;
  std::vector<int> mode_;
  std::vector<Eigen::Index> stick_;  // sticking contacts, for systems that are not direct
  Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>> factor_;
  VectorX stick_rhs_;
  SparseMatrix damping_;
  MatrixX q_, u_, slip_, force_;  // series, one row per coordinate or contact
  // Series of the given time functions, one row each: of drives the displacement and its rate.
  MatrixX forces_, surfaces_, surface_rates_, drives_, drive_rates_;
  VectorX heat_, power_;  // series of the powers [W]
  VectorX a_, spare_, contact_;
};

}  // namespace slipset::internal
