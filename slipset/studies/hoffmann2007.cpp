// Hoffmann 2007: steady sliding with velocity-dependent and LuGre friction; one mode (Fig. 3), mode coupling (5 to 8).
// What concerns the bristles' response itself is in bristles.cpp.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>

#include "slipset/core/angle.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/stability/scan.hpp"
#include "slipset/studies/bristles.hpp"
#include "slipset/studies/registry.hpp"
#include "slipset/studies/sliding.hpp"
#include "slipset/systems/block_on_belt.hpp"
#include "slipset/systems/mode_coupling.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Rows = std::vector<std::vector<double>>;

struct Range {
  double from, to;
  int count;
};

// One curve: a law, a system and what is swept.
struct Curve {
  std::string name;
  std::optional<LuGre> lugre;
  std::shared_ptr<const PlanarContactLaw> law;
  SlidingAt at;
  StabilityScan scan;
};

// A key of the case's [system], else of the root's.
double number_of(const Study& study, const TomlTable& over, std::string_view key, double otherwise) {
  for (const TomlTable& t : {over, study.root()})
    if (t.has("system") && t.table("system").has(key)) return t.table("system").number(key);
  return otherwise;
}

// The coefficient of steady sliding in the direction of the belt.
double coefficient(const Curve& c, double speed) { return -slip_resistance(c.law->law(), Vec2(-speed, 0)).x(); }
double slope(const Curve& c, double speed) {
  const auto jacobian = slip_jacobian(c.law->law(), Vec2(-speed, 0));
  return jacobian ? (*jacobian)(0, 0) : NAN;
}

LinearizeOptions options_of(const std::optional<LuGre>& lugre) {
  LinearizeOptions options;
  options.lugre = lugre;
  options.with_terms = false;
  return options;
}

ModeCouplingParameters coupling_of(const Study& study, const TomlTable& over) {
  const ModeCouplingParameters usual;
  ModeCouplingParameters p;
  p.mass = number_of(study, over, "mass", usual.mass);
  p.k1 = number_of(study, over, "k1", usual.k1);
  p.k2 = number_of(study, over, "k2", usual.k2);
  p.k = number_of(study, over, "k", usual.k);
  p.c1 = number_of(study, over, "c1", 0);
  p.c2 = number_of(study, over, "c2", 0);
  p.normal_load = number_of(study, over, "normal_load", 1);
  return p;
}

Curve curve_of(const Study& study, const TomlTable& over, bool coupled) {
  const LawSetup law = read_law(over.has("law") ? over : study.root());
  Curve curve{over.text("name"), law.lugre(), std::make_shared<PlanarContactLaw>(law.law), {}, {}};
  if (coupled) {
    const ModeCouplingParameters p = coupling_of(study, over);
    curve.at = [p, shared = curve.law, lugre = law.lugre()](double speed) {
      ModeCouplingParameters here = p;
      here.belt_speed = speed;
      return linearize_sliding(ModeCoupling(shared, here), options_of(lugre));
    };
    return curve;
  }
  BlockOnBeltParameters p;
  p.mass = number_of(study, over, "mass", 1);
  p.stiffness = number_of(study, over, "stiffness", 1);
  p.damping = number_of(study, over, "damping", 0);
  p.normal_force = number_of(study, over, "normal_force", 1);
  curve.at = [p, shared = curve.law, lugre = law.lugre()](double speed) {
    BlockOnBeltParameters here = p;
    here.belt_speed = speed;
    return linearize_sliding(BlockOnBelt(shared, here), options_of(lugre));
  };
  return curve;
}

Range range_of(const TomlTable& own) { return {own.number("from"), own.number("to"), own.whole("count", 2, 1000000)}; }

void run(Curve& curve, const Range& range) {
  ScanOptions options;
  options.from = range.from;
  options.to = range.to;
  options.count = range.count;
  curve.scan = scan_stability(curve.at, options);
}

double largest_growth(const SlidingAt& at, double value) { return modes_of(at(value)).front().growth_rate(); }

double largest_growth(const StabilityScan& scan) {
  double most = -INFINITY;
  for (Eigen::Index i = 0; i < scan.values.rows(); ++i)
    if (scan.answered[static_cast<std::size_t>(i)]) most = std::max(most, scan.values.row(i).real().maxCoeff());
  return most;
}

// v, g, g', then growth rate and frequency of each mode whose frequency is not negative.
Table table_of(const Curve& c, const std::string& parameter, bool with_law) {
  std::vector<std::string> names{parameter};
  if (with_law) names.insert(names.end(), {"g", "slope"});
  std::vector<Eigen::Index> upper;
  for (Eigen::Index k = 0; k < c.scan.values.cols(); ++k) {
    double sum = 0;
    for (Eigen::Index i = 0; i < c.scan.values.rows(); ++i) sum += c.scan.values(i, k).imag();
    if (!(sum < -1e-9)) upper.push_back(k);
  }
  for (std::size_t k = 0; k < upper.size(); ++k) {
    names.push_back(fmt::format("growth_{}", k + 1));
    names.push_back(fmt::format("frequency_{}", k + 1));
  }
  Table t(names);
  for (std::size_t i = 0; i < c.scan.parameter.size(); ++i) {
    if (!c.scan.answered[i]) continue;
    std::vector<double> row = {c.scan.parameter[i]};
    if (with_law) {
      row.push_back(coefficient(c, row[0]));
      row.push_back(slope(c, row[0]));
    }
    for (const Eigen::Index k : upper) {
      const Complex value = c.scan.values(static_cast<Eigen::Index>(i), k);
      row.push_back(value.real());
      row.push_back(std::abs(value.imag()));
    }
    t.add_row(row);
  }
  return t;
}

