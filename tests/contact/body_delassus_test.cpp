// Contacts between rigid bodies, solved by bodies: the same as with the matrix assembled.
#include "slipset/contact/body_delassus.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/SparseCore>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/internal/hard_spots.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/sets/norm_mix.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;
using slipset::test::Random;

namespace {

Eigen::Index at(std::size_t contact) { return static_cast<Eigen::Index>(3 * contact); }

// Bodies that nothing but their contacts holds together; the first does not move.
struct Cloud {
  BodyDelassus pairs;
  Eigen::VectorXd q;
  std::vector<Contact> points;
  ContactProblem view() const { return {kept_elsewhere(pairs), q, points, {}}; }
};

Cloud make_cloud(std::size_t bodies, std::size_t contacts, const PlanarContactLaw* law, unsigned seed) {
  Random random(seed);
  const auto vector = [&](double size) {
    return Vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
  };
  Cloud cloud;
  cloud.pairs.resize(bodies, contacts);
  for (std::size_t b = 1; b < bodies; ++b) {
    const Mat3 root = Mat3::Identity() + 0.3 * Mat3(vector(1) * vector(1).transpose());
    cloud.pairs.body(b) = {random.uniform(0.5, 2), root * root.transpose()};
  }
  cloud.q.resize(at(contacts));
  for (std::size_t i = 0; i < contacts; ++i) {
    const Mat3 frame = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 1.5)
                           .normalized()
                           .toRotationMatrix();
    // Along a chain, so that there are pairs with several contacts; every eighth with the body that does not move.
    const auto any = [&](int least) {
      return static_cast<std::uint32_t>(random.integer(least, static_cast<int>(bodies) - 2));
    };
    const std::uint32_t first = i % 8 == 0 ? 0 : any(0);
    const std::uint32_t second =
        first == 0 ? 1 + any(0) : std::min(static_cast<std::uint32_t>(bodies) - 1, first + 1 + any(0) % 3);
    const bool swapped = random.integer(0, 1) == 1;
    cloud.pairs.contact(i) = {swapped ? second : first, swapped ? first : second, frame, vector(0.5), vector(0.5)};
    cloud.q.segment<3>(at(i)) = vector(1) - Vec3(0.5, 0, 0);
    Contact point;
    point.law = law;
    cloud.points.push_back(point);
  }
  cloud.pairs.connect();
  return cloud;
}

// Columns of unit masses that come down with velocity 1, without friction: the impulse of each contact is the number of
// bodies above it.
Cloud falling_columns(std::size_t columns, std::size_t high) {
  Cloud cloud;
  cloud.pairs.resize(1 + columns * high, columns * high);
  cloud.q.setZero(at(columns * high));
  cloud.points.resize(columns * high);
  for (std::size_t i = 0; i < columns * high; ++i) {
    cloud.pairs.body(1 + i) = {1, Mat3::Identity()};
    const bool lowest = i % high == 0;
    cloud.pairs.contact(i).first = static_cast<std::uint32_t>(lowest ? 0 : i);
    cloud.pairs.contact(i).second = static_cast<std::uint32_t>(i + 1);
    if (lowest) cloud.q[at(i)] = -1;
  }
  cloud.pairs.connect();
  return cloud;
}

double largest_miss(const ContactSolution& solution, std::size_t high) {
  Worst worst;
  for (std::size_t i = 0; i < solution.modes.size(); ++i)
    worst.add(std::abs(solution.impulse[at(i)] - static_cast<double>(high - i % high)));
  return worst.value();
}

// A first guess, so that load paths are not followed, that is worth nothing.
ContactSolution next_to_nothing(const Cloud& cloud) {
  ContactSolution solution;
  solution.impulse.setZero(cloud.q.size());
  solution.impulse[0] = 1e-30;
  return solution;
}

}  // namespace

