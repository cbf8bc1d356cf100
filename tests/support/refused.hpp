// Tables of what a public entry must refuse.
//   require_refused({{"a radius of NaN", [] { Disk(NAN); }, "radius"}, ...});
// Each attempt throws InvalidInput, whose message has the word.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "slipset/core/error.hpp"

namespace slipset::test {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
constexpr std::array<double, 3> kNotFinite = {kNan, kInf, -kInf};
constexpr std::array<double, 5> kNotPositive = {kNan, kInf, -kInf, -1, 0};

struct Refused {
  std::string what;
  std::function<void()> attempt;
  std::string says;
};

inline void require_refused(const std::vector<Refused>& table) {
  for (const Refused& row : table) {
    CAPTURE(row.what);
    CHECK_THROWS_WITH_AS(row.attempt(), doctest::Contains(row.says.c_str()), InvalidInput);
  }
}

// The same with every number of a list.
template <class Numbers, class Attempt>
void require_refused(const std::string& what, const Numbers& numbers, const Attempt& attempt, const std::string& says) {
  for (const double x : numbers) {
    CAPTURE(x);
    require_refused({{what, [&] { attempt(x); }, says}});
  }
}

}  // namespace slipset::test
