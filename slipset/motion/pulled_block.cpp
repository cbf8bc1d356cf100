#include "slipset/motion/pulled_block.hpp"

#include <fmt/format.h>

#include <boost/math/tools/toms748_solve.hpp>

#include "slipset/core/angle.hpp"

namespace slipset {
namespace {

// Where on the boundary the rate form (E.1) has no solution: ∇k_C·B∇k_D ≤ 0, so that the force jumps over it.
class Jumps {
 public:
  explicit Jumps(const ElasticInterface& interface) : interface_(interface) {
    constexpr int kAround = 720;
    for (int i = 0; i < kAround && !any_; ++i) any_ = !has_rate(2 * kPi * i / kAround);
  }

  // Whether there is such a place between the rays of two forces, the short way round.
  bool between(const Vec2& from, const Vec2& to) const {
    if (!any_) return false;
    constexpr int kParts = 32;
    const double first = angle_of(from), turn = wrap_to_pi(angle_of(to) - first);
    for (int i = 0; i <= kParts; ++i)
      if (!has_rate(first + turn * i / kParts)) return true;
    return false;
  }

 private:
  bool has_rate(double angle) const {
    const Vec2 ray = unit(angle);
    const FrictionLaw& law = interface_.law();
    const Vec2 flow = interface_.adhesion().force(law.direction().gauge_gradient(ray));
    return law.reservoir().gauge_gradient(ray).dot(flow) > 0;
  }

  const ElasticInterface& interface_;
  bool any_ = false;
};

// Rows and sums of a run.
class Recorder {
 public:
  Recorder(const ElasticReturn& interface, const Vec2& position, double normal_force, const Vec2& force)
      : interface_(interface), jumps_(interface.interface()) {
    if (!(normal_force > 0) || !std::isfinite(normal_force)) throw InvalidInput("normal force: must be positive");
    if (!(interface.interface().law().reservoir().gauge(force) <= normal_force * (1 + 1e-12)))
      throw InvalidInput("start force: outside the reservoir");
    InterfaceRow row;
    row.position = position;
    row.force = force;
    row.normal_force = normal_force;
    row.stored = adhesion().energy(force);
    run.rows.push_back(row);
  }

  const InterfaceRow& last() const { return run.rows.back(); }
  const Adhesion& adhesion() const { return interface_.interface().adhesion(); }

  // One increment; if `divided`, in two where slip begins inside it. False: no solution was found.
  bool advance(const Vec2& displacement, double normal_force, IncrementRule rule, bool divided) {
    const double part =
        divided ? interface_.elastic_part(last().force, displacement, last().normal_force, normal_force) : 1;
    const double before = last().normal_force;
    if (part > 0 && part < 1) {
      const Vec2 force = last().force + adhesion().force(part * displacement);
      add(part * displacement, {force, Vec2::Zero(), false, 1}, before + part * (normal_force - before));
    }
    const Vec2 rest = part < 1 ? Vec2((1 - part) * displacement) : displacement;
    const InterfaceUpdate u = rule == IncrementRule::midpoint
                                  ? interface_.midpoint(last().force, rest, last().normal_force, normal_force)
                                  : interface_.update(last().force, rest, normal_force);
    const bool jumps = u.slips && u.solutions > 0 && jumps_.between(last().force, u.force);
    run.several += u.solutions > 1 || jumps;
    run.jumps += jumps;
    run.implicit += rule == IncrementRule::midpoint && u.slips && !u.by_midpoint;
    run.not_found += u.solutions == 0;
    if (u.solutions == 0) return false;
    add(rest, u, normal_force);
    return true;
  }

  InterfacePath run;

 private:
  void add(const Vec2& displacement, const InterfaceUpdate& u, double normal_force) {
    InterfaceRow row = last();
    const Vec2 mean = (row.force + u.force) / 2;
    row.way += displacement.norm();
    row.position += displacement;
    row.slip += u.slip;
    row.work += mean.dot(displacement);
    row.dissipated += mean.dot(u.slip);
    row.force = u.force;
    row.stored = adhesion().energy(u.force);
    row.normal_force = normal_force;
    row.slips = u.slips;
    run.rows.push_back(row);
  }

