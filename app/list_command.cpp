#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "slipset/scenario/catalogue.hpp"
#include "slipset/scenario/toml_table.hpp"
#include "slipset/studies/study_files.hpp"

namespace slipset::app {
namespace {

std::vector<CatalogueGroup> everything() {
  std::vector<CatalogueGroup> groups = catalogue();
  CatalogueGroup studies{"studies", "figures of the literature, slipset study NAME", {}};
  for (const StudyFile& study : study_files()) {
    const TomlFile file(std::string(study.text), std::filesystem::path(study.path));
    studies.entries.push_back(
        {study.name(), {}, fmt::format("{} ({})", file.root().text("title"), file.root().text("figure"))});
  }
  groups.push_back(std::move(studies));
  return groups;
}

int run_list(const CommonOptions& options) {
  if (options.json) {
    nlohmann::ordered_json json;
    for (const CatalogueGroup& group : everything()) {
      auto& list = json[group.name] = nlohmann::ordered_json::array();
      for (const CatalogueEntry& entry : group.entries)
        list.push_back({{"name", entry.name}, {"keys", entry.keys}, {"summary", entry.summary}});
    }
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  if (options.quiet) return 0;
  for (const CatalogueGroup& group : everything()) {
    fmt::print("{}: {}\n", group.name, group.summary);
    for (const CatalogueEntry& entry : group.entries)
      fmt::print("  {:<17} {}{}\n", entry.name, entry.summary,
                 entry.keys.empty() ? "" : fmt::format("  ({})", fmt::join(entry.keys, ", ")));
    fmt::print("\n");
  }
  return 0;
}

}  // namespace

Work add_list_command(CLI::App& app) {
  auto options = std::make_shared<CommonOptions>();
  CLI::App* command = app.add_subcommand("list", "Everything that scenario files can name, a line each");
  add_common_options(*command, *options);
  command->footer("Example: slipset list --json");
  return [options] { return run_list(*options); };
}

}  // namespace slipset::app
