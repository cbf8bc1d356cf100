// Nanoseconds of one exact update of an elastic interface, over Eigen's decomposition of a symmetric 2x2 matrix, timed
// in turns in the same run.
//   bench_elastic [--benchmark_filter=...]
#include <benchmark/benchmark.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <ctime>

#include "bench/results.hpp"
#include "slipset/contact/elastic_return.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/random.hpp"

using namespace slipset;

namespace {

constexpr std::size_t kPoints = 1024;

struct Trial {
  Vec2 force;
  Mat2 matrix;
};

// Trial forces at 1.0001 to 100 times the reservoir.
const std::array<Trial, kPoints>& trials() {
  static const std::array<Trial, kPoints> all = [] {
    test::Random random(1);
    std::array<Trial, kPoints> t;
    for (Trial& x : t) {
      x.force = random.log_uniform(1.0001, 100) * Ellipse(0.6, 0.2, 0.4).boundary_point(random.uniform(0, 2 * kPi));
      const double a = random.uniform(-1, 1);
      x.matrix << random.uniform(0.5, 2), a, a, random.uniform(0.5, 2);
    }
    return t;
  }();
  return all;
}

const ElasticReturn& associated_ellipse() {
  static const ElasticReturn r({associated(Ellipse(0.6, 0.2, 0.4)), Adhesion(3e4, 1e4, 0.9)});
  return r;
}
const ElasticReturn& two_ellipses() {
  static const ElasticReturn r({FrictionLaw(Ellipse(0.6, 0.2, 0.4), Ellipse(2, 1)), Adhesion(3e4, 1e4, 0.9)});
  return r;
}
const ElasticReturn& superellipses() {
  static const ElasticReturn r(
      {FrictionLaw(Superellipse(0.6, 0.2, 3, 0.4), Superellipse(2, 1, 3)), Adhesion(3e4, 1e4, 0.9)});
  return r;
}

double returns(const ElasticReturn& r) {
  double sum = 0;
  for (const Trial& t : trials()) sum += r.from_trial(t.force, 1, Vec2::Zero()).force.x();
  return sum;
}
double decompositions() {
  double sum = 0;
  Eigen::SelfAdjointEigenSolver<Mat2> solver;
  for (const Trial& t : trials()) {
    solver.compute(t.matrix);
    sum += solver.eigenvalues()[0] + solver.eigenvectors()(0, 0);
  }
  return sum;
}

// Of this process, not of the clock on the wall: a machine that others use at the same time gives whole time slices
// away.
template <class Function>
double seconds(const Function& f) {
  const std::clock_t began = std::clock();
  for (int i = 0; i < 20; ++i) benchmark::DoNotOptimize(f());
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

// The median of ratios of neighbouring timings: other load on the machine falls out.
void over_decomposition(benchmark::State& state, const ElasticReturn& r) {
  std::vector<double> ratios;
  for (auto _ : state) {
    const double a = seconds([&] { return returns(r); }), b = seconds(decompositions);
    ratios.push_back(a / b);
  }
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2), ratios.end());
  state.counters["ratio"] = ratios[ratios.size() / 2];
}

template <class Function>
void per_call(benchmark::State& state, const Function& f) {
  for (auto _ : state) benchmark::DoNotOptimize(f());
  state.counters["ns"] = benchmark::Counter(
      static_cast<double>(kPoints) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void eigen_2x2(benchmark::State& s) { per_call(s, decompositions); }
void return_associated_ellipse(benchmark::State& s) {
  per_call(s, [] { return returns(associated_ellipse()); });
}
void return_two_ellipses(benchmark::State& s) {
  per_call(s, [] { return returns(two_ellipses()); });
}
void return_superellipses(benchmark::State& s) {
  per_call(s, [] { return returns(superellipses()); });
}
void ratio_associated_ellipse(benchmark::State& s) { over_decomposition(s, associated_ellipse()); }
void ratio_two_ellipses(benchmark::State& s) { over_decomposition(s, two_ellipses()); }

BENCHMARK(eigen_2x2);
BENCHMARK(return_associated_ellipse);
BENCHMARK(return_two_ellipses);
BENCHMARK(return_superellipses);
BENCHMARK(ratio_associated_ellipse)->Iterations(101);
BENCHMARK(ratio_two_ellipses)->Iterations(101);

}  // namespace

int main(int argc, char** argv) { return bench::run_registered("elastic", {"ns", "ratio"}, argc, argv); }
