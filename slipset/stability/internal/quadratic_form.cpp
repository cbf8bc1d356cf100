#include "slipset/stability/internal/quadratic_form.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <array>

namespace slipset::internal {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Complex = std::complex<double>;
using Long = std::complex<long double>;
using LongVector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
using Index = Eigen::Index;

// Of a pair that is as good as it can be.
constexpr double kBackwardError = 1e-14;
constexpr double kHalfUlp = std::numeric_limits<double>::epsilon() / 2;

// √(|A|₁|A|∞) ≥ |A|₂.
double norm_of(const Sparse& a) {
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(a.rows()), columns = Eigen::VectorXd::Zero(a.cols());
  for (Index j = 0; j < a.outerSize(); ++j)
    for (Sparse::InnerIterator entry(a, j); entry; ++entry) {
      rows[entry.row()] += std::abs(entry.value());
      columns[j] += std::abs(entry.value());
    }
  return a.size() == 0 ? 0 : std::sqrt(rows.maxCoeff() * columns.maxCoeff());
}

// Ax. std::complex would check for infinities in every product.
LongVector product(const Sparse& a, const Eigen::VectorXcd& x) {
  LongVector result = LongVector::Zero(a.rows());
  auto* out = reinterpret_cast<long double*>(result.data());
  for (Index j = 0; j < a.outerSize(); ++j) {
    const long double re = x[j].real(), im = x[j].imag();
    for (Sparse::InnerIterator entry(a, j); entry; ++entry) {
      const long double value = entry.value();
      out[2 * entry.row()] += value * re;
      out[2 * entry.row() + 1] += value * im;
    }
  }
  return result;
}

// yᴴv.
Long inner(const Eigen::VectorXcd& y, const LongVector& v) {
  long double re = 0, im = 0;
  for (Index i = 0; i < y.size(); ++i) {
    const long double a = y[i].real(), b = y[i].imag(), c = v[i].real(), d = v[i].imag();
    re += a * c + b * d;
    im += a * d - b * c;
  }
  return {re, im};
}

// |y|ᵀ|A||x|.
double size_of(const Sparse& a, const Eigen::VectorXd& y, const Eigen::VectorXd& x) {
  double sum = 0;
  for (Index j = 0; j < a.outerSize(); ++j) {
    double column = 0;
    for (Sparse::InnerIterator entry(a, j); entry; ++entry) column += std::abs(entry.value()) * y[entry.row()];
    sum += column * x[j];
  }
  return sum;
}

// The root of a₂ρ² + a₁ρ + a₀ next to `start`, by Newton's method, which has only to polish.
Long root_near(const std::array<Long, 3>& a, Long start) {
  Long root = start;
  for (int i = 0; i < 6; ++i) {
    const Long step = ((a[2] * root + a[1]) * root + a[0]) / (2.0L * a[2] * root + a[1]);
    if (!(std::isfinite(step.real()) && std::isfinite(step.imag()))) return start;
    root -= step;
    if (std::abs(step) <= 1e-19L * std::abs(root)) break;
  }
  return root;
}

Complex to_double(Long x) { return {static_cast<double>(x.real()), static_cast<double>(x.imag())}; }

// The t of first·t + second·t² = rounded: a double eigenvalue with one vector moves with the root.
double moved_by(double rounded, double first, double second) {
  return rounded == 0 ? 0 : 2 * rounded / (first + std::sqrt(first * first + 4 * second * rounded));
}

// What one pass over the entries of A gives for a pair.
struct BothProducts {
  BothProducts(const Sparse& a, const Eigen::VectorXcd& x, const Eigen::VectorXcd& y);

  Eigen::VectorXcd right, left;  // Ax, Aᵀȳ
  Long form = 0;                 // yᴴAx
  double size = 0;               // |y|ᵀ|A||x|
};

BothProducts::BothProducts(const Sparse& a, const Eigen::VectorXcd& x, const Eigen::VectorXcd& y)
    : right(Eigen::VectorXcd::Zero(a.rows())), left(a.cols()) {
  const Eigen::VectorXd sizes = y.cwiseAbs();
  const auto* from = reinterpret_cast<const double*>(y.data());
  auto* out = reinterpret_cast<double*>(right.data());
  long double form_re = 0, form_im = 0;
  for (Index j = 0; j < a.outerSize(); ++j) {
    const double re = x[j].real(), im = x[j].imag();
    long double left_re = 0, left_im = 0;
    double column = 0;
    for (Sparse::InnerIterator entry(a, j); entry; ++entry) {
      const Index i = entry.row();
      const double value = entry.value();
      out[2 * i] += value * re;
      out[2 * i + 1] += value * im;
      left_re += static_cast<long double>(value) * from[2 * i];
      left_im -= static_cast<long double>(value) * from[2 * i + 1];
      column += std::abs(value) * sizes[i];
    }
    left[j] = {static_cast<double>(left_re), static_cast<double>(left_im)};
    form_re += left_re * re - left_im * im;
    form_im += left_re * im + left_im * re;
    size += column * std::abs(x[j]);
  }
  form = {form_re, form_im};
}

}  // namespace

