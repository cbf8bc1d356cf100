// The studies of Hoffmann 2007 that take little time, whole.
#include <doctest/doctest.h>

#include "slipset/studies/registry.hpp"

using namespace slipset;

TEST_CASE("Hoffmann's figures agree") {
  for (const char* name :
       {"hoffmann2007-fig2", "hoffmann2007-fig3", "hoffmann2007-fig6", "hoffmann2007-fig7", "hoffmann2007-fig8"}) {
    CAPTURE(name);
    CHECK(run_study(built_in_study(name)).agrees);
  }
}

// With the speed not squared in the characteristic the growth rates are others: the rows have teeth.
TEST_CASE("another characteristic disagrees") {
  std::string text(study_file("hoffmann2007-fig8").text);
  for (std::size_t at; (at = text.find("velocity = 5 }")) != std::string::npos;) text.replace(at, 14, "velocity = 4 }");
  CHECK_FALSE(run_study(Study(TomlFile(text, "studies/hoffmann2007/fig8.toml"))).agrees);
}
