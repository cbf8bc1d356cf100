// Walker & Leine 2019, Fig. 16: stability of the mass on the belt over the belt's direction.
#pragma once

#include "slipset/studies/study.hpp"

namespace slipset {

StudyResult walker2019_fig16(const Study& study, const StudyProgress& progress);

}  // namespace slipset
