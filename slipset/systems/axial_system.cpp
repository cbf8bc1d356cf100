#include "slipset/systems/axial_system.hpp"

#include <fmt/format.h>

#include "slipset/core/angle.hpp"
#include "slipset/systems/internal/axial_step.hpp"

namespace slipset {

using Eigen::Index;

bool TimeFunction::is_finite() const {
  return std::isfinite(constant) && std::isfinite(slope) && std::isfinite(amplitude) && std::isfinite(frequency) &&
         std::isfinite(phase);
}

AxialSystem::AxialSystem(AxialSystemParameters parameters) : p_(std::move(parameters)) {
  check();
  const Index n = p_.mass.size() > 0 ? p_.mass.size() : p_.full_mass.rows();
  if (p_.mass.size() > 0)
    inverse_mass_ = p_.mass.cwiseInverse();
  else
    inverse_full_mass_ = Cholesky(p_.full_mass).solve(MatrixX(MatrixX::Identity(n, n)));
  direct_ = p_.directions.size() == 0 && p_.surfaces.empty() && has_diagonal_mass();
  skew_ = p_.stiffness.skew_part();
  if (!direct_ && p_.directions.size() == 0) {
    p_.directions.resize(n, n);
    p_.directions.setIdentity();
  }
  if (!direct_) build_delassus();

  const VectorX scale = has_diagonal_mass() ? inverse_mass_ : VectorX(inverse_full_mass_.cwiseAbs().rowwise().sum());
  const double k = p_.stiffness.row_bound(scale), d = p_.damping.row_bound(scale);
  rate_bound_ = (d + std::sqrt(d * d + 4 * k)) / 2;
  if (direct_)
    friction_rate_ = inverse_mass_.cwiseProduct(p_.limits).maxCoeff();
  else
    for (Index i = 0; i < contact_count(); ++i) {
      double sum = 0;
      for (SparseRows::InnerIterator e(delassus_, i); e; ++e) sum += std::abs(e.value()) * p_.limits[e.col()];
      friction_rate_ = std::max(friction_rate_, sum);
    }
}

void AxialSystem::check() const {
  const bool full = p_.full_mass.size() > 0;
  if (full == (p_.mass.size() > 0))
    throw InvalidInput("axial system: give the diagonal of the mass matrix, or all of it as full_mass, not both");
  const Index n = full ? p_.full_mass.rows() : p_.mass.size();
  if (full) {
    if (n > 500 || p_.full_mass.cols() != n || !p_.full_mass.allFinite() ||
        (p_.full_mass - p_.full_mass.transpose()).norm() > 1e-12 * p_.full_mass.norm() ||
        !Cholesky(p_.full_mass).positive_definite())
      throw InvalidInput("axial system: full_mass must be symmetric, positive definite and of at most 500 rows");
  } else if (!(p_.mass.allFinite() && p_.mass.minCoeff() > 0)) {
    throw InvalidInput("axial system: every mass must be positive and finite");
  }
  const auto fits = [&](const char* name, const CompactMatrix& m) {
    if (!m.is_zero() && m.size() != n)
      throw InvalidInput(fmt::format("axial system: {} has {} rows; there are {} coordinates", name, m.size(), n));
    if (!m.is_finite()) throw InvalidInput(fmt::format("axial system: {} must be finite", name));
  };
  fits("stiffness", p_.stiffness);
  fits("damping", p_.damping);
  const bool own = p_.directions.size() == 0;
  const Index m = own ? n : p_.directions.cols();
  if (!own && p_.directions.rows() != n)
    throw InvalidInput(
        fmt::format("axial system: directions has {} rows; there are {} coordinates", p_.directions.rows(), n));
  if (p_.limits.size() != m)
    throw InvalidInput(fmt::format("axial system: {} friction limits for {} contacts", p_.limits.size(), m));
  for (Index i = 0; i < m; ++i)
    if (!(p_.limits[i] >= 0 && std::isfinite(p_.limits[i])))
      throw InvalidInput(fmt::format("axial system: the friction limit of contact {} is {}; it must be 0 or more",
                                     i + 1, p_.limits[i]));
  if (p_.static_limits.size() > 0) {
    if (p_.static_limits.size() != m)
      throw InvalidInput(fmt::format("axial system: {} static limits for {} contacts", p_.static_limits.size(), m));
    for (Index i = 0; i < m; ++i)
      if (!(p_.static_limits[i] >= p_.limits[i] && std::isfinite(p_.static_limits[i])))
        throw InvalidInput(
            fmt::format("axial system: the static limit of contact {} is {}; it must be at least the "
                        "kinetic limit, {}",
                        i + 1, p_.static_limits[i], p_.limits[i]));
  }
  const auto fit = [](const char* name, const std::vector<TimeFunctionAt>& all, Index size) {
    for (const TimeFunctionAt& f : all)
      if (f.index < 0 || f.index >= size || !f.function.is_finite())
        throw InvalidInput(
            fmt::format("axial system: {} at index {}; it must be finite and below {}", name, f.index, size));
  };
  fit("a force", p_.forces, n);
  fit("a surface motion", p_.surfaces, m);
  for (const Drive& d : p_.drives)
    if (d.index < 0 || d.index >= n || !d.displacement.is_finite() || !std::isfinite(d.stiffness) ||
        !std::isfinite(d.damping))
      throw InvalidInput(fmt::format("axial system: a drive at index {}; it must be finite and below {}", d.index, n));
  if (!p_.coordinates.empty() && static_cast<Index>(p_.coordinates.size()) != n)
    throw InvalidInput(fmt::format("axial system: {} names for {} coordinates", p_.coordinates.size(), n));
}

void AxialSystem::build_delassus() {
  const SparseMatrix& w = p_.directions;
  SparseMatrix r;
  if (has_diagonal_mass()) {
    r = w.transpose() * inverse_mass_.asDiagonal() * w;
  } else {
    const MatrixX dense(w);
    r = MatrixX(dense.transpose() * inverse_full_mass_ * dense).sparseView();
  }
  delassus_ = r;
  delassus_.makeCompressed();
  delassus_diagonal_ = VectorX(r.diagonal());
  for (Index i = 0; i < contact_count(); ++i)
    if (!(delassus_diagonal_[i] > 0))
      throw InvalidInput(fmt::format("axial system: the direction of contact {} is zero", i + 1));
}

std::vector<std::string> AxialSystem::coordinates() const {
  if (!p_.coordinates.empty()) return p_.coordinates;
  std::vector<std::string> names;
  for (Index i = 0; i < dofs(); ++i) names.push_back(fmt::format("x{}", i + 1));
  return names;
}

std::vector<std::string> AxialSystem::contact_names() const {
  if (contact_count() == 1) return {"contact"};
  std::vector<std::string> names;
  for (Index i = 0; i < contact_count(); ++i) names.push_back(fmt::format("contact{}", i + 1));
  return names;
}

void AxialSystem::apply_inverse_mass(double* x, double* spare) const {
  const Index n = dofs();
  Eigen::Map<VectorX> v(x, n);
  if (has_diagonal_mass()) {
    v.array() *= inverse_mass_.array();
    return;
  }
  Eigen::Map<VectorX> s(spare, n);
  s = v;
  v.noalias() = inverse_full_mass_.lazyProduct(s);
}

void AxialSystem::external_force(double t, double* out) const {
  std::fill_n(out, dofs(), 0.0);
  for (const TimeFunctionAt& f : p_.forces) out[f.index] += f.function.value(t);
  for (const Drive& d : p_.drives)
    out[d.index] += d.stiffness * d.displacement.value(t) + d.damping * d.displacement.rate(t);
}

void AxialSystem::along_contacts(const double* x, double* out) const {
  if (direct_) {
    std::copy_n(x, dofs(), out);
    return;
  }
  for (Index i = 0; i < contact_count(); ++i) {
    double sum = 0;
    for (SparseMatrix::InnerIterator e(p_.directions, i); e; ++e) sum += e.value() * x[e.row()];
    out[i] = sum;
  }
}

void AxialSystem::add_contact_forces(const double* f, double* out) const {
  if (direct_) {
    for (Index i = 0; i < dofs(); ++i) out[i] += f[i];
    return;
  }
  for (Index i = 0; i < contact_count(); ++i)
    for (SparseMatrix::InnerIterator e(p_.directions, i); e; ++e) out[e.row()] += e.value() * f[i];
}

double AxialSystem::kinetic_energy(const VectorX& u) const {
  if (!has_diagonal_mass()) return 0.5 * u.dot(p_.full_mass * u);
  return 0.5 * (u.array().square() * p_.mass.array()).sum();
}

double AxialSystem::potential_energy(const VectorX& q) const {
  if (!p_.drives.empty())
    throw InvalidInput("axial system: the springs of drives make the potential depend on time; ask with the time");
  return potential_energy(0, q);
}

double AxialSystem::potential_energy(double t, const VectorX& q) const {
  VectorX force = VectorX::Zero(dofs());
  if (!p_.stiffness.is_zero()) p_.stiffness.subtract_product(q.data(), force.data());
  double energy = -0.5 * q.dot(force);
  for (const Drive& d : p_.drives) {
    const double x = q[d.index], s = d.displacement.value(t);
    energy += d.stiffness / 2 * ((s - x) * (s - x) - x * x);
  }
  return energy;
}

double AxialSystem::input_power(double t, const double* q, const double* u) const {
  double power = 0;
  for (const TimeFunctionAt& f : p_.forces) power += f.function.value(t) * u[f.index];
  for (const Drive& d : p_.drives)
    power += (d.stiffness * (d.displacement.value(t) - q[d.index]) + d.damping * u[d.index]) * d.displacement.rate(t);
  if (!p_.damping.is_zero()) power -= p_.damping.quadratic_form(u);
  for (const auto& e : skew_) power -= u[e.row()] * e.value() * q[e.col()];
  return power;
}

// f(function) of all forces, surfaces and drives that swing.
template <class Function>
void AxialSystem::each_sine(const Function& f) const {
  const auto look = [&](const TimeFunction& g) {
    if (g.amplitude != 0 && g.frequency != 0) f(g);
  };
  for (const TimeFunctionAt& g : p_.forces) look(g.function);
  for (const TimeFunctionAt& g : p_.surfaces) look(g.function);
  for (const Drive& d : p_.drives) look(d.displacement);
}

double AxialSystem::period() const {
  double first = 0;
  each_sine([&](const TimeFunction& g) { first = first > 0 ? first : 2 * kPi / std::abs(g.frequency); });
  return first;
}

double AxialSystem::drive_frequency() const {
  double fastest = 0;
  each_sine([&](const TimeFunction& g) { fastest = std::max(fastest, std::abs(g.frequency) / (2 * kPi)); });
  return fastest;
}

const std::vector<SystemContact>& AxialSystem::contacts() const {
  static const std::vector<SystemContact> none;
  return none;
}

void AxialSystem::evaluate(double, const VectorX&, const VectorX&, SystemAt&) const {
  throw InvalidInput("this is for systems with planar contacts; the system has friction along one axis per contact");
}

std::unique_ptr<SystemStep> AxialSystem::make_step() const { return std::make_unique<internal::AxialStep>(*this); }

}  // namespace slipset
