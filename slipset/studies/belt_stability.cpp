#include "slipset/studies/belt_stability.hpp"

#include <fmt/format.h>

#include <array>

#include "slipset/laws/destabilising.hpp"
#include "slipset/scenario/stability_setup.hpp"
#include "slipset/sets/boundary_scan.hpp"
#include "slipset/studies/sliding.hpp"
#include "slipset/systems/mass_on_belt.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

Figure diagram(const StabilityScan& scan, const Rows& rows) {
  Rows stable, unstable;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    (scan.stable[i] ? stable : unstable).push_back(rows[i]);
    if (i > 0 && scan.stable[i] != scan.stable[i - 1]) (scan.stable[i] ? unstable : stable).emplace_back();
  }
  Figure figure("bifurcation", 900, 900);
  const std::string s = figure.add_data("stable", stable), u = figure.add_data("unstable", unstable);
  figure.add(
      "set multiplot layout 3,1 title 'Equilibrium and its stability over the belt angle (Fig. 16a)'\nset lmargin "
      "10\nset xrange [0:180]\nset xtics 20");
  const auto panel = [&](const std::string& label, int column, const std::string& more) {
    figure.add(fmt::format(
        "set ylabel '{0}'\n{4}\nplot '{1}' using 1:{3} with lines lw 2 lc rgb '#1f4e79' title 'stable', '{2}' using "
        "1:{3} with lines lw 2 dt 2 lc rgb '#c0392b' title 'unstable'",
        label, s, u, column, more));
  };
  panel("x of the equilibrium [m]", 2, "");
  panel("y of the equilibrium [m]", 3, "");
  panel("eigenvalue of B [N s/m]", 4,
        "set xzeroaxis lc rgb '#888888'\nset yrange [-12:20]\nset xlabel 'belt angle [degrees]'");
  figure.add("unset multiplot");
  return figure;
}

// The reservoir with the forces and slip directions of steady sliding, unstable ones in red.
Figure law_figure_16b(const FrictionLaw& law) {
  Rows sets, good, bad;
  for (const double a : resolving_angles(law.reservoir(), law.direction())) {
    const Vec2 c = law.reservoir().boundary_point(a), d = law.direction().boundary_point(a);
    sets.push_back({c.x(), c.y(), d.x(), d.y()});
  }
  sets.push_back(sets.front());
  for (int angle = 0; angle < 360; angle += 4) {
    const Vec2 v = unit_at_degrees(angle), s = slip_resistance(law, v);
    (slips_into_reservoir(law, v) ? bad : good).push_back({s.x(), s.y(), 5 * v.x(), 5 * v.y()});
  }
  Figure figure("law", 900, 760);
  figure.add(fmt::format(
      "set title 'Slip directions at the reservoir (Fig. 16b)'\nset size ratio -1\nset xlabel 'minus friction force "
      "along "
      "x [N]'\nset ylabel 'minus friction force along y [N]'\nset offsets graph 0.05, graph 0.05, graph 0.05, graph "
      "0.05\nplot '{0}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'reservoir C', '{0}' using 3:4 with lines lw "
      "1.5 "
      "dt 2 lc rgb '#2e8b57' title 'direction set D', '{1}' using 1:2:3:4 with vectors head size screen 0.008,20 "
      "filled "
      "lc rgb '#9aa7b4' title 'slip direction', '{2}' using 1:2:3:4 with vectors head size screen 0.008,20 filled lw "
      "1.5 "
      "lc rgb '#c0392b' title 'into the tangent cone: unstable'",
      figure.add_data("sets", sets), figure.add_data("slips", good), figure.add_data("unstable", bad)));
  return figure;
}

}  // namespace

StudyResult walker2019_fig16(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 2> keys = {"count", "angles"};
  const TomlTable own = study.compute(keys);
  const SlidingSetup scenario = read_sliding(study.root());
  const FrictionLaw& law = scenario.system->contacts().front().law->law();
  SystemAt at = sized_for(*scenario.system);
  scenario.system->evaluate(0, VectorX::Zero(2), VectorX::Zero(2), at);
  MassOnBeltParameters p;
  p.mass = at.mass(0, 0);
  p.normal_force = at.contacts[0].normal_force;
  const double speed = at.contacts[0].surface_velocity.norm();
  for (Eigen::Index k = 0; k < 2; ++k) {
    scenario.system->evaluate(0, VectorX::Unit(2, k), VectorX::Zero(2), at);
    p.stiffness.col(k) = -at.force;
  }
  const SlidingAt sliding = [&](double angle) {
    MassOnBeltParameters here = p;
    here.belt_velocity = speed * unit_at_degrees(angle);
    return linearize_sliding(MassOnBelt(law, here));
  };
  ScanOptions options;
  options.from = 0;
  options.to = 180;
  options.count = own.whole("count", 10, 100000);
  options.progress = [&](int done) {
    progress(static_cast<double>(done) / options.count);
    return true;
  };
  const StabilityScan scan = scan_stability(sliding, options);
  if (scan.critical.size() != 2)
    throw InvalidInput(
        fmt::format("walker2019-fig16: found {} critical angles; the figure has two", scan.critical.size()));

  StudyResult result;
  const double first = scan.critical[0].value, second = scan.critical[1].value;
  result.add("critical angle, first [degrees]", first);
  result.add("critical angle, second [degrees]", second);
  result.add("critical angle, first, all digits [degrees]", first);
  result.add("critical angle, second, all digits [degrees]", second);
  for (const double angle : own.list("angles")) {
    const LinearSliding s = sliding(angle);
    result.add(fmt::format("nonzero eigenvalue of B at {} degrees [N s/m]", angle), s.damping.trace());
  }
  const Mode leading = modes_of(sliding(50)).front();
  result.add("growth rate at 50 degrees [1/s]", leading.growth_rate());
  result.add("frequency at 50 degrees [rad/s]", leading.frequency());
  double off = 180;
  for (const AngleInterval& i :
       destabilising_directions(law))  // the slip is against the belt: half a turn does not matter
    off = std::min(off, std::max(std::abs(degrees(i.from) - first), std::abs(degrees(i.to) - second)));
  result.add("critical angles off the borders of the tangent cone, largest [degrees]", off);

  Table table({"angle", "x", "y", "eigenvalue_of_B", "growth_rate"});
  for (std::size_t i = 0; i < scan.parameter.size(); ++i) {
    const LinearSliding s = sliding(scan.parameter[i]);
    table.add_row({scan.parameter[i], s.position[0], s.position[1], s.damping.trace(),
                   scan.values.row(static_cast<Eigen::Index>(i)).real().maxCoeff()});
  }
  result.figures.push_back(diagram(scan, table.rows().numbers()));
  result.figures.push_back(law_figure_16b(law));
  result.tables.emplace_back("angles", std::move(table));
  return result;
}

}  // namespace slipset
