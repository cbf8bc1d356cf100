// Figures of rigid bodies: outlines seen along y (from the side) or z (from above), coloured by the first part of
// names.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "slipset/core/angle.hpp"
#include "slipset/report/bodies_report.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

constexpr std::array<const char*, 6> kColours = {"#1f4e79", "#c0392b", "#2e8b57", "#e67e22", "#7d3c98", "#666666"};

// "left" of "left12": bodies of one group have one colour.
std::string group_of(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return end == std::string::npos ? "body" : name.substr(0, end + 1);
}

struct View {
  int across, up;  // axes of the world
  Vec2 operator()(const Vec3& p) const { return {p[across], p[up]}; }
};
constexpr View kAbove{0, 1}, kSide{0, 2};

std::vector<Vec2> hull_of(std::vector<Vec2> points) {
  std::sort(points.begin(), points.end(),
            [](const Vec2& a, const Vec2& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  std::vector<Vec2> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = hull.size();
    for (const Vec2& p : points) {
      while (hull.size() >= start + 2 && cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

// The silhouette, closed; empty for planes.
std::vector<Vec2> outline(const RigidBody& body, const BodyState& state, const View& view) {
  std::vector<Vec2> line;
  if (body.shape.kind == BodyKind::sphere) {
    for (int k = 0; k < 32; ++k) line.push_back(view(state.position) + body.shape.radius * unit(2 * kPi * k / 32));
  } else if (body.shape.kind == BodyKind::box) {
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 sign((corner & 1) ? 1 : -1, (corner & 2) ? 1 : -1, (corner & 4) ? 1 : -1);
      line.push_back(view(state.position + state.orientation * body.shape.half.cwiseProduct(sign)));
    }
    line = hull_of(line);
  }
  if (!line.empty()) line.push_back(line.front());
  return line;
}

struct Range {
  Vec2 least = Vec2::Constant(INFINITY), most = Vec2::Constant(-INFINITY);
  void add(const Vec2& p) {
    least = least.cwiseMin(p);
    most = most.cwiseMax(p);
  }
  // A margin all around; a thin picture is made a third as wide as it is long, to have room for its axis.
  void widen() {
    const double size = std::max(1e-6, (most - least).maxCoeff());
    for (Eigen::Index k = 0; k < 2; ++k) {
      const double margin = std::max(0.05 * size, (0.33 * size - (most - least)[k]) / 2);
      least[k] -= margin;
      most[k] += margin;
    }
  }
};

std::map<std::string, std::vector<std::size_t>> groups_of(const BodyWorld& world) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t b = 0; b < world.bodies.size(); ++b)
    if (world.bodies[b].shape.kind != BodyKind::plane)
      groups[world.bodies[b].prescribed ? "fixed" : group_of(world.bodies[b].name)].push_back(b);
  return groups;
}

// "#rrggbb", mixed with white.
std::string pale(const std::string& colour) {
  std::string mixed = "#";
  for (std::size_t k = 1; k < 7; k += 2)
    mixed += fmt::format("{:02x}", 255 - (255 - std::stoi(colour.substr(k, 2), nullptr, 16)) / 6);
  return mixed;
}

std::map<std::string, std::string> colours_of(const BodyWorld& world) {
  std::map<std::string, std::string> colours;
  std::size_t place = 0;
  for (const auto& [group, bodies] : groups_of(world))
    colours[group] = group == "fixed" ? "#9aa7b4" : kColours[place++ % kColours.size()];
  return colours;
}

// Where planes that are seen from their edge cut the picture.
Rows plane_lines(const BodyWorld& world, const View& view, const Range& range) {
  Rows rows;
  const Vec2 middle = (range.least + range.most) / 2;
  const double reach = (range.most - range.least).norm();
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (world.bodies[b].shape.kind != BodyKind::plane) continue;
    const Vec3 normal = world.states[b].orientation * Vec3::UnitZ();
    const Vec2 n = view(normal);
    if (n.norm() < 0.999) continue;
    const Vec2 at = middle + n * (view(world.states[b].position) - middle).dot(n), t = turn_left(n);
    for (const double way : {-reach, reach}) rows.push_back({(at + way * t).x(), (at + way * t).y()});
    rows.emplace_back();
  }
  return rows;
}

void ranges_of(const BodyWorld& world, const Run& run, const View& view, Range& range) {
  const std::size_t step = std::max<std::size_t>(1, run.table.size() / 20);
  for (std::size_t i = 0; i < run.table.size(); i += step) {
    const std::vector<BodyState> states = states_at(world, run.table, i);
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      const bool always = !world.bodies[b].prescribed || world.bodies[b].shape.kind == BodyKind::box;
      if (!always) continue;
      for (const Vec2& p : outline(world.bodies[b], states[b], view)) range.add(p);
    }
  }
  range.widen();
}

