#include "slipset/scenario/law_report.hpp"

#include <fmt/format.h>

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Vec2& v) { return Json::array({v.x(), v.y()}); }
Json json_of(const Mat2& m) { return Json::array({Json::array({m(0, 0), m(0, 1)}), Json::array({m(1, 0), m(1, 1)})}); }
Json json_of(const Verdict& v) { return {{"value", v.value}, {"why", v.why}}; }
Json json_of(const Extremum& e) { return {{"value", e.value}, {"angle", degrees(e.angle)}}; }
Json json_of(const SlipState& s) {
  return {{"slip_velocity", json_of(s.slip_velocity)}, {"resistance", json_of(s.resistance)}};
}

Json json_of(const DirectionRow& row) {
  Json json = {{"slip_angle", row.slip_angle},
               {"resistance", json_of(row.middle)},
               {"coefficient", row.coefficient},
               {"deflection", row.deflection},
               {"along", row.along},
               {"across", row.across}};
  if (row.resistance.is_flat()) json["range"] = Json::array({json_of(row.resistance.from), json_of(row.resistance.to)});
  return json;
}

Json json_of(const PlanarSet& set) {
  return {{"shape", set.name()}, {"description", set.description()}, {"area", set.area()}};
}

// The table is that of high speed, where the Stribeck factor is one.
FrictionLaw without_rate(const FrictionLaw& law) { return {law.reservoir(), law.direction()}; }

struct Named {
  const char* name;
  const Verdict* verdict;
};

std::vector<Named> verdicts(const LawProperties& p) {
  return {{"associated", &p.associated},     {"collinear", &p.collinear},
          {"dissipative", &p.dissipative},   {"strictly dissipative", &p.strictly_dissipative},
          {"monotone", &p.monotone},         {"can destabilise", &p.can_destabilise},
          {"falling with speed", &p.falling}};
}

std::string jacobian_text(const std::optional<Mat2>& jacobian) {
  if (!jacobian) return "does not exist there (flat side of D, corner of C, or zero velocity)";
  const Mat2& j = *jacobian;
  return fmt::format("[[{:.10g}, {:.10g}], [{:.10g}, {:.10g}]] s/m", j(0, 0), j(0, 1), j(1, 0), j(1, 1));
}

}  // namespace

std::vector<DirectionRow> direction_table(const FrictionLaw& law, double step) {
  const FrictionLaw steady = without_rate(law);
  std::vector<DirectionRow> rows;
  const int count = static_cast<int>(std::ceil(360 / step - 1e-9));
  for (int i = 0; i < count; ++i) {
    const double angle = i * step;
    const Vec2 v = unit_at_degrees(angle), s = slip_resistance(steady, v);
    rows.push_back({angle, slip_resistance_range(steady, v), s, s.norm(), degrees(std::atan2(cross(v, s), v.dot(s))),
                    s.dot(v), cross(v, s)});
  }
  return rows;
}

Json law_json(const FrictionLaw& law, const LawProperties& p, const LawReportOptions& options) {
  Json json;
  json["reservoir"] = json_of(law.reservoir());
  json["reservoir"]["convex"] = json_of(p.reservoir_convex);
  json["reservoir"]["star_shaped"] = json_of(p.reservoir_star_shaped);
  json["direction"] = json_of(law.direction());
  json["direction"]["convex"] = json_of(p.direction_convex);
  json["direction"]["inside_reservoir"] = json_of(p.direction_inside);
  json["associated"] = json_of(p.associated);
  json["collinear"] = json_of(p.collinear);
  json["dissipative"] = json_of(p.dissipative);
  json["strictly_dissipative"] = json_of(p.strictly_dissipative);
  json["monotone"] = json_of(p.monotone);
  if (!p.not_monotone.empty())
    json["monotone"]["states"] = Json::array({json_of(p.not_monotone[0]), json_of(p.not_monotone[1])});
  json["can_destabilise"] = json_of(p.can_destabilise);
  json["can_destabilise"]["slip_angles"] = Json::array();
  for (const AngleInterval& i : p.destabilising)
    json["can_destabilise"]["slip_angles"].push_back({degrees(i.from), degrees(i.to)});
  json["falling"] = json_of(p.falling);
  json["coefficient"] = {{"smallest", json_of(p.smallest_coefficient)}, {"largest", json_of(p.largest_coefficient)}};
  json["directions"] = Json::array();
  for (const DirectionRow& row : direction_table(law, options.step)) json["directions"].push_back(json_of(row));
  if (!options.velocity) return json;

  const Vec2& v = *options.velocity;
  const Face range = slip_resistance_range(law, v);
  json["velocity"] = json_of(v);
  json["resistance"] = json_of(slip_resistance(law, v));
  if (range.is_flat()) json["resistance_range"] = Json::array({json_of(range.from), json_of(range.to)});
  const auto jacobian = slip_jacobian(law, v);
  json["jacobian"] = jacobian ? json_of(*jacobian) : Json();
  return json;
}

