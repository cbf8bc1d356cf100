// Reservoir and direction set from folded signals, without a model of their shape.  docs/theory/identification.md
//   C: the points R(φ)(λ_t, λ_r)/λ_N                                                                    [WL19 119]
//   D: ln h_D(φ) = ∫ tan δ dφ, tan δ = λ_r/λ_t; the point with normal φ is h_D (n + tan δ n⊥)   [WL19 125] (I.10)
// The integral over slip angle and support function is that of [WL19 125] over θ and radius: r_D = h_D/cos δ. tan δ is
// no smooth function where D is flat or sharp: the flow of a fitted closed model is taken off before the quadrature and
// its own h_D, known exactly, is put back.
#pragma once

#include "slipset/identification/flow_fit.hpp"

namespace slipset {

struct DataPoint {
  double slip_angle;  // φ [rad]
  Vec2 reservoir;     // on the boundary of C
  Vec2 direction;     // on the boundary of D, of any scale
  double count;
};

struct SetsFromData {
  std::vector<DataPoint> points;                    // by slip angle, at most 720: neighbouring bins are joined
  double closure = 0;                               // ∮ tan δ dφ: change of ln r_D per turn; spread evenly over D
  double closure_sigma = 0;                         // its standard deviation from the noise
  double closure_p_value = 1;                       // of a gain at least as large by noise alone
  double misalignment = 0, misalignment_sigma = 0;  // of the sensor [rad], that would make D close
  double smallest_turn = 0;     // of the resistance's angle over that of the slip, in sectors of 5°; convex: positive
  double smallest_turn_at = 0;  // slip angle [rad]
  bool convex = true;           // no sector turns back by more than three standard deviations
  std::string verdict;          // on the closure, in words
};

// `fit` gives the flow to take off; any that is near will do.
SetsFromData sets_from_data(const FoldedSignals& signals, const FlowFit& fit);

// The smallest convex set that holds the points, smoothed: its support function times Fejér's kernel of this order, a
// mean over rotations with weights that are not negative, so that convexity stays exactly.                     (I.11)
PolarCurve convex_smoothing(std::span<const Vec2> points, int order = 16);

}  // namespace slipset
