// Every method with every kind of law and every operator: agrees, or refuses. Joints, lines and a law of a user's own.
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SparseCore>
#include <cmath>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/body_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/contact_solver.hpp"
#include "slipset/contact/joint_law.hpp"
#include "slipset/contact/line_contact_law.hpp"
#include "slipset/contact/mass_delassus.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/error.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"
#include "tests/support/user_ellipse.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr ContactMethod kMethods[] = {ContactMethod::automatic, ContactMethod::gauss_seidel,
                                      ContactMethod::newton,    ContactMethod::splitting,
                                      ContactMethod::search,    ContactMethod::fixed_point};

ContactOptions with(ContactMethod method, double tolerance = 1e-10) {
  ContactOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.max_iterations = 50000;
  return options;
}

// A user's law: viscous friction, -p_T = μ p_N d u_T, no stick; three rows.
class ViscousLaw final : public ContactLaw {
 public:
  explicit ViscousLaw(double factor) : factor_(factor) {}
  int rows() const override { return 3; }
  std::string description() const override { return "viscous"; }
  bool solve(const Contact& contact, const LocalBlock& block, const ContactVec& c, double,
             LocalState& state) const override {
    if (!contact.normal_impulse && c[0] >= 0) {
      state.impulse = ContactVec::Zero(3);
      state.velocity = c;
      state.mode = ContactMode::open;
      return true;
    }
    // u_N = 0 and p_T + f p_N u_T = 0 by Newton's method.
    ContactVec p = ContactVec::Zero(3);
    p[0] = -c[0] / block.g(0, 0);
    for (int k = 0; k < 50; ++k) {
      const ContactVec u = block.g * p + c;
      Vec3 f(u[0], p[1] + factor_ * p[0] * u[1], p[2] + factor_ * p[0] * u[2]);
      Mat3 j = Mat3::Zero();
      j.row(0) = block.g.row(0);
      for (int i = 1; i < 3; ++i) {
        j.row(i) = factor_ * p[0] * block.g.row(i);
        j(i, 0) += factor_ * u[i];
        j(i, i) += 1;
      }
      p -= Vec3(j.inverse() * f);
    }
    if (!p.allFinite() || !(p[0] >= 0)) return false;
    state.impulse = p;
    state.velocity = block.g * p + c;
    state.mode = ContactMode::slip;
    return true;
  }
  Tangent linearize(const Contact&, const LocalBlock&, const LocalState& state) const override {
    Tangent t{ContactMat::Identity(3, 3), ContactMat::Zero(3, 3)};
    if (state.mode == ContactMode::open) return t;
    t.by_impulse(0, 0) = 0;
    t.by_velocity(0, 0) = 1;
    for (int i = 1; i < 3; ++i) {
      t.by_impulse(i, 0) = factor_ * state.velocity[i];
      t.by_velocity(i, i) = factor_ * state.impulse[0];
    }
    return t;
  }
  double residual(const Contact&, const ContactMat& g, const ContactVec& p, const ContactVec& u,
                  const VelocitySums& sums) const override {
    const double mobility = g.trace() / 3;
    const double off = std::abs(std::min(u[0], mobility * p[0])) +
                       mobility * std::hypot(p[1] + factor_ * p[0] * u[1], p[2] + factor_ * p[0] * u[2]);
    return off / sums.total;
  }

 private:
  double factor_;
};

// Rigid bodies that touch in random places, with rows as each law asks for: the same W by bodies, blocks and masses.
struct Kind {
  const ContactLaw* law;
  std::uint8_t rows;
};

struct Mixed {
  BodyDelassus bodies;
  ContactProblem by_bodies, by_blocks, by_masses;
};

