// One contact with sliding, drilling and rolling in own coordinates: a few steps of Newton's method from the last
// impulse, which is enough nearly always; where it is not, rolling_local.hpp.                docs/theory/rolling.md
//   u = G p + c,  z = -p_F + R u_F:   u_N = 0 (or p_N given),   -p_F = P_{p_N f K}(z)                             (T.8)
// A step solves, for each factor of K with D the derivative of P at z,
//   z inside (stick): u = 0;   else: D R u' + (I - D) p_F' + (P(z) - D z) p_N'/p_N = -p_F - P(z), ' the step's changes
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "slipset/contact/internal/measure_sums.hpp"
#include "slipset/contact/internal/rolling_local.hpp"
#include "slipset/contact/rolling_factors.hpp"

namespace slipset::internal {

// What sweeps ask for at most: looser local solutions can cost several times as many sweeps.
inline constexpr double kLeastAccuracy = 1e-6;

inline constexpr double kAtRest = 1e-12;  // rates below, over what adds up, are none

// R of each component of friction, the same within a factor, one number per factor: R < G_FF⁻¹. A positive semidefinite
// matrix whose n diagonal blocks have norm 1 has a norm of n at most.
template <class Matrix>
std::array<double, 3> rolling_steps(const RollingFactors& factors, const Matrix& g) {
  const auto squares = [&](Eigen::Index first, Eigen::Index size) {
    double sum = 0;
    for (Eigen::Index j = first; j < first + size; ++j)
      for (Eigen::Index i = first; i < first + size; ++i) sum += g(i, j) * g(i, j);
    return std::sqrt(sum);
  };
  const double most = squares(1, g.rows() - 1);
  int count = 0;
  for (const int size : factors.size) count += size > 0 ? 1 : 0;
  std::array<double, 3> steps{};
  Eigen::Index first = 1;
  for (std::size_t k = 0; k < 3 && factors.size[k] > 0; first += factors.size[k++]) {
    const double bound = 1.1 * count * std::max(squares(first, factors.size[k]), 1e-12 * most);
    steps[k] = bound > 0 ? 1 / bound : 1;
  }
  return steps;
}

// For laws whose factors have these sizes.
template <int... Sizes>
class RollingNewton {
 public:
  static constexpr int kFriction = (Sizes + ...), kRows = 1 + kFriction;
  using Vec = RowsVec<kRows>;
  using Mat = RowsMat<kRows>;

  static bool fits(const RollingFactors& factors) {
    constexpr int sizes[] = {Sizes..., 0, 0, 0};
    return factors.size[0] == sizes[0] && factors.size[1] == sizes[1] && factors.size[2] == sizes[2];
  }

  // `g`: n x n, column by column.
  RollingNewton(const RollingLaw& law, const RollingFactors& factors, const double* g,
                const std::array<double, 3>& steps, const Contact& contact)
      : law_(law),
        factors_(factors),
        g_(g),
        steps_(steps),
        reservoir_(contact.reservoir_factor),
        given_(contact.normal_impulse.has_value()) {}

