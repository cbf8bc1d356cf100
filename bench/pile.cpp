// Piles of spheres from 10² to 10⁵ contacts: one step to 1e-4, its growth, its memory, one thread and two.
//   bench_pile [LARGEST]
// LARGEST: contacts of the largest pile, 1e5 if not given. Each size runs in a process of its own, so that the peak of
// its memory is its own; it is counted from before the problem is built to after its solution.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "slipset/bodies/piles.hpp"
#include "slipset/contact/contact_measures.hpp"

namespace slipset::bench {
namespace {

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

struct Run {
  double contacts, build, one_thread, two_threads, error, bytes;
};

Run run(std::size_t spheres) {
  const auto now = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  Run run{};
  const BodyWorld world = make_sphere_pile(spheres, 1);
  const double before = peak_memory();
  double start = now();
  const ContactProblem problem = problem_of(world, 1e-3);
  run.build = now() - start;
  run.contacts = static_cast<double>(problem.contacts.size());
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.measure = ContactMeasure::full_error;
  options.tolerance = 1e-4;
  run.one_thread = run.two_threads = INFINITY;
  for (int repeat = 0; repeat < (spheres < 5000 ? 5 : 2); ++repeat)
    for (const int threads : {1, 2}) {
      options.threads = threads;
      ContactSolution solution;
      start = now();
      solve_contact(problem, options, solution);
      double& time = threads == 1 ? run.one_thread : run.two_threads;
      time = std::min(time, now() - start);
      run.error = full_error(problem, solution.impulse);
      run.bytes = (peak_memory() - before) / run.contacts;
      if (repeat == 0 && threads == 1)
        fmt::print("{:>9} contacts, {:.1f} blocks a contact: {}\n", problem.contacts.size(),
                   static_cast<double>(problem.delassus.size()) / run.contacts, way_of(solution.report));
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
  if (read(ends[0], &result, sizeof result) != static_cast<ssize_t>(sizeof result)) result.error = NAN;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return result;
}

}  // namespace
}  // namespace slipset::bench

int main(int argc, char** argv) {
  using namespace slipset::bench;
  const double largest = argc > 1 ? std::stod(argv[1]) : 1e5;
  std::vector<Run> runs;
  for (double contacts = 100; contacts <= 1.01 * largest; contacts *= std::sqrt(10.0))
    runs.push_back(run_apart(static_cast<std::size_t>(contacts / 3)));
  fmt::print("{:>9} {:>11} {:>11} {:>11} {:>8} {:>9} {:>14}\n", "contacts", "build [ms]", "1 thr [ms]", "2 thr [ms]",
             "speed-up", "error", "bytes/contact");
  for (const Run& r : runs)
    fmt::print("{:>9.0f} {:>11.3f} {:>11.3f} {:>11.3f} {:>8.2f} {:>9.1e} {:>14.0f}\n", r.contacts, 1e3 * r.build,
               1e3 * r.one_thread, 1e3 * r.two_threads, r.one_thread / r.two_threads, r.error, r.bytes);
  if (runs.size() > 1) {
    const Run &a = runs.front(), &b = runs.back();
    fmt::print("time grows like n^{:.2f}\n", std::log(b.one_thread / a.one_thread) / std::log(b.contacts / a.contacts));
  }
}
