// Many contacts with friction against sliding, drilling and rolling in one step.      docs/theory/rolling.md
//   u = W p + q, each contact with the laws (T.6) of its own 1 + m_i components; m_i = 0 (no friction) to 5     (T.11)
// W symmetric, positive semidefinite. Gauss-Seidel: contact by contact, each solved exactly, from the last impulses,
// with Anderson's acceleration. Where sweeps get stuck, proximal steps (T.16), each by semismooth Newton steps for all
// contacts at once (T.14); where those gain nothing again and again, it ends and says so.
#pragma once

#include "slipset/contact/anderson.hpp"
#include "slipset/contact/rolling_local.hpp"

namespace slipset {

// W in blocks of the contacts' sizes, compressed rows; every row has its diagonal block.
class RollingDelassus {
 public:
  struct Entry {
    std::size_t row, column;
    RollingContactMat values;
  };
  struct Block {
    std::size_t column;
    RollingContactMat values;
  };

  RollingDelassus() = default;
  // `sizes` of the contacts, 1 to 6 each. Blocks of the same place add up. Throws InvalidInput for a size or a place
  // that does not fit.
  RollingDelassus(std::vector<int> sizes, std::vector<Entry> entries);
  // From a dense matrix; blocks of zeros are left out.
  RollingDelassus(std::vector<int> sizes, const Eigen::MatrixXd& dense);

  // For building row by row, nothing moves: clear(), then each row with its diagonal block, columns ascending.
  void clear(std::span<const int> sizes);
  void append_row(std::span<const Block> row);

  std::size_t contacts() const { return sizes_.size(); }
  int size(std::size_t i) const { return sizes_[i]; }
  Eigen::Index offset(std::size_t i) const { return offsets_[i]; }  // of contact i in p, u and q
  Eigen::Index rows() const { return offsets_.back(); }
  std::span<const Block> row(std::size_t i) const { return {blocks_.data() + starts_[i], starts_[i + 1] - starts_[i]}; }
  std::span<Block> row(std::size_t i) { return {blocks_.data() + starts_[i], starts_[i + 1] - starts_[i]}; }
  const RollingContactMat& diagonal(std::size_t i) const { return blocks_[diagonal_[i]].values; }
  RollingContactMat& diagonal(std::size_t i) { return blocks_[diagonal_[i]].values; }

 private:
  std::vector<int> sizes_;
  std::vector<Eigen::Index> offsets_ = {0};
  std::vector<Block> blocks_;
  std::vector<std::size_t> starts_ = {0}, diagonal_;
};

struct RollingContact {
  const RollingLaw* law = nullptr;       // null: no friction
  std::optional<double> normal_impulse;  // given [N s]; empty: unilateral
  double reservoir_factor = 1;
};

struct RollingProblem {
  RollingDelassus delassus;
  Eigen::VectorXd free_velocity;  // of each contact normal first, then the law's components; restitution included
  std::vector<RollingContact> contacts;
};

struct RollingOptions {
  double tolerance = 1e-10;  // of the residual (T.12) [-]
  int max_sweeps = 20000;
  bool accelerate = true;  // Anderson's acceleration (C.14) of the sweeps
};

struct RollingReport {
  RollingOptions options;
  int sweeps = 0;
  int newton = 0;                                              // steps for all contacts at once, that were taken
  long local_iterations = 0;                                   // of Newton's methods
  int unsolved = 0;                                            // contacts whose last local problem had no solution
  double residual = std::numeric_limits<double>::quiet_NaN();  // (T.12)
  bool converged = false;
  std::string_view why;  // it stopped
};

struct RollingSolution {
  Eigen::VectorXd impulse, velocity;  // [N s], [N m s]; [m/s], [rad/s]
  std::vector<ContactMode> modes;     // stick: none of its rates
  RollingReport report;
};

// (T.10) of each contact, the others' impulses held, with what the dynamics add up there, |q_i| + Σ_j |W_ij||p_j| by
// components; the largest. A contact that carries little beside its neighbours counts by its velocity.          (T.12)
double rolling_residual(const RollingProblem& problem, const Eigen::VectorXd& impulse);

// Keeps its work space: solving again a problem of the same sizes and places of blocks allocates nothing, unless sweeps
// get stuck and Newton's method factorises.
class RollingSolver {
 public:
  // `solution` holds the first guess of the impulses if its size fits. Throws InvalidInput if sizes do not fit.
  void solve(const RollingProblem& problem, const RollingOptions& options, RollingSolution& solution);

 private:
  void prepare(const RollingProblem& problem, const RollingSolution& solution);
  double sweep(const RollingProblem& problem, double accuracy, RollingReport& report);
  double measure(const RollingProblem& problem);
  void regularise(const RollingProblem& problem, double rho, const Eigen::VectorXd& centre);
  bool newton(const RollingProblem& problem, double enough, RollingReport& report, int& iterations);
  void proximal_step(const RollingProblem& problem, double enough, RollingReport& report);
  bool proximal(const RollingProblem& problem, RollingReport& report);
  void finish(const RollingProblem& problem, RollingSolution& solution);

  RollingDelassus delassus_;  // own coordinates
  Eigen::VectorXd q_, p_, before_, step_;
  std::vector<RollingBlock> blocks_;
  std::vector<RollingState> states_;
  std::optional<Anderson> anderson_;
  Eigen::Index anderson_size_ = 0;
  // Of proximal steps: the problem without ρ, the last impulses, steps that went on in one direction.
  static constexpr int kPatience = 60;  // steps in which the residual does not halve
  Eigen::VectorXd plain_q_, last_, kept_;
  double kept_error_ = INFINITY;  // of kept_, the best that proximal steps left
  std::vector<RollingBlock> plain_blocks_;
  double rho_ = 0, least_rho_ = 0;
  int run_ = 0;
};

RollingSolution solve_rolling(const RollingProblem& problem, const RollingOptions& options = {});

}  // namespace slipset
