#include "slipset/stability/internal/steady_sliding.hpp"

#include <fmt/format.h>

#include "slipset/core/internal/numeric_jacobian.hpp"

namespace slipset::internal {
namespace {

using Index = Eigen::Index;

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

}  // namespace

Sliding::Sliding(const System& system, const LinearizeOptions& options)
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

void Sliding::look_at(const VectorX& q, const VectorX& reactions) {
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

VectorX Sliding::residual() const {
  VectorX r(unknowns());
  r.head(n_) = at_.force;
  Index next = n_;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    r.head(n_) += force_of(i);
    if (system_.contacts()[i].unilateral) r[next++] = open_[i] ? contacts_[i].normal_force : at_.contacts[i].gap;
  }
  return r;
}

double Sliding::force_size() const {
  double size = at_.force.lpNorm<Eigen::Infinity>();
  for (std::size_t i = 0; i < contacts_.size(); ++i) size = std::max(size, force_of(i).lpNorm<Eigen::Infinity>());
  return size;
}

VectorX Sliding::force_of(std::size_t i) const {
  VectorX f = at_.contacts[i].tangents * (-contacts_[i].normal_force * contacts_[i].resistance);
  if (system_.contacts()[i].unilateral) f += at_.contacts[i].normal * contacts_[i].normal_force;
  return f;
}

void Sliding::differentiate(const VectorX& q) {
  differentiate_by_position(q);
  double speed = 0;
  for (const SlidingContact& c : contacts_) speed = std::max(speed, c.slip_velocity.stableNorm());
  by_u_ = internal::numeric_jacobian([&](const VectorX& u, VectorX& y) { stack(q, u, y); }, zero_, rows_, speed / 4);
}

void Sliding::differentiate_by_position(const VectorX& q) {
  const auto derivatives = [&](const VectorX& at, double step) {
    return internal::numeric_jacobian([&](const VectorX& x, VectorX& y) { stack(x, zero_, y); }, at, rows_, step);
  };
  const double largest = q.lpNorm<Eigen::Infinity>();
  if (largest > 0) {
    by_q_ = derivatives(q, largest / 2);
    // Whether a force, a normal force or a surface's velocity changes over this length by more than it is rounded by.
    const auto changes = [&](Index row, Index count, double size) {
      return by_q_.middleRows(row, count).lpNorm<Eigen::Infinity>() * largest > 1e-8 * size;
    };
    if (changes(0, n_, force_size())) return;
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (changes(start(i), 1, std::abs(contacts_[i].normal_force)) ||
          changes(start(i) + 2 + 2 * n_, 2, contacts_[i].slip_velocity.norm()))
        return;
  }
  // Coordinates that are zero, or zero but for rounding: nothing says how long a length is, but forces over stiffnesses.
  // In units that make it a large number, a step of 1 changes less than the forces are rounded by.
  const VectorX zero = VectorX::Zero(q.size());
  by_q_ = derivatives(zero, 1);
  const double length = force_size() / by_q_.topRows(n_).lpNorm<Eigen::Infinity>();
  if (length > 1e6 && std::isfinite(length)) by_q_ = derivatives(zero, length);
}

VectorX Sliding::sizes(const VectorX& q, const VectorX& so_far) const {
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

void Sliding::stack(const VectorX& x, const VectorX& u, VectorX& y) {
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

void Sliding::require_autonomous() {
  VectorX guess = options_.guess.value_or(zero_), beside(n_), speed(n_);
  for (Index k = 0; k < n_; ++k) {
    beside[k] = guess[k] + 0.1 * std::cos(1.0 + 2.0 * static_cast<double>(k));
    speed[k] = 0.1 * std::cos(2.0 + 3.0 * static_cast<double>(k));
  }
  bool same = !(system_.drive_frequency() > 0) && is_steady_at(zero_, zero_) && is_steady_at(beside, speed);
  if (options_.guess) same = same && is_steady_at(guess, zero_);
  if (!same) throw InvalidInput("steady sliding: this system is driven in time; it has no state of steady sliding");
}

bool Sliding::is_steady_at(const VectorX& q, const VectorX& u) {
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

// Those of a null vector of the directions in which the closed contacts push, each of length 1.
std::vector<std::string> sharing_contacts(Sliding& s) {
  const Index n = s.dofs();
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

void find_steady(Sliding& s, const LinearizeOptions& options, LinearSliding& out) {
  const Index n = s.dofs();
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
      const std::vector<std::string> sharing = sharing_contacts(s);
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

// Where the contacts that would have to pull are open instead.
void throw_open(const System& system, const LinearizeOptions& options, const LinearSliding& closed, std::size_t first) {
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
    find_steady(s, options, out);
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

}  // namespace slipset::internal
