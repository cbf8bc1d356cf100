// Walker & Leine 2019, Fig. 12: direction sets of friction laws that are given as tensors.
#pragma once

#include "slipset/studies/study.hpp"

namespace slipset {

StudyResult walker2019_fig12(const Study& study, const StudyProgress& progress);

}  // namespace slipset
