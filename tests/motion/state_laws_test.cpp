// Contacts with an internal state in ordinary integrators: LuGre and elastic interfaces, against closed forms, scalar
// models integrated elsewhere, and Moreau's implicit step.
#include <doctest/doctest.h>

#include <boost/numeric/odeint.hpp>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/internal/elastic_rate.hpp"
#include "slipset/motion/integrators/internal/lugre_rate.hpp"
#include "slipset/systems/block_on_belt.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/mode_coupling.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "slipset/systems/snake_robot.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/ordinary_runs.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::internal;
using namespace slipset::test;

namespace {

OrdinaryRun rk4(double step, double duration) {
  OrdinaryRun options;
  options.step = step;
  options.duration = duration;
  options.every = 1000000000;
  return options;
}

OrdinaryRun adaptive(double duration, double tolerance = 1e-10, AdaptiveMethod method = AdaptiveMethod::bdf) {
  OrdinaryRun options = rk4(duration / 50, duration);
  options.method = method;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = tolerance / 10;
  return options;
}

State at_rest(const VectorX& q) { return {0, q, VectorX::Zero(q.size())}; }

LinearSystem mass_in_plane(const FrictionLaw& law, const Mat2& stiffness, const Vec2& force, double normal_force,
                           const Vec2& belt = {0, 0}) {
  LinearContact c{law, Eigen::MatrixX2d::Identity(2, 2), belt, normal_force, {}, 0, 0};
  return {MatrixX::Identity(2, 2), MatrixX::Zero(2, 2), stiffness, force, {c}};
}

double worst_energy(const Run& run) { return std::abs(run.energy.residual()); }

State by_moreau(const System& system, const State& start, double duration, int steps) {
  MoreauStepper stepper(system, start);
  for (int i = 0; i < steps; ++i) stepper.step(duration / steps);
  return stepper.state();
}

double distance(const State& a, const State& b) { return (a.q - b.q).norm() + (a.u - b.u).norm(); }

// m ẍ + c ẋ + k x = -N(σ0 z + σ1 ż + σ2 v), v = ẋ - V, ż = v - σ0|v| z/g(v): written out, by another integrator.
struct ScalarLuGre {
  double k, c, normal, belt, high, low, vs;
  LuGre lugre;

  std::array<double, 3> run(double x, double z, double time) const {
    std::vector<double> y{x, 0, z};
    const auto rhs = [&](const std::vector<double>& s, std::vector<double>& ds, double) {
      const double v = s[1] - belt, g = low + (high - low) * std::exp(-(v / vs) * (v / vs)),
                   rate = v - lugre.sigma0 * std::abs(v) * s[2] / g;
      ds = {s[1], -k * s[0] - c * s[1] - normal * (lugre.sigma0 * s[2] + lugre.sigma1 * rate + lugre.sigma2 * v), rate};
    };
    using namespace boost::numeric::odeint;
    integrate_adaptive(make_controlled<runge_kutta_fehlberg78<std::vector<double>>>(1e-12, 1e-12), rhs, y, 0.0, time,
                       1e-4);
    return {y[0], y[1], y[2]};
  }
};

}  // namespace

TEST_CASE("LuGre: what slides steadily has exactly the law's resistance, whatever the sets") {
  Random random(801);
  for (int k = 0; k < 12; ++k) {
    const FrictionLaw law(random_moderate_set(random, false),
                          Ellipse(random.log_uniform(0.5, 2), 1, random.uniform(0, 3)));
    MassOnBeltParameters p;
    p.damping = 6 * Mat2::Identity();
    p.normal_force = random.log_uniform(0.5, 3);
    p.belt_velocity = random.log_uniform(0.3, 3) * unit(random.uniform(0, 7));
    const LuGre lugre{random.log_uniform(5, 300), random.uniform(0, 0.05), k % 2 == 0 ? 0 : 0.1};
    const MassOnBelt belt(law, p);
    const Run run = simulate_lugre(belt, lugre, at_rest(Vec2(0, 0)), adaptive(1000, 1e-11));
    const Vec2 slip = -p.belt_velocity, expected = slip_resistance(law, slip) + lugre.sigma2 * slip;
    const auto& row = run.table.rows().back();
    const std::size_t force = run.table.column("contact.friction_1"), z = run.table.column("contact.deflection_1");
    REQUIRE(run.report.finished());
    CAPTURE(law.reservoir().description());
    CHECK((-Vec2(row[force], row[force + 1]) / p.normal_force - expected).norm() < 1e-8);
    CHECK((Vec2(row[z], row[z + 1]) - steady_deflection(law, lugre, slip)).norm() < 1e-8 / lugre.sigma0);
    CHECK(row[run.table.column("contact.mode")] == 3);
    if (lugre.sigma2 > 0) continue;
    OrdinaryRun steady = rk4(1e-3, 1);  // started so, nothing moves
    steady.states = steady_deflections(belt, lugre, at_rest(*belt.equilibrium()));
    CHECK((simulate_lugre(belt, lugre, at_rest(*belt.equilibrium()), steady).end.q - *belt.equilibrium()).norm() <
          1e-12);
  }
}

