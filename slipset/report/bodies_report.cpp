#include "slipset/report/bodies_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/report/json.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/systems/bodies/body_problem.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kListed = 1000;  // bodies in the JSON

// In degrees: angles of files and reports are.
struct JointsAtEnd {
  double distance = 0, angle = 0;
};
JointsAtEnd joints_at(const BodyWorld& world, const std::vector<BodyState>& states) {
  BodyWorld end = world;
  end.states = states;
  const LargestJointError error = largest_joint_error(end);
  return {error.distance, degrees(error.turn)};
}

}  // namespace

Json bodies_json(const BodyWorld& world, const Run& run, const std::string& title) {
  const std::vector<BodyState> states = states_at(world, run.table, run.table.size() - 1);
  Json json;
  json["t"] = run.end.t;
  json["bodies"] = world.free_bodies();
  Json& ends = json["ends"] = Json::array();
  for (std::size_t b = 0; b < world.bodies.size() && ends.size() < kListed; ++b) {
    if (!world.bodies[b].is_listed()) continue;
    const BodyState& s = states[b];
    const Quaternion& q = s.orientation;
    ends.push_back({{"name", world.bodies[b].name},
                    {"position", json_of(s.position)},
                    {"orientation", {q.w(), q.x(), q.y(), q.z()}},
                    {"velocity", json_of(s.velocity)},
                    {"spin", json_of(s.world_spin())}});
  }
  if (!world.joints.empty()) {
    const JointsAtEnd end = joints_at(world, states);
    json["joints"] = {
        {"number", world.joints.size()}, {"largest_distance", end.distance}, {"largest_angle", end.angle}};
  }
  if (world.has_rolling_laws()) json["dissipated_by_torques"] = run.energy.by_torques;
  json["corrected"] = run.energy.corrected;
  add_outcome(run, json);
  json["title"] = title;
  return json;
}

std::string bodies_text(const BodyWorld& world, const Run& run, const std::string& title) {
  const std::vector<BodyState> states = states_at(world, run.table, run.table.size() - 1);
  std::string text = fmt::format("{}\n{} {}\nend               t = {:.10g} s ({})\n", title, world.free_bodies(),
                                 world.free_bodies() == 1 ? "body" : "bodies", run.end.t, run.report.stop_reason);
  if (!world.joints.empty()) {
    const JointsAtEnd end = joints_at(world, states);
    text += fmt::format("joints            {}; open by {:.2g} m and {:.2g} degrees at most, at the end\n",
                        world.joints.size(), end.distance, end.angle);
  }
  text += energy_text(run);
  if (world.has_rolling_laws())
    text += fmt::format("torques           {:.6g} J of it dissipated by drilling and rolling\n", run.energy.by_torques);
  std::size_t shown = 0;
  for (std::size_t b = 0; b < world.bodies.size() && shown < 12; ++b) {
    if (world.bodies[b].prescribed) continue;
    const BodyState& s = states[b];
    text += fmt::format("{:<17} {:.5g}, {:.5g}, {:.5g} m, {:.3g} m/s\n", world.bodies[b].name, s.position.x(),
                        s.position.y(), s.position.z(), s.velocity.norm());
    ++shown;
  }
  if (world.free_bodies() > shown) text += fmt::format("and {} more\n", world.free_bodies() - shown);
  return text + report_text(run);
}

std::vector<BodyState> states_at(const BodyWorld& world, const Table& table, std::size_t row) {
  std::vector<BodyState> states = world.states;
  const Table::Row at = table.rows()[row];
  std::size_t k = 1;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (!world.bodies[b].is_listed()) continue;
    BodyState& s = states[b];
    s.position = Vec3(at[k], at[k + 1], at[k + 2]);
    s.orientation = Quaternion(at[k + 3], at[k + 4], at[k + 5], at[k + 6]);
    s.velocity = Vec3(at[k + 7], at[k + 8], at[k + 9]);
    s.spin = s.orientation.conjugate() * Vec3(at[k + 10], at[k + 11], at[k + 12]);
    k += 13;
  }
  return states;
}

}  // namespace slipset
