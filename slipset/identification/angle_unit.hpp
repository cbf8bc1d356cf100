// The unit of an angle's column that nobody names, from the record itself.   docs/identify.md
//   Jumps tell it (from 360 to 0). Else the forces do: they repeat every turn, so harmonics of the right period explain
//   them, and harmonics of a wrong one do not.
#pragma once

#include <span>
#include <string>

namespace slipset {

struct AngleUnit {
  std::string unit;   // "deg", "rad", "rev", "gon"; empty: the record does not decide
  double factor = 0;  // to radians
  std::string why;
};
// The angle as in the file, with the forces of the same samples.
AngleUnit tell_angle_unit(std::span<const double> angle, std::span<const double> tangential,
                          std::span<const double> radial);

}  // namespace slipset
