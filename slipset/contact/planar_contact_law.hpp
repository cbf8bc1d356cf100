// Sliding by two sets C and D as the law of a contact.      docs/theory/contact.md
//   0 ≤ p_N ⊥ u_N ≥ 0, or p_N given;   stick: u_T = 0, -p_T/p_N ∈ f C;   slip: -p_T/p_N = f s(u_T)     [WL19 19, 55]
// The slip states of a law are one closed path: along it the resistance s runs around C and the slip direction n
// around the circle. At a corner of D s stands still while n turns; on a flat side of D n stands still while s moves.
// Solutions of one contact: planar_local.hpp.
#pragma once

#include "slipset/contact/contact_law.hpp"
#include "slipset/laws/friction_law.hpp"

namespace slipset {

class PlanarContactLaw final : public ContactLaw {
 public:
  // One point of the path. `ray` is the direction of the resistance.
  struct Node {
    Vec2 ray;
    Vec2 resistance;  // on the boundary of C, without rate dependence
    Vec2 slip;        // a normal of D there
    bool corner;      // up to the next node only the slip direction changes
  };

  // `nodes`: how many resolve the path; several solutions of a step are told apart down to their spacing.
  explicit PlanarContactLaw(FrictionLaw law, int nodes = 180);

  const FrictionLaw& law() const { return law_; }
  const std::vector<Node>& path() const { return path_; }
  double largest_resistance() const { return largest_; }
  // The largest s·v, s in C, or a little more; where a bound tells that it is below `enough`, that bound.
  double most_along(const Vec2& v, double enough) const;
  double inner_radius() const { return inner_; }  // of a disk inside C
  bool direction_has_corners() const { return direction_has_corners_; }
  // Whether n_C(θ)ᵀ G⁻¹ n_D(θ) > 0 all along the path: a step with given normal force and tangential Delassus block
  // G then has one solution.                                                                        (C.5)
  bool unique_for(const Mat2& inverse_block) const;
  // The same for any multiple of the identity: the law cannot destabilise.                [WL19 Theorem 2]
  bool unique_for_isotropic() const { return fold_arcs_.empty(); }
  // A part of the path, nodes first to last, where n_Cᵀn_D < 0: of several solutions of a step with a given normal
  // force and a multiple of the identity, at least one is there. Its slip states reach s + λ n, 0 ≤ λ ≤ λ*, where
  // neighbouring rays meet; only a balance r = s + λ n within `least` to `most` can be on it. (C.7)
  struct FoldArc {
    std::size_t first, last;
    Vec2 least, most;
  };
  const std::vector<FoldArc>& fold_arcs() const { return fold_arcs_; }
  // Coulomb's coefficient, if both sets are disks.
  std::optional<double> isotropic_coefficient() const;

  int rows() const override { return 3; }
  std::string description() const override;
  bool solve(const Contact& contact, const LocalBlock& block, const ContactVec& c, double accuracy,
             LocalState& state) const override;
  Tangent linearize(const Contact& contact, const LocalBlock& block, const LocalState& state) const override;
  double residual(const Contact& contact, const ContactMat& g, const ContactVec& p, const ContactVec& u,
                  const VelocitySums& sums) const override;
  int search(const Contact& contact, const ContactMat& g, const ContactVec& c, LocalState& state) const override;
  bool project(const Contact& contact, const ContactMat& g, const ContactVec& u, double step,
               ContactVec& p) const override;
  std::optional<FrictionCone> cone() const override;
  Keeps keeps() const override { return Keeps::apart; }
  const PlanarContactLaw* as_planar() const override { return this; }

 private:
  FrictionLaw law_;
  std::vector<Node> path_;
  std::vector<std::pair<Vec2, Vec2>> normals_;  // of C and of D, along the path
  double largest_ = 0, inner_ = 0;
  std::vector<FoldArc> fold_arcs_;
  bool direction_has_corners_ = false;
};

}  // namespace slipset
