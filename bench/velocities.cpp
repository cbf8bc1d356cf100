// The resistance of a million velocities, from an array into a new one: what bench/python.py compares with.
//   bench_velocities     seconds of ellipses and of superellipses, the least of ten rounds
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <random>
#include <vector>

#include "slipset/laws/friction_law.hpp"

namespace {

using namespace slipset;

double seconds_of(const FrictionLaw& law, const std::vector<Vec2>& velocities, double& sum) {
  double least = INFINITY;
  for (int round = 0; round < 10; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const std::unique_ptr<Vec2[]> result(new Vec2[velocities.size()]);
    law.visit([&](const auto& c, const auto& d) {
      for (std::size_t i = 0; i < velocities.size(); ++i) result[i] = slip_resistance(c, d, velocities[i]);
    });
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    sum += result[velocities.size() / 2].x();
  }
  return least;
}

}  // namespace

int main() {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Vec2> velocities(1000000);
  for (Vec2& v : velocities) v = Vec2(normal(random), normal(random));
  double sum = 0;
  const double ellipses = seconds_of({Ellipse(0.6, 0.2, 0.5), Ellipse(3, 1)}, velocities, sum);
  const double superellipses = seconds_of({Superellipse(0.6, 0.2, 3.3, 0.5), Superellipse(3, 1, 1.7)}, velocities, sum);
  fmt::print("{} {}\n", ellipses, superellipses);
  return sum == 0 ? 1 : 0;
}
