// What the solver says of its answer: solved, proven to have no solution, or not reached; and what it refuses.
#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/contact_solver.hpp"
#include "slipset/contact/joint_law.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/core/error.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_heap.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr std::array kMethods = {ContactMethod::automatic, ContactMethod::gauss_seidel, ContactMethod::newton,
                                 ContactMethod::splitting, ContactMethod::search,       ContactMethod::fixed_point};

ContactProblem problem_of(const Eigen::MatrixXd& w, const Eigen::VectorXd& q, const ContactLaw* law = nullptr) {
  ContactProblem problem;
  problem.delassus = std::make_shared<BlockDelassus>(w);
  problem.free_velocity = q;
  problem.contacts.assign(static_cast<std::size_t>(q.size() / 3), Contact{});
  for (Contact& contact : problem.contacts) contact.law = law;
  return problem;
}

ContactOptions by(ContactMethod method, double tolerance) {
  ContactOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.max_iterations = 2000;
  return options;
}

// The proof, with W as a full matrix: only normals push, W p = 0, q·p < 0.
void check_proof(const Eigen::MatrixXd& w, const Eigen::VectorXd& q, const std::optional<Contradiction>& proof) {
  REQUIRE(proof.has_value());
  const Eigen::VectorXd& p = proof->impulse;
  REQUIRE(p.size() == q.size());
  CHECK(p.maxCoeff<Eigen::PropagateNaN>() <= 1);
  for (Eigen::Index k = 0; k < p.size(); ++k) CHECK((k % 3 == 0 ? p[k] >= 0 : p[k] == 0));
  CHECK((w.transpose() * p).norm() <= 1e-9 * w.norm() * p.norm());
  CHECK(q.dot(p) < 0);
  CHECK(std::abs(proof->closing * p.lpNorm<1>() + q.dot(p)) <= 1e-12 * std::abs(q.dot(p)));
  std::size_t pushing = 0;
  for (Eigen::Index k = 0; k < p.size(); k += 3) pushing += p[k] > 0;
  CHECK(proof->contacts.size() == pushing);
}

// Two contacts press 1 kg from both sides; rows 1 and 2 of both are the same two tangents.
Eigen::MatrixXd pressed_from_both_sides() {
  Eigen::MatrixXd h(3, 6);
  h << 1, 0, 0, -1, 0, 0,  //
      0, 1, 0, 0, 1, 0,    //
      0, 0, 1, 0, 0, 1;
  return h.transpose() * h;
}

}  // namespace

TEST_CASE("A1: two contacts that close on one body have no solution, by every method") {
  const PlanarContactLaw law(FrictionLaw(Disk(0.3), Disk(0.3)));
  const Eigen::MatrixXd w = pressed_from_both_sides();
  Eigen::VectorXd q = Eigen::VectorXd::Zero(6);
  q[3] = -0.1;
  for (const ContactLaw* friction : {static_cast<const ContactLaw*>(nullptr), static_cast<const ContactLaw*>(&law)})
    for (const ContactMethod method : kMethods)
      for (const double tolerance : {1e-4, 1e-12})
        for (const ContactMeasure measure : {ContactMeasure::residual, ContactMeasure::full_error}) {
          CAPTURE(std::string(name_of(method)));
          CAPTURE(tolerance);
          ContactOptions options = by(method, tolerance);
          options.measure = measure;
          const ContactSolution s = solve(problem_of(w, q, friction), options);
          CHECK(s.report.status == ContactStatus::no_solution);
          check_proof(w, q, s.contradiction);
          CHECK(s.contradiction->contacts == std::vector<std::size_t>{0, 1});
          CHECK(std::abs(s.contradiction->closing - 0.05) < 1e-12);
        }
  q[3] = 0.1;  // they open: nothing is wrong with that
  const ContactSolution s = solve(problem_of(w, q, &law), by(ContactMethod::automatic, 1e-10));
  CHECK(s.report.solved());
  CHECK_FALSE(s.contradiction.has_value());
}

