#include "slipset/stability/modes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <numeric>

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;

// λ + yᴴ(Ax - λx)/yᴴx with the residual in long double: the rounding of the eigenvalue solver is gone, that of A is
// not.
Complex refined(const MatrixX& a, const Eigen::VectorXcd& x, const Eigen::VectorXcd& y, Complex value) {
  using Long = std::complex<long double>;
  Long top = 0, bottom = 0;
  const Long lambda(value);
  for (Index i = 0; i < a.rows(); ++i) {
    Long r = -lambda * Long(x[i]);
    for (Index j = 0; j < a.cols(); ++j) r += static_cast<long double>(a(i, j)) * Long(x[j]);
    top += std::conj(Long(y[i])) * r;
    bottom += std::conj(Long(y[i])) * Long(x[i]);
  }
  const Complex better(lambda + top / bottom);
  return value.imag() == 0 ? Complex(better.real(), 0) : better;
}

}  // namespace

std::vector<Mode> modes_of(const LinearSliding& sliding) {
  const MatrixX& a = sliding.system;
  const Eigen::EigenSolver<MatrixX> solver(a);
  const Eigen::MatrixXcd right = solver.eigenvectors();
  const Eigen::MatrixXcd left = right.fullPivLu().inverse().adjoint();  // columns y with yᴴx = 1
  const double eps = std::numeric_limits<double>::epsilon(), size = a.norm();
  const Index m = sliding.free.cols();
  std::vector<Mode> modes;
  for (Index i = 0; i < a.rows(); ++i) {
    Mode mode;
    mode.state = right.col(i).normalized();
    mode.value = solver.eigenvalues()[i];
    mode.condition = left.col(i).norm() * right.col(i).norm();
    // A double eigenvalue with one vector moves with the root of a rounding error.
    const double worst = std::sqrt(eps) * size;
    mode.rounding = std::isfinite(mode.condition) ? std::min(8 * eps * size * mode.condition, worst) : worst;
    if (mode.rounding < 1e-10 * size) {
      const Complex better = refined(a, right.col(i), left.col(i), mode.value);
      if (std::abs(better - mode.value) <= mode.rounding) mode.value = better;
    }
    const Eigen::VectorXcd q = sliding.free * mode.state.head(m);
    if (q.norm() > 0) {
      Index largest = 0;
      q.cwiseAbs().maxCoeff(&largest);
      mode.shape = (q / (q[largest] / std::abs(q[largest]))).normalized();
    }
    modes.push_back(std::move(mode));
  }
  // Real parts within rounding of each other are the same: then the imaginary part decides.
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& x, const Mode& y) {
    if (x.value.real() != y.value.real()) return x.value.real() > y.value.real();
    return x.value.imag() > y.value.imag();
  });
  return modes;
}

Eigen::VectorXcd eigenvalues_of(const LinearSliding& sliding) {
  return Eigen::EigenSolver<MatrixX>(sliding.system, false).eigenvalues();
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
  if (!(std::abs(energy) > 1e-20 * sliding.mass.norm())) return {};
  std::vector<Contribution> all;
  const auto add = [&](std::size_t contact, Mechanism mechanism, double power) {
    const double growth = power / energy;
    const double cycle = value.imag() != 0 ? 4 * 3.14159265358979323846 * growth / std::abs(value.imag())
                                           : std::numeric_limits<double>::quiet_NaN();
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
    const Eigen::PartialPivLU<MatrixX> mass(sliding.mass);
    const MatrixX map = sliding.closed.transpose() * mass.solve(MatrixX::Identity(u.size(), u.size()));
    const Eigen::PartialPivLU<MatrixX> mobility(MatrixX(map * sliding.reactions));
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
