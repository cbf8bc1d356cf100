#include "slipset/io/internal/signal_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "slipset/core/error.hpp"
#include "slipset/io/csv.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/mat_file.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::internal;
using namespace slipset::test;

namespace {

struct Record {
  std::vector<std::string> names, units;
  std::vector<std::vector<double>> columns;
};

Record read(const std::string& text, const std::vector<std::string>& wanted = {}) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "t.csv";
  write_file(path, text);
  const SignalTable table(path);
  std::vector<std::size_t> columns;
  for (const std::string& name : wanted)
    columns.push_back(
        static_cast<std::size_t>(std::find(table.names().begin(), table.names().end(), name) - table.names().begin()));
  if (wanted.empty())
    for (std::size_t i = 0; i < table.column_count(); ++i) columns.push_back(i);
  std::vector<std::string> units;
  for (const ColumnUnit& unit : table.units()) units.push_back(unit.text);
  return {table.names(), units, table.read(columns).columns};
}

using Columns = std::vector<std::vector<double>>;
const Columns kTwoRows = {{0, 0.5}, {1.25, -2}, {3e-3, 4}};

}  // namespace

TEST_CASE("signal tables: separators, decimal commas, headers, units, comments") {
  CHECK(read("0,1.25,3e-3\n0.5,-2,4\n").columns == kTwoRows);
  CHECK(read("0;1,25;3e-3\n0,5;-2;+4\n").columns == kTwoRows);
  CHECK(read("0\t1,25\t3e-3\r\n0,5\t-2\t4\r\n").columns == kTwoRows);
  CHECK(read("  0   1.25 3e-3\n 0.5 -2   4  \n").columns == kTwoRows);
  CHECK(read("0,0 1,25 3e-3\n0,5 -2,0 4,0\n").columns == kTwoRows);
  CHECK(read("0, 1.25, 3e-3\n0.5, -2, 4").columns == kTwoRows);
  CHECK(read("# made by hand\n0,1.25,3e-3\n\n% note\n0.5,-2,4 # last\n").columns == kTwoRows);
  CHECK(read("\xef\xbb\xbf"
             "a,b,c\n0,1.25,3e-3\n0.5,-2,4\n")
            .columns == kTwoRows);
  const Record vendor = read(
      "Instrument: T-500\nSample rate;1000\n12345\nDate 2020-01-01\n\"angle\";\"Ft [mN]\";\"Fz "
      "(N)\"\n0;1,25;3e-3\n0,5;-2;4\n");
  CHECK(vendor.columns == kTwoRows);
  CHECK(vendor.names == std::vector<std::string>{"angle", "Ft", "Fz"});
  CHECK(vendor.units == std::vector<std::string>{"", "mN", "N"});
  const Record lines = read("angle,Ft,Fz\ndeg,mN,N\n0,1.25,3e-3\n0.5,-2,4\n");
  CHECK(lines.names == std::vector<std::string>{"angle", "Ft", "Fz"});
  CHECK(lines.units == std::vector<std::string>{"deg", "mN", "N"});
  // Only what is asked for, in that order; text in other columns does not matter.
  const Record some = read("time,angle,mode,ft\n1,10,3,5\n2,20,stick,6\n", {"ft", "angle"});
  CHECK(some.columns == Columns{{5, 6}, {10, 20}});
}

TEST_CASE("signal tables: broken files are reported with line, column and what to do") {
  const auto fails = [](const std::string& text, const std::string& message,
                        const std::vector<std::string>& wanted = {}) {
    INFO(text);
    CHECK_THROWS_WITH_AS(read(text, wanted), doctest::Contains(message.c_str()), InvalidInput);
  };
  fails("", "the file is empty");
  fails("only words\nand more\n", "no row of numbers in 2 lines");
  fails("a,b\n1,2\n3,x\n", "t.csv:3: not a number in column 2 (b)");
  fails("a,b\n1,2\n1,2\n3\n", "t.csv:4: too few fields");
  fails("a,b\n1,2\n1,2\n3,4,5\n", "t.csv:4: more fields");
  fails("a,b\n1,2\n3,\n", "a number is missing");
  fails("a,b\n1,2\n3,nan\n", "not a finite number");
  fails("a;b\n1,5;2\n3,5;4,x\n", "t.csv:3: not a number");
  CHECK_THROWS_AS(SignalTable("/no/such/file.csv"), InvalidInput);
}

