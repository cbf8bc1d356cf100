// The tables of docs/scenarios.md are those of the registry; tools/update-docs writes them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "slipset/io/files.hpp"
#include "slipset/report/catalogue_report.hpp"

using namespace slipset;

TEST_CASE("docs/scenarios.md has every group of the catalogue as the registry says") {
  const std::string page = read_file(SLIPSET_SOURCE "/docs/scenarios.md");
  for (const CatalogueGroup& group : catalogue()) {
    CAPTURE(group.name);
    const std::string first = fmt::format("<!-- begin {} -->\n\n", group.name), last = "<!-- end -->";
    const std::size_t begin = page.find(first);
    REQUIRE(begin != std::string::npos);
    const std::size_t from = begin + first.size();
    CHECK(page.substr(from, page.find(last, from) - from) == catalogue_markdown(group));
  }
}
