// The scalar equation behind the projection onto an ellipse or ellipsoid.      docs/theory/sets.md
//   p = (I + β A⁻¹)⁻¹ t  with  Σ (a_i t_i / (a_i² + β))² = 1,  β ≥ 0                [WL16 26] (S.10)
// The left side's inverse root, 1/|y(β)|, is concave and nearly linear: Newton's method on it rises to
// the solution from β = 0 without a safeguard, in a few steps.
#pragma once

#include <cmath>
#include <limits>

namespace slipset::internal {

// β for a point t outside the ellipsoid with semi-axes a (both fixed-size vectors, in its own axes).
template <class Vector>
double ellipsoid_multiplier(const Vector& a, const Vector& t) {
  const double eps = std::numeric_limits<double>::epsilon();
  const Vector squared = a.cwiseProduct(a), weighted = a.cwiseProduct(t);
  double beta = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Vector shifted = squared.array() + beta;
    const Vector y = weighted.cwiseQuotient(shifted);
    const double norm = y.norm();
    // d(1/|y|)/dβ = (y·(y/shifted))/|y|³; the Newton step for 1/|y| = 1.
    const double step = norm * norm * (norm - 1) / y.dot(y.cwiseQuotient(shifted));
    if (!(step > eps * beta)) break;
    beta += step;
  }
  return beta;
}

}  // namespace slipset::internal
