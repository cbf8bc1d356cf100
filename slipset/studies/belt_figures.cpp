#include "slipset/studies/belt_figures.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

#include "slipset/sets/boundary_scan.hpp"
#include "slipset/studies/sliding.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

constexpr std::size_t kEvery = 8;  // steps between marks, as in the paper

Rows closed(const BeltCycle& cycle) {
  Rows rows;
  const std::size_t step = std::max<std::size_t>(1, cycle.slip.table.rows().size() / 2000);
  for (std::size_t i = 0; i < cycle.slip.table.rows().size(); i += step) {
    const auto row = cycle.slip.table.rows()[i];
    rows.push_back({row[1], row[2]});
  }
  rows.push_back({cycle.stick_start.x(), cycle.stick_start.y()});
  rows.push_back({cycle.slip_start.x(), cycle.slip_start.y()});
  return rows;
}

}  // namespace

Figure cycle_path_figure(const BeltMotion& motion, const BeltCycle& cycle, const Table& moreau) {
  Figure figure("path", 800, 820);
  Rows marks;
  for (std::size_t i = 0; i < moreau.rows().size(); i += kEvery)
    marks.push_back({moreau.rows()[i][1], moreau.rows()[i][2]});
  const Vec2 force =
      -motion.normal_force * slip_resistance(motion.system->contacts()[0].law->law(), Vec2(-motion.belt_velocity));
  const Vec2 rest = motion.stiffness.inverse() * force;
  figure.add(
      "set title 'Limit cycle of the displacement (Fig. 17a)'\nset size ratio -1\nset xlabel 'x [m]'\nset ylabel 'y "
      "[m]'");
  figure.add(fmt::format(
      "plot '{}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'without time steps', '{}' using 1:2 with points pt "
      "2 "
      "ps 0.8 lc rgb '#c0392b' title 'Moreau, every eighth step', '{}' using 1:2 with points pt 6 ps 1.5 lw 2 lc rgb "
      "'#2e8b57' title 'unstable equilibrium'",
      figure.add_data("cycle", closed(cycle)), figure.add_data("moreau", marks),
      figure.add_data("equilibrium", {{rest.x(), rest.y()}})));
  return figure;
}

Figure cycle_force_figure(const BeltMotion& motion, const BeltCycle&, const Table& moreau) {
  const SystemContact& contact = motion.system->contacts()[0];
  const PlanarSet &c = contact.law->law().reservoir(), &d = contact.law->law().direction();
  const std::size_t force = moreau.column(contact.name + ".friction_1"), slip = moreau.column(contact.name + ".slip_1");
  Rows sets, forces, slips;
  std::vector<double> angles = resolving_angles(c, d);
  angles.push_back(angles.front());
  for (const double a : angles) {
    const Vec2 on_c = motion.normal_force * c.boundary_point(a), on_d = motion.normal_force * d.boundary_point(a);
    sets.push_back({on_c.x(), on_c.y(), on_d.x(), on_d.y()});
  }
  double fastest = 0;
  for (const auto& row : moreau.rows()) fastest = std::max(fastest, std::hypot(row[slip], row[slip + 1]));
  const double arrow = fastest > 0 ? 0.3 * motion.normal_force * contact.law->largest_resistance() / fastest : 0;
  for (std::size_t i = 0; i < moreau.rows().size(); i += kEvery) {
    const auto& row = moreau.rows()[i];
    forces.push_back({-row[force], -row[force + 1]});
    if (std::hypot(row[slip], row[slip + 1]) > 0)
      slips.push_back({-row[force], -row[force + 1], arrow * row[slip], arrow * row[slip + 1]});
  }
  Figure figure("force", 900, 760);
  figure.add(
      "set title 'Friction force in its reservoir and slip velocity (Fig. 17b)'\nset size ratio -1\nset xlabel 'minus "
      "friction force along x [N]'\nset ylabel 'minus friction force along y [N]'\nset offsets graph 0.05, graph 0.05, "
      "graph 0.05, graph 0.05");
  figure.add(fmt::format(
      "plot '{0}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'reservoir C', '{0}' using 3:4 with lines lw 1.5 dt "
      "2 "
      "lc rgb '#2e8b57' title 'direction set D', '{1}' using 1:2 with points pt 7 ps 0.5 lc rgb '#e67e22' title 'every "
      "eighth step', '{2}' using 1:2:3:4 with vectors head size screen 0.01,20 filled lw 1.2 lc rgb '#c0392b' title "
      "'slip velocity, longest {3:.3g} m/s'",
      figure.add_data("sets", sets), figure.add_data("forces", forces), figure.add_data("slips", slips), fastest));
  return figure;
}

Figure cycle_time_figure(const BeltMotion& motion, const BeltCycle& cycle) {
  const SystemContact& contact = motion.system->contacts()[0];
  const Table& slip = cycle.slip.table;
  const std::size_t force = slip.column(contact.name + ".friction_1"), speed = slip.column(contact.name + ".slip_1");
  const auto gauge = [&](const Vec2& friction) {
    return contact.law->law().reservoir().gauge(Vec2(-friction / motion.normal_force));
  };
  Rows rows;
  const std::size_t step = std::max<std::size_t>(1, slip.rows().size() / 2000);
  for (std::size_t i = 0; i + 1 < slip.rows().size(); i += step) {
    const auto& row = slip.rows()[i];
    rows.push_back(
        {row[0], row[1], row[2], std::hypot(row[speed], row[speed + 1]), gauge(Vec2(row[force], row[force + 1]))});
  }
  for (int i = 0; i <= 200; ++i) {
    const double t = cycle.stick_time * i / 200;
    const Vec2 q = cycle.stick_start + t * motion.belt_velocity;
    rows.push_back({cycle.slip_time + t, q.x(), q.y(), 0, gauge(motion.stiffness * q)});
  }
  Figure figure("time", 900, 900);
  const std::string file = figure.add_data("rows", rows);
  figure.add("set multiplot layout 3,1 title 'One period from the end of stick'\nset lmargin 10");
  figure.add(
      fmt::format("set ylabel 'position [m]'\nplot '{0}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'x', "
                  "'{0}' using 1:3 with lines lw 2 lc rgb '#2e8b57' title 'y'",
                  file));
  figure.add(
      fmt::format("set ylabel 'slip speed [m/s]'\nset yrange [0:*]\nplot '{}' using 1:4 with lines lw 2 lc rgb "
                  "'#c0392b' title 'slip speed'",
                  file));
  figure.add(
      fmt::format("set ylabel 'gauge of the force'\nset yrange [0:1.1]\nset xlabel 'time [s]'\nplot '{}' using "
                  "1:5 with lines lw 2 lc rgb '#e67e22' title '1 on the boundary of C'\nunset multiplot",
                  file));
  return figure;
}

}  // namespace slipset
