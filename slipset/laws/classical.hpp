// The laws of the literature, each a constructor of the pair (C, D).  docs/theory/laws.md
#pragma once

#include "slipset/laws/friction_law.hpp"

namespace slipset {

// Coulomb: C = D = disk of radius μ.                                                     [WL19 Def. 14]
FrictionLaw isotropic(double friction);
// Maximum dissipation: C = D, any convex set.                                            [WL19 Def. 12]
FrictionLaw associated(const PlanarSet& set);
// The friction force opposes the slip: D = disk, C any star-shaped set.                  [WL19 Def. 15]
FrictionLaw collinear(const PlanarSet& reservoir);
// Two independent bounds, one sign function along each axis.           [WL19 35 with its sign corrected, 36]
FrictionLaw two_sign(double friction_1, double friction_2, double angle = 0);
// Parallel wedge-shaped asperities of slope β [rad], friction μ on them; D an ellipse with p2/p1 = cos β.
//                                                                                        [WL19 50, 52]
FrictionLaw wedge_asperities(double friction, double slope, double angle = 0);

// C and D superellipses with common axes and a common exponent: the case with an inclusion on C and with a
// bipotential (Michalowski & Mróz, Hjiaj et al.).                               [WL19 53, 54] [WL16 12-15]
class SuperellipsePair {
 public:
  // Semi-axes of C and of D (any scale), exponent ≥ 1. Throws InvalidInput otherwise.
  SuperellipsePair(const Vec2& friction, const Vec2& direction, double exponent, double angle = 0);

  FrictionLaw law() const { return {reservoir_, direction_}; }
  // T^s v, T = diag(p_i/μ_i): the slip velocity mapped so that T^s v ∈ N_C(s).                [WL19 54]
  Vec2 mapped_velocity(const Vec2& v) const;
  // b(v, s) ≥ s·v for all s ∈ C, with equality exactly for the pairs (v, s) of the law; infinite outside C.
  //                                                          [WL16 12, with the support function of C]
  double bipotential(const Vec2& v, const Vec2& resistance) const;

 private:
  Superellipse reservoir_, direction_;
};

}  // namespace slipset
