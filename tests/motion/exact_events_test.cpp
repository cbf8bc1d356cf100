// The exact motion: closed forms, the references, conditions at every row, and a second method.
#include "slipset/motion/integrators/integrator.hpp"

#include <doctest/doctest.h>

#include "slipset/core/angle.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/chain.hpp"
#include "slipset/systems/forced_oscillator.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/spring_slider.hpp"
#include "slipset/systems/two_blocks.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;
using test::Random;

namespace {

State at_rest(Eigen::Index n, double first = 0) {
  State s{0, VectorX::Zero(n), VectorX::Zero(n)};
  s.q[0] = first;
  return s;
}

Run exact(const AxialSystem& system, const State& start, double duration, double row_step = 1e9) {
  EventDriven by_events;
  RunOptions o;
  o.duration = duration;
  by_events.row_step = std::min(row_step, duration);
  return simulate(system, start, by_events, o);
}

// The worst violation of friction's laws over all rows: forces within their limits, slip against them.
double worst_violation(const AxialSystem& system, const Run& run) {
  const auto names = system.contact_names();
  Worst worst;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto c = static_cast<Eigen::Index>(i);
    const std::size_t force = run.table.column(names[i] + ".friction_1"), slip = run.table.column(names[i] + ".slip_1"),
                      mode = run.table.column(names[i] + ".mode");
    for (const auto row : run.table.rows()) {
      const double f = row[force], v = row[slip];
      if (row[mode] == 2) {
        worst.add(std::abs(f) - system.static_limit(c));
        worst.add(std::abs(v));
      } else {
        worst.add(std::abs(std::abs(f) - system.limits()[c]));
        worst.add(f * v);
      }
    }
  }
  return worst.value();
}

}  // namespace

TEST_CASE("Q04: exact dissipation of the forced oscillator in cycle 50") {
  struct Case {
    double amplitude, frequency, dissipation;
  };
  for (const Case& c : {Case{1.5, 0.5, 7.189246250722482}, Case{2, 2, 1.763834207376394}, Case{10, 0.5, 160.0 / 3}}) {
    ForcedOscillatorParameters p;
    p.amplitude = c.amplitude;
    p.frequency = c.frequency;
    const AxialSystem system = forced_oscillator(p);
    const Run run = exact(system, at_rest(1), 50 * system.period(), 0.1);
    REQUIRE(run.cycle_dissipation.size() == 50);
    CHECK(std::abs(run.cycle_dissipation.back() / c.dissipation - 1) < 1e-12);
    CHECK(std::abs(run.energy.residual()) < 1e-11);
    CHECK(worst_violation(system, run) < 1e-12);
  }
}

TEST_CASE("Q04 Fig. 9: exact dissipation of the chain") {
  const AxialSystem system = chain({});
  const Run run = exact(system, at_rest(32), 4 * system.period(), 0.2);
  const double expected[] = {0.00844878373774, 0.01049622497363, 0.01049461089565, 0.01049496000252};
  REQUIRE(run.cycle_dissipation.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) CHECK(std::abs(run.cycle_dissipation[k] - expected[k]) < 1e-13);
  CHECK(worst_violation(system, run) < 1e-13);
  CHECK(std::abs(run.energy.residual()) < 1e-13);
  // Only the first eight blocks ever slip.
  for (const FrictionEvent& e : run.events) CHECK(e.contact < 8);
}

TEST_CASE("Q04 Fig. 11: exact motion of the two blocks, with the degenerate start") {
  TwoBlocksParameters p;
  const Run run = exact(two_blocks(p), at_rest(2), 20, 5);
  const Table::Rows rows = run.table.rows();
  CHECK(std::abs(rows[1][1] - 0.098472144104) < 2e-12);
  CHECK(std::abs(rows[1][2] + 0.247442722846) < 2e-12);
  CHECK(std::abs(run.end.q[0] + 0.719899005380) < 2e-12);
  CHECK(std::abs(run.end.q[1] + 0.101212907737) < 2e-12);
  // At the start the upper contact is at its limit, with first derivative zero: the second decides, and is counted.
  CHECK(run.report.degenerate >= 1);  // the slip on the belt has a triple root at π, which may be counted, too
  CHECK(run.report.deepest_derivative == 2);
  REQUIRE(run.events.size() == static_cast<std::size_t>(run.report.events));
  CHECK(run.events[0].t == 0);
  CHECK(run.events[0].contact == 1);
  CHECK(run.events[0].kind == FrictionEventKind::release);
  CHECK(run.events[0].derivative == 2);
  // One contact's stop releases the other: counted as a tie.
  CHECK(run.report.ties == 4);

  p.friction_limits = Vec2(1, 0.25);
  const Run stacked = exact(two_blocks(p), at_rest(2), 20, 5);
  CHECK(std::abs(stacked.table.rows()[1][1] - 0.431805477437) < 2e-12);
  CHECK(std::abs(stacked.table.rows()[1][2] + 0.247442722846) < 2e-12);
  CHECK(std::abs(stacked.end.q[0] + 0.707509261873) < 2e-12);
  CHECK(std::abs(stacked.end.q[1] - 0.038214793714) < 2e-12);
  CHECK(stacked.report.degenerate == 0);
}

