// The studies of Konyukhov & Schweizerhof 2007, wrong on purpose; page_test.cpp runs them as they are.
#include <doctest/doctest.h>

#include "slipset/studies/registry.hpp"

using namespace slipset;

TEST_CASE("konyukhov2007-case4 with other stiffnesses disagrees") {
  std::string text(study_file("konyukhov2007-case4").text);
  const std::string stiffness = "stiffness = [0.5e4, 5e4]";
  text.replace(text.find(stiffness), stiffness.size(), "stiffness = [1e4, 5e4]");
  CHECK_FALSE(run_study(Study(TomlFile(text, "studies/konyukhov2007/case4.toml"))).agrees);
}

TEST_CASE("konyukhov2007-case3 moves straight on only with isotropic friction") {
  std::string text(study_file("konyukhov2007-case3").text);
  const std::string friction = "friction = [0.3, 0.3]";
  text.replace(text.find(friction), friction.size(), "friction = [0.3, 0.31]");
  const StudyOutcome outcome = run_study(Study(TomlFile(text, "studies/konyukhov2007/case3.toml")));
  for (const StudyRow& row : outcome.rows)
    if (row.quantity.starts_with("exact model, largest angle")) CHECK(row.agrees == false);
}
