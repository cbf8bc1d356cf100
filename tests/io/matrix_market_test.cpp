#include "slipset/io/matrix_market.hpp"

#include <doctest/doctest.h>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

Eigen::MatrixXd read(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.path() / "m.mtx", text);
  return read_matrix_market(folder.path() / "m.mtx");
}

std::string message(const std::string& text) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "m.mtx";
  write_file(path, text);
  try {
    read_matrix_market(path);
  } catch (const InvalidInput& error) {
    return std::string(error.what()).substr(path.string().size());
  }
  return "no error";
}

}  // namespace

TEST_CASE("Matrix Market: every format and symmetry, comments, blank lines, upper case, CRLF") {
  Eigen::MatrixXd general(2, 3), symmetric(2, 2), skew(3, 3);
  general << 1, 0, -2.5, 0, 3, 0;
  symmetric << 4, -1, -1, 3;
  skew << 0, -1, -2, 1, 0, -3, 2, 3, 0;
  CHECK(read("%%MatrixMarket matrix coordinate real general\n% c\n\n2 3 3\n1 1 1\n% c\n2 2 +3e0\n1 3 -2.5\n") ==
        general);
  CHECK(read("%%MatrixMarket MATRIX Coordinate REAL General\r\n2 3 3\r\n1 3 -2.5\r\n1 1 1\r\n2 2 3\r\n\r\n") ==
        general);
  CHECK(read("%%MatrixMarket matrix array real general\n2 3\n1\n0\n0\n3\n-2.5\n0\n") == general);
  CHECK(read("%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n1 1 4\n2 1 -1\n2 2 3\n") == symmetric);
  CHECK(read("%%MatrixMarket matrix array real symmetric\n2 2\n4\n-1\n3") == symmetric);
  CHECK(read("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 3\n2 1 1\n3 1 2\n3 2 3\n") == skew);
  CHECK(read("%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n") == skew);
  CHECK(read("%%MatrixMarket matrix coordinate real general\n2 2 0\n") == Eigen::MatrixXd::Zero(2, 2));
}

TEST_CASE("Matrix Market: random matrices come back with the same bits") {
  Random random(31);
  for (int i = 0; i < 50; ++i) {
    const int rows = random.integer(1, 6), columns = random.integer(1, 6);
    Eigen::MatrixXd m(rows, columns);
    std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", rows, columns);
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < rows; ++k) {
        m(k, j) = random.log_uniform(1e-200, 1e200) * (random.coin() ? 1 : -1);
        text += fmt::format("{}\n", m(k, j));
      }
    CHECK(read(text) == m);
  }
}

TEST_CASE("Matrix Market: what is wrong is reported with its line") {
  const std::string real = "%%MatrixMarket matrix coordinate real general\n";
  const std::string lower = "%%MatrixMarket matrix coordinate real symmetric\n";
  const std::pair<std::string, const char*> rows[] = {
      {"",
       ":1: not a Matrix Market file: the first line must be like \"%%MatrixMarket matrix coordinate real general\""},
      {"1 2\n3 4\n",
       ":1: not a Matrix Market file: the first line must be like \"%%MatrixMarket matrix coordinate real general\""},
      {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
       ":1: found \"complex\"; expected real or integer"},
      {"%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n",
       ":1: found \"pattern\"; expected real or integer"},
      {"%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n",
       ":1: found \"hermitian\"; expected general or symmetric or skew-symmetric"},
      {"%%MatrixMarket vector coordinate real general\n1 1 1\n", ":1: found \"vector\"; expected matrix"},
      {real, ":2: found 0 numbers as sizes; expected three: rows, columns, entries"},
      {real + "2 2\n1 1 1\n", ":2: found 2 numbers as sizes; expected three: rows, columns, entries"},
      {real + "2 -2 1\n", ":2: found \"-2\" as number of columns; expected a whole number from 1 to 100000000"},
      {real + "2 2.5 1\n", ":2: found \"2.5\" as number of columns; expected a whole number from 1 to 100000000"},
      {real + "100000 100000 1\n1 1 1\n", ":2: 100000 x 100000 is more than 10^8 numbers"},
      {real + "2 2 5\n", ":2: found \"5\" as number of entries; expected a whole number from 1 to 4"},
      {real + "2 2 2\n1 1 1\n", ":4: the file ends after 1 of 2 entries"},
      {real + "2 2 1\n1 1 1\n2 2 1\n", ":4: more than the 1 entries declared in the size line"},
      {real + "2 2 1\n1 3 1\n", ":3: found \"3\" as column; expected a whole number from 1 to 2"},
      {real + "2 2 1\n0 1 1\n", ":3: found \"0\" as row; expected a whole number from 1 to 2"},
      {real + "2 2 1\n1 1\n", ":3: found 2 fields; expected three: row, column, value"},
      {real + "2 2 1\n1 1 x\n", ":3: found \"x\"; expected a finite number"},
      {real + "2 2 1\n1 1 nan\n", ":3: found \"nan\"; expected a finite number"},
      {real + "2 2 1\n1 1 1e999\n", ":3: found \"1e999\"; expected a finite number"},
      {real + "2 2 2\n1 1 1\n1 1 2\n", ":4: entry (1, 1) appears twice"},
      {"%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n", ":3: found 1.5 in a file of integers"},
      {lower + "2 3 1\n1 1 1\n", ":2: 2 x 3 is not square, so it can be neither symmetric nor skew-symmetric"},
      {lower + "2 2 1\n1 2 1\n",
       ":3: entry (1, 2) is above the diagonal; a symmetric file has the lower triangle only"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n",
       ":3: entry (1, 1) is not below the diagonal; a skew-symmetric file has only entries below the diagonal"},
      {"%%MatrixMarket matrix array real general\n2 1\n1 2\n", ":3: found 2 fields; expected one value"},
      {"%%MatrixMarket matrix array real general\n2 1\n1\n2\n3\n",
       ":5: more than the 2 entries declared in the size line"}};
  for (const auto& row : rows) {
    INFO(row.first);
    CHECK(message(row.first) == row.second);
  }
  CHECK_THROWS_WITH_AS(read_matrix_market("none.mtx"), doctest::Contains("No such file"), InvalidInput);
}
