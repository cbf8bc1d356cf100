#include "slipset/studies/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "slipset/core/internal/names.hpp"
#include "slipset/scenario/system_kinds.hpp"
#include "slipset/studies/registry.hpp"

namespace slipset {
namespace {

constexpr std::array<std::string_view, 15> kFileKeys = {"study",   "title",      "paper",   "figure", "note",
                                                        "known",   "cases",      "compute", "law",    "system",
                                                        "initial", "integrator", "output",  "sweep",  "stability"};
constexpr std::array<std::string_view, 11> kRowKeys = {"quantity",  "value",   "tolerance", "above",  "below", "source",
                                                       "reference", "printed", "says",      "method", "note"};
constexpr std::array<std::string_view, 3> kSources = {"published", "second computation", "own reading"};

std::optional<double> number_if(const TomlTable& t, std::string_view name) {
  return t.has(name) ? std::optional(t.number(name)) : std::nullopt;
}
std::string text_if(const TomlTable& t, std::string_view name) { return t.has(name) ? t.text(name) : ""; }

// Digits as they are printed carry their own error; a stated tolerance may be larger, never smaller.
void read_printed_number(const TomlTable& t, KnownRow& row) {
  if (row.source != Source::published) t.fail("printed", "belongs to source = \"published\"");
  if (row.value) t.fail("value", "stands in `printed` already; remove one");
  PrintedNumber number{};
  try {
    number = read_printed(row.printed);
  } catch (const InvalidInput& error) {
    t.fail("printed", error.what());
  }
  row.value = number.value;
  row.tolerance = t.has("tolerance") ? t.positive("tolerance") : number.error;
  if (row.tolerance < number.error * (1 - 1e-9))
    t.fail("tolerance", fmt::format("found {}; the printed digits are good to {:g} only", row.tolerance, number.error));
}

// Each source says where its number comes from: a label that claims more than it can show is a mistake.
void check_source(const TomlTable& t, const KnownRow& row) {
  if (row.source == Source::published) {
    if (row.printed.empty() && row.says.empty())
      t.fail("printed", "missing; a published row gives the digits (printed) or the paper's words (says)");
    if (!row.method.empty()) t.fail("method", "belongs to a second computation or an own reading");
  } else if (row.method.empty()) {
    t.fail("method", row.source == Source::second_computation
                         ? "missing; name the other method that gave this number"
                         : "missing; say how the number was read from the paper's words or figure");
  }
}

KnownRow read_row(const TomlTable& t) {
  t.allow_only(kRowKeys);
  KnownRow row;
  row.quantity = t.text("quantity");
  row.value = number_if(t, "value");
  row.above = number_if(t, "above");
  row.below = number_if(t, "below");
  const std::string source = t.choice("source", kSources);
  row.source = static_cast<Source>(std::find(kSources.begin(), kSources.end(), source) - kSources.begin());
  row.reference = t.text("reference");
  row.printed = text_if(t, "printed");
  row.says = text_if(t, "says");
  row.method = text_if(t, "method");
  row.note = text_if(t, "note");
  const bool number = row.value || !row.printed.empty(), bound = row.above || row.below;
  if (number && bound) t.fail("value", "give either a number with its tolerance, or above and below");
  if (!number && !bound) t.fail("value", "missing; give printed, or value and tolerance, or above or below");
  if (!row.printed.empty())
    read_printed_number(t, row);
  else if (row.value)
    row.tolerance = t.positive("tolerance");
  else if (t.has("tolerance"))
    t.fail("tolerance", "belongs to a value; a bound has none");
  check_source(t, row);
  return row;
}

// studies/walker2019/fig17.toml is walker2019-fig17.
std::string name_of(const std::filesystem::path& path) {
  const std::string stem = path.stem().string(), folder = path.parent_path().filename().string();
  return folder.empty() ? stem : folder + "-" + stem;
}

std::string joined(const std::string& a, const std::string& b) { return a.empty() || b.empty() ? a + b : a + " " + b; }

// [system] of the file and of its cases, which may name some keys of it only.
void check_systems(const TomlTable& root) {
  const auto check = [&](const TomlTable& system, const SystemKind* usual) {
    const SystemKind* const kind = system.has("kind") ? find_system_kind(system) : usual;
    if (kind) system.described_by(kind->keys, "kind");
    return kind;
  };
  const SystemKind* const usual = root.has("system") ? check(root.table("system"), nullptr) : nullptr;
  if (!root.has("cases")) return;
  for (const TomlTable& one : root.tables("cases"))
    if (one.has("system")) check(one.table("system"), usual);
}

}  // namespace

std::string_view name_of(Source source) { return kSources[static_cast<std::size_t>(source)]; }

PrintedNumber read_printed(std::string_view digits) {
  if (const std::size_t slash = digits.find('/'); slash != std::string_view::npos) {
    const PrintedNumber a = read_printed(digits.substr(0, slash)), b = read_printed(digits.substr(slash + 1));
    const double quotient = a.value / b.value;
    return {quotient, std::abs(quotient) * (a.error / std::abs(a.value) + b.error / std::abs(b.value))};
  }
  double value = 0;
  const char *first = digits.data(), *last = first + digits.size();
  const auto [end, problem] = std::from_chars(first, last, value);
  if (problem != std::errc{} || end != last || !std::isfinite(value))
    throw InvalidInput(fmt::format("\"{}\" is not a number as papers print it, like \"0.408\"", digits));
  const std::size_t exponent_at = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, exponent_at);
  const std::size_t point = mantissa.find('.');
  int last_digit = point == std::string_view::npos ? 0 : -static_cast<int>(mantissa.size() - point - 1);
  if (exponent_at < digits.size()) {
    int exponent = 0;
    const std::size_t from = exponent_at + (digits[exponent_at + 1] == '+' ? 2 : 1);
    std::from_chars(first + from, last, exponent);
    last_digit += exponent;
  }
  return {value, 0.5 * std::pow(10.0, last_digit)};
}

bool agrees_with(const KnownRow& p, double computed) {
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
  check_systems(t);
  title_ = t.text("title");
  paper_ = t.text("paper");
  figure_ = t.text("figure");
  if (t.has("note")) note_ = t.text("note");
  for (const TomlTable& row : t.tables("known")) {
    known_.push_back(read_row(row));
    const auto same = [&](const KnownRow& p) { return p.quantity == known_.back().quantity; };
    if (std::count_if(known_.begin(), known_.end(), same) > 1)
      row.fail("quantity", fmt::format("\"{}\" already appears in an earlier row", known_.back().quantity));
  }
}

TomlTable Study::compute(std::span<const std::string_view> keys) const {
  const TomlTable t = root().table("compute", "a table [compute] with the study's own parameters");
  t.allow_only(keys);
  return t;
}

std::optional<double> StudyRow::deviation() const {
  if (!known || !known->value) return std::nullopt;
  return computed - *known->value;
}

StudyOutcome run_study(const Study& study, const StudyProgress& progress) {
  const auto began = std::chrono::steady_clock::now();
  StudyOutcome outcome;
  outcome.result = find_study_code(study.code())(
      study, progress ? progress : [](double) {});
  const auto& values = outcome.result.values;

  std::size_t index = 0;
  for (const KnownRow& p : study.known()) {
    const auto at = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.quantity == p.quantity; });
    const TomlTable place = study.root().tables("known")[index++];
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
    const auto p = std::find_if(study.known().begin(), study.known().end(),
                                [&](const KnownRow& r) { return r.quantity == v.quantity; });
    if (p != study.known().end()) {
      row.known = *p;
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
