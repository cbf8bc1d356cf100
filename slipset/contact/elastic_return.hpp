// One increment of an elastic interface, for any reservoir and direction set.          docs/theory/elastic.md
//   T_trial = T_before + B Δr                                                                             [K07 17]
//   inside N C: T = T_trial.  Otherwise T on the boundary of N C with
//   B⁻¹(T_trial - T) = Δγ along a normal of D on the ray of T                                              (E.3)
// This is the local problem of one contact (C.2) with the compliance B⁻¹ for the Delassus block and B⁻¹T_trial for the
// free velocity: one scalar equation on the boundary's angle, corners and flat sides of D included. For D = C it is the
// closest point in the metric of B⁻¹. It is solved along the axes of B, so that rounding acts as a change of T_trial by
// a few eps, whatever the ratio of the stiffnesses. Two ellipses: EllipticReturn.
#pragma once

#include <memory>

#include "slipset/contact/planar_local.hpp"
#include "slipset/laws/elliptic_return.hpp"

namespace slipset {

// Derivatives of the force after an increment, for Newton's method.                                            (E.5)
struct InterfaceTangent {
  Mat2 by_displacement;  // ∂T/∂Δr [N/m]
  Vec2 by_normal_force;  // ∂T/∂N [-]
};

class ElasticReturn {
 public:
  // `nodes` resolve the boundary where it has to be searched (PlanarContactLaw). Rate dependence of the law is left
  // out.
  explicit ElasticReturn(ElasticInterface interface, int nodes = 360);

  const ElasticInterface& interface() const { return interface_; }

  // The increment Δr from the force `before`, with the normal force N at its end. Implicit, of first order; exact where
  // the force does not turn. Of several solutions the one nearest to `before` in the metric of B⁻¹. Without pressure
  // (N ≤ 0) there is no force. Throws InvalidInput for what is not finite.
  InterfaceUpdate update(const Vec2& before, const Vec2& displacement, double normal_force) const;
  // The same from a trial force; `last` only decides between several solutions.
  InterfaceUpdate from_trial(const Vec2& trial, double normal_force, const Vec2& last) const;

  // Of second order: the elastic part up to the boundary, then slip along the normal at the middle of the rest, while
  // the normal force goes from N0 to N1 in proportion. For increments that are not large against the elastic range;
  // where the direction of the middle does not lead back to the boundary, the implicit update. (E.6)
  InterfaceUpdate midpoint(const Vec2& before, const Vec2& displacement, double normal_before,
                           double normal_after) const;

  // The part of an increment, 0 to 1, after which the force reaches the boundary; 1 if it does not. 0: slips at once.
  double elastic_part(const Vec2& before, const Vec2& displacement, double normal_before, double normal_after) const;

  // Of update(). Empty at a corner or joint of C or D that the force can leave either way, and on the boundary itself.
  std::optional<InterfaceTangent> tangent(const InterfaceUpdate& update, double normal_force) const;

 private:
  InterfaceUpdate search(const Vec2& trial, double normal_force, const Vec2& last) const;

  ElasticInterface interface_;
  std::optional<EllipticReturn> elliptic_;
  std::shared_ptr<const PlanarContactLaw> law_;  // along the axes of B; null if elliptic
};

}  // namespace slipset