TEST_CASE("C.18 by bodies and by blocks: products, diagonals and sums of one matrix") {
  const Cloud cloud = make_cloud(12, 60, nullptr, 3);
  BlockDelassus w;
  cloud.pairs.assemble(w);
  const Eigen::MatrixXd dense = w.sparse();
  CHECK((dense - dense.transpose()).norm() < 1e-14 * dense.norm());
  // J M⁻¹ Jᵀ with J read off the contacts' velocities, one unit velocity of one body after the other.
  Eigen::MatrixXd j(at(cloud.pairs.contacts()), 6 * 12), inverse_mass = Eigen::MatrixXd::Zero(72, 72);
  BodyDelassus pairs = cloud.pairs;
  for (std::size_t b = 0; b < 12; ++b) {
    const auto place = static_cast<Eigen::Index>(6 * b);
    inverse_mass.block<3, 3>(place, place) = pairs.body(b).inverse_mass * Mat3::Identity();
    inverse_mass.block<3, 3>(place + 3, place + 3) = pairs.body(b).inverse_inertia;
    for (Eigen::Index k = 0; k < 6; ++k) {
      std::vector<BodyVelocity> unit(12);
      (k < 3 ? unit[b].linear : unit[b].angular)[k % 3] = 1;
      for (std::size_t i = 0; i < pairs.contacts(); ++i) j.block<3, 1>(at(i), place + k) = pairs.velocity<3>(i, unit);
    }
  }
  const Eigen::MatrixXd expected = j * inverse_mass * j.transpose();
  CHECK((dense - expected).norm() < 1e-13 * expected.norm());

  Random random(4);
  Eigen::VectorXd p(dense.rows());
  for (double& x : p) x = random.uniform(-1, 1);
  std::vector<BodyVelocity> motion(12);
  for (std::size_t i = 0; i < pairs.contacts(); ++i) pairs.push<3>(i, p.segment<3>(at(i)), motion);
  CHECK(motion[0].linear.norm() + motion[0].angular.norm() == 0);
  const Eigen::VectorXd u = expected * p;
  for (std::size_t i = 0; i < pairs.contacts(); ++i) {
    CHECK((pairs.velocity<3>(i, motion) - u.segment<3>(at(i))).norm() < 1e-12 * u.norm());
    CHECK((Mat3(pairs.diagonal(i)) - expected.block<3, 3>(at(i), at(i))).norm() < 1e-13 * expected.norm());
    double sum = 0;
    for (std::size_t k = 0; k < pairs.contacts(); ++k)
      sum += (expected.block<3, 3>(at(i), at(k)) * p.segment<3>(at(k))).norm();
    CHECK(pairs.velocity_sum<3>(i, p) == near(sum, 1e-12));
  }
}

TEST_CASE(
    "many contacts by bodies: the answer is one of the assembled problem, the same bits with one thread and two") {
  const PlanarContactLaw disk{FrictionLaw(Disk(0.4), Disk(0.4))}, star{collinear(NormMix(0.5, 0.4, 2, -1))};
  for (const PlanarContactLaw* law : {&disk, &star})
    for (const auto measure : {ContactMeasure::residual, ContactMeasure::full_error}) {
      if (law == &star && measure == ContactMeasure::full_error) continue;
      const Cloud cloud = make_cloud(4000, 3000, law, 5);
      ContactOptions options;
      options.method = ContactMethod::automatic;
      options.measure = measure;
      options.tolerance = 1e-9;
      ContactSolution one, two;
      ContactSolver solver;
      options.threads = 1;
      solver.solve(cloud.view(), options, one);
      options.threads = 2;
      solver.solve(cloud.view(), options, two);
      REQUIRE(one.report.solved());
      CHECK(one.report.newton + one.report.splitting == 0);
      CHECK((one.impulse.array() == two.impulse.array()).all());
      CHECK((one.velocity.array() == two.velocity.array()).all());
      const ContactProblem problem = assembled(cloud.view());
      CHECK(contact_residual(problem, one.impulse) == near(one.report.residual, 1e-3));
      if (measure == ContactMeasure::full_error)
        CHECK(full_error(problem, one.impulse) == near(one.report.error, 1e-3));
      Eigen::VectorXd u(one.impulse.size());
      problem.delassus->multiply_add(one.impulse, problem.free_velocity, u);
      CHECK((u - one.velocity).norm() < 1e-12 * u.norm());
      // From its own answer there is nothing left to do.
      ContactSolution again = one;
      solver.solve(cloud.view(), options, again);
      CHECK(again.report.iterations == 0);
    }
}

