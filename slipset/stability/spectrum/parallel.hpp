// The ranks of this run, by MPI.
#pragma once

namespace slipset {

// Start MPI and PETSc if the program has not: on first use. They end with the process.
int parallel_rank();
int parallel_size();
// Whether this rank is the one that reads, writes and speaks.
inline bool is_first_rank() { return parallel_rank() == 0; }
// Ends all ranks at once: where one of them cannot go on, and the others would wait for it for ever.
[[noreturn]] void parallel_abort(int exit_code);

}  // namespace slipset
