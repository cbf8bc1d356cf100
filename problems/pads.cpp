// Rubber pads from finite elements, glued to a plate that presses them on the ground and moves sideways: one implicit step
//   (M + Δt²K) v = M v₀ + H r,   u = Hᵀv,   v given where the plate is
// with every node of the lower face a contact. W is dense and regular: nothing is undetermined.
#include <Eigen/SparseCholesky>

#include "problems/bricks.hpp"
#include "problems/kinds.hpp"
#include "problems/recipe.hpp"
#include "slipset/contact/mass_delassus.hpp"
#include "slipset/contact/planar_contact_law.hpp"

namespace slipset::problems {
namespace {

constexpr double kStep = 1e-3;  // [s]

struct Pad {
  std::array<int, 3> elements;
  Kind kind;
  Vec3 plate = Vec3(0.02, 0.01, -0.05);  // its velocity [m/s]
  bool condensed = false;                // W in place of M and H
  double lowest_layer = 1;
};

ContactProblem problem_of(const Pad& pad) {
  BrickBlock block;
  block.elements = pad.elements;
  block.sides = Vec3(0.06, 0.04, 0.02);
  block.youngs = 5e6;
  block.poisson = 0.4;
  block.density = 1200;
  block.lowest_layer = pad.lowest_layer;
  const BrickMatrices bricks = assemble(block);
  const auto [nx, ny, nz] = block.elements;

  // Nodes are numbered from the lowest layer up: the plate has the last ones.
  const int free = 3 * block.node(0, 0, nz);
  SparseMatrix whole = kStep * kStep * bricks.stiffness;
  for (int i = 0; i < whole.rows(); ++i) whole.coeffRef(i, i) += bricks.masses[i];
  const SparseMatrix mass = whole.topLeftCorner(free, free), glued = whole.topRightCorner(free, whole.cols() - free);
  const Eigen::VectorXd plate = pad.plate.replicate(glued.cols() / 3, 1);

  std::vector<Eigen::Triplet<double>> entries;
  const int contacts = (nx + 1) * (ny + 1);
  for (int i = 0; i < contacts; ++i) {
    entries.emplace_back(3 * i + 2, 3 * i, 1);  // upwards; then along x and y
    entries.emplace_back(3 * i, 3 * i + 1, 1);
    entries.emplace_back(3 * i + 1, 3 * i + 2, 1);
  }
  SparseMatrix directions(free, 3 * contacts);
  directions.setFromTriplets(entries.begin(), entries.end());

  const auto masses = std::make_shared<MassDelassus>(mass, directions);
  ContactProblem problem;
  problem.delassus = masses;
  problem.free_velocity = masses->contact_velocity(masses->velocity_by(-(glued * plate)));
  const auto law = std::make_shared<const PlanarContactLaw>(law_of(pad.kind, 0.7));
  problem.contacts.assign(static_cast<std::size_t>(contacts), Contact{law.get()});
  problem.owned = {law};
  return pad.condensed ? assembled(problem) : problem;
}

Recipe recipe(const Pad& pad, const std::string& ending, const std::string& about) {
  const auto [nx, ny, nz] = pad.elements;
  const std::string size = std::to_string(nx) + "x" + std::to_string(ny) + "x" + std::to_string(nz);
  return {"pad-" + size + "-" + name_of(pad.kind) + ending, "pad", name_of(pad.kind), size + " bricks; " + about,
          [=] { return problem_of(pad); }};
}

}  // namespace

std::vector<Recipe> pads() {
  const Vec3 slow(0.005, 0.002, -0.05), fast(0.3, 0.2, -0.05);
  return {
      recipe({{3, 3, 2}, Kind::isotropic}, "", "sticks in part"),
      recipe({{4, 3, 2}, Kind::elliptic}, "", "sticks in part"),
      recipe({{6, 4, 2}, Kind::superelliptic, slow}, "-slow", "sticks nearly everywhere"),
      recipe({{6, 4, 2}, Kind::nonconvex, fast}, "-fast", "slips"),
      recipe({{8, 6, 3}, Kind::elliptic}, "", "sticks in part"),
      recipe({{10, 8, 2}, Kind::superelliptic}, "", "sticks in part"),
      recipe({{8, 6, 2}, Kind::superelliptic, fast, true}, "-condensed", "slips; W in place of M and H"),
      recipe({{5, 4, 2}, Kind::elliptic, slow, true, 1e6}, "-stiff", "lowest layer a million times stiffer; W"),
  };
}

}  // namespace slipset::problems
