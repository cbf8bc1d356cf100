// The first root in (0, 1] of a polynomial that is positive at 0, found for sure.
// In Bernstein form the number of sign changes of the coefficients bounds the number of roots (Descartes): none proves
// that there is no root, one that there is exactly one, several split the interval. An interval of 2⁻⁴⁰ that still has
// several is a root of even order, or so near to one that numbers cannot tell.
#pragma once

#include <span>

namespace slipset::internal {

struct FirstRoot {
  bool found = false;
  double at = 0;
  bool touches = false;  // an even root: the polynomial comes to zero and leaves on the same side, within about 1e-13
};

// Up to 40 coefficients, lowest power first. Values within 4 rounding errors of the coefficients' sum are zero: a
// constant term so small or negative is a root at 0. No allocation.
FirstRoot first_root(std::span<const double> coefficients);

}  // namespace slipset::internal
