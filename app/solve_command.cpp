#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/threads.hpp"
#include "slipset/core/error.hpp"
#include "slipset/report/solve_report.hpp"

namespace slipset::app {
namespace {

struct SolveOptions {
  CommonOptions common;
  std::vector<std::string> files;
  std::string method = "automatic";
  double tolerance = 1e-8;
  int max_iterations = 20000;
};

int run_solve(const SolveOptions& options) {
  ContactOptions with;
  with.method = contact_method(options.method);
  with.tolerance = options.tolerance;
  with.max_iterations = options.max_iterations;
  with.threads = threads_of(options.common);
  if (!(options.tolerance > 0) || !std::isfinite(options.tolerance))
    throw InvalidInput(fmt::format("--tolerance: found {}; expected a positive number, as in 1e-8", options.tolerance));
  std::set<std::string> names;
  for (const std::string& file : options.files)
    if (!names.insert(std::filesystem::path(file).filename().string()).second && !options.common.out.empty())
      throw InvalidInput(fmt::format("{}: another problem has the same file name; solve them in two calls", file));
  // All are read before the first is solved: a broken one is reported at once.
  std::vector<ProblemFile> problems;
  for (const std::string& file : options.files) problems.push_back(read_problem(file));
  Output output(options.common, "", "solve");
  std::vector<SolvedProblem> solved;
  bool converged = true, told = true;  // told: solved, or proven to have no solution
  for (std::size_t i = 0; i < problems.size(); ++i) {
    solved.push_back(solve_problem(problems[i], std::filesystem::path(options.files[i]).filename().string(), with));
    const ContactStatus status = solved.back().solution.report.status;
    converged = converged && status == ContactStatus::solved;
    told = told && status != ContactStatus::not_reached;
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const SolvedProblem& one : solved) rows.push_back(solve_json(one));
  Results results{"solve", nlohmann::ordered_json{{"converged", converged}, {"problems", rows}}.dump(2),
                  solve_table(solved)};
  if (!output.folder().empty())
    for (const SolvedProblem& one : solved) results.files.emplace_back(one.name + ".csv", solution_csv(one));
  return output.write(results, converged ? 0 : told ? 1 : 3);
}

}  // namespace

Work add_solve_command(CLI::App& app) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* command =
      app.add_subcommand("solve", "Contact problems of files (Siconos .dat, FCLib .hdf5): impulses, error, time");
  command->add_option("FILE", options->files, "Contact problems")->required();
  command->add_option("--method", options->method, "automatic, gauss-seidel, newton, splitting, search, fixed-point")
      ->type_name("M");
  command
      ->add_option("--tolerance", options->tolerance,
                   "Largest full error of Siconos where all laws are isotropic, else residual; default 1e-8")
      ->type_name("E");
  command->add_option("--max-iterations", options->max_iterations, "Iterations of all methods together; default 20000")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000));
  add_common_options(*command, options->common);
  command->footer(
      "Example: slipset solve tower.dat pile.hdf5 --tolerance 1e-10\n"
      "With --out DIR, impulses and velocities of each problem go to DIR/FILE.csv, and the rest to DIR/solve.json. "
      "Exit code 1: it is proven that one has no solution; 3: one was not solved.");
  return [options] { return run_solve(*options); };
}

}  // namespace slipset::app
