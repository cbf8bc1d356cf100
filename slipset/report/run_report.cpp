#include "slipset/report/run_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "slipset/report/json.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostEvents = 200;

double fraction(double part, double whole) { return whole > 0 ? part / whole : 0; }

bool has_state(const RunReport& r) { return r.law == "lugre" || r.law == "elastic"; }

// Else what drives put in was taken from the balance, and its residual is zero whatever the motion.
bool is_energy_checked(const Run& run) { return !std::isnan(run.report.energy_error); }

Json events_json(const Run& run) {
  Json events = Json::array();
  for (std::size_t k = 0; k < std::min(run.events.size(), kMostEvents); ++k) {
    const FrictionEvent& e = run.events[k];
    events.push_back({{"t", e.t},
                      {"contact", e.contact + 1},
                      {"kind", kFrictionEventNames[static_cast<std::size_t>(e.kind)]},
                      {"slip", e.slip},
                      {"tied", e.tied},
                      {"derivative", e.derivative}});
  }
  return events;
}

std::string integrator_text(const RunReport& r) {
  if (r.law.empty())
    return fmt::format("integrator        {}{}\n", r.integrator,
                       r.integrator == "moreau" ? fmt::format(", step {:g} s", r.step) : "");
  const std::string work = fmt::format("{} evaluations, {} steps tried again", r.evaluations, r.error_test_failures);
  if (has_state(r))
    return fmt::format("contact states    {}, {}, {}{}\n", r.law, r.integrator, work,
                       r.switches > 0 ? fmt::format(", {} switches between stick and slip", r.switches) : "");
  return fmt::format("regularised       {}, {}{}, {}{}\n", r.integrator, r.law,
                     std::isnan(r.epsilon) ? "" : fmt::format(" with epsilon = {:g} m/s", r.epsilon), work,
                     r.balance.empty() ? "" : ", balance by " + r.balance);
}

std::string contacts_text(const RunReport& r) {
  const double steps = static_cast<double>(r.steps);
  std::string text = fmt::format("contacts          {:.4g} on average, {} at most; {:.3g} of the closed ones stick\n",
                                 fraction(r.contacts.contacts, steps), r.contacts.most,
                                 fraction(r.contacts.sticking, r.contacts.closed));
  if (r.iterations > 0)
    text += fmt::format("contact solver    {:.3g} iterations per step, worst residual {:.2g}, {:.3g} s\n",
                        fraction(static_cast<double>(r.iterations), steps), r.worst_residual, r.solver_seconds);
  text += fmt::format("deepest overlap   {:.3g} m, removed in {} steps\n", r.contacts.deepest_overlap,
                      r.contacts.corrections);
  return text;
}

}  // namespace

Json report_json(const Run& run) {
  const RunReport& r = run.report;
  Json json = {{"status", kRunStatusNames[static_cast<std::size_t>(r.status)]},
               {"finished", r.finished()},
               {"why", r.stop_reason},
               {"warnings", r.warnings},
               {"energy_error", json_or_null(r.energy_error)},
               {"doubts", r.doubts},
               {"integrator", r.integrator},
               {"step", r.step},
               {"tolerance", r.tolerance},
               {"not_converged", r.not_converged},
               {"ambiguous", r.ambiguous},
               {"not_counted", r.not_counted},
               {"undetermined",
                {{"steps", r.undetermined},
                 {"most", r.most_undetermined},
                 {"not_settled", r.not_settled},
                 {"not_looked_at", r.not_looked_at}}},
               {"worst_residual", r.worst_residual},
               {"iterations", r.iterations},
               {"evaluations", r.evaluations},
               {"error_test_failures", r.error_test_failures},
               {"nonlinear_iterations", r.nonlinear_iterations},
               {"switches", r.switches},
               {"unresolved", r.unresolved},
               {"events", r.events},
               {"ties", r.ties},
               {"degenerate", r.degenerate},
               {"deepest_derivative", r.deepest_derivative}};
  if (r.integrator == "moreau") json["closing_distance"] = json_or_null(r.closing_distance);
  if (!r.law.empty()) json["law"] = r.law;
  if (!r.law.empty() && !has_state(r)) json["epsilon"] = json_or_null(r.epsilon);
  if (!r.balance.empty()) json["balance"] = r.balance;
  if (r.finds_contacts) {
    json["solver_seconds"] = r.solver_seconds;
    json["margin"] = r.contacts.margin;
    json["deepest_overlap"] = r.contacts.deepest_overlap;
    json["corrections"] = r.contacts.corrections;
  }
  return json;
}

