// Contact problems in files: Siconos .dat, FCLib HDF5, and our extension of it.      docs/formats.md
//   local    W (Delassus matrix), q (free velocity), and a friction law for each contact; normal first
//   global   M, H and forces: the operator is a MassDelassus, and W is never formed
// planar (2 rows per contact), in space (3), with rolling friction (5), and with a bilateral part, which becomes joints
// behind the contacts. A planar local problem becomes a spatial one whose second tangent nothing moves.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "slipset/contact/contact_problem.hpp"

namespace slipset {

struct ProblemFile {
  ContactProblem problem;
  int dimension = 3;                        // rows of a contact in the file: 2, 3, or 5 with rolling friction
  bool global = false;                      // M and H in the file
  std::vector<double> coefficient;          // of each contact; where the law is no disk, its largest coefficient
  std::vector<double> rolling_coefficient;  // [m], where the dimension is 5
};

// By what the file begins with, not by its name. Throws InvalidInput, saying where and what, for anything else than a
// whole problem of finite numbers.
ProblemFile read_problem(const std::filesystem::path& path);
// The same for a file's content; `name` stands in messages.
ProblemFile parse_problem(const std::string& content, const std::string& name);

// .dat: Siconos, isotropic laws only, no joints; .hdf5 or .h5: FCLib, with our extension if a law needs it. Masses are
// written as a global problem, all other operators as W in blocks. All contacts of a file have the same number of rows.
// Throws InvalidInput for other endings, for what the file cannot hold, and where the folder does not exist.
void write_problem(const std::filesystem::path& path, const ContactProblem& problem, const std::string& title = {});

// What stands beside a problem: FCLib's group `solution`, and how it was checked, `slipset/certificate`.
struct FiledSolution {
  Eigen::VectorXd impulse, velocity;  // p and u, as the rows of the problem; empty: none
  Eigen::VectorXd contradiction;      // p of (C.21), which proves that there is none; empty: no proof
  std::vector<double> defects;        // of each contact, without joints; empty: not measured
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> texts;
};
// FCLib alone (.hdf5, .h5). Throws InvalidInput, too, where sizes do not fit the problem.
void write_problem(const std::filesystem::path& path, const ContactProblem& problem, const FiledSolution& solution,
                   const std::string& title = {});

// Laws for coefficients, one object for equal ones; null for zero. Throws InvalidInput for negative ones.
void set_isotropic_laws(ContactProblem& problem, const std::vector<double>& coefficients);

}  // namespace slipset
