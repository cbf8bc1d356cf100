// A whole run from event to event: EventDriven.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "slipset/motion/integrators/internal/event_motion.hpp"

namespace slipset {

using namespace internal;

namespace {

// Of the cubic between two places with their velocities; error dt⁴ in all. Gauss's rule of three points.
double arc_length(const Vec2& from, const Vec2& from_velocity, const Vec2& to, const Vec2& to_velocity, double dt) {
  const Vec2 mean = dt > 0 ? Vec2((to - from) / dt) : Vec2(0, 0);
  double sum = 0;
  for (const double x : {-std::sqrt(0.6), 0.0, std::sqrt(0.6)}) {
    const double s = (1 + x) / 2;
    const Vec2 v = 6 * s * (1 - s) * mean + (1 - s) * (1 - 3 * s) * from_velocity - s * (2 - 3 * s) * to_velocity;
    sum += (x == 0 ? 8 : 5) / 18.0 * v.norm();
  }
  return sum * dt;
}

// The same of one coordinate, with the places where its velocity changes sign: Gauss's rule would see its corner.
double way_along(double from, double from_velocity, double to, double to_velocity, double dt) {
  const double a = dt * from_velocity, d = to - from, b = 6 * d - 4 * a - 2 * dt * to_velocity,
               c = 3 * (a + dt * to_velocity) - 6 * d;  // velocity a + b s + c s²
  const auto place = [&](double s) { return s * (a + s * (b / 2 + s * c / 3)); };
  std::array<double, 2> turns{1, 1};
  const double q = -(b + std::copysign(std::sqrt(std::max(0.0, b * b - 4 * a * c)), b)) / 2;
  if (b * b > 4 * a * c) turns = {q / c, a / q};
  for (double& s : turns)
    if (!(s > 0 && s < 1)) s = 1;
  std::sort(turns.begin(), turns.end());
  return std::abs(place(turns[0])) + std::abs(place(turns[1]) - place(turns[0])) + std::abs(d - place(turns[1]));
}

// Of the first two coordinates, or of the only one.
double length_of_path(const State& from, const State& to) {
  const double dt = to.t - from.t;
  if (from.q.size() == 1 && from.u.size() == 1) return way_along(from.q[0], from.u[0], to.q[0], to.u[0], dt);
  if (from.q.size() < 2 || from.u.size() < 2) return 0;
  return arc_length(from.q.head<2>(), from.u.head<2>(), to.q.head<2>(), to.u.head<2>(), dt);
}

class EventRun {
 public:
  static constexpr long kPiecesBetweenLooks = 256;  // for whoever wants to end the run

  EventRun(EventMotion& motion, const System& system, const EventDriven& integrator, const RunOptions& options,
           Run& run)
      : motion_(motion),
        options_(options),
        run_(run),
        start_(motion.state().t),
        end_(start_ + options.duration),
        rounding_(1e-13 * (std::abs(start_) + options.duration)),
        cycle_(cycle_of(system, options)),
        row_step_((integrator.row_step > 0 ? integrator.row_step : options.duration / 1000) * options.every),
        max_events_(integrator.max_events > 0 ? integrator.max_events : motion.default_max_events()),
        next_row_(start_ + row_step_) {
    run.table = Table(motion.columns());
    RunReport& report = run.report;
    report.integrator = "event-driven";
    report.step = row_step_;
    report.options = options;
    require_room(options, row_step_, run.table.names().size());
  }

  void begin() {
    if (!motion_.begin()) return no_motion("at the start");
    add_row(motion_.state().t);
    stuck_ = motion_.all_stick();
    if (stuck_) run_.stop_time = motion_.state().t;
  }

  void go() {
    while (going() && end_ - motion_.state().t > rounding_ && !(stuck_ && options_.until_stick)) piece();
    if (going() && stuck_ && options_.until_stick) run_.report.stop(RunStatus::sticks, "every contact sticks");
  }

  void finish(bool with_row) {
    run_.end = motion_.state();
    if (run_.end.q.allFinite() && run_.end.u.allFinite()) {
      run_.energy = motion_.energy();
    } else {
      run_.end = last_good_;
      run_.energy = energy_of_last_row();
      with_row = false;
    }
    if (with_row && run_.table.size() > 0 && run_.table.rows().back()[0] < run_.end.t - rounding_) add_row(run_.end.t);
    if (with_row && run_.table.size() == 0) add_row(run_.end.t);
    motion_.complete(run_.report);
    if (motion_.integrates_input()) check_energy();
  }

 private:
  // The residual of a phase is as small as the integrator's tolerance: what is larger was lost at an event.
  void check_energy() {
    const EnergyBalance& e = run_.energy;
    const double all =
        std::abs(e.initial) + std::abs(e.kinetic) + std::abs(e.potential) + std::abs(e.dissipated) + std::abs(e.input);
    if (!(std::abs(e.residual()) <= 1e-6 * all))
      run_.report.doubts.push_back(
          fmt::format("the energies do not add up: {:.3g} J are missing of {:.3g} J", e.residual(), all));
  }

  bool going() const { return run_.report.status == RunStatus::finished; }
  double row_time() const { return std::min(end_, next_row_); }
  void next_row() { next_row_ = start_ + static_cast<double>(++rows_) * row_step_; }
  double cycle_time() const {
    return cycle_ > 0 ? start_ + cycle_ * static_cast<double>(run_.cycle_dissipation.size() + 1) : INFINITY;
  }

