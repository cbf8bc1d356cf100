// The processes that a runner of MPI, as mpirun, has started together. Known from what the runner tells each of them,
// so that a program that needs no MPI does not start it.
#pragma once

#include <string_view>

namespace slipset::app {

struct Ranks {
  int mine = 0, all = 1;
  bool first() const { return mine == 0; }  // the one that writes and speaks
};
Ranks ranks();
// Throws InvalidInput where there are several: the message begins with `work`.
void require_one_rank(std::string_view work);

}  // namespace slipset::app
