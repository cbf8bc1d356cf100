#include "slipset/motion/time_stepping.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipset {
namespace {

// Of one coordinate, the path is along it.
Vec2 first_two(const VectorX& q) { return q.size() >= 2 ? Vec2(q.head<2>()) : Vec2(q.size() > 0 ? q[0] : 0.0, 0); }

// Whose stick is a vibration on a spring, and no rest.
bool has_elastic_contact(const System& system) {
  return std::any_of(system.contacts().begin(), system.contacts().end(),
                     [](const SystemContact& c) { return c.law && c.law->law().elastic(); });
}

}  // namespace

long StepPlan::count() const {
  require_positive(step, "step");
  if (duration / step > 1e10)
    throw InvalidInput("more than 1e10 steps; choose a longer step or a shorter duration", "step");
  return std::max(1L, static_cast<long>(std::ceil(duration / step - 1e-9)));
}

double StepPlan::length(long number, double now) const {
  const double end = start + duration, to = start + static_cast<double>(number + 1) * step;
  return number + 1 == count() && to > end + 1e-9 * step ? end - now : step;
}

TimeSteppingRun::TimeSteppingRun(const System& system, const State& start, const Moreau& integrator,
                                 const RunOptions& options)
    : system_(&system),
      options_(options),
      step_(integrator.step),
      last_dt_(step_),
      plan_{start.t, step_, options.duration},
      stepper_(system, start, integrator.contact, integrator.closing_distance),
      start_(start.t),
      start_velocity_(start.u),
      cycle_(cycle_of(system, options)),
      began_(std::chrono::steady_clock::now()) {
  require_positive(step_, "step");
  check(options);
  if (options.until_stick && !stepper_.form().tells_stick())
    throw InvalidInput(
        "until_stick: this system does not tell when every contact sticks; give a duration, or stop the run from "
        "its progress function");
  if (cycle_ > 0 && options.cycle > 0 && cycle_ < step_)
    throw InvalidInput(fmt::format("cycle {:g} s is shorter than a step of {:g} s", cycle_, step_));
  all_steps_ = plan_.count();
  RunReport& report = run_.report;
  report.options = options;
  report.integrator = "moreau";
  report.finds_contacts = system.finds_contacts();
  report.step = step_;
  report.tolerance = stepper_.options().tolerance;
  report.warnings = stepper_.form().warnings();
  if (const double limit = system.stable_step(); step_ > limit)
    report.warnings.push_back(
        fmt::format("step {:g} is above {:.4g}, the guaranteed stability limit of the midpoint rule for this system",
                    step_, limit));
  require_resolved_drives(system, options, step_, report);
  warn_of_own_frequency(system, stepper_.state(), step_, report);
  run_.table = Table(stepper_.form().columns());
  require_room(options, step_ * options.every, run_.table.names().size());
  ended_ |= !add_row();
}

bool TimeSteppingRun::add_row() {
  row_.clear();
  stepper_.form().add_row(stepper_.state(), last_dt_, stepper_.energy(), row_);
  const std::size_t rows = run_.table.size();
  const bool more = slipset::add_row(row_, run_);
  if (run_.table.size() > rows) {
    last_good_ = stepper_.state();
    last_good_energy_ = stepper_.energy();
  }
  return more;
}

void TimeSteppingRun::end(std::string reason) {
  run_.report.stop(RunStatus::stopped, std::move(reason));
  ended_ = true;
}

bool TimeSteppingRun::advance(long steps) {
  const std::size_t rows = run_.table.size();
  for (; steps > 0 && !ended_ && run_.table.size() == rows; --steps) step();
  if (run_.table.size() == rows || !options_.progress) return !ended_;
  const bool more = options_.progress(stepper_.state().t - start_, options_.duration);
  if (!more && !ended_) end("ended by the caller");
  return !ended_;
}

void TimeSteppingRun::step() {
  const bool last = run_.report.steps + 1 == all_steps_;
  const Vec2 before = first_two(stepper_.state().q);
  const double end = start_ + options_.duration, to = start_ + static_cast<double>(run_.report.steps + 1) * step_;
  last_dt_ = plan_.length(run_.report.steps, stepper_.state().t);
  if (cycle_ > 0) count_cycles(std::min(to, end));
  stepper_.step(last_dt_);
  if (stepper_.solution().contradiction) return end_jammed();
  const double way = (first_two(stepper_.state().q) - before).norm();
  count();
  look_at_stopping();
  const bool rest = stuck_ && options_.until_stick,
             finite = std::isfinite(stepper_.state().u.squaredNorm()) && std::isfinite(way);
  if (finite) run_.path_length += way;
  if (rest) run_.report.stop(RunStatus::sticks, "every contact sticks");
  ended_ = rest || last;
  if (run_.report.steps % options_.every == 0 || rest || last || !finite) ended_ |= !add_row();
  if (options_.after_step && finite) options_.after_step(stepper_, run_.report.steps);
}

