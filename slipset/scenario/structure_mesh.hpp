// The mesh of a structure: where its nodes are, which unknowns move them, the cells between them.   docs/scenarios.md
//   displacement of a node along x: u[ux] + u[ux2], each zero where there is no such unknown; so for y and z
#pragma once

#include <filesystem>

#include "slipset/io/vtk_file.hpp"

namespace slipset {

struct StructureMesh {
  VtkGrid grid;
  std::vector<std::array<Eigen::Index, 6>> unknowns;  // of each node: ux, uy, uz, ux2, uy2, uz2; -1: none

  // Of the nodes, one column each, for a vector of the unknowns.
  Eigen::Matrix3Xcd displacements(const Eigen::VectorXcd& u) const;
  // How many of so many unknowns move no node.
  Eigen::Index unseen(Eigen::Index dofs) const;
};

// Columns x,y,z,ux,uy,uz and optional ux2,uy2,uz2: place [m] and numbers of the unknowns, from 0 and below `dofs`, empty
// where the displacement is fixed. Without cells. A file without a new line at its end is added to `open_ended`. Throws
// InvalidInput with file, line and remedy.
StructureMesh read_mesh_nodes(const std::filesystem::path& path, Eigen::Index dofs,
                              std::vector<std::string>& open_ended);
// Columns type,n1,n2,... up to n8: a name of kVtkCellTypes and as many numbers of nodes, from 0. Likewise.
void read_mesh_cells(const std::filesystem::path& path, VtkGrid& grid, std::vector<std::string>& open_ended);
// A cell for each point, for programs that show cells alone.
void add_vertices(VtkGrid& grid);

}  // namespace slipset
