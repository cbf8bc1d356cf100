// Many contacts with sliding, drilling and rolling.
#include "slipset/contact/rolling_contact_law.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_rolling.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

const std::vector<RollingContactLaw>& some_laws() {
  static const auto law = [](RollingLaw l) { return RollingContactLaw(std::move(l)); };
  static const std::vector<RollingContactLaw> laws = {
      law(RollingLaw::contensou(0.3, 0.02, PatchPressure::hertz, PlanarSet(Disk(0.003)))),
      law(RollingLaw::contensou(0.5, 0.05, PatchPressure::uniform)),
      law(RollingLaw::product(PlanarSet(Ellipse(0.6, 0.3, 0.3)), Interval(0.01, 0.02),
                              PlanarSet(Rectangle(0.01, 0.004)))),
      law(RollingLaw::ellipsoid({Vec2(0.4, 0.2), 0.2, 0.01, Vec2(0.02, 0.01), 0.1})),
      law(RollingLaw::product(PlanarSet(Disk(0.4)), std::nullopt, std::nullopt)),
      law(RollingLaw::product(std::nullopt, Interval(0.01), std::nullopt))};
  return laws;
}

// Balls of 5 cm that touch each other or a fixed body in random directions: sparse, all components coupled.
struct Balls {
  Eigen::MatrixXd directions;  // rows: components of all contacts
  Eigen::VectorXd inverse_mass, velocity;
  ContactProblem problem;

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
    const RollingContactLaw* contact_law =
        choice < static_cast<int>(some_laws().size()) ? &some_laws()[static_cast<std::size_t>(choice)] : nullptr;
    const RollingLaw* law = contact_law ? &contact_law->law() : nullptr;
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
    b.problem.contacts.push_back({.law = contact_law});
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
  b.problem.delassus = std::make_shared<BlockDelassus>(
      RowLayout(sizes), Eigen::MatrixXd(b.directions * b.inverse_mass.asDiagonal() * b.directions.transpose()));
  b.problem.free_velocity = b.directions * b.velocity;
  return b;
}

ContactOptions with_tolerance(double tolerance, ContactMethod method = ContactMethod::automatic) {
  ContactOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  return options;
}

}  // namespace

TEST_CASE("T.11 random sparse problems: residual below 1e-10, energy never created") {
  Random random(91);
  Worst worst, created;
  Worst most;
  for (int i = 0; i < 20; ++i) {
    const int balls = i < 10 ? 25 : 100, contacts = i % 2 ? balls : 3 * balls / 2;
    const Balls b = random_balls(random, balls, contacts);
    const ContactSolution s = solve(b.problem, with_tolerance(1e-10));
    CHECK(s.report.solved());
    CHECK(s.report.residual == near(contact_residual(b.problem, s.impulse), 1e-2));
    worst.add(contact_residual(b.problem, s.impulse));
    const double before = b.energy(b.velocity), after = b.energy(b.after(s.impulse));
    created.add((after - before) / before);
    most.add(s.report.sweeps);
    // u is what the bodies do.
    CHECK((s.velocity - b.directions * b.after(s.impulse)).norm() < 1e-11 * b.velocity.norm());
  }
  show_worst("rolling problem", "residual", worst.value());
  show_worst("rolling problem", "sweeps", most.value());
  CHECK(worst.value() < 1e-10);
  CHECK(created.value() < 0);
}

TEST_CASE("more contacts than the balls have freedoms") {
  Random random(92);
  for (int i = 0; i < 3; ++i) {
    const Balls b = random_balls(random, 12, 36);
    const ContactSolution s = solve(b.problem, with_tolerance(1e-10));
    CHECK(s.report.solved());
    CHECK(contact_residual(b.problem, s.impulse) < 1e-10);
    CHECK(b.energy(b.after(s.impulse)) < b.energy(b.velocity));
    show_worst("more contacts", "sweeps", s.report.sweeps);
  }
}

// A box on its four corners has 24 impulses for six freedoms; pushed hard towards one side it rocks, slides or stays.
TEST_CASE("T.16 a box on four corners, at rest or not: solved to the tolerance, in few sweeps") {
  Random random(95);
  Worst most;
  for (int k = 0; k < 200; ++k) {
    const RollingContactLaw& contact_law = some_laws()[static_cast<std::size_t>(k % 6)];
    const RollingLaw& law = contact_law.law();
    const Vec3 half(random.uniform(0.02, 0.2), random.uniform(0.02, 0.2), random.uniform(0.02, 0.2));
    const double mass = random.log_uniform(0.1, 10);
    Eigen::VectorXd inverse(6);
    inverse << Vec3::Constant(1 / mass),
        Vec3(3 / (half.y() * half.y() + half.z() * half.z()), 3 / (half.x() * half.x() + half.z() * half.z()),
             3 / (half.x() * half.x() + half.y() * half.y())) /
            mass;
    Eigen::MatrixXd rows(0, 6);
    ContactProblem problem;
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
      problem.contacts.push_back({.law = &contact_law});
    }
    problem.delassus = std::make_shared<BlockDelassus>(RowLayout(4, 1 + law.size()),
                                                       Eigen::MatrixXd(rows * inverse.asDiagonal() * rows.transpose()));
    Eigen::VectorXd u(6);
    const double push = k % 3 == 0 ? 0.001 : 0.02;
    u << push * random.uniform(-1, 1), push * random.uniform(-1, 1), -0.02, push * random.uniform(-3, 3),
        push * random.uniform(-3, 3), push * random.uniform(-9, 9);
    problem.free_velocity = rows * u;
    const ContactSolution s = solve(problem, with_tolerance(1e-9));
    CHECK(s.report.solved());
    CHECK(contact_residual(problem, s.impulse) < 1.1e-9);
    most.add(s.report.sweeps);
  }
  show_worst("box on corners", "sweeps", most.value());
  CHECK(most.value() < 300);  // measured 61
}

