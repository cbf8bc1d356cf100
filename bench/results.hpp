// What a benchmark measured, as a file: bench/results/NAME.csv with machine, compiler, commit and date in its head.
//   # benchmark: step
//   # date: 2026-11-17
//   # commit: c8b7e93
//   # machine: Intel Xeon, 2 cores
//   # compiler: g++ 12.2.0, -O3
//   # note: ...
//   case,ns_per_step
// docs/benchmarks.md and the numbers in the README are made from these files (tools/bench-page).
#pragma once

#include <string>
#include <vector>

namespace slipset::bench {

// The folder is the environment variable SLIPSET_BENCH_RESULTS, the commit SLIPSET_BENCH_COMMIT, both set by `make
// bench`. Without the first nothing is written: a run to look at leaves the files alone.
class Results {
 public:
  Results(std::string benchmark, std::vector<std::string> columns);

  void note(const std::string& words) { notes_.push_back(words); }
  void add(std::vector<std::string> cells);  // one per column
  std::string text() const;
  void save() const;  // prints where; throws std::runtime_error if it cannot be written

 private:
  std::string name_;
  std::vector<std::string> notes_, columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Runs what is registered with Google Benchmark, on the console as usual and into Results: name, nanoseconds per
// iteration (CPU), and the counters that are named. Returns the exit code of main().
int run_registered(const std::string& benchmark, const std::vector<std::string>& counters, int argc, char** argv);

}  // namespace slipset::bench
