// A block on an elastic interface, moved slowly: no inertia.          docs/theory/elastic.md
//   moved along a path: the displacement is given, the force follows
//   pulled by a carriage with a frictionless guide: x1 is given, x2 such that T2 = 0        [K07 2, Figs. 1, 3, 5]
// Sums over the increments: work Σ ½(T+T')·Δr, dissipation Σ ½(T+T')·Δγ. Since B⁻¹(T'-T) is the elastic part of Δr,
// work = dissipation + change of ½ T·B⁻¹T, to rounding. (E.9) Along a path an increment in which slip begins is divided
// there, and has a row for it.
#pragma once

#include <functional>
#include <span>

#include "slipset/contact/elastic_return.hpp"

namespace slipset {

enum class IncrementRule { implicit, midpoint };

struct InterfaceRow {
  double way = 0;                // length of the path so far [m]
  Vec2 position = Vec2::Zero();  // of the block [m]
  Vec2 force = Vec2::Zero();     // T, that moves the block against the friction [N]
  Vec2 slip = Vec2::Zero();      // plastic part of the position [m]
  double normal_force = 0;       // [N]
  bool slips = false;
  double work = 0, dissipated = 0, stored = 0;  // [J]
};

struct InterfacePath {
  std::vector<InterfaceRow> rows;  // the start first
  int several = 0;                 // increments with several solutions; those with a jump are among them
  int jumps = 0;                   // increments in which the force jumps: (E.1) has no solution on the way
  int implicit = 0;                // increments too large for the midpoint rule, where that was asked for
  int not_found = 0;               // increments without a solution, or whose T2 = 0 was not reached; the run ends there
  bool stopped = false;            // by the caller
};

struct InterfacePathOptions {
  IncrementRule rule = IncrementRule::midpoint;
  double normal_before = 1, normal_after = 1;  // normal force [N] at the first and at the last position, linear between
  Vec2 start_force = Vec2::Zero();             // T at the first position [N]
  // Called now and then with the increments done, and all of them; false ends the run.
  std::function<bool(double, double)> progress = {};
};

// The block at each of `positions` in turn.
InterfacePath move_block(const ElasticReturn& interface, std::span<const Vec2> positions,
                         const InterfacePathOptions& options);
// Over `distance` along e1 in `increments` equal steps, with T2 = 0 after each (implicit increments).
InterfacePath pull_block(const ElasticReturn& interface, double distance, int increments,
                         const InterfacePathOptions& options);
// Angle [rad] of the motion against the pull in the last increment of a pull: φ.
double angle_of_pull(const InterfacePath& run);

// Paths of `increments` steps; angles in radians.
std::vector<Vec2> line_path(double length, double angle, int increments);
std::vector<Vec2> back_and_forth_path(double amplitude, double angle, int cycles, int increments_per_cycle);
std::vector<Vec2> circle_path(double radius, int turns, int increments_per_turn);  // starts at the origin
std::vector<Vec2> figure_eight_path(double length, double angle, int turns, int increments_per_turn);

}  // namespace slipset
