// All kinds of systems have the same report, from one function.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "slipset/laws/classical.hpp"
#include "slipset/report/axial_report.hpp"
#include "slipset/report/bodies_report.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/systems/sliding_body.hpp"

using namespace slipset;

namespace {

BodyWorld ball_on_plane() {
  BodyWorld world;
  const int law = world.add_law(isotropic(0.3));
  RigidBody plane = fixed_body("plane", plane_shape()), ball = free_body("ball", sphere_shape(0.1), 1);
  plane.surface.law = ball.surface.law = law;
  world.add(plane, {});
  world.add(ball, {.position = Vec3(0, 0, 0.1), .velocity = Vec3(1, 0, 0)});
  return world;
}

// With something in every field that the integrator of this run leaves empty.
void fill(Run& run) {
  run.report.warnings = {"shaky"};
  run.report.ambiguous = 4;
  run.report.not_converged = 5;
  run.cycle_dissipation = {0.5};
  run.events.resize(300);
  run.report.events = 300;
  run.report.stop(RunStatus::left_range, "too far");
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void check_texts(const std::string& text) {
  CHECK(holds(text, "warning           shaky\n"));
  CHECK(holds(text, "several solutions in 4 steps"));
  CHECK(holds(text, "not converged     in 5 steps"));
  CHECK(holds(text, "last cycle        0.5 J"));
  CHECK(holds(text, "ended early       too far\n"));
}

void check_outcome(const nlohmann::ordered_json& json) {
  CHECK(json.at("cycle_dissipation").size() == 1);
  CHECK(json.at("events").size() == 200);
  const auto& report = json.at("report");
  CHECK(report.at("status") == "left-range");
  CHECK(report.at("finished") == false);
  CHECK(report.at("why") == "too far");
  CHECK(report.at("warnings").size() == 1);
  CHECK(report.at("events") == 300);
}

}  // namespace

TEST_CASE("a run in the plane and a run along a line: the report of both") {
  const SlidingBody body(isotropic(0.3), 1, 10);
  Run run = simulate(body, {0, Vec2(0, 0), Vec2(1, 0)}, Moreau{.step = 0.01}, {.duration = 0.1});
  fill(run);
  const auto json = run_json(run);
  CHECK(json.at("report").dump() == report_json(run).dump());  // a NaN is null there
  CHECK_FALSE(json.at("report").contains("law"));
  CHECK_FALSE(json.contains("contacts"));
  check_outcome(json);
  check_texts(run_text(run));

  const auto axial = axial_json(run);
  auto report = axial.at("report");
  CHECK(axial.at("path_length").is_null());
  CHECK(report.at("law") == "coulomb");
  CHECK(report.at("epsilon").is_null());
  report.erase("law");
  report.erase("epsilon");
  CHECK(report.dump() == report_json(run).dump());
  check_outcome(axial);
  check_texts(axial_text(run));
  run.report.law = "quinn";
  run.report.epsilon = 0.25;
  CHECK(axial_json(run).at("report").at("law") == "quinn");
  CHECK(axial_json(run).at("report").at("epsilon") == 0.25);
}

TEST_CASE("rigid bodies have the same report, with their contacts and warnings") {
  const BodyWorld world = ball_on_plane();
  Run run = simulate(world, Moreau{.step = 1e-3}, {.duration = 0.05});
  CHECK(run.report.finds_contacts);
  CHECK(bodies_json(world, run, "a title").at("contacts").at("most") == 1);
  fill(run);
  const auto json = bodies_json(world, run, "a title");
  CHECK(json.at("report").dump() == report_json(run).dump());
  for (const char* key : {"iterations", "solver_seconds", "margin", "deepest_overlap", "corrections", "integrator",
                          "step", "tolerance", "not_converged", "worst_residual"})
    CHECK(json.at("report").contains(key));
  for (const char* key : {"sticking_fraction", "kinetic", "potential", "dissipated", "input", "corrected",
                          "energy_residual", "steps", "seconds", "ends"})
    CHECK(json.contains(key));
  check_outcome(json);
  const std::string text = bodies_text(world, run, "a title");
  check_texts(text);
  for (const char* part : {"contacts          ", "deepest overlap   "}) CHECK(holds(text, part));
}

TEST_CASE("energies that were not checked have no residual, and no \"nan\"") {
  const SlidingBody body(isotropic(0.3), 1, 10);
  Run run = simulate(body, {0, Vec2(0, 0), Vec2(1, 0)}, Moreau{.step = 0.01}, {.duration = 0.1});
  CHECK(run_json(run).at("energy_residual").is_number());
  CHECK(energy_text(run).find("residual") != std::string::npos);
  run.report.energy_error = NAN;
  CHECK(run_json(run).at("energy_residual").is_null());
  CHECK(run_json(run).at("report").at("energy_error").is_null());
  CHECK(energy_text(run).find("not checked") != std::string::npos);
  CHECK(energy_text(run).find("nan") == std::string::npos);
}
