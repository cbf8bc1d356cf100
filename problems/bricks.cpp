#include "problems/bricks.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <vector>

namespace slipset::problems {
namespace {

using Element = Eigen::Matrix<double, 24, 24>;
using Strain = Eigen::Matrix<double, 6, 24>;

// Corner c of a brick is at (x, y, z) = its three bits.
int bit(int corner, int axis) { return (corner >> axis) & 1; }

// ∫ BᵀDB over a brick with these sides, two points of Gauss along each.
Element stiffness_of(const Vec3& sides, double youngs, double poisson) {
  const double lame = youngs * poisson / ((1 + poisson) * (1 - 2 * poisson)), shear = youngs / (2 * (1 + poisson));
  Eigen::Matrix<double, 6, 6> d = Eigen::Matrix<double, 6, 6>::Zero();
  d.topLeftCorner<3, 3>().setConstant(lame);
  for (int i = 0; i < 3; ++i) {
    d(i, i) += 2 * shear;
    d(3 + i, 3 + i) = shear;
  }
  Element k = Element::Zero();
  for (int point = 0; point < 8; ++point) {
    Strain b = Strain::Zero();
    for (int c = 0; c < 8; ++c) {
      Vec3 slope;  // of the corner's trilinear function
      for (int axis = 0; axis < 3; ++axis) {
        slope[axis] = (bit(c, axis) ? 1 : -1) / sides[axis];
        for (int other = 0; other < 3; ++other) {
          if (other == axis) continue;
          const double at = 0.5 + (bit(point, other) ? 0.5 : -0.5) / std::sqrt(3.0);
          slope[axis] *= bit(c, other) ? at : 1 - at;
        }
      }
      const int x = 3 * c, y = x + 1, z = x + 2;
      b(0, x) = b(3, y) = b(5, z) = slope.x();
      b(1, y) = b(3, x) = b(4, z) = slope.y();
      b(2, z) = b(4, y) = b(5, x) = slope.z();
    }
    k += b.transpose() * d * b * (sides.prod() / 8);
  }
  return (k + k.transpose()) / 2;
}

}  // namespace

BrickMatrices assemble(const BrickBlock& block) {
  const auto [nx, ny, nz] = block.elements;
  const Vec3 sides = block.sides.cwiseQuotient(Vec3(nx, ny, nz));
  const Element k = stiffness_of(sides, block.youngs, block.poisson);
  const int dofs = 3 * block.nodes();
  std::vector<Eigen::Triplet<double>> entries;
  BrickMatrices result;
  result.masses.setZero(dofs);
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const double factor = z == 0 ? block.lowest_layer : 1;
        std::array<int, 24> place{};
        for (int c = 0; c < 8; ++c)
          for (int axis = 0; axis < 3; ++axis)
            place[static_cast<std::size_t>(3 * c + axis)] =
                3 * block.node(x + bit(c, 0), y + bit(c, 1), z + bit(c, 2)) + axis;
        for (int i = 0; i < 24; ++i) {
          const int row = place[static_cast<std::size_t>(i)];
          result.masses[row] += block.density * sides.prod() / 8;
          for (int j = 0; j < 24; ++j) entries.emplace_back(row, place[static_cast<std::size_t>(j)], factor * k(i, j));
        }
      }
  result.stiffness.resize(dofs, dofs);
  result.stiffness.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace slipset::problems
