#include "slipset/motion/internal/own_rates.hpp"

#include <cmath>

#include "slipset/core/internal/numeric_jacobian.hpp"

namespace slipset::internal {
namespace {

double largest_rate(const Cholesky& mass, const MatrixX& a) {
  if (!a.allFinite()) return 0;
  const Eigen::VectorXcd values = eigenvalues(mass.solve(a));
  return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
}

}  // namespace

OwnRates own_rates(const System& system, const State& state) {
  SystemAt at = sized_for(system);
  system.evaluate(state.t, state.q, state.u, at);
  require_filled(system, at);
  Cholesky mass;
  if (!mass.compute(at.mass)) return {};
  // A linear system has the same derivative by any difference; the size matters where it is not, at zero.
  constexpr double kSize = 1e-2;
  SystemAt near = at;
  const MatrixX by_q = numeric_jacobian(
      [&](const VectorX& q, VectorX& h) {
        system.evaluate(state.t, q, state.u, near);
        h = near.force;
      },
      state.q, system.dofs(), kSize);
  const MatrixX by_u = numeric_jacobian(
      [&](const VectorX& u, VectorX& h) {
        system.evaluate(state.t, state.q, u, near);
        h = near.force;
      },
      state.u, system.dofs(), kSize);
  return {std::sqrt(largest_rate(mass, by_q)), largest_rate(mass, by_u)};
}

}  // namespace slipset::internal
