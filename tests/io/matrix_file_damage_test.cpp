// Matrix files that are damaged, cut off, too large or none: refused with file and place, never a crash.
#include <doctest/doctest.h>

#include <fstream>

#include "slipset/io/files.hpp"
#include "slipset/io/matrix_file.hpp"
#include "tests/io/matrix_writers.hpp"
#include "tests/support/refused.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// What is said of a file, without its folder; "read" if nothing is.
std::string message(const std::string& name, const std::string& content, const std::string& matrix = "") {
  const TemporaryFolder folder;
  const auto path = folder.path() / name;
  write_file(path, content);
  try {
    read_matrix_file(path, matrix);
  } catch (const InvalidInput& error) {
    const std::string what = error.what(), before = folder.path().string() + "/";
    return what.starts_with(before) ? what.substr(before.size()) : "without its file: " + what;
  }
  return "read";
}

// As a new file: some file systems write a disk's cache out when an old one is replaced, which takes milliseconds.
void overwrite(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << content;
}

struct Damaged {
  std::string name, content, says;
};

void require_messages(const std::vector<Damaged>& table) {
  for (const Damaged& row : table) {
    CAPTURE(row.content);
    CHECK_MESSAGE(message(row.name, row.content).find(row.says) != std::string::npos, message(row.name, row.content),
                  "  expected  ", row.says);
  }
}

struct Sample {
  std::string name, content;
  bool counts;  // the file says how many entries it has
};

std::vector<Sample> samples() {
  Random random(5);
  const Entries general = random_entries(random, 4, 4), lower = random_entries(random, 4, 4, Part::lower),
                brief = random_entries(random, 4, 4, Part::all, true);
  const std::vector<DofLabel> labels = {{3, 1}, {3, 2}, {80, 1}, {81, 6}};
  MatWriter mat;
  mat.sparse("K", general);
  const Eigen::MatrixXd dense = general.dense();
  return {{"a.mtx", matrix_market(general, "general"), true},
          {"b.mtx", matrix_market(lower, "symmetric"), true},
          {"c.mtx", abaqus_coordinate(lower), false},
          {"d.mtx", abaqus_matrix_input(general, labels), false},
          {"e.inp", "*MATRIX INPUT, NAME=K\n" + abaqus_matrix_input(lower, labels), false},
          {"f.pch", dmig("KAAX", 1, brief, labels, labels, DmigFields::small), false},
          {"g.pch", dmig("KAAX", 6, random_entries(random, 4, 4, Part::lower, true), labels, labels, DmigFields::large),
           false},
          {"h.pch", dmig("KAAX", 1, general, labels, labels, DmigFields::free), false},
          {"i.op4", op4_text("K", dense, 1, 2, Op4Columns::dense), true},
          {"j.op4", op4_text("K", dense, 1, 2, Op4Columns::strings), true},
          {"k.op4", op4_text("K", dense, 1, 1, Op4Columns::big_strings), true},
          {"l.op4", op4_binary("K", dense, 1, 2, Op4Columns::dense, false, 4), true},
          {"m.op4", op4_binary("K", dense, 1, 1, Op4Columns::strings, true, 4), true},
          {"n.op4", op4_binary("K", dense, 1, 2, Op4Columns::big_strings, false, 8), true},
          {"o.rua", harwell_boeing("RUA", general), true},
          {"p.rsa", harwell_boeing("RSA", lower), true},
          {"q.mat", mat.text(), true}};
}

}  // namespace

TEST_CASE("a file that is cut off anywhere is not taken for the whole matrix") {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    const TemporaryFolder folder;
    const auto path = folder.path() / sample.name;
    write_file(path, sample.content);
    const MatrixFile whole = read_matrix_file(path);
    int accepted = 0;
    for (std::size_t length = 0; length < sample.content.size(); ++length) {
      CAPTURE(length);
      overwrite(path, sample.content.substr(0, length));
      try {
        const MatrixFile part = read_matrix_file(path);
        ++accepted;
        // Formats without a count: a whole number of lines is a smaller matrix. No number is cut.
        CHECK_FALSE(sample.counts);
        CHECK(sample.content[length - 1] == '\n');
        const bool same = part.rows == whole.rows && part.matrix.rows() == whole.matrix.rows() &&
                          part.matrix.cols() == whole.matrix.cols() && (part.matrix - whole.matrix).norm() == 0;
        CHECK_FALSE(same);
      } catch (const InvalidInput& error) {
        CHECK(std::string(error.what()).starts_with(path.string()));
      }
    }
    CHECK((accepted > 0) == !sample.counts);
  }
}

