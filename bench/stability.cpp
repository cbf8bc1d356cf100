// A scan of the 2-dof LuGre model (Hoffmann 2007, Figs. 4 and 8) over the belt speed, against the bare eigenvalue
// calls of Eigen for as many matrices of the same size, and on one thread against two.
//   bench_stability [POINTS]     default 10⁶
// The matrices of the bare calls are those of the scan at 1000 speeds, taken in turn. Every time is the least of three
// rounds: CPU time against Eigen, the clock for threads.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "bench/results.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/stability/scan.hpp"
#include "slipset/systems/mode_coupling.hpp"

namespace {

using namespace slipset;

struct Times {
  double cpu = INFINITY, wall = INFINITY;  // [s]
};

// Keeps the least.
template <class Work>
void measure(Times& times, const Work& work) {
  const std::clock_t cpu = std::clock();
  const auto wall = std::chrono::steady_clock::now();
  work();
  times.cpu = std::min(times.cpu, static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
  times.wall = std::min(times.wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count());
}

}  // namespace

int main(int argc, char** argv) {
  const int points = argc > 1 ? std::atoi(argv[1]) : 1000000;
  if (points < 2) {
    fmt::print(stderr, "bench_stability: POINTS must be at least 2\n");
    return 2;
  }
  const auto law = std::make_shared<PlanarContactLaw>(isotropic(0.4).with_stribeck({1.5, 5}));
  const SlidingAt at = [&](double speed) {
    ModeCouplingParameters p;
    p.c1 = p.c2 = 0.1;
    p.belt_speed = speed;
    LinearizeOptions options;
    options.lugre = LuGre{1, 0, 0};
    options.with_terms = false;
    const ModeCoupling system(law, p);
    options.guess = system.equilibrium();
    return linearize_sliding(system, options);
  };
  ScanOptions options;
  options.from = 0.5;
  options.to = 10;
  options.count = points;

  std::vector<Eigen::MatrixXd> matrices;
  for (int i = 0; i < 1000; ++i) matrices.push_back(at(options.from + (options.to - options.from) * i / 999).system);
  double sum = 0;  // so that nothing is optimised away
  const auto bare = [&](bool vectors) {
    Eigen::EigenSolver<Eigen::MatrixXd> solver(matrices[0].rows());
    for (int i = 0; i < points; ++i)
      sum += solver.compute(matrices[static_cast<std::size_t>(i % 1000)], vectors).eigenvalues()[0].real();
  };
  const auto scan = [&](int threads) {
    options.threads = threads;
    return scan_stability(at, options);
  };
  Times values_only, with_vectors, on_one, on_two;
  StabilityScan one, two;
  for (int k = 0; k < 3; ++k) {  // in turn, so that what else the machine does meets all of them
    measure(values_only, [&] { bare(false); });
    measure(with_vectors, [&] { bare(true); });
    measure(on_one, [&] { one = scan(1); });
    measure(on_two, [&] { two = scan(2); });
  }

  const double micro = 1e6 / points;
  const bool same = one.values == two.values && one.stable == two.stable;
  fmt::print("{} points, matrices {} x {}, {} critical values\n", points, matrices[0].rows(), matrices[0].rows(),
             one.critical.size());
  fmt::print("eigenvalues, Eigen        {:6.2f} us of CPU a point\n", values_only.cpu * micro);
  fmt::print("with eigenvectors, Eigen  {:6.2f} us\n", with_vectors.cpu * micro);
  fmt::print("scan on one thread       {:6.2f} us: {:.2f} times the eigenvalues, {:.2f} times both\n",
             on_one.cpu * micro, on_one.cpu / values_only.cpu, on_one.cpu / with_vectors.cpu);
  fmt::print("two threads               {:.2f} times as fast as one ({:.2f} s, {:.2f} s by the clock)\n",
             on_one.wall / on_two.wall, on_one.wall, on_two.wall);
  fmt::print("same bits                 {}\n", same ? "yes" : "NO");
  bench::Results results("stability", {"name", "us_of_cpu_per_point", "seconds_by_the_clock"});
  results.note(fmt::format("{} points, matrices {} x {}; the least of three rounds", points, matrices[0].rows(),
                           matrices[0].rows()));
  const auto add = [&](const char* name, const Times& times) {
    results.add({name, fmt::format("{:.3f}", times.cpu * micro), fmt::format("{:.3f}", times.wall)});
  };
  add("eigenvalues, Eigen", values_only);
  add("eigenvalues and eigenvectors, Eigen", with_vectors);
  add("scan, one thread", on_one);
  add("scan, two threads", on_two);
  results.save();
  return std::isfinite(sum) && same ? 0 : 1;
}
