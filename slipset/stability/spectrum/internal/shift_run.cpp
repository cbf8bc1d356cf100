#include "slipset/stability/spectrum/internal/shift_run.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <chrono>
#include <exception>
#include <random>

#include "slipset/stability/spectrum/internal/krylov.hpp"

namespace slipset::internal {
namespace {

using Complex = std::complex<double>;

// On an eigenvalue Q is singular: a little beside it it is not. Singular everywhere, its rounding errors make it look
// regular, but not well conditioned.
constexpr double kSingular = 1e15;
// Backward errors of eigenpairs; of refined ones they are below 1e-13.
constexpr double kAccurate = 1e-9;

std::optional<Complex> factorise_near(ShiftedMatrix& matrix, Complex shift, double step) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (matrix.factorise(shift) && matrix.condition() < kSingular) return shift;
    shift += step * Complex(0.6, 0.8);
    step *= 3;
  }
  return std::nullopt;
}

// Vectors that span the invariant space of the m eigenvalues about `centre`, by inverse iteration with its own
// factorisation: where Krylov spaces of Q and Qᵀ did not find the same number.
// False where there is no such factorisation: next to zero with a matrix that is singular there.
bool span_cluster(ShiftedMatrix& matrix, Complex centre, std::vector<Eigenpair*>& cluster) {
  const auto m = static_cast<Eigen::Index>(cluster.size());
  double spread = 0;
  for (const Eigenpair* pair : cluster) spread = std::max(spread, std::abs(pair->value - centre));
  // At zero Q = K may be singular, and next to it as good as singular.
  const double at_zero = std::abs(centre) < 1e-6 * matrix.scale() ? 1e-6 * matrix.scale() : 0;
  const double step = std::max({10 * spread, 1e-7 * std::abs(centre), at_zero});
  if (!factorise_near(matrix, centre + step * Complex(0.8, 0.6), step)) return false;
  OwnedVec b = matrix.vector(), x = matrix.vector();
  std::mt19937_64 random(static_cast<unsigned>(m));
  std::uniform_real_distribution<double> number(-1, 1);
  for (const bool transposed : {false, true}) {
    Eigen::MatrixXcd block(matrix.size(), m);
    for (Eigen::Index j = 0; j < m; ++j)
      for (Complex& entry : block.col(j)) entry = {number(random), number(random)};
    for (int i = 0; i < 4; ++i) {
      for (Eigen::Index j = 0; j < m; ++j) {
        matrix.scatter(block.col(j), b);
        transposed ? matrix.solve_transposed(b, x) : matrix.solve(b, x);
        block.col(j) = matrix.gather(x);
        block.col(j).stableNormalize();
      }
      const Eigen::HouseholderQR<Eigen::MatrixXcd> qr(block);
      block = qr.householderQ() * Eigen::MatrixXcd::Identity(matrix.size(), m);
    }
    for (Eigen::Index j = 0; j < m; ++j) {
      Eigenpair& pair = *cluster[static_cast<std::size_t>(j)];
      if (transposed)
        pair.left = matrix.row_scales().asDiagonal() * block.col(j).conjugate();
      else
        pair.right = matrix.column_scales().asDiagonal() * block.col(j);
    }
  }
  return true;
}

