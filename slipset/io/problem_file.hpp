// Contact problems in files: Siconos .dat, FCLib HDF5, and our extension of it.      docs/formats.md
//   W (3n x 3n Delassus matrix), q (free velocity), and a friction law for each of n contacts; normal first, then two
//   tangents. A planar problem (2 rows per contact) becomes a spatial one whose second tangent nothing moves.
#pragma once

#include <filesystem>
#include <string>

#include "slipset/contact/contact_problem.hpp"

namespace slipset {

struct ProblemFile {
  ContactProblem problem;
  int dimension = 3;                // of the contacts as they are in the file, 2 or 3
  std::vector<double> coefficient;  // of each contact; where the law is no disk, its largest coefficient
};

// By what the file begins with, not by its name. Throws InvalidInput, saying where and what, for anything else than a
// whole problem of finite numbers.
ProblemFile read_problem(const std::filesystem::path& path);
// The same for a file's content; `name` stands in messages.
ProblemFile parse_problem(const std::string& content, const std::string& name);

// .dat: Siconos, sparse blocks, isotropic laws only; .hdf5 or .h5: FCLib, with our extension if a law needs it. W is
// assembled. Throws InvalidInput for other endings, for laws that the file cannot hold (sliding and none only), and where
// the folder does not exist.
void write_problem(const std::filesystem::path& path, const ContactProblem& problem, const std::string& title = {});

// Laws for coefficients, one object for equal ones; null for zero. Throws InvalidInput for negative ones.
void set_isotropic_laws(ContactProblem& problem, const std::vector<double>& coefficients);

}  // namespace slipset
