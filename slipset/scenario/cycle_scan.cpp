#include "slipset/scenario/cycle_scan.hpp"

#include <fmt/format.h>

#include "slipset/scenario/parameter_label.hpp"

namespace slipset {

std::span<const Key> cycle_scan_keys() {
  static const std::vector<Key> keys = {
      {"parameter", "", kRequired, "dotted key of a number in this file, as system.belt.speed"},
      {"from", "", kRequired, "first value"},
      {"to", "", kRequired, "last value"},
      {"count", "", kRequired, "of values at which motions are simulated"},
      {"starts", "", static_cast<double>(DiagramOptions{}.starts),
       "simulations per value: the first from [initial], the others from random states"}};
  return keys;
}

CycleScan::CycleScan(const Scenario& scenario) : file_(scenario.file()) {
  const TomlTable t = file_.root().table("sweep").described_by(cycle_scan_keys());
  parameter_ = t.text("parameter");
  options_.from = t.number("from");
  options_.to = t.number("to");
  if (options_.from == options_.to) t.fail("to", "the same as from; expected another number");
  options_.count = t.whole("count", 2, 100000);
  options_.starts = t.whole("starts", 1, 1000);
  const CycleSetup base = read_cycle(file_.root());
  title_ = base.title;
  coordinates_ = base.system->coordinates();
  at(options_.from);  // a value that no system can have is reported now
  at(options_.to);
}

CycleSetup CycleScan::at(double value) const {
  const TomlTable where = file_.root().table("sweep");
  const TomlFile changed = file_.with_number(parameter_, value, where, "parameter");
  try {
    return read_cycle(changed.root());
  } catch (const ScenarioError& error) {
    where.fail("parameter", fmt::format("at {} = {}: {}", parameter_, value, error.what()));
  }
}

std::string CycleScan::label() const { return parameter_label(file_.root(), parameter_); }

CycleDiagram CycleScan::compute(int threads, std::function<bool(double, double, const char*)> progress,
                                std::function<bool()> go_on) const {
  DiagramOptions options = options_;
  options.threads = threads;
  options.progress = std::move(progress);
  options.go_on = std::move(go_on);
  return cycle_diagram([this](double p) { return at(p).system; }, [this](double p) { return at(p).options; }, options);
}

}  // namespace slipset
