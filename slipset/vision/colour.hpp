// The colour of a mark, as a direction in the chromatic plane (a*, b*) of CIE L*a*b*. docs/theory/identification.md
//   q = (c·u)₊ - |c × u|/tan(tolerance),  c = (a*, b*) of a pixel, u of the mark's colour, |u| = 1              (I.17)
// q > 0 in a sector of hues about the mark's; it grows with the saturation and does not change with the lightness much.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace slipset {

struct Colour {
  double red = 0, green = 0, blue = 0;  // 0 to 255
};

// A name (red, green, blue, yellow, orange, magenta, cyan, ...) or "#rrggbb". Throws InvalidInput naming what is
// allowed.
Colour parse_colour(std::string_view text);

// Table of q over (a*, b*), both with 128 added as in 8-bit images; values 0 to 255.
class ChromaTable {
 public:
  // `tolerance` of the hue [rad], below π/2. Throws InvalidInput for grey colours, which have no hue.
  ChromaTable(const Colour& colour, double tolerance);
  std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const { return table_[256u * a + b]; }

 private:
  std::array<std::uint8_t, 65536> table_{};
};

}  // namespace slipset
