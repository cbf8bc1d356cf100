#include "slipset/laws/properties.hpp"

#include <fmt/format.h>

#include "slipset/laws/destabilising.hpp"
#include "slipset/laws/slip_path.hpp"

namespace slipset {
namespace {

// Radii that agree to this are those of one shape.
constexpr double kSameShape = 1e-10;

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

// Where s·v/|v| is smallest: along the boundary of D, at a corner over the ends of its fan.
struct Drag {
  double value, slip_angle;
};

Drag drag_at(const FrictionLaw& law, double theta) {
  const AngleInterval slip = slip_angles_at(law, theta);
  const double first = std::cos(theta - slip.from), last = std::cos(theta - slip.to);
  return {law.reservoir().radius(theta) * std::min(first, last), first < last ? slip.from : slip.to};
}

std::string state_text(const SlipState& state) {
  return fmt::format("slip velocity ({:.6g}, {:.6g}) with resistance ({:.6g}, {:.6g})", state.slip_velocity.x(),
                     state.slip_velocity.y(), state.resistance.x(), state.resistance.y());
}

Verdict monotone(const FrictionLaw& law, bool associated, const std::vector<SlipState>& violation) {
  if (!violation.empty())
    return {false, fmt::format("{} and {} give (s - s*)·(v - v*) = {:.6g} < 0", state_text(violation[0]),
                               state_text(violation[1]), monotonicity_product(violation[0], violation[1]))};
  if (!associated || (law.stribeck() && law.stribeck()->falls()))
    return {
        false,
        "only associated laws that do not fall with speed are monotone (Proposition 3); here no two states show it in "
        "double precision"};
  const double rise = law.stribeck() ? steepest_rise(*law.stribeck()) : 0;
  if (rise == 0) return {true, "associated laws are maximal monotone (Proposition 4)"};
  const AllowedRise allowed = allowed_rise(law);
  const bool holds = rise <= allowed.value * (1 + 1e-9);
  return {holds, fmt::format("associated, rising with the speed: the steepest |v| f'/f of its factor f is {:.6g}, and "
                             "its shape allows {:.6g} (at slip angle {:.6g} degrees){}",
                             rise, allowed.value, degrees(allowed.slip_angle),
                             holds ? "" : "; no two states show it in double precision")};
}

// Whether steady sliding of a mass m·I under a constant normal force can be unstable by the two sets alone: where the
// trace of the damping is negative it is, whatever the springs; where it is nowhere negative, equal springs make it
// stable, and for a monotone law any springs do.
Verdict by_tangent_cone(const LawProperties& p, bool rate_dependent) {
  if (!p.destabilising.empty())
    return {true, fmt::format("the slip points into the reservoir's tangent cone (Theorem 2: unstable for a mass m·I, "
                              "constant normal force, any springs, no dampers{}) for slip angles, in degrees: {}",
                              rate_dependent ? ", with its rate dependence for slow slip" : "",
                              list_degrees(p.destabilising))};
  if (p.associated.value && !rate_dependent)
    return {false,
            "associated: the slip is normal to the reservoir; steady sliding is stable with constant normal forces, "
            "whatever masses and springs (Theorem 1)"};
  const char* const outside = p.associated.value ? "associated: the slip is normal to the reservoir"
                              : p.collinear.value
                                  ? "collinear: the slip points along the resistance, out of the reservoir"
                                  : "the slip points out of the reservoir's tangent cone in every direction";
  if (p.monotone.value)
    return {false, fmt::format("{}, and the law is monotone with its rate dependence: the damping it adds is never "
                               "negative",
                               outside)};
  return {false, fmt::format("{}, so the condition of Theorem 2 holds nowhere and a mass m·I on springs of equal "
                             "stiffness slides steadily; but the law is not monotone: with a stiffness that differs "
                             "with direction, or other masses, steady sliding can be unstable: see slipset stability",
                             outside)};
}

}  // namespace

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

  const Extremum drag = minimum_on_circle([&](double theta) { return drag_at(law, theta).value; }, nodes);
  const std::string least = fmt::format(
      "the origin is inside the direction set (Proposition 5); the smallest component "
      "against the slip is {:.6g} per unit normal force, at slip angle {:.6g} degrees",
      drag.value, degrees(wrap_to_turn(drag_at(law, drag.angle).slip_angle)));
  p.dissipative = {drag.value >= 0, least};
  p.strictly_dissipative = {drag.value > 0, least};

  p.not_monotone = p.associated.value && !law.stribeck() ? std::vector<SlipState>{} : monotonicity_violation(law);
  p.monotone = monotone(law, p.associated.value, p.not_monotone);

  if (!p.associated.value && !p.collinear.value) p.destabilising = destabilising_directions(law);
  p.can_destabilise = by_tangent_cone(p, law.stribeck().has_value());

  if (!law.stribeck() || !law.stribeck()->falls()) {
    p.falling = {false, "the resistance does not fall with the slip speed"};
    return p;
  }
  p.falling = {true,
               fmt::format("the resistance falls with the slip speed, {}: negative damping along the slip",
                           law.stribeck()->viscous > 0
                               ? fmt::format("most steeply at {:.6g} m/s", law.stribeck()->velocity / std::sqrt(2.0))
                               : fmt::format("by the factor {:.6g} in total", law.stribeck()->static_ratio))};
  // Theorems 1 and 2 are of laws that depend on the direction alone.
  const Verdict without = by_tangent_cone(p, false);
  p.can_destabilise = {
      true, fmt::format("the resistance falls with the slip speed: negative damping along the slip, in every "
                        "direction. Without stribeck: {}, {}",
                        without.value ? "yes" : "no", without.why)};
  return p;
}

}  // namespace slipset