TEST_CASE("all methods, with and without acceleration, leave the bodies the same velocities") {
  Random random(93);
  const Balls b = random_balls(random, 20, 20);
  const ContactSolution s = solve(b.problem, with_tolerance(1e-13, ContactMethod::gauss_seidel));
  REQUIRE(s.report.solved());
  for (const ContactMethod method : {ContactMethod::automatic, ContactMethod::newton, ContactMethod::splitting,
                                     ContactMethod::search, ContactMethod::fixed_point}) {
    CAPTURE(std::string(name_of(method)));
    const ContactSolution t = solve(b.problem, with_tolerance(1e-12, method));
    REQUIRE(t.report.solved());
    CHECK((b.after(s.impulse) - b.after(t.impulse)).norm() < 1e-9 * b.velocity.norm());
  }
}

TEST_CASE("with two components each it is the planar problem") {
  Random random(94);
  const Ellipse ellipse(0.5, 0.3, 0.4);
  const RollingContactLaw law(RollingLaw::product(PlanarSet(ellipse), std::nullopt, std::nullopt));
  const int n = 12;
  Eigen::MatrixXd a(3 * n, 3 * n + 6);
  for (Eigen::Index i = 0; i < a.size(); ++i) a.data()[i] = random.uniform(-1, 1);
  const Eigen::MatrixXd w = a * a.transpose() + 5 * Eigen::MatrixXd::Identity(3 * n, 3 * n);
  ContactProblem p;
  p.delassus = std::make_shared<BlockDelassus>(w);
  p.contacts.assign(n, {.law = &law});
  p.free_velocity.resize(3 * n);
  for (Eigen::Index i = 0; i < 3 * n; ++i) p.free_velocity[i] = random.uniform(-1, i % 3 == 0 ? 0.2 : 1);
  ContactProblem other;
  other.delassus = p.delassus;
  other.free_velocity = p.free_velocity;
  const PlanarContactLaw planar(associated(ellipse));
  Contact point;
  point.law = &planar;
  other.contacts.assign(n, point);
  ContactOptions options;
  options.method = ContactMethod::automatic;
  const ContactSolution s = solve(p, with_tolerance(1e-14));
  const ContactSolution t = solve(other, options);
  REQUIRE(t.report.solved());
  CHECK(s.report.residual < 1e-13);
  CHECK((s.impulse - t.impulse).norm() < 1e-10 * t.impulse.norm());
}

TEST_CASE("solving again allocates nothing, and starts from the last impulses") {
  Random random(95);
  Balls b = random_balls(random, 20, 25);
  ContactSolver solver;
  ContactSolution solution;
  const ContactOptions options = with_tolerance(1e-10);
  solver.solve(b.problem, options, solution);
  const int cold = solution.report.iterations;
  b.problem.free_velocity *= 1.0001;
  const std::size_t before = allocations();
  solver.solve(b.problem, options, solution);
  CHECK(allocations() == before);
  CHECK(solution.report.solved());
  CHECK(solution.report.iterations < cold);
}

TEST_CASE("what does not fit is reported; what does not converge says so") {
  Random random(96);
  Balls b = random_balls(random, 10, 20);
  ContactOptions few = with_tolerance(1e-10);
  few.max_iterations = 2;
  const ContactSolution s = solve(b.problem, few);
  CHECK(s.report.status == ContactStatus::not_reached);
  CHECK(s.report.stop_reason == "largest number of iterations");
  CHECK(s.report.residual > 1e-10);
  CHECK(s.impulse.allFinite());
  const int seven[] = {7}, one[] = {1};
  CHECK_THROWS_AS(RowLayout{std::span<const int>(seven)}, InvalidInput);
  const BlockDelassus::Entry outside[] = {{0, 1, ContactMat::Ones(1, 1)}};
  CHECK_THROWS_AS(BlockDelassus(RowLayout(std::span<const int>(one)), outside), InvalidInput);
  b.problem.contacts.pop_back();
  CHECK_THROWS_AS(solve(b.problem), InvalidInput);
  CHECK(solve(ContactProblem{}).report.solved());
}
