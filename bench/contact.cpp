// Contact problems of a folder: time, iterations and error of our default, beside other people's solvers (peers.hpp).
//   bench_contact FOLDER [--figure DIR] [--limit SECONDS] [--alone] [--all] [--python PYTHON]
// --alone: without peers. --all: prints every peer's time and error. --python: an interpreter with
// bench/requirements-peers.txt, build/peers/bin/python if not given. Times are medians (timing.hpp). Peers are judged by
// the error recomputed from their impulses, not by their return codes; the fastest that reaches the tolerance is taken
// for each problem. The means are over the problems of 20 contacts and more; what is counted is counted over all of them.
#include <fmt/format.h>
#include <unistd.h>

#include <Eigen/SparseCore>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "bench/peers.hpp"
#include "bench/results.hpp"
#include "bench/timing.hpp"
#include "slipset/contact/block_delassus.hpp"
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
  Timed timed;
  Repetitions repetitions;
  while (!repetitions.enough()) {
    ContactSolution solution;  // anew: impulses that are there are a first guess
    const auto start = std::chrono::steady_clock::now();
    ContactSolver().solve(problem, options, solution);
    repetitions.add(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    timed.solution = std::move(solution);
  }
  timed.seconds = repetitions.median();
  return timed;
}

// The same with (W + Wᵀ)/2, for peers that take no other.
ContactProblem symmetric(const ContactProblem& problem) {
  const ContactProblem blocks = assembled(problem);
  const SparseMatrix w = blocks.delassus->as_blocks()->sparse();
  ContactProblem result = problem;
  result.delassus = std::make_shared<const BlockDelassus>(SparseMatrix(0.5 * (w + SparseMatrix(w.transpose()))));
  return result;
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
  double value() const { return std::exp(sum / count); }
  std::string text() const { return count > 0 ? fmt::format("{:.2f} ({} problems)", value(), count) : "-"; }
};

// times[solver][problem, tolerance]: infinite where it was not solved
using Times = std::map<std::string, std::vector<double>>;

std::vector<double> least_of(const Times& times) {
  std::vector<double> least;
  for (const auto& [solver, t] : times) {
    least.resize(t.size(), INFINITY);
    for (std::size_t i = 0; i < t.size(); ++i) least[i] = std::min(least[i], t[i]);
  }
  return least;
}

// Colours that the colour-blind can tell apart, one per family of methods, and dashes within it.
struct Line {
  const char* begins;
  const char* style;
};
const Line kLines[] = {
    {"slipset", "lc rgb '#000000' lw 5 dt 1"},
    {"Siconos NSGS quartic", "lc rgb '#0072b2' lw 2 dt (5,6)"},
    {"Siconos NSGS local iteration", "lc rgb '#0072b2' lw 2 dt (18,6)"},
    {"Siconos NSGS", "lc rgb '#0072b2' lw 2 dt 1"},
    {"Siconos NSN_AC", "lc rgb '#d55e00' lw 2 dt 1"},
    {"Siconos NSN_NM", "lc rgb '#d55e00' lw 2 dt (18,6)"},
    {"Siconos ADMM", "lc rgb '#009e73' lw 2 dt 1"},
    {"Siconos PROX", "lc rgb '#009e73' lw 2 dt (18,6)"},
    {"Siconos VI_EG", "lc rgb '#e69f00' lw 2 dt 1"},
    {"Siconos VI_FPP", "lc rgb '#e69f00' lw 2 dt (18,6)"},
    {"Pinocchio ADMM dense", "lc rgb '#cc79a7' lw 2 dt (18,6)"},
    {"Pinocchio ADMM spectral", "lc rgb '#cc79a7' lw 2 dt (5,6)"},
    {"Pinocchio ADMM Anderson", "lc rgb '#cc79a7' lw 2 dt (18,6,5,6)"},
    {"Pinocchio ADMM", "lc rgb '#cc79a7' lw 2 dt 1"},
    {"Pinocchio PGS damped", "lc rgb '#56b4e9' lw 2 dt (18,6)"},
    {"Pinocchio PGS", "lc rgb '#56b4e9' lw 2 dt 1"},
};

std::string line_style(const std::string& solver) {
  for (const Line& line : kLines)
    if (solver.starts_with(line.begins)) return line.style;
  return "lc rgb '#999999' lw 2 dt 1";
}

