#include <doctest/doctest.h>

#include <array>

#include "slipset/core/angle.hpp"
#include "slipset/core/internal/names.hpp"
#include "slipset/core/internal/statistics.hpp"
#include "slipset/core/roots.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::internal;
using namespace slipset::test;

TEST_CASE("angles wrap into their ranges, and unit vectors are exact at right angles") {
  for (int k = -9; k <= 9; ++k) {
    const double a = 0.3 + 2 * kPi * k;
    CHECK(wrap_to_pi(a) == near(0.3, 1e-13));
    CHECK(wrap_to_turn(a) == near(0.3, 1e-13));
  }
  CHECK(wrap_to_pi(-kPi) == kPi);
  CHECK(wrap_to_turn(-1e-300) == 0);
  CHECK(unit_at_degrees(90) == Vec2(0, 1));
  CHECK(unit_at_degrees(-90) == Vec2(0, -1));
  CHECK(unit_at_degrees(540) == Vec2(-1, 0));
  CHECK((unit_at_degrees(123.4) - unit(radians(123.4))).norm() < 1e-15);
  CHECK(20_deg == radians(20));
  CHECK(12.5_deg == radians(12.5));
}

TEST_CASE("angle intervals contain what lies counter-clockwise between their ends") {
  const AngleInterval i{radians(350), radians(370)};
  CHECK(i.contains(0));
  CHECK(i.contains(radians(-9)));
  CHECK_FALSE(i.contains(radians(11)));
  CHECK(i.contains(radians(11), radians(2)));
  CHECK_FALSE(i.contains(radians(180)));
}

TEST_CASE("increasing_root: hard functions, roots at zero, no slope") {
  const auto root = [](auto f, double lo, double hi, double guess) {
    return increasing_root([&](double x) { return f(x); }, lo, hi, guess);
  };
  CHECK(root([](double x) { return ValueAndSlope{x * x * x, 3 * x * x}; }, -1, 2, 1.5) == within(0, 1e-5));
  CHECK(std::abs(root([](double x) { return ValueAndSlope{std::cbrt(x - 0.3), 0}; }, -1, 2, 1.5) - 0.3) < 1e-15);
  // Newton alone diverges on atan from 3.
  CHECK(std::abs(root([](double x) { return ValueAndSlope{std::atan(x), 1 / (1 + x * x)}; }, -10, 9, 3)) < 1e-15);
  // A flat step: slope zero almost everywhere.
  CHECK(std::abs(root([](double x) { return ValueAndSlope{x < 0.125 ? -1.0 : 1.0, 0}; }, 0, 1, 0.9) - 0.125) < 1e-15);
  CHECK(std::isfinite(root([](double) { return ValueAndSlope{NAN, NAN}; }, 0, 1, 0.5)));  // ends
}

TEST_CASE("polynomial_roots finds all of them in the interval") {
  // (x - 0.1)(x - 0.2)(x - 0.8)(x + 3)
  const std::array<double, 5> c = {0.1 * 0.2 * 0.8 * -3, 0.0, 0.0, 0.0, 0.0};
  std::array<double, 5> product = {1, 0, 0, 0, 0};
  for (const double r : {0.1, 0.2, 0.8, -3.0}) {
    std::array<double, 5> next{};
    for (std::size_t k = 0; k < 4; ++k) {
      next[k + 1] += product[k];
      next[k] -= r * product[k];
    }
    product = next;
  }
  CHECK(product[0] == near(c[0], 1e-12));
  const auto roots = polynomial_roots(product, 0, 1);
  REQUIRE(roots.size() == 3);
  CHECK(roots[0] == near(0.1, 1e-13));
  CHECK(roots[1] == near(0.2, 1e-13));
  CHECK(roots[2] == near(0.8, 1e-13));
  CHECK(polynomial_roots(std::array<double, 3>{1, 0, 1}, -5, 5).empty());
}

TEST_CASE("polynomial_roots: roots at the ends of the interval, and double ones, are found once") {
  using Roots = std::vector<double>;
  CHECK(polynomial_roots(std::array<double, 3>{0, -1, 1}, 0, 1) == Roots{0, 1});     // x (x - 1)
  CHECK(polynomial_roots(std::array<double, 2>{-1, 1}, 0, 1) == Roots{1});           // x - 1, at the end alone
  CHECK(polynomial_roots(std::array<double, 2>{-1, 1}, 1, 2) == Roots{1});           // at the start alone
  CHECK(polynomial_roots(std::array<double, 3>{0.25, -1, 1}, 0, 1) == Roots{0.5});   // (x - 1/2)²
  CHECK(polynomial_roots(std::array<double, 4>{0, 0, -1, 1}, 0, 1) == Roots{0, 1});  // x² (x - 1)
  CHECK(polynomial_roots(std::array<double, 3>{1, -2, 1}, 0, 1) == Roots{1});        // (x - 1)²: at the end
  CHECK(polynomial_roots(std::array<double, 1>{0}, 0, 1).empty());
}

TEST_CASE("the median of a few numbers: the middle one, of an even number the upper of the two") {
  CHECK(median({7}) == 7);
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 3, 2}) == 3);
  CHECK(median({5, 5, 1, 9, 2}) == 5);
}

TEST_CASE("nearest_name counts edits: one of any kind for a name of two letters, three for one of six") {
  const auto found = [](std::string_view name, std::string_view only) {
    return !nearest_name(name, std::array{only}).empty();
  };
  CHECK(found("ba", "ab"));  // a swap is one edit
  CHECK(found("ab", "b"));
  CHECK(found("ab", "abc"));
  CHECK(found("ab", "ax"));
  CHECK_FALSE(found("ab", "xy"));
  CHECK_FALSE(found("ab", "abcd"));
  CHECK(found("abc", "cab"));  // of three letters two
  CHECK(found("abcdef", "badcef"));
  CHECK(found("abcdef", "badcfe"));  // three swaps
  CHECK_FALSE(found("abcdef", "wxyzef"));
  CHECK(nearest_name("abd", std::array<std::string_view, 3>{"xbd", "abd", "abx"}) == "abd");
  CHECK(nearest_name("k", std::array<std::string_view, 2>{"D", "K"}) == "K");  // another case is no edit
  CHECK(lower_case("Semi_AXES 7") == "semi_axes 7");
}

TEST_CASE("nearest_name forgives a few edits, not any") {
  constexpr std::array<std::string_view, 3> names = {"semi_axes", "angle", "exponent"};
  CHECK(nearest_name("semi_axis", names) == "semi_axes");
  CHECK(nearest_name("anlge", names) == "angle");
  CHECK(nearest_name("wavelength", names).empty());
}
