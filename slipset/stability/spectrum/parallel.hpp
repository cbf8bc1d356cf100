// The ranks of this run, by MPI.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace slipset {

// Start MPI and PETSc if the program has not: on first use. They end with the process.
int parallel_rank();
int parallel_size();
// Whether this rank is the one that reads, writes and speaks.
inline bool is_first_rank() { return parallel_rank() == 0; }
// Ends all ranks at once: where one of them cannot go on, and the others would wait for it for ever.
[[noreturn]] void parallel_abort(int exit_code);

// work(0), ..., work(count - 1), each on one rank; every result goes to `take`, in order, on every rank. Where work throws,
// all ranks throw std::runtime_error.
void share_among_ranks(std::size_t count, const std::function<std::vector<double>(std::size_t)>& work,
                       const std::function<void(std::size_t, const std::vector<double>&)>& take);

}  // namespace slipset
