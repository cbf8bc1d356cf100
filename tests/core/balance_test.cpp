#include "slipset/core/internal/balance.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace slipset;

namespace {

MatrixX balanced(const MatrixX& a, VectorX& d) {
  MatrixX b = a;
  internal::balance(b, d);
  return b;
}

}  // namespace

// A mass on a spring of 1e12 N/m with its displacement in metres: rows and columns of the same size, the same product.
TEST_CASE("balance: D⁻¹AD by powers of two, with rows and columns of about the same size") {
  MatrixX a(3, 3);
  a << 1, 1e12, 0, 1e-9, 2, 1e6, 3, 1e-3, 4;
  VectorX d;
  const MatrixX b = balanced(a, d);
  for (Eigen::Index i = 0; i < 3; ++i) {
    CHECK(std::exp2(std::round(std::log2(d[i]))) == d[i]);
    double row = 0, column = 0;
    for (Eigen::Index j = 0; j < 3; ++j) {
      CHECK(b(i, j) == a(i, j) / d[i] * d[j]);  // exact: only exponents change
      if (j == i) continue;
      row = std::fmax(row, std::abs(b(i, j)));
      column = std::fmax(column, std::abs(b(j, i)));
    }
    CHECK(row <= 2.01 * column);
    CHECK(column <= 2.01 * row);
  }
}

// Factors of 1e300 and again 1e300: no number holds their product, and none is needed.
TEST_CASE("balance: what cannot be balanced stays finite") {
  MatrixX a = MatrixX::Zero(4, 4);
  for (Eigen::Index i = 0; i < 3; ++i) {
    a(i, i + 1) = 1e300;
    a(i + 1, i) = 1e-300;
  }
  VectorX d;
  const MatrixX b = balanced(a, d);
  CHECK(b.allFinite());
  CHECK(d.allFinite());
  CHECK(d.minCoeff<Eigen::PropagateNaN>() > 0);
}
