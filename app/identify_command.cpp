#include <fmt/format.h>

#include "app/commands.hpp"
#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/pull_identification.hpp"

namespace slipset::app {
namespace {

struct IdentifyOptions {
  CommonOptions common;
  std::string file, model;
  std::vector<double> friction;
};

int run_identify(const IdentifyOptions& options) {
  const PullIdentification result = identify_pull(options.file, options.friction);
  const auto json = pull_identification_json(result);
  if (!options.common.out.empty())
    write_file(std::filesystem::path(options.common.out) / "identify.json", json.dump(2) + "\n");
  if (options.common.json)
    fmt::print("{}\n", json.dump(2));
  else if (!options.common.quiet)
    fmt::print("{}", pull_identification_text(result));
  if (!result.fit.identifiable) return 1;
  return result.fit.converged ? 0 : 3;
}

}  // namespace

Work add_identify_command(CLI::App& app) {
  auto options = std::make_shared<IdentifyOptions>();
  CLI::App* command = app.add_subcommand("identify", "Measurements to a model's parameters, with their uncertainty");
  command->add_option("FILE", options->file, "Table (CSV): columns alpha and phi in degrees, or the first two")
      ->required();
  command->add_option("--model", options->model, "What to fit: elastic-interface")
      ->required()
      ->check(CLI::IsMember({"elastic-interface"}));
  command
      ->add_option("--friction", options->friction,
                   "Friction coefficients MU1,MU2 from force readings: the ratio of stiffnesses follows")
      ->delimiter(',')
      ->expected(2)
      ->type_name("MU1,MU2");
  add_common_options(*command, options->common);
  command->footer(
      "Example: slipset identify angles.csv --model elastic-interface --friction 0.408,0.625\n"
      "Exit code 1: the data cannot tell the ratio.");
  return [options] { return run_identify(*options); };
}

}  // namespace slipset::app
