// All slip states of a law as one closed path.                        docs/theory/laws.md
// Along the boundary of D both angles only grow: that of the resistance, θ, and that of the slip, φ (D's normal). At a
// corner of D, θ stands still while φ turns; on a flat side, φ stands still while θ moves; an elongated or nearly
// cornered D comes close to both. Nodes that are spaced in both angles resolve any of these; between two of them, the
// angle that moves further is the variable to work with. (L.4)
#pragma once

#include "slipset/laws/friction_law.hpp"

namespace slipset {

struct SlipNode {
  double resistance_angle;  // θ
  double slip_angle;        // φ, within 90° of θ
};

// Nodes in order around one turn, θ from [0, 2π); about `count` by each angle, corners of both sets among them.
std::vector<SlipNode> slip_path(const FrictionLaw& law, int count = 720);

// The state at a slip angle; on a flat side of D its middle.
double resistance_angle_at(const FrictionLaw& law, double slip_angle);
// The slip angles at a resistance angle: one, or at a corner of D a fan. Within 90° of θ.
AngleInterval slip_angles_at(const FrictionLaw& law, double resistance_angle);

// The flat sides of D, counter-clockwise.
struct FlatSide {
  Vec2 normal;
  Vec2 from, to;  // points of D
};
std::vector<FlatSide> flat_sides(const FrictionLaw& law, int count = 180);

}  // namespace slipset