  // Of a contact that is pressed: (p, u) from the impulse p of the last solution, or from none. True if the residual of
  // the contact alone, over |c| + |G p| by rows or a little less, came down to the accuracy.
  bool solve(const Contact& contact, const Vec& c, double accuracy, Vec& p, Vec& u) {
    const double first = given_ ? *contact.normal_impulse : p[0] > 0 ? p[0] : -c[0] / g_(0, 0);
    p *= p[0] > 0 ? first / p[0] : 0;
    p[0] = first;
    accuracy = std::min(accuracy, kLeastAccuracy);
    double last = INFINITY;
    for (int k = 0; k < kMostSteps; ++k) {
      u.noalias() = g_ * p;
      sums_ = c.cwiseAbs() + u.cwiseAbs();
      u += c;
      project(p, u);
      const double error = this->error(p, u);
      if (error <= accuracy) return true;
      if (!std::isfinite(error) || (k > 2 && !(error < 0.5 * last))) return false;
      last = error;
      advance(p, u);
    }
    return false;
  }
  // (T.12), without the normal impulse that is given, of impulses with p_N > 0; `sums`: of velocities by rows.
  double residual(const Vec& p, const Vec& u, const Vec& sums) {
    double worst = given_ ? 0 : squared(std::min(u[0], g_(0, 0) * p[0]) / sums[0]);
    if (!(worst < INFINITY)) return INFINITY;
    const double size = p[0] * reservoir_, least = kLeastShare * kLeastShare * sums.squaredNorm();
    sums_ = sums;
    std::array<double, 3> reach{};
    Vec longer = u;
    for_factors([&](auto k, auto first, auto n) {
      double e = std::sqrt(std::max(part(sums_, first, n), least));
      reach[k] = std::clamp(steps_[k] * e / size, 1.0, 1e12);
      // As R u with a velocity that makes it reach·u/e over p_N f.
      for (int i = first; i < first + n; ++i)
        longer[1 + i] *= e > kRestVelocity ? reach[k] * size / (e * steps_[k]) : 0;
    });
    project(p, longer);
    for_factors(
        [&](auto k, auto first, auto n) { worst = larger(worst, part(away_, first, n) / squared(size * reach[k])); });
    return std::sqrt(worst);
  }
  // At the impulses last looked at by solve().
  bool moves(const Vec& u) const {
    bool some = false;
    for_factors([&](auto k, auto first, auto n) {
      some = some || (!inside_[k] && part(u, first, n) > kAtRest * kAtRest * part(sums_, first, n));
    });
    return some;
  }

 private:
  static constexpr int kMostSteps = 10;

  static double squared(double x) { return x * x; }
  // Σ x_i², i of a factor's components behind the normal row.
  static double part(const Vec& x, int first, int size) {
    double sum = 0;
    for (int i = 1 + first; i < 1 + first + size; ++i) sum += x[i] * x[i];
    return sum;
  }
  // f(number, first component, size), all known when it is compiled.
  template <class F>
  static void for_factors(F&& f) {
    constexpr int sizes[] = {Sizes..., 0, 0};
    f(std::integral_constant<std::size_t, 0>(), std::integral_constant<int, 0>(),
      std::integral_constant<int, sizes[0]>());
    if constexpr (sizeof...(Sizes) > 1)
      f(std::integral_constant<std::size_t, 1>(), std::integral_constant<int, sizes[0]>(),
        std::integral_constant<int, sizes[1]>());
    if constexpr (sizeof...(Sizes) > 2)
      f(std::integral_constant<std::size_t, 2>(), std::integral_constant<int, sizes[0] + sizes[1]>(),
        std::integral_constant<int, sizes[2]>());
  }

  // P(z) of all factors, and how far -p_F is from it.
  void project(const Vec& p, const Vec& u) {
    const double size = p[0] * reservoir_;
    for_factors([&](auto k, auto first, auto n) {
      for (int i = 1 + first; i < 1 + first + n; ++i) z_[i] = steps_[k] * u[i] - p[i];
    });
    if (!factors_.simple) return project_any(p, size);
    for_factors([&](auto k, auto first, auto n) {
      constexpr int kFirst = 1 + first;
      if constexpr (n == 1) {
        const double z = z_[kFirst], low = -size * factors_.backward[k], high = size * factors_.forward[k];
        closest_[kFirst] = z < low ? low : z > high ? high : z;
        inside_[k] = closest_[kFirst] == z;
      } else {
        const double square = part(z_, first, n);
        inside_[k] = square <= size * size;
        ratio_[k] = inside_[k] ? 1 : size / std::sqrt(square);
        for (int i = kFirst; i < kFirst + n; ++i) closest_[i] = ratio_[k] * z_[i];
      }
    });
    for (int i = 1; i < kRows; ++i) away_[i] = -p[i] - closest_[i];
  }
  void project_any(const Vec& p, double size) {
    RollingVec z(kFriction), closest;
    for (int i = 0; i < kFriction; ++i) z[i] = z_[1 + i];
    law_.project_own(z, size, closest, &derivative_);
    for (int i = 0; i < kFriction; ++i) {
      closest_[1 + i] = closest[i];
      away_[1 + i] = -p[1 + i] - closest[i];
    }
    for_factors([&](auto k, auto first, auto n) {
      inside_[k] = true;
      for (int i = 1 + first; i < 1 + first + n; ++i) inside_[k] = inside_[k] && closest_[i] == z_[i];
    });
  }

