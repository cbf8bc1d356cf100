#include "slipset/report/bodies_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/report/json.hpp"
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

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

bool is_listed(const RigidBody& body) {
  const PrescribedMotion& m = body.motion;
  return !body.prescribed || !m.velocity.isZero(0) || !m.spin.isZero(0) || !m.amplitude.isZero(0);
}

}  // namespace

Json bodies_json(const BodyWorld& world, const Run& run, const std::string& title) {
  const RunReport& report = run.report;
  const std::vector<BodyState> states = states_at(world, run.table, run.table.size() - 1);
  Json json;
  json["t"] = run.end.t;
  json["bodies"] = world.free_bodies();
  Json& ends = json["ends"] = Json::array();
  for (std::size_t b = 0; b < world.bodies.size() && ends.size() < kListed; ++b) {
    if (!is_listed(world.bodies[b])) continue;
    const BodyState& s = states[b];
    const Quaternion& q = s.orientation;
    ends.push_back({{"name", world.bodies[b].name},
                    {"position", json_of(s.position)},
                    {"orientation", {q.w(), q.x(), q.y(), q.z()}},
                    {"velocity", json_of(s.velocity)},
                    {"spin", json_of(s.world_spin())}});
  }
  const double steps = static_cast<double>(report.steps);
  json["contacts"] = {{"mean", ratio(report.contacts.contacts, steps)},
                      {"most", report.contacts.most},
                      {"at_end", report.contacts.last},
                      {"closed_fraction", ratio(report.contacts.closed, report.contacts.contacts)}};
  json["sticking_fraction"] = ratio(report.contacts.sticking, report.contacts.closed);
  if (!world.joints.empty()) {
    const JointsAtEnd end = joints_at(world, states);
    json["joints"] = {
        {"number", world.joints.size()}, {"largest_distance", end.distance}, {"largest_angle", end.angle}};
  }
  json["kinetic"] = run.energy.kinetic;
  json["potential"] = run.energy.potential;
  json["dissipated"] = run.energy.dissipated;
  if (world.has_rolling_laws()) json["dissipated_by_torques"] = run.energy.by_torques;
  json["input"] = run.energy.input;
  json["corrected"] = run.energy.corrected;
  json["energy_residual"] = run.energy.residual();
  json["steps"] = report.steps;
  json["seconds"] = report.seconds;
  json["report"] = {{"integrator", "moreau"},
                    {"step", report.step},
                    {"tolerance", report.tolerance},
                    {"not_converged", report.not_converged},
                    {"worst_residual", json_or_null(report.worst_residual)},
                    {"iterations", report.iterations},
                    {"solver_seconds", report.solver_seconds},
                    {"margin", report.contacts.margin},
                    {"deepest_overlap", report.contacts.deepest_overlap},
                    {"corrections", report.contacts.corrections},
                    {"finished", report.finished()},
                    {"why", report.stop_reason}};
  json["title"] = title;
  return json;
}

std::string bodies_text(const BodyWorld& world, const Run& run, const std::string& title) {
  const RunReport& report = run.report;
  const std::vector<BodyState> states = states_at(world, run.table, run.table.size() - 1);
  const double steps = static_cast<double>(report.steps);
  std::string text = fmt::format(
      "{}\n{} bodies, {:.6g} s in {} steps of {:.6g} s, computing time {:.3g} s, contacts {:.3g} s\n", title,
      world.free_bodies(), run.end.t, report.steps, report.step, report.seconds, report.solver_seconds);
  text += fmt::format("contacts          {:.4g} on average, {} at most; {:.3g} of the closed ones stick\n",
                      ratio(report.contacts.contacts, steps), report.contacts.most,
                      ratio(report.contacts.sticking, report.contacts.closed));
  if (!world.joints.empty()) {
    const JointsAtEnd end = joints_at(world, states);
    text += fmt::format("joints            {}; open by {:.2g} m and {:.2g} degrees at most, at the end\n",
                        world.joints.size(), end.distance, end.angle);
  }
  if (report.contacts.most > 0 || !world.joints.empty())
    text += fmt::format("contact solver    {:.3g} iterations per step, worst residual {:.2g}\n",
                        ratio(static_cast<double>(report.iterations), steps), report.worst_residual);
  text += fmt::format(
      "energy            {:.6g} J dissipated, {:.6g} J input, {:.3g} J by removing overlap, {:.3g} J unbalanced\n",
      run.energy.dissipated, run.energy.input, run.energy.corrected, run.energy.residual());
  if (world.has_rolling_laws())
    text += fmt::format("torques           {:.6g} J of it dissipated by drilling and rolling\n", run.energy.by_torques);
  text += fmt::format("deepest overlap   {:.3g} m, removed in {} steps\n", report.contacts.deepest_overlap,
                      report.contacts.corrections);
  std::size_t shown = 0;
  for (std::size_t b = 0; b < world.bodies.size() && shown < 12; ++b) {
    if (world.bodies[b].prescribed) continue;
    const BodyState& s = states[b];
    text += fmt::format("{:<17} {:.5g}, {:.5g}, {:.5g} m, {:.3g} m/s\n", world.bodies[b].name, s.position.x(),
                        s.position.y(), s.position.z(), s.velocity.norm());
    ++shown;
  }
  if (world.free_bodies() > shown) text += fmt::format("and {} more\n", world.free_bodies() - shown);
  if (report.not_converged > 0)
    text += fmt::format("{} steps did not converge to {:.2g}\n", report.not_converged, report.tolerance);
  if (!report.finished()) text += fmt::format("ended early: {}\n", report.stop_reason);
  return text;
}

std::vector<BodyState> states_at(const BodyWorld& world, const Table& table, std::size_t row) {
  std::vector<BodyState> states = world.states;
  const Table::Row at = table.rows()[row];
  std::size_t k = 1;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (!is_listed(world.bodies[b])) continue;
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
