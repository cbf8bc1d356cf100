#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/report/run_report.hpp"
#include "slipset/sets/boundary_scan.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

constexpr double kStick = static_cast<double>(ContactMode::stick);

// About `count` rows, the first and the last among them.
std::vector<std::size_t> thinned(std::size_t rows, std::size_t count) {
  std::vector<std::size_t> kept;
  const std::size_t step = std::max<std::size_t>(1, rows / count);
  for (std::size_t i = 0; i < rows; i += step) kept.push_back(i);
  if (rows > 0 && kept.back() != rows - 1) kept.push_back(rows - 1);
  return kept;
}

constexpr const char* kStyle = R"(set style line 1 lc rgb '#1f4e79' lw 2
set style line 2 lc rgb '#2e8b57' lw 2
set style line 3 lc rgb '#9aa7b4' lw 1
set style line 4 lc rgb '#c0392b' lw 2
set style line 5 lc rgb '#e67e22' lw 2)";

struct PlotRange {
  Vec2 least = Vec2::Constant(INFINITY), most = Vec2::Constant(-INFINITY);
  void add(const Vec2& p) {
    least = least.cwiseMin(p);
    most = most.cwiseMax(p);
  }
  Vec2 size() const { return most - least; }
};

// The body at up to eight places, spread evenly along its path and about its own length apart, as lines from pale to
// dark: x, y, colour. Empty for a point.
Rows outlines(const System& system, const Table& table, PlotRange& range) {
  const auto plane = system.figure_plane();
  const auto place = [&](const Table::Row& row) {
    return Vec2(row[static_cast<std::size_t>(1 + plane[0])], row[static_cast<std::size_t>(1 + plane[1])]);
  };
  PlotRange body;
  for (const Vec2& p : outline_at(system, table.rows()[0])) body.add(p);
  if (!body.size().allFinite()) return {};
  std::vector<double> way{0};  // up to each row
  for (std::size_t i = 1; i < table.rows().size(); ++i)
    way.push_back(way.back() + (place(table.rows()[i]) - place(table.rows()[i - 1])).norm());
  const int steps = static_cast<int>(std::clamp(way.back() / (1.05 * body.size().norm()), 1.0, 7.0));
  Rows lines;
  for (int k = 0; k <= steps; ++k) {
    const double done = static_cast<double>(k) / steps;
    const auto at = std::lower_bound(way.begin(), way.end(), done * way.back());
    const auto& row = k == steps ? table.rows().back() : table.rows()[static_cast<std::size_t>(at - way.begin())];
    const auto shade = [&](int pale, int full) { return std::round(pale + done * (full - pale)); };
    const double colour = 65536 * shade(0xc8, 0x1b) + 256 * shade(0xe2, 0x6b) + shade(0xc6, 0x4a);
    for (const Vec2& p : outline_at(system, row)) {
      lines.push_back({p.x(), p.y(), colour});
      range.add(p);
    }
    lines.push_back({});
  }
  return lines;
}

}  // namespace

std::vector<Vec2> outline_at(const System& system, const Table::Row& row) {
  VectorX q(system.positions());
  for (Eigen::Index k = 0; k < q.size(); ++k) q[k] = row[static_cast<std::size_t>(1 + k)];
  return system.outline(row[0], q);
}

Figure path_figure(const System& system, const Run& run, const std::string& title) {
  const Table& table = run.table;
  const auto names = system.coordinates();
  const auto plane = system.figure_plane();
  const std::string &x_name = names[static_cast<std::size_t>(plane[0])],
                    &y_name = names[static_cast<std::size_t>(plane[1])];
  const std::size_t x = table.column(x_name), y = table.column(y_name),
                    mode = table.column(system.contacts()[0].name + ".mode");
  Rows path, stick;
  for (const std::size_t i : thinned(table.rows().size(), 20000)) {
    const auto& row = table.rows()[i];
    path.push_back({row[x], row[y]});
    if (row[mode] == kStick) stick.push_back({row[x], row[y]});
  }
  const Rows ends{{path.front()[0], path.front()[1]}, {path.back()[0], path.back()[1]}};
  PlotRange range;
  const Rows body = outlines(system, table, range);
  for (const auto& row : path) range.add({row[0], row[1]});
  const double aspect = range.size().y() / std::max(range.size().x(), 1e-300);
  Figure figure("path", 800, static_cast<int>(std::clamp(160 + 640 * aspect, 400.0, 760.0)));
  figure.add(kStyle);
  figure.add(fmt::format(
      "set title {} noenhanced\nset size ratio -1\nset offsets graph 0.08, graph 0.08, graph 0.08, graph 0.08\n"
      "set xlabel '{} [m]'\nset ylabel '{} [m]'",
      gnuplot_string(title), x_name, y_name));
  std::string plot = "plot ";
  if (!body.empty())
    plot += fmt::format(
        "'{}' using 1:2:3 with linespoints lw 6 pt 7 ps 0.6 lc rgb variable title 'body, from pale to dark', ",
        figure.add_data("body", body));
  plot += fmt::format("'{}' using 1:2 with lines ls 1 title '{}'", figure.add_data("line", path),
                      body.empty() ? "path" : "path of its centre");
  if (!stick.empty())
    plot += fmt::format(", '{}' using 1:2 with points pt 7 ps 0.4 lc rgb '#e67e22' title 'stick'",
                        figure.add_data("stick", stick));
  const std::string ends_file = figure.add_data("ends", ends);
  plot += fmt::format(
      ", '{0}' using 1:2 every ::0::0 with points pt 6 ps 1.6 lw 2 lc rgb '#2e8b57' title 'start'"
      ", '{0}' using 1:2 every ::1::1 with points pt 7 ps 1.6 lc rgb '#c0392b' title 'end'",
      ends_file);
  figure.add(plot);
  return figure;
}

