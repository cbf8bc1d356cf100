// Walker & Leine 2019, Fig. 13: the mechanisms of friction-induced instability side by side.
#pragma once

#include "slipset/studies/study.hpp"

namespace slipset {

StudyResult walker2019_fig13(const Study& study, const StudyProgress& progress);

}  // namespace slipset
