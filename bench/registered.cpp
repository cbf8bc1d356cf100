// Google Benchmark's runs as Results; apart, so that the other benchmarks do not need it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/results.hpp"

namespace slipset::bench {
namespace {

class Recorder : public benchmark::ConsoleReporter {
 public:
  Recorder(Results& results, const std::vector<std::string>& counters)
      : ConsoleReporter(OO_Tabular), results_(results), counters_(counters) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.error_occurred || run.run_type != Run::RT_Iteration) continue;
      const double nanoseconds = run.GetAdjustedCPUTime() * 1e9 / benchmark::GetTimeUnitMultiplier(run.time_unit);
      std::vector<std::string> cells{run.benchmark_name(), fmt::format("{:.4g}", nanoseconds)};
      for (const std::string& name : counters_) {
        const auto at = run.counters.find(name);
        cells.push_back(at == run.counters.end() ? "" : fmt::format("{:.4g}", at->second.value));
      }
      results_.add(std::move(cells));
    }
  }

 private:
  Results& results_;
  const std::vector<std::string>& counters_;
};

}  // namespace

int run_registered(const std::string& benchmark_name, const std::vector<std::string>& counters, int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  std::vector<std::string> columns{"name", "iteration_ns"};
  columns.insert(columns.end(), counters.begin(), counters.end());
  Results results(benchmark_name, columns);
  Recorder recorder(results, counters);
  benchmark::RunSpecifiedBenchmarks(&recorder);
  results.save();
  return 0;
}

}  // namespace slipset::bench
