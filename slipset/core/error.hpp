// What a caller did wrong, in words that say what was found and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace slipset {

// A mistake in the input: a value out of range, a set of the wrong kind, a broken file.
// Non-convergence is not an exception but a status in a Report.
class InvalidInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
  InvalidInput(const std::string& what, std::string setting)
      : std::invalid_argument(what), setting_(std::move(setting)) {}

  // The setting that would correct it, in words of the library ("columns"), or empty; a program adds how it is set.
  const std::string& setting() const { return setting_; }

 private:
  std::string setting_;
};

// Throws InvalidInput naming `what` unless `value` is finite and positive.
void require_positive(double value, const char* what);
// Throws InvalidInput naming `what` unless `value` is finite.
void require_finite(double value, const char* what);

}  // namespace slipset
