// Structures of finite element programs: matrices and contacts in files.
#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <array>

#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/structure_setup.hpp"
#include "slipset/scenario/system_kinds.hpp"

namespace slipset {
namespace {

// The file's own name, and the variable.
std::string name_of_file(const TomlTable& term) {
  if (term.is_text("matrix")) return std::filesystem::path(term.text("matrix")).filename().string();
  const TomlTable matrix = term.table("matrix");
  const std::string file = std::filesystem::path(matrix.text("file")).filename().string();
  return matrix.has("variable") ? fmt::format("{}:{}", file, matrix.text("variable")) : file;
}

void read_terms(const TomlTable& t, StructureFiles& files, Structure& structure) {
  constexpr std::array<std::string_view, 3> places = {"D", "K", "M"};
  if (t.has("speed")) structure.speed = t.number("speed");
  if (!t.has("terms")) {
    if (t.has("speed")) t.fail("speed", "has no effect without terms; remove it, or add terms");
    return;
  }
  for (const TomlTable& row : t.tables("terms")) {
    StructureTerm term;
    term.matrix = files.matrix(row, "matrix", structure.dofs(), false);
    term.name = name_of_file(row);
    for (const StructureTerm& other : structure.terms)  // one matrix may be in several terms
      if (other.name == term.name)
        term.name = fmt::format("{} (term {})", name_of_file(row), structure.terms.size() + 1);
    const std::string place = row.choice("in", places);
    term.place = place == "M" ? TermPlace::mass : place == "K" ? TermPlace::stiffness : TermPlace::damping;
    term.coefficient = row.number("coefficient");
    term.power = row.number("power");
    if (term.power != 0 && !t.has("speed"))
      t.fail("speed", fmt::format("missing; the term {} has it to the power {}", term.name, term.power));
    if (!std::isfinite(structure.factor_of(term)))
      row.fail("power",
               fmt::format("{} times a speed of {} to the power {} is not finite; choose another speed or power",
                           term.coefficient, structure.speed, term.power));
    structure.terms.push_back(std::move(term));
    if (structure.terms.back().place == TermPlace::mass)
      row.located("matrix", [&] { require_mass(structure.whole_mass()); });
  }
}

}  // namespace

Structure read_structure(const TomlTable& root, StructureFiles& files) {
  const TomlTable t = root.table("system").described_by(system_kind_of(root).keys, "kind");
  Structure structure;
  for (const std::string_view key : {"M", "K"})
    if (!t.has(key))
      t.fail(key, fmt::format("missing; give the file of the {} matrix, as {} = \"{}.mtx\"",
                              key == "M" ? "mass" : "stiffness", key, key));
  structure.mass = files.matrix(t, "M", 0);
  structure.stiffness = files.matrix(t, "K", structure.dofs());
  if (t.has("D")) structure.damping = files.matrix(t, "D", structure.dofs());
  if (t.has("rayleigh")) {
    const TomlTable rayleigh = t.table("rayleigh", "a table, as in { mass = 10, stiffness = 1e-7 }");
    structure.rayleigh_mass = rayleigh.number("mass");
    structure.rayleigh_stiffness = rayleigh.number("stiffness");
  }
  read_terms(t, files, structure);
  structure.friction_factor = t.positive("friction_factor");
  structure.stiffness_factor = t.not_negative("stiffness_factor");
  structure.preload_factor = t.not_negative("preload_factor");
  for (const auto& [name, table] : law_tables_by_name(root)) {
    const LawSetup law = read_law_table(table, name);
    require_steady_tables(law, table);
    structure.laws.push_back({name, law.law, law.lugre()});
  }
  if (t.has("contacts")) structure.contacts = files.contacts(t, structure.dofs(), structure.laws);
  return structure;
}

std::vector<SystemKind> structure_systems() {
  SystemKind kind{
      {"structure",
       "matrices of a finite element program and a table of contacts that slide, for stability",
       {{"M", "", kRequired,
         "file of the mass matrix, in any of the formats of docs/formats.md; of several variables \"x.mat:M1\" or "
         "{ file = \"x.mat\", variable = \"M1\" }"},
        {"K", "", kRequired, "stiffness matrix, likewise; without the contacts"},
        {"D", "", kOptional, "damping matrix, likewise; zero"},
        {"rayleigh.mass", "1/s", 0.0, "this times M is added to D"},
        {"rayleigh.stiffness", "s", 0.0, "this times K is added to D"},
        {"speed", "rad/s", kOptional, "of the terms; needed if one has a power"},
        {"terms", "", kOptional, "a list of tables: coefficient × speed^power × matrix"},
        {"terms.matrix", "", kRequired, "its file"},
        {"terms.in", "", kRequired, "D, K or M, to which it is added"},
        {"terms.coefficient", "", 1.0, "factor"},
        {"terms.power", "", 0.0, "of the speed"},
        {"contacts", "", kOptional,
         "a CSV file: ux,uy,uz,nx,ny,nz,tx,ty,tz,stiffness,force,slip1,slip2 and optional name, law"},
        {"mesh", "", kOptional,
         "for the shapes of the modes and the map of the contacts: a table with nodes and, if you like, cells"},
        {"mesh.nodes", "", kRequired, "a CSV file: x,y,z,ux,uy,uz and optional ux2,uy2,uz2"},
        {"mesh.cells", "", kOptional, "a CSV file: type,n1,n2,...; points alone"},
        {"friction_factor", "", 1.0, "on the reservoirs of all laws"},
        {"stiffness_factor", "", 1.0, "on the stiffness of all contacts"},
        {"preload_factor", "", 1.0, "on the force of all contacts"}}}};
  kind.tables = {"title", "law", "laws", "system", "modes", "sweep"};
  kind.steady_sliding = true;
  kind.structure = true;
  return {kind};
}

}  // namespace slipset