TEST_CASE("LuGre along a principal axis is the scalar model, integrated elsewhere") {
  const LuGre lugre{200, 0.4, 0.05};
  const ScalarLuGre scalar{4, 0.2, 2, 0.5, 0.6, 0.4, 0.3, lugre};
  const auto [x, v, z] = scalar.run(0.3, 0, 6);
  const FrictionLaw law = FrictionLaw(Ellipse(0.4, 0.15), Ellipse(3, 1)).with_stribeck({1.5, 0.3});
  MassOnBeltParameters p;
  p.stiffness = 4 * Mat2::Identity();
  p.damping = 0.2 * Mat2::Identity();
  p.normal_force = 2;
  p.belt_velocity = Vec2(0.5, 0);
  const MassOnBelt plane(law, p);
  const BlockOnBelt line(std::make_shared<PlanarContactLaw>(law), {1, 4, 0.2, 2, 0.5});
  for (const AdaptiveMethod method :
       {AdaptiveMethod::bdf, AdaptiveMethod::adams, AdaptiveMethod::erk, AdaptiveMethod::dirk}) {
    const Run run = simulate_lugre(plane, lugre, at_rest(Vec2(0.3, 0)), adaptive(6, 1e-10, method));
    CAPTURE(run.report.integrator);
    CHECK(std::abs(run.end.q[0] - x) < 1e-7);
    CHECK(std::abs(run.end.u[0] - v) < 1e-7);
    CHECK(run.end.q[1] == 0);
    CHECK(std::abs(run.table.rows().back()[run.table.column("contact.deflection_1")] - z) < 1e-8);
  }
  const Run run = simulate_lugre(line, lugre, at_rest(VectorX::Constant(1, 0.3)), rk4(1e-4, 6));
  CHECK(std::abs(run.end.q[0] - x) < 1e-8);
  CHECK(run.report.warnings.empty());
  const Run rough = simulate_lugre(line, lugre, at_rest(VectorX::Constant(1, 0.3)), rk4(0.2, 0.2));
  REQUIRE(!rough.report.warnings.empty());
  CHECK(rough.report.warnings[0].find("the bristles") != std::string::npos);
  CHECK(!rough.report.trusted());
}

TEST_CASE("LuGre without bristle damping only makes heat, and the energies balance, also under a changing load") {
  Random random(802);
  const auto check = [](const Run& run, double tolerance) {
    REQUIRE(run.report.finished());
    const std::size_t heat = run.table.column("dissipated");
    Worst most;
    for (std::size_t i = 1; i < run.table.rows().size(); ++i) {
      CHECK(run.table.rows()[i][heat] >= run.table.rows()[i - 1][heat] * (1 - 1e-9));
      most.add(run.table.rows()[i][heat - 1]);
    }
    CHECK(worst_energy(run) < tolerance * std::max(most.value(), run.energy.dissipated));
  };
  for (int k = 0; k < 6; ++k) {
    MassOnBeltParameters p;
    p.normal_force = 2;
    p.belt_velocity = random.uniform(0.2, 1) * unit(random.uniform(0, 7));
    const FrictionLaw law(random_moderate_set(random, false), Ellipse(1, random.log_uniform(0.4, 2)));
    OrdinaryRun options = adaptive(10, 1e-9);
    options.every = 1;
    check(
        simulate_lugre(MassOnBelt(law, p), LuGre{random.log_uniform(10, 300), 0, 0}, at_rest(Vec2(0.4, -0.3)), options),
        1e-5);
  }
  ModeCouplingParameters p;  // N = -k2 x2 swings by half of itself; the bristles' energy swings with it
  p.belt_speed = 0.5;
  const ModeCoupling pair(std::make_shared<PlanarContactLaw>(isotropic(0.3)), p);
  VectorX start = *pair.equilibrium();
  start[1] *= 1.5;
  OrdinaryRun options = adaptive(10, 1e-10);
  options.every = 1;
  check(simulate_lugre(pair, LuGre{3, 0, 0}, at_rest(start), options), 1e-6);
}

