// Konyukhov & Schweizerhof 2007: a block pulled over a surface with anisotropic elasticity and friction.
#include <fmt/format.h>

#include <array>

#include "slipset/identification/pull_calibration.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/pulled_block.hpp"
#include "slipset/studies/registry.hpp"
#include "slipset/studies/sliding.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

// B and F at the orientation α of the surface [rad]; the friction tensor's axes may be turned against those of B.
struct Surface {
  Vec2 stiffness, friction;
  double offset = 0;     // of the friction axes [rad]
  bool elastic = false;  // else only friction: Case 1

  Adhesion adhesion(double alpha) const { return {stiffness.x(), stiffness.y(), alpha}; }
  Ellipse ellipse(double alpha) const { return {friction.x(), friction.y(), alpha + offset}; }
  FrictionLaw law(double alpha) const { return associated(ellipse(alpha)); }
  // What the paper plots.
  double published_angle(double alpha) const {
    return elastic ? pull_angle_one_step(adhesion(alpha), ellipse(alpha)) : pull_angle(law(alpha));
  }
  // The exact model, as a block is pulled: far enough that it slips.
  double pulled_angle(double alpha) const {
    const ElasticReturn interface({law(alpha), adhesion(alpha)});
    const double reach = friction.maxCoeff() / stiffness.minCoeff();
    return angle_of_pull(pull_block(interface, 20 * reach, 40, {}));
  }
};

Surface read_surface(const Study& study) {
  constexpr std::array<std::string_view, 3> keys = {"stiffness", "friction", "friction_turned"};
  const TomlTable t = study.compute(keys);
  Surface s;
  s.friction = t.positive_pair("friction");
  s.elastic = t.has("stiffness");
  s.stiffness = s.elastic ? t.positive_pair("stiffness") : Vec2(1e4, 1e4);
  s.offset = radians(t.number_or("friction_turned", 0));
  return s;
}

// Where |φ| is largest between 0 and 90 degrees.
double extremal_orientation(const Surface& s) {
  double best = 0, most = -1;
  for (int k = 1; k < 90; ++k)
    if (const double size = std::abs(s.published_angle(radians(k))); size > most) {
      most = size;
      best = radians(k);
    }
  // The angle is known to the root of eps only, since the curve is flat there: its slope has a root that is not.
  const auto slope = [&](double a) { return s.published_angle(a + 1e-5) - s.published_angle(a - 1e-5); };
  double lo = best - radians(1), hi = best + radians(1);
  const bool rises = slope(lo) > 0;
  for (int i = 0; i < 60; ++i) {
    const double middle = (lo + hi) / 2;
    ((slope(middle) > 0) == rises ? lo : hi) = middle;
  }
  return (lo + hi) / 2;
}

Figure angles_figure(const Surface& s, const std::string& title) {
  Figure figure("angles", 900, 600);
  Rows curve, pulled;
  for (int k = 0; k <= 360; ++k) {
    const double a = radians(0.25 * k);
    curve.push_back({0.25 * k, degrees(s.published_angle(a)), degrees(pull_angle(s.law(a)))});
  }
  for (int k = 1; k < 18; ++k) pulled.push_back({5.0 * k, degrees(s.pulled_angle(radians(5.0 * k)))});
  figure.add(
      fmt::format("set title {} noenhanced\nset xlabel 'orientation of the surface [degrees]'\n"
                  "set ylabel 'angle from the pull to the motion [degrees]'\nset xrange [0:90]\nset xtics 15\nset "
                  "xzeroaxis lt 1 lc rgb '#666666'\n"
                  "set offsets 0, 0, graph 0.08, graph 0.08",
                  gnuplot_string(title)));
  const std::string data = figure.add_data("curves", curve), points = figure.add_data("pulled", pulled);
  figure.add(
      fmt::format("plot '{0}' using 1:2 with lines lw 3 lc rgb '{2}' title '{5}', "
                  "'{0}' using 1:3 with lines lw 2 dt 2 lc rgb '{3}' title 'exact model: Eq. 11', "
                  "'{1}' using 1:2 with points pt 7 ps 1 lc rgb '{4}' title 'exact model: block pulled'",
                  data, points, curve_colour(0), curve_colour(1), curve_colour(2),
                  s.elastic ? "paper: one-step map, Eq. 25" : "paper: friction only, Eq. 11"));
  return figure;
}

Table angles_table(const Surface& s) {
  Table table({"orientation_degrees", "published_model_degrees", "exact_degrees"});
  for (int k = 0; k <= 90; ++k)
    table.add_row({1.0 * k, degrees(s.published_angle(radians(k))), degrees(pull_angle(s.law(radians(k))))});
  return table;
}

