// `slipset run` for [system] kind = "pulled-block".
#include "app/run_results.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/pulled_block_scenario.hpp"
#include "slipset/scenario/run_report.hpp"

namespace slipset::app {

int run_pulled_block_file(const std::string& file, const CommonOptions& options) {
  const PulledBlockScenario scenario = read_pulled_block(file);
  const std::filesystem::path folder = results_folder(file, options);

  const InterfaceRun run = run_pulled_block(scenario);
  RunResults results{csv_text(pulled_block_table(run)),
                     pulled_block_text(scenario, run),
                     pulled_block_json(scenario, run),
                     {hysteresis_figure(run, scenario.title), interface_force_figure(scenario, run)},
                     {},
                     {}};
  results.json["title"] = scenario.title;
  leave(results, folder, options);
  return run.not_found > 0 ? 3 : 0;
}

}  // namespace slipset::app
