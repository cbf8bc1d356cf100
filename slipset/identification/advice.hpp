// A warning with its remedy.
#pragma once

#include <string>

namespace slipset {

struct Advice {
  std::string text;
  std::string setting{};  // that would correct it, as in InvalidInput; may be empty
};

}  // namespace slipset
