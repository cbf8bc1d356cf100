// [system] kind = "structure" and [modes] of a scenario file → a structure near steady sliding.   docs/scenarios.md
#pragma once

#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/stability_setup.hpp"
#include "slipset/scenario/structure_files.hpp"
#include "slipset/stability/sensitivity.hpp"

namespace slipset {

enum class ModeShapes { growing, all, none };  // which modes get a file of their shape

// The keys of [modes].
std::span<const Key> modes_keys();
// [system], [law] and [laws.NAME] of a file (structure_systems.cpp). Throws InvalidInput with file, line, column, key and
// remedy.
Structure read_structure(const TomlTable& root, StructureFiles& files);

class StructureSetup {
 public:
  // Throws InvalidInput with file, line, column, key and remedy.
  explicit StructureSetup(const Scenario& scenario);

  const std::string& title() const { return title_; }
  const Structure& structure() const { return structure_; }
  const StructureSliding& sliding() const { return sliding_; }
  const SpectrumBox& box() const { return box_; }
  const std::vector<StructureFiles::Input>& inputs() const { return files_->inputs(); }
  const std::optional<StructureMesh>& mesh() const { return mesh_; }
  ModeShapes shapes() const { return shapes_; }
  // What was not used, or not looked at.
  std::vector<std::string> notes() const;
  // Numbers of [law], [laws] and [system], also those that have their defaults; with several laws, the stiffness and
  // preload of the contacts of each. They refer to this setup.
  std::vector<StructureParameter> parameters() const;
  const std::optional<Sweep>& sweep() const { return sweep_; }
  // At a value of the sweep's first parameter, and of the second if there is one; the same matrices.
  StructureSliding at(double value, std::optional<double> second = std::nullopt) const;
  // The structure with another number under a dotted key; the same matrices. For several threads.
  Structure with(const std::string& dotted, double value) const;

 private:
  TomlFile file_;  // with the defaults of what can be changed
  std::string title_;
  std::shared_ptr<StructureFiles> files_;
  Structure structure_;
  StructureSliding sliding_;
  SpectrumBox box_;
  std::optional<Sweep> sweep_;
  std::optional<StructureMesh> mesh_;
  ModeShapes shapes_ = ModeShapes::growing;
};

}  // namespace slipset
