#include <fmt/format.h>

#include <array>

#include "slipset/laws/slip_path.hpp"
#include "slipset/report/law_report.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

// `count` of the angles, at about even distances along the boundary.
std::vector<double> even_angles(const PlanarSet& set, const std::vector<double>& angles, int count) {
  std::vector<double> length{0};
  for (std::size_t i = 1; i < angles.size(); ++i)
    length.push_back(length.back() + (set.boundary_point(angles[i]) - set.boundary_point(angles[i - 1])).norm());
  std::vector<double> even;
  for (std::size_t i = 0, k = 0; i < angles.size() && k < static_cast<std::size_t>(count); ++i)
    if (length[i] >= length.back() * static_cast<double>(k) / count) {
      even.push_back(angles[i]);
      ++k;
    }
  return even;
}

// Both boundaries, closed: x y of C, x y of D.
Rows boundary_rows(const FrictionLaw& law, const std::vector<double>& angles) {
  Rows rows;
  for (const double a : angles) {
    const Vec2 c = law.reservoir().boundary_point(a), d = law.direction().boundary_point(a);
    rows.push_back({c.x(), c.y(), d.x(), d.y()});
  }
  return rows;
}

// Resistances at even distances along the boundary of C and at the corners of D, each with its slip direction
// (at a corner both ends of the fan): point on C, arrow, point on D.
Rows arrow_rows(const FrictionLaw& law, const std::vector<double>& angles, double length) {
  std::vector<double> shown = even_angles(law.reservoir(), angles, 24);
  for (const double corner : law.direction().corners()) shown.push_back(corner);
  Rows rows;
  for (const double theta : shown) {
    const Vec2 s = law.reservoir().boundary_point(theta), z = law.direction().boundary_point(theta);
    const AngleInterval slips = law.direction().normal_cone(z);
    for (const double slip : {slips.from, slips.to}) {
      const Vec2 arrow = length * unit(slip);
      rows.push_back({s.x(), s.y(), arrow.x(), arrow.y(), z.x(), z.y()});
    }
  }
  return rows;
}

// Off the round angles, at which flat sides of D often have their normals: there the force is a range, and jumps across
// it.
Rows curve_rows(const FrictionLaw& law) {
  Rows rows;
  for (int i = 0; i <= 1440; ++i) {
    const Vec2 v = unit_at_degrees(0.25 * i + 1e-4);
    const Vec2 s = slip_resistance(law.reservoir(), law.direction(), v);
    rows.push_back({0.25 * i, s.norm(), s.dot(v), degrees(std::atan2(cross(v, s), v.dot(s)))});
  }
  return rows;
}

// The part of C's boundary from which the slip points inwards.
Rows unstable_rows(const FrictionLaw& law, const std::vector<AngleInterval>& destabilising) {
  const std::vector<SlipNode> path = slip_path(law);
  Rows rows;
  for (const AngleInterval& interval : destabilising) {
    std::vector<double> angles{resistance_angle_at(law, interval.from), resistance_angle_at(law, interval.to)};
    for (const SlipNode& node : path)
      for (const double turn : {-2 * kPi, 0.0, 2 * kPi})
        if (node.slip_angle + turn >= interval.from && node.slip_angle + turn <= interval.to)
          angles.push_back(node.resistance_angle + turn);
    std::sort(angles.begin(), angles.end());
    for (const double angle : angles) {
      const Vec2 s = law.reservoir().boundary_point(angle);
      rows.push_back({s.x(), s.y()});
    }
    rows.push_back({});
  }
  return rows;
}

constexpr const char* kLawStyle = R"(set style line 1 lc rgb '#1f4e79' lw 2.5
set style line 2 lc rgb '#2e8b57' lw 2 dt 2
set style line 3 lc rgb '#9aa7b4' lw 1
set style line 4 lc rgb '#c0392b' lw 2
set style line 5 lc rgb '#e67e22' lw 6)";

// {0} reach of the axes, {1} boundaries, {2} arrows, {3} an element of the plot for the unstable part.
constexpr const char* kSetsPanel = R"(set lmargin at screen 0.06; set rmargin at screen 0.46
set bmargin at screen 0.18; set tmargin at screen 0.9
set size ratio -1
set xrange [-{0:.6g}:{0:.6g}]; set yrange [-{0:.6g}:{0:.6g}]
set xlabel 'resistance along e1, per unit normal force'
set ylabel 'resistance along e2, per unit normal force'
set key at screen 0.26,0.085 center top horizontal maxrows 2 samplen 2 spacing 1.2
plot {3}'{1}' using 1:2 with filledcurves closed fc rgb '#1f4e79' fs transparent solid 0.08 noborder notitle, \
  '{1}' using 1:2 with lines ls 1 title 'reservoir C', \
  '{1}' using 3:4 with lines ls 2 title 'direction set D', \
  '{2}' using (0):(0):1:2 with vectors nohead ls 3 title 'resistance', \
  '{2}' using 1:2:3:4 with vectors head size screen 0.008,20 filled ls 4 title 'slip direction', \
  '{2}' using 5:6 with points pt 7 ps 0.6 lc rgb '#2e8b57' notitle, \
  '{2}' using 1:2 with points pt 7 ps 0.7 lc rgb '#1f4e79' notitle)";

