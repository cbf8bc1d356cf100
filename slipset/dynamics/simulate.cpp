#include "slipset/dynamics/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace slipset {
namespace {

// Whether every closed contact sticks, and all keep their gaps: a box that rests on two of its corners, but not one
// that turns about a corner or bounces. Gap rates count from 1e-9 of the largest so far, with contact forces or
// without.
bool all_stick(const MoreauStepper& stepper, double& largest_gap_rate) {
  const auto& contacts = stepper.contacts();
  for (const ContactStep& c : contacts)
    largest_gap_rate = std::max({largest_gap_rate, std::abs(c.gap_rate), std::abs(c.free_gap_rate)});
  const bool rests = std::all_of(contacts.begin(), contacts.end(), [&](const ContactStep& c) {
    return (c.mode == ContactMode::stick || c.mode == ContactMode::open) &&
           std::abs(c.gap_rate) <= 1e-9 * largest_gap_rate;
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

bool too_many_rows(const Trajectory& trajectory, SimulationReport& report) {
  if (trajectory.rows.size() * trajectory.columns.size() < 250'000'000) return false;
  report.why = "the table has grown to 2 GB; write fewer rows (every in [output]) or end earlier (duration)";
  report.finished = false;
  return true;
}

SimulationRun::SimulationRun(const MechanicalSystem& system, const State& start, const SimulationOptions& options)
    : system_(&system),
      options_(options),
      stepper_(system, start, options.contact),
      began_(std::chrono::steady_clock::now()) {
  require_positive(options.step, "step");
  require_positive(options.duration, "duration");
  if (options.every < 1) throw InvalidInput("steps between rows must be at least 1");
  all_steps_ = static_cast<long>(std::ceil(options.duration / options.step - 1e-9));
  ended_ = all_steps_ == 0;
  run_.report.options = options;
  run_.report.why = "duration";
  run_.trajectory.columns = trajectory_columns(system);
  add_row();
}

void SimulationRun::add_row() {
  add_trajectory_row(stepper_.state(), stepper_.contacts(), options_.step, stepper_.energy(), run_.trajectory);
}

void SimulationRun::end(std::string why) {
  run_.report.why = std::move(why);
  ended_ = true;
}

bool SimulationRun::advance(long steps) {
  const std::size_t rows = run_.trajectory.rows.size();
  for (; steps > 0 && !ended_ && run_.trajectory.rows.size() == rows; --steps) step();
  return !ended_;
}

void SimulationRun::step() {
  const bool planar = system_->dofs() >= 2;
  const Vec2 before = planar ? Vec2(stepper_.state().q.head<2>()) : Vec2(0, 0);
  stepper_.step(options_.step);
  if (planar) run_.path_length += (stepper_.state().q.head<2>() - before).norm();
  count();
  const bool rest = stuck_ && options_.until_stick, last = run_.report.steps == all_steps_;
  if (run_.report.steps % options_.every == 0 || rest || last) add_row();
  if (rest) run_.report.why = "every contact sticks";
  ended_ = rest || last || too_many_rows(run_.trajectory, run_.report);
  if (stepper_.state().u.allFinite()) return;
  run_.report.why = "the motion is no longer finite";
  run_.report.finished = false;
  ended_ = true;
}

void SimulationRun::count() {
  SimulationReport& report = run_.report;
  ++report.steps;
  const ContactReport& contact = stepper_.report();
  report.not_converged += !contact.solved();
  report.worst_residual = std::fmax(report.worst_residual, contact.residual);  // a NaN is passed over
  report.ambiguous += std::any_of(stepper_.contacts().begin(), stepper_.contacts().end(),
                                  [](const ContactStep& c) { return c.solutions > 1; });
  const bool now = all_stick(stepper_, largest_gap_rate_);
  if (now && !stuck_) run_.stop_time = stepper_.state().t - (1 - stick_fraction(*system_, stepper_)) * options_.step;
  if (!now) run_.stop_time.reset();
  run_.stick_time += now ? options_.step : 0;
  stuck_ = now;
}

double SimulationRun::seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

Simulation SimulationRun::result() && {
  run_.end = stepper_.state();
  run_.energy = stepper_.energy();
  run_.report.seconds = seconds();
  if (!std::isfinite(run_.energy.residual()) || !std::isfinite(run_.path_length)) {
    run_.report.why = "the motion has outgrown the range of numbers";
    run_.report.finished = false;
  }
  return std::move(run_);
}

std::vector<double> SimulationRun::memory() const {
  const SimulationReport& r = run_.report;
  std::vector<double> m{static_cast<double>(r.steps),
                        static_cast<double>(r.not_converged),
                        static_cast<double>(r.ambiguous),
                        r.worst_residual,
                        run_.path_length,
                        run_.stick_time,
                        run_.stop_time.value_or(std::numeric_limits<double>::quiet_NaN()),
                        static_cast<double>(stuck_),
                        seconds(),
                        largest_gap_rate_};
  const std::vector<double> stepper = stepper_.memory();
  m.insert(m.end(), stepper.begin(), stepper.end());
  return m;
}

void SimulationRun::restore(const std::vector<double>& memory, std::vector<std::vector<double>> rows) {
  constexpr std::size_t kOwn = 10;
  if (memory.size() < kOwn) throw InvalidInput("the checkpoint is too short to be one of a run");
  const std::size_t width = run_.trajectory.columns.size();
  if (rows.empty() || std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.size() != width; }))
    throw InvalidInput("the rows of the checkpoint are of another system");
  stepper_.restore({memory.begin() + kOwn, memory.end()});
  run_.report.steps = static_cast<long>(memory[0]);
  run_.report.not_converged = static_cast<long>(memory[1]);
  run_.report.ambiguous = static_cast<long>(memory[2]);
  run_.report.worst_residual = memory[3];
  run_.path_length = memory[4];
  run_.stick_time = memory[5];
  run_.stop_time = std::isnan(memory[6]) ? std::nullopt : std::optional(memory[6]);
  stuck_ = memory[7] != 0;
  earlier_seconds_ = memory[8];
  largest_gap_rate_ = memory[9];
  began_ = std::chrono::steady_clock::now();
  run_.trajectory.rows = std::move(rows);
  ended_ = run_.report.steps >= all_steps_ || (stuck_ && options_.until_stick);
  run_.report.why = stuck_ && options_.until_stick ? "every contact sticks" : "duration";
}

Simulation simulate(const MechanicalSystem& system, const State& start, const SimulationOptions& options) {
  SimulationRun run(system, start, options);
  for (bool more = true; more;) {
    const std::size_t rows = run.trajectory().rows.size();
    more = run.advance();
    if (!options.progress || run.trajectory().rows.size() == rows) continue;
    if (options.progress(run.state().t - start.t, options.duration)) continue;
    run.end("ended by the caller");
    break;
  }
  return std::move(run).result();
}

}  // namespace slipset
