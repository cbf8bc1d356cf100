#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "app/standard_output.hpp"
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
  print_exactly(text);
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
  std::vector<std::unique_ptr<Output>> outputs;
  for (const Study& study : studies) {
    CommonOptions common = options.common;
    if (!common.out.empty() && studies.size() > 1) common.out += "/" + study.name();
    outputs.push_back(std::make_unique<Output>(common, "out/studies/" + study.name(), "study"));
  }
  std::vector<StudyOutcome> outcomes;
  std::vector<nlohmann::ordered_json> results;
  bool agree = true;
  for (const Study& study : studies) {
    const double before = static_cast<double>(outcomes.size()), count = static_cast<double>(studies.size());
    outcomes.push_back(run_study(study, [&](double part) { progress.show(before + part, count, "studies"); }));
    progress.end();
    const StudyOutcome& outcome = outcomes.back();
    agree = agree && outcome.agrees;
    results.push_back(study_json(study, outcome));
    const Results all_of_it = study_results(study, outcome);
    const auto files = outputs[outcomes.size() - 1]->write_files(all_of_it);
    if (options.common.json || options.common.quiet) continue;
    std::string text = all_of_it.text;
    for (const auto& file : files) text += fmt::format("wrote {}\n", file.string());
    print(text + "\n");
  }
  if (options.common.json) {
    const nlohmann::ordered_json many = {{"agrees", agree}, {"studies", results}};
    print_exactly((results.size() == 1 && !all ? results[0] : many).dump(2) + "\n");
  } else if (!options.common.quiet && studies.size() > 1) {
    print(study_summary(studies, outcomes));
  }
  int code = agree ? 0 : 1;
  for (const auto& output : outputs) code = output->report_figures(code);
  return code;
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