// Within its bristles a contact is a spring Nσ0 with a small loss: (4/3) N σ0² a³/μ a cycle of amplitude a.
TEST_CASE("LuGre before sliding: the bristles' stiffness, and the area of the hysteresis") {
  const double normal = 3, sigma0 = 50, friction = 0.5, k = 10, a = 0.01 * friction / sigma0;
  const LinearSystem mass = mass_in_plane(isotropic(friction), k * Mat2::Identity(), Vec2(0, 0), normal);
  const double period = 2 * kPi / std::sqrt(k + normal * sigma0);
  OrdinaryRun options = adaptive(period, 1e-12);
  options.absolute_tolerance = 1e-18;
  options.states = {a * unit(0.7)};
  const Run run = simulate_lugre(mass, LuGre{sigma0, 0, 0}, at_rest(a * unit(0.7)), options);
  const double loss = 4.0 / 3 * normal * sigma0 * sigma0 * a * a * a / friction;
  CHECK(run.energy.dissipated == near(loss, 0.02));
  CHECK((run.end.q - a * unit(0.7)).norm() < 0.05 * a);
  CHECK(std::abs(run.energy.potential + run.energy.kinetic - (run.energy.initial - loss)) < 0.02 * loss);
}

TEST_CASE("elastic: within the reservoir a harmonic oscillation; rk4 has order 4") {
  const Adhesion b(50, 20, 0.4);
  const SlidingBody body(isotropic(10).with_elastic(b), 2, 20);
  const State start{0, VectorX::Zero(2), unit(0.4)};
  const double omega = 5, exact = std::sin(omega) / omega;
  double last = 0;
  for (const double step : {0.02, 0.01}) {
    const Run run = simulate_elastic(body, start, rk4(step, 1));
    const double error =
        (run.end.q - exact * unit(0.4)).norm() + (run.end.u - std::cos(omega) * unit(0.4)).norm() / omega;
    if (last > 0) CHECK(std::log2(last / error) == near(4, 0.05));
    last = error;
    CHECK(run.report.switches == 0);
    CHECK(run.stick_time == near(1, 1e-12));
    CHECK(worst_energy(run) < 1e-3);
  }
  CHECK(std::abs(simulate_elastic(body, start, adaptive(1, 1e-11)).end.q.norm() - std::abs(exact)) < 1e-9);
}

TEST_CASE("elastic: spring and slider along a line, in closed form") {
  // Elastic until T = μN, slip down to rest; what is left is the spring's energy, and oscillates for ever.
  const double mass = 2, normal = 20, friction = 0.4, k = 300, u0 = 2, limit = friction * normal;
  const SlidingBody body(isotropic(friction).with_elastic(Adhesion(k, k)), mass, normal);
  const double heat = 0.5 * mass * u0 * u0 - limit * limit / (2 * k), omega = std::sqrt(k / mass);
  const double yield = std::asin(limit / k * omega / u0) / omega,
               stop = yield + u0 * std::cos(omega * yield) * mass / limit;
  const double centre = heat / limit, end = 2.1;
  REQUIRE(stop < end);
  const double exact = centre + limit / k * std::cos(omega * (end - stop));
  for (const OrdinaryRun& options : {adaptive(end, 1e-11), adaptive(end, 1e-11, AdaptiveMethod::erk), rk4(1e-3, end)}) {
    const Run run = simulate_elastic(body, {0, VectorX::Zero(2), u0 * unit(0.9)}, options);
    CAPTURE(run.report.integrator);
    REQUIRE(run.report.finished());
    CHECK(run.energy.dissipated == near(heat, 1e-8));
    CHECK((run.end.q - exact * unit(0.9)).norm() < 1e-7);
    CHECK(worst_energy(run) < 1e-7);
    CHECK(run.stop_time);
  }
}

