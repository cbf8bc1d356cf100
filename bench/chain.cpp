// Cost of an RK4 step of a chain of n blocks with Quinn's law, against a loop written by hand for this one problem.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "bench/results.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/motion/integrators/internal/axial_rate.hpp"
#include "slipset/systems/chain.hpp"

namespace {

using namespace slipset;
using namespace slipset::internal;

constexpr double kAmplitude = 0.25, kFrequency = 0.5, kEpsilon = 0.02;

double stable_step(Eigen::Index n) { return 0.5 / static_cast<double>(n); }

void library_step(benchmark::State& state) {
  const auto n = static_cast<Eigen::Index>(state.range(0));
  const AxialSystem system = chain({n, 1, kAmplitude, kFrequency, false});
  const auto rate = make_axial_rate(system, {Regularization::quinn, kEpsilon});
  VectorX y = VectorX::Zero(rate->size());
  Rk4 steps(y.size());
  const double h = stable_step(n);
  double t = 0;
  for (auto _ : state) {
    y.swap(steps.step(*rate, t, h, y));
    t += h;
  }
  benchmark::DoNotOptimize(y.sum());
  state.SetComplexityN(state.range(0));
}

// The same arithmetic: three-term rows, Eq. 4, the energies, classical RK4.
struct HandWritten {
  long n;
  std::vector<double> y, k, at, sum;

  explicit HandWritten(long blocks) : n(blocks) {
    const auto size = static_cast<std::size_t>(2 * n + 2);
    y.assign(size, 0);
    k = at = sum = y;
  }

  void rate(double t, const double* x, double* dx) const {
    const double c = static_cast<double>(n) * static_cast<double>(n), g = kAmplitude * std::sin(kFrequency * t);
    const double *q = x, *u = x + n;
    double *dq = dx, *du = dx + n;
    const auto nn = static_cast<double>(n);
    double heat = 0;
    const auto block = [&](long i, double force) {
      const double b = std::min(std::max(-force, -1.0), 1.0);
      const double f = std::min(std::max(b - u[i] / kEpsilon, -1.0), 1.0);
      dq[i] = u[i];
      du[i] = force + f;
      heat -= f * u[i];
    };
    block(0, -c * (q[0] - q[1]) - nn * g);
    for (long i = 1; i + 1 < n; ++i) block(i, c * (q[i - 1] - 2 * q[i] + q[i + 1]));
    block(n - 1, c * (4.0 / 3 * q[n - 2] - 4 * q[n - 1]));
    dx[2 * n] = heat / nn;
    dx[2 * n + 1] = -g * u[0] - nn / 6 * (u[n - 2] * q[n - 1] - u[n - 1] * q[n - 2]);
  }

  void step(double t, double h) {
    const std::size_t size = y.size();
    rate(t, y.data(), k.data());
    for (std::size_t i = 0; i < size; ++i) {
      sum[i] = y[i] + h / 6 * k[i];
      at[i] = y[i] + h / 2 * k[i];
    }
    rate(t + h / 2, at.data(), k.data());
    for (std::size_t i = 0; i < size; ++i) {
      sum[i] += h / 3 * k[i];
      at[i] = y[i] + h / 2 * k[i];
    }
    rate(t + h / 2, at.data(), k.data());
    for (std::size_t i = 0; i < size; ++i) {
      sum[i] += h / 3 * k[i];
      at[i] = y[i] + h * k[i];
    }
    rate(t + h, at.data(), k.data());
    for (std::size_t i = 0; i < size; ++i) y[i] = sum[i] + h / 6 * k[i];
  }
};

void hand_written_step(benchmark::State& state) {
  HandWritten chain_by_hand(state.range(0));
  const double h = stable_step(state.range(0));
  double t = 0;
  for (auto _ : state) {
    chain_by_hand.step(t, h);
    t += h;
    benchmark::ClobberMemory();
  }
  benchmark::DoNotOptimize(chain_by_hand.y.data());
  state.SetComplexityN(state.range(0));
}

// One forcing cycle, exactly.
void exact_cycle(benchmark::State& state) {
  const auto n = static_cast<Eigen::Index>(state.range(0));
  const AxialSystem system = chain({n, 1, kAmplitude, kFrequency, false});
  const EventDriven exact{.row_step = system.period()};
  const RunOptions options{.duration = system.period()};
  for (auto _ : state)
    benchmark::DoNotOptimize(simulate(system, {0, VectorX::Zero(n), VectorX::Zero(n)}, exact, options).end.q[0]);
}

BENCHMARK(library_step)->Arg(32)->Arg(100)->Arg(1000)->Arg(10000)->Complexity(benchmark::oN);
BENCHMARK(hand_written_step)->Arg(32)->Arg(100)->Arg(1000)->Arg(10000)->Complexity(benchmark::oN);
BENCHMARK(exact_cycle)->Arg(32)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) { return slipset::bench::run_registered("chain", {}, argc, argv); }
