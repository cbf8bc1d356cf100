// Impulses that the laws leave open: one choice, whatever the method.                                          (C.20)
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <array>
#include <optional>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_solver.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using test::Random;

namespace {

constexpr std::array kMethods = {ContactMethod::automatic, ContactMethod::gauss_seidel, ContactMethod::newton,
                                 ContactMethod::splitting, ContactMethod::search,       ContactMethod::fixed_point};

// 1 kg with moments of inertia 0.3 on legs whose feet are on the plane z = -depth.
struct Table {
  Eigen::MatrixXd h;
  ContactProblem problem;

  Table(const std::vector<Vec2>& feet, double depth, const Eigen::VectorXd& v, const ContactLaw* law) {
    h = Eigen::MatrixXd::Zero(6, 3 * static_cast<Eigen::Index>(feet.size()));
    const Vec3 axes[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
    for (std::size_t i = 0; i < feet.size(); ++i)
      for (int k = 0; k < 3; ++k)
        h.col(3 * static_cast<Eigen::Index>(i) + k) << axes[k],
            Vec3(feet[i].x(), feet[i].y(), -depth).cross(axes[k]) / std::sqrt(0.3);
    problem.delassus = std::make_shared<BlockDelassus>(Eigen::MatrixXd(h.transpose() * h));
    Eigen::VectorXd scaled = v;
    scaled.tail(3) *= std::sqrt(0.3);
    problem.free_velocity = h.transpose() * scaled;
    problem.contacts.assign(feet.size(), Contact{law});
  }
};

// Boxes of 1 kg, 1 x 0.8 x 0.6 m, on top of each other on a table that moves; four contacts between two. Rows: normal, x, y.
struct Stack {
  Eigen::MatrixXd h;
  ContactProblem problem;

