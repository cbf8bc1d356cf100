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

// Q(s·size) with an s at which it is regular.
struct Inverted {
  double s = 0, regular = 0;  // one over the condition, where Q is a difference also that of what it is one of
  Eigen::PartialPivLU<MatrixX> lu;

  Inverted(const DenseProblem& dense, double size) {
    for (const double candidate : {0.7, 0.83, 0.57, 0.91}) {
      const double at = candidate * size;
      const MatrixX q = dense.at(at);
      const Eigen::PartialPivLU<MatrixX> here(q);
      const double whole =
          (at * at * dense.mass.cwiseAbs() + at * dense.damping.cwiseAbs() + dense.stiffness.cwiseAbs()).norm();
      const double quality = here.rcond() * (q.norm() / whole);
      if (s != 0 && !(quality > regular)) continue;
      s = candidate;
      lu = here;
      regular = quality;
      if (regular > 1e-10) return;
    }
  }
};

// All of them; those that are small beside `size` are inexact.
std::vector<internal::Found> all_eigenpairs(const DenseProblem& dense, double size, const Inverted& about,
                                            const SpectrumBox& region, const internal::QuadraticForm& form) {
  const Index n = dense.rows.size();
  const double s = about.s;
  const auto& lu = about.lu;
  const MatrixX mass = size * size * dense.mass, slope = size * dense.damping + s * mass;
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
        "the eigenvalues were not found: K + sD + s²M is singular for every real s that was tried, or beyond the range "
        "of numbers; check for displacements without mass, damping and stiffness, and the matrices' units");
  const Eigen::MatrixXcd right = scale.asDiagonal() * solver.vectors();
  const Eigen::MatrixXcd inverse = Eigen::PartialPivLU<Eigen::MatrixXcd>(right).inverse();
  std::vector<internal::Found> found;
  std::vector<bool> of_pair;
  for (Index i = 0; i < 2 * n; ++i) {
    const Complex inverted_value = solver.values()[i];
    if (std::abs(inverted_value) < 1e-12) continue;  // infinite
    internal::Found one;
    one.pair.value = size * (s + 1.0 / inverted_value);
    if (one.pair.value.imag() < 0) continue;  // the other of a pair
    of_pair.push_back(one.pair.value.imag() > 0);
    const bool inside = region.contains(one.pair.value);
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
  std::vector<const Eigenpair*> pairs;
  for (const internal::Found& one : found) pairs.push_back(&one.pair);
  for (const std::vector<std::size_t>& group : internal::clusters_of(pairs)) {
    std::vector<Eigenpair*> cluster;
    bool two_sided = true;
    for (std::size_t i : group) {
      cluster.push_back(&found[i].pair);
      two_sided = two_sided && found[i].pair.left.size() > 0;
    }
    if (two_sided) {
      form.refine(cluster);
      // The vectors of one eigenvalue alone, too. Its value is right already: others are farther away than this.
      if (cluster.size() == 1) refine_eigenpair(form.problem(), *cluster[0], 1e-7 * std::abs(cluster[0]->value));
    } else
      for (Eigenpair* pair : cluster) form.finish(*pair);
  }
  // A pair that is on the real axis to within its rounding is a double real eigenvalue.
  for (std::size_t i = 0; i < of_pair.size(); ++i)
    if (of_pair[i] && internal::is_real(found[i].pair)) {
      found[i].pair.value = found[i].pair.value.real();
      found.push_back(found[i]);
    }
  return found;
}

// Eigenvalues of all sizes: each run has those that are not small beside its own size.
std::vector<internal::Found> eigenpairs_of_all_sizes(const QuadraticProblem& problem, double size,
                                                     const SpectrumBox& region, const internal::QuadraticForm& form,
                                                     int& runs) {
  constexpr double kSmall = 1e-5;
  constexpr int kMostRuns = 6;
  std::vector<internal::Found> all, small;
  for (runs = 0; runs < kMostRuns; size *= kSmall) {
    const DenseProblem dense(problem, size);
    const Inverted about(dense, size);
    if (runs > 0 && !(about.regular > 1e-13)) break;  // smaller than that is zero
    ++runs;
    small.clear();
    bool small_ones = false;
    for (internal::Found& one : all_eigenpairs(dense, size, about, region, form)) {
      const double magnitude = std::abs(one.pair.value);
      if (runs > 1 && magnitude > 2 * size) continue;
      one.run = runs;
      one.distance = magnitude / size;
      small_ones = small_ones || magnitude < kSmall * size;
      (magnitude < kSmall / 2 * size ? small : all).push_back(std::move(one));
    }
    if (!small_ones) break;
  }
  for (internal::Found& one : small) all.push_back(std::move(one));
  return runs == 1 ? all : internal::merge(std::move(all), form);
}

}  // namespace

Spectrum eigenvalues_in_box_dense(const QuadraticProblem& problem, const SpectrumBox& box,
                                  const SpectrumOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  require_valid(problem, box);
  require_valid(options);
  const double farthest = std::hypot(std::max(std::abs(box.growth_from), std::abs(box.growth_to)), box.frequency_to);
  const double own = own_size(problem);  // a box may be much larger than all eigenvalues
  const double size = own > 0 && own < farthest ? own : farthest;
  const DenseProblem dense(problem, size);
  const internal::QuadraticForm form(problem);
  Spectrum spectrum;
  SpectrumReport& report = spectrum.report;
  report.method = SpectrumMethod::dense;
  std::vector<internal::Found> found =
      eigenpairs_of_all_sizes(problem, size, internal::with_vectors(box, options.around), form, report.factorisations);
  internal::settle_real_axis(found);
  // A wrong value would look like an answer, and one that is missing shows in the count.
  std::erase_if(
      found, [](const internal::Found& one) { return one.pair.left.size() > 0 && !(one.pair.backward_error < 1e-9); });
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
    const auto stop = [&] { return report.stopped = options.stop && options.stop(); };
    internal::RootCount count(determinants, options.most_determinants, stop);
    prove(count, box, found, report);
    report.factorisations += count.determinants();
  } else {
    report.reason = "not counted, as asked for";
  }
  internal::put_pairs(box, std::move(found), options.around, spectrum);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return spectrum;
}

}  // namespace slipset