Mixed make_mixed(Random& random, const std::vector<Kind>& kinds, std::size_t contacts) {
  const auto vector = [&](double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
  };
  Mixed m;
  const std::size_t bodies = contacts + 1;  // as many freedoms as a chain with branches has
  m.bodies.resize(bodies, contacts);
  for (std::size_t b = 1; b < bodies; ++b) {
    const Mat3 root = Mat3::Identity() + 0.3 * Mat3(vector(1) * vector(1).transpose());
    m.bodies.body(b) = {random.uniform(0.5, 2), root * root.transpose()};
  }
  for (std::size_t i = 0; i < contacts; ++i) {
    const Mat3 frame = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 1.5)
                           .normalized()
                           .toRotationMatrix();
    const Kind& kind = kinds[i % kinds.size()];
    m.bodies.contact(i) = {static_cast<std::uint32_t>(i - i % 3 % (i + 1)),
                           static_cast<std::uint32_t>(i + 1),
                           frame,
                           vector(0.3),
                           vector(0.3),
                           kind.rows};
    m.by_bodies.contacts.push_back({.law = kind.law});
  }
  m.bodies.connect();
  m.by_bodies.free_velocity.resize(m.bodies.rows());
  for (double& q : m.by_bodies.free_velocity) q = random.uniform(-1, 1);
  for (std::size_t i = 0; i < contacts; ++i) m.by_bodies.free_velocity[m.bodies.offset(i)] = random.uniform(-2, 0.3);
  return m;
}

void finish(Mixed& m) {
  m.by_bodies.delassus = kept_elsewhere(m.bodies);
  m.by_blocks = assembled(m.by_bodies);
  // H from the bodies' velocities, M from their inertia; the first body does not move and is left out.
  const std::size_t n = m.bodies.bodies() - 1;
  const auto dofs = static_cast<Eigen::Index>(6 * n);
  Eigen::MatrixXd h(dofs, m.bodies.rows()), inverse = Eigen::MatrixXd::Zero(dofs, dofs);
  for (std::size_t b = 0; b < n; ++b) {
    const auto at = static_cast<Eigen::Index>(6 * b);
    inverse.block<3, 3>(at, at) = m.bodies.body(b + 1).inverse_mass * Mat3::Identity();
    inverse.block<3, 3>(at + 3, at + 3) = m.bodies.body(b + 1).inverse_inertia;
    for (Eigen::Index k = 0; k < 6; ++k) {
      std::vector<BodyVelocity> unit(n + 1);
      (k < 3 ? unit[b + 1].linear : unit[b + 1].angular)[k % 3] = 1;
      for (std::size_t i = 0; i < m.bodies.contacts(); ++i) {
        const ContactVec u = m.bodies.velocity<Eigen::Dynamic>(i, unit);
        for (Eigen::Index r = 0; r < u.size(); ++r) h(at + k, m.bodies.offset(i) + r) = u[r];
      }
    }
  }
  const Eigen::MatrixXd mass = inverse.inverse();
  m.by_masses = m.by_bodies;
  m.by_masses.delassus = std::make_shared<MassDelassus>(Eigen::SparseMatrix<double>(mass.sparseView()),
                                                        Eigen::SparseMatrix<double>(h.sparseView()), m.bodies.layout());
}

}  // namespace

TEST_CASE("W of contacts and joints of 1 to 6 rows by bodies, by blocks and by masses is one matrix") {
  Random random(201);
  const std::uint8_t rows[] = {kNormalRow,
                               kNormalRow | kDrillingRow,
                               kPointRows,
                               kPointRows | kDrillingRow,
                               kNormalRow | kTangentRows | kRollingRows,
                               kAllRows};
  std::vector<Kind> kinds;
  for (const std::uint8_t r : rows) kinds.push_back({nullptr, r});
  Mixed m = make_mixed(random, kinds, 24);
  finish(m);
  CHECK(m.bodies.rows() == 4 * (1 + 2 + 3 + 4 + 5 + 6));
  const Eigen::MatrixXd dense = m.by_blocks.delassus->as_blocks()->sparse();
  Eigen::VectorXd p(dense.rows()), u(dense.rows());
  for (double& x : p) x = random.uniform(-1, 1);
  const Eigen::VectorXd expected = dense * p + m.by_blocks.free_velocity;
  for (const ContactProblem* problem : {&m.by_bodies, &m.by_blocks, &m.by_masses}) {
    problem->delassus->multiply_add(p, problem->free_velocity, u);
    CHECK((u - expected).norm() < 1e-12 * expected.norm());
    for (std::size_t i = 0; i < m.bodies.contacts(); ++i) {
      const Eigen::Index at = m.bodies.offset(i), n = m.bodies.rows(i);
      CHECK((Eigen::MatrixXd(problem->delassus->diagonal(i)) - dense.block(at, at, n, n)).norm() <
            1e-12 * dense.norm());
    }
    // (W + S)⁻¹
    std::unique_ptr<ShiftedSolver> solver = problem->delassus->shifted_solver();
    REQUIRE(solver);
    Eigen::MatrixXd shifted = dense;
    std::vector<double> shift;
    for (std::size_t i = 0; i < m.bodies.contacts(); ++i) {
      const Eigen::Index at = m.bodies.offset(i), n = m.bodies.rows(i);
      const Eigen::MatrixXd block = Eigen::MatrixXd::Identity(n, n) * (1.0 + 0.1 * static_cast<double>(i));
      shifted.block(at, at, n, n) += block;
      shift.insert(shift.end(), block.data(), block.data() + block.size());
    }
    REQUIRE(solver->factorize(Eigen::Map<Eigen::VectorXd>(shift.data(), static_cast<Eigen::Index>(shift.size()))));
    Eigen::VectorXd x = p;
    solver->solve(x);
    CHECK((shifted * x - p).norm() < 1e-11 * p.norm());
  }
}

