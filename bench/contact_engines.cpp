// One step of physics engines that solve relaxed contact problems, beside the rigid problem of the same step.
//   bench_contact_engines [--limit SECONDS] [--python PYTHON] [--scene WORDS]
// Scenes of bodies (peer_scenes.py), MuJoCo and Drake (peer_mujoco.py, peer_drake.py). An engine finds its own contacts; from
// these, the masses and the velocities before the step we form W and q, judge the engine's impulses by them (C.12, C.4),
// and solve the same problem. --scene: those with these words in their name.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "bench/peers.hpp"
#include "bench/results.hpp"
#include "bench/timing.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/io/problem_file.hpp"

namespace slipset::bench {
namespace {

namespace fs = std::filesystem;

struct Ours {
  double seconds = 0, error = 0;
};

Ours solve(const ContactProblem& problem, double tolerance) {
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.measure = ContactMeasure::full_error;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  Repetitions repetitions;
  Ours ours;
  while (!repetitions.enough()) {
    ContactSolution solution;
    const auto start = std::chrono::steady_clock::now();
    ContactSolver().solve(problem, options, solution);
    repetitions.add(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    ours.error = full_error(problem, solution.impulse);
  }
  ours.seconds = repetitions.median();
  return ours;
}

int run(int argc, char** argv) {
  std::string python = SLIPSET_BENCH_SOURCE "/../build/peers/bin/python", only;
  double limit = 10;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string argument = argv[i];
    if (argument == "--python") python = argv[i + 1];
    if (argument == "--limit") limit = std::stod(argv[i + 1]);
    if (argument == "--scene") only = argv[i + 1];
  }
  if (!fs::exists(python)) {
    fmt::print("bench_contact_engines: skipped, no interpreter for bench/peers.py (make peers)\n");
    return 0;
  }
  Results results("contact-engines",
                  {"scene", "engine", "contacts", "ms", "error", "residual", "velocity_gap", "slipset_1e-4_ms",
                   "slipset_1e-4_error", "slipset_1e-8_ms", "slipset_1e-8_error"});
  std::vector<std::string> scenes, engines;
  for (const std::string& line : lines_from_python(python, {"list", "engine"})) {
    const std::size_t tab = std::min(line.find('\t'), line.size() - 1);
    const std::string kind = line.substr(0, tab), name = line.substr(tab + 1);
    if (kind == "scene" && name.find(only) != std::string::npos) scenes.push_back(name);
    if (kind == "engine") engines.push_back(name);
    if (kind != "without") continue;
    fmt::print("without {}\n", name);
    results.note("without " + name);
  }
  if (engines.empty()) {
    fmt::print("bench_contact_engines: skipped, there is no engine (make peers)\n");
    return 0;
  }
  const std::string file = (fs::temp_directory_path() / fmt::format("slipset-engines-{}.dat", getpid())).string();
  for (const std::string& scene : scenes) {
    fmt::print("\n{}\n{:<24} {:>8} {:>10} {:>8} {:>8}   {:>22} {:>22}\n", scene, "engine", "contacts", "ms", "error",
               "residual", "slipset to 1e-4 [ms]", "to 1e-8 [ms]");
    for (const std::string& engine : engines) {
      std::vector<double> answer = numbers_from_python(python, {"step", engine, scene, file, fmt::format("{}", limit)});
      if (answer.size() < 5) {  // two numbers and one contact
        fmt::print("{:<24} no answer: not solved, not within {} s, or no contact left\n", engine, limit);
        std::fflush(stdout);
        results.add({scene, engine, "", "", "", "", "", "", "", "", ""});
        continue;
      }
      const double velocities = answer[0];  // how far its own are from those of its impulses
      answer.erase(answer.begin());
      const PeerRun theirs = run_of(answer);
      const ContactProblem problem = read_problem(file).problem;
      fs::remove(file);
      const double error = full_error(problem, theirs.impulse), residual = contact_residual(problem, theirs.impulse);
      const Ours coarse = solve(problem, 1e-4), fine = solve(problem, 1e-8);
      fmt::print(
          "{:<24} {:>8} {:>10.3f} {:>8.1e} {:>8.1e}   {:>12.3f}  {:>8.1e} {:>12.3f}  {:>8.1e}{}\n", engine,
          problem.contacts.size(), 1e3 * theirs.seconds, error, residual, 1e3 * coarse.seconds, coarse.error,
          1e3 * fine.seconds, fine.error,
          velocities > 1e-3 ? fmt::format("  its velocities differ from its impulses by {:.0e}", velocities) : "");
      results.add({scene, engine, fmt::format("{}", problem.contacts.size()),
                   fmt::format("{:.4g}", 1e3 * theirs.seconds), fmt::format("{:.1e}", error),
                   fmt::format("{:.1e}", residual), fmt::format("{:.1e}", velocities),
                   fmt::format("{:.4g}", 1e3 * coarse.seconds), fmt::format("{:.1e}", coarse.error),
                   fmt::format("{:.4g}", 1e3 * fine.seconds), fmt::format("{:.1e}", fine.error)});
      std::fflush(stdout);
    }
  }
  results.save();
  return 0;
}

}  // namespace
}  // namespace slipset::bench

int main(int argc, char** argv) { return slipset::bench::run(argc, argv); }