// C, files: what spreadsheets and instruments write.
TEST_CASE("signal tables: quotes, Latin-1, UTF-16, trailing separators, other line ends") {
  const std::vector<std::string> names = {"a", "b", "c"}, units = {"°", "mN", ""};
  CHECK(read("\"0,0\",\"1,25\",\"3e-3\"\n\"0,5\",\"-2\",\"4\"\n").columns == kTwoRows);
  CHECK(read("\"a, first\",b,c\n\"0\",\"1.25\",3e-3\n0.5,-2,\"4\"\n").columns == kTwoRows);
  CHECK(read("\"a, first\",b,c\n0,1,2\n1,2,3\n").names[0] == "a, first");
  CHECK(read("a;b;c\n0;1;2\n0,5;-2;4\n").columns[0] == std::vector<double>{0, 0.5});  // the first row has no comma
  CHECK(read("a;b;c;;\n0;1,25;3e-3;;\n0,5;-2;4;;\n").columns == kTwoRows);
  CHECK(read("a,b,c\r0,1.25,3e-3\r0.5,-2,4\r").columns == kTwoRows);
  // numpy writes the names as a comment; other comments stay comments.
  const Record numpy = read("# made by hand, today\n# a [\xb0] b [mN] c\n0 1.25 3e-3\n0.5 -2 4\n");
  CHECK(numpy.names == names);
  CHECK(numpy.units == units);
  CHECK(read("# 1 2 3\n0 1.25 3e-3\n0.5 -2 4\n").names == std::vector<std::string>{"1", "2", "3"});
  const Record latin = read("a,b,c\n\xb0,mN,\n0,1.25,3e-3\n0.5,-2,4\n");
  CHECK(latin.names == names);
  CHECK(latin.units == units);
  CHECK(read("a [\xb0],b [mN],c\n0,1.25,3e-3\n0.5,-2,4\n").units == units);
  const std::string wide = "a [\xb0],b [mN],c\n0,1.25,3e-3\n0.5,-2,4\n";
  std::string little, big;
  for (const char c : wide) {
    little += {c, '\0'};
    big += {'\0', c};
  }
  for (const std::string& text : {"\xff\xfe" + little, "\xfe\xff" + big, little, big}) {
    const Record record = read(text);
    CHECK(record.columns == kTwoRows);
    CHECK(record.units == units);
  }
}

TEST_CASE("signal tables: what could be two things, and what is no text, is refused") {
  const auto fails = [](const std::string& text, const std::string& message) {
    INFO(text);
    CHECK_THROWS_WITH_AS(read(text), doctest::Contains(message.c_str()), InvalidInput);
  };
  fails("a;b\n0.5;1\n1,5;2\n", "both decimal points and decimal commas");
  fails("a,b\n\"1,234\",\"2,345\"\n\"3,456\",\"4,567\"\n", "decimal commas or thousands?");
  fails("a;b\n1.234,5;2\n1.234,6;3\n", "no row of numbers");
  // What was not understood is named, with its place.
  fails("Datum;12.03.2020\nWinkel;Kraft\n1.014,5;1.014,5\n1.014,6;1.234,5\n",
        "t.csv:3: column 1: \"1.014,5\" is not understood as a number: write numbers without thousands");
  fails("a,b\n1.0D+00,2.0D+00\n1.1D+00,2.1D+00\n",
        "t.csv:2: column 1: \"1.0D+00\" is not understood as a number: write its exponent with E");
  fails(std::string("PK\x03\x04xl/worksheets\0", 18), "save the sheet as CSV");
  fails("\xd0\xcf\x11\xe0zzzz", "save the sheet as CSV");
  fails("b,c\n1,0,5\n2,1,6\n", "t.csv:1: 2 names over rows of 3 columns: \"b,c\"");
  fails("\"b\" \"c\"\n\"1\" 0 5\n\"2\" 1 6\n", "2 names over rows of 3 columns");
  fails("\x1f\x8b\x08zzz", "unpack it");
  fails(std::string("a,b\n1,2\n\0\0\0\0zz", 14), "not a text file");
}

