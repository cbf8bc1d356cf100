// Elastic interfaces in Python: the return of many forces at once, and its tangents.     docs/theory/elastic.md
#include <fmt/format.h>
#include <nanobind/stl/optional.h>

#include <Eigen/Eigenvalues>

#include "python/bindings/laws.hpp"
#include "python/bindings/module.hpp"
#include "slipset/contact/elastic_return.hpp"
#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset::python {
namespace {

using namespace nb::literals;

using FlagsOut = nb::ndarray<nb::numpy, bool>;
using CountsOut = nb::ndarray<nb::numpy, std::int64_t>;

struct Interface {
  Law law;
  Mat2 stiffness;  // as given: a copy has the same bits
  std::shared_ptr<const ElasticReturn> exact;
};

// A new array of other things than doubles.
template <class Array>
Array new_array(const Shape& shape, const char* type) {
  nb::list lengths;
  for (const std::size_t length : shape) lengths.append(length);
  return nb::cast<Array>(nb::module_::import_("numpy").attr("empty")(nb::tuple(lengths), nb::arg("dtype") = type));
}

Adhesion adhesion_of(const Mat2& b) {
  if (!(std::abs(b(0, 1) - b(1, 0)) <= 1e-12 * b.norm()))
    throw InvalidInput(fmt::format("stiffness: found {} and {} off the diagonal; expected a symmetric matrix [N/m]",
                                   b(0, 1), b(1, 0)));
  // Along its axes it stays as it is, to the bit.
  Vec2 values = b.diagonal();
  double angle = 0;
  if (b(0, 1) != 0) {
    const Eigen::SelfAdjointEigenSolver<Mat2> solver(b);
    values = solver.eigenvalues();
    angle = angle_of(Vec2(solver.eigenvectors().col(0)));
  }
  // Below this an eigenvalue is rounding.
  if (!(values.minCoeff() > 1e-15 * values.maxCoeff()))
    throw InvalidInput(fmt::format("stiffness: found the principal stiffnesses {} and {}; expected positive ones [N/m]",
                                   values.x(), values.y()));
  return {values.x(), values.y(), angle};
}

Interface made(const Law& law, const std::optional<nb::object>& stiffness) {
  if (law.stribeck()) throw InvalidInput("law: an increment of displacement has no speed; give a law without stribeck");
  if (!stiffness && !law.elastic())
    throw InvalidInput("stiffness: the law is rigid; give the stiffness of the interface, a (2, 2) array [N/m]");
  const Mat2 tensor = stiffness ? mat2(*stiffness, "stiffness") : law.elastic()->tensor();
  const Adhesion adhesion = stiffness ? adhesion_of(tensor) : *law.elastic();
  return {law, tensor, std::make_shared<const ElasticReturn>(ElasticInterface(law, adhesion))};
}

// Increments of many points, and what made them.
struct Updates {
  std::shared_ptr<const ElasticReturn> exact;
  bool python;  // whether the law calls it
  Shape shape;  // of the points
  std::vector<InterfaceUpdate> points;
  std::vector<double> normal_force;
};

Shape with(Shape shape, std::initializer_list<std::size_t> more) {
  shape.insert(shape.end(), more);
  return shape;
}

Shape points_of(const Numbers& numbers, std::size_t last_axes) {
  Shape shape = shape_of(numbers);
  shape.resize(shape.size() - last_axes);
  return shape;
}

nb::tuple tuple_of(const Shape& shape) {
  nb::list lengths;
  for (const std::size_t length : shape) lengths.append(length);
  return nb::tuple(lengths);
}

// By numpy's rules, as a force before that is zero for all.
Shape common_shape(const Shape& before, const Shape& displacement, const Shape& normal_force) {
  const nb::object numpy = nb::module_::import_("numpy");
  try {
    Shape shape;
    for (const nb::handle length :
         numpy.attr("broadcast_shapes")(tuple_of(before), tuple_of(displacement), tuple_of(normal_force)))
      shape.push_back(nb::cast<std::size_t>(length));
    return shape;
  } catch (nb::python_error& error) {
    throw InvalidInput(fmt::format(
        "before, displacement, normal_force: found shapes {}, {}, {}; expected (..., 2), (..., 2), (...) that go "
        "together",
        nb::cast<std::string>(nb::str(tuple_of(with(before, {2})))),
        nb::cast<std::string>(nb::str(tuple_of(with(displacement, {2})))),
        nb::cast<std::string>(nb::str(tuple_of(normal_force)))));
  }
}

Numbers spread(const Numbers& numbers, const Shape& shape) {
  if (shape_of(numbers) == shape) return numbers;
  const nb::object numpy = nb::module_::import_("numpy");
  const nb::object wide = numpy.attr("broadcast_to")(nb::cast(numbers), tuple_of(shape));
  return nb::cast<Numbers>(numpy.attr("array")(wide, nb::arg("order") = "C"));
}

Updates updated(const Interface& interface, nb::handle before, nb::handle displacement, nb::handle normal_force) {
  const Numbers b = finite_numbers(before, "before", {2}, true);
  const Numbers d = finite_numbers(displacement, "displacement", {2}, true);
  const Numbers n = finite_numbers(normal_force, "normal_force", {}, true);
  Updates all{interface.exact, calls_python(interface.law), {}, {}, {}};
  all.shape = common_shape(points_of(b, 1), points_of(d, 1), points_of(n, 0));
  const Numbers from = spread(b, with(all.shape, {2})), by = spread(d, with(all.shape, {2})), at = spread(n, all.shape);
  all.normal_force.assign(at.data(), at.data() + at.size());
  all.points.resize(at.size());
  for_each_row(at.size(), all.python, [&](std::size_t i) {
    const double *const t = from.data() + 2 * i, *const r = by.data() + 2 * i;
    all.points[i] = all.exact->update(Vec2(t[0], t[1]), Vec2(r[0], r[1]), at.data()[i]);
    if (all.points[i].solutions == 0 || !all.points[i].force.allFinite())
      throw InvalidInput(fmt::format(
          "update: no force found at point {} (before ({}, {}) N, displacement ({}, {}) m, normal force {} N)", i, t[0],
          t[1], r[0], r[1], at.data()[i]));
  });
  return all;
}

NumbersOut vectors(const Updates& all, Vec2 InterfaceUpdate::*of) {
  NewArray out(with(all.shape, {2}));
  for (std::size_t i = 0; i < all.points.size(); ++i)
    for (int j = 0; j < 2; ++j) out.data[2 * i + static_cast<std::size_t>(j)] = (all.points[i].*of)[j];
  return out.array;
}

struct Tangents {
  NumbersOut by_displacement, by_normal_force;
  FlagsOut exists;
};

// Of one point; empty also where elastic and slip meet within rounding, and where the contact just touches.
std::optional<InterfaceTangent> tangent_at(const ElasticReturn& exact, const InterfaceUpdate& point, double normal) {
  constexpr double kBorder = 1e-12;  // of the normal force; returns meet the boundary to 1e-13
  if (normal == 0) return std::nullopt;
  if (normal > 0) {
    const PlanarSet& c = exact.interface().law().reservoir();
    const double beyond = point.slips ? c.gauge(exact.interface().adhesion().force(point.slip)) : 0;
    if (beyond <= kBorder * normal && c.gauge(point.force) >= (1 - kBorder) * normal) return std::nullopt;
  }
  return exact.tangent(point, normal);
}

Tangents tangents(const Updates& all) {
  NewArray by_displacement(with(all.shape, {2, 2})), by_normal_force(with(all.shape, {2}));
  const auto exists = new_array<FlagsOut>(all.shape, "bool");
  bool* const exists_data = exists.data();
  for_each_row(all.points.size(), all.python, [&](std::size_t i) {
    const double normal = all.normal_force[i];
    const std::optional<InterfaceTangent> found = tangent_at(*all.exact, all.points[i], normal);
    const Mat2 elastic = normal > 0 ? all.exact->interface().adhesion().tensor() : Mat2(Mat2::Zero());
    const InterfaceTangent used = found ? *found : InterfaceTangent{elastic, Vec2::Zero()};
    Eigen::Map<Eigen::Matrix<double, 2, 2, Eigen::RowMajor>>(by_displacement.data + 4 * i) = used.by_displacement;
    Eigen::Map<Vec2>(by_normal_force.data + 2 * i) = used.by_normal_force;
    exists_data[i] = found.has_value();
  });
  return {by_displacement.array, by_normal_force.array, exists};
}

nb::tuple arguments(const Interface& i) { return nb::make_tuple(nb::cast(i.law), array_of_matrix(i.stiffness)); }

void bind_updates(nb::module_& m) {
  nb::class_<Tangents>(m, "InterfaceTangent", "Derivatives of the forces after an increment (E.5).")
      .def_ro("by_displacement", &Tangents::by_displacement, "[..., i, j] = ∂T_i/∂Δr_j [N/m].")
      .def_ro("by_normal_force", &Tangents::by_normal_force, "[..., i] = ∂T_i/∂N [-].")
      .def_ro("exists", &Tangents::exists,
              "False where there is no derivative: between elastic and slip, at a corner of C or D that the force can "
              "leave either way, at N = 0. There the one of the elastic side stands (B and 0; at N = 0 all zero): "
              "Newton's method can go on, but is not quadratic.");

  nb::class_<Updates>(m, "InterfaceUpdate", "Increments of an elastic interface at many points.")
      .def_prop_ro(
          "force", [](const Updates& u) { return vectors(u, &InterfaceUpdate::force); },
          "T after the increment, (..., 2) [N].")
      .def_prop_ro(
          "slip", [](const Updates& u) { return vectors(u, &InterfaceUpdate::slip); },
          "The plastic part of the displacement, (..., 2) [m].")
      .def_prop_ro(
          "slips",
          [](const Updates& u) {
            const auto out = new_array<FlagsOut>(u.shape, "bool");
            for (std::size_t i = 0; i < u.points.size(); ++i) out.data()[i] = u.points[i].slips;
            return out;
          },
          "Whether it slips, (...); else it is elastic.")
      .def_prop_ro(
          "solutions",
          [](const Updates& u) {
            const auto out = new_array<CountsOut>(u.shape, "int64");
            for (std::size_t i = 0; i < u.points.size(); ++i) out.data()[i] = u.points[i].solutions;
            return out;
          },
          "How many there are, (...); of several the nearest to the force before was taken.")
      .def("tangent", &tangents, "The derivatives by displacement and normal force, and where they exist (E.5).");
}

}  // namespace

