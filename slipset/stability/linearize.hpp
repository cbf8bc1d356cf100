// Steady sliding of a mechanical system and its linearisation.        docs/theory/stability.md
// Steady: u = 0 and every contact slips with γ = -χ,
//   h(q, 0) + Σ ( w_N λ_N - W_T λ_N s(-χ) ) = 0,   gap = 0 where unilateral                                (B.4)
// Near it, with B and K as sums of named terms,
//   M q̈ + B q̇ + K q = Σ ( w_N - W_T s ) δλ_N,   w_Nᵀ q̈ = 0                                        [WL19 85] (B.5)
// or, with LuGre, without the terms of ∂s/∂γ and with the bristles' force -λ_N W_T (σ0 z + σ1 ż) and (B.3).
#pragma once

#include <algorithm>

#include "slipset/laws/lugre.hpp"
#include "slipset/systems/system.hpp"

namespace slipset {

struct LinearizeOptions {
  std::optional<LuGre> lugre;    // of every contact; empty: the law follows the slip velocity at once
  std::optional<VectorX> guess;  // of the position of steady sliding; zeros if empty
  double tolerance = 1e-12;      // of the residual of (B.4), over the size of the forces
  int max_iterations = 50;       // of Newton's method
  bool with_terms = true;        // else only their sums: for scans
};

// Which mechanism of self-excitation, or of damping, a term belongs to.
enum class Mechanism {
  structure,       // -∂h/∂u, -∂h/∂q: dampers, springs, gyroscopic forces
  anisotropy,      // λ_N W_T ∂s/∂γ W_Tᵀ without rate dependence
  characteristic,  // λ_N W_T f'(|γ|) s γ̂ᵀ W_Tᵀ: friction that falls or rises with the slip speed
  viscous,         // λ_N W_T σ2 W_Tᵀ of LuGre
  normal_speed,  // W_T s ∂λ_N/∂u: a normal force that depends on the velocity; of a unilateral contact, the reaction's
  mode_coupling,  // W_T s ∂λ_N/∂q: a normal force that depends on the position; likewise
  follower,       // λ_N ∂W_T/∂q s, -λ_N ∂w_N/∂q: a force that turns with the motion
  surface,        // -λ_N W_T ∂s/∂γ ∂χ/∂q: a surface whose velocity depends on the position
  bristles,       // of LuGre; in place of anisotropy, characteristic and surface
};
const char* name_of(Mechanism mechanism);

struct LinearTerm {
  std::size_t contact;  // its number; that of no contact: the structure
  Mechanism mechanism;
  MatrixX damping;    // part of B
  MatrixX stiffness;  // part of K
};

struct SlidingContact {
  Vec2 slip_velocity;
  double normal_force;
  Vec2 resistance;                      // s, with σ2 γ of LuGre
  std::optional<Mat2> slip_jacobian{};  // ∂s/∂γ; empty where it does not exist
  bool keeps_normal_force = false;      // λ_N depends neither on q nor on u
  // w_NᵀM⁻¹(w_N - W_T s) of a unilateral contact [1/kg]. Below 0 (Painlevé) the contact may as well open: the motion is
  // not unique.
  std::optional<double> normal_mobility{};
};

// Near steady sliding a contact's ż = by_slip (W_Tᵀu + slip_by_position q) + by_deflection z.
struct BristleBlock {
  std::size_t contact;
  std::vector<Eigen::Index> axes;  // of z that the contact has: one for a contact that moves along one axis
  Mat2 by_slip, by_deflection;
  Eigen::Matrix2Xd slip_by_position;  // ∂γ/∂q
};

struct SteadyReport {
  bool converged = false;
  int iterations = 0;
  double residual = std::numeric_limits<double>::quiet_NaN();  // of (B.4), over the size of the forces
  std::string why;                                             // it did not converge
};

struct LinearSliding {
  SteadyReport report;
  VectorX position;  // q of steady sliding
  std::vector<SlidingContact> contacts;
  std::vector<Eigen::MatrixX2d> tangents;
  MatrixX mass, damping, stiffness;  // M, B, K with the law at once, whether or not there are bristles
  std::vector<LinearTerm> terms;     // whose sums are B and K
  std::vector<BristleBlock> bristles;
  std::optional<LuGre> lugre;
  MatrixX closed, reactions;  // columns w_N and w_N - W_T s of the unilateral contacts
  MatrixX free;               // columns span the motions with the contacts closed; q = free y
  MatrixX system;             // ẋ = system x, x = (y, ẏ, z)

  bool is_constrained() const { return closed.cols() > 0; }
  // Some contact may as well open.
  bool is_painleve() const {
    return std::any_of(contacts.begin(), contacts.end(),
                       [](const SlidingContact& c) { return c.normal_mobility && *c.normal_mobility <= 0; });
  }
};

// Throws InvalidInput unless the system has contacts, all of which slide by two sets and are rigid.
void require_sliding_laws(const System& system);

// Throws InvalidInput for a system that depends on time or has no contact that slips, for contacts that are elastic or
// do not slide by two sets, where the law has no derivative (a flat side of D, a corner of C), and where the accelerations of closed contacts are not determined (Painlevé).
// Where Newton's method fails the report says so, and the rest is empty.
LinearSliding linearize_sliding(const System& system, const LinearizeOptions& options = {});

}  // namespace slipset
