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

namespace {

// What one rank alone meets, as a lack of memory, ends all: the others would wait for it for ever.
template <class Work>
auto on_all_ranks(const Work& work) {
  const int all = ranks().all;
  if (all > 1 && parallel_size() != all)
    throw InvalidInput(
        fmt::format("started as one of {} ranks, but the MPI that it is built with sees {}; start it with the "
                    "runner of that MPI, or without one",
                    all, parallel_size()));
  try {
    return work();
  } catch (const InvalidInput&) {  // by all ranks
    throw;
  } catch (const std::exception& error) {
    if (all == 1) throw;
    tell(fmt::format("rank {} of {}: {}", ranks().mine, all, error.what()));
    parallel_abort(2);
  }
}

}  // namespace

Spectrum find_modes(const QuadraticProblem& problem, const SpectrumBox& box, const SpectrumOptions& options) {
  return on_all_ranks([&] { return eigenvalues_in_box(problem, box, options); });
}

StabilityScan scan_modes_on_ranks(const ProblemAt& problem_at, const FindModes& find_modes, const SpectrumBox& box,
                                  const ScanOptions& options) {
  return on_all_ranks([&] {
    return scan_modes(problem_at, find_modes, box, options,
                      ranks().all > 1 ? ShareWork(share_among_ranks) : ShareWork());
  });
}

std::vector<std::vector<double>> from_first_rank(const std::function<std::vector<std::vector<double>>()>& make) {
  if (ranks().all == 1) return make();
  return on_all_ranks([&] {
    std::vector<std::vector<double>> lists;
    std::size_t count = 0;
    // Work of number 0 is the first rank's.
    share_among_ranks(
        1,
        [&](std::size_t) {
          lists = make();
          return std::vector{static_cast<double>(lists.size())};
        },
        [&](std::size_t, const std::vector<double>& number) { count = static_cast<std::size_t>(number[0]); });
    lists.resize(count);
    for (std::vector<double>& list : lists)
      share_among_ranks(
          1, [&](std::size_t) { return list; },
          [&](std::size_t, const std::vector<double>& numbers) { list = numbers; });
    return lists;
  });
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

StabilityScan scan_modes_on_ranks(const ProblemAt& problem_at, const FindModes& find_modes, const SpectrumBox& box,
                                  const ScanOptions& options) {
  return scan_modes(problem_at, find_modes, box, options);
}

std::vector<std::vector<double>> from_first_rank(const std::function<std::vector<std::vector<double>>()>& make) {
  return make();
}

#endif

bool first_rank_says(bool mine) {
  return from_first_rank([&] { return std::vector<std::vector<double>>{{mine ? 1.0 : 0.0}}; })[0][0] != 0;
}

}  // namespace slipset::app
