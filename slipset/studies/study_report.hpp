// What `slipset study` leaves: a table, JSON, CSV files, figures.     docs/output.md
#pragma once

#include <nlohmann/json.hpp>

#include "slipset/report/results.hpp"
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

// study.json, study.md, NAME.csv, figures.
Results study_results(const Study& study, const StudyOutcome& outcome);

}  // namespace slipset
