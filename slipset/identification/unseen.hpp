// Over which directions of the resistance a record has no data.        docs/theory/identification.md
// The boundary of C is seen at the angles θ of the measured resistances. Where D is flat the resistance jumps from one
// end of the side to the other while the slip hardly turns: between the two C never acts, and no record tells its shape.
#pragma once

#include "slipset/identification/flow_fit.hpp"
#include "slipset/sets/planar_set.hpp"

namespace slipset {

// Narrower gaps are no matter for any shape that is fitted.
inline constexpr double kLargestGap = 20 * kPi / 180;
// With a larger share unseen the reservoir cannot be trusted: its shape is that of the model.
inline constexpr double kUnseenShare = 0.75;

struct Unseen {
  std::vector<AngleInterval> gaps;  // of θ [rad], each wider than kLargestGap; from in [0, 2π), sorted
  double share = 0;                 // of the full turn

  // The parts between the gaps, in words: "26.6, 153.4, 206.6 and 333.4 degrees"; ranges as "20 to 41".
  std::string seen_text() const;
  std::string gaps_text() const;
};

// Gaps between the resistances of the bins, and between those of the fit at the same slip angles, where noise does not
// fill them: the larger of the two. A bin alone within a wide gap is the mean over a jump, or the middle of a side.
Unseen unseen_directions(const FoldedSignals& signals, const FlowFit& fit);

}  // namespace slipset
