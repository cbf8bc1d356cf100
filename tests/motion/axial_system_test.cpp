// The numbers of Quinn 2004 and of the regularised laws, by fixed and adaptive steps.
#include <doctest/doctest.h>
#include <malloc.h>

#include "slipset/core/angle.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/motion/integrators/internal/axial_rate.hpp"
#include "slipset/systems/chain.hpp"
#include "slipset/systems/forced_oscillator.hpp"
#include "slipset/systems/two_blocks.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::internal;
using namespace slipset::test;
using test::Random;

namespace {

State at_rest(Eigen::Index n, double first = 0) {
  State s{0, VectorX::Zero(n), VectorX::Zero(n)};
  s.q[0] = first;
  return s;
}

// Steps of one length.
struct Steps {
  double duration, step;
  int every = 1000000;
  bool freeze = false;
};

Run rk4(const AxialSystem& system, const RegularizedCoulomb& law, const State& start, const Steps& steps) {
  return simulate(system, start, RungeKutta4{.step = steps.step, .friction = {law, {.freeze_band = steps.freeze}}},
                  {.duration = steps.duration, .every = steps.every});
}

Run moreau(const AxialSystem& system, const State& start, const Steps& steps) {
  return simulate(system, start, Moreau{.step = steps.step}, {.duration = steps.duration, .every = steps.every});
}

Run adaptive(const AxialSystem& system, const State& start, const Steps& rows, AdaptiveMethod method,
             double relative = 1e-8, double absolute = 1e-10) {
  return simulate(system, start,
                  Adaptive{.method = method,
                           .row_step = rows.step,
                           .relative_tolerance = relative,
                           .absolute_tolerance = absolute,
                           .friction = RegularizedCoulomb(Regularization::quinn, 0.02)},
                  {.duration = rows.duration, .every = rows.every});
}

Run exact_motion(const AxialSystem& system, const State& start, double duration) {
  return simulate(system, start, EventDriven{}, {.duration = duration});
}

const double kStep = 0.01, kEpsilon = 2 * kStep;

}  // namespace

TEST_CASE("Q04 3.1.1: the unforced oscillator with RK4, to the digits of the references") {
  const AxialSystem oscillator = forced_oscillator({});
  const auto run = [&](const RegularizedCoulomb& law, bool freeze = false) {
    return rk4(oscillator, law, at_rest(1, 2.75), {50, kStep, 1000, freeze});
  };
  const auto x = [](const Run& r, std::size_t row) { return r.table.rows()[row][1]; };
  CHECK(std::abs(run({Regularization::quinn, kEpsilon}).end.q[0] + 0.7503523915884) < 1e-12);
  CHECK(std::abs(run({Regularization::quinn, kEpsilon, RampWidth::half}).end.q[0] + 0.7500899237341) < 1e-12);
  const Run sign = run(RegularizedCoulomb::sign()), ramp = run({Regularization::martins_oden, kEpsilon});
  CHECK(std::abs(x(sign, 1) + 0.72784906) < 5e-9);
  CHECK(std::abs(x(sign, 2) + 0.70170544) < 5e-9);
  CHECK(std::abs(x(sign, 5) + 0.62872355) < 5e-9);
  CHECK(std::abs(x(ramp, 1) + 0.65417908) < 5e-9);
  CHECK(std::abs(x(ramp, 2) + 0.53555365) < 5e-9);
  CHECK(std::abs(x(ramp, 5) + 0.29384748) < 5e-9);
  // Karnopp's force law drifts; with the band frozen it stays where it stopped.
  const Run drifts = run({Regularization::karnopp, kEpsilon}), frozen = run({Regularization::karnopp, kEpsilon}, true);
  CHECK(std::abs(x(drifts, 1) - x(drifts, 2)) > 0.01);
  CHECK(x(frozen, 1) == x(frozen, 5));
  CHECK(std::abs(x(frozen, 5) + 0.75) < 2e-4);
  CHECK_THROWS_AS(run({Regularization::quinn, kEpsilon}, true), InvalidInput);
}

