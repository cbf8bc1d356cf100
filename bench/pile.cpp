// Piles of spheres from 10² to 10⁵ contacts: one step to 1e-4, its growth, one thread and two.
//   bench_pile [LARGEST]
// LARGEST: contacts of the largest pile, 1e4 if not given. Each pile settles in its box first, by steps of few sweeps;
// then the next step is timed as a whole (contacts found, problem built and solved from the impulses of the step
// before), then its problem alone from no impulses, then a hundred sweeps of it with one thread and two. Each size runs
// in a process of its own.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "slipset/bodies/body_stepper.hpp"
#include "slipset/bodies/piles.hpp"

namespace slipset::bench {
namespace {

struct Run {
  double contacts, step, sweeps, newton, residual, cold, cold_sweeps, one_thread, two_threads;
};

constexpr double kStep = 5e-3;  // [s]
constexpr int kSettling = 120;  // steps

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double time_of_solution(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  const double start = now();
  solve_contact(problem, options, solution);
  return now() - start;
}

Run run(std::size_t spheres) {
  BodyStepOptions options;
  options.contact.tolerance = 1e-4;
  options.contact.max_iterations = 60;
  options.contact.method = ContactMethod::gauss_seidel;
  options.contact.threads = 2;
  BodyStepper settling(make_sphere_pile(spheres, 1), options);
  for (int k = 0; k < kSettling; ++k) settling.step(kStep);

  Run run{};
  options.contact.method = ContactMethod::automatic;
  options.contact.max_iterations = 5000;
  options.contact.threads = 1;
  BodyStepper stepper = settling;
  stepper.set_contact_options(options.contact);
  double start = now();
  stepper.step(kStep);
  run.step = now() - start;
  const ContactReport& report = stepper.solution().report;
  run.sweeps = report.sweeps;
  run.newton = report.newton + report.splitting;
  run.residual = report.residual;

  const ContactProblem& problem = stepper.problem();
  run.contacts = static_cast<double>(problem.contacts.size());
  ContactSolution cold;
  run.cold = time_of_solution(problem, options.contact, cold);
  run.cold_sweeps = cold.report.converged ? static_cast<double>(cold.report.iterations) : NAN;

  options.contact.method = ContactMethod::gauss_seidel;
  options.contact.tolerance = 1e-14;
  options.contact.max_iterations = 100;
  run.one_thread = run.two_threads = INFINITY;
  for (int repeat = 0; repeat < 3; ++repeat)
    for (const int threads : {1, 2}) {
      options.contact.threads = threads;
      ContactSolution solution;
      double& time = threads == 1 ? run.one_thread : run.two_threads;
      time = std::min(time, time_of_solution(problem, options.contact, solution));
    }
  return run;
}

// In a process of its own; its numbers come through a pipe.
Run run_apart(std::size_t spheres) {
  int ends[2];
  Run result{};
  if (pipe(ends) != 0) return result;
  const pid_t child = fork();
  if (child == 0) {
    const Run r = run(spheres);
    std::fflush(stdout);
    _exit(write(ends[1], &r, sizeof r) == static_cast<ssize_t>(sizeof r) ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &result, sizeof result) != static_cast<ssize_t>(sizeof result)) result.residual = NAN;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return result;
}

}  // namespace
}  // namespace slipset::bench

int main(int argc, char** argv) {
  using namespace slipset::bench;
  const double largest = argc > 1 ? std::stod(argv[1]) : 1e4;
  std::vector<Run> runs;
  for (double contacts = 100; contacts <= 1.01 * largest; contacts *= std::sqrt(10.0))
    runs.push_back(run_apart(static_cast<std::size_t>(contacts / 3)));
  fmt::print("{:>9} {:>10} {:>7} {:>7} {:>9} {:>10} {:>11} {:>9} {:>9} {:>8}\n", "contacts", "step [ms]", "sweeps",
             "others", "residual", "cold [ms]", "iterations", "1 thr", "2 thr", "speed-up");
  for (const Run& r : runs)
    fmt::print("{:>9.0f} {:>10.2f} {:>7.0f} {:>7.0f} {:>9.1e} {:>10.1f} {:>11.0f} {:>9.2f} {:>9.2f} {:>8.2f}\n",
               r.contacts, 1e3 * r.step, r.sweeps, r.newton, r.residual, 1e3 * r.cold, r.cold_sweeps,
               1e3 * r.one_thread, 1e3 * r.two_threads, r.one_thread / r.two_threads);
  if (runs.size() > 1) {
    const Run &a = runs.front(), &b = runs.back();
    fmt::print("the step grows like n^{:.2f}\n", std::log(b.step / a.step) / std::log(b.contacts / a.contacts));
  }
}
