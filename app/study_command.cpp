#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "slipset/io/files.hpp"
#include "slipset/studies/registry.hpp"
#include "slipset/studies/study_report.hpp"

namespace slipset::app {
namespace {

struct StudyOptions {
  CommonOptions common;
  std::vector<std::string> names;
  bool show = false;
};

bool is_file(const std::string& name) { return name.ends_with(".toml"); }

int show_files(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += is_file(name) ? read_file(name) : std::string(study_file(name).text);
  fmt::print("{}", text);
  return 0;
}

int run_studies(const StudyOptions& options) {
  std::vector<std::string> names = options.names;
  const bool all = names.empty();
  if (all)
    for (const StudyEntry& entry : study_entries()) names.emplace_back(entry.name);
  if (options.show) return show_files(names);

  // Every file is read before any is computed: a wrong name costs no time.
  std::vector<Study> studies;
  for (const std::string& name : names)
    studies.push_back(is_file(name) ? Study(TomlFile(std::filesystem::path(name))) : built_in_study(name));

  Progress progress(!options.common.quiet && !options.common.json);
  std::vector<StudyOutcome> outcomes;
  std::vector<nlohmann::ordered_json> results;
  std::vector<std::string> problems;
  bool agree = true;
  for (const Study& study : studies) {
    const double before = static_cast<double>(outcomes.size()), count = static_cast<double>(studies.size());
    outcomes.push_back(run_study(study, [&](double part) { progress.show(before + part, count, "studies"); }));
    progress.end();
    const StudyOutcome& outcome = outcomes.back();
    agree = agree && outcome.agrees;
    results.push_back(study_json(study, outcome));
    StudyFiles saved;
    if (!options.common.json || !options.common.out.empty()) {
      std::filesystem::path folder = "out/studies/" + study.name();
      if (!options.common.out.empty())
        folder = studies.size() == 1 ? options.common.out : options.common.out + "/" + study.name();
      saved = save_study(study, outcome, folder);
      problems.insert(problems.end(), saved.problems.begin(), saved.problems.end());
    }
    if (options.common.json || options.common.quiet) continue;
    fmt::print("{}", study_text(study, outcome));
    for (const auto& file : saved.files) fmt::print("wrote {}\n", file.string());
    fmt::print("\n");
  }
  if (options.common.json) {
    const nlohmann::ordered_json many = {{"agrees", agree}, {"studies", results}};
    fmt::print("{}\n", (results.size() == 1 && !all ? results[0] : many).dump(2));
  } else if (!options.common.quiet && studies.size() > 1) {
    fmt::print("{}", study_summary(studies, outcomes));
  }
  warn_about_figures(problems);
  return agree ? 0 : 1;
}

}  // namespace

Work add_study_command(CLI::App& app) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* command =
      app.add_subcommand("study", "Figures of the literature: computed and published side by side; all, or by name");
  command->add_option("NAME", options->names,
                      "Studies (slipset list names them), or files like theirs with a key study = \"NAME\"");
  command->add_flag("--show", options->show, "Print the study's file: parameters, and what is known");
  add_common_options(*command, options->common);
  command->footer(
      "Example: slipset study walker2016-fig6\n"
      "Files go to --out DIR, else to out/studies/NAME; with --json only if --out is given. Exit code 1: a study "
      "disagrees.\n"
      "To change a study: slipset study NAME --show > mine.toml, add study = \"NAME\" on top, edit, slipset study "
      "mine.toml.");
  return [options] { return run_studies(*options); };
}

}  // namespace slipset::app