// {0} curves over the slip angle.
constexpr const char* kCurvePanels = R"(set size noratio
set lmargin at screen 0.56; set rmargin at screen 0.97
set xrange [0:360]; set xtics 45
set yrange [0:*]; set offsets 0,0,graph 0.08,0
set bmargin at screen 0.58; set tmargin at screen 0.87
set key at screen 0.765,0.925 center top horizontal maxrows 1 samplen 2
set xlabel ''; set ylabel 'coefficient [-]'
plot '{0}' using 1:2 with lines ls 1 title 'size of the resistance', \
  '{0}' using 1:3 with lines ls 4 title 'component against the slip'
set bmargin at screen 0.13; set tmargin at screen 0.44
set key at screen 0.765,0.495
set xlabel 'slip angle [degrees]'; set ylabel 'deflection [degrees]'
set xzeroaxis lc rgb '#666666'
set yrange [*<-1:1<*]; set offsets 0,0,graph 0.08,graph 0.08
plot '{0}' using 1:4 with lines ls 2 dt 1 title 'angle from slip to resistance'
unset multiplot)";

// {0} plot of the sets, {1} of the coefficients, {2} of the deflections.
constexpr const char* kManyPanels = R"(set lmargin at screen 0.06; set rmargin at screen 0.46
set bmargin at screen 0.2; set tmargin at screen 0.92
set size ratio -1
set offsets graph 0.06, graph 0.06, graph 0.06, graph 0.06
set xlabel 'resistance along e1, per unit normal force'
set ylabel 'resistance along e2, per unit normal force'
set key at screen 0.26,0.1 center top vertical maxrows 4 samplen 2 spacing 1.2 noenhanced
plot {0}
unset key
set size noratio
set lmargin at screen 0.56; set rmargin at screen 0.97
set xrange [0:360]; set xtics 45
set yrange [0:*]; set offsets 0,0,graph 0.08,0
set bmargin at screen 0.58; set tmargin at screen 0.92
set xlabel ''; set ylabel 'coefficient, against the slip [-]'
plot {1}
set bmargin at screen 0.13; set tmargin at screen 0.47
set xlabel 'slip angle [degrees]'; set ylabel 'deflection [degrees]'
set xzeroaxis lc rgb '#666666'
set yrange [*<-1:1<*]; set offsets 0,0,graph 0.08,graph 0.08
plot {2}
unset multiplot)";

}  // namespace

Figure laws_figure(const std::vector<LawSetup>& laws) {
  constexpr std::array<const char*, 8> colours = {"#1f4e79", "#c0392b", "#2e8b57", "#e67e22",
                                                  "#7d3c98", "#16a085", "#7f8c8d", "#b7950b"};
  Figure figure("laws", 1500, 760);
  std::string sets, coefficients, deflections;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const FrictionLaw& law = laws[i].law;
    std::vector<double> angles = resolving_angles(law.reservoir(), law.direction());
    angles.push_back(angles.front());
    const std::string boundary = figure.add_data(fmt::format("sets{}", i + 1), boundary_rows(law, angles));
    const std::string curves = figure.add_data(fmt::format("curves{}", i + 1), curve_rows(law));
    const std::string style = fmt::format("with lines lw 2 lc rgb '{}'", colours[i % colours.size()]);
    const std::string comma = i > 0 ? ", " : "";
    sets += fmt::format("{0}'{1}' using 1:2 {2} title {3}, '{1}' using 3:4 {2} dt 2 notitle", comma, boundary, style,
                        gnuplot_string("C of " + laws[i].title + (i == 0 ? "; D dashed" : "")));
    coefficients += fmt::format("{}'{}' using 1:3 {} notitle", comma, curves, style);
    deflections += fmt::format("{}'{}' using 1:4 {} notitle", comma, curves, style);
  }
  figure.add("set multiplot");
  figure.add(fmt::format(kManyPanels, sets, coefficients, deflections));
  return figure;
}

Figure law_figure(const FrictionLaw& law, const LawProperties& p, const std::string& title) {
  const double size = p.largest_coefficient.value;
  std::vector<double> angles = resolving_angles(law.reservoir(), law.direction());
  angles.push_back(angles.front());

  Figure figure("law", 1500, 720);
  const std::string sets = figure.add_data("sets", boundary_rows(law, angles));
  const std::string arrows = figure.add_data("arrows", arrow_rows(law, angles, 0.16 * size));
  const std::string curves = figure.add_data("curves", curve_rows(law));
  std::string unstable;
  if (!p.destabilising.empty())
    unstable = fmt::format("'{}' using 1:2 with lines ls 5 title 'slip points into C', \\\n  ",
                           figure.add_data("unstable", unstable_rows(law, p.destabilising)));
  figure.add(fmt::format("set multiplot title {} noenhanced font ',14'", gnuplot_string(title)));
  figure.add(kLawStyle);
  figure.add(fmt::format(kSetsPanel, 1.25 * size, sets, arrows, unstable));
  figure.add(fmt::format(kCurvePanels, curves));
  return figure;
}

}  // namespace slipset
