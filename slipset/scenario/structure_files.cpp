#include "slipset/scenario/structure_files.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "slipset/core/internal/names.hpp"
#include "slipset/io/matrix_file.hpp"
#include "slipset/scenario/internal/named_table.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/stability/structure_sliding.hpp"

namespace slipset {
namespace {

constexpr std::array<std::string_view, 13> kColumns = {"ux", "uy", "uz",        "nx",    "ny",    "nz",   "tx",
                                                       "ty", "tz", "stiffness", "force", "slip1", "slip2"};
constexpr std::array<std::string_view, 2> kTexts = {"name", "law"};

NumberTable read_table(const std::filesystem::path& path) {
  NumberTable table = read_number_table(path, kTexts);
  internal::require_columns(
      table, path, kColumns, kTexts,
      fmt::format("the first line names the columns {} and, if you like, name, law", fmt::join(kColumns, ",")));
  return table;
}

class Row {
 public:
  Row(const NumberTable& table, std::size_t row) : table_(table), row_(row) {}

  double number(std::string_view name) const { return (*internal::find_column(table_, name))[row_]; }
  Vec3 triple(std::string_view x, std::string_view y, std::string_view z) const {
    return {number(x), number(y), number(z)};
  }
  Eigen::Index whole(std::string_view name) const {
    const double value = number(name);
    if (value != std::floor(value) || std::abs(value) > 1e15)
      throw InvalidInput(fmt::format("{} is {}; expected the number of a displacement, from 0", name, value));
    return static_cast<Eigen::Index>(value);
  }
  std::string text(std::string_view name) const {
    const auto found = table_.texts.find(name);
    return found == table_.texts.end() ? "" : found->second[row_];
  }

 private:
  const NumberTable& table_;
  std::size_t row_;
};

// One triangle of a symmetric matrix, in a file that does not say that the other is to be added.
void require_both_sides(const SparseMatrix& matrix) {
  bool below = false, above = false;
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
      below = below || (entry.row() > j && entry.value() != 0);
      above = above || (entry.row() < j && entry.value() != 0);
    }
  if (below != above)
    throw InvalidInput(
        fmt::format("all entries beside the diagonal are {} it: one triangle of a symmetric matrix, in a file that "
                    "does not say so; "
                    "export the whole matrix, or mark the file as symmetric",
                    below ? "below" : "above"));
}

std::size_t law_of(const Row& row, const std::vector<StructureLaw>& laws) {
  std::string name = row.text("law");
  if (name.empty()) name = "law";
  std::vector<std::string_view> names;
  for (const StructureLaw& law : laws) names.push_back(law.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  if (row.text("law").empty())
    throw InvalidInput("names no law, and there is no [law]; add [law], or a column law with the names of [laws.NAME]");
  if (name == "none") throw InvalidInput("a contact without a law is none; leave out its row");
  const std::string nearest = internal::nearest_name(name, names);
  throw InvalidInput(fmt::format("unknown law \"{}\"; {}add [laws.{}] or use one of: {}", name,
                                 nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest), name,
                                 fmt::join(names, ", ")));
}

}  // namespace

void StructureFiles::require_labels(const std::string& file, const MatrixFile& read) {
  if (read.rows.empty()) return;
  const auto compare = [](const std::vector<DofLabel>& these, const std::string& here,
                          const std::vector<DofLabel>& those, const std::string& there) {
    for (std::size_t i = 0; i < std::max(these.size(), those.size()); ++i) {
      if (i < these.size() && i < those.size() && these[i] == those[i]) continue;
      // The first of both lists, which are sorted, that the other one lacks.
      const bool only_here = i >= those.size() || (i < these.size() && these[i] < those[i]);
      const DofLabel label = only_here ? these[i] : those[i];
      throw InvalidInput(
          fmt::format("node {}, degree of freedom {} is in {}, not in {}; export both with the same degrees of freedom",
                      label.node, label.dof, only_here ? here : there, only_here ? there : here));
    }
  };
  compare(read.rows, "the rows", read.columns, "the columns");
  if (labels_.empty()) {
    labels_ = read.rows;
    labelled_ = file;
  } else {
    compare(read.rows, "this file", labels_, labelled_);
  }
}

