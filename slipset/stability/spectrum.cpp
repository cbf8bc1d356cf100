#include "slipset/stability/spectrum.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "slipset/stability/internal/clusters.hpp"

namespace slipset {

std::vector<std::vector<std::size_t>> multiple_eigenvalues(const std::vector<Eigenpair>& pairs) {
  std::vector<const Eigenpair*> all;
  for (const Eigenpair& pair : pairs) all.push_back(&pair);
  return internal::clusters_of(all);
}

void require_valid(const QuadraticProblem& problem, const SpectrumBox& box) {
  using Sparse = Eigen::SparseMatrix<double>;
  const Eigen::Index n = problem.size();
  if (n == 0) throw InvalidInput("the stiffness matrix is empty; give M, D and K of at least one row");
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(n), columns = Eigen::VectorXd::Zero(n);
  const std::array<std::pair<const char*, const Sparse*>, 3> matrices = {std::pair{"mass", &problem.mass},
                                                                         std::pair{"damping", &problem.damping},
                                                                         std::pair{"stiffness", &problem.stiffness}};
  for (const auto& [name, matrix] : matrices) {
    if (matrix->rows() != n || matrix->cols() != n)
      throw InvalidInput(
          fmt::format("the {} matrix is {} x {}, but the stiffness matrix has {} rows; all three must be "
                      "square and of one size",
                      name, matrix->rows(), matrix->cols(), n));
    for (Eigen::Index j = 0; j < n; ++j)
      for (Sparse::InnerIterator entry(*matrix, j); entry; ++entry) {
        if (!std::isfinite(entry.value()))
          throw InvalidInput(
              fmt::format("the {} matrix has {} in row {}, column {} (counted from 0); all entries must be "
                          "finite",
                          name, entry.value(), entry.row(), j));
        rows[entry.row()] += std::abs(entry.value());
        columns[j] += std::abs(entry.value());
      }
  }
  for (Eigen::Index i = 0; i < n; ++i)
    if (rows[i] == 0 || columns[i] == 0)
      throw InvalidInput(
          fmt::format("{} {} (counted from 0) of mass, damping and stiffness is zero: every number would be "
                      "an eigenvalue; remove this degree of freedom",
                      rows[i] == 0 ? "row" : "column", i));
  for (double bound : {box.growth_from, box.growth_to, box.frequency_from, box.frequency_to})
    require_finite(bound, "each bound of the box of eigenvalues");
  if (!(box.growth_from < box.growth_to))
    throw InvalidInput(fmt::format("the box of eigenvalues has growth rates from {} to {}; the second must be larger",
                                   box.growth_from, box.growth_to),
                       "growth");
  if (box.frequency_from < 0)
    throw InvalidInput(
        fmt::format("the box of eigenvalues begins at the frequency {}; begin at 0 or above, the rest are "
                    "conjugates",
                    box.frequency_from),
        "frequency");
  if (!(box.frequency_from < box.frequency_to))
    throw InvalidInput(fmt::format("the box of eigenvalues has frequencies from {} to {}; the second must be larger",
                                   box.frequency_from, box.frequency_to),
                       "frequency");
}

void require_valid(const SpectrumOptions& options) {
  if (!(options.tolerance >= 1e-14 && options.tolerance <= 1e-4))
    throw InvalidInput(fmt::format("the tolerance of the eigenvalues is {}; choose 1e-14 to 1e-4", options.tolerance),
                       "tolerance");
  if (!(options.around >= 0 && options.around <= 1))
    throw InvalidInput(fmt::format("around is {}; choose a part of the box's sides, 0 to 1", options.around), "around");
  if (options.eigenvalues_per_shift < 0 || options.most_shifts < 1 || options.most_determinants < 1 ||
      options.searches < 0 || options.ranks_per_group < 0 || options.threads < 0)
    throw InvalidInput(
        "an option of the spectrum is negative, or there is no shift or determinant at all; give "
        "eigenvalues_per_shift, searches, ranks_per_group and threads from 0 on, most_shifts and most_determinants "
        "from "
        "1 on");
}

}  // namespace slipset
