// Solves a problem as it was written, checks the answer by (P.1) or (C.21), and says what is known of it. docs/problems.md
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "problems/recipe.hpp"
#include "slipset/io/problem_file.hpp"

namespace slipset::problems {

inline constexpr double kCertified = 1e-9;  // of (P.1) and of (C.4): below, a problem counts as solved

struct Certificate {
  std::size_t contacts = 0;
  Eigen::Index rows = 0, joint_rows = 0;
  std::string form;        // local, global or rolling
  std::string status;      // solved; no solution; not reached: the best impulses that were found
  std::string difficulty;  // by the sweeps that plain Gauss-Seidel needs for a residual of 1e-8, see docs/problems.md
  int sweeps = 0;          // that it took; where it did not get there, all that it was given
  double residual = 0, error = 0, equation = 0;  // (C.4), (P.1); of u = W r + q
  std::optional<int> undetermined;               // impulses that the laws leave open; empty: not looked at
  std::optional<Eigen::Index> rank;              // of W; empty: too large
  std::string method, second;                    // that found the impulses; another one that did, empty: none did
  bool settled = false;                          // undetermined impulses are the choice of (C.20), or none are
  // Of the two: over the largest impulse, and over the largest free velocity; NaN without a second.
  double impulses_differ = 0, velocities_differ = 0;
  std::string unique;  // impulses, velocities, or neither, as far as two methods tell
  double closing = 0;  // without a solution: −q·p / Σ|p| [m/s]
};

struct Answer {
  Certificate certificate;
  FiledSolution filed;
};
// Of a file without a solution. Throws InvalidInput where the solver's answer is not what it says.
Answer certify(const std::filesystem::path& path);

// Makes the problem, writes it to FOLDER/NAME.hdf5, certifies what stands there, and writes it again with its solution.
Certificate write_certified(const Recipe& recipe, const std::filesystem::path& folder);

std::string index_header();
std::string index_line(const Recipe& recipe, const Certificate& certificate);

}  // namespace slipset::problems
