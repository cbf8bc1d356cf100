#include "slipset/report/catalogue_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace slipset {
namespace {

std::string default_text(const Default& otherwise) {
  if (otherwise.required) return "required";
  if (otherwise.number) return fmt::format("{:g}", *otherwise.number);
  return std::string(otherwise.word);
}

}  // namespace

std::string catalogue_text(const std::vector<CatalogueGroup>& groups) {
  std::string text;
  for (const CatalogueGroup& group : groups) {
    text += fmt::format("{}: {}\n", group.name, group.summary);
    for (const Entry& entry : group.entries)
      text += fmt::format("  {:<17} {}{}\n", entry.name, entry.summary,
                          entry.keys.empty() ? "" : fmt::format("  ({})", fmt::join(names_in(entry.keys), ", ")));
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json catalogue_json(const std::vector<CatalogueGroup>& groups) {
  nlohmann::ordered_json json;
  for (const CatalogueGroup& group : groups) {
    auto& list = json[std::string(group.name)] = nlohmann::ordered_json::array();
    for (const Entry& entry : group.entries) {
      auto details = nlohmann::ordered_json::array();
      for (const Key& key : entry.keys)
        details.push_back({{"key", key.name},
                           {"unit", key.unit},
                           {"default", default_text(key.otherwise)},
                           {"meaning", key.meaning}});
      list.push_back({{"name", entry.name},
                      {"keys", names_in(entry.keys)},
                      {"summary", entry.summary},
                      {"details", std::move(details)}});
    }
  }
  return json;
}

std::string catalogue_markdown(const CatalogueGroup& group) {
  std::string text;
  for (const Entry& entry : group.entries) {
    text += fmt::format("#### `{}`\n\n{}.\n\n", entry.name, entry.summary);
    if (entry.keys.empty()) continue;
    text += "| key | unit | default | meaning |\n|---|---|---|---|\n";
    for (const Key& key : entry.keys)
      text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, key.unit, default_text(key.otherwise), key.meaning);
    text += "\n";
  }
  return text;
}

}  // namespace slipset
