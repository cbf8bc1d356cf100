// A friction law prepared for contact solvers: its boundary as a closed path.      docs/theory/contact.md
// The slip states of a law are one closed path: along it the resistance s runs around C and the slip direction n
// around the circle. At a corner of D s stands still while n turns; on a flat side of D n stands still while s moves.
#pragma once

#include "slipset/laws/friction_law.hpp"

namespace slipset {

class ContactLaw {
 public:
  // One point of the path. `ray` is the direction of the resistance.
  struct Node {
    Vec2 ray;
    Vec2 resistance;  // on the boundary of C, without rate dependence
    Vec2 slip;        // a normal of D there
    bool corner;      // up to the next node only the slip direction changes
  };

  // `nodes`: how many resolve the path; several solutions of a step are told apart down to their spacing.
  explicit ContactLaw(FrictionLaw law, int nodes = 180);

  const FrictionLaw& law() const { return law_; }
  const std::vector<Node>& path() const { return path_; }
  double largest_resistance() const { return largest_; }
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

 private:
  FrictionLaw law_;
  std::vector<Node> path_;
  std::vector<std::pair<Vec2, Vec2>> normals_;  // of C and of D, along the path
  double largest_ = 0;
  std::vector<FoldArc> fold_arcs_;
  bool direction_has_corners_ = false;
};

}  // namespace slipset
