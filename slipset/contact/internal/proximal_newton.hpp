// Semismooth Newton for many contacts, inside proximal steps.      docs/theory/contact.md
// A proximal step solves the problem with W + ρI and q − ρ r_k, which is regular where W is not, and takes its solution
// as r_{k+1}; fixed points are solutions for any ρ (C.10). The way along nearly undetermined impulses is long and
// hardly bends: r_k is extrapolated from the steps before, by (j − 1)/(j + 2) of the last one in the j-th of a run.
// Each is solved by Newton's method for r_i = S_i(c_i), the exact local solutions as functions of the other contacts'
// impulses: with the law's tangent B dp + A du = 0 at the local solution (p, v),
//   B (r − p) + A (u − v) = 0 for all contacts at once, u = (W + ρI) r + q − ρ r_k                               (C.11)
#pragma once

#include "slipset/contact/internal/block_lu.hpp"
#include "slipset/contact/internal/block_store.hpp"
#include "slipset/contact/internal/contact_sweeps.hpp"

namespace slipset::internal {

template <class Prepared>
class ProximalNewton {
 public:
  static constexpr int kRows = Prepared::kRows;
  using Vec = typename Prepared::Vec;
  using Mat = typename Prepared::Mat;
  using Work = ContactSweeps<Prepared, BlockStore<kRows>>;

  // Both must outlive the steps.
  void begin(Work& work, BlockLu<kRows>& factors);

  struct Step {
    int iterations;  // of Newton
    bool solved;     // to the share that a proximal step asks for
  };
  // One proximal step from work.impulse, which it replaces. The next step's ρ follows from how hard this one was.
  Step step();

 private:
  // The local solutions S_i(c_i) of all contacts at the impulses x, into `states`; u is W x + q. Returns |D^-½G(x −
  // S)|, infinite if one has no solution, in scaled coordinates.
  double local_map(const Eigen::VectorXd& x, Eigen::VectorXd& u, std::vector<typename Prepared::State>& states) const;
  bool direction();  // Newton's, from x_; false if the matrix is singular
  bool advance(double& merit);
  void note(double merit);  // keeps the best x_
  void choose_next(const Step& result, int repairs);

  Work* work_ = nullptr;
  BlockLu<kRows>* factors_ = nullptr;
  BlockDelassus jacobian_;
  Eigen::VectorXd x_, u_, trial_, trial_u_, step_, best_;
  Eigen::VectorXd last_, centre_, scaled_centre_;
  int run_ = 0;  // proximal steps that went on in one direction
  std::vector<typename Prepared::State> trial_states_;
  double rho_ = 1e-2;                   // over the mean mobility [-]
  double least_ = INFINITY;             // merit, of best_
  int since_ = 0;                       // iterations without a smaller merit
  int careful_ = 0, next_careful_ = 1;  // proximal steps
};

}  // namespace slipset::internal