TEST_CASE("one byte changed: read or refused, with the file's name") {
  Random random(6);
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    const TemporaryFolder folder;
    const auto path = folder.path() / sample.name;
    int refused = 0;
    const int repeats = sample.name == "q.mat" ? 200 : 500;
    for (int k = 0; k < repeats; ++k) {
      std::string bad = sample.content;
      const auto at = static_cast<std::size_t>(random.integer(0, static_cast<int>(bad.size()) - 1));
      bad[at] = static_cast<char>(k % 2 == 0 ? bad[at] ^ (1 << random.integer(0, 7)) : random.integer(0, 255));
      overwrite(path, bad);
      try {
        const MatrixFile file = read_matrix_file(path);
        CHECK(file.matrix.coeffs().allFinite());
      } catch (const InvalidInput& error) {
        ++refused;
        CHECK(std::string(error.what()).starts_with(path.string()));
      }
    }
    CHECK(refused > repeats / 10);
  }
}

TEST_CASE("random bytes behind each format's first line are refused") {
  Random random(7);
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    for (int k = 0; k < (sample.name == "q.mat" ? 10 : 50); ++k) {
      std::string bad = sample.content.substr(0, sample.content.find('\n') + 1);
      if (bad.empty()) bad = sample.content.substr(0, sample.name == "q.mat" ? 128 : 32);
      for (int n = 0; n < 300; ++n) bad += static_cast<char>(random.integer(0, 255));
      CHECK(message(sample.name, bad).starts_with(sample.name));
    }
  }
}

TEST_CASE("folders, devices, empty and foreign files") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(read_matrix_file(folder.path()), doctest::Contains("this is a folder"), InvalidInput);
  CHECK_THROWS_WITH_AS(read_matrix_file(folder.path() / "none.mtx"), doctest::Contains("No such file"), InvalidInput);
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/urandom"})
    CHECK_THROWS_WITH_AS(read_matrix_file(device), doctest::Contains("this is a device"), InvalidInput);
  const std::string zeros(3 << 20, '\0'), line(3 << 20, '1');
  require_messages(
      {{"e.mtx", "", "the file is empty"},
       {"z.mtx", zeros, "not a matrix file that is read"},
       {"z.mtx", "%%MatrixMarket" + zeros, ":1: a byte is zero"},
       {"l.mtx", "1 1 " + line, ":1: a line of more than 1 MiB"},
       {"t.csv", "1,2,0.3\n2,3,0.4\n", "not a matrix file that is read: it begins with \"1,2,0.3\"; expected"},
       {"t.gz", "\x1f\x8b\x08 compressed", "this file is compressed; unpack it"},
       {"t.mat", "short", "too short for a MATLAB file"},
       {"t.mat", std::string(500, 'x'), "not a MATLAB file"}});
  CHECK(message("m.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", "K") ==
        "m.mtx: a Matrix Market file has one matrix, without a name; leave out \"K\"");
}

TEST_CASE("Matrix Market, sparse: what is wrong is reported with its line") {
  const std::string real = "%%MatrixMarket matrix coordinate real general\n", huge = "1000000000000000000";
  require_messages(
      {{"m.mtx", "% only a comment\n", ":1: not a Matrix Market file"},
       {"m.mtx", "%%MatrixMarket matrix coordinate complex general\n",
        ":1: found \"complex\"; expected real or integer"},
       {"m.mtx", "%%MatrixMarket matrix coordinate pattern general\n",
        ":1: found \"pattern\"; expected real or integer"},
       {"m.mtx", real + huge + " 2 1\n", ":2: found \"" + huge + "\" as number of rows"},
       {"m.mtx", real + "100000000 100000000 " + huge + "\n", ":2: found \"" + huge + "\" as number of entries"},
       {"m.mtx", real + "100000000 100000000 2\n5 5 1\n5 5 1\n", ":4: entry (5, 5) appears twice"},
       {"m.mtx", real + "3 3 3\n3 1 1\n1 2 1\n3 1 7\n", ":5: entry (3, 1) appears twice"},
       {"m.mtx", real + "2 2 2\n1 1 1\n", ":4: the file ends after 1 of 2 entries"},
       {"m.mtx", real + "2 2 1\n1 1 1\n2 2 1\n", ":4: more than the 1 entries"},
       {"m.mtx", real + "2 2 1\n1 1 inf\n", ":3: found \"inf\"; expected a finite number"},
       {"m.mtx", real + "2 2 1\n1 1 1", ":3: the last line has no end"}});
}

