#include "slipset/scenario/stability_scenario.hpp"

#include <fmt/format.h>

#include <array>

#include "slipset/scenario/law_scenario.hpp"

namespace slipset {
namespace {

SweepRange read_range(const TomlTable& t) {
  SweepRange range{t.text("parameter"), t.number("from"), t.number("to"), t.whole("count", 2, 100000000)};
  if (range.from == range.to) t.fail("to", "the same as from; expected another number");
  return range;
}

}  // namespace

SlidingScenario read_sliding(const TomlTable& root) {
  const LawScenario law = read_law(root);
  for (const std::string& name : law.set_aside)
    if (name != "lugre")
      root.table("law").fail(name, "no part of steady sliding; take it out, its law in steady sliding is the same");
  const TomlTable table = root.table("system", "a table [system] with its kind");
  BuiltSystem built = read_system(table, law.law);
  SlidingScenario scenario;
  scenario.title = law.title;
  scenario.options.lugre = law.lugre;
  scenario.options.guess = built.equilibrium ? *built.equilibrium : built.start.q;
  scenario.system = std::move(built.system);
  return scenario;
}

StabilityScenario::StabilityScenario(const std::filesystem::path& path) : StabilityScenario(TomlFile(path)) {
  read_law_scenario(path);  // refuses unknown tables
}

StabilityScenario::StabilityScenario(TomlFile file) : file_(std::move(file)), base_(read_sliding(file_.root())) {
  if (!file_.root().has("sweep")) return;
  const TomlTable t = file_.root().table("sweep");
  constexpr std::array<std::string_view, 5> keys = {"parameter", "from", "to", "count", "second"};
  t.allow_only(keys);
  sweep_ = read_range(t);
  if (t.has("second")) {
    const TomlTable other =
        t.table("second", "a table, as in { parameter = \"system.belt.speed\", from = 0.1, to = 5, count = 50 }");
    constexpr std::array<std::string_view, 4> own = {"parameter", "from", "to", "count"};
    other.allow_only(own);
    second_ = read_range(other);
    if (second_->parameter == sweep_->parameter) other.fail("parameter", "the same as the first; expected another key");
    if (1.0 * second_->count * sweep_->count > 1e9) other.fail("count", "more than 1e9 points in all");
  }
  // A value that no system can have is told now, with the ends of the range.
  for (const double value : {sweep_->from, sweep_->to}) {
    scenario_at(value, second_ ? std::optional(second_->from) : std::nullopt);
    if (second_) scenario_at(value, second_->to);
  }
}

LinearSliding StabilityScenario::at(double value, std::optional<double> second) const {
  return scenario_at(value, second).linearize();
}

SlidingScenario StabilityScenario::scenario_at(double value, std::optional<double> second) const {
  const TomlTable where = file_.root().table("sweep");
  TomlFile changed = file_.with_number(sweep_->parameter, value, where, "parameter");
  if (second) changed = changed.with_number(second_->parameter, *second, where.table("second"), "parameter");
  try {
    return read_sliding(changed.root());
  } catch (const ScenarioError& error) {
    where.fail("parameter", fmt::format("at {} = {}: {}", sweep_->parameter, value, error.what()));
  }
}

}  // namespace slipset
