// Contacts of coupled masses without their Delassus matrix: the assembled form as the second method, sizes that could
// not be assembled.
#include "slipset/contact/mass_delassus.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <cmath>

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

using Index = Eigen::Index;

// A rope of masses that springs hold together, with an implicit step: M + Δt²K is sparse, its inverse is full. Every
// mass touches a surface of its own inclination.
struct Rope {
  Eigen::SparseMatrix<double> mass, directions;
  Eigen::VectorXd free_motion, drift;
  ContactProblem problem;
  std::vector<std::shared_ptr<const PlanarContactLaw>> laws;

  Rope(Random& random, Index masses, double coupling) {
    laws = {std::make_shared<const PlanarContactLaw>(associated(Disk(0.6)), 90),
            std::make_shared<const PlanarContactLaw>(associated(Ellipse(0.5, 0.2, 0.4)), 90),
            std::make_shared<const PlanarContactLaw>(SuperellipsePair({0.5, 0.3}, {1, 0.8}, 1.5).law(), 90)};
    std::vector<Eigen::Triplet<double>> m, h;
    const auto entry = [](std::vector<Eigen::Triplet<double>>& to, Index row, Index column, double value) {
      to.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
    };
    for (Index i = 0; i < masses; ++i) {
      const Vec3 n = Vec3(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 1).normalized();
      const Vec3 t = n.cross(Vec3(0, 1, 0)).normalized(), b = n.cross(t);
      for (Index k = 0; k < 3; ++k) {
        entry(m, 3 * i + k, 3 * i + k, 1);
        entry(h, 3 * i + k, 3 * i, n[k]);
        entry(h, 3 * i + k, 3 * i + 1, t[k]);
        entry(h, 3 * i + k, 3 * i + 2, b[k]);
        if (i == 0) continue;
        entry(m, 3 * i + k, 3 * i + k, coupling);
        entry(m, 3 * i + k - 3, 3 * i + k - 3, coupling);
        entry(m, 3 * i + k, 3 * i + k - 3, -coupling);
        entry(m, 3 * i + k - 3, 3 * i + k, -coupling);
      }
      Contact contact;
      contact.law = i % 4 == 3 ? nullptr : laws[static_cast<std::size_t>(i % 4)].get();
      problem.contacts.push_back(contact);
    }
    mass.resize(3 * masses, 3 * masses);
    mass.setFromTriplets(m.begin(), m.end());
    directions.resize(3 * masses, 3 * masses);
    directions.setFromTriplets(h.begin(), h.end());
    free_motion.resize(3 * masses);
    for (Index i = 0; i < 3 * masses; ++i)
      free_motion[i] = i % 3 == 2 ? random.uniform(-2, 0.5) : random.uniform(-1, 1);
    drift.resize(3 * masses);
    for (double& b : drift) b = random.uniform(-0.1, 0.1);
    build();
  }

  void build() {
    const auto w = std::make_shared<MassDelassus>(mass, directions);
    problem.delassus = w;
    problem.free_velocity = w->contact_velocity(free_motion) + drift;
  }
};

ContactOptions to(double tolerance) {
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.tolerance = tolerance;
  return options;
}

}  // namespace

TEST_CASE("coupled masses: without W as with it") {
  Random random(5);
  for (const double coupling : {0.0, 1.0, 100.0}) {
    CAPTURE(coupling);
    const Rope rope(random, 40, coupling);
    const ContactSolution free = solve(rope.problem, to(1e-11));
    REQUIRE(free.report.solved());
    const ContactProblem whole = assembled(rope.problem);
    const ContactSolution reference = solve(whole, to(1e-12));
    REQUIRE(reference.report.solved());
    CHECK(contact_residual(whole, free.impulse) < 1e-9);
    CHECK((free.impulse - reference.impulse).norm() < 1e-8 * reference.impulse.norm());
    CHECK((free.velocity - reference.velocity).norm() < 1e-8 * reference.velocity.norm());
    CHECK(free.modes == reference.modes);
  }
}

TEST_CASE("coupled masses: the first guess is used") {
  Random random(6);
  const Rope rope(random, 30, 10);
  ContactSolution solution = solve(rope.problem, to(1e-10));
  REQUIRE(solution.report.solved());
  REQUIRE(solution.report.iterations > 0);
  ContactSolver().solve(rope.problem, to(1e-9), solution);
  CHECK(solution.report.solved());
  CHECK(solution.report.iterations == 0);
}

