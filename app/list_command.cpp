#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/options.hpp"
#include "app/standard_output.hpp"
#include "slipset/core/error.hpp"
#include "slipset/report/catalogue_report.hpp"
#include "slipset/scenario/toml_table.hpp"
#include "slipset/studies/study_files.hpp"

namespace slipset::app {
namespace {

struct ListOptions {
  bool json = false, quiet = false;
  std::string markdown;  // a group; empty: not wanted
};

int print_markdown(const std::string& name) {
  const auto groups = catalogue();
  const CatalogueGroup* const group = find_entry(groups, name);
  if (!group)
    throw InvalidInput(fmt::format("--markdown: found \"{}\"; groups: {}", name, fmt::join(names_of(groups), ", ")));
  print_exactly(catalogue_markdown(*group));
  return 0;
}

int run_list(const ListOptions& options) {
  if (!options.markdown.empty()) return print_markdown(options.markdown);
  const auto studies = study_files();
  std::vector<std::string> names, titles;  // which the entries refer to
  names.reserve(studies.size());
  titles.reserve(studies.size());
  CatalogueGroup group{"studies", "figures of the literature, slipset study NAME", {}};
  for (const StudyFile& study : studies) {
    const TomlTable root = TomlFile(std::string(study.text), std::filesystem::path(study.path)).root();
    names.push_back(study.name());
    titles.push_back(fmt::format("{} ({})", root.text("title"), root.text("figure")));
    group.entries.push_back({names.back(), titles.back(), {}});
  }
  std::vector<CatalogueGroup> groups = catalogue();
  groups.push_back(std::move(group));
  if (options.json)
    print_exactly(catalogue_json(groups).dump(2) + "\n");
  else if (!options.quiet)
    print(catalogue_text(groups));
  return 0;
}

}  // namespace

Work add_list_command(CLI::App& app) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "Everything that scenario files can name, one line each");
  CLI::Option* const json = add_json_option(*command, options->json);
  CLI::Option* const quiet = add_quiet_option(*command, options->quiet);
  command->add_option("--markdown", options->markdown, "One group as in docs/scenarios.md: systems, shapes, ...")
      ->type_name("GROUP")
      ->excludes(json)
      ->excludes(quiet);
  command->footer("Example: slipset list --json");
  return [options] { return run_list(*options); };
}

}  // namespace slipset::app
