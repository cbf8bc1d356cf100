// Problems of many contacts: closed forms, agreement of all methods, the same bits on any number of threads.
#include "slipset/contact/contact_solver.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SparseCore>

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/internal/block_lu.hpp"
#include "slipset/contact/joint_law.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr ContactMethod kMethods[] = {ContactMethod::automatic, ContactMethod::gauss_seidel, ContactMethod::newton,
                                      ContactMethod::splitting};

ContactSolution solved(const ContactProblem& problem, ContactMethod method, double tolerance, int iterations = 20000) {
  ContactOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.max_iterations = iterations;
  return solve(problem, options);
}

void use(ContactProblem& problem, const FrictionLaw& law) {
  problem.owned.push_back(std::make_shared<const PlanarContactLaw>(law, 90));
  for (Contact& contact : problem.contacts) contact.law = problem.owned.back().get();
}

// Bodies of mass 1 and inertia 0.4 r² that touch in random pairs, or the ground, with random normals: W = H M⁻¹ Hᵀ, of
// lower rank than its size where contacts are many. They fall onto each other.
ContactProblem random_heap(Random& random, int bodies, int contacts) {
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(3 * contacts, 6 * bodies);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(6 * bodies);
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = random.uniform(-1, 1);
  for (int c = 0; c < contacts; ++c) {
    const auto direction = [&] {
      return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
    };
    const Vec3 n = direction(), t = n.cross(direction()).normalized();
    Mat3 frame;
    frame << n.transpose(), t.transpose(), n.cross(t).transpose();
    const int a = c % bodies, b = random.integer(0, bodies);  // `bodies`: the ground
    const auto add = [&](int body, double sign) {
      if (body == bodies) return;
      const Vec3 arm = -sign * n * random.uniform(0.5, 1) + 0.3 * direction();
      Mat3 cross;
      cross << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
      h.block<3, 3>(3 * c, 6 * body) += sign * frame;
      h.block<3, 3>(3 * c, 6 * body + 3) -= sign * frame * cross / std::sqrt(0.4);
    };
    add(a, 1);
    if (b != a) add(b, -1);
  }
  ContactProblem problem;
  problem.delassus = std::make_shared<BlockDelassus>(Eigen::MatrixXd(h * h.transpose()));
  problem.free_velocity = h * v;
  problem.contacts.resize(static_cast<std::size_t>(contacts));
  return problem;
}

// One body on many contacts at one point: only the sums of their impulses are determined.
ContactProblem many_at_one_point(int contacts, const Vec3& velocity) {
  ContactProblem problem;
  Eigen::MatrixXd w(3 * contacts, 3 * contacts);
  for (int i = 0; i < contacts; ++i)
    for (int j = 0; j < contacts; ++j) w.block<3, 3>(3 * i, 3 * j) = 0.5 * Mat3::Identity();
  problem.delassus = std::make_shared<BlockDelassus>(w);
  problem.free_velocity = velocity.replicate(contacts, 1);
  problem.contacts.resize(static_cast<std::size_t>(contacts));
  return problem;
}

}  // namespace

TEST_CASE("C.1 a body of mass 2 on thirty contacts at one point: slip, stick and flight in closed form") {
  for (const ContactMethod method : kMethods) {
    CAPTURE(std::string(name_of(method)));
    ContactProblem slide = many_at_one_point(30, {-1, 3, 4});
    use(slide, isotropic(0.5));
    const ContactSolution s = solved(slide, method, 1e-12);
    CHECK(s.report.solved());
    // p_N = m, friction takes 0.5 off the speed of 5.
    CHECK((s.velocity.segment<3>(42) - Vec3(0, 2.7, 3.6)).norm() < 1e-11);
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 30; ++i) sum += s.impulse.segment<3>(3 * i);
    CHECK((sum - Vec3(2, -0.6, -0.8)).norm() < 1e-11);

    ContactProblem held = many_at_one_point(30, {-1, 0.3, 0.2});
    use(held, isotropic(0.5));
    CHECK(solved(held, method, 1e-12).velocity.norm() < 1e-11);

    ContactProblem flight = many_at_one_point(30, {0.1, 3, 4});
    use(flight, isotropic(0.5));
    CHECK(solved(flight, method, 1e-12).impulse.norm() == 0);
  }
}

