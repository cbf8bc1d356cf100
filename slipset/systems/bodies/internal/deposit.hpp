// Spheres put into a box one after the other, each where it comes to rest among those before.  docs/theory/bodies.md
// A sphere comes down slowly and without friction: its centre follows the steepest descent that the spheres and walls
// it touches leave open, v = the projection of −e_z on { v : n_i·v ≥ 0 }, and rests where v = 0. So each lies on the
// floor or on three others or walls, and none overlaps.                                                          (G.10)
#pragma once

#include <vector>

#include "slipset/core/vec.hpp"

namespace slipset::internal {

// The box is 0 ≤ x, y ≤ width, z ≥ 0.
class Deposit {
 public:
  // `largest`: no sphere has a larger radius.
  Deposit(double width, double largest);

  // Where the centre of a sphere that comes down at x, y comes to rest. Throws InvalidInput if it does not in 20 000
  // steps.
  Vec3 settle(double x, double y, double radius);
  void add(const Vec3& centre, double radius);

 private:
  struct Ball {
    Vec3 centre;
    double radius;
    int next;  // in the same cell
  };
  // What the new sphere's centre keeps off: a ball with the radii added up, or a wall moved in by the radius.
  struct Obstacle {
    bool is_wall;
    Vec3 place;       // the ball's centre; the wall's normal
    double distance;  // of the surface from the centre; from the origin along the normal
    Vec3 normal(const Vec3& p) const;
    double gap(const Vec3& p) const;
  };

  int cell_along(double x) const;
  int layer_of(double z) const;
  std::size_t cell_of(int i, int j, int k) const;
  void gather(const Vec3& p, double radius, double around);
  Vec3 descent(const Vec3& p);
  Vec3 moved(const Vec3& p, const Vec3& along, double step) const;
  double least_gap(const Vec3& p) const;

  double width_, largest_;
  int side_;  // cells along x and y
  double top_ = 0;
  std::vector<Ball> balls_;
  std::vector<int> first_;                        // sphere of each cell; -1: none
  std::vector<Obstacle> near_;                    // to the place looked at
  std::vector<const Obstacle*> touching_, held_;  // held: those that the descent goes along
};

}  // namespace slipset::internal
