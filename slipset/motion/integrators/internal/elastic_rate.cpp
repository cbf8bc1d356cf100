#include "slipset/motion/integrators/internal/elastic_rate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipset::internal {
namespace {

using Eigen::Index;

constexpr double kBeside = 1e-10;  // how far beside a corner a force starts that leaves it [rad]

Vec2 normal_at(const PlanarSet& set, double angle) { return set.gauge_gradient(unit(angle)).normalized(); }

}  // namespace

ElasticRate::ElasticRate(const System& system, const State& start, const std::vector<Vec2>& forces)
    : StateRate(system, start, "elastic interface", "the elastic contacts"),
      slip_(count_, Vec2::Zero()),
      ray_(slip_),
      gauge_(count_, 0.0) {
  if (!forces.empty() && forces.size() != count_)
    throw InvalidInput(fmt::format("elastic interface: found {} forces at the start; the system has {} contacts",
                                   forces.size(), count_));
  contacts_.resize(count_);
  ends_ = -VectorX::Ones(static_cast<Index>(kEnds * count_));
  rates_ = VectorX::Zero(2 * system.dofs() + at2(count_) + 2);
  VectorX stiffness(static_cast<Index>(count_));
  for (std::size_t i = 0; i < count_; ++i) {
    const std::string& name = system.contacts()[i].name;
    if (!law(i).elastic())
      throw InvalidInput(fmt::format(
          "elastic interface: contact \"{}\" is rigid; give every contact its elasticity, or use the moreau integrator",
          name));
    if (law(i).stribeck())
      throw InvalidInput(
          fmt::format("elastic interface: the reservoir of contact \"{}\" depends on the speed, which the rate form "
                      "does not support; remove stribeck, or use the moreau integrator",
                      name));
    stiffness[static_cast<Index>(i)] = law(i).elastic()->stiffness().maxCoeff();
    contacts_[i].no_pressure = normal_force(i) > 0 ? 1e-9 * normal_force(i) : 1e-12;
    if (!(normal_force(i) > contacts_[i].no_pressure)) contacts_[i].mode = Mode::loose;
    const PlanarSet &c = law(i).reservoir(), &d = law(i).direction();
    std::vector<double> angles = d.corners();
    const std::size_t of_d = angles.size();
    for (const double angle : c.corners())
      if (std::none_of(angles.begin(), angles.end(), [&](double a) { return std::abs(wrap_to_pi(a - angle)) < 1e-9; }))
        angles.push_back(angle);
    for (std::size_t k = 0; k < angles.size(); ++k) {
      const double a = wrap_to_turn(angles[k]);
      contacts_[i].corners.push_back(
          {a, c.boundary_point(a), normal_at(d, a - 1e-9), normal_at(d, a + 1e-9), k < of_d});
    }
    std::sort(contacts_[i].corners.begin(), contacts_[i].corners.end(),
              [](const Corner& a, const Corner& b) { return a.angle < b.angle; });
    if (forces.empty()) continue;
    if (!(c.gauge(forces[i]) <= normal_force(i) * (1 + 1e-9)))
      throw InvalidInput(
          fmt::format("elastic interface: the force at the start is outside the reservoir of contact "
                      "\"{}\"",
                      name));
    first_states_.segment<2>(at2(i)) = forces[i];
  }
  fastest_rate_ = std::sqrt(weighted_compliance(stiffness));
  if (forces.empty()) return;
  VectorX y(rates_.size());
  y << start.q, start.u, first_states_, 0, 0;
  std::vector<char> on_boundary(static_cast<std::size_t>(watched()), 0);
  for (std::size_t i = 0; i < count_; ++i)
    on_boundary[kEnds * i] = law(i).reservoir().gauge(forces[i]) >= normal_force(i) * (1 - 1e-12);
  take_modes(start.t, y.data(), on_boundary);
  first_states_ = y.segment(2 * system.dofs(), at2(count_));
}

bool ElasticRate::needs_normal_force_rate() const {
  return std::any_of(contacts_.begin(), contacts_.end(),
                     [](const Contact& c) { return c.mode == Mode::slip || c.mode == Mode::corner; });
}

