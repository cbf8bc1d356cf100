// How the problems of the library are made: what is written is what was made; masses, bricks and laws are what they say.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "problems/bricks.hpp"
#include "problems/kinds.hpp"
#include "problems/masses.hpp"
#include "problems/raw_problem.hpp"
#include "problems/recipe.hpp"
#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/mass_delassus.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/problem_file.hpp"
#include "slipset/systems/bodies/piles.hpp"
#include "tests/support/near.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::problems;
using namespace slipset::test;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Eigen::MatrixXd delassus(const ContactProblem& problem) {
  return assembled(problem).delassus->as_blocks()->sparse().toDense();
}

// Not shown where they differ: they are large.
bool same_bits(const Sparse& a, const Sparse& b) { return a.rows() == b.rows() && a.toDense() == b.toDense(); }

}  // namespace

TEST_CASE("problems are read back with the same bits of W and q, of M and H") {
  const TemporaryFolder folder;
  for (const Recipe& recipe : all_recipes()) {
    const ContactProblem made = recipe.make();
    CHECK(made.contacts.size() >= 3);
    CHECK(made.contacts.size() <= 1500);
    if (made.contacts.size() > 60) continue;
    CAPTURE(recipe.name);
    const auto path = folder.path() / "problem.hdf5";
    write_problem(path, made, recipe.name);
    CHECK(std::filesystem::file_size(path) < 1'000'000);
    const ProblemFile read = read_problem(path);
    CHECK(read.problem.free_velocity == made.free_velocity);
    const RawProblem raw = read_raw_problem(path);
    if (const auto* const masses = dynamic_cast<const MassDelassus*>(made.delassus.get())) {
      const auto* const again = dynamic_cast<const MassDelassus*>(read.problem.delassus.get());
      REQUIRE(again);
      CHECK(same_bits(again->mass(), masses->mass()));
      CHECK(same_bits(again->directions(), masses->directions()));
      const Eigen::MatrixXd w = delassus(made);
      CHECK((raw.w.toDense() - w).norm() < 1e-9 * w.norm());
    } else {
      Sparse w = made.delassus->as_blocks()->sparse();
      if (const Eigen::Index rows = raw.contact_rows(); rows < w.rows()) {  // a file has V, and Vᵀ from it
        Eigen::MatrixXd whole = w.toDense();
        CHECK((whole - whole.transpose()).norm() < 1e-13 * whole.norm());
        whole.bottomLeftCorner(w.rows() - rows, rows) = whole.topRightCorner(rows, w.rows() - rows).transpose().eval();
        w = whole.sparseView();
      }
      CHECK(same_bits(read.problem.delassus->as_blocks()->sparse(), w));
      CHECK(same_bits(raw.w, w));
      CHECK(raw.q == made.free_velocity);
    }
  }
}

TEST_CASE("a law of a file, read by itself, is the law") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "problem.hdf5";
  for (const Kind kind : {Kind::isotropic, Kind::elliptic, Kind::superelliptic, Kind::nonconvex}) {
    CAPTURE(name_of(kind));
    BodyWorld world;
    const FrictionLaw law = law_of(kind, 0.5);
    SpherePileOptions options;
    options.law = options.wall_law = world.add_law(law);
    add_sphere_pile(world, 2, 1, options);
    write_problem(path, problem_of(world, 1e-3, 1e-5, 1e-5));
    const RawProblem raw = read_raw_problem(path);
    REQUIRE_FALSE(raw.laws.empty());
    Seeded random(3);
    Worst gauge, resistance, slip;
    for (int k = 0; k < 1000; ++k) {
      const double x = random.uniform(-1, 1);
      const Vec2 v(x, random.uniform(-1, 1));
      gauge.add(std::abs(raw.laws[0].gauge(v) / law.reservoir().gauge(v) - 1));
      slip.add((raw.laws[0].slip(v) - law.direction().normal_ray(v).normalized()).norm());
      resistance.add((raw.laws[0].resistance(v) - slip_resistance(law, v)).norm());
    }
    CHECK(gauge.value() < 1e-13);
    CHECK(resistance.value() < 1e-12);
    CHECK(slip.value() < 1e-12);
  }
}