void draw_profile(const Times& times, const fs::path& folder) {
  constexpr double kRight = 1e4;
  Figure figure("contact-profile", 1000, 560);
  const std::vector<double> best = least_of(times);
  figure.add(
      "set logscale x\nset xlabel 'time over that of the fastest solver'\nset ylabel 'share of problems solved'\n"
      "set yrange [0:1.02]\nset xrange [1:1e4]\nset format x '10^{%L}'\nset key outside right top vertical Left "
      "reverse "
      "samplen 4 maxrows 20 maxcols 1");
  struct Curve {
    std::string solver;
    std::vector<std::vector<double>> rows;
    double area = 0;  // below it: best first in the key
  };
  std::vector<Curve> curves;
  for (const auto& [solver, t] : times) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < t.size(); ++i)
      if (std::isfinite(t[i])) ratios.push_back(t[i] / best[i]);
    std::sort(ratios.begin(), ratios.end());
    Curve curve{solver, {{1, 0}}};
    for (std::size_t k = 0; k < ratios.size(); ++k) {
      curve.rows.push_back({ratios[k], static_cast<double>(k + 1) / static_cast<double>(best.size())});
      curve.area += std::max(0.0, std::log(kRight / ratios[k]));
    }
    curve.rows.push_back({kRight, curve.rows.back()[1]});
    curves.push_back(std::move(curve));
  }
  std::sort(curves.begin(), curves.end(), [](const Curve& a, const Curve& b) { return a.area > b.area; });
  std::string script = "plot";
  for (std::size_t k = 0; k < curves.size(); ++k)
    script += fmt::format("{} '{}' using 1:2 with steps {} title {} noenhanced", k == 0 ? "" : ",",
                          figure.add_data(fmt::format("{}", k), curves[k].rows), line_style(curves[k].solver),
                          gnuplot_string(curves[k].solver));
  figure.add(script);
  figure.save(folder);
}

struct Standing {
  std::string solver;
  int solved = 0, fastest = 0;
  Mean over = {};
};

// How each solver did, over all problems: how many it solved, where it was the fastest, how far from it in the mean.
void save_solvers(const std::map<double, Times, std::greater<>>& by_tolerance, const std::string& limit) {
  Results results("contact-solvers", {"solver", "tolerance", "solved", "of", "fastest_on", "over_the_fastest"});
  results.note(fmt::format("over_the_fastest: geometric mean over the problems that it solved within {} s", limit));
  fmt::print("\n{:<30} {:>9} {:>8} {:>11} {:>17}\n", "solver", "tolerance", "solved", "fastest on", "over the fastest");
  for (const auto& [tolerance, times] : by_tolerance) {
    const std::vector<double> best = least_of(times);
    std::vector<Standing> standings;
    for (const auto& [solver, t] : times) {
      Standing standing{solver};
      for (std::size_t i = 0; i < t.size(); ++i)
        if (std::isfinite(t[i])) {
          ++standing.solved;
          standing.fastest += t[i] == best[i];
          standing.over.add(t[i] / best[i]);
        }
      standings.push_back(standing);
    }
    std::stable_sort(standings.begin(), standings.end(), [](const Standing& a, const Standing& b) {
      return a.solved != b.solved ? a.solved > b.solved : a.over.value() < b.over.value();
    });
    for (const Standing& s : standings) {
      const std::string mean = s.solved ? fmt::format("{:.2f}", s.over.value()) : "";
      results.add({s.solver, fmt::format("{:.0e}", tolerance), fmt::format("{}", s.solved),
                   fmt::format("{}", best.size()), fmt::format("{}", s.fastest), mean});
      fmt::print("{:<30} {:>9.0e} {:>5}/{:<2} {:>11} {:>17}\n", s.solver, tolerance, s.solved, best.size(), s.fastest,
                 mean);
    }
  }
  results.save();
}

// What the bar asks: how often, and by how much at worst, the fastest peer is faster.
struct Beaten {
  int problems = 0, slower = 0, alone = 0;
  double worst = 0;
  std::string where;
};

