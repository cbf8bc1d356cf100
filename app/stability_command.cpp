#include <fmt/format.h>

#include <filesystem>

#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/progress.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/stability_report.hpp"

namespace slipset::app {
namespace {

struct StabilityOptions {
  CommonOptions common;
  std::string file;
};

Sweep run_sweep(const StabilityScenario& scenario, const StabilityOptions& options, Progress& progress,
                std::optional<double> second = std::nullopt) {
  SweepOptions sweep;
  sweep.from = scenario.sweep()->from;
  sweep.to = scenario.sweep()->to;
  sweep.count = scenario.sweep()->count;
  sweep.threads = options.common.threads;
  if (!second)
    sweep.progress = [&](int done) {
      progress.show(done, scenario.sweep()->count, "points");
      return !Interrupt::asked();
    };
  return sweep_stability([&](double value) { return scenario.at(value, second); }, sweep);
}

StabilityMap run_map(const StabilityScenario& scenario, const StabilityOptions& options, Progress& progress) {
  StabilityMap map;
  const SweepRange& second = *scenario.second();
  for (int j = 0; j < second.count && !Interrupt::asked(); ++j) {
    const Sweep sweep = run_sweep(scenario, options, progress, second.at(j));
    std::vector<double> row;
    for (std::size_t i = 0; i < sweep.parameter.size(); ++i)
      row.push_back(sweep.answered[i] ? sweep.values.row(static_cast<Eigen::Index>(i)).real().maxCoeff() : NAN);
    map.growth.push_back(std::move(row));
    for (const CriticalValue& c : sweep.critical)
      map.boundary.push_back({c.value, second.at(j), c.unstable_above ? 1.0 : 0.0});
    progress.show(j + 1, second.count, "rows");
  }
  return map;
}

int run_stability(const StabilityOptions& options) {
  const StabilityScenario scenario{std::filesystem::path(options.file)};
  const StabilityAnswer answer = answer_stability(scenario.base());
  std::optional<Sweep> sweep;
  std::optional<StabilityMap> map;
  {
    const Interrupt interrupt;
    Progress progress(!options.common.quiet && !options.common.json);
    if (scenario.second())
      map = run_map(scenario, options, progress);
    else if (scenario.sweep())
      sweep = run_sweep(scenario, options, progress);
    progress.end();
    if (Interrupt::asked()) {
      fmt::print(stderr, "slipset: stopped; nothing was written\n");
      return Interrupt::exit_code();
    }
  }
  const Sweep* const swept = sweep ? &*sweep : nullptr;
  const StabilityMap* const mapped = map ? &*map : nullptr;
  const auto json = stability_json(scenario, answer, swept, mapped);

  std::vector<std::filesystem::path> files;
  std::vector<std::string> problems;
  if (!options.common.json || !options.common.out.empty()) {
    const std::filesystem::path folder =
        options.common.out.empty() ? "out/" + std::filesystem::path(options.file).stem().string() : options.common.out;
    StagedFolder staged(folder);
    write_file(staged.path() / "stability.json", json.dump(2) + "\n");
    std::vector<Figure> figures;
    if (answer.sliding.report.converged) figures.push_back(eigenvalue_figure(scenario, answer));
    if (sweep) write_file(staged.path() / "sweep.csv", sweep_csv(scenario, *sweep));
    if (sweep && sweep->values.cols() > 0) figures.push_back(sweep_figure(scenario, *sweep));
    if (map) {
      write_file(staged.path() / "boundary.csv", map_csv(scenario, *map));
      figures.push_back(map_figure(scenario, *map));
    }
    for (const Figure& figure : figures) {
      const Figure::Saved saved = figure.save(staged.path());
      if (!saved.problem.empty()) problems.push_back(saved.problem);
    }
    for (const auto& file : staged.publish())
      if (file.extension() != ".gp" && file.extension() != ".dat") files.push_back(file);
    for (const Figure& figure : figures) figure.remove_old_data(folder);
  }
  if (options.common.json) {
    fmt::print("{}\n", json.dump(2));
  } else if (!options.common.quiet) {
    fmt::print("{}\n", stability_text(scenario, answer, swept, mapped));
    for (const auto& file : files) fmt::print("wrote {}\n", file.string());
  }
  for (const std::string& problem : problems) fmt::print(stderr, "slipset: no picture: {}\n", problem);
  return answer.sliding.report.converged || swept || mapped ? 0 : 3;
}

}  // namespace

Work add_stability_command(CLI::App& app) {
  auto options = std::make_shared<StabilityOptions>();
  CLI::App* command = app.add_subcommand(
      "stability",
      "Is steady sliding stable? Equilibrium, eigenvalues, who puts energy in; with [sweep] critical values");
  command->add_option("FILE", options->file, "Scenario file (TOML) with [law] and [system]; [sweep] is optional")
      ->required();
  add_common_options(*command, options->common);
  command->footer(
      "Example: slipset stability examples/scenarios/belt-stability.toml\n"
      "Files go to --out DIR, else to out/NAME of the scenario; with --json only if --out is given. Exit code 3: no "
      "steady sliding was found.");
  return [options] { return run_stability(*options); };
}

}  // namespace slipset::app
