// Where energy goes: friction works on slip, impacts on what closes, drives and loads put in, and what the scheme itself
// loses has a name of its own.                                                                       (D.1, D.5)
#include <doctest/doctest.h>

#include <numbers>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/ball_on_plane.hpp"
#include "slipset/systems/block_on_belt.hpp"
#include "slipset/systems/box_on_plane.hpp"
#include "slipset/systems/chain.hpp"
#include "slipset/systems/forced_oscillator.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/mode_coupling.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "slipset/systems/snake_robot.hpp"
#include "slipset/systems/spring_slider.hpp"
#include "slipset/systems/two_blocks.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using test::near;

namespace {

// An upright wheel of radius r that rolls and is steered: x, y, heading, turns. Its contact's axes turn with it.
struct Wheel final : System {
  static constexpr double kMass = 2, kRadius = 0.5;
  std::vector<SystemContact> ground{{"ground", std::make_shared<PlanarContactLaw>(isotropic(5))}};

  Eigen::Index dofs() const override { return 4; }
  const std::vector<SystemContact>& contacts() const override { return ground; }
  void evaluate(double, const VectorX& q, const VectorX&, SystemAt& at) const override {
    at.mass.setIdentity();
    at.mass(0, 0) = at.mass(1, 1) = kMass;
    at.mass(3, 3) = kMass * kRadius * kRadius / 2;
    const Vec2 along = unit(q[2]);
    at.contacts[0].tangents.setZero();
    at.contacts[0].tangents.topRows<2>() << along, turn_left(along);
    at.contacts[0].tangents(3, 0) = -kRadius;
    at.contacts[0].normal_force = 100;
  }
  bool has_constant_mass() const override { return true; }
  State start() const override {
    State state = System::start();
    state.u << 3, 0, 2, 3 / kRadius;
    return state;
  }
};

// ∫ f dt over the rows of a run, Simpson's rule; an odd number of rows, equally far apart.
template <class Power>
double integral(const Run& run, const Power& power) {
  const Table& t = run.table;
  const double dt = t["t"][1] - t["t"][0];
  REQUIRE(t.size() % 2 == 1);
  double sum = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    sum += (i == 0 || i + 1 == t.size() ? 1 : i % 2 ? 4 : 2) * power([&](const char* name) { return t[name][i]; });
  return sum * dt / 3;
}

}  // namespace

TEST_CASE("A7: a wheel that never slips has no friction loss; the scheme's loss is named, and goes with the step") {
  const Wheel wheel;
  const double turn = 2 * std::numbers::pi / 2;  // of the heading, 2 rad/s
  std::array<double, 3> lost{};
  for (std::size_t i = 0; i < lost.size(); ++i) {
    const double step = turn / (200 << i);
    const Run run = simulate(wheel, Moreau{.step = step}, {.duration = turn});
    const EnergyBalance& e = run.energy;
    CHECK(std::abs(e.dissipated) <= 1e-13 * e.initial);
    CHECK(e.by_impacts == 0);
    CHECK(e.input == 0);
    CHECK(std::abs(e.residual()) <= 1e-12 * e.initial);
    lost[i] = e.numerical / e.initial;
    CHECK(run.report.energy_error == near(lost[i], 1e-9));
    CHECK(run.report.warnings.empty() == (lost[i] <= 0.01));
    CHECK(run.report.trusted() == (lost[i] <= 0.1));
  }
  CHECK(lost[0] > 0.02);  // it was booked as friction
  CHECK(lost[0] / lost[1] > 1.9);
  CHECK(lost[0] / lost[1] < 2.1);
  CHECK(lost[1] / lost[2] > 1.95);
  CHECK(lost[1] / lost[2] < 2.05);
}

TEST_CASE("A7: friction of a sliding block is mu N times the way, by every integrator") {
  const SlidingBody body(isotropic(0.3), 2, 15);
  const State start{0, Vec2(0, 0), Vec2(3, 4)};
  for (const Integrator& integrator : {Integrator(Moreau{.step = 0.007}), Integrator(EventDriven{.row_step = 0.1})})
    for (const double duration : {0.5, 4.0}) {  // on the way; at rest
      const Run run = simulate(body, start, integrator, {.duration = duration});
      const bool rests = duration > 1;  // after 20/9 s; in the step in which it stops friction needs only a part of μN
      CHECK(run.energy.dissipated == near(rests ? 25 : 0.3 * 15 * run.path_length, 1e-9));
      CHECK(run.energy.by_impacts == 0);
      CHECK(std::abs(run.energy.numerical) <= 1e-12);
      CHECK(run.report.energy_error <= 1e-9);
    }
}