TEST_CASE("bodies as masses: the same W and q as by blocks") {
  for (const bool rolling : {false, true}) {
    BodyWorld world;
    SpherePileOptions options;
    options.law = options.wall_law =
        rolling ? world.add_law(RollingLaw::product(PlanarSet(Disk(0.5)), std::nullopt, PlanarSet(Disk(1e-3))))
                : world.add_law(law_of(Kind::elliptic, 0.5));
    add_sphere_pile(world, 6, 2, options);
    world.add(free_box("box", Vec3(0.01, 0.02, 0.03), 1000, options.law), at(1, 0, 0.015));
    world.states.back().orientation = rotation_by(Vec3(0, 0, 0.3));
    world.states.back().spin = Vec3(1, 2, 3);
    const ContactProblem blocks = problem_of(world, 1e-3, 1e-5, 1e-5), masses = masses_problem(world, 1e-3, 1e-5);
    CHECK(blocks.free_velocity == masses.free_velocity);
    const Eigen::MatrixXd w = delassus(blocks);
    CHECK((w - delassus(masses)).norm() < 1e-12 * w.norm());
  }
}

TEST_CASE("bricks: rigid motions cost nothing, uniform strain what it has to") {
  BrickBlock block;
  block.elements = {3, 2, 2};
  block.sides = Vec3(0.3, 0.2, 0.5);
  block.youngs = 2e6;
  block.poisson = 0.3;
  block.density = 1200;
  const BrickMatrices bricks = assemble(block);
  const auto field = [&](const Mat3& gradient) {
    Eigen::VectorXd x(3 * block.nodes());
    for (int k = 0; k <= 2; ++k)
      for (int j = 0; j <= 2; ++j)
        for (int i = 0; i <= 3; ++i)
          x.segment<3>(3 * block.node(i, j, k)) =
              gradient * Vec3(i / 3.0, j / 2.0, k / 2.0).cwiseProduct(block.sides) + Vec3(1, 2, 3);
    return x;
  };
  const double volume = block.sides.prod(), size = bricks.stiffness.norm();
  CHECK(bricks.masses.sum() == near(3 * block.density * volume, 1e-13));
  Mat3 spin;
  spin << 0, 1, -2, -1, 0, 3, 2, -3, 0;
  CHECK((bricks.stiffness * field(spin)).norm() < 1e-13 * size);
  Mat3 g;
  g << 1, 0.3, -0.2, 0.5, -0.7, 0.1, 0.4, 0.2, 0.6;
  const Mat3 strain = (g + g.transpose()) / 2;
  const double lame = 2e6 * 0.3 / (1.3 * 0.4), shear = 2e6 / 2.6;
  const double energy = volume * (shear * strain.squaredNorm() + lame / 2 * strain.trace() * strain.trace());
  const Eigen::VectorXd x = field(g);
  CHECK(0.5 * x.dot(bricks.stiffness * x) == near(energy, 1e-12));
  // Nothing pulls at the node inside.
  CHECK((bricks.stiffness * x).segment<3>(3 * block.node(1, 1, 1)).norm() < 1e-13 * size * x.norm());
}

TEST_CASE("a solution in a file: sizes that do not fit are refused, isotropic laws need no extension") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "problem.hdf5";
  BodyWorld world = make_sphere_pile(2, 1);
  const ContactProblem problem = problem_of(world, 1e-3, 1e-5, 1e-5);
  const Eigen::Index rows = problem.delassus->rows();
  FiledSolution solution;
  solution.impulse = solution.velocity = Eigen::VectorXd::Zero(rows);
  solution.defects.assign(problem.contacts.size(), 0.25);
  solution.numbers["error"] = 0.25;
  write_problem(path, problem, solution);
  CHECK(read_problem(path).problem.contacts[0].law->cone()->sliding == 0.5);
  FiledSolution wrong = solution;
  wrong.impulse.resize(rows + 1);
  CHECK_THROWS_AS(write_problem(path, problem, wrong), InvalidInput);
  wrong = solution;
  wrong.velocity.resize(0);
  CHECK_THROWS_AS(write_problem(path, problem, wrong), InvalidInput);
  wrong = solution;
  wrong.defects.pop_back();
  CHECK_THROWS_AS(write_problem(path, problem, wrong), InvalidInput);
  wrong = solution;
  wrong.defects.clear();
  CHECK_THROWS_AS(write_problem(path, problem, wrong), InvalidInput);
  CHECK_THROWS_AS(write_problem(folder.path() / "problem.dat", problem, solution), InvalidInput);
}
