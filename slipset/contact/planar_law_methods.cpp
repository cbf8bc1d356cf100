// What methods ask of a law by two sets, in the coordinates of the problem.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/contact/internal/prepared_planar.hpp"
#include "slipset/contact/planar_local.hpp"

namespace slipset {
namespace {

using internal::PreparedPlanar;

PlanarProblem problem_of(const Contact& contact, const Mat3& g, const Vec3& c) {
  PlanarProblem local;
  local.delassus = g;
  local.free_velocity = c;
  local.normal_impulse = contact.normal_impulse;
  local.reservoir_factor = contact.reservoir_factor;
  local.last_slip = contact.last_slip;
  return local;
}

// The relaxation of the fixed point that suits the law at the slip direction at hand: the ratio of D to C there.  (C.6)
double suitable_step(const FrictionLaw& law, const Vec2& v) {
  if (v.isZero(0)) return 0.5;
  return std::clamp(law.reservoir().gauge(law.direction().support_point(v)), 0.05, 1.0);
}

}  // namespace

std::optional<double> PlanarContactLaw::isotropic_coefficient() const {
  const Disk* c = law_.reservoir().as<Disk>();
  if (!c || !law_.direction().as<Disk>()) return std::nullopt;
  return c->radius();
}

std::optional<FrictionCone> PlanarContactLaw::cone() const {
  const std::optional<double> mu = isotropic_coefficient();
  return mu ? std::optional(FrictionCone{.sliding = *mu}) : std::nullopt;
}

std::string PlanarContactLaw::description() const {
  return fmt::format("sliding, C {}, D {}", law_.reservoir().name(), law_.direction().name());
}

bool PlanarContactLaw::solve(const Contact& contact, const LocalBlock& block, const ContactVec& c, double accuracy,
                             LocalState& state) const {
  const PreparedPlanar prepared(contact, 3);
  const Mat3 t = prepared.scaling();
  PreparedPlanar::State own{prepared.scaled_impulse(state.impulse),  Vec3::Zero(), state.ray, state.slope,
                            prepared.first_state(contact).last_slip, state.mode};
  if (state.velocity.size() == 3) own.velocity = prepared.scaled_velocity(state.velocity);
  if (!prepared.solve(prepared.block(t.transpose() * Mat3(block.g) * t), prepared.scaled_velocity(c), accuracy, own))
    return false;
  state.impulse = prepared.impulse(own.impulse);
  state.velocity = prepared.velocity(own.velocity);
  state.ray = own.ray;
  state.slope = own.slope;
  state.mode = own.mode;
  return true;
}

ContactLaw::Tangent PlanarContactLaw::linearize(const Contact& contact, const LocalBlock& block,
                                                const LocalState& state) const {
  const PreparedPlanar prepared(contact, 3);
  const PreparedPlanar::State own{prepared.scaled_impulse(state.impulse),
                                  prepared.scaled_velocity(state.velocity),
                                  state.ray,
                                  state.slope,
                                  state.last_slip,
                                  state.mode};
  const PreparedPlanar::Tangent tangent = prepared.linearize({Mat3::Zero(), Mat3::Zero(), block.mobility}, own, 1);
  return {tangent.by_impulse * prepared.inverse_scaling(), tangent.by_velocity * prepared.scaling().transpose()};
}

double PlanarContactLaw::residual(const Contact& contact, const ContactMat& g, const ContactVec& p, const ContactVec& u,
                                  const VelocitySums& sums) const {
  const Vec3 own = p, velocity = u;
  const double defect = planar_defect(*this, problem_of(contact, g, velocity - Mat3(g) * own), own, velocity);
  return sums.total > 0 ? defect / sums.total : defect;
}

int PlanarContactLaw::search(const Contact& contact, const ContactMat& g, const ContactVec& c,
                             LocalState& state) const {
  const PlanarAnswer answer = solve_planar(*this, problem_of(contact, g, c));
  state.mode = answer.chosen.mode;
  state.impulse = answer.chosen.impulse;
  state.velocity = answer.chosen.velocity;
  return answer.count;
}

// [WL19 21, 69]: normal first, then tangential with the new normal impulse. Sets are per unit normal impulse, so D
// grows with it as C does.
bool PlanarContactLaw::project(const Contact& contact, const ContactMat& g, const ContactVec& u, double step,
                               ContactVec& p) const {
  const double normal = contact.normal_impulse ? *contact.normal_impulse : std::max(0.0, p[0] - u[0] / g(0, 0));
  if (!(normal > 0)) {
    p = Vec3(normal, 0, 0);
    return true;
  }
  const Vec2 v(u[1], u[2]);
  const double strength = normal * contact.reservoir_factor;
  const Vec2 s = Vec2(-p[1], -p[2]) / strength;
  const double alpha = alpha_of_resistance(law_, s);
  const double r = (step > 0 ? step : suitable_step(law_, v)) * 2 / (g(1, 1) + g(2, 2)) / strength;
  const Vec2 next = -strength / alpha * law_.direction().project(alpha * s + r * v);
  p = Vec3(normal, next.x(), next.y());
  return true;
}

}  // namespace slipset
