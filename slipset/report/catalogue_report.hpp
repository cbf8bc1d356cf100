// What scenario files can name, as text, JSON and Markdown.           docs/scenarios.md
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "slipset/scenario/catalogue.hpp"

namespace slipset {

std::string catalogue_text(const std::vector<CatalogueGroup>& groups);
// One list per group: rows of name, keys, summary, and details: rows of key, unit, default, meaning.
nlohmann::ordered_json catalogue_json(const std::vector<CatalogueGroup>& groups);
// One group as it stands in docs/scenarios.md: a heading per entry, its line, a table of its keys.
std::string catalogue_markdown(const CatalogueGroup& group);

}  // namespace slipset
