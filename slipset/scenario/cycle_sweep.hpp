// [sweep] of a scenario file for limit cycles: branches in a parameter, and their results.
//                                                                              docs/scenarios.md, docs/output.md
#pragma once

#include "slipset/scenario/cycle_scenario.hpp"
#include "slipset/stability/cycle_diagram.hpp"

namespace slipset {

class CycleSweep {
 public:
  // Throws InvalidInput with file, line, column, key and remedy.
  explicit CycleSweep(const std::filesystem::path& path);
  static bool is_in(const std::filesystem::path& path);  // the file has [sweep]

  CycleDiagram compute(int threads, std::function<bool(double, double, const char*)> progress) const;

  const std::string& parameter() const { return parameter_; }
  const std::string& title() const { return title_; }
  const std::vector<std::string>& coordinates() const { return coordinates_; }
  const DiagramOptions& options() const { return options_; }
  CycleScenario at(double value) const;

 private:
  TomlFile file_;
  std::string parameter_, title_;
  std::vector<std::string> coordinates_;
  DiagramOptions options_;
};

nlohmann::ordered_json diagram_json(const CycleSweep& sweep, const CycleDiagram& diagram);
std::string diagram_text(const CycleSweep& sweep, const CycleDiagram& diagram);
std::string branches_csv(const CycleSweep& sweep, const CycleDiagram& diagram);
std::string motions_csv(const CycleSweep& sweep, const CycleDiagram& diagram);
// Largest first coordinate of the cycles over the parameter, stable solid and unstable dashed, with events and the
// simulations' maxima.
Figure diagram_figure(const CycleSweep& sweep, const CycleDiagram& diagram);

}  // namespace slipset