// A run shows whether its steps are too few to tell where it comes to rest, and early on whether they are too many to get
// there. Of what a checkpoint keeps, so that a resumed run says the same.
void TimeSteppingRun::look_at_stopping() {
  constexpr double kFew = 10;
  const bool early = run_.report.steps == static_cast<long>(kFew) && options_.until_stick && !stuck_;
  const bool rests = stuck_ && !told_rest_ && run_.stop_time && *run_.stop_time - start_ <= kFew * step_;
  if (!early && !rests) return;
  const double speed = start_velocity_.norm();
  if (rests && stepper_.state().u.norm() < 1e-3 * speed && !has_elastic_contact(*system_)) {
    told_rest_ = true;
    run_.report.warnings.push_back(fmt::format(
        "at rest after {:.2g} steps: the way there is only known to {:.2g} m; use steps of at most {:.2g} s, or the "
        "event-driven integrator",
        (*run_.stop_time - start_) / step_, speed * step_, std::max(*run_.stop_time - start_, 1e-3 * step_) / 100));
  }
  if (early && speed > 0 && (stepper_.state().u - start_velocity_).norm() < 1e-10 * speed)
    throw InvalidInput(
        fmt::format("ten steps of {:g} s change the velocity by less than 1e-10 of it: the end by stick is out of "
                    "reach; choose a longer step, or give a duration",
                    step_),
        "step");
}

void TimeSteppingRun::end_jammed() {
  const Contradiction& proof = *stepper_.solution().contradiction;
  std::vector<std::string> names;
  for (const std::size_t i : proof.contacts) names.push_back(stepper_.form().contact_name(i));
  if (names.size() > 6) names.resize(6), names.emplace_back("...");
  run_.report.stop(RunStatus::no_solution,
                   fmt::format("at t = {:.6g} no velocities keep all contacts apart: {} close at {:.3g} m/s on what is "
                               "between them; rigid bodies cannot give way",
                               stepper_.state().t, fmt::join(names, ", "), proof.closing));
  ended_ = true;
}

// The dissipation of cycles that end with this step or in it, there by a shorter step that is not taken.
void TimeSteppingRun::count_cycles(double to) {
  for (;;) {
    const double end = start_ + cycle_ * static_cast<double>(run_.cycle_dissipation.size() + 1);
    if (end > to + 1e-12 * cycle_) return;
    MoreauStepper part = stepper_;
    if (const double dt = std::min(end, to) - stepper_.state().t; dt > 0) part.step(dt);
    run_.cycle_dissipation.push_back(part.energy().dissipated - at_last_cycle_);
    at_last_cycle_ = part.energy().dissipated;
  }
}

void TimeSteppingRun::count() {
  RunReport& report = run_.report;
  ++report.steps;
  const ContactReport& contact = stepper_.report();
  report.not_converged += !contact.solved();
  report.iterations += contact.iterations;
  // Before the first step it is not a number, and passed over; a step that has no impulses has none, either.
  const bool nothing = !contact.solved() && std::isnan(contact.residual);
  report.worst_residual = std::fmax(report.worst_residual, nothing ? INFINITY : contact.residual);
  // Impulses of more contacts than are settled, and of those that were not solved, may be open or not.
  report.not_looked_at += !contact.undetermined.has_value();
  const int open = contact.undetermined.value_or(0);
  report.undetermined += open > 0;
  report.most_undetermined = std::max(report.most_undetermined, open);
  report.not_settled += contact.solved() && open > 0 && !contact.settled;
  count_solutions();
  const bool now = stepper_.form().all_stick();
  if (now && !stuck_) run_.stop_time = stepper_.state().t - (1 - stepper_.form().stick_fraction()) * last_dt_;
  if (!now) run_.stop_time.reset();
  run_.stick_time += now ? last_dt_ : 0;
  stuck_ = now;
}

// Of the step's problem, which every kind of system has. Contacts without friction, and joints, have one solution.
void TimeSteppingRun::count_solutions() {
  const std::vector<Contact>& contacts = stepper_.problem().contacts;
  const ContactSolution& found = stepper_.solution();
  bool several = false, all = true;
  for (std::size_t i = 0; i < contacts.size() && i < found.solutions.size() && !(several && !all); ++i) {
    several |= found.solutions[i] > 1;
    const bool closed = found.modes[i] == ContactMode::stick || found.modes[i] == ContactMode::slip;
    const bool friction = contacts[i].law && contacts[i].law->keeps() != Keeps::still;
    all &= found.solutions[i] > 0 || !closed || !friction;
  }
  run_.report.ambiguous += several;
  run_.report.not_counted += !all;
}

