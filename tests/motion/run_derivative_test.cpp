// Derivatives of runs: closed forms of a body that slides to rest, and differences of whole runs.          (D.8, D.9)
#include "slipset/motion/run_derivative.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <random>

#include "slipset/laws/classical.hpp"
#include "slipset/laws/law_parameters.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/systems/disk_on_pads.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "slipset/systems/snake_robot.hpp"
#include "slipset/systems/spring_slider.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

using Make = std::function<std::unique_ptr<System>(const FrictionLaw&)>;

// Everything depends on everything: a point with a mass that grows with q, on a surface that turns and whose axes turn
// with the point; the normal force depends on position and velocity.
struct Turntable final : System {
  explicit Turntable(const FrictionLaw& law) {
    disc.push_back({"disc", std::make_shared<const PlanarContactLaw>(law), false, 0});
  }
  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return disc; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override {
    at.mass << 1 + 0.3 * q[0] * q[0], 0.1 * q[1], 0.1 * q[1], 2 + 0.2 * q[1] * q[1];
    at.force = Vec2(-3 * q[0] - 0.2 * u[0] + std::cos(2 * t), -4 * std::sin(q[1]) - 0.1 * u[1] * u[0]);
    ContactAt& c = at.contacts[0];
    c.normal_force = 5 + q[0] + 0.2 * u[1];
    const double turn = 0.4 * q[0] + 0.3 * t, cosine = std::cos(turn), sine = std::sin(turn);
    c.tangents << cosine, -sine, sine, cosine;
    c.surface_velocity = Vec2(-0.8 * q[1] + 0.3, 0.8 * q[0]);
  }
  std::vector<SystemContact> disc;
};

struct Case {
  const char* name;
  Make make;
  FrictionLaw law;
  State start;
  double step, duration;
};

std::vector<Case> cases() {
  const FrictionLaw law(Superellipse(0.5, 0.3, 2.6, 0.3), Ellipse(2, 1.3, -0.2));
  MassOnBeltParameters belt;
  belt.stiffness = Vec2(2, 3).asDiagonal();
  belt.damping << 0.1, 0.05, 0, 0.2;
  belt.belt_velocity = {0.5, 0.2};
  SnakeRobotParameters snake;
  snake.links = 4;
  DiskOnPadsParameters disk;
  disk.radius = 0.5;
  disk.pad_radius = 0.4;
  // A mass thrown along a plane, pressed on it by its weight and by a spring along the way: unilateral. It starts a little
  // inside, so that no difference opens the contact.
  const auto thrown = [](const FrictionLaw& l) {
    LinearContact contact{l, Eigen::MatrixX2d::Zero(3, 2), Vec2(0.1, 0), 0, Vec3(0.1, 0, 1), 0, 0};
    contact.tangents(0, 0) = contact.tangents(1, 1) = 1;
    Mat3 stiffness = Mat3::Zero();
    stiffness(2, 0) = 1;
    stiffness(2, 1) = stiffness(1, 2) = 0.5;
    return std::make_unique<LinearSystem>(Vec3(1, 2, 1.5).asDiagonal(), Mat3::Zero(), stiffness, Vec3(0, 0, -9.81),
                                          std::vector<LinearContact>{contact});
  };
  return {
      {"body that slides to rest",
       [](const FrictionLaw& l) { return std::make_unique<SlidingBody>(l, 1, 9.81); },
       law,
       {0, Vec2(0, 0), Vec2(1, 0.7)},
       1e-3,
       0.6},
      {"stick and slip on a belt",
       [=](const FrictionLaw& l) { return std::make_unique<MassOnBelt>(l, belt); },
       law,
       {0, Vec2(0.1, 0), Vec2(0, 0.1)},
       0.01,
       12},
      {"rate-dependent, on a belt",
       [=](const FrictionLaw& l) {
         return std::make_unique<MassOnBelt>(FrictionLaw(l.reservoir(), l.direction(), Stribeck{1.4, 0.2, 0.1}), belt);
       },
       law,
       {0, Vec2(0.1, 0), Vec2(0, 0.1)},
       0.01,
       5},
      {"snake",
       [=](const FrictionLaw& l) { return std::make_unique<SnakeRobot>(l, snake); },
       law,
       {0, Vec3(0, 0, 0.2), Vec3(0.1, 0, 0)},
       2e-3,
       1},
      {"disk on pads",
       [=](const FrictionLaw& l) { return std::make_unique<DiskOnPads>(l, disk); },
       law,
       {0, Vec3(0, 0, 0.2), Vec3(1, 0.2, 3)},
       1e-3,
       0.5},
      {"turntable",
       [](const FrictionLaw& l) { return std::make_unique<Turntable>(l); },
       law,
       {0, Vec2(0.4, 0.1), Vec2(0, 0.5)},
       5e-3,
       2},
      {"thrown along a plane", thrown, law, {0, Vec3(0, 0, -1e-3), Vec3(1, 0.5, -0.1)}, 1e-3, 0.3},
  };
}

