// Contact problems of a folder: time, iterations and error of our default, beside each of Siconos' main solvers.
//   bench_contact FOLDER [--figure DIR] [--limit SECONDS] [--alone]
// --alone: without peers. Siconos (optional at configuration) is judged by the error recomputed from its impulses, not by its return code; the
// best of its solvers is taken for each problem and tolerance. The means are over the problems of 20 contacts and more.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "bench/results.hpp"
#include "bench/siconos.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/io/figure.hpp"
#include "slipset/io/problem_file.hpp"
#include "slipset/laws/classical.hpp"

namespace slipset::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFew = 20;

struct Timed {
  double seconds = INFINITY;
  ContactSolution solution;
};

Timed solve_timed(const ContactProblem& problem, ContactMeasure measure, double tolerance) {
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.measure = measure;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  Timed best;
  double spent = 0;
  do {
    ContactSolution solution;
    const auto start = std::chrono::steady_clock::now();
    ContactSolver().solve(problem, options, solution);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    spent += std::max(seconds, 2e-3);
    if (seconds < best.seconds) best = {seconds, std::move(solution)};
  } while (spent < 0.1);
  return best;
}

// The problem with another law for each coefficient.
ContactProblem with_laws(const ProblemFile& file, FrictionLaw (*make)(double)) {
  ContactProblem problem = file.problem;
  std::map<double, std::shared_ptr<const PlanarContactLaw>> laws;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const double mu = file.coefficient[i];
    if (!(mu > 0)) continue;
    auto& law = laws[mu];
    if (!law) {
      law = std::make_shared<const PlanarContactLaw>(make(mu));
      problem.owned.push_back(law);
    }
    problem.contacts[i].law = law.get();
  }
  return problem;
}

struct Variant {
  const char* name;
  FrictionLaw (*make)(double);
};
const Variant kVariants[] = {
    {"ellipse 1 : 0.5, C = D", [](double mu) { return associated(Ellipse(mu, 0.5 * mu)); }},
    {"superellipses, C other than D",
     [](double mu) {
       return SuperellipsePair({mu, 0.5 * mu}, {1, 0.8}, 1.5).law();
     }},
    {"norm_mix, not convex, D a disk", [](double mu) { return collinear(NormMix(mu, 0.8 * mu, 2, -1)); }},
};

struct Mean {
  double sum = 0;
  int count = 0;
  void add(double ratio) {
    sum += std::log(ratio);
    ++count;
  }
  std::string text() const {
    return count > 0 ? fmt::format("{:.2f} ({} problems)", std::exp(sum / count), count) : "-";
  }
};

// times[solver][problem, tolerance]
using Times = std::map<std::string, std::vector<double>>;

void draw_profile(const Times& times, const fs::path& folder) {
  Figure figure("contact-profile", 900, 500);
  std::size_t runs = 0;
  std::vector<double> best;
  for (const auto& [solver, t] : times) {
    runs = t.size();
    best.resize(runs, INFINITY);
    for (std::size_t i = 0; i < runs; ++i) best[i] = std::min(best[i], t[i]);
  }
  std::string script = "plot";
  figure.add(
      "set logscale x\nset xlabel 'time over that of the fastest solver'\nset ylabel 'share of problems solved'\n"
      "set yrange [0:1.02]\nset xrange [1:1e4]\nset format x '10^{%L}'\nset key outside right top vertical maxrows 20 "
      "maxcols 1");
  int line = 0;
  for (const auto& [solver, t] : times) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < runs; ++i)
      if (std::isfinite(t[i])) ratios.push_back(t[i] / best[i]);
    std::sort(ratios.begin(), ratios.end());
    std::vector<std::vector<double>> rows = {{1, 0}};
    for (std::size_t k = 0; k < ratios.size(); ++k)
      rows.push_back({ratios[k], static_cast<double>(k + 1) / static_cast<double>(runs)});
    rows.push_back({1e4, rows.back()[1]});
    const std::string data = figure.add_data(fmt::format("{}", line), rows);
    script += fmt::format("{} '{}' using 1:2 with steps lw {} title {} noenhanced", line == 0 ? "" : ",", data,
                          solver == "slipset" ? 4 : 1.5, gnuplot_string(solver));
    ++line;
  }
  figure.add(script);
  figure.save(folder);
}

