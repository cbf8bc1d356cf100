// Many contacts with sliding, drilling and rolling.
#include "slipset/contact/rolling_problem.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include "slipset/contact/contact_problem.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/random_rolling.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

const std::vector<RollingLaw>& some_laws() {
  static const std::vector<RollingLaw> laws = {
      RollingLaw::contensou(0.3, 0.02, PatchPressure::hertz, PlanarSet(Disk(0.003))),
      RollingLaw::contensou(0.5, 0.05, PatchPressure::uniform),
      RollingLaw::product(PlanarSet(Ellipse(0.6, 0.3, 0.3)), Interval(0.01, 0.02), PlanarSet(Rectangle(0.01, 0.004))),
      RollingLaw::ellipsoid({Vec2(0.4, 0.2), 0.2, 0.01, Vec2(0.02, 0.01), 0.1}),
      RollingLaw::product(PlanarSet(Disk(0.4)), std::nullopt, std::nullopt),
      RollingLaw::product(std::nullopt, Interval(0.01), std::nullopt)};
  return laws;
}

// Balls of 5 cm that touch each other or a fixed body in random directions: sparse, all components coupled.
struct Balls {
  Eigen::MatrixXd directions;  // rows: components of all contacts
  Eigen::VectorXd inverse_mass, velocity;
  RollingProblem problem;

  double energy(const Eigen::VectorXd& u) const { return 0.5 * u.dot(u.cwiseQuotient(inverse_mass)); }
  Eigen::VectorXd after(const Eigen::VectorXd& impulse) const {
    return velocity + inverse_mass.cwiseProduct(directions.transpose() * impulse);
  }
};

Balls random_balls(Random& random, int balls, int contacts) {
  Balls b;
  const double radius = 0.05;
  std::vector<int> sizes;
  std::vector<Eigen::MatrixXd> parts;
  Eigen::Index rows = 0;
  for (int k = 0; k < contacts; ++k) {
    const int choice = random.integer(0, static_cast<int>(some_laws().size()));
    const RollingLaw* law =
        choice < static_cast<int>(some_laws().size()) ? &some_laws()[static_cast<std::size_t>(choice)] : nullptr;
    const Vec3 n = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
    const Vec3 frame[3] = {n, n.unitOrthogonal(), n.cross(n.unitOrthogonal())};
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(6, 6 * balls);
    const auto touch = [&](int ball, double sign, const Vec3& arm) {
      for (int i = 0; i < 3; ++i) {
        all.block(i, 6 * ball, 1, 3) = sign * frame[i].transpose();
        all.block(i, 6 * ball + 3, 1, 3) = sign * arm.cross(frame[i]).transpose();
        all.block(3 + i, 6 * ball + 3, 1, 3) = sign * frame[i].transpose();
      }
    };
    const int first = random.integer(0, balls - 1), second = std::min(balls - 1, first + random.integer(0, 3));
    touch(first, 1, -radius * n);
    if (second != first) touch(second, -1, radius * n);
    const int m = law ? law->size() : 0;
    Eigen::MatrixXd part(1 + m, 6 * balls);
    part.row(0) = all.row(0);
    int row = 1;
    if (law && law->has_sliding()) {
      part.row(row++) = all.row(1);
      part.row(row++) = all.row(2);
    }
    if (law && law->has_drilling()) part.row(row++) = all.row(3);
    if (law && law->has_rolling()) {
      part.row(row++) = all.row(4);
      part.row(row++) = all.row(5);
    }
    parts.push_back(part);
    sizes.push_back(1 + m);
    rows += 1 + m;
    b.problem.contacts.push_back({law, std::nullopt, 1});
  }
  b.directions.resize(rows, 6 * balls);
  Eigen::Index at = 0;
  for (const Eigen::MatrixXd& part : parts) {
    b.directions.middleRows(at, part.rows()) = part;
    at += part.rows();
  }
  b.inverse_mass.resize(6 * balls);
  b.velocity.resize(6 * balls);
  for (int i = 0; i < balls; ++i) {
    const double mass = random.log_uniform(0.1, 1);
    b.inverse_mass.segment<3>(6 * i).setConstant(1 / mass);
    b.inverse_mass.segment<3>(6 * i + 3).setConstant(1 / (0.4 * mass * radius * radius));
    for (int k = 0; k < 6; ++k) b.velocity[6 * i + k] = random.uniform(-1, 1) * (k < 3 ? 1 : 20);
  }
  b.problem.delassus =
      RollingDelassus(sizes, Eigen::MatrixXd(b.directions * b.inverse_mass.asDiagonal() * b.directions.transpose()));
  b.problem.free_velocity = b.directions * b.velocity;
  return b;
}

}  // namespace

