#include "slipset/stability/criteria.hpp"

#include <fmt/format.h>

#include "slipset/laws/destabilising.hpp"
#include "slipset/sets/boundary_scan.hpp"

namespace slipset {
namespace {

const MatrixX* structure_damping(const LinearSliding& s) {
  for (const LinearTerm& t : s.terms)
    if (t.mechanism == Mechanism::structure) return &t.damping;
  return nullptr;
}

bool has(const LinearSliding& s, Mechanism mechanism) {
  for (const LinearTerm& t : s.terms)
    if (t.mechanism == mechanism) return true;
  return false;
}

// Symmetric, and no eigenvalue below zero, to rounding.
bool is_positive(const MatrixX& m) {
  const double size = m.norm();
  if (!((m - m.transpose()).norm() <= 1e-12 * size)) return size == 0;
  return SymmetricEigen(m).values()[0] >= -1e-12 * size;
}

Criterion theorem2(const LinearSliding& s, bool inside) {
  const auto nothing = [](const std::string& why) { return Criterion{Statement::none, why}; };
  if (s.contacts.size() != 1) return nothing("valid only for one contact");
  if (s.is_constrained() || !s.contacts[0].keeps_normal_force) return nothing("valid only for a constant normal force");
  if (s.lugre) return nothing("valid only for a law without internal variables");
  if (has(s, Mechanism::characteristic)) return nothing("valid only for a law that does not depend on the speed");
  if (has(s, Mechanism::follower)) return nothing("valid only for constant force directions");
  const double m = s.mass(0, 0);
  if (!(s.mass - m * MatrixX::Identity(s.mass.rows(), s.mass.cols())).isZero(1e-12 * m))
    return nothing("valid only for a mass matrix m I; with other mass matrices collinear laws can destabilise, too");
  const Mat2 w = s.tangents[0].transpose() * s.tangents[0];
  if (!(w - w(0, 0) * Mat2::Identity()).isZero(1e-12 * w.norm()) || w(0, 0) == 0)
    return nothing("valid only for a contact that moves along both axes alike");
  const MatrixX* damping = structure_damping(s);
  if (!damping || !damping->isZero(1e-14 * s.damping.norm())) return nothing("valid only for a system without dampers");
  if (!inside) return nothing("the slip velocity is not inside the tangent cone of C");
  return {Statement::unstable, "the slip velocity points into the tangent cone of C at the friction force"};
}

Criterion theorem1(const System& system, const LinearSliding& s) {
  const auto nothing = [](const std::string& why) { return Criterion{Statement::none, why}; };
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    if (!s.contacts[i].keeps_normal_force) return nothing("valid only for constant normal forces");
    const FrictionLaw& law = system.contacts()[i].law->law();
    if (law.stribeck()) return nothing("valid only for laws that do not depend on the speed");
    const RatioRange ratio = radius_ratio(law.reservoir(), law.direction());
    if (ratio.spread() > 1e-10)
      return nothing(fmt::format("the law of {} is not associated", system.contacts()[i].name));
  }
  if (s.lugre) return nothing("valid only for laws without internal variables");
  if (has(s, Mechanism::follower) || has(s, Mechanism::surface))
    return nothing("valid only for constant force directions");
  const MatrixX* damping = structure_damping(s);
  if (!damping || !is_positive((*damping + damping->transpose()) / 2)) return nothing("the dampers supply energy");
  if (!is_positive(s.stiffness)) return nothing("the stiffness is not symmetric, or a spring pushes away");
  return {Statement::stable, "associated laws dissipate the difference of any two motions"};
}

}  // namespace

const char* name_of(Statement verdict) {
  return verdict == Statement::unstable ? "unstable" : verdict == Statement::stable ? "stable" : "no statement";
}

Criteria criteria_of(const System& system, const LinearSliding& s) {
  require_sliding_laws(system);
  if (system.contacts().size() != s.contacts.size())
    throw InvalidInput(fmt::format("criteria: the system has {} contacts; its steady sliding has {}",
                                   system.contacts().size(), s.contacts.size()));
  Criteria c{};
  const MatrixX rates = FullLu(s.mass).solve(s.damping);
  c.trace_value = rates.trace();
  const bool plain = !s.lugre && !s.is_constrained();
  c.trace = {Statement::none, fmt::format("tr(M⁻¹B) = {:.6g}", c.trace_value)};
  if (!plain) c.trace.why += "; valid only for laws without internal state and without closed unilateral contacts";
  if (plain && c.trace_value < -1e-13 * rates.norm()) c.trace.verdict = Statement::unstable;
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    c.tangent_cones.push_back(slips_into_reservoir(system.contacts()[i].law->law(), s.contacts[i].slip_velocity));
    c.tangent_cone = c.tangent_cone || c.tangent_cones.back();
  }
  c.theorem2 = theorem2(s, c.tangent_cone);
  c.theorem1 = theorem1(system, s);
  return c;
}

}  // namespace slipset