TEST_CASE("Abaqus: what is wrong is reported with its line") {
  const std::string key = "*MATRIX INPUT, NAME=K\n";
  require_messages(
      {{"k.mtx", "1 1 2.\n1 2\n", ":2: found 2 fields; expected three: row, column, value"},
       {"k.mtx", "1 1\n", ":1: found 2 fields; expected five"},
       {"k.mtx", "1,1,1,1,2.\n1,1,2.\n", ":2: found 3 fields; expected five"},
       {"k.mtx", "1 1 2.\n0 1 2.\n", ":2: found \"0\" as row; expected a whole number from 1 to 100000000"},
       {"k.mtx", "1 1 2.\n1 1000000000000000000 2.\n", ":2: found \"1000000000000000000\" as column"},
       {"k.mtx", "1 1 2.\n2 1 nan\n", ":2: found \"nan\"; expected a finite number"},
       {"k.mtx", "1 1 2.\n2 2 1\n1 1 3.\n", ":3: entry (1, 1) appears twice"},
       {"k.mtx", "7,1,8,1,2.\n3,1,3,1,1\n7,1,8,1,2.\n", ":3: entry (node 7, dof 1; node 8, dof 1) appears twice"},
       {"k.mtx", "1,1,0,1,2.\n", ":1: found \"0\"; expected the label of a node"},
       {"k.mtx", "1,x,1,1,2.\n", ":1: found \"x\"; expected a degree of freedom"},
       {"k.mtx", "1,,1,1,2.\n", ":1: found \"\"; expected a degree of freedom"},
       {"k.mtx", "1 1 2.\n*MATRIX INPUT, NAME=K\n", ":2: found \"*MATRIX INPUT, NAME=K\" below entries"},
       {"k.inp", "*NODE\n1, 0., 0., 0.\n", ":1: found \"*NODE\"; expected *MATRIX INPUT"},
       {"k.inp", "*MATRIX, TYPE=STIFFNESS\n1.,\n", ":1: found \"*MATRIX, TYPE=STIFFNESS\"; expected *MATRIX INPUT"},
       {"k.inp", "*MATRIX INPUT\n1,1,1,1,2.\n", ":1: *MATRIX INPUT without NAME="},
       {"k.inp", "*MATRIX INPUT, NAME=K, TYPE=OTHER\n", ":1: found \"TYPE=OTHER\"; expected NAME="},
       {"k.inp", "*MATRIX INPUT, NAME=K, SCALE FACTOR=0\n", ":1: found \"SCALEFACTOR=0\""},
       {"k.inp", "*MATRIX INPUT, NAME=K, INPUT=other.mtx\n", ":1: the entries are in another file"},
       {"k.inp", key, ":2: the file ends before the first entry"},
       {"k.inp", key + "1,1,2,1,5.\n2,1,1,1,6.\n",
        ":4: the matrix is declared symmetric, but its entries between node 2, dof 1 and node 1, dof 1 differ"},
       {"k.inp", "*MATRIX ASSEMBLE\n1,1,1,1,2.\n", ":2: found \"1,1,1,1,2.\"; expected *MATRIX INPUT"},
       {"k.inp", "*MATRIX INPUT, NAME=K, SCALE FACTOR=1e300\n1,1,1,1,1e300\n", ":2: times the scale factor"}});
}

