// What `slipset study` leaves: a table, JSON, CSV files, figures.     docs/output.md
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "slipset/studies/study.hpp"

namespace slipset {

// The stable keys of the JSON result.
nlohmann::ordered_json study_json(const Study& study, const StudyOutcome& outcome);
// quantity | computed | known | deviation | verdict | source of the known, with notes below.
std::string study_text(const Study& study, const StudyOutcome& outcome);
// A line a study: name, rows that agree, verdict.
std::string study_summary(const std::vector<Study>& studies, const std::vector<StudyOutcome>& outcomes);
// The same as a table of Markdown, for docs/studies.md.
std::string study_markdown(const Study& study, const StudyOutcome& outcome);

struct StudyFiles {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> problems;  // why a figure could not be drawn
};
// study.json, study.md, NAME.csv, figures with script and data.
StudyFiles save_study(const Study& study, const StudyOutcome& outcome, const std::filesystem::path& folder);

}  // namespace slipset
