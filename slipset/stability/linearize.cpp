#include "slipset/stability/linearize.hpp"

#include <fmt/format.h>

#include "slipset/core/internal/numeric_jacobian.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

// The system with every contact slipping, and its derivatives. What is stacked for differences: h, then for each
// contact λ_N (given), W_T s, w_N λ_N, gap and χ, with s and λ_N of unilateral contacts held.
class Sliding {
 public:
  Sliding(const System& system, const LinearizeOptions& options)
      : system_(system),
        options_(options),
        n_(system.dofs()),
        at_(sized_for(system)),
        probe_(at_),
        zero_(VectorX::Zero(n_)) {
    require_sliding_laws(system);
    if (options.guess && options.guess->size() != n_)
      throw InvalidInput(fmt::format("steady sliding: the guess has {} numbers; the system has {} degrees of freedom",
                                     options.guess->size(), n_));
    if (options.lugre) require_valid(*options.lugre);
    contacts_.resize(system.contacts().size());
    open_.resize(contacts_.size(), false);
    require_autonomous();
    for (const SystemContact& c : system.contacts()) unilateral_ += c.unilateral;
    rows_ = n_ + static_cast<Index>(contacts_.size()) * (2 * n_ + 4);
  }

  Index unknowns() const { return n_ + unilateral_; }

  // From now on without force, at whatever gap.
  void open(std::size_t i) { open_[i] = true; }
  bool is_open(std::size_t i) const { return open_[i]; }

