#include "slipset/contact/rolling_contact_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/contact/internal/rolling_newton.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;
using internal::kAtRest;
using internal::kLeastAccuracy;
using internal::kRestVelocity;
using internal::part_norm;

ContactMat with_normal(const RollingMat& l) {
  ContactMat all = ContactMat::Identity(1 + l.rows(), 1 + l.rows());
  all.bottomRightCorner(l.rows(), l.rows()) = l;
  return all;
}

RollingVec steps_of(const RollingLaw& law, const RollingFactors& factors, const ContactMat& g) {
  RollingVec step(law.size());
  const auto steps = internal::rolling_steps(factors, g);
  for (std::size_t k = 0; k < law.factors().size(); ++k)
    for (int i = 0; i < factors.size[k]; ++i) step[law.factors()[k].first + i] = steps[k];
  return step;
}

// The parts whose rates are not zero, in own coordinates.
RollingRates moving_parts(const RollingLaw& law, const ContactVec& u, const ContactVec& sums) {
  const auto moves = [&](bool has, int first, int size) {
    return has && part_norm(u, 1 + first, size) > kAtRest * part_norm(sums, 1 + first, size);
  };
  return {moves(law.has_sliding(), 0, 2), moves(law.has_drilling(), law.drilling_place(), 1),
          moves(law.has_rolling(), law.rolling_place(), 2)};
}

}  // namespace

RollingContactLaw::RollingContactLaw(RollingLaw law)
    : law_(std::move(law)),
      factors_(law_),
      coordinates_(with_normal(law_.coordinates())),
      inverse_(with_normal(law_.inverse_coordinates())) {}

std::string RollingContactLaw::description() const { return "drilling and rolling, " + law_.description(); }

std::optional<FrictionCone> RollingContactLaw::cone() const {
  FrictionCone cone;
  for (const RollingLaw::Factor& f : law_.factors()) {
    const RollingMat l = law_.coordinates().block(f.first, f.first, f.size, f.size);
    if (f.size != 2 || !std::holds_alternative<UnitBall>(f.set) || l(0, 0) != l(1, 1) || l(0, 1) != 0 || l(1, 0) != 0)
      return std::nullopt;
    (f.first == 0 ? cone.sliding : cone.rolling) = l(0, 0);
  }
  return cone;
}

void RollingContactLaw::prepare(LocalBlock& block) const {
  const RollingVec step = steps_of(law_, factors_, block.g);
  block.step.resize(rows());
  block.step[0] = block.g(0, 0) > 0 ? 1 / block.g(0, 0) : 1;
  for (Index k = 0; k < step.size(); ++k) block.step[1 + k] = step[k];
}

namespace {

template <int... Sizes>
bool newton(const RollingContactLaw& law, const Contact& contact, const LocalBlock& block, const ContactVec& c,
            double accuracy, LocalState& state) {
  using Newton = internal::RollingNewton<Sizes...>;
  using Vec = typename Newton::Vec;
  std::array<double, 3> steps{};
  for (std::size_t k = 0; k < sizeof...(Sizes); ++k) steps[k] = block.step[1 + law.law().factors()[k].first];
  Newton newton(law.law(), law.factors(), block.g.data(), steps, contact);
  Vec p = Eigen::Map<const Vec>(state.impulse.data()), u;
  if (!newton.solve(contact, Eigen::Map<const Vec>(c.data()), accuracy, p, u)) return false;
  state.impulse = p;
  state.velocity = u;
  state.mode = newton.moves(u) ? ContactMode::slip : ContactMode::stick;
  return true;
}

using Newton = bool (*)(const RollingContactLaw&, const Contact&, const LocalBlock&, const ContactVec&, double,
                        LocalState&);
template <int... Sizes>
bool take(const RollingFactors& factors, Newton& method) {
  if (!internal::RollingNewton<Sizes...>::fits(factors)) return false;
  method = newton<Sizes...>;
  return true;
}
Newton newton_for(const RollingFactors& f) {
  Newton method = nullptr;
  const bool found = take<2, 1, 2>(f, method) || take<3, 2>(f, method) || take<5>(f, method) || take<2, 2>(f, method) ||
                     take<2, 1>(f, method) || take<3>(f, method) || take<4>(f, method) || take<1, 2>(f, method) ||
                     take<2>(f, method) || take<1>(f, method);
  return found ? method : nullptr;
}

}  // namespace

