// Every study as it is shipped: all of its rows agree, and docs/studies.md shows what it computes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

#include "slipset/io/files.hpp"
#include "slipset/studies/registry.hpp"
#include "slipset/studies/study_report.hpp"

using namespace slipset;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && !line.starts_with("![")) lines.push_back(line);
  return lines;
}

// From "## NAME" to the next study.
std::string section_of(const std::string& page, std::string_view name) {
  const std::string first = fmt::format("\n## {}\n", name);
  const std::size_t begin = page.find(first);
  if (begin == std::string::npos) return "";
  return page.substr(begin + 1, page.find("\n## ", begin + 1) - begin - 1);
}

std::vector<std::string> split(const std::string& line, const std::string& at) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t to; (to = line.find(at, from)) != std::string::npos; from = to + at.size())
    parts.push_back(line.substr(from, to - from));
  parts.push_back(line.substr(from));
  return parts;
}

std::optional<double> number_in(std::string word) {
  while (!word.empty() && (word.back() == '.' || word.back() == ',')) word.pop_back();
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// Another compiler or processor rounds differently: a number that has a tolerance may differ by it, one that nothing is
// known of by a thousandth, one in a note by a twentieth. Everything else is compared to the letter.
bool same_number(const std::string& a, const std::string& b, double absolute, double relative) {
  if (a == b) return true;
  const auto x = number_in(a), y = number_in(b);
  return x && y && std::abs(*x - *y) <= absolute + relative * std::abs(*y);
}

bool same_line(const std::string& ours, const std::string& shown, const StudyOutcome& outcome) {
  if (ours == shown) return true;
  const auto a = split(ours, " | "), b = split(shown, " | ");
  if (a.size() != b.size()) return false;
  if (a.size() != 6) {
    const auto x = split(ours, " "), y = split(shown, " ");
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!same_number(x[i], y[i], 1e-9, 0.05)) return false;
    return true;
  }
  for (const std::size_t i : {0U, 2U, 4U, 5U})
    if (a[i] != b[i]) return false;
  for (const StudyRow& row : outcome.rows) {
    if (a[0] != "| " + row.quantity) continue;
    if (row.known && !row.known->value) return true;  // a bound: its verdict is the same
    return same_number(a[1], b[1], row.known ? row.known->tolerance : 1e-9, row.known ? 0 : 1e-3);
  }
  return false;
}

void check_as_shipped(std::string_view paper) {
  const std::string page = read_file(SLIPSET_SOURCE "/docs/studies.md");
  for (const StudyEntry& entry : study_entries()) {
    if (!entry.name.starts_with(paper)) continue;
    const std::string name(entry.name);
    const Study study = built_in_study(name);
    const StudyOutcome outcome = run_study(study);
    for (const StudyRow& row : outcome.rows) {
      INFO(name, ": ", row.quantity, " = ", row.computed);
      CHECK(std::isfinite(row.computed));
      CHECK(row.agrees.value_or(true));
    }
    CHECK(outcome.agrees);

    INFO(name, ": docs/studies.md is out of date; run tools/studies-page");
    const auto ours = lines_of(study_markdown(study, outcome)), shown = lines_of(section_of(page, name));
    CHECK(ours.size() == shown.size());
    for (std::size_t i = 0; i < std::min(ours.size(), shown.size()); ++i) {
      INFO("computed: ", ours[i], "\nshown:    ", shown[i]);
      CHECK(same_line(ours[i], shown[i], outcome));
    }
    for (const Figure& figure : outcome.result.figures) {
      const std::string file = fmt::format("images/studies/{}-{}.png", name, figure.name());
      INFO(file);
      CHECK(page.find(file) != std::string::npos);
      CHECK(std::filesystem::exists(std::filesystem::path(SLIPSET_SOURCE "/docs") / file));
    }
  }
}

}  // namespace

TEST_CASE("as shipped: quinn2004") { check_as_shipped("quinn2004"); }
TEST_CASE("as shipped: konyukhov2007") { check_as_shipped("konyukhov2007"); }
TEST_CASE("as shipped: hoffmann2007") { check_as_shipped("hoffmann2007"); }
TEST_CASE("as shipped: walker2016") { check_as_shipped("walker2016"); }
TEST_CASE("as shipped: walker2019") { check_as_shipped("walker2019"); }

TEST_CASE("docs/studies.md has every study, and no other") {
  const std::string page = read_file(SLIPSET_SOURCE "/docs/studies.md");
  std::multiset<std::string> shown, shipped;
  for (const std::string& line : lines_of(page))
    if (line.starts_with("## ")) shown.insert(line.substr(3));
  for (const StudyEntry& entry : study_entries()) shipped.insert(std::string(entry.name));
  CHECK(shown == shipped);
}

// A page that shows another number, another source or one row less is out of date.
TEST_CASE("the comparison with the page has teeth") {
  const Study study = built_in_study("quinn2004-fig6");
  const StudyOutcome outcome = run_study(study);
  const std::string good = study_markdown(study, outcome);
  const auto differs = [&](const std::string& what, const std::string& by) {
    std::string bad = good;
    REQUIRE(bad.find(what) != std::string::npos);
    bad.replace(bad.find(what), what.size(), by);
    const auto a = lines_of(good), b = lines_of(bad);
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i) same = same_line(a[i], b[i], outcome);
    return !same;
  };
  CHECK_FALSE(differs("agrees", "agrees"));
  CHECK(differs("-0.75035", "-0.77035"));
  CHECK_FALSE(differs("-0.75035", "-0.75034"));  // within the row's tolerance
  CHECK(differs("second computation", "published"));
  CHECK(differs("| agrees |", "| DISAGREES |"));
  CHECK(differs("Sect. 3.1", "Sect. 3.2"));
}