SharedMatrix StructureFiles::matrix(const TomlTable& t, std::string_view key, Eigen::Index dofs, bool whole) {
  std::filesystem::path path;
  std::string variable;
  if (t.is_text(key)) {
    std::tie(path, variable) = file_and_variable(t.path(key));
  } else {
    const TomlTable named = t.table(
        key, "the name of a file, as \"M.mtx\" or \"brake.mat:M1\", or { file = \"brake.mat\", variable = \"M1\" }");
    constexpr std::array<std::string_view, 2> names = {"file", "variable"};
    named.allow_only(names);
    path = named.path("file");
    if (named.has("variable")) variable = named.text("variable");
  }
  const std::pair<std::string, std::string> name{path.string(), variable};
  if (const auto held = matrices_.find(name); held != matrices_.end()) return held->second;
  return t.located(key, [&] {
    MatrixFile file = read_matrix_file(path, variable);
    auto read = std::make_shared<SparseMatrix>(std::move(file.matrix));
    internal::at_place([&] { return path.string(); },
                       [&] {
                         require_labels(path.string(), file);
                         dofs == 0 ? require_mass(*read) : require_size(*read, dofs);
                         if (whole) require_both_sides(*read);
                       });
    inputs_.push_back({path.string(), variable, file.format, file.stored_as});
    return matrices_.emplace(name, std::move(read)).first->second;
  });
}

std::vector<std::string> StructureFiles::open_ended() const {
  std::vector<std::string> files;
  for (const auto& [file, table] : tables_)
    if (table.ends_within_line) files.push_back(file);
  files.insert(files.end(), open_ended_meshes_.begin(), open_ended_meshes_.end());
  return files;
}

StructureMesh StructureFiles::mesh(const TomlTable& t, Eigen::Index dofs) {
  const TomlTable named = t.table("mesh", "a table, as in { nodes = \"nodes.csv\", cells = \"cells.csv\" }");
  const std::filesystem::path nodes = named.path("nodes");
  StructureMesh mesh = named.located("nodes", [&] { return read_mesh_nodes(nodes, dofs, open_ended_meshes_); });
  if (named.has("cells"))
    named.located("cells", [&] { read_mesh_cells(named.path("cells"), mesh.grid, open_ended_meshes_); });
  else
    add_vertices(mesh.grid);
  return mesh;
}

std::vector<StructureContact> StructureFiles::contacts(const TomlTable& t, Eigen::Index dofs,
                                                       const std::vector<StructureLaw>& laws) {
  const std::filesystem::path path = t.path("contacts");
  return t.located("contacts", [&] {
    auto held = tables_.find(path.string());
    if (held == tables_.end()) held = tables_.emplace(path.string(), read_table(path)).first;
    const NumberTable& table = held->second;
    std::vector<StructureContact> all;
    std::map<std::string, std::size_t> lines;  // by name
    for (std::size_t i = 0; i < table.rows(); ++i)
      internal::at_row(path, table, i, [&] {
        const Row row(table, i);
        StructureContact c;
        c.name = row.text("name");
        if (c.name.empty()) c.name = fmt::format("{}", i + 1);
        if (c.name.find_first_of(",\"\n") != std::string::npos)
          throw InvalidInput("commas and quotes in a name would break the tables of the results; choose another name");
        if (c.name == "structure")
          throw InvalidInput("the results use the name structure for what is no contact; choose another name");
        if (const auto [other, fresh] = lines.emplace(c.name, table.lines[i]); !fresh)
          throw InvalidInput(
              fmt::format("the name {} is that of line {}, too (a contact without one has its number); "
                          "choose another",
                          c.name, other->second));
        c.displacements = {row.whole("ux"), row.whole("uy"), row.whole("uz")};
        c.normal = row.triple("nx", "ny", "nz");
        c.first_tangent = row.triple("tx", "ty", "tz");
        c.stiffness = row.number("stiffness");
        c.preload = row.number("force");
        c.slip = Vec2(row.number("slip1"), row.number("slip2"));
        c.law = law_of(row, laws);
        all.push_back(checked(c, dofs));
        require_derivative(all.back(), laws[c.law].law);
      });
    return all;
  });
}

}  // namespace slipset