// In a panel of so many pixels; both axes have one scale, and marks on the lower one need room for their numbers.
std::string axes_text(const View& view, const Range& range, const Vec2& panel) {
  constexpr const char* names = "xyz";
  constexpr double kRoom = 80;
  const Vec2 size = range.most - range.least;
  const double pixels = std::min(panel.x(), panel.y() * size.x() / size.y());
  return fmt::format(
      "set xlabel '{} [m]'\nset ylabel '{} [m]'\nset xrange [{:.6g}:{:.6g}]\nset yrange [{:.6g}:{:.6g}]\nset xtics "
      "{:.6g}",
      names[view.across], names[view.up], range.least.x(), range.most.x(), range.least.y(), range.most.y(),
      round_step(size.x() / std::max(1.5, pixels / kRoom)));
}

// "with lines" of each group, from one data file per group.
class Plot {
 public:
  void add(const std::string& what) { text_ += (text_.empty() ? "plot " : ", \\\n  ") + what; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_planes(Figure& figure, Plot& plot, const BodyWorld& world, const View& view, const Range& range,
                const std::string& name) {
  const Rows lines = plane_lines(world, view, range);
  if (!lines.empty())
    plot.add(fmt::format("'{}' using 1:2 with lines lw 2 lc rgb '#444444' notitle", figure.add_data(name, lines)));
}

// Filled, those far away first: in layers of depth, a block of the data for each layer and group.
void add_bodies(Figure& figure, Plot& plot, const BodyWorld& world, const std::vector<BodyState>& states,
                const View& view, const std::string& name, bool titles) {
  constexpr std::size_t kLayers = 24;
  std::vector<std::size_t> order;
  for (std::size_t b = 0; b < world.bodies.size(); ++b)
    if (world.bodies[b].shape.kind != BodyKind::plane) order.push_back(b);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return view.up == 2 ? states[a].position.y() > states[b].position.y()
                        : states[a].position.z() < states[b].position.z();
  });
  const auto groups = groups_of(world);
  auto colours = colours_of(world);
  Rows rows;
  std::vector<std::string> blocks;  // their groups
  const std::size_t size = std::max<std::size_t>(1, (order.size() + kLayers - 1) / kLayers);
  for (std::size_t from = 0; from < order.size(); from += size)
    for (const auto& [group, bodies] : groups) {
      const std::size_t before = rows.size();
      for (std::size_t k = from; k < std::min(order.size(), from + size); ++k) {
        if (!std::binary_search(bodies.begin(), bodies.end(), order[k])) continue;
        for (const Vec2& p : outline(world.bodies[order[k]], states[order[k]], view)) rows.push_back({p.x(), p.y()});
        rows.emplace_back();
      }
      if (rows.size() == before) continue;
      rows.emplace_back();  // two empty rows end a block
      blocks.push_back(group);
    }
  const std::string data = figure.add_data(name, rows);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const bool first =
        std::find(blocks.begin(), blocks.end(), blocks[k]) == blocks.begin() + static_cast<std::ptrdiff_t>(k);
    plot.add(
        fmt::format("'{}' index {} using 1:2 with filledcurves closed fc rgb '{}' fs solid 1.0 border lc rgb '{}' {}",
                    data, k, pale(colours[blocks[k]]), colours[blocks[k]],
                    titles && first ? "title " + gnuplot_string(blocks[k]) : "notitle"));
  }
}

}  // namespace

Figure bodies_path_figure(const BodyWorld& world, const Run& run, const std::string& title) {
  Figure figure("path", 1200, 640);
  const auto groups = groups_of(world);
  const auto colours = colours_of(world);
  figure.add(fmt::format(
      "set multiplot layout 1,2 title {} noenhanced\nset size ratio -1\nset key below noenhanced\nset clip two",
      gnuplot_string(title)));
  const std::size_t row_step = std::max<std::size_t>(1, run.table.size() / 400);
  std::vector<std::vector<BodyState>> on_the_way;
  for (std::size_t i = 0; i < run.table.size(); i += row_step) on_the_way.push_back(states_at(world, run.table, i));
  const std::vector<BodyState> at_end = states_at(world, run.table, run.table.size() - 1);
  for (const auto& [view, what] : {std::pair{kAbove, "above"}, std::pair{kSide, "side"}}) {
    Range range;
    ranges_of(world, run, view, range);
    figure.add(axes_text(view, range, Vec2(500, 470)));
    figure.add(fmt::format("set title '{}'", view.up == 1 ? "from above" : "from the side"));
    Plot plot;
    add_planes(figure, plot, world, view, range, fmt::format("{}-planes", what));
    add_bodies(figure, plot, world, at_end, view, fmt::format("{}-bodies", what), true);
    std::size_t place = 0;
    for (const auto& [group, bodies] : groups) {
      if (group == "fixed") continue;
      Rows path;
      const std::size_t body_step = std::max<std::size_t>(1, bodies.size() / 300);
      for (std::size_t k = 0; k < bodies.size(); k += body_step) {
        for (const std::vector<BodyState>& states : on_the_way) {
          const Vec2 p = view(states[bodies[k]].position);
          path.push_back({p.x(), p.y()});
        }
        path.emplace_back();
      }
      plot.add(fmt::format("'{}' using 1:2 with lines lw 1 lc rgb '{}' notitle",
                           figure.add_data(fmt::format("{}-path{}", what, ++place), path), colours.at(group)));
    }
    figure.add(plot.text());
  }
  figure.add("unset multiplot");
  return figure;
}