TEST_CASE("elastic: rk4 with located events has order 4, Moreau's step tends to the same motion with order 1") {
  const Adhesion b(300, 120, 0.5);
  const FrictionLaw law(Ellipse(0.4, 0.2), Ellipse(1.5, 1, 0.3));
  Mat2 springs;
  springs << 40, 5, 5, 60;
  const LinearSystem body = mass_in_plane(law.with_elastic(b), springs, Vec2(1, 0), 8, Vec2(0, 0));
  const State start{0, Vec2(0.5, -0.05), Vec2(0.2, 0.1)};
  const double time = 2;
  const Run reference = simulate_elastic(body, start, adaptive(time, 1e-12));
  REQUIRE(reference.report.finished());
  show_worst("elastic", "switches", static_cast<double>(reference.report.switches));
  CHECK(reference.report.switches >= 6);  // loads, slips, unloads, several times
  CHECK(worst_energy(reference) < 1e-8);
  double last = 0, error = 0;
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    error = distance(simulate_elastic(body, start, rk4(step, time)).end, reference.end);
    show_worst("elastic, rk4", fmt::format("step {}", step), error);
    if (last > 0) CHECK(std::log2(last / error) > 3.5);
    last = error;
  }
  CHECK(error < 1e-7);
  last = 0;
  for (const int steps : {2000, 4000, 8000}) {
    error = distance(by_moreau(body, start, time, steps), reference.end);
    show_worst("elastic, Moreau", fmt::format("{} steps", steps), error);
    if (last > 0) CHECK(std::log2(last / error) == near(1, 0.15));
    last = error;
  }
  CHECK(error < 2e-2);
}

// Along the axes of a rectangle the two directions are two sliders that know nothing of each other.
TEST_CASE("elastic: corners of D. Two sign functions are two scalar models") {
  const Mat2 springs = Vec2(30, 50).asDiagonal();
  const Vec2 start(0.8, -0.5), speed(-1, 1.5);
  const Adhesion b(400, 250);
  const auto along = [&](int axis, double friction) {
    Vec2 q = Vec2::Zero(), u = Vec2::Zero();
    q[axis] = start[axis];
    u[axis] = speed[axis];
    return simulate_elastic(mass_in_plane(isotropic(friction).with_elastic(b), springs, Vec2(0, 0), 10), {0, q, u},
                            adaptive(2, 1e-12))
        .end;
  };
  const State x = along(0, 0.5), y = along(1, 0.3);
  const LinearSystem both = mass_in_plane(two_sign(0.5, 0.3).with_elastic(b), springs, Vec2(0, 0), 10);
  for (const OrdinaryRun& options : {adaptive(2, 1e-11), rk4(2e-4, 2)}) {
    const Run run = simulate_elastic(both, {0, start, speed}, options);
    CAPTURE(run.report.integrator);
    REQUIRE(run.report.finished());
    CHECK(std::abs(run.end.q[0] - x.q[0]) + std::abs(run.end.u[0] - x.u[0]) < 1e-6);
    CHECK(std::abs(run.end.q[1] - y.q[1]) + std::abs(run.end.u[1] - y.u[1]) < 1e-6);
    CHECK(worst_energy(run) < 1e-7);
  }
}

