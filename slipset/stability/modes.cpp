#include "slipset/stability/modes.hpp"

#include <algorithm>
#include <numeric>

#include "slipset/core/angle.hpp"
#include "slipset/core/internal/balance.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;

// Without the care of operator* for infinities.
Complex times(const Complex& x, const Complex& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

// λ + yᴴ(Ax - λx)/yᴴx with the residual in long double: the rounding of the eigenvalue solver is gone, that of A is
// not. `y` is the row yᴴ.
template <class Matrix, class Column, class Row>
Complex refined(const Matrix& a, const Column& x, const Row& y, Complex value) {
  using Long = long double;
  const Long re = value.real(), im = value.imag();
  Long top_re = 0, top_im = 0, bottom_re = 0, bottom_im = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    const Long x_re = x[i].real(), x_im = x[i].imag(), y_re = y[i].real(), y_im = y[i].imag();
    Long r_re = im * x_im - re * x_re, r_im = -re * x_im - im * x_re;
    for (Index j = 0; j < a.cols(); ++j) {
      r_re += static_cast<Long>(a(i, j)) * static_cast<Long>(x[j].real());
      r_im += static_cast<Long>(a(i, j)) * static_cast<Long>(x[j].imag());
    }
    top_re += y_re * r_re - y_im * r_im;
    top_im += y_re * r_im + y_im * r_re;
    bottom_re += y_re * x_re - y_im * x_im;
    bottom_im += y_re * x_im + y_im * x_re;
  }
  const Long size = bottom_re * bottom_re + bottom_im * bottom_im;
  const Long step_re = (top_re * bottom_re + top_im * bottom_im) / size,
             step_im = (top_im * bottom_re - top_re * bottom_im) / size;
  return {static_cast<double>(re + step_re), value.imag() == 0 ? 0 : static_cast<double>(im + step_im)};
}

// Gauss and Jordan with partial pivoting: for a few columns faster than a factorisation. Not finite if singular.
void invert(const Eigen::MatrixXcd& matrix, Eigen::MatrixXcd& work, Eigen::MatrixXcd& inverse) {
  const Index n = matrix.rows();
  work = matrix;
  inverse.setIdentity();
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i)
      if (std::norm(work(i, k)) > std::norm(work(pivot, k))) pivot = i;
    if (pivot != k) {
      work.row(k).swap(work.row(pivot));
      inverse.row(k).swap(inverse.row(pivot));
    }
    const Complex scale = std::conj(work(k, k)) / std::norm(work(k, k));
    for (Index j = 0; j < n; ++j) {
      work(k, j) = times(scale, work(k, j));
      inverse(k, j) = times(scale, inverse(k, j));
    }
    for (Index i = 0; i < n; ++i) {
      if (i == k) continue;
      const Complex factor = work(i, k);
      for (Index j = 0; j < n; ++j) {
        work(i, j) -= times(factor, work(k, j));
        inverse(i, j) -= times(factor, inverse(k, j));
      }
    }
  }
}

}  // namespace

struct ModeSolver::Work {
  GeneralEigen solver;
  MatrixX balanced;
  VectorX scale;
  Eigen::MatrixXcd right, inverse, lu;
  Eigen::VectorXcd raw;
  VectorX raw_conditions, raw_roundings;
  std::vector<Index> order;
};

ModeSolver::ModeSolver() : work_(std::make_unique<Work>()) {}
ModeSolver::~ModeSolver() = default;