VectorX numbers_of(const FrictionLaw& law) {
  const std::vector<LawParameter> parameters = law_parameters(law);
  VectorX x(static_cast<Eigen::Index>(parameters.size()));
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = parameters[static_cast<std::size_t>(i)].value;
  return x;
}

// The rows of a run with start and law moved along a direction.
VectorX moved(const Case& c, const VectorX& direction, double by) {
  const Eigen::Index n = c.start.q.size();
  VectorX numbers = numbers_of(c.law) + by * direction.tail(direction.size() - 2 * n);
  const auto system = c.make(with_parameters(c.law, {numbers.data(), static_cast<std::size_t>(numbers.size())}));
  State start = c.start;
  start.q += by * direction.head(n);
  start.u += by * direction.segment(n, n);
  const RunDerivative run(*system, start, Moreau{.step = c.step, .contact = {.tolerance = 1e-14}},
                          {.duration = c.duration, .every = 10});
  VectorX all(run.positions().size() + run.velocities().size());
  all << run.positions().reshaped(), run.velocities().reshaped();
  return all;
}

}  // namespace

TEST_CASE("a body that slides to rest: v²/(2μg) and its derivatives, of first order in the step") {
  const double mu = 0.4, g = 9.81, v = 1.3;
  const SlidingBody body(isotropic(mu), 2, 2 * g);
  for (const double step : {1e-3, 1e-4}) {
    const RunDerivative run(body, {0, Vec2(0, 0), Vec2(v, 0)}, Moreau{.step = step}, {.duration = 0.5, .every = 7});
    CHECK(run.positions()(0, run.positions().cols() - 1) == near(v * v / (2 * mu * g), 2 * step));
    MatrixX q = MatrixX::Zero(2, 1), u = MatrixX::Zero(2, 1);
    u(0) = 1;
    const auto end = [&](const std::vector<RunDerivative::Change>& change) {
      return change[0].positions(0, change[0].positions.cols() - 1);
    };
    CHECK(end(run.forward(q, u)) == near(v / (mu * g), 4 * step));
    // C and D are disks; the size of D counts for nothing.
    MatrixX numbers(2, 1);
    numbers << 1, 0;
    CHECK(end(run.forward(q, 0 * u, {numbers})) == near(-v * v / (2 * mu * mu * g), 4 * step));
    MatrixX of_end = MatrixX::Zero(2, run.positions().cols());
    of_end(0, of_end.cols() - 1) = 1;
    const RunDerivative::Gradient gradient = run.reverse(of_end, 0 * of_end);
    CHECK(gradient.q[0] == near(1, 1e-12));
    CHECK(gradient.u[0] == near(v / (mu * g), 4 * step));
    CHECK(gradient.law[0][0] == near(-v * v / (2 * mu * mu * g), 4 * step));
    CHECK(gradient.law[0][1] == within(0, 1e-14));
  }
}

// Worst measured: 5e-9 forward against differences, 2e-12 reverse against forward.
TEST_CASE("derivatives of runs against central differences of whole runs, and reverse against forward") {
  for (const Case& c : cases()) {
    CAPTURE(std::string(c.name));
    const auto system = c.make(c.law);
    const RunDerivative run(*system, c.start, Moreau{.step = c.step, .contact = {.tolerance = 1e-14}},
                            {.duration = c.duration, .every = 10});
    CHECK(run.notes().empty());
    REQUIRE(run.laws().size() == 1);
    const Eigen::Index n = system->dofs(), rows = run.positions().cols(), numbers = numbers_of(c.law).size();
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    const int directions = 3;
    MatrixX d(2 * n + numbers, directions);
    for (double& x : d.reshaped()) x = 0.1 * normal(random);
    const auto changes = run.forward(d.topRows(n), d.middleRows(n, n), {d.bottomRows(numbers)});
    MatrixX of_q(n, rows), of_u(n, rows);
    for (double& x : of_q.reshaped()) x = normal(random);
    for (double& x : of_u.reshaped()) x = normal(random);
    const RunDerivative::Gradient gradient = run.reverse(of_q, of_u);
    for (int k = 0; k < directions; ++k) {
      VectorX found(2 * n * rows);
      found << changes[static_cast<std::size_t>(k)].positions.reshaped(),
          changes[static_cast<std::size_t>(k)].velocities.reshaped();
      // Small enough that no contact changes its mode in any step, order 4.
      const double h = 2e-6;
      const VectorX expected = (8 * (moved(c, d.col(k), h) - moved(c, d.col(k), -h)) -
                                (moved(c, d.col(k), 2 * h) - moved(c, d.col(k), -2 * h))) /
                               (12 * h);
      CHECK((found - expected).lpNorm<Eigen::Infinity>() < 1e-6 * expected.lpNorm<Eigen::Infinity>());
      const double by_forward = of_q.reshaped().dot(found.head(n * rows)) + of_u.reshaped().dot(found.tail(n * rows)),
                   by_reverse = gradient.q.dot(d.col(k).head(n)) + gradient.u.dot(d.col(k).segment(n, n)) +
                                gradient.law[0].dot(d.col(k).tail(numbers));
      const double size = of_q.norm() * found.norm();
      CHECK(by_reverse == within(by_forward, 1e-9 * size));
    }
  }
}

