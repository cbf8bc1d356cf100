// A command that is a program of its own beside this one, as slipset-identify: what it links (Ceres, OpenCV, SLEPc) no other
// command should load at its start.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "app/commands.hpp"
#include "slipset/core/error.hpp"

namespace slipset::app {
namespace {

int start(const std::string& name, const std::string& needs, const std::vector<std::string>& arguments) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path program = here.parent_path() / ("slipset-" + name);
  if (error || !std::filesystem::exists(program, error))
    throw InvalidInput(
        fmt::format("{}: the program slipset-{} is not beside slipset; build it with \"make program\", "
                    "which needs {}",
                    name, name, needs));
  std::vector<std::string> all = {program.string(), name};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : all) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  throw InvalidInput(fmt::format("{}: {} could not be started", name, program.string()));
}

}  // namespace

Work add_other_program(CLI::App& app, const std::string& name, const std::string& summary, const std::string& needs) {
  CLI::App* command = app.add_subcommand(name, summary);
  command->prefix_command();  // all that follows is for the other program, --help too
  command->set_help_flag();
  return [=] { return start(name, needs, command->remaining()); };
}

}  // namespace slipset::app
