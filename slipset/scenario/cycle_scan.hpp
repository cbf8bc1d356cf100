// [sweep] of a scenario file for limit cycles: branches in a parameter.   docs/scenarios.md
#pragma once

#include "slipset/scenario/cycle_setup.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/stability/cycle_diagram.hpp"

namespace slipset {

// The keys of [sweep] for cycle.
std::span<const Key> cycle_scan_keys();

class CycleScan {
 public:
  // Throws InvalidInput with file, line, column, key and remedy.
  explicit CycleScan(const Scenario& scenario);

  // `go_on` is asked often, by several threads; false ends it, with what there is.
  CycleDiagram compute(int threads, std::function<bool(double, double, const char*)> progress,
                       std::function<bool()> go_on = {}) const;

  const std::string& parameter() const { return parameter_; }
  std::string label() const;  // of its axis
  const std::string& title() const { return title_; }
  const std::vector<std::string>& coordinates() const { return coordinates_; }
  const DiagramOptions& options() const { return options_; }
  CycleSetup at(double value) const;

 private:
  TomlFile file_;
  std::string parameter_, title_;
  std::vector<std::string> coordinates_;
  DiagramOptions options_;
};

}  // namespace slipset