TEST_CASE("A7: an impact takes m v^2 (1 - e^2)/2, apart from friction") {
  for (const double e : {0.0, 0.5, 1.0}) {
    LinearContact contact{isotropic(0.4), Eigen::MatrixX2d::Zero(2, 2), Vec2(0, 0), 0, Vec2(0, 1), 0.1, e};
    contact.tangents(0, 0) = 1;
    const LinearSystem system(2 * MatrixX::Identity(2, 2), MatrixX::Zero(2, 2), MatrixX::Zero(2, 2), VectorX::Zero(2),
                              {contact});
    const State start{0, Vec2(0, 0), Vec2(5, -3)};  // slips through the impact: friction impulse μ p_N
    const double impulse = 2 * 3 * (1 + e), slower = 0.4 * impulse / 2;
    for (const Integrator& integrator : {Integrator(Moreau{.step = 0.003}), Integrator(EventDriven{})}) {
      const Run run = simulate(system, start, integrator, {.duration = 0.1});
      CHECK(std::abs(run.energy.by_impacts - 0.5 * 2 * 9 * (1 - e * e)) <= 1e-11);
      const double friction = run.energy.dissipated - run.energy.by_impacts;
      CHECK(friction == near(0.5 * 2 * (25 - (5 - slower) * (5 - slower)), 1e-9));
      CHECK(std::abs(run.energy.numerical) <= 1e-12);
      CHECK(std::abs(run.energy.residual()) <= 1e-9);
    }
  }
}

TEST_CASE("A7: a ball that comes to rest on the plane loses its height by impacts, and its spin by friction alone") {
  const BallOnPlane ball(isotropic(0.5), {.mass = 2, .radius = 0.1, .gravity = 9.81, .restitution = 0});
  State start = ball.start();
  start.q[2] += 0.05;
  start.u[0] = 2;
  const Run run = simulate(ball, start, Moreau{.step = 1e-4}, {.duration = 1.5});
  // Rolling: 5/7 of the speed, 2/7 of the kinetic energy is gone.
  CHECK(run.energy.by_impacts == near(2 * 9.81 * 0.05, 2e-3));
  CHECK(run.energy.dissipated - run.energy.by_impacts == near(0.5 * 2 * 4 * 2 / 7, 2e-3));
  CHECK(std::abs(run.energy.numerical) < 1e-10);
}

TEST_CASE("A7: a body that a belt carries along as it swings has no friction loss") {
  // The inner contact of two blocks never slips; the belt takes both along.
  const AxialSystem blocks =
      two_blocks({.stiffness_ratio = 1, .friction_limits = Vec2(1e3, 1e3), .amplitude = 0.3, .frequency = 2});
  State start{0, Vec2(0, 0), Vec2(0.6, 0.6)};  // with the belt
  for (const double step : {1e-2, 1e-3}) {
    const Run run = simulate(blocks, start, Moreau{.step = step}, {.duration = 2});
    CHECK(std::abs(run.energy.dissipated) <= 1e-12 * std::abs(run.energy.input));
    CHECK(std::abs(run.energy.numerical) > 0);
    CHECK(std::abs(run.energy.numerical) < 2 * step);
  }
}

// ---- One convention: springs and weight store; surfaces, drives and loads put in their force times their speed, dampers
// take out. Checked by quadrature over the rows of a run.

TEST_CASE(
    "A13: a spring slider's drive puts in its force times its speed, and the spring stores what it is stretched by") {
  const double k = 100, v = 0.1, duration = 5;
  for (const double c : {0.0, 2.0}) {
    const AxialSystem slider =
        spring_slider({.mass = 1, .stiffness = k, .damping = c, .friction_limit = 3, .static_limit = 0, .speed = v});
    const double step = 2.5e-4;
    for (const Integrator& integrator :
         {Integrator(EventDriven{.row_step = step}), Integrator(Moreau{.step = step}),
          Integrator(RungeKutta4{.step = step, .friction = RegularizedCoulomb(Regularization::quinn, 1e-3)})}) {
      const Run run = simulate(slider, {0, VectorX::Zero(1), VectorX::Zero(1)}, integrator, {.duration = duration});
      const auto pull = [&](const auto& at) { return k * (v * at("t") - at("x")) + c * (v - at("dx")); };
      const double by_drive = integral(run, [&](const auto&at) { return pull(at) * v; }),
                   by_damper = integral(run, [&](const auto&at) { return c * (v - at("dx")) * (v - at("dx")); });
      CHECK(run.energy.input == near(by_drive - by_damper, 1e-5));
      CHECK(run.energy.input < 1.1 * 3 * v * duration);  // it was 13 times as much
      const double stretch = v * run.end.t - run.end.q[0];
      CHECK(run.energy.potential == near(k * stretch * stretch / 2, 1e-12));
      CHECK(std::abs(run.energy.residual()) <= 1e-4 * run.energy.input);
    }
  }
}

