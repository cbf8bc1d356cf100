#include "slipset/motion/integrators/internal/taylor_phase.hpp"

#include <algorithm>

#include "slipset/core/angle.hpp"

namespace slipset::internal {
namespace {

using Eigen::Index;

// The series of the `derivative`-th derivative of a time function at t.
void add_series(const TimeFunction& f, int derivative, double t, double h, MatrixX::RowXpr out) {
  if (derivative == 0) {
    out[0] += f.constant + f.slope * t;
    out[1] += f.slope * h;
  } else if (derivative == 1) {
    out[0] += f.slope;
  }
  if (f.amplitude == 0) return;
  const double s = std::sin(f.frequency * t + f.phase), c = std::cos(f.frequency * t + f.phase);
  const double turn[4] = {s, c, -s, -c};
  double factor = f.amplitude;
  for (int d = 0; d < derivative; ++d) factor *= f.frequency;
  for (int k = 0; k < out.size(); ++k) {
    out[k] += factor * turn[(derivative + k) % 4];
    factor *= f.frequency * h / (k + 1);
  }
}

}  // namespace

TaylorPhase::TaylorPhase(const AxialSystem& system, double longest)
    : system_(&system), mode_(static_cast<std::size_t>(system.contact_count()), 0) {
  const double rate = std::max(system.rate_bound(), 2 * kPi * system.drive_frequency());
  h_ = rate * longest > 1.5 ? 1.5 / rate : longest;
  const Index n = system.dofs(), m = system.contact_count();
  q_ = u_ = MatrixX::Zero(n, kTerms);
  force_ = MatrixX::Zero(m, kTerms);
  if (!system.is_direct()) slip_ = force_;
  forces_ = MatrixX::Zero(static_cast<Index>(system.forces().size()), kTerms);
  surfaces_ = surface_rates_ = MatrixX::Zero(static_cast<Index>(system.surfaces().size()), kTerms);
  drives_ = drive_rates_ = MatrixX::Zero(static_cast<Index>(system.drives().size()), kTerms);
  heat_ = VectorX::Zero(kTerms);
  power_ = VectorX::Zero(2 * kTerms - 1);
  a_ = spare_ = VectorX::Zero(n);
  contact_ = stick_rhs_ = VectorX::Zero(m);
  if (!system.damping().is_zero()) damping_ = system.damping().to_sparse();
}

void TaylorPhase::factorise() {
  if (system_->is_direct()) return;
  stick_.clear();
  std::vector<int> place(mode_.size(), -1);
  for (std::size_t i = 0; i < mode_.size(); ++i) {
    if (mode_[i] != 0) continue;
    place[i] = static_cast<int>(stick_.size());
    stick_.push_back(static_cast<Index>(i));
  }
  if (stick_.empty()) return;
  const SparseRows& r = system_->delassus();
  std::vector<Eigen::Triplet<double>> entries;
  for (const Index i : stick_)
    for (SparseRows::InnerIterator e(r, i); e; ++e)
      if (const int j = place[static_cast<std::size_t>(e.col())]; j >= 0)
        entries.emplace_back(place[static_cast<std::size_t>(i)], j, e.value());
  SparseMatrix part(static_cast<Index>(stick_.size()), static_cast<Index>(stick_.size()));
  part.setFromTriplets(entries.begin(), entries.end());
  factor_.compute(part);
  const double largest = VectorX(part.diagonal()).maxCoeff();
  if (factor_.info() != Eigen::Success || factor_.vectorD().minCoeff() <= 1e-13 * largest)
    throw InvalidInput(
        "event-driven: contacts that stick depend on each other, so that their forces are not unique; put contacts "
        "along "
        "the same direction into one, with the sum of their limits");
}

// R λ = rhs for the sticking contacts, in place, without allocation.
void TaylorPhase::solve_stick() {
  auto x = stick_rhs_.head(static_cast<Index>(stick_.size()));
  factor_.matrixL().solveInPlace(x);
  x.array() /= factor_.vectorD().array();
  factor_.matrixU().solveInPlace(x);
}

void TaylorPhase::slip_of(double t, const VectorX& u, VectorX& slip) const {
  system_->along_contacts(u.data(), slip.data());
  for (const TimeFunctionAt& s : system_->surfaces()) slip[s.index] -= s.function.rate(t);
}

void TaylorPhase::project(double t, VectorX& u) {
  if (system_->is_direct()) {
    for (Index i = 0; i < u.size(); ++i)
      if (mode(i) == 0) u[i] = 0;
    return;
  }
  if (stick_.empty()) return;
  slip_of(t, u, contact_);
  for (std::size_t a = 0; a < stick_.size(); ++a) stick_rhs_[static_cast<Index>(a)] = contact_[stick_[a]];
  solve_stick();
  contact_.setZero();
  for (std::size_t a = 0; a < stick_.size(); ++a) contact_[stick_[a]] = stick_rhs_[static_cast<Index>(a)];
  a_.setZero();
  system_->add_contact_forces(contact_.data(), a_.data());
  system_->apply_inverse_mass(a_.data(), spare_.data());
  u -= a_;
}

void TaylorPhase::expand(double t, const VectorX& q, const VectorX& u) {
  const Index n = system_->dofs(), m = system_->contact_count();
  const bool direct = system_->is_direct();
  forces_.setZero();
  surfaces_.setZero();
  surface_rates_.setZero();
  drives_.setZero();
  drive_rates_.setZero();
  for (std::size_t i = 0; i < system_->forces().size(); ++i)
    add_series(system_->forces()[i].function, 0, t, h_, forces_.row(static_cast<Index>(i)));
  for (std::size_t i = 0; i < system_->surfaces().size(); ++i) {
    add_series(system_->surfaces()[i].function, 1, t, h_, surfaces_.row(static_cast<Index>(i)));
    add_series(system_->surfaces()[i].function, 2, t, h_, surface_rates_.row(static_cast<Index>(i)));
  }
  for (std::size_t i = 0; i < system_->drives().size(); ++i) {
    add_series(system_->drives()[i].displacement, 0, t, h_, drives_.row(static_cast<Index>(i)));
    add_series(system_->drives()[i].displacement, 1, t, h_, drive_rates_.row(static_cast<Index>(i)));
  }
  q_.col(0) = q;
  u_.col(0) = u;
  force_.setZero();
  for (Index i = 0; i < m; ++i) force_(i, 0) = -mode(i) * system_->limits()[i];
  for (int k = 0; k + 1 < kTerms; ++k) {
    a_.setZero();
    for (std::size_t i = 0; i < system_->forces().size(); ++i)
      a_[system_->forces()[i].index] += forces_(static_cast<Index>(i), k);
    for (std::size_t i = 0; i < system_->drives().size(); ++i) {
      const Drive& d = system_->drives()[i];
      const auto row = static_cast<Index>(i);
      a_[d.index] += d.stiffness * drives_(row, k) + d.damping * drive_rates_(row, k);
    }
    if (!system_->stiffness().is_zero()) system_->stiffness().subtract_product(q_.col(k).data(), a_.data());
    if (!system_->damping().is_zero()) system_->damping().subtract_product(u_.col(k).data(), a_.data());
    const double step = h_ / (k + 1);
    if (direct) {
      for (Index i = 0; i < n; ++i) {
        if (mode(i) == 0) force_(i, k) = -a_[i];
        u_(i, k + 1) = mode(i) == 0 ? 0 : step * system_->inverse_mass()[i] * (a_[i] + force_(i, k));
      }
    } else {
      contact_ = force_.col(k);
      system_->add_contact_forces(contact_.data(), a_.data());
      system_->apply_inverse_mass(a_.data(), spare_.data());
      if (!stick_.empty()) {
        system_->along_contacts(a_.data(), contact_.data());
        for (std::size_t i = 0; i < system_->surfaces().size(); ++i)
          contact_[system_->surfaces()[i].index] -= surface_rates_(static_cast<Index>(i), k);
        for (std::size_t a = 0; a < stick_.size(); ++a) stick_rhs_[static_cast<Index>(a)] = -contact_[stick_[a]];
        solve_stick();
        contact_.setZero();
        for (std::size_t a = 0; a < stick_.size(); ++a)
          contact_[stick_[a]] = force_(stick_[a], k) = stick_rhs_[static_cast<Index>(a)];
        q_.col(k + 1).setZero();  // room for M⁻¹Wλ
        system_->add_contact_forces(contact_.data(), q_.col(k + 1).data());
        system_->apply_inverse_mass(q_.col(k + 1).data(), spare_.data());
        a_ += q_.col(k + 1);
      }
      u_.col(k + 1) = step * a_;
    }
    q_.col(k + 1) = step * u_.col(k);
  }
  if (!direct) {
    for (int k = 0; k < kTerms; ++k) system_->along_contacts(u_.col(k).data(), slip_.col(k).data());
    for (std::size_t i = 0; i < system_->surfaces().size(); ++i)
      slip_.row(system_->surfaces()[i].index) -= surfaces_.row(static_cast<Index>(i));
    for (const Index i : stick_) slip_.row(i).setZero();
  }
  expand_energy();
}

void TaylorPhase::add_product(const Terms& a, const Terms& b, double factor) {
  for (int i = 0; i < kTerms; ++i)
    for (int j = 0; j < kTerms; ++j) power_[i + j] += factor * a[i] * b[j];
}

void TaylorPhase::expand_energy() {
  heat_.setZero();
  power_.setZero();
  for (Index i = 0; i < system_->contact_count(); ++i)
    if (mode(i) != 0) heat_ -= force_(i, 0) * slip_series(i).row(i).transpose();
  for (std::size_t i = 0; i < system_->forces().size(); ++i)
    add_product(forces_.row(static_cast<Index>(i)), u_.row(system_->forces()[i].index), 1);
  for (std::size_t i = 0; i < system_->drives().size(); ++i) {  // its spring, stretched by s - q, and its damper
    const Drive& d = system_->drives()[i];
    const auto row = static_cast<Index>(i);
    const Terms pull = d.stiffness * (drives_.row(row) - q_.row(d.index)) + d.damping * u_.row(d.index);
    add_product(pull, drive_rates_.row(row), 1);
  }
  for (std::size_t i = 0; i < system_->surfaces().size(); ++i)
    add_product(force_.row(system_->surfaces()[i].index), surfaces_.row(static_cast<Index>(i)), 1);
  for (int j = 0; j < damping_.outerSize(); ++j)
    for (SparseMatrix::InnerIterator e(damping_, j); e; ++e) add_product(u_.row(e.row()), u_.row(j), -e.value());
  for (const auto& e : system_->skew_stiffness()) add_product(u_.row(e.row()), q_.row(e.col()), -e.value());
}

void TaylorPhase::force_scale(double t, const VectorX& q, const VectorX& u, VectorX& scale) const {
  VectorX sum = VectorX::Zero(system_->dofs());
  for (const TimeFunctionAt& f : system_->forces()) {
    const TimeFunction& g = f.function;
    sum[f.index] += std::abs(g.constant) + std::abs(g.slope * t) + std::abs(g.amplitude);
  }
  for (const Drive& d : system_->drives()) {
    const TimeFunction& g = d.displacement;
    const double amplitude = std::abs(g.amplitude);
    sum[d.index] += std::abs(d.stiffness) * (std::abs(g.constant) + std::abs(g.slope * t) + amplitude) +
                    std::abs(d.damping) * (std::abs(g.slope) + std::abs(g.frequency) * amplitude);
  }
  if (!system_->stiffness().is_zero()) system_->stiffness().add_absolute_product(q.data(), sum.data());
  if (!system_->damping().is_zero()) system_->damping().add_absolute_product(u.data(), sum.data());
  if (system_->is_direct())
    scale = sum;
  else
    scale.setConstant(sum.maxCoeff());
  double largest = 0;
  for (Index i = 0; i < system_->contact_count(); ++i) largest = std::max(largest, system_->static_limit(i));
  for (Index i = 0; i < scale.size(); ++i) scale[i] += system_->is_direct() ? system_->static_limit(i) : largest;
}

void TaylorPhase::horner(const MatrixX& series, double tau, VectorX& out) {
  out = series.col(kTerms - 1);
  for (int k = kTerms - 1; k-- > 0;) out = tau * out + series.col(k);
}

double TaylorPhase::horner(const MatrixX& series, Index row, double tau) {
  double sum = 0;
  for (int k = kTerms; k-- > 0;) sum = sum * tau + series(row, k);
  return sum;
}

double TaylorPhase::integral(const VectorX& rate, double tau) const {
  double sum = 0;
  for (Index k = rate.size(); k-- > 0;) sum = sum * tau + rate[k] / static_cast<double>(k + 1);
  return sum * tau * h_;
}

}  // namespace slipset::internal
