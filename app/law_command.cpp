#include <fmt/format.h>

#include <filesystem>

#include "app/commands.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/law_report.hpp"
#include "slipset/scenario/law_scenario.hpp"

namespace slipset::app {
namespace {

struct LawOptions {
  CommonOptions common;
  std::string file;
  double step = 0;  // 0: 5 degrees for JSON, 15 for reading
  std::vector<double> velocity;
};

int run_law(const LawOptions& options) {
  const LawScenario scenario = read_law_scenario(options.file);
  const LawProperties properties = law_properties(scenario.law);
  LawReportOptions report;
  report.step = options.step > 0 ? options.step : options.common.json ? 5 : 15;
  if (!options.velocity.empty()) {
    report.velocity = Vec2(options.velocity[0], options.velocity[1]);
    require_finite(report.velocity->sum(), "--velocity");
  }

  // Files first: if they cannot be written, nothing is printed that looks like success.
  const std::string stem = std::filesystem::path(options.file).stem().string();
  const bool write_files = !options.common.json || !options.common.out.empty();
  Figure::Saved saved;
  const auto json = law_json(scenario.law, properties, report);
  if (write_files) {
    const std::filesystem::path folder = options.common.out.empty() ? "out/" + stem : options.common.out;
    saved = law_figure(scenario.law, properties, scenario.title).save(folder);
    write_file(folder / "law.json", json.dump(2) + "\n");
    saved.files.push_back(folder / "law.json");
  }

  if (options.common.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (!options.common.quiet) {
    fmt::print("{}", law_text(scenario.law, properties, report));
    for (const std::string& table : scenario.set_aside)
      fmt::print("\nnote: [law.{}] was checked, and is no part of the two sets described here\n", table);
    fmt::print("\n");
    for (const auto& file : saved.files) fmt::print("wrote {}\n", file.string());
  }
  if (!saved.problem.empty()) fmt::print(stderr, "slipset: no picture: {}\n", saved.problem);
  return 0;
}

}  // namespace

Work add_law_command(CLI::App& app) {
  auto options = std::make_shared<LawOptions>();
  CLI::App* command = app.add_subcommand(
      "law", "Properties of a friction law with reasons, the coefficient in every direction, a picture");
  command->add_option("FILE", options->file, "Scenario file (TOML) with a [law] table")->required();
  command->add_option("--velocity", options->velocity, "Also give resistance and Jacobian at this slip velocity [m/s]")
      ->type_name("X,Y")
      ->delimiter(',')
      ->expected(2);
  command->add_option("--step", options->step, "Step of the table of directions [degrees]; 15, with --json 5")
      ->type_name("DEG")
      ->check(CLI::Range(1e-3, 180.0));
  add_common_options(*command, options->common);
  command->footer(
      "Example: slipset law examples/scenarios/two-ellipses.toml --velocity 1,0.5\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given.");
  return [options] { return run_law(*options); };
}

}  // namespace slipset::app