// The ramp's own end point, from x0 on its edge, against the exact one: e = c ε²(x0 - μN)/(μN)², c = -1/2 for Eq. 4 and
// -1/8 for the half width, not -1/4 as printed.
TEST_CASE("Q04 6: the error of the regularisation") {
  const AxialSystem oscillator = forced_oscillator({});
  for (const double epsilon : {0.04, 0.02, 0.01})
    for (const RampWidth width : {RampWidth::full, RampWidth::half}) {
      const double w = width == RampWidth::full ? epsilon : epsilon / 2, x0 = 0.2;
      State start = at_rest(1, x0);
      start.u[0] = w * (x0 - 1);  // the edge of the ramp
      const double ended = rk4(oscillator, {Regularization::quinn, epsilon, width}, start, {40 * w, w / 50}).end.q[0];
      const Run exact = simulate(oscillator, start, EventDriven{}, {.duration = 1, .until_stick = true});
      const double error = exact.end.q[0] - ended;
      const double expected = (width == RampWidth::full ? 1.0 / 2 : 1.0 / 8) * -epsilon * epsilon * (x0 - 1);
      CHECK(error == near(expected, 2e-3));
    }
}

TEST_CASE("Q04 Fig. 7a: with sticking the error in the dissipation falls with the step to 2, 1 and 1") {
  ForcedOscillatorParameters p;
  p.amplitude = 1.5;
  p.frequency = 0.5;
  const AxialSystem system = forced_oscillator(p);
  const double exact = 7.189246250722482;
  const auto error = [&](Regularization kind, double step) {
    step = step_in_period(system.period(), step);
    const Run run = rk4(system, {kind, 2 * step}, at_rest(1), {50 * system.period(), step, 1 << 30});
    REQUIRE(run.cycle_dissipation.size() == 50);
    return std::abs(run.cycle_dissipation.back() / exact - 1);
  };
  const auto order = [&](Regularization kind, double from, double to) {
    return std::log(error(kind, from) / error(kind, to)) / std::log(from / to);
  };
  CHECK(std::abs(order(Regularization::quinn, 1e-2, 1e-3) - 2) < 0.1);
  CHECK(std::abs(order(Regularization::martins_oden, 1e-2, 1e-3) - 1) < 0.1);
  // The sign law's error jumps from step to step: its order is that of the mean over many steps.
  double coarse = 0, fine = 0;
  for (int k = 0; k < 12; ++k) {
    coarse += error(Regularization::sign, 1e-2 * (1 + 0.03 * k));
    fine += error(Regularization::sign, 1e-3 * (1 + 0.03 * k));
  }
  CHECK(std::abs(std::log10(coarse / fine) - 1) < 0.25);
}

TEST_CASE("Q04 Fig. 9: dissipation of the chain with quinn, steps that divide the period") {
  const AxialSystem system = chain({});
  const double expected[] = {0.01052358, 0.01049514};
  for (const int k : {0, 1}) {
    const double step = step_in_period(system.period(), k == 0 ? 1e-2 : 1e-3);
    const Run run = rk4(system, {Regularization::quinn, 10 * 0.5 * step}, at_rest(32), {4 * system.period(), step});
    REQUIRE(run.cycle_dissipation.size() == 4);
    CHECK(std::abs(run.cycle_dissipation[3] - expected[k]) < 5.1e-9);
    CHECK(std::abs(run.energy.residual()) < 1e-6);
  }
}

