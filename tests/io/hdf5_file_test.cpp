#include "slipset/io/hdf5_file.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;

namespace {

// Short, with values that compression and text would spoil; long enough for several chunks.
const std::vector<double> kShort{0, -0.0, 1e-310, 0.1, -1e300, std::numeric_limits<double>::infinity()};

std::vector<double> long_column() {
  std::vector<double> values(40000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1e-3 * static_cast<double>(i * i % 977);
  return values;
}

std::string example() {
  Hdf5Writer file;
  file.add_column("t", kShort);
  file.add_column("contact1/mode", long_column());
  file.add_column("contact1/deeper/slip", {});
  file.add_attribute("t", "unit", "s");
  file.add_attribute("/", "title", "Grüße\nin two lines");
  file.add_attribute("/", "empty", "");
  file.add_attribute("/", "scenario", std::string(200000, 'x'));
  file.add_attribute("/", "columns", std::vector<std::string>{"t", "contact1/mode"});
  file.add_attribute("/", "step", 0.1);
  return file.bytes();
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

TEST_CASE("HDF5: columns and attributes are read back with the same bits") {
  const test::TemporaryFolder folder;
  write_file(folder.path() / "a.h5", example());
  const Hdf5Reader file(folder.path() / "a.h5");
  CHECK(same_bits(file.column("t"), kShort));
  CHECK(same_bits(file.column("/contact1/mode"), long_column()));
  CHECK(file.column("contact1/deeper/slip").empty());
  CHECK(file.text("t", "unit") == "s");
  CHECK(file.text("/", "title") == "Grüße\nin two lines");
  CHECK(file.text("/", "empty") == "");
  CHECK(file.text("/", "scenario").size() == 200000);
  CHECK(file.texts("/", "columns") == std::vector<std::string>{"t", "contact1/mode"});
  CHECK(file.number("/", "step") == 0.1);
  CHECK(example().size() < 200000 + 40000 * sizeof(double) / 2);  // it is compressed
  CHECK_THROWS_WITH_AS(file.column("none"), doctest::Contains("a.h5: HDF5: none: "), InvalidInput);
  CHECK_THROWS_AS(file.column("contact1"), InvalidInput);
  CHECK_THROWS_AS(file.text("t", "none"), InvalidInput);
}

TEST_CASE("HDF5: tables, strings and ranges are read back with the same bits, from and to every second number") {
  const std::vector<double> first{0.1, -0.0, 1e-310}, second{1, std::numeric_limits<double>::quiet_NaN(), -1e300};
  const std::vector<double> apart{7, 0, 8, 0, 9};  // every second one
  Hdf5Writer file;
  file.add_table("group/table", 3, {{first.data()}, {second.data()}, {apart.data(), 2}});
  file.add_table("no_rows", 3, {});
  file.add_table("no_columns", 0, {{first.data()}, {second.data()}});
  file.add_texts("names", {"a", "Grüße, zwei", ""});
  file.add_texts("no_names", {});
  file.add_attribute("/", "range", std::vector<double>{-1.5, 0.1});
  const test::TemporaryFolder folder;
  write_file(folder.path() / "a.h5", file.bytes());
  const Hdf5Reader read(folder.path() / "a.h5");
  CHECK(read.table_size("group/table").rows == 3);
  CHECK(read.table_size("group/table").columns == 3);
  std::vector<double> one(3), two(6, 5.0), three(3);
  read.read_table("group/table", 3, {{one.data()}, {two.data() + 1, 2}, {three.data()}});
  CHECK(same_bits(one, first));
  CHECK(same_bits(two, {5, second[0], 5, second[1], 5, second[2]}));
  CHECK(same_bits(three, {7, 8, 9}));
  CHECK(read.table_size("no_rows").columns == 3);
  read.read_table("no_rows", 3, {});
  CHECK(read.table_size("no_columns").rows == 2);
  CHECK(read.text_column("names") == std::vector<std::string>{"a", "Grüße, zwei", ""});
  CHECK(read.text_column("no_names").empty());
  CHECK(read.numbers("/", "range") == std::vector<double>{-1.5, 0.1});
  CHECK(read.has_attribute("/", "range"));
  CHECK(!read.has_attribute("/", "none"));
  CHECK_THROWS_WITH_AS(read.number("/", "range"), doctest::Contains("2 numbers where one is expected"), InvalidInput);
  CHECK_THROWS_WITH_AS(read.read_table("group/table", 2, {{one.data()}}),
                       doctest::Contains("a.h5: HDF5: group/table: 3 x 3 numbers where 1 x 2 are expected"),
                       InvalidInput);
  CHECK_THROWS_WITH_AS(read.column("group/table"), doctest::Contains("not a column"), InvalidInput);
  CHECK_THROWS_WITH_AS(read.table_size("names"), doctest::Contains("not a table"), InvalidInput);
  CHECK_THROWS_AS(file.add_table("names", 3, {}), InvalidInput);
}

TEST_CASE("HDF5: a column of more than a million numbers is not damage") {
  const test::TemporaryFolder folder;
  Hdf5Writer file;
  std::vector<double> values(1100000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  file.add_column("t", values);
  write_file(folder.path() / "a.h5", file.bytes());
  CHECK(Hdf5Reader(folder.path() / "a.h5").column("t") == values);
}

TEST_CASE("HDF5: the same content gives the same bytes, at another time, too") {
  const std::string first = example();
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // times are kept in seconds
  CHECK((example() == first));
}

TEST_CASE("HDF5: names that are taken, damaged and other files are refused") {
  Hdf5Writer file;
  file.add_column("a", kShort);
  CHECK_THROWS_AS(file.add_column("a", kShort), InvalidInput);
  CHECK_THROWS_AS(file.add_column("", kShort), InvalidInput);
  CHECK_THROWS_AS(file.add_column("a/b", kShort), InvalidInput);
  CHECK_THROWS_AS(file.add_attribute("b", "unit", "m"), InvalidInput);
  const test::TemporaryFolder folder;
  for (const std::string& content : {std::string(), std::string("t,x\n0,1\n"), example().substr(0, 3000)}) {
    write_file(folder.path() / "b.h5", content);
    CHECK_THROWS_WITH_AS(Hdf5Reader(folder.path() / "b.h5"), doctest::Contains("b.h5: HDF5: not an HDF5 file"),
                         InvalidInput);
  }
}
