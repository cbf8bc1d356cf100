#include "slipset/scenario/shapes.hpp"

#include <fmt/format.h>

#include "slipset/io/csv.hpp"

namespace slipset {
namespace {

double angle_of_table(const TomlTable& t) { return radians(std::remainder(t.number_or("angle", 0), 360)); }

PlanarSet read_polar(const TomlTable& t) {
  std::vector<double> angles, radii;
  if (t.has("file")) {
    if (t.has("angles") || t.has("radii")) t.fail("file", "give either a file or angles and radii, not both");
    const std::filesystem::path path = t.path("file");
    try {
      const NumberTable table = read_number_table(path);
      if (table.columns.size() != 2)
        throw InvalidInput(fmt::format("{}: {} columns; expected two, angle in degrees and radius", path.string(),
                                       table.columns.size()));
      angles = table.columns[0];
      radii = table.columns[1];
    } catch (const InvalidInput& error) {
      t.fail("file", error.what());
    }
  } else {
    angles = t.list("angles");
    radii = t.list("radii");
  }
  for (double& a : angles) a = radians(a);
  return PolarCurve(angles, radii, angle_of_table(t));
}

const std::vector<ShapeKind>& kinds() {
  static const std::vector<ShapeKind> all = {
      {"disk",
       {"radius"},
       "isotropic: the same coefficient in every direction",
       [](const TomlTable& t) -> PlanarSet { return Disk(t.positive("radius")); }},
      {"ellipse",
       {"semi_axes", "angle"},
       "two principal coefficients",
       [](const TomlTable& t) -> PlanarSet {
         const Vec2 a = t.positive_pair("semi_axes");
         return Ellipse(a.x(), a.y(), angle_of_table(t));
       }},
      {"quadratic",
       {"intercepts", "coupling", "angle"},
       "an ellipse by its intercepts with the axes and a coupling",
       [](const TomlTable& t) -> PlanarSet {
         const Vec2 n = t.positive_pair("intercepts");
         return quadratic(n.x(), n.y(), t.number("coupling")).turned(angle_of_table(t));
       }},
      {"superellipse",
       {"semi_axes", "exponent", "angle"},
       "from rhombus (exponent 1) by ellipse (2) to rectangle; below 1 a star, for reservoirs only",
       [](const TomlTable& t) -> PlanarSet {
         const Vec2 a = t.positive_pair("semi_axes");
         return Superellipse(a.x(), a.y(), t.positive("exponent"), angle_of_table(t));
       }},
      {"rectangle",
       {"semi_axes", "angle"},
       "two independent bounds: X-Y table, two sign functions",
       [](const TomlTable& t) -> PlanarSet {
         const Vec2 a = t.positive_pair("semi_axes");
         return Rectangle(a.x(), a.y(), angle_of_table(t));
       }},
      {"stadium",
       {"half_length", "half_width", "cap", "angle"},
       "a rectangle with two half ellipses, which reach `cap` beyond it",
       [](const TomlTable& t) -> PlanarSet {
         return Stadium(t.positive("half_length"), t.positive("half_width"), t.positive("cap"), angle_of_table(t));
       }},
      {"polygon",
       {"vertices", "angle"},
       "vertices counter-clockwise, star-shaped about the origin",
       [](const TomlTable& t) -> PlanarSet { return Polygon(t.points("vertices"), angle_of_table(t)); }},
      {"polar",
       {"angles", "radii", "file", "angle"},
       "the smooth closed curve through points (angle in degrees, radius), from lists or a CSV file",
       read_polar},
      {"wedge",
       {"friction", "slope", "angle"},
       "wedge-shaped asperities; as direction set the ellipse that belongs to it",
       [](const TomlTable& t) -> PlanarSet {
         return Wedge(t.positive("friction"), radians(t.number("slope")), angle_of_table(t));
       }},
      {"norm_mix",
       {"semi_axes", "weights", "angle"},
       "w2 times the 2-norm plus w4 times the 4-norm of the scaled point",
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
  std::vector<std::string_view> names;
  for (const ShapeKind& kind : kinds()) names.push_back(kind.name);
  const std::string name = table.choice("shape", names);
  const ShapeKind& kind = *std::find_if(kinds().begin(), kinds().end(), [&](const auto& k) { return k.name == name; });
  std::vector<std::string_view> keys = kind.keys;
  keys.insert(keys.begin(), "shape");
  table.allow_only(keys);
  return table.located("", [&] { return kind.read(table); });
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