TEST_CASE("C.8 an ellipse 2 : 1 with C = D: the slip direction of maximum dissipation, in closed form") {
  // u_T = v − μ A u_T/√(u_T·A u_T), A = diag(4, 1)·0.01, normal impulse 2 of mass 2: with u_T = (4, 1) the resistance
  // is (0.16, 0.01)/√(0.65), so v is known.
  const Vec2 u(4, 1), a(0.04, 0.01);
  const Vec2 v = u + a.cwiseProduct(u) / std::sqrt(u.dot(a.cwiseProduct(u)));
  for (const ContactMethod method : kMethods) {
    ContactProblem problem = many_at_one_point(5, {-1, v.x(), v.y()});
    use(problem, associated(Ellipse(0.2, 0.1)));
    const ContactSolution s = solved(problem, method, 1e-12);
    CHECK(s.report.solved());
    CHECK((s.velocity.segment<2>(1) - u).norm() < 1e-11);
  }
}

TEST_CASE("all methods solve random heaps, for all kinds of laws, and nearly always agree on the velocities") {
  Random random(61);
  const FrictionLaw laws[] = {isotropic(0.3), associated(Ellipse(0.3, 0.15, 0.4)),
                              SuperellipsePair({0.3, 0.2}, {1, 0.9}, 1.6, 0.3).law(),
                              collinear(NormMix(0.3, 0.25, 2, -1, 0.2))};
  int compared = 0, agreeing = 0, solved_by_default = 0, problems = 0;
  for (int sample = 0; sample < std::clamp(sample_count() / 60, 5, 200); ++sample)
    for (const FrictionLaw& law : laws) {
      ContactProblem problem = random_heap(random, 8, random.integer(5, 24));
      use(problem, law);
      const ContactSolution reference = solved(problem, ContactMethod::automatic, 1e-10, 4000);
      ++problems;
      CHECK(reference.impulse.allFinite());
      if (!reference.report.solved()) continue;
      ++solved_by_default;
      CHECK(contact_residual(problem, reference.impulse) <= 1e-10);
      for (const ContactMethod method :
           {ContactMethod::gauss_seidel, ContactMethod::newton, ContactMethod::splitting, ContactMethod::search}) {
        const ContactSolution other = solved(problem, method, 1e-10, 4000);
        if (!other.report.solved()) continue;
        CHECK(contact_residual(problem, other.impulse) <= 1e-10);
        const double difference = (other.velocity - reference.velocity).norm() / problem.free_velocity.norm();
        ++compared;
        agreeing += difference < 1e-6;  // 1e-10 over the smallest eigenvalue that a heap of eight bodies has
      }
    }
  show_worst("many contacts", "share of methods that disagree", 1 - agreeing / (1.0 * compared));
  CHECK(solved_by_default == problems);
  CHECK(compared > 3 * problems);
  CHECK(agreeing > 0.95 * compared);  // friction may have several solutions
}

TEST_CASE("C.11 a law written as two kinds of shapes gives one solution: linearisations and scaling agree") {
  Random random(62);
  for (int sample = 0; sample < 10; ++sample) {
    ContactProblem fast = random_heap(random, 6, 15), general = fast;
    use(fast, associated(Ellipse(0.3, 0.15, 0.4)));
    use(general, FrictionLaw(Superellipse(0.3, 0.15, 2, 0.4), Superellipse(0.3, 0.15, 2, 0.4)));
    const ContactSolution a = solved(fast, ContactMethod::newton, 1e-11),
                          b = solved(general, ContactMethod::newton, 1e-11);
    CHECK(a.report.solved());
    CHECK(b.report.solved());
    CHECK((a.velocity - b.velocity).norm() < 1e-7 * fast.free_velocity.norm());
    CHECK(b.report.newton <= 2 * a.report.newton + 10);  // a wrong Jacobian would need many more
  }
}

