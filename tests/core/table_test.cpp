#include "slipset/core/table.hpp"

#include <doctest/doctest.h>

#include "slipset/core/error.hpp"

using namespace slipset;

TEST_CASE("a table: rows in, columns and rows out") {
  Table table({"t", "x", "y"});
  CHECK(table.size() == 0);
  table.add_row({0, 1, 2});
  table.add_row(std::vector<double>{0.5, 3, 4});
  CHECK(table.size() == 2);
  CHECK(table["x"] == std::vector<double>{1, 3});
  CHECK(table[2] == std::vector<double>{2, 4});
  CHECK(table.column("y") == 2);
  CHECK(table.rows()[1][0] == 0.5);
  CHECK(table.rows().back().numbers() == std::vector<double>{0.5, 3, 4});
  double sum = 0;
  for (const Table::Row row : table.rows())
    for (const double x : row) sum += x;
  CHECK(sum == 10.5);
  CHECK(table.rows().numbers() == std::vector<std::vector<double>>{{0, 1, 2}, {0.5, 3, 4}});
  table.at(0, 1) = 7;
  table.add_column("z", {8, 9});
  CHECK(table.rows().front().numbers() == std::vector<double>{0, 7, 2, 8});
  CHECK(table.has("z"));
  CHECK_FALSE(table.has("w"));
  CHECK_THROWS_WITH_AS(table.column("w"), doctest::Contains("there are: t, x, y, z"), InvalidInput);
  CHECK_THROWS_AS(table.add_row({1, 2}), InvalidInput);
  CHECK_THROWS_AS(table.add_column("w", {1}), InvalidInput);
  table.clear();
  CHECK(table.size() == 0);
  CHECK(table.names().size() == 4);
}
