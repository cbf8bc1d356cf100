// A warning with its remedy.
#pragma once

#include <string>

namespace slipset {

struct Advice {
  std::string text;
  std::string setting{};  // that would correct it, as in InvalidInput; may be empty
  bool grave = false;     // with this the result cannot be trusted: exit code 3 of the program
};

}  // namespace slipset
