// What files of contact problems hold, and the ContactProblem that it is.      docs/formats.md
//   local    u = W r + V λ + q,   Vᵀr + R λ + s = 0
//   global   M v = H r + G λ + f,   u = Hᵀv + w,   Gᵀv + b = 0
// with `dimension` rows per contact: 2 (planar), 3, or 5 with rolling friction. V, R, s and G, b are of joints.
#pragma once

#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "slipset/io/problem_file.hpp"

namespace slipset::internal {

struct ProblemParts {
  using Matrix = Eigen::SparseMatrix<double>;

  int dimension = 3;
  std::vector<double> mu, mu_r;  // mu_r: of five rows
  bool global = false;
  Matrix w, v, r;         // local; v and r without columns: no joints
  Matrix m, h, g;         // global
  Eigen::VectorXd force;  // f, of a global problem
  Eigen::VectorXd q, s;   // q of a local and w of a global problem; s, or b
};

// Contacts without friction against rolling, or against sliding, have three rows: the others carry nothing. Contacts of
// planar local problems have a second tangent along which nothing moves, those of global ones slide along a line. Joints
// come behind the contacts, up to six rows together. Throws InvalidInput, with `name`, for what does not fit together.
ProblemFile problem_of(const ProblemParts& parts, const std::string& name);
// The other way round; contacts of one dimension, and joints, in any order. Throws InvalidInput for other laws and rows.
// A law that is not isotropic has its largest coefficient in mu.
ProblemParts parts_of(const ContactProblem& problem);
// What has one number for each row of the problem, as files have it: contacts and joints apart.
struct SplitRows {
  Eigen::VectorXd contacts, joints;
};
SplitRows split_rows(const ContactProblem& problem, const Eigen::VectorXd& x);

}  // namespace slipset::internal
