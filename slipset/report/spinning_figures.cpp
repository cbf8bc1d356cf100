#include "slipset/report/spinning_figures.hpp"

#include <fmt/format.h>

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

std::size_t stride(const Table& table, std::size_t most) {
  return std::max<std::size_t>(1, table.rows().size() / most);
}

// Quarter of the reservoir's boundary in the plane of the force along e1 and the drilling torque, both from 0 on.
Rows section(const RollingLaw& law) {
  Rows rows;
  const int place = law.drilling_place();
  for (int k = 0; k <= 360; ++k) {
    const double angle = kPi / 2 * k / 360;
    RollingVec t = RollingVec::Zero(law.size());
    t[0] = std::cos(angle) * law.coordinates()(0, 0);
    t[place] = std::sin(angle) * law.coordinates()(place, place);
    t /= law.gauge(t);
    rows.push_back({t[0], t[place]});
  }
  return rows;
}

}  // namespace

Figure spinning_path_figure(const Run& run, const std::string& title) {
  const Table& table = run.table;
  Rows path;
  Vec2 lo = Vec2::Constant(INFINITY), hi = -lo;
  const auto add = [&](const Table::Row& row) {
    path.push_back({row[1], row[2]});
    lo = lo.cwiseMin(Vec2(row[1], row[2]));
    hi = hi.cwiseMax(Vec2(row[1], row[2]));
  };
  for (std::size_t i = 0; i < table.rows().size(); i += stride(table, 20000)) add(table.rows()[i]);
  add(table.rows().back());
  const Vec2 size = hi - lo;
  Figure figure("path", 800,
                static_cast<int>(std::clamp(160 + 640 * size.y() / std::max(size.x(), 1e-300), 400.0, 760.0)));
  figure.add(fmt::format("set title {} noenhanced\nset xlabel 'x [m]'\nset ylabel 'y [m]'", gnuplot_string(title)));
  // A straight path along an axis has no height of its own.
  const double half = 0.55 * std::max({size.x(), size.y(), 1e-9}), flat = 0.12 * std::max({size.x(), size.y(), 1e-9});
  const Vec2 middle = 0.5 * (lo + hi), reach(std::max(0.55 * size.x(), flat), std::max(0.55 * size.y(), flat));
  figure.add(fmt::format("set size ratio -1\nset xrange [{}:{}]\nset yrange [{}:{}]",
                         middle.x() - std::min(half, reach.x()), middle.x() + std::min(half, reach.x()),
                         middle.y() - std::min(half, reach.y()), middle.y() + std::min(half, reach.y())));
  const std::string line = figure.add_data("line", path), ends = figure.add_data("ends", {path.front(), path.back()});
  figure.add(
      fmt::format("plot '{0}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'path'"
                  ", '{1}' using 1:2 every ::0::0 with points pt 6 ps 1.6 lw 2 lc rgb '#2e8b57' title 'start'"
                  ", '{1}' using 1:2 every ::1::1 with points pt 7 ps 1.6 lc rgb '#c0392b' title 'end'",
                  line, ends));
  return figure;
}

Figure spinning_force_figure(const SpinningBody& body, const Run& run, const std::string& title) {
  const Table& table = run.table;
  const RollingLaw& law = body.law();
  const std::size_t friction = table.column("contact.friction_1"), torque = table.column("contact.drilling_torque");
  Rows points;
  const double n = body.normal_force();
  const std::size_t step = stride(table, 2000);
  for (std::size_t i = 1; i < table.rows().size(); i += step) {
    const auto& row = table.rows()[i];
    points.push_back({std::hypot(row[friction], row[friction + 1]) / n, 1e3 * std::abs(row[torque]) / n});
  }
  Figure figure("force", 800, 640);
  figure.add(
      fmt::format("set title {} noenhanced\nset xlabel 'friction force over normal force [-]'\n"
                  "set ylabel 'drilling torque over normal force [mm]'\nset xrange [0:*]\nset yrange [0:*]\n"
                  "set offsets 0, graph 0.08, graph 0.12, 0\nset key top right",
                  gnuplot_string(title)));
  Rows set = section(law);
  for (auto& row : set) row[1] *= 1e3;
  std::string plot = fmt::format("plot '{}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title '{}'",
                                 figure.add_data("set", set), law.description());
  if (std::get_if<ContensouSet>(&law.factors()[0].set)) {
    Rows ellipse;
    for (int k = 0; k <= 360; ++k)
      ellipse.push_back({set.front()[0] * std::cos(kPi / 720 * k), set.back()[1] * std::sin(kPi / 720 * k)});
    plot += fmt::format(", '{}' using 1:2 with lines lw 2 dt 2 lc rgb '#2e8b57' title 'ellipse with the same limits'",
                        figure.add_data("ellipse", ellipse));
  }
  if (!points.empty())
    plot += fmt::format(", '{}' using 1:2 with points pt 7 ps 0.5 lc rgb '#e67e22' title 'computed'",
                        figure.add_data("points", points));
  figure.add(plot);
  return figure;
}

Figure spinning_time_figure(const SpinningBody& body, const Run& run, const std::string& title) {
  const Table& table = run.table;
  const RollingLaw& law = body.law();
  const double r = body.parameters().radius;
  const std::size_t n = static_cast<std::size_t>(body.dofs()), kinetic = table.column("kinetic");
  Rows rows;
  const auto add = [&](const Table::Row& row) {
    std::vector<double> line{row[0], std::hypot(row[1 + n], row[2 + n]), r * std::abs(row[2 * n])};
    line.push_back(n == 5 ? r * std::hypot(row[3 + n], row[4 + n]) : 0);
    line.push_back(
        law.has_sliding() ? std::hypot(row[table.column("contact.slip_1")], row[table.column("contact.slip_2")]) : 0);
    line.insert(line.end(), {row[kinetic], row[kinetic + 1], row[kinetic + 2]});
    rows.push_back(std::move(line));
  };
  const std::size_t step = stride(table, 8000);
  for (std::size_t i = 0; i < table.rows().size(); i += step) add(table.rows()[i]);
  add(table.rows().back());
  Figure figure("time", 1000, 700);
  const std::string file = figure.add_data("rows", rows);
  figure.add(fmt::format("set multiplot layout 2,1 title {} noenhanced\nset lmargin 12", gnuplot_string(title)));
  std::string plot = fmt::format(
      "set ylabel 'speed [m/s]'\nset yrange [0:*]\nplot '{0}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'of the "
      "centre', '{0}' using 1:3 with lines lw 2 lc rgb '#2e8b57' title 'radius times spin'",
      file);
  if (n == 5)
    plot += fmt::format(", '{}' using 1:4 with lines lw 2 lc rgb '#e67e22' title 'radius times rolling rate'", file);
  if (n == 5 && law.has_sliding())
    plot += fmt::format(", '{}' using 1:5 with lines lw 2 lc rgb '#c0392b' title 'slip'", file);
  figure.add(plot);
  figure.add(fmt::format(
      "set ylabel 'energy [J]'\nset yrange [*:*]\nset xlabel 'time [s]'\nplot '{0}' using 1:6 with lines lw 2 lc rgb "
      "'#1f4e79' title 'kinetic', '{0}' using 1:7 with lines lw 2 lc rgb '#2e8b57' title 'potential', '{0}' using 1:8 "
      "with lines lw 2 lc rgb '#c0392b' title 'dissipated'\nunset multiplot",
      file));
  return figure;
}

}  // namespace slipset
