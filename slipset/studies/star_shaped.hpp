// Walker & Leine 2016, Fig. 5: a star-shaped set and one that is not.
#pragma once

#include "slipset/studies/study.hpp"

namespace slipset {

StudyResult walker2016_fig5(const Study& study, const StudyProgress& progress);

}  // namespace slipset
