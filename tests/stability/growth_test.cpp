// The linearisation against nonlinear simulation, for every model; a motion that is known exactly, for every law and
// integrator; scans of the 2-dof LuGre model.
#include <doctest/doctest.h>

#include <Eigen/QR>

#include "slipset/motion/integrators/integrator.hpp"
#include "tests/stability/models.hpp"
#include "tests/support/near.hpp"
#include "tests/support/ordinary_runs.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// The amplitude of a mode in a disturbance x = Re(c x̂), by least squares.
double amplitude(const Mode& mode, const VectorX& x) {
  Eigen::MatrixX2d parts(x.size(), 2);
  parts << mode.state.real(), -mode.state.imag();
  if (mode.value.imag() == 0) return x.dot(parts.col(0)) / parts.col(0).squaredNorm();
  return Vec2(parts.colPivHouseholderQr().solve(x)).norm();
}

// The growth rate of the leading mode, measured in a nonlinear simulation from a disturbance of 1e-5 of the state's
// size along it: event-driven, or with bristles by CVODE. Relative to that of the linearisation.
double measured_over_linear(const System& system, const std::optional<LuGre>& lugre, double time) {
  LinearizeOptions options;
  options.lugre = lugre;
  const LinearSliding s = linearize_sliding(system, options);
  REQUIRE(s.report.converged);
  const Mode mode = modes_of(s).front();
  REQUIRE(mode.grows());
  const Eigen::Index n = system.dofs();
  const double size = 1e-5 * std::exp(-mode.growth_rate() * time) * std::max(s.position.norm(), 1.0);
  const VectorX start = size * mode.state.real();
  const State rest{0, s.position, VectorX::Zero(n)};
  const State from{0, s.position + start.head(n), start.segment(n, n)};
  VectorX end(start.size());
  if (!lugre) {
    EventDriven by_events;
    RunOptions events;
    events.duration = time;
    by_events.row_step = time;
    const Run run = simulate(system, from, by_events, events);
    CHECK(run.stick_time == 0);
    end << run.end.q - s.position, run.end.u;
  } else {
    OrdinaryRun ode;
    ode.method = AdaptiveMethod::bdf;
    ode.duration = time;
    ode.step = time / 100;
    ode.every = 100;
    ode.relative_tolerance = 1e-12;
    ode.absolute_tolerance = 1e-14;
    const std::vector<Vec2> steady = steady_deflections(system, *lugre, rest);
    ode.states = steady;
    Eigen::Index k = 2 * n;
    for (const BristleBlock& b : s.bristles)
      for (const Eigen::Index axis : b.axes) ode.states[b.contact][axis] += start[k++];
    const Run run = simulate_lugre(system, *lugre, from, ode);
    REQUIRE(run.report.finished());
    end.head(2 * n) << run.end.q - s.position, run.end.u;
    const std::size_t first = run.table.names().size() - 2 * steady.size();
    k = 2 * n;
    for (const BristleBlock& b : s.bristles)
      for (const Eigen::Index axis : b.axes)
        end[k++] =
            run.table.rows().back()[first + 2 * b.contact + static_cast<std::size_t>(axis)] - steady[b.contact][axis];
  }
  const double growth = std::log(amplitude(mode, end) / amplitude(mode, start)) / time;
  return growth / mode.growth_rate();
}

// Two masses in the plane, coupled by springs, each on a belt of its own.
LinearSystem two_contacts() {
  LinearContact a{falling(0.6, 0.4, 2), Eigen::MatrixX2d::Zero(4, 2), Vec2(1.5, 0.4), 3, {}, 0, 0},
      b{FrictionLaw(Ellipse(0.5, 0.3, 0.4), Ellipse(2, 1)).with_stribeck({1.4, 2}),
        Eigen::MatrixX2d::Zero(4, 2),
        Vec2(0.3, -1.8),
        2,
        {},
        0,
        0};
  a.tangents.topRows<2>() = Mat2::Identity();
  b.tangents.bottomRows<2>() = Mat2::Identity();
  MatrixX stiffness = 5 * MatrixX::Identity(4, 4), mass = MatrixX::Identity(4, 4);
  stiffness.topRightCorner(2, 2) = stiffness.bottomLeftCorner(2, 2) = -1.5 * Mat2::Identity();
  mass(2, 2) = mass(3, 3) = 2;
  return {mass, 0.02 * MatrixX::Identity(4, 4), stiffness, VectorX::Zero(4), {a, b}};
}

}  // namespace