double TimeSteppingRun::seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

double TimeSteppingRun::solver_seconds() const { return earlier_solver_seconds_ + stepper_.solver_seconds(); }

Run TimeSteppingRun::result() && {
  const bool good = run_.report.status != RunStatus::left_range;
  run_.end = good ? stepper_.state() : last_good_;
  run_.energy = good ? stepper_.energy() : last_good_energy_;
  run_.report.seconds = seconds();
  run_.report.solver_seconds = solver_seconds();
  run_.report.contacts = stepper_.form().counts();
  run_.report.closing_distance = stepper_.form().closing_distance();
  judge_energy(run_);
  return std::move(run_);
}

std::vector<double> TimeSteppingRun::memory() const {
  const RunReport& r = run_.report;
  std::vector<double> m{static_cast<double>(r.steps),
                        static_cast<double>(r.not_converged),
                        static_cast<double>(r.ambiguous),
                        r.worst_residual,
                        run_.path_length,
                        run_.stick_time,
                        run_.stop_time.value_or(std::numeric_limits<double>::quiet_NaN()),
                        static_cast<double>(stuck_),
                        seconds(),
                        solver_seconds(),
                        static_cast<double>(r.iterations),
                        at_last_cycle_,
                        static_cast<double>(r.undetermined),
                        static_cast<double>(r.most_undetermined),
                        static_cast<double>(r.not_settled),
                        static_cast<double>(r.not_counted),
                        static_cast<double>(r.not_looked_at),
                        static_cast<double>(run_.cycle_dissipation.size())};
  m.insert(m.end(), run_.cycle_dissipation.begin(), run_.cycle_dissipation.end());
  const std::vector<double> stepper = stepper_.memory();
  m.insert(m.end(), stepper.begin(), stepper.end());
  return m;
}

void TimeSteppingRun::restore(const std::vector<double>& memory, const std::vector<std::vector<double>>& rows) {
  constexpr std::size_t kOwn = 18;
  if (memory.size() < kOwn) throw InvalidInput("the checkpoint is too short for a run");
  const std::size_t width = run_.table.names().size();
  if (rows.empty() || std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.size() != width; }))
    throw InvalidInput("the rows of the checkpoint belong to another system");
  const double cycles = memory[kOwn - 1];
  if (!(cycles >= 0 && cycles <= static_cast<double>(memory.size() - kOwn)))
    throw InvalidInput("the checkpoint belongs to another system: its cycles do not match");
  const auto own = static_cast<std::ptrdiff_t>(kOwn + static_cast<std::size_t>(cycles));
  stepper_.restore({memory.begin() + own, memory.end()});
  run_.report.steps = static_cast<long>(memory[0]);
  run_.report.not_converged = static_cast<long>(memory[1]);
  run_.report.ambiguous = static_cast<long>(memory[2]);
  run_.report.worst_residual = memory[3];
  run_.path_length = memory[4];
  run_.stick_time = memory[5];
  run_.stop_time = std::isnan(memory[6]) ? std::nullopt : std::optional(memory[6]);
  stuck_ = memory[7] != 0;
  earlier_seconds_ = memory[8];
  earlier_solver_seconds_ = memory[9] - stepper_.solver_seconds();
  run_.report.iterations = static_cast<long>(memory[10]);
  at_last_cycle_ = memory[11];
  run_.report.undetermined = static_cast<long>(memory[12]);
  run_.report.most_undetermined = static_cast<int>(memory[13]);
  run_.report.not_settled = static_cast<long>(memory[14]);
  run_.report.not_counted = static_cast<long>(memory[15]);
  run_.report.not_looked_at = static_cast<long>(memory[16]);
  run_.cycle_dissipation.assign(memory.begin() + kOwn, memory.begin() + own);
  began_ = std::chrono::steady_clock::now();
  run_.table.clear();
  for (const std::vector<double>& row : rows) run_.table.add_row(row);
  last_good_ = stepper_.state();
  last_good_energy_ = stepper_.energy();
  ended_ = run_.report.steps >= all_steps_ || (stuck_ && options_.until_stick);
  if (stuck_ && options_.until_stick) run_.report.stop(RunStatus::sticks, "every contact sticks");
  if (run_.report.steps > 0) look_at_stopping();
}

Run simulate(const System& system, const State& start, const Moreau& integrator, const RunOptions& options) {
  TimeSteppingRun run(system, start, integrator, options);
  while (run.advance()) {
  }
  return std::move(run).result();
}

Run simulate(const System& system, const Moreau& integrator, const RunOptions& options) {
  return simulate(system, system.start(), integrator, options);
}

}  // namespace slipset
