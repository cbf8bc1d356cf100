// Hoffmann 2007: how the bristles of LuGre friction answer (Fig. 2), when the mode does not oscillate any more (Sect.
// 3.2), and whether friction without memory is the worst case (Sect. 5).
#pragma once

#include "slipset/studies/study.hpp"

namespace slipset {

StudyResult hoffmann2007_fig2(const Study& study, const StudyProgress& progress);
StudyResult hoffmann2007_overdamped(const Study& study, const StudyProgress& progress);
StudyResult hoffmann2007_worst_case(const Study& study, const StudyProgress& progress);

}  // namespace slipset