int run(int argc, char** argv) {
  fs::path folder, figure;
  std::string python = SLIPSET_BENCH_SOURCE "/../build/peers/bin/python";
  double limit = 10;
  bool alone = false, all = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--figure" && i + 1 < argc)
      figure = argv[++i];
    else if (argument == "--limit" && i + 1 < argc)
      limit = std::stod(argv[++i]);
    else if (argument == "--python" && i + 1 < argc)
      python = argv[++i];
    else if (argument == "--alone")
      alone = true;
    else if (argument == "--all")
      all = true;
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
  std::vector<std::string> left_out;
  const std::vector<Peer> peers = alone ? std::vector<Peer>{} : all_peers(python, left_out);
  for (const std::string& words : left_out) fmt::print("without {}\n", words);
  // Apart, as not every machine has peers: a run without them leaves the comparison alone.
  Results results(peers.empty() ? "contact" : "contact-peers",
                  {"problem", "contacts", "law", "tolerance", "ms", "error", "peer_ms", "over_peer", "peer",
                   "over_isotropic", "way"});
  for (const std::string& words : left_out) results.note("without " + words);
  Times times;                                           // of the problems of kFew contacts and more
  std::map<double, Times, std::greater<>> by_tolerance;  // of all
  std::map<double, Beaten, std::greater<>> beaten;
  std::map<double, Mean, std::greater<>> against;
  std::map<std::string, Mean> variants;
  int unsolved = 0;
  fmt::print("{:<34} {:>8} {:>6} {:>10} {:>8} {:>8}  {:<10} {}\n", "problem", "contacts", "to", "ours [ms]", "error",
             "peer", "ratio", "way");
  for (const fs::path& path : files) {
    const ProblemFile file = read_problem(path);
    const std::string name = path.filename().string();
    const std::size_t n = file.coefficient.size();
    const std::string place = (fs::temp_directory_path() / fmt::format("slipset-bench-{}", getpid())).string();
    const std::string dat = place + ".dat", symmetric_dat = place + "-symmetric.dat";
    const ContactProblem made_symmetric = symmetric(file.problem);
    if (!peers.empty()) {
      write_problem(dat, file.problem);
      write_problem(symmetric_dat, made_symmetric);
    }
    for (const double tolerance : {1e-4, 1e-8}) {
      const Timed ours = solve_timed(file.problem, ContactMeasure::full_error, tolerance);
      const double error = full_error(file.problem, ours.solution.impulse);
      const bool solved = error <= tolerance;
      unsolved += !solved;
      double best = INFINITY;
      std::string who = "-";
      for (const Peer& peer : peers) {
        const PeerRun result = peer.run(peer.symmetric ? symmetric_dat : dat, tolerance, limit);
        const ContactProblem& posed = peer.symmetric ? made_symmetric : file.problem;
        const double peer_error = result.seconds < 0 ? NAN : full_error(posed, result.impulse);
        const bool good = peer_error <= tolerance;
        const double seconds = good ? result.seconds : INFINITY;
        if (n >= kFew) times[peer.name].push_back(seconds);
        by_tolerance[tolerance][peer.name].push_back(seconds);
        if (all) fmt::print("    {:<34} {:>10.4f} {:>8.1e}\n", peer.name, 1e3 * result.seconds, peer_error);
        if (good && result.seconds < best) {
          best = result.seconds;
          who = peer.name;
        }
      }
      by_tolerance[tolerance]["slipset"].push_back(solved ? ours.seconds : INFINITY);
      if (n >= kFew) times["slipset"].push_back(solved ? ours.seconds : INFINITY);
      const double ratio = ours.seconds / best;
      const bool beside = std::isfinite(best);
      Beaten& count = beaten[tolerance];
      ++count.problems;
      count.alone += !beside;
      count.slower += beside && !(solved && ratio <= 1);
      if (beside && ratio > count.worst) {
        count.worst = ratio;
        count.where = name;
      }
      results.add({name, fmt::format("{}", n), "isotropic", fmt::format("{:.0e}", tolerance),
                   fmt::format("{:.4g}", 1e3 * ours.seconds), fmt::format("{:.1e}", error),
                   beside ? fmt::format("{:.4g}", 1e3 * best) : "", beside ? fmt::format("{:.4g}", ratio) : "",
                   beside ? who : "", "", iterations_in_words(ours.solution.report)});
      if (n >= kFew && solved && std::isfinite(best)) against[tolerance].add(ratio);
      fmt::print("{:<34.34} {:>8} {:>6.0e} {:>10.3f} {:>8.1e} {:>8}  {:<10} {}{}\n", name, n, tolerance,
                 1e3 * ours.seconds, error, std::isfinite(best) ? fmt::format("{:.3f}", 1e3 * best) : "-",
                 std::isfinite(best) ? fmt::format("{:.2f}", ratio) : "-", iterations_in_words(ours.solution.report),
                 std::isfinite(best) ? fmt::format(" | {}", who) : "");
    }
    fs::remove(dat);
    fs::remove(symmetric_dat);
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
  if (!peers.empty()) {
    save_solvers(by_tolerance, fmt::format("{:g}", limit));
    fmt::print("\ngeometric means of time over that of the fastest peer, {} contacts and more:\n", kFew);
    for (const auto& [tolerance, mean] : against) fmt::print("  to {:.0e}: {}\n", tolerance, mean.text());
    for (const auto& [tolerance, count] : beaten)
      fmt::print("to {:.0e}: over 1.0 on {} of {} problems, at worst {:.2f} ({}); {} that no peer solves\n", tolerance,
                 count.slower, count.problems, count.worst, count.where, count.alone);
  }
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
