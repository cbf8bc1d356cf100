// Piles of spheres from 10² to 10⁵ contacts: a step to 1e-4, its growth, its memory, one thread and two.
//   bench_pile [LARGEST]
// LARGEST: contacts of the largest pile, 1e4 if not given; 1e5 takes some minutes. Each pile settles in its box first,
// until steps are easy. Then ten steps with one thread are timed as a whole (contacts found, problem built and solved
// from the impulses of the step before), and the median is reported; memory is the largest of the process so far, less
// what it began with. Then, not warm, the same pile from no impulses; then two hundred sweeps with one thread and two.
// Each size runs in a process of its own.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "bench/apart.hpp"
#include "bench/results.hpp"
#include "slipset/motion/moreau.hpp"
#include "slipset/systems/bodies/body_step.hpp"
#include "slipset/systems/bodies/piles.hpp"

namespace slipset::bench {
namespace {

struct Measured {
  double contacts, settling, settling_steps;
  double step, sweeps, residual, memory;
  double cold, cold_sweeps, one_thread, two_threads;
};

constexpr double kStep = 5e-3;  // [s]
constexpr int kMostSettling = 600, kEasySteps = 10, kEasySweeps = 10;
constexpr int kTimedSteps = 10;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double solver_time(MoreauStepper stepper, const ContactOptions& options) {
  stepper.set_options(options);
  const double before = stepper.solver_seconds();
  stepper.step(kStep);
  return stepper.solver_seconds() - before;
}

Measured run(std::size_t spheres) {
  Measured run{};
  const double memory_before = largest_memory();
  const BodyWorld pile = make_sphere_pile(spheres, 1);
  ContactOptions options = pile.contact_options();
  options.tolerance = 1e-4;
  options.max_iterations = 400;
  options.threads = 2;
  MoreauStepper stepper(pile, pile.start());
  stepper.set_options(options);
  double start = now();
  for (int easy = 0; easy < kEasySteps && run.settling_steps < kMostSettling; ++run.settling_steps) {
    stepper.step(kStep);
    easy = stepper.solution().report.sweeps <= kEasySweeps ? easy + 1 : 0;
  }
  run.settling = now() - start;

  options.max_iterations = 20000;
  options.threads = 1;
  stepper.set_options(options);
  struct Timed {
    double seconds, sweeps;
  };
  std::vector<Timed> timed;
  for (int k = 0; k < kTimedSteps; ++k) {
    start = now();
    stepper.step(kStep);
    const ContactReport& report = stepper.solution().report;
    timed.push_back({now() - start, static_cast<double>(report.iterations)});
    run.residual = std::max(run.residual, report.residual);
  }
  std::sort(timed.begin(), timed.end(), [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; });
  run.step = timed[kTimedSteps / 2].seconds;
  run.sweeps = timed[kTimedSteps / 2].sweeps;
  run.contacts = static_cast<double>(body_step_of(stepper.form()).found().size());
  run.memory = (largest_memory() - memory_before) / run.contacts;

  MoreauStepper cold(pile, stepper.state());
  cold.set_options(options);
  cold.step(kStep);
  run.cold = cold.solver_seconds();
  run.cold_sweeps = cold.solution().report.solved() ? static_cast<double>(cold.solution().report.iterations) : NAN;

  options.method = ContactMethod::gauss_seidel;
  options.tolerance = 1e-14;
  options.max_iterations = 200;
  run.one_thread = run.two_threads = INFINITY;
  for (int repeat = 0; repeat < 3; ++repeat)
    for (const int threads : {1, 2}) {
      options.threads = threads;
      double& time = threads == 1 ? run.one_thread : run.two_threads;
      time = std::min(time, solver_time(stepper, options));
    }
  return run;
}

}  // namespace
}  // namespace slipset::bench

int main(int argc, char** argv) {
  using namespace slipset::bench;
  const double largest = argc > 1 ? std::stod(argv[1]) : 1e4;
  std::vector<Measured> runs;
  for (double contacts = 100; contacts <= 1.01 * largest; contacts *= std::sqrt(10.0))
    if (const auto r = run_apart([&] { return run(static_cast<std::size_t>(contacts / 3)); })) runs.push_back(*r);
  fmt::print("{:>9} {:>12} {:>6} {:>10} {:>7} {:>9} {:>10} {:>10} {:>7} {:>9} {:>9} {:>8}\n", "contacts",
             "settling [s]", "steps", "step [ms]", "sweeps", "residual", "B/contact", "cold [ms]", "sweeps", "1 thr",
             "2 thr", "speed-up");
  for (const Measured& r : runs)
    fmt::print(
        "{:>9.0f} {:>12.1f} {:>6.0f} {:>10.2f} {:>7.0f} {:>9.1e} {:>10.0f} {:>10.1f} {:>7.0f} {:>9.1f} {:>9.1f} "
        "{:>8.2f}\n",
        r.contacts, r.settling, r.settling_steps, 1e3 * r.step, r.sweeps, r.residual, r.memory, 1e3 * r.cold,
        r.cold_sweeps, 1e3 * r.one_thread, 1e3 * r.two_threads, r.one_thread / r.two_threads);
  Results results("pile",
                  {"contacts", "settling_s", "settling_steps", "step_ms", "sweeps", "residual", "bytes_per_contact",
                   "cold_ms", "cold_sweeps", "one_thread_ms", "two_threads_ms", "speed_up"});
  results.note("a step of a settled pile to 1e-4, median of ten; cold: from no impulses; threads: 200 sweeps");
  for (const Measured& r : runs)
    results.add({fmt::format("{:.0f}", r.contacts), fmt::format("{:.1f}", r.settling),
                 fmt::format("{:.0f}", r.settling_steps), fmt::format("{:.3g}", 1e3 * r.step),
                 fmt::format("{:.0f}", r.sweeps), fmt::format("{:.1e}", r.residual), fmt::format("{:.0f}", r.memory),
                 fmt::format("{:.4g}", 1e3 * r.cold), fmt::format("{:.0f}", r.cold_sweeps),
                 fmt::format("{:.4g}", 1e3 * r.one_thread), fmt::format("{:.4g}", 1e3 * r.two_threads),
                 fmt::format("{:.2f}", r.one_thread / r.two_threads)});
  results.save();
}
