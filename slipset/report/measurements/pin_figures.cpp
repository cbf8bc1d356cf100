#include <fmt/format.h>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/flow_bands.hpp"
#include "slipset/laws/friction_law.hpp"
#include "slipset/report/measurements/pin_report.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

}  // namespace

std::vector<Figure> pin_figures(const PinIdentification& r, const std::string& title, const std::string& front) {
  const FrictionLaw law(r.reservoir, r.direction);
  Rows points, curve, c_points, d_points;
  double scale = 0;
  for (const DataPoint& p : r.sets.points)
    scale += law.direction().gauge(p.direction) / static_cast<double>(r.sets.points.size());
  for (const DataPoint& p : r.sets.points) {
    const Vec2 n = unit(p.slip_angle);
    points.push_back({degrees(p.slip_angle), p.reservoir.dot(n), cross(n, p.reservoir)});
    c_points.push_back({p.reservoir.x(), p.reservoir.y()});
    d_points.push_back({p.direction.x() / scale, p.direction.y() / scale});
  }
  for (int i = 0; i <= 1440; ++i) {
    const Vec2 m = r.fit.model.evaluate(radians(0.25 * i + 1e-7), r.fit.free);
    curve.push_back({0.25 * i, m.x(), m.y()});
  }
  Figure forces(front + "forces", 1000, 520);
  const std::string measured = forces.add_data("measured", points), fitted = forces.add_data("model", curve);
  forces.add(
      fmt::format("set title {} noenhanced\nset xlabel 'slip angle φ [degrees]'\nset ylabel 'force over normal "
                  "force'\nset xrange [0:360]\n"
                  "set xtics 45\nset bmargin 5\nset offsets 0,0,graph 0.05,graph 0.05\n"
                  "plot '{}' using 1:2 with points pt 7 ps 0.3 lc rgb '#9ab8d4' title 'tangential, measured', "
                  "'' using 1:3 with points pt 7 ps 0.3 lc rgb '#e8b4a8' title 'radial, measured', "
                  "'{}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'tangential, model', "
                  "'' using 1:3 with lines lw 2 lc rgb '#c0392b' title 'radial, model'",
                  gnuplot_string(title), measured, fitted));

  Figure sets(front + "sets", 860, 800);
  const auto band_rows = [](const std::vector<internal::Band>& band, double factor) {
    Rows rows;
    for (const internal::Band& b : band)
      rows.push_back({factor * b.high * std::cos(b.angle), factor * b.high * std::sin(b.angle)});
    for (auto b = band.rbegin(); b != band.rend(); ++b)
      rows.push_back({factor * b->low * std::cos(b->angle), factor * b->low * std::sin(b->angle)});
    return rows;
  };
  Rows boundary;
  for (int i = 0; i <= 720; ++i) {
    const Vec2 c = law.reservoir().boundary_point(2 * kPi * i / 720),
               d = law.direction().boundary_point(2 * kPi * i / 720);
    boundary.push_back({c.x(), c.y(), d.x(), d.y()});
  }
  std::string bands;
  if (!r.fit.replications.empty()) {
    bands = fmt::format("'{}' using 1:2 with filledcurves closed fc rgb '#551f4e79' title 'C, 95 %', ",
                        sets.add_data("c-band", band_rows(internal::reservoir_band(r.fit), 1)));
    try {
      const double factor = law.direction().radius(0) / r.fit.direction().radius(0);
      bands += fmt::format("'{}' using 1:2 with filledcurves closed fc rgb '#55c0392b' title 'D, 95 %', ",
                           sets.add_data("d-band", band_rows(internal::direction_band(r.fit), factor)));
    } catch (const InvalidInput&) {
      // D is the smoothed hull: no band
    }
  }
  const std::string c_file = sets.add_data("c", c_points), d_file = sets.add_data("d", d_points),
                    model = sets.add_data("model", boundary);
  sets.add(fmt::format(
      "set title {} noenhanced\nset size ratio -1\nset offsets graph 0.04, graph 0.04, graph 0.04, graph 0.04\n"
      "set xlabel 'resistance along e1, per unit normal force'\nset ylabel 'resistance along e2, per unit normal "
      "force'\n"
      "plot {}'{}' using 1:2 with points pt 7 ps 0.3 lc rgb '#9ab8d4' title 'C, measured', "
      "'{}' using 1:2 with points pt 7 ps 0.3 lc rgb '#e8b4a8' title 'D, from the flow', "
      "'{}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'C, {}', '' using 3:4 with lines lw 2 dt 2 lc rgb "
      "'#c0392b' title 'D, {}'",
      gnuplot_string(title), bands, c_file, d_file, model, law.reservoir().name(), law.direction().name()));
  return {forces, sets};
}

}  // namespace slipset
