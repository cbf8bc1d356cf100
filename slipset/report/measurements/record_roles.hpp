// What a column may be, and the names that instruments and people give it.   docs/identify.md
#pragma once

#include <vector>

#include "slipset/io/measured_columns.hpp"

namespace slipset {

MeasuredRole time_role();
MeasuredRole angle_role();  // or time and rate
MeasuredRole rate_role();   // of rotation
MeasuredRole tangential_role();
MeasuredRole radial_role();
MeasuredRole normal_role();
std::vector<UsualName> coefficient_names();

std::vector<UsualName> and_more(std::vector<UsualName> names, const std::vector<UsualName>& more);
MeasuredRole required(MeasuredRole role);
MeasuredRole if_there(MeasuredRole role);

}  // namespace slipset
