// Does a 95 % interval hold the truth in 95 % of records? Ordinary runs make a few repetitions; SLIPSET_REPETITIONS=400
// makes the 400 of the bar.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "tests/support/random.hpp"

namespace slipset::test {

inline int repetitions(int ordinary) {
  const char* const wanted = std::getenv("SLIPSET_REPETITIONS");
  if (wanted == nullptr) return ordinary;
  const int count = std::atoi(wanted);
  REQUIRE(count > 0);
  return std::max(count, ordinary);
}

class Coverage {
 public:
  template <class Bound>
  void add(const std::string& name, double truth, const Bound& low, const Bound& high) {
    Count& c = counts_[name];
    ++c.all;
    if (!low || !high) {
      ++c.without;
      return;
    }
    REQUIRE(std::isfinite(*low));
    REQUIRE(std::isfinite(*high));
    c.held += *low <= truth && truth <= *high;
  }
  // At least 91 and at most 98 % from 200 records on; with fewer, four deviations of a binomial.
  void check(const std::string& what) const {
    REQUIRE_FALSE(counts_.empty());
    for (const auto& [name, c] : counts_) {
      const int told = c.all - c.without;
      const double part = static_cast<double>(c.held) / std::max(1, told),
                   off = 4 * std::sqrt(0.0475 / std::max(1, told));
      show_worst(name, what + ": part held by the 95 % interval", part);
      INFO(what, ": ", name, ": ", c.held, " of ", told, ", ", c.without, " without an interval");
      CHECK(c.without <= c.all / 10);
      CHECK(part >= (told >= 200 ? 0.91 : 0.95 - off));
      if (told >= 200) CHECK(part <= 0.98);
    }
  }

 private:
  struct Count {
    int all = 0, held = 0, without = 0;
  };
  std::map<std::string, Count> counts_;
};

}  // namespace slipset::test