TEST_CASE("elastic: any sets, and a normal force that changes, against Moreau's step") {
  Random random(803);
  int ran = 0;
  for (int k = 0; k < 10; ++k) {
    const PlanarSet set = random_moderate_set(random, true);
    const FrictionLaw law =
        k % 2 == 0 ? FrictionLaw(set, set) : FrictionLaw(random_moderate_set(random, true), Disk(1));
    const double stiffness = random.log_uniform(100, 300);
    const Adhesion b(stiffness, stiffness * random.uniform(0.8, 1.25), random.uniform(0, 3));
    const LinearSystem body = mass_in_plane(law.with_elastic(b), 30 * Mat2::Identity(), Vec2(0, 0), 10);
    const State start{0, Vec2(0.5, -0.3), 2 * unit(random.uniform(0, 7))};
    const Run run = simulate_elastic(body, start, adaptive(1, 1e-10));
    CAPTURE(law.reservoir().description());
    CAPTURE(law.direction().description());
    if (!run.report.finished()) {
      CHECK(run.report.stop_reason.find("jumps") != std::string::npos);
      continue;
    }
    ++ran;
    const double coarse = distance(by_moreau(body, start, 1, 4000), run.end),
                 fine = distance(by_moreau(body, start, 1, 16000), run.end);
    CHECK(fine < 2e-3 + 0.4 * coarse);
    CHECK(fine < 2e-2);
    CHECK(worst_energy(run) < 1e-6);
  }
  CHECK(ran >= 8);
  ModeCouplingParameters p;
  p.belt_speed = 0.3;
  const ModeCoupling pair(std::make_shared<PlanarContactLaw>(isotropic(0.4).with_elastic(Adhesion(30, 30))), p);
  VectorX q = *pair.equilibrium();
  q[1] *= 1.6;
  q[0] += 0.3;
  const Run run = simulate_elastic(pair, at_rest(q), adaptive(4, 1e-11));
  REQUIRE(run.report.finished());
  CHECK(run.report.switches >= 2);
  CHECK(worst_energy(run) < 1e-7);
  const double coarse = distance(by_moreau(pair, at_rest(q), 4, 4000), run.end),
               fine = distance(by_moreau(pair, at_rest(q), 4, 16000), run.end);
  CHECK(std::log2(coarse / fine) / 2 == near(1, 0.2));
}

TEST_CASE("elastic: a force that would jump ends the run and says so") {
  const FrictionLaw law(Ellipse(1, 0.1, 0.6), Disk(1));
  const LinearSystem body = mass_in_plane(law.with_elastic(Adhesion(3000, 30, -0.5)), Mat2::Zero(), Vec2(0, 0), 10);
  int jumped = 0;
  for (const double angle : {0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.4, 2.8})
    for (const OrdinaryRun& options : {adaptive(1, 1e-8), rk4(1e-4, 1)}) {
      const Run run = simulate_elastic(body, {0, Vec2(0, 0), 5 * unit(angle)}, options);
      if (run.report.finished()) continue;
      ++jumped;
      CHECK(run.report.stop_reason.find("jumps") != std::string::npos);
      CHECK(run.end.q.allFinite());
      // Its end is the state at the time that it says: a run up to just before is there, too.
      OrdinaryRun shorter = options;
      shorter.duration = (1 - 1e-9) * run.end.t;
      CHECK((simulate_elastic(body, {0, Vec2(0, 0), 5 * unit(angle)}, shorter).end.q - run.end.q).norm() < 1e-7);
    }
  CHECK(jumped > 0);
}

TEST_CASE("snake robot on bristles: about as far as with the set-valued law, with its energies in balance") {
  const SnakeRobot snake(FrictionLaw(Ellipse(0.1, 0.5), Ellipse(0.1, 0.5)), {});
  const Run run = simulate_lugre(snake, LuGre{2e3, 2, 0}, snake.start(), adaptive(1, 1e-8));
  REQUIRE(run.report.finished());
  Moreau by_moreau;
  RunOptions stepping;
  stepping.duration = 1;
  const Run rigid = simulate(snake, snake.start(), by_moreau, stepping);
  CHECK((run.end.q - rigid.end.q).norm() < 0.05 * rigid.path_length);
  CHECK(worst_energy(run) < 1e-4 * run.energy.dissipated);
}

