// Rigid bodies in Python: slipset/_worlds.py fills a World, and simulate() takes a copy of it.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "python/bindings/handle.hpp"
#include "python/bindings/laws.hpp"
#include "python/bindings/module.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/error.hpp"
#include "slipset/systems/bodies/body_problem.hpp"
#include "slipset/systems/bodies/body_world.hpp"

namespace slipset::python {
namespace {

using namespace nb::literals;

Vec3 vec3(nb::handle given, const char* what) {
  const Numbers three = finite_numbers(given, what, {3});
  return {three.data()[0], three.data()[1], three.data()[2]};
}
Vec3 direction(nb::handle given, const char* what) {
  const Vec3 v = vec3(given, what);
  if (!(v.norm() > 1e-100)) throw InvalidInput(fmt::format("{}: found a direction of length zero", what));
  return v.normalized();
}
Quaternion quaternion(nb::handle given, const char* what) {
  const Numbers four = finite_numbers(given, what, {4});
  const Quaternion q(four.data()[0], four.data()[1], four.data()[2], four.data()[3]);
  if (!(std::abs(q.norm() - 1) < 1e-6))
    throw InvalidInput(
        fmt::format("{}: the quaternion (w, x, y, z) has the length {:.6g}; it must be 1", what, q.norm()));
  return q;
}

template <std::size_t N>
std::size_t place_of(const std::string& name, const std::array<std::string_view, N>& names, const char* what) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    throw InvalidInput(fmt::format("{}: found \"{}\"; expected one of {}", what, name, fmt::join(names, ", ")));
  return static_cast<std::size_t>(at - names.begin());
}

// A law with drilling and rolling, and the arguments that it was made of.
struct Rolling {
  std::optional<PlanarSet> reservoir, rolling;
  std::optional<Interval> drilling;
  std::optional<double> patch;
  std::optional<std::string> pressure, coupling;
  RollingLaw law;
};

std::optional<Interval> interval_of(nb::handle given) {
  if (given.is_none()) return std::nullopt;
  const Numbers both = finite_numbers(given, "drilling", {}, true);
  if (both.size() != 1 && both.size() != 2)
    throw InvalidInput(
        fmt::format("drilling: found {} numbers; expected one, or two (backward, forward) [m]", both.size()));
  return both.size() == 1 ? Interval(both.data()[0]) : Interval(both.data()[0], both.data()[1]);
}
std::optional<PlanarSet> rolling_of(nb::handle given) {
  if (given.is_none()) return std::nullopt;
  if (nb::isinstance<PlanarSet>(given)) return nb::cast<const PlanarSet&>(given);
  return Disk(number(given, "rolling"));
}
std::pair<Vec2, double> axes_of(const PlanarSet& set, const char* what) {
  if (const auto* const ellipse = set.as<Ellipse>()) return {ellipse->semi_axes(), ellipse->angle()};
  if (set.as<Disk>()) return {Vec2::Constant(set.radius(0)), 0};
  throw InvalidInput(fmt::format("{}: coupling \"ellipsoid\" needs a disk or an ellipse", what));
}

// The same rules as those of a table in a scenario, scenario/rolling_law.cpp.
RollingLaw law_of(const std::optional<PlanarSet>& sliding, const std::optional<Interval>& drilling,
                  const std::optional<PlanarSet>& rolling, std::optional<double> patch,
                  const std::optional<std::string>& pressure, const std::optional<std::string>& coupling) {
  constexpr std::array<std::string_view, 2> couplings = {"product", "ellipsoid"};
  if (patch) {
    if (drilling) throw InvalidInput("drilling: follows from the patch and cannot be combined with it; remove one");
    if (coupling) throw InvalidInput("coupling: the patch is the coupling and cannot be combined with it; remove one");
    if (!sliding || !sliding->as<Disk>())
      throw InvalidInput("patch: needs a reservoir with the same friction in every direction, as Disk(0.3)");
    const std::size_t by = pressure ? place_of(*pressure, kPatchPressureNames, "pressure") : 0;
    return RollingLaw::contensou(sliding->radius(0), *patch, static_cast<PatchPressure>(by), rolling);
  }
  if (pressure) throw InvalidInput("pressure: is that of a patch; give its radius, patch=..., or remove pressure");
  if (!coupling || place_of(*coupling, couplings, "coupling") == 0)
    return RollingLaw::product(sliding, drilling, rolling);
  RollingLaw::EllipsoidAxes axes;
  if (sliding) std::tie(axes.sliding.emplace(), axes.sliding_angle) = axes_of(*sliding, "reservoir");
  if (drilling && drilling->backward() != drilling->forward())
    throw InvalidInput("drilling: coupling \"ellipsoid\" needs one number");
  if (drilling) axes.drilling = drilling->forward();
  if (rolling) std::tie(axes.rolling.emplace(), axes.rolling_angle) = axes_of(*rolling, "rolling");
  return RollingLaw::ellipsoid(axes);
}

Rolling rolling_law(const PlanarSet* reservoir, nb::object drilling, nb::object rolling, std::optional<double> patch,
                    const std::optional<std::string>& pressure, const std::optional<std::string>& coupling) {
  const std::optional<PlanarSet> sliding = reservoir ? std::optional(*reservoir) : std::nullopt,
                                 roll = rolling_of(rolling);
  const std::optional<Interval> drill = interval_of(drilling);
  return {sliding, roll, drill, patch, pressure, coupling, law_of(sliding, drill, roll, patch, pressure, coupling)};
}

nb::tuple arguments(const Rolling& r) {
  const auto set = [](const std::optional<PlanarSet>& s) { return s ? to_python(*s) : nb::object(nb::none()); };
  const nb::object drilling =
      r.drilling ? nb::object(nb::make_tuple(r.drilling->backward(), r.drilling->forward())) : nb::object(nb::none());
  return nb::make_tuple(set(r.reservoir), drilling, set(r.rolling), r.patch, r.pressure, r.coupling);
}

BodySurface surface_of(nb::handle given, int law) {
  BodySurface surface;
  surface.law = law;
  surface.priority = number(given.attr("priority"), "priority");
  surface.restitution = number(given.attr("restitution"), "restitution");
  const nb::object axis = given.attr("axis");
  if (axis.is_none()) return surface;
  surface.set_axis(direction(axis, "axis"));
  return surface;
}

PrescribedMotion motion_of(nb::handle given) {
  PrescribedMotion motion;
  motion.velocity = vec3(given.attr("velocity"), "motion: velocity");
  motion.spin = vec3(given.attr("spin"), "motion: spin");
  motion.amplitude = vec3(given.attr("amplitude"), "motion: amplitude");
  motion.frequency = number(given.attr("frequency"), "motion: frequency");
  motion.phase = number(given.attr("phase"), "motion: phase");
  if (!motion.amplitude.isZero(0))
    require_positive(motion.frequency, "motion: frequency");
  else if (motion.frequency != 0 || motion.phase != 0)
    throw InvalidInput("motion: frequency and phase are of a vibration; give its amplitude, or remove them");
  return motion;
}

// `shape`: a Box, Sphere or Plane of _worlds.py, which has checked what goes with what. `law`: its number, -1 for none.
int add_body(BodyWorld& world, nb::handle shape, int law, nb::handle at, nb::handle orientation, nb::handle velocity,
             nb::handle spin) {
  const auto kind = nb::cast<std::string>(shape.attr("kind"));
  const auto which = static_cast<BodyKind>(place_of(kind, kBodyKindNames, "kind"));
  const bool is_plane = which == BodyKind::plane;
  const SolidShape solid = which == BodyKind::box      ? box_shape(vec3(shape.attr("size"), "size"))
                           : which == BodyKind::sphere ? sphere_shape(number(shape.attr("radius"), "radius"))
                                                       : plane_shape();
  std::string name = nb::cast<std::string>(shape.attr("name"));
  if (name.empty()) name = fmt::format("{}{}", kind, world.bodies.size() + 1);
  if (name.find_first_of(",\"\n") != std::string::npos)
    throw InvalidInput("name: commas, quotes and line ends would break the table of the run; choose another name");
  if (std::any_of(world.bodies.begin(), world.bodies.end(), [&](const RigidBody& b) { return b.name == name; }))
    throw InvalidInput(fmt::format("name: another body has the name \"{}\"; give each its own name", name));
  const nb::object motion = shape.attr("motion");
  const bool prescribed = is_plane || !motion.is_none() || nb::cast<bool>(shape.attr("fixed"));
  RigidBody body;
  if (prescribed) {
    body = fixed_body(name, solid);
    if (!motion.is_none()) body.motion = motion_of(motion);
  } else {
    const nb::object mass = shape.attr("mass"), density = shape.attr("density");
    body = free_body(name, solid,
                     mass.is_none() ? solid.volume() * (density.is_none() ? 1000 : number(density, "density"))
                                    : number(mass, "mass"));
    body.force = vec3(shape.attr("force"), "force");
    body.torque = vec3(shape.attr("torque"), "torque");
  }
  body.surface = surface_of(shape.attr("surface"), law);
  BodyState state;
  state.position = vec3(at, "at");
  if (!orientation.is_none()) state.orientation = quaternion(orientation, "orientation");
  if (is_plane && !shape.attr("normal").is_none())
    state.orientation = Quaternion::FromTwoVectors(Vec3::UnitZ(), direction(shape.attr("normal"), "normal"));
  state.velocity = vec3(velocity, "velocity");
  state.spin = state.orientation.conjugate() * vec3(spin, "spin");
  return static_cast<int>(world.add(std::move(body), state));
}

std::string add_joint(BodyWorld& world, const std::string& kind, std::size_t first, std::size_t second,
                      nb::handle point, nb::handle axis, const std::string& name) {
  Joint joint;
  joint.kind = static_cast<JointKind>(place_of(kind, kJointKindNames, "kind"));
  joint.name = name.empty() ? fmt::format("{}{}", kind, world.joints.size() + 1) : name;
  if (std::any_of(world.joints.begin(), world.joints.end(), [&](const Joint& j) { return j.name == joint.name; }))
    throw InvalidInput(fmt::format("name: another joint is \"{}\", too; give each its own name", joint.name));
  joint.first = first;
  joint.second = second;
  joint.point = vec3(point, "point");
  const bool has_axis = joint.kind == JointKind::hinge || joint.kind == JointKind::slider;
  if (has_axis && axis.is_none()) throw InvalidInput(fmt::format("axis: a {} needs one, as axis=(0, 1, 0)", kind));
  if (!has_axis && !axis.is_none()) throw InvalidInput("axis: is for a hinge or a slider; remove it");
  if (has_axis) joint.axis = direction(axis, "axis");
  world.add(joint);
  return joint.name;
}

void add_pair(BodyWorld& world, int first, int second, int law) {
  for (const LawPair& other : world.pairs)
    if (std::minmax(first, second) == std::minmax(other.first, other.second))
      throw InvalidInput("second: there is a pair of these two laws already, in this order or the other");
  world.pairs.push_back({first, second, law});
}

// What a run begins with.
Handle finished(const BodyWorld& world) {
  world.require_whole();
  if (world.free_bodies() == 0) throw InvalidInput("no body that is free to move; add a Box or a Sphere");
  const auto has_surface = [&](int law) {
    return std::any_of(world.bodies.begin(), world.bodies.end(),
                       [&](const RigidBody& body) { return body.surface.law == law; });
  };
  for (const LawPair& pair : world.pairs)
    if (!has_surface(pair.first) || !has_surface(pair.second))
      throw InvalidInput("pair: no body has a surface with one of these laws; give the laws of surfaces that touch");
  const double most = largest_torque(world);
  for (const auto& law : world.laws)
    if (const auto* const rolling = dynamic_cast<const RollingContactLaw*>(law.get());
        rolling && rolling->law().largest_torque() > most)
      throw InvalidInput(
          fmt::format("surface: a torque of {:.3g} m per unit normal force is out of range for these bodies; expected "
                      "at most {:.3g} "
                      "m, 100 times the largest",
                      rolling->law().largest_torque(), most));
  if (const std::optional<Overlap> overlap = overlap_of(world))
    throw InvalidInput(fmt::format(
        "\"{}\" and \"{}\" overlap by {:.3g} m at the start; place them apart (planes are infinite: nothing may be "
        "behind them)",
        world.bodies[overlap->first].name, world.bodies[overlap->second].name, overlap->depth));
  return {std::make_shared<const BodyWorld>(world)};
}

}  // namespace