TEST_CASE("a joint that would have to move has no solution; one that need not has") {
  Eigen::MatrixXd w = Eigen::MatrixXd::Ones(2, 2);  // two rods hold one mass
  ContactProblem problem;
  problem.delassus = std::make_shared<BlockDelassus>(RowLayout(2, 1), w);
  problem.contacts.assign(2, Contact{&joint_law(1)});
  problem.free_velocity = Eigen::Vector2d(0.5, 0.5);
  const ContactSolution fits = solve(problem, by(ContactMethod::automatic, 1e-10));
  CHECK(fits.report.solved());
  CHECK(fits.report.undetermined == 1);
  CHECK(std::abs(fits.impulse[0] - fits.impulse[1]) < 1e-14);  // the shortest
  problem.free_velocity = Eigen::Vector2d(0.5, 0.4);
  const ContactSolution none = solve(problem, by(ContactMethod::automatic, 1e-10));
  CHECK(none.report.status == ContactStatus::no_solution);
  REQUIRE(none.contradiction.has_value());
  CHECK(none.contradiction->impulse.dot(problem.free_velocity) < 0);
  CHECK(std::abs(none.contradiction->impulse.sum()) < 1e-12);
}

TEST_CASE("F1: what no impulse moves, and numbers out of range, are not called solved") {
  const PlanarContactLaw law(FrictionLaw(Disk(0.3), Disk(0.3)));
  const Eigen::MatrixXd w = Vec3(0, 1, 1).asDiagonal();
  for (const ContactMethod method : kMethods)
    for (const ContactMeasure measure : {ContactMeasure::residual, ContactMeasure::full_error}) {
      CAPTURE(std::string(name_of(method)));
      ContactOptions options = by(method, 1e-8);
      options.measure = measure;
      const ContactSolution s = solve(problem_of(w, Vec3(-1, 0, 0), &law), options);
      CHECK(s.report.status == ContactStatus::no_solution);
      check_proof(w, Vec3(-1, 0, 0), s.contradiction);
      CHECK(solve(problem_of(w, Vec3(1, 0, 0), &law), options).report.solved());
    }
  CHECK_THROWS_AS(solve(problem_of(Mat3::Identity(), Vec3(-1e160, 0, 0), &law)), InvalidInput);
  CHECK_THROWS_AS(solve(problem_of(1e300 * Mat3::Identity(), Vec3(-1, 0, 0), &law)), InvalidInput);
  // Coefficients from nearly nothing to nearly a joint: solved is solved.
  for (const double mu : {1e-8, 1e4, 1e8, 1e12}) {
    CAPTURE(mu);
    const PlanarContactLaw strong{FrictionLaw{Disk{mu}, Disk{mu}}};
    Mat3 g;
    g << 1, 0.2, 0.1, 0.2, 1.5, 0.3, 0.1, 0.3, 2;
    const ContactProblem problem = problem_of(g, Vec3(-1, 2, -1), &strong);
    const ContactSolution s = solve(problem, by(ContactMethod::automatic, 1e-8));
    if (mu < 1e6) REQUIRE(s.report.solved());
    CHECK(s.report.status != ContactStatus::no_solution);
    if (!s.report.solved()) continue;
    const Vec3 u = g * Vec3(s.impulse) + Vec3(-1, 2, -1);
    CHECK(std::abs(u[0]) < 1e-7);
    if (mu > 1) CHECK(u.norm() < 1e-7);  // it sticks
  }
}

