// A run that is left at any step and resumed from its memory ends with the bits of the unbroken run.
#include <doctest/doctest.h>

#include <array>
#include <cstring>

#include "slipset/core/angle.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/systems/disk_on_pads.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"

using namespace slipset;

namespace {

// NaN equals NaN, 0 differs from -0.
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

std::vector<double> without_seconds(std::vector<double> memory) {
  memory.at(8) = memory.at(9) = 0;  // of computing, and of the contact solver
  return memory;
}

bool same_result(const Run& a, const Run& b) {
  bool same = a.table.rows().size() == b.table.rows().size();
  for (std::size_t i = 0; same && i < a.table.rows().size(); ++i)
    same = same_bits(a.table.rows()[i].numbers(), b.table.rows()[i].numbers());
  return same && a.end.q == b.end.q && a.end.u == b.end.u && a.stop_time == b.stop_time &&
         a.report.stop_reason == b.report.stop_reason &&
         same_bits({a.path_length, a.stick_time, a.report.worst_residual, a.energy.residual()},
                   {b.path_length, b.stick_time, b.report.worst_residual, b.energy.residual()}) &&
         a.report.steps == b.report.steps && a.report.ambiguous == b.report.ambiguous &&
         a.report.not_converged == b.report.not_converged;
}

// How many of the runs that were left and resumed, every so many steps, differ from the unbroken one.
int differing(const System& system, const State& start, const Moreau& by_moreau, const RunOptions& options,
              int stride = 1) {
  const Run whole = simulate(system, start, by_moreau, options);
  TimeSteppingRun first(system, start, by_moreau, options);
  int bad = 0;
  for (bool more = true; more;) {
    for (int i = 0; i < stride && more; ++i) more = first.advance(1);
    TimeSteppingRun resumed(system, start, by_moreau, options);
    resumed.restore(first.memory(), first.table().rows().numbers());
    bad += !same_bits(without_seconds(resumed.memory()), without_seconds(first.memory()));
    while (resumed.advance(1000)) {
    }
    bad += !same_result(std::move(resumed).result(), whole);
  }
  return bad;
}

}  // namespace

TEST_CASE("mass on belt with several solutions a step: resumed at many steps") {
  MassOnBeltParameters parameters;
  parameters.belt_velocity = unit_at_degrees(50);
  const MassOnBelt belt(FrictionLaw(Ellipse(30, 10, radians(30)), Ellipse(3, 1)), parameters);
  Moreau by_moreau;
  RunOptions options;
  by_moreau.step = 0.02;
  options.duration = 200;
  options.every = 7;
  const State start{0, belt.equilibrium().value() + Vec2(0.1, 0), Vec2(0, 0)};
  const Run whole = simulate(belt, start, by_moreau, options);
  CHECK(whole.report.ambiguous > 0);
  CHECK(whole.stick_time > 0);
  CHECK(differing(belt, start, by_moreau, options, 197) == 0);
}

TEST_CASE("disk on pads, falling friction: resumed at many steps, to its rest") {
  const DiskOnPads disk(FrictionLaw(Ellipse(0.4, 0.2), Ellipse(2, 1)).with_stribeck({1.5, 0.2}), {});
  Moreau by_moreau;
  RunOptions options;
  by_moreau.step = 1e-3;
  options.duration = 5;
  options.until_stick = true;
  options.every = 10;
  const State start{0, Vec3(0, 0, 0), Vec3(0.6, 0.4, 30)};
  CHECK(simulate(disk, start, by_moreau, options).report.stop_reason == "every contact sticks");
  CHECK(differing(disk, start, by_moreau, options, 5) == 0);
}

// Two feet that bounce one after the other: the number of closed contacts changes, also to none.
TEST_CASE("linear with two unilateral contacts: resumed at many steps") {
  LinearContact foot{FrictionLaw(Ellipse(0.4, 0.2), Ellipse(2, 1)),
                     Eigen::MatrixX2d::Zero(4, 2),
                     Vec2(0.1, 0),
                     0,
                     VectorX::Zero(4),
                     0,
                     0.6};
  foot.tangents(0, 0) = foot.tangents(1, 1) = 1;
  LinearContact left = foot, right = foot;
  left.normal = Eigen::Vector4d(0, 0, 1, -0.4);
  right.normal = Eigen::Vector4d(0, 0, 1, 0.5);
  left.tangents(3, 0) = 0.3;
  right.tangents(3, 0) = 0.3;
  const LinearSystem box(Eigen::Vector4d(1, 1, 1, 0.1).asDiagonal(), MatrixX::Zero(4, 4), MatrixX::Zero(4, 4),
                         Eigen::Vector4d(0, 0, -9.81, 0), {left, right});
  Moreau by_moreau;
  RunOptions options;
  by_moreau.step = 2e-3;
  options.duration = 1.2;
  const State start{0, Eigen::Vector4d(0, 0, 0.1, 0.05), Eigen::Vector4d(1, -0.5, 0, 0)};
  const Run whole = simulate(box, start, by_moreau, options);
  std::array<int, 3> closed{};
  const std::size_t a = whole.table.column("contact1.normal_force"), b = whole.table.column("contact2.normal_force");
  for (const auto row : whole.table.rows()) ++closed.at(std::size_t{row[a] > 0} + std::size_t{row[b] > 0});
  CHECK(closed[0] > 10);
  CHECK(closed[1] > 3);
  CHECK(closed[2] > 10);
  CHECK(differing(box, start, by_moreau, options, 7) == 0);
}

TEST_CASE("a memory of another system, or rows of another, are refused") {
  const DiskOnPads disk(isotropic(0.3), {});
  const State start{0, Vec3(0, 0, 0), Vec3(1, 0, 0)};
  TimeSteppingRun run(disk, start, Moreau{}, {});
  CHECK_THROWS_AS(run.restore({1, 2, 3}, run.table().rows().numbers()), InvalidInput);
  std::vector<double> memory = run.memory();
  CHECK_THROWS_AS(run.restore(memory, {{1, 2}}), InvalidInput);
  CHECK_THROWS_AS(run.restore(memory, {}), InvalidInput);
  memory.push_back(0);
  CHECK_THROWS_AS(run.restore(memory, run.table().rows().numbers()), InvalidInput);
}
