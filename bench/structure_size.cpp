// Cost of a structure's eigenvalues over its size: LU of Q(σ) and the eigenvalues next to σ, and the memory for it.
//   [mpirun -n N] bench_structure_size SCENARIO.toml...     models of studies/squeal, for example
// By the clock, one thread per rank, once each. The ranks share one factorisation.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <filesystem>

#include "bench/results.hpp"
#include "slipset/core/angle.hpp"
#include "slipset/scenario/structure_setup.hpp"
#include "slipset/stability/spectrum/parallel.hpp"
#include "slipset/stability/spectrum/sparse_spectrum.hpp"

namespace {

using namespace slipset;

constexpr int kWanted = 30;
constexpr std::complex<double> kShift(100, 2 * kPi * 3000);

// Of all ranks together, so far [GB].
double memory() {
  double sum = 0;
  share_among_ranks(
      static_cast<std::size_t>(parallel_size()),
      [](std::size_t) {
        rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        return std::vector{static_cast<double>(usage.ru_maxrss) / 1e6};
      },
      [&](std::size_t, const std::vector<double>& one) { sum += one[0]; });
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: [mpirun -n N] bench_structure_size SCENARIO.toml...\n");
    return 2;
  }
  const int ranks = parallel_size();
  bench::Results results(fmt::format("structure-size-{}", ranks),
                         {"model", "unknowns", "ranks", "entries", "lu_seconds", "eigenvalues_seconds", "gigabytes"});
  results.note(
      fmt::format("LU and {} eigenvalues next to {} + {:.0f}i, tolerance 1e-10; memory of all ranks, with every "
                  "model before it",
                  kWanted, kShift.real(), kShift.imag()));
  std::vector<double> sizes, times;
  for (int i = 1; i < argc; ++i) {
    const QuadraticProblem problem = StructureSetup(Scenario(argv[i])).sliding().problem();
    const NearestEigenvalues nearest = eigenvalues_near(problem, kShift, kWanted);
    results.add({std::filesystem::path(argv[i]).parent_path().filename().string(), std::to_string(problem.size()),
                 std::to_string(ranks), std::to_string(problem.stiffness.nonZeros()),
                 fmt::format("{:.2f}", nearest.factorisation_seconds), fmt::format("{:.2f}", nearest.iteration_seconds),
                 fmt::format("{:.2f}", memory())});
    sizes.push_back(std::log(static_cast<double>(problem.size())));
    times.push_back(std::log(nearest.factorisation_seconds + nearest.iteration_seconds));
  }
  const auto n = static_cast<double>(sizes.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sx += sizes[i];
    sy += times[i];
    sxx += sizes[i] * sizes[i];
    sxy += sizes[i] * times[i];
  }
  if (sizes.size() > 1)
    results.note(fmt::format("seconds over unknowns, least squares: exponent {:.2f}",
                             (n * sxy - sx * sy) / (n * sxx - sx * sx)));
  if (!is_first_rank()) return 0;
  fmt::print("{}", results.text());
  results.save();
}
