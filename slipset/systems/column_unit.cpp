#include "slipset/systems/column_unit.hpp"

#include <array>
#include <span>

namespace slipset {
namespace {

struct Unit {
  std::string_view name, unit;
};

// Of the whole run, and of a pulled block.
constexpr std::array<Unit, 21> kWhole = {
    {{"t", "s"},           {"kinetic", "J"},   {"potential", "J"}, {"dissipated", "J"}, {"dissipated_by_torques", "J"},
     {"input", "J"},       {"numerical", "J"}, {"corrected", "J"}, {"work", "J"},       {"stored", "J"},
     {"contacts", "1"},    {"sticking", "1"},  {"slipping", "1"},  {"turning", "1"},    {"slips", "1"},
     {"way", "m"},         {"slip_x", "m"},    {"slip_y", "m"},    {"force_x", "N"},    {"force_y", "N"},
     {"normal_force", "N"}}};
// Behind the dot: of a contact, of a rigid body.
constexpr std::array<Unit, 27> kOfPart = {{{"normal_force", "N"},
                                           {"friction_1", "N"},
                                           {"friction_2", "N"},
                                           {"drilling_torque", "N m"},
                                           {"rolling_torque_1", "N m"},
                                           {"rolling_torque_2", "N m"},
                                           {"slip_1", "m/s"},
                                           {"slip_2", "m/s"},
                                           {"spin", "rad/s"},
                                           {"rolling_1", "rad/s"},
                                           {"rolling_2", "rad/s"},
                                           {"mode", "1"},
                                           {"deflection_1", "m"},
                                           {"deflection_2", "m"},
                                           {"x", "m"},
                                           {"y", "m"},
                                           {"z", "m"},
                                           {"qw", "1"},
                                           {"qx", "1"},
                                           {"qy", "1"},
                                           {"qz", "1"},
                                           {"vx", "m/s"},
                                           {"vy", "m/s"},
                                           {"vz", "m/s"},
                                           {"wx", "rad/s"},
                                           {"wy", "rad/s"},
                                           {"wz", "rad/s"}}};
// Without their number.
constexpr std::array<Unit, 10> kCoordinates = {{{"x", "m"},
                                                {"y", "m"},
                                                {"z", "m"},
                                                {"yaw", "rad"},
                                                {"pitch", "rad"},
                                                {"heading", "rad"},
                                                {"angle", "rad"},
                                                {"turn_x", "rad"},
                                                {"turn_y", "rad"},
                                                {"turn_z", "rad"}}};

std::string unit_in(std::span<const Unit> units, std::string_view name) {
  for (const Unit& u : units)
    if (u.name == name) return std::string(u.unit);
  return "";
}

std::string coordinate_unit(std::string_view name) {
  return unit_in(kCoordinates, name.substr(0, name.find_last_not_of("0123456789") + 1));
}

}  // namespace

std::string column_unit(std::string_view column) {
  if (const std::size_t dot = column.rfind('.'); dot != std::string_view::npos)
    return unit_in(kOfPart, column.substr(dot + 1));
  for (const std::string& unit : {unit_in(kWhole, column), coordinate_unit(column)})
    if (!unit.empty()) return unit;
  if (!column.starts_with('d')) return "";
  const std::string unit = coordinate_unit(column.substr(1));
  return unit.empty() ? "" : unit + "/s";
}

}  // namespace slipset
