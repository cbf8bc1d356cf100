#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/scenario_option.hpp"
#include "slipset/report/law_report.hpp"
#include "slipset/scenario/law_setup.hpp"

namespace slipset::app {
namespace {

struct LawCommandOptions {
  CommonOptions common;
  std::vector<std::string> files;
  std::string step;  // empty: 5 degrees for JSON, 15 for reading
  std::string velocity;
};

// All of `text` as finite numbers between commas, or empty.
std::vector<double> parse_numbers(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    double value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || !std::isfinite(value)) return {};
    numbers.push_back(value);
    if (after == end) return numbers;
    if (*after != ',') return {};
    at = after + 1;
  }
}

double parse_step(const std::string& text) {
  const std::vector<double> numbers = parse_numbers(text);
  if (numbers.size() != 1 || numbers[0] < 1e-3 || numbers[0] > 180)
    throw InvalidInput(fmt::format("--step: found \"{}\"; expected degrees from 0.001 to 180, as in --step 10", text));
  return numbers[0];
}

Vec2 parse_velocity(const std::string& text) {
  const std::vector<double> numbers = parse_numbers(text);
  if (numbers.size() != 2)
    throw InvalidInput(fmt::format("--velocity: found \"{}\"; expected two numbers, as in --velocity 1,0.5", text));
  if (numbers[0] == 0 && numbers[1] == 0)
    throw InvalidInput(
        "--velocity: found 0,0; at rest the resistance is whatever is needed of C: give a velocity of slip, as in "
        "--velocity 1,0.5");
  return {numbers[0], numbers[1]};
}

int run_law(const LawCommandOptions& options) {
  LawReportOptions report;
  report.step = options.common.json ? 5 : 15;
  if (!options.step.empty()) report.step = parse_step(options.step);
  if (!options.velocity.empty()) report.velocity = parse_velocity(options.velocity);
  std::vector<Scenario> files;
  std::vector<LawSetup> laws;
  for (const std::string& file : options.files) {
    files.push_back(scenario_of(options.common, file, {"title", "law"}));
    laws.push_back(files.back().located([&] { return read_law(files.back().root()); }));
  }
  const bool one = laws.size() == 1;
  Output output(options.common, one ? folder_of(options.files.front()) : "out/laws", one ? "law" : "laws");
  if (one) output.of_files(options.files);
  std::vector<Results> each;
  for (std::size_t i = 0; i < laws.size(); ++i)
    each.push_back(files[i].located([&] { return law_results(laws[i], report); }));
  return output.write(one ? each.front() : laws_results(laws, options.files, each));
}

}  // namespace

Work add_law_command(CLI::App& app) {
  auto options = std::make_shared<LawCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "law", "Properties of a friction law with reasons, the coefficient in every direction, a picture");
  command
      ->add_option("FILE", options->files,
                   "Scenario file (TOML) with a [law] table; several: their laws in one picture")
      ->required();
  command->add_option("--velocity", options->velocity, "Also give resistance and Jacobian at this slip velocity [m/s]")
      ->type_name("X,Y");
  command->add_option("--step", options->step, "Step of the table of directions [degrees]; default 15, with --json 5")
      ->type_name("DEG");
  add_common_options(*command, options->common);
  add_set_option(*command, options->common);
  command->footer(
      "Example: slipset law examples/scenarios/two-ellipses.toml --velocity 1,0.5\n"
      "         slipset law isotropic.toml ground-steel.toml\n"
      "Files go to --out DIR, else to out/NAME of the scenario, or out/laws of several; with --json only if --out is "
      "given.");
  return [options] { return run_law(*options); };
}

}  // namespace slipset::app
