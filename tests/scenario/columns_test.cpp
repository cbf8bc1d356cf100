// Every column that the runs of examples/scenarios write has a unit, but for coordinates whose unit is the scenario's.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "slipset/report/pulled_block_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "slipset/systems/column_unit.hpp"
#include "tests/scenario/scenario_file.hpp"

using namespace slipset;

namespace {

std::vector<std::string> columns_of(RunSetup& s) {
  if (const auto* moreau = std::get_if<Moreau>(&s.integrator))
    return TimeSteppingRun(*s.system, s.start, *moreau, s.options).table().names();
  s.options.progress = [](double, double) { return false; };  // the first row is enough
  return simulate(*s.system, s.start, s.integrator, s.options).table.names();
}
std::vector<std::string> columns_of(PulledBlockSetup& s) { return pulled_block_table(run_pulled_block(s)).names(); }

}  // namespace

TEST_CASE("every column of every kind of example has a unit, or is one of a linear system") {
  std::size_t files = 0;
  std::set<std::string> without, units;
  for (const auto& entry : std::filesystem::directory_iterator(SLIPSET_SOURCE "/examples/scenarios")) {
    std::string text = read_file(entry.path());
    if (text.find("\n[system]") == std::string::npos || text.find("\"structure\"") != std::string::npos)
      continue;  // a law alone, or what has no run
    CAPTURE(entry.path().string());
    if (text.find("\n[integrator]") == std::string::npos && text.find("\"pulled-block\"") == std::string::npos)
      text += "\n[integrator]\nstep = 1e-3\nduration = 1\n";  // written for slipset stability
    AnyRun run = read_any_run(test::ScenarioFile(text).scenario());
    ++files;
    for (const std::string& column : std::visit([](auto& s) { return columns_of(s); }, run.scenario)) {
      const std::string unit = column_unit(column);
      if (unit.empty()) without.insert(column);
      units.insert(unit);
    }
  }
  CHECK(files > 25);
  CHECK(without == std::set<std::string>{"q1", "q2", "q3", "dq1", "dq2", "dq3"});  // bouncing-mass.toml
  for (const char* unit : {"s", "m", "m/s", "rad", "rad/s", "N", "N m", "J", "1"}) CHECK(units.count(unit) == 1);
}

TEST_CASE("units of columns by name") {
  const std::pair<const char*, const char*> rows[] = {{"angle", "rad"},
                                                      {"dangle2", "rad/s"},
                                                      {"x12", "m"},
                                                      {"dx12", "m/s"},
                                                      {"dpitch", "rad/s"},
                                                      {"dturn_z", "rad/s"},
                                                      {"dissipated", "J"},
                                                      {"contact.drilling_torque", "N m"},
                                                      {"foot.spin", "rad/s"},
                                                      {"s.box4.wx", "rad/s"},
                                                      {"s.box4.x", "m"},
                                                      {"contact1.rolling_torque_1", "N m"},
                                                      {"corrected", "J"},
                                                      {"q1", ""},
                                                      {"dq1", ""},
                                                      {"mine", ""},
                                                      {"", ""},
                                                      {"12", ""},
                                                      {"d", ""}};
  for (const auto& row : rows) {
    CAPTURE(row.first);
    CHECK(column_unit(row.first) == row.second);
  }
}
