#include "slipset/io/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/names.hpp"

namespace slipset {
namespace {

constexpr Dimension kNumber{}, kLength{1}, kMass{0, 1}, kTime{0, 0, 1}, kAngle{0, 0, 0, 1}, kVoltage{0, 0, 0, 0, 1},
    kForce{1, 1, -2}, kVelocity{1, 0, -1}, kAcceleration{1, 0, -2}, kRotation{0, 0, -1, 1}, kFrequency{0, 0, -1},
    kStiffness{0, 1, -2}, kTorque{2, 1, -2}, kPressure{-1, 1, -2}, kPower{2, 1, -3}, kSensitivity{1, 1, -2, 0, -1};

struct Symbol {
  std::string_view name;
  double factor;
  Dimension dimension;
  bool prefixed = false;  // takes SI prefixes
};
constexpr double kPound = 0.45359237, kGravity = 9.80665, kInch = 0.0254;
// Case counts: mN is not MN.
constexpr Symbol kSymbols[] = {{"1", 1, kNumber},
                               {"%", 1e-2, kNumber},
                               {"‰", 1e-3, kNumber},
                               {"m", 1, kLength, true},
                               {"in", kInch, kLength},
                               {"ft", 12 * kInch, kLength},
                               {"mil", 1e-3 * kInch, kLength},
                               {"s", 1, kTime, true},
                               {"min", 60, kTime},
                               {"h", 3600, kTime},
                               {"g", 1e-3, kMass, true},
                               {"lb", kPound, kMass},
                               {"oz", kPound / 16, kMass},
                               {"N", 1, kForce, true},
                               {"dyn", 1e-5, kForce, true},
                               {"gf", 1e-3 * kGravity, kForce, true},
                               {"p", 1e-3 * kGravity, kForce, true},  // pond
                               {"lbf", kPound* kGravity, kForce},
                               {"ozf", kPound* kGravity / 16, kForce},
                               {"rad", 1, kAngle, true},
                               {"deg", kPi / 180, kAngle},
                               {"°", kPi / 180, kAngle},
                               {"gon", kPi / 200, kAngle, true},
                               {"arcmin", kPi / 180 / 60, kAngle},
                               {"arcsec", kPi / 180 / 3600, kAngle},
                               {"rev", 2 * kPi, kAngle},
                               {"r", 2 * kPi, kAngle},
                               {"U", 2 * kPi, kAngle},  // Umdrehung
                               {"rpm", 2 * kPi / 60, kRotation},
                               {"Hz", 1, kFrequency, true},
                               {"Nm", 1, kTorque, true},
                               {"J", 1, kTorque, true},
                               {"W", 1, kPower, true},
                               {"Pa", 1, kPressure, true},
                               {"bar", 1e5, kPressure, true},
                               {"V", 1, kVoltage, true}};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix kPrefixes[] = {{"da", 1e1}, {"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6},
                                {"m", 1e-3}, {"c", 1e-2},  {"d", 1e-1},  {"h", 1e2},  {"k", 1e3},
                                {"M", 1e6},  {"G", 1e9},   {"T", 1e12}};

// Words for symbols; case does not count.
constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"deg", "deg"},    {"degs", "deg"},       {"degree", "deg"},      {"degrees", "deg"}, {"rad", "rad"},
    {"radian", "rad"}, {"radians", "rad"},    {"turn", "rev"},        {"turns", "rev"},   {"rev", "rev"},
    {"revs", "rev"},   {"revolution", "rev"}, {"revolutions", "rev"}, {"rpm", "rpm"},     {"newton", "N"},
    {"newtons", "N"},  {"sec", "s"},          {"secs", "s"},          {"second", "s"},    {"seconds", "s"},
    {"minute", "min"}, {"minutes", "min"},    {"metre", "m"},         {"metres", "m"},    {"meter", "m"},
    {"meters", "m"},   {"micron", "um"},      {"microns", "um"},      {"inch", "in"},     {"inches", "in"},
    {"feet", "ft"},    {"foot", "ft"},        {"lbs", "lb"},          {"pond", "p"},      {"volt", "V"},
    {"volts", "V"},    {"percent", "%"},      {"umdr", "U"},          {"none", "1"},      {"dimensionless", "1"}};

struct Quantity {
  std::string_view name;
  Dimension dimension;
  std::string_view known;  // for messages
};
constexpr Quantity kQuantities[] = {{"number", kNumber, "- (a number), %"},
                                    {"length", kLength, "m, mm, µm, cm, in, ft"},
                                    {"mass", kMass, "kg, g, mg, lb"},
                                    {"time", kTime, "s, ms, µs, min, h"},
                                    {"force", kForce, "N, mN, µN, cN, daN, kN, gf, kgf, kp, lbf, ozf"},
                                    {"angle", kAngle, "deg, °, rad, mrad, gon, rev, arcmin"},
                                    {"velocity", kVelocity, "m/s, mm/s, µm/s, m/min, in/s"},
                                    {"acceleration", kAcceleration, "m/s², mm/s²"},
                                    {"rotation", kRotation, "rpm, rad/s, deg/s, rev/s, Hz"},
                                    {"frequency", kFrequency, "Hz, kHz, 1/s"},
                                    {"stiffness", kStiffness, "N/m, N/mm, kN/m, mN/µm"},
                                    {"torque", kTorque, "Nm, N*mm, mNm"},
                                    {"pressure", kPressure, "Pa, kPa, MPa, bar"},
                                    {"power", kPower, "W, mW, kW"},
                                    {"voltage", kVoltage, "V, mV"},
                                    {"sensitivity", kSensitivity, "N/V, N/mV, mN/V"}};

const Quantity& quantity_named(std::string_view name) {
  for (const Quantity& q : kQuantities)
    if (q.name == name) return q;
  throw InvalidInput(fmt::format("no quantity \"{}\"", name));
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// In one way of writing: u for µ, * for products, ^ for powers.
std::string normalised(std::string_view text) {
  std::string s(text);
  constexpr std::pair<std::string_view, std::string_view> same[] = {
      {"\u00b5", "u"},  {"\u03bc", "u"},         {"\u00b7", "*"}, {"\u22c5", "*"}, {"\u00ba", "°"}, {"\u00b2", "^2"},
      {"\u00b3", "^3"}, {"\u207b\u00b9", "^-1"}, {"\u2212", "-"}, {"**", "^"},     {"\u00a0", " "}};
  for (const auto& [from, to] : same) replace_all(s, from, to);
  while (!s.empty() && s.front() == ' ') s.erase(s.begin());
  while (!s.empty() && s.back() == ' ') s.pop_back();
  for (const std::string_view spaced : {" /", "/ ", " *", "* "})
    replace_all(s, spaced, spaced.find('/') != std::string_view::npos ? "/" : "*");
  return s;
}

std::optional<Unit> symbol_of(std::string_view name) {
  for (const Symbol& symbol : kSymbols)
    if (symbol.name == name) return Unit{symbol.factor, symbol.dimension};
  const std::string small = internal::lower_case(name);
  for (const auto& [word, symbol] : kWords)
    if (word == small) return symbol_of(symbol);
  for (const Prefix& prefix : kPrefixes)
    if (name.starts_with(prefix.name))
      for (const Symbol& symbol : kSymbols)
        if (symbol.prefixed && symbol.name == name.substr(prefix.name.size()))
          return Unit{prefix.factor * symbol.factor, symbol.dimension};
  return std::nullopt;
}

// A symbol with a power: "s^2", "s2", "min-1".
std::optional<Unit> power_of(std::string_view factor) {
  int power = 1;
  const std::size_t at = factor.find_last_not_of("0123456789");
  if (at != std::string_view::npos && at + 1 < factor.size() && factor != "1") {
    std::size_t end = at + 1;
    const auto digits = std::from_chars(factor.data() + end, factor.data() + factor.size(), power);
    if (digits.ec != std::errc{} || power > 9) return std::nullopt;
    if (end > 0 && factor[end - 1] == '-') power = -power, --end;
    if (end > 0 && factor[end - 1] == '^') --end;
    factor = factor.substr(0, end);
  }
  const std::optional<Unit> symbol = symbol_of(factor);
  if (!symbol) return std::nullopt;
  const Dimension& d = symbol->dimension;
  return Unit{std::pow(symbol->factor, power),
              {power * d.length, power * d.mass, power * d.time, power * d.angle, power * d.voltage}};
}

bool is_dash(std::string_view text) {
  return text.empty() || text == "-" || text == "--" || text == "–" || text == "—";
}

// The factor, or the reason why there is none.
struct Found {
  std::optional<double> factor;
  std::string why;
};
Found look_up(std::string_view text, std::string_view name) {
  const Quantity& quantity = quantity_named(name);
  const std::string unit = normalised(text);
  const auto known = [&] {
    return fmt::format("known for {} {}: {}", name == "angle" ? "an" : "a", name, quantity.known);
  };
  const std::string small = internal::lower_case(unit);
  if (name == "angle" && (small == "grad" || small == "grads"))
    return {{}, fmt::format("\"{}\" is 1/360 of a turn in some languages and 1/400 in others; write deg or gon", text)};
  const std::optional<Unit> found = find_unit(unit);
  if (!found) return {{}, fmt::format("unknown unit \"{}\"; {}", text, known())};
  if (found->dimension == quantity.dimension) return {found->factor, ""};
  if (name == "rotation" && found->dimension == kFrequency) {
    // Revolutions per second, or per minute; 1/s is written for radians as well.
    if (unit.ends_with("Hz") || unit.find("min") != std::string::npos) return {2 * kPi * found->factor, ""};
    return {{}, fmt::format("\"{}\" may mean radians or revolutions; write rad/s, rev/s or rpm", text)};
  }
  if (name == "force" && found->dimension == kMass)
    return {{},
            fmt::format("\"{}\" is a mass; for a force write {}", text,
                        unit.find("lb") != std::string::npos   ? "lbf"
                        : unit.find("oz") != std::string::npos ? "ozf"
                        : unit == "kg"                         ? "kgf or kp"
                                                               : fmt::format("{}f", unit))};
  for (const Quantity& other : kQuantities)
    if (other.dimension == found->dimension)
      return {
          {},
          fmt::format("\"{}\" is a unit of {}{}; {}", text, other.name, other.name == "number" ? "s" : "", known())};
  return {{}, fmt::format("\"{}\" is no unit of {}; {}", text, name, known())};
}

}  // namespace

std::optional<Unit> find_unit(std::string_view text) {
  const std::string unit = normalised(text);
  if (is_dash(unit)) return Unit{};
  Unit product;
  std::string_view rest = unit;
  bool divide = false;
  while (true) {
    const std::size_t end = std::min(rest.find_first_of("*/ ."), rest.size());
    const std::optional<Unit> factor = power_of(rest.substr(0, end));
    if (!factor) return std::nullopt;
    const int sign = divide ? -1 : 1;
    product.factor *= divide ? 1 / factor->factor : factor->factor;
    Dimension& p = product.dimension;
    const Dimension& d = factor->dimension;
    p = {p.length + sign * d.length, p.mass + sign * d.mass, p.time + sign * d.time, p.angle + sign * d.angle,
         p.voltage + sign * d.voltage};
    if (end == rest.size()) return product;
    divide = rest[end] == '/';
    rest.remove_prefix(end + 1);
  }
}

double unit_factor(std::string_view unit, std::string_view quantity) {
  const Found found = look_up(unit, quantity);
  if (!found.factor) throw InvalidInput(found.why, "units");
  return *found.factor;
}

bool is_unit_of(std::string_view unit, std::string_view quantity) { return look_up(unit, quantity).factor.has_value(); }

}  // namespace slipset
