// A sweep of the 2-dof LuGre model (Hoffmann 2007, Figs. 4 and 8) over the belt speed, against the bare eigenvalue
// calls of Eigen for as many matrices of the same size, and on one thread against two.
//   bench_stability [POINTS]     10⁶ if left out
// The matrices of the bare calls are those of the sweep at 1000 speeds, taken in turn. Each time is the least of three.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <chrono>
#include <cstdlib>

#include "slipset/laws/classical.hpp"
#include "slipset/models/mode_coupling.hpp"
#include "slipset/stability/sweep.hpp"

namespace {

using namespace slipset;

template <class Work>
double seconds(const Work& work) {
  double least = INFINITY;
  for (int k = 0; k < 3; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  const int points = argc > 1 ? std::atoi(argv[1]) : 1000000;
  if (points < 2) {
    fmt::print(stderr, "bench_stability: POINTS must be at least 2\n");
    return 2;
  }
  const auto law = std::make_shared<ContactLaw>(isotropic(0.4).with_stribeck({1.5, 5}));
  const SlidingAt at = [&](double speed) {
    ModeCouplingParameters p;
    p.c1 = p.c2 = 0.1;
    p.belt_speed = speed;
    LinearizeOptions options;
    options.lugre = LuGre{1, 0, 0};
    options.with_terms = false;
    return linearize_sliding(ModeCoupling(law, p), options);
  };
  SweepOptions options;
  options.from = 0.5;
  options.to = 10;
  options.count = points;

  std::vector<Eigen::MatrixXd> matrices;
  for (int i = 0; i < 1000; ++i) matrices.push_back(at(options.from + (options.to - options.from) * i / 999).system);
  double sum = 0;  // so that nothing is left out
  const auto bare = [&](bool vectors) {
    return seconds([&] {
      Eigen::EigenSolver<Eigen::MatrixXd> solver(matrices[0].rows());
      for (int i = 0; i < points; ++i)
        sum += solver.compute(matrices[static_cast<std::size_t>(i % 1000)], vectors).eigenvalues()[0].real();
    });
  };
  const double values_only = bare(false), with_vectors = bare(true);
  Sweep one, two;
  options.threads = 1;
  const double on_one = seconds([&] { one = sweep_stability(at, options); });
  options.threads = 2;
  const double on_two = seconds([&] { two = sweep_stability(at, options); });

  const double micro = 1e6 / points;
  fmt::print("{} points, matrices {} x {}, {} critical values\n", points, matrices[0].rows(), matrices[0].rows(),
             one.critical.size());
  fmt::print("eigenvalues, Eigen        {:8.3f} s  {:6.2f} us each\n", values_only, values_only * micro);
  fmt::print("with eigenvectors, Eigen  {:8.3f} s  {:6.2f} us each\n", with_vectors, with_vectors * micro);
  fmt::print("sweep on one thread       {:8.3f} s  {:6.2f} us each: {:.2f} times the eigenvalues, {:.2f} times both\n",
             on_one, on_one * micro, on_one / values_only, on_one / with_vectors);
  fmt::print("sweep on two threads      {:8.3f} s  {:6.2f} us each: {:.2f} times as fast\n", on_two, on_two * micro,
             on_one / on_two);
  fmt::print("same bits                 {}\n", one.values == two.values ? "yes" : "NO");
  return std::isfinite(sum) && one.values == two.values ? 0 : 1;
}