  void piece() {
    const double t = motion_.state().t;
    const State from = motion_.state();
    if (++pieces_ % kPiecesBetweenLooks == 0) progress(t);
    const EventMotion::Piece piece =
        motion_.next_piece(motion_.rows_inside_pieces() ? end_ : std::min(row_time(), cycle_time()));
    if (motion_.rows_inside_pieces())
      for (; going() && row_time() <= piece.end + rounding_ && row_time() > last_row_; next_row()) {
        add_row(row_time());
        progress(row_time());
      }
    while (cycle_time() <= piece.end + rounding_) {
      const double dissipated = motion_.dissipated(cycle_time());
      run_.cycle_dissipation.push_back(dissipated - at_last_cycle_);
      at_last_cycle_ = dissipated;
    }
    motion_.finish_piece();
    const State& now = motion_.state();
    if (stuck_) run_.stick_time += now.t - t;
    // A piece with rows inside may be long, and its coordinates are along one line: they make no path.
    if (!motion_.rows_inside_pieces()) run_.path_length += length_of_path(from, now);
    if (piece.event) event();
    if (going()) look_for_rest();
    if (!motion_.rows_inside_pieces() && going() && (piece.event || now.t >= row_time() - rounding_)) {
      add_row(now.t);
      while (row_time() <= now.t + rounding_ && row_time() < end_) next_row();
      progress(now.t);
    }
  }

  void event() {
    if (!motion_.rows_inside_pieces()) {
      if (++run_.report.events > max_events_)
        return run_.report.stop(RunStatus::no_solution,
                                fmt::format("more than {} events at t = {:.12g}", max_events_, motion_.state().t));
      add_row(motion_.state().t);
    }
    if (!motion_.change_modes()) return no_motion("after the event");
    if (run_.report.events > max_events_)
      run_.report.stop(RunStatus::no_solution,
                       fmt::format("more than {} events at t = {:.12g}", max_events_, motion_.state().t));
  }

  void look_for_rest() {
    const bool now = motion_.all_stick();
    if (now && !stuck_) run_.stop_time = motion_.state().t;
    if (!now) run_.stop_time.reset();
    stuck_ = now;
  }

  void no_motion(const char* when) {
    run_.report.stop(RunStatus::no_solution,
                     fmt::format("no consistent motion was found {} at t = {:.12g}", when, motion_.state().t));
  }

  void add_row(double t) {
    motion_.add_row(t, run_);
    last_row_ = t;
    last_good_ = motion_.state();
  }

  EnergyBalance energy_of_last_row() const {
    EnergyBalance e;
    const Table& table = run_.table;
    if (table.size() == 0) return e;
    e.kinetic = table["kinetic"].back();
    e.potential = table["potential"].back();
    e.dissipated = table["dissipated"].back();
    e.input = table["input"].back();
    e.initial = table["kinetic"].front() + table["potential"].front();
    return e;
  }

  void progress(double t) {
    if (going() && options_.progress && !options_.progress(t - start_, options_.duration))
      run_.report.stop(RunStatus::stopped, "ended by the caller");
  }

  EventMotion& motion_;
  const RunOptions& options_;
  Run& run_;
  double start_, end_, rounding_, cycle_, row_step_;
  long max_events_;
  State last_good_;  // at the last row
  long rows_ = 1, pieces_ = 0;
  double next_row_;
  double last_row_ = -INFINITY, at_last_cycle_ = 0;
  bool stuck_ = false;
};

void check(const EventDriven& integrator) {
  if (!(integrator.row_step >= 0 && std::isfinite(integrator.row_step)))
    throw InvalidInput("step: the time between rows must be positive, or 0 for a thousandth of the duration");
  require_positive(integrator.relative_tolerance, "relative_tolerance");
  require_positive(integrator.absolute_tolerance, "absolute_tolerance");
  require_positive(integrator.slip_threshold, "slip_threshold");
  const auto scale = [](double value, const char* name) {
    if (!(value >= 0 && std::isfinite(value)))
      throw InvalidInput(fmt::format("{} must be positive, or 0 to take that of the system; found {:g}", name, value),
                         name);
  };
  scale(integrator.time_scale, "time_scale");
  scale(integrator.speed_scale, "speed_scale");
  if (!(integrator.tie >= 0 && integrator.tie < 1e-3)) throw InvalidInput("tie must be from 0 to 1e-3", "tie");
  if (integrator.max_events < 0)
    throw InvalidInput(
        fmt::format("max_events must be positive, or 0 for the default; found {}", integrator.max_events),
        "max_events");
}

}  // namespace

Run simulate(const System& system, const State& start, const EventDriven& integrator, const RunOptions& options) {
  check(options);
  check(integrator);
  refuse_after_step(options);
  require_fit(system, start);
  const auto began = std::chrono::steady_clock::now();
  Run run;
  require_resolved_drives(system, options, std::nullopt, run.report);
  const auto* axial = dynamic_cast<const AxialSystem*>(&system);
  const std::unique_ptr<EventMotion> motion = axial ? make_taylor_motion(*axial, start, integrator, options, run)
                                                    : make_phase_motion(system, start, integrator, options, run);
  EventRun loop(*motion, system, integrator, options, run);
  loop.begin();
  bool goes_on = true;
  try {
    loop.go();
  } catch (const CannotGoOn& trouble) {
    if (integrator.throws && trouble.status != RunStatus::stopped) throw;
    run.report.stop(trouble.status, trouble.what());
    goes_on = false;
  }
  loop.finish(goes_on);
  if (motion->integrates_input()) judge_energy(run);
  run.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return run;
}

Run simulate(const System& system, const State& start, const Integrator& integrator, const RunOptions& options) {
  return std::visit([&](const auto& one) { return simulate(system, start, one, options); }, integrator);
}

Run simulate(const System& system, const Integrator& integrator, const RunOptions& options) {
  return simulate(system, system.start(), integrator, options);
}

}  // namespace slipset