void ElasticRate::find_forces(const double* states) {
  for (std::size_t i = 0; i < count_; ++i) {
    const Contact& c = contacts_[i];
    const Vec2 t = Eigen::Map<const Vec2>(states + 2 * i);
    if (c.mode == Mode::elastic) {
      force_.segment<2>(at2(i)) = -t;
    } else if (c.mode == Mode::loose) {
      force_.segment<2>(at2(i)).setZero();
    } else if (c.mode == Mode::corner) {
      force_.segment<2>(at2(i)) = -normal_force(i) * c.corners[c.corner].on_reservoir;
    } else {
      // An integrator looks beyond a corner before it finds it; there the side goes on as it was.
      double place = 1, width = 2;
      if (!c.corners.empty()) {
        place = arc_place(c, t);
        width = arc_width(c);
      }
      const bool beyond = !(place > kBeside && place < width - kBeside);
      ray_[i] = beyond ? unit(c.corners[c.corner].angle + (place < width / 2 ? kBeside : width - kBeside)) : t;
      const PlanarSet& set = law(i).reservoir();
      gauge_[i] = beyond ? set.gauge_gradient(ray_[i]).dot(t) : set.gauge(t);
      force_.segment<2>(at2(i)) = gauge_[i] > 0 ? Vec2(t * (-normal_force(i) / gauge_[i])) : Vec2(0, 0);
    }
  }
}

ElasticRate::Flow ElasticRate::flow(std::size_t i, const Vec2& ray) const {
  const Adhesion& b = *law(i).elastic();
  const Vec2 elastic = b.force(velocity(i)), out = law(i).reservoir().gauge_gradient(ray),
             n = law(i).direction().gauge_gradient(ray), along = b.force(n);
  const double excess = out.dot(elastic) - normal_force_rate(i), resists = out.dot(along);
  if (!(resists > 0)) return {elastic, Vec2::Zero(), excess, false};
  const double multiplier = excess / resists;
  return {elastic - multiplier * along, multiplier * n, excess, true};
}

// γ less what the spring needs to follow the normal force at a corner.
Vec2 ElasticRate::held_slip(std::size_t i) const {
  const Contact& c = contacts_[i];
  return velocity(i) - law(i).elastic()->stretch(c.corners[c.corner].on_reservoir * normal_force_rate(i));
}

// How far counter-clockwise the force is from the corner next before it, between 0 and the next one; outside that arc
// below 0 or above.
double ElasticRate::arc_place(const Contact& c, const Vec2& force) {
  const double from = c.corners[c.corner].angle, half = arc_width(c) / 2;
  return half + wrap_to_pi(angle_of(force) - from - half);
}

double ElasticRate::arc_width(const Contact& c) {
  const double width = wrap_to_turn(c.corners[(c.corner + 1) % c.corners.size()].angle - c.corners[c.corner].angle);
  return width > 0 ? width : 2 * kPi;
}

double ElasticRate::find_rates(const double*, double* ds, double&) {
  double heat = 0;
  problem_.clear();
  ends_.setConstant(-1);
  for (std::size_t i = 0; i < count_; ++i) {
    const Contact& c = contacts_[i];
    const Adhesion& b = *law(i).elastic();
    const Vec2 t = -force_.segment<2>(at2(i));
    Eigen::Map<Vec2> rate(ds + 2 * i);
    double* end = ends_.data() + kEnds * i;
    slip_[i].setZero();
    end[3] = c.mode == Mode::loose ? normal_force(i) - 2 * c.no_pressure : c.no_pressure - normal_force(i);
    if (c.mode == Mode::elastic) {
      rate = b.force(velocity(i));
      end[0] = law(i).reservoir().gauge(t) - normal_force(i);
    } else if (c.mode == Mode::loose || !(normal_force(i) > 0)) {
      rate.setZero();
      slip_[i] = velocity(i);
    } else if (c.mode == Mode::corner) {
      const Corner& corner = c.corners[c.corner];
      rate = corner.on_reservoir * normal_force_rate(i);
      slip_[i] = held_slip(i);
      end[1] = -cross(corner.from, slip_[i]);
      end[2] = -cross(slip_[i], corner.to);
    } else {
      const Flow f = flow(i, ray_[i]);
      // The state may be off the boundary by the integrator's error; its direction moves as that of the force.
      rate = f.force_rate * (gauge_[i] / normal_force(i));
      slip_[i] = f.slip;
      end[0] = -f.excess;
      if (!f.exists && f.excess > 0)
        problem_ = fmt::format(
            "the elastic contact \"{}\" yields faster than it is loaded, so its force jumps; use the moreau "
            "integrator, or a stiffer interface",
            system_->contacts()[i].name);
      if (!c.corners.empty()) {
        end[1] = -arc_place(c, t);
        end[2] = -end[1] - arc_width(c);
      }
    }
    heat += t.dot(slip_[i]);
  }
  return problem_.empty() ? heat : std::numeric_limits<double>::quiet_NaN();
}

void ElasticRate::watch(double t, const double* y, double* g) {
  (*this)(t, y, rates_.data());
  std::copy(ends_.begin(), ends_.end(), g);
}

