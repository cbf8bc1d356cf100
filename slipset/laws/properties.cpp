#include "slipset/laws/properties.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

namespace slipset {
namespace {

// Radii that agree to this are those of one shape.
constexpr double kSameShape = 1e-10;
// Arcs and intervals closer than this [rad] are one.
constexpr double kTouching = 1e-11;

std::string list_degrees(const std::vector<AngleInterval>& intervals) {
  std::string text;
  for (const AngleInterval& i : intervals)
    text += fmt::format("{}{:.10g} to {:.10g}", text.empty() ? "" : ", ", degrees(i.from), degrees(i.to));
  return text;
}

Verdict convexity(const PlanarSet& set) {
  if (set.is_convex()) return {true, set.description() + ": the boundary curves outwards everywhere"};
  const auto arcs = set.nonconvex_arcs();
  const bool corners = std::all_of(arcs.begin(), arcs.end(), [](const auto& arc) { return arc.width() == 0; });
  return {false, fmt::format("{}: the boundary {} (angles in degrees: {})", set.description(),
                             corners ? "has re-entrant corners" : "curves inwards along arcs", list_degrees(arcs))};
}

// The range of D's normals, and so of slip directions, at polar angle θ; for C, of its normals.
AngleInterval normals(const PlanarSet& set, double theta) {
  const AngleInterval cone = set.normal_cone(unit(theta));
  const double nearest = theta + wrap_to_pi(cone.from - theta);  // normals are within 90° of the ray
  return {nearest, nearest + cone.width()};
}

// Sorted, each in [0, 2π), touching ones merged, also across the full turn.
std::vector<AngleInterval> merged(std::vector<AngleInterval> intervals) {
  for (AngleInterval& i : intervals) {
    const double width = i.width();
    i.from = wrap_to_turn(i.from);
    i.to = i.from + width;
  }
  std::sort(intervals.begin(), intervals.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  std::vector<AngleInterval> result;
  for (const AngleInterval& i : intervals) {
    if (!result.empty() && i.from <= result.back().to + kTouching)
      result.back().to = std::max(result.back().to, i.to);
    else
      result.push_back(i);
  }
  if (result.size() > 1 && result.front().from + 2 * kPi <= result.back().to + kTouching) {
    result.back().to = std::max(result.back().to, result.front().to + 2 * kPi);
    result.erase(result.begin());
  }
  return result;
}

// All corners of both sets as the ends of smooth pieces of the circle; one full turn if there is none.
std::vector<AngleInterval> smooth_pieces(const PlanarSet& c, const PlanarSet& d) {
  std::vector<double> ends = c.corners();
  const std::vector<double> more = d.corners();
  ends.insert(ends.end(), more.begin(), more.end());
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end(), [](double x, double y) { return y - x < kTouching; }), ends.end());
  if (ends.empty()) return {{0, 2 * kPi}};
  std::vector<AngleInterval> pieces;
  for (std::size_t i = 0; i < ends.size(); ++i)
    pieces.push_back({ends[i], i + 1 < ends.size() ? ends[i + 1] : ends[0] + 2 * kPi});
  return pieces;
}

// Where s·v/|v| is smallest: along the boundary of D, at a corner over the ends of its fan.
struct Drag {
  double value, slip_angle;
};

Drag drag_at(const PlanarSet& c, const PlanarSet& d, double theta) {
  const AngleInterval slip = normals(d, theta);
  const double first = std::cos(theta - slip.from), last = std::cos(theta - slip.to);
  return {c.radius(theta) * std::min(first, last), first < last ? slip.from : slip.to};
}

// A pair of slip states that breaks monotonicity: the resistance p of a slow slip elsewhere that would oppose v
// more than the law's own, p·v > s·v. Empty if the gain cannot be told from rounding.
std::vector<SlipState> monotonicity_violation(const FrictionLaw& law, const std::vector<double>& nodes) {
  const PlanarSet &c = law.reservoir(), &d = law.direction();
  std::vector<SlipState> states;  // all at unit speed
  for (const double theta : nodes) {
    const AngleInterval slip = normals(d, theta);
    states.push_back({unit(slip.from + slip.width() / 2), c.boundary_point(theta)});
  }
  double best_gain = 0;
  SlipState fast, slow;
  for (const SlipState& own : states) {
    const double drag = own.resistance.dot(own.slip_velocity);
    for (const SlipState& other : states)
      if (const double gain = other.resistance.dot(own.slip_velocity) / drag - 1; gain > best_gain) {
        best_gain = gain;
        fast = own;
        slow = other;
      }
  }
  for (; best_gain > 0 && slow.slip_velocity.norm() > 1e-6; slow.slip_velocity /= 2)
    if ((fast.resistance - slow.resistance).dot(fast.slip_velocity - slow.slip_velocity) < -1e-15) return {fast, slow};
  return {};
}

// With a rising characteristic an associated law may still fail: look for a slip state at which the
// symmetric part of the Jacobian is indefinite.
std::vector<SlipState> rate_violation(const FrictionLaw& law, const std::vector<double>& nodes) {
  const Stribeck& rate = *law.stribeck();
  for (const double theta : nodes) {
    const AngleInterval slip = normals(law.direction(), theta);
    for (double x = 0.1; x < 3; x *= 1.1) {
      const Vec2 v = x * rate.velocity * unit(slip.from + slip.width() / 2);
      const auto jacobian = slip_jacobian(law, v);
      if (!jacobian) continue;
      const Eigen::SelfAdjointEigenSolver<Mat2> eigen(0.5 * (*jacobian + jacobian->transpose()));
      if (eigen.eigenvalues()[0] >= 0) continue;
      const Vec2 w = v + 1e-3 * v.norm() * eigen.eigenvectors().col(0);
      const SlipState a{v, slip_resistance(law, v)}, b{w, slip_resistance(law, w)};
      if ((a.resistance - b.resistance).dot(v - w) < -1e-15) return {a, b};
    }
  }
  return {};
}

// An end of a destabilising interval, found by boundary angle, once more by slip angle: for an elongated D the slip
// angle turns up to aspect² faster than the boundary angle, and would lose as many digits.
double polished_end(const PlanarSet& c, const PlanarSet& d, double slip) {
  const AngleFunction alignment = [&](double angle) {
    return std::cos(normals(c, angle_of(d.support_ray(unit(angle)))).from - angle);
  };
  const std::vector<AngleInterval> parts = negative_parts(alignment, slip - 1e-8, slip + 1e-8, {});
  if (parts.size() != 1 || parts[0].width() > 1.9e-8) return slip;
  return parts[0].from > slip - 1e-8 ? parts[0].from : parts[0].to;
}

std::string state_text(const SlipState& state) {
  return fmt::format("slip velocity ({:.6g}, {:.6g}) with resistance ({:.6g}, {:.6g})", state.slip_velocity.x(),
                     state.slip_velocity.y(), state.resistance.x(), state.resistance.y());
}

void judge_monotone(const FrictionLaw& law, const std::vector<double>& nodes, LawProperties& p) {
  if (law.stribeck() && law.stribeck()->static_ratio > 1) {
    const Vec2 slow(0.5 * law.stribeck()->velocity, 0), fast = 3 * slow;
    p.not_monotone = {{slow, slip_resistance(law, slow)}, {fast, slip_resistance(law, fast)}};
  } else if (!p.associated.value) {
    p.not_monotone = monotonicity_violation(law, nodes);
  } else if (law.stribeck() && law.stribeck()->static_ratio < 1) {
    p.not_monotone = rate_violation(law, nodes);
    if (p.not_monotone.empty()) {
      p.monotone = {true,
                    "associated with a rising characteristic; no slip state with an indefinite Jacobian was found"};
      return;
    }
  } else {
    p.monotone = {true, "associated laws are maximal monotone (Proposition 4)"};
    return;
  }
  p.monotone = {false, "only associated laws are monotone (Proposition 3)"};
  if (p.not_monotone.empty()) {
    p.monotone.why += "; the sets differ by so little that no pair of states shows it in double precision";
    return;
  }
  const SlipState &a = p.not_monotone[0], &b = p.not_monotone[1];
  p.monotone.why = fmt::format("{} and {} give (s - s*)·(v - v*) = {:.6g} < 0", state_text(a), state_text(b),
                               (a.resistance - b.resistance).dot(a.slip_velocity - b.slip_velocity));
}

}  // namespace

