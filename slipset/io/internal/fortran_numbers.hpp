// Numbers as Fortran programs write them: in fields of fixed width. For io's own use.
//   formats such as (10I8), (4D20.12), (1P,5E16.8), (1P5E16.8E3), (8F10.4)
//   exponents with E or D, or with their sign alone: 1.5E+03, 1.5D3, 1.5+103, and Nastran's 3.+5
#pragma once

#include <optional>
#include <string_view>

namespace slipset::internal {

struct FortranFormat {
  int per_line = 0, width = 0;
  bool real = false;    // E, D, F, G; else I
  bool scaled = false;  // by P: then a number without an exponent would mean another one
};
std::optional<FortranFormat> fortran_format(std::string_view text);

std::string_view without_blanks_around(std::string_view field);
// A finite number, with nothing around it.
std::optional<double> fortran_real(std::string_view text);
// The same in a field of such a format, where a number without its point, or without its exponent under P, would be
// scaled by powers of ten: none, too, unless it is zero.
std::optional<double> fortran_real(std::string_view text, const FortranFormat& format);

}  // namespace slipset::internal
