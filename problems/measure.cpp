#include "problems/measure.hpp"

#include <algorithm>
#include <cmath>

#include "slipset/core/error.hpp"

namespace slipset::problems {
namespace {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::SparseMatrix<double>;

constexpr double kImbalance = 1e-12;  // of W p: rounding
constexpr double kNoPower = 1e-8;     // of q·p over what adds up in it: rounding, with room

// Σ_l |W_kl p_l|
Vector sums(const Matrix& w, const Vector& p) {
  Vector total = Vector::Zero(w.rows());
  for (Index k = 0; k < w.outerSize(); ++k)
    for (Matrix::InnerIterator e(w, k); e; ++e) total[e.row()] += std::abs(e.value() * p[k]);
  return total;
}

// A number that is none stays.
void keep_largest(double& worst, double x) {
  if (!std::isnan(worst) && !(x <= worst)) worst = x;
}

double over(double defect, double scale) { return defect == 0 ? 0 : defect / scale; }

// Stick or slip of the rows behind the normal one, whichever is nearest; p: of the normal, not negative.
double sticks_or_slips(const RawLaw& law, const Vec2& t, const Vec2& u, double p, double g) {
  if (t.isZero(0)) return u.isZero(0) ? 0 : std::min(u.norm(), g * p * law.resistance(u).norm());
  const double beyond = g * t.norm() * (1 - p / law.gauge(t));  // above 0: outside C
  const double stick = u.norm() + std::max(beyond, 0.0);
  if (u.isZero(0)) return stick;
  const Vec2 n = law.slip(t);
  const double by_impulse = g * (t - p * law.resistance(u)).norm();
  const double by_velocity = (u - std::max(u.dot(n), 0.0) * n).norm() + std::abs(beyond);
  return std::min({stick, by_impulse, by_velocity});
}

}  // namespace

Measured measure(const RawProblem& problem, const Vector& impulse, const Vector& velocity) {
  const Index rows = problem.contact_rows(), d = problem.dimension;
  if (impulse.size() != problem.q.size() || (velocity.size() != 0 && velocity.size() != rows))
    throw InvalidInput("impulses and velocities: not one number for each row of the problem");
  const Vector u = problem.w * impulse + problem.q, sum = sums(problem.w, impulse), mobility = problem.w.diagonal();
  Measured result;
  if (!u.allFinite()) {  // minima below would forget it
    result.error = result.equation = std::nan("");
    return result;
  }
  const auto n = static_cast<Index>(problem.laws.size());
  double fastest = 0;
  for (Index i = 0; i < n; ++i) fastest = std::max(fastest, problem.q.segment<3>(d * i).norm());
  for (Index i = 0; i < n; ++i) {
    const Index at = d * i;
    const RawLaw& law = problem.laws[static_cast<std::size_t>(i)];
    const double e =
        std::min(problem.q.segment<3>(at).norm() + sum.segment<3>(at).norm(), static_cast<double>(n + 1) * fastest);
    const double g = mobility.segment<3>(at).sum() / 3, p = std::max(impulse[at], 0.0);
    double open = over(std::max(-u[at], 0.0) + g * impulse.segment<3>(at).norm(), e);
    double closed = over(std::abs(u[at]) + g * std::max(-impulse[at], 0.0) +
                             sticks_or_slips(law, -impulse.segment<2>(at + 1), u.segment<2>(at + 1), p, g),
                         e);
    if (d == 5) {
      const Vec2 torque = -impulse.segment<2>(at + 3), rate = u.segment<2>(at + 3);
      const double scale = problem.q.segment<2>(at + 3).norm() + sum.segment<2>(at + 3).norm();
      const double by_torque = mobility.segment<2>(at + 3).sum() / 2;
      const RawSet disk{"disk", {problem.rolling[static_cast<std::size_t>(i)]}};
      open += over(by_torque * torque.norm(), scale);
      closed += over(sticks_or_slips({disk, disk}, torque, rate, p, by_torque), scale);
    }
    const double defect = std::min(open, closed);
    keep_largest(result.error, defect);
    result.defects.push_back(defect);
    if (velocity.size() > 0) {
      const double off = over((velocity.segment(at, d) - u.segment(at, d)).norm(), e);
      keep_largest(result.equation, off);
    }
  }
  const Vector root = mobility.cwiseMax(0).cwiseSqrt();
  const double largest = impulse.size() > 0 ? root.cwiseProduct(impulse).lpNorm<Eigen::Infinity>() : 0;
  for (Index k = rows; k < u.size(); ++k) {
    const double defect = over(std::abs(u[k]), std::abs(problem.q[k]) + root[k] * largest);
    keep_largest(result.joints, defect);
    keep_largest(result.error, defect);
  }
  return result;
}

Proof check_proof(const RawProblem& problem, const Vector& p) {
  Proof proof;
  if (p.size() != problem.q.size() || !p.allFinite() || p.isZero(0)) return proof;
  for (Index k = 0; k < problem.contact_rows(); ++k)
    if (k % problem.dimension == 0 ? p[k] < 0 : p[k] != 0) return proof;
  const Vector root = problem.w.diagonal().cwiseMax(0).cwiseSqrt();
  const double adds_up = root.dot(p.cwiseAbs());
  for (const Vector& velocity : {Vector(problem.w * p), Vector(problem.w.transpose() * p)})
    for (Index k = 0; k < p.size(); ++k) {
      const double off = over(std::abs(velocity[k]), root[k] * adds_up);
      keep_largest(proof.imbalance, off);
    }
  const double power = -problem.q.dot(p), terms = problem.q.cwiseAbs().dot(p.cwiseAbs());
  proof.closing = power / p.lpNorm<1>();
  proof.holds = proof.imbalance <= kImbalance && power > kNoPower * terms;
  return proof;
}

}  // namespace slipset::problems