// φ the angle of T: -∂φ̇/∂φ.
double ElasticRate::state_rate() const {
  constexpr double beside = 1e-6;
  double fastest = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const Contact& c = contacts_[i];
    if (c.mode != Mode::slip || !(normal_force(i) > 0)) continue;
    const double angle = angle_of(ray_[i]);
    if (!c.corners.empty()) {
      const double place = arc_place(c, ray_[i]);
      if (!(place > 2 * beside && place < arc_width(c) - 2 * beside)) continue;
    }
    const auto turning = [&](double a) {
      const Flow f = flow(i, unit(a));
      return f.force_rate.dot(turn_left(unit(a))) * law(i).reservoir().gauge(unit(a)) / normal_force(i);
    };
    fastest = std::max(fastest, std::abs(turning(angle + beside) - turning(angle - beside)) / (2 * beside));
  }
  return fastest;
}

double ElasticRate::stored_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < count_; ++i) sum += law(i).elastic()->energy(force_.segment<2>(at2(i)));
  return sum;
}

// From the boundary, where the elastic force goes out.
void ElasticRate::start_slip(std::size_t i, double* force) {
  Contact& c = contacts_[i];
  Eigen::Map<Vec2> t(force);
  t *= normal_force(i) / law(i).reservoir().gauge(t);
  if (!(flow(i, t).excess > 0)) return;  // it only touches
  c.mode = Mode::slip;
  if (c.corners.empty()) return;
  const double angle = wrap_to_turn(angle_of(t));
  for (std::size_t k = 0; k < c.corners.size(); ++k)
    if (std::abs(wrap_to_pi(angle - c.corners[k].angle)) < kBeside) return leave_corner(i, k, 0, force);
  c.corner = c.corners.size() - 1;
  for (std::size_t k = 0; k < c.corners.size(); ++k)
    if (c.corners[k].angle <= angle) c.corner = k;
}

// At a corner: held there, or along one of its sides, that of `heading` first; else back into the reservoir.
void ElasticRate::leave_corner(std::size_t i, std::size_t corner, int heading, double* force) {
  Contact& c = contacts_[i];
  const Corner at = c.corners[corner];
  Eigen::Map<Vec2> t(force);
  t = normal_force(i) * at.on_reservoir;
  c.corner = corner;
  if (at.holds) {
    const Vec2 left = held_slip(i);
    c.mode = Mode::corner;
    if (!left.isZero(0) && cross(at.from, left) >= 0 && cross(left, at.to) >= 0) return;
    if (heading == 0) heading = (at.from + at.to).dot(turn_left(left)) < 0 ? 1 : -1;
  }
  if (heading == 0) heading = 1;
  c.mode = Mode::slip;
  for (const int way : {heading, -heading}) {
    const double angle = at.angle + way * kBeside;
    const Vec2 beside = normal_force(i) * law(i).reservoir().boundary_point(angle);
    const Flow f = flow(i, beside);
    if (!(f.excess > 0) || !(way * cross(beside, f.force_rate) > 0)) continue;
    t = beside;
    if (way < 0) c.corner = (corner + c.corners.size() - 1) % c.corners.size();
    return;
  }
  c.mode = Mode::elastic;
}

void ElasticRate::take_modes(double t, double* y, const std::vector<char>& risen) {
  // Ṅ is wanted whatever the modes were.
  std::vector<Mode> before;
  for (const Contact& c : contacts_) before.push_back(c.mode);
  (*this)(t, y, rates_.data());
  if (!needs_normal_force_rate()) look_around(t);
  double* states = y + 2 * system_->dofs();
  for (std::size_t i = 0; i < count_; ++i) {
    Contact& c = contacts_[i];
    double* force = states + 2 * i;
    if (before[i] != Mode::elastic) Eigen::Map<Vec2>{force} = -force_.segment<2>(at2(i));
    const char* ended = risen.data() + kEnds * i;
    const bool first = ended[0] != 0, second = ended[1] != 0, third = ended[2] != 0, pressure = ended[3] != 0;
    if (pressure) {
      c.mode = before[i] == Mode::loose ? Mode::elastic : Mode::loose;
      Eigen::Map<Vec2>{force}.setZero();
      continue;
    }
    if (!(first || second || third)) continue;
    if (before[i] == Mode::elastic)
      start_slip(i, force);
    else if (before[i] == Mode::corner)
      leave_corner(i, c.corner, second == third ? 0 : (third ? 1 : -1), force);
    else if (first)
      c.mode = Mode::elastic;
    else
      leave_corner(i, second ? c.corner : (c.corner + 1) % c.corners.size(), third ? 1 : -1, force);
  }
}

}  // namespace slipset::internal
