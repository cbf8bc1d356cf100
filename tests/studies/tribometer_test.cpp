// The studies of the tribometer (Walker & Leine 2019, Sect. 5), wrong on purpose; page_test.cpp runs them as they are.
#include <doctest/doctest.h>

#include "slipset/studies/registry.hpp"

using namespace slipset;

// An associated law in its place is not rejected, and the study says so.
TEST_CASE("walker2019-fig24 with an associated law disagrees") {
  std::string text(study_file("walker2019-fig24").text);
  const std::size_t from = text.find("direction = "), to = text.find('\n', from);
  text.erase(from, to - from);
  text.replace(text.find("seed = 24"), 9, "seed = 3");  // with 24, noise alone gives p = 0.0014
  const StudyOutcome outcome = run_study(Study(TomlFile(text, "studies/walker2019/fig24.toml")));
  CHECK_FALSE(outcome.agrees);
  for (const StudyRow& row : outcome.rows)
    if (row.quantity.starts_with("p-value")) CHECK(row.agrees == false);
}