// Worst measured: 1.9e-5, mass on belt with two ellipses.
TEST_CASE("growth rates of the linearisation are those of nonlinear simulation, to 1e-4, for each model") {
  BlockOnBeltParameters block;
  block.belt_speed = 5;
  const BlockOnBelt single(shared(falling(6, 4, 5)), block);
  ModeCouplingParameters p;
  p.belt_speed = 4;
  p.c1 = p.c2 = 0.1;
  const ModeCoupling coulomb(shared(isotropic(0.6)), p), pair(shared(falling(0.6, 0.4, 5)), p);
  const MassOnBelt plane = belt(50), smooth = [] {
    MassOnBeltParameters q;
    q.belt_velocity = 2 * unit_at_degrees(60);
    q.normal_force = 0.5;
    return MassOnBelt(FrictionLaw(Superellipse(3, 1, 3, radians(30)), Ellipse(3, 1)), q);
  }();
  const LinearSystem two = two_contacts();
  const auto check = [](const char* name, double ratio) {
    show_worst("growth rate", name, std::abs(ratio - 1));
    CAPTURE(name);
    CHECK(std::abs(ratio - 1) < 1e-4);
  };
  check("block on belt, Stribeck", measured_over_linear(single, std::nullopt, 20));
  check("block on belt, LuGre", measured_over_linear(single, LuGre{10, 0.01, 0.02}, 20));
  check("mode coupling, Coulomb", measured_over_linear(coulomb, std::nullopt, 10));
  check("mode coupling, Coulomb with bristles", measured_over_linear(coulomb, LuGre{100, 0, 0}, 10));
  check("mode coupling, Stribeck", measured_over_linear(pair, std::nullopt, 20));
  check("mode coupling, LuGre", measured_over_linear(pair, LuGre{1, 0.02, 0.01}, 20));
  check("mass on belt, two ellipses", measured_over_linear(plane, std::nullopt, 8));
  check("mass on belt, LuGre", measured_over_linear(plane, LuGre{2000, 0, 0.001}, 8));
  check("mass on belt, superellipse", measured_over_linear(smooth, std::nullopt, 10));
  check("two contacts", measured_over_linear(two, std::nullopt, 15));
  check("two contacts, LuGre", measured_over_linear(two, LuGre{50, 0.01, 0}, 15));
}

