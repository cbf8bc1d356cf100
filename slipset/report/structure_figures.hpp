// Figures of a structure's modes, in Hz.                                                      docs/output.md
#pragma once

#include "slipset/report/structure_report.hpp"

namespace slipset {

// "growth": growth rates over frequencies; those that grow in red, with their frequencies.
Figure growth_figure(const StructureSetup& setup, const StructureAnswer& answer);

// "participation": which contacts put energy into the four modes that grow most, and which take it out. A map of the
// contacts, seen along the axis that most of their normals have, where the mesh has a node for each; else bars. None
// where no mode grows, or there are no contacts.
std::optional<Figure> participation_figure(const StructureSetup& setup, const StructureAnswer& answer);
// Where the contacts are: nodes that their displacements move. None where one is not found.
std::optional<std::vector<Vec3>> contact_places(const StructureSetup& setup);

// "sweep": growth rates and frequencies over the parameter; modes that grow somewhere in colours.
Figure mode_sweep_figure(const Sweep& sweep, const StabilityScan& scan);
// "lock-in": frequencies over the parameter, the lines' colour by the growth rate; with the critical values. Over
// system.speed "campbell", with the orders n·speed/2π.
Figure lock_in_figure(const Sweep& sweep, const StabilityScan& scan);

}  // namespace slipset
