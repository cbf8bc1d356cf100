// Siconos' solvers on one problem, where Siconos was found at configuration; else there are none.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace slipset::bench {

struct PeerRun {
  double seconds = -1;      // of the best repetition; negative: crashed, or ran longer than the limit
  Eigen::VectorXd impulse;  // to judge it by
};

// Names of the solvers, as in Siconos without SICONOS_FRICTION_3D_.
std::vector<std::string> peer_solvers();
// In a process of its own, which is ended after `limit` seconds. The time is that of the solver alone; the problem is
// read anew for each repetition, so that no repetition finds what an earlier one prepared.
PeerRun run_peer(const std::string& solver, const std::string& dat_file, double tolerance, double limit);

}  // namespace slipset::bench
