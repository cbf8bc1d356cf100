#include "slipset/stability/belt_cycle.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "slipset/core/roots.hpp"
#include "slipset/dynamics/event_driven.hpp"
#include "slipset/dynamics/moreau.hpp"

namespace slipset {
namespace {

// The same mass seen from the belt: its velocity is the slip velocity, so that a small slip is not the difference of
// two large numbers. In this frame the springs' feet move: h = -K (q + χ t).
class SeenFromBelt : public MechanicalSystem {
 public:
  explicit SeenFromBelt(const BeltMotion& motion) : m_(motion), contacts_(motion.system->contacts()) {}

  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX&, SystemAt& at) const override {
    at.mass = m_.mass * Mat2::Identity();
    at.force = -m_.stiffness * (Vec2(q) + m_.belt_velocity * t);
    at.potential_force.setZero();
    at.contacts[0].normal_force = m_.normal_force;
    at.contacts[0].tangents.setIdentity();
    at.contacts[0].surface_velocity.setZero();
  }
  double potential_energy(const VectorX&) const override { return 0; }
  std::vector<std::string> coordinates() const override { return {"x", "y"}; }

 private:
  BeltMotion m_;
  std::vector<SystemContact> contacts_;
};

// Slip a time t after it began at q: the springs' force leaves the reservoir at the rate -Kχ; friction follows by
// turning along the boundary, N s'(φ) φ̇, and what is left accelerates the mass along D's normal n:
//   N s' φ̇ + a n = -Kχ,   γ = ½ a t² n(φ + φ̇ t), to leading order
Vec2 onset_of_slip(const BeltMotion& m, const FrictionLaw& law, const Vec2& q, double t) {
  const AngleInterval normals = law.direction().normal_cone(Vec2(-(m.stiffness * q)));
  const double angle = normals.from + normals.width() / 2;
  const std::optional<Mat2> jacobian = slip_jacobian(law, unit(angle));
  if (!jacobian) throw InvalidInput("cycle on the belt: slip begins at a corner or flat side of a set");
  const Vec2 n = unit(angle), turn(-n.y(), n.x());
  Mat2 columns;
  columns << m.normal_force * (*jacobian * turn), m.mass * n;
  const Vec2 rates = columns.inverse() * Vec2(-(m.stiffness * m.belt_velocity));
  return 0.5 * rates[1] * t * t * unit(angle + rates[0] * t);
}

// Largest (sign 1) or smallest (-1) value of coordinate k: the rows' extreme one, refined by the cubic through
// positions and velocities of the row and its neighbours.
double extreme(const Simulation& run, Eigen::Index k, double sign) {
  const auto& rows = run.trajectory.rows;
  const auto q = static_cast<std::size_t>(1 + k), u = static_cast<std::size_t>(3 + k);
  double best = -1e300;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    best = std::max(best, sign * rows[i][q]);
    if (i == 0 || !(rows[i - 1][u] * rows[i][u] < 0)) continue;
    const double h = rows[i][0] - rows[i - 1][0], d = rows[i][q] - rows[i - 1][q];
    const double a = h * rows[i - 1][u], b = h * rows[i][u];
    const auto slope = [&](double s) { return a + s * (6 * d - 4 * a - 2 * b + s * (3 * (a + b) - 6 * d)); };
    double lo = 0, hi = 1;
    for (int n = 0; n < 60; ++n) {
      const double middle = 0.5 * (lo + hi);
      (slope(middle) * a > 0 ? lo : hi) = middle;
    }
    const double s = lo;
    best = std::max(best, sign * (rows[i - 1][q] + s * (a + s * (3 * d - 2 * a - b + s * (a + b - 2 * d)))));
  }
  return sign * best;
}

}  // namespace

BeltMotion belt_motion_of(const MechanicalSystem& system) {
  if (system.dofs() != 2 || system.contacts().size() != 1)
    throw InvalidInput("cycle on the belt: the system must be a mass-on-belt");
  SystemAt at = sized_for(system);
  const auto force = [&](const Vec2& q, const Vec2& u) {
    system.evaluate(0, q, u, at);
    return Vec2(at.force);
  };
  const Vec2 zero(0, 0), e1(1, 0), e2(0, 1), none = force(zero, zero);
  BeltMotion m{&system, at.contacts[0].surface_velocity, at.mass(0, 0), Mat2::Zero(), at.contacts[0].normal_force};
  m.stiffness << none - force(e1, zero), none - force(e2, zero);
  const bool damped = force(zero, e1) != none || force(zero, e2) != none;
  if (damped || none != zero || at.mass(1, 1) != m.mass || m.belt_velocity == zero)
    throw InvalidInput("cycle on the belt: needs a belt that moves, and springs without dampers");
  return m;
}