TEST_CASE("unforced oscillator: half swings shrink by twice the limit over the stiffness; until it sticks") {
  ForcedOscillatorParameters p;
  p.mass = 2;
  p.stiffness = 3;
  p.friction_limit = 0.5;
  EventDriven by_events;
  RunOptions o;
  o.duration = 1000;
  o.until_stick = true;
  const double swing = 2 * p.friction_limit / p.stiffness, start = 1.4, half = kPi * std::sqrt(p.mass / p.stiffness);
  const Run run = simulate(forced_oscillator(p), at_rest(1, start), by_events, o);
  // 1.4 → -1.0667 → 0.7333 → -0.4 → 0.0667, where the spring is too weak.
  CHECK(run.end.q[0] == near(start - 4 * swing, 1e-13));
  CHECK(run.stop_time.value() == near(4 * half, 1e-14));
  CHECK(run.report.stop_reason == "every contact sticks");
  CHECK(run.energy.dissipated == near(p.stiffness / 2 * (start * start - run.end.q[0] * run.end.q[0]), 1e-13));
  CHECK(run.report.events == 5);  // release, three reversals, stop
  // Damped: the same without friction in closed form.
  p.friction_limit = 0;
  p.damping = 0.3;
  const Run damped = exact(forced_oscillator(p), at_rest(1, 1), 7);
  const double d = p.damping / (2 * p.mass), w = std::sqrt(p.stiffness / p.mass - d * d);
  CHECK(damped.end.q[0] == near(std::exp(-7 * d) * (std::cos(7 * w) + d / w * std::sin(7 * w)), 1e-12));
}

TEST_CASE("an end on the limit: the last swing ends with the spring exactly at the friction limit") {
  // Swings of 3 → -1, where the spring's force is the limit: sticks there for good.
  const Run run = exact(forced_oscillator({}), at_rest(1, 3), 10);
  CHECK(std::abs(run.end.q[0] + 1) < 1e-14);
  CHECK(run.end.u[0] == 0);
  // Forced exactly up to the limit: the force touches it and nothing moves.
  ForcedOscillatorParameters p;
  p.amplitude = 1;
  p.frequency = 0.7;
  const Run held = exact(forced_oscillator(p), at_rest(1), 100);
  CHECK(held.end.q[0] == 0);
  CHECK(held.energy.dissipated == 0);
  CHECK(held.report.finished());
  CHECK(held.report.events > 10);
  for (const FrictionEvent& e : held.events) CHECK(e.kind == FrictionEventKind::graze);
}

TEST_CASE("R.9: stick-slip of a pulled block has the period of the closed form") {
  Random random(5);
  for (int k = 0; k < 50; ++k) {
    SpringSliderParameters p;
    p.mass = random.log_uniform(0.1, 10);
    p.stiffness = random.log_uniform(0.1, 10);
    p.friction_limit = random.uniform(0.1, 2);
    p.static_limit = p.friction_limit * random.uniform(1.05, 2);
    p.speed = random.log_uniform(0.05, 1);
    const StickSlipPeriod period = stick_slip_period(p);
    const Run run = exact(spring_slider(p), at_rest(1),
                          p.static_limit / (p.stiffness * p.speed) + 5 * (period.stick + period.slip));
    REQUIRE(run.events.size() >= 9);
    for (std::size_t e = 0; e + 2 < run.events.size(); e += 2) {
      const double slip = run.events[e + 1].t - run.events[e].t, stick = run.events[e + 2].t - run.events[e + 1].t;
      CHECK(std::abs(slip / period.slip - 1) < 1e-10);
      CHECK(std::abs(stick / period.stick - 1) < 1e-10);
    }
  }
  // With one limit there is no stick-slip: after the first release it slides for good.
  SpringSliderParameters p;
  const Run steady = exact(spring_slider(p), at_rest(1), 100);
  CHECK_FALSE(steady.stop_time.has_value());
  CHECK_THROWS_AS(stick_slip_period(p), InvalidInput);
}

TEST_CASE("copies of a system keep the same motion: every event is a tie") {
  ForcedOscillatorParameters p;
  p.amplitude = 1.5;
  p.frequency = 0.5;
  const Run one = exact(forced_oscillator(p), at_rest(1), 60);
  AxialSystemParameters s;
  s.mass = VectorX::Ones(3);
  s.stiffness = CompactMatrix::tridiagonal(VectorX::Zero(3), VectorX::Ones(3), VectorX::Zero(3));
  s.limits = VectorX::Ones(3);
  for (Eigen::Index i = 0; i < 3; ++i) s.forces.push_back({i, {0, 0, 1.5, 0.5, 0}});
  const Run three = exact(AxialSystem(s), at_rest(3), 60);
  for (Eigen::Index i = 0; i < 3; ++i) CHECK(three.end.q[i] == near(one.end.q[0], 1e-13));
  CHECK(three.report.events == 3 * one.report.events);
  CHECK(three.report.ties == three.report.events);
}