  // Everything at q, with the normal forces of unilateral contacts in `reactions`.
  void look_at(const VectorX& q, const VectorX& reactions) {
    system_.evaluate(0, q, zero_, at_);
    Index next = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      SlidingContact& c = contacts_[i];
      c.slip_velocity = Vec2::Zero() - at_.contacts[i].surface_velocity;
      if (c.slip_velocity.isZero(0))
        throw InvalidInput(fmt::format(
            "steady sliding: the surface of {} stands still, so that it cannot slip while the system rests; give it a "
            "velocity",
            name(i)));
      c.normal_force = system_.contacts()[i].unilateral ? reactions[next++] : at_.contacts[i].normal_force;
      c.resistance = slip_resistance(law(i), c.slip_velocity);
      if (options_.lugre) c.resistance += options_.lugre->sigma2 * c.slip_velocity;
    }
  }

  VectorX residual() const {
    VectorX r(unknowns());
    r.head(n_) = at_.force;
    Index next = n_;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      r.head(n_) += force_of(i);
      if (system_.contacts()[i].unilateral) r[next++] = open_[i] ? contacts_[i].normal_force : at_.contacts[i].gap;
    }
    return r;
  }

  double force_size() const {
    double size = at_.force.lpNorm<Eigen::Infinity>();
    for (std::size_t i = 0; i < contacts_.size(); ++i) size = std::max(size, force_of(i).lpNorm<Eigen::Infinity>());
    return size;
  }

  VectorX force_of(std::size_t i) const {
    VectorX f = at_.contacts[i].tangents * (-contacts_[i].normal_force * contacts_[i].resistance);
    if (system_.contacts()[i].unilateral) f += at_.contacts[i].normal * contacts_[i].normal_force;
    return f;
  }

  // Differences of the stacked quantities at the place last looked at.
  void differentiate(const VectorX& q) {
    differentiate_by_position(q);
    double speed = 0;
    for (const SlidingContact& c : contacts_) speed = std::max(speed, c.slip_velocity.stableNorm());
    by_u_ = internal::numeric_jacobian([&](const VectorX& u, VectorX& y) { stack(q, u, y); }, zero_, rows_, speed / 4);
  }
  void differentiate_by_position(const VectorX& q) {
    const auto derivatives = [&](double step) {
      return internal::numeric_jacobian([&](const VectorX& x, VectorX& y) { stack(x, zero_, y); }, q, rows_, step);
    };
    const double largest = q.lpNorm<Eigen::Infinity>();
    by_q_ = derivatives(largest > 0 ? largest / 2 : 1);
    if (largest > 0) return;
    // Where all coordinates are zero nothing says how long a length is, but forces over stiffnesses: in units that make
    // it a large number, a step of 1 changes less than the forces are rounded by.
    const double length = force_size() / by_q_.topRows(n_).lpNorm<Eigen::Infinity>();
    if (length > 1e6 && std::isfinite(length)) by_q_ = derivatives(length);
  }

  Index start(std::size_t i) const { return n_ + static_cast<Index>(i) * (2 * n_ + 4); }
  auto normal_by_q(std::size_t i) const { return by_q_.row(start(i)); }
  auto normal_by_u(std::size_t i) const { return by_u_.row(start(i)); }
  auto follower(std::size_t i) const { return by_q_.middleRows(start(i) + 1, n_); }
  auto normal_turn(std::size_t i) const { return by_q_.middleRows(start(i) + 1 + n_, n_); }
  auto gap_by_q(std::size_t i) const { return by_q_.row(start(i) + 1 + 2 * n_); }
  auto surface_by_q(std::size_t i) const { return by_q_.middleRows<2>(start(i) + 2 + 2 * n_); }
  auto force_by_q() const { return by_q_.topRows(n_); }
  auto force_by_u() const { return by_u_.topRows(n_); }

  // Of each equation of the residual, so that it has something to be compared with: the largest force; the largest gap
  // so far, and what the coordinates make of it.
  VectorX sizes(const VectorX& q, const VectorX& so_far) const {
    VectorX size = so_far;
    size.head(n_).setConstant(force_size());
    Index next = n_;
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (system_.contacts()[i].unilateral) {
        const double made = gap_by_q(i).lpNorm<1>() * q.lpNorm<Eigen::Infinity>();
        size[next] = open_[i] ? force_size() : std::max({size[next], std::abs(at_.contacts[i].gap), made});
        ++next;
      }
    return size;
  }

  const FrictionLaw& law(std::size_t i) const { return system_.contacts()[i].law->law(); }
  const std::string& name(std::size_t i) const { return system_.contacts()[i].name; }
  bool unilateral(std::size_t i) const { return system_.contacts()[i].unilateral; }
  const SystemAt& at() const { return at_; }
  std::vector<SlidingContact>& contacts() { return contacts_; }

 private:
  void stack(const VectorX& x, const VectorX& u, VectorX& y) {
    system_.evaluate(0, x, u, probe_);
    y.head(n_) = probe_.force;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const ContactAt& c = probe_.contacts[i];
      const Index k = start(i);
      const bool unilateral = system_.contacts()[i].unilateral;
      y[k] = unilateral ? 0 : c.normal_force;
      y.segment(k + 1, n_).noalias() = c.tangents * contacts_[i].resistance;
      if (unilateral)
        y.segment(k + 1 + n_, n_) = c.normal * contacts_[i].normal_force;
      else
        y.segment(k + 1 + n_, n_).setZero();
      y[k + 1 + 2 * n_] = unilateral ? c.gap : 0;
      y.segment<2>(k + 2 + 2 * n_) = c.surface_velocity;
    }
  }

  // At rest at zero, and at the guess; and away from both, where springs and dampers that change in time show.
  void require_autonomous() {
    VectorX guess = options_.guess.value_or(zero_), beside(n_), speed(n_);
    for (Index k = 0; k < n_; ++k) {
      beside[k] = guess[k] + 0.1 * std::cos(1.0 + 2.0 * static_cast<double>(k));
      speed[k] = 0.1 * std::cos(2.0 + 3.0 * static_cast<double>(k));
    }
    bool same = !(system_.drive_frequency() > 0) && is_steady_at(zero_, zero_) && is_steady_at(beside, speed);
    if (options_.guess) same = same && is_steady_at(guess, zero_);
    if (!same) throw InvalidInput("steady sliding: this system is driven in time; it has no state of steady sliding");
  }

  bool is_steady_at(const VectorX& q, const VectorX& u) {
    // What is not a number is not told apart: it is refused where it is met.
    const auto alike = [](const auto& a, const auto& b) {
      return ((a.array() == b.array()) || (a.array().isNaN() && b.array().isNaN())).all();
    };
    const auto number = [](double x) { return Eigen::Matrix<double, 1, 1>(x); };
    system_.evaluate(0, q, u, at_);
    for (const double t : {0.3779644730092272, 1.9364916731037085}) {  // of no common period
      system_.evaluate(t, q, u, probe_);
      if (!alike(at_.force, probe_.force) || !alike(at_.mass, probe_.mass)) return false;
      for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const ContactAt &a = at_.contacts[i], &b = probe_.contacts[i];
        bool same = alike(a.surface_velocity, b.surface_velocity) && alike(a.tangents, b.tangents);
        if (unilateral(i))
          same = same && alike(a.normal, b.normal) && alike(number(a.gap), number(b.gap)) &&
                 alike(number(a.surface_normal_velocity), number(b.surface_normal_velocity));
        else
          same = same && alike(number(a.normal_force), number(b.normal_force));
        if (!same) return false;
      }
    }
    return true;
  }

  const System& system_;
  const LinearizeOptions& options_;
  Index n_, unilateral_ = 0, rows_ = 0;
  SystemAt at_, probe_;
  VectorX zero_;
  std::vector<SlidingContact> contacts_;
  std::vector<bool> open_;
  MatrixX by_q_, by_u_;
};