Figure force_figure(const System& system, const Run& run, const std::string& title) {
  const Table& table = run.table;
  const SystemContact& contact = system.contacts()[0];
  const PlanarSet &c = contact.law->law().reservoir(), &d = contact.law->law().direction();
  Rows sets, forces, slips;
  std::vector<double> angles = resolving_angles(c, d);
  angles.push_back(angles.front());
  for (const double a : angles) {
    const Vec2 on_c = c.boundary_point(a), on_d = d.boundary_point(a);
    sets.push_back({on_c.x(), on_c.y(), on_d.x(), on_d.y()});
  }
  double fastest = 0;
  for (const SystemContact& other : system.contacts()) {
    const std::size_t slip = table.column(other.name + ".slip_1");
    for (const auto& row : table.rows()) fastest = std::max(fastest, std::hypot(row[slip], row[slip + 1]));
  }
  const double arrow = fastest > 0 ? 0.3 * contact.law->largest_resistance() / fastest : 0;
  // Every contact with these sets.
  for (const SystemContact& other : system.contacts()) {
    if (other.law != contact.law) continue;
    const std::size_t force = table.column(other.name + ".friction_1"), slip = table.column(other.name + ".slip_1"),
                      normal = table.column(other.name + ".normal_force"), mode = table.column(other.name + ".mode");
    for (const std::size_t i : thinned(table.rows().size(), 4000)) {
      const auto& row = table.rows()[i];
      if (i > 0 && row[normal] > 0)
        forces.push_back({-row[force] / row[normal], -row[force + 1] / row[normal], row[mode]});
    }
    for (const std::size_t i : thinned(table.rows().size(), 60)) {
      const auto& row = table.rows()[i];
      if (i > 0 && row[normal] > 0 && row[mode] != kStick)
        slips.push_back(
            {-row[force] / row[normal], -row[force + 1] / row[normal], arrow * row[slip], arrow * row[slip + 1]});
    }
  }
  Figure figure("force", 800, 760);
  figure.add(kStyle);
  figure.add(
      fmt::format("set title {} noenhanced\nset size ratio -1\nset offsets graph 0.1, graph 0.1, graph 0.1, graph 0.1\n"
                  "set xlabel 'resistance along e1, per unit normal force'\nset ylabel 'resistance along e2, per unit "
                  "normal force'",
                  gnuplot_string(title)));
  std::string plot = fmt::format(
      "plot '{0}' using 1:2 with lines ls 1 title 'reservoir C', '{0}' using 3:4 with lines ls 2 dt 2 title 'direction "
      "set D'",
      figure.add_data("sets", sets));
  if (!forces.empty())
    plot += fmt::format(", '{}' using 1:2 with points pt 7 ps 0.5 lc rgb '#e67e22' title 'computed'",
                        figure.add_data("points", forces));
  if (!slips.empty())
    plot += fmt::format(
        ", '{}' using 1:2:3:4 with vectors head size screen 0.01,20 filled lw 1.2 lc rgb '#c0392b' title 'slip "
        "velocity'",
        figure.add_data("slips", slips));
  figure.add(plot);
  return figure;
}

Figure time_figure(const System& system, const Run& run, const std::string& title) {
  const Table& table = run.table;
  const SystemContact& contact = system.contacts()[0];
  const std::size_t slip = table.column(contact.name + ".slip_1"), kinetic = table.column("kinetic");
  const auto names = system.coordinates();
  Rows rows;
  for (const std::size_t i : thinned(table.rows().size(), 8000)) {
    const auto& row = table.rows()[i];
    std::vector<double> line{row[0],           std::hypot(row[slip], row[slip + 1]),
                             row[kinetic],     row[kinetic + 1],
                             row[kinetic + 2], row[kinetic + 3]};
    for (const std::string& q : names) line.push_back(row[table.column(q)]);
    rows.push_back(std::move(line));
  }
  Figure figure("time", 1000, 900);
  const std::string file = figure.add_data("rows", rows);
  figure.add(kStyle);
  figure.add(fmt::format("set multiplot layout 3,1 title {} noenhanced\nset lmargin 12", gnuplot_string(title)));
  std::string coordinates = "set ylabel 'position'\nplot ";
  for (std::size_t k = 0; k < names.size(); ++k)
    coordinates +=
        fmt::format("{}'{}' using 1:{} with lines ls {} title '{}'", k ? ", " : "", file, 7 + k, k % 5 + 1, names[k]);
  figure.add(coordinates);
  figure.add(fmt::format(
      "set ylabel 'slip speed [m/s]'\nset yrange [0:*]\nplot '{}' using 1:2 with lines ls 4 title 'slip speed'", file));
  figure.add(
      fmt::format("set ylabel 'energy [J]'\nset yrange [*:*]\nset xlabel 'time [s]'\nplot '{0}' using 1:3 with lines "
                  "ls 1 title 'kinetic', '{0}' using 1:4 with lines ls 2 title 'potential', '{0}' using 1:5 with lines "
                  "ls 4 title 'dissipated', '{0}' using 1:6 with lines ls 5 title 'input'\nunset multiplot",
                  file));
  return figure;
}

}  // namespace slipset