std::string report_text(const Run& run) {
  const RunReport& r = run.report;
  std::string text = fmt::format("steps             {} in {:.3g} s, {:.3g} microseconds each\n", r.steps, r.seconds,
                                 1e6 * r.seconds / static_cast<double>(std::max(1L, r.steps)));
  text += integrator_text(r);
  if (r.finds_contacts) text += contacts_text(r);
  if (r.integrator == "event-driven")
    text += fmt::format("events            {}{}\n", r.events,
                        run.events.empty()
                            ? ""
                            : fmt::format(", {} of them at the same time as another, {} decided by a higher derivative",
                                          r.ties, r.degenerate));
  if (!run.cycle_dissipation.empty())
    text += fmt::format("last cycle        {:.13g} J dissipated, cycle {}\n", run.cycle_dissipation.back(),
                        run.cycle_dissipation.size());
  for (const std::string& warning : r.warnings) text += fmt::format("warning           {}\n", warning);
  for (const std::string& doubt : r.doubts) text += fmt::format("not reliable      {}\n", doubt);
  if (r.ambiguous > 0)
    text += fmt::format("several solutions in {} steps; the one closest to the last state was used\n", r.ambiguous);
  if (counted_in_part(r)) text += fmt::format("not counted       solutions in {} steps\n", r.not_counted);
  if (r.undetermined > 0)
    text += fmt::format(
        "undetermined      impulses in {} steps, up to {} of them: those that equally soft contacts would carry{}\n",
        r.undetermined, r.most_undetermined,
        r.not_settled > 0 ? fmt::format("; not found in {} steps, where the solver's are used", r.not_settled) : "");
  if (r.not_converged > 0)
    text += fmt::format("not converged     in {} steps, worst residual {:.3g}, tolerance {:.2g}\n", r.not_converged,
                        r.worst_residual, r.tolerance);
  if (!r.finished()) text += fmt::format("ended early       {}\n", r.stop_reason);
  return text;
}

void add_outcome(const Run& run, Json& json) {
  const RunReport& r = run.report;
  json["kinetic"] = run.energy.kinetic;
  json["potential"] = run.energy.potential;
  json["dissipated"] = run.energy.dissipated;
  json["dissipated_by_impacts"] = run.energy.by_impacts;
  json["input"] = run.energy.input;
  json["numerical"] = run.energy.numerical;
  json["energy_residual"] = is_energy_checked(run) ? Json(run.energy.residual()) : Json();
  json["cycle_dissipation"] = run.cycle_dissipation;
  json["events"] = events_json(run);
  if (r.finds_contacts) {
    json["contacts"] = {{"mean", fraction(r.contacts.contacts, static_cast<double>(r.steps))},
                        {"most", r.contacts.most},
                        {"at_end", r.contacts.last},
                        {"closed_fraction", fraction(r.contacts.closed, r.contacts.contacts)}};
    json["sticking_fraction"] = fraction(r.contacts.sticking, r.contacts.closed);
  }
  json["steps"] = r.steps;
  json["seconds"] = r.seconds;
  json["report"] = report_json(run);
}

Json run_json(const Run& run) {
  Json json;
  json["t"] = run.end.t;
  json["position"] = json_of(run.end.q);
  json["velocity"] = json_of(run.end.u);
  json["path_length"] = run.path_length;
  json["stop_time"] = run.stop_time ? Json(*run.stop_time) : Json();
  json["stick_time"] = run.stick_time;
  add_outcome(run, json);
  return json;
}

std::string energy_text(const Run& run) {
  const EnergyBalance& e = run.energy;
  std::string text = fmt::format("energy            {:.6g} J dissipated", e.dissipated);
  if (e.by_impacts != 0) text += fmt::format(" ({:.6g} J of it by impacts)", e.by_impacts);
  text += fmt::format(", {:.6g} J input", e.input);
  if (e.corrected != 0) text += fmt::format(", {:.3g} J by removing overlap", e.corrected);
  if (e.numerical != 0) text += fmt::format(", {:.3g} J lost by the scheme at contacts that hold", e.numerical);
  return text + (is_energy_checked(run) ? fmt::format(", residual {:.3g} J\n", e.residual())
                                        : std::string(", taken from the balance, which is not checked\n"));
}

std::string run_text(const Run& run, RunTextOptions options) {
  const auto few = [&](const VectorX& v) {
    const auto count = static_cast<std::ptrdiff_t>(
        std::min<std::size_t>(options.most_coordinates, static_cast<std::size_t>(v.size())));
    return fmt::format("{:.12g}{}", fmt::join(v.begin(), v.begin() + count, ", "), count < v.size() ? ", ..." : "");
  };
  std::string text = fmt::format("end               t = {:.10g} s ({})\n", run.end.t, run.report.stop_reason);
  text += fmt::format("position          {}\nvelocity          {}\n", few(run.end.q), few(run.end.u));
  if (options.path_length) text += fmt::format("path length       {:.10g} m\n", run.path_length);
  text += run.stop_time ? fmt::format("sticking since    {:.10g} s\n", *run.stop_time)
                        : "sticking since    still slipping at the end\n";
  text += fmt::format("stick             {:.6g} s in total\n", run.stick_time);
  return text + energy_text(run) + report_text(run);
}

}  // namespace slipset
