#include "app/options.hpp"

#include <CLI/CLI.hpp>

namespace slipset::app {

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON object on standard output, nothing else");
  command.add_option("--out", options.out, "Folder for the files")->type_name("DIR");
  command.add_flag("--quiet", options.quiet, "Print errors only");
  command
      .add_option(
          "--threads", options.threads,
          "Threads to use; 0 means all cores. Matters for run, solve, track, and for stability and cycle with [sweep]")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
  const std::map<std::string, PictureFormat> formats = {
      {"png", PictureFormat::png}, {"svg", PictureFormat::svg}, {"pdf", PictureFormat::pdf}};
  command.add_option("--format", options.format, "Of pictures: png (default), svg, pdf")
      ->type_name("F")
      ->transform(CLI::Transformer(formats).description(""));
}

void add_set_option(CLI::App& command, CommonOptions& options) {
  command
      .add_option("--set", options.set,
                  "Set a key of the scenario for this time, as --set system.mass=2; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

}  // namespace slipset::app
