// The studies of Quinn: the quick ones whole, and one with the other width of the ramp.
#include <doctest/doctest.h>

#include "slipset/studies/registry.hpp"

using namespace slipset;

TEST_CASE("quinn2004: figures 5, 6, 11 and Eq. 6 agree") {
  for (const char* name : {"quinn2004-fig5", "quinn2004-fig6", "quinn2004-fig11", "quinn2004-eq6"}) {
    INFO(name);
    CHECK(run_study(built_in_study(name)).agrees);
  }
}

TEST_CASE("quinn2004-fig5 with another friction limit disagrees") {
  std::string text(study_file("quinn2004-fig5").text);
  const std::string limit = "friction_limit = ";
  REQUIRE(text.find(limit) != std::string::npos);
  text.insert(text.find(limit) + limit.size(), "0.9 # ");
  CHECK_FALSE(run_study(Study(TomlFile(text, "studies/quinn2004/fig5.toml"))).agrees);
}