TEST_CASE("every method with every law and operator agrees with sweeps, or refuses with InvalidInput") {
  const PlanarContactLaw disk(isotropic(0.3)), pair(SuperellipsePair({0.3, 0.2}, {1, 0.9}, 1.6, 0.3).law(), 90);
  const RollingContactLaw rolling(
      RollingLaw::product(PlanarSet(Ellipse(0.4, 0.2, 0.3)), Interval(0.05, 0.1), Disk(0.05)));
  const RollingContactLaw patch(RollingLaw::contensou(0.3, 0.1, PatchPressure::uniform));
  const LineContactLaw line(Interval(0.2, 0.4));
  const ViscousLaw viscous(0.3);
  const std::vector<std::vector<Kind>> worlds = {
      {{&disk, kPointRows}},
      {{&pair, kPointRows}, {nullptr, kPointRows}},
      {{&rolling, kAllRows}, {&patch, kPointRows | kDrillingRow}},
      {{&disk, kPointRows}, {&rolling, kAllRows}, {&joint_law(3), kPointRows}, {nullptr, kNormalRow}},
      {{&line, kNormalRow | 2}, {&joint_law(5), kAllRows & ~kDrillingRow}, {&pair, kPointRows}},
      {{&viscous, kPointRows}, {&disk, kPointRows}}};
  Random random(202);
  int refused = 0;
  for (std::size_t k = 0; k < worlds.size(); ++k)
    for (int sample = 0; sample < 3; ++sample) {
      CAPTURE(k);
      Mixed m = make_mixed(random, worlds[k], 10);
      finish(m);
      const ContactSolution reference = solve(m.by_blocks, with(ContactMethod::gauss_seidel, 1e-12));
      REQUIRE(reference.report.solved());
      CHECK(contact_residual(m.by_blocks, reference.impulse) <= 1e-12);
      for (const ContactProblem* problem : {&m.by_blocks, &m.by_bodies, &m.by_masses})
        for (const ContactMethod method : kMethods) {
          CAPTURE(std::string(name_of(method)));
          ContactSolution s;
          try {
            s = solve(*problem, with(method));
          } catch (const InvalidInput& error) {
            ++refused;
            CHECK(method == ContactMethod::fixed_point);
            CHECK(k == 5);  // the user's law has no projection
            CHECK(std::string(error.what()).find("viscous") != std::string::npos);
            continue;
          }
          CHECK(s.report.options.method == method);
          if (!s.report.solved()) {  // the papers' iteration need not converge
            CHECK(method == ContactMethod::fixed_point);
            continue;
          }
          CHECK(contact_residual(m.by_blocks, s.impulse) < 1e-7);
          CHECK((s.velocity - reference.velocity).norm() < 1e-6 * m.by_blocks.free_velocity.norm());
          CHECK(s.modes.size() == m.bodies.contacts());
        }
    }
  CHECK(refused == 9);
}

