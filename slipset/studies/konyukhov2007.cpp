// Konyukhov & Schweizerhof 2007: a block pulled over a surface with anisotropic elasticity and friction.
#include <fmt/format.h>

#include <array>

#include "slipset/identification/pull_calibration.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/pulled_block.hpp"
#include "slipset/studies/curves.hpp"
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

// The angle of the displacement for which the paper's map [K07 20] itself gives T2 = 0, by bisection: the map, not the
// formula that follows from it.
double mapped_angle(const Surface& s, double alpha) {
  const auto across = [&](double phi) {
    const Vec2 step(std::cos(phi), std::sin(phi));  // far outside the yield curve
    return konyukhov_one_step(s.adhesion(alpha), s.ellipse(alpha), s.adhesion(alpha).tensor() * step, 1).y();
  };
  double lo = -kPi / 2, hi = kPi / 2;  // the force turns with the displacement, as B F B is positive definite
  for (int i = 0; i < 100; ++i) (across((lo + hi) / 2) < 0 ? lo : hi) = (lo + hi) / 2;
  return (lo + hi) / 2;
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

Figure angles_figure(const Surface& s, const Rows& pulled, const std::string& title) {
  Figure figure("angles", 900, 600);
  Rows curve;
  for (int k = 0; k <= 360; ++k) {
    const double a = radians(0.25 * k);
    curve.push_back({0.25 * k, degrees(s.published_angle(a)), degrees(pull_angle(s.law(a)))});
  }
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
  result.add("extremal orientation, all digits [degrees]", degrees(at));
  result.add("extremal angle of the motion, all digits [degrees]", degrees(s.published_angle(at)));
  result.add("the same with the orientation reversed [degrees]", degrees(s.published_angle(-at)));
  result.add("angle at 45 degrees, paper's model [degrees]", degrees(s.published_angle(radians(45))));
  double off = 0, largest = 0, off_map = 0, at_45 = NAN;
  Rows pulls;
  for (int k = 1; k < 18; ++k) {
    const double a = radians(5.0 * k), t = std::tan(a + s.offset);
    const Vec2 square = s.friction.cwiseAbs2();
    const double eq11 = std::atan((square.y() - square.x()) / (square.y() + square.x() * t * t) * t);
    const double pulled = s.pulled_angle(a);
    pulls.push_back({5.0 * k, degrees(pulled)});
    if (k == 9) at_45 = pulled;
    off = std::max(off, std::abs(degrees(pulled - eq11)));
    largest = std::max(largest, std::abs(degrees(pulled)));
    if (s.elastic) off_map = std::max(off_map, std::abs(degrees(mapped_angle(s, a) - s.published_angle(a))));
  }
  result.add("angle at 45 degrees, exact model, block pulled [degrees]", degrees(at_45));
  result.add("exact model off Eq. 11, largest [degrees]", off,
             "A block pulled with T2 = 0 by exact returns, at 17 orientations.");
  result.add("exact model, largest angle of these [degrees]", largest);
  if (s.elastic) result.add("Eq. 25 off the map of Eq. 20 with T2 = 0, largest of these [degrees]", off_map);
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
  result.figures.push_back(angles_figure(s, pulls, study.title()));
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
  // The surface of case 5 with these stiffnesses and coefficients, by its tensors; the observed angle is 90 degrees less
  // that of its axes. Its curve must have the measured maximum, and least squares on its points must give the ratio
  // back, which the printed formula does not.
  Surface surface;
  surface.stiffness = 1e4 * Vec2(stiffness_ratio(ratio, mu1, mu2), 1);
  surface.friction = {mu1, mu2};
  surface.offset = kPi / 2;
  surface.elastic = true;
  const auto observed = [&](double alpha) { return surface.published_angle(kPi / 2 - alpha); };
  double most = 0;
  for (int k = 1; k < 9000; ++k) most = std::max(most, observed(radians(0.01 * k)));
  result.add("largest angle of the calibrated surface [degrees]", degrees(most));
  std::vector<PullAngle> exact;
  for (int k = 1; k < 9; ++k) exact.push_back({radians(10.0 * k), observed(radians(10.0 * k))});
  const PullCalibration fit = calibrate_pull(exact);
  result.add("least squares on points of that surface, over the ratio [-]", fit.ratio.value_or(std::nan("")) / ratio);
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

// Where |angle(α)| is largest, and how large [rad].
template <class Angle>
double largest_angle(const Angle& angle) {
  double most = 0;
  for (int k = 1; k < 900; ++k) most = std::max(most, std::abs(angle(radians(0.1 * k))));
  return most;
}

// Sect. 2.2.1: the block moves straight on although the coefficients differ.
StudyResult sect221(const Study& study, const StudyProgress&) {
  constexpr std::array<std::string_view, 2> keys = {"friction", "observed"};
  const TomlTable t = study.compute(keys);
  Surface s;
  s.friction = t.positive_pair("friction");
  s.offset = kPi / 2;  // as in case 5
  const double observed = radians(t.positive("observed"));
  const auto with_ratio = [&](double ratio) {
    Surface here = s;
    here.stiffness = 1e4 * Vec2(ratio, 1);
    here.elastic = true;
    return here;
  };
  const auto of_map = [&](double ratio) {
    return largest_angle([here = with_ratio(ratio)](double a) { return here.published_angle(a); });
  };
  s.stiffness = Vec2(1e4, 1e4);
  const double even = s.friction.y() / s.friction.x();
  StudyResult result;
  result.add("friction alone, Eq. 11, largest angle [degrees]",
             degrees(largest_angle([&](double a) { return pull_angle(s.law(a)); })));
  result.add("paper's model, stiffnesses as mu2/mu1, largest angle [degrees]", degrees(of_map(even)));
  // How far from that proportion the angle stays within what was observed.
  const auto border = [&](double outside) {
    double in = even, out = outside;
    for (int i = 0; i < 50; ++i) (of_map((in + out) / 2) < observed ? in : out) = (in + out) / 2;
    return (in + out) / 2;
  };
  result.add("paper's model, smallest stiffness ratio within the observed angle [-]", border(0.5 * even));
  result.add("paper's model, largest stiffness ratio within the observed angle [-]", border(2 * even));
  const Surface pulled = with_ratio(even);
  double largest = 0;
  CurveRows friction, map, block;
  for (int k = 0; k <= 90; ++k) {
    friction.push_back({1.0 * k, degrees(pull_angle(s.law(radians(k))))});
    map.push_back({1.0 * k, degrees(pulled.published_angle(radians(k)))});
  }
  for (int k = 1; k < 30; ++k) {
    const double angle = pulled.pulled_angle(radians(3.0 * k));
    largest = std::max(largest, std::abs(angle));
    block.push_back({3.0 * k, degrees(angle)});
  }
  result.add("exact model, block pulled, the same stiffnesses, largest angle [degrees]", degrees(largest),
             "Of 29 orientations.");
  Figure figure("angles", 900, 560);
  figure.add(
      "set title 'Geometrically isotropic behaviour (Sect. 2.2.1)'\nset xlabel 'orientation of the surface "
      "[degrees]'\nset ylabel 'angle from the pull to the motion [degrees]'\nset xrange [0:90]\nset xtics 15\nset "
      "offsets 0, 0, graph 0.15, graph 0.1");
  add_plot("c",
           {{"friction alone, Eq. 11", friction},
            {"paper: one-step map, Eq. 25, eps1/eps2 = mu2/mu1", map},
            {"exact model with these stiffnesses: block pulled", block, "points pt 7"}},
           figure);
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace

std::vector<StudyEntry> konyukhov2007_studies() {
  return {{"konyukhov2007-case1", one_case}, {"konyukhov2007-case2", one_case}, {"konyukhov2007-case3", one_case},
          {"konyukhov2007-case4", one_case}, {"konyukhov2007-case5", one_case}, {"konyukhov2007-fig13", fig13},
          {"konyukhov2007-sect221", sect221}};
}

}  // namespace slipset
