#include "slipset/report/run_hdf5.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "slipset/io/hdf5_file.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/systems/column_unit.hpp"

namespace slipset {
namespace {

std::string dataset_name(std::string column) {
  std::replace(column.begin(), column.end(), '.', '/');
  return column;
}

// `report` without its name: its keys differ from those of the run.
void add_scalars(const nlohmann::ordered_json& json, const std::string& prefix, Hdf5Writer& file) {
  for (const auto& [key, value] : json.items()) {
    if (key.ends_with("seconds")) continue;  // not the same in the next run
    const std::string name = prefix + key;
    if (value.is_object()) add_scalars(value, key == "report" ? "" : name + "_", file);
    if (value.is_string()) file.add_attribute("/", name, value.get<std::string>());
    if (value.is_number() && std::isfinite(value.get<double>())) file.add_attribute("/", name, value.get<double>());
  }
}

}  // namespace

std::string hdf5_bytes(const Run& run, const Hdf5Notes& notes) {
  Hdf5Writer file;
  const Table& table = run.table;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < table.names().size(); ++k) {
    names.push_back(dataset_name(table.names()[k]));
    file.add_column(names.back(), table[k]);
    const std::string unit = column_unit(table.names()[k]);
    if (!unit.empty()) file.add_attribute(names.back(), "unit", unit);
    if (names.back().ends_with("/mode")) file.add_attribute(names.back(), "meaning", "0 none, 1 open, 2 stick, 3 slip");
  }
  file.add_attribute("/", "columns", names);
  file.add_attribute("/", "title", notes.title);
  file.add_attribute("/", "program", notes.program);
  file.add_attribute("/", "scenario", notes.scenario);
  add_scalars(run_json(run), "", file);
  return file.bytes();
}

}  // namespace slipset