TEST_CASE("C.9 the same bits on one, two and four threads") {
  Random random(63);
  constexpr int kContacts = 3000;
  std::vector<BlockDelassus::Entry> entries;
  for (std::size_t i = 0; i < kContacts; ++i) {
    entries.push_back({i, i, Mat3(Vec3(2, 1.5, 1.5).asDiagonal())});
    for (const std::size_t j : {i + 1, i + 7})
      if (j < kContacts) {
        Mat3 block;
        for (double& x : block.reshaped()) x = random.uniform(-0.2, 0.2);
        entries.push_back({i, j, block});
        entries.push_back({j, i, Mat3(block.transpose())});
      }
  }
  ContactProblem problem;
  problem.delassus = std::make_shared<BlockDelassus>(kContacts, entries);
  problem.free_velocity.resize(3 * kContacts);
  for (double& x : problem.free_velocity) x = random.uniform(-1, 0.5);
  problem.contacts.resize(kContacts);
  use(problem, associated(Ellipse(0.4, 0.2)));
  ContactOptions options;
  options.method = ContactMethod::gauss_seidel;
  options.tolerance = 1e-8;
  Eigen::VectorXd first;
  for (const int threads : {1, 2, 4, 0}) {
    options.threads = threads;
    const ContactSolution s = solve(problem, options);
    CHECK(s.report.solved());
    if (first.size() == 0) first = s.impulse;
    CHECK(s.impulse == first);
  }
}

TEST_CASE("C.12 the full error by hand: nothing done, half done, done") {
  ContactProblem problem;
  problem.delassus = std::make_shared<BlockDelassus>(Eigen::MatrixXd(2 * Eigen::MatrixXd::Identity(3, 3)));
  problem.free_velocity = Vec3(-2, 3, 4);
  problem.contacts.resize(1);
  use(problem, isotropic(0.5));
  // r = 0: y = −q − (2.5, 0, 0) = (−0.5, −3, −4); its projection has normal part (0.5·5 − 0.5)/1.25 = 1.6.
  CHECK(full_error(problem, Vec3(0, 0, 0)) == near(std::hypot(1.6, 0.8) / std::sqrt(29), 1e-12));
  CHECK(full_error(problem, Vec3(1, -0.3, -0.4)) < 1e-15);
  CHECK(full_error(problem, Vec3(1, 0.3, 0.4)) > 0.1);
  CHECK(has_full_error(problem.contacts));
  use(problem, associated(Ellipse(0.5, 0.4)));
  CHECK(std::isnan(full_error(problem, Vec3(0, 0, 0))));
  CHECK(!has_full_error(problem.contacts));
}

TEST_CASE("sparse block factors solve what a dense factorisation solves") {
  Random random(64);
  for (const std::size_t n : {1UL, 2UL, 7UL, 40UL}) {
    std::vector<BlockDelassus::Entry> entries;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (i == j || random.integer(0, 9) == 0) {
          Mat3 block;
          for (double& x : block.reshaped()) x = random.uniform(-1, 1);
          if (i == j) block.diagonal().array() += 6;
          entries.push_back({i, j, block});
        }
    const BlockDelassus a(n, entries);
    internal::BlockLu<3> factors(a);
    Eigen::VectorXd b(static_cast<Eigen::Index>(3 * n));
    for (double& x : b) x = random.uniform(-1, 1);
    Eigen::VectorXd x = b;
    Eigen::VectorXd shift(static_cast<Eigen::Index>(9 * n));
    Eigen::MatrixXd dense = a.sparse();
    for (double& value : shift) value = random.uniform(0, 1);
    for (Eigen::Index i = 0; i < dense.rows(); i += 3)
      dense.block<3, 3>(i, i) += Eigen::Map<const Mat3>(shift.data() + 3 * i);
    REQUIRE(factors.factorize(a, &shift));
    factors.solve(x);
    CHECK((dense.partialPivLu().solve(b) - x).norm() < 1e-12 * b.norm());
  }
  CHECK(!internal::BlockLu<3>(BlockDelassus(Eigen::MatrixXd(Eigen::MatrixXd::Ones(30, 30))), 10).usable());
  BlockDelassus nothing;
  nothing.resize(2);
  CHECK(!internal::BlockLu<3>(nothing).factorize(nothing));
}

TEST_CASE("what has no solution, or nothing in it, ends with a status") {
  for (const ContactMethod method : kMethods) {
    ContactProblem none;
    CHECK(solved(none, method, 1e-8).report.solved());
    ContactProblem immovable;  // W = 0, and the contact closes
    auto nothing = std::make_shared<BlockDelassus>();
    nothing->resize(2);
    immovable.delassus = nothing;
    immovable.free_velocity = Eigen::VectorXd::Constant(6, -1);
    immovable.contacts.resize(2);
    const ContactSolution frictionless = solved(immovable, method, 1e-8, 50);
    CHECK(!frictionless.report.solved());
    CHECK(frictionless.impulse.allFinite());
    use(immovable, isotropic(0.3));
    CHECK(!solved(immovable, method, 1e-8, 50).report.solved());
  }
}