TEST_CASE("rows of the derivative are those of the run") {
  const Case c = cases()[1];
  const auto system = c.make(c.law);
  const Moreau moreau{.step = 0.03};
  const RunDerivative derivative(*system, c.start, moreau, {.duration = 1, .every = 4});
  const Run run = simulate(*system, c.start, moreau, {.duration = 1, .every = 4});
  REQUIRE(derivative.times().size() == run.table.size());
  for (std::size_t i = 0; i < run.table.size(); ++i) {
    CHECK(derivative.times()[i] == run.table["t"][i]);
    CHECK(derivative.positions()(1, static_cast<Eigen::Index>(i)) == run.table["y"][i]);
  }
}

TEST_CASE("what has no derivative is refused or told") {
  const State start{0, Vec2(0, 0), Vec2(1, 0)};
  const auto refuses = [&](const System& system, const State& from, const char* word) {
    CHECK_THROWS_WITH_AS(RunDerivative(system, from, Moreau{}, {.duration = 0.1}), doctest::Contains(word),
                         InvalidInput);
  };
  const AxialSystem line = spring_slider(SpringSliderParameters{});
  refuses(line, line.start(), "one axis per contact");
  const SlidingBody body(isotropic(0.4), 1, 9.81);
  CHECK_THROWS_AS(RunDerivative(body, start, Moreau{}, {.duration = -1}), InvalidInput);
  CHECK_THROWS_AS(RunDerivative(body, start, Moreau{}, {.duration = 0.1, .every = 0}), InvalidInput);
  const RunDerivative run(body, start, Moreau{}, {.duration = 0.1});
  CHECK_THROWS_AS(run.reverse(MatrixX::Zero(2, 3), MatrixX::Zero(2, 3)), InvalidInput);
  CHECK_THROWS_AS(run.forward(MatrixX::Zero(3, 1), MatrixX::Zero(2, 1)), InvalidInput);
  // At rest from the start, the velocity is on the border between stick and slip in neither direction.
  const RunDerivative rest(body, {0, Vec2(0, 0), Vec2(0, 0)}, Moreau{}, {.duration = 0.1});
  const auto still = rest.forward(MatrixX::Identity(2, 2), MatrixX::Zero(2, 2));
  CHECK(still[0].positions(0, 100) == 1);
  // Two rectangles: flat sides, on which the direction of slip stands still while the force moves.
  const SlidingBody flat(associated(Rectangle(0.4, 0.3)), 1, 9.81);
  const RunDerivative along(flat, start, Moreau{}, {.duration = 0.1});
  CHECK_THROWS_WITH_AS(along.forward(MatrixX::Zero(2, 1), MatrixX::Ones(2, 1)), doctest::Contains("step at t = 0 s"),
                       InvalidInput);
  // A ball that falls: the impact is told.
  LinearContact ground{isotropic(0.3), Eigen::MatrixX2d::Zero(3, 2), Vec2(0, 0), 0, Vec3(0, 0, 1), 0, 0.5};
  ground.tangents(0, 0) = ground.tangents(1, 1) = 1;
  const LinearSystem ball(Mat3::Identity(), Mat3::Zero(), Mat3::Zero(), Vec3(0, 0, -9.81), {ground});
  const RunDerivative falls(ball, {0, Vec3(0, 0, 0.1), Vec3(1, 0, 0)}, Moreau{}, {.duration = 0.3});
  REQUIRE(falls.notes().size() == 1);
  CHECK(falls.notes()[0].find("impact") != std::string::npos);
  int asked = 0;
  CHECK_THROWS_AS(RunDerivative(body, start, Moreau{}, {.duration = 0.1, .go_on = [&] { return ++asked < 5; }}),
                  RunDerivative::Stopped);
}
