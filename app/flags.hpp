// The library speaks of settings; this program sets them by flags.
#pragma once

#include <string>

namespace slipset::app {

// `text`, with the flag that sets `setting` behind it, if there is one.
std::string with_flag(const std::string& text, const std::string& setting);

}  // namespace slipset::app