TEST_CASE("J.1 joints in closed form: a pendulum's rod, a ball joint, rows that say the same twice") {
  // Two masses m, M in space, joined: afterwards both move with the mean, and the impulse is that of the reduced mass.
  for (const ContactMethod method : kMethods) {
    CAPTURE(std::string(name_of(method)));
    BodyDelassus bodies;
    bodies.resize(2, 1);
    bodies.body(0) = {0.5, Mat3::Identity()};
    bodies.body(1) = {2.0, Mat3::Identity()};
    bodies.contact(0) = {0, 1, Mat3::Identity(), Vec3::Zero(), Vec3::Zero(), kPointRows};
    bodies.connect();
    ContactProblem problem{kept_elsewhere(bodies), Vec3(1, -2, 3), {{.law = &joint_law(3)}}, {}};
    const ContactSolution s = solve(problem, with(method, 1e-12));
    REQUIRE(s.report.solved());
    CHECK((s.impulse + Vec3(1, -2, 3) / 2.5).norm() < 1e-11);
    CHECK(s.velocity.norm() < 1e-11);
    CHECK(s.modes[0] == ContactMode::stick);
  }
  // A rod between two points: one row along it.
  BlockDelassus rod;
  rod.resize(1, 1);
  rod.block(0, 0)(0, 0) = 4;
  ContactProblem along{kept_elsewhere(rod), Eigen::VectorXd::Constant(1, 2.0), {{.law = &joint_law(1)}}, {}};
  CHECK(solve(along).impulse[0] == near(-0.5, 1e-12));  // pulls, as no contact could
  // Three rows of rank two that agree share the impulse; that do not have no solution, and that is proven.
  Eigen::MatrixXd g = Eigen::MatrixXd::Zero(3, 3);
  g << 1, 1, 0, 1, 1, 0, 0, 0, 1;
  const BlockDelassus twice(g);
  ContactProblem redundant{kept_elsewhere(twice), Vec3(1, 1, 2), {{.law = &joint_law(3)}}, {}};
  ContactSolution s = solve(redundant);
  CHECK(s.report.solved());
  CHECK((s.impulse - Vec3(-0.5, -0.5, -2)).norm() < 1e-14);
  redundant.free_velocity = Vec3(1, 0, 2);
  s = solve(redundant);
  CHECK(s.report.status == ContactStatus::no_solution);
  CHECK(s.modes[0] == ContactMode::none);
  redundant.contacts[0].normal_impulse = 1;
  CHECK_THROWS_AS(solve(redundant), InvalidInput);
  CHECK_THROWS_AS(joint_law(7), InvalidInput);
}

TEST_CASE("J.2 the residual of joints is the same in other units, row by row") {
  // Three translations and two rotations (a hinge) between bodies: rates in rad/s, velocities in m/s or mm/s.
  Random random(81);
  for (int sample = 0; sample < 20; ++sample) {
    const Eigen::MatrixXd h =
        Eigen::MatrixXd::NullaryExpr(10, 14, [&](Eigen::Index, Eigen::Index) { return random.uniform(-1, 1); });
    const Eigen::VectorXd q = Eigen::VectorXd::NullaryExpr(10, [&](Eigen::Index) { return random.uniform(-1, 1); }),
                          p = Eigen::VectorXd::NullaryExpr(10,
                                                           [&](Eigen::Index) { return random.uniform(-0.02, 0.02); });
    const auto residual_in = [&](double unit) {
      Eigen::VectorXd scale = Eigen::VectorXd::Ones(10);
      scale.segment(0, 3).setConstant(unit);
      scale.segment(5, 3).setConstant(unit);
      const Eigen::MatrixXd all = scale.asDiagonal() * (h * h.transpose()) * scale.asDiagonal();
      const BlockDelassus w(RowLayout(2, 5), all);
      const ContactProblem problem{
          kept_elsewhere(w), scale.cwiseProduct(q), {{.law = &joint_law(5)}, {.law = &joint_law(5)}}, {}};
      return contact_residual(problem, p.cwiseQuotient(scale));
    };
    const double here = residual_in(1);
    CHECK(here > 0);
    CHECK(residual_in(1000) == near(here, 1e-12));
  }
  // By hand. The second row, of mobility 4, is off by 1; 0.5 adds up in it, and 3/1 in the first, which is 6 there.
  Eigen::MatrixXd g(2, 2);
  g << 1, 0, 0, 4;
  const VelocitySums sums{9, Eigen::Vector2d(3, 0.5)};
  const ContactLaw& law = joint_law(2);
  const Contact joint{.law = &law};
  CHECK(law.residual(joint, g, Eigen::Vector2d(1, 1), Eigen::Vector2d(0, 1), sums) == near(1.0 / 6, 1e-15));
  CHECK(std::isnan(law.residual(joint, g, Eigen::Vector2d(NAN, 1), Eigen::Vector2d(0, 0), sums)));
  CHECK(std::isnan(law.residual(joint, g, Eigen::Vector2d(1, 1), Eigen::Vector2d(0, NAN), sums)));
  // What nothing moves.
  g(1, 1) = 0;
  CHECK(law.residual(joint, g, Eigen::Vector2d(1, 1), Eigen::Vector2d(0, 1), sums) == near(1.0 / 9, 1e-15));
}