void ModeSolver::compute(const MatrixX& system) {
  const Index n = system.rows();
  Work& work = *work_;
  if (values_.size() != n) {
    values_.resize(n);
    conditions_ = roundings_ = work.raw_conditions = work.raw_roundings = VectorX::Zero(n);
    states_.resize(n, n);
    work.order.resize(static_cast<std::size_t>(n));
    work.inverse.resize(n, n);
  }
  // Positions and velocities have different units: which ones must not matter.
  MatrixX& a = work.balanced;
  a = system;
  internal::balance(a, work.scale);
  work.solver.compute(a);
  if (!work.solver.values().allFinite())
    throw InvalidInput("steady sliding: the eigenvalues were not found; the system is beyond the range of numbers");
  work.right = work.solver.vectors();
  work.raw = work.solver.values();
  invert(work.right, work.lu, work.inverse);  // rows yᴴ with yᴴx = 1
  const Eigen::MatrixXcd &right = work.right, &inverse = work.inverse;
  Eigen::VectorXcd& raw = work.raw;
  VectorX &raw_conditions = work.raw_conditions, &raw_roundings = work.raw_roundings;
  std::vector<Index>& order = work.order;
  const double eps = std::numeric_limits<double>::epsilon(), size = a.stableNorm();
  const double worst = std::sqrt(eps) * size;  // a double eigenvalue with one vector moves with the root of an error
  for (Index i = 0; i < n; ++i) {
    const bool twin = i > 0 && raw[i].imag() < 0;  // of a pair, the second: its numbers are those of the first
    if (twin) {
      raw_conditions[i] = raw_conditions[i - 1];
      raw_roundings[i] = raw_roundings[i - 1];
      raw[i] = std::conj(raw[i - 1]);
      continue;
    }
    const double condition = inverse.row(i).norm() * right.col(i).norm();
    raw_conditions[i] = condition;
    raw_roundings[i] = std::isfinite(condition) ? std::min(8 * eps * size * condition, worst) : worst;
    if (!(raw_roundings[i] < 1e-10 * size)) continue;
    const Complex better = refined(a, right.col(i), inverse.row(i), raw[i]);
    if (std::abs(better - raw[i]) <= raw_roundings[i]) raw[i] = better;
  }
  std::iota(order.begin(), order.end(), 0);
  // By insertion: stable, few, and without memory.
  const auto before = [&](Index x, Index y) {
    if (raw[x].real() != raw[y].real()) return raw[x].real() > raw[y].real();
    return raw[x].imag() > raw[y].imag();
  };
  for (std::size_t i = 1; i < order.size(); ++i)
    for (std::size_t j = i; j > 0 && before(order[j], order[j - 1]); --j) std::swap(order[j], order[j - 1]);
  for (Index i = 0; i < n; ++i) {
    const Index from = order[static_cast<std::size_t>(i)];
    values_[i] = raw[from];
    conditions_[i] = raw_conditions[from];
    roundings_[i] = raw_roundings[from];
    states_.col(i) = work.scale.asDiagonal() * right.col(from);
    states_.col(i) /= states_.col(i).cwiseAbs().maxCoeff();  // first, so that no square is out of range
    states_.col(i).normalize();
  }
}

std::vector<Mode> modes_of(const LinearSliding& sliding) {
  if (!sliding.report.converged)
    throw InvalidInput("steady sliding: there is none, and so no modes: " + sliding.report.why);
  ModeSolver solver;
  solver.compute(sliding.system);
  const Index m = sliding.free.cols();
  std::vector<Mode> modes;
  for (Index i = 0; i < solver.size(); ++i) {
    Mode mode;
    mode.state = solver.states().col(i);
    mode.value = solver.values()[i];
    mode.condition = solver.conditions()[i];
    mode.rounding = solver.roundings()[i];
    const Eigen::VectorXcd q = sliding.free * mode.state.head(m);
    if (q.norm() > 0) {
      Index largest = 0;
      q.cwiseAbs().maxCoeff(&largest);
      mode.shape = (q / (q[largest] / std::abs(q[largest]))).normalized();
    }
    modes.push_back(std::move(mode));
  }
  return modes;
}

Eigen::VectorXcd eigenvalues_of(const LinearSliding& sliding) { return slipset::eigenvalues(sliding.system); }

bool is_resolved(const LinearSliding& sliding, double rounding) {
  const double natural = std::sqrt(sliding.stiffness.stableNorm() / sliding.mass.stableNorm());
  return rounding <= 0.1 * natural || natural == 0;
}

bool is_stable(const std::vector<Mode>& modes) {
  return std::none_of(modes.begin(), modes.end(), [](const Mode& m) { return m.grows(); });
}

