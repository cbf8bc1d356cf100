#include "slipset/motion/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "slipset/motion/internal/own_rates.hpp"
#include "slipset/systems/axial_system.hpp"

namespace slipset {
namespace {

constexpr double kMostNumbers = 1e8;  // of a table: 0.8 GB

}  // namespace

void check(const RunOptions& options) {
  require_positive(options.duration, "duration");
  if (options.every < 1) throw InvalidInput("steps between rows must be at least 1");
  if (!(options.cycle >= 0)) throw InvalidInput("cycle must be a positive time, or 0 for the period of the forcing");
  if (options.duration / options.cycle > kMostNumbers && options.cycle > 0)
    throw InvalidInput(
        fmt::format("cycle {:g} s: a run of {:g} s has {:.3g} of them, and there is room for {:g}; use a "
                    "longer cycle or a shorter duration",
                    options.cycle, options.duration, options.duration / options.cycle, kMostNumbers),
        "cycle");
}

double cycle_of(const System& system, const RunOptions& options) {
  if (options.cycle > 0) return options.cycle;
  const double period = system.period();
  constexpr double most = 100 * kMostNumbers;  // the duration may be a limit only, and whoever waits can end the run
  if (period > 0 && options.duration / period > most)
    throw InvalidInput(fmt::format("the period of what drives this system is {:g} s: {:.3g} of them in {:g} s; use a "
                                   "duration of at most {:.3g} s",
                                   period, options.duration / period, options.duration, most * period),
                       "duration");
  return period;
}

bool counted_in_part(const RunReport& report) {
  return report.not_counted > 0 && (report.ambiguous > 0 || report.not_counted < report.steps);
}

void refuse_after_step(const RunOptions& options) {
  if (options.after_step)
    throw InvalidInput("after_step: only the moreau integrator has steps to look at; remove it, or use progress");
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
  if (counted_in_part(r)) out << fmt::format("\nsolutions not counted in {} steps", r.not_counted);
  for (const std::string& warning : r.warnings) out << "\nwarning: " << warning;
  for (const std::string& doubt : r.doubts) out << "\nnot reliable: " << doubt;
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

void require_room(const RunOptions& options, double row_step, std::size_t columns) {
  if (options.until_stick) return;  // how long that takes is not known; add_row() looks
  const double rows = std::floor(options.duration / row_step) + 1, numbers = rows * static_cast<double>(columns);
  if (!(numbers > kMostNumbers)) return;
  throw InvalidInput(
      fmt::format("the table would have {:.4g} rows of {} numbers, {:.3g} GB; there is room for {:.3g} GB: write a row "
                  "only every {:.0f} steps, or use a longer step or a shorter duration",
                  rows, columns, 8e-9 * numbers, 8e-9 * kMostNumbers,
                  std::ceil(options.every * numbers / kMostNumbers)),
      "duration");
}

void require_resolved_drives(const System& system, const RunOptions& options, std::optional<double> step,
                             RunReport& report) {
  const double frequency = system.drive_frequency();
  if (!(frequency > 0)) return;
  if (step && *step * frequency > 0.5)
    throw InvalidInput(fmt::format("a drive, a force or a surface of this system moves with {:.4g} Hz, which steps of "
                                   "{:g} s do not see; use steps of at most {:.3g} s, better {:.3g} s",
                                   frequency, *step, 0.1 / frequency, 0.05 / frequency),
                       "step");
  if (!options.until_stick && options.duration * frequency > 1e9)
    throw InvalidInput(fmt::format("a drive, a force or a surface of this system moves with {:.4g} Hz: {:.3g} periods "
                                   "in {:g} s; use a duration of at most {:.3g} s, or a lower frequency",
                                   frequency, options.duration * frequency, options.duration, 1e9 / frequency),
                       "duration");
  if (step && *step * frequency > 0.1 * (1 + 1e-9))
    report.warnings.push_back(
        fmt::format("step {:g} s is long for a drive, a force or a surface that moves with {:.4g} Hz: {:.1f} steps per "
                    "period; use steps of at most {:.3g} s",
                    *step, frequency, 1 / (*step * frequency), 0.1 / frequency));
}

void warn_of_own_frequency(const System& system, const State& start, double step, RunReport& report) {
  constexpr double kSteps = 10;       // per period
  constexpr Eigen::Index kMost = 60;  // degrees of freedom: derivatives of more take long
  if (system.dofs() > kMost || system.positions() != system.dofs() || system.finds_contacts() ||
      dynamic_cast<const AxialSystem*>(&system))
    return;
  const double frequency = internal::own_rates(system, start).by_position / (2 * kPi);
  if (!(step * frequency * kSteps > 1 + 1e-9)) return;
  report.warnings.push_back(
      fmt::format("step {:g} s is long for this system, whose springs move it with {:.4g} Hz: {:.1f} steps per period; "
                  "use steps of at most {:.3g} s, or look at half the step",
                  step, frequency, 1 / (step * frequency), 1 / (kSteps * frequency)));
}

bool add_row(std::span<const double> numbers, Run& run) {
  if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); })) {
    run.report.stop(
        RunStatus::left_range,
        fmt::format("the motion exceeds the range of floating-point numbers at t = {:.6g}; use a shorter step",
                    numbers[0]));
    return false;
  }
  run.table.add_row(numbers);
  if (static_cast<double>(run.table.size() * numbers.size()) < kMostNumbers) return true;
  run.report.stop(RunStatus::table_full,
                  fmt::format("the table has grown to {:.3g} GB; write fewer rows (every) or end earlier (duration)",
                              8e-9 * kMostNumbers));
  return false;
}

void judge_energy(Run& run) {
  const EnergyBalance& e = run.energy;
  double largest = std::max({std::abs(e.initial), std::abs(e.kinetic), std::abs(e.potential), std::abs(e.dissipated),
                             std::abs(e.input), std::abs(e.corrected)});
  for (const char* name : {"kinetic", "potential"})
    if (run.table.has(name))
      for (const double x : run.table[name]) largest = std::max(largest, std::abs(x));
  const double added = e.residual() - e.numerical;  // by the scheme
  run.report.energy_error = largest > 0 ? std::abs(added) / largest : 0;
  if (!(run.report.energy_error > 0.01)) return;
  run.report.warnings.push_back(fmt::format(
      "energies do not add up: the scheme has {} {:.2g} J, {:.2g} of the largest energy; use a shorter step, "
      "or a smaller tolerance",
      added > 0 ? "added" : "lost", std::abs(added), run.report.energy_error));
}

}  // namespace slipset
