// A study of Quinn 2004, wrong on purpose; page_test.cpp runs them as they are.
#include <doctest/doctest.h>

#include "slipset/studies/registry.hpp"

using namespace slipset;

TEST_CASE("quinn2004-fig5 with another friction limit disagrees") {
  std::string text(study_file("quinn2004-fig5").text);
  const std::string limit = "friction_limit = ";
  REQUIRE(text.find(limit) != std::string::npos);
  text.insert(text.find(limit) + limit.size(), "0.9 # ");
  CHECK_FALSE(run_study(Study(TomlFile(text, "studies/quinn2004/fig5.toml"))).agrees);
}
