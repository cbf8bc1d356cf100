// A warning with its remedy.
#pragma once

#include <string>

namespace slipset {

struct Advice {
  std::string text;
  std::string setting{};  // that would mend it, as of InvalidInput; may be empty
};

}  // namespace slipset