// v ∈ int T_C(s) means n·v < 0 for every normal n of C at s. Along a smooth piece of both boundaries that is
// one function of the angle, cos(ψ_D - ψ_C); at a corner of D the slip directions are a fan.       (L.3)
std::vector<AngleInterval> destabilising_directions(const FrictionLaw& law) {
  const PlanarSet &c = law.reservoir(), &d = law.direction();
  const std::vector<double> nodes = resolving_angles(c, d);
  const AngleFunction alignment = [&](double theta) {
    return std::cos(normals(d, theta).from - normals(c, theta).from);
  };

  std::vector<AngleInterval> slips;
  for (const AngleInterval& piece : smooth_pieces(c, d)) {
    for (const AngleInterval& part : negative_parts(alignment, piece.from, piece.to, nodes)) {
      const double from = normals(d, part.from).to, to = normals(d, part.to).from;
      slips.push_back({from, std::max(from, to)});
    }
  }
  for (const double corner : d.corners()) {
    const AngleInterval fan = normals(d, corner), normal = normals(c, corner);
    for (const double turn : {-2 * kPi, 0.0, 2 * kPi}) {
      const double from = std::max(fan.from, normal.to + kPi / 2 + turn);
      const double to = std::min(fan.to, normal.from + 3 * kPi / 2 + turn);
      if (to - from > kTouching) slips.push_back({from, to});
    }
  }
  std::vector<AngleInterval> result = merged(std::move(slips));
  for (AngleInterval& interval : result)
    if (interval.width() > 1e-7) interval = {polished_end(c, d, interval.from), polished_end(c, d, interval.to)};
  return result;
}

