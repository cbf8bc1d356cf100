#include "slipset/studies/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/io/csv.hpp"
#include "slipset/report/run_report.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

// The number with as many digits as its tolerance has meaning for, and two more.
std::string number(double value, double tolerance) {
  if (!(tolerance > 0) || value == 0) return fmt::format("{:.10g}", value);
  const double digits = std::log10(std::abs(value) / tolerance) + 2.7;
  return fmt::format("{:.{}g}", value, static_cast<int>(std::clamp(digits, 3.0, 15.0)));
}

std::string known_text(const StudyRow& row) {
  if (!row.known) return "-";
  const KnownRow& p = *row.known;
  if (p.value) return fmt::format("{:.12g} ± {:.2g}", *p.value, p.tolerance);
  if (p.above && p.below) return fmt::format("{:g} to {:g}", *p.above, *p.below);
  return p.above ? fmt::format("above {:g}", *p.above) : fmt::format("below {:g}", *p.below);
}

std::string computed_text(const StudyRow& row) {
  return number(row.computed, row.known && row.known->value ? row.known->tolerance : 0);
}

std::string deviation_text(const StudyRow& row) {
  const auto deviation = row.deviation();
  return deviation ? fmt::format("{:+.2g}", *deviation) : "-";
}

const char* verdict(const StudyRow& row) { return !row.agrees ? "-" : *row.agrees ? "agrees" : "DISAGREES"; }

// "published, Sect. 4.1"; "second computation (closed form), Fig. 5b".
std::string source_text(const StudyRow& row) {
  if (!row.known) return "";
  const KnownRow& k = *row.known;
  const std::string how = k.method.empty() ? "" : fmt::format(" ({})", k.method);
  return fmt::format("{}{}, {}", name_of(k.source), how, k.reference);
}

// What the paper says, then what is to be noted.
std::string remark(const StudyRow& row) {
  if (!row.known || row.known->says.empty()) return row.note;
  return fmt::format("\"{}\"{}{}", row.known->says, row.note.empty() ? "" : ". ", row.note);
}

// Columns of a text, counted in letters and not in bytes.
std::size_t width(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  return count;
}
std::string padded(const std::string& text, std::size_t to) {
  return text + std::string(to > width(text) ? to - width(text) : 0, ' ');
}

}  // namespace

Json study_json(const Study& study, const StudyOutcome& outcome) {
  Json json;
  json["name"] = study.name();
  json["agrees"] = outcome.agrees;
  json["title"] = study.title();
  json["paper"] = study.paper();
  json["figure"] = study.figure();
  json["note"] = study.note();
  json["seconds"] = outcome.seconds;
  json["rows"] = Json::array();
  for (const StudyRow& row : outcome.rows) {
    const KnownRow p = row.known.value_or(KnownRow{});
    json["rows"].push_back({{"quantity", row.quantity},
                            {"published", json_of(p.value)},
                            {"computed", row.computed},
                            {"reference", p.reference},
                            {"note", row.note},
                            {"tolerance", p.value ? Json(p.tolerance) : Json()},
                            {"above", json_of(p.above)},
                            {"below", json_of(p.below)},
                            {"source", row.known ? Json(name_of(p.source)) : Json()},
                            {"method", p.method},
                            {"says", p.says},
                            {"deviation", json_of(row.deviation())},
                            {"agrees", row.agrees ? Json(*row.agrees) : Json()}});
  }
  return json;
}

std::string study_text(const Study& study, const StudyOutcome& outcome) {
  std::vector<std::vector<std::string>> cells{{"quantity", "computed", "known", "deviation", "verdict", "source"}};
  for (const StudyRow& row : outcome.rows)
    cells.push_back(
        {row.quantity, computed_text(row), known_text(row), deviation_text(row), verdict(row), source_text(row)});
  std::vector<std::size_t> widths(cells[0].size(), 0);
  for (const auto& line : cells)
    for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], width(line[k]));
  std::string text = fmt::format("{}: {} ({}, {})\n\n", study.name(), study.title(), study.paper(), study.figure());
  for (const auto& line : cells) {
    std::string joined;
    for (std::size_t k = 0; k < line.size(); ++k) joined += padded(line[k], widths[k] + 2);
    text += joined.substr(0, joined.find_last_not_of(' ') + 1) + "\n";
  }
  std::string notes;
  for (const StudyRow& row : outcome.rows)
    if (const std::string words = remark(row); !words.empty()) notes += fmt::format("  {}: {}\n", row.quantity, words);
  if (!notes.empty()) text += "\nnotes\n" + notes;
  if (!study.note().empty()) text += "\n" + study.note() + (study.note().ends_with('\n') ? "" : "\n");
  text += fmt::format("\n{} ({:.3g} s)\n", outcome.agrees ? "agrees" : "DISAGREES", outcome.seconds);
  return text;
}

std::string study_summary(const std::vector<Study>& studies, const std::vector<StudyOutcome>& outcomes) {
  std::string text;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    int compared = 0, agree = 0;
    for (const StudyRow& row : outcomes[i].rows) {
      compared += row.agrees.has_value();
      agree += row.agrees.value_or(false);
    }
    text += fmt::format("{:<20} {:3} of {:3} rows agree  {:<10} {:6.3g} s  {}\n", studies[i].name(), agree, compared,
                        outcomes[i].agrees ? "agrees" : "DISAGREES", outcomes[i].seconds, studies[i].title());
  }
  return text;
}

std::string study_markdown(const Study& study, const StudyOutcome& outcome) {
  std::string text = fmt::format("## {}\n\n{} ({}, {}).\n\n{}\n\n", study.name(), study.title(), study.paper(),
                                 study.figure(), study.note());
  text += "| quantity | computed | known | deviation | verdict | source of the known |\n|---|---|---|---|---|---|\n";
  for (const StudyRow& row : outcome.rows)
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.quantity, computed_text(row), known_text(row),
                        deviation_text(row), verdict(row), source_text(row));
  std::string notes;
  for (const StudyRow& row : outcome.rows)
    if (const std::string words = remark(row); !words.empty()) notes += fmt::format("- {}: {}\n", row.quantity, words);
  return notes.empty() ? text : text + "\n" + notes;
}

Results study_results(const Study& study, const StudyOutcome& outcome) {
  Results results{"study",
                  study_json(study, outcome).dump(2),
                  study_text(study, outcome),
                  {{"study.md", study_markdown(study, outcome)}},
                  outcome.result.figures};
  for (const auto& [name, table] : outcome.result.tables) results.files.emplace_back(name + ".csv", csv_text(table));
  return results;
}

}  // namespace slipset
