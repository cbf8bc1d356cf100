// Nanoseconds a call for each shape and operation, and the cost of slip_resistance over that of the sqrt and pow
// calls which its closed form needs, timed in turns in the same run.
//   bench_sets [--benchmark_filter=...]
#include <benchmark/benchmark.h>

#include <array>
#include <chrono>

#include "bench/results.hpp"
#include "slipset/laws/friction_law.hpp"
#include "tests/support/shapes.hpp"

using namespace slipset;

namespace {

constexpr std::size_t kPoints = 1024;

const std::array<Vec2, kPoints>& velocities() {
  static const std::array<Vec2, kPoints> all = [] {
    test::Random random(1);
    std::array<Vec2, kPoints> v;
    for (Vec2& x : v) x = random.uniform(0.5, 2) * unit(random.uniform(0, 2 * kPi));
    return v;
  }();
  return all;
}

// One call of f on each point; the sum keeps the compiler from dropping any.
template <class Function>
double sum_over_points(const Function& f) {
  double sum = 0;
  for (const Vec2& v : velocities()) sum += f(v);
  return sum;
}

template <class Function>
void per_call(benchmark::State& state, const Function& f) {
  for (auto _ : state) benchmark::DoNotOptimize(sum_over_points(f));
  state.counters["ns"] = benchmark::Counter(
      static_cast<double>(kPoints) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Set>
void operations(const std::string& name, const Set& set) {
  const auto add = [&](const char* operation, auto f) {
    benchmark::RegisterBenchmark((name + "/" + operation).c_str(), [=](benchmark::State& state) {
      per_call(state, [&](const Vec2& v) { return f(set, v); });
    });
  };
  add("gauge", [](const Set& s, const Vec2& v) { return s.gauge(v); });
  add("gauge_gradient", [](const Set& s, const Vec2& v) { return s.gauge_gradient(v).sum(); });
  add("gauge_hessian", [](const Set& s, const Vec2& v) { return s.gauge_hessian(v).value_or(Mat2::Zero()).sum(); });
  add("normal_cone", [](const Set& s, const Vec2& v) { return s.normal_cone(v).from; });
  if (!set.is_convex()) return;
  add("support", [](const Set& s, const Vec2& v) { return s.support(v); });
  add("support_point", [](const Set& s, const Vec2& v) { return s.support_point(v).sum(); });
  add("support_hessian", [](const Set& s, const Vec2& v) { return s.support_hessian(v).value_or(Mat2::Zero()).sum(); });
  add("project", [](const Set& s, const Vec2& v) { return s.project(v).sum(); });
}

// Times both in turns and gives the ratio of the sums: what else runs on the machine hits both alike.
template <class Function, class Own>
void against_own_calls(benchmark::State& state, const Function& f, const Own& own) {
  using Clock = std::chrono::steady_clock;
  Clock::duration of_function{}, of_own{};
  for (auto _ : state) {
    const auto start = Clock::now();
    benchmark::DoNotOptimize(sum_over_points(f));
    const auto middle = Clock::now();
    benchmark::DoNotOptimize(sum_over_points(own));
    of_own += Clock::now() - middle;
    of_function += middle - start;
  }
  const double calls = static_cast<double>(state.iterations()) * static_cast<double>(kPoints);
  state.counters["ns"] = std::chrono::duration<double, std::nano>(of_function).count() / calls;
  state.counters["own_ns"] = std::chrono::duration<double, std::nano>(of_own).count() / calls;
  state.counters["ratio"] = static_cast<double>(of_function.count()) / static_cast<double>(of_own.count());
}

template <class C, class D, class Own>
void slip(const std::string& name, const C& reservoir, const D& direction, const Own& own) {
  benchmark::RegisterBenchmark(("slip_resistance/" + name).c_str(), [=](benchmark::State& state) {
    against_own_calls(
        state, [&](const Vec2& v) { return slip_resistance(reservoir, direction, v).sum(); }, own);
  });
  const FrictionLaw law(reservoir, direction);
  benchmark::RegisterBenchmark(("slip_resistance/" + name + ", dispatched").c_str(), [=](benchmark::State& state) {
    against_own_calls(
        state, [&](const Vec2& v) { return slip_resistance(law, v).sum(); }, own);
  });
}

}  // namespace

int main(int argc, char** argv) {
  // Two ellipses: one root, in the gauge of C.
  slip("ellipses", Ellipse(0.6, 0.2, 0.5), Ellipse(3, 1),
       [](const Vec2& v) { return std::sqrt(v.x() * v.x() + v.y() * v.y()); });
  // Two superellipses: one power for the ray of D, two for the gauge of C.
  slip("superellipses", Superellipse(0.6, 0.2, 3.3, 0.5), Superellipse(3, 1, 1.7), [](const Vec2& v) {
    const double ratio = std::abs(v.x()) < std::abs(v.y()) ? v.x() / v.y() : v.y() / v.x();
    const double small = std::pow(std::abs(ratio), 1 / 0.7);
    return std::pow(1 + std::pow(small, 3.3), 1 / 3.3);
  });

  operations("disk", Disk(0.4));
  operations("ellipse", Ellipse(0.6, 0.2, 0.5));
  operations("superellipse", Superellipse(0.6, 0.2, 3.3, 0.5));
  operations("rectangle", Rectangle(0.6, 0.2, 0.5));
  operations("stadium", Stadium(0.6, 0.2, 0.3, 0.5));
  test::Random random(2);
  operations("polygon of 6", Polygon({{1, 0}, {0.5, 0.9}, {-0.5, 0.9}, {-1, 0}, {-0.5, -0.9}, {0.5, -0.9}}));
  operations("polar of 90", test::PolarKind::make(random));
  operations("wedge", Wedge(0.5, radians(36), 0.5));
  operations("wedge, non-convex", Wedge(1.2, radians(36), 0.5));
  operations("norm_mix", NormMix(0.4, 0.2, 0.8, 0.2, 0.5));
  return bench::run_registered("sets", {"ns", "own_ns", "ratio"}, argc, argv);
}
