// What all solvers of many contacts share: the scaled problem, the contacts' local solutions, sweeps and errors.
// docs/theory/contact.md
#pragma once

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/scaled_problem.hpp"

namespace slipset {

// Contacts in an order in which neighbours of one colour do not touch: those of one colour can be solved at the same
// time, and the result does not depend on how many threads do it.                                            (C.9)
struct SweepOrder {
  std::vector<std::uint32_t> order;        // of the contacts
  std::vector<std::size_t> colour_starts;  // in `order`; empty: one after the other, in the order of the contacts

  SweepOrder() = default;
  explicit SweepOrder(const BlockDelassus& w);
};

// The proximal problem W + ρI, q − ρ·centre; ρ = 0: the problem itself.                                     (C.10)
class ContactWork {
 public:
  ContactWork(const ContactProblem& problem, const ContactOptions& options);

  std::size_t contacts() const { return problem.contacts.size(); }
  // Blocks W_ii + ρI.
  void set_proximal(double rho, const Eigen::VectorXd& centre);

  // One sweep of Gauss-Seidel over `impulse`, slip directions solved to `accuracy` [rad]. Contacts without a solution
  // keep their impulse; how many is returned. `backward`: in the opposite order.
  int sweep(double accuracy, bool backward = false);
  // The local solutions S_i(c_i) of all contacts at the impulses x, into `states`; `velocity` is W x + q + ρ(x −
  // centre). Returns |G(x − S)|, infinite if one has no solution. (C.11)
  double local_map(const Eigen::VectorXd& x, Eigen::VectorXd& velocity, std::vector<LocalState>& states) const;
  // The error of `impulse` in the options' measure, without ρ; sets `velocity`.
  double error();

  const ContactProblem& given;
  const ContactOptions& options;
  ScaledProblem problem;
  std::vector<LocalBlock> blocks;
  std::vector<LocalState> states;
  Eigen::VectorXd impulse, velocity;  // scaled
  double mobility = 0;                // mean of the contacts' [velocity over impulse]
  double rho = 0;
  double map_accuracy = 1e-6;  // of slip directions in the local map [rad]
  double work = 0;             // products of a block and a vector so far, and what takes as long: the measure of cost

 private:
  void solve_one(std::size_t contact, double accuracy, int& unsolved);

  Eigen::VectorXd centre_;
  SweepOrder order_;
  bool parallel_ = false;
};

}  // namespace slipset
