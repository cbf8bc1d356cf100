// Worlds to start from, and large problems by the number: piles of spheres, stacks of boxes. docs/theory/bodies.md
#pragma once

#include <cstdint>

#include "slipset/systems/bodies/body_problem.hpp"

namespace slipset {

struct SpherePileOptions {
  double radius = 0.01;        // mean [m]
  double spread = 0.1;         // radii are uniform within radius·(1 ± spread); 0 to 0.5
  double density = 2500;       // [kg/m³]
  double width = 0;            // of the box, along x and y [m]; 0: as wide as the pile is high
  int law = -1;                // of the spheres, in the world
  int wall_law = -1;           // of the floor and the four walls
  Vec3 centre = Vec3::Zero();  // of the floor
};
// Adds a box without lid, five planes, and so many spheres in it. They come down one after the other at random places
// and roll slowly and without friction to rest, on the floor or on three others or walls (deposit.hpp): about three
// contacts per sphere, closed to 1e-9 of the radius. Time and memory O(n); the same seed gives the same bits. (G.10)
void add_sphere_pile(BodyWorld& world, std::size_t spheres, std::uint64_t seed, const SpherePileOptions& options = {});
// The same as a world, with Coulomb friction of this coefficient everywhere; and its problem of one step from rest.
BodyWorld make_sphere_pile(std::size_t spheres, std::uint64_t seed, double friction = 0.5);
ContactProblem sphere_pile_problem(std::size_t spheres, std::uint64_t seed, double friction = 0.5, double dt = 1e-3);

// Boxes of these sides, on top of each other, the lowest on `base`; each touches the next exactly.
void add_stack(BodyWorld& world, std::size_t boxes, const Vec3& sides, double density, int law,
               const Vec3& base = Vec3::Zero());

}  // namespace slipset
