// Pictures of a stick-slip cycle on the belt: path, forces in the reservoir, time series.      [WL19 Fig. 17]
#pragma once

#include "slipset/io/figure.hpp"
#include "slipset/stability/belt_cycle.hpp"

namespace slipset {

// The cycle as a line, Moreau's positions after every eighth step as crosses.                  [WL19 Fig. 17a]
Figure cycle_path_figure(const BeltMotion& motion, const BeltCycle& cycle, const Table& moreau);
// Minus the friction force after every eighth step in the reservoir, with slip vectors.        [WL19 Fig. 17b]
Figure cycle_force_figure(const BeltMotion& motion, const BeltCycle& cycle, const Table& moreau);
// Position, slip speed and the gauge of the friction force over one period from the end of stick.
Figure cycle_time_figure(const BeltMotion& motion, const BeltCycle& cycle);

}  // namespace slipset
