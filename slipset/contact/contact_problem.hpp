// Many contacts in one step: u = W p + q with every contact's laws (C.1).      docs/theory/contact.md
#pragma once

#include <Eigen/SparseCore>
#include <string_view>
#include <vector>

#include "slipset/contact/local_problem.hpp"

namespace slipset {

// W in 3x3 blocks, row by row: dense systems have all blocks, sparse ones a few.
class BlockDelassus {
 public:
  struct Block {
    std::size_t column;
    Mat3 values;
  };

  BlockDelassus() = default;
  // From a 3n x 3n matrix; blocks of zeros are left out. Throws InvalidInput unless the size is a multiple of 3.
  explicit BlockDelassus(const Eigen::MatrixXd& dense);
  explicit BlockDelassus(const Eigen::SparseMatrix<double>& sparse);

  // For building in place: n rows without blocks, then set().
  void resize(std::size_t contacts);
  Mat3& block(std::size_t row, std::size_t column);  // made if it is not there

  std::size_t contacts() const { return rows_.size(); }
  const std::vector<Block>& row(std::size_t i) const { return rows_[i]; }
  const Mat3& diagonal(std::size_t i) const { return rows_[i][diagonal_[i]].values; }

 private:
  std::vector<std::vector<Block>> rows_;
  std::vector<std::size_t> diagonal_;  // where in the row
};

struct ContactPoint {
  const ContactLaw* law = nullptr;
  std::optional<double> normal_impulse;  // given [N s]; empty: unilateral
  double reservoir_factor = 1;
  Vec2 last_slip = Vec2::Zero();  // before the step [m/s]
};

struct ContactProblem {
  BlockDelassus delassus;
  Eigen::VectorXd free_velocity;  // 3 a contact, normal first; restitution included [m/s]
  std::vector<ContactPoint> contacts;
};

enum class ContactMethod {
  gauss_seidel,  // contact by contact, each solved exactly
  fixed_point,   // the projection iteration of the papers                                     [WL19 69, 70]
};

struct ContactOptions {
  ContactMethod method = ContactMethod::gauss_seidel;
  double tolerance = 1e-12;    // of the residual (C.4) [-]; 1e-8 suits quick looks
  int max_iterations = 10000;  // sweeps
  double step = 0;             // r of the fixed point over that of each contact [-]; 0: chosen per contact
};

struct ContactReport {
  ContactOptions options;
  int iterations = 0;
  double residual = std::numeric_limits<double>::quiet_NaN();  // NaN: not computed, a single contact is solved exactly
  bool converged = false;
  std::string_view why;  // it stopped
};

struct ContactSolution {
  Eigen::VectorXd impulse;   // 3 a contact [N s]
  Eigen::VectorXd velocity;  // 3 a contact [m/s]
  std::vector<ContactMode> modes;
  std::vector<int> solutions;  // of each contact, the others held: more than 1 is ambiguous
  ContactReport report;

  bool ambiguous() const;
};

// `solution` holds the first guess of the impulses if its size fits, else they start at zero; it is resized once and
// then reused.
void solve_contact(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);
ContactSolution solve_contact(const ContactProblem& problem, const ContactOptions& options = {});

// The largest local residual (C.3), each contact seen with the others' impulses held.                 (C.4)
double contact_residual(const ContactProblem& problem, const Eigen::VectorXd& impulse);

}  // namespace slipset
