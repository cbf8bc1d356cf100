// Grids in VTK's XML: every number is read back exactly, and what does not fit is refused.
#include "slipset/io/vtk_file.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/vtk_reader.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

VtkGrid all_cells() {
  VtkGrid grid;
  for (int i = 0; i < 9; ++i) grid.points.emplace_back(i, 0.1 * i, -1.0 / (i + 3));
  for (const VtkCellType& type : kVtkCellTypes) {
    std::vector<std::int64_t> nodes(type.nodes);
    std::iota(nodes.begin(), nodes.end(), 1);
    grid.add_cell(type, nodes);
  }
  return grid;
}

}  // namespace

TEST_CASE("a grid of every cell type is read back exactly") {
  const VtkGrid grid = all_cells();
  std::vector<double> vectors(27), lengths(9);
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = std::sqrt(static_cast<double>(i)) - 2;
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = 1e-300 / static_cast<double>(i + 1);
  const std::vector<VtkPointData> data = {{"real", 3, vectors}, {"amplitude", 1, lengths}};
  const TemporaryFolder folder;
  write_vtk(grid, data, folder.path() / "g.vtu");
  const VtkRead read = read_vtk(read_file(folder.path() / "g.vtu"));
  CHECK(read.points == 9);
  CHECK(read.cells == 8);
  std::vector<double> places;
  for (const Vec3& point : grid.points) places.insert(places.end(), point.begin(), point.end());
  CHECK(read.arrays.at("Points") == places);
  CHECK(read.arrays.at("real") == vectors);
  CHECK(read.arrays.at("amplitude") == lengths);
  CHECK(read.arrays.at("offsets") == std::vector<double>{1, 3, 6, 10, 14, 19, 25, 33});
  // vtkCellType.h
  CHECK(read.arrays.at("types") == std::vector<double>{1, 3, 5, 9, 10, 14, 13, 12});
  CHECK(read.arrays.at("connectivity").size() == 33);
  CHECK(read.arrays.at("connectivity")[32] == 8);
  CHECK(read.types.at("types") == "UInt8");
}

TEST_CASE("base64: arrays of 9, 10 and 11 bytes end with 0, 2 and 1 '='") {
  // Types of 1, 2 and 3 cells, a byte each, after the length in eight bytes.
  VtkGrid grid;
  grid.points.emplace_back(0, 0, 0);
  const std::array<std::int64_t, 1> node = {0};
  for (const char* expected : {">AQAAAAAAAAAB<", ">AgAAAAAAAAABAQ==<", ">AwAAAAAAAAABAQE=<"}) {
    grid.add_cell(kVtkCellTypes[0], node);
    CHECK(vtk_text(grid).find(expected) != std::string::npos);
  }
}

TEST_CASE("names are escaped; an empty grid is a grid") {
  VtkGrid grid;
  CHECK(read_vtk(vtk_text(grid)).arrays.at("Points").empty());
  const std::vector<VtkPointData> data = {{"a<b & \"c\"", 1, {}}};
  CHECK(vtk_text(grid, data).find("Name=\"a&lt;b &amp; &quot;c&quot;\"") != std::string::npos);
}

TEST_CASE("grids and data that do not fit are refused") {
  VtkGrid grid = all_cells();
  const std::array<std::int64_t, 3> three = {0, 1, 2};
  CHECK_THROWS_WITH_AS(grid.add_cell(*find_vtk_cell_type("quad"), three), "a quad has 4 nodes; found 3", InvalidInput);
  CHECK(find_vtk_cell_type("Quad") == nullptr);
  const std::vector<VtkPointData> data = {{"real", 3, std::vector<double>(9)}};
  CHECK_THROWS_WITH_AS(vtk_text(grid, data), doctest::Contains("real has 9 numbers; expected 3 for each of 9"),
                       InvalidInput);
  grid.connectivity[3] = 9;
  CHECK_THROWS_WITH_AS(vtk_text(grid), doctest::Contains("the node 9; there are 9, from 0"), InvalidInput);
  grid.connectivity.pop_back();
  grid.connectivity[3] = 0;
  CHECK_THROWS_WITH_AS(vtk_text(grid), doctest::Contains("do not fit each other"), InvalidInput);
}
