#include "slipset/scenario/stability_setup.hpp"

#include <fmt/format.h>

#include <array>

#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/parameter_label.hpp"

namespace slipset {
namespace {

ScanRange read_range(const TomlTable& t) {
  ScanRange range{t.text("parameter"), t.number("from"), t.number("to"), t.whole("count", 2, 1000000)};
  if (range.from == range.to) t.fail("to", "the same as from; expected another number");
  return range;
}

}  // namespace

SlidingSetup read_sliding(const TomlTable& root) {
  const LawSetup law = read_law(root);
  require_steady_tables(law, root.table("law"));
  const TomlTable table = root.table("system", "a table [system] with its kind");
  if (const SystemKind& kind = system_kind_of(root); !kind.steady_sliding)
    table.fail("kind", fmt::format("\"{}\" has no steady sliding, which this command needs; it supports: {}", kind.name,
                                   fmt::join(kinds_with(&SystemKind::steady_sliding), ", ")));
  BuiltSystem built = read_system(table, law.law);
  SlidingSetup scenario;
  scenario.title = law.title;
  scenario.options.lugre = law.lugre();
  scenario.options.guess = built.equilibrium ? *built.equilibrium : built.start.q;
  scenario.system = std::move(built.system);
  return scenario;
}

std::span<const Key> stability_scan_keys() {
  static const std::vector<Key> keys = {
      {"parameter", "", kRequired,
       "dotted key of a number in this file, as system.belt.angle, law.reservoir.semi_axes[0]"},
      {"from", "", kRequired, "first value"},
      {"to", "", kRequired, "last value"},
      {"count", "", kRequired, "of points, both ends included; at most 1e6"},
      {"second.parameter", "", kRequired, "of a map in the plane of both parameters"},
      {"second.from", "", kRequired, "first value"},
      {"second.to", "", kRequired, "last value"},
      {"second.count", "", kRequired, "of points"}};
  return keys;
}

Sweep read_sweep(const TomlTable& root, const std::string& title) {
  const TomlTable t = root.table("sweep").described_by(stability_scan_keys());
  Sweep sweep{title, read_range(t), std::nullopt, "", ""};
  sweep.first_label = parameter_label(root, sweep.first.parameter);
  if (!t.has("second")) return sweep;
  const TomlTable other =
      t.table("second", "a table, as in { parameter = \"system.belt.speed\", from = 0.1, to = 5, count = 50 }");
  sweep.second = read_range(other);
  sweep.second_label = parameter_label(root, sweep.second->parameter);
  if (sweep.second->parameter == sweep.first.parameter)
    other.fail("parameter", "the same as the first; expected another key");
  if (1.0 * sweep.second->count * sweep.first.count > 1e9) other.fail("count", "more than 1e9 points in total");
  return sweep;
}

TomlFile at_sweep(const TomlFile& file, const Sweep& sweep, double value, std::optional<double> second) {
  const TomlTable where = file.root().table("sweep");
  TomlFile changed = file.with_number(sweep.first.parameter, value, where, "parameter");
  if (second) changed = changed.with_number(sweep.second->parameter, *second, where.table("second"), "parameter");
  return changed;
}

StabilitySetup::StabilitySetup(const Scenario& scenario) : file_(scenario.file()), base_(read_sliding(file_->root())) {
  const TomlTable root = file_->root();
  require_tables_of(system_kind_of(root), root);
  if (!root.has("sweep")) return;
  sweep_ = read_sweep(root, base_.title);
  // A value that no system can have is reported now, with the ends of the range.
  for (const double value : {sweep_->first.from, sweep_->first.to}) {
    scenario_at(value, sweep_->second ? std::optional(sweep_->second->from) : std::nullopt);
    if (sweep_->second) scenario_at(value, sweep_->second->to);
  }
}

LinearSliding StabilitySetup::at(double value, std::optional<double> second) const {
  return scenario_at(value, second).linearize();
}

SlidingSetup StabilitySetup::scenario_at(double value, std::optional<double> second) const {
  const TomlFile changed = at_sweep(*file_, *sweep_, value, second);
  try {
    return read_sliding(changed.root());
  } catch (const ScenarioError& error) {
    file_->root().table("sweep").fail("parameter",
                                      fmt::format("at {} = {}: {}", sweep_->first.parameter, value, error.what()));
  }
}

}  // namespace slipset
