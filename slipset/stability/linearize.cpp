#include "slipset/stability/linearize.hpp"

#include <fmt/format.h>

#include "slipset/stability/internal/steady_sliding.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;
using internal::Sliding;

void add_terms(Sliding& s, const LinearizeOptions& options, Index n, LinearSliding& out) {
  out.damping = -s.force_by_u();
  out.stiffness = -s.force_by_q();
  const std::size_t nobody = out.contacts.size();
  const MatrixX zero = MatrixX::Zero(n, n);
  if (options.with_terms) out.terms.push_back({nobody, Mechanism::structure, out.damping, out.stiffness});
  const auto add = [&](std::size_t i, Mechanism mechanism, const MatrixX& damping, const MatrixX& stiffness) {
    out.damping += damping;
    out.stiffness += stiffness;
    if (options.with_terms && !(damping.isZero(0) && stiffness.isZero(0)))
      out.terms.push_back({i, mechanism, damping, stiffness});
  };
  for (std::size_t i = 0; i < out.contacts.size(); ++i) {
    SlidingContact& c = out.contacts[i];
    const auto& w = s.at().contacts[i].tangents;
    const FrictionLaw& law = s.law(i);
    c.slip_jacobian = slip_jacobian(law, c.slip_velocity);
    if (!c.slip_jacobian && slip_jacobian(law, c.slip_velocity.stableNormalized()))
      throw InvalidInput(fmt::format("steady sliding: {} slips at {:.6g} m/s, which is beyond the range of numbers",
                                     s.name(i), c.slip_velocity.stableNorm()));
    if (!c.slip_jacobian)
      throw InvalidInput(fmt::format(
          "steady sliding: the law of {} has no derivative at its slip velocity ({:.6g}, {:.6g}), which is along the "
          "normal of a flat side of D, or whose resistance is at a corner of C; turn the belt a little",
          s.name(i), c.slip_velocity.x(), c.slip_velocity.y()));
    Mat2 falling = Mat2::Zero();
    if (law.stribeck()) {
      const Vec2 plain = slip_resistance(law.reservoir(), law.direction(), c.slip_velocity);
      falling =
          law.stribeck()->slope(c.slip_velocity.stableNorm()) * plain * c.slip_velocity.stableNormalized().transpose();
    }
    const Mat2 turning = *c.slip_jacobian - falling;
    add(i, Mechanism::anisotropy, c.normal_force * w * turning * w.transpose(), zero);
    add(i, Mechanism::characteristic, c.normal_force * w * falling * w.transpose(), zero);
    if (options.lugre) add(i, Mechanism::viscous, c.normal_force * options.lugre->sigma2 * w * w.transpose(), zero);
    const VectorX along = w * c.resistance;
    add(i, Mechanism::normal_speed, along * s.normal_by_u(i), zero);
    add(i, Mechanism::mode_coupling, zero, along * s.normal_by_q(i));
    add(i, Mechanism::follower, zero, c.normal_force * s.follower(i) - s.normal_turn(i));
    MatrixX slope = *c.slip_jacobian;
    if (options.lugre) slope += options.lugre->sigma2 * Mat2::Identity();
    add(i, Mechanism::surface, zero, -c.normal_force * w * slope * s.surface_by_q(i));
    c.keeps_normal_force = !s.unilateral(i) && s.normal_by_q(i).isZero(0) && s.normal_by_u(i).isZero(0);
    out.tangents.push_back(w);
  }
}

void add_bristles(Sliding& s, LinearSliding& out) {
  for (std::size_t i = 0; out.lugre && i < out.contacts.size(); ++i) {
    const auto jacobian = bristle_jacobian(s.law(i), *out.lugre, out.contacts[i].slip_velocity);
    BristleBlock block{i, {}, jacobian->by_slip, jacobian->by_deflection, -s.surface_by_q(i)};
    for (Index k = 0; k < 2; ++k) {
      // A deflection along an axis that cannot move acts on nothing, unless through the other one.
      const bool idle = out.tangents[i].col(k).isZero(0) &&
                        std::abs(block.by_deflection(1 - k, k)) < 1e-14 * std::abs(block.by_deflection(k, k));
      if (!idle) block.axes.push_back(k);
    }
    out.bristles.push_back(std::move(block));
  }
}

// Contacts that stay closed: q = free y with w_Nᵀ free = 0, and the equations are taken across the reactions.
struct Reduction {
  MatrixX free, test;
};
Reduction reduction_of(Sliding& s, Index n, LinearSliding& out) {
  Index closed = 0;
  for (std::size_t i = 0; i < out.contacts.size(); ++i) closed += s.unilateral(i);
  out.closed.resize(n, closed);
  out.reactions.resize(n, closed);
  const FullLu mass(out.mass);
  for (std::size_t i = 0, k = 0; i < out.contacts.size(); ++i) {
    if (!s.unilateral(i)) continue;
    SlidingContact& c = out.contacts[i];
    if (!(c.normal_force > 0))
      throw InvalidInput(fmt::format("steady sliding: {} would have to be pulled down ({:.6g} N): it opens", s.name(i),
                                     c.normal_force));
    const auto column = static_cast<Index>(k++);
    out.closed.col(column) = s.at().contacts[i].normal;
    out.reactions.col(column) = s.at().contacts[i].normal - out.tangents[i] * c.resistance;
    c.normal_mobility = out.closed.col(column).dot(mass.solve(VectorX(out.reactions.col(column))));
  }
  if (closed == 0) return {MatrixX::Identity(n, n), MatrixX::Identity(n, n)};
  const auto across = [&](const MatrixX& columns) {
    const PivotedQr qr(columns);
    if (qr.rank() < closed)
      throw InvalidInput("steady sliding: the normal forces are not determined by the motion (too many contacts)");
    return MatrixX(qr.q().rightCols(n - closed));
  };
  return {across(out.closed), across(out.reactions)};
}

