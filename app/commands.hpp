// The commands of the slipset program: arguments in, printing out; everything else is in the library. Each has a file
// of its own; options, output, progress and interruption are the same for all (options.hpp, output.hpp, watch.hpp).
#pragma once

#include <functional>
#include <map>
#include <string>

namespace CLI {
class App;
}

namespace slipset::app {

// A command's work; returns the exit code: 0 done, 1 the answer is no, 3 not converged. Bad input is thrown.
using Work = std::function<int()>;

using Commands = std::map<std::string, Work>;

// The commands of the program that is linked: app/NAME_program.cpp.
Commands add_commands(CLI::App& app);
// A command that starts slipset-NAME; where that is not built the message says what it needs.
Work add_other_program(CLI::App& app, const std::string& name, const std::string& summary, const std::string& needs);

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

}  // namespace slipset::app
