// The commands of the slipset program: arguments in, printing out; everything else is in the library.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>

namespace slipset::app {

// What the contract promises of every command.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
  std::string out;
  int threads = 0;
};

// A command's work; returns the exit code: 0 done, 1 the answer is no, 3 not converged. Bad input is thrown.
using Work = std::function<int()>;

using Commands = std::map<std::string, Work>;

// The commands of the program that is linked: app/NAME_program.cpp.
Commands add_commands(CLI::App& app);
// A command that starts slipset-NAME; where that is not built the message says what it needs.
Work add_other_program(CLI::App& app, const std::string& name, const std::string& summary, const std::string& needs);

// Adds --json, --out, --quiet and --threads.
void add_common_options(CLI::App& command, CommonOptions& options);

// Each adds its subcommand and returns its work.
Work add_law_command(CLI::App& app);
Work add_run_command(CLI::App& app);
Work add_identify_command(CLI::App& app);
Work add_track_command(CLI::App& app);
Work add_stability_command(CLI::App& app);
Work add_cycle_command(CLI::App& app);
Work add_study_command(CLI::App& app);
Work add_solve_command(CLI::App& app);
Work add_list_command(CLI::App& app);

// What `run` does with a pulled-block, which has no time steps.
int run_pulled_block_file(const std::string& file, const CommonOptions& options);
// What it does with a spinning-body, whose laws are not planar.
int run_spinning_body_file(const std::string& file, const CommonOptions& options);

// --save-problems DIR --every N of `run`.
struct SavedProblems {
  std::string folder;  // empty: none are saved
  int every = 1;       // steps
};
// What `run` does with rigid bodies.
int run_bodies_file(const std::string& file, const CommonOptions& options, const SavedProblems& problems);

}  // namespace slipset::app
