// Walker & Leine 2019, Theorem 1: with an associated law two motions never part.
#pragma once

#include "slipset/studies/study.hpp"

namespace slipset {

StudyResult walker2019_theorem1(const Study& study, const StudyProgress& progress);

}  // namespace slipset
