#include "slipset/contact/internal/contradiction.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "slipset/contact/block_delassus.hpp"

namespace slipset::internal {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr std::size_t kMostLookedAt = 300;
constexpr double kAddedToDiagonal = 1e-9;  // added to the diagonal, which is one
constexpr double kKernelBelow = 1e-13;     // eigenvalues of the kernel, over the largest: rounding
constexpr double kRounding = 1e-12;        // of W p, over what adds up in it
constexpr double kNegligiblePart = 1e-8;   // parts of the largest
constexpr double kProvenFor = 1e6;         // impulses so many times those that the problem has

struct Row {
  Eigen::Index row;
  std::size_t contact;
  bool bounded;  // p ≥ 0
};

std::vector<Row> rows_that_keep(const ContactProblem& problem) {
  std::vector<Row> rows;
  const RowLayout& layout = problem.delassus->layout();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const Keeps keeps = law_of(contact, layout.rows(i)).keeps();
    if (keeps == Keeps::apart && !contact.normal_impulse) rows.push_back({layout.offset(i), i, true});
    for (int k = 0; keeps == Keeps::still && k < layout.rows(i); ++k) rows.push_back({layout.offset(i) + k, i, false});
  }
  return rows;
}

Matrix part_of_w(const DelassusOperator& w, const std::vector<Row>& rows) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  Matrix k(n, n);
  const Vector zero = Vector::Zero(w.rows());
  Vector unit = zero, column = zero;
  for (Eigen::Index c = 0; c < n; ++c) {
    unit[rows[static_cast<std::size_t>(c)].row] = 1;
    w.multiply_add(unit, zero, column);
    unit[rows[static_cast<std::size_t>(c)].row] = 0;
    for (Eigen::Index r = 0; r < n; ++r) k(r, c) = column[rows[static_cast<std::size_t>(r)].row];
  }
  return k;
}

// Wᵀp; by bodies and by masses W is symmetric.
Vector turned_product(const DelassusOperator& w, const Vector& p) {
  Vector result = Vector::Zero(w.rows());
  const BlockDelassus* blocks = w.as_blocks();
  if (!blocks) {
    const Vector zero = result;
    w.multiply_add(p, zero, result);
    return result;
  }
  for (std::size_t i = 0; i < blocks->contacts(); ++i)
    for (std::size_t k = 0; k < blocks->blocks(i); ++k) {
      const auto block = blocks->at(i, k);
      result.segment(w.offset(block.column), block.values.cols()) +=
          block.values.transpose() * p.segment(w.offset(i), block.values.rows());
    }
  return result;
}

// The least of ½zᵀKz + q·z with z ≥ 0 where bounded, K regular: blocks of rows change sides, then one at a time, which
// ends.
Vector least_bounded(const Matrix& k, const Vector& q, const std::vector<Row>& rows) {
  const Eigen::Index n = q.size();
  std::vector<char> loaded(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) loaded[i] = !rows[i].bounded || q[static_cast<Eigen::Index>(i)] < 0;
  Vector z(n);
  Eigen::Index fewest = n + 1;
  for (int round = 0, tries = 3; round < 20 * static_cast<int>(n) + 100; ++round) {
    std::vector<Eigen::Index> in;
    for (std::size_t i = 0; i < loaded.size(); ++i)
      if (loaded[i]) in.push_back(static_cast<Eigen::Index>(i));
    z.setZero();
    const Matrix part = k(in, in);
    const Vector solved = part.llt().solve(-q(in));
    z(in) = solved;
    const Vector rate = k * z + q;
    const double tiny = 1e-12 * z.lpNorm<Eigen::Infinity>(), still = 1e-12 * q.lpNorm<Eigen::Infinity>();
    std::vector<std::size_t> wrong;
    for (std::size_t i = 0; i < loaded.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      if (rows[i].bounded && (loaded[i] ? z[at] < -tiny : rate[at] < -still)) wrong.push_back(i);
    }
    if (wrong.empty()) break;
    const auto count = static_cast<Eigen::Index>(wrong.size());
    tries = count < fewest ? 3 : tries - 1;
    fewest = std::min(fewest, count);
    if (tries < 0) wrong = {wrong.back()};
    for (const std::size_t i : wrong) loaded[i] = !loaded[i];
  }
  return z;
}

