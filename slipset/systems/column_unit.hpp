// Units of the columns of runs.                                        docs/output.md
#pragma once

#include <string>
#include <string_view>

namespace slipset {

// Of a column that a step, an integrator or a pulled block writes: "m/s"; "1" for modes, numbers of contacts and
// quaternions. Coordinates are known by their names, with or without a number: x, y, z, way [m]; yaw, pitch, heading,
// angle, turn_x, turn_y, turn_z [rad]. Empty for others, as q1, q2, ... of a linear system: they depend on the scenario.
std::string column_unit(std::string_view column);

}  // namespace slipset
