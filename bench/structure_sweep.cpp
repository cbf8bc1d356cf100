// What a further point of a structure's sweep costs, over the first one: its law is changed, its list is counted.
//   bench_structure_sweep SCENARIO.toml...     each with [sweep] over one parameter
// By the clock, one thread, once each. Every point of the sweep is in the mean, those that are counted again, too.
#include <fmt/format.h>

#include <filesystem>

#include "bench/results.hpp"
#include "slipset/scenario/structure_setup.hpp"
#include "slipset/stability/mode_scan.hpp"
#include "slipset/stability/spectrum/sparse_spectrum.hpp"

namespace {

using namespace slipset;

double seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_structure_sweep SCENARIO.toml...\n");
    return 2;
  }
  bench::Results results("structure-sweep", {"model", "unknowns", "parameter", "points", "counted", "searched", "modes",
                                             "first_seconds", "further_seconds", "further_over_first"});
  results.note("further: mean of all points after the first, with critical values");
  for (int i = 1; i < argc; ++i) {
    const StructureSetup setup(Scenario(argv[i]));
    if (!setup.sweep() || setup.sweep()->second) {
      fmt::print(stderr, "{}: has no [sweep] over one parameter\n", argv[i]);
      return 2;
    }
    const ScanRange& range = setup.sweep()->first;
    double first = 0;
    int searched = 0;  // Krylov spaces for points that are not counted
    const double start = seconds();
    const StabilityScan scan = scan_modes([&](double value) { return setup.at(value).problem(); },
                                          [&](double, const QuadraticProblem& problem, Counting counting) {
                                            SpectrumOptions search;
                                            search.threads = 1;
                                            search.around = 0.25;
                                            search.prove = counting == Counting::counted;
                                            if (!search.prove) ++searched;
                                            Spectrum spectrum = eigenvalues_in_box(problem, setup.box(), search);
                                            if (first == 0) first = seconds() - start;
                                            return spectrum;
                                          },
                                          setup.box(), {range.from, range.to, range.count, 1, {}});
    const double further = (seconds() - start - first) / (range.count - 1);
    results.add({std::filesystem::path(argv[i]).parent_path().filename().string(),
                 std::to_string(setup.sliding().problem().size()), range.parameter, std::to_string(range.count),
                 std::to_string(scan.counted), std::to_string(searched), std::to_string(scan.values.cols()),
                 fmt::format("{:.2f}", first), fmt::format("{:.3f}", further), fmt::format("{:.3f}", further / first)});
  }
  fmt::print("{}", results.text());
  results.save();
}