void find(ShiftedMatrix& matrix, const QuadraticForm& form, const ShiftPlan& plan, ShiftResult& result) {
  const double step = 1e-4 * std::max(std::abs(plan.shift), 1e-3 * matrix.scale());
  const std::optional<Complex> factorised = factorise_near(matrix, plan.shift, step);
  if (!factorised)
    throw InvalidInput(
        fmt::format("K + λD + λ²M is singular near {:.6g} + {:.6g}i, and beside it; a part of the structure is without "
                    "mass, damping and stiffness, or a constraint is there twice",
                    plan.shift.real(), plan.shift.imag()));
  const Complex shift = *factorised;
  result.report.shift = shift;
  // Since Im σ ≥ 0, of a pair the upper one is nearer. What is below the axis is the other of one that is found.
  const double error = 1e-9 * std::max(std::abs(shift), 1e-3 * matrix.scale());
  const auto is_upper = [&](Complex value) { return value.imag() >= -std::max(8 * error, 1e-6 * std::abs(value)); };
  const SpectrumBox& region = plan.region;
  const auto keep = [&](Complex value) {
    return value.real() >= region.growth_from && value.real() <= region.growth_to &&
           value.imag() <= region.frequency_to &&
           (region.frequency_from == 0 ? is_upper(value) : value.imag() >= region.frequency_from);
  };
  const auto seed = static_cast<unsigned>(1000 + plan.run);
  Nearest right = nearest_eigenvalues(matrix, shift, plan.wanted, plan.tolerance, false, seed, keep);
  result.report.radius = right.radius;
  result.report.found = static_cast<int>(right.values.size());
  int farthest = 0;
  for (std::size_t i = 0; i < right.values.size(); ++i) {
    if (!is_upper(right.values[i])) continue;
    Found one;
    one.pair.value = right.values[i];
    one.pair.rounding = error;
    if (right.vectors[i].size() > 0) one.pair.right = matrix.column_scales().asDiagonal() * right.vectors[i];
    one.run = plan.run;
    one.distance = std::abs(right.values[i] - shift);
    if (one.pair.right.size() > 0) farthest = static_cast<int>(i) + 1;
    result.found.push_back(std::move(one));
  }
  if (farthest == 0) return;
  Nearest left = nearest_eigenvalues(matrix, shift, farthest, plan.tolerance, true, seed + 1, keep);
  std::vector<Eigenpair> lefts;
  for (std::size_t i = 0; i < left.values.size(); ++i) {
    if (left.vectors[i].size() == 0) continue;
    Eigenpair pair;
    pair.value = left.values[i];
    pair.rounding = error;
    pair.left = matrix.row_scales().asDiagonal() * left.vectors[i].conjugate();
    lefts.push_back(std::move(pair));
  }
  // Right and left ones of the same value belong together.
  std::vector<Eigenpair*> all;
  for (Found& one : result.found)
    if (one.pair.right.size() > 0) all.push_back(&one.pair);
  const std::size_t rights = all.size();
  for (Eigenpair& pair : lefts) all.push_back(&pair);
  std::vector<std::vector<Eigenpair*>> again;
  for (const std::vector<std::size_t>& group : clusters_of({all.begin(), all.end()})) {
    std::vector<Eigenpair*> cluster, others;
    for (std::size_t i : group) (i < rights ? cluster : others).push_back(all[i]);
    if (cluster.empty()) continue;
    if (cluster.size() != others.size()) {
      again.push_back(cluster);
      continue;
    }
    for (std::size_t i = 0; i < cluster.size(); ++i) cluster[i]->left = std::move(others[i]->left);
    form.refine(cluster);
    // What the Krylov space did not resolve, or is too small beside the shift for it.
    if (std::any_of(cluster.begin(), cluster.end(), [&](const Eigenpair* pair) {
          return !(pair->backward_error < kAccurate) || std::abs(pair->value) < 1e-5 * std::abs(shift);
        }))
      again.push_back(cluster);
  }
  for (std::vector<Eigenpair*>& cluster : again) {
    Complex centre = 0;
    for (const Eigenpair* pair : cluster) centre += pair->value / static_cast<double>(cluster.size());
    if (span_cluster(matrix, centre, cluster)) {
      form.refine(cluster);
    } else {
      for (Eigenpair* pair : cluster) form.finish(*pair);
    }
  }
  // What is still no eigenvalue is not one: the count tells if something is missing then.
  std::erase_if(result.found,
                [](const Found& one) { return one.pair.right.size() > 0 && !(one.pair.backward_error < kAccurate); });
}

}  // namespace

ShiftResult run_shift(ShiftedMatrix& matrix, const QuadraticForm& form, const ShiftPlan& plan) {
  const auto begin = std::chrono::steady_clock::now();
  ShiftResult result;
  result.report.shift = plan.shift;
  try {
    find(matrix, form, plan, result);
  } catch (const InvalidInput& problem) {
    result = {};
    result.report.shift = plan.shift;
    result.error = problem.what();
    result.invalid_input = true;
  } catch (const std::exception& problem) {
    result = {};
    result.report.shift = plan.shift;
    result.error = problem.what();
  }
  result.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace slipset::internal
