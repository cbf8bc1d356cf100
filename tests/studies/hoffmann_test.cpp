// The studies of Hoffmann 2007, wrong on purpose; page_test.cpp runs them as they are.
#include <doctest/doctest.h>

#include "slipset/studies/registry.hpp"

using namespace slipset;

// With the speed not squared in the characteristic the growth rates are others: the rows have teeth.
TEST_CASE("another characteristic disagrees") {
  std::string text(study_file("hoffmann2007-fig8").text);
  for (std::size_t at; (at = text.find("velocity = 5 }")) != std::string::npos;) text.replace(at, 14, "velocity = 4 }");
  CHECK_FALSE(run_study(Study(TomlFile(text, "studies/hoffmann2007/fig8.toml"))).agrees);
}

TEST_CASE("hoffmann2007-overdamped with a steeper characteristic disagrees") {
  std::string text(study_file("hoffmann2007-overdamped").text);
  for (std::size_t at; (at = text.find("static = 1.5,")) != std::string::npos;) text.replace(at, 13, "static = 1.6,");
  const StudyOutcome outcome = run_study(Study(TomlFile(text, "studies/hoffmann2007/overdamped.toml")));
  CHECK_FALSE(outcome.agrees);
}

TEST_CASE("hoffmann2007-fig2: where friction rises with the speed it takes energy out") {
  std::string text(study_file("hoffmann2007-fig2").text);
  text.replace(text.find("static = 1.5"), 12, "static = 0.7");
  const StudyOutcome outcome = run_study(Study(TomlFile(text, "studies/hoffmann2007/fig2.toml")));
  for (const StudyRow& row : outcome.rows) {
    if (row.quantity == "sigma01 [-]") CHECK(row.agrees == false);  // a rising characteristic takes energy out
    if (row.quantity.starts_with("measured response off")) CHECK(row.agrees == true);
    if (row.quantity.starts_with("phase at sigma02")) CHECK(row.agrees == false);  // half a turn away
  }
}
