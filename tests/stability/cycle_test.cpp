// Periodic motions: the belt's known cycle, and shooting against the return map and against simulation.
#include <doctest/doctest.h>

#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/stability/belt_cycle.hpp"
#include "slipset/stability/cycle.hpp"
#include "tests/stability/models.hpp"

using namespace slipset;
using namespace slipset::test;

TEST_CASE("the stick-slip cycle of the belt, all digits [WL19 Fig. 17]") {
  const MassOnBelt system = belt(50);
  CycleOptions options;
  options.start = {0, *system.equilibrium() + Vec2(0.1, 0), Vec2(0, 0)};
  options.step = 0.02;
  const Cycle cycle = find_cycle(system, options);
  REQUIRE(cycle.found);
  CHECK(std::abs(cycle.period - 28.70344934) < 1e-8);
  CHECK(std::abs(cycle.stick_time - 19.77433349) < 1e-8);
  REQUIRE(cycle.multipliers.size() == 1);
  // Extrapolated differences at steps of 0.01 to 0.08 m, and with four onsets of slip: -0.61523981 ± 3e-8.
  CHECK(std::abs(cycle.multipliers[0].real() + 0.61523981) < 1e-7);
  CHECK(cycle.is_stable());
  CHECK(std::abs(cycle.smallest[0] - 13.09322788) < 1e-8);
  CHECK(std::abs(cycle.largest[0] - 26.91789711) < 1e-8);
  CHECK(std::abs(cycle.smallest[1] + 4.14768919) < 1e-8);
  CHECK(std::abs(cycle.largest[1] - 15.56429105) < 1e-8);
}

// A falling characteristic on one coordinate: stick and slip, found by shooting. Stick forgets all but one number, and
// the start of slip is always the same there, so every multiplier is zero: the cycle is reached in finite time.
TEST_CASE("stick-slip of a block with a falling characteristic, by shooting") {
  BlockOnBeltParameters p;
  p.belt_speed = 0.5;
  const BlockOnBelt system(shared(falling(1.5, 1, 0.5)), p);
  CycleOptions options;
  options.start = {0, *system.equilibrium() + VectorX::Constant(1, 0.05), VectorX::Zero(1)};
  options.step = 0.005;
  options.duration = 120;
  const Cycle cycle = find_cycle(system, options);
  REQUIRE_MESSAGE(cycle.found, cycle.why);
  CHECK(cycle.stick_time > 0.01 * cycle.period);
  CHECK(cycle.is_stable());
  CHECK(cycle.closing < 1e-6);
  // Slip begins where the spring pulls with the static friction, and stick lasts as long as the belt needs to get
  // there.
  CHECK(cycle.largest[0] > 1.5);
  // Brute force: ten more periods end where they began.
  EventDriven by_events;
  RunOptions events;
  events.duration = 10 * cycle.period;
  by_events.row_step = events.duration;
  const Run later = simulate(system, cycle.at, by_events, events);
  CHECK((later.end.q - cycle.at.q).norm() < 1e-5);
}

TEST_CASE("a motion that comes to steady sliding has no cycle") {
  BlockOnBeltParameters p;
  p.damping = 0.5;
  const BlockOnBelt system(shared(isotropic(0.3)), p);
  CycleOptions options;
  options.start = {0, VectorX::Constant(1, 0.5), VectorX::Zero(1)};
  options.duration = 200;
  const Cycle cycle = find_cycle(system, options);
  CHECK_FALSE(cycle.found);
  CHECK_FALSE(cycle.is_stable());
  CHECK(!cycle.why.empty());
}

TEST_CASE("the return map of the belt is for one mass, one reservoir and a contact that cannot open") {
  CHECK(belt_motion_of(belt(50)).mass == 1);
  MassOnBeltParameters p;
  p.belt_velocity = Vec2(1, 0);
  CHECK_THROWS_AS(belt_motion_of(MassOnBelt(falling(1.5, 1, 0.5), p)), InvalidInput);
  CHECK_THROWS_AS(belt_motion_of(MassOnBelt(isotropic(0.3).with_elastic(Adhesion(10, 10)), p)), InvalidInput);
  const auto other = [](const MatrixX& mass, const MatrixX& tangents, const VectorX& normal) {
    const LinearContact contact{isotropic(0.3), tangents, Vec2(1, 0), normal.size() > 0 ? 0.0 : 10.0, normal, 0, 0};
    return LinearSystem(mass, MatrixX::Zero(2, 2), MatrixX::Identity(2, 2), Vec2(0, 0), {contact});
  };
  const MatrixX one = MatrixX::Identity(2, 2);
  MatrixX coupled_mass = one, turned = one;
  coupled_mass(0, 1) = coupled_mass(1, 0) = 0.2;
  turned << 0, -1, 1, 0;
  CHECK_NOTHROW(belt_motion_of(other(one, one, VectorX())));
  CHECK_THROWS_AS(belt_motion_of(other(coupled_mass, one, VectorX())), InvalidInput);
  CHECK_THROWS_AS(belt_motion_of(other(one, turned, VectorX())), InvalidInput);
  CHECK_THROWS_AS(belt_motion_of(other(one, one, Vec2(0, 1))), InvalidInput);
}

TEST_CASE("a motion that runs away has no cycle, and the reason is the run's") {
  const LinearContact contact{isotropic(0.3), MatrixX::Identity(2, 2), Vec2(1, 0), 1, VectorX(), 0, 0};
  const LinearSystem growing(MatrixX::Identity(2, 2), MatrixX::Zero(2, 2), -100 * MatrixX::Identity(2, 2), Vec2(0, 0),
                             {contact});
  CycleOptions options;
  options.start = {0, Vec2(1, 0), Vec2(0, 0)};
  options.duration = 100;
  const Cycle cycle = find_cycle(growing, options);
  CHECK_FALSE(cycle.found);
  CHECK_MESSAGE(cycle.why.find("range of floating-point numbers") != std::string::npos, cycle.why);
}