TEST_CASE("A13: forces, belts and drives of systems along a line") {
  const double step = 5e-4;
  const auto each = [&](const AxialSystem& system, const State& start, double duration, const auto& power) {
    for (const Integrator& integrator : {Integrator(EventDriven{.row_step = step}), Integrator(Moreau{.step = step})}) {
      const Run run = simulate(system, start, integrator, {.duration = duration});
      const double expected = integral(run, power);
      CHECK(std::abs(expected) > 0.05);
      CHECK(std::abs(run.energy.input - expected) <= 2e-3 * std::abs(expected));
      CHECK(std::abs(run.energy.residual()) <= 1e-4 * std::abs(expected));
    }
  };
  const auto still = [](Eigen::Index n) { return State{0, VectorX::Zero(n), VectorX::Zero(n)}; };
  each(forced_oscillator({.damping = 0.2, .friction_limit = 0.4, .amplitude = 1.3, .frequency = 0.7}), still(1), 10,
       [](const auto& at) { return 1.3 * std::sin(0.7 * at("t")) * at("dx") - 0.2 * at("dx") * at("dx"); });
  each(chain({.blocks = 4, .friction_limit = 0.3, .amplitude = 0.9, .frequency = 0.5, .symmetric = true}), still(4), 10,
       [](const auto& at) { return -0.9 * std::sin(0.5 * at("t")) * at("dx1"); });
  each(two_blocks({.stiffness_ratio = 2, .friction_limits = Vec2(0.5, 0.25), .amplitude = 1, .frequency = 0.5}),
       still(2), 10, [](const auto& at) { return at("contact1.friction_1") * 0.5 * std::cos(0.5 * at("t")); });
}

TEST_CASE("A13: belts, loads and pushes of systems in a plane or in space") {
  const double step = 2e-4;
  const auto each = [&](const System& system, const State& start, double duration, const auto& power,
                        std::vector<Integrator> integrators = {Moreau{.step = 2e-4}, EventDriven{.row_step = 2e-4}}) {
    for (const Integrator& integrator : integrators) {
      const Run run = simulate(system, start, integrator, {.duration = duration});
      const double expected = integral(run, power);
      CHECK(std::abs(expected) > 0.05);
      CHECK(std::abs(run.energy.input - expected) <= 2e-3 * std::abs(expected));
      CHECK(std::abs(run.energy.residual()) <= 1e-3 * std::abs(expected));
    }
  };
  const auto law = std::make_shared<PlanarContactLaw>(isotropic(0.4));
  const State slow{0, VectorX::Zero(1), VectorX::Constant(1, 0.05)};
  const BlockOnBelt block(law, {.mass = 1, .stiffness = 5, .damping = 0.1, .normal_force = 3, .belt_speed = 0.7});
  each(block, slow, 2, [](const auto& at) { return at("contact.friction_1") * 0.7 - 0.1 * at("dx") * at("dx"); },
       {Moreau{.step = step}});
  const MassOnBelt mass(isotropic(0.4), {.mass = 1,
                                         .stiffness = 4 * Mat2::Identity(),
                                         .damping = Mat2::Zero(),
                                         .normal_force = 3,
                                         .belt_velocity = Vec2(0.5, 0.3)});
  each(mass, {0, Vec2(0, 0), Vec2(0.1, 0)}, 1,
       [](const auto& at) { return at("contact.friction_1") * 0.5 + at("contact.friction_2") * 0.3; });
  const ModeCoupling coupled(
      law, {.mass = 1, .k1 = 20, .k2 = 30, .k = 5, .c1 = 0, .c2 = 0, .normal_load = 6, .belt_speed = 2});
  each(coupled, {0, Vec2(0, -0.1), Vec2(0, 0)}, 1,
       [](const auto& at) { return at("contact.friction_1") * 2 - 6 * at("dx2"); });
  LinearContact contact{isotropic(0.2), Eigen::MatrixX2d::Identity(2, 2), Vec2(0, 0), 4, {}, 0, 0};
  const LinearSystem pulled(MatrixX::Identity(2, 2), MatrixX::Zero(2, 2), MatrixX::Identity(2, 2), Vec2(3, -1),
                            {contact});
  each(pulled, {0, Vec2(0, 0), Vec2(0, 0.1)}, 1, [](const auto& at) { return 3 * at("dq1") - at("dq2"); });
  // A box's push, as the force on a rigid body: the work on the pushed point.
  const BoxOnPlane box(isotropic(0.3), {.mass = 1, .length = 0.2, .height = 0.1, .push = 5, .push_height = 0.02});
  each(box, box.start(), 0.6,
       [](const auto& at) { return 5 * (at("dx") - (0.02 - 0.05) * std::cos(at("pitch")) * at("dpitch")); },
       {Moreau{.step = step}});
}

TEST_CASE("event-driven: a balance that its input is taken from is not checked, and says so") {
  const FrictionLaw law(Ellipse(0.1, 0.5), Ellipse(0.1, 0.5));
  const SnakeRobot snake(law, {});
  const Run run = simulate(snake, snake.start(), EventDriven{}, {.duration = 0.05});
  CHECK(run.report.finished());
  CHECK(std::isnan(run.report.energy_error));
  CHECK(run.report.trusted());
  // By Moreau's step it is summed up, and checked.
  CHECK(simulate(snake, snake.start(), Moreau{}, {.duration = 0.05}).report.energy_error < 1e-2);
}