TEST_CASE("columns of bodies that fall on the floor: far fewer sweeps extrapolated") {
  constexpr std::size_t kHigh = 50;
  const Cloud cloud = falling_columns(50, kHigh);
  ContactOptions options;
  options.tolerance = 1e-6;
  options.max_iterations = 100000;
  const auto sweeps_with = [&](ContactMethod method) {
    options.method = method;
    ContactSolution solution = next_to_nothing(cloud);
    ContactSolver().solve(cloud.view(), options, solution);
    REQUIRE(solution.report.solved());
    CHECK(solution.report.newton + solution.report.splitting == 0);
    CHECK(largest_miss(solution, kHigh) < 0.1);  // 2e-3 of the lowest
    return solution.report.sweeps;
  };
  const int plain = sweeps_with(ContactMethod::gauss_seidel), extrapolated = sweeps_with(ContactMethod::automatic);
  CAPTURE(plain);
  CAPTURE(extrapolated);
  CHECK(plain > 5 * extrapolated);
}

TEST_CASE(
    "C.24 load paths: a column is solved before the first sweep, and what falls in all directions is left to sweeps") {
  constexpr std::size_t kHigh = 2500;
  Cloud cloud = falling_columns(1, kHigh);
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.tolerance = 1e-9;
  ContactSolution solution;
  ContactSolver().solve(cloud.view(), options, solution);
  REQUIRE(solution.report.solved());
  CHECK(solution.report.load_paths);
  CHECK(solution.report.iterations == 0);
  CHECK(largest_miss(solution, kHigh) < 1e-9 * kHigh);
  // Half of the columns fall up.
  cloud = falling_columns(2, kHigh);
  for (std::size_t i = kHigh; i < 2 * kHigh; ++i) cloud.pairs.contact(i).frame.topRows<2>() *= -1;
  options.max_iterations = 5;
  solution = {};
  ContactSolver().solve(cloud.view(), options, solution);
  CHECK_FALSE(solution.report.load_paths);
}

TEST_CASE("C.24 load paths with friction: a leaning column sticks where its normals are inside the cone") {
  // Steps of a stair in the plane: all normals lean by the same angle, tan 0.3 below the coefficient 0.5; bodies that do
  // not turn. The load is the weight above, along the fall, exactly: within C without any slip.
  const PlanarContactLaw disk{FrictionLaw(Disk(0.5), Disk(0.5))};
  constexpr std::size_t kHigh = 2100;
  Cloud cloud = falling_columns(1, kHigh);
  const Mat3 lean = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix();
  for (std::size_t i = 0; i < kHigh; ++i) {
    cloud.pairs.body(1 + i).inverse_inertia.setZero();
    cloud.pairs.contact(i).frame = lean;
    cloud.points[i].law = &disk;
  }
  cloud.q.head<3>() = lean * Vec3(-1, 0, 0);
  cloud.pairs.connect();
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.tolerance = 1e-9;
  ContactSolution solution;
  ContactSolver().solve(cloud.view(), options, solution);
  REQUIRE(solution.report.solved());
  CHECK(solution.report.iterations == 0);
  Worst worst;
  for (std::size_t i = 0; i < kHigh; ++i)
    worst.add(
        (lean.transpose() * solution.impulse.segment<3>(at(i)) - Vec3(static_cast<double>(kHigh - i), 0, 0)).norm());
  CHECK(worst.value() < 1e-9 * kHigh);
}

