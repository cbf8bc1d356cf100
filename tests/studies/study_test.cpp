// The framework of the studies: files, names, verdicts; and the quick studies themselves.
#include "slipset/studies/study.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "slipset/studies/registry.hpp"
#include "slipset/studies/study_report.hpp"

using namespace slipset;

namespace {

std::string text_of(std::string_view name) { return std::string(study_file(name).text); }

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

Study fig6(const std::string& what, const std::string& by) {
  return Study(TomlFile(replaced(text_of("walker2016-fig6"), what, by), "studies/walker2016/fig6.toml"));
}
Study fig7(const std::string& what, const std::string& by) {
  return Study(TomlFile(replaced(text_of("walker2016-fig7"), what, by), "studies/walker2016/fig7.toml"));
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("every file has its code, every code its file, and every row says where it stands") {
  std::set<std::string> files, codes;
  for (const StudyFile& file : study_files()) files.insert(Study(TomlFile(std::string(file.text), file.path)).name());
  for (const StudyEntry& entry : study_entries()) {
    codes.insert(std::string(entry.name));
    const Study study = built_in_study(entry.name);
    CHECK(study.known().size() > 0);
    for (const KnownRow& row : study.known()) CHECK_FALSE(row.reference.empty());
  }
  CHECK(files == codes);
}

TEST_CASE("a published number that is wrong by more than its tolerance disagrees, one within agrees") {
  const StudyOutcome wrong = run_study(fig7("value = 0.80732706", "value = 0.808"));
  CHECK_FALSE(wrong.agrees);
  int disagree = 0;
  for (const StudyRow& row : wrong.rows) disagree += row.agrees == false;
  CHECK(disagree == 1);
  CHECK(run_study(fig7("value = 0.80732706\ntolerance = 1e-4", "value = 0.807\ntolerance = 5e-4")).agrees);
  CHECK_FALSE(run_study(fig7("below = 1e-12", "above = 1e-12")).agrees);  // a statement in words turned round
}

TEST_CASE("a number agrees within its tolerance, a statement beyond its bound, NaN never") {
  KnownRow row;
  row.value = 2;
  row.tolerance = 0.1;
  CHECK(agrees_with(row, 2.09));
  CHECK(agrees_with(row, 1.91));
  CHECK_FALSE(agrees_with(row, 2.11));
  CHECK_FALSE(agrees_with(row, 1.89));
  CHECK_FALSE(agrees_with(row, std::nan("")));
  KnownRow bounds;
  bounds.above = 0;
  CHECK(agrees_with(bounds, 1e300));
  CHECK_FALSE(agrees_with(bounds, 0));
  CHECK_FALSE(agrees_with(bounds, INFINITY));
  bounds.below = 1;
  CHECK(agrees_with(bounds, 0.5));
  CHECK_FALSE(agrees_with(bounds, 1.5));
  CHECK_FALSE(agrees_with(bounds, std::nan("")));
}

TEST_CASE("wrong files are reported with their place") {
  const auto message = [](const std::string& what, const std::string& by) {
    return message_of([&] { run_study(fig6(what, by)); });
  };
  const std::string file = "studies/walker2016/fig6.toml:";
  CHECK(message("reference = \"Fig. 6b\"", "refernce = \"Fig. 6b\"").find("did you mean \"reference\"?") !=
        std::string::npos);
  CHECK(message("tolerance = 1e-10", "tolerance = -1").find("found -1; expected a number above 0") !=
        std::string::npos);
  CHECK(message("tolerance = 1e-10\n", "").find("known[0].tolerance: missing") != std::string::npos);
  CHECK(message("stop time, p1/p2 = 2 [s]", "stop tme, p1/p2 = 2 [s]").find("did you mean \"stop time, p1/p2 = 2") !=
        std::string::npos);
  CHECK(message("stop time, p1/p2 = 1 [s]", "stop time, p1/p2 = 2 [s]").find("already appears in an earlier row") !=
        std::string::npos);
  CHECK(message("mass = 1.0", "mass = -1.0").find("system.mass: found -1") != std::string::npos);
  CHECK(message("mass = 1.0", "mass = -1.0").find(file) == 0);
  CHECK(message("semi_axes = [4, 1]", "semi_axes = [4]").find("cases[0].law.direction.semi_axes") != std::string::npos);
  CHECK(message_of([] { built_in_study("walker2016-fig66"); }).find("did you mean \"walker2016-fig6\"?") !=
        std::string::npos);
}

TEST_CASE("walker2016-fig6 agrees; JSON has the stable keys, the text every quantity") {
  const Study study = built_in_study("walker2016-fig6");
  const StudyOutcome outcome = run_study(study);
  const auto json = study_json(study, outcome);
  CHECK(json.at("name") == "walker2016-fig6");
  CHECK(json.at("agrees") == true);
  CHECK(json.at("rows").size() == outcome.rows.size());
  for (const char* key : {"quantity", "published", "computed", "reference", "note"})
    CHECK(json.at("rows")[0].contains(key));
  const std::string text = study_text(study, outcome);
  for (const StudyRow& row : outcome.rows) CHECK(text.find(row.quantity) != std::string::npos);
}