TEST_CASE("the caller can stop every method, and has the best impulses up to there") {
  Random random(31);
  ContactProblem problem = random_heap(random, 12, 40);
  use(problem, isotropic(0.4));
  for (const ContactMeasure measure : {ContactMeasure::residual, ContactMeasure::full_error})
    for (const ContactMethod method : {ContactMethod::automatic, ContactMethod::gauss_seidel, ContactMethod::newton,
                                       ContactMethod::splitting, ContactMethod::search, ContactMethod::fixed_point}) {
      CAPTURE(name_of(method));
      int asked = 0;
      const std::function<bool()> stop = [&] { return ++asked >= 3; };
      ContactOptions options;
      options.method = method;
      options.measure = measure;
      options.tolerance = 1e-15;  // not to be reached
      options.stop = &stop;
      const ContactSolution solution = solve(problem, options);
      CHECK(solution.report.status == ContactStatus::not_reached);
      CHECK(solution.report.stop_reason == "stopped by the caller");
      CHECK(solution.report.iterations < 20);
      CHECK(solution.impulse.allFinite());
      CHECK(solution.report.options.stop == nullptr);
    }
  // Where (C.12) is small because impulses are large numbers, the residual is looked at, too: that report is as clean.
  problem.free_velocity *= 1e-9;
  const std::function<bool()> never = [] { return false; };
  ContactOptions options;
  options.measure = ContactMeasure::full_error;
  options.method = ContactMethod::automatic;
  options.tolerance = 1e-4;
  options.stop = &never;
  const ContactSolution solution = solve(problem, options);
  CHECK(solution.report.solved());
  CHECK(solution.report.options.stop == nullptr);
}

// (C.12) with rolling: the closest point of K = { |x_T| ≤ μ x_N, |x_R| ≤ μ_R x_N } by its conditions: r − P is at a right
// angle to P and in the polar cone, whose elements y have y_N + μ|y_T| + μ_R|y_R| ≤ 0.
TEST_CASE("C.12 the full error of rolling friction and of joints") {
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const double mu = random.log_uniform(0.05, 2), mu_r = random.log_uniform(0.01, 1);
    const auto law = std::make_shared<const RollingContactLaw>(RollingLaw::product(Disk(mu), std::nullopt, Disk(mu_r)));
    ContactProblem problem;
    const RowLayout layout(std::vector<int>{5, 2});
    Eigen::MatrixXd w = Eigen::MatrixXd::Zero(7, 7);
    w.diagonal().setConstant(1e-9);  // u is q
    problem.delassus = std::make_shared<BlockDelassus>(layout, w);
    problem.free_velocity.resize(7);
    Eigen::VectorXd p(7);
    for (double& x : problem.free_velocity) x = random.uniform(-1, 1);
    for (double& x : p) x = random.uniform(-1, 1);
    problem.contacts = {Contact{law.get()}, Contact{&joint_law(2)}};
    REQUIRE(has_full_error(problem.contacts));
    const Eigen::VectorXd u = w * p + problem.free_velocity;
    Eigen::VectorXd y = (p - u).head(5);
    y[0] -= mu * u.segment(1, 2).norm() + mu_r * u.segment(3, 2).norm();
    // The same point by halving intervals for its normal part.
    double low = 0, high = 10;
    for (int k = 0; k < 200; ++k) {
      const double n = 0.5 * (low + high);
      const double slope = n - y[0] - mu * std::max(0.0, y.segment(1, 2).norm() - mu * n) -
                           mu_r * std::max(0.0, y.segment(3, 2).norm() - mu_r * n);
      (slope > 0 ? high : low) = n;
    }
    Eigen::VectorXd closest = y;
    closest[0] = low;
    closest.segment(1, 2) *= std::min(1.0, mu * low / y.segment(1, 2).norm());
    closest.segment(3, 2) *= std::min(1.0, mu_r * low / y.segment(3, 2).norm());
    const Eigen::VectorXd polar = y - closest;
    REQUIRE(std::abs(polar.dot(closest)) < 1e-12);
    REQUIRE(polar[0] + mu * polar.segment(1, 2).norm() + mu_r * polar.segment(3, 2).norm() < 1e-12);
    const double expected = std::sqrt((p.head(5) - closest).squaredNorm() + u.tail(2).squaredNorm()) /
                            std::max({problem.free_velocity.norm(), p.norm(), u.norm()});
    CHECK(full_error(problem, p) == near(expected, 1e-9));
  }
}