QuadraticForm::QuadraticForm(const QuadraticProblem& problem)
    : problem_(problem),
      mass_(norm_of(problem.mass)),
      damping_(norm_of(problem.damping)),
      stiffness_(norm_of(problem.stiffness)),
      masses_(problem.mass.diagonal()),
      dampings_(problem.damping.diagonal()),
      springs_(problem.stiffness.diagonal()) {}

struct QuadraticForm::Products {
  LongVector mass, damping, stiffness;  // Mx, Dx, Kx
};

QuadraticForm::Products QuadraticForm::products(const Eigenpair& pair) const {
  return {product(problem_.mass, pair.right), product(problem_.damping, pair.right),
          product(problem_.stiffness, pair.right)};
}

bool QuadraticForm::refine(std::span<Eigenpair* const> cluster) const {
  if (cluster.size() == 1) return refine(*cluster[0]);
  std::vector<Eigenpair> before;
  for (Eigenpair* pair : cluster) {
    finish(*pair);
    before.push_back(*pair);
  }
  bool refined = refine_values(cluster);
  // Of a defective eigenvalue, right and left vectors are orthogonal in the form, and the root means nothing.
  for (std::size_t i = 0; i < cluster.size() && refined; ++i)
    refined = cluster[i]->backward_error <= std::max(10 * before[i].backward_error, kBackwardError);
  if (refined) return true;
  // The computed ones surround it.
  Complex centre = 0;
  double spread = 0;
  for (const Eigenpair& pair : before) centre += pair.value / static_cast<double>(before.size());
  for (const Eigenpair& pair : before) spread = std::max(spread, std::abs(pair.value - centre));
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    *cluster[i] = std::move(before[i]);
    cluster[i]->rounding = std::max(cluster[i]->rounding, spread);
  }
  return false;
}

bool QuadraticForm::refine(Eigenpair& pair) const {
  normalise(pair);
  const Products of_right = products(pair);
  finish(pair, of_right);
  Eigenpair before = pair;
  refine_value(pair, of_right);
  if (pair.backward_error <= std::max(10 * before.backward_error, kBackwardError)) return true;
  pair = std::move(before);
  return false;
}

bool QuadraticForm::refine_values(std::span<Eigenpair* const> cluster) const {
  const Index m = static_cast<Index>(cluster.size());
  if (m > 1) {
    // Of the projected problem YᴴQ(c + t)X = A₀ + tA₁ + t²A₂, c amid the cluster, the last term is far below the others.
    Complex centre = 0;
    for (const Eigenpair* pair : cluster) centre += pair->value / static_cast<double>(m);
    const Long c = Long(centre.real(), centre.imag());
    LongMatrix a0(m, m), a1(m, m);
    for (Index j = 0; j < m; ++j) {
      const Eigen::VectorXcd& x = cluster[static_cast<std::size_t>(j)]->right;
      const LongVector mx = product(problem_.mass, x), dx = product(problem_.damping, x),
                       kx = product(problem_.stiffness, x);
      for (Index i = 0; i < m; ++i) {
        const Eigen::VectorXcd& y = cluster[static_cast<std::size_t>(i)]->left;
        const Long ym = inner(y, mx), yd = inner(y, dx), yk = inner(y, kx);
        a0(i, j) = (c * ym + yd) * c + yk;
        a1(i, j) = 2.0L * c * ym + yd;
      }
    }
    const Eigen::FullPivLU<LongMatrix> lu(a1);
    const long double largest = std::abs(lu.matrixLU()(0, 0)), least = std::abs(lu.matrixLU()(m - 1, m - 1));
    if (!(least > 1e-6L * largest)) return false;
    const LongMatrix inverse = lu.inverse(), t = inverse * a0;
    LongMatrix a = LongMatrix::Identity(m, m), w = inverse;  // columns of a: right; rows of w: left
    LongVector values = t.diagonal();
    const long double spread = (t - t.diagonal().mean() * LongMatrix::Identity(m, m)).norm();
    // Equal values: any basis will do, and that of a rounding error would be a bad one.
    if (spread > 1e-12L * std::abs(c)) {
      const Eigen::ComplexEigenSolver<LongMatrix> solver(t);
      const Eigen::FullPivLU<LongMatrix> vectors(solver.eigenvectors());
      if (solver.info() == Eigen::Success && vectors.rcond() > 1e-6L) {
        a = solver.eigenvectors();
        values = solver.eigenvalues();
        w = vectors.inverse() * inverse;
      }
    }
    Eigen::MatrixXcd x(problem_.size(), m), y(problem_.size(), m);
    for (Index j = 0; j < m; ++j) {
      x.col(j) = cluster[static_cast<std::size_t>(j)]->right;
      y.col(j) = cluster[static_cast<std::size_t>(j)]->left;
    }
    const Eigen::MatrixXcd to_x = a.unaryExpr(&to_double), to_y = w.adjoint().unaryExpr(&to_double);
    const Eigen::MatrixXcd new_x = x * to_x, new_y = y * to_y;
    for (Index j = 0; j < m; ++j) {
      Eigenpair& pair = *cluster[static_cast<std::size_t>(j)];
      pair.right = new_x.col(j);
      pair.left = new_y.col(j);
      pair.value = to_double(c - values[j]);
    }
  }
  for (Eigenpair* pair : cluster) {
    normalise(*pair);
    refine_value(*pair, products(*pair));
  }
  return true;
}

