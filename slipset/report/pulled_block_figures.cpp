#include <fmt/format.h>

#include "slipset/report/pulled_block_report.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

}  // namespace

Figure hysteresis_figure(const InterfacePath& run, const std::string& title) {
  Figure figure("hysteresis", 1000, 480);
  Rows rows;
  double most = 0;
  Vec2 lo = run.rows[0].position, hi = lo;
  for (const InterfaceRow& r : run.rows) {
    rows.push_back({1e3 * r.position.x(), 1e3 * r.position.y(), r.force.x(), r.force.y()});
    most = std::max(most, r.force.lpNorm<Eigen::Infinity>());
    lo = lo.cwiseMin(r.position);
    hi = hi.cwiseMax(r.position);
  }
  const std::string data = figure.add_data("loop", rows);
  const double range = most > 0 ? 1.1 * most : 1;
  figure.add(fmt::format(
      "unset key\n"
      "set multiplot layout 1,2 title {} noenhanced\nset yrange [{}:{}]\nset offsets graph 0.05, graph 0.05, 0, 0",
      gnuplot_string(title), -range, range));
  for (int k = 0; k < 2; ++k) {
    // A path that stays at one coordinate has no loop in it; give its axis a width all the same.
    const bool still = hi[k] - lo[k] <= 1e-12 * (hi - lo).norm();
    figure.add(fmt::format("set xrange [{}]\nset xlabel 'displacement along {} [mm]'\nset ylabel 'force along {} [N]'",
                           still ? fmt::format("{}:{}", 1e3 * lo[k] - 1, 1e3 * lo[k] + 1) : "*:*", k == 0 ? "x" : "y",
                           k == 0 ? "x" : "y"));
    figure.add(fmt::format("plot '{}' using {}:{} with lines lw 2 lc rgb '{}'", data, k + 1, k + 3,
                           k == 0 ? "#1f4e79" : "#2e8b57"));
  }
  figure.add("unset multiplot");
  return figure;
}

Figure interface_force_figure(const PulledBlockSetup& s, const InterfacePath& run) {
  Figure figure("force", 800, 700);
  const PlanarSet& c = s.interface.interface().law().reservoir();
  Rows set, stick, slip;
  for (int k = 0; k <= 720; ++k) {
    const Vec2 p = c.boundary_point(2 * kPi * k / 720);
    set.push_back({p.x(), p.y()});
  }
  for (const InterfaceRow& r : run.rows)
    (r.slips ? slip : stick).push_back({r.force.x() / r.normal_force, r.force.y() / r.normal_force});
  figure.add(
      fmt::format("set title {} noenhanced\nset size ratio -1\n"
                  "set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n"
                  "set xlabel 'force along x over normal force'\nset ylabel 'force along y over normal force'",
                  gnuplot_string(s.title)));
  std::string plot = fmt::format("plot '{}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'reservoir C'",
                                 figure.add_data("set", set));
  if (!stick.empty())
    plot += fmt::format(", '{}' using 1:2 with points pt 7 ps 0.4 lc rgb '#e67e22' title 'elastic'",
                        figure.add_data("stick", stick));
  if (!slip.empty())
    plot += fmt::format(", '{}' using 1:2 with points pt 7 ps 0.4 lc rgb '#c0392b' title 'slip'",
                        figure.add_data("slip", slip));
  figure.add(plot);
  return figure;
}

}  // namespace slipset
