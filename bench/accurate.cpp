// Contact problems of a folder to 1e-12 of Siconos' measure, with the default method: what it takes.
//   bench_accurate FOLDER
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "bench/results.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/contact_solver.hpp"
#include "slipset/io/problem_file.hpp"

int main(int argc, char** argv) {
  using namespace slipset;
  namespace fs = std::filesystem;
  if (argc < 2 || !fs::is_directory(argv[1])) {
    fmt::print("bench_accurate: skipped, no folder of contact problems ({})\n", argc < 2 ? "give one" : argv[1]);
    return 0;
  }
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(argv[1])) files.insert(entry.path());
  bench::Results results("contact-1e-12", {"problem", "contacts", "solved", "iterations", "error"});
  results.note("tolerance 1e-12 of the full error, method automatic, at most 20 000 iterations");
  for (const fs::path& path : files) {
    const ProblemFile file = read_problem(path);
    ContactOptions options;
    options.method = ContactMethod::automatic;
    options.measure = ContactMeasure::full_error;
    options.tolerance = 1e-12;
    options.max_iterations = 20000;
    ContactSolution solution;
    ContactSolver().solve(file.problem, options, solution);
    const double error = full_error(file.problem, solution.impulse);
    results.add({path.filename().string(), fmt::format("{}", file.coefficient.size()), error <= 1e-12 ? "yes" : "no",
                 fmt::format("{}", solution.report.iterations), fmt::format("{:.1e}", error)});
  }
  fmt::print("{}", results.text());
  results.save();
}
