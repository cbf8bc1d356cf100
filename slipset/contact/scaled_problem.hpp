// A contact problem prepared for the solvers of many contacts.      docs/theory/contact.md
// An associated law with an ellipse (or a disk) as its set is Coulomb's law with coefficient one in other tangential
// coordinates: with E = L B, B the unit disk, p_T = L p̃_T and ũ_T = Lᵀ u_T turn W into TᵀW T and q into Tᵀq, T =
// diag(1, L) for each contact (C.8). Other laws keep their coordinates.
#pragma once

#include <cstdint>
#include <optional>

#include "slipset/contact/contact_problem.hpp"

namespace slipset {

enum class LawKind : std::uint8_t { frictionless, unit_disk, general };

struct ScaledContact {
  LawKind kind = LawKind::frictionless;
  const ContactLaw* law = nullptr;       // where kind is general
  double factor = 1;                     // of its reservoir
  double inner = 0;                      // radius of a disk inside it, with the factor
  std::optional<double> normal_impulse;  // given
  Vec2 last_slip = Vec2::Zero();
  Mat2 tangential = Mat2::Identity();  // L
};

ScaledContact scaled_contact(const ContactPoint& point);

struct ScaledProblem {
  explicit ScaledProblem(const ContactProblem& problem);

  Eigen::VectorXd scaled_impulse(const Eigen::VectorXd& p) const;
  Eigen::VectorXd impulse(const Eigen::VectorXd& scaled) const;

  BlockDelassus delassus;
  Eigen::VectorXd free_velocity;
  std::vector<ScaledContact> contacts;
};

// One contact with block G and velocity c without its own impulse: p, and u = G p + c, with the contact's laws.
struct LocalBlock {
  explicit LocalBlock(const Mat3& g);
  Mat3 g, inverse;  // inverse: of the symmetric or unsymmetric block; NaN if it is singular
  double mobility;  // tr(G)/3
};

struct LocalState {
  Vec3 impulse = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
  Vec2 ray = Vec2::Zero();  // of the resistance while it slips; the first guess of the next solution
  ContactMode mode = ContactMode::none;
};

// `accuracy`: of the slip direction [rad]. False if there is no solution (Painlevé); the state is then as before.
bool solve_block(const ScaledContact& contact, const LocalBlock& block, const Vec3& c, double accuracy,
                 LocalState& state);

// At a slip state: resistance s on the boundary, and its Jacobian with the slip velocity.
struct SlipLinearization {
  Vec2 resistance;
  Mat2 jacobian;
};
SlipLinearization linearize_slip(const ScaledContact& contact, const LocalState& state);

}  // namespace slipset
