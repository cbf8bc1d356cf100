#include "slipset/studies/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "slipset/core/internal/names.hpp"
#include "slipset/studies/registry.hpp"

namespace slipset {
namespace {

constexpr std::array<std::string_view, 15> kFileKeys = {"study",     "title",      "paper",   "figure", "note",
                                                        "published", "cases",      "compute", "law",    "system",
                                                        "initial",   "integrator", "output",  "sweep",  "stability"};
constexpr std::array<std::string_view, 8> kRowKeys = {"quantity", "value",     "tolerance", "above",
                                                      "below",    "reference", "source",    "note"};
constexpr std::array<std::string_view, 2> kSources = {"paper", "second computation"};

std::optional<double> number_if(const TomlTable& t, std::string_view name) {
  return t.has(name) ? std::optional(t.number(name)) : std::nullopt;
}

PublishedRow read_row(const TomlTable& t) {
  t.allow_only(kRowKeys);
  PublishedRow row;
  row.quantity = t.text("quantity");
  row.value = number_if(t, "value");
  row.above = number_if(t, "above");
  row.below = number_if(t, "below");
  if (row.value && (row.above || row.below)) t.fail("value", "give either value and tolerance, or above and below");
  if (!row.value && !row.above && !row.below) t.fail("value", "missing; give value and tolerance, or above or below");
  if (row.value) row.tolerance = t.positive("tolerance");
  if (!row.value && t.has("tolerance")) t.fail("tolerance", "belongs to a value; a bound has none");
  row.reference = t.text("reference");
  row.source = t.has("source") ? t.choice("source", kSources) : "paper";
  if (t.has("note")) row.note = t.text("note");
  return row;
}

// studies/walker2019/fig17.toml is walker2019-fig17.
std::string name_of(const std::filesystem::path& path) {
  const std::string stem = path.stem().string(), folder = path.parent_path().filename().string();
  return folder.empty() ? stem : folder + "-" + stem;
}

std::string joined(const std::string& a, const std::string& b) { return a.empty() || b.empty() ? a + b : a + " " + b; }

}  // namespace

bool agrees_with(const PublishedRow& p, double computed) {
  if (!std::isfinite(computed)) return false;
  if (p.value) return std::abs(computed - *p.value) <= p.tolerance;
  return (!p.above || computed > *p.above) && (!p.below || computed < *p.below);
}

Study::Study(TomlFile file) : file_(std::move(file)) {
  const TomlTable t = root();
  t.allow_only(kFileKeys);
  std::vector<std::string_view> codes;
  for (const StudyEntry& entry : study_entries()) codes.push_back(entry.name);
  code_ = t.has("study") ? t.choice("study", codes) : name_of(file_.path());
  const bool known = std::find(codes.begin(), codes.end(), code_) != codes.end();
  if (!known) t.fail("study", fmt::format("missing; give the study to compute, one of {}", fmt::join(codes, ", ")));
  name_ = t.has("study") ? file_.path().stem().string() : code_;
  title_ = t.text("title");
  paper_ = t.text("paper");
  figure_ = t.text("figure");
  if (t.has("note")) note_ = t.text("note");
  for (const TomlTable& row : t.tables("published")) {
    published_.push_back(read_row(row));
    const auto same = [&](const PublishedRow& p) { return p.quantity == published_.back().quantity; };
    if (std::count_if(published_.begin(), published_.end(), same) > 1)
      row.fail("quantity", fmt::format("\"{}\" already appears in an earlier row", published_.back().quantity));
  }
}

TomlTable Study::compute(std::span<const std::string_view> keys) const {
  const TomlTable t = root().table("compute", "a table [compute] with the study's own parameters");
  t.allow_only(keys);
  return t;
}

std::optional<double> StudyRow::deviation() const {
  if (!published || !published->value) return std::nullopt;
  return computed - *published->value;
}

StudyOutcome run_study(const Study& study, const StudyProgress& progress) {
  const auto began = std::chrono::steady_clock::now();
  StudyOutcome outcome;
  outcome.result = find_study_code(study.code())(
      study, progress ? progress : [](double) {});
  const auto& values = outcome.result.values;

  std::size_t index = 0;
  for (const PublishedRow& p : study.published()) {
    const auto at = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.quantity == p.quantity; });
    const TomlTable place = study.root().tables("published")[index++];
    if (at != values.end()) continue;
    std::vector<std::string_view> names;
    for (const auto& v : values) names.push_back(v.quantity);
    const std::string nearest = internal::nearest_name(p.quantity, names);
    place.fail("quantity", fmt::format("\"{}\" is not computed by this study; {}computed: {}", p.quantity,
                                       nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest),
                                       fmt::join(names, "; ")));
  }
  bool some = false, all = true;
  for (const auto& v : values) {
    StudyRow row{v.quantity, std::nullopt, v.value, v.note, std::nullopt};
    const auto p = std::find_if(study.published().begin(), study.published().end(),
                                [&](const PublishedRow& r) { return r.quantity == v.quantity; });
    if (p != study.published().end()) {
      row.published = *p;
      row.note = joined(p->note, v.note);
      row.agrees = agrees_with(*p, v.value);
      some = true;
      all = all && *row.agrees;
    }
    outcome.rows.push_back(std::move(row));
  }
  outcome.agrees = some && all;
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return outcome;
}

}  // namespace slipset
