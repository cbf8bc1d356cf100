#include "slipset/report/measurements/input_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace slipset {

nlohmann::ordered_json input_json(const Measured& input) {
  nlohmann::ordered_json json = {{"file", input.file}, {"rows", input.rows}, {"skipped_rows", input.skipped}};
  json["columns"] = nlohmann::ordered_json::array();
  for (const MeasuredColumn& c : input.columns)
    if (c.found())
      json["columns"].push_back(
          {{"role", c.role}, {"column", c.name}, {"unit", c.unit}, {"from", c.from}, {"sign", c.negated ? -1 : 1}});
  json["notes"] = input.notes;
  return json;
}

std::string input_text(const Measured& input) {
  std::string columns;
  for (const MeasuredColumn& c : input.columns)
    if (c.found())
      columns += fmt::format("{}{} = {}{} [{}: {}]", columns.empty() ? "" : ", ", c.role, c.negated ? "-" : "", c.name,
                             c.unit, c.from);
  std::string text = fmt::format("{} rows; {}\n", input.rows, columns);
  for (const std::string& note : input.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace slipset
