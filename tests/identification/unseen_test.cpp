// Directions of the resistance without data.
#include "slipset/identification/unseen.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "slipset/identification/pin_on_disk.hpp"
#include "slipset/identification/virtual_tribometer.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

PinIdentification identified(const FrictionLaw& law, double noise, int samples = 360) {
  PinOptions options;
  options.fit.bootstrap = 0;
  options.model.orders = {4};
  return identify_pin(simulate_tribometer(law, {.revolutions = 4, .samples = samples, .noise = noise}), options);
}

const Advice* find_unseen(const PinIdentification& result) {
  for (const Advice& warning : result.warnings)
    if (warning.text.starts_with("C is ")) return &warning;
  return nullptr;
}

}  // namespace

TEST_CASE("two sign functions show the corners of C alone: the gaps are its sides, in noise as well") {
  const double turn = radians(7.4), corner = std::atan2(0.2, 0.4);
  for (const double noise : {1e-3, 0.01, 0.05}) {
    const PinIdentification result = identified(associated(Rectangle(0.4, 0.2, turn)), noise);
    INFO("noise ", noise);
    CHECK(result.unseen.share > 0.9);
    REQUIRE(result.unseen.gaps.size() == 4);
    const double ends[] = {turn + corner, turn + kPi - corner, turn + kPi + corner, turn + 2 * kPi - corner};
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(degrees(result.unseen.gaps[i].from) == within(degrees(ends[i]), 1 + 200 * noise));
    const Advice* const warning = find_unseen(result);
    REQUIRE(warning != nullptr);
    CHECK(warning->grave);
    CHECK(warning->text.starts_with("C is seen only near "));
  }
}

TEST_CASE("a square direction set shows four points of an ellipse; a stadium hides only its sides") {
  const FrictionLaw square(Ellipse(0.5, 0.3, radians(20)), Rectangle(1, 1));
  const PinIdentification four = identified(square, 0.01, 200);
  CHECK(four.unseen.share > 0.9);
  REQUIRE(find_unseen(four) != nullptr);
  CHECK(find_unseen(four)->grave);

  // Sides of half length 0.1 at ± 0.3: hidden from atan(0.3/0.1) to 180 degrees less that.
  const PinIdentification sides = identified(associated(Stadium(0.1, 0.3, 0.3)), 1e-3, 720);
  REQUIRE(sides.unseen.gaps.size() == 2);
  const double end = degrees(std::atan2(0.3, 0.1));
  CHECK(degrees(sides.unseen.gaps[0].from) == within(end, 2));
  CHECK(degrees(sides.unseen.gaps[0].to) == within(180 - end, 2));
  CHECK(sides.unseen.share == within((180 - 2 * end) / 180, 0.02));
  REQUIRE(find_unseen(sides) != nullptr);
  CHECK_FALSE(find_unseen(sides)->grave);
  CHECK(find_unseen(sides)->text.find("C is not seen from") != std::string::npos);
}

TEST_CASE("round direction sets show all of C, coarse records and noise too") {
  for (const double noise : {1e-3, 0.05})
    for (const FrictionLaw& law :
         {FrictionLaw(Ellipse(0.5, 0.3, radians(20)), Ellipse(1.5, 1, radians(20))),
          FrictionLaw(Superellipse(0.54, 0.46, 2.9), Superellipse(1.5, 1, 2.4)), isotropic(0.3)}) {
      const PinIdentification result = identified(law, noise, 200);
      INFO(law.direction().description(), ", noise ", noise);
      CHECK(result.unseen.gaps.empty());
      CHECK(result.unseen.share == 0);
      CHECK(find_unseen(result) == nullptr);
    }
}

TEST_CASE("unseen directions in words") {
  Unseen unseen;
  unseen.gaps = {{radians(30), radians(150)}, {radians(152), radians(300)}, {radians(330), radians(362)}};
  CHECK(unseen.seen_text() == "2 to 30, 151 and 300 to 330 degrees");
  CHECK(unseen.gaps_text() == "30 to 150, 152 to 300 and 330 to 2 degrees");
}
