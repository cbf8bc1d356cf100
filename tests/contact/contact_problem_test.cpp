#include "slipset/contact/contact_solver.hpp"

#include <doctest/doctest.h>

#include <Eigen/SparseCore>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

std::vector<PlanarContactLaw> random_laws(Random& random, int count) {
  std::vector<PlanarContactLaw> laws;
  for (int i = 0; i < count; ++i) laws.emplace_back(random_law(random), 90);
  return laws;
}

// One to five contacts of moderate coupling, each unilateral or with a given normal impulse.
ContactProblem random_problem(Random& random, const std::vector<PlanarContactLaw>& laws, bool bilateral_only) {
  const int n = random.integer(1, 5);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (Eigen::Index i = 0; i < 3 * n; ++i)
    for (Eigen::Index j = 0; j < 3 * n; ++j)
      a(i, j) = i == j ? random.uniform(0.7, 1) : 0.15 / n * random.uniform(-1, 1);
  ContactProblem problem;
  problem.delassus = std::make_shared<BlockDelassus>(Eigen::MatrixXd(a * a.transpose()));
  problem.free_velocity = Eigen::VectorXd::Zero(3 * n);
  for (int i = 0; i < n; ++i) {
    Contact point;
    point.law = &laws[static_cast<std::size_t>(random.integer(0, static_cast<int>(laws.size()) - 1))];
    if (bilateral_only || random.coin()) point.normal_impulse = random.uniform(0.5, 2);
    problem.contacts.push_back(point);
    problem.free_velocity.segment<3>(3 * i) =
        Vec3(random.uniform(-2, 0.3), random.uniform(-1, 1), random.uniform(-1, 1));
  }
  return problem;
}

}  // namespace

TEST_CASE("Gauss-Seidel solves random problems of one to five contacts") {
  Random random(53);
  const std::vector<PlanarContactLaw> laws = random_laws(random, std::clamp(sample_count() / 20, 30, 1000));
  Worst worst;
  int solved = 0;
  const int count = sample_count();
  for (int i = 0; i < count; ++i) {
    const ContactProblem problem = random_problem(random, laws, false);
    const ContactSolution solution = solve(problem);
    CHECK(solution.impulse.allFinite());
    if (!solution.report.solved()) continue;  // several solutions: the choice may alternate between sweeps
    ++solved;
    const double r = contact_residual(problem, solution.impulse);
    worst.add(r);
  }
  show_worst("contacts, Gauss-Seidel", "random problems", worst.value());
  CHECK(worst.value() < 1e-12);
  CHECK(solved >= count * 0.98);
}

TEST_CASE("where the papers' fixed point converges, it agrees with Gauss-Seidel or the problem is ambiguous") {
  Random random(54);
  const std::vector<PlanarContactLaw> laws = random_laws(random, 100);
  int agreeing = 0, converged = 0;
  for (int i = 0; i < 100; ++i) {
    const ContactProblem problem = random_problem(random, laws, true);
    ContactOptions options;
    options.method = ContactMethod::fixed_point;
    const ContactSolution fixed = solve(problem, options), exact = solve(problem);
    if (!fixed.report.solved() || !exact.report.solved()) continue;
    ++converged;
    const double difference = (fixed.velocity - exact.velocity).norm() / problem.free_velocity.norm();
    CHECK((difference < 1e-10 || exact.ambiguous() || fixed.ambiguous()));
    agreeing += difference < 1e-10;
  }
  CHECK(converged > 50);
  CHECK(agreeing > 0.9 * converged);
}

TEST_CASE("dense and sparse Delassus matrices are the same, and wrong sizes are refused") {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Identity(9, 9);
  dense.block<3, 3>(0, 6).setConstant(0.1);
  dense.block<3, 3>(6, 0).setConstant(0.1);
  const BlockDelassus a(dense), b(Eigen::SparseMatrix<double>(dense.sparseView()));
  CHECK(a.blocks(0) == 2);
  CHECK(a.blocks(1) == 1);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(a.blocks(i) == b.blocks(i));
    for (std::size_t k = 0; k < a.blocks(i); ++k) CHECK(a.at<3>(i, k).values == b.at<3>(i, k).values);
  }
  CHECK_THROWS_AS(BlockDelassus(Eigen::MatrixXd(Eigen::MatrixXd::Identity(4, 4))), InvalidInput);
}