TEST_CASE("the general event-driven integrator finds the same motion of a mass on a belt") {
  MassOnBeltParameters p;
  p.stiffness = 2 * Mat2::Identity();
  p.damping = 0.05 * Mat2::Identity();
  p.belt_velocity = {0.4, 0};
  const MassOnBelt belt(isotropic(0.8), p);
  EventDriven by_events;
  RunOptions o;
  o.duration = 12;
  const Run general = simulate(belt, {0, Vec2(-1, 0), Vec2(0, 0)}, by_events, o);
  AxialSystemParameters s;
  s.mass = VectorX::Ones(1);
  s.stiffness = CompactMatrix::tridiagonal(VectorX::Zero(1), VectorX::Constant(1, 2), VectorX::Zero(1));
  s.damping = CompactMatrix::tridiagonal(VectorX::Zero(1), VectorX::Constant(1, 0.05), VectorX::Zero(1));
  s.limits = VectorX::Constant(1, 0.8);
  s.surfaces = {{0, {0, 0.4, 0, 0, 0}}};
  const Run line = exact(AxialSystem(s), at_rest(1, -1), 12);
  // Measured: 2e-8, of the general one's slip threshold.
  CHECK(std::abs(line.end.q[0] - general.end.q[0]) < 1e-7);
  CHECK(std::abs(line.energy.dissipated - general.energy.dissipated) < 1e-7);
  CHECK(std::abs(line.energy.input - general.energy.input) < 1e-7);
}

TEST_CASE("random systems: friction's laws at every row, balanced energy, and Moreau's steps tend to it") {
  Random random(21);
  double coarse = 0, fine = 0;
  Worst worst, residual;
  const int systems = std::min(60, test::sample_count() / 30);
  for (int k = 0; k < systems; ++k) {
    const Eigen::Index n = random.integer(1, 4), m = random.integer(1, static_cast<int>(n));
    AxialSystemParameters s;
    const auto any = [&](Eigen::Index rows, Eigen::Index columns) {
      MatrixX a(rows, columns);
      for (double& x : a.reshaped()) x = random.uniform(-1, 1);
      return a;
    };
    const MatrixX a = any(n, n), b = any(n, n), w = any(n, m) + 1.5 * MatrixX::Identity(n, m);
    s.full_mass = MatrixX::Identity(n, n) + 0.3 * b * b.transpose();
    s.stiffness = CompactMatrix(SparseMatrix((MatrixX::Identity(n, n) + a * a.transpose()).sparseView()));
    if (random.coin()) s.damping = CompactMatrix(SparseMatrix((0.1 * b * b.transpose()).sparseView()));
    s.directions = w.sparseView();
    s.limits = VectorX::Zero(m);
    for (double& limit : s.limits) limit = random.uniform(0.05, 1);
    s.forces = {{0, {0, 0, random.uniform(0, 3), random.uniform(0.3, 2), random.uniform(0, 6)}}};
    if (random.coin()) s.surfaces = {{m - 1, {0, random.uniform(-0.3, 0.3), random.uniform(0, 1), 0.7, 0}}};
    const AxialSystem system(s);
    State start{0, any(n, 1), any(n, 1)};
    if (random.coin()) start.u.setZero();
    const Run run = exact(system, start, 6, 0.05);
    CHECK(run.report.finished());
    worst.add(worst_violation(system, run));
    residual.add(std::abs(run.energy.residual()));
    for (const double step : {4e-3, 1e-3}) {
      const Run stepped = simulate(system, start, Moreau{.step = step}, {.duration = 6, .every = 1000000});
      const double error = (stepped.end.q - run.end.q).norm();
      (step > 2e-3 ? coarse : fine) += error / systems;
    }
  }
  test::show_worst("exact motion", "friction's laws", worst.value());
  test::show_worst("exact motion", "energy", residual.value());
  test::show_worst("moreau's mean error", "step 1e-3", fine);
  CHECK(worst.value() < 1e-11);
  CHECK(residual.value() < 1e-11);
  CHECK(fine < 2e-3);
  CHECK(fine < 0.4 * coarse);
}

TEST_CASE("contacts that depend on each other are refused, too many events end the run") {
  AxialSystemParameters s;
  s.mass = VectorX::Ones(1);
  s.limits = Vec2(1, 1);
  s.directions = MatrixX::Ones(1, 2).sparseView();
  CHECK_THROWS_AS(exact(AxialSystem(s), at_rest(1), 1), InvalidInput);
  ForcedOscillatorParameters p;
  p.amplitude = 1.5;
  EventDriven by_events;
  RunOptions o;
  o.duration = 1000;
  by_events.max_events = 10;
  const Run run = simulate(forced_oscillator(p), at_rest(1), by_events, o);
  CHECK_FALSE(run.report.finished());
  CHECK(run.report.stop_reason.find("more than 10 events") != std::string::npos);
  o.duration = 0;
  CHECK_THROWS_AS(simulate(forced_oscillator(p), at_rest(1), by_events, o), InvalidInput);
}