LawProperties law_properties(const FrictionLaw& law) {
  const PlanarSet &c = law.reservoir(), &d = law.direction();
  const std::vector<double> nodes = resolving_angles(c, d);
  LawProperties p;

  p.reservoir_convex = convexity(c);
  p.reservoir_star_shaped = {true, "every ray from the origin leaves the reservoir once"};
  p.direction_convex = convexity(d);

  const AngleFunction radius = [&](double theta) { return c.radius(theta); };
  p.smallest_coefficient = minimum_on_circle(radius, nodes);
  p.largest_coefficient = maximum_on_circle(radius, nodes);

  const RatioRange ratio = radius_ratio(c, d);
  p.direction_inside = {
      ratio.smallest.value > 1 - 1e-12,
      fmt::format("scaled to touch the reservoir from inside at {:.6g} degrees", degrees(ratio.smallest.angle))};
  if (!p.reservoir_convex.value)
    p.associated = {false, "the reservoir is not convex"};
  else if (ratio.spread() < kSameShape)
    p.associated = {true, "reservoir and direction set are the same shape: maximum dissipation"};
  else
    p.associated = {false,
                    fmt::format("the reservoir is {:.6g} times the direction set at {:.6g} degrees but {:.6g} times at "
                                "{:.6g} degrees",
                                ratio.smallest.value, degrees(ratio.smallest.angle), ratio.largest.value,
                                degrees(ratio.largest.angle))};

  const RatioRange to_disk = radius_ratio(d, Disk(1));
  const bool disk = to_disk.spread() < kSameShape;
  p.collinear = {disk,
                 disk ? "the direction set is a disk: the resistance points along the slip"
                      : fmt::format("the direction set's radii differ by the factor {:.6g}, so the resistance leaves "
                                    "the slip direction",
                                    1 + to_disk.spread())};

  const Extremum drag = minimum_on_circle([&](double theta) { return drag_at(c, d, theta).value; }, nodes);
  const std::string least = fmt::format(
      "the origin is inside the direction set (Proposition 5); the smallest component "
      "against the slip is {:.6g} per unit normal force, at slip angle {:.6g} degrees",
      drag.value, degrees(wrap_to_turn(drag_at(c, d, drag.angle).slip_angle)));
  p.dissipative = {drag.value >= 0, least};
  p.strictly_dissipative = {drag.value > 0, least};

  judge_monotone(law, nodes, p);

  if (p.associated.value) {
    p.can_destabilise = {false, "associated: the slip is normal to the reservoir (Theorem 1)"};
  } else if (p.collinear.value) {
    p.can_destabilise = {false, "collinear: the slip points along the resistance, out of the reservoir"};
  } else {
    p.destabilising = destabilising_directions(law);
    if (p.destabilising.empty())
      p.can_destabilise = {false, "the slip points out of the reservoir's tangent cone in every direction"};
    else
      p.can_destabilise = {
          true, fmt::format("the slip points into the reservoir's tangent cone (Theorem 2) for slip angles, in "
                            "degrees: {}",
                            list_degrees(p.destabilising))};
  }

  if (!law.stribeck() || law.stribeck()->static_ratio <= 1)
    p.falling = {false, "the resistance does not fall with the slip speed"};
  else
    p.falling = {
        true,
        fmt::format("the resistance falls with the slip speed, by the factor {:.6g} in all: negative damping along "
                    "the slip",
                    law.stribeck()->static_ratio)};
  return p;
}

}  // namespace slipset
