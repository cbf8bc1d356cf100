// `slipset track` is a program of its own beside this one: OpenCV brings 250 libraries, which no other command should
// load at its start.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "app/commands.hpp"
#include "slipset/core/error.hpp"

namespace slipset::app {
namespace {

int run_track(const std::vector<std::string>& arguments) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path program = here.parent_path() / "slipset-track";
  if (error || !std::filesystem::exists(program, error))
    throw InvalidInput(
        "track: this build of slipset has no video; install OpenCV (Debian: libopencv-core-dev libopencv-imgproc-dev "
        "libopencv-videoio-dev libopencv-imgcodecs-dev libopencv-calib3d-dev) and build again; slipset identify "
        "--model "
        "path reads paths from tables without it");
  std::vector<std::string> all = {program.string()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : all) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  throw InvalidInput(fmt::format("track: {} could not be started", program.string()));
}

}  // namespace

Work add_track_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("track", "Video or pictures of a sliding body to its path (needs OpenCV)");
  command->prefix_command();  // all that follows is for the other program, --help too
  command->set_help_flag();
  return [command] { return run_track(command->remaining()); };
}

}  // namespace slipset::app