TEST_CASE("DMIG: what is wrong is reported with its line") {
  const std::string head = "DMIG    K       0       1       2       0\n";
  const auto card = [](const char* g, const char* c, const char* value) {
    return fmt::format("DMIG    K       5       1               {:<8}{:<8}{:<8}\n", g, c, value);
  };
  require_messages(
      {{"k.pch", "$ nothing\n", "no matrix in it"},
       {"k.pch", head, ":2: the file ends before the first column of K"},
       {"k.pch", card("1", "1", "1."), ":1: a column of matrix \"K\" before its header"},
       {"k.pch", head + head, ":2: a second header of matrix \"K\""},
       {"k.pch", "DMIG    K       0       6       3       0\n", ":1: matrix \"K\" is complex (TIN 3)"},
       {"k.pch", "DMIG    K       0       7       2       0\n", ":1: matrix \"K\" has form 7; expected 1"},
       {"k.pch", "DMIG    K       0       9       2       0\n", ":1: a matrix of form 9 without NCOL"},
       {"k.pch", "DMIG    K       0       x       2       0\n", ":1: found \"x\" as IFO"},
       {"k.pch", head + card("1", "7", "1."), ":2: found \"7\" as component; expected a whole number from 0 to 6"},
       {"k.pch", head + card("-1", "1", "1."), ":2: found \"-1\" as point"},
       {"k.pch", head + card("", "1", "1."), ":2: found \"\" as point"},
       {"k.pch", head + card("1", "1", ""), ":2: found \"\"; expected a finite number"},
       {"k.pch", head + card("1", "1", "1.x"), ":2: found \"1.x\"; expected a finite number"},
       {"k.pch", head + card("1", "1", "1.D999"), ":2: found \"1.D999\"; expected a finite number"},
       {"k.pch", head + card("1", "1", "1.") + card("2", "1", "1.") + card("1", "1", "1."),
        ":4: entry (node 1, dof 1; node 5, dof 1) appears twice"},
       {"k.pch", head + "DMIG    K       5       1               1       1       1.      2.\n",
        ":2: found \"2.\" as the imaginary part"},
       {"k.pch", head + "DMIG*   K               5               1\n" + card("1", "1", "1."),
        ":2: column (node 5, dof 1) has no entry"},
       {"k.pch", "DMIG    K       0       6       2       0\n" + card("1", "1", "1.") + "DMIG,K,1,1,,5,1,1.\n",
        "between node 5, dof 1 and node 1, dof 1 is given on both sides"},
       {"k.pch", head + "DMIK    K       5       1\n", ":2: found the entry \"DMIK\"; expected DMIG"},
       {"k.pch", head + "DMIG,K,5,1,,1,1,1.,,,9\n", ":2: found \",9\" behind the last field"},
       {"k.pch", head + "DMIG\tK\t5\n", ":2: a tab"},
       {"k.pch", "$\n        5       1\n", ":2: found \"        5       1\"; a continuation cannot come first"},
       {"k.pch", head + "DMIG,K,1000000000000000000,1,,1,1,1.\n", ":2: found \"1000000000000000000\" as point"}});
}

TEST_CASE("OP4: what is wrong is reported with its line or byte") {
  const std::string end = "       3       1       1\n  1.0000000000000000E+00\n";
  const auto text = [&](const char* head, const std::string& rest) {
    return fmt::format("       2       2{:>8}K       1P,3E24.16\n", head) + rest;
  };
  const std::string head = "       1       2", number = "  1.0000000000000000E+00";
  require_messages(
      {{"k.op4", text(head.c_str(), ""), ":2: the file ends within matrix K"},
       {"k.op4", text("       1       3", ""), ":1: matrix K is complex (type 3)"},
       {"k.op4", text("       1       7", ""), ":1: matrix K has type 7"},
       {"k.op4", text("       4       2", ""), ":1: matrix K has form 4"},
       {"k.op4", "       2       3       1       2K       1P,3E24.16\n", ":1: matrix K of form 1 is 3 x 2: not square"},
       {"k.op4", "       2-9999999       2       2K       1P,3I24\n", ":1: found \"1P,3I24\"; expected the format"},
       {"k.op4", text(head.c_str(), "       1       2       2\n" + number + number + "\n" + end),
        ":2: found 2 numbers from row 2 on in column 1; expected them within rows 1 to 2"},
       {"k.op4", text(head.c_str(), "       2       1       1\n" + number + "\n       1       1       1\n"),
        ":4: found column 1 after column 2"},
       {"k.op4", text(head.c_str(), "       1       1       1\n  1.0000000000000000E+99x\n"), ":3: found"},
       {"k.op4", text(head.c_str(), "       1       1       1\n                     NaN\n"), ":3: found"},
       {"k.op4", text(head.c_str(), "       1       1       1\n" + number + number + "\n"),
        ":3: found \"" + number + "\" behind the last number"},
       {"k.op4", text(head.c_str(), "       1       0       2\n  196609\n"), ":3: found a string of 2 words"},
       {"k.op4", text(head.c_str(), end + "\nmore\n"), ":5: found a matrix below an empty line"},
       {"k.op4", text(head.c_str(), end + "more\n"), ":4: found \"more\" as the number of columns"}});
  const std::string good = op4_binary("K", Eigen::MatrixXd::Identity(2, 2), 6, 2, Op4Columns::dense, false, 4);
  CHECK(message("k.op4", good) == "read");
  const auto changed = [&](std::size_t at, char to) {
    std::string bad = good;
    bad[at] = to;
    return message("k.op4", bad);
  };
  CHECK(changed(28, 25).find("byte 33: a record of 24 bytes ends with the count 25") != std::string::npos);
  CHECK(changed(16, 3).find("byte 29: matrix K is complex") != std::string::npos);
  CHECK(changed(7, 127).find("rows and columns") != std::string::npos);
  CHECK(message("k.op4", good + "x").find("ends here") != std::string::npos);
  Eigen::MatrixXd triangle = Eigen::MatrixXd::Identity(2, 2);
  triangle(1, 0) = 3;
  CHECK(message("k.op4", op4_text("K", triangle, 6, 2, Op4Columns::dense)).find("has one triangle only") !=
        std::string::npos);
}