TEST_CASE("signal tables: thousands between semicolons are asked about, decimals are read") {
  const auto asks = [](const std::string& text) {
    INFO(text);
    CHECK_THROWS_WITH_AS(read(text), doctest::Contains("decimal commas or thousands?"), InvalidInput);
  };
  asks("a;b\n0;1,014\n1;952\n");
  asks("a;b\n0;952\n1;-1,014\n2;12,345\n");
  asks("a\tb\n0\t1,014\n1\t952\n");
  // Decimals: in every row, with other numbers of digits, behind a zero, beside 1000 and more without a comma.
  for (const char* text : {"a;b\n0;1,014\n1;2,952\n", "a;b\n0;1,014\n1;9,5\n2;952\n", "a;b\n0;1,014\n1;0,952\n2;3\n",
                           "a;b\n0;1,014\n1;1952\n", "a;b\n0,5;1,014\n1;952\n"}) {
    INFO(text);
    CHECK(read(text).columns[1][0] == 1.014);
  }
}

// The quick reader against the one that goes field by field.
TEST_CASE("signal tables: random tables have the numbers that read_number_table reads") {
  Random random(8);
  const TemporaryFolder folder;
  for (int i = 0; i < 30; ++i) {
    const int columns = random.integer(1, 6), rows = random.integer(2, 40);
    std::string text;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        text += fmt::format("{}{}", random.log_uniform(1e-12, 1e12) * (random.coin() ? 1 : -1),
                            c + 1 < columns ? "," : "\n");
    write_file(folder.path() / "r.csv", text);
    const NumberTable slow = read_number_table(folder.path() / "r.csv");
    std::vector<std::size_t> all;
    for (int c = 0; c < columns; ++c) all.push_back(static_cast<std::size_t>(c));
    CHECK(SignalTable(folder.path() / "r.csv").read(all).columns == slow.columns);
  }
}

TEST_CASE("MATLAB files: what is none is reported") {
  const TemporaryFolder folder;
  write_file(folder.path() / "no.mat", std::string(300, 'x'));
  CHECK_THROWS_WITH_AS(read_mat_file(folder.path() / "no.mat"), doctest::Contains("not a MATLAB file"), InvalidInput);
  write_file(folder.path() / "short.mat", "x");
  CHECK_THROWS_WITH_AS(read_mat_file(folder.path() / "short.mat"), doctest::Contains("too short"), InvalidInput);
  CHECK_THROWS_AS(read_mat_file(folder.path() / "none.mat"), InvalidInput);
  // Version 4, by hand: type 0 (little endian, double), 3 rows, 1 column, real, name "t".
  const std::int32_t header[] = {0, 3, 1, 0, 2};
  const double values[] = {1.5, -2, 4};
  std::string bytes(reinterpret_cast<const char*>(header), sizeof header);
  bytes += std::string("t\0", 2);
  bytes.append(reinterpret_cast<const char*>(values), sizeof values);
  const std::string padding_header = bytes;
  for (int i = 0; i < 3; ++i) {  // more variables, so that it is no tiny file
    std::string more = padding_header;
    more[20] = static_cast<char>('a' + i);
    bytes += more;
  }
  write_file(folder.path() / "four.mat", bytes);
  const auto arrays = read_mat_file(folder.path() / "four.mat");
  REQUIRE(arrays.count("t") == 1);
  CHECK(arrays.at("t") == std::vector<double>{1.5, -2, 4});
  // matio would read a file that is cut off, with numbers that are not in it.
  write_file(folder.path() / "cut.mat", bytes.substr(0, bytes.size() - 3));
  CHECK_THROWS_WITH_AS(read_mat_file(folder.path() / "cut.mat"), doctest::Contains("may have been cut off"),
                       InvalidInput);
}
