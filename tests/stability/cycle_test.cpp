// Periodic motions: the belt's known cycle, and shooting against the return map and against simulation.
#include <doctest/doctest.h>

#include "slipset/core/angle.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/stability/belt_cycle.hpp"
#include "slipset/stability/cycle.hpp"
#include "tests/stability/models.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// Van der Pol's oscillator on a belt that it never sticks to: ẍ + x - ε (1 - ((x - x₀)/a)²) ẋ = μN about x₀ = μN.
// Its cycle has the amplitude 2a (1 + O(ε²)), the period 2π (1 + ε²/16) and the multiplier exp(-2πε (1 + O(ε²))).
struct VanDerPol final : System {
  double epsilon, size;
  std::vector<SystemContact> belts{{"belt", shared(isotropic(0.3)), false}};
  VanDerPol(double e, double a) : epsilon(e), size(a) {}
  Eigen::Index dofs() const override { return 1; }
  const std::vector<SystemContact>& contacts() const override { return belts; }
  void evaluate(double, const VectorX& q, const VectorX& u, SystemAt& at) const override {
    const double x = (q[0] - 0.3) / size;
    at.mass = MatrixX::Identity(1, 1);
    at.potential_force = -q;
    at.force = -q + epsilon * (1 - x * x) * u;
    at.contacts[0].tangents.setZero();
    at.contacts[0].tangents(0, 0) = 1;
    at.contacts[0].surface_velocity = Vec2(1, 0);
    at.contacts[0].normal_force = 1;
  }
  double potential_energy(const VectorX& q) const override { return 0.5 * q.squaredNorm(); }
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
};

}  // namespace

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
  CHECK(cycle.multipliers.empty());  // not the noise of differences
  CHECK(cycle.note.find("zero") != std::string::npos);
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

// By a second program in long double (tests/motion/event_scales_test.cpp), from stick to stick until it repeats; the
// multipliers are those of its periods on the way.
TEST_CASE("A23 the cycle of the belt at many speeds, by its return map") {
  struct Row {
    double speed, period, stick, multiplier;
  };
  for (const Row& row : {Row{3, 14.109726978, 6.107020367, -0.250909}, Row{12, 8.15284553, 0.64536455, 0.37805}}) {
    const MassOnBelt system = belt(50, row.speed);
    CycleOptions options;
    options.start = {0, *system.equilibrium() + Vec2(0.1, 0), Vec2(0, 0)};
    options.step = 0.02;
    const Cycle cycle = find_cycle(system, options);
    REQUIRE_MESSAGE(cycle.found, cycle.why);
    CHECK_MESSAGE(cycle.why.find("from one beginning of stick to the next") != std::string::npos, cycle.why);
    CHECK(std::abs(cycle.period - row.period) < 1e-8);
    CHECK(std::abs(cycle.stick_time - row.stick) < 1e-8);
    REQUIRE(cycle.multipliers.size() == 1);
    CHECK(std::abs(cycle.multipliers[0] - row.multiplier) < 1e-5);
  }
}

TEST_CASE("A23 cycles are the same in metres and millimetres, seconds and milliseconds") {
  const auto cycle_in = [](double metre, double second, double speed) {
    MassOnBeltParameters p;
    p.belt_velocity = speed * metre / second * unit_at_degrees(50);
    p.stiffness = Mat2::Identity() / (second * second);
    p.normal_force = metre / (second * second);
    const MassOnBelt system(FrictionLaw(Ellipse(30, 10, radians(30)), Ellipse(3, 1)), p);
    CycleOptions options;
    options.start = {0, *system.equilibrium() + Vec2(0.1 * metre, 0), Vec2(0, 0)};
    options.step = 0.02 * second;
    options.duration = 200 * second;
    Cycle cycle = find_cycle(system, options);
    REQUIRE_MESSAGE(cycle.found, cycle.why);
    cycle.period /= second;
    cycle.stick_time /= second;
    cycle.largest /= metre;
    return cycle;
  };
  for (const double speed : {3.0, 16.0}) {  // with stick and without
    const Cycle plain = cycle_in(1, 1, speed);
    for (const auto& [metre, second] : {std::pair{1000.0, 1.0}, {1.0, 1000.0}, {1e-3, 1e-3}}) {
      if (speed > 10 && second > 0.1) continue;  // time
      INFO(speed, " ", metre, " ", second);
      const Cycle other = cycle_in(metre, second, speed);
      CHECK(std::abs(other.period - plain.period) <= 1e-9 * plain.period);
      CHECK(std::abs(other.stick_time - plain.stick_time) <= 1e-9 * plain.period);
      CHECK((other.largest - plain.largest).norm() <= 1e-6 * plain.largest.norm());  // between rows
      CHECK(plain.multiplier_error <= 1e-4);
      REQUIRE(other.multipliers.size() == plain.multipliers.size());
      for (std::size_t k = 0; k < plain.multipliers.size(); ++k)
        CHECK(std::abs(other.multipliers[k] - plain.multipliers[k]) <= plain.multiplier_error);
    }
  }
}

// Slip about the steady position is a swing of any size up to the belt's speed, of period 2π√(m/k).
TEST_CASE("Coulomb friction on an undamped block: neutral cycles, and the one that grazes stick") {
  BlockOnBeltParameters p;
  p.stiffness = 100;
  p.normal_force = 10;
  p.belt_speed = 0.1;
  const BlockOnBelt system(shared(isotropic(0.3)), p);
  for (const double beside : {0.002, 0.05}) {
    CycleOptions options;
    options.start = {0, *system.equilibrium() + VectorX::Constant(1, beside), VectorX::Zero(1)};
    options.step = 1e-3;
    options.duration = 20;
    const Cycle cycle = find_cycle(system, options);
    REQUIRE_MESSAGE(cycle.found, cycle.why);
    CHECK(cycle.stability() == CycleStability::neutral);
    CHECK_FALSE(cycle.is_stable());
    for (const auto& m : cycle.multipliers) CHECK(m.imag() == 0);  // the only one of a real system with two
    CHECK(std::abs(cycle.period - 2 * kPi / 10) < 1e-8);
    CHECK((cycle.note.find("grazes") != std::string::npos) == (beside > 0.01));
  }
}

