#include "app/options.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <string_view>
#include <utility>

namespace slipset::app {
namespace {

// The name of a format becomes its number, which is what CLI11 reads enumerators from; numbers are no names.
std::string number_of_format(std::string& text) {
  constexpr std::array<std::pair<std::string_view, PictureFormat>, 3> formats = {
      {{"png", PictureFormat::png}, {"svg", PictureFormat::svg}, {"pdf", PictureFormat::pdf}}};
  for (const auto& [name, format] : formats)
    if (text == name) {
      text = std::to_string(static_cast<int>(format));
      return "";
    }
  return "found \"" + text + "\"; expected png, svg or pdf";
}

}  // namespace

CLI::Option* add_json_option(CLI::App& command, bool& json) {
  return command.add_flag("--json", json, "Print one JSON object on standard output, nothing else");
}

CLI::Option* add_quiet_option(CLI::App& command, bool& quiet) {
  return command.add_flag("--quiet", quiet, "Print errors only");
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  add_json_option(command, options.json);
  command.add_option("--out", options.out, "Folder for the files")
      ->type_name("DIR")
      ->check([](const std::string& name) { return name.empty() ? "--out: the name of the folder is empty" : ""; });
  add_quiet_option(command, options.quiet);
  command
      .add_option("--threads", options.threads,
                  "Threads to use; 0 means all cores. Matters for run, solve, track, stability of structures, and for "
                  "stability and cycle with [sweep]")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
  command.add_option("--format", options.format, "Of pictures: png (default), svg, pdf")
      ->type_name("F")
      ->transform(CLI::Validator(number_of_format, ""));
}

void add_set_option(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--set", options.set,
                  "Set a key of the scenario for this time, as --set system.mass=2; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

}  // namespace slipset::app