TEST_CASE("R.6: the fixed point solves both relations, is continuous, and the partition jumps") {
  TwoBlocksParameters p;
  const AxialSystem system = two_blocks(p);
  const RegularizedCoulomb law(Regularization::quinn, 0.01);
  long not_converged = 0;
  const auto forces = [&](const Vec2& x, const Vec2& slip, BalanceRule rule) {
    const auto rate = make_axial_rate(system, law, {.rule = rule});
    const double belt = 0.5;  // u̇ at t = 0
    VectorX y = VectorX::Zero(6), dy(6);
    y << x, belt + slip[0], belt + slip[0] + slip[1], 0, 0;
    (*rate)(0, y.data(), dy.data());
    not_converged += rate->not_converged();
    return Vec2(rate->friction());
  };
  Random random(3);
  Worst worst, jump, partition_jump;
  for (int k = 0; k < test::sample_count(); ++k) {
    const Vec2 x(random.uniform(-1, 1), random.uniform(-1, 1));
    const Vec2 slip(random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02));
    const Vec2 f = forces(x, slip, BalanceRule::fixed_point);
    // [Q04 Sect. 3.3]: f1_eq = ü + x1 + f2, f2_eq = (f1 + κx2 - x1)/2; ü = 0 at t = 0
    const Vec2 balance(x[0] + f[1], (f[0] + 2 * x[1] - x[0]) / 2);
    for (const int i : {0, 1}) worst.add(std::abs(f[i] - law.force(slip[i], balance[i], p.friction_limits[i])));
    const double d = 1e-7;
    const Vec2 in(0.01 - d, slip[1]), out(0.01 + d, slip[1]);
    jump.add((forces(x, in, BalanceRule::fixed_point) - forces(x, out, BalanceRule::fixed_point)).norm());
    partition_jump.add((forces(x, in, BalanceRule::partition) - forces(x, out, BalanceRule::partition)).norm());
  }
  CHECK(not_converged == 0);
  CHECK(worst.value() < 1e-14);
  CHECK(jump.value() < 1e-4);
  CHECK(partition_jump.value() > 0.1);
  // Deep in the band both rules are the linear system R b = -a.
  const Vec2 x(0.02, -0.01);
  CHECK((forces(x, Vec2(0, 0), BalanceRule::fixed_point) - forces(x, Vec2(0, 0), BalanceRule::partition)).norm() <
        1e-14);
}

TEST_CASE("a full mass matrix, and contacts given as directions, are the same system") {
  const AxialSystem direct = chain({6, 1, 0.25, 0.5, true});
  AxialSystemParameters s;
  s.full_mass = MatrixX::Identity(6, 6) / 6;
  s.stiffness = CompactMatrix(direct.stiffness().to_sparse());
  s.limits = direct.limits();
  s.forces = direct.forces();
  const AxialSystem full(s);
  CHECK_FALSE(full.is_direct());
  const Steps o{20, 0.01};
  for (const Regularization kind : {Regularization::quinn, Regularization::martins_oden, Regularization::karnopp}) {
    const Run a = rk4(direct, {kind, 0.02}, at_rest(6, 0.1), o), b = rk4(full, {kind, 0.02}, at_rest(6, 0.1), o);
    CHECK((a.end.q - b.end.q).norm() < 1e-11);
    CHECK(a.energy.dissipated == near(b.energy.dissipated, 1e-9));
  }
  const Run a = exact_motion(direct, at_rest(6, 0.1), 20), b = exact_motion(full, at_rest(6, 0.1), 20);
  CHECK((a.end.q - b.end.q).norm() < 1e-12);
  CHECK(a.report.events == b.report.events);
}

TEST_CASE("adaptive integrators agree with small fixed steps, and say what they did") {
  const AxialSystem system = two_blocks({});
  const RegularizedCoulomb law(Regularization::quinn, 0.02);
  const Run fine = rk4(system, law, at_rest(2), {5, 1e-3});
  for (const AdaptiveMethod method :
       {AdaptiveMethod::bdf, AdaptiveMethod::adams, AdaptiveMethod::erk, AdaptiveMethod::dirk}) {
    const Run run = adaptive(system, at_rest(2), {5, 0.1}, method, 1e-10, 1e-12);
    CHECK_MESSAGE((run.end.q - fine.end.q).norm() < 2e-7, run.report.integrator);
    CHECK(run.report.finished());
    CHECK(run.report.steps > 50);
    CHECK(run.report.evaluations > run.report.steps);
    CHECK(run.end.t == 5);
    CHECK(std::abs(run.energy.residual()) < 1e-6);
  }
  // More unknowns than a dense matrix is for: GMRES.
  const AxialSystem large = chain({200, 1, 0.25, 0.5, false});
  const Run run = adaptive(large, at_rest(200), {0.5, 0.1}, AdaptiveMethod::bdf),
            fixed = rk4(large, {Regularization::quinn, 0.02}, at_rest(200), {0.5, 1e-3});
  CHECK(run.report.finished());
  CHECK((run.end.q - fixed.end.q).norm() < 1e-6);
}

