// The dense way. With λ = ρμ the companion pencil (A - μB) z = 0, z = (x, μx), is inverted about a real number s:
//   A = [0 I; -K -ρD],  B = [I 0; 0 ρ²M],  (A - sB)⁻¹B z = z/(μ - s)                                            (F.2)
// which is an ordinary eigenvalue problem of real numbers also where rows have no mass.
#include <fmt/format.h>

#include <Eigen/LU>
#include <chrono>

#include "slipset/core/dense.hpp"
#include "slipset/core/internal/balance.hpp"
#include "slipset/stability/internal/proof.hpp"
#include "slipset/stability/refine_eigenpair.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;

// Rows and columns of Q of about the same size at |λ| = size: units must not matter.
struct DenseProblem {
  MatrixX mass, damping, stiffness;
  VectorX rows, columns;

  DenseProblem(const QuadraticProblem& problem, double size)
      : mass(problem.mass), damping(problem.damping), stiffness(problem.stiffness) {
    const Index n = problem.size();
    rows = columns = VectorX::Ones(n);
    MatrixX sum = size * size * mass.cwiseAbs() + size * damping.cwiseAbs() + stiffness.cwiseAbs();
    for (int pass = 0; pass < 5; ++pass)
      for (Index i = 0; i < n; ++i) {
        const double row = power_of_two(1 / std::sqrt(sum.row(i).maxCoeff()));
        sum.row(i) *= row;
        rows[i] *= row;
        const double column = power_of_two(1 / std::sqrt(sum.col(i).maxCoeff()));
        sum.col(i) *= column;
        columns[i] *= column;
      }
    for (MatrixX* matrix : {&mass, &damping, &stiffness}) *matrix = rows.asDiagonal() * *matrix * columns.asDiagonal();
  }
  static double power_of_two(double x) { return std::exp2(std::round(std::log2(x))); }
  template <class Scalar>
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> at(Scalar value) const {
    return value * value * mass.cast<Scalar>() + value * damping.cast<Scalar>() + stiffness.cast<Scalar>();
  }
};

// An estimate of the largest |λ|, from the largest entries; ∞ without mass.
double own_size(const QuadraticProblem& problem) {
  const auto largest = [](const Eigen::SparseMatrix<double>& a) {
    double most = 0;
    for (Index j = 0; j < a.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(a, j); entry; ++entry)
        most = std::max(most, std::abs(entry.value()));
    return most;
  };
  const double mass = largest(problem.mass);
  return std::max(std::sqrt(largest(problem.stiffness) / mass), largest(problem.damping) / mass);
}

std::vector<internal::Found> all_eigenpairs(const DenseProblem& dense, double size, const SpectrumBox& region,
                                            const internal::QuadraticForm& form) {
  const Index n = dense.rows.size();
  const double s = 0.7;
  const MatrixX mass = size * size * dense.mass, slope = size * dense.damping + s * mass;
  const Eigen::PartialPivLU<MatrixX> lu(dense.at(s * size));
  MatrixX inverted(2 * n, 2 * n);
  inverted.topLeftCorner(n, n) = -lu.solve(slope);
  inverted.topRightCorner(n, n) = -lu.solve(mass);
  inverted.bottomRows(n) = s * inverted.topRows(n);
  inverted.bottomLeftCorner(n, n).diagonal().array() += 1;
  VectorX scale;
  internal::balance(inverted, scale);
  GeneralEigen solver;
  solver.compute(inverted);
  if (!solver.values().allFinite())
    throw InvalidInput(
        "the eigenvalues were not found: K + sD + s²M is singular for a real s, or beyond the range of numbers; check "
        "the matrices' units");
  const Eigen::MatrixXcd right = scale.asDiagonal() * solver.vectors();
  const Eigen::MatrixXcd inverse = Eigen::PartialPivLU<Eigen::MatrixXcd>(right).inverse();
  std::vector<internal::Found> found;
  for (Index i = 0; i < 2 * n; ++i) {
    const Complex inverted_value = solver.values()[i];
    if (std::abs(inverted_value) < 1e-12 || inverted_value.imag() > 0) continue;  // infinite; the other of a pair
    internal::Found one;
    one.pair.value = size * (s + 1.0 / inverted_value);
    const bool inside = internal::outermost(region, internal::kMargin).contains(one.pair.value);
    one.pair.right = dense.columns.asDiagonal() * right.col(i).head(n);
    // Of the row vᵀ with vᵀ(A - sB)⁻¹B = θvᵀ the row yᴴ, the second half of vᵀ(A - sB)⁻¹.
    const Eigen::VectorXcd v = inverse.row(i).transpose();
    const Eigen::VectorXcd sum = v.head(n) + s * v.tail(n);
    Eigen::VectorXcd y(n);
    y.real() = lu.transpose().solve(sum.real());
    y.imag() = lu.transpose().solve(sum.imag());
    one.pair.left = (dense.rows.asDiagonal() * y).conjugate();
    if (!inside || !one.pair.left.allFinite() || one.pair.left.isZero(0)) one.pair.left.resize(0);
    found.push_back(std::move(one));
  }
  std::vector<Eigenpair*> pairs;
  for (internal::Found& one : found) pairs.push_back(&one.pair);
  for (const std::vector<std::size_t>& group : internal::clusters_of(pairs)) {
    std::vector<Eigenpair*> cluster;
    bool two_sided = true;
    for (std::size_t i : group) {
      cluster.push_back(pairs[i]);
      two_sided = two_sided && pairs[i]->left.size() > 0;
    }
    if (two_sided) {
      form.refine(cluster);
      // The vectors of one eigenvalue alone, too. Its value is right already: others are farther away than this.
      if (cluster.size() == 1) refine_eigenpair(form.problem(), *cluster[0], 1e-7 * std::abs(cluster[0]->value));
    } else
      for (Eigenpair* pair : cluster) form.finish(*pair);
  }
  return found;
}

}  // namespace

Spectrum eigenvalues_in_box_dense(const QuadraticProblem& problem, const SpectrumBox& box,
                                  const SpectrumOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  require_valid(problem, box);
  const double farthest = std::hypot(std::max(std::abs(box.growth_from), std::abs(box.growth_to)), box.frequency_to);
  const double own = own_size(problem);  // a box may be much larger than all eigenvalues
  const double size = own > 0 && own < farthest ? own : farthest;
  const DenseProblem dense(problem, size);
  const internal::QuadraticForm form(problem);
  std::vector<internal::Found> found = all_eigenpairs(dense, size, box, form);
  internal::settle_real_axis(found);
  Spectrum spectrum;
  SpectrumReport& report = spectrum.report;
  report.method = SpectrumMethod::dense;
  report.factorisations = 1;
  if (options.prove) {
    const internal::LogDeterminants determinants = [&](const internal::Points& points) {
      internal::Points logs;
      for (const Complex& point : points) {
        const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(dense.at(point));
        Complex sum = lu.permutationP().determinant() < 0 ? Complex(0, std::acos(-1.0)) : Complex(0, 0);
        for (Index i = 0; i < dense.rows.size(); ++i) sum += std::log(lu.matrixLU()(i, i));
        logs.push_back(sum);
      }
      return logs;
    };
    internal::RootCount count(determinants, options.most_determinants, options.stop);
    prove(count, box, found, report);
    report.factorisations += count.determinants();
  } else {
    report.reason = "not counted, as asked for";
  }
  spectrum.pairs = internal::pairs_in(box, std::move(found));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return spectrum;
}

}  // namespace slipset
