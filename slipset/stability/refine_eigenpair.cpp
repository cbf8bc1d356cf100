#include "slipset/stability/refine_eigenpair.hpp"

#include <fmt/format.h>

#include <Eigen/SparseLU>
#include <cmath>

#include "slipset/stability/internal/quadratic_form.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using ComplexSparse = Eigen::SparseMatrix<Complex>;

constexpr double kEps = std::numeric_limits<double>::epsilon();

ComplexSparse value_at(const QuadraticProblem& p, Complex value) {
  return value * value * p.mass.cast<Complex>() + value * p.damping.cast<Complex>() + p.stiffness.cast<Complex>();
}

ComplexSparse slope_at(const QuadraticProblem& p, Complex value) {
  return 2.0 * value * p.mass.cast<Complex>() + p.damping.cast<Complex>();
}

}  // namespace

bool refine_eigenpair(const QuadraticProblem& problem, Eigenpair& pair, double reach) {
  if (pair.right.size() != problem.size() || (pair.left.size() != 0 && pair.left.size() != problem.size()))
    throw InvalidInput(
        fmt::format("an eigenvector of {} numbers for a problem with {} rows", pair.right.size(), problem.size()));
  if (!(reach > 0)) throw InvalidInput("the reach of the refinement of an eigenpair must be positive");
  const internal::QuadraticForm form(problem);
  Eigenpair better = pair;
  if (better.left.size() == 0) better.left = better.right.conjugate();
  Eigen::SparseLU<ComplexSparse> lu;
  double last = std::numeric_limits<double>::infinity();
  bool settled = false;
  for (int i = 0; i < 12; ++i) {
    // Where λ is right to the last bit Q(λ) is singular; beside it the vectors converge as well.
    for (const double beside : {0.0, 1e-10}) {
      ComplexSparse q = value_at(problem, better.value * (1 + beside));
      q.makeCompressed();
      if (i == 0) lu.analyzePattern(q);
      lu.factorize(q);
      if (lu.info() == Eigen::Success) break;
    }
    if (lu.info() != Eigen::Success) return false;
    const ComplexSparse slope = slope_at(problem, better.value);
    const Eigen::VectorXcd right = lu.solve(Eigen::VectorXcd(slope * better.right)),
                           left = lu.adjoint().solve(Eigen::VectorXcd(slope.adjoint() * better.left));
    if (!right.allFinite() || !left.allFinite()) return false;
    better.right = right;
    better.left = left;
    const Complex before = better.value;
    form.refine(better);
    if (pair.value.imag() == 0) better.value = better.value.real();
    const double step = std::abs(better.value - before);
    if (!(std::abs(better.value - pair.value) <= reach)) return false;
    settled = step <= 2 * kEps * std::abs(better.value) || (step < 1e-12 * std::abs(better.value) && step >= last);
    if (settled) break;
    last = step;
  }
  if (!settled) return false;
  form.finish(better);
  if (!(better.backward_error < 1e-10)) return false;
  pair = std::move(better);
  return true;
}

}  // namespace slipset
