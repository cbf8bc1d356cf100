#include "slipset/bodies/body_run.hpp"

#include <chrono>
#include <cmath>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

constexpr double kMostBytes = 2e9;  // of rows

bool is_finite(const BodyWorld& world) {
  double sum = 0;
  for (const BodyState& s : world.states)
    sum += s.position.squaredNorm() + s.velocity.squaredNorm() + s.spin.squaredNorm();
  return std::isfinite(sum);
}

}  // namespace

BodyRun run_bodies(BodyWorld world, const BodyRunOptions& options) {
  require_positive(options.step, "time step");
  require_positive(options.duration, "duration");
  const auto began = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  BodyStepper stepper(std::move(world), options.with);
  BodyRun run;
  run.report.options = options;
  const auto add_row = [&](std::size_t sticking, std::size_t slipping) {
    run.rows.push_back({stepper.world().time, stepper.world().states, stepper.energy(), stepper.contacts().size(),
                        sticking, slipping, stepper.turning()});
  };
  add_row(0, 0);
  const long all = std::lround(std::ceil(options.duration / options.step - 1e-9));
  run.report.why = "duration";
  for (long k = 1; k <= all; ++k) {
    stepper.step(options.step);
    run.report.steps = k;
    const ContactReport& report = stepper.solution().report;
    std::size_t sticking = 0, slipping = 0;
    for (const ContactMode mode : stepper.solution().modes) {
      sticking += mode == ContactMode::stick;
      slipping += mode == ContactMode::slip;
    }
    if (!stepper.contacts().empty()) {
      run.report.not_converged += !report.solved();
      run.report.iterations += report.iterations;
      if (!(run.report.worst_residual >= report.residual)) run.report.worst_residual = report.residual;
    }
    run.contact_sum += static_cast<double>(stepper.contacts().size());
    run.sticking_sum += static_cast<double>(sticking);
    run.closed_sum += static_cast<double>(sticking + slipping);
    run.most_contacts = std::max(run.most_contacts, stepper.contacts().size());
    if (!is_finite(stepper.world())) {
      run.report.finished = false;
      run.report.why = "the motion left the range of numbers";
      break;
    }
    if (options.after_step) options.after_step(stepper, k);
    if (k % options.every != 0 && k != all) continue;
    add_row(sticking, slipping);
    if (options.progress && !options.progress(stepper.world().time, options.duration)) {
      run.report.finished = false;
      run.report.why = "stopped";
      break;
    }
    const double bytes = static_cast<double>(run.rows.size()) * static_cast<double>(sizeof(BodyState)) *
                         static_cast<double>(stepper.world().states.size());
    if (bytes > kMostBytes) {
      run.report.finished = false;
      run.report.why = "a table of 2 GB; write fewer rows (output.every)";
      break;
    }
  }
  run.end = stepper.world();
  run.energy = stepper.energy();
  run.report.margin = stepper.margin();
  run.report.deepest_overlap = stepper.deepest_overlap();
  run.report.corrections = stepper.corrections();
  run.report.solver_seconds = stepper.solver_seconds();
  run.report.seconds = seconds();
  return run;
}

}  // namespace slipset
