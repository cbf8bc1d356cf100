// The labels of the rows: a published number is printed in the paper, a statement is the paper's own words.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "slipset/io/files.hpp"
#include "slipset/studies/registry.hpp"

using namespace slipset;

namespace {

namespace fs = std::filesystem;

std::string with_single_spaces(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space || (!out.empty() && out.back() != ' ')) out += space ? ' ' : c;
  }
  return out;
}

// "walker2019" is the text whose name begins with walker and has 2019 in it. Empty: not on this machine.
std::string text_of_paper(std::string_view study) {
  const std::string author(study.substr(0, study.find_first_of("0123456789")));
  const std::string year(study.substr(author.size(), 4));
  const char* given = std::getenv("SLIPSET_PAPERS");
  const fs::path folder = given ? given : SLIPSET_PAPERS;
  if (!fs::is_directory(folder)) return "";
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(author) && name.find(year) != std::string::npos)
      return with_single_spaces(read_file(entry.path()));
  }
  return "";
}

Study with_row(const std::string& row) {
  return Study(
      TomlFile("study = \"quinn2004-fig5\"\ntitle = \"t\"\npaper = \"p\"\nfigure = \"f\"\n[[known]]\nquantity = "
               "\"q\"\nreference = \"Sect. 1\"\n" +
                   row,
               "mine.toml"));
}

}  // namespace

// The texts are not part of the repository; where they stand beside it, every digit and every word is looked up.
TEST_CASE("what is labelled as published stands in the paper") {
  int looked_up = 0;
  for (const StudyEntry& entry : study_entries()) {
    const std::string text = text_of_paper(entry.name);
    if (text.empty()) continue;
    const Study study = built_in_study(entry.name);
    for (const KnownRow& row : study.known()) {
      INFO(std::string(entry.name), ": ", row.quantity);
      for (std::size_t from = 0; from < row.printed.size();) {  // both numbers of a quotient, without sign
        const std::size_t to = std::min(row.printed.find('/', from), row.printed.size());
        std::string digits = row.printed.substr(from, to - from);
        if (digits.starts_with('-')) digits.erase(0, 1);
        INFO("printed: ", digits);
        CHECK(text.find(digits) != std::string::npos);
        ++looked_up;
        from = to + 1;
      }
      for (std::size_t from = 0; from < row.says.size();) {  // parts between ellipses
        const std::size_t to = std::min(row.says.find(" ... ", from), row.says.size());
        const std::string words = row.says.substr(from, to - from);
        INFO("says: ", words);
        CHECK(text.find(words) != std::string::npos);
        ++looked_up;
        from = to + 5;
      }
    }
  }
  if (looked_up == 0) MESSAGE("skipped: no texts of the papers beside the repository");
}

TEST_CASE("a row says where its number comes from, and cannot claim more") {
  const auto refused = [](const std::string& row, const char* why) {
    INFO(row);
    CHECK_THROWS_WITH_AS(with_row(row), doctest::Contains(why), InvalidInput);
  };
  CHECK_NOTHROW(with_row("source = \"published\"\nprinted = \"0.408\"\n"));
  CHECK_NOTHROW(with_row("source = \"published\"\nsays = \"largest\"\nabove = 0\n"));
  CHECK_NOTHROW(with_row("source = \"second computation\"\nmethod = \"closed form\"\nvalue = 1\ntolerance = 1e-9\n"));
  CHECK_NOTHROW(with_row("source = \"own reading\"\nmethod = \"from Fig. 3, to 2 %\"\nvalue = 1\ntolerance = 0.02\n"));
  refused("value = 1\ntolerance = 1e-3\n", "source: missing");
  refused("source = \"paper\"\nvalue = 1\ntolerance = 1e-3\n", "published");
  // konyukhov2007-fig13 had seven digits where the paper prints three, and called them the paper's.
  refused("source = \"published\"\nvalue = 0.4079135\ntolerance = 5e-8\n", "gives the digits");
  refused("source = \"published\"\nprinted = \"0.408\"\ntolerance = 5e-8\n", "good to 0.0005 only");
  refused("source = \"published\"\nprinted = \"about 4\"\n", "is not a number as papers print it");
  refused("source = \"published\"\nprinted = \"0.408\"\nvalue = 0.408\n", "remove one");
  refused("source = \"published\"\nprinted = \"0.408\"\nmethod = \"m\"\n", "belongs to a second computation");
  refused("source = \"second computation\"\nvalue = 1\ntolerance = 1e-3\n", "name the other method");
  refused("source = \"own reading\"\nvalue = 1\ntolerance = 1e-3\n", "say how the number was read");
  refused("source = \"second computation\"\nmethod = \"m\"\nprinted = \"1\"\n", "belongs to source");
}

TEST_CASE("printed digits carry half a unit of the last one") {
  const auto is = [](const char* digits, double value, double error) {
    const PrintedNumber n = read_printed(digits);
    INFO(digits);
    CHECK(std::abs(n.value - value) <= 1e-12 * std::abs(value));
    CHECK(std::abs(n.error - error) <= 1e-9 * error);
  };
  is("0.408", 0.408, 0.0005);
  is("-0.750090", -0.75009, 5e-7);
  is("44", 44, 0.5);
  is("1.5e-3", 0.0015, 5e-5);
  is("2.0E+2", 200, 5);
  is("1.84/1.19", 1.84 / 1.19, 1.84 / 1.19 * (0.005 / 1.84 + 0.005 / 1.19));
}
