#include "slipset/scenario/bodies_report.hpp"

#include <fmt/format.h>

#include <cmath>

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kListed = 1000;  // bodies in the JSON

Json json_of(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

bool is_listed(const RigidBody& body) {
  const PrescribedMotion& m = body.motion;
  return !body.prescribed || !m.velocity.isZero(0) || !m.spin.isZero(0) || !m.amplitude.isZero(0);
}

}  // namespace

Json bodies_json(const BodiesScenario& scenario, const BodyRun& run) {
  const BodyRunReport& report = run.report;
  Json json;
  json["t"] = run.end.time;
  json["bodies"] = run.end.free_bodies();
  Json& ends = json["ends"] = Json::array();
  for (std::size_t b = 0; b < run.end.bodies.size() && ends.size() < kListed; ++b) {
    if (!is_listed(run.end.bodies[b])) continue;
    const BodyState& s = run.end.states[b];
    const Quaternion& q = s.orientation;
    ends.push_back({{"name", run.end.bodies[b].name},
                    {"position", json_of(s.position)},
                    {"orientation", {q.w(), q.x(), q.y(), q.z()}},
                    {"velocity", json_of(s.velocity)},
                    {"spin", json_of(s.world_spin())}});
  }
  const double steps = static_cast<double>(report.steps);
  json["contacts"] = {{"mean", ratio(run.contact_sum, steps)},
                      {"most", run.most_contacts},
                      {"at_end", run.rows.back().contacts},
                      {"closed_fraction", ratio(run.closed_sum, run.contact_sum)}};
  json["sticking_fraction"] = ratio(run.sticking_sum, run.closed_sum);
  json["kinetic"] = run.energy.kinetic;
  json["potential"] = run.energy.potential;
  json["dissipated"] = run.energy.dissipated;
  if (run.end.has_rolling_laws()) json["dissipated_by_torques"] = run.energy.by_torques;
  json["input"] = run.energy.input;
  json["corrected"] = run.energy.corrected;
  json["energy_residual"] = run.energy.residual();
  json["steps"] = report.steps;
  json["seconds"] = report.seconds;
  json["report"] = {{"integrator", "moreau"},
                    {"step", report.options.step},
                    {"tolerance", report.options.with.contact.tolerance},
                    {"not_converged", report.not_converged},
                    {"worst_residual", number_or_null(report.worst_residual)},
                    {"iterations", report.iterations},
                    {"solver_seconds", report.solver_seconds},
                    {"margin", report.margin},
                    {"deepest_overlap", report.deepest_overlap},
                    {"corrections", report.corrections},
                    {"finished", report.finished},
                    {"why", report.why}};
  json["title"] = scenario.title;
  return json;
}

std::string bodies_text(const BodiesScenario& scenario, const BodyRun& run) {
  const BodyRunReport& report = run.report;
  const double steps = static_cast<double>(report.steps);
  std::string text =
      fmt::format("{}\n{} bodies, {:.6g} s in {} steps of {:.6g} s, {:.3g} s of computing, {:.3g} s of it contacts\n",
                  scenario.title, run.end.free_bodies(), run.end.time, report.steps, report.options.step,
                  report.seconds, report.solver_seconds);
  text += fmt::format("contacts          {:.4g} in the mean, {} at most; {:.3g} of those that are closed stick\n",
                      ratio(run.contact_sum, steps), run.most_contacts, ratio(run.sticking_sum, run.closed_sum));
  if (run.most_contacts > 0)
    text += fmt::format("contact solver    {:.3g} iterations a step, worst residual {:.2g}\n",
                        ratio(static_cast<double>(report.iterations), steps), report.worst_residual);
  text += fmt::format(
      "energy            {:.6g} J dissipated, {:.6g} J put in, {:.3g} J by taking overlap out, {:.3g} J unbalanced\n",
      run.energy.dissipated, run.energy.input, run.energy.corrected, run.energy.residual());
  if (run.end.has_rolling_laws())
    text += fmt::format("torques           {:.6g} J of it dissipated by drilling and rolling\n", run.energy.by_torques);
  text +=
      fmt::format("deepest overlap   {:.3g} m, taken out in {} steps\n", report.deepest_overlap, report.corrections);
  std::size_t shown = 0;
  for (std::size_t b = 0; b < run.end.bodies.size() && shown < 12; ++b) {
    if (run.end.bodies[b].prescribed) continue;
    const BodyState& s = run.end.states[b];
    text += fmt::format("{:<17} {:.5g}, {:.5g}, {:.5g} m, {:.3g} m/s\n", run.end.bodies[b].name, s.position.x(),
                        s.position.y(), s.position.z(), s.velocity.norm());
    ++shown;
  }
  if (run.end.free_bodies() > shown) text += fmt::format("and {} more\n", run.end.free_bodies() - shown);
  if (report.not_converged > 0)
    text += fmt::format("{} steps did not converge to {:.2g}\n", report.not_converged,
                        report.options.with.contact.tolerance);
  if (!report.finished) text += fmt::format("ended early: {}\n", report.why);
  return text;
}

Trajectory bodies_table(const BodyRun& run) {
  Trajectory table;
  table.columns = {"t"};
  std::vector<std::size_t> listed;
  for (std::size_t b = 0; b < run.end.bodies.size(); ++b) {
    if (!is_listed(run.end.bodies[b])) continue;
    listed.push_back(b);
    for (const char* what : {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"})
      table.columns.push_back(fmt::format("{}.{}", run.end.bodies[b].name, what));
  }
  for (const char* what :
       {"contacts", "sticking", "slipping", "kinetic", "potential", "dissipated", "input", "corrected"})
    table.columns.emplace_back(what);
  const bool rolling = run.end.has_rolling_laws();
  if (rolling) table.columns.insert(table.columns.end(), {"turning", "dissipated_by_torques"});
  for (const BodyRow& row : run.rows) {
    std::vector<double> numbers = {row.t};
    numbers.reserve(table.columns.size());
    for (const std::size_t b : listed) {
      const BodyState& s = row.states[b];
      const Quaternion& q = s.orientation;
      const Vec3 spin = s.world_spin();
      numbers.insert(numbers.end(), {s.position.x(), s.position.y(), s.position.z(), q.w(), q.x(), q.y(), q.z(),
                                     s.velocity.x(), s.velocity.y(), s.velocity.z(), spin.x(), spin.y(), spin.z()});
    }
    numbers.insert(numbers.end(), {static_cast<double>(row.contacts), static_cast<double>(row.sticking),
                                   static_cast<double>(row.slipping), row.energy.kinetic, row.energy.potential,
                                   row.energy.dissipated, row.energy.input, row.energy.corrected});
    if (rolling) numbers.insert(numbers.end(), {static_cast<double>(row.turning), row.energy.by_torques});
    table.rows.push_back(std::move(numbers));
  }
  return table;
}

}  // namespace slipset
