// Quinn 2004, Sect. 3.2: the lowest natural frequency of the chain of blocks.
#pragma once

#include "slipset/studies/study.hpp"

namespace slipset {

StudyResult quinn2004_sect32(const Study& study, const StudyProgress& progress);

}  // namespace slipset
