#include "slipset/scenario/catalogue.hpp"

#include "slipset/scenario/bodies_run.hpp"
#include "slipset/scenario/cycle_scan.hpp"
#include "slipset/scenario/integrator.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/pulled_block_run.hpp"
#include "slipset/scenario/rolling_law.hpp"
#include "slipset/scenario/run_setup.hpp"
#include "slipset/scenario/shapes.hpp"
#include "slipset/scenario/stability_setup.hpp"
#include "slipset/scenario/structure_setup.hpp"

namespace slipset {
namespace {

std::vector<Key> copy(std::span<const Key> keys) { return {keys.begin(), keys.end()}; }

}  // namespace

std::vector<CatalogueGroup> catalogue() {
  CatalogueGroup shapes{"shapes", "of a reservoir or a direction set, { shape = \"...\", ... }", {}};
  for (const ShapeKind& kind : shape_kinds()) shapes.entries.push_back(kind);
  CatalogueGroup laws{"laws",
                      "how to write them as [law]",
                      {{"isotropic", "reservoir = disk, no direction", {}},
                       {"associated", "reservoir = any convex shape, no direction (maximum dissipation)", {}},
                       {"collinear", "reservoir = any shape, direction = \"collinear\"", {}},
                       {"two-sign", "reservoir = rectangle, no direction (X-Y table)", {}},
                       {"non-associated", "reservoir and direction two shapes, as two ellipses or superellipses", {}},
                       {"wedge", "reservoir and direction the same wedge (asperity model)", {}},
                       {"measured", "reservoir and direction polar, from lists or CSV files", {}}}};
  CatalogueGroup systems{"systems", "[system] kind = \"...\"", {}};
  for (const SystemKind& kind : system_kinds()) systems.entries.push_back(kind);
  CatalogueGroup steps{"integrators", "[integrator] kind = \"...\"", {}};
  for (const IntegratorKind& entry : integrators()) steps.entries.push_back(entry);
  CatalogueGroup paths{"paths", "[system] path = { kind = \"...\" } of a pulled-block", {}};
  for (const Entry& entry : pulled_paths()) paths.entries.push_back(entry);
  CatalogueGroup tables{
      "tables",
      "other tables of a scenario file",
      {{"[law]", "the friction law", copy(law_keys())},
       {"[law] with drilling and rolling",
        "of spinning-body, and of rigid-bodies with one of the keys drilling, rolling, patch, coupling",
        copy(rolling_law_keys())},
       {"[initial]", "where it starts", copy(initial_keys())},
       {"[output]", "rows, formats and figures", copy(output_keys())},
       {"[modes]", "of a structure: the box in which every eigenvalue is wanted", copy(modes_keys())},
       {"[sweep] for stability", "a scan over one or two parameters", copy(stability_scan_keys())},
       {"[sweep] for cycle", "branches of cycles over a parameter", copy(cycle_scan_keys())}}};
  CatalogueGroup bodies{"bodies", "[[...]] tables of rigid-bodies", {}};
  for (const Entry& entry : body_tables()) bodies.entries.push_back(entry);
  return {shapes, laws, systems, steps, paths, tables, bodies};
}

}  // namespace slipset