StudyResult one_case(const Study& study, const StudyProgress&) {
  const Surface s = read_surface(study);
  StudyResult result;
  const double at = extremal_orientation(s);
  result.add("extremal orientation [degrees]", degrees(at));
  result.add("extremal angle of the motion [degrees]", degrees(s.published_angle(at)));
  result.add("the same with the orientation reversed [degrees]", degrees(s.published_angle(-at)));
  result.add("angle at 45 degrees, paper's model [degrees]", degrees(s.published_angle(radians(45))));
  result.add("angle at 45 degrees, exact model, block pulled [degrees]", degrees(s.pulled_angle(radians(45))));
  double off = 0, largest = 0;
  for (int k = 1; k < 18; ++k) {
    const double a = radians(5.0 * k), t = std::tan(a + s.offset);
    const Vec2 square = s.friction.cwiseAbs2();
    const double eq11 = std::atan((square.y() - square.x()) / (square.y() + square.x() * t * t) * t);
    off = std::max(off, std::abs(degrees(s.pulled_angle(a) - eq11)));
    largest = std::max(largest, std::abs(degrees(eq11)));
  }
  result.add("exact model off Eq. 11, largest [degrees]", off,
             "A block pulled with T2 = 0 by exact returns, at 17 orientations.");
  result.add("exact model, largest angle of these [degrees]", largest);
  // The same stiffnesses in the proportion that the paper says makes the motion isotropic.
  if (s.elastic && s.friction.x() != s.friction.y()) {
    Surface even = s;
    const bool crossed = std::abs(std::sin(s.offset)) > 0.5;
    even.stiffness.y() =
        even.stiffness.x() * (crossed ? s.friction.x() / s.friction.y() : s.friction.y() / s.friction.x());
    double worst = 0;
    for (int k = 1; k < 18; ++k) worst = std::max(worst, std::abs(degrees(even.published_angle(radians(5.0 * k)))));
    result.add("paper's model, isotropic proportion of stiffnesses, largest angle [degrees]", worst,
               crossed ? "eps1/eps2 = mu2/mu1." : "eps1/eps2 = mu1/mu2.");
  }
  result.tables.emplace_back("angles", angles_table(s));
  result.figures.push_back(angles_figure(s, study.title()));
  return result;
}

StudyResult fig13(const Study& study, const StudyProgress&) {
  constexpr std::array<std::string_view, 5> keys = {"mass", "gravity", "forces", "force_without_block",
                                                    "largest_angles"};
  const TomlTable t = study.compute(keys);
  const double normal = t.positive("mass") * t.positive("gravity");
  const Vec2 forces = t.positive_pair("forces");
  const double mu1 = friction_from_forces(forces.x(), t.number("force_without_block"), normal),
               mu2 = friction_from_forces(forces.y(), t.number("force_without_block"), normal);
  StudyResult result;
  result.add("friction coefficient along the ripples [-]", mu1);
  result.add("friction coefficient across the ripples [-]", mu2);
  const double ratio = ratio_from_maximum(radians(t.list("largest_angles").front()));
  result.add("ratio of eigenvalues by the maximum rule [-]", ratio);
  result.add("ratio of stiffnesses, from the printed 0.817, 0.408 and 0.625 [-]", stiffness_ratio(0.817, 0.408, 0.625));
  result.add("ratio of stiffnesses, unrounded [-]", stiffness_ratio(ratio, mu1, mu2));
  // Points on the curve of that ratio: least squares must give it back, the printed formula does not.
  std::vector<PullAngle> exact;
  for (int k = 1; k < 9; ++k) exact.push_back({radians(10.0 * k), modelled_pull_angle(radians(10.0 * k), ratio)});
  const PullCalibration fit = calibrate_pull(exact);
  result.add("least squares on points of that curve, over the ratio [-]", fit.ratio.value_or(std::nan("")) / ratio);
  result.add("Eq. 41 as printed on the same points, over the ratio [-]",
             ratio_by_published_formula(exact).value_or(std::nan("")) / ratio);

  Figure figure("calibrated", 900, 600);
  figure.add(
      fmt::format("set title {} noenhanced\nset xlabel 'orientation of the ripples [degrees]'\n"
                  "set ylabel 'angle from the pull to the motion [degrees]'\nset xrange [0:90]\nset xtics 15\n"
                  "set offsets 0, 0, graph 0.08, 0",
                  gnuplot_string(study.title())));
  std::string plot;
  std::size_t index = 0;
  for (const double largest : t.list("largest_angles")) {
    const double r = ratio_from_maximum(radians(largest));
    Rows rows;
    for (int k = 0; k <= 360; ++k) rows.push_back({0.25 * k, degrees(modelled_pull_angle(radians(0.25 * k), r))});
    plot += fmt::format("{}'{}' using 1:2 with lines lw 3 lc rgb '{}' title 'largest angle {} degrees: ratio {:.4f}'",
                        index == 0 ? "plot " : ", ", figure.add_data(fmt::format("curve{}", index + 1), rows),
                        curve_colour(index), largest, r);
    ++index;
  }
  const double printed = ratio_by_published_formula(exact).value_or(1);
  Rows points, published;
  for (const PullAngle& p : exact) points.push_back({degrees(p.alpha), degrees(p.phi)});
  for (int k = 0; k <= 360; ++k)
    published.push_back({0.25 * k, degrees(modelled_pull_angle(radians(0.25 * k), printed))});
  plot += fmt::format(
      ", '{}' using 1:2 with lines lw 2 dt 2 lc rgb '{}' title 'Eq. 41 as printed, on the points: ratio {:.4f}'",
      figure.add_data("published", published), curve_colour(2), printed);
  plot += fmt::format(", '{}' using 1:2 with points pt 7 ps 1.2 lc rgb '{}' title 'points of the first curve'",
                      figure.add_data("points", points), curve_colour(3));
  figure.add(plot);
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace

std::vector<StudyEntry> konyukhov2007_studies() {
  return {{"konyukhov2007-case1", one_case}, {"konyukhov2007-case2", one_case}, {"konyukhov2007-case3", one_case},
          {"konyukhov2007-case4", one_case}, {"konyukhov2007-case5", one_case}, {"konyukhov2007-fig13", fig13}};
}

}  // namespace slipset
