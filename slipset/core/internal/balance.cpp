#include "slipset/core/internal/balance.hpp"

#include <cmath>

namespace slipset::internal {

// Parlett and Reinsch's, as LAPACK's gebal without permutations.
void balance(MatrixX& a, VectorX& d) {
  const Eigen::Index n = a.rows();
  d.setOnes(n);
  bool changed = a.allFinite();
  for (int sweep = 0; changed && sweep < 100; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      double column = 0, row = 0;
      for (Eigen::Index j = 0; j < n; ++j)
        if (j != i) {
          column = std::max(column, std::abs(a(j, i)));
          row = std::max(row, std::abs(a(i, j)));
        }
      if (column == 0 || row == 0) continue;
      const double factor = std::exp2(std::round((std::log2(row) - std::log2(column)) / 2));
      if (factor == 1 || !std::isfinite(d[i] * factor) || d[i] * factor == 0) continue;
      a.col(i) *= factor;
      a.row(i) /= factor;
      d[i] *= factor;
      changed = true;
    }
  }
}

}  // namespace slipset::internal