std::string law_text(const FrictionLaw& law, const LawProperties& p, const LawReportOptions& options) {
  std::string text = fmt::format("reservoir C       {}\ndirection set D   {}\n", law.reservoir().description(),
                                 law.direction().description());
  if (law.stribeck())
    text += fmt::format("Stribeck          {:.6g} times C at rest, C at speeds well above {:.6g} m/s\n",
                        law.stribeck()->static_ratio, law.stribeck()->velocity);
  text += fmt::format(
      "coefficient       {:.6g} at {:.6g} degrees to {:.6g} at {:.6g} degrees (angle of the friction force)\n\n",
      p.smallest_coefficient.value, degrees(p.smallest_coefficient.angle), p.largest_coefficient.value,
      degrees(p.largest_coefficient.angle));

  text += "   slip   resistance            coefficient  deflection   against      across\n";
  text += "  [deg]   x          y          [-]          [deg]        slip [-]     slip [-]\n";
  for (const DirectionRow& row : direction_table(law, options.step))
    text += fmt::format("{:7.5g}   {:<10.6f} {:<10.6f} {:<12.6f} {:<12.4f} {:<12.6f} {:.6f}{}\n", row.slip_angle,
                        row.middle.x() + 0.0, row.middle.y() + 0.0, row.coefficient, row.deflection, row.along,
                        row.across, row.resistance.is_flat() ? "  *" : "");
  if (text.find("  *\n") != std::string::npos)
    text += "  * a flat side of D: any resistance along it is possible; its middle is given\n";
  text += "\n";

  const auto line = [&](const char* name, const Verdict& v) {
    text += fmt::format("{:<22} {:<4} {}\n", name, v.value ? "yes" : "no", v.why);
  };
  line("reservoir convex", p.reservoir_convex);
  line("reservoir star-shaped", p.reservoir_star_shaped);
  line("direction set convex", p.direction_convex);
  line("D inside C", p.direction_inside);
  for (const Named& named : verdicts(p)) line(named.name, *named.verdict);
  if (!options.velocity) return text;

  const Vec2& v = *options.velocity;
  const Vec2 s = slip_resistance(law, v);
  text += fmt::format("\nat slip velocity ({:.6g}, {:.6g}) m/s\n  resistance  ({:.10g}, {:.10g})\n  jacobian    {}\n",
                      v.x(), v.y(), s.x(), s.y(), jacobian_text(slip_jacobian(law, v)));
  return text;
}

