#include "slipset/io/units.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "slipset/core/error.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using slipset::test::near;

// A8: what instruments write is converted. The factors are those of the SI brochure and of NIST SP 811.
TEST_CASE("A8 units: symbols, prefixes, products and powers") {
  const double pi = std::numbers::pi;
  struct Row {
    const char *unit, *quantity;
    double factor;
  };
  const Row rows[] = {{"N", "force", 1},
                      {"µN", "force", 1e-6},
                      {"\u03bcN", "force", 1e-6},
                      {"uN", "force", 1e-6},
                      {"mN", "force", 1e-3},
                      {"cN", "force", 1e-2},
                      {"daN", "force", 10},
                      {"kN", "force", 1e3},
                      {"fN", "force", 1e-15},
                      {"pN", "force", 1e-12},
                      {"nN", "force", 1e-9},
                      {"dN", "force", 0.1},
                      {"hN", "force", 100},
                      {"GN", "force", 1e9},
                      {"TN", "force", 1e12},
                      {"MN", "force", 1e6},
                      {"kp", "force", 9.80665},
                      {"gf", "force", 9.80665e-3},
                      {"kgf", "force", 9.80665},
                      {"lbf", "force", 4.4482216152605},
                      {"ozf", "force", 0.27801385095378125},
                      {"dyn", "force", 1e-5},
                      {"kg m/s²", "force", 1},
                      {"newtons", "force", 1},
                      {"deg", "angle", pi / 180},
                      {"°", "angle", pi / 180},
                      {"Degrees", "angle", pi / 180},
                      {"mrad", "angle", 1e-3},
                      {"gon", "angle", pi / 200},
                      {"rev", "angle", 2 * pi},
                      {"µm", "length", 1e-6},
                      {"in", "length", 0.0254},
                      {"ft", "length", 0.3048},
                      {"ms", "time", 1e-3},
                      {"min", "time", 60},
                      {"mm/s", "velocity", 1e-3},
                      {"m/min", "velocity", 1.0 / 60},
                      {"mm s^-1", "velocity", 1e-3},
                      {"mm/s2", "acceleration", 1e-3},
                      {"rpm", "rotation", pi / 30},
                      {"1/min", "rotation", pi / 30},
                      {"min-1", "rotation", pi / 30},
                      {"min\u207b\u00b9", "rotation", pi / 30},
                      {"U/min", "rotation", pi / 30},
                      {"deg/s", "rotation", pi / 180},
                      {"Hz", "rotation", 2 * pi},
                      {"N/mm", "stiffness", 1e3},
                      {"N / µm", "stiffness", 1e6},
                      {"N·mm", "torque", 1e-3},
                      {"mNm", "torque", 1e-3},
                      {"MPa", "pressure", 1e6},
                      {"mV", "voltage", 1e-3},
                      {"", "number", 1},
                      {"-", "number", 1},
                      {"%", "number", 1e-2},
                      {"kg", "mass", 1},
                      {"lb", "mass", 0.45359237}};
  for (const Row& row : rows) {
    INFO(row.unit);
    CHECK(unit_factor(row.unit, row.quantity) == near(row.factor, 1e-14));
  }
}

TEST_CASE("A8 units: what is unknown, ambiguous or of another quantity is refused with what to write") {
  struct Row {
    const char *unit, *quantity, *says;
  };
  const Row rows[] = {{"lb", "force", "write lbf"},
                      {"g", "force", "write gf"},
                      {"kg", "force", "write kgf or kp"},
                      {"oz", "force", "write ozf"},
                      {"stone", "force", "known for a force: N, mN"},
                      {"KN", "force", "unknown unit"},
                      {"V", "force", "is a unit of voltage"},
                      {"deg", "force", "is a unit of angle"},
                      {"N", "number", "is a unit of force"},
                      {"Grad", "angle", "write deg or gon"},
                      {"", "angle", "is a unit of numbers"},
                      {"1/s", "rotation", "write rad/s, rev/s or rpm"},
                      {"m/", "velocity", "unknown unit"},
                      {"m//s", "velocity", "unknown unit"},
                      {"m^", "length", "unknown unit"},
                      {"m99999999999", "length", "unknown unit"}};
  for (const Row& row : rows) {
    INFO(row.unit);
    CHECK_THROWS_WITH_AS(unit_factor(row.unit, row.quantity), doctest::Contains(row.says), InvalidInput);
    CHECK_FALSE(is_unit_of(row.unit, row.quantity));
  }
}
