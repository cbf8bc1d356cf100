// Steady sliding of a structure, linearised.                                             docs/theory/structures.md
//   M ü + (D_s + Σ D_c) u̇ + (K_s + Σ K_c) u = 0,   D_c = N0 T ∂s/∂g Tᵀ,   K_c = k (n - T s) nᵀ            (F.13)
// With LuGre s + σ2 g is in place of s in K_c, and D_c acts through the bristles z, two massless rows a contact:
//   D_c = N0 (σ1 T B Tᵀ + σ2 T Tᵀ),  K_cz = N0 T (σ0 + σ1 A),   ż - B Tᵀu̇ - A z = 0                       (F.14)
// with δż = B Tᵀδu̇ + A δz of (B.3). The contacts stay small blocks beside the large matrices: sweeps, contributions and
// derivatives touch only these.
#pragma once

#include "slipset/stability/modes.hpp"
#include "slipset/stability/spectrum.hpp"
#include "slipset/systems/structure.hpp"

namespace slipset {

// One contact's part, in the order (three displacements, two bristles). Without bristles the last two rows are zero.
struct ContactBlock {
  using Block = Eigen::Matrix<double, 5, 5>;
  using Shape = Eigen::Matrix<std::complex<double>, 5, 1>;

  std::array<Eigen::Index, 5> rows;                    // numbers of the unknowns
  int size = 3;                                        // 5 with bristles
  Mat3 spring;                                         // k n nᵀ, of K
  Mat3 coupling;                                       // -k T r nᵀ, of K: mode coupling
  Mat3 turning, falling, viscous;                      // of D: anisotropy, characteristic, σ2
  Eigen::Matrix<double, 3, 2> by_deflection, by_rate;  // the bristles' force over z and ż: N0 σ0 T, N0 σ1 T
  Block damping, stiffness;                            // of the problem

  Shape shape(const Eigen::VectorXcd& x) const;  // x at these rows
};

struct StructureSliding {
  Structure structure;               // shares the matrices
  std::vector<double> term_factors;  // c w^p
  std::vector<ContactBlock> contacts;
  Eigen::Index unknowns = 0;  // displacements, then bristles

  // All of it as one problem of sparse matrices.
  QuadraticProblem problem() const;
};

// Throws InvalidInput where the law has no derivative at the contact's slip velocity: a flat side of D, a corner of C.
void require_derivative(const StructureContact& contact, const FrictionLaw& law);
// The structure must be valid. Throws InvalidInput, naming the contact, where its law has no derivative.
StructureSliding linearize_structure(const Structure& structure);
constexpr Eigen::Index kMostHeld = 20000;
// Throws InvalidInput if K is singular: a motion that nothing holds, so that steady sliding is not determined. By a
// sparse factorisation; problems of more than kMostHeld unknowns are not looked at.
void require_held(const QuadraticProblem& problem);

// (B.6) for a structure: parts of the growth rate, contact by contact and mechanism by mechanism, largest first. Numbers
// of contacts beyond the last: the structure (D, rayleigh, the skew part of K), then each term. Empty for a mode without
// motion, or whose kinetic and elastic energy cancel, as in divergence without damping.
std::vector<Contribution> contributions(const StructureSliding& sliding, const Eigenpair& mode);

// How a contact moves in a mode whose largest displacement is one.
struct Participation {
  double normal;    // |n·û|: opens and closes
  Vec2 tangential;  // |t1·û|, |t2·û|
  double growth;    // sum of its contributions [1/s]
};
std::vector<Participation> participation(const StructureSliding& sliding, const Eigenpair& mode,
                                         const std::vector<Contribution>& parts);

}  // namespace slipset
