#include "slipset/io/internal/fortran_numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace slipset::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits at the front, taken; none: -1. Of more than four: too large for any line.
int take_number(std::string_view& text) {
  int value = -1;
  for (int digits = 0; !text.empty() && is_digit(text.front()) && digits < 4; ++digits) {
    value = 10 * std::max(value, 0) + (text.front() - '0');
    text.remove_prefix(1);
  }
  return value;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string_view without_blanks_around(std::string_view field) {
  while (!field.empty() && (field.front() == ' ' || field.front() == '\t')) field.remove_prefix(1);
  while (!field.empty() && (field.back() == ' ' || field.back() == '\t')) field.remove_suffix(1);
  return field;
}

std::optional<FortranFormat> fortran_format(std::string_view text) {
  text = without_blanks_around(text);
  if (take(text, "(")) {
    if (!text.ends_with(')')) return std::nullopt;
    text = without_blanks_around(text.substr(0, text.size() - 1));
  }
  FortranFormat format;
  int repeat = take_number(text);
  if (repeat >= 0 && take(text, "Pp")) {
    format.scaled = repeat > 0;
    take(text, ",");
    text = without_blanks_around(text);
    repeat = take_number(text);
  }
  format.per_line = repeat < 0 ? 1 : repeat;
  format.real = !take(text, "Ii");
  if (format.real && !take(text, "EeDdFfGg")) return std::nullopt;
  format.width = take_number(text);
  if (take(text, ".") && take_number(text) < 0) return std::nullopt;
  if (format.real && take(text, "Ee") && take_number(text) < 0) return std::nullopt;
  if (!text.empty() || format.per_line < 1 || format.width < 1) return std::nullopt;
  return format;
}

std::optional<double> fortran_real(std::string_view text) {
  double value = 0;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  // Mostly as C++ reads it.
  const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && after == text.data() + text.size())
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  // Else with D, or with no letter before the sign of the exponent.
  std::array<char, 80> copy;
  if (text.empty() || text.size() + 1 > copy.size()) return std::nullopt;
  std::size_t n = 0;
  bool exponent = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == 'D' || c == 'd' || c == 'e') c = 'E';
    const bool sign = c == '+' || c == '-';
    if (sign && n > 0 && copy[n - 1] != 'E') {
      if (exponent) return std::nullopt;
      copy[n++] = 'E';
      exponent = true;
    }
    exponent = exponent || c == 'E';
    if (c == '+' && n > 0 && copy[n - 1] == 'E') continue;  // "E+5" as "E5"
    copy[n++] = c;
  }
  const auto [end, wrong] = std::from_chars(copy.data(), copy.data() + n, value);
  if (wrong != std::errc{} || end != copy.data() + n || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> fortran_real(std::string_view text, const FortranFormat& format) {
  const std::optional<double> value = fortran_real(text);
  if (!value || *value == 0) return value;
  if (text.find('.') == std::string_view::npos) return std::nullopt;
  if (format.scaled && text.find_first_of("EeDd") == std::string_view::npos &&
      text.find_first_of("+-", 1) == std::string_view::npos)
    return std::nullopt;
  return value;
}

}  // namespace slipset::internal
