// The files that a structure's table names: matrices, contacts and mesh, read and checked once.   docs/scenarios.md
#pragma once

#include <map>

#include "slipset/io/csv.hpp"
#include "slipset/io/matrix_file.hpp"
#include "slipset/scenario/structure_mesh.hpp"
#include "slipset/scenario/toml_table.hpp"
#include "slipset/systems/structure.hpp"

namespace slipset {

// Holds what it has read: a scenario that is read again, with other numbers in it, gets the same matrices. After the
// first reading several threads may ask for them.
class StructureFiles {
 public:
  // What was read, in order.
  struct Input {
    std::string file, variable, format;
    StoredAs stored_as = StoredAs::general;
  };
  const std::vector<Input>& inputs() const { return inputs_; }
  // Tables without a new line at their end, whose last number may be cut off.
  std::vector<std::string> open_ended() const;

  // The matrix under a key of `t`: a file, or { file = "...", variable = "..." }. `dofs`: of M; 0 for M itself, which is
  // checked as a mass matrix. `whole`: it cannot have entries on one side of the diagonal only. Where files name their
  // degrees of freedom, all must name the same. Throws ScenarioError with the place in the scenario, and that in the
  // file.
  SharedMatrix matrix(const TomlTable& t, std::string_view key, Eigen::Index dofs, bool whole = true);
  // Rows ux,uy,uz,nx,ny,nz,tx,ty,tz,stiffness,force,slip1,slip2 and optional name, law, under "contacts" of `t`, with
  // these laws; a row that names none has the law "law".
  std::vector<StructureContact> contacts(const TomlTable& t, Eigen::Index dofs, const std::vector<StructureLaw>& laws);
  // The nodes and cells under "mesh" of `t`; read anew each time. Without cells each node is one.
  StructureMesh mesh(const TomlTable& t, Eigen::Index dofs);

 private:
  void require_labels(const std::string& file, const MatrixFile& read);

  std::vector<Input> inputs_;
  std::string labelled_;                                                  // the file that the labels are from
  std::vector<DofLabel> labels_;                                          // of rows and columns
  std::map<std::pair<std::string, std::string>, SharedMatrix> matrices_;  // by file and variable
  std::map<std::string, NumberTable> tables_;
  std::vector<std::string> open_ended_meshes_;
};

}  // namespace slipset