Figure snapshots_figure(const BodyWorld& world, const Run& run, const std::string& title) {
  // The view that shows more: from above where the bodies spread more along y than along z.
  Range side, above;
  ranges_of(world, run, kSide, side);
  ranges_of(world, run, kAbove, above);
  const std::vector<BodyState> first = states_at(world, run.table, 0),
                               last = states_at(world, run.table, run.table.size() - 1);
  double rise = 0;  // of the bodies that are free, on their way
  double drift = 0;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (world.bodies[b].prescribed) continue;
    const Vec3 way = last[b].position - first[b].position;
    rise = std::max(rise, std::abs(way.z()));
    drift = std::max(drift, std::abs(way.y()));
  }
  const bool from_above = drift > 2 * rise && (above.most - above.least).y() > (side.most - side.least).y();
  const View view = from_above ? kAbove : kSide;
  const Range& range = from_above ? above : side;
  const Vec2 size = range.most - range.least;
  const int height = static_cast<int>(std::clamp(1000 * size.y() / size.x(), 420.0, 1400.0)) + 120;
  Figure figure("snapshots", 1100, height);
  figure.add(fmt::format("set multiplot layout 2,2 title {} noenhanced\nset size ratio -1\nunset key\nset clip two",
                         gnuplot_string(title + (from_above ? ", from above" : ", from the side"))));
  figure.add(axes_text(view, range, Vec2(450, height / 2.0 - 100)));
  for (int k = 0; k < 4; ++k) {
    const std::size_t at = static_cast<std::size_t>(k) * (run.table.size() - 1) / 3;
    figure.add(fmt::format("set title 't = {:.3g} s'", run.table["t"][at]));
    Plot plot;
    add_planes(figure, plot, world, view, range, fmt::format("{}-planes", k));
    add_bodies(figure, plot, world, states_at(world, run.table, at), view, fmt::format("{}-bodies", k), false);
    figure.add(plot.text());
  }
  figure.add("unset multiplot");
  return figure;
}

Figure bodies_time_figure(const BodyWorld& world, const Run& run, const std::string& title) {
  Figure figure("time", 1000, 720);
  Rows rows;
  const Table& table = run.table;
  const bool rolling = world.has_rolling_laws();
  const double start = table["potential"].front();
  std::vector<const std::vector<double>*> columns;
  for (const char* name : {"t", "kinetic", "potential", "dissipated", "input", "contacts", "sticking", "slipping"})
    columns.push_back(&table[name]);
  if (rolling) columns.push_back(&table["dissipated_by_torques"]);
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::vector<double> row;
    for (const auto* column : columns) row.push_back((*column)[i]);
    row[2] -= start;
    row.resize(9, 0);
    rows.push_back(std::move(row));
  }
  double most = 0;
  for (const double n : table["contacts"]) most = std::max(most, n);
  rows.front()[5] = rows.front()[6] = rows.front()[7] = NAN;  // before any step nothing is known
  const std::string data = figure.add_data("rows", rows);
  figure.add(fmt::format("set multiplot layout 2,1 title {} noenhanced\nset xrange [0:{:.6g}]", gnuplot_string(title),
                         run.end.t > 0 ? run.end.t : 1));
  figure.add(fmt::format(
      "set xlabel 't [s]'\nset ylabel 'energy [J]'\n"
      "plot '{0}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'kinetic', '' using 1:3 with lines lw 2 lc rgb "
      "'#2e8b57' title 'potential, from the start', '' using 1:4 with lines lw 2 lc rgb '#c0392b' title "
      "'dissipated'{1}, '' using 1:5 with lines lw 2 lc rgb '#e67e22' title 'input'",
      data,
      world.has_rolling_laws()
          ? ", '' using 1:9 with lines lw 2 lc rgb '#7d3c98' title 'dissipated by drilling and rolling'"
          : ""));
  figure.add(fmt::format(
      "set ylabel 'contacts'\nset yrange [0:{1}]\nset ytics {2:g}\n"
      "plot '{0}' using 1:6 with lines lw 2 lc rgb '#9aa7b4' title 'considered', '' using 1:7 with lines lw 2 lc rgb "
      "'#1f4e79' title 'stick', '' using 1:8 with lines lw 2 lc rgb '#c0392b' title 'slip'\nunset multiplot",
      data, most > 0 ? "*" : "1", std::max(1.0, round_step(most / 8))));
  return figure;
}

}  // namespace slipset
