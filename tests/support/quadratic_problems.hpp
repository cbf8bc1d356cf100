// Quadratic eigenvalue problems whose eigenvalues are known: small ones, hidden in a large one by plane rotations from the
// left and, others, from the right, which change no eigenvalue.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "slipset/stability/spectrum.hpp"

namespace slipset::test {

using Complex = std::complex<double>;

struct KnownProblem {
  QuadraticProblem problem;
  std::vector<Complex> values;  // those with Im ≥ 0, multiple ones as often as they are

  std::vector<Complex> in(const SpectrumBox& box) const {
    std::vector<Complex> inside;
    for (const Complex& value : values)
      if (box.contains(value)) inside.push_back(value);
    return inside;
  }
};

class HiddenProblem {
 public:
  explicit HiddenProblem(unsigned seed) : random_(seed) {}

  // λ and its conjugate: one mass, spring and damper.
  void add_pair(Complex value) {
    add_row(1, -2 * value.real(), std::norm(value));
    values_.push_back(value);
  }
  // Two masses with the circulatory coupling [k c; -c k]: λ² = -k ± ic, flutter.
  void add_flutter(double k, double c) {
    const Eigen::Index i = add_row(1, 0, k);
    add_row(1, 0, k);
    stiffness_.emplace_back(i, i + 1, c);
    stiffness_.emplace_back(i + 1, i, -c);
    for (const double sign : {1.0, -1.0}) {
      const Complex root = std::sqrt(Complex(-k, sign * c));
      values_.push_back(root.imag() > 0 ? root : -root);
    }
  }
  // λ twice with one vector only: a spring from the first of two equal oscillators that the second does not feel.
  void add_defective(Complex value, double coupling) {
    const Eigen::Index i = rows_;
    add_pair(value);
    add_pair(value);
    stiffness_.emplace_back(i, i + 1, coupling);
  }
  // A state of first order: ẋ = λx, without mass.
  void add_state(double value) {
    add_row(0, 1, -value);
    values_.push_back(value);
  }

  // `rotations` per row. `units`: decades over which rows and columns get units of their own.
  KnownProblem hide(int rotations = 3, double units = 0) {
    const Eigen::Index n = rows_;
    std::uniform_real_distribution<double> number(0, 1);
    std::uniform_int_distribution<Eigen::Index> row(0, n - 1);
    const auto rotation = [&] {
      Eigen::SparseMatrix<double> product(n, n);
      product.setIdentity();
      for (int k = 0; k < rotations; ++k) {
        std::vector<Eigen::Index> order(static_cast<std::size_t>(n));
        for (Eigen::Index i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
        std::shuffle(order.begin(), order.end(), random_);
        std::vector<Eigen::Triplet<double>> entries;
        for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
          const double angle = 6.283185307179586 * number(random_), c = std::cos(angle), s = std::sin(angle);
          entries.emplace_back(order[i], order[i], c);
          entries.emplace_back(order[i], order[i + 1], -s);
          entries.emplace_back(order[i + 1], order[i], s);
          entries.emplace_back(order[i + 1], order[i + 1], c);
        }
        if (n % 2 == 1) entries.emplace_back(order.back(), order.back(), 1);
        Eigen::SparseMatrix<double> turn(n, n);
        turn.setFromTriplets(entries.begin(), entries.end());
        product = (product * turn).pruned();
      }
      Eigen::VectorXd scale(n);
      for (double& x : scale) x = std::pow(10.0, units * (number(random_) - 0.5));
      return Eigen::SparseMatrix<double>(product * scale.asDiagonal());
    };
    const Eigen::SparseMatrix<double> left = rotation(), right = rotation();
    KnownProblem known;
    const auto made = [&](const std::vector<Eigen::Triplet<double>>& entries) {
      Eigen::SparseMatrix<double> matrix(n, n);
      matrix.setFromTriplets(entries.begin(), entries.end());
      return Eigen::SparseMatrix<double>(Eigen::SparseMatrix<double>(left.transpose() * matrix) * right);
    };
    known.problem = {made(mass_), made(damping_), made(stiffness_)};
    known.values = values_;
    return known;
  }

  std::mt19937_64& random() { return random_; }

 private:
  Eigen::Index add_row(double m, double d, double k) {
    if (m != 0) mass_.emplace_back(rows_, rows_, m);
    if (d != 0) damping_.emplace_back(rows_, rows_, d);
    if (k != 0) stiffness_.emplace_back(rows_, rows_, k);
    return rows_++;
  }

  std::mt19937_64 random_;
  Eigen::Index rows_ = 0;
  std::vector<Eigen::Triplet<double>> mass_, damping_, stiffness_;
  std::vector<Complex> values_;
};

// Lightly damped pairs up to a frequency, some growing, some flutter, some overdamped states.
inline KnownProblem random_structure(unsigned seed, int pairs, double highest, double units = 0) {
  HiddenProblem hidden(seed);
  std::uniform_real_distribution<double> number(0, 1);
  for (int i = 0; i < pairs; ++i) {
    const double frequency = highest * number(hidden.random());
    hidden.add_pair({frequency * 0.1 * (number(hidden.random()) - 0.7), frequency});
  }
  for (int i = 0; i < pairs / 10; ++i) {
    const double frequency = highest * number(hidden.random());
    hidden.add_flutter(frequency * frequency, 0.1 * frequency * frequency * number(hidden.random()));
  }
  for (int i = 0; i < pairs / 5; ++i) hidden.add_state(-highest * number(hidden.random()));
  return hidden.hide(3, units);
}

// n masses in a row between two walls, with damping αM + βK: λ² + (α + βω²)λ + ω² = 0, ω = 2√(k/m) sin(jπ/2(n+1)).
inline KnownProblem chain(int n, double mass, double spring, double alpha, double beta) {
  KnownProblem known;
  std::vector<Eigen::Triplet<double>> m, k;
  for (int i = 0; i < n; ++i) {
    m.emplace_back(i, i, mass);
    k.emplace_back(i, i, 2 * spring);
    if (i > 0) {
      k.emplace_back(i, i - 1, -spring);
      k.emplace_back(i - 1, i, -spring);
    }
  }
  known.problem.mass.resize(n, n);
  known.problem.stiffness.resize(n, n);
  known.problem.mass.setFromTriplets(m.begin(), m.end());
  known.problem.stiffness.setFromTriplets(k.begin(), k.end());
  known.problem.damping = alpha * known.problem.mass + beta * known.problem.stiffness;
  for (int j = 1; j <= n; ++j) {
    const double half = std::sin(j * 3.14159265358979323846 / (2 * (n + 1))), square = 4 * spring / mass * half * half;
    const double damping = (alpha + beta * square) / 2;
    const Complex root = std::sqrt(Complex(damping * damping - square, 0));
    known.values.push_back(-damping + root);
    if (root.imag() == 0) known.values.push_back(-damping - root);
  }
  return known;
}

// The largest distance of two lists, each of one paired with the nearest of the other that is left, relative to |λ| or
// to `floor`. Infinite for lists of different length.
inline double distance(const std::vector<Eigenpair>& pairs, std::vector<Complex> expected, double floor = 0) {
  if (pairs.size() != expected.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (const Eigenpair& pair : pairs) {
    const auto nearest = std::min_element(expected.begin(), expected.end(), [&](const Complex& a, const Complex& b) {
      return std::abs(a - pair.value) < std::abs(b - pair.value);
    });
    const double error = std::abs(*nearest - pair.value) / std::max(std::abs(*nearest), floor);
    if (!(error <= worst)) worst = error;
    expected.erase(nearest);
  }
  return worst;
}

}  // namespace slipset::test