TEST_CASE("adaptive integrators do not step over slip between distant rows, and end where they cannot go on") {
  ForcedOscillatorParameters p;
  p.amplitude = 1.5;
  p.frequency = 0.5;
  const AxialSystem system = forced_oscillator(p);
  for (const double rows : {5.0, system.period() / 2, system.period()})
    for (const AdaptiveMethod method : {AdaptiveMethod::bdf, AdaptiveMethod::adams}) {
      const Run run = adaptive(system, at_rest(1), {5 * system.period(), rows}, method);
      REQUIRE(run.cycle_dissipation.size() == 5);
      CHECK(std::abs(run.cycle_dissipation.back() / 7.189246250722482 - 1) < 1e-3);
    }
  const Run lost =
      adaptive(system, at_rest(1), {5 * system.period(), system.period()}, AdaptiveMethod::bdf, 1e-20, 1e-20);
  CHECK(lost.report.status == RunStatus::solver_failed);
  CHECK_FALSE(lost.report.finished());
  CHECK(lost.cycle_dissipation.empty());
}

TEST_CASE(
    "fixed steps end with the duration; the frozen band does not slip; energies that do not add up are reported") {
  const AxialSystem system = forced_oscillator({});
  CHECK(rk4(system, {Regularization::quinn, 0.5}, at_rest(1, 2.75), {1, 0.3}).end.t == 1);
  CHECK(moreau(system, at_rest(1, 2.75), {1, 0.3}).end.t == 1);
  const Run run = rk4(system, {Regularization::karnopp, 0.02}, at_rest(1, 2.75), {20, 0.01, 1, true});
  const auto& row = run.table.rows().back();
  CHECK(run.end.u[0] != 0);
  CHECK(row[4] == 0);  // slip_1
  CHECK(run.report.warnings.empty());
  const Run off = rk4(system, RegularizedCoulomb::sign(), at_rest(1, 2.75), {20, 0.3});
  REQUIRE(off.report.warnings.size() == 1);
  CHECK(off.report.warnings[0].find("energies do not add up") != std::string::npos);
}

TEST_CASE("moreau on a line: exact sticking, first order, balanced energy") {
  ForcedOscillatorParameters p;
  p.amplitude = 1.5;
  p.frequency = 0.5;
  const AxialSystem system = forced_oscillator(p);
  const auto error = [&](double step) {
    const Run run = moreau(system, at_rest(1), {4 * system.period(), step_in_period(system.period(), step)});
    return std::abs(run.cycle_dissipation.back() / 7.189246250722482 - 1);
  };
  CHECK(error(1e-2) < 1e-2);
  CHECK(error(1e-3) < 1e-3);
  const Run free = moreau(forced_oscillator({}), at_rest(1, 2.75), {20, 1e-3});
  CHECK(free.end.u[0] == 0);
  CHECK(free.end.q[0] == near(-0.75, 1e-3));
  CHECK(std::abs(free.energy.residual()) < 1e-5);
  // Coupled contacts against the exact motion.
  const VectorX exact = exact_motion(two_blocks({}), at_rest(2), 20).end.q;
  CHECK((moreau(two_blocks({}), at_rest(2), {20, 1e-3}).end.q - exact).norm() < 2e-4);
}

