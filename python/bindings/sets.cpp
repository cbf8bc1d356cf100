#include "python/bindings/sets.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

namespace slipset::python {
namespace {

using namespace nb::literals;

// A shape as a class of its own in Python; in C++ it is a PlanarSet like the others.
template <class S>
struct As : PlanarSet {
  explicit As(S shape) : PlanarSet(std::move(shape)) {}
  const S& shape() const { return *as<S>(); }
};

// A boundary written in Python.
class PythonShape final : public UserShape {
 public:
  PythonShape(nb::object log_radius, std::string description)
      : log_radius_(std::move(log_radius)), description_(std::move(description)) {}
  ~PythonShape() override {
    const nb::gil_scoped_acquire hold;
    log_radius_ = nb::object();
  }
  PythonShape(const PythonShape&) = delete;
  PythonShape& operator=(const PythonShape&) = delete;

  LogRadius log_radius(double angle) const override {
    const nb::gil_scoped_acquire hold;
    const Numbers three = numbers(log_radius_(angle), "log_radius", {3});
    return {three.data()[0], three.data()[1], three.data()[2]};
  }
  std::string description() const override { return description_; }
  const nb::object& function() const { return log_radius_; }

 private:
  nb::object log_radius_;
  std::string description_;
};

// Finite, and of a size whose square is a number.
Numbers moderate_numbers(nb::handle given, const char* what) {
  const Numbers all = finite_numbers(given, what, {2}, true);
  for (const double x : span_of(all))
    if (std::abs(x) > 1e150) throw InvalidInput(fmt::format("{}: found {}; expected numbers up to 1e150", what, x));
  return all;
}

template <class Function>
NumbersOut scalars(const PlanarSet& set, nb::handle points, const char* what, const Function& f) {
  const Numbers in = moderate_numbers(points, what);
  Shape shape = shape_of(in);
  shape.pop_back();
  NewArray out(shape);
  const double* const x = in.data();
  set.visit([&](const auto& s) {
    for_each_row(in.size() / 2, calls_python(set),
                 [&](std::size_t i) { out.data[i] = f(s, Vec2(x[2 * i], x[2 * i + 1])); });
  });
  return out.array;
}

template <class Function>
NumbersOut points(const PlanarSet& set, nb::handle given, const char* what, const Function& f) {
  const Numbers in = moderate_numbers(given, what);
  NewArray out(shape_of(in));
  const double* const x = in.data();
  set.visit([&](const auto& s) {
    for_each_row(in.size() / 2, calls_python(set), [&](std::size_t i) {
      const Vec2 y = f(s, Vec2(x[2 * i], x[2 * i + 1]));
      out.data[2 * i] = y.x();
      out.data[2 * i + 1] = y.y();
    });
  });
  return out.array;
}

std::vector<std::pair<double, double>> pairs_of(const std::vector<AngleInterval>& arcs) {
  std::vector<std::pair<double, double>> pairs;
  for (const AngleInterval& arc : arcs) pairs.emplace_back(arc.from, arc.to);
  return pairs;
}

std::vector<Vec2> vertices_of(nb::handle given) {
  const Numbers all = finite_numbers(given, "vertices", {-1, 2});
  std::vector<Vec2> vertices;
  for (std::size_t i = 0; i < all.shape(0); ++i) vertices.emplace_back(all.data()[2 * i], all.data()[2 * i + 1]);
  return vertices;
}

std::vector<double> list_of(nb::handle given, const char* what) {
  const Numbers all = finite_numbers(given, what, {-1});
  return {all.data(), all.data() + all.size()};
}

// What makes a shape anew: for pickle and repr.
nb::tuple arguments(const Disk& s) { return nb::make_tuple(s.radius()); }
nb::tuple arguments(const Ellipse& s) { return nb::make_tuple(s.semi_axes().x(), s.semi_axes().y(), s.angle()); }
nb::tuple arguments(const Rectangle& s) { return nb::make_tuple(s.semi_axes().x(), s.semi_axes().y(), s.angle()); }
nb::tuple arguments(const Superellipse& s) {
  return nb::make_tuple(s.semi_axes().x(), s.semi_axes().y(), s.exponent(), s.angle());
}
nb::tuple arguments(const Stadium& s) { return nb::make_tuple(s.half_length(), s.half_width(), s.cap(), s.angle()); }
nb::tuple arguments(const NormMix& s) {
  return nb::make_tuple(s.semi_axes().x(), s.semi_axes().y(), s.w2(), s.w4(), s.angle());
}
nb::tuple arguments(const Wedge& s) { return nb::make_tuple(s.friction(), s.slope(), s.angle(), s.size()); }
nb::tuple arguments(const Polygon& s) {
  nb::list vertices;
  for (const Vec2& vertex : s.vertices()) vertices.append(nb::make_tuple(vertex.x(), vertex.y()));
  return nb::make_tuple(vertices, s.angle());
}
nb::tuple arguments(const PolarCurve& s) {
  nb::list angles, radii;
  for (const auto& [angle, radius] : s.nodes()) {
    angles.append(angle);
    radii.append(radius);
  }
  return nb::make_tuple(angles, radii, s.angle());
}
nb::tuple arguments(const UserSet& s) {
  const auto* const shape = dynamic_cast<const PythonShape*>(&s.shape());
  if (!shape) throw InvalidInput("a set of a shape that is written in C++ cannot be pickled");
  return nb::make_tuple(shape->function(), shape->description(), s.angle(), s.size());
}

template <class S>
std::pair<double, double> semi_axes(const S& shape) {
  return {shape.semi_axes().x(), shape.semi_axes().y()};
}

// "Ellipse(0.6, 0.3, 0.5)".
template <class S>
std::string repr_of(const char* name, const S& shape) {
  return std::string(name) + nb::cast<std::string>(nb::repr(arguments(shape)));
}

template <class S>
nb::class_<As<S>, PlanarSet> bind_shape(nb::module_& m, const char* name, const char* doc) {
  nb::class_<As<S>, PlanarSet> bound(m, name, doc);
  bound.def("__repr__", [name](const As<S>& self) { return repr_of(name, self.shape()); });
  bound.def(
      "__reduce__",
      [](nb::handle_t<As<S>> self) {
        return nb::make_tuple(self.type(), arguments(nb::cast<const As<S>&>(self).shape()));
      },
      nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  bound.def("__copy__", [](const As<S>& self) { return As<S>(self); });
  bound.def(
      "__deepcopy__", [](const As<S>& self, nb::handle) { return As<S>(self); }, "memo"_a);
  bound.def(
      "__eq__",
      [](const As<S>& self, nb::handle other) {
        return nb::isinstance<As<S>>(other) &&
               arguments(self.shape()).equal(arguments(nb::cast<const As<S>&>(other).shape()));
      },
      nb::is_operator(), "other"_a.none());
  bound.def("__hash__", [](const As<S>& self) { return nb::hash(nb::repr(arguments(self.shape()))); });
  return bound;
}

void bind_base(nb::module_& m) {
  nb::class_<PlanarSet>(m, "PlanarSet",
                        "A set in the contact plane: compact, star-shaped about the origin (docs/theory/sets.md).\n\n"
                        "Points and directions are arrays whose last axis is 2. Angles are in radians.")
      .def_prop_ro("angle", &PlanarSet::angle, "Counter-clockwise angle of the shape's first axis [rad].")
      .def_prop_ro("area", &PlanarSet::area)
      .def_prop_ro(
          "name", [](const PlanarSet& s) { return std::string(s.name()); }, "The name of the shape in scenario files.")
      .def_prop_ro("description", &PlanarSet::description, "In words, with its numbers.")
      .def_prop_ro("is_convex", &PlanarSet::is_convex)
      .def_prop_ro("is_star_shaped", &PlanarSet::is_star_shaped)
      .def_prop_ro(
          "nonconvex_arcs", [](const PlanarSet& s) { return pairs_of(s.nonconvex_arcs()); },
          "Arcs of the boundary that curve inwards, as (from, to) polar angles [rad].")
      .def_prop_ro("corners", &PlanarSet::corners, "Polar angles of the corners [rad].")
      .def(
          "gauge",
          [](const PlanarSet& s, nb::object t) {
            return scalars(s, t, "points", [](const auto& shape, const Vec2& x) { return shape.gauge(x); });
          },
          "points"_a, "k(t): 1 on the boundary, below 1 inside (S.1).")
      .def(
          "gauge_gradient",
          [](const PlanarSet& s, nb::object t) {
            return points(s, t, "points", [](const auto& shape, const Vec2& x) { return shape.gauge_gradient(x); });
          },
          "points"_a, "The gradient of the gauge; at a corner the middle of its subdifferential (S.3).")
      .def(
          "support",
          [](const PlanarSet& s, nb::object v) {
            return scalars(s, v, "directions", [](const auto& shape, const Vec2& x) { return shape.support(x); });
          },
          "directions"_a, "h(v), the largest t·v of the set; convex sets only (S.2).")
      .def(
          "support_point",
          [](const PlanarSet& s, nb::object v) {
            return points(s, v, "directions", [](const auto& shape, const Vec2& x) { return shape.support_point(x); });
          },
          "directions"_a, "The boundary point with normal v; on a flat side its middle (S.5).")
      .def(
          "project",
          [](const PlanarSet& s, nb::object t) {
            return points(s, t, "points", [](const auto& shape, const Vec2& x) { return shape.project(x); });
          },
          "points"_a, "The closest point of the set; convex sets only (S.7).")
      .def(
          "contains",
          [](const PlanarSet& s, nb::object t) {
            const NumbersOut k =
                scalars(s, t, "points", [](const auto& shape, const Vec2& x) { return shape.gauge(x); });
            return nb::module_::import_("numpy").attr("less_equal")(k, 1.0);
          },
          "points"_a, "Whether points are in the set.")
      .def(
          "radius",
          [](const PlanarSet& s, nb::object angles) {
            const Numbers in = finite_numbers(angles, "angles", {}, true);
            NewArray out(shape_of(in));
            for_each_row(in.size(), calls_python(s), [&](std::size_t i) { out.data[i] = s.radius(in.data()[i]); });
            return out.array;
          },
          "angles"_a, "Distance of the boundary from the origin in directions [rad].")
      .def(
          "boundary",
          [](const PlanarSet& s, int count) {
            if (count < 3 || count > 100000000) throw InvalidInput("count: expected 3 points or more");
            const std::vector<double> angles = s.resolving_angles(count);
            NewArray out({angles.size() + 1, 2});
            for (std::size_t i = 0; i <= angles.size(); ++i) {
              const Vec2 p = s.boundary_point(angles[i % angles.size()]);
              out.data[2 * i] = p.x();
              out.data[2 * i + 1] = p.y();
            }
            return out.array;
          },
          "count"_a = 360, "Points around the boundary that resolve it, closed: for drawing.")
      .def(
          "normal_cone",
          [](const PlanarSet& s, nb::object t) {
            const Vec2 point = vec2(t, "point");
            if (point.isZero(0)) throw InvalidInput("point: the origin is on no ray; give another point");
            const AngleInterval cone = s.normal_cone(point);
            return std::pair(cone.from, cone.to);
          },
          "point"_a, "Directions of the normals on the ray of a point, (from, to) [rad] (S.8).")
      .def(
          "plot",
          [](nb::handle self, nb::handle ax, const nb::kwargs& style) {
            return nb::module_::import_("slipset._plot").attr("planar_set")(self, ax, **style);
          },
          "ax"_a.none() = nb::none(), "style"_a,
          nb::sig("def plot(self, ax: typing.Any = None, **style: typing.Any) -> typing.Any"),
          "Its boundary, by matplotlib, in `ax` or a new figure; gives the axes.")
      .def(
          "_repr_svg_", [](nb::handle self) { return nb::module_::import_("slipset._plot").attr("svg_of_set")(self); },
          nb::sig("def _repr_svg_(self) -> str"))
      .def(
          "turned", [](const PlanarSet& s, double by) { return to_python(s.turned(by)); }, "by"_a,
          "The set turned counter-clockwise [rad].")
      .def(
          "scaled", [](const PlanarSet& s, double factor) { return to_python(s.scaled(factor)); }, "factor"_a,
          "The set times a positive number.");
}

}  // namespace

SetObject to_python(const PlanarSet& set) {
  return set.visit([](const auto& shape) {
    return SetObject(nb::cast(As<std::decay_t<decltype(shape)>>(shape), nb::rv_policy::move));
  });
}

bool calls_python(const PlanarSet& set) {
  const UserSet* const user = set.as<UserSet>();
  return user && dynamic_cast<const PythonShape*>(&user->shape());
}

void bind_sets(nb::module_& m) {
  bind_base(m);
  bind_shape<Disk>(m, "Disk", "A disk about the origin.")
      .def(
          "__init__", [](As<Disk>* self, double radius) { new (self) As<Disk>(Disk(radius)); }, "radius"_a);
  bind_shape<Ellipse>(m, "Ellipse", "An ellipse about the origin, its first axis at `angle` [rad].")
      .def(
          "__init__",
          [](As<Ellipse>* self, double a, double b, double angle) { new (self) As<Ellipse>(Ellipse(a, b, angle)); },
          "a"_a, "b"_a, "angle"_a = 0.0)
      .def_prop_ro("semi_axes", [](const As<Ellipse>& s) { return semi_axes(s.shape()); });
  bind_shape<Superellipse>(m, "Superellipse",
                           "|t1/a|^s + |t2/b|^s <= 1: rhombus (s = 1), ellipse (2), towards the rectangle; below 1 a "
                           "star, for reservoirs only [WL19 37].")
      .def(
          "__init__",
          [](As<Superellipse>* self, double a, double b, double exponent, double angle) {
            new (self) As<Superellipse>(Superellipse(a, b, exponent, angle));
          },
          "a"_a, "b"_a, "exponent"_a, "angle"_a = 0.0)
      .def_prop_ro("semi_axes", [](const As<Superellipse>& s) { return semi_axes(s.shape()); })
      .def_prop_ro("exponent", [](const As<Superellipse>& s) { return s.shape().exponent(); });
  bind_shape<Rectangle>(m, "Rectangle", "A rectangle about the origin, with half lengths a and b.")
      .def(
          "__init__",
          [](As<Rectangle>* self, double a, double b, double angle) {
            new (self) As<Rectangle>(Rectangle(a, b, angle));
          },
          "a"_a, "b"_a, "angle"_a = 0.0)
      .def_prop_ro("semi_axes", [](const As<Rectangle>& s) { return semi_axes(s.shape()); });
  bind_shape<Stadium>(m, "Stadium", "Two straight sides with elliptic caps.")
      .def(
          "__init__",
          [](As<Stadium>* self, double half_length, double half_width, double cap, double angle) {
            new (self) As<Stadium>(Stadium(half_length, half_width, cap, angle));
          },
          "half_length"_a, "half_width"_a, "cap"_a, "angle"_a = 0.0);
  bind_shape<Polygon>(m, "Polygon", "Vertices counter-clockwise, star-shaped about the origin; convex or not.")
      .def(
          "__init__",
          [](As<Polygon>* self, nb::object vertices, double angle) {
            new (self) As<Polygon>(Polygon(vertices_of(vertices), angle));
          },
          "vertices"_a, "angle"_a = 0.0);
  bind_shape<PolarCurve>(m, "PolarCurve",
                         "The smooth closed curve through measured points (angle [rad], radius) (S.25).")
      .def(
          "__init__",
          [](As<PolarCurve>* self, nb::object angles, nb::object radii, double angle) {
            const std::vector<double> a = list_of(angles, "angles"), r = list_of(radii, "radii");
            if (a.size() != r.size())
              throw InvalidInput(fmt::format("angles and radii: found {} and {} numbers; expected as many of both",
                                             a.size(), r.size()));
            new (self) As<PolarCurve>(PolarCurve(a, r, angle));
          },
          "angles"_a, "radii"_a, "angle"_a = 0.0);
  bind_shape<Wedge>(m, "Wedge", "The reservoir of wedge-shaped asperities, slope [rad] [WL19 50].")
      .def(
          "__init__",
          [](As<Wedge>* self, double friction, double slope, double angle, double size) {
            const Wedge wedge(friction, slope, angle);
            new (self) As<Wedge>(size == 1 ? wedge : wedge.scaled(size));
          },
          "friction"_a, "slope"_a, "angle"_a = 0.0, "size"_a = 1.0);
  bind_shape<NormMix>(m, "NormMix", "A mix of norms of order 2 and 4 with weights w2 and w4.")
      .def(
          "__init__",
          [](As<NormMix>* self, double a, double b, double w2, double w4, double angle) {
            new (self) As<NormMix>(NormMix(a, b, w2, w4, angle));
          },
          "a"_a, "b"_a, "w2"_a, "w4"_a, "angle"_a = 0.0);
  bind_shape<UserSet>(m, "UserSet",
                      "A set of your own, by its boundary: log_radius(angle) gives ln r, its first and its second "
                      "derivative with respect to the angle (S.20).")
      .def(
          "__init__",
          [](As<UserSet>* self, nb::object log_radius, const std::string& description, double angle, double size) {
            if (!PyCallable_Check(log_radius.ptr()))
              throw InvalidInput("log_radius: expected a function of the angle [rad] that returns three numbers");
            new (self) As<UserSet>(UserSet(std::make_shared<const PythonShape>(log_radius, description), angle, size));
          },
          "log_radius"_a, "description"_a = "a set of the user's own", "angle"_a = 0.0, "size"_a = 1.0);
}

}  // namespace slipset::python
