// What all solvers of many contacts share: the scaled problem, the contacts' local solutions, sweeps and errors.
// docs/theory/contact.md
#pragma once

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/scaled_contact.hpp"

namespace slipset {

// Contacts in an order in which neighbours of one colour do not touch: those of one colour can be solved at the same
// time, and the result does not depend on how many threads do it.                                            (C.9)
struct SweepOrder {
  std::vector<std::uint32_t> order;        // of the contacts
  std::vector<std::size_t> colour_starts;  // in `order`; empty: one after the other, in the order of the contacts

  SweepOrder() = default;
  explicit SweepOrder(const BlockDelassus& w);
};

// The problem, and its proximal form with W + ρ(TTᵀ)⁻¹ and q − ρ T⁻ᵀ·centre, T the contacts' scalings: ρI in scaled
// coordinates. Impulses and velocities are not scaled, so that the matrix is not copied.                         (C.10)
class ContactWork {
 public:
  ContactWork(const ContactProblem& problem, const ContactOptions& options);

  std::size_t size() const { return contacts.size(); }
  const BlockDelassus& delassus() const { return given.delassus; }
  // Blocks TᵀW_ii T + ρI; the centre is in scaled coordinates.
  void set_proximal(double rho, const Eigen::VectorXd& centre);

  // One sweep of Gauss-Seidel over `impulse`, slip directions solved to `accuracy` [rad]. Contacts without a solution
  // keep their impulse; how many is returned. `backward`: in the opposite order.
  int sweep(double accuracy, bool backward = false);
  // The local solutions S_i(c_i) of all contacts at the impulses x, into `states`; `velocity` is W x + q. Returns |G(x −
  // S)|, infinite if one has no solution, in scaled coordinates. (C.11)
  double local_map(const Eigen::VectorXd& x, Eigen::VectorXd& velocity, std::vector<LocalState>& states) const;
  // The error of `impulse` in the options' measure, without ρ; sets `velocity`.
  double error();

  // Of contact i in scaled coordinates: its impulse, and its velocity with the part of ρ.
  Vec3 scaled_impulse(std::size_t i, const Eigen::VectorXd& x) const;
  Vec3 scaled_velocity(std::size_t i, const Vec3& scaled_impulse, const Eigen::VectorXd& velocity) const;
  Eigen::VectorXd scaled_impulses(const Eigen::VectorXd& x) const;

  const ContactProblem& given;
  const ContactOptions& options;
  std::vector<ScaledContact> contacts;
  std::vector<LocalBlock> blocks;
  std::vector<LocalState> states;
  Eigen::VectorXd impulse, velocity;
  double mobility = 0;  // mean of the contacts', scaled [velocity over impulse]
  double rho = 0;
  double map_accuracy = 1e-6;  // of slip directions in the local map [rad]
  double work = 0;             // products of a block and a vector so far, and what takes as long: the measure of cost

 private:
  void solve_one(std::size_t contact, double accuracy, int& unsolved);
  double full_error_here();
  double residual_here();
  template <class Function>
  void in_pieces(Function&& f) const;

  Eigen::VectorXd centre_;  // scaled; empty where ρ = 0
  SweepOrder order_;
  bool parallel_ = false;
};

}  // namespace slipset