TEST_CASE("what state laws refuse") {
  const SlidingBody rigid(isotropic(0.3), 1, 9.81), elastic(isotropic(0.3).with_elastic(Adhesion(10, 10)), 1, 9.81),
      falling(isotropic(0.3).with_stribeck({1.5, 1}).with_elastic(Adhesion(10, 10)), 1, 9.81);
  const State start{0, Vec2(0, 0), Vec2(1, 0)};
  CHECK_THROWS_WITH_AS(simulate_lugre(elastic, LuGre{10}, start, rk4(0.1, 1)), doctest::Contains("is elastic"),
                       InvalidInput);
  CHECK_THROWS_WITH_AS(simulate_elastic(rigid, start, rk4(0.1, 1)), doctest::Contains("is rigid"), InvalidInput);
  CHECK_THROWS_WITH_AS(simulate_elastic(falling, start, rk4(0.1, 1)), doctest::Contains("stribeck"), InvalidInput);
  CHECK_THROWS_AS(simulate_lugre(rigid, LuGre{-1}, start, rk4(0.1, 1)), InvalidInput);
  OrdinaryRun options = rk4(0.1, 1);
  options.states = {Vec2(5, 0)};
  CHECK_THROWS_WITH_AS(simulate_elastic(elastic, start, options), doctest::Contains("outside"), InvalidInput);
  options.states = {Vec2(1, 0), Vec2(1, 0)};
  CHECK_THROWS_AS(simulate_elastic(elastic, start, options), InvalidInput);
  CHECK_THROWS_AS(simulate_lugre(rigid, LuGre{10}, start, options), InvalidInput);
  LinearContact floor{
      FrictionLaw(Disk(1), Disk(1)), Eigen::MatrixX2d::Identity(3, 2), Vec2(0, 0), 0, Vec3(0, 0, 1), 0, 0};
  const LinearSystem bouncing(MatrixX::Identity(3, 3), MatrixX::Zero(3, 3), MatrixX::Zero(3, 3), Vec3(0, 0, -9.81),
                              {floor});
  CHECK_THROWS_WITH_AS(simulate_lugre(bouncing, LuGre{10}, at_rest(Vec3(0, 0, 1)), rk4(0.1, 1)),
                       doctest::Contains("can open"), InvalidInput);
  CHECK(bristle_rate(isotropic(0.3), LuGre{10}, Vec2(1e-170, 0), Vec2(0.1, 0)).allFinite());
  CHECK(steady_deflections(rigid, LuGre{10}, start)[0][0] == near(0.03, 1e-12));
  CHECK_THROWS_AS(steady_deflections(rigid, LuGre{-1}, start), InvalidInput);
  struct Smooth final : System {
    std::vector<SystemContact> floor{{"floor", nullptr}};
    Eigen::Index dofs() const override { return 2; }
    const std::vector<SystemContact>& contacts() const override { return floor; }
    void evaluate(double, const VectorX&, const VectorX&, SystemAt& at) const override {
      at.mass = at.contacts[0].tangents = Mat2::Identity();
    }
  };
  CHECK_THROWS_WITH_AS(steady_deflections(Smooth(), LuGre{10}, start), doctest::Contains("\"floor\" does not slide"),
                       InvalidInput);
}

TEST_CASE("the right-hand sides ask for no memory") {
  const State start{0, Vec2(0.1, 0.2), Vec2(1, 0.5)};
  const FrictionLaw law(Ellipse(0.5, 0.3), Superellipse(1, 2, 3));
  const LinearSystem bristles = mass_in_plane(law, Mat2::Identity(), Vec2(0, 0), 1),
                     springs = mass_in_plane(law.with_elastic(Adhesion(30, 40)), Mat2::Identity(), Vec2(0, 0), 1);
  LuGreRate first(bristles, LuGre{100, 0.1, 0}, start);
  ElasticRate second(springs, start, {0.999999999999999 * law.reservoir().boundary_point(0.3)});
  for (ContactRate* rate : std::initializer_list<ContactRate*>{&first, &second}) {
    VectorX y(8), dy(8);
    y << start.q, start.u, rate->first_states(), 0, 0;
    (*rate)(0, y.data(), dy.data());
    const std::size_t before = allocations();
    for (int k = 0; k < 100; ++k) {
      (*rate)(0, y.data(), dy.data());
      y += 1e-4 * dy;
    }
    CHECK(allocations() == before);
  }
  CHECK(!second.sticks(0));
}