TEST_CASE("B2: what does not fit or is no number is refused, with the contact") {
  const PlanarContactLaw law(FrictionLaw(Disk(0.3), Disk(0.3)));
  const ContactProblem good = problem_of(Eigen::MatrixXd::Identity(6, 6), Eigen::VectorXd::Constant(6, -1), &law);
  REQUIRE(solve(good).report.solved());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const char* word, const auto& spoil) {
    CAPTURE(word);
    for (const ContactMethod method : kMethods) {
      ContactProblem bad = good;
      ContactOptions options = by(method, 1e-8);
      spoil(bad, options);
      ContactSolution s;
      std::string message;
      try {
        ContactSolver().solve(bad, options, s);
      } catch (const InvalidInput& error) {
        message = error.what();
      }
      CAPTURE(message);
      CHECK(message.find(word) != std::string::npos);
    }
  };
  using P = ContactProblem;
  using O = ContactOptions;
  refused("must fit", [](P& p, O&) { p.contacts.pop_back(); });
  refused("must fit", [](P& p, O&) { p.contacts.emplace_back(); });
  refused("must fit", [](P& p, O&) { p.free_velocity.conservativeResize(5); });
  refused("must fit", [](P& p, O&) { p.delassus.reset(); });
  refused("contact 1", [](P& p, O&) { p.contacts[1].normal_impulse = -1; });
  refused("contact 1", [&](P& p, O&) { p.contacts[1].normal_impulse = nan; });
  refused("contact 1", [](P& p, O&) { p.contacts[1].reservoir_factor = -1; });
  refused("contact 1", [&](P& p, O&) { p.contacts[1].reservoir_factor = nan; });
  refused("contact 1", [&](P& p, O&) { p.contacts[1].last_slip = Vec2(nan, 0); });
  refused("contact 1", [&](P& p, O&) { p.free_velocity[4] = nan; });
  refused("contact 1", [&](P& p, O&) { p.free_velocity[4] = INFINITY; });
  for (const double value : {nan, static_cast<double>(INFINITY)})
    refused("contact 1", [&](P& p, O&) {
      Eigen::MatrixXd w = Eigen::MatrixXd::Identity(6, 6);
      w(4, 4) = value;
      p.delassus = std::make_shared<BlockDelassus>(w);
    });
  refused("negative", [&](P& p, O&) {
    Eigen::MatrixXd w = Eigen::MatrixXd::Identity(6, 6);
    w(4, 4) = -1;
    p.delassus = std::make_shared<BlockDelassus>(w);
  });
  refused("tolerance", [](P&, O& o) { o.tolerance = 0; });
  refused("tolerance", [&](P&, O& o) { o.tolerance = nan; });
  refused("iterations", [](P&, O& o) { o.max_iterations = 0; });
  refused("threads", [](P&, O& o) { o.threads = -1; });
  // W that would make energy.
  Eigen::MatrixXd w = Eigen::MatrixXd::Identity(6, 6);
  w(0, 3) = w(3, 0) = 2;
  CHECK_THROWS_WITH_AS(solve(problem_of(w, good.free_velocity, &law)), doctest::Contains("not positive semi-definite"),
                       InvalidInput);
}

TEST_CASE("B1: a first guess of any size or value is used or left, never read beyond its end") {
  const PlanarContactLaw law(FrictionLaw(Disk(0.3), Disk(0.3)));
  const ContactProblem problem = problem_of(Eigen::MatrixXd::Identity(6, 6), Eigen::VectorXd::Constant(6, -1), &law);
  for (const ContactMethod method : kMethods)
    for (const int size : {0, 1, 5, 6, 7, 600})
      for (const double value : {0.0, 1e6, std::numeric_limits<double>::quiet_NaN()}) {
        ContactSolution s;
        s.impulse = Eigen::VectorXd::Constant(size, value);
        ContactSolver().solve(problem, by(method, 1e-10), s);
        CAPTURE(std::string(name_of(method)));
        CAPTURE(size);
        REQUIRE(s.report.solved());
        CHECK(std::abs(s.impulse[0] - 1) < 1e-8);
      }
}

TEST_CASE("A19: solutions are counted, or said not to be") {
  // Friction alone can press this contact on (Painlevé): it may stay open, or jam and stick.
  const PlanarContactLaw law(FrictionLaw(Disk(3), Disk(3)));
  Mat3 g;
  g << 1, -0.9, 0, -0.9, 1, 0, 0, 0, 1;
  const ContactProblem problem = problem_of(g, Vec3(0.05, -1, 0), &law);
  const ContactSolution counted = solve(problem, by(ContactMethod::search, 1e-10));
  REQUIRE(counted.solutions.size() == 1);
  CHECK(counted.solutions[0] > 1);
  CHECK(counted.ambiguous());
  for (const ContactMethod method : {ContactMethod::automatic, ContactMethod::newton, ContactMethod::splitting})
    CHECK(solve(problem, by(method, 1e-10)).solutions == std::vector<int>{0});
}

