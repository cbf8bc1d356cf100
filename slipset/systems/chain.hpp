// A chain of n blocks on rough ground, forced at its free end.                             [Q04 Sect. 3.2]
//   (1/n) ü_1 + n(u_1 - u_2) = f_1/n - α sin ωt
//   (1/n) ü_j + n(-u_{j-1} + 2u_j - u_{j+1}) = f_j/n
//   (1/n) ü_n + n(-4/3 u_{n-1} + 4 u_n) = f_n/n,        |f_j| ≤ μN
// The last row is printed so; it is the difference for a wall half a cell away and makes K unsymmetric. `symmetric`
// takes (-1, 3) instead, a spring of twice the stiffness to the wall.
#pragma once

#include "slipset/systems/axial_system.hpp"

namespace slipset {

struct ChainParameters {
  Eigen::Index blocks = 32;   // n, at least 2
  double friction_limit = 1;  // μN of one unit of mass; a block has μN/n
  double amplitude = 0.25;    // α
  double frequency = 0.5;     // ω [rad/s]
  bool symmetric = false;
};

AxialSystem chain(const ChainParameters& parameters);

}  // namespace slipset