TEST_CASE("T.11 random sparse problems: residual below 1e-10, energy never created") {
  Random random(91);
  double worst = 0, created = -INFINITY;
  int most = 0;
  for (int i = 0; i < 20; ++i) {
    const int balls = i < 10 ? 25 : 100, contacts = i % 2 ? balls : 3 * balls / 2;
    const Balls b = random_balls(random, balls, contacts);
    const RollingSolution s = solve_rolling(b.problem);
    CHECK(s.report.converged);
    CHECK(s.report.residual == doctest::Approx(rolling_residual(b.problem, s.impulse)).epsilon(1e-2));
    worst = std::max(worst, rolling_residual(b.problem, s.impulse));
    const double before = b.energy(b.velocity), after = b.energy(b.after(s.impulse));
    created = std::max(created, (after - before) / before);
    most = std::max(most, s.report.sweeps);
    // u is what the bodies do.
    CHECK((s.velocity - b.directions * b.after(s.impulse)).norm() < 1e-11 * b.velocity.norm());
  }
  show_worst("rolling problem", "residual", worst);
  show_worst("rolling problem", "sweeps", most);
  CHECK(worst < 1e-10);
  CHECK(created < 0);
}

TEST_CASE("more contacts than the balls have freedoms") {
  Random random(92);
  for (int i = 0; i < 3; ++i) {
    const Balls b = random_balls(random, 12, 36);
    const RollingSolution s = solve_rolling(b.problem);
    CHECK(s.report.converged);
    CHECK(rolling_residual(b.problem, s.impulse) < 1e-10);
    CHECK(b.energy(b.after(s.impulse)) < b.energy(b.velocity));
    show_worst("more contacts", "sweeps", s.report.sweeps);
  }
}