TEST_CASE("a step above its limit is a warning that names it, a motion that explodes ends and says so") {
  const AxialSystem oscillator = forced_oscillator({});
  CHECK(rk4_step_limits(oscillator, {Regularization::quinn, 0.01}).ramp == near(0.02785, 2e-4));
  CHECK(rk4_step_limits(oscillator, {Regularization::quinn, 0.01}).elastic == near(2.828427, 1e-6));
  const Run warned = rk4(oscillator, {Regularization::quinn, 0.001}, at_rest(1, 2.75), {10, 0.01});
  REQUIRE(warned.report.warnings.size() == 1);
  CHECK(warned.report.warnings[0].find("0.002785") != std::string::npos);
  CHECK(rk4(oscillator, {Regularization::quinn, 0.02}, at_rest(1, 2.75), {10, 0.01}).report.warnings.empty());

  const AxialSystem stiff = chain({1000, 1, 0.25, 0.5, false});
  const Run lost = rk4(stiff, {Regularization::quinn, 0.02}, at_rest(1000), {50, 0.01});
  CHECK(lost.report.warnings.size() >= 1);
  CHECK_FALSE(lost.report.finished());
  CHECK(lost.report.stop_reason.find("exceeds the range of floating-point numbers") != std::string::npos);
}

TEST_CASE("input that cannot be is refused") {
  AxialSystemParameters s;
  s.mass = Vec2(1, 1);
  s.limits = Vec2(1, 1);
  CHECK_NOTHROW(AxialSystem{s});
  const auto refused = [&](auto&& change) {
    AxialSystemParameters bad = s;
    change(bad);
    CHECK_THROWS_AS(AxialSystem{bad}, InvalidInput);
  };
  refused([](auto& b) { b.mass[1] = 0; });
  refused([](auto& b) { b.mass[1] = std::nan(""); });
  refused([](auto& b) { b.limits[0] = -1; });
  refused([](auto& b) { b.limits = VectorX::Ones(3); });
  refused([](auto& b) { b.static_limits = Vec2(0.5, 1); });
  refused([](auto& b) { b.forces = {{2, {}}}; });
  refused([](auto& b) { b.full_mass = MatrixX::Identity(2, 2); });
  refused([](auto& b) { b.directions.resize(3, 2); });
  refused([](auto& b) { b.directions.resize(2, 2); });  // directions that are zero
  refused(
      [](auto& b) { b.stiffness = CompactMatrix::tridiagonal(VectorX::Ones(3), VectorX::Ones(3), VectorX::Ones(3)); });
  CHECK_THROWS_AS(chain({1, 1, 0.25, 0.5, false}), InvalidInput);
  const AxialSystem oscillator = forced_oscillator({});
  const RegularizedCoulomb law(Regularization::quinn, 0.02);
  CHECK_THROWS_AS(rk4(oscillator, law, at_rest(2), {1, 0.01}), InvalidInput);
  CHECK_THROWS_AS(rk4(oscillator, law, at_rest(1), {1, 0}), InvalidInput);
  CHECK_THROWS_AS(rk4(oscillator, law, at_rest(1), {-1, 0.01}), InvalidInput);
  ForcedOscillatorParameters p;
  p.static_limit = 1.5;
  CHECK_THROWS_AS(rk4(forced_oscillator(p), law, at_rest(1), {1, 0.01}), InvalidInput);
}

TEST_CASE("chain: a step allocates nothing; at most 200 bytes a block") {
  for (const bool coupled : {false, true}) {
    const AxialSystem system = coupled ? two_blocks({}) : chain({});
    const auto rate = make_axial_rate(system, {Regularization::quinn, 0.02});
    VectorX y = VectorX::Zero(rate->size());
    Rk4 steps(y.size());
    y.swap(steps.step(*rate, 0, 0.01, y));
    const std::size_t before = test::allocations();
    for (int k = 1; k < 100; ++k) y.swap(steps.step(*rate, 0.01 * k, 0.01, y));
    CHECK(test::allocations() == before);
  }
  if (test::allocations() == 0) return;  // a sanitizer's own malloc
  constexpr Eigen::Index n = 10000;
  const auto in_use = [] {
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  };
  const double before = in_use();
  const AxialSystem system = chain({n, 1, 0.25, 0.5, false});
  const auto rate = make_axial_rate(system, {Regularization::quinn, 0.02});
  VectorX y = VectorX::Zero(rate->size());
  Rk4 steps(y.size());
  y.swap(steps.step(*rate, 0, 1e-5, y));
  const double bytes = (in_use() - before) / n;
  test::show_worst("bytes a block", "chain, RK4", bytes);
  CHECK(bytes > 64);
  CHECK(bytes < 200);
}
