// Unstructured grids as VTK XML files (.vtu), which ParaView, VTK and meshio read.              docs/formats.md
//   Numbers are stored whole, as base64: doubles are read back exactly.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/core/vec.hpp"

namespace slipset {

struct VtkCellType {
  std::string_view name;
  std::uint8_t number;  // of VTK
  std::size_t nodes;    // in VTK's order
};
inline constexpr std::array<VtkCellType, 8> kVtkCellTypes = {{{"vertex", 1, 1},
                                                              {"line", 3, 2},
                                                              {"triangle", 5, 3},
                                                              {"quad", 9, 4},
                                                              {"tetra", 10, 4},
                                                              {"pyramid", 14, 5},
                                                              {"wedge", 13, 6},
                                                              {"hexahedron", 12, 8}}};
// Null for other names.
const VtkCellType* find_vtk_cell_type(std::string_view name);

struct VtkGrid {
  std::vector<Vec3> points;
  std::vector<std::int64_t> connectivity;  // nodes of the cells, one cell after the other; from 0
  std::vector<std::int64_t> ends;          // of each cell, in `connectivity`
  std::vector<std::uint8_t> types;         // of each cell: VTK's number

  // As many nodes as the type has.
  void add_cell(const VtkCellType& type, std::span<const std::int64_t> nodes);
};

// Numbers at the points: `components` for each point in turn.
struct VtkPointData {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

// Throws InvalidInput where cells or data do not fit the points.
std::string vtk_text(const VtkGrid& grid, std::span<const VtkPointData> data = {});
// write_vtk(grid, data, "mode.vtu"). Throws InvalidInput, saying why, also if the file cannot be written.
void write_vtk(const VtkGrid& grid, std::span<const VtkPointData> data, const std::filesystem::path& path);

}  // namespace slipset
