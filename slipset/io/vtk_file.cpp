#include "slipset/io/vtk_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"

namespace slipset {
namespace {

// Three bytes are four characters of six bits; at the end of the text '=' stands for what is missing.
std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

// The length in bytes comes first, in one base64 text with the numbers.
template <class Number>
std::string data_array(std::string_view type, std::string_view name, int components,
                       const std::vector<Number>& numbers) {
  const std::uint64_t size = numbers.size() * sizeof(Number);
  std::string bytes(sizeof size + size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, numbers.data(), size);
  return fmt::format(
      "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n", type,
      escaped(name), components, base64(bytes));
}

void require_fitting(const VtkGrid& grid, std::span<const VtkPointData> data) {
  const auto points = static_cast<std::int64_t>(grid.points.size());
  for (const std::int64_t node : grid.connectivity)
    if (node < 0 || node >= points)
      throw InvalidInput(fmt::format("a cell has the node {}; there are {}, from 0", node, points));
  if (grid.ends.size() != grid.types.size() || !std::is_sorted(grid.ends.begin(), grid.ends.end()) ||
      (grid.ends.empty() ? 0 : grid.ends.back()) != static_cast<std::int64_t>(grid.connectivity.size()))
    throw InvalidInput(
        fmt::format("{} types and {} ends of cells with {} nodes do not fit each other; use VtkGrid::add_cell",
                    grid.types.size(), grid.ends.size(), grid.connectivity.size()));
  for (const VtkPointData& field : data)
    if (field.components < 1 || field.values.size() != grid.points.size() * static_cast<std::size_t>(field.components))
      throw InvalidInput(fmt::format("the data {} has {} numbers; expected {} for each of {} points", field.name,
                                     field.values.size(), field.components, points));
}

}  // namespace

const VtkCellType* find_vtk_cell_type(std::string_view name) {
  const auto* const found = std::find_if(kVtkCellTypes.begin(), kVtkCellTypes.end(),
                                         [&](const VtkCellType& type) { return type.name == name; });
  return found == kVtkCellTypes.end() ? nullptr : found;
}

void VtkGrid::add_cell(const VtkCellType& type, std::span<const std::int64_t> nodes) {
  if (nodes.size() != type.nodes)
    throw InvalidInput(fmt::format("a {} has {} nodes; found {}", type.name, type.nodes, nodes.size()));
  connectivity.insert(connectivity.end(), nodes.begin(), nodes.end());
  ends.push_back(static_cast<std::int64_t>(connectivity.size()));
  types.push_back(type.number);
}

std::string vtk_text(const VtkGrid& grid, std::span<const VtkPointData> data) {
  require_fitting(grid, data);
  std::vector<double> places;
  places.reserve(3 * grid.points.size());
  for (const Vec3& point : grid.points) places.insert(places.end(), point.begin(), point.end());
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
      "  <UnstructuredGrid>\n    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n      <Points>\n",
      std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", grid.points.size(), grid.types.size());
  text += data_array("Float64", "Points", 3, places);
  text += "      </Points>\n      <Cells>\n";
  text += data_array("Int64", "connectivity", 1, grid.connectivity);
  text += data_array("Int64", "offsets", 1, grid.ends);
  text += data_array("UInt8", "types", 1, grid.types);
  text += "      </Cells>\n      <PointData>\n";
  for (const VtkPointData& field : data) text += data_array("Float64", field.name, field.components, field.values);
  return text + "      </PointData>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n";
}

void write_vtk(const VtkGrid& grid, std::span<const VtkPointData> data, const std::filesystem::path& path) {
  write_file(path, vtk_text(grid, data));
}

}  // namespace slipset
