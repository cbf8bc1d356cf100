#include "app/find_modes.hpp"

#include <fmt/format.h>

#include "app/ranks.hpp"
#include "app/standard_output.hpp"
#ifdef SLIPSET_HAS_SLEPC
#include "slipset/stability/spectrum/parallel.hpp"
#include "slipset/stability/spectrum/sparse_spectrum.hpp"
#endif

namespace slipset::app {

#ifdef SLIPSET_HAS_SLEPC

Spectrum find_modes(const QuadraticProblem& problem, const SpectrumBox& box, const SpectrumOptions& options) {
  const int all = ranks().all;
  if (all > 1 && parallel_size() != all)
    throw InvalidInput(
        fmt::format("started as one of {} ranks, but the MPI that it is built with sees {}; start it with the "
                    "runner of that MPI, or without one",
                    all, parallel_size()));
  try {
    return eigenvalues_in_box(problem, box, options);
  } catch (const InvalidInput&) {  // by all ranks
    throw;
  } catch (const std::exception& error) {
    if (all == 1) throw;
    tell(fmt::format("rank {} of {}: {}", ranks().mine, all, error.what()));
    parallel_abort(2);
  }
}

#else

Spectrum find_modes(const QuadraticProblem& problem, const SpectrumBox& box, const SpectrumOptions& options) {
  require_one_rank("stability without SLEPc");
  constexpr Eigen::Index kMostDense = 1500;  // unknowns
  if (problem.size() > kMostDense)
    throw InvalidInput(fmt::format(
        "{} unknowns are too many without SLEPc: dense matrices are for up to {}; install libslepc-complex3.18-dev and "
        "build again with \"make program\"",
        problem.size(), kMostDense));
  return eigenvalues_in_box_dense(problem, box, options);
}

#endif

}  // namespace slipset::app
