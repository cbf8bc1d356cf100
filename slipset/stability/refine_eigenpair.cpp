#include "slipset/stability/refine_eigenpair.hpp"

#include <Eigen/SparseLU>
#include <algorithm>

#include "slipset/core/dense.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;
using ComplexSparse = Eigen::SparseMatrix<Complex>;

constexpr double kEps = std::numeric_limits<double>::epsilon();

ComplexSparse value_at(const QuadraticProblem& p, Complex value) {
  return value * value * p.mass.cast<Complex>() + value * p.damping.cast<Complex>() + p.stiffness.cast<Complex>();
}

ComplexSparse slope_at(const QuadraticProblem& p, Complex value) {
  return 2.0 * value * p.mass.cast<Complex>() + p.damping.cast<Complex>();
}

// A x with sums in long double, as pairs of reals: complex products of long double take care of infinities.
struct LongVector {
  Eigen::Matrix<long double, Eigen::Dynamic, 1> re, im;
};
LongVector product(const Sparse& a, const Eigen::VectorXcd& x) {
  LongVector y;
  y.re.setZero(a.rows());
  y.im.setZero(a.rows());
  for (Index j = 0; j < a.outerSize(); ++j)
    for (Sparse::InnerIterator it(a, j); it; ++it) {
      y.re[it.row()] += static_cast<long double>(it.value()) * static_cast<long double>(x[j].real());
      y.im[it.row()] += static_cast<long double>(it.value()) * static_cast<long double>(x[j].imag());
    }
  return y;
}

// Q(λ)x and Q'(λ)x.
struct Residual {
  LongVector value, slope;
};
Residual residual(const QuadraticProblem& p, Complex value, const Eigen::VectorXcd& x) {
  const LongVector m = product(p.mass, x), d = product(p.damping, x), k = product(p.stiffness, x);
  const long double re = value.real(), im = value.imag();
  Residual r;
  r.slope = {2 * (re * m.re - im * m.im) + d.re, 2 * (re * m.im + im * m.re) + d.im};
  const LongVector inner{re * m.re - im * m.im + d.re, re * m.im + im * m.re + d.im};
  r.value = {re * inner.re - im * inner.im + k.re, re * inner.im + im * inner.re + k.im};
  return r;
}

std::complex<long double> dot(const Eigen::VectorXcd& y, const LongVector& x) {
  long double re = 0, im = 0;
  for (Index i = 0; i < y.size(); ++i) {
    const long double a = y[i].real(), b = y[i].imag();
    re += a * x.re[i] + b * x.im[i];
    im += a * x.im[i] - b * x.re[i];
  }
  return {re, im};
}

double size_of(const Sparse& a) {  // largest sum of a column
  double most = 0;
  for (Index j = 0; j < a.outerSize(); ++j) {
    double sum = 0;
    for (Sparse::InnerIterator it(a, j); it; ++it) sum += std::abs(it.value());
    most = std::max(most, sum);
  }
  return most;
}

// Backward error and condition by norms; the rounding by entries, as it is those that are rounded.
void judge(const QuadraticProblem& p, Eigenpair& pair) {
  const double size = std::abs(pair.value);
  const Residual r = residual(p, pair.value, pair.right);
  const double whole = size * size * size_of(p.mass) + size * size_of(p.damping) + size_of(p.stiffness);
  const auto norm = static_cast<double>(std::sqrt(r.value.re.squaredNorm() + r.value.im.squaredNorm()));
  pair.backward_error = norm / whole;
  const VectorX x = pair.right.cwiseAbs(), y = pair.left.cwiseAbs();
  const double entries =
      y.dot(size * size * (p.mass.cwiseAbs() * x) + size * (p.damping.cwiseAbs() * x) + p.stiffness.cwiseAbs() * x);
  const auto bottom = static_cast<double>(std::abs(dot(pair.left, r.slope)));
  pair.condition = whole / (size * bottom);
  // A double eigenvalue with one vector moves with the root of an error.
  pair.rounding = std::min(8 * kEps * entries / bottom, std::sqrt(kEps) * size);
}

}  // namespace

bool refine_eigenpair(const QuadraticProblem& problem, Eigenpair& pair, double reach) {
  Eigenpair better = pair;
  if (better.left.size() == 0) better.left = better.right.conjugate();
  Eigen::SparseLU<ComplexSparse> lu;
  double last = std::numeric_limits<double>::infinity();
  const bool real = pair.value.imag() == 0;
  for (int i = 0; i < 12; ++i) {
    ComplexSparse q = value_at(problem, better.value);
    q.makeCompressed();
    if (i == 0) lu.analyzePattern(q);
    lu.factorize(q);
    if (lu.info() != Eigen::Success) break;  // exactly singular: λ is as good as it gets
    const ComplexSparse by_value = slope_at(problem, better.value);
    const Eigen::VectorXcd right = lu.solve(Eigen::VectorXcd(by_value * better.right)),
                           left = lu.adjoint().solve(Eigen::VectorXcd(by_value.adjoint() * better.left));
    if (!right.allFinite() || !left.allFinite()) break;
    better.right = (right / right.cwiseAbs().maxCoeff()).normalized();
    better.left = (left / left.cwiseAbs().maxCoeff()).normalized();
    const Residual r = residual(problem, better.value, better.right);
    const std::complex<long double> top = dot(better.left, r.value), bottom = dot(better.left, r.slope);
    const Complex step(top / bottom);
    if (!std::isfinite(std::abs(step))) return false;
    better.value -= real ? Complex(step.real()) : step;
    const double size = std::abs(step);
    if (!(std::abs(better.value - pair.value) <= reach)) return false;
    if (size <= 2 * kEps * std::abs(better.value) || (size < 1e-13 * std::abs(better.value) && size >= last)) break;
    last = size;
  }
  judge(problem, better);
  if (!(better.backward_error < 1e-10)) return false;
  pair = std::move(better);
  return true;
}

}  // namespace slipset
