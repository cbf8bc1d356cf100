#include "problems/masses.hpp"

#include <Eigen/SparseCore>

#include "slipset/contact/mass_delassus.hpp"

namespace slipset::problems {

ContactProblem masses_problem(const BodyWorld& world, double dt, double closed) {
  std::vector<BodyMotion> motions;
  free_motions(world, dt, motions);
  std::vector<BodyContact> contacts;
  ContactFinder().find(world, dt, closed, contacts);
  BodyProblem builder;
  ContactProblem problem;
  builder.build(world, motions, contacts, dt, closed, problem);
  const BodyDelassus& pairs = builder.pairs;

  // Six degrees of freedom for each body that moves, along the axes of the world: velocity, then spin.
  using Triplet = Eigen::Triplet<double>;
  std::vector<Triplet> masses, directions;
  std::vector<int> place(world.bodies.size(), -1);
  int dofs = 0;
  for (std::size_t b = 0; b < place.size(); ++b) {
    if (motions[b].inverse_mass == 0) continue;
    place[b] = dofs;
    const Mat3 turn = world.states[b].orientation.matrix();
    const Mat3 inertia = turn * world.bodies[b].inertia.asDiagonal() * turn.transpose();
    for (int i = 0; i < 3; ++i) {
      masses.emplace_back(dofs + i, dofs + i, world.bodies[b].mass);
      for (int j = 0; j < 3; ++j) masses.emplace_back(dofs + 3 + i, dofs + 3 + j, (inertia(i, j) + inertia(j, i)) / 2);
    }
    dofs += 6;
  }
  for (std::size_t i = 0; i < pairs.contacts(); ++i) {
    const BodyPair& pair = pairs.contact(i);
    for (const bool second : {false, true}) {
      const int at = place[second ? pair.second : pair.first];
      if (at < 0) continue;
      const double sign = second ? 1 : -1;
      const Mat3 turning = -pair.frame * cross_matrix(second ? pair.arm_second : pair.arm_first);
      int column = static_cast<int>(pairs.offset(i));
      for (int row = 0; row < 6; ++row) {
        if (!(pair.rows & (1 << row))) continue;
        for (int k = 0; k < 3; ++k) {
          if (row < 3) directions.emplace_back(at + k, column, sign * pair.frame(row, k));
          directions.emplace_back(at + 3 + k, column, sign * (row < 3 ? turning(row, k) : pair.frame(row - 3, k)));
        }
        ++column;
      }
    }
  }
  SparseMatrix m(dofs, dofs), h(dofs, pairs.rows());
  m.setFromTriplets(masses.begin(), masses.end());
  h.setFromTriplets(directions.begin(), directions.end());
  m.prune(0.0);
  h.prune(0.0);
  problem.delassus = std::make_shared<MassDelassus>(m, h, pairs.layout());
  problem.owned = world.laws;
  return problem;
}

}  // namespace slipset::problems