TEST_CASE("C.1 every method returns the velocities of its impulses, and their error, solved or not") {
  Random random(82);
  const PlanarContactLaw sliding(associated(Ellipse(0.4, 0.2, 0.3)));
  const std::vector<std::vector<Kind>> groups = {
      {{&sliding, kPointRows}}, {{&sliding, kPointRows}, {&joint_law(3), kPointRows}, {nullptr, kNormalRow}}};
  int unsolved = 0, rough = 0;
  for (int sample = 0; sample < 5; ++sample)
    for (const std::vector<Kind>& kinds : groups) {
      Mixed m = make_mixed(random, kinds, 8 + static_cast<std::size_t>(sample));
      m.by_bodies.delassus = kept_elsewhere(m.bodies);
      m.by_blocks = assembled(m.by_bodies);
      for (const ContactMethod method : kMethods)
        for (const int iterations : {1, 2, 7, 20000})
          for (const double tolerance : {1e-3, 1e-8}) {
            CAPTURE(std::string(name_of(method)));
            CAPTURE(iterations);
            ContactOptions options = with(method, tolerance);
            options.max_iterations = iterations;
            options.settled_contacts = 0;
            const ContactSolution s = solve(m.by_blocks, options);
            Eigen::VectorXd u(s.impulse.size());
            m.by_blocks.delassus->multiply_add(s.impulse, m.by_blocks.free_velocity, u);
            const double size = u.norm() + m.by_blocks.free_velocity.norm();
            CHECK((s.velocity - u).norm() <= 1e-13 * size);
            if (s.report.status == ContactStatus::no_solution) continue;
            const double error = contact_residual(m.by_blocks, s.impulse);
            CHECK(std::abs(s.report.error - error) <= 1e-10 * error + 1e-14);
            CHECK(std::abs(s.report.residual - error) <= 1e-10 * error + 1e-14);
            unsolved += !s.report.solved();
            rough += error > 1e-6;
          }
    }
  CHECK(unsolved > 50);
  CHECK(rough > 50);
}

TEST_CASE("C.1 one contact alone has the velocity of its impulse, with every law, slipping, sticking and open") {
  Random random(83);
  const PlanarContactLaw sliding(associated(Ellipse(0.4, 0.2, 0.3)));
  for (const ContactLaw* law : {static_cast<const ContactLaw*>(&sliding), &joint_law(3), &frictionless_law(3)})
    for (int sample = 0; sample < 100; ++sample) {
      const Mat3 root = Mat3::Identity() + 0.3 * Mat3::NullaryExpr([&] { return random.uniform(-1, 1); });
      const BlockDelassus w(Eigen::MatrixXd(root * root.transpose()));
      const Vec3 q(random.uniform(-2, 0.5), random.uniform(-1, 1), random.uniform(-1, 1));
      const ContactProblem problem{kept_elsewhere(w), q, {{.law = law}}, {}};
      const ContactSolution s = solve(problem);
      REQUIRE(s.report.solved());
      const Vec3 u = root * root.transpose() * Vec3(s.impulse) + q;
      CHECK((Vec3(s.velocity) - u).norm() <= 1e-14 * (q.norm() + (root * root.transpose() * Vec3(s.impulse)).norm()));
    }
}