TEST_CASE("Harwell-Boeing: what is wrong is reported with its line") {
  const auto file = [](const char* type, const char* pointers, const char* rows, const char* values,
                       const char* format = "(1P,3E12.4)", const char* count = "3", int lines = 3) {
    return fmt::format(
        "{:<72}{:<8}\n{:14}{:14}{:14}{:14}\n{:<14}{:14}{:14}{:>14}{:14}\n{:<16}{:<16}{:<20}\n{}\n{}\n{}\n", "title",
        "KEY", lines, 1, 1, 1, type, 2, 2, count, 0, "(10I4)", "(10I4)", format, pointers, rows, values);
  };
  const char *p = "   1   3   4", *r = "   1   2   2", *v = "  1.0000E+00  2.0000E+00  3.0000E+00";
  CHECK(message("k.rua", file("RUA", p, r, v)) == "read");
  require_messages(
      {{"k.rua", file("PUA", p, r, v), ":3: found the type \"PUA\": a pattern without numbers"},
       {"k.rua", file("CUA", p, r, v), ":3: found the type \"CUA\": a complex matrix"},
       {"k.rua", file("RHA", p, r, v), ":3: found the type \"RHA\": expected RUA"},
       {"k.rua", file("RUE", p, r, v), ":3: found the type \"RUE\": a matrix of single elements"},
       {"k.rua", file("RUA", p, r, v, "(1P,3E12.4)", "3", 4), ":2: 4 lines, but 1 + 1 + 1 + 0 in parts"},
       {"k.rua", file("RUA", p, r, v, "(1P,3E12.4)", "1000000000000"),
        ":3: found \"1000000000000\" as the number of entries"},
       {"k.rua", file("RUA", p, r, v, "(3A12)"), ":4: found \"(3A12)\" as a format"},
       {"k.rua", file("RUA", p, r, v, "(1P,2E12.4)"), "3 numbers in 1 lines of 2"},
       {"k.rua", file("RUA", "   2   3   4", r, v), ":5: found \"2\" as a column's beginning"},
       {"k.rua", file("RUA", "   1   3   3", r, v), ":5: found \"3\" as a column's beginning"},
       {"k.rua", file("RUA", "   1   5   4", r, v), ":5: found \"5\" as a column's beginning"},
       {"k.rua", file("RUA", p, "   1   3   2", v), ":6: found \"3\" as a row; expected a whole number from 1 to 2"},
       {"k.rua", file("RUA", p, "   1   1   2", v), ":6: entry (1, 1) appears twice"},
       {"k.rsa", file("RSA", p, "   1   2   1", v), ":6: found \"1\" as a row of the lower triangle"},
       {"k.rza", file("RZA", p, "   1   2   2", v), ":6: found \"1\" as a row of the lower triangle"},
       {"k.rua", file("RUA", p, r, "  1.0000E+00         NaN  3.0000E+00"),
        ":7: found \"NaN\"; expected a finite number"},
       {"k.rua", file("RUA", p, r, "  1.0000E+00      2.0000  3.0000E+00"), ":7: found \"2.0000\""},
       {"k.rua", file("RUA", p, r, "  1.0000E+00  2.0000E+00"), ":7: the line ends before a value"},
       {"k.rua", file("RUA", p, r, v) + "more\n", ":8: found \"more\" below the matrix"}});
}
