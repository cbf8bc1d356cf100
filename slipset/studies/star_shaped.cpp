#include "slipset/studies/star_shaped.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/sets/polygon.hpp"
#include "slipset/studies/curves.hpp"

namespace slipset {
namespace {

// Whether a point is inside, by how often a line from it crosses the boundary. Needs no gauge, and no star shape.
bool is_inside(const std::vector<Vec2>& vertices, const Vec2& x) {
  bool inside = false;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec2 &a = vertices[i], &b = vertices[(i + 1) % vertices.size()];
    if ((a.y() > x.y()) != (b.y() > x.y()) && x.x() < a.x() + (x.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x()))
      inside = !inside;
  }
  return inside;
}

// x ∈ C must give αx ∈ C for 0 ≤ α ≤ 1 [WL16 23]: how often a ray from the origin leaves the set.
struct Rays {
  int most = 0;            // leavings of one ray
  double angle = 0;        // of the ray that is outside longest before it enters again
  double lost = 0;         // part of the directions whose ray leaves more than once
  double gauge_error = 0;  // of `gauge` against inf{q : x ∈ qC} by bisection, where that is one number  [WL16 16]
};

Rays scan(const std::vector<Vec2>& vertices, const std::optional<Polygon>& set) {
  constexpr int directions = 720, along = 2000;
  double reach = 0;
  for (const Vec2& v : vertices) reach = std::max(reach, 1.01 * v.norm());
  Rays rays;
  double longest = 0;
  for (int k = 0; k < directions; ++k) {
    const double angle = 2 * kPi * (k + 0.37) / directions;
    const Vec2 e = unit(angle);
    int leavings = 0;
    double left = 0, gap = 0;
    bool before = true;
    for (int i = 1; i <= along; ++i) {
      const double r = reach * i / along;
      const bool now = is_inside(vertices, r * e);
      if (before && !now) {
        ++leavings;
        double in = reach * (i - 1) / along, out = r;
        for (int n = 0; n < 60; ++n) (is_inside(vertices, (in + out) / 2 * e) ? in : out) = (in + out) / 2;
        left = (in + out) / 2;
      }
      if (!before && now) gap += r - left;
      before = now;
    }
    rays.most = std::max(rays.most, leavings);
    if (gap > longest) {
      longest = gap;
      rays.angle = angle;
    }
    rays.lost += leavings > 1 ? 1.0 / directions : 0;
    if (set) rays.gauge_error = std::max(rays.gauge_error, std::abs(set->gauge(e) * left - 1));
  }
  return rays;
}

std::vector<Vec2> vertices_of(const TomlTable& t) {
  const std::vector<double> numbers = t.list("vertices");
  if (numbers.size() < 6 || numbers.size() % 2 != 0) t.fail("vertices", "expected x and y of three points at least");
  std::vector<Vec2> vertices;
  for (std::size_t i = 0; i < numbers.size(); i += 2) vertices.emplace_back(numbers[i], numbers[i + 1]);
  return vertices;
}

}  // namespace

StudyResult walker2016_fig5(const Study& study, const StudyProgress&) {
  constexpr std::array<std::string_view, 2> keys = {"name", "vertices"};
  StudyResult result;
  Figure figure("sets", 1000, 520);
  figure.add("set multiplot layout 1,2 title 'Star-shaped, and not star-shaped (Fig. 5)'\nset size ratio -1");
  for (const TomlTable& c : study.cases()) {
    c.allow_only(keys);
    const std::string name = c.text("name");
    const std::vector<Vec2> vertices = vertices_of(c);
    std::optional<Polygon> set;
    try {
      set.emplace(vertices);
    } catch (const InvalidInput&) {  // that is the answer
    }
    const Rays rays = scan(vertices, set);
    result.add("most crossings outwards on one ray, " + name, rays.most);
    result.add("directions whose ray leaves more than once, " + name + " [-]", rays.lost);
    result.add("taken as a reservoir, " + name + " [1 yes]", set ? 1 : 0);
    if (set) {
      result.add("gauge off the smallest q with x in qC, relative, " + name + " [-]", rays.gauge_error);
      result.add("arcs that are not convex, " + name, static_cast<double>(set->nonconvex_arcs().size()));
    }
    CurveRows outline, ray, held;
    for (const Vec2& v : vertices) outline.push_back({v.x(), v.y()});
    outline.push_back(outline.front());
    double reach = 0;
    for (const Vec2& v : vertices) reach = std::max(reach, 1.05 * v.norm());
    for (int i = 0; i <= 500; ++i) {
      const Vec2 x = reach * i / 500 * unit(rays.angle);
      if (i == 0 || i == 500) ray.push_back({x.x(), x.y()});
      if (is_inside(vertices, x))
        held.push_back({x.x(), x.y()});
      else if (!held.empty() && !held.back().empty())
        held.emplace_back();
    }
    figure.add(fmt::format("set title {}", gnuplot_string(name)));
    add_plot(name.substr(0, 1),
             {{"boundary", outline},
              {"forces of one direction that are held", held, "lines lw 4"},
              {"ray from the origin", ray, "lines lw 1 dt 2"}},
             figure);
  }
  figure.add("unset multiplot");
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace slipset
