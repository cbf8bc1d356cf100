#include <fmt/format.h>

#include <charconv>
#include <cmath>
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
  return {numbers[0], numbers[1]};
}

int run_law(const LawOptions& options) {
  const LawScenario scenario = read_law_scenario(options.file);
  const LawProperties properties = law_properties(scenario.law);
  LawReportOptions report;
  report.step = options.common.json ? 5 : 15;
  if (!options.step.empty()) report.step = parse_step(options.step);
  if (!options.velocity.empty()) report.velocity = parse_velocity(options.velocity);

  // Files first: if they cannot be written, nothing is printed that looks like success.
  const std::string stem = std::filesystem::path(options.file).stem().string();
  const bool write_files = !options.common.json || !options.common.out.empty();
  Figure::Saved saved;
  auto json = law_json(scenario.law, properties, report);
  json["title"] = scenario.title;
  json["set_aside"] = scenario.set_aside;
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
      ->type_name("X,Y");
  command->add_option("--step", options->step, "Step of the table of directions [degrees]; 15, with --json 5")
      ->type_name("DEG");
  add_common_options(*command, options->common);
  command->footer(
      "Example: slipset law examples/scenarios/two-ellipses.toml --velocity 1,0.5\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given.");
  return [options] { return run_law(*options); };
}

}  // namespace slipset::app
