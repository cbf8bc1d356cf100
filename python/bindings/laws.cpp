#include "python/bindings/laws.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "slipset/core/error.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/laws/destabilising.hpp"
#include "slipset/laws/law_parameters.hpp"
#include "slipset/laws/lugre.hpp"
#include "slipset/laws/regularized_planar.hpp"
#include "slipset/report/law_report.hpp"

namespace slipset::python {
namespace {

using namespace nb::literals;

FrictionLaw made(PlanarSet reservoir, PlanarSet direction, std::optional<Stribeck> stribeck,
                 std::optional<Adhesion> elastic) {
  const FrictionLaw law(std::move(reservoir), std::move(direction), stribeck);
  return elastic ? law.with_elastic(*elastic) : law;
}

NumbersOut slip_resistances(const Law& law, nb::handle velocities) {
  const Numbers in = numbers(velocities, "velocities", {2}, true);
  const std::size_t rows = in.size() / 2;
  NewArray out(shape_of(in));
  const double* const v = in.data();
  double sum = 0;  // of zeros, unless a resistance is not a number: velocities were not
  // In blocks, which are checked while they are at hand.
  constexpr std::size_t kBlock = 256;
  const auto blocks = [&](const auto& resistance) {
    for_each_row((rows + kBlock - 1) / kBlock, calls_python(law) || rows < kMany, [&](std::size_t block) {
      const std::size_t begin = block * kBlock, end = std::min(rows, begin + kBlock);
      for (std::size_t i = begin; i < end; ++i) {
        const Vec2 s = resistance(Vec2(v[2 * i], v[2 * i + 1]));
        out.data[2 * i] = s.x();
        out.data[2 * i + 1] = s.y();
      }
      const Eigen::Map<const Eigen::ArrayXd> done(out.data + 2 * begin, static_cast<Eigen::Index>(2 * (end - begin)));
      sum += (done - done).sum();
    });
  };
  if (law.stribeck())
    blocks([&](const Vec2& x) { return slip_resistance(law, x); });
  else
    law.visit([&](const auto& c, const auto& d) { blocks([&](const Vec2& x) { return slip_resistance(c, d, x); }); });
  if (!(sum == 0)) finite_numbers(velocities, "velocities", {2}, true);  // says which
  return out.array;
}

nb::object slip_jacobians(const Law& law, nb::handle velocities) {
  const Numbers in = finite_numbers(velocities, "velocities", {2}, true);
  Shape shape = shape_of(in);
  shape.push_back(2);
  NewArray out(shape);
  const double* const v = in.data();
  for (std::size_t i = 0; i < in.size() / 2; ++i) {
    const std::optional<Mat2> jacobian = slip_jacobian(law, Vec2(v[2 * i], v[2 * i + 1]));
    if (!jacobian)
      throw InvalidInput(
          fmt::format("velocities: at number {} ({}, {}) the resistance has no derivative: at rest, across a flat side "
                      "of D, or at a "
                      "corner of C; leave it out",
                      i, v[2 * i], v[2 * i + 1]));
    for (int row = 0; row < 2; ++row)
      for (int column = 0; column < 2; ++column)
        out.data[4 * i + 2 * static_cast<std::size_t>(row) + static_cast<std::size_t>(column)] =
            (*jacobian)(row, column);
  }
  return nb::cast(out.array);
}

NumbersOut resistances_by_parameters(const Law& law, nb::handle velocities) {
  const Numbers in = finite_numbers(velocities, "velocities", {2}, true);
  const std::size_t count = law_parameters(law).size();
  Shape shape = shape_of(in);
  shape.push_back(count);
  NewArray out(shape);
  for (std::size_t i = 0; i < in.size() / 2; ++i) {
    const Vec2 v(in.data()[2 * i], in.data()[2 * i + 1]);
    if (v.isZero(0))
      throw InvalidInput(
          fmt::format("velocities: number {} is at rest, where there is no derivative; leave it out", i));
    Eigen::Map<Eigen::Matrix<double, 2, Eigen::Dynamic, Eigen::RowMajor>>(
        out.data + 2 * i * count, 2, static_cast<Eigen::Index>(count)) = resistance_by_parameters(law, v);
  }
  return out.array;
}

NumbersOut dissipations(const Law& law, nb::handle velocities) {
  const Numbers in = finite_numbers(velocities, "velocities", {2}, true);
  Shape shape = shape_of(in);
  shape.pop_back();
  NewArray out(shape);
  const double* const v = in.data();
  for_each_row(in.size() / 2, calls_python(law),
               [&](std::size_t i) { out.data[i] = dissipation(law, Vec2(v[2 * i], v[2 * i + 1])); });
  return out.array;
}

std::string law_json_text(const Law& law, double step, std::optional<nb::object> velocity) {
  LawReportOptions options;
  options.step = step;
  if (!(step >= 1e-3 && step <= 180)) throw InvalidInput("step: expected degrees from 0.001 to 180");
  if (velocity) options.velocity = vec2(*velocity, "velocity");
  if (options.velocity && options.velocity->isZero(0))
    throw InvalidInput("velocity: at rest the resistance is whatever is needed of C; give a velocity of slip");
  return law_json(law, law_properties(law), options).dump();
}

NumbersOut regularized_resistances(const RegularizedLaw& law, nb::handle velocities, nb::handle balance) {
  const Numbers v = finite_numbers(velocities, "velocities", {2}, true);
  const Numbers b = finite_numbers(balance, "balance", {2}, true);
  if (b.size() != 2 && b.size() != v.size())
    throw InvalidInput("balance: expected one resistance, or as many as velocities");
  const std::size_t stride = b.size() == 2 ? 0 : 2;
  NewArray out(shape_of(v));
  for_each_row(v.size() / 2, calls_python(law.law()), [&](std::size_t i) {
    const Vec2 r = law.resistance(Vec2(v.data()[2 * i], v.data()[2 * i + 1]),
                                  Vec2(b.data()[stride * i], b.data()[stride * i + 1]));
    out.data[2 * i] = r.x();
    out.data[2 * i + 1] = r.y();
  });
  return out.array;
}

std::optional<nb::tuple> tuple_of(const std::optional<Adhesion>& elastic) {
  if (!elastic) return std::nullopt;
  return nb::make_tuple(elastic->stiffness().x(), elastic->stiffness().y(), elastic->angle());
}
std::optional<Adhesion> adhesion_of(const std::optional<nb::object>& elastic) {
  if (!elastic) return std::nullopt;
  const Numbers numbers = finite_numbers(*elastic, "elastic", {-1});
  if (numbers.size() != 2 && numbers.size() != 3)
    throw InvalidInput("elastic: expected two stiffnesses [N/m], and the angle of the first [rad] if there is one");
  return Adhesion(numbers.data()[0], numbers.data()[1], numbers.size() == 3 ? numbers.data()[2] : 0);
}

nb::tuple arguments(const Law& law) {
  return nb::make_tuple(to_python(law.reservoir()), to_python(law.given_direction), law.stribeck(),
                        tuple_of(law.elastic()));
}
nb::tuple arguments(const Stribeck& s) { return nb::make_tuple(s.static_ratio, s.velocity, s.viscous); }
nb::tuple arguments(const LuGre& l) { return nb::make_tuple(l.sigma0, l.sigma1, l.sigma2); }

template <class T>
void add_copies(nb::class_<T>& bound) {
  bound.def(
      "__reduce__",
      [](nb::handle_t<T> self) { return nb::make_tuple(self.type(), arguments(nb::cast<const T&>(self))); },
      nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  bound.def(
      "__eq__",
      [](const T& self, nb::handle other) {
        return nb::isinstance<T>(other) && arguments(self).equal(arguments(nb::cast<const T&>(other)));
      },
      nb::is_operator(), "other"_a.none());
  bound.def("__hash__", [](const T& self) { return nb::hash(nb::repr(arguments(self))); });
}

Regularization regularization_of(const std::string& name) {
  for (std::size_t i = 0; i < kRegularizationNames.size(); ++i)
    if (kRegularizationNames[i] == name) return static_cast<Regularization>(i);
  throw InvalidInput(
      fmt::format("kind: found \"{}\"; expected one of {}", name, fmt::join(kRegularizationNames, ", ")));
}

}  // namespace

Law::Law(PlanarSet reservoir, PlanarSet direction, std::optional<Stribeck> stribeck, std::optional<Adhesion> elastic)
    : FrictionLaw(made(std::move(reservoir), direction, stribeck, elastic)), given_direction(std::move(direction)) {}
Law::Law(FrictionLaw law) : FrictionLaw(std::move(law)), given_direction(direction()) {}

bool calls_python(const FrictionLaw& law) { return calls_python(law.reservoir()) || calls_python(law.direction()); }

void bind_laws(nb::module_& m) {
  nb::class_<Stribeck> stribeck(m, "Stribeck",
                                "Rate dependence: C is multiplied by 1 + (static_ratio - 1) exp(-(|v|/velocity)²) + "
                                "viscous |v| (L.1).");
  stribeck
      .def(
          "__init__",
          [](Stribeck* self, double static_ratio, double velocity, double viscous) {
            require_positive(static_ratio, "static_ratio");
            require_positive(velocity, "velocity");
            if (!(viscous >= 0 && std::isfinite(viscous))) throw InvalidInput("viscous: expected zero or more [s/m]");
            new (self) Stribeck{static_ratio, velocity, viscous};
          },
          "static_ratio"_a, "velocity"_a, "viscous"_a = 0.0)
      .def_ro("static_ratio", &Stribeck::static_ratio, "Factor at rest over that at speed [-].")
      .def_ro("velocity", &Stribeck::velocity, "Stribeck velocity [m/s].")
      .def_ro("viscous", &Stribeck::viscous, "Growth of the factor with speed [s/m].")
      .def("factor", &Stribeck::factor, "speed"_a)
      .def("__repr__", [](const Stribeck& s) { return "Stribeck" + nb::cast<std::string>(nb::repr(arguments(s))); });
  add_copies(stribeck);

  nb::class_<Law> law(
      m, "Law",
      "A dry friction law: the reservoir C (what the contact can supply, per unit normal force) and the "
      "direction set D (convex, of any scale).\n\nWhile it slips with velocity v the resistance, minus the "
      "friction force over the normal force, is s(v) = z / gauge_C(z), z the point of D with normal v "
      "[WL19 84].\n\n>>> from slipset import Ellipse, Law\n>>> law = Law(Ellipse(0.5, 0.2), Ellipse(2, "
      "1))\n>>> law.slip_resistance([1.0, 0.0])\narray([0.5, 0. ])");
  law.def(
         "__init__",
         [](Law* self, const PlanarSet& reservoir, const PlanarSet* direction, std::optional<Stribeck> rate,
            std::optional<nb::object> elastic) {
           new (self) Law(reservoir, direction ? *direction : reservoir, rate, adhesion_of(elastic));
         },
         "reservoir"_a, "direction"_a.none() = nb::none(), "stribeck"_a = nb::none(), "elastic"_a = nb::none(),
         "Without `direction` the law is associated: D is C. `elastic`: stiffnesses of the contact before it slips, "
         "two [N/m] and the angle of the first [rad].")
      .def_prop_ro("reservoir", [](const Law& l) { return to_python(l.reservoir()); })
      .def_prop_ro(
          "direction", [](const Law& l) { return to_python(l.direction()); }, "D, scaled to the largest copy inside C.")
      .def_prop_ro("stribeck", [](const Law& l) { return l.stribeck(); })
      .def_prop_ro(
          "elastic", [](const Law& l) { return tuple_of(l.elastic()); },
          nb::sig("def elastic(self) -> tuple[float, float, float] | None"),
          "Stiffnesses [N/m] and the angle of the first [rad]; None: rigid.")
      .def(
          "slip_resistance", [](const Law& l, nb::object v) { return slip_resistances(l, v); }, "velocities"_a,
          "s(v) of slip velocities, an array whose last axis is 2 [WL19 84]. Where D has a flat side normal to v that "
          "of its middle. At rest it is any point of C: 0 is returned.")
      .def(
          "slip_resistance_range",
          [](const Law& l, nb::object v) {
            const Face face = slip_resistance_range(l, vec2(v, "velocity"));
            return std::pair(array_of(Eigen::VectorXd(face.from)), array_of(Eigen::VectorXd(face.to)));
          },
          "velocity"_a, "The two ends of the set of resistances at v, the same unless D has a flat side there.")
      .def(
          "slip_jacobian", [](const Law& l, nb::object v) { return slip_jacobians(l, v); }, "velocities"_a,
          "The derivative of s(v), [..., i, j] = ∂s_i/∂v_j [s/m] [WL19 87, 88]. InvalidInput where it does not exist.")
      .def(
          "dissipation", [](const Law& l, nb::object v) { return dissipations(l, v); }, "velocities"_a,
          "s(v)·v: power turned into heat, per unit normal force [m/s] [WL19 26].")
      .def(
          "is_admissible",
          [](const Law& l, nb::object r, double slack) { return is_admissible(l, vec2(r, "resistance"), slack); },
          "resistance"_a, "slack"_a = 0.0, "Whether the contact can supply this while it sticks [WL19 57].")
      .def(
          "destabilising",
          [](const Law& l) {
            std::vector<std::pair<double, double>> all;
            for (const AngleInterval& arc : destabilising_directions(l)) all.emplace_back(arc.from, arc.to);
            return all;
          },
          "Slip angles, (from, to) [rad], at which steady sliding can be unstable [WL19 Theorem 2] (L.3).")
      .def("report_json", &law_json_text, "step"_a = 15.0, "velocity"_a = nb::none(), "The JSON of slipset law.")
      .def(
          "with_stribeck",
          [](const Law& l, const Stribeck& s) { return Law(l.reservoir(), l.given_direction, s, l.elastic()); },
          "stribeck"_a)
      .def(
          "parameters",
          [](const Law& l) {
            nb::dict all;
            for (const LawParameter& parameter : law_parameters(l)) all[parameter.name.c_str()] = parameter.value;
            return all;
          },
          nb::sig("def parameters(self) -> dict[str, float]"),
          "The numbers of C and D by name, angles in radians; D's are those of the copy inside C.")
      .def(
          "with_parameters",
          [](const Law& l, nb::object values) {
            const Numbers all = finite_numbers(values, "values", {-1});
            return Law(with_parameters(l, span_of(all)));
          },
          "values"_a,
          "The law with other numbers, in the order of parameters(); without rate dependence and elasticity.")
      .def(
          "resistance_by_parameters", [](const Law& l, nb::object v) { return resistances_by_parameters(l, v); },
          "velocities"_a, "∂s/∂θ of slip velocities, [..., i, k] = ∂s_i/∂θ_k, θ in the order of parameters() (L.6).")
      .def(
          "properties",
          [](nb::handle self, double step, nb::handle velocity) {
            return nb::module_::import_("slipset._commands").attr("law_properties")(self, step, velocity);
          },
          "step"_a = 15.0, "velocity"_a.none() = nb::none(),
          nb::sig("def properties(self, step: float = 15.0, velocity: typing.Any = None) -> slipset._record.Record"),
          "What the law is and does, each answer with its reason; the coefficient in every direction, every `step` "
          "degrees; with `velocity` the resistance there. The keys are those of slipset law --json.")
      .def(
          "plot",
          [](nb::handle self, const std::string& what, nb::object ax, nb::object color, nb::object label) {
            return nb::module_::import_("slipset._plot").attr("law")(self, what, ax, color, label);
          },
          "what"_a = "sets", "ax"_a.none() = nb::none(), "color"_a.none() = nb::none(), "label"_a.none() = nb::none(),
          nb::sig(
              "def plot(self, what: str = 'sets', ax: typing.Any = None, color: str | None = None, label: str | None "
              "= None) -> typing.Any"),
          "By matplotlib: \"sets\" (C, D and the slip), \"coefficient\" or \"deflection\" over the slip direction, "
          "there "
          "with a color and a label, if you like.")
      .def(
          "_repr_svg_", [](nb::handle self) { return nb::module_::import_("slipset._plot").attr("svg_of_law")(self); },
          nb::sig("def _repr_svg_(self) -> str"))
      .def(
          "turned", [](const Law& l, double by) { return Law(l.turned(by)); }, "by"_a,
          "The same surface turned counter-clockwise [rad].")
      .def("__repr__", [](const Law& l) {
        std::string text = "Law(" + nb::cast<std::string>(nb::repr(to_python(l.reservoir()))) + ", " +
                           nb::cast<std::string>(nb::repr(to_python(l.given_direction)));
        if (l.stribeck()) text += ", stribeck=" + nb::cast<std::string>(nb::repr(nb::cast(*l.stribeck())));
        if (l.elastic()) text += ", elastic=" + nb::cast<std::string>(nb::repr(*tuple_of(l.elastic())));
        return text + ")";
      });
  add_copies(law);
  m.def(
      "isotropic", [](double friction) { return Law(isotropic(friction)); }, "friction"_a,
      "Coulomb: C and D are disks [WL19 Def. 14].");
  m.def(
      "associated", [](const PlanarSet& set) { return Law(associated(set)); }, "set"_a,
      "Maximum dissipation: C is D, any convex set [WL19 Def. 12].");
  m.def(
      "collinear", [](const PlanarSet& set) { return Law(collinear(set)); }, "reservoir"_a,
      "The friction force opposes the slip: D is a disk [WL19 Def. 15].");
  m.def(
      "two_sign", [](double a, double b, double angle) { return Law(two_sign(a, b, angle)); }, "friction_1"_a,
      "friction_2"_a, "angle"_a = 0.0, "One sign function along each axis [WL19 36].");
  m.def(
      "wedge_asperities",
      [](double friction, double slope, double angle) { return Law(wedge_asperities(friction, slope, angle)); },
      "friction"_a, "slope"_a, "angle"_a = 0.0, "Wedge-shaped asperities, slope [rad] [WL19 50, 52].");

  nb::class_<LuGre> lugre(m, "LuGre",
                          "Bristles, per unit normal force: sigma0 [1/m], sigma1 [s/m], sigma2 [s/m] (B.1).");
  lugre
      .def(
          "__init__",
          [](LuGre* self, double sigma0, double sigma1, double sigma2) {
            const LuGre given{sigma0, sigma1, sigma2};
            require_valid(given);
            new (self) LuGre(given);
          },
          "sigma0"_a, "sigma1"_a = 0.0, "sigma2"_a = 0.0)
      .def_ro("sigma0", &LuGre::sigma0)
      .def_ro("sigma1", &LuGre::sigma1)
      .def_ro("sigma2", &LuGre::sigma2)
      .def("__repr__", [](const LuGre& l) { return "LuGre" + nb::cast<std::string>(nb::repr(arguments(l))); });
  add_copies(lugre);

  nb::class_<RegularizedLaw>(m, "RegularizedLaw",
                             "A law for ordinary integrators: sign, martins-oden, karnopp, arctan or quinn (R.12). "
                             "Quinn's sticks truly: it takes the balance resistance, which would hold the contact at "
                             "rest.")
      .def(
          "__init__",
          [](RegularizedLaw* self, const Law& of, const std::string& kind, double epsilon) {
            new (self) RegularizedLaw(of, RegularizedCoulomb(regularization_of(kind), epsilon));
          },
          "law"_a, "kind"_a = "quinn", "epsilon"_a = 1e-3, "`epsilon`: half width of the ramp [m/s].")
      .def(
          "resistance",
          [](const RegularizedLaw& l, nb::object v, nb::object b) { return regularized_resistances(l, v, b); },
          "velocities"_a, "balance"_a = nb::make_tuple(0.0, 0.0), "Minus the friction force over the normal force.")
      .def_prop_ro("kind", [](const RegularizedLaw& l) { return std::string(l.form().name()); })
      .def_prop_ro("epsilon", [](const RegularizedLaw& l) { return l.form().epsilon(); })
      .def_prop_ro("law", [](const RegularizedLaw& l) { return Law(l.law()); });
}

}  // namespace slipset::python
