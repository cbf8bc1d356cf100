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
  bool has_steady_surfaces() const override { return true; }
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

double BeltMotion::time_scale() const {
  const double stiffest = stiffness.norm();
  if (stiffest > 0) return std::sqrt(mass / stiffest);
  const FrictionLaw& law = system->contacts().front().law->law();
  return mass * belt_velocity.norm() / (normal_force * slip_resistance(law, Vec2(-belt_velocity)).norm());
}

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
  const double unit_time = m.time_scale();
  double longest = unit_time;
  while (stick_gauge(m, q + longest * m.belt_velocity) < 1) {
    if (longest > 1e9 * unit_time)
      throw InvalidInput("cycle on the belt: the springs never pull the mass off the belt");
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

// When slip is taken over from its onset. Earlier, rounding of the forces disturbs the slip, later the leading order is
// too rough: from 1e-4 to 1e-3 time scales the slip time of the paper's cycle is the same to 1e-10.
double onset_time(const BeltMotion& m, const Vec2& slip_start) {
  return 1e-3 * std::min(m.time_scale(), slip_start.norm() / m.belt_velocity.norm());
}

Run slip_from(const BeltMotion& m, bool varied, const State& start, double row_step, double longest) {
  const SeenFromBelt system(m, varied);
  RunOptions options{.duration = longest, .until_stick = true};
  if (m.go_on) options.progress = [&](double, double) { return m.go_on(); };
  Run run = simulate(system, start,
                     EventDriven{.row_step = row_step,
                                 .absolute_tolerance = 1e-15,
                                 .time_scale = m.time_scale(),
                                 .speed_scale = m.belt_velocity.norm()},
                     options);
  if (run.report.status == RunStatus::stopped) throw InvalidInput("cycle on the belt: stopped");
  if (!run.stop_time)
    throw InvalidInput(fmt::format("cycle on the belt: the mass does not stick again within {:.6g} s", longest));
  return run;
}

double longest_slip(const BeltMotion& m) { return 100 * m.time_scale(); }  // 16 periods of the springs

// Without the slope, if the slip passes zero on its way.
BeltReturn one_return(const BeltMotion& m, const Vec2& q, double longest, bool& smooth) {
  const FrictionLaw& law = m.system->contacts().front().law->law();
  const Vec2 across = across_belt(m);
  const Stick stick = stick_from(m, q);
  // The onset's own variation by differences: what is wrong with it dies out at once, as the direction of slip is
  // drawn to its place like exp(-c/t).
  const double onset = onset_time(m, stick.end);
  const Vec2 slip = onset_of_slip(m, law, stick.end, onset);
  const double h = 1e-5 * stick.end.norm();
  const Vec2 varied = (onset_of_slip(m, law, stick.end + h * stick.varied, onset) -
                       onset_of_slip(m, law, stick.end - h * stick.varied, onset)) /
                      (2 * h);
  VectorX place(4), speed(4);
  place << stick.end + slip * (onset / 3), stick.varied + varied * (onset / 3);
  speed << slip, varied;
  const Run run = slip_from(m, true, {onset, place, speed}, longest, longest);
  BeltReturn found;
  found.stick_time = stick.time;
  found.slip_time = *run.stop_time;
  found.slip_start = stick.end;
  found.stick_start = Vec2(run.end.q.head<2>()) + found.slip_time * m.belt_velocity;
  found.offset = across.dot(q);
  found.next_offset = across.dot(found.stick_start);
  found.slope = across.dot(run.end.q.tail<2>());  // the belt does not move across, so that the end's time is the same
  smooth = run.report.events == 1;
  return found;
}

}  // namespace

Vec2 best_held(const BeltMotion& m, const Vec2& q) {
  const Vec2 along = m.belt_velocity.normalized();
  const auto gauge = [&](double ahead) { return stick_gauge(m, q + ahead * along); };
  // A bracket of the least, each way from q.
  double lo = 0, hi = 0;
  const double first = 1e-3 * std::max(q.norm(), m.belt_velocity.norm() * m.time_scale());
  for (double step = first; gauge(hi + step) < gauge(hi); step *= 2) hi += step;
  for (double step = first; gauge(lo - step) < gauge(lo); step *= 2) lo -= step;
  lo -= std::max(first, hi - lo);
  hi += std::max(first, hi - lo);
  for (int i = 0; i < 80; ++i) {
    const double a = lo + (hi - lo) * 0.382, b = lo + (hi - lo) * 0.618;
    (gauge(a) < gauge(b) ? hi : lo) = gauge(a) < gauge(b) ? b : a;
  }
  return q + lo * along;
}

BeltReturn belt_return(const BeltMotion& m, const Vec2& q, double longest) {
  if (!(longest > 0)) longest = longest_slip(m);
  bool smooth = true, same = true;
  BeltReturn found = one_return(m, q, longest, smooth);
  if (!smooth) {
    const Vec2 h = 1e-5 * found.slip_start.norm() * across_belt(m);
    found.slope = (one_return(m, q + h, longest, same).next_offset - one_return(m, q - h, longest, same).next_offset) /
                  (2 * h.norm());
  }
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
  const double onset = onset_time(m, cycle.slip_start);
  const Vec2 slip = onset_of_slip(m, law, cycle.slip_start, onset);
  cycle.slip =
      slip_from(m, false, {onset, cycle.slip_start + slip * (onset / 3), slip}, 1e-3 * m.time_scale(), longest_slip(m));
  cycle.slip_time = *cycle.slip.stop_time;
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
  Vec2 at = best_held(motion, q);
  double last = INFINITY;
  for (found.cycles = 1; found.cycles < 40; ++found.cycles) {
    const BeltReturn turn = belt_return(motion, at);
    const double gap = turn.next_offset - turn.offset;
    // As near as the slip is integrated to: about 1e-12 of the cycle's size, more where it barely sticks.
    const double size = (turn.stick_start - turn.slip_start).norm(), off = std::abs(gap) / size;
    const bool settled = off <= 1e-11 || (off <= 1e-9 && off > 0.5 * last);
    last = off;
    if (settled) {
      // This one began beside the end of the slip before it; the next begins there, so that its stick time is the
      // cycle's.
      found.cycle = belt_cycle_from(motion, turn.stick_start);
      found.multiplier = turn.slope;
      return found;
    }
    const double limit = 10 * std::abs(gap), step = std::abs(1 - turn.slope) > 1e-6 ? gap / (1 - turn.slope) : gap;
    at = best_held(motion, turn.stick_start + (std::clamp(step, -limit, limit) - gap) * across);
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
