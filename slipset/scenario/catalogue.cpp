#include "slipset/scenario/catalogue.hpp"

#include "slipset/scenario/line_systems.hpp"
#include "slipset/scenario/shapes.hpp"
#include "slipset/scenario/systems.hpp"

namespace slipset {

std::vector<CatalogueGroup> catalogue() {
  CatalogueGroup shapes{"shapes", "of a reservoir or a direction set, { shape = \"...\", ... }; angles in degrees", {}};
  for (const ShapeKind& kind : shape_kinds())
    shapes.entries.push_back({std::string(kind.name), std::vector<std::string>(kind.keys.begin(), kind.keys.end()),
                              std::string(kind.summary)});

  CatalogueGroup laws{
      "laws",
      "how to write them as [law]",
      {{"isotropic", {}, "reservoir = disk, no direction"},
       {"associated", {}, "reservoir = any convex shape, no direction (maximum dissipation)"},
       {"collinear", {}, "reservoir = any shape, direction = \"collinear\""},
       {"two-sign", {}, "reservoir = rectangle, no direction (X-Y table)"},
       {"non-associated", {}, "reservoir and direction two shapes, as two ellipses or superellipses"},
       {"wedge", {}, "reservoir and direction the same wedge (asperity model)"},
       {"measured", {}, "reservoir and direction polar, from lists or CSV files"},
       {"regularised", {"kind", "epsilon", "width"}, "regularize = { ... }: for ordinary integrators"},
       {"stribeck", {"static", "velocity"}, "stribeck = { ... }: the reservoir shrinks with the slip speed"},
       {"elastic", {"stiffness", "angle"}, "elastic = { ... }: the contact deforms before it slips"}}};
  CatalogueGroup systems{"systems", "[system] kind = \"...\", for slipset run", {}};
  for (const SystemKind& kind : system_kinds())
    systems.entries.push_back({std::string(kind.name), std::vector<std::string>(kind.keys.begin(), kind.keys.end()),
                               std::string(kind.summary)});
  for (const SystemKind& kind : line_system_kinds())
    systems.entries.push_back({std::string(kind.name), std::vector<std::string>(kind.keys.begin(), kind.keys.end()),
                               std::string(kind.summary)});
  systems.entries.push_back({"spinning-body",
                             {"shape", "mass", "radius", "gravity", "slope", "normal_force"},
                             "a disk or a sphere that slides, spins and rolls; [law] reservoir, drilling, rolling, "
                             "patch = { radius, pressure = \"uniform\", \"hertz\" or \"ring\" }, coupling"});
  systems.entries.push_back({"pulled-block",
                             {"normal_force", "path", "rule"},
                             "a block on an elastic interface, without inertia: path = { kind = \"pull\", \"line\", "
                             "\"back-and-forth\", \"circle\" or \"figure-eight\", ... }"});
  systems.entries.push_back({"rigid-bodies",
                             {"gravity", "tolerance", "margin"},
                             "spheres, boxes and planes of [[body]], [[pile]], [[stack]], each surface with its law of "
                             "[law], [laws.NAME], [[pair]]; --save-problems writes the steps' contact problems"});
  const CatalogueGroup integrators{
      "integrators",
      "[integrator] kind = \"...\"; rk4 and adaptive need [law] regularize",
      {{"moreau", {"step", "duration", "until"}, "Moreau's midpoint time-stepping, the set-valued law solved exactly"},
       {"event-driven",
        {"step", "duration", "cycles", "until"},
        "the reference: phases, their ends by root finding; exact along a line, CVODE in a plane; step is between "
        "rows"},
       {"rk4", {"step", "duration", "cycles", "balance", "band"}, "Runge-Kutta of order 4, for [law] regularize"},
       {"adaptive",
        {"step", "duration", "cycles", "method", "relative_tolerance", "absolute_tolerance", "balance", "band"},
        "SUNDIALS: method bdf, adams, erk or dirk, for [law] regularize"}}};
  return {shapes, laws, systems, integrators};
}

}  // namespace slipset