Figure law_figure(const FrictionLaw& law, const LawProperties& p, const std::string& title) {
  const PlanarSet &c = law.reservoir(), &d = law.direction();
  const double size = p.largest_coefficient.value;
  Figure figure("law", 1500, 720);

  // The boundaries, by angles that resolve both, closed.
  std::vector<double> angles = resolving_angles(c, d);
  angles.push_back(angles.front());
  std::vector<std::vector<double>> sets;
  for (const double a : angles) {
    const Vec2 on_c = c.boundary_point(a), on_d = d.boundary_point(a);
    sets.push_back({on_c.x(), on_c.y(), on_d.x(), on_d.y()});
  }
  // Slip directions every 15 degrees: where D is met, where C is met, the arrow of the slip.
  std::vector<std::vector<double>> arrows, curves;
  for (const DirectionRow& row : direction_table(law, 15)) {
    const Vec2 slip = 0.16 * size * unit_at_degrees(row.slip_angle), z = row.middle / d.gauge(row.middle);
    arrows.push_back({row.middle.x(), row.middle.y(), slip.x(), slip.y(), z.x(), z.y()});
  }
  for (const DirectionRow& row : direction_table(law, 0.5))
    curves.push_back({row.slip_angle, row.coefficient, row.along, row.deflection});
  // The part of C that slip leaves inwards.
  std::vector<std::vector<double>> unstable;
  for (const AngleInterval& interval : p.destabilising) {
    const int steps = 200;
    for (int i = 0; i <= steps; ++i) {
      const Vec2 s = slip_resistance(without_rate(law), unit(interval.from + interval.width() * i / steps));
      unstable.push_back({s.x(), s.y()});
    }
    unstable.push_back({});
  }

  const std::string sets_file = figure.add_data("sets", sets), arrows_file = figure.add_data("arrows", arrows);
  const std::string curves_file = figure.add_data("curves", curves);
  figure.add(fmt::format("set multiplot title '{}' noenhanced font ',14'", title));
  figure.add(
      "set style line 1 lc rgb '#1f4e79' lw 2.5\n"
      "set style line 2 lc rgb '#2e8b57' lw 2 dt 2\n"
      "set style line 3 lc rgb '#9aa7b4' lw 1\n"
      "set style line 4 lc rgb '#c0392b' lw 2\n"
      "set style line 5 lc rgb '#e67e22' lw 6\n"
      "set grid lc rgb '#dddddd' lt 1\nset border lc rgb '#666666'\nset tics nomirror");
  const double reach = 1.25 * size;
  figure.add(
      fmt::format("set lmargin at screen 0.06; set rmargin at screen 0.46; set bmargin at screen 0.18; set tmargin at "
                  "screen 0.9\nset size ratio -1\nset xrange [{0:.6g}:{1:.6g}]; set yrange [{0:.6g}:{1:.6g}]\n"
                  "set xlabel 'resistance along e1, per unit normal force'\n"
                  "set ylabel 'resistance along e2, per unit normal force'\n"
                  "set key at screen 0.26,0.085 center top horizontal maxrows 2 samplen 2 spacing 1.2",
                  -reach, reach));
  std::string plot = "plot ";
  if (!unstable.empty())
    plot += fmt::format("'{}' using 1:2 with lines ls 5 title 'slip points into C', \\\n  ",
                        figure.add_data("unstable", unstable));
  plot += fmt::format(
      "'{0}' using 1:2 with filledcurves closed fc rgb '#1f4e79' fs transparent solid 0.08 noborder notitle, \\\n"
      "  '{0}' using 1:2 with lines ls 1 title 'reservoir C', \\\n"
      "  '{0}' using 3:4 with lines ls 2 title 'direction set D', \\\n"
      "  '{1}' using (0):(0):1:2 with vectors nohead ls 3 title 'resistance', \\\n"
      "  '{1}' using 1:2:3:4 with vectors head size screen 0.008,20 filled ls 4 title 'slip direction', \\\n"
      "  '{1}' using 5:6 with points pt 7 ps 0.6 lc rgb '#2e8b57' notitle, \\\n"
      "  '{1}' using 1:2 with points pt 7 ps 0.7 lc rgb '#1f4e79' notitle",
      sets_file, arrows_file);
  figure.add(plot);
  figure.add(fmt::format(
      "set size noratio\nset lmargin at screen 0.56; set rmargin at screen 0.97\nset xrange [0:360]; set xtics 45\n"
      "set yrange [*:*]; set offsets 0,0,graph 0.08,graph 0.08\nset key at graph 0.98,0.97 right top vertical maxrows "
      "3 noenhanced\n"
      "set bmargin at screen 0.58; set tmargin at screen 0.9\nset xlabel ''; set ylabel 'coefficient [-]'\n"
      "plot '{0}' using 1:2 with lines ls 1 title 'size of the resistance', '{0}' using 1:3 with lines ls 4 title "
      "'component "
      "against the slip'\n"
      "set bmargin at screen 0.13; set tmargin at screen 0.5\nset xlabel 'slip angle [degrees]'; set ylabel "
      "'deflection [degrees]'\n"
      "set xzeroaxis lc rgb '#666666'\n"
      "plot '{0}' using 1:4 with lines ls 2 dt 1 title 'angle from slip to resistance'\nunset multiplot",
      curves_file));
  return figure;
}

}  // namespace slipset