bool RollingContactLaw::solve(const Contact& contact, const LocalBlock& block, const ContactVec& c, double accuracy,
                              LocalState& state) const {
  const auto& given = contact.normal_impulse;
  const bool pressed = given ? *given > 0 : c[0] < 0 && block.g(0, 0) > 0;
  if (pressed && accuracy >= kNewtonAccuracy && state.impulse.size() == rows())
    if (const Newton method = newton_for(factors_); method && method(*this, contact, block, c, accuracy, state))
      return true;
  return solve_carefully(contact, block, c, accuracy, state);
}

bool RollingContactLaw::solve_carefully(const Contact& contact, const LocalBlock& block, const ContactVec& c,
                                        double accuracy, LocalState& state) const {
  const Index m = law_.size();
  const auto& given = contact.normal_impulse;
  const ContactVec guess = state.impulse;
  ContactVec impulse = ContactVec::Zero(m + 1);
  const bool open = !given && c[0] >= 0;
  if (open || (given && !(*given > 0))) {
    if (given) impulse[0] = *given;
  } else if (!given && !(block.g(0, 0) > 0)) {  // nothing can stop it; a NaN comes here, too
    return false;
  } else {
    double p = given ? *given : -c[0] / block.g(0, 0);
    RollingVec y = RollingVec::Zero(m), step(m);
    for (Index k = 0; k < m; ++k) step[k] = block.step[1 + k];
    if (guess.size() == m + 1 && guess[0] > 0 && guess.allFinite()) {
      if (!given) p = guess[0];
      y = -guess.tail(m) * (p / guess[0]);
    }
    internal::RollingLocalSolver solver(law_, block.g, step, c, contact.reservoir_factor,
                                        std::min(accuracy, kLeastAccuracy));
    if (!solver.stick(given.has_value(), p, y)) {
      if (given) {
        if (!solver.metric_projection(p, y)) return false;
      } else {
        const RollingVec first = y;
        const double first_p = p;
        if (!solver.newton(p, y)) {
          p = first_p;
          y = first;
          if (!solver.bracketed(p, y) || !solver.polished(p, y)) return false;
        }
      }
    }
    impulse[0] = p;
    for (Index k = 0; k < m; ++k) impulse[1 + k] = -y[k];
    if (!impulse.allFinite()) return false;
  }
  state.impulse = impulse;
  state.velocity = block.g * impulse + c;
  const ContactVec sums = c.cwiseAbs() + block.g.cwiseAbs() * impulse.cwiseAbs();
  const RollingRates rates = moving_parts(law_, state.velocity, sums);
  state.mode = open                                          ? ContactMode::open
               : rates.slides || rates.drills || rates.rolls ? ContactMode::slip
                                                             : ContactMode::stick;
  return true;
}

ContactLaw::Tangent RollingContactLaw::linearize(const Contact& contact, const LocalBlock& block,
                                                 const LocalState& state) const {
  const Index n = rows(), m = n - 1;
  const ContactVec &p = state.impulse, &u = state.velocity;
  Tangent t{ContactMat::Identity(n, n), ContactMat::Zero(n, n)};
  double pressed = p[0];
  if (contact.normal_impulse) {
    pressed = *contact.normal_impulse;
  } else {
    if (!(p[0] > 0)) return t;  // open: p = 0
    t.by_impulse(0, 0) = 0;
    t.by_velocity(0, 0) = block.step[0];
  }
  if (!(pressed > 0)) return t;
  RollingVec z(m), closest;
  RollingMat derivative;
  for (Index k = 0; k < m; ++k) z[k] = -p[1 + k] + block.step[1 + k] * u[1 + k];
  law_.project_own(z, pressed * contact.reservoir_factor, closest, &derivative);
  for (Index i = 0; i < m; ++i) {
    double by_size = closest[i];
    for (Index k = 0; k < m; ++k) {
      t.by_impulse(1 + i, 1 + k) = derivative(i, k) - (i == k ? 1 : 0);
      t.by_velocity(1 + i, 1 + k) = -derivative(i, k) * block.step[1 + k];
      by_size -= derivative(i, k) * z[k];
    }
    t.by_impulse(1 + i, 0) = contact.normal_impulse ? 0 : -by_size / pressed;
  }
  return t;
}

