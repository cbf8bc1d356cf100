// What all solvers of many contacts share: the scaled problem, the contacts' local solutions, sweeps and errors.
// docs/theory/contact.md
#pragma once

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/sweep_order.hpp"
#include "slipset/contact/sweeps.hpp"

namespace slipset {

// The problem, and its proximal form with W + ρ(TTᵀ)⁻¹ and q − ρ T⁻ᵀ·centre, T the contacts' scalings: ρI in scaled
// coordinates. Impulses and velocities are not scaled, so that the matrix is not copied.                         (C.10)
class ContactWork : public Sweeps {
 public:
  // From `guess` if its size fits and it is finite, else from no impulses.
  ContactWork(const ContactProblem& problem, const ContactOptions& options, const Eigen::VectorXd& guess = {});

  std::size_t size() const { return contacts.size(); }
  const BlockDelassus& delassus() const { return given.delassus; }
  // Blocks TᵀW_ii T + ρI; the centre is in scaled coordinates.
  void set_proximal(double rho, const Eigen::VectorXd& centre);

  int sweep(double accuracy, bool backward = false) override;
  double error() override;  // without ρ; sets `velocity`
  // The local solutions S_i(c_i) of all contacts at the impulses x, into `states`; `velocity` is W x + q. Returns |G(x
  // − S)|, infinite if one has no solution, in scaled coordinates. (C.11)
  double local_map(const Eigen::VectorXd& x, Eigen::VectorXd& velocity, std::vector<LocalState>& states) const;

  // Of contact i in scaled coordinates: its impulse, and its velocity with the part of ρ.
  Vec3 scaled_impulse(std::size_t i, const Eigen::VectorXd& x) const;
  Vec3 scaled_velocity(std::size_t i, const Vec3& scaled_impulse, const Eigen::VectorXd& velocity) const;
  Eigen::VectorXd scaled_impulses(const Eigen::VectorXd& x) const;

  const ContactProblem& given;
  const ContactOptions& options;
  std::vector<ScaledContact> contacts;
  std::vector<LocalBlock> blocks;
  std::vector<LocalState> states;
  Eigen::VectorXd velocity;
  double mobility = 0;  // mean of the contacts', scaled [velocity over impulse]
  double rho = 0;
  double work = 0;  // products of a block and a vector so far, and what takes as long: the measure of cost

 private:
  bool solve_one(std::size_t contact, double accuracy);
  double full_error_here();
  double residual_here();

  Eigen::VectorXd centre_;  // scaled; empty where ρ = 0
  SweepOrder order_;
};

}  // namespace slipset
