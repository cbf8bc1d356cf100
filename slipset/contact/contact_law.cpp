#include "slipset/contact/contact_law.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "slipset/contact/internal/measure_sums.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/small_matrix.hpp"

namespace slipset {
namespace {

class FrictionlessLaw final : public ContactLaw {
 public:
  explicit FrictionlessLaw(int rows) : rows_(rows) {}

  int rows() const override { return rows_; }
  std::string description() const override { return fmt::format("no friction, {} rows", rows_); }

  bool solve(const Contact& contact, const LocalBlock& block, const ContactVec& c, double,
             LocalState& state) const override {
    const double pn = contact.normal_impulse ? *contact.normal_impulse : c[0] < 0 ? -c[0] / block.g(0, 0) : 0.0;
    if (!(pn >= 0) || !std::isfinite(pn)) return false;
    state.impulse = ContactVec::Zero(rows_);
    state.impulse[0] = pn;
    state.velocity = c;
    for (Eigen::Index k = 0; k < c.size(); ++k) state.velocity[k] += pn * block.g(k, 0);
    state.mode = pn > 0 ? ContactMode::slip : ContactMode::open;
    return true;
  }
  std::optional<FrictionCone> cone() const override { return FrictionCone{}; }
  // u_N = 0 where it is pressed, p = 0 for all else.
  Tangent linearize(const Contact& contact, const LocalBlock& block, const LocalState& state) const override {
    const double g = block.mobility > 0 ? block.mobility : 1;
    Tangent t{g * ContactMat::Identity(rows_, rows_), ContactMat::Zero(rows_, rows_)};
    if (!contact.normal_impulse && state.impulse[0] > 0) {
      t.by_impulse(0, 0) = 0;
      t.by_velocity(0, 0) = 1;
    }
    return t;
  }
  double residual(const Contact& contact, const ContactMat& g, const ContactVec& p, const ContactVec& u,
                  const VelocitySums& sums) const override {
    const double mobility = g.trace() / rows_;
    double defect = contact.normal_impulse ? mobility * std::abs(p[0] - *contact.normal_impulse)
                                           : std::abs(std::min(u[0], mobility * p[0]));
    double rest = 0;
    for (Eigen::Index k = 1; k < p.size(); ++k) rest += p[k] * p[k];
    defect += mobility * std::sqrt(rest);
    if (std::isnan(p[0] + u[0])) defect = p[0] + u[0];
    return sums.total > 0 ? defect / sums.total : defect;
  }
  Keeps keeps() const override { return Keeps::apart; }
  bool project(const Contact& contact, const ContactMat& g, const ContactVec& u, double step,
               ContactVec& p) const override {
    const double next = contact.normal_impulse
                            ? *contact.normal_impulse
                            : std::max(0.0, p[0] - (step > 0 ? std::min(step, 1.0) : 1.0) * u[0] / g(0, 0));
    p.setZero();
    p[0] = next;
    return true;
  }
  ContactMode mode_of(const ContactVec& p, const ContactVec&, double) const override {
    return p[0] > 0 ? ContactMode::slip : ContactMode::open;
  }

