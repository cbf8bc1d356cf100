#include "slipset/stability/belt_cycle.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "slipset/core/roots.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/motion/moreau.hpp"

namespace slipset {
namespace {

// The same mass seen from the belt: its velocity is the slip velocity, so that a small slip is not the difference of
// two large numbers. In this frame the springs' feet move: h = -K (q + χ t). With its variation, if wanted, as two more
// coordinates that feel no contact: m δq̈ = -K δq - λ_N ∂s/∂γ δq̇.
class SeenFromBelt : public System {
 public:
  explicit SeenFromBelt(const BeltMotion& motion, bool varied = false)
      : m_(motion), contacts_(motion.system->contacts()), varied_(varied) {}

  Eigen::Index dofs() const override { return varied_ ? 4 : 2; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override {
    at.mass = m_.mass * MatrixX::Identity(dofs(), dofs());
    at.force.head<2>() = -m_.stiffness * (Vec2(q.head<2>()) + m_.belt_velocity * t);
    if (varied_) {
      at.force.tail<2>() = -m_.stiffness * q.tail<2>();
      const std::optional<Mat2> slope = slip_jacobian(contacts_[0].law->law(), Vec2(u.head<2>()));
      if (slope && slope->allFinite()) at.force.tail<2>() -= m_.normal_force * *slope * u.tail<2>();
    }
    at.potential_force.setZero();
    at.contacts[0].normal_force = m_.normal_force;
    at.contacts[0].tangents.setIdentity();
    at.contacts[0].surface_velocity.setZero();
  }
  double potential_energy(const VectorX&) const override { return 0; }
  bool has_constant_mass() const override { return true; }
  std::vector<std::string> coordinates() const override {
    return varied_ ? std::vector<std::string>{"x", "y", "dx", "dy"} : std::vector<std::string>{"x", "y"};
  }

 private:
  BeltMotion m_;
  std::vector<SystemContact> contacts_;
  bool varied_;
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
double extreme(const Run& run, Eigen::Index k, double sign) {
  const Table::Rows rows = run.table.rows();
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

double stick_gauge(const BeltMotion& m, const Vec2& q) {
  const FrictionLaw& law = m.system->contacts().front().law->law();
  return law.reservoir().gauge(Vec2(-(m.stiffness * q) / m.normal_force));
}

BeltMotion belt_motion_of(const System& system) {
  if (system.dofs() != 2 || system.contacts().size() != 1)
    throw InvalidInput("cycle on the belt: the system must be a mass-on-belt");
  const SystemContact& contact = system.contacts().front();
  if (contact.unilateral || !contact.law || contact.law->law().stribeck() || contact.law->law().elastic())
    throw InvalidInput(
        "cycle on the belt: needs a rigid contact that cannot open, with the same reservoir at rest and in slip");
  SystemAt at = sized_for(system);
  const auto force = [&](const Vec2& q, const Vec2& u) {
    system.evaluate(0, q, u, at);
    return Vec2(at.force);
  };
  const Vec2 zero(0, 0), e1(1, 0), e2(0, 1), none = force(zero, zero);
  BeltMotion m{&system, at.contacts[0].surface_velocity, at.mass(0, 0), Mat2::Zero(), at.contacts[0].normal_force};
  m.stiffness << none - force(e1, zero), none - force(e2, zero);
  const bool damped = force(zero, e1) != none || force(zero, e2) != none;
  if (at.mass != m.mass * MatrixX::Identity(2, 2) || at.contacts[0].tangents != MatrixX::Identity(2, 2))
    throw InvalidInput("cycle on the belt: needs a mass m·I and W_T = I");
  if (damped || none != zero || m.belt_velocity == zero)
    throw InvalidInput("cycle on the belt: needs a belt that moves, and springs without dampers");
  return m;
}

namespace {

struct Stick {
  double time;  // from q to the boundary of C [s]
  Vec2 end;     // there, and ...
  Vec2 varied;  // ... how it moves with the offset of q across the belt
};

Vec2 across_belt(const BeltMotion& m) {
  const Vec2 along = m.belt_velocity.normalized();
  return {-along.y(), along.x()};
}

Stick stick_from(const BeltMotion& m, const Vec2& q) {
  if (!(stick_gauge(m, q) < 1))
    throw InvalidInput("cycle on the belt: the reservoir does not hold the mass at the start");
  double longest = 1;
  while (stick_gauge(m, q + longest * m.belt_velocity) < 1) {
    if (longest > 1e9) throw InvalidInput("cycle on the belt: the springs never pull the mass off the belt");
    longest *= 2;
  }
  Stick stick;
  stick.time = increasing_root(
      [&](double t) {
        return ValueAndSlope{stick_gauge(m, q + t * m.belt_velocity) - 1, 0};
      },
      0, longest, longest / 2);
  stick.end = q + stick.time * m.belt_velocity;
  // Along the boundary: ∇k·(across + χ dτ/dw) = 0.
  const Vec2 across = across_belt(m);
  const FrictionLaw& law = m.system->contacts().front().law->law();
  const AngleInterval normals = law.reservoir().normal_cone(Vec2(-(m.stiffness * stick.end) / m.normal_force));
  const Vec2 n = m.stiffness.transpose() * unit(normals.from + normals.width() / 2);
  stick.varied = across - m.belt_velocity * (n.dot(across) / n.dot(m.belt_velocity));
  return stick;
}

// Earlier, rounding of the forces disturbs the slip, later the leading order is too rough: from 1e-4 to 1e-3 s the slip
// time of the paper's cycle is the same to 1e-10 s.
constexpr double kOnset = 1e-3;  // [s]

Run slip_from(const SeenFromBelt& system, const State& start, double row_step, double longest) {
  return simulate(system, start, EventDriven{.row_step = row_step, .absolute_tolerance = 1e-15},
                  {.duration = longest, .until_stick = true});
}

double end_of_slip(const Run& slip, double longest) {
  if (!slip.stop_time)
    throw InvalidInput(fmt::format("cycle on the belt: the mass does not stick again within {:.6g} s", longest));
  return *slip.stop_time;
}

}  // namespace

BeltReturn belt_return(const BeltMotion& m, const Vec2& q, double longest) {
  const FrictionLaw& law = m.system->contacts().front().law->law();
  const Vec2 across = across_belt(m);
  const Stick stick = stick_from(m, q);
  // The onset's own variation by differences: what is wrong with it dies out at once, as the direction of slip is
  // drawn to its place like exp(-c/t).
  const Vec2 slip = onset_of_slip(m, law, stick.end, kOnset);
  const double h = 1e-5 * stick.end.norm();
  const Vec2 varied = (onset_of_slip(m, law, stick.end + h * stick.varied, kOnset) -
                       onset_of_slip(m, law, stick.end - h * stick.varied, kOnset)) /
                      (2 * h);
  VectorX place(4), speed(4);
  place << stick.end + slip * (kOnset / 3), stick.varied + varied * (kOnset / 3);
  speed << slip, varied;
  const Run run = slip_from(SeenFromBelt(m, true), {kOnset, place, speed}, longest, longest);
  BeltReturn found;
  found.stick_time = stick.time;
  found.slip_time = end_of_slip(run, longest);
  found.slip_start = stick.end;
  found.stick_start = Vec2(run.end.q.head<2>()) + found.slip_time * m.belt_velocity;
  found.offset = across.dot(q);
  found.next_offset = across.dot(found.stick_start);
  found.slope = across.dot(run.end.q.tail<2>());  // the belt does not move across, so that the end's time is the same
  return found;
}

BeltCycle belt_cycle_from(const BeltMotion& m, const Vec2& q) {
  const FrictionLaw& law = m.system->contacts().front().law->law();
  const Vec2 across = across_belt(m);
  const Stick stick = stick_from(m, q);
  BeltCycle cycle;
  cycle.offset = across.dot(q);
  cycle.stick_time = stick.time;
  cycle.slip_start = stick.end;
  const Vec2 slip = onset_of_slip(m, law, cycle.slip_start, kOnset);
  cycle.slip = slip_from(SeenFromBelt(m), {kOnset, cycle.slip_start + slip * (kOnset / 3), slip}, 1e-3, 1000);
  cycle.slip_time = end_of_slip(cycle.slip, 1000);
  cycle.slip.end.q += cycle.slip_time * m.belt_velocity;  // back to the frame of the ground
  cycle.slip.end.u += m.belt_velocity;
  Table& table = cycle.slip.table;
  for (std::size_t row = 0; row < table.size(); ++row)
    for (std::size_t k = 0; k < 2; ++k) {
      table.at(row, 1 + k) += table.at(row, 0) * m.belt_velocity[static_cast<Eigen::Index>(k)];
      table.at(row, 3 + k) += m.belt_velocity[static_cast<Eigen::Index>(k)];
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
  const Vec2 across = across_belt(motion);
  PeriodicCycle found;
  Vec2 at = q;
  for (found.cycles = 1; found.cycles < 40; ++found.cycles) {
    const BeltReturn turn = belt_return(motion, at);
    const double gap = turn.next_offset - turn.offset;
    if (std::abs(gap) < 1e-10) {
      // This one began beside the end of the slip before it; the next begins there, so that its stick time is the
      // cycle's.
      found.cycle = belt_cycle_from(motion, turn.stick_start);
      found.multiplier = turn.slope;
      return found;
    }
    const double limit = 10 * std::abs(gap), step = std::abs(1 - turn.slope) > 1e-6 ? gap / (1 - turn.slope) : gap;
    at = turn.stick_start + (std::clamp(step, -limit, limit) - gap) * across;
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
  found.last = Table(run_columns(*m.system));
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
      found.last.add_row(run_row(stepper.state(), stepper.contacts(), step, stepper.energy()));
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