  double error(const Vec& p, const Vec& u) const {
    double worst = given_ ? 0 : squared(u[0] / sums_[0]);
    const double size = squared(p[0] * reservoir_), least = kLeastShare * kLeastShare * sums_.squaredNorm();
    for_factors([&](auto k, auto first, auto n) {
      const double away = part(away_, first, n), e = std::max(part(sums_, first, n), least);
      double over = size;
      if (e > kRestVelocity * kRestVelocity) over = std::min(size, squared(steps_[k]) * e);
      worst = larger(worst, away / over);
    });
    return std::sqrt(worst);
  }

  void advance(Vec& p, const Vec& u) {
    double j[std::size_t{kRows}][std::size_t{kRows + 1}];  // behind the columns, what they have to be
    const double per_impulse = 1 / p[0], per_size = per_impulse / reservoir_;
    for (int c = 0; c < kRows; ++c) j[0][c] = given_ ? 0 : g_(0, c);
    if (given_) j[0][0] = 1;
    j[0][kRows] = given_ ? 0 : -u[0];
    for_factors([&](auto k, auto first, auto n) {
      constexpr int kFirst = 1 + first, kEnd = kFirst + n;
      if (inside_[k]) {
        for (int r = kFirst; r < kEnd; ++r) {
          for (int c = 0; c < kRows; ++c) j[r][c] = g_(r, c);
          j[r][kRows] = -u[r];
        }
        return;
      }
      double d[n][n];  // D
      for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) {
          if (!factors_.simple)
            d[r][c] = derivative_(first + r, first + c);
          else if constexpr (n == 1)
            d[r][c] = 0;
          else  // of a ball: D z = 0
            d[r][c] =
                ratio_[k] * ((r == c ? 1 : 0) - per_size * closest_[kFirst + r] * (per_size * closest_[kFirst + c]));
        }
      for (int r = 0; r < n; ++r) {
        for (int c = 0; c < kRows; ++c) {
          double sum = 0;
          for (int i = 0; i < n; ++i) sum += d[r][i] * g_(kFirst + i, c);
          j[kFirst + r][c] = steps_[k] * sum;
        }
        double by_size = closest_[kFirst + r];
        if (!factors_.simple)
          for (int i = 0; i < n; ++i) by_size -= d[r][i] * z_[kFirst + i];
        j[kFirst + r][0] += by_size * per_impulse;
        for (int c = 0; c < n; ++c) j[kFirst + r][kFirst + c] += (r == c ? 1 : 0) - d[r][c];
        j[kFirst + r][kRows] = away_[kFirst + r];
      }
    });
    // Without pivots: where they would be needed, the error does not come down.
    for (int k = 0; k < kRows; ++k) {
      const double inverse = 1 / j[k][k];
      for (int c = k + 1; c <= kRows; ++c) j[k][c] *= inverse;
      for (int r = k + 1; r < kRows; ++r)
        for (int c = k + 1; c <= kRows; ++c) j[r][c] -= j[r][k] * j[k][c];
    }
    for (int r = kRows - 2; r >= 0; --r)
      for (int c = r + 1; c < kRows; ++c) j[r][kRows] -= j[r][c] * j[c][kRows];
    // A step that would lift the contact goes a part of the way.
    const double normal = j[0][kRows], share = p[0] + normal > 0.1 * p[0] ? 1 : -0.9 * p[0] / normal;
    for (int r = 0; r < kRows; ++r) p[r] += share * j[r][kRows];
  }

  const RollingLaw& law_;
  const RollingFactors& factors_;
  const Eigen::Map<const Mat> g_;
  const std::array<double, 3>& steps_;
  const double reservoir_;
  const bool given_;
  Vec z_, closest_, away_, sums_;  // away: -p_F - P(z); of rows behind the normal one
  std::array<bool, 3> inside_{};
  std::array<double, 3> ratio_{};  // of balls: P(z) over z
  RollingMat derivative_;          // of other factors
};

}  // namespace slipset::internal