void bind_bodies(nb::module_& m) {
  nb::class_<Rolling>(m, "RollingLaw",
                      "Friction against sliding, drilling (spin about the normal) and rolling of rigid bodies: one "
                      "convex reservoir (T.4), associated.\n\n>>> from slipset import Disk, RollingLaw\n>>> "
                      "RollingLaw(Disk(0.3), drilling=0.002, rolling=0.001) == RollingLaw(Disk(0.3), drilling=0.002, "
                      "rolling=Disk(0.001))\nTrue")
      .def(
          "__init__",
          [](Rolling* self, const PlanarSet* reservoir, nb::object drilling, nb::object rolling,
             std::optional<double> patch, std::optional<std::string> pressure, std::optional<std::string> coupling) {
            new (self) Rolling(rolling_law(reservoir, drilling, rolling, patch, pressure, coupling));
          },
          "reservoir"_a.none() = nb::none(), "drilling"_a.none() = nb::none(), "rolling"_a.none() = nb::none(),
          "patch"_a = nb::none(), "pressure"_a = nb::none(), "coupling"_a = nb::none(),
          "`reservoir`: a convex set, of sliding. `drilling`: torque per unit normal force [m], one number or two "
          "(backward, forward). `rolling`: a number [m] or a convex set. `patch`: radius [m] of a circular patch of "
          "contact instead of drilling, with the `pressure` uniform (if not given), hertz or ring. `coupling`: product "
          "(if not given) or ellipsoid.")
      .def_prop_ro("description", [](const Rolling& r) { return r.law.description(); })
      .def(
          "__reduce__",
          [](nb::handle_t<Rolling> self) {
            return nb::make_tuple(self.type(), arguments(nb::cast<const Rolling&>(self)));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__eq__",
          [](const Rolling& self, nb::handle other) {
            return nb::isinstance<Rolling>(other) && arguments(self).equal(arguments(nb::cast<const Rolling&>(other)));
          },
          nb::is_operator(), "other"_a.none())
      .def("__hash__", [](const Rolling& self) { return nb::hash(nb::repr(arguments(self))); })
      .def("__repr__", [](const Rolling& r) { return fmt::format("RollingLaw({})", r.law.description()); });
  nb::class_<BodyWorld>(m, "BodyWorld")
      .def(
          "__init__",
          [](BodyWorld* self, nb::object gravity, double margin) {
            if (!(margin >= 0 && std::isfinite(margin))) throw InvalidInput("margin: expected zero or more [m]");
            const Vec3 g = vec3(gravity, "gravity");
            new (self) BodyWorld;
            self->gravity = g;
            self->margin = margin;
          },
          "gravity"_a, "margin"_a)
      .def("add_law", [](BodyWorld& w, const Law& law) { return w.add_law(static_cast<const FrictionLaw&>(law)); })
      .def("add_law", [](BodyWorld& w, const Rolling& law) { return w.add_law(law.law); })
      .def("add", &add_body, "shape"_a, "law"_a, "at"_a, "orientation"_a.none(), "velocity"_a, "spin"_a)
      .def("add_joint", &add_joint, "kind"_a, "first"_a, "second"_a, "point"_a, "axis"_a.none(), "name"_a)
      .def("add_pair", &add_pair, "first"_a, "second"_a, "law"_a)
      .def_prop_ro("names",
                   [](const BodyWorld& w) {
                     std::vector<std::string> names;
                     for (const RigidBody& body : w.bodies) names.push_back(body.name);
                     return names;
                   })
      .def_prop_ro("kinetic_energy", [](const BodyWorld& w) { return w.kinetic_energy(); })
      .def_prop_ro("potential_energy", [](const BodyWorld& w) { return w.potential_energy(); })
      .def("handle", &finished);
}

}  // namespace slipset::python