void add_system(Sliding& s, Index n, LinearSliding& out) {
  const Reduction r = reduction_of(s, n, out);
  const Index m = r.free.cols();
  if (m == 0) throw InvalidInput("steady sliding: the closed contacts leave no motion");
  out.free = r.free;
  Index states = 2 * m;
  for (const BristleBlock& b : out.bristles) states += static_cast<Index>(b.axes.size());
  MatrixX damping = out.damping, stiffness = out.stiffness, deflection = MatrixX::Zero(n, states - 2 * m);
  out.system = MatrixX::Zero(states, states);
  out.system.block(0, m, m, m).setIdentity();
  Index z = 2 * m;
  for (const BristleBlock& b : out.bristles) {
    const SlidingContact& c = out.contacts[b.contact];
    const auto& w = out.tangents[b.contact];
    // In place of the law at once: -λ_N W (σ0 z + σ1 ż).
    damping += c.normal_force * w * (out.lugre->sigma1 * b.by_slip - *c.slip_jacobian) * w.transpose();
    stiffness += c.normal_force * w * (out.lugre->sigma1 * b.by_slip - *c.slip_jacobian) * b.slip_by_position;
    const Mat2 force = out.lugre->sigma0 * Mat2::Identity() + out.lugre->sigma1 * b.by_deflection;
    const Index first = z;
    for (const Index axis : b.axes) {
      deflection.col(z - 2 * m) = -c.normal_force * w * force.col(axis);
      out.system.row(z).head(m) = b.by_slip.row(axis) * b.slip_by_position * r.free;
      out.system.row(z).segment(m, m) = b.by_slip.row(axis) * w.transpose() * r.free;
      for (std::size_t k = 0; k < b.axes.size(); ++k)
        out.system(z, first + static_cast<Index>(k)) = b.by_deflection(axis, b.axes[k]);
      ++z;
    }
  }
  const FullLu mass(r.test.transpose() * out.mass * r.free);
  if (!mass.invertible())
    throw InvalidInput(
        "steady sliding: the accelerations of the closed contacts are not determined (Painlevé); reduce the friction");
  MatrixX forces(n, states);
  forces << -stiffness * r.free, -damping * r.free, deflection;
  out.system.middleRows(m, m) = mass.solve(MatrixX(r.test.transpose() * forces));
}

}  // namespace

void require_sliding_laws(const System& system) {
  if (system.contacts().empty()) throw InvalidInput("steady sliding: the system has no contact");
  for (const SystemContact& c : system.contacts()) {
    if (!c.law)
      throw InvalidInput(
          fmt::format("steady sliding: contact \"{}\" does not slide by two sets ({}); give it a law, or "
                      "leave it out",
                      c.name, c.other_law ? "it has another law" : "it has no friction"));
    if (c.law->law().elastic())
      throw InvalidInput(
          fmt::format("steady sliding: contact \"{}\" is elastic, and the law is taken as rigid; remove "
                      "its elasticity, or use LuGre for what is soft",
                      c.name));
  }
}

const char* name_of(Mechanism mechanism) {
  switch (mechanism) {
    case Mechanism::structure: return "structure";
    case Mechanism::anisotropy: return "anisotropy";
    case Mechanism::characteristic: return "characteristic";
    case Mechanism::viscous: return "viscous friction";
    case Mechanism::normal_speed: return "velocity-dependent normal force";
    case Mechanism::mode_coupling: return "mode coupling";
    case Mechanism::follower: return "follower force";
    case Mechanism::surface: return "surface velocity";
    case Mechanism::bristles: return "bristles";
  }
  return "";
}

LinearSliding linearize_sliding(const System& system, const LinearizeOptions& options) {
  const Index n = system.dofs();
  LinearSliding out;
  out.lugre = options.lugre;
  Sliding s(system, options);
  internal::find_steady(s, options, out);
  if (!out.report.converged) return out;
  out.contacts = s.contacts();
  out.mass = s.at().mass;
  if (const std::vector<std::string> sharing = internal::sharing_contacts(s); !sharing.empty())
    throw InvalidInput(fmt::format(
        "steady sliding: the normal forces of {} are not determined: these contacts hold the body more than "
        "once, and one may carry what another does not; remove one, or give each a normal_force",
        fmt::join(sharing, ", ")));
  for (std::size_t i = 0; i < out.contacts.size(); ++i)
    if (!(out.contacts[i].normal_force > 0)) internal::throw_open(system, options, out, i);
  add_terms(s, options, n, out);
  add_bristles(s, out);
  add_system(s, n, out);
  if (!out.system.allFinite() || !out.damping.allFinite() || !out.stiffness.allFinite())
    throw InvalidInput("steady sliding: the linear equations are beyond the range of floating-point numbers");
  return out;
}

}  // namespace slipset