// A box on its four corners has 24 impulses for six freedoms; pushed hard towards one side it rocks, slides or stays.
TEST_CASE("T.16 a box on four corners, at rest or not: solved to the tolerance, in few sweeps") {
  Random random(95);
  int most = 0;
  for (int k = 0; k < 200; ++k) {
    const RollingLaw law = some_laws()[static_cast<std::size_t>(k % 6)];
    const Vec3 half(random.uniform(0.02, 0.2), random.uniform(0.02, 0.2), random.uniform(0.02, 0.2));
    const double mass = random.log_uniform(0.1, 10);
    Eigen::VectorXd inverse(6);
    inverse << Vec3::Constant(1 / mass),
        Vec3(3 / (half.y() * half.y() + half.z() * half.z()), 3 / (half.x() * half.x() + half.z() * half.z()),
             3 / (half.x() * half.x() + half.y() * half.y())) /
            mass;
    Eigen::MatrixXd rows(0, 6);
    RollingProblem problem;
    for (int corner = 0; corner < 4; ++corner) {
      const Vec3 arm(corner % 2 ? half.x() : -half.x(), corner / 2 ? half.y() : -half.y(), -half.z());
      Eigen::MatrixXd all = Eigen::MatrixXd::Zero(6, 6);
      const Vec3 frame[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
      for (int i = 0; i < 3; ++i) {
        all.block(i, 0, 1, 3) = frame[i].transpose();
        all.block(i, 3, 1, 3) = arm.cross(frame[i]).transpose();
        all.block(3 + i, 3, 1, 3) = frame[i].transpose();
      }
      const auto take = [&](int row) {
        rows.conservativeResize(rows.rows() + 1, 6);
        rows.row(rows.rows() - 1) = all.row(row);
      };
      take(0);
      for (int i = 1; i < 3 && law.has_sliding(); ++i) take(i);
      if (law.has_drilling()) take(3);
      for (int i = 4; i < 6 && law.has_rolling(); ++i) take(i);
      problem.contacts.push_back({&law, std::nullopt, 1});
    }
    const std::vector<int> sizes(4, 1 + law.size());
    problem.delassus = RollingDelassus(sizes, Eigen::MatrixXd(rows * inverse.asDiagonal() * rows.transpose()));
    Eigen::VectorXd u(6);
    const double push = k % 3 == 0 ? 0.001 : 0.02;
    u << push * random.uniform(-1, 1), push * random.uniform(-1, 1), -0.02, push * random.uniform(-3, 3),
        push * random.uniform(-3, 3), push * random.uniform(-9, 9);
    problem.free_velocity = rows * u;
    RollingOptions options;
    options.tolerance = 1e-9;
    const RollingSolution s = solve_rolling(problem, options);
    CHECK(s.report.converged);
    CHECK(rolling_residual(problem, s.impulse) < 1.1e-9);
    most = std::max(most, s.report.sweeps);
  }
  show_worst("box on corners", "sweeps", most);
  CHECK(most < 300);  // measured 61
}

TEST_CASE("with and without acceleration the same bodies' velocities") {
  Random random(93);
  const Balls b = random_balls(random, 20, 20);
  RollingOptions plain;
  plain.accelerate = false;
  plain.tolerance = 1e-13;
  RollingOptions fast = plain;
  fast.accelerate = true;
  const RollingSolution s = solve_rolling(b.problem, plain), t = solve_rolling(b.problem, fast);
  REQUIRE(s.report.converged);
  REQUIRE(t.report.converged);
  CHECK((b.after(s.impulse) - b.after(t.impulse)).norm() < 1e-9 * b.velocity.norm());
  CHECK(t.report.sweeps < s.report.sweeps);
}

TEST_CASE("with two components each it is the planar problem of solve_contact") {
  Random random(94);
  const Ellipse ellipse(0.5, 0.3, 0.4);
  const RollingLaw law = RollingLaw::product(PlanarSet(ellipse), std::nullopt, std::nullopt);
  const int n = 12;
  Eigen::MatrixXd a(3 * n, 3 * n + 6);
  for (Eigen::Index i = 0; i < a.size(); ++i) a.data()[i] = random.uniform(-1, 1);
  const Eigen::MatrixXd w = a * a.transpose() + 5 * Eigen::MatrixXd::Identity(3 * n, 3 * n);
  RollingProblem p;
  p.delassus = RollingDelassus(std::vector<int>(n, 3), w);
  p.contacts.assign(n, {&law, std::nullopt, 1});
  p.free_velocity.resize(3 * n);
  for (Eigen::Index i = 0; i < 3 * n; ++i) p.free_velocity[i] = random.uniform(-1, i % 3 == 0 ? 0.2 : 1);
  ContactProblem other;
  other.delassus = BlockDelassus(w);
  other.free_velocity = p.free_velocity;
  const ContactLaw planar(associated(ellipse));
  ContactPoint point;
  point.law = &planar;
  other.contacts.assign(n, point);
  ContactOptions options;
  options.method = ContactMethod::automatic;
  RollingOptions tight;
  tight.tolerance = 1e-14;
  const RollingSolution s = solve_rolling(p, tight);
  const ContactSolution t = solve_contact(other, options);
  REQUIRE(t.report.converged);
  CHECK(s.report.residual < 1e-13);
  CHECK((s.impulse - t.impulse).norm() < 1e-10 * t.impulse.norm());
}

TEST_CASE("solving again allocates nothing, and starts from the last impulses") {
  Random random(95);
  Balls b = random_balls(random, 20, 25);
  RollingSolver solver;
  RollingSolution solution;
  solver.solve(b.problem, {}, solution);
  const int cold = solution.report.sweeps;
  b.problem.free_velocity *= 1.0001;
  const std::size_t before = allocations();
  solver.solve(b.problem, {}, solution);
  CHECK(allocations() == before);
  CHECK(solution.report.converged);
  CHECK(solution.report.sweeps < cold);
}

TEST_CASE("what does not fit is told; what does not converge says so") {
  Random random(96);
  Balls b = random_balls(random, 10, 20);
  RollingOptions few;
  few.max_sweeps = 2;
  const RollingSolution s = solve_rolling(b.problem, few);
  CHECK_FALSE(s.report.converged);
  CHECK(s.report.why == "sweeps used up");
  CHECK(s.report.residual > 1e-10);
  CHECK(s.impulse.allFinite());
  CHECK_THROWS_AS(RollingDelassus({7}, std::vector<RollingDelassus::Entry>{}), InvalidInput);
  CHECK_THROWS_AS(RollingDelassus({1}, std::vector<RollingDelassus::Entry>{{0, 1, RollingContactMat::Ones(1, 1)}}),
                  InvalidInput);
  b.problem.contacts.pop_back();
  CHECK_THROWS_AS(solve_rolling(b.problem), InvalidInput);
  const RollingSolution none = solve_rolling(RollingProblem{});
  CHECK(none.report.converged);
}