// q = q_eq + a e_χ cos ωt: slip keeps its direction, so friction stays what it is, for every pair of sets.
TEST_CASE("the exact motion along the belt, for each law and each integrator") {
  Random random(811);
  Worst worst_events, worst_states;
  for (int k = 0; k < 20; ++k) {
    const FrictionLaw law = random_law(random);
    MassOnBeltParameters p;
    p.mass = random.log_uniform(0.5, 2);
    const double stiffness = random.log_uniform(0.5, 2), v = random.uniform(1, 2),
                 omega = std::sqrt(stiffness / p.mass);
    p.stiffness = stiffness * Mat2::Identity();
    p.normal_force = 0.3;
    const Vec2 along = unit(random.uniform(0, 7));
    p.belt_velocity = v * along;
    if (!slip_jacobian(law, -p.belt_velocity)) continue;  // a corner, where any disturbance decides
    const double a = 0.7 * v / omega, time = 1.5 * 2 * kPi / omega;
    CAPTURE(law.reservoir().description());
    CAPTURE(law.direction().description());
    const MassOnBelt system(law, p);
    const VectorX centre = *system.equilibrium();
    const State start{0, centre + a * along, Vec2(0, 0)};
    const auto error = [&](const State& end) {
      const double phase = omega * end.t;
      return (end.q - centre - a * std::cos(phase) * along).norm() +
             (end.u + a * omega * std::sin(phase) * along).norm() / omega;
    };
    EventDriven by_events;
    RunOptions events;
    events.duration = time;
    worst_events.add(error(simulate(system, start, by_events, events).end));

    const auto moreau = [&](int steps) {
      Moreau by_moreau;
      RunOptions options;
      by_moreau.step = time / steps;
      options.duration = time;
      return error(simulate(system, start, by_moreau, options).end);
    };
    const double coarse = moreau(500), fine = moreau(1000);
    CHECK(fine < 1e-3);
    CHECK(std::log2(coarse / fine) == near(2, 0.1));  // no transition: the midpoint rule's order

    OrdinaryRun ode;
    ode.step = time / 2000;
    ode.duration = time;
    ode.every = 2000;
    CHECK(error(simulate_regularized(system, {Regularization::quinn, 1e-4 * v}, start, ode).end) < 1e-7);
    ode.method = AdaptiveMethod::bdf;
    ode.step = time / 50;
    ode.every = 50;
    ode.relative_tolerance = 1e-11;
    ode.absolute_tolerance = 1e-13;
    const LuGre lugre{20, 0.01, 0};
    ode.states = steady_deflections(system, lugre, start);
    worst_states.add(error(simulate_lugre(system, lugre, start, ode).end));
    const MassOnBelt elastic(law.with_elastic(Adhesion(20, 20)), p);
    ode.states = {p.normal_force * slip_resistance(law, -p.belt_velocity) * (1 - 1e-15)};
    const Run run = simulate_elastic(elastic, start, ode);
    if (!run.report.finished()) continue;  // where the force jumps
    worst_states.add(error(run.end));
  }
  show_worst("exact motion", "event-driven", worst_events.value());
  show_worst("exact motion", "LuGre and elastic, bdf", worst_states.value());
  CHECK(worst_events.value() < 1e-7);
  CHECK(worst_states.value() < 1e-7);
}

TEST_CASE("a scan of the 2-dof LuGre model has the same bits on 1, 2 and 3 threads, and the values of modes_of") {
  const auto law = shared(falling(0.6, 0.4, 5));
  const auto at = [&](double speed) {
    if (speed > 3 && speed < 3.01) throw InvalidInput("a hole");
    ModeCouplingParameters p;
    p.belt_speed = speed;
    p.c1 = p.c2 = 0.1;
    LinearizeOptions options;
    options.lugre = LuGre{1, 0, 0};
    options.with_terms = false;
    return linearize_sliding(ModeCoupling(law, p), options);
  };
  ScanOptions options;
  options.from = 0.5;
  options.to = 10;
  options.count = 4500;  // more than two chunks
  options.threads = 1;
  const StabilityScan one = scan_stability(at, options);
  REQUIRE(one.critical.size() == 1);
  CHECK(one.critical[0].value == near(5.734074, 1e-7));
  CHECK(one.why == std::vector<std::string>{"a hole"});
  for (const int threads : {2, 3}) {
    options.threads = threads;
    const StabilityScan other = scan_stability(at, options);
    bool same = other.stable == one.stable && other.answered == one.answered;
    for (Eigen::Index i = 0; i < one.values.rows(); ++i)
      if (one.answered[static_cast<std::size_t>(i)]) same = same && one.values.row(i) == other.values.row(i);
    CHECK(same);
    CHECK(other.critical[0].value == one.critical[0].value);
  }
  for (const Eigen::Index i : {0, 700, 2047, 2048, 4499}) {
    const std::vector<Mode> modes = modes_of(at(one.parameter[static_cast<std::size_t>(i)]));
    for (const Mode& m : modes) CHECK((one.values.row(i).array() == m.value).any());
  }
  for (Eigen::Index i = 1; i < 4500; ++i)  // no jumps: followed, also across the hole and from chunk to chunk
    if (one.answered[static_cast<std::size_t>(i)] && one.answered[static_cast<std::size_t>(i - 1)])
      REQUIRE((one.values.row(i) - one.values.row(i - 1)).norm() < 0.05);
}