TEST_CASE("C.25 parts: what is marked with all that is near, split where no moving body is shared") {
  const Cloud cloud = make_cloud(300, 360, nullptr, 8);
  const BodyDelassus& pairs = cloud.pairs;
  const auto touch = [&](std::size_t i, std::size_t j) {
    for (const std::uint32_t a : {pairs.contact(i).first, pairs.contact(i).second})
      for (const std::uint32_t b : {pairs.contact(j).first, pairs.contact(j).second})
        if (a == b && pairs.body(a).inverse_mass > 0) return true;
    return false;
  };
  Random random(9);
  for (const int rings : {0, 1, 2}) {
    std::vector<char> marked(360), near(360);
    for (char& m : marked) m = random.integer(0, 40) == 0;
    near = marked;
    for (int k = 0; k < rings; ++k) {
      const std::vector<char> before = near;
      for (std::size_t i = 0; i < 360; ++i)
        for (std::size_t j = 0; j < 360 && !near[i]; ++j) near[i] = before[j] && touch(i, j);
    }
    const auto parts = internal::parts_around(pairs, marked, rings);
    CHECK(parts.size() > 1);
    std::vector<int> part(360, -1);
    for (std::size_t k = 0; k < parts.size(); ++k)
      for (const std::uint32_t i : parts[k]) {
        CHECK(part[i] == -1);
        part[i] = static_cast<int>(k);
      }
    for (std::size_t i = 0; i < 360; ++i) {
      CHECK((part[i] >= 0) == (near[i] != 0));
      for (std::size_t j = 0; j < i; ++j)
        if (part[i] >= 0 && part[j] >= 0 && touch(i, j)) CHECK(part[i] == part[j]);
    }
  }
}

TEST_CASE("one column too high for sweeps: the matrix is assembled, and all is counted") {
  constexpr std::size_t kHigh = 2500;
  const Cloud cloud = falling_columns(1, kHigh);
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.tolerance = 1e-10;
  ContactSolution solution = next_to_nothing(cloud);
  ContactSolver().solve(cloud.view(), options, solution);
  const ContactReport& report = solution.report;
  REQUIRE(report.solved());
  CHECK_FALSE(report.load_paths);
  CHECK(report.newton + report.splitting > 0);
  CHECK(report.sweeps > 400);
  CHECK(report.iterations == report.sweeps + report.newton + report.splitting);
  CHECK(report.options.max_iterations == options.max_iterations);
  CHECK(largest_miss(solution, kHigh) < 1);  // 4e-4 of the lowest; the column multiplies what the tolerance leaves
}

TEST_CASE("a contact between two bodies that do not move carries nothing and disturbs no other") {
  const PlanarContactLaw disk{FrictionLaw(Disk(0.4), Disk(0.4))};
  Cloud cloud = make_cloud(50, 40, &disk, 6);
  cloud.pairs.body(7) = {};
  cloud.pairs.contact(11).first = 0;
  cloud.pairs.contact(11).second = 7;
  cloud.pairs.connect();
  const auto still = [](std::uint32_t body) { return body == 0 || body == 7; };
  for (std::size_t i = 0; i < cloud.pairs.contacts(); ++i)  // what cannot be stopped must not approach
    if (still(cloud.pairs.contact(i).first) && still(cloud.pairs.contact(i).second))
      cloud.q.segment<3>(at(i)) = Vec3(0.1, 0, 0);
  ContactOptions options;
  options.method = ContactMethod::automatic;
  ContactSolution solution;
  ContactSolver().solve(cloud.view(), options, solution);
  REQUIRE(solution.report.solved());
  CHECK(solution.impulse.segment<3>(at(11)).norm() == 0);
}

TEST_CASE("few contacts by bodies go to the solvers of the assembled problem") {
  const PlanarContactLaw disk{FrictionLaw(Disk(0.4), Disk(0.4))};
  const Cloud cloud = make_cloud(50, 40, &disk, 6);
  ContactOptions options;
  options.method = ContactMethod::newton;
  ContactSolution by_bodies;
  ContactSolver().solve(cloud.view(), options, by_bodies);
  const ContactSolution by_blocks = solve(assembled(cloud.view()), options);
  REQUIRE(by_bodies.report.solved());
  CHECK((by_bodies.impulse.array() == by_blocks.impulse.array()).all());
}
