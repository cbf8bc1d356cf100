// A structure of a finite element program whose contacts slide.                          docs/theory/structures.md
//   M_s ü + D_s u̇ + K_s u = loads + Σ ( N n - N T s(g + Tᵀu̇) ),   N = N0 - k n·u                          (F.11)
//   D_s = D + α M + β K + Σ c w^p A  (terms in D),   K_s = K + Σ c w^p A  (terms in K),   M_s likewise      (F.12)
// u = 0 is steady sliding: the loads balance N0 (n - T s(g)) at every contact, and are not asked for. n, t1 and
// t2 = n × t1 act on the three displacements of one node, T = [t1 t2].
// Plain data: a copy shares the matrices, so that a sweep or a derivative holds them once.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "slipset/contact/sparse.hpp"
#include "slipset/laws/lugre.hpp"

namespace slipset {

using SharedMatrix = std::shared_ptr<const SparseMatrix>;

enum class TermPlace { mass, damping, stiffness };

// c w^p A, with w the speed of the structure.
struct StructureTerm {
  std::string name;  // of the matrix
  SharedMatrix matrix;
  TermPlace place = TermPlace::damping;
  double coefficient = 1;  // c
  double power = 0;        // p
};

struct StructureContact {
  std::string name;
  std::array<Eigen::Index, 3> displacements;  // their numbers, from 0
  Vec3 normal;                                // n, from the surface into the body
  Vec3 first_tangent;                         // t1
  double stiffness = 0;                       // k [N/m], >= 0
  double preload = 0;                         // N0 [N], >= 0
  Vec2 slip = Vec2::Zero();                   // g: velocity of the body against the surface along t1, t2 [m/s], not 0
  std::size_t law = 0;                        // number in Structure::laws

  Eigen::Matrix<double, 3, 2> tangents() const;  // T
};

struct StructureLaw {
  std::string name;
  FrictionLaw law;
  std::optional<LuGre> lugre;
};

struct Structure {
  SharedMatrix mass, stiffness, damping;  // M, K, D; D may be null
  double rayleigh_mass = 0;               // α [1/s]
  double rayleigh_stiffness = 0;          // β [s]
  double speed = 1;                       // w [rad/s]; of the terms
  std::vector<StructureTerm> terms;
  std::vector<StructureContact> contacts;
  std::vector<StructureLaw> laws;
  // On all contacts at once, for sweeps and derivatives [-].
  double friction_factor = 1;   // on every reservoir
  double stiffness_factor = 1;  // on every k
  double preload_factor = 1;    // on every N0

  Eigen::Index dofs() const;
  double factor_of(const StructureTerm& term) const;  // c w^p
  SparseMatrix whole_mass() const;                    // M_s
};

// The checks at the door. Each throws InvalidInput that says what was found, where in the matrix or table, and what to
// do; the caller adds the file.
// Square, finite, symmetric to rounding, positive definite (by a sparse Cholesky factorisation up to so many rows, above
// that by the diagonal alone).
constexpr Eigen::Index kMostFactorisedMass = 100000;
void require_mass(const SparseMatrix& mass);
// Finite, and of the size of M.
void require_size(const SparseMatrix& matrix, Eigen::Index dofs);
// The contact with n and t1 of exactly unit length and orthogonal, which they must be to 1e-6.
StructureContact checked(const StructureContact& contact, Eigen::Index dofs);
// All of it. Contacts are replaced by what `checked` returns.
void require_valid(Structure& structure);
// The law of a contact, with the friction factor.
FrictionLaw law_with_factor(const FrictionLaw& law, double friction_factor);

}  // namespace slipset
