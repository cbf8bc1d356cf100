// Impulses that the laws leave open: one choice, whatever the method.                                          (C.20)
#include <doctest/doctest.h>

#include <Eigen/Dense>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_solver.hpp"
#include "slipset/contact/planar_contact_law.hpp"

using namespace slipset;

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
