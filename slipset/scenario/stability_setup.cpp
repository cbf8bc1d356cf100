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

StabilitySetup::StabilitySetup(const Scenario& scenario) : file_(scenario.file()), base_(read_sliding(file_.root())) {
  require_tables_of(system_kind_of(file_.root()), file_.root());
  if (!file_.root().has("sweep")) return;
  const TomlTable t = file_.root().table("sweep").described_by(stability_scan_keys());
  scan_ = read_range(t);
  if (t.has("second")) {
    const TomlTable other =
        t.table("second", "a table, as in { parameter = \"system.belt.speed\", from = 0.1, to = 5, count = 50 }");
    second_ = read_range(other);
    if (second_->parameter == scan_->parameter) other.fail("parameter", "the same as the first; expected another key");
    if (1.0 * second_->count * scan_->count > 1e9) other.fail("count", "more than 1e9 points in total");
  }
  // A value that no system can have is reported now, with the ends of the range.
  for (const double value : {scan_->from, scan_->to}) {
    scenario_at(value, second_ ? std::optional(second_->from) : std::nullopt);
    if (second_) scenario_at(value, second_->to);
  }
}

std::string StabilitySetup::label(const ScanRange& range) const {
  return parameter_label(file_.root(), range.parameter);
}

LinearSliding StabilitySetup::at(double value, std::optional<double> second) const {
  return scenario_at(value, second).linearize();
}

SlidingSetup StabilitySetup::scenario_at(double value, std::optional<double> second) const {
  const TomlTable where = file_.root().table("sweep");
  TomlFile changed = file_.with_number(scan_->parameter, value, where, "parameter");
  if (second) changed = changed.with_number(second_->parameter, *second, where.table("second"), "parameter");
  try {
    return read_sliding(changed.root());
  } catch (const ScenarioError& error) {
    where.fail("parameter", fmt::format("at {} = {}: {}", scan_->parameter, value, error.what()));
  }
}

}  // namespace slipset
