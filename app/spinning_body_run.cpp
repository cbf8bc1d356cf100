// `slipset run` for [system] kind = "spinning-body".
#include "app/progress.hpp"
#include "app/run_results.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/run_report.hpp"
#include "slipset/scenario/spinning_body_scenario.hpp"

namespace slipset::app {

int run_spinning_body_file(const std::string& file, const CommonOptions& options) {
  SpinningBodyScenario scenario = read_spinning_body(file);
  const std::filesystem::path folder = results_folder(file, options);

  Progress progress(!options.quiet && !options.json);
  scenario.options.progress = [&](double done, double all) {
    progress.show(done, scenario.options.until_stick ? 0 : all, "simulated seconds");
    return true;
  };
  const Simulation run = simulate(scenario.body, scenario.start, scenario.options);
  progress.end();
  RunResults results{csv_text(run.trajectory), run_text(run), run_json(run), {}, {}, {}};
  results.json["law"] = scenario.body.law().description();
  results.json["title"] = scenario.title;
  for (const std::string& name : scenario.figures)
    results.figures.push_back(name == "path"    ? spinning_path_figure(run, scenario.title)
                              : name == "force" ? spinning_force_figure(scenario.body, run, scenario.title)
                                                : spinning_time_figure(scenario.body, run, scenario.title));
  leave(results, folder, options);
  return run.report.not_converged > 0 || !run.report.finished ? 3 : 0;
}

}  // namespace slipset::app
