// Semismooth Newton for many contacts, inside proximal steps.      docs/theory/contact.md
// A proximal step solves the problem with W + ρI and q − ρ r_k, which is regular where W is not, and takes its solution
// as r_{k+1}; fixed points are solutions for any ρ (C.10). The way along nearly undetermined impulses is long and
// hardly bends: r_k is extrapolated from the steps before, by (j − 1)/(j + 2) of the last one in the j-th of a run.
// Each is solved by Newton's method for r_i = S_i(c_i), the exact local solutions as functions of the other contacts'
// impulses (C.11): no projection, no parameter, any pair of sets.
#pragma once

#include "slipset/contact/block_lu.hpp"
#include "slipset/contact/contact_work.hpp"

namespace slipset {

class ProximalNewton {
 public:
  ProximalNewton(ContactWork& work, BlockLu& factors);

  struct Step {
    int iterations;  // of Newton
    bool solved;     // to the share that a proximal step asks for
  };
  // One proximal step from work.impulse, which it replaces. The next step's ρ follows from how hard this one was.
  Step step();

 private:
  bool direction();  // Newton's, from x_; false if the matrix is singular
  bool advance(double& merit);
  void note(double merit);  // keeps the best x_
  void choose_next(const Step& result, int repairs);

  ContactWork& work_;
  BlockLu& factors_;
  BlockDelassus jacobian_;
  Eigen::VectorXd x_, u_, trial_, trial_u_, step_, best_;
  Eigen::VectorXd last_, centre_;
  int run_ = 0;  // proximal steps that went on in one direction
  std::vector<LocalState> trial_states_;
  double rho_ = 1e-2;                   // over the mean mobility [-]
  double least_ = INFINITY;             // merit, of best_
  int since_ = 0;                       // iterations without a smaller merit
  int careful_ = 0, next_careful_ = 1;  // proximal steps
};

}  // namespace slipset
