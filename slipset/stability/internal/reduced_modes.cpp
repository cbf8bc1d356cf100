#include "slipset/stability/internal/reduced_modes.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace slipset::internal {
namespace {

using Complex = std::complex<double>;
using Sparse = Eigen::SparseMatrix<double>;
using Index = Eigen::Index;

constexpr double kNew = 1e-10;    // of a vector of unit length, that is not in the span
constexpr double kError = 1e-10;  // of a value, over its size; estimates are ten times too large, or more

// What is left of a vector of unit length beside orthonormal columns, made of unit length; the length it had.
double remainder(const Eigen::MatrixXcd& basis, Eigen::VectorXcd& x) {
  x /= x.norm();
  double length = 1;
  for (int pass = 0; pass < 3;
       ++pass) {  // what is left may be nothing but rounding: then it is a direction like any other
    x -= basis * (basis.adjoint() * x).eval();
    const double now = x.norm();
    length *= now;
    if (!(now > 0)) return 0;
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

// Coordinates from before the basis grew.
Eigen::VectorXcd extended(const Eigen::VectorXcd& a, Index size) {
  Eigen::VectorXcd all = Eigen::VectorXcd::Zero(size);
  all.head(a.size()) = a;
  return all;
}

}  // namespace

double likeness(const ReducedPair& a, const ReducedPair& b) {
  const Index common = std::min(a.right.size(), b.right.size());
  return std::abs(a.right.head(common).dot(b.right.head(common)));
}

double size_in(const SpectrumBox& box, Complex value) {
  const double widest = std::max({std::abs(box.growth_from), std::abs(box.growth_to), box.frequency_to});
  return std::max(std::abs(value), 1e-3 * widest);
}

ReducedModes::ReducedModes(QuadraticProblem base, const SpectrumBox& box)
    : base_(std::move(base)), box_(box), right_(base_.size(), 0), left_(base_.size(), 0) {}

ReducedPair ReducedModes::add(const Eigenpair& pair) {
  if (pair.right.size() != base_.size() || pair.left.size() != base_.size()) return {pair.value, {}, {}, pair.rounding};
  Eigen::VectorXcd x = pair.right, y = pair.left;
  const double from_right = remainder(right_, x), from_left = remainder(left_, y);
  if (std::max(from_right, from_left) > kNew && std::min(from_right, from_left) > 0 && size() < base_.size()) {
    right_.conservativeResize(Eigen::NoChange, size() + 1);
    left_.conservativeResize(Eigen::NoChange, left_.cols() + 1);
    right_.rightCols<1>() = x;
    left_.rightCols<1>() = y;
    extend(of_base_.mass, base_.mass, right_, left_);
    extend(of_base_.damping, base_.damping, right_, left_);
    extend(of_base_.stiffness, base_.stiffness, right_, left_);
  }
  return coordinates(pair);
}

ReducedPair ReducedModes::coordinates(const Eigenpair& pair) const {
  return {pair.value, (right_.adjoint() * pair.right).stableNormalized(),
          (left_.adjoint() * pair.left).stableNormalized(), pair.rounding};
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

void ReducedModes::move_to(QuadraticProblem problem) {
  if (problem.size() != base_.size()) throw InvalidInput("sweep: the number of unknowns changes with the parameter");
  problem_ = std::move(problem);
  form_.emplace(problem_);
  project_again();
}

void ReducedModes::project_again() {
  if (size() == 0) return;
  here_.mass = of_base_.mass + difference(base_.mass, problem_.mass);
  here_.damping = of_base_.damping + difference(base_.damping, problem_.damping);
  here_.stiffness = of_base_.stiffness + difference(base_.stiffness, problem_.stiffness);
  sizes_ = {here_.mass.norm(), here_.damping.norm(), here_.stiffness.norm()};
}

// Inverse iteration on both sides, with the root of bᴴQ(λ)a between: one factorisation while the residuals fall quickly.
bool ReducedModes::iterate(Complex& value, Eigen::VectorXcd& a, Eigen::VectorXcd& b, Complex near, double reach) const {
  constexpr int kFactorisations = 6, kSteps = 8;
  constexpr double kResidual = 1e-13, kQuick = 0.05;
  const auto& [mass, damping, stiffness] = here_;
  Eigen::VectorXcd mass_a = mass * a, damping_a = damping * a, mass_b = mass.adjoint() * b,
                   damping_b = damping.adjoint() * b;
  for (int i = 0; i < kFactorisations; ++i) {
    const Complex beside = value + 1e-11 * size_in(box_, value);  // on the eigenvalue it would be singular
    const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(beside * beside * mass + beside * damping + stiffness);
    double last = INFINITY;
    for (int step = 0; step < kSteps; ++step) {
      // Of an eigenpair, Q(σ)a = (σ - λ)((σ + λ)M + D)a: it stays, also if σ is not λ.
      const Complex sum = beside + value;
      a = lu.solve(Eigen::VectorXcd(sum * mass_a + damping_a));
      b = lu.adjoint().solve(Eigen::VectorXcd(std::conj(sum) * mass_b + damping_b));
      if (!a.allFinite() || !b.allFinite()) return false;
      a.stableNormalize();
      b.stableNormalize();
      mass_a = mass * a;
      damping_a = damping * a;
      mass_b = mass.adjoint() * b;
      damping_b = damping.adjoint() * b;
      const Eigen::VectorXcd stiffness_a = stiffness * a, stiffness_b = stiffness.adjoint() * b;
      const Complex second = b.dot(mass_a), first = b.dot(damping_a), none = b.dot(stiffness_a);
      const Complex before = value;
      for (int newton = 0; newton < 4; ++newton)
        value -= ((second * value + first) * value + none) / (2.0 * second * value + first);
      if (!(std::abs(value - near) <= reach)) return false;
      const double of_a = (value * value * mass_a + value * damping_a + stiffness_a).norm();
      const double of_b = (std::conj(value) * (std::conj(value) * mass_b + damping_b) + stiffness_b).norm();
      const double size = std::abs(value),
                   residual = std::max(of_a, of_b) / ((size * sizes_.mass + sizes_.damping) * size + sizes_.stiffness);
      if (residual <= kResidual && std::abs(value - before) <= 1e-12 * size_in(box_, value)) return true;
      if (residual > kQuick * last) break;
      last = residual;
    }
  }
  return false;
}

bool ReducedModes::find(ReducedPair& pair, double reach) const {
  const Index k = here_.mass.rows();
  if (k == 0 || k != size() || pair.left.size() == 0) return false;
  Complex value = pair.value;
  Eigen::VectorXcd a = extended(pair.right, k), b = extended(pair.left, k);
  if (!iterate(value, a, b, pair.value, reach)) return false;
  Eigenpair found;
  found.value = value;
  found.right = right_ * a;
  found.left = left_ * b;
  const double size = size_in(box_, found.value);
  // Modes that are not in the span are outside the box; beside its edge they may be closer than elsewhere.
  const double to_edge = std::min({found.value.real() - box_.growth_from, box_.growth_to - found.value.real(),
                                   box_.frequency_to - found.value.imag(),
                                   box_.frequency_from > 0 ? found.value.imag() - box_.frequency_from : INFINITY});
  const double error = form_->refine_in_span(found, std::max(to_edge, 0.01 * size));
  if (!(error <= kError * size)) return false;
  found.rounding = std::max(found.rounding, error);
  // A real one has got an imaginary part of rounding; what is below the axis is the other of a pair.
  if (std::abs(found.value.imag()) <= std::max(4 * found.rounding, 1e-13 * size)) found.value = found.value.real();
  if (found.value.imag() < 0) return false;
  if (!(std::abs(found.value - pair.value) <= reach)) return false;
  pair = {found.value, std::move(a), std::move(b), found.rounding};
  return true;
}

Eigenpair ReducedModes::whole(const ReducedPair& pair) const {
  Eigenpair all;
  all.value = pair.value;
  all.rounding = pair.rounding;
  all.right = right_.leftCols(pair.right.size()) * pair.right;
  all.left = left_.leftCols(pair.left.size()) * pair.left;
  return all;
}

}  // namespace slipset::internal
