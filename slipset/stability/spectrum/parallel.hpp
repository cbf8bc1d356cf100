// The ranks of this run, by MPI.
#pragma once

namespace slipset {

// Start MPI and PETSc if the program has not: on first use. They end with the process.
int parallel_rank();
int parallel_size();
// Whether this rank is the one that reads, writes and speaks.
inline bool is_first_rank() { return parallel_rank() == 0; }

}  // namespace slipset
