// A contact problem as it stands in a file, read without slipset's own reader of problems, laws or solutions: what checks
// a solution shall not share its mistakes.       docs/problems.md, docs/formats.md
//   u = W r + q,   joints behind the contacts: [W V; Vᵀ R], [q; s];   of M, H, G, f: W = HᵀM⁻¹H, q = w + HᵀM⁻¹f
#pragma once

#include <Eigen/SparseCore>
#include <filesystem>
#include <string>
#include <vector>

#include "slipset/core/vec.hpp"

namespace slipset::problems {

struct RawSet {
  std::string shape;
  std::vector<double> numbers;  // docs/formats.md, angles in degrees

  double gauge(const Vec2& t) const;        // k(t): 1 on the boundary
  Vec2 support_point(const Vec2& v) const;  // the point of the set that is farthest along v ≠ 0; convex sets
  Vec2 normal(const Vec2& t) const;         // unit normal where the ray of t ≠ 0 leaves the set; convex sets
};

struct RawLaw {
  RawSet reservoir, direction;
  double angle = 0;  // of both [degrees]

  double gauge(const Vec2& t) const;     // of C
  Vec2 resistance(const Vec2& v) const;  // s(v) = z / k_C(z), z the point of D that is farthest along v
  Vec2 slip(const Vec2& t) const;        // n(t): the direction in which it slips against t ≠ 0
};

struct RawProblem {
  int dimension = 3;  // rows of a contact: 3, or 5 with rolling friction
  bool global = false;
  Eigen::SparseMatrix<double> w;
  Eigen::VectorXd q;
  std::vector<RawLaw> laws;           // of each contact
  std::vector<double> rolling;        // coefficients [m], where the dimension is 5
  Eigen::VectorXd impulse, velocity;  // of the solution, if the file has one; joints have no velocity in it
  Eigen::VectorXd contradiction;      // if the file has one

  Eigen::Index contact_rows() const { return dimension * static_cast<Eigen::Index>(laws.size()); }
};

// Throws InvalidInput where something is missing, does not fit, or is no kind of problem of the library.
RawProblem read_raw_problem(const std::filesystem::path& path);

}  // namespace slipset::problems