TEST_CASE("F5 a cycle needs a simulation of some steps") {
  const MassOnBelt system = belt(50);
  CycleOptions options;
  options.start = {0, *system.equilibrium() + Vec2(0.1, 0), Vec2(0, 0)};
  for (const auto& [step, duration] : {std::pair{0.02, 1e-12}, {1e12, 400.0}, {0.02, 0.05}}) {
    options.step = step;
    options.duration = duration;
    const Cycle cycle = find_cycle(system, options);
    CHECK_FALSE(cycle.found);
    CHECK_MESSAGE(cycle.why.find("steps; give a duration") != std::string::npos, cycle.why);
  }
}

TEST_CASE("F9 the search for a cycle ends when it is asked to, wherever it is") {
  const MassOnBelt system = belt(50, 3);
  CycleOptions options;
  options.start = {0, *system.equilibrium() + Vec2(2, 0), Vec2(0, 0)};
  options.step = 0.02;
  options.duration = 100;
  int all = 0;
  options.progress = [&](double, double, const char*) { return ++all > 0; };
  REQUIRE(find_cycle(system, options).found);
  REQUIRE(all > 5010);  // 5000 of the simulation, the others of the search
  for (const int last : {10, 5003, all - 1}) {
    int calls = 0;
    options.progress = [&](double, double, const char*) { return ++calls < last; };
    const Cycle cycle = find_cycle(system, options);
    CHECK_FALSE(cycle.found);
    CHECK(cycle.why == "stopped");
    CHECK(calls == last);
  }
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

TEST_CASE("the closing distance goes to the simulation that leads to the cycle") {
  CycleOptions options;
  options.start = {0, Vec2(0, 0), Vec2(0, 0)};
  options.closing_distance = 1e-3;
  CHECK_THROWS_WITH_AS(find_cycle(belt(60), options), doctest::Contains("closing"), InvalidInput);  // it cannot open
}

// Steady sliding is a fixed point of the flow for every period.
TEST_CASE("a motion that is slowly drawn to steady sliding has no cycle, however long it has been watched") {
  const BlockOnBelt block(shared(isotropic(0.3)),
                          {.stiffness = 10, .damping = 0.01, .normal_force = 10, .belt_speed = 0.3});
  MassOnBeltParameters p;
  p.stiffness = Vec2(10, 12).asDiagonal();
  p.damping = 0.1 * Mat2::Identity();
  p.normal_force = 10;
  p.belt_velocity = 0.3 * unit_at_degrees(20);
  const MassOnBelt mass(isotropic(0.3), p);
  for (const double duration : {60.0, 200.0})
    for (const System* system : {static_cast<const System*>(&block), static_cast<const System*>(&mass)}) {
      INFO(system->dofs(), " ", duration);
      CycleOptions options;
      options.start = {0, 0.5 * VectorX::Unit(system->dofs(), 0), VectorX::Zero(system->dofs())};
      options.step = 0.005;
      options.duration = duration;
      const Cycle cycle = find_cycle(*system, options);
      CHECK_FALSE(cycle.found);
      CHECK(cycle.dies_out);
      CHECK_MESSAGE(cycle.why == "the motion settles on steady sliding: no cycle", cycle.why);
    }
}

TEST_CASE("a small cycle that a motion comes to from outside, slowly, is found") {
  for (const double size : {1e-2, 1e-4}) {
    const double epsilon = 0.05;
    const VanDerPol system(epsilon, size);
    CycleOptions options;
    options.start = {0, VectorX::Constant(1, 0.3 + 3 * size), VectorX::Zero(1)};
    options.step = 0.01;
    options.duration = 60;  // the last 5% of the way in are left
    const Cycle cycle = find_cycle(system, options);
    REQUIRE_MESSAGE(cycle.found, cycle.why);
    CHECK_FALSE(cycle.dies_out);
    CHECK(cycle.period == near(2 * kPi * (1 + epsilon * epsilon / 16), 1e-5));
    CHECK(cycle.largest[0] - cycle.smallest[0] == near(4 * size, 1e-3));
    REQUIRE(cycle.multipliers.size() == 1);
    CHECK(cycle.multipliers[0].imag() == 0);
    CHECK(cycle.multipliers[0].real() == near(std::exp(-2 * kPi * epsilon), 1e-2));
    CHECK(cycle.closing < 1e-6);
  }
}

TEST_CASE("a motion that fades settles on steady sliding, however small it is already") {
  for (const double speed : {2.5, 3.0}) {
    const BlockOnBelt block(shared(isotropic(0.4).with_stribeck({1.5, 0.5})),
                            {.mass = 2, .stiffness = 200, .damping = 1, .normal_force = 30, .belt_speed = speed});
    const double steady = 30 * slip_resistance(isotropic(0.4).with_stribeck({1.5, 0.5}), {speed, 0}).x() / 200;
    for (const double away : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
      CycleOptions options;
      options.start = {0, VectorX::Constant(1, steady + away), VectorX::Zero(1)};
      options.step = 0.002;
      options.duration = 60;
      const Cycle cycle = find_cycle(block, options);
      CAPTURE(speed);
      CAPTURE(away);
      CAPTURE(cycle.why);
      CHECK_FALSE(cycle.found);
      CHECK(cycle.dies_out);
    }
  }
}
