#include "slipset/contact/rolling_newton.hpp"

#include <Eigen/SparseLU>

namespace slipset {
namespace {

constexpr double kMore = 1e-9;  // on the diagonal of W, over the contact's own mobilities: W may be singular

// F_i and its derivatives: dF_i = direct dp_i + through du_i.
struct Linear {
  RollingContactVec value;
  RollingContactMat direct, through;
};

Linear linearize(const RollingContact& contact, const RollingBlock& block, const RollingContactVec& p,
                 const RollingContactVec& u) {
  const Eigen::Index n = p.size(), m = n - 1;
  Linear l{p, RollingContactMat::Identity(n, n), RollingContactMat::Zero(n, n)};
  double pressed = p[0];
  if (contact.normal_impulse) {
    pressed = *contact.normal_impulse;
    l.value[0] = p[0] - pressed;
  } else {
    const double mobility = block.g(0, 0);
    if (!(p[0] > u[0] / mobility)) return l;  // open: p = 0
    l.value[0] = u[0] / mobility;
    l.direct(0, 0) = 0;
    l.through(0, 0) = 1 / mobility;
    pressed = std::max(p[0], 1e-14 * std::abs(u[0]) / mobility);
  }
  if (m == 0 || !(pressed > 0)) return l;
  RollingVec z(m), closest;
  RollingMat derivative;
  for (Eigen::Index k = 0; k < m; ++k) z[k] = -p[1 + k] + block.step[k] * u[1 + k];
  contact.law->project_own(z, pressed * contact.reservoir_factor, closest, &derivative);
  for (Eigen::Index i = 0; i < m; ++i) {
    double by_size = closest[i];
    for (Eigen::Index k = 0; k < m; ++k) {
      l.direct(1 + i, 1 + k) = derivative(i, k) - (i == k ? 1 : 0);
      l.through(1 + i, 1 + k) = -derivative(i, k) * block.step[k];
      by_size -= derivative(i, k) * z[k];
    }
    l.direct(1 + i, 0) = contact.normal_impulse ? 0 : -by_size / pressed;
    l.value[1 + i] = -p[1 + i] - closest[i];
  }
  return l;
}

}  // namespace

Eigen::VectorXd rolling_newton_step(const RollingProblem& problem, const RollingDelassus& w,
                                    const std::vector<RollingBlock>& blocks, const Eigen::VectorXd& q,
                                    const Eigen::VectorXd& p) {
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right(p.size());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Eigen::Index n = w.size(i), at = w.offset(i);
    RollingContactVec own(n), u(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      own[k] = p[at + k];
      u[k] = q[at + k];
    }
    for (const RollingDelassus::Block& block : w.row(i))
      for (Eigen::Index k = 0; k < n; ++k)
        for (Eigen::Index c = 0; c < block.values.cols(); ++c)
          u[k] += block.values(k, c) * p[w.offset(block.column) + c];
    const Linear l = linearize(problem.contacts[i], blocks[i], own, u);
    for (Eigen::Index k = 0; k < n; ++k) right[at + k] = -l.value[k];
    for (const RollingDelassus::Block& block : w.row(i)) {
      RollingContactMat values = block.values;
      if (block.column == i) values.diagonal() *= 1 + kMore;
      RollingContactMat part = l.through * values;
      if (block.column == i) part += l.direct;
      for (Eigen::Index k = 0; k < n; ++k)
        for (Eigen::Index c = 0; c < part.cols(); ++c)
          if (part(k, c) != 0)
            entries.emplace_back(static_cast<int>(at + k), static_cast<int>(w.offset(block.column) + c), part(k, c));
    }
  }
  Eigen::SparseMatrix<double> matrix(p.size(), p.size());
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(matrix);
  if (factors.info() != Eigen::Success) return {};
  Eigen::VectorXd direction = factors.solve(right);
  if (!direction.allFinite()) return {};
  return direction;
}

}  // namespace slipset
