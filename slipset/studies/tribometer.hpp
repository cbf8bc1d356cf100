// Studies of the tribometer of Walker & Leine 2019, Sect. 5.
#pragma once

#include "slipset/studies/study.hpp"

namespace slipset {

StudyResult walker2019_fig23(const Study& study, const StudyProgress& progress);
StudyResult walker2019_fig24(const Study& study, const StudyProgress& progress);  // and Fig. 25
StudyResult walker2019_fig26(const Study& study, const StudyProgress& progress);
StudyResult walker2019_table1(const Study& study, const StudyProgress& progress);

}  // namespace slipset
