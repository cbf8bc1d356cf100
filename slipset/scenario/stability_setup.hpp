// [law], [system] and [sweep] of a scenario file → steady sliding, at one or at many values of a parameter.
//                                                                                            docs/scenarios.md
#pragma once

#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/system_kinds.hpp"
#include "slipset/stability/scan.hpp"

namespace slipset {

// The system of a file, or of a program, ready to be linearised.
struct SlidingSetup {
  std::string title;
  std::shared_ptr<const System> system;
  LinearizeOptions options;

  LinearSliding linearize() const { return linearize_sliding(*system, options); }
};
// Throws InvalidInput with file, line, column, key and remedy.
SlidingSetup read_sliding(const TomlTable& root);

// The keys of [sweep] for stability; those for cycle are in cycle_scan.hpp.
std::span<const Key> stability_scan_keys();

// One parameter of [sweep].
struct ScanRange {
  std::string parameter;  // dotted key
  double from, to;
  int count;

  double at(int i) const { return from + (to - from) * i / (count - 1); }
};

// What [sweep] of a file says.
struct Sweep {
  std::string title;
  ScanRange first;
  std::optional<ScanRange> second;        // for a map
  std::string first_label, second_label;  // of axes
};
// Throws InvalidInput with file, line, column, key and remedy.
Sweep read_sweep(const TomlTable& root, const std::string& title);
// The file at a value of the first parameter, and of the second if there is one.
TomlFile at_sweep(const TomlFile& file, const Sweep& sweep, double value, std::optional<double> second);

class StabilitySetup {
 public:
  // Throws InvalidInput with file, line, column, key and remedy.
  explicit StabilitySetup(const Scenario& scenario);
  // Of a system alone: without a sweep.
  explicit StabilitySetup(SlidingSetup base) : base_(std::move(base)) {}

  const SlidingSetup& base() const { return base_; }  // with the file's own numbers
  const std::optional<Sweep>& sweep() const { return sweep_; }
  // The system at a value of the first parameter, and of the second if there is one.
  LinearSliding at(double value, std::optional<double> second = std::nullopt) const;

 private:
  SlidingSetup scenario_at(double value, std::optional<double> second) const;

  std::optional<TomlFile> file_;
  SlidingSetup base_;
  std::optional<Sweep> sweep_;
};

}  // namespace slipset
