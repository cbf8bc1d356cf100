#include "slipset/report/pulled_block_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace slipset {

nlohmann::ordered_json pulled_block_json(const PulledBlockSetup& s, const InterfacePath& run) {
  const InterfaceRow& end = run.rows.back();
  nlohmann::ordered_json json;
  json["motion"] = s.motion;
  json["position"] = {end.position.x(), end.position.y()};
  json["force"] = {end.force.x(), end.force.y()};
  json["slip"] = {end.slip.x(), end.slip.y()};
  json["path_length"] = end.way;
  json["work"] = end.work;
  json["dissipated"] = end.dissipated;
  json["stored"] = end.stored;
  json["energy_residual"] = end.work - end.dissipated - (end.stored - run.rows.front().stored);
  if (s.motion == "pull") json["pull_angle"] = degrees(angle_of_pull(run));
  json["rows"] = run.rows.size();
  json["report"] = {{"rule", s.motion == "pull" || s.options.rule == IncrementRule::implicit ? "implicit" : "midpoint"},
                    {"implicit_increments", run.implicit},
                    {"several", run.several},
                    {"jumps", run.jumps},
                    {"not_found", run.not_found}};
  return json;
}

std::string pulled_block_text(const PulledBlockSetup& s, const InterfacePath& run) {
  const InterfaceRow& end = run.rows.back();
  std::string text = fmt::format("{}, {} rows, path of {:.10g} m\n", s.motion, run.rows.size(), end.way);
  text += fmt::format("position          {:.10g}, {:.10g} m, of it slip {:.10g}, {:.10g}\n", end.position.x(),
                      end.position.y(), end.slip.x(), end.slip.y());
  text += fmt::format("force             {:.10g}, {:.10g} N\n", end.force.x(), end.force.y());
  if (s.motion == "pull") text += fmt::format("angle to the pull {:.10g} degrees\n", degrees(angle_of_pull(run)));
  text += fmt::format("energy            {:.10g} J work, {:.10g} J dissipated, {:.10g} J stored\n", end.work,
                      end.dissipated, end.stored);
  if (run.implicit > 0)
    text += fmt::format(
        "{} increments were too large for the midpoint rule and were solved implicitly; use more increments\n",
        run.implicit);
  if (run.several > 0) text += fmt::format("several solutions in {} increments; the nearest was used\n", run.several);
  if (run.jumps > 0)
    text += fmt::format(
        "the force jumps in {} of them: the interface yields faster than it is loaded there, and what happens in the "
        "jump is not part of the model\n",
        run.jumps);
  if (run.not_found > 0) text += "no solution in the last increment: the run ended there\n";
  return text;
}

Table pulled_block_table(const InterfacePath& run) {
  Table table({"way", "x", "y", "force_x", "force_y", "slip_x", "slip_y", "normal_force", "slips", "work", "dissipated",
               "stored"});
  for (const InterfaceRow& r : run.rows)
    table.add_row({r.way, r.position.x(), r.position.y(), r.force.x(), r.force.y(), r.slip.x(), r.slip.y(),
                   r.normal_force, r.slips ? 1.0 : 0.0, r.work, r.dissipated, r.stored});
  return table;
}

}  // namespace slipset