std::vector<Contribution> contributions(const LinearSliding& sliding, const Mode& mode) {
  const Index m = sliding.free.cols();
  const Complex value = mode.value;
  const Eigen::VectorXcd q = sliding.free * mode.state.head(m), u = value * q;
  const MatrixX symmetric = (sliding.stiffness + sliding.stiffness.transpose()) / 2;
  const double energy =
      u.dot(sliding.mass * u).real() + (std::norm(value) > 0 ? u.dot(symmetric * u).real() / std::norm(value) : 0);
  // A mode without motion: λ = 0, or of the bristles alone.
  const double size =
      u.squaredNorm() * (sliding.mass.norm() + (std::norm(value) > 0 ? symmetric.norm() / std::norm(value) : 0));
  const double deflected = mode.state.size() > 2 * m ? mode.state.tail(mode.state.size() - 2 * m).norm() : 0;
  if (!(std::abs(energy) > 1e-14 * size) || q.norm() < 1e-13 * deflected) return {};
  std::vector<Contribution> all;
  const auto add = [&](std::size_t contact, Mechanism mechanism, double power) {
    const double growth = power / energy;
    const double cycle =
        value.imag() != 0 ? 4 * kPi * growth / std::abs(value.imag()) : std::numeric_limits<double>::quiet_NaN();
    all.push_back({contact, mechanism, growth, cycle});
  };
  const bool bristles = !sliding.bristles.empty();
  Eigen::VectorXcd unbalanced = value * (sliding.mass * u) + sliding.damping * u + sliding.stiffness * q;
  for (const LinearTerm& term : sliding.terms) {
    const bool at_once = term.mechanism == Mechanism::anisotropy || term.mechanism == Mechanism::characteristic ||
                         term.mechanism == Mechanism::surface;
    if (bristles && at_once) {
      unbalanced -= term.damping * u + term.stiffness * q;
      continue;
    }
    const MatrixX skew = (term.stiffness - term.stiffness.transpose()) / 2;
    add(term.contact, term.mechanism, -(u.dot(term.damping * u) + u.dot(skew * q)).real());
  }
  double symmetric_work = 0;  // of stiffness terms that the bristles replace: they are not part of the system
  Index z = 2 * m;
  for (const BristleBlock& b : sliding.bristles) {
    Eigen::Vector2cd deflection = Eigen::Vector2cd::Zero();
    for (const Index axis : b.axes) deflection[axis] = mode.state[z++];
    const Eigen::Vector2cd rate = value * deflection;
    const Eigen::VectorXcd force = sliding.contacts[b.contact].normal_force * sliding.tangents[b.contact] *
                                   (sliding.lugre->sigma0 * deflection + sliding.lugre->sigma1 * rate);
    unbalanced += force;
    add(b.contact, Mechanism::bristles, -u.dot(force).real());
  }
  if (bristles)
    for (const LinearTerm& term : sliding.terms)
      if (term.mechanism == Mechanism::surface)
        symmetric_work += u.dot((term.stiffness + term.stiffness.transpose()) / 2 * q).real();
  if (symmetric_work != 0) add(sliding.contacts.size(), Mechanism::surface, symmetric_work);
  if (sliding.is_constrained()) {
    // What is left over is Σ (w_N - W_T s) δλ_N, and only its friction does work. w_Nᵀq̈ = 0 gives δλ_N as a function of
    // position and velocity, and so which of the two it follows.
    const FullLu mass(sliding.mass);
    const MatrixX map = sliding.closed.transpose() * mass.solve(MatrixX(MatrixX::Identity(u.size(), u.size())));
    const FullLu mobility(map * sliding.reactions);
    const Eigen::VectorXcd by_speed = mobility.solve(MatrixX(map * sliding.damping)) * u;
    const Eigen::VectorXcd by_place =
        mobility.solve(MatrixX(map)) * (unbalanced - value * (sliding.mass * u) - sliding.damping * u);
    Index k = 0;
    for (std::size_t i = 0; i < sliding.contacts.size(); ++i) {
      if (!sliding.contacts[i].normal_mobility) continue;
      const Complex along = u.dot(sliding.reactions.col(k).cast<Complex>());
      add(i, Mechanism::normal_speed, (along * by_speed[k]).real());
      add(i, Mechanism::mode_coupling, (along * by_place[k]).real());
      ++k;
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.growth > b.growth; });
  return all;
}

}  // namespace slipset