void bind_elastic(nb::module_& m) {
  bind_updates(m);
  nb::class_<Interface>(
      m, "ElasticInterface",
      "An interface that deforms before it slips: T = B e, T in N C, slip along a normal of D (E.3) [K07].\n\n"
      ">>> import numpy as np\n>>> from slipset import ElasticInterface, isotropic\n"
      ">>> interface = ElasticInterface(isotropic(0.5), stiffness=100.0 * np.eye(2))\n"
      ">>> after = interface.update([0.0, 0.0], [[0.01, 0.0], [0.2, 0.0]], normal_force=10.0)\n"
      ">>> after.force\narray([[1., 0.],\n       [5., 0.]])\n>>> after.slips\narray([False,  True])")
      .def(
          "__init__",
          [](Interface* self, const Law& law, std::optional<nb::object> stiffness) {
            new (self) Interface(made(law, stiffness));
          },
          "law"_a, "stiffness"_a = nb::none(),
          "`stiffness`: B, a (2, 2) array, symmetric and positive definite [N/m]; without it that of the law's "
          "`elastic`. Per area (B in Pa/m) forces are stresses [Pa].")
      .def_prop_ro("law", [](const Interface& i) { return i.law; })
      .def_prop_ro(
          "stiffness", [](const Interface& i) { return array_of_matrix(i.stiffness); }, "B [N/m].")
      .def(
          "update",
          [](const Interface& i, nb::object before, nb::object displacement, nb::object normal_force) {
            return updated(i, before, displacement, normal_force);
          },
          "before"_a.none(), "displacement"_a.none(), "normal_force"_a.none(),
          "An increment of displacement [m] (..., 2) from the forces before [N] (..., 2), with the normal force at its "
          "end [N] (...). T is what the surface feels: it points along the slip; the body feels -T. Without pressure "
          "(N <= 0) there is no force. Shapes go together as in numpy. Implicit, of first order.")
      .def(
          "__reduce__",
          [](nb::handle_t<Interface> self) {
            return nb::make_tuple(self.type(), arguments(nb::cast<const Interface&>(self)));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("__repr__", [](const Interface& i) {
        return fmt::format("ElasticInterface({}, [[{}, {}], [{}, {}]])",
                           nb::cast<std::string>(nb::repr(nb::cast(i.law))), i.stiffness(0, 0), i.stiffness(0, 1),
                           i.stiffness(1, 0), i.stiffness(1, 1));
      });
}

}  // namespace slipset::python
