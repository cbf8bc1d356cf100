#include "slipset/dynamics/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace slipset {
namespace {

// Whether every closed contact sticks, and every open one, if there are, keeps its gap: a box that rests on two of its
// corners, but not one that turns about a corner. Gap rates count from 1e-9 of the largest so far.
bool all_stick(const MoreauStepper& stepper, double& largest_gap_rate) {
  const auto& contacts = stepper.contacts();
  for (const ContactStep& c : contacts) largest_gap_rate = std::max(largest_gap_rate, std::abs(c.gap_rate));
  const bool rests = std::all_of(contacts.begin(), contacts.end(), [&](const ContactStep& c) {
    return c.mode == ContactMode::stick ||
           (c.mode == ContactMode::open && std::abs(c.gap_rate) <= 1e-9 * largest_gap_rate);
  });
  return rests && std::any_of(contacts.begin(), contacts.end(),
                              [](const ContactStep& c) { return c.mode == ContactMode::stick; });
}

// When within its step a contact came to rest: it needed only that part of the impulse that friction could give.
double stick_fraction(const MechanicalSystem& system, const MoreauStepper& stepper) {
  double latest = 0;
  for (std::size_t i = 0; i < stepper.contacts().size(); ++i) {
    const Vec3& p = stepper.contacts()[i].impulse;
    if (p[0] > 0) latest = std::max(latest, system.contacts()[i].law->law().reservoir().gauge(-p.tail<2>() / p[0]));
  }
  return std::min(latest, 1.0);
}

}  // namespace

std::vector<std::string> trajectory_columns(const MechanicalSystem& system) {
  std::vector<std::string> names{"t"};
  for (const std::string& q : system.coordinates()) names.push_back(q);
  for (const std::string& q : system.coordinates()) names.push_back("d" + q);
  for (const SystemContact& contact : system.contacts())
    for (const char* what : {"normal_force", "friction_1", "friction_2", "slip_1", "slip_2", "mode"})
      names.push_back(fmt::format("{}.{}", contact.name, what));
  for (const char* energy : {"kinetic", "potential", "dissipated", "input"}) names.push_back(energy);
  return names;
}

void add_trajectory_row(const State& state, const std::vector<ContactStep>& contacts, double dt, const EnergyBalance& e,
                        Trajectory& trajectory) {
  std::vector<double> row{state.t};
  row.insert(row.end(), state.q.begin(), state.q.end());
  row.insert(row.end(), state.u.begin(), state.u.end());
  for (const ContactStep& c : contacts)
    row.insert(row.end(), {c.impulse[0] / dt, c.impulse[1] / dt, c.impulse[2] / dt, c.slip.x(), c.slip.y(),
                           static_cast<double>(c.mode)});
  row.insert(row.end(), {e.kinetic, e.potential, e.dissipated, e.input});
  trajectory.rows.push_back(std::move(row));
}

std::size_t Trajectory::column(const std::string& name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end())
    throw InvalidInput(fmt::format("trajectory: no column \"{}\"; there are: {}", name, fmt::join(columns, ", ")));
  return static_cast<std::size_t>(found - columns.begin());
}

Simulation simulate(const MechanicalSystem& system, const State& start, const SimulationOptions& options) {
  require_positive(options.step, "step");
  require_positive(options.duration, "duration");
  if (options.every < 1) throw InvalidInput("steps between rows must be at least 1");
  const auto began = std::chrono::steady_clock::now();
  MoreauStepper stepper(system, start, options.contact);
  Simulation run;
  run.report.options = options;
  run.report.why = "duration";
  run.trajectory.columns = trajectory_columns(system);
  const auto add_row = [&] {
    add_trajectory_row(stepper.state(), stepper.contacts(), options.step, stepper.energy(), run.trajectory);
  };
  add_row();

  const auto steps = static_cast<long>(std::ceil(options.duration / options.step - 1e-9));
  const bool planar = system.dofs() >= 2;
  Vec2 before = planar ? Vec2(start.q.head<2>()) : Vec2(0, 0);
  bool stuck = false;
  double largest_gap_rate = 0;
  while (run.report.steps < steps) {
    stepper.step(options.step);
    ++run.report.steps;
    const ContactReport& contact = stepper.report();
    run.report.not_converged += !contact.converged && contact.iterations > 0;
    run.report.worst_residual = std::fmax(run.report.worst_residual, contact.residual);  // a NaN is passed over
    run.report.ambiguous += std::any_of(stepper.contacts().begin(), stepper.contacts().end(),
                                        [](const ContactStep& c) { return c.solutions > 1; });
    if (planar) {
      run.path_length += (stepper.state().q.head<2>() - before).norm();
      before = stepper.state().q.head<2>();
    }
    const bool now = all_stick(stepper, largest_gap_rate);
    if (now && !stuck) run.stop_time = stepper.state().t - (1 - stick_fraction(system, stepper)) * options.step;
    if (!now) run.stop_time.reset();
    run.stick_time += now ? options.step : 0;
    stuck = now;
    const bool end = now && options.until_stick;
    if (run.report.steps % options.every == 0 || end || run.report.steps == steps) {
      add_row();
      if (options.progress && !options.progress(stepper.state().t - start.t, options.duration)) {
        run.report.why = "ended by the caller";
        break;
      }
    }
    if (end) {
      run.report.why = "every contact sticks";
      break;
    }
  }
  run.end = stepper.state();
  run.energy = stepper.energy();
  run.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return run;
}

}  // namespace slipset
