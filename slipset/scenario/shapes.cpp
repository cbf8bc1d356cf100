#include "slipset/scenario/shapes.hpp"

#include <fmt/format.h>

#include "slipset/io/measured_columns.hpp"

namespace slipset {
namespace {

double angle_of_table(const TomlTable& t) { return radians(std::remainder(t.number("angle"), 360)); }

PlanarSet read_polar(const TomlTable& t) {
  std::vector<double> angles, radii;
  if (t.has("file")) {
    if (t.has("angles") || t.has("radii")) t.fail("file", "give either a file or angles and radii, not both");
    const std::filesystem::path path = t.path("file");
    try {
      const std::vector<MeasuredRole> roles = {{"angle", {"angle"}, "deg", {}}, {"radius", {"number"}, "-", {}}};
      Measured table = read_measured(path, roles, {{"angle=1", "radius=2"}, {}});
      if (table.file_columns != 2)
        throw InvalidInput(
            fmt::format("{}: {} columns; expected two, angle and radius", path.string(), table.file_columns));
      angles = std::move(table.column("angle").values);
      radii = std::move(table.column("radius").values);
    } catch (const InvalidInput& error) {
      t.fail("file", error.what());
    }
  } else {
    angles = t.list("angles");
    radii = t.list("radii");
    for (double& a : angles) a = radians(a);
  }
  return PolarCurve(angles, radii, angle_of_table(t));
}

constexpr Key kAngle{"angle", "degrees", 0.0, "turns the shape counter-clockwise"};
constexpr Key kSemiAxes{"semi_axes", "", kRequired, "[a, b], along the shape's first and second axis"};

const std::vector<ShapeKind>& kinds() {
  static const std::vector<ShapeKind> all = {
      {{"disk", "isotropic: the same coefficient in every direction", {{"radius", "", kRequired, "the coefficient"}}},
       [](const TomlTable& t) -> PlanarSet { return Disk(t.positive("radius")); }},
      {{"ellipse", "two principal coefficients", {kSemiAxes, kAngle}},
       [](const TomlTable& t) -> PlanarSet {
         const Vec2 a = t.positive_pair("semi_axes");
         return Ellipse(a.x(), a.y(), angle_of_table(t));
       }},
      {{"quadratic",
        "an ellipse by its intercepts and a coupling ν: (x/n1)² + (y/n2)² + ν x y ≤ 1",
        {{"intercepts", "", kRequired, "[n1, n2], with the axes"},
         {"coupling", "", kRequired, "ν, of a size below 2/(n1 n2)"},
         kAngle}},
       [](const TomlTable& t) -> PlanarSet {
         const Vec2 n = t.positive_pair("intercepts");
         return quadratic(n.x(), n.y(), t.number("coupling")).turned(angle_of_table(t));
       }},
      {{"superellipse",
        "from rhombus (exponent 1) by ellipse (2) to rectangle; below 1 a star, for reservoirs only",
        {kSemiAxes, {"exponent", "", kRequired, "above 0; of a direction set at least 1"}, kAngle}},
       [](const TomlTable& t) -> PlanarSet {
         const Vec2 a = t.positive_pair("semi_axes");
         return Superellipse(a.x(), a.y(), t.positive("exponent"), angle_of_table(t));
       }},
      {{"rectangle", "two independent bounds: X-Y table, two sign functions", {kSemiAxes, kAngle}},
       [](const TomlTable& t) -> PlanarSet {
         const Vec2 a = t.positive_pair("semi_axes");
         return Rectangle(a.x(), a.y(), angle_of_table(t));
       }},
      {{"stadium",
        "a rectangle with two half ellipses",
        {{"half_length", "", kRequired, "of the rectangle"},
         {"half_width", "", kRequired, "of the rectangle"},
         {"cap", "", kRequired, "how far the half ellipses reach beyond it"},
         kAngle}},
       [](const TomlTable& t) -> PlanarSet {
         return Stadium(t.positive("half_length"), t.positive("half_width"), t.positive("cap"), angle_of_table(t));
       }},
      {{"polygon",
        "star-shaped about the origin",
        {{"vertices", "", kRequired, "[[x, y], ...], counter-clockwise"}, kAngle}},
       [](const TomlTable& t) -> PlanarSet { return Polygon(t.points("vertices"), angle_of_table(t)); }},
      {{"polar",
        "the smooth closed curve through at least 4 points, from lists or a file",
        {{"angles", "degrees", kOptional, "of the points"},
         {"radii", "", kOptional, "of the points"},
         {"file", "", kOptional, "a CSV file, beside the scenario: angle [degrees], radius"},
         kAngle}},
       read_polar},
      {{"wedge",
        "wedge-shaped asperities; as direction set the ellipse with ratio cos(slope)",
        {{"friction", "", kRequired, "between the wedges' faces"},
         {"slope", "degrees", kRequired, "of the wedges"},
         kAngle}},
       [](const TomlTable& t) -> PlanarSet {
         return Wedge(t.positive("friction"), radians(t.number("slope")), angle_of_table(t));
       }},
      {{"norm_mix",
        "w2 times the 2-norm plus w4 times the 4-norm of the scaled point",
        {kSemiAxes, {"weights", "", kRequired, "[w2, w4]"}, kAngle}},
       [](const TomlTable& t) -> PlanarSet {
         const Vec2 a = t.positive_pair("semi_axes"), w = t.pair("weights");
         return NormMix(a.x(), a.y(), w.x(), w.y(), angle_of_table(t));
       }},
  };
  return all;
}

}  // namespace

std::span<const ShapeKind> shape_kinds() { return kinds(); }

PlanarSet read_shape(const TomlTable& table) {
  const ShapeKind& kind = *find_entry(kinds(), table.choice("shape", names_of(kinds())));
  const TomlTable t = table.described_by(kind.keys, "shape");
  return t.located("", [&] { return kind.read(t); });
}

PlanarSet read_direction_shape(const TomlTable& table) {
  const PlanarSet set = read_shape(table);
  if (const Wedge* wedge = set.as<Wedge>()) return Ellipse(1, std::cos(wedge->slope()), wedge->angle());
  if (set.is_convex()) return set;
  const AngleInterval arc = set.nonconvex_arcs().front();
  const std::string where =
      arc.width() == 0
          ? fmt::format("it has a re-entrant corner at {:.6g} degrees", degrees(arc.from))
          : fmt::format("it curves inwards between {:.6g} and {:.6g} degrees", degrees(arc.from), degrees(arc.to));
  const std::string remedy = set.as<Superellipse>() ? "an exponent of at least 1 makes it convex"
                                                    : "use a convex shape, for instance its convex hull";
  const std::string_view key = set.as<Superellipse>() ? "exponent" : set.as<Polygon>() ? "vertices" : "shape";
  table.fail(key, fmt::format("a direction set must be convex, and this {} is not: {}; {}", set.name(), where, remedy));
}

}  // namespace slipset
