#include "slipset/motion/run.hpp"

#include <fmt/format.h>

#include <ostream>

namespace slipset {

void check(const RunOptions& options) {
  require_positive(options.duration, "duration");
  if (options.every < 1) throw InvalidInput("steps between rows must be at least 1");
  if (!(options.cycle >= 0)) throw InvalidInput("cycle must be a positive time, or 0 for the period of the forcing");
}

std::ostream& operator<<(std::ostream& out, const RunReport& r) {
  out << fmt::format("{}: {} ({}, {} steps", kRunStatusNames[static_cast<std::size_t>(r.status)], r.stop_reason,
                     r.integrator.empty() ? "no integrator" : r.integrator, r.steps);
  if (r.integrator == "moreau" || r.integrator == "rk4") out << fmt::format(" of {:g} s", r.step);
  if (!r.law.empty()) out << fmt::format(", friction {}", r.law);
  out << ')';
  if (r.not_converged > 0)
    out << fmt::format("\nnot converged in {} steps: the contacts did not reach {:g}, worst residual {:.3g}",
                       r.not_converged, r.tolerance, r.worst_residual);
  if (r.ambiguous > 0)
    out << fmt::format("\nseveral solutions in {} steps: the one next to the last state was taken", r.ambiguous);
  for (const std::string& warning : r.warnings) out << "\nwarning: " << warning;
  return out;
}

std::vector<std::string> run_columns(const System& system) {
  std::vector<std::string> names = state_columns(system);
  for (const SystemContact& contact : system.contacts())
    for (const char* what : {"normal_force", "friction_1", "friction_2", "slip_1", "slip_2", "mode"})
      names.push_back(fmt::format("{}.{}", contact.name, what));
  add_energy_columns(names);
  return names;
}

std::vector<double> run_row(const State& state, const std::vector<ContactStep>& contacts, double dt,
                            const EnergyBalance& energy) {
  std::vector<double> row;
  add_state(state, row);
  for (const ContactStep& c : contacts)
    row.insert(row.end(), {c.impulse[0] / dt, c.impulse[1] / dt, c.impulse[2] / dt, c.slip.x(), c.slip.y(),
                           static_cast<double>(c.mode)});
  add_energies(energy, row);
  return row;
}

bool too_many_rows(const Table& table, RunReport& report) {
  if (table.size() * table.names().size() < 250'000'000) return false;
  report.stop(RunStatus::table_full, "the table has grown to 2 GB; write fewer rows (every) or end earlier (duration)");
  return true;
}

}  // namespace slipset
