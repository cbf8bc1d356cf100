#include "slipset/motion/integrators/internal/first_root.hpp"

#include <doctest/doctest.h>

#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::internal;
using namespace slipset::test;
using test::Random;

namespace {

// Product of (1 - x/r), scaled: positive at 0.
std::vector<double> with_roots(const std::vector<double>& roots) {
  std::vector<double> c{1};
  for (const double r : roots) {
    c.push_back(0);
    for (std::size_t k = c.size() - 1; k > 0; --k) c[k] -= c[k - 1] / r;
  }
  return c;
}

}  // namespace

TEST_CASE("first root: simple roots, random, with others behind it and outside the interval") {
  Random random(11);
  Worst worst;
  int missed = 0;
  for (int k = 0; k < test::sample_count(); ++k) {
    std::vector<double> roots;
    double first = 2;
    for (int j = random.integer(1, 6); j > 0; --j) {
      roots.push_back(random.coin()   ? random.uniform(0.05, 1)
                      : random.coin() ? random.uniform(1.01, 4)
                                      : -random.uniform(0.1, 3));
      if (roots.back() > 0 && roots.back() <= 1 && roots.back() < first) first = roots.back();
    }
    bool apart = true;  // roots next to each other are not well conditioned
    for (std::size_t a = 0; a < roots.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) apart &= std::abs(roots[a] - roots[b]) > 0.02;
    if (!apart) continue;
    const FirstRoot root = first_root(with_roots(roots));
    missed += root.found != (first <= 1);
    if (root.found && first <= 1) worst.add(std::abs(root.at - first));
  }
  test::show_worst("first_root", "simple roots", worst.value());
  CHECK(missed == 0);
  CHECK(worst.value() < 1e-9);  // six roots 0.02 apart are ill-conditioned; worst measured over 1e6 samples: 1.4e-11
}

TEST_CASE("first root: touching, missing by little, crossing by little") {
  for (const double at : {0.1, 0.25, 0.5, 0.7, 0.999}) {
    const auto c = [&](double lift) { return std::vector<double>{at * at + lift, -2 * at, 1, 0, 0}; };
    const FirstRoot touch = first_root(c(0));
    CHECK(touch.found);
    CHECK(touch.touches);
    CHECK(std::abs(touch.at - at) < 2e-7);  // the square root of rounding
    CHECK_FALSE(first_root(c(1e-13)).found);
    const FirstRoot cross = first_root(c(-1e-10));
    CHECK(cross.found);
    CHECK(cross.at == near(at - 1e-5, 1e-6));
    CHECK_FALSE(cross.touches);
  }
  // A triple root crosses.
  const FirstRoot triple = first_root(with_roots({0.4, 0.4, 0.4}));
  CHECK(std::abs(triple.at - 0.4) < 2e-5);  // the cube root of rounding
  CHECK_FALSE(triple.touches);
  // Touches, then crosses: the touch is first.
  CHECK(first_root(with_roots({0.5, 0.5, 0.9})).at == near(0.5, 1e-6));
}

TEST_CASE("first root: at the ends") {
  CHECK(first_root(std::vector<double>{0, 1}).found);
  CHECK(first_root(std::vector<double>{-1e-20, 1}).at == 0);
  CHECK_FALSE(first_root(std::vector<double>{1}).found);
  CHECK_FALSE(first_root(std::vector<double>{1, 5, 3}).found);
  const FirstRoot end = first_root(std::vector<double>{1, -1});
  CHECK(end.found);
  CHECK(std::abs(end.at - 1) < 1e-14);
  CHECK_FALSE(end.touches);
}
