// Stability of a structure's steady sliding → JSON, text, tables and figures.   docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "slipset/report/stability_report.hpp"
#include "slipset/scenario/structure_setup.hpp"

namespace slipset {

// Everything about the modes in the box, mode by mode.
struct StructureAnswer {
  Spectrum spectrum;
  int ranks = 1;                          // of MPI
  std::vector<std::size_t> multiplicity;  // modes with the same eigenvalue, or nearly; their vectors are one choice
  std::vector<std::vector<Contribution>> contributions;
  std::vector<std::vector<Participation>> participation;
  std::vector<std::vector<Sensitivity>> sensitivities;
  std::vector<std::string> without_derivative;  // parameters
};
StructureAnswer answer_structure(const StructureSetup& setup, Spectrum modes, int ranks = 1);

// All of it: stability.json, modes.csv, modes.h5, participation.csv, sensitivities.csv, the shapes mode-001.vtu, ..., the
// figures; what a sweep adds. `scan` and `map` may be null. modes.h5 and the shapes are made when they are written, and
// refer to `setup` and `answer`.
Results structure_results(const StructureSetup& setup, const StructureAnswer& answer,
                          const StabilityScan* scan = nullptr, const StabilityMap* map = nullptr);
nlohmann::ordered_json structure_json(const StructureSetup& setup, const StructureAnswer& answer);
std::string structure_text(const StructureSetup& setup, const StructureAnswer& answer);

}  // namespace slipset
