// A friction law from a flow: any map from slip direction to resistance.        docs/theory/laws.md
//   C is the curve of the resistances, by its angle θ
//   D's normal is the slip direction φ at angle θ: with δ = θ - φ
//   (ln r_D)' = tan δ along θ [WL19 71], that is (ln h_D)' = tan δ along φ, r_D = h_D/cos δ    (L.2)
// Such a D exists only if the flow dissipates (|δ| < 90°), its resistance turns with the slip (θ increases
// with φ: C star-shaped and D convex) and the integral of tan δ over a turn vanishes (D closed).
#pragma once

#include <array>
#include <functional>

#include "slipset/laws/friction_law.hpp"

namespace slipset {

// Unit slip direction → resistance per unit normal force.
using Flow = std::function<Vec2(const Vec2&)>;

struct FlowOptions {
  double spacing = 2 * kPi / 720;   // largest step of slip and of resistance angle between points [rad]
  double closure_tolerance = 1e-9;  // largest |ln r_D| gained per turn that counts as closed [-]
};

struct FlowSets {
  PolarCurve reservoir;
  PolarCurve direction;
  double closure;  // ln r_D gained per turn; spread evenly over the curve
};

// Throws InvalidInput with the reason, and where, if there is no such law.
FlowSets sets_from_flow(const Flow& flow, const FlowOptions& options = {});
FrictionLaw law_from_flow(const Flow& flow, const FlowOptions& options = {});
// ∮ tan δ dφ: what ln r_D gains in one turn. Zero exactly when D is closed.                       (L.2)
double flow_closure(const Flow& flow);

// Friction tensors after Zmitrowicz. Second order: s_i = T_ij n_j, n the unit slip direction.
Flow tensor_flow(const Mat2& second);
// Second and fourth order: s_i = T_ij n_j + F_ijkl n_j n_k n_l; F row by row, index 8i + 4j + 2k + l.
Flow tensor_flow(const Mat2& second, const std::array<double, 16>& fourth);

}  // namespace slipset