BeltCycle belt_cycle_from(const BeltMotion& m, const Vec2& q) {
  const FrictionLaw& law = m.system->contacts().front().law->law();
  const Vec2 along = m.belt_velocity.normalized(), across(-along.y(), along.x());
  const auto gauge = [&](const Vec2& at) { return law.reservoir().gauge(Vec2(-(m.stiffness * at) / m.normal_force)); };
  if (!(gauge(q) < 1)) throw InvalidInput("cycle on the belt: the reservoir does not hold the mass at the start");

  BeltCycle cycle;
  cycle.offset = across.dot(q);
  double longest = 1;
  while (gauge(q + longest * m.belt_velocity) < 1) {
    if (longest > 1e9) throw InvalidInput("cycle on the belt: the springs never pull the mass off the belt");
    longest *= 2;
  }
  cycle.stick_time = increasing_root(
      [&](double t) {
        return ValueAndSlope{gauge(q + t * m.belt_velocity) - 1, 0};
      },
      0, longest, longest / 2);
  cycle.slip_start = q + cycle.stick_time * m.belt_velocity;

  // Earlier, rounding of the forces disturbs the slip, later the leading order is too rough: from 1e-4 to 1e-3 s the
  // slip time of the paper's cycle is the same to 1e-10 s.
  constexpr double kOnset = 1e-3;  // [s]
  const Vec2 slip = onset_of_slip(m, law, cycle.slip_start, kOnset);
  EventOptions options;
  options.duration = 1000;
  options.absolute_tolerance = 1e-15;
  options.until_stick = true;
  options.row_step = 1e-3;
  cycle.slip = simulate_events(SeenFromBelt(m), {kOnset, cycle.slip_start + slip * (kOnset / 3), slip}, options);
  if (!cycle.slip.stop_time)
    throw InvalidInput(fmt::format("cycle on the belt: the mass does not stick again within {} s", options.duration));
  cycle.slip_time = *cycle.slip.stop_time;
  cycle.slip.end.q += cycle.slip_time * m.belt_velocity;  // back to the frame of the ground
  cycle.slip.end.u += m.belt_velocity;
  for (auto& row : cycle.slip.trajectory.rows)
    for (std::size_t k = 0; k < 2; ++k) {
      row[1 + k] += row[0] * m.belt_velocity[static_cast<Eigen::Index>(k)];
      row[3 + k] += m.belt_velocity[static_cast<Eigen::Index>(k)];
    }
  cycle.stick_start = cycle.slip.end.q;
  cycle.next_offset = across.dot(cycle.stick_start);
  for (Eigen::Index k = 0; k < 2; ++k) {  // the ends of the stick phase are those of the slip phase
    cycle.smallest[k] = extreme(cycle.slip, k, -1);
    cycle.largest[k] = extreme(cycle.slip, k, 1);
  }
  return cycle;
}

std::optional<PeriodicCycle> periodic_belt_cycle(const BeltMotion& motion, const Vec2& q) {
  const Vec2 along = motion.belt_velocity.normalized(), across(-along.y(), along.x());
  PeriodicCycle found;
  BeltCycle before = belt_cycle_from(motion, q);
  found.cycle = belt_cycle_from(motion, before.stick_start);
  for (found.cycles = 2; found.cycles < 40; ++found.cycles) {
    const double w0 = before.offset, w1 = found.cycle.offset, f0 = before.next_offset - w0,
                 f1 = found.cycle.next_offset - w1;
    if (std::abs(f1) < 1e-10) {
      // This one began beside the end of the slip before it; the next begins there, so that its stick time is the
      // cycle's.
      found.cycle = belt_cycle_from(motion, found.cycle.stick_start);
      const auto slope = [&](double h) {
        return (belt_cycle_from(motion, found.cycle.stick_start + h * across).next_offset -
                belt_cycle_from(motion, found.cycle.stick_start - h * across).next_offset) /
               (2 * h);
      };
      // Extrapolated to step 0. The offsets are known to about 1e-10 of the cycle's size, so the step must not be
      // smaller: from 0.5e-3 to 3e-3 the paper's multiplier is the same to 5e-8.
      const double h = 1e-3 * (found.cycle.largest - found.cycle.smallest).norm();
      found.multiplier = (4 * slope(h) - slope(2 * h)) / 3;
      found.cycles += 5;
      return found;
    }
    const double w = w1 - f1 * (w1 - w0) / (f1 - f0);
    before = std::move(found.cycle);
    found.cycle = belt_cycle_from(motion, before.stick_start + (w - before.next_offset) * across);
  }
  return std::nullopt;
}

MoreauCycle moreau_cycle(const BeltMotion& m, const State& start, double step, const Vec2& section, int cycles) {
  constexpr int kSettling = 30;  // cycles before the measured ones
  constexpr long kMostSteps = 10'000'000;
  MoreauStepper stepper(*m.system, start);
  const Vec2 along = m.belt_velocity.normalized();
  const double place = along.dot(section);
  MoreauCycle found;
  found.step = step;
  found.last.columns = trajectory_columns(*m.system);
  double stick_time = 0, first_time = 0, first_stick = 0;
  int crossings = 0;
  for (long i = 0; i < kMostSteps; ++i) {
    const double before = along.dot(stepper.state().q) - place;
    stepper.step(step);
    const double after = along.dot(stepper.state().q) - place;
    const ContactStep& contact = stepper.contacts()[0];
    const bool sticks = contact.mode == ContactMode::stick;
    found.ambiguous += contact.solutions > 1;
    if (crossings == kSettling + cycles)
      add_trajectory_row(stepper.state(), stepper.contacts(), step, stepper.energy(), found.last);
    if (sticks && before < 0 && after >= 0) {
      const double part = before / (before - after);  // exact: while it sticks, the mass moves evenly
      const double time = stepper.state().t - (1 - part) * step, stick = stick_time + part * step;
      if (crossings == kSettling) {
        first_time = time;
        first_stick = stick;
      } else if (crossings == kSettling + cycles) {
        found.period = (time - first_time) / cycles;
        found.stick_time = (stick - first_stick) / cycles;
      } else if (crossings > kSettling + cycles) {
        return found;  // with one more cycle as rows
      }
      ++crossings;
    }
    if (sticks) stick_time += step;
  }
  throw InvalidInput(fmt::format("cycle on the belt: only {} cycles in {} steps", crossings, kMostSteps));
}

}  // namespace slipset
