#include "slipset/studies/mechanisms.hpp"

#include <fmt/format.h>

#include <array>

#include "slipset/laws/classical.hpp"
#include "slipset/scenario/system_kinds.hpp"
#include "slipset/stability/scan.hpp"
#include "slipset/studies/sliding.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

constexpr std::array<Mechanism, 6> kShown = {Mechanism::structure,     Mechanism::characteristic,
                                             Mechanism::mode_coupling, Mechanism::normal_speed,
                                             Mechanism::follower,      Mechanism::anisotropy};

// One panel of Fig. 13: a system, and its law over one number.
struct Panel {
  std::string name, label;
  SlidingAt at;
  double from, to, shown;
  std::vector<Rows> curves{};  // growth of all and of each mechanism
  std::vector<double> critical{};
};

double growth_by(const LinearSliding& s, const Mode& mode, Mechanism mechanism) {
  double sum = 0;
  for (const Contribution& c : contributions(s, mode))
    if (c.mechanism == mechanism) sum += c.growth;
  return sum;
}

Panel panel_of(const TomlTable& t) {
  constexpr std::array<std::string_view, 7> keys = {"name", "label", "system", "range", "friction", "stribeck_velocity",
                                                    "shown"};
  t.allow_only(keys);
  const TomlTable system = t.table("system");
  const Vec2 range = t.pair("range");
  const bool falls = t.has("friction");
  const double friction = falls ? t.positive("friction") : 0, speed = falls ? t.positive("stribeck_velocity") : 0;
  return {t.text("name"),
          t.text("label"),
          [system, falls, friction, speed](double value) {
            const FrictionLaw law = falls ? isotropic(friction).with_stribeck({value, speed}) : isotropic(value);
            const BuiltSystem built = read_system(system, law);
            LinearizeOptions options;
            options.guess = built.equilibrium ? *built.equilibrium : built.start.q;
            return linearize_sliding(*built.system, options);
          },
          range.x(),
          range.y(),
          t.number("shown")};
}

Figure side_by_side(const std::vector<Panel>& panels) {
  Figure figure("mechanisms", 1100, 900);
  figure.add(
      "set multiplot layout 2,2 title 'Which mechanism makes steady sliding grow (Fig. 13)'\nset xzeroaxis lc rgb "
      "'#888888' lt 1\nset key inside left top\nset lmargin 11\nset offsets 0, 0, graph 0.25, graph 0.05");
  constexpr std::array<const char*, 6> colours = {"#888888", "#c0392b", "#2e8b57", "#e67e22", "#7d3c98", "#17a2b8"};
  for (const Panel& p : panels) {
    std::string plot;
    for (std::size_t k = 0; k < p.curves.size(); ++k) {
      bool any = k == 0;
      for (const auto& row : p.curves[k]) any = any || (row.size() > 1 && std::abs(row[1]) > 1e-9);
      if (!any) continue;
      plot += fmt::format("{}'{}' using 1:2 with lines lw {} {} lc rgb '{}' title '{}'", plot.empty() ? "plot " : ", ",
                          figure.add_data(fmt::format("{}-{}", p.name.substr(0, 1), k), p.curves[k]), k == 0 ? 4 : 2,
                          k == 0 ? "" : "dt 2", k == 0 ? "#1f4e79" : colours[k - 1],
                          k == 0 ? "growth rate" : name_of(kShown[k - 1]));
    }
    figure.add("unset arrow");
    for (const double value : p.critical)
      figure.add(fmt::format("set arrow from {0}, graph 0 to {0}, graph 1 nohead dt 3 lw 1.5 lc rgb '#444444'", value));
    figure.add(
        fmt::format("set title {}\nset xlabel {}\nset ylabel 'part of the growth rate [1/s]'\nset xrange "
                    "[{}:{}]\n{}",
                    gnuplot_string(p.name), gnuplot_string(p.label), p.from, p.to, plot));
  }
  figure.add("unset multiplot");
  return figure;
}

}  // namespace

StudyResult walker2019_fig13(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 1> keys = {"count"};
  const int count = study.compute(keys).whole("count", 11, 100000);
  std::vector<Panel> panels;
  for (const TomlTable& t : study.cases()) panels.push_back(panel_of(t));
  StudyResult result;
  std::vector<std::string> names{"panel", "parameter", "growth_rate"};
  for (const Mechanism m : kShown) names.push_back(fmt::format("by {}", name_of(m)));
  Table table(names);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    Panel& p = panels[i];
    ScanOptions options;
    options.from = p.from;
    options.to = p.to;
    options.count = count;
    const StabilityScan scan = scan_stability(p.at, options);
    for (const CriticalValue& c : scan.critical) p.critical.push_back(c.value);
    p.curves.resize(1 + kShown.size());
    for (const double value : scan.parameter) {
      const LinearSliding s = p.at(value);
      if (!s.report.converged || s.is_painleve()) continue;  // beyond: more than one motion
      const Mode leading = modes_of(s).front();
      std::vector<double> row{static_cast<double>(i + 1), value, leading.growth_rate()};
      p.curves[0].push_back({value, leading.growth_rate()});
      for (std::size_t k = 0; k < kShown.size(); ++k) {
        row.push_back(growth_by(s, leading, kShown[k]));
        p.curves[k + 1].push_back({value, row.back()});
      }
      table.add_row(row);
    }
    result.add("critical value, " + p.name, p.critical.empty() ? NAN : p.critical.front());
    const LinearSliding s = p.at(p.shown);
    const Mode leading = modes_of(s).front();
    result.add(fmt::format("growth rate at {}, {} [1/s]", p.shown, p.name), leading.growth_rate());
    const std::vector<Contribution> parts = contributions(s, leading);
    result.add(fmt::format("part of the growth by {}, {} [-]", name_of(parts.front().mechanism), p.name),
               parts.front().growth / leading.growth_rate());
    progress(static_cast<double>(i + 1) / static_cast<double>(panels.size()));
  }
  result.figures.push_back(side_by_side(panels));
  result.tables.emplace_back("mechanisms", std::move(table));
  return result;
}

}  // namespace slipset
