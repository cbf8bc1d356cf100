// The dense way: all eigenvalues of a first-order form, of which those in the box are refined (F.15).
#include "slipset/stability/spectrum.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>

#include "slipset/core/dense.hpp"
#include "slipset/core/internal/balance.hpp"
#include "slipset/stability/refine_eigenpair.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

// ẋ = A x with x = (u, u̇, z): z are the unknowns without mass.
struct FirstOrder {
  std::vector<Index> heavy, light;
  MatrixX matrix;
};

FirstOrder first_order(const QuadraticProblem& p) {
  FirstOrder form;
  const VectorX diagonal = p.mass.diagonal();
  for (Index i = 0; i < diagonal.size(); ++i) (diagonal[i] != 0 ? form.heavy : form.light).push_back(i);
  const auto m = static_cast<Index>(form.heavy.size()), l = static_cast<Index>(form.light.size()), n = m + l;
  std::vector<Index> order = form.heavy;
  order.insert(order.end(), form.light.begin(), form.light.end());
  const auto sorted = [&](const Eigen::SparseMatrix<double>& a) {
    const MatrixX dense(a);
    return MatrixX(dense(order, order));
  };
  const MatrixX damping = sorted(p.damping), stiffness = sorted(p.stiffness);
  MatrixX rates = sorted(p.mass);
  rates.rightCols(l) = damping.rightCols(l);
  MatrixX forces(n, n + m);
  forces << -stiffness.leftCols(m), -damping.leftCols(m), -stiffness.rightCols(l);
  const Eigen::PartialPivLU<MatrixX> lu(rates);
  const MatrixX solved = lu.solve(forces);
  if (!solved.allFinite() || !(lu.rcond() > 1e-3 * std::numeric_limits<double>::epsilon()))
    throw InvalidInput("modes: the mass matrix is singular, or D where there is no mass; give every motion a mass");
  form.matrix = MatrixX::Zero(n + m, n + m);
  form.matrix.block(0, m, m, m).setIdentity();
  form.matrix.bottomRows(n) = solved;
  return form;
}

Eigen::VectorXcd unknowns_of(const FirstOrder& form, const Eigen::VectorXcd& state) {
  const auto m = static_cast<Index>(form.heavy.size()), l = static_cast<Index>(form.light.size());
  Eigen::VectorXcd x(m + l);
  x(form.heavy) = state.head(m);
  x(form.light) = state.tail(l);
  return x;
}

bool is_same(const Eigenpair& a, const Eigenpair& b) {
  return std::abs(a.value - b.value) <= 1e-9 * std::abs(a.value) && std::abs(a.right.dot(b.right)) > 1 - 1e-6;
}

Spectrum dense_way(const QuadraticProblem& problem, const SpectrumBox& box) {
  Spectrum spectrum;
  spectrum.report.method = SpectrumMethod::dense;
  FirstOrder form = first_order(problem);
  VectorX scale;
  internal::balance(form.matrix, scale);
  GeneralEigen solver;
  solver.compute(form.matrix);
  const Eigen::VectorXcd& values = solver.values();
  if (!values.allFinite())
    throw InvalidInput("modes: the eigenvalues were not found; the matrices are beyond the range of numbers");
  const Eigen::MatrixXcd vectors = solver.vectors();
  const double error = 1e-12 * form.matrix.norm();
  int lost = 0;
  for (Index i = 0; i < values.size(); ++i) {
    if (values[i].imag() < 0) continue;
    const double margin = error + 1e-3 * std::abs(values[i]);
    const SpectrumBox wider{box.growth_from - margin, box.growth_to + margin, box.frequency_from - margin,
                            box.frequency_to + margin};
    if (!wider.contains(values[i])) continue;
    Eigenpair pair;
    pair.value = values[i];
    const Eigen::VectorXcd state = scale.asDiagonal() * vectors.col(i);
    pair.right = unknowns_of(form, state / state.cwiseAbs().maxCoeff()).normalized();
    if (!refine_eigenpair(problem, pair, 2 * margin)) {
      lost += box.contains(values[i]);
      continue;
    }
    const bool again = std::any_of(spectrum.pairs.begin(), spectrum.pairs.end(),
                                   [&](const Eigenpair& other) { return is_same(other, pair); });
    if (again)
      ++lost;
    else if (box.contains(pair.value))
      spectrum.pairs.push_back(std::move(pair));
  }
  spectrum.report.complete = lost == 0;  // all eigenvalues of the problem were computed
  if (lost > 0) spectrum.report.reason = fmt::format("{} eigenvalues could not be refined to rounding", lost);
  std::stable_sort(spectrum.pairs.begin(), spectrum.pairs.end(),
                   [](const Eigenpair& a, const Eigenpair& b) { return a.value.real() > b.value.real(); });
  return spectrum;
}

}  // namespace

void require_valid(const QuadraticProblem& problem, const SpectrumBox& box) {
  const Index n = problem.size();
  for (const Eigen::SparseMatrix<double>* a : {&problem.mass, &problem.damping, &problem.stiffness})
    if (a->rows() != n || a->cols() != n)
      throw InvalidInput(
          fmt::format("modes: the matrices have different sizes ({} x {} and {} x {})", a->rows(), a->cols(), n, n));
  if (!(box.growth_from < box.growth_to && box.frequency_from < box.frequency_to && box.frequency_from >= 0))
    throw InvalidInput(
        fmt::format("modes: the box from {} to {} 1/s and from {} to {} rad/s is empty; give two different numbers "
                    "each, the smaller one first, frequencies not below 0",
                    box.growth_from, box.growth_to, box.frequency_from, box.frequency_to));
}

Spectrum eigenvalues_in_box_dense(const QuadraticProblem& problem, const SpectrumBox& box, const SpectrumOptions&) {
  require_valid(problem, box);
  return dense_way(problem, box);
}

}  // namespace slipset