TEST_CASE("coupled masses: more contacts than W has room for") {
  Random random(7);
  const Rope rope(random, 10000, 100);  // W would have 9·10⁸ numbers
  const ContactSolution solution = solve(rope.problem, to(1e-8));
  CHECK(solution.report.solved());
  // The velocities from M v = M v_free + H p, by a factorisation of M alone.
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(rope.mass);
  const Eigen::VectorXd motion = rope.free_motion + factors.solve(rope.directions * solution.impulse);
  const Eigen::VectorXd u = rope.directions.transpose() * motion + rope.drift;
  CHECK((u - solution.velocity).norm() < 1e-10 * u.norm());
  // Each contact obeys Signorini's law, and where it slides its friction is the law's against the slip.
  Worst penetration, pull, both, friction;
  long sliding = 0, open = 0;
  for (std::size_t i = 0; i < rope.problem.contacts.size(); ++i) {
    const Vec3 p = solution.impulse.segment<3>(static_cast<Index>(3 * i)), v = u.segment<3>(static_cast<Index>(3 * i));
    penetration.add(-v[0]);
    pull.add(-p[0]);
    both.add(std::abs(v[0] * p[0]));
    open += p[0] == 0;
    if (!rope.problem.contacts[i].law) {
      friction.add(p.tail<2>().norm());
      continue;
    }
    const FrictionLaw& law = rope.problem.contacts[i].law->as_planar()->law();
    const Vec2 s = -p.tail<2>(), slip = v.tail<2>();
    friction.add(p[0] > 0 ? law.reservoir().gauge(s) - p[0] : s.norm());
    if (slip.norm() < 1e-2 || p[0] < 1e-2) continue;  // the direction of a slip that is not small beside its error
    ++sliding;
    friction.add((s - p[0] * slip_resistance(law, slip)).norm());
  }
  CHECK(penetration.value() < 1e-7);
  CHECK(pull.value() < 1e-12);
  CHECK(both.value() < 2e-6);      // measured: 3.2e-7
  CHECK(friction.value() < 2e-5);  // 5e-6
  CHECK(sliding > 1000);
  CHECK(open > 1000);
}

TEST_CASE("coupled masses: friction takes energy, and only that") {
  Random random(8);
  Rope rope(random, 50, 10);
  rope.drift.setZero();
  rope.build();
  const ContactSolution solution = solve(rope.problem, to(1e-11));
  const Eigen::SparseMatrix<double>& m = rope.mass;
  const Eigen::VectorXd& before = rope.free_motion;
  // M (v − v_free) = H p: the change of energy is pᵀ(u_free + u)/2 along the contacts.
  const Eigen::VectorXd u_free = rope.directions.transpose() * before;
  const double work = solution.impulse.dot(u_free + solution.velocity) / 2;
  CHECK(work < 0);
  CHECK(work > -before.dot(m * before) / 2);
  CHECK(solution.impulse.dot(solution.velocity) < 1e-9);  // at the end of the step no contact drives
}

TEST_CASE("coupled masses: what does not fit is refused") {
  Random random(9);
  const Rope rope(random, 4, 1);
  ContactProblem wrong = rope.problem;
  wrong.free_velocity.resize(5);
  CHECK_THROWS_AS(solve(wrong), InvalidInput);
  Eigen::SparseMatrix<double> mass = rope.mass;
  mass.coeffRef(3, 3) = -1;
  CHECK_THROWS_AS(MassDelassus(mass, rope.directions), InvalidInput);
  mass = rope.mass;
  mass.coeffRef(0, 3) = 0.5;
  CHECK_THROWS_AS(MassDelassus(mass, rope.directions), InvalidInput);
  CHECK_THROWS_AS(MassDelassus(rope.mass, rope.directions, RowLayout(4, 2)), InvalidInput);
  ContactOptions full = to(1e-8);
  full.measure = ContactMeasure::full_error;
  CHECK_THROWS_AS(solve(rope.problem, full), InvalidInput);  // ellipses
  Rope large(random, 3500, 1);
  ContactOptions sweeps = to(1e-8);
  sweeps.method = ContactMethod::gauss_seidel;
  CHECK_THROWS_AS(solve(large.problem, sweeps), InvalidInput);  // W would not have room
}