// So that modes that decay quickly do not flatten those that matter.
std::string growth_range(const std::vector<std::pair<std::string, Table>>& curves, std::size_t first) {
  double most = 0;
  for (const auto& curve : curves)
    for (const auto& row : curve.second.rows())
      for (std::size_t k = first; k < row.size(); k += 2) most = std::max(most, row[k]);
  return most > 0 ? fmt::format("set yrange [{0:.3g}:{1:.3g}]", -1.3 * most, 1.15 * most) : "";
}

// The same for frequencies: those of modes that do not oscillate are left out.
std::string frequency_range(const std::vector<std::pair<std::string, Table>>& curves, std::size_t first) {
  double least = INFINITY, most = 0;
  for (const auto& curve : curves)
    for (const auto& row : curve.second.rows())
      for (std::size_t k = first; k < row.size(); k += 2) {
        if (row[k] > 0.5) least = std::min(least, row[k]);
        most = std::max(most, row[k]);
      }
  return most > 0.5 ? fmt::format("set yrange [{0:.3g}:{1:.3g}]", 0.95 * least, 1.05 * most) : "";
}

struct Panel {
  std::string label;          // of the vertical axis
  std::size_t first;          // column of the table
  bool all_modes;             // that column and every second one after it; else it alone
  std::string commands = "";  // of gnuplot
};

Figure panels_figure(const std::string& name, const std::string& title, const std::string& parameter,
                     const std::vector<std::pair<std::string, Table>>& curves, const std::vector<Panel>& panels) {
  const bool four = panels.size() > 2;
  Figure figure(name, four ? 1100 : 1000, four ? 860 : 480);
  figure.add(fmt::format("set multiplot layout {},2 title {}\nset xlabel {}\nset lmargin 9", four ? 2 : 1,
                         gnuplot_string(title), gnuplot_string(parameter)));
  std::vector<std::string> files;
  for (std::size_t i = 0; i < curves.size(); ++i)
    files.push_back(figure.add_data(fmt::format("curve{}", i + 1), curves[i].second.rows().numbers()));
  for (const Panel& panel : panels) {
    std::string plots;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const std::size_t columns = curves[i].second.names().size();
      for (std::size_t k = panel.first; k < columns; k += 2) {
        plots += fmt::format("{}'{}' using 1:{} with lines lw 2 dt {} lc rgb {} {}", plots.empty() ? "plot " : ", ",
                             files[i], k + 1, i % 4 + 1, gnuplot_string(curve_colour(i)),
                             k == panel.first ? "title " + gnuplot_string(curves[i].first) : "notitle");
        if (!panel.all_modes) break;
      }
    }
    figure.add(
        fmt::format("set ylabel {}\n{}\n{}\nset yrange [*:*]", gnuplot_string(panel.label), panel.commands, plots));
  }
  figure.add("unset multiplot");
  return figure;
}

StudyResult fig3(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 4> keys = {"from", "to", "count", "speed"};
  const TomlTable own = study.compute(keys);
  const double speed = own.positive("speed");
  StudyResult result;
  std::vector<std::pair<std::string, Table>> by_omega, by_sigma;
  std::optional<Curve> plain;
  double above = -INFINITY;
  const auto cases = study.cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Curve curve = curve_of(study, cases[i], false);
    run(curve, range_of(own));
    result.add(fmt::format("growth rate at v = {}, {} [1/s]", speed, curve.name), largest_growth(curve.at, speed));
    const Table table = table_of(curve, "v", true);
    result.tables.emplace_back(fmt::format("curve{}", i + 1), table);
    const double omega = std::sqrt(number_of(study, cases[i], "stiffness", 1));
    if (!curve.lugre) plain = curve;
    if (!curve.lugre || curve.lugre->sigma0 == 1000) by_omega.emplace_back(curve.name, table);
    if (!curve.lugre || omega == 1) by_sigma.emplace_back(curve.name, table);
    if (plain && curve.lugre && omega == 1) {
      double off = 0;
      for (Eigen::Index k = 0; k < curve.scan.values.rows(); ++k) {
        const double d = curve.scan.values.row(k).real().maxCoeff() - plain->scan.values.row(k).real().maxCoeff();
        off = std::max(off, std::abs(d));
        above = std::max(above, d);
      }
      result.add(fmt::format("largest distance from the velocity-dependent law, {} [1/s]", curve.name), off);
    }
    progress(static_cast<double>(i + 1) / static_cast<double>(cases.size()));
  }
  result.add("growth rate of LuGre above that of the velocity-dependent law, omega = 1, largest [1/s]", above);
  result.figures.push_back(panels_figure("law", "Characteristic (Fig. 3a, b)", "v [m/s]", {by_omega.front()},
                                         {{"g [N]", 1, false}, {"slope of g [N s/m]", 2, false}}));
  Figure growth = panels_figure("omega", "Growth rates, sigma0 = 1000 N/m, several omega (Fig. 3c)", "v [m/s]",
                                by_omega, {{"growth rate [1/s]", 3, false}, {"frequency [rad/s]", 4, false}});
  result.figures.push_back(std::move(growth));
  result.figures.push_back(panels_figure("sigma0", "Growth rates, omega = 1/s, several sigma0 (Fig. 3d)", "v [m/s]",
                                         by_sigma, {{"growth rate [1/s]", 3, false}, {"frequency [rad/s]", 4, false}}));
  return result;
}