void QuadraticForm::refine_value(Eigenpair& pair, const Products& of_right) const {
  const std::array<Long, 3> a = {inner(pair.left, of_right.stiffness), inner(pair.left, of_right.damping),
                                 inner(pair.left, of_right.mass)};
  pair.value = to_double(root_near(a, Long(pair.value.real(), pair.value.imag())));
  finish(pair, of_right);
}

void QuadraticForm::normalise(Eigenpair& pair) {
  Index largest = 0;
  pair.right.cwiseAbs2().maxCoeff(&largest);
  pair.right *= std::conj(pair.right[largest]) / std::abs(pair.right[largest]);
  pair.right.stableNormalize();
  pair.right[largest] = pair.right[largest].real();
  if (pair.left.size() > 0) pair.left.stableNormalize();
}

void QuadraticForm::finish(Eigenpair& pair) const {
  normalise(pair);
  finish(pair, products(pair));
}

void QuadraticForm::finish(Eigenpair& pair, const Products& of_right) const {
  const auto& [mx, dx, kx] = of_right;
  const Long value(pair.value.real(), pair.value.imag());
  long double square = 0;
  for (Index i = 0; i < mx.size(); ++i) square += std::norm((value * mx[i] + dx[i]) * value + kx[i]);
  const double size = std::abs(pair.value), norm = (size * mass_ + damping_) * size + stiffness_;
  pair.backward_error = static_cast<double>(std::sqrt(square)) / norm;
  if (pair.left.size() == 0) return;
  const Eigen::VectorXd x = pair.right.cwiseAbs(), y = pair.left.cwiseAbs();
  const double second = static_cast<double>(std::abs(inner(pair.left, mx)));
  const double first = static_cast<double>(std::abs(2.0L * value * inner(pair.left, mx) + inner(pair.left, dx)));
  const double rounded = kHalfUlp * ((size * size_of(problem_.mass, y, x) + size_of(problem_.damping, y, x)) * size +
                                     size_of(problem_.stiffness, y, x));
  pair.condition = norm / (size * first);
  pair.rounding = moved_by(rounded, first, second);
}

double QuadraticForm::refine_in_span(Eigenpair& pair, double distance) const {
  pair.right.stableNormalize();
  pair.left.stableNormalize();
  const BothProducts mass(problem_.mass, pair.right, pair.left), damping(problem_.damping, pair.right, pair.left),
      stiffness(problem_.stiffness, pair.right, pair.left);
  pair.value =
      to_double(root_near({stiffness.form, damping.form, mass.form}, Long(pair.value.real(), pair.value.imag())));
  const Complex value = pair.value;
  const double size = std::abs(value);
  double right = 0, left = 0;
  for (Index i = 0; i < masses_.size(); ++i) {
    const Complex r = (value * mass.right[i] + damping.right[i]) * value + stiffness.right[i];
    const Complex s = (value * mass.left[i] + damping.left[i]) * value + stiffness.left[i];
    const double inertia =
        masses_[i] > 0 ? masses_[i] : std::abs(value * dampings_[i] + springs_[i]) / std::norm(value);
    if (r != 0.0) right += std::norm(r) / inertia;
    if (s != 0.0) left += std::norm(s) / inertia;
  }
  const double second = std::abs(to_double(mass.form));
  const double first = std::abs(2.0 * value * to_double(mass.form) + to_double(damping.form));
  pair.rounding = moved_by(kHalfUlp * ((size * mass.size + damping.size) * size + stiffness.size), first, second);
  return std::sqrt(right * left) / (distance * std::max(2 * size, distance) * first);
}

}  // namespace slipset::internal