int run(int argc, char** argv) {
  fs::path folder, figure;
  double limit = 10;
  bool alone = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--figure" && i + 1 < argc)
      figure = argv[++i];
    else if (argument == "--limit" && i + 1 < argc)
      limit = std::stod(argv[++i]);
    else if (argument == "--alone")
      alone = true;
    else
      folder = argument;
  }
  if (folder.empty() || !fs::is_directory(folder)) {
    fmt::print("bench_contact: skipped, no folder of contact problems ({})\n",
               folder.empty() ? "give one" : folder.string());
    return 0;
  }
  if (!figure.empty()) fs::create_directories(figure);
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.insert(entry.path());
  const std::vector<std::string> peers = alone ? std::vector<std::string>{} : peer_solvers();
  if (peers.empty() && !alone) fmt::print("without Siconos, which was not found when this was configured\n");
  // Apart, as Siconos is not on every machine: a run without it leaves the comparison alone.
  Results results(peers.empty() ? "contact" : "contact-siconos",
                  {"problem", "contacts", "law", "tolerance", "ms", "error", "siconos_ms", "over_siconos",
                   "siconos_solver", "over_isotropic", "way"});
  Times times;
  std::map<double, Mean> against;
  std::map<std::string, Mean> variants;
  int unsolved = 0;
  fmt::print("{:<34} {:>8} {:>6} {:>10} {:>8} {:>8}  {:<10} {}\n", "problem", "contacts", "to", "ours [ms]", "error",
             "peer", "ratio", "way");
  for (const fs::path& path : files) {
    const ProblemFile file = read_problem(path);
    const std::string name = path.filename().string();
    const std::size_t n = file.coefficient.size();
    const fs::path dat = fs::temp_directory_path() / fmt::format("slipset-bench-{}.dat", fmt::ptr(&file));
    write_problem(dat, file.problem);
    for (const double tolerance : {1e-4, 1e-8}) {
      const Timed ours = solve_timed(file.problem, ContactMeasure::full_error, tolerance);
      const double error = full_error(file.problem, ours.solution.impulse);
      const bool solved = error <= tolerance;
      unsolved += !solved;
      double best = INFINITY;
      std::string who = "-";
      for (const std::string& peer : peers) {
        const PeerRun result = run_peer(peer, dat.string(), tolerance, limit);
        const double peer_error = result.seconds < 0 ? NAN : full_error(file.problem, result.impulse);
        const bool good = peer_error <= tolerance;
        if (n >= kFew) times[peer].push_back(good ? result.seconds : INFINITY);
        if (good && result.seconds < best) {
          best = result.seconds;
          who = peer;
        }
      }
      if (n >= kFew) times["slipset"].push_back(solved ? ours.seconds : INFINITY);
      const double ratio = ours.seconds / best;
      const bool beside = std::isfinite(best);
      results.add({name, fmt::format("{}", n), "isotropic", fmt::format("{:.0e}", tolerance),
                   fmt::format("{:.4g}", 1e3 * ours.seconds), fmt::format("{:.1e}", error),
                   beside ? fmt::format("{:.4g}", 1e3 * best) : "", beside ? fmt::format("{:.3g}", ratio) : "",
                   beside ? who : "", "", iterations_in_words(ours.solution.report)});
      if (n >= kFew && solved && std::isfinite(best)) against[tolerance].add(ratio);
      fmt::print("{:<34.34} {:>8} {:>6.0e} {:>10.3f} {:>8.1e} {:>8}  {:<10} {}{}\n", name, n, tolerance,
                 1e3 * ours.seconds, error, std::isfinite(best) ? fmt::format("{:.3f}", 1e3 * best) : "-",
                 std::isfinite(best) ? fmt::format("{:.2f}", ratio) : "-", iterations_in_words(ours.solution.report),
                 std::isfinite(best) ? fmt::format(" | {}", who) : "");
    }
    fs::remove(dat);
    const Timed plain = solve_timed(file.problem, ContactMeasure::residual, 1e-8);
    for (const Variant& variant : kVariants) {
      const ContactProblem other = with_laws(file, variant.make);
      const Timed ours = solve_timed(other, ContactMeasure::residual, 1e-8);
      const bool solved = ours.solution.report.solved();
      if (n >= kFew && solved) variants[variant.name].add(ours.seconds / plain.seconds);
      if (n >= kFew || !solved)
        fmt::print("  {:<50} {:>10.3f} {:>8.1e} {:>8.3f}  {:<10.2f} {}\n", variant.name, 1e3 * ours.seconds,
                   ours.solution.report.residual, 1e3 * plain.seconds, ours.seconds / plain.seconds,
                   iterations_in_words(ours.solution.report));
      results.add({name, fmt::format("{}", n), variant.name, "1e-08", fmt::format("{:.4g}", 1e3 * ours.seconds),
                   fmt::format("{:.1e}", ours.solution.report.residual), "", "", "",
                   fmt::format("{:.3g}", ours.seconds / plain.seconds), iterations_in_words(ours.solution.report)});
    }
    std::fflush(stdout);
  }
  fmt::print("\ngeometric means of time over the best of Siconos' solvers, {} contacts and more:\n", kFew);
  for (const auto& [tolerance, mean] : against) fmt::print("  to {:.0e}: {}\n", tolerance, mean.text());
  fmt::print("geometric means of time with other laws over isotropic ones, to 1e-8 of our residual:\n");
  for (const auto& [name, mean] : variants) fmt::print("  {}: {}\n", name, mean.text());
  fmt::print("not solved by us: {}\n", unsolved);
  results.save();
  if (!figure.empty() && !peers.empty()) draw_profile(times, figure);
  return 0;
}

}  // namespace
}  // namespace slipset::bench

int main(int argc, char** argv) { return slipset::bench::run(argc, argv); }