TEST_CASE("C.19 friction along a line in closed form, with its normal row and without") {
  const LineContactLaw line(Interval(0.2, 0.4)), alone(Interval(0.2, 0.4), LineContactLaw::Rows::line_alone);
  BlockDelassus two, one;
  two.resize(1, 2);
  two.block(0, 0) = ContactMat(Eigen::Matrix2d(Eigen::Vector2d(2, 4).asDiagonal()));
  one.resize(1, 1);
  one.block(0, 0)(0, 0) = 4;
  for (const ContactMethod method : kMethods) {
    CAPTURE(std::string(name_of(method)));
    const auto impulse = [&](const Eigen::VectorXd& q) {
      ContactProblem problem{kept_elsewhere(two), q, {{.law = &line}}, {}};
      const ContactSolution s = solve(problem, with(method, 1e-12));
      REQUIRE(s.report.solved());
      return Eigen::Vector2d(s.impulse);
    };
    CHECK((impulse(Eigen::Vector2d(-1, 3)) - Eigen::Vector2d(0.5, -0.2)).norm() < 1e-11);    // forward: 0.4 p_N
    CHECK((impulse(Eigen::Vector2d(-1, -3)) - Eigen::Vector2d(0.5, 0.1)).norm() < 1e-11);    // backward: 0.2 p_N
    CHECK((impulse(Eigen::Vector2d(-1, 0.4)) - Eigen::Vector2d(0.5, -0.1)).norm() < 1e-11);  // stick
    CHECK(impulse(Eigen::Vector2d(1, 3)).norm() == 0);
    ContactProblem given{kept_elsewhere(one), Eigen::VectorXd::Constant(1, 3.0), {{.law = &alone}}, {}};
    given.contacts[0].normal_impulse = 0.5;
    CHECK(solve(given, with(method, 1e-12)).impulse[0] == near(-0.2, 1e-12));
    given.free_velocity[0] = 0.4;
    CHECK(solve(given, with(method, 1e-12)).impulse[0] == near(-0.1, 1e-12));
  }
  LocalState state;
  const ContactMat g = two.diagonal(0);
  REQUIRE(line.search({.law = &line}, g, Eigen::Vector2d(-1, 3), state) == 1);
  CHECK(state.velocity[0] == 0);
  CHECK(state.velocity[1] == near(3 - 4 * 0.2, 1e-15));
  REQUIRE(line.search({.law = &line}, g, Eigen::Vector2d(-1, 0.4), state) == 1);
  CHECK(state.velocity.norm() == 0);
  // A resistance that is within the reservoir while the contact slides: what is amiss is the whole velocity.
  const VelocitySums sums{0.5, ContactVec::Constant(2, 0.5)};
  CHECK(line.residual({.law = &line}, g, Eigen::Vector2d(0.5, 0), Eigen::Vector2d(0, 0.01), sums) == near(0.02, 1e-14));
  const VelocitySums rest{0, ContactVec::Zero(2)};
  CHECK(line.residual({.law = &line}, g, Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero(), rest) == 0);
  ContactProblem missing{kept_elsewhere(one), Eigen::VectorXd::Constant(1, 3.0), {{.law = &alone}}, {}};
  CHECK_THROWS_AS(solve(missing), InvalidInput);
}

TEST_CASE("options are obeyed or refused") {
  const PlanarContactLaw disk(isotropic(0.3));
  BlockDelassus w(Eigen::MatrixXd(Eigen::MatrixXd::Identity(6, 6)));
  ContactProblem problem{kept_elsewhere(w), Eigen::VectorXd::Constant(6, -1), {{.law = &disk}, {.law = &disk}}, {}};
  for (const ContactMethod method : kMethods) {
    CAPTURE(std::string(name_of(method)));
    ContactOptions options = with(method);
    options.measure = ContactMeasure::full_error;
    const ContactSolution s = solve(problem, options);
    CHECK(s.report.solved());
    CHECK(s.report.error == near(full_error(problem, s.impulse), 1e-6));
    options.step = 0.5;
    if (method != ContactMethod::fixed_point) CHECK_THROWS_AS(solve(problem, options), InvalidInput);
    options = with(method, -1);
    CHECK_THROWS_AS(solve(problem, options), InvalidInput);
  }
  problem.contacts[1].law = &joint_law(2);
  CHECK_THROWS_WITH_AS(solve(problem), doctest::Contains("contact 1"), InvalidInput);
}

TEST_CASE("a problem that a contact proves to have no solution says so, with and without others") {
  BlockDelassus w;
  w.resize(2);
  w.block<3>(1, 1) = Mat3::Identity();
  ContactProblem problem{kept_elsewhere(w), Eigen::VectorXd::Constant(6, -1), {{}, {}}, {}};
  const ContactSolution s = solve(problem);
  CHECK(s.report.status == ContactStatus::no_solution);
  CHECK(name_of(s.report.status) == "no-solution");
}