  const ElasticReturn& interface_;
  Jumps jumps_;
};

double blend(const InterfacePathOptions& o, std::size_t i, std::size_t n) {
  return o.normal_before + (o.normal_after - o.normal_before) * static_cast<double>(i) / static_cast<double>(n);
}

// The lateral displacement for which T2 = 0 after an increment; NaN if none is near.
double lateral(const ElasticReturn& interface, const Vec2& before, double along, double normal_force, double guess) {
  const auto miss = [&](double y) { return interface.update(before, {along, y}, normal_force).force.y(); };
  double lo = guess, hi = guess, f_lo = miss(guess), f_hi = f_lo;
  double step = 1e-3 * std::abs(along);
  for (int i = 0; f_lo > 0 || f_hi < 0; ++i) {
    if (i == 60) return std::nan("");
    if (f_lo > 0) f_lo = miss(lo = guess - step);
    if (f_hi < 0) f_hi = miss(hi = guess + step);
    step *= 2;
  }
  if (f_lo == 0) return lo;
  if (f_hi == 0) return hi;
  std::uintmax_t iterations = 200;
  const auto ends = boost::math::tools::toms748_solve(miss, lo, hi, f_lo, f_hi,
                                                      boost::math::tools::eps_tolerance<double>(53), iterations);
  return ends.first + (ends.second - ends.first) / 2;
}

// True if the caller ends the run here.
bool ends(const InterfacePathOptions& o, std::size_t done, std::size_t all, InterfacePath& run) {
  constexpr std::size_t kBetween = 64;
  if (!o.progress || done % kBetween != 0) return false;
  run.stopped = !o.progress(static_cast<double>(done), static_cast<double>(all));
  return run.stopped;
}

// `times`: turns or cycles, each of so many increments.
void require_count(int count, int times = 1) {
  constexpr long long kMost = 10000000;
  if (count < 1 || times < 1 || static_cast<long long>(count) * times > kMost)
    throw InvalidInput(fmt::format("increments: {} times {}; must be between 1 and {} together", times, count, kMost));
}

}  // namespace

InterfacePath move_block(const ElasticReturn& interface, std::span<const Vec2> positions,
                         const InterfacePathOptions& o) {
  if (positions.size() < 2) throw InvalidInput("path: needs at least two positions");
  for (const Vec2& position : positions)
    if (!position.allFinite()) throw InvalidInput("path: a position is not finite");
  require_positive(o.normal_after, "normal force at the end of the path");
  Recorder r(interface, positions[0], o.normal_before, o.start_force);
  r.run.rows.reserve(positions.size() + 16);
  for (std::size_t i = 1; i < positions.size(); ++i)
    if (ends(o, i, positions.size() - 1, r.run) ||
        !r.advance(positions[i] - positions[i - 1], blend(o, i, positions.size() - 1), o.rule, true))
      break;
  return std::move(r.run);
}

InterfacePath pull_block(const ElasticReturn& interface, double distance, int increments,
                         const InterfacePathOptions& o) {
  require_finite(distance, "distance");
  require_count(increments);
  require_positive(o.normal_after, "normal force at the end of the path");
  Recorder r(interface, Vec2::Zero(), o.normal_before, o.start_force);
  const double along = distance / increments;
  double guess = 0;
  for (int i = 1; i <= increments; ++i) {
    const double normal_force = blend(o, static_cast<std::size_t>(i), static_cast<std::size_t>(increments));
    guess = lateral(interface, r.last().force, along, normal_force, guess);
    if (!std::isfinite(guess)) {
      ++r.run.not_found;
      break;
    }
    if (ends(o, static_cast<std::size_t>(i), static_cast<std::size_t>(increments), r.run) ||
        !r.advance({along, guess}, normal_force, IncrementRule::implicit, false))
      break;
  }
  return std::move(r.run);
}

double angle_of_pull(const InterfacePath& run) {
  if (run.rows.size() < 2) return std::nan("");
  const Vec2 d = run.rows.back().position - run.rows[run.rows.size() - 2].position;
  return std::atan2(d.y(), d.x());
}

std::vector<Vec2> line_path(double length, double angle, int increments) {
  require_finite(length, "length of the path");
  require_finite(angle, "angle of the path");
  require_count(increments);
  std::vector<Vec2> path;
  for (int i = 0; i <= increments; ++i) path.push_back(length * i / increments * unit(angle));
  return path;
}

std::vector<Vec2> back_and_forth_path(double amplitude, double angle, int cycles, int increments_per_cycle) {
  require_finite(amplitude, "amplitude of the path");
  require_finite(angle, "angle of the path");
  require_count(increments_per_cycle, cycles);
  std::vector<Vec2> path;
  const int quarter = (increments_per_cycle + 3) / 4;
  for (int i = 0; i <= 4 * quarter * cycles; ++i) {
    const int at = i % (4 * quarter);
    const int level = at <= quarter ? at : at <= 3 * quarter ? 2 * quarter - at : at - 4 * quarter;
    path.push_back(amplitude * level / quarter * unit(angle));
  }
  return path;
}

std::vector<Vec2> circle_path(double radius, int turns, int increments_per_turn) {
  require_finite(radius, "radius of the path");
  require_count(increments_per_turn, turns);
  std::vector<Vec2> path;
  for (int i = 0; i <= turns * increments_per_turn; ++i)
    path.push_back(radius * (unit_at_degrees(360.0 * (i % increments_per_turn) / increments_per_turn) - Vec2(1, 0)));
  return path;
}

std::vector<Vec2> figure_eight_path(double length, double angle, int turns, int increments_per_turn) {
  require_finite(length, "length of the path");
  require_finite(angle, "angle of the path");
  require_count(increments_per_turn, turns);
  std::vector<Vec2> path;
  const Vec2 along = unit(angle), across = turn_left(along);
  for (int i = 0; i <= turns * increments_per_turn; ++i) {
    const Vec2 once = unit_at_degrees(360.0 * (i % increments_per_turn) / increments_per_turn);
    path.push_back(length / 2 * (once.y() * along + once.x() * once.y() * across));
  }
  return path;
}

}  // namespace slipset
