#include "slipset/scenario/structure_mesh.hpp"

#include <algorithm>
#include <cmath>

#include "slipset/core/internal/names.hpp"
#include "slipset/scenario/internal/named_table.hpp"

namespace slipset {
namespace {

constexpr std::array<std::string_view, 3> kPlaces = {"x", "y", "z"}, kAdded = {"ux2", "uy2", "uz2"};
constexpr std::array<std::string_view, 6> kNodeColumns = {"x", "y", "z", "ux", "uy", "uz"};
constexpr std::array<std::string_view, 6> kUnknowns = {"ux", "uy", "uz", "ux2", "uy2", "uz2"};
constexpr std::array<std::string_view, 1> kType = {"type"};
constexpr std::array<std::string_view, 8> kCellNodes = {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"};

bool is_number_below(double value, std::size_t count) {
  return value == std::floor(value) && value >= 0 && value < static_cast<double>(count);
}

std::array<Eigen::Index, 6> unknowns_of(const std::array<const std::vector<double>*, 6>& columns, std::size_t row,
                                        Eigen::Index dofs) {
  std::array<Eigen::Index, 6> numbers;
  numbers.fill(-1);
  for (std::size_t k = 0; k < 6; ++k) {
    if (columns[k] == nullptr || std::isnan((*columns[k])[row])) continue;
    const double value = (*columns[k])[row];
    if (!is_number_below(value, static_cast<std::size_t>(dofs)))
      throw InvalidInput(fmt::format(
          "{} is {}; expected the number of an unknown, 0 to {}, or nothing where the displacement is fixed",
          kUnknowns[k], value, dofs - 1));
    numbers[k] = static_cast<Eigen::Index>(value);
    for (std::size_t other = 0; other < k; ++other)
      if (numbers[other] == numbers[k])
        throw InvalidInput(
            fmt::format("{} and {} are both {}; give each its own", kUnknowns[other], kUnknowns[k], numbers[k]));
  }
  return numbers;
}

const VtkCellType& type_named(const std::string& name) {
  if (const VtkCellType* const type = find_vtk_cell_type(name)) return *type;
  std::vector<std::string_view> names;
  for (const VtkCellType& type : kVtkCellTypes) names.push_back(type.name);
  const std::string nearest = internal::nearest_name(name, names);
  throw InvalidInput(
      fmt::format("unknown type \"{}\"; {}use one of: {} (of cells with nodes on their edges, the corners)", name,
                  nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest), fmt::join(names, ", ")));
}

}  // namespace

Eigen::Matrix3Xcd StructureMesh::displacements(const Eigen::VectorXcd& u) const {
  Eigen::Matrix3Xcd all = Eigen::Matrix3Xcd::Zero(3, static_cast<Eigen::Index>(unknowns.size()));
  for (std::size_t node = 0; node < unknowns.size(); ++node)
    for (std::size_t k = 0; k < 6; ++k)
      if (const Eigen::Index number = unknowns[node][k]; number >= 0)
        all(static_cast<Eigen::Index>(k % 3), static_cast<Eigen::Index>(node)) += u[number];
  return all;
}

Eigen::Index StructureMesh::unseen(Eigen::Index dofs) const {
  std::vector<bool> seen(static_cast<std::size_t>(dofs), false);
  for (const auto& numbers : unknowns)
    for (const Eigen::Index number : numbers)
      if (number >= 0) seen[static_cast<std::size_t>(number)] = true;
  return std::count(seen.begin(), seen.end(), false);
}

StructureMesh read_mesh_nodes(const std::filesystem::path& path, Eigen::Index dofs,
                              std::vector<std::string>& open_ended) {
  const NumberTable table = read_number_table(path, {}, kUnknowns);
  internal::require_columns(table, path, kNodeColumns, kAdded,
                            fmt::format("the first line names the columns {} and, if you like, {}",
                                        fmt::join(kNodeColumns, ","), fmt::join(kAdded, ",")));
  std::array<const std::vector<double>*, 3> places;
  std::array<const std::vector<double>*, 6> numbers;
  for (std::size_t k = 0; k < 3; ++k) places[k] = internal::find_column(table, kPlaces[k]);
  for (std::size_t k = 0; k < 6; ++k) numbers[k] = internal::find_column(table, kUnknowns[k]);
  StructureMesh mesh;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    mesh.grid.points.emplace_back((*places[0])[i], (*places[1])[i], (*places[2])[i]);
    mesh.unknowns.push_back(internal::at_row(path, table, i, [&] { return unknowns_of(numbers, i, dofs); }));
  }
  if (table.ends_within_line) open_ended.push_back(path.string());
  return mesh;
}

void read_mesh_cells(const std::filesystem::path& path, VtkGrid& grid, std::vector<std::string>& open_ended) {
  const NumberTable table = read_number_table(path, kType, kCellNodes);
  internal::require_columns(table, path, kType, kCellNodes,
                            "the first line names the columns type,n1,n2,..., as many as the largest cell has nodes");
  std::array<const std::vector<double>*, 8> columns;
  for (std::size_t k = 0; k < 8; ++k) columns[k] = internal::find_column(table, kCellNodes[k]);
  const std::vector<std::string>& types = table.texts.at("type");
  std::vector<std::int64_t> nodes;
  for (std::size_t i = 0; i < table.rows(); ++i)
    internal::at_row(path, table, i, [&] {
      const VtkCellType& type = type_named(types[i]);
      const auto is_given = [&](std::size_t k) { return columns[k] != nullptr && !std::isnan((*columns[k])[i]); };
      nodes.clear();
      for (std::size_t k = 0; k < 8; ++k) {
        if (is_given(k) != (k < type.nodes))
          throw InvalidInput(fmt::format("a {} has {} nodes, and {} is {}; give n1 to n{}, in VTK's order", type.name,
                                         type.nodes, kCellNodes[k], is_given(k) ? "given, too" : "missing",
                                         type.nodes));
        if (!is_given(k)) continue;
        const double value = (*columns[k])[i];
        if (!is_number_below(value, grid.points.size()))
          throw InvalidInput(fmt::format("{} is {}; expected the number of a node, 0 to {}", kCellNodes[k], value,
                                         grid.points.size() - 1));
        nodes.push_back(static_cast<std::int64_t>(value));
      }
      grid.add_cell(type, nodes);
    });
  if (table.ends_within_line) open_ended.push_back(path.string());
}

void add_vertices(VtkGrid& grid) {
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(grid.points.size()); ++i)
    grid.add_cell(*find_vtk_cell_type("vertex"), std::span(&i, 1));
}

}  // namespace slipset