StudyResult fig5(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 3> keys = {"from", "to", "count"};
  const Range range = range_of(study.compute(keys));
  StudyResult result;
  std::vector<std::pair<std::string, Table>> shown;
  const auto cases = study.cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ModeCouplingParameters p = coupling_of(study, cases[i]);
    Curve curve{cases[i].text("name"), {}, {}, {}, {}};
    curve.at = [p](double mu) {
      return linearize_sliding(ModeCoupling(std::make_shared<PlanarContactLaw>(isotropic(mu), 8), p), options_of({}));
    };
    run(curve, range);
    const auto& critical = curve.scan.critical;
    result.add(fmt::format("critical friction coefficient, {} [-]", curve.name),
               critical.size() == 1 ? critical[0].value : NAN);
    result.add(fmt::format("frequency there, {} [rad/s]", curve.name),
               critical.size() == 1 ? critical[0].frequency : NAN);
    const Table table = table_of(curve, "mu", false);
    result.tables.emplace_back(fmt::format("curve{}", i + 1), table);
    if (p.c1 > 0) shown.emplace_back(curve.name, table);
    progress(static_cast<double>(i + 1) / static_cast<double>(cases.size()));
  }
  result.figures.push_back(
      panels_figure("modes", "Mode coupling with Coulomb friction (Fig. 5)", "friction coefficient [-]", shown,
                    {{"frequency [rad/s]", 2, true}, {"growth rate [1/s]", 1, true, growth_range(shown, 1)}}));
  return result;
}

// Figs. 6, 7 and 8: curves over the sliding speed.
StudyResult over_speed(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 4> keys = {"from", "to", "count", "speed"};
  const TomlTable own = study.compute(keys);
  const double speed = own.positive("speed");
  StudyResult result;
  std::vector<std::pair<std::string, Table>> shown;
  double first_growth = NAN, last_growth = NAN;
  const auto cases = study.cases();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Curve curve = curve_of(study, cases[i], true);
    run(curve, range_of(own));
    const auto& critical = curve.scan.critical;
    result.add(fmt::format("critical speed, {} [m/s]", curve.name), critical.empty() ? NAN : critical.back().value,
               critical.size() > 1 ? fmt::format("The last of {}.", critical.size()) : "");
    result.add(fmt::format("largest growth rate at v = {}, {} [1/s]", speed, curve.name),
               largest_growth(curve.at, speed));
    result.add(fmt::format("largest growth rate of all speeds, {} [1/s]", curve.name), largest_growth(curve.scan));
    (i == 0 ? first_growth : last_growth) = result.values.back().value;
    shown.emplace_back(curve.name, table_of(curve, "v", true));
    result.tables.emplace_back(fmt::format("curve{}", i + 1), shown.back().second);
    progress(static_cast<double>(i + 1) / static_cast<double>(cases.size()));
  }
  result.add("largest growth rate, last case over first [-]", last_growth / first_growth);
  result.figures.push_back(panels_figure("modes", fmt::format("{} ({})", study.title(), study.figure()), "v [m/s]",
                                         shown,
                                         {{"g [-]", 1, false},
                                          {"slope of g [s/m]", 2, false},
                                          {"frequency [rad/s]", 4, true, frequency_range(shown, 4)},
                                          {"growth rate [1/s]", 3, true, growth_range(shown, 3)}}));
  return result;
}

}  // namespace

std::vector<StudyEntry> hoffmann2007_studies() {
  return {{"hoffmann2007-fig2", hoffmann2007_fig2},
          {"hoffmann2007-fig3", fig3},
          {"hoffmann2007-overdamped", hoffmann2007_overdamped},
          {"hoffmann2007-fig5", fig5},
          {"hoffmann2007-fig6", over_speed},
          {"hoffmann2007-fig7", over_speed},
          {"hoffmann2007-fig8", over_speed},
          {"hoffmann2007-worst-case", hoffmann2007_worst_case}};
}

}  // namespace slipset