// Of the kernel of K on the rows where z is not zero, the vector nearest to -q; rows that would pull leave.
Vector self_stress(const Matrix& k, const Vector& q, const std::vector<Row>& rows, const Vector& z) {
  std::vector<Eigen::Index> in;
  for (Eigen::Index i = 0; i < z.size(); ++i)
    if (!rows[static_cast<std::size_t>(i)].bounded || z[i] > 0) in.push_back(i);
  Vector p = Vector::Zero(z.size());
  while (!in.empty()) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(k(in, in));
    const Vector& values = eigen.eigenvalues();
    const Eigen::Index open = (values.array() < kKernelBelow * std::max(1.0, values[values.size() - 1])).count();
    const Matrix kernel = eigen.eigenvectors().leftCols(open);
    const Vector part = -kernel * (kernel.transpose() * q(in));
    const double tiny = kNegligiblePart * part.lpNorm<Eigen::Infinity>();
    std::vector<Eigen::Index> left;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (!rows[static_cast<std::size_t>(in[i])].bounded || part[static_cast<Eigen::Index>(i)] > -tiny)
        left.push_back(in[i]);
    if (left.size() == in.size()) {
      p(in) = part;
      for (Eigen::Index i = 0; i < p.size(); ++i)
        if (rows[static_cast<std::size_t>(i)].bounded) p[i] = std::max(p[i], 0.0);
      break;
    }
    in = std::move(left);
  }
  return p;
}

}  // namespace

std::optional<Contradiction> find_contradiction(const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  const DelassusOperator& w = *problem.delassus;
  std::vector<Row> rows = rows_that_keep(problem);
  if (rows.size() > kMostLookedAt) {
    const auto size = [&](const Row& r) { return std::isfinite(impulse[r.row]) ? std::abs(impulse[r.row]) : 0.0; };
    std::nth_element(rows.begin(), rows.begin() + kMostLookedAt, rows.end(),
                     [&](const Row& a, const Row& b) { return size(a) > size(b); });
    rows.resize(kMostLookedAt);
  }
  if (rows.empty()) return std::nullopt;
  const auto n = static_cast<Eigen::Index>(rows.size());
  Matrix k = part_of_w(w, rows);
  Vector q(n), scale(n);
  const double largest = k.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < n; ++i) {
    q[i] = problem.free_velocity[rows[static_cast<std::size_t>(i)].row];
    scale[i] = k(i, i) > 1e-12 * largest ? 1 / std::sqrt(k(i, i)) : largest > 0 ? 1 / std::sqrt(largest) : 1;
  }
  k = scale.asDiagonal() * k * scale.asDiagonal();
  q = scale.cwiseProduct(q);
  Matrix regular = k;
  regular.diagonal().array() += kAddedToDiagonal;
  const Vector stress = self_stress(k, q, rows, least_bounded(regular, q, rows));
  if (!(stress.norm() > kNegligiblePart * q.norm())) return std::nullopt;

  Contradiction found;
  found.impulse = Vector::Zero(w.rows());
  for (Eigen::Index i = 0; i < n; ++i) found.impulse[rows[static_cast<std::size_t>(i)].row] = scale[i] * stress[i];
  found.impulse /= found.impulse.lpNorm<Eigen::Infinity>();
  for (double& p : found.impulse)
    if (std::abs(p) < kNegligiblePart) p = 0;
  for (const Row& row : rows)
    if (found.impulse[row.row] != 0 && (found.contacts.empty() || found.contacts.back() != row.contact))
      found.contacts.push_back(row.contact);
  std::sort(found.contacts.begin(), found.contacts.end());
  found.contacts.erase(std::unique(found.contacts.begin(), found.contacts.end()), found.contacts.end());
  const double power = -found.impulse.dot(problem.free_velocity);
  const Vector velocity = turned_product(w, found.impulse);
  found.closing = power / found.impulse.lpNorm<1>();
  found.beyond = power / velocity.norm();
  // W p = 0 as far as numbers tell: light bodies under heavy ones have a W p that is small, and a solution. |W_ij| is at
  // most √(W_ii W_jj).
  double adds_up = 0;
  Vector diagonal(w.rows());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    diagonal.segment(w.offset(i), w.rows(i)) = w.diagonal(i).diagonal();
  for (Eigen::Index i = 0; i < w.rows(); ++i) adds_up += std::sqrt(diagonal[i]) * std::abs(found.impulse[i]);
  for (Eigen::Index i = 0; i < w.rows(); ++i)
    if (!(std::abs(velocity[i]) <= kRounding * std::sqrt(diagonal[i]) * adds_up)) return std::nullopt;
  // And the power is not rounding either.
  const double rounding = found.impulse.cwiseAbs().dot(problem.free_velocity.cwiseAbs());
  const double natural = problem.free_velocity.lpNorm<Eigen::Infinity>() * scale.squaredNorm();
  if (!(power > kNegligiblePart * rounding) || !(found.beyond > kProvenFor * natural)) return std::nullopt;
  return found;
}

}  // namespace slipset::internal