TEST_CASE("A20: a contact that sticks is not called slipping, whatever the tolerance") {
  // A slab on a grid of contacts, pulled below what friction holds: none slips.
  const PlanarContactLaw law(FrictionLaw(Disk(0.5), Disk(0.5)));
  constexpr int n = 25;
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(6, 3 * n);
  for (int i = 0; i < n; ++i) {
    const Vec3 arm(i % 5 - 2, i / 5 - 2, -0.2);
    const Vec3 axes[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
    for (int k = 0; k < 3; ++k) h.col(3 * i + k) << axes[k], arm.cross(axes[k]);
  }
  Eigen::VectorXd v(6);
  v << 0.2, 0.1, -1, 0.01, 0, 0.02;
  const Eigen::MatrixXd w = h.transpose() * h;
  for (const int settled : {0, 40})
    for (const ContactMethod method : kMethods)
      for (const double tolerance : {1e-4, 1e-8}) {
        ContactOptions options = by(method, tolerance);
        options.settled_contacts = settled;
        const ContactSolution s = solve(problem_of(w, h.transpose() * v, &law), options);
        CAPTURE(std::string(name_of(method)));
        CAPTURE(tolerance);
        REQUIRE(s.report.solved());
        for (const ContactMode mode : s.modes) CHECK(mode != ContactMode::slip);
      }
}

TEST_CASE("random heaps: no wrong word, and two methods agree on impulses that the laws leave open") {
  RandomHeaps heaps(2026);
  constexpr double tolerance = 1e-8;
  const int count = std::max(sample_count() / 10, 100);  // SLIPSET_SAMPLES=1000000: 10⁵
  int crushed = 0, solvable = 0, not_reached = 0, not_settled = 0, compared = 0, open = 0, several = 0;
  for (int k = 0; k < count; ++k) {
    const RandomHeap heap = heaps.next();
    CAPTURE(k);
    const ContactSolution s = solve(heap.problem, by(ContactMethod::automatic, tolerance));
    const ContactSolution t = solve(heap.problem, by(ContactMethod::newton, tolerance));
    for (const ContactSolution* each : {&s, &t}) {
      CHECK(each->impulse.allFinite());
      CHECK(each->velocity.allFinite());
      if (heap.kind == RandomHeap::Kind::crushed) {
        CHECK(each->report.status == ContactStatus::no_solution);
        check_proof(heap.w, heap.problem.free_velocity, each->contradiction);
        ++crushed;
        continue;
      }
      ++solvable;
      CHECK(each->report.status != ContactStatus::no_solution);
      not_reached += !each->report.solved();
      if (!each->report.solved()) continue;
      CHECK(contact_residual(heap.problem, each->impulse) <= tolerance);
      // Seen from outside: nothing closes, nothing pulls, and impulses do no work on what they hold.
      const Eigen::VectorXd u = heap.w * each->impulse + heap.problem.free_velocity;
      const double speed = heap.problem.free_velocity.lpNorm<Eigen::Infinity>();
      for (Eigen::Index i = 0; i < u.size(); i += 3) {
        CHECK(u[i] >= -1e-6 * speed);
        CHECK(each->impulse[i] >= 0);
        CHECK(each->impulse.segment<3>(i).dot(u.segment<3>(i)) <= 1e-6 * speed * each->impulse.norm());
      }
      not_settled += !each->report.settled;
    }
    if (!s.report.settled || !t.report.settled) continue;
    ++compared;
    open += *s.report.undetermined > 0;
    // Both solve it, and bodies move apart by more than errors can: two solutions, not one that is left open.
    if ((s.velocity - t.velocity).norm() > 1e3 * tolerance * heap.problem.free_velocity.norm()) {
      ++several;
      continue;
    }
    CHECK((s.impulse - t.impulse).norm() <= 100 * tolerance * s.impulse.norm());
  }
  CHECK(crushed > 0.1 * count);  // of both methods
  CHECK(open > 0.02 * count);
  CHECK(compared > 0.8 * count);
  show_worst("random heaps", "part not reached", static_cast<double>(not_reached) / solvable);
  show_worst("random heaps", "part not settled", static_cast<double>(not_settled) / solvable);
  show_worst("random heaps", "part with two solutions", static_cast<double>(several) / compared);
  CHECK(not_reached <= 0.01 * solvable);
  CHECK(not_settled <= 0.01 * solvable);
  CHECK(several <= 0.002 * count + 1);
}

// W is diagonal, so that p_N = -q_N/W_NN, and it sticks exactly where |q_T/W_T| ≤ μ p_N.
TEST_CASE("mobilities along the axes that differ by 16 orders are no reason for no solution") {
  Random random(4711);
  const PlanarContactLaw law(isotropic(0.3));
  int sticks = 0, slips = 0;
  for (int k = 0; k < 300; ++k) {
    const Vec3 mobility(random.log_uniform(1e-8, 1e8), random.log_uniform(1e-8, 1e8), random.log_uniform(1e-8, 1e8));
    const Vec3 q(-random.log_uniform(1e-3, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Vec3 held = -q.cwiseQuotient(mobility);
    const double load = held.tail<2>().norm() / (0.3 * held[0]);
    if (std::abs(load - 1) < 1e-6) continue;
    (load < 1 ? sticks : slips)++;
    const Eigen::MatrixXd w = mobility.asDiagonal();
    for (const ContactMeasure measure : {ContactMeasure::residual, ContactMeasure::full_error})
      for (const ContactMethod method :
           {ContactMethod::search, ContactMethod::automatic, ContactMethod::gauss_seidel}) {
        ContactOptions options = by(method, 1e-8);
        options.measure = measure;
        const ContactSolution s = solve(problem_of(w, q, &law), options);
        INFO(mobility.transpose(), " q ", q.transpose(), " ", name_of(method), " ", s.report.stop_reason);
        REQUIRE(s.report.status == ContactStatus::solved);
        CHECK(s.impulse[0] == near(held[0], 1e-7));
        CHECK(s.modes[0] == (load < 1 ? ContactMode::stick : ContactMode::slip));
        CHECK(s.impulse.tail<2>().norm() <= 0.3 * held[0] * (1 + 1e-7));
        if (load < 1) CHECK((s.impulse - held).norm() <= 1e-7 * held.norm());
      }
  }
  CHECK(sticks > 50);
  CHECK(slips > 50);
}

// A light ball between the ground and a heavy one: W p is small for p = (1, 1), not zero, and p = (1 + r, 1) M g h holds.
TEST_CASE("a light body under a heavy one has a solution, whatever a solver makes of it") {
  const PlanarContactLaw law(isotropic(0.3));
  for (const double ratio : {1e4, 1e8, 1e12}) {
    CAPTURE(ratio);
    Eigen::MatrixXd h = Eigen::MatrixXd::Zero(6, 6);  // ball, heavy ball; ground, between
    for (int k = 0; k < 3; ++k) {
      h(k, k) = 1;
      h(k, 3 + k) = -1;
      h(3 + k, 3 + k) = 1;
    }
    Eigen::VectorXd inverse_mass(6), fall = Eigen::VectorXd::Zero(6);
    inverse_mass << ratio, ratio, ratio, 1, 1, 1;
    fall[0] = fall[3] = -0.01;
    const Eigen::MatrixXd w = h.transpose() * inverse_mass.asDiagonal() * h;
    for (const ContactMethod method : {ContactMethod::search, ContactMethod::automatic, ContactMethod::newton}) {
      const ContactSolution s = solve(problem_of(w, h.transpose() * fall, &law), by(method, 1e-8));
      CAPTURE(std::string(name_of(method)));
      CHECK(s.report.status != ContactStatus::no_solution);
      if (s.report.solved()) CHECK(s.impulse[3] == near(0.01, 1e-3));
    }
  }
}

TEST_CASE("velocities whose squares are zero have the same answer as larger ones") {
  const PlanarContactLaw law(isotropic(0.3));
  for (const double size : {1e-100, 1e-162, 1e-300})
    for (const ContactMethod method : {ContactMethod::search, ContactMethod::automatic, ContactMethod::newton}) {
      const ContactSolution s =
          solve(problem_of(Eigen::MatrixXd::Identity(3, 3), size * Vec3(-1, 1, 0), &law), by(method, 1e-10));
      REQUIRE(s.report.solved());
      CHECK(s.modes[0] == ContactMode::slip);
      CHECK(s.impulse[0] == near(size, 1e-9));
      CHECK(s.impulse[1] == near(-0.3 * size, 1e-9));
      CHECK(s.velocity[1] == near(0.7 * size, 1e-9));
    }
}

// Impulses of 1e9 N s make any velocity small in Siconos' error: 1 % of the load is missing, and it says 1e-11.
TEST_CASE("what Siconos' error calls solved has velocities that are solved, too") {
  const PlanarContactLaw law(isotropic(0.3));
  const Eigen::MatrixXd w = Vec3(1e-9, 1, 1).asDiagonal();
  const ContactProblem problem = problem_of(w, Vec3(-1, 1, 0), &law);
  ContactOptions options = by(ContactMethod::automatic, 1e-8);
  options.measure = ContactMeasure::full_error;
  options.settled_contacts = 0;
  ContactSolution s;
  s.impulse = Vec3(0.99e9, -1, 0);
  REQUIRE(full_error(problem, s.impulse) < 1e-10);
  ContactSolver().solve(problem, options, s);
  CHECK(s.report.solved());
  CHECK(std::abs(s.velocity[0]) < 2e-3);
  CHECK(s.report.iterations == s.report.sweeps + s.report.newton + s.report.splitting);
}

// A law whose solve() fails: no proof of anything.
TEST_CASE("a contact whose own solution is not found is not one that has none") {
  class Lost final : public ContactLaw {
   public:
    int rows() const override { return 3; }
    std::string description() const override { return "never solved"; }
    bool solve(const Contact&, const LocalBlock&, const ContactVec&, double, LocalState&) const override {
      return false;
    }
    Tangent linearize(const Contact&, const LocalBlock&, const LocalState&) const override {
      return {ContactMat::Identity(3, 3), ContactMat::Zero(3, 3)};
    }
    double residual(const Contact&, const ContactMat&, const ContactVec&, const ContactVec&,
                    const VelocitySums&) const override {
      return 1;
    }
  };
  const Lost law;
  for (const ContactMethod method : {ContactMethod::search, ContactMethod::automatic, ContactMethod::gauss_seidel,
                                     ContactMethod::newton, ContactMethod::splitting}) {
    CAPTURE(std::string(name_of(method)));
    ContactOptions options = by(method, 1e-8);
    options.max_iterations = 50;
    CHECK(solve(problem_of(Eigen::MatrixXd::Identity(3, 3), Vec3(-1, 0, 0), &law), options).report.status ==
          ContactStatus::not_reached);
  }
}

// At rest on three legs, the second without friction: by every method, and without impulses being settled.
TEST_CASE("a contact without friction never sticks") {
  const PlanarContactLaw law(isotropic(0.3));
  for (const ContactMethod method : kMethods) {
    CAPTURE(std::string(name_of(method)));
    ContactOptions options = by(method, 1e-10);
    options.settled_contacts = 0;
    ContactProblem problem = problem_of(Eigen::MatrixXd::Identity(9, 9),
                                        Eigen::VectorXd::Unit(9, 0) * -1 - Eigen::VectorXd::Unit(9, 3), &law);
    problem.contacts[1].law = nullptr;
    const ContactSolution s = solve(problem, options);
    REQUIRE(s.report.solved());
    CHECK(s.modes[0] == ContactMode::stick);
    CHECK(s.modes[1] == ContactMode::slip);
    CHECK(s.modes[2] == ContactMode::open);
  }
}

TEST_CASE("how far a Delassus operator is from symmetric, over the mobilities") {
  const PlanarContactLaw law(isotropic(0.3));
  Eigen::MatrixXd w = 3 * Eigen::MatrixXd::Identity(6, 6);
  w(0, 4) = w(4, 0) = 0.2;
  CHECK(asymmetry(problem_of(w, Eigen::VectorXd::Zero(6), &law)) == 0);
  w(4, 0) = 0.7;
  CHECK(asymmetry(problem_of(w, Eigen::VectorXd::Zero(6), &law)) == near(0.5 / 9, 1e-12));
}

// Four contacts of heavy bodies: q is large and W small, so that the error of Siconos is below 1e-8 where a body still
// sinks by half a percent.
ContactProblem heavy_problem(test::Random& random, const ContactLaw& law) {
  Eigen::MatrixXd h(6, 12);
  for (double& x : h.reshaped()) x = random.uniform(-1, 1);
  Eigen::VectorXd q(12);
  for (double& x : q) x = random.uniform(-1e7, 1e7);
  return problem_of(1e-6 * h.transpose() * h, q, &law);
}

TEST_CASE("what is solved by Siconos' error is solved for heavy bodies, too, and its iterations are counted once") {
  const PlanarContactLaw law(isotropic(0.3));
  test::Random random(11);
  int solved = 0;
  double full = 0, residual = 0, first = 0;  // sweeps
  for (int sample = 0; sample < 30; ++sample) {
    const ContactProblem problem = heavy_problem(random, law);
    ContactOptions options = by(ContactMethod::gauss_seidel, 1e-8);
    options.settled_contacts = 0;
    options.measure = ContactMeasure::full_error;
    const ContactSolution s = solve(problem, options);
    if (!s.report.solved()) continue;
    ++solved;
    CHECK(s.report.residual <= 1.2e-4);  // 1e4 tolerances; on the way it is measured without projections
    for (Eigen::Index i = 0; i < 12; i += 3) CHECK(s.velocity[i] >= -1e-3 * problem.free_velocity.norm());
    CHECK(s.report.iterations == s.report.sweeps);
    full += s.report.sweeps;
    // The same sweeps, looked at by the residual alone: to where they end, and to where the error of Siconos does.
    options.measure = ContactMeasure::residual;
    options.tolerance = 1e-4;
    residual += solve(problem, options).report.sweeps;
    options.tolerance = 1e-3;
    first += solve(problem, options).report.sweeps;
  }
  CHECK(solved > 5);
  CHECK(first > 0.3 * residual);
  CHECK(full <= residual + solved);  // 520, 535, 30; counted twice 749
}