// ∂ residual/∂(q, λ_N of unilateral contacts) of (B.4).
MatrixX newton_matrix(Sliding& s, Index n) {
  MatrixX a = MatrixX::Zero(s.unknowns(), s.unknowns());
  a.topLeftCorner(n, n) = s.force_by_q();
  Index next = n;
  for (std::size_t i = 0; i < s.contacts().size(); ++i) {
    const SlidingContact& c = s.contacts()[i];
    const auto& w = s.at().contacts[i].tangents;
    a.topLeftCorner(n, n) -= w * c.resistance * s.normal_by_q(i) + c.normal_force * s.follower(i);
    if (const auto jacobian = slip_jacobian(s.law(i), c.slip_velocity))
      a.topLeftCorner(n, n) += c.normal_force * w * *jacobian * s.surface_by_q(i);
    if (!s.unilateral(i)) continue;
    a.topLeftCorner(n, n) += s.normal_turn(i);
    a.block(0, next, n, 1) = s.at().contacts[i].normal - w * c.resistance;
    if (s.is_open(i))
      a(next, next) = 1;
    else
      a.block(next, 0, 1, n) = s.gap_by_q(i);
    ++next;
  }
  return a;
}

// The names of contacts whose normal forces can be traded for one another without any change of the sum; empty: there
// are none. Those of a null vector of the directions in which the closed contacts push, each of length 1.
std::vector<std::string> sharing_contacts(Sliding& s, Index n) {
  std::vector<std::size_t> closed;
  for (std::size_t i = 0; i < s.contacts().size(); ++i)
    if (s.unilateral(i) && !s.is_open(i)) closed.push_back(i);
  std::vector<std::string> names;
  if (closed.empty()) return names;
  MatrixX pushes(n, static_cast<Index>(closed.size()));
  for (Index k = 0; k < pushes.cols(); ++k) {
    const std::size_t i = closed[static_cast<std::size_t>(k)];
    pushes.col(k) = s.at().contacts[i].normal - s.at().contacts[i].tangents * s.contacts()[i].resistance;
    pushes.col(k).stableNormalize();
  }
  if (!pushes.allFinite()) return names;
  const SymmetricEigen eigen(pushes.transpose() * pushes);
  for (Index k = 0; k < pushes.cols(); ++k) {
    double part = 0;
    for (Index j = 0; j < pushes.cols(); ++j)
      if (eigen.values()[j] < 1e-14) part = std::max(part, std::abs(eigen.vectors()(k, j)));
    if (part > 1e-6) names.push_back(s.name(closed[static_cast<std::size_t>(k)]));
  }
  return names;
}