TEST_CASE(
    "a user's set that is an ellipse gives the ellipse's answers, by every method, in C and D and in rolling laws") {
  Random random(203);
  const auto pair = [](const PlanarSet& set) { return FrictionLaw(set, set); };
  const auto other = [](const PlanarSet& set) { return FrictionLaw(set, Disk(1)); };
  const auto rolls = [](const PlanarSet& set) { return RollingLaw::product(set, Interval(0.05), std::nullopt); };
  const PlanarSet own = user_ellipse(0.4, 0.2, 0.5), ellipse = Ellipse(0.4, 0.2, 0.5);
  const PlanarContactLaw laws[] = {PlanarContactLaw(pair(own), 90), PlanarContactLaw(pair(ellipse), 90),
                                   PlanarContactLaw(other(own), 90), PlanarContactLaw(other(ellipse), 90)};
  const RollingContactLaw rolling[] = {RollingContactLaw(rolls(own)), RollingContactLaw(rolls(ellipse))};
  const std::pair<const ContactLaw*, const ContactLaw*> pairs[] = {
      {&laws[0], &laws[1]}, {&laws[2], &laws[3]}, {&rolling[0], &rolling[1]}};
  for (const auto& [first, second] : pairs) {
    Mixed m = make_mixed(random, {{first, static_cast<std::uint8_t>(first->rows() == 4 ? 15 : 7)}}, 8);
    finish(m);
    ContactProblem same = m.by_blocks;
    for (Contact& contact : same.contacts) contact.law = second;
    for (const ContactMethod method : kMethods) {
      CAPTURE(std::string(name_of(method)));
      const ContactSolution a = solve(m.by_blocks, with(method, 1e-11)), b = solve(same, with(method, 1e-11));
      CHECK(a.report.status == b.report.status);
      if (!a.report.solved()) continue;
      CHECK((a.velocity - b.velocity).norm() < 1e-8 * same.free_velocity.norm());
    }
  }
}

TEST_CASE("many contacts that roll, slide and hold: the same bits on any number of threads, by blocks and by bodies") {
  const PlanarContactLaw disk(isotropic(0.3));
  const RollingContactLaw rolling(RollingLaw::product(PlanarSet(Ellipse(0.4, 0.2)), Interval(0.05), Disk(0.05)));
  const std::vector<Kind> mixed = {
      {&disk, kPointRows}, {&rolling, kAllRows}, {&joint_law(3), kPointRows}, {nullptr, kNormalRow}};
  for (const std::vector<Kind>& kinds : {mixed, std::vector<Kind>{{&rolling, kAllRows}}}) {
    Random random(204);
    Mixed m = make_mixed(random, kinds, 2400);
    m.by_bodies.delassus = kept_elsewhere(m.bodies);
    m.by_blocks = assembled(m.by_bodies);
    Eigen::VectorXd velocity;
    for (const ContactProblem* problem : {&m.by_blocks, &m.by_bodies})
      for (const ContactMethod method : {ContactMethod::gauss_seidel, ContactMethod::automatic}) {
        ContactOptions options = with(method, 1e-9);
        const ContactSolution one = solve(*problem, options);
        options.threads = 2;
        const ContactSolution two = solve(*problem, options);
        REQUIRE(one.report.solved());
        CHECK((one.impulse.array() == two.impulse.array()).all());
        CHECK((one.velocity.array() == two.velocity.array()).all());
        CHECK(one.report.error == two.report.error);
        CHECK(one.report.residual == two.report.residual);
        CHECK(one.report.iterations == two.report.iterations);
        CHECK(contact_residual(m.by_blocks, one.impulse) == near(one.report.residual, 1e-3));
        if (velocity.size() == 0) velocity = one.velocity;
        CHECK((one.velocity - velocity).norm() < 1e-6 * velocity.norm());
      }
  }
}

TEST_CASE("solving again a problem of the same structure allocates nothing, whatever the method") {
  const PlanarContactLaw disk(isotropic(0.3));
  const RollingContactLaw rolling(RollingLaw::product(PlanarSet(Ellipse(0.4, 0.2)), Interval(0.05), Disk(0.05)));
  Random random(205);
  for (const bool rolls : {false, true})
    for (const ContactMethod method : kMethods) {
      CAPTURE(std::string(name_of(method)));
      CAPTURE(rolls);
      Mixed m = make_mixed(random, {rolls ? Kind{&rolling, kAllRows} : Kind{&disk, kPointRows}}, 12);
      finish(m);
      ContactSolver solver;
      ContactSolution solution;
      const ContactOptions options = with(method);
      solver.solve(m.by_blocks, options, solution);
      solution.impulse.setZero();
      m.by_blocks.free_velocity *= 1.01;
      const std::size_t before = allocations();
      solver.solve(m.by_blocks, options, solution);
      CHECK(allocations() == before);
      CHECK(solution.report.solved());
    }
}