 private:
  int rows_;
};

void require_local(const ContactLaw& law, const LocalProblem& problem) {
  const int n = law.rows();
  if (problem.free_velocity.size() != n || problem.delassus.rows() != n || problem.delassus.cols() != n)
    throw InvalidInput(fmt::format(
        "contact: the block is {} x {} and the free velocity has {} numbers; this law ({}) has "
        "{} rows",
        problem.delassus.rows(), problem.delassus.cols(), problem.free_velocity.size(), law.description(), n));
  if (problem.normal_impulse && !(*problem.normal_impulse >= 0 && std::isfinite(*problem.normal_impulse)))
    throw InvalidInput(
        fmt::format("contact: a given normal impulse of {}; expected 0 or more [N s]", *problem.normal_impulse));
  if (!(problem.reservoir_factor > 0 && std::isfinite(problem.reservoir_factor)))
    throw InvalidInput(
        fmt::format("contact: a reservoir factor of {}; expected a positive number", problem.reservoir_factor));
}

void require_impulse(const ContactLaw& law, const ContactVec& impulse, const char* what) {
  if (impulse.size() != law.rows())
    throw InvalidInput(fmt::format("contact: {} has {} numbers; this law ({}) has {} rows", what, impulse.size(),
                                   law.description(), law.rows()));
}

Contact contact_of(const ContactLaw& law, const LocalProblem& problem) {
  return {&law, problem.normal_impulse, problem.reservoir_factor, problem.last_slip};
}

// What the contact itself adds up.
VelocitySums sums_of(const LocalProblem& problem, const ContactVec& p) {
  return {problem.free_velocity.norm() + (problem.delassus * p).norm(),
          problem.free_velocity.cwiseAbs() + problem.delassus.cwiseAbs() * p.cwiseAbs()};
}

}  // namespace

std::string_view name_of(ContactMode mode) {
  switch (mode) {
    case ContactMode::open: return "open";
    case ContactMode::stick: return "stick";
    case ContactMode::slip: return "slip";
    default: return "none";
  }
}

const ContactLaw& frictionless_law(int rows) {
  static const std::array<FrictionlessLaw, kMostRows> laws = {FrictionlessLaw(1), FrictionlessLaw(2),
                                                              FrictionlessLaw(3), FrictionlessLaw(4),
                                                              FrictionlessLaw(5), FrictionlessLaw(6)};
  if (rows < 1 || rows > kMostRows)
    throw InvalidInput(fmt::format("contact without friction: {} rows; a contact has 1 to {}", rows, kMostRows));
  return laws[static_cast<std::size_t>(rows - 1)];
}

int ContactLaw::search(const Contact& contact, const ContactMat& g, const ContactVec& c, LocalState& state) const {
  constexpr double kAccuracy = 1e-15;
  const ContactMat t = coordinates();
  LocalBlock block{t.transpose() * ContactMat(g * t), 0, {}, {}};
  block.mobility = block.g.trace() / rows();
  prepare(block);
  LocalState own;
  own.impulse = ContactVec::Zero(rows());
  own.last_slip = contact.last_slip;
  if (!solve(contact, block, t.transpose() * c, kAccuracy, own)) return kNotFound;
  state.impulse = t * own.impulse;
  state.velocity = g * state.impulse + c;
  state.mode = own.mode;
  return 1;
}

ContactMode ContactLaw::mode_of(const ContactVec& p, const ContactVec& u, double negligible) const {
  if (!(p[0] > 0)) return ContactMode::open;
  return internal::friction_norm(u) <= negligible ? ContactMode::stick : ContactMode::slip;
}

LocalSolution solve_local(const ContactLaw& law, const LocalProblem& problem, const ContactVec* guess) {
  require_local(law, problem);
  if (guess) require_impulse(law, *guess, "the first guess");
  const Contact contact = contact_of(law, problem);
  const ContactMat t = law.coordinates();
  LocalBlock block{t.transpose() * ContactMat(problem.delassus * t), 0, {}, {}};
  block.mobility = block.g.trace() / law.rows();
  law.prepare(block);
  LocalState state;
  state.last_slip = problem.last_slip;
  state.impulse = guess ? ContactVec(internal::small_inverse_of(t) * *guess) : ContactVec(ContactVec::Zero(law.rows()));
  LocalSolution solution;
  const bool found = law.solve(contact, block, t.transpose() * problem.free_velocity, 1e-14, state);
  solution.impulse = t * state.impulse;
  solution.velocity = problem.delassus * solution.impulse + problem.free_velocity;
  solution.residual =
      law.residual(contact, problem.delassus, solution.impulse, solution.velocity, sums_of(problem, solution.impulse));
  if (found) solution.mode = state.mode;
  return solution;
}

double local_residual(const ContactLaw& law, const LocalProblem& problem, const ContactVec& impulse) {
  require_local(law, problem);
  require_impulse(law, impulse, "the impulse");
  return law.residual(contact_of(law, problem), problem.delassus, impulse,
                      problem.delassus * impulse + problem.free_velocity, sums_of(problem, impulse));
}

}  // namespace slipset
