// A small elastic block from finite elements: bricks with eight nodes, linear elasticity, lumped masses.
#pragma once

#include <Eigen/SparseCore>
#include <array>

#include "slipset/core/vec.hpp"

namespace slipset::problems {

struct BrickBlock {
  std::array<int, 3> elements = {1, 1, 1};             // along x, y and z
  Vec3 sides = Vec3::Ones();                           // [m]
  double youngs = 1e7, poisson = 0.3, density = 1000;  // [Pa], [-], [kg/m³]
  double lowest_layer = 1;                             // how many times stiffer the lowest elements are

  int nodes() const { return (elements[0] + 1) * (elements[1] + 1) * (elements[2] + 1); }
  int node(int i, int j, int k) const { return i + (elements[0] + 1) * (j + (elements[1] + 1) * k); }
};

// Three degrees of freedom per node, x, y, z.
struct BrickMatrices {
  Eigen::SparseMatrix<double> stiffness;
  Eigen::VectorXd masses;
};
BrickMatrices assemble(const BrickBlock& block);

}  // namespace slipset::problems
