// What follows an event of a phase: sector or side of a slip that goes on or begins, accelerations of contacts at rest,
// impacts.
#include <algorithm>

#include "slipset/motion/integrators/internal/contact_phase.hpp"

namespace slipset::internal {
namespace {

using Index = Eigen::Index;

// τ where the ray of a resistance leaves D through a side.
double place_on(const FlatSide& side, const Vec2& resistance) {
  const double from = cross(resistance, side.from), to = cross(resistance, side.to);
  return from == to ? 0.5 : from / (from - to);
}

}  // namespace

std::size_t Phase::sector_of(std::size_t i, const Vec2& direction) const {
  const auto& sides = sides_[i];
  std::size_t nearest = 0;
  const auto after = [&](std::size_t k) { return wrap_to_turn(angle_of(direction) - angle_of(sides[k].normal)); };
  for (std::size_t k = 1; k < sides.size(); ++k)
    if (after(k) < after(nearest)) nearest = k;
  return nearest;
}

std::optional<std::size_t> Phase::side_along(std::size_t i, const Vec2& direction, double tolerance) const {
  for (std::size_t k = 0; k < sides_[i].size(); ++k)
    if (std::abs(wrap_to_pi(angle_of(direction) - angle_of(sides_[i][k].normal))) <= tolerance) return k;
  return std::nullopt;
}

bool Phase::choose_slip(std::size_t i, double t, const VectorX& q, const VectorX& u) {
  ContactPhase& c = contacts_[i];
  const auto& sides = sides_[i];
  look_at(t, q, u);
  c.mode = PhaseMode::slip;
  if (c.line) {
    c.way = c.along.dot(c.slip) < 0 ? -1 : 1;
    return false;
  }
  c.sector = sector_of(i, c.slip);
  const auto side = side_along(i, c.slip, 1e-9);
  if (!side) return false;
  const std::size_t k = *side, before = (k + sides.size() - 1) % sides.size();
  VectorX on_normal = u;
  push(i, sides[k].normal * c.slip.norm() - c.slip, on_normal);
  // γ̇_T to the left of the side's normal, with the resistance held at a place of the side.
  c.sector = k;
  const auto turning = [&](double place) {
    c.mode = PhaseMode::side;  // for look_at; the resistance is given below
    look_at(t, q, on_normal);
    const Vec2 resistance = side_resistance(i, place);
    return turning_with(i, resistance, t, q, on_normal);
  };
  // Places where it is zero and falls; the one next to the last place is taken.
  constexpr int pieces = 64;
  int found = 0;
  double best = c.place, last_place = c.place, before_value = turning(0);
  const double first = before_value;
  for (int p = 1; p <= pieces; ++p) {
    const double value = turning(static_cast<double>(p) / pieces);
    if (before_value >= 0 && value <= 0 && before_value > value) {
      const double place = (p - 1 + before_value / (before_value - value)) / pieces;
      if (found++ == 0 || std::abs(place - last_place) < std::abs(best - last_place)) best = place;
    }
    before_value = value;
  }
  const double last = before_value;
  if (found > 0) {
    c.mode = PhaseMode::side;
    c.place = best;
  } else {
    c.mode = PhaseMode::slip;
    c.sector = last > 0 ? k : before;
  }
  return found + (last > 0) + (first < 0) > 1;
}

double Phase::turning_with(std::size_t i, const Vec2& resistance, double t, const VectorX& q, const VectorX& u) {
  ContactPhase& c = contacts_[i];
  const std::size_t side = c.sector;
  if (unilateral(i)) {  // λ_N depends on the resistance: a slip mode with this resistance held
    c.mode = PhaseMode::slip;
    held_resistance_ = resistance;
    held_contact_ = i;
  } else {
    c.mode = PhaseMode::given;
    c.normal_force = at_.contacts[i].normal_force;
    c.resistance = resistance;
  }
  acceleration(t, q, u);
  held_contact_.reset();
  return turn_left(sides_[i][side].normal).dot(c.slip_rate);
}

void Phase::start_slip(std::size_t i, const Vec2& direction, const Vec2& resistance) {
  ContactPhase& c = contacts_[i];
  c.mode = PhaseMode::slip;
  if (c.line) {
    c.way = c.along.dot(direction) < 0 ? -1 : 1;
    return;
  }
  c.sector = sector_of(i, direction);
  const auto side = side_along(i, direction, 1e-7);
  if (!side) return;
  const double place = place_on(sides_[i][*side], resistance);
  if (place > 1e-9 && place < 1 - 1e-9) {
    c.mode = PhaseMode::side;
    c.place = place;
    c.sector = *side;
  } else {
    c.sector = place >= 0.5 ? *side : (*side + sides_[i].size() - 1) % sides_[i].size();
  }
}

Vec2 Phase::leave_stick(std::size_t i) {
  const Vec2 resistance = contacts_[i].resistance;
  const AngleInterval normals = law(i).law().direction().normal_cone(resistance);
  const Vec2 direction = unit(normals.from + normals.width() / 2);
  start_slip(i, direction, resistance);
  return direction;
}

// W and laws of these contacts; the free velocities are left to the caller.
ContactProblem Phase::problem_of(const std::vector<std::size_t>& contacts, BlockDelassus& delassus) const {
  ContactProblem problem;
  delassus.resize(contacts.size());
  problem.delassus = kept_elsewhere(delassus);
  problem.free_velocity = VectorX::Zero(first_row(contacts.size()));
  for (std::size_t a = 0; a < contacts.size(); ++a) {
    for (std::size_t b = 0; b < contacts.size(); ++b)
      delassus.block<3>(a, b) = directions(contacts[a]).transpose() * mass_.solve(MatrixX(directions(contacts[b])));
    Contact point;
    point.law = &law(contacts[a]);
    if (!unilateral(contacts[a])) point.normal_impulse = at_.contacts[contacts[a]].normal_force;
    point.reservoir_factor = stribeck_at(contacts[a], 0);
    problem.contacts.push_back(point);
  }
  return problem;
}

ContactSolution Phase::decide(double t, const VectorX& q, const VectorX& u, const std::vector<std::size_t>& resting,
                              VectorX& acceleration_now, double shrink) {
  look_at(t, q, u);
  for (const std::size_t i : resting) {
    contacts_[i].mode = PhaseMode::given;
    contacts_[i].normal_force = unilateral(i) ? 0 : at_.contacts[i].normal_force;
    contacts_[i].resistance.setZero();
  }
  BlockDelassus delassus;
  ContactProblem problem = problem_of(resting, delassus);
  for (Contact& point : problem.contacts) point.reservoir_factor *= shrink;
  ContactSolver solver;
  ContactSolution solution;
  // The other contacts' forces depend on those of the resting ones only where normal forces are unknown: back and
  // forth.
  double moved = INFINITY;
  for (int iteration = 0; iteration < 1000 && moved > 1e-14; ++iteration) {
    acceleration(t, q, u);
    VectorX before = solution.impulse;
    VectorX held(first_row(resting.size())), free(first_row(resting.size()));
    for (std::size_t a = 0; a < resting.size(); ++a) {
      const ContactPhase& c = contacts_[resting[a]];
      held.segment<3>(first_row(a)) << c.normal_force, -c.normal_force * c.resistance;
      free.segment<3>(first_row(a)) << c.normal_acceleration, c.slip_rate;
    }
    for (std::size_t a = 0; a < resting.size(); ++a) {
      for (std::size_t b = 0; b < resting.size(); ++b)
        free.segment<3>(first_row(a)) -= delassus.block<3>(a, b) * held.segment<3>(first_row(b));
    }
    problem.free_velocity = free;
    solver.solve(problem, {}, solution);
    for (std::size_t a = 0; a < resting.size(); ++a) {
      ContactPhase& c = contacts_[resting[a]];
      c.normal_force = solution.impulse[first_row(a)];
      c.resistance =
          c.normal_force > 0 ? Vec2(-solution.impulse.segment<2>(first_row(a) + 1) / c.normal_force) : Vec2(0, 0);
    }
    if (before.size() != solution.impulse.size()) continue;
    const double size = solution.impulse.norm();
    moved = size > 0 ? (before - solution.impulse).norm() / size : before.norm() > 0 ? INFINITY : 0;
  }
  if (!(moved <= 1e-9) && solution.report.solved()) {
    solution.report.status = ContactStatus::not_reached;
    solution.report.stop_reason = "the forces of contacts that slip and of those at rest do not settle";
  }
  acceleration_now = acceleration(t, q, u);
  return solution;
}

ContactSolution Phase::impact(const std::vector<std::size_t>& closing, VectorX& u) {
  BlockDelassus delassus;
  ContactProblem problem = problem_of(closing, delassus);
  for (std::size_t a = 0; a < closing.size(); ++a) {
    const std::size_t i = closing[a];
    Vec3 before = directions(i).transpose() * u;
    before[0] = (1 + system_->contacts()[i].restitution) * (before[0] - at_.contacts[i].surface_normal_velocity);
    before.tail<2>() -= at_.contacts[i].surface_velocity;
    problem.free_velocity.segment<3>(first_row(a)) = before;
    problem.contacts[a].last_slip = before.tail<2>();
    problem.contacts[a].reservoir_factor = stribeck_at(i, before.tail<2>().norm());
  }
  ContactSolution solution = solve(problem);
  for (std::size_t a = 0; a < closing.size(); ++a)
    u += mass_.solve(VectorX(directions(closing[a]) * solution.impulse.segment<3>(first_row(a))));
  return solution;
}

}  // namespace slipset::internal
