// The commands of `slipset` itself; the others are programs next to it.
#include "app/commands.hpp"

namespace slipset::app {

Commands add_commands(CLI::App& app) {
  Commands commands;
  commands["law"] = add_law_command(app);
  commands["run"] = add_run_command(app);
  commands["identify"] =
      add_other_program(app, "identify", "Measurements to a friction law, with its uncertainty", "Ceres");
  commands["track"] = add_other_program(app, "track", "Video or pictures of a sliding body to its path", "OpenCV");
  commands["stability"] = add_other_program(
      app, "stability", "Is steady sliding stable? Eigenvalues, which mechanisms supply energy, critical values",
      "no further library; with SLEPc it takes large structures");
  commands["cycle"] = add_cycle_command(app);
  commands["study"] = add_other_program(
      app, "study", "Figures of the literature: computed and published side by side; all, or by name", "Ceres");
  commands["solve"] = add_solve_command(app);
  commands["list"] = add_list_command(app);
  return commands;
}

}  // namespace slipset::app
