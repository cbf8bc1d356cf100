// The studies of Konyukhov & Schweizerhof 2007.
#include <doctest/doctest.h>

#include "slipset/studies/registry.hpp"

using namespace slipset;

TEST_CASE("konyukhov2007: every case and the calibration agree") {
  for (const StudyEntry& entry : konyukhov2007_studies()) {
    const StudyOutcome outcome = run_study(built_in_study(entry.name));
    for (const StudyRow& row : outcome.rows) {
      INFO(std::string(entry.name), " ", row.quantity, " ", row.computed);
      CHECK(row.agrees.value_or(true));
    }
    CHECK(outcome.agrees);
  }
}

// The values of an independent computation, to all of their digits.
TEST_CASE("konyukhov2007: extremal orientations and angles") {
  const double expected[][2] = {{78.690068, 67.380135},
                                {11.309932, -67.380135},
                                {78.690068, 67.380135},
                                {63.434949, 36.869898},
                                {26.565051, -36.869898}};
  for (int k = 0; k < 5; ++k) {
    const StudyOutcome outcome = run_study(built_in_study("konyukhov2007-case" + std::to_string(k + 1)));
    CHECK(std::abs(outcome.rows[0].computed - expected[k][0]) < 6e-7);
    CHECK(std::abs(outcome.rows[1].computed - expected[k][1]) < 6e-7);
  }
}

TEST_CASE("konyukhov2007-case4 with other stiffnesses disagrees") {
  std::string text(study_file("konyukhov2007-case4").text);
  const std::string stiffness = "stiffness = [0.5e4, 5e4]";
  text.replace(text.find(stiffness), stiffness.size(), "stiffness = [1e4, 5e4]");
  CHECK_FALSE(run_study(Study(TomlFile(text, "studies/konyukhov2007/case4.toml"))).agrees);
}
