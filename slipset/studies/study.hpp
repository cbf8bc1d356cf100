// A study: a figure or table of the literature, computed, beside what was published.       docs/studies.md
// One TOML file in studies/PAPER/FIGURE.toml has the parameters (tables of a scenario file), the numbers to compare with,
// each with its source, and notes; a function of C++ that is registered under the study's name computes. The two meet in
// the quantity's name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slipset/io/figure.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

// Where a number that ours is compared with comes from.
enum class Source {
  published,           // printed in the paper: digits, or words that leave no number open
  second_computation,  // ours, by another method, which is named; the paper has no number, or a wrong one
  own_reading,         // ours, for what the paper draws or says in words ("much smaller"); how it was read is said
};
std::string_view name_of(Source source);  // "published", "second computation", "own reading"

// What is known of a quantity: a number that is good to ± tolerance, or a statement (above, below a bound).
struct KnownRow {
  std::string quantity;  // the words under which the code computes it, with unit
  std::optional<double> value;
  double tolerance = 0;  // absolute; of printed digits at least half of the last
  std::optional<double> above, below;
  Source source = Source::published;
  std::string reference;  // where it stands in the paper: "Fig. 17a", "Sect. 5.3"
  std::string printed;    // published numbers: the digits, "0.408", or a quotient of two, "1.84/1.19"
  std::string says;       // published statements: the paper's words
  std::string method;     // of the second computation; of the own reading
  std::string note;
};

// Whether a computed value is what the row says. Not a number: no.
bool agrees_with(const KnownRow& row, double computed);

// A number as printed, with half a unit of its last digit; of a quotient "a/b" the error of both. Throws InvalidInput.
struct PrintedNumber {
  double value, error;
};
PrintedNumber read_printed(std::string_view digits);

// Names, words and numbers of one study's file.
class Study {
 public:
  // Throws InvalidInput for a wrong file: place, key, what was found, what is allowed.
  explicit Study(TomlFile file);

  const std::string& name() const { return name_; }    // walker2019-fig17
  const std::string& code() const { return code_; }    // name of the function that computes it; `study` of the file
  const std::string& title() const { return title_; }  // one line
  const std::string& paper() const { return paper_; }
  const std::string& figure() const { return figure_; }
  const std::string& note() const { return note_; }  // what the paper leaves open, where its formula is wrong
  const std::vector<KnownRow>& known() const { return known_; }
  TomlTable root() const { return file_.root(); }  // for the readers of scenarios
  // [[cases]], each with name and tables that stand in for the root's. Throws if there are none.
  std::vector<TomlTable> cases() const { return root().tables("cases"); }
  // [compute]: the study's own parameters, which must be among `keys`.
  TomlTable compute(std::span<const std::string_view> keys) const;

 private:
  TomlFile file_;
  std::string name_, code_, title_, paper_, figure_, note_;
  std::vector<KnownRow> known_;
};

// What the code of a study gives back.
struct StudyResult {
  struct Value {
    std::string quantity;
    double value;
    std::string note;
  };
  std::vector<Value> values;  // in the order of the table; those that nothing is known of are shown, too
  std::vector<std::pair<std::string, Table>> tables;  // NAME.csv
  std::vector<Figure> figures;

  void add(std::string quantity, double value, std::string note = "") {
    values.push_back({std::move(quantity), value, std::move(note)});
  }
};

// Called now and then with the done part, 0 to 1.
using StudyProgress = std::function<void(double)>;
using StudyCode = StudyResult (*)(const Study&, const StudyProgress&);

struct StudyRow {
  std::string quantity;
  std::optional<KnownRow> known;
  double computed;
  std::string note;              // the known row's and the computation's
  std::optional<bool> agrees{};  // empty: nothing to compare with

  std::optional<double> deviation() const;  // computed minus known value
};

struct StudyOutcome {
  std::vector<StudyRow> rows;
  StudyResult result;
  double seconds = 0;
  bool agrees = false;  // no row disagrees, and at least one agrees
};

// Throws InvalidInput for a wrong file and for a known quantity that the code does not compute.
StudyOutcome run_study(const Study& study, const StudyProgress& progress = {});

}  // namespace slipset
