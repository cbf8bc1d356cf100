#include "slipset/stability/internal/reduced_modes.hpp"

#include <Eigen/LU>
#include <array>

namespace slipset::internal {
namespace {

using Complex = std::complex<double>;
using Sparse = Eigen::SparseMatrix<double>;
using Index = Eigen::Index;

constexpr double kNew = 1e-7;     // of a vector of unit length, that is not in the span
constexpr double kExact = 1e-5;   // backward errors from right and left, each
constexpr double kError = 1e-12;  // of the value: their product times its condition

// What is left of a vector of unit length beside orthonormal columns; its length.
double remainder(const Eigen::MatrixXcd& basis, Eigen::VectorXcd& x) {
  x /= x.norm();
  double length = 1;
  for (int pass = 0; pass < 2 && length > kNew; ++pass) {
    x -= basis * (basis.adjoint() * x).eval();
    const double now = x.norm();
    length *= now;
    x /= now;
  }
  return length;
}

// A with one more row and column: WᴴAV for W and V that have got one more column each.
void extend(Eigen::MatrixXcd& projected, const Sparse& a, const Eigen::MatrixXcd& right, const Eigen::MatrixXcd& left) {
  const Index k = right.cols();
  projected.conservativeResize(k, k);
  const Eigen::VectorXcd column = a * right.col(k - 1), row = a.transpose() * left.col(k - 1);
  projected.col(k - 1) = left.adjoint() * column;
  projected.row(k - 1) = row.adjoint() * right;
}

}  // namespace

ReducedModes::ReducedModes(QuadraticProblem base)
    : base_(std::move(base)), right_(base_.size(), 0), left_(base_.size(), 0) {}

void ReducedModes::add(const std::vector<Eigenpair>& pairs) {
  for (const Eigenpair& pair : pairs) {
    if (pair.right.size() != base_.size() || pair.left.size() != base_.size() || size() == base_.size()) continue;
    Eigen::VectorXcd x = pair.right, y = pair.left;
    if (!(remainder(right_, x) > kNew) || !(remainder(left_, y) > kNew)) continue;
    right_.conservativeResize(Eigen::NoChange, size() + 1);
    left_.conservativeResize(Eigen::NoChange, left_.cols() + 1);
    right_.rightCols<1>() = x;
    left_.rightCols<1>() = y;
    extend(of_base_.mass, base_.mass, right_, left_);
    extend(of_base_.damping, base_.damping, right_, left_);
    extend(of_base_.stiffness, base_.stiffness, right_, left_);
  }
}

Eigen::MatrixXcd ReducedModes::difference(const Sparse& from, const Sparse& to) const {
  const Sparse changed = Sparse(to - from).pruned();
  std::vector<Index> rows;
  std::vector<Index> place(static_cast<std::size_t>(base_.size()), -1);
  for (Index j = 0; j < changed.outerSize(); ++j)
    for (Sparse::InnerIterator entry(changed, j); entry; ++entry)
      if (Index& at = place[static_cast<std::size_t>(entry.row())]; at < 0) {
        at = static_cast<Index>(rows.size());
        rows.push_back(entry.row());
      }
  Eigen::MatrixXcd product = Eigen::MatrixXcd::Zero(static_cast<Index>(rows.size()), size());
  for (Index j = 0; j < changed.outerSize(); ++j)
    for (Sparse::InnerIterator entry(changed, j); entry; ++entry)
      product.row(place[static_cast<std::size_t>(entry.row())]) += entry.value() * right_.row(j);
  Eigen::MatrixXcd left(static_cast<Index>(rows.size()), size());
  for (Index i = 0; i < left.rows(); ++i) left.row(i) = left_.row(rows[static_cast<std::size_t>(i)]);
  return left.adjoint() * product;
}

void ReducedModes::move_to(const QuadraticProblem& problem) {
  if (problem.size() != base_.size()) throw InvalidInput("sweep: the number of unknowns changes with the parameter");
  if (size() == 0) return;
  here_.mass = of_base_.mass + difference(base_.mass, problem.mass);
  here_.damping = of_base_.damping + difference(base_.damping, problem.damping);
  here_.stiffness = of_base_.stiffness + difference(base_.stiffness, problem.stiffness);
}

bool ReducedModes::find(const QuadraticForm& form, Eigenpair& pair, double reach) const {
  if (size() == 0 || pair.left.size() == 0) return false;
  Eigenpair found = pair;
  Eigen::VectorXcd a = right_.adjoint() * pair.right, b = left_.adjoint() * pair.left;
  bool settled = false;
  for (int i = 0; i < 15 && !settled; ++i) {
    const Complex beside = found.value * (1 + 1e-11);  // on the eigenvalue it would be singular
    const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(beside * beside * here_.mass + beside * here_.damping +
                                                   here_.stiffness);
    const Eigen::MatrixXcd slope = 2.0 * beside * here_.mass + here_.damping;
    a = lu.solve((slope * a).eval());
    b = lu.adjoint().solve((slope.adjoint() * b).eval());
    if (!a.allFinite() || !b.allFinite()) return false;
    a.stableNormalize();
    b.stableNormalize();
    const Complex second = b.dot(here_.mass * a), first = b.dot(here_.damping * a), none = b.dot(here_.stiffness * a);
    const Complex before = found.value;
    for (int k = 0; k < 4; ++k)
      found.value -= ((second * found.value + first) * found.value + none) / (2.0 * second * found.value + first);
    if (!(std::abs(found.value - pair.value) <= reach)) return false;
    settled = std::abs(found.value - before) <= 1e-12 * std::abs(found.value);
  }
  if (!settled) return false;
  found.right = right_ * a;
  found.left = left_ * b;
  Eigenpair* const alone[] = {&found};
  if (!form.refine(alone)) return false;
  const double from_right = found.backward_error, from_left = form.left_error(found);
  if (!(from_right < kExact && from_left < kExact && found.condition * from_right * from_left < kError)) return false;
  if (!(std::abs(found.value - pair.value) <= reach)) return false;
  pair = std::move(found);
  return true;
}

}  // namespace slipset::internal