// Newton's method for (B.4), with the derivatives of an earlier place as long as they do; leaves those of the last
// place in `s`.
void find_steady(Sliding& s, const LinearizeOptions& options, Index n, LinearSliding& out) {
  VectorX x = VectorX::Zero(s.unknowns());
  if (options.guess) x.head(n) = *options.guess;
  SteadyReport& report = out.report;
  double last = INFINITY;
  FullLu lu;
  VectorX sizes = VectorX::Zero(s.unknowns());
  for (;; ++report.iterations) {
    s.look_at(x.head(n), x.tail(x.size() - n));
    const bool first_gaps = report.iterations == 0 && s.unknowns() > n;  // whose size needs their derivatives
    if (first_gaps) s.differentiate_by_position(x.head(n));
    const VectorX r = s.residual();
    sizes = s.sizes(x.head(n), sizes);
    report.residual = 0;
    for (Index i = 0; i < r.size(); ++i)
      if (r[i] != 0) report.residual = std::max(report.residual, std::abs(r[i]) / sizes[i]);
    if (!r.allFinite()) {
      report.why = "the forces are not finite";
      return;
    }
    // Below the tolerance it goes on as long as it still gains, for the last digits.
    if (report.residual <= 4e-16 || (last <= options.tolerance && report.residual >= last / 2)) {
      report.converged = true;
      break;
    }
    if (report.iterations == options.max_iterations) {
      report.why =
          fmt::format("Newton's method left a residual of {:.2g} after {} steps", report.residual, report.iterations);
      report.converged = report.residual <= options.tolerance;
      if (!report.converged) return;
      break;
    }
    if (report.iterations == 0 || !(report.residual < 1e-4 * last)) {
      if (!first_gaps) s.differentiate_by_position(x.head(n));
      lu.compute(newton_matrix(s, n));
    }
    last = report.residual;
    const VectorX step = lu.solve(r);
    if (!(lu.error(step, r) <= 1e-6)) {
      const std::vector<std::string> sharing = sharing_contacts(s, n);
      report.why = sharing.empty()
                       ? "the stiffness is singular: nothing holds the body against friction"
                       : fmt::format("{} hold the same motion and cannot all be closed; remove those that are open",
                                     fmt::join(sharing, ", "));
      return;
    }
    x -= step;
  }
  out.position = x.head(n);
  s.differentiate(out.position);
}

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

namespace {

// Where the contacts that would have to pull are open instead.
[[noreturn]] void throw_open(const System& system, const LinearizeOptions& options, const LinearSliding& closed,
                             std::size_t first) {
  const std::string& name = system.contacts()[first].name;
  const double force = closed.contacts[first].normal_force;
  if (!system.contacts()[first].unilateral)
    throw InvalidInput(
        fmt::format("steady sliding: the normal force of {} is {:.6g} N; it must be above 0", name, force));
  Sliding s(system, options);
  std::vector<double> forces;
  for (const SlidingContact& c : closed.contacts) forces.push_back(c.normal_force);
  for (std::size_t round = 0; round < forces.size(); ++round) {
    for (std::size_t i = 0; i < forces.size(); ++i)
      if (s.unilateral(i) && !s.is_open(i) && !(forces[i] > 0)) s.open(i);
    LinearSliding out;
    find_steady(s, options, system.dofs(), out);
    if (!out.report.converged) break;
    bool again = false;
    for (std::size_t i = 0; i < forces.size(); ++i) {
      forces[i] = s.contacts()[i].normal_force;
      again |= s.unilateral(i) && !s.is_open(i) && !(forces[i] > 0);
    }
    const double gap = s.at().contacts[first].gap;
    if (again) continue;
    if (gap > 0)
      throw InvalidInput(fmt::format(
          "steady sliding: {} is open by {:.6g} m in steady sliding; remove it, or press it harder", name, gap));
    break;
  }
  throw InvalidInput(fmt::format(
      "steady sliding: {} stays closed only if it is held with a normal force of {:.6g} N; it must be above "
      "0: press it harder, or remove it",
      name, force));
}

}  // namespace

LinearSliding linearize_sliding(const System& system, const LinearizeOptions& options) {
  const Index n = system.dofs();
  LinearSliding out;
  out.lugre = options.lugre;
  Sliding s(system, options);
  find_steady(s, options, n, out);
  if (!out.report.converged) return out;
  out.contacts = s.contacts();
  out.mass = s.at().mass;
  if (const std::vector<std::string> sharing = sharing_contacts(s, n); !sharing.empty())
    throw InvalidInput(fmt::format(
        "steady sliding: the normal forces of {} are not determined: these contacts hold the body more than "
        "once, and one may carry what another does not; remove one, or give each a normal_force",
        fmt::join(sharing, ", ")));
  for (std::size_t i = 0; i < out.contacts.size(); ++i)
    if (!(out.contacts[i].normal_force > 0)) throw_open(system, options, out, i);
  add_terms(s, options, n, out);
  add_bristles(s, out);
  add_system(s, n, out);
  if (!out.system.allFinite() || !out.damping.allFinite() || !out.stiffness.allFinite())
    throw InvalidInput("steady sliding: the linear equations are beyond the range of floating-point numbers");
  return out;
}

}  // namespace slipset