  Stack(int boxes, const Vec2& table, const std::vector<Vec2>& pushes, const ContactLaw* law) {
    const Vec3 half(0.5, 0.4, 0.3), axes[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
    const Vec3 root = (Vec3::Constant(half.squaredNorm()) - half.cwiseAbs2()).cwiseSqrt() / std::sqrt(3.0);
    h = Eigen::MatrixXd::Zero(6 * boxes, 12 * boxes);
    Eigen::VectorXd v = Eigen::VectorXd::Zero(6 * boxes), surface = Eigen::VectorXd::Zero(12 * boxes);
    for (int b = 0; b < boxes; ++b) {
      v.segment<3>(6 * b) << pushes[static_cast<std::size_t>(b)], -0.1;
      for (int corner = 0; corner < 4; ++corner)
        for (int k = 0; k < 3; ++k) {
          const Eigen::Index row = 12 * b + 3 * corner + k;
          const Vec3 arm(corner % 2 ? 0.5 : -0.5, corner / 2 ? 0.4 : -0.4, -0.3), above(arm.x(), arm.y(), 0.3);
          h.col(row).segment<6>(6 * b) << axes[k], arm.cross(axes[k]).cwiseQuotient(root);
          if (b > 0) h.col(row).segment<6>(6 * b - 6) << -axes[k], -above.cross(axes[k]).cwiseQuotient(root);
          if (b == 0 && k > 0) surface[row] = table[k - 1];
        }
    }
    problem.delassus = std::make_shared<BlockDelassus>(Eigen::MatrixXd(h.transpose() * h));
    problem.free_velocity = h.transpose() * v - surface;
    problem.contacts.assign(static_cast<std::size_t>(4 * boxes), Contact{law});
  }
};

const std::vector<Vec2> kFour = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

Eigen::VectorXd normals(const ContactSolution& s) {
  Eigen::VectorXd n(s.impulse.size() / 3);
  for (Eigen::Index i = 0; i < n.size(); ++i) n[i] = s.impulse[3 * i];
  return n;
}

}  // namespace

TEST_CASE("four legs without friction carry what is linear in their places") {
  // Falls and tilts: p_i = a + b x_i + c y_i with Σp = 1·v, Σ p y = 0.3 ω_x, -Σ p x = 0.3 ω_y.
  Eigen::VectorXd v(6);
  v << 0, 0, -1, 0.4, -0.3, 0;
  const Table table(kFour, 0.5, v, nullptr);
  for (const ContactMethod method : kMethods)
    for (const double tolerance : {1e-6, 1e-10}) {
      ContactOptions options;
      options.method = method;
      options.tolerance = tolerance;
      // From guesses with other loads that are solutions, too.
      for (const double more : {0.0, 0.05, -0.1}) {
        ContactSolution s;
        s.impulse = Eigen::VectorXd::Zero(12);
        for (int i = 0; i < 4; ++i) s.impulse[3 * i] = 0.25 + (i % 2 ? more : -more);
        ContactSolver().solve(table.problem, options, s);
        CAPTURE(std::string(name_of(method)));
        REQUIRE(s.report.solved());
        CHECK(s.report.settled);
        CHECK(s.report.undetermined == 1);
        for (std::size_t i = 0; i < 4; ++i) {
          const double expected = 0.25 - 0.25 * 0.3 * 0.4 * kFour[i].y() - 0.25 * 0.3 * 0.3 * kFour[i].x();
          CHECK(std::abs(normals(s)[static_cast<Eigen::Index>(i)] - expected) <= 1e-12);
        }
      }
    }
}

TEST_CASE("three legs leave nothing open") {
  Eigen::VectorXd v(6);
  v << 0.5, 0.2, -1, 0.1, 0.2, 0.7;
  const PlanarContactLaw law(FrictionLaw(Disk(0.1), Disk(0.1)));
  const Table table({{1, 0}, {-0.5, 0.8}, {-0.4, -0.9}}, 0.2, v, &law);
  const ContactSolution s = solve(table.problem);
  REQUIRE(s.report.solved());
  CHECK(s.report.undetermined == 0);
  CHECK(s.report.settled);
}

TEST_CASE("legs that slip: the loads are linear in their places, and the same for every method") {
  // With friction the velocities depend on how the loads are shared; Yᵀp = 0 for the pattern that neither lifts nor
  // tilts the table.
  Eigen::VectorXd v(6);
  v << 0.8, 0.3, -1, 0.05, 0.02, 2;
  const PlanarContactLaw law(FrictionLaw(Ellipse(0.3, 0.15, 0.2), Ellipse(0.3, 0.15, 0.2)));
  const Table table(kFour, 0.3, v, &law);
  Eigen::VectorXd first;
  for (const ContactMethod method : kMethods)
    for (const double tolerance : {1e-6, 1e-10, 1e-12}) {
      ContactOptions options;
      options.method = method;
      options.tolerance = tolerance;
      options.max_iterations = 100000;
      const ContactSolution s = solve(table.problem, options);
      CAPTURE(std::string(name_of(method)));
      CAPTURE(tolerance);
      REQUIRE(s.report.solved());
      REQUIRE(s.report.settled);
      CHECK(s.report.undetermined == 1);
      const Eigen::VectorXd n = normals(s);
      CHECK(n.minCoeff<Eigen::PropagateNaN>() > 0);
      CHECK(std::abs(n[0] - n[1] + n[2] - n[3]) <= 1e-12);
      if (first.size() == 0) first = s.impulse;
      CHECK((s.impulse - first).norm() <= 1e-11 * first.norm());
      for (const ContactMode mode : s.modes) CHECK(mode == ContactMode::slip);
    }
}

TEST_CASE("legs that would have to pull carry nothing, and the rest stays the same for every method") {
  // Turned about an edge: loads that are linear in place would pull at one leg of five.
  std::vector<Vec2> feet = kFour;
  feet.emplace_back(0.9, 0.2);
  feet.emplace_back(-0.3, 0.1);
  Eigen::VectorXd v(6);
  v << 0.1, 0, -1, 0, 2.9, 0;
  for (const double mu : {0.0, 0.4}) {
    const PlanarContactLaw law(FrictionLaw(Disk(0.4), Disk(0.4)));
    const Table table(feet, 0.3, v, mu > 0 ? &law : nullptr);
    Eigen::VectorXd first;
    for (const ContactMethod method : kMethods) {
      ContactOptions options;
      options.method = method;
      options.tolerance = 1e-9;
      options.max_iterations = 100000;
      const ContactSolution s = solve(table.problem, options);
      CAPTURE(std::string(name_of(method)));
      REQUIRE(s.report.solved());
      REQUIRE(s.report.settled);
      CHECK(normals(s).minCoeff<Eigen::PropagateNaN>() >= 0);
      if (first.size() == 0) first = s.impulse;
      CHECK((s.impulse - first).norm() <= 1e-7 * first.norm());
    }
    // No other solution is shorter: of the loads that give the same velocities, moved along any pattern that does not.
    if (mu > 0) continue;
    const Eigen::MatrixXd rows = table.h(Eigen::all, Eigen::seqN(0, 6, 3));
    const Eigen::MatrixXd patterns = Eigen::FullPivLU<Eigen::MatrixXd>(rows).kernel();
    Eigen::VectorXd n(6);
    for (int i = 0; i < 6; ++i) n[i] = first[3 * i];
    for (Eigen::Index k = 0; k < patterns.cols(); ++k)
      for (const double step : {1e-3, -1e-3}) {
        const Eigen::VectorXd moved = n + step * patterns.col(k);
        if (moved.minCoeff<Eigen::PropagateNaN>() >= 0) CHECK(moved.norm() > n.norm());
      }
  }
}

TEST_CASE(
    "quick looks are not settled, and the report says so; one contact with given normal force needs no settling") {
  Eigen::VectorXd v(6);
  v << 0, 0, -1, 0, 0, 0;
  const Table table(kFour, 0.3, v, nullptr);
  for (const double tolerance : {1e-5, 1e-6}) {
    ContactSolution s;
    ContactSolver().solve(table.problem, {.method = ContactMethod::gauss_seidel, .tolerance = tolerance}, s);
    REQUIRE(s.report.solved());
    CHECK(s.report.settled == (tolerance <= 1e-6));
    CHECK(s.report.undetermined.has_value() == (tolerance <= 1e-6));
  }
  // The row of the normal is empty: only the tangents move.
  const PlanarContactLaw law(FrictionLaw(Disk(0.3), Disk(0.3)));
  ContactProblem given;
  given.contacts = {Contact{&law, 2.0}};
  given.free_velocity = Vec3(0, 0.5, 0.1);
  for (const double second : {1.0, 0.0}) {  // 0: what cannot move along the second tangent leaves its friction open
    given.delassus = std::make_shared<BlockDelassus>(Eigen::MatrixXd(Vec3(0, 1, second).asDiagonal()));
    if (second == 0) given.free_velocity.setZero();
    const ContactSolution s = solve(given);
    REQUIRE(s.report.solved());
    CHECK(s.report.undetermined == (second == 0 ? 1 : 0));
  }
}

TEST_CASE("more contacts than are settled keep the method's impulses, and the report says so") {
  Eigen::VectorXd v(6);
  v << 0, 0, -1, 0, 0, 0;
  const Table table(kFour, 0.3, v, nullptr);
  ContactOptions options;
  options.method = ContactMethod::gauss_seidel;
  options.settled_contacts = 3;
  ContactSolution s;
  s.impulse = Eigen::VectorXd::Zero(12);
  s.impulse[0] = s.impulse[6] = 0.5;
  ContactSolver().solve(table.problem, options, s);
  REQUIRE(s.report.solved());
  CHECK_FALSE(s.report.undetermined.has_value());
  CHECK_FALSE(s.report.settled);
  CHECK(s.impulse[0] == 0.5);
}

TEST_CASE("what is undetermined belongs to the impulses: the same for every method and tolerance") {
  const PlanarContactLaw law(FrictionLaw(Disk(0.4), Disk(0.4)));
  const std::vector<Vec2> pushes(3, Vec2::Zero());
  const Stack stack(3, Vec2(0.3, 0.2), pushes, &law);
  Eigen::VectorXd first;
  std::optional<int> undetermined;
  int settled = 0;
  for (const ContactMethod method : kMethods)
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
      ContactOptions options;
      options.method = method;
      options.tolerance = tolerance;
      const ContactSolution s = solve(stack.problem, options);
      CAPTURE(std::string(name_of(method)));
      CAPTURE(tolerance);
      REQUIRE(s.report.undetermined.has_value() == s.report.solved());
      if (!s.report.settled) continue;
      ++settled;
      if (first.size() == 0) {
        first = s.impulse;
        undetermined = s.report.undetermined;
      }
      CHECK((s.impulse - first).norm() <= 1e-6 * first.norm());
      CHECK(s.report.undetermined == undetermined);
    }
  CHECK(settled > 12);
  // Only the lowest four slip. Of 24 rows above, 12 hold the bodies; the loads of the lowest are open once.
  CHECK(undetermined == 13);
}

TEST_CASE("slip that the error does not tell from none is stick") {
  // Pushes that friction holds, or nearly: contacts on the border of what they can hold.
  const PlanarContactLaw law(FrictionLaw(Disk(0.5), Disk(0.5)));
  Random random(91);
  int stick = 0;
  for (int sample = 0; sample < 40; ++sample) {
    std::vector<Vec2> pushes;
    for (int b = 0; b < 4; ++b) pushes.emplace_back(random.uniform(-0.04, 0.04), random.uniform(-0.04, 0.04));
    const Stack stack(4, Vec2::Zero(), pushes, &law);
    for (const double tolerance : {1e-6, 1e-8}) {
      ContactOptions options;
      options.method = ContactMethod::automatic;
      options.tolerance = tolerance;
      const ContactSolution s = solve(stack.problem, options);
      CAPTURE(sample);
      CAPTURE(tolerance);
      REQUIRE(s.report.solved());
      const Eigen::VectorXd sums =
          stack.problem.free_velocity.cwiseAbs() + (stack.h.transpose() * stack.h).cwiseAbs() * s.impulse.cwiseAbs();
      for (std::size_t i = 0; i < s.modes.size(); ++i) {
        const Eigen::Index at = 3 * static_cast<Eigen::Index>(i);
        const double slip = s.velocity.segment<2>(at + 1).norm(),
                     sum = sums.segment<3>(at).maxCoeff<Eigen::PropagateNaN>();
        if (s.modes[i] == ContactMode::slip) CHECK(slip > 9.9 * s.report.residual * sum);
        stick += s.modes[i] == ContactMode::stick;
      }
    }
  }
  CHECK(stick > 500);
}
