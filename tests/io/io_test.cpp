#include <doctest/doctest.h>

#include <fstream>

#include "slipset/core/error.hpp"
#include "slipset/io/csv.hpp"
#include "slipset/io/figure.hpp"
#include "slipset/io/files.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using slipset::test::TemporaryFolder;

TEST_CASE("write_file makes the folder, replaces whole files and leaves nothing beside them") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a" / "b.txt";
  write_file(path, "first, and longer");
  write_file(path, "second");
  CHECK(read_file(path) == "second");
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path.parent_path())) ++files;
  CHECK(files == 1);
  CHECK_THROWS_AS(write_file(path / "c.txt", "under a file"), InvalidInput);
  CHECK(read_file(path) == "second");
}

TEST_CASE("read_file tells folders and missing files from empty ones") {
  const TemporaryFolder folder;
  write_file(folder.path() / "empty", "");
  CHECK(read_file(folder.path() / "empty").empty());
  CHECK_THROWS_WITH_AS(read_file(folder.path()), doctest::Contains("this is a folder"), InvalidInput);
  CHECK_THROWS_WITH_AS(read_file(folder.path() / "none"), doctest::Contains("No such file"), InvalidInput);
}

TEST_CASE("number tables: separators, names, comments; wrong fields are told with their line") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "t.csv";
  for (const char* text : {"angle,radius\n0,1\n90,+2e0\n", "# c\n0;1\n90;2\n", "angle;radius\n0,0;1,0\n90;2,0\n",
                           "0 1\n90   2\n", "0\t1\r\n90\t2 # end\r\n"}) {
    write_file(path, text);
    const NumberTable table = read_number_table(path);
    REQUIRE(table.columns.size() == 2);
    CHECK(table.columns[0] == std::vector<double>{0, 90});
    CHECK(table.columns[1] == std::vector<double>{1, 2});
  }
  for (const auto& [text, message] : {std::pair{"0,1\n90,x\n", "t.csv:2: \"x\" in column 2 is not a finite number"},
                                      {"0,1\n90\n", "t.csv:2: 1 fields where 2 are expected"},
                                      {"0,nan\n", "is not a finite number"},
                                      {"# nothing\n", "no row of numbers"}}) {
    write_file(path, text);
    CHECK_THROWS_WITH_AS(read_number_table(path), doctest::Contains(message), InvalidInput);
  }
}

TEST_CASE("figures keep script and data beside the picture; a broken script leaves no half picture") {
  const TemporaryFolder folder;
  Figure figure("f", 200, 100);
  const std::string data = figure.add_data("line", {{0, 0}, {1, 2}, {}});
  figure.add("plot '" + data + "' with lines title " + gnuplot_string("it's"));
  const auto saved = figure.save(folder.path());
  CHECK(saved.problem == "");
  CHECK(std::filesystem::exists(folder.path() / "f.png"));
  CHECK(read_file(folder.path() / "f-line.dat") == "0 0\n1 2\n\n");
  CHECK(read_file(folder.path() / "f.png").substr(1, 3) == "PNG");

  Figure broken("g", 200, 100);
  broken.add("plot nonsense(");
  CHECK(broken.save(folder.path()).problem.find("gnuplot failed") == 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    CHECK(entry.path().extension() != ".part");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "g.png"));
}
