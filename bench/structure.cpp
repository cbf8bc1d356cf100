// The eigenvalues of a disc brake next to a shift, beside SciPy on the same matrices, in turn; then all of a box, counted.
//   bench_structure DATA [ROUNDS]     DATA: the folder of the brake's .mat files; default 3 rounds
// SciPy (python3-scipy): splu of Q(σ) and eigs of the inverted pencil, both with the same tolerance; see structure.py. Where
// it is not installed only our times are shown. By the clock, one thread, the least of all rounds.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <numbers>

#include "bench/results.hpp"
#include "slipset/io/matrix_file.hpp"
#include "slipset/stability/spectrum/sparse_spectrum.hpp"

namespace {

using namespace slipset;

constexpr int kWanted = 56;
constexpr double kTolerance = 1e-10;
constexpr std::complex<double> kShift(100, 17500);

// M, D, K at the rotation speed w = 4π rad/s.
QuadraticProblem brake(const std::filesystem::path& folder) {
  const auto read = [&](const char* name) { return read_sparse_matrix(folder / (std::string(name) + ".mat")); };
  const double w = 4 * std::numbers::pi;
  return {read("BMLL00"),
          read("BDLL00") + w * read("BYLL00") + (1 / w - 1) * read("BDIWLL00") +
              read("BHLL00") / (2 * std::numbers::pi * 1600),
          read("BKLL00") + read("BKQLL00") + (w * w - 1) * read("BWLL00")};
}

struct Times {
  double factorisation = INFINITY, iteration = INFINITY;  // [s]
  double farthest = NAN;                                  // |λ - σ| of the last eigenvalue
  void keep(const Times& other) {
    factorisation = std::min(factorisation, other.factorisation);
    iteration = std::min(iteration, other.iteration);
    farthest = other.farthest;
  }
  double sum() const { return factorisation + iteration; }
};

Times ours(const QuadraticProblem& problem) {
  const NearestEigenvalues nearest = eigenvalues_near(problem, kShift, kWanted, kTolerance);
  return {nearest.factorisation_seconds, nearest.iteration_seconds,
          std::abs(nearest.values[static_cast<std::size_t>(kWanted - 1)] - kShift)};
}

// "factorisation iteration farthest" of a line; NaN where there is no SciPy.
Times scipy(const std::string& script, const std::string& folder) {
  const std::string command =
      fmt::format("PATH=/usr/bin:$PATH OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 python3 '{}' '{}' {} {} {} {}", script,
                  folder, kShift.real(), kShift.imag(), kWanted, kTolerance);
  Times times{NAN, NAN, NAN};
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (!pipe) return times;
  if (std::fscanf(pipe, "%lf %lf %lf", &times.factorisation, &times.iteration, &times.farthest) != 3)
    times = {NAN, NAN, NAN};
  ::pclose(pipe);
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || !std::filesystem::exists(std::filesystem::path(argv[1]) / "BMLL00.mat")) {
    fmt::print(stderr, "bench_structure: no brake here; usage: bench_structure DATA [ROUNDS]\n");
    return argc < 2 ? 2 : 0;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  const QuadraticProblem problem = brake(argv[1]);
  Times mine, theirs;
  for (int i = 0; i < rounds; ++i) {  // in turn, so that what else the machine does meets both
    mine.keep(ours(problem));
    theirs.keep(scipy(SLIPSET_BENCH_SOURCE "/structure.py", argv[1]));
  }
  if (std::isfinite(theirs.farthest) && std::abs(theirs.farthest - mine.farthest) > 1e-6 * mine.farthest) {
    fmt::print(stderr, "bench_structure: the last of {} eigenvalues is {} from the shift, SciPy's {}\n", kWanted,
               mine.farthest, theirs.farthest);
    return 1;
  }
  double box = INFINITY, proof = INFINITY;
  std::size_t found = 0;
  for (int i = 0; i < rounds; ++i) {
    const Spectrum spectrum = eigenvalues_in_box(problem, {-100, 1000, 0, 42000});
    if (!spectrum.report.complete) {
      fmt::print(stderr, "bench_structure: {}\n", spectrum.report.reason);
      return 1;
    }
    found = spectrum.pairs.size();
    if (spectrum.report.seconds < box) {
      box = spectrum.report.seconds;
      proof = spectrum.report.seconds_proof;
    }
  }
  bench::Results results("structure", {"name", "seconds", "over_scipy"});
  results.note(fmt::format("disc brake, {} rows, w = 4π; {} eigenvalues next to {} + {}i, tolerance {}", problem.size(),
                           kWanted, kShift.real(), kShift.imag(), kTolerance));
  results.note(
      fmt::format("{} eigenvalues in the box -100 to 1000 1/s, 0 to 42 000 rad/s, refined and counted", found));
  const auto over = [&](double a, double b) { return std::isfinite(b) ? fmt::format("{:.2f}", a / b) : std::string(); };
  const auto row = [&](const char* name, double seconds, const std::string& ratio) {
    results.add({name, std::isfinite(seconds) ? fmt::format("{:.3f}", seconds) : "", ratio});
  };
  row("LU", mine.factorisation, over(mine.factorisation, theirs.factorisation));
  row("eigenvalues", mine.iteration, over(mine.iteration, theirs.iteration));
  row("both", mine.sum(), over(mine.sum(), theirs.sum()));
  row("LU, SciPy's splu", theirs.factorisation, "");
  row("eigenvalues, SciPy's eigs", theirs.iteration, "");
  row("box", box, "");
  row("of it the count", proof, "");
  fmt::print("{}", results.text());
  results.save();
}
