// Units as people write them: "mN", "µm/s", "N/mm", "rev/min", "°".                              docs/identify.md
//   A symbol, perhaps with an SI prefix, or a product, quotient or power of such. A plane angle is a dimension here, so
//   that an angle is never taken for a number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slipset {

struct Dimension {
  int length = 0, mass = 0, time = 0, angle = 0, voltage = 0;
  bool operator==(const Dimension&) const = default;
};

struct Unit {
  double factor = 1;  // to SI: metre, kilogram, second, radian, volt
  Dimension dimension;
};

// Empty for what is no unit known here. "-", "1" and "" are numbers.
std::optional<Unit> find_unit(std::string_view text);

// What one `unit` is in SI, as a "force", "angle", "length", "time", "velocity", "rotation", "number", ... Throws
// InvalidInput that says what is known, or what to write instead: "kg" and "lb" are masses, "1/s" and "Grad" could be
// two things.
double unit_factor(std::string_view unit, std::string_view quantity);
// Whether unit_factor() would not throw.
bool is_unit_of(std::string_view unit, std::string_view quantity);

}  // namespace slipset