TEST_CASE("measures and methods that do not fit the problem are refused") {
  ContactProblem problem = many_at_one_point(2, {-1, 1, 0});
  use(problem, associated(Ellipse(0.3, 0.1)));
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.measure = ContactMeasure::full_error;
  CHECK_THROWS_AS(solve(problem, options), InvalidInput);
}

TEST_CASE("given normal impulses and contacts without friction") {
  Random random(65);
  ContactProblem problem = random_heap(random, 5, 10);
  use(problem, associated(Ellipse(0.4, 0.2)));
  problem.contacts[2].normal_impulse = 0.7;
  problem.contacts[4].normal_impulse = 0;
  problem.contacts[6].law = nullptr;
  for (const ContactMethod method : kMethods) {
    CAPTURE(std::string(name_of(method)));
    const ContactSolution s = solved(problem, method, 1e-9);
    CHECK(s.report.solved());
    CHECK(s.impulse[6] == near(0.7, 1e-12));
    CHECK(std::abs(s.impulse[12]) < 1e-9);
    CHECK(s.impulse.segment<2>(19).norm() < 1e-9);
  }
}

// With the normal impulses given the equations are not homogeneous: Newton's steps need their constant part (C.11), and
// come to the solution in a few of them.
TEST_CASE("C.11 given normal impulses: few Newton steps, from any start") {
  Random random(66);
  Worst steps;
  for (int k = 0; k < 20; ++k) {
    ContactProblem problem = random_heap(random, 8, 12);
    use(problem, associated(Ellipse(0.4, random.uniform(0.1, 0.4), random.uniform(0, 3))));
    for (Contact& contact : problem.contacts) contact.normal_impulse = random.log_uniform(0.05, 2);
    const ContactSolution s = solved(problem, ContactMethod::newton, 1e-11);
    CHECK(s.report.solved());
    CHECK(contact_residual(problem, s.impulse) < 1e-10);
    steps.add(s.report.newton);
  }
  show_worst("given normals", "Newton steps", steps.value());
  CHECK(steps.value() <= 10);  // measured: 5
}

TEST_CASE("a column of masses: the lowest contact carries them all, at any height") {
  // Sweeps alone would need as many as the square of its height.
  for (const int masses : {10, 900, 3000}) {
    CAPTURE(masses);
    ContactProblem problem;
    problem.contacts.resize(static_cast<std::size_t>(masses));
    std::vector<BlockDelassus::Entry> entries;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      entries.push_back({i, i, (i == 0 ? 1 : 2) * Mat3::Identity()});  // unit masses; contact 0 is with the ground
      if (i > 0) entries.push_back({i, i - 1, -Mat3::Identity()});
      if (i + 1 < problem.contacts.size()) entries.push_back({i, i + 1, -Mat3::Identity()});
    }
    problem.delassus = std::make_shared<BlockDelassus>(problem.contacts.size(), entries);
    problem.free_velocity = Eigen::VectorXd::Zero(3 * masses);
    problem.free_velocity.head<3>() << -1, 0.2, 0.1;  // they fall and drift together
    use(problem, associated(Ellipse(0.5, 0.4)));
    const ContactSolution solution = solved(problem, ContactMethod::automatic, 1e-12);
    CHECK(solution.report.solved());
    Worst worst;  // W has the condition number masses², which a residual of 1e-12 is seen through
    for (Eigen::Index i = 0; i < masses; ++i) {
      const auto above = static_cast<double>(masses - i);
      const double off = (solution.impulse.segment<3>(3 * i) - above * Vec3(1, -0.2, -0.1)).norm();
      worst.add(off / masses);
    }
    CHECK(worst.value() < 1e-12 * masses * masses);
  }
}