double RollingContactLaw::residual(const Contact& contact, const ContactMat& raw_g, const ContactVec& raw_p,
                                   const ContactVec& raw_u, const VelocitySums& raw_sums) const {
  const Index m = law_.size();
  const double factor = contact.reservoir_factor;
  const ContactMat g = coordinates_.transpose() * ContactMat(raw_g * coordinates_);
  const ContactVec impulse = inverse_ * raw_p, velocity = coordinates_.transpose() * raw_u,
                   sums = coordinates_.transpose().cwiseAbs() * raw_sums.rows;
  const double p = impulse[0];
  double worst = contact.normal_impulse
                     ? std::abs(p - *contact.normal_impulse) / std::max(std::abs(*contact.normal_impulse), 1e-300)
                 : sums[0] > 0 ? std::abs(std::min(velocity[0], g(0, 0) * p)) / sums[0]
                               : std::abs(p) * g(0, 0);
  const auto take = [&](double error) {
    if (error > worst || std::isnan(error)) worst = error;
  };
  take(velocity[0] - velocity[0]);  // a NaN shows
  if (!(p > 0)) {
    for (Index i = 1; i <= m; ++i) take(impulse[i] == 0 ? 0 : 1);
    return worst;
  }
  const RollingVec steps = steps_of(law_, factors_, g);
  RollingVec x(m), closest;
  for (Index k = 0; k < m; ++k) x[k] = -impulse[1 + k] / (p * factor);
  RollingVec z = x;
  const auto reach = [&](const RollingLaw::Factor& f, double e) {  // of the step along u, over p_N f/|e|
    constexpr double kMost = 1e12;
    return std::clamp(steps[f.first] * e / (p * factor), 1.0, kMost);
  };
  const double least = internal::kLeastShare * sums.norm();
  const auto size_of = [&](const RollingLaw::Factor& f) { return std::max(part_norm(sums, f, 1), least); };
  for (const RollingLaw::Factor& f : law_.factors()) {
    const double e = size_of(f);
    for (Index i = f.first; i < f.first + f.size && e > kRestVelocity; ++i) z[i] += reach(f, e) * velocity[1 + i] / e;
  }
  law_.project_own(z, 1, closest, nullptr);
  const RollingVec away = x - closest;
  for (const RollingLaw::Factor& f : law_.factors()) take(part_norm(away, f) / reach(f, size_of(f)));
  return worst;
}

// Normal first, then y = P(y + r R u) with the new normal impulse.
bool RollingContactLaw::project(const Contact& contact, const ContactMat& raw_g, const ContactVec& raw_u, double step,
                                ContactVec& raw_p) const {
  const Index m = law_.size();
  const ContactMat g = coordinates_.transpose() * ContactMat(raw_g * coordinates_);
  const ContactVec u = coordinates_.transpose() * raw_u;
  ContactVec p = inverse_ * raw_p;
  p[0] = contact.normal_impulse ? *contact.normal_impulse : std::max(0.0, p[0] - u[0] / g(0, 0));
  const RollingVec steps = steps_of(law_, factors_, g);
  RollingVec z(m), closest = RollingVec::Zero(m);
  for (Index k = 0; k < m; ++k) z[k] = -p[1 + k] + (step > 0 ? step : 1) * steps[k] * u[1 + k];
  if (p[0] > 0) law_.project_own(z, p[0] * contact.reservoir_factor, closest, nullptr);
  for (Index k = 0; k < m; ++k) p[1 + k] = -closest[k];
  raw_p = coordinates_ * p;
  return true;
}

RollingRates rates_of(const RollingContactLaw& contact_law, const LocalProblem& problem,
                      const LocalSolution& solution) {
  const RollingLaw& law = contact_law.law();
  const Eigen::Index n = contact_law.rows();
  if (problem.delassus.rows() != n || problem.delassus.cols() != n || problem.free_velocity.size() != n ||
      solution.impulse.size() != n || solution.velocity.size() != n)
    throw InvalidInput(
        fmt::format("contact: rates of a solution of {} rows, of a block of {}; this law ({}) has {} rows",
                    solution.velocity.size(), problem.delassus.rows(), contact_law.description(), n));
  const ContactMat t = contact_law.coordinates();
  const ContactVec u = t.transpose() * solution.velocity;
  const ContactVec sums =
      t.transpose().cwiseAbs() *
      ContactVec(problem.free_velocity.cwiseAbs() + problem.delassus.cwiseAbs() * solution.impulse.cwiseAbs());
  return moving_parts(law, u, sums);
}

}  // namespace slipset
