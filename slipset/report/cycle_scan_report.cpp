#include "slipset/report/cycle_scan_report.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<double>>;

constexpr std::size_t kMultipliers = 4;  // columns of the table

Json multipliers_json(const Cycle& cycle) {
  Json list = Json::array();
  for (const auto& m : cycle.multipliers) list.push_back(m.imag() == 0 ? Json(m.real()) : Json({m.real(), m.imag()}));
  return list;
}

std::string kind_of(const CycleBranch& b) { return b.sticks() ? "stick and slip" : "slip only"; }

}  // namespace

Json diagram_json(const CycleScan& scan, const CycleDiagram& diagram) {
  Json json;
  json["title"] = scan.title();
  json["found"] = !diagram.branches.empty();
  json["parameter"] = scan.parameter();
  json["label"] = scan.label();
  json["from"] = scan.options().from;
  json["to"] = scan.options().to;
  Json& events = json["events"] = Json::array();
  Json branches = Json::array();
  for (std::size_t i = 0; i < diagram.branches.size(); ++i) {
    const CycleBranch& b = diagram.branches[i];
    double least = INFINITY, most = -INFINITY;
    std::size_t stable = 0;
    for (const BranchPoint& p : b.points) {
      least = std::min(least, p.parameter);
      most = std::max(most, p.parameter);
      stable += p.cycle.is_stable();
    }
    branches.push_back({{"kind", kind_of(b)},
                        {"points", b.points.size()},
                        {"stable_points", stable},
                        {"from", least},
                        {"to", most},
                        {"ends", {b.first_end, b.last_end}}});
    for (const BranchEvent& e : b.events)
      events.push_back({{"branch", i + 1},
                        {"kind", name_of(e.kind)},
                        {"value", e.parameter},
                        {"period", e.cycle.period},
                        {"stick_time", e.cycle.stick_time},
                        {"multipliers", multipliers_json(e.cycle)},
                        {"max", std::vector<double>(e.cycle.largest.begin(), e.cycle.largest.end())}});
  }
  json["branches"] = branches;
  json["ended_early"] = diagram.ended_early;
  std::size_t moving = 0, unexplained = 0;
  for (const SettledMotion& m : diagram.motions) {
    moving += !m.maxima.empty();
    unexplained += !m.explained;
  }
  json["simulations"] = {{"count", diagram.motions.size()},
                         {"oscillating", moving},
                         {"on_no_branch", unexplained},
                         {"without_answer", diagram.without_answer},
                         {"why", diagram.why}};
  return json;
}

std::string diagram_text(const CycleScan& scan, const CycleDiagram& diagram) {
  const std::string stopped = diagram.ended_early ? "stopped: these are the results up to there\n" : "";
  if (diagram.branches.empty()) return "no cycle found\n" + stopped;
  std::string text;
  for (std::size_t i = 0; i < diagram.branches.size(); ++i) {
    const CycleBranch& b = diagram.branches[i];
    text += fmt::format("branch {}: {}, {} points\n", i + 1, kind_of(b), b.points.size());
    const auto end = [&](const BranchPoint& p, const std::string& why) {
      text += fmt::format("  {} = {:.6g}: period {:.8g} s, stick {:.6g} s, {} ({})\n", scan.parameter(), p.parameter,
                          p.cycle.period, p.cycle.stick_time,
                          kCycleStabilityNames[static_cast<std::size_t>(p.cycle.stability())], why);
    };
    end(b.points.front(), b.first_end);
    for (const BranchEvent& e : b.events)
      text += fmt::format("  {} = {:.9g}: {}\n", scan.parameter(), e.parameter, name_of(e.kind));
    end(b.points.back(), b.last_end);
  }
  std::size_t unexplained = 0;
  for (const SettledMotion& m : diagram.motions) unexplained += !m.explained;
  text += fmt::format("{} simulations, {} of them settle on no branch\n", diagram.motions.size(), unexplained);
  if (diagram.without_answer > 0)
    text += fmt::format("{} simulations could not be made: {}\n", diagram.without_answer, diagram.why);
  return text + stopped;
}

std::string branches_csv(const CycleScan& scan, const CycleDiagram& diagram) {
  std::string text = "branch," + scan.parameter() + ",period,stick_time,stable";
  for (std::size_t i = 1; i <= kMultipliers; ++i) text += fmt::format(",multiplier{0}_re,multiplier{0}_im", i);
  for (const std::string& name : scan.coordinates()) text += fmt::format(",min_{0},max_{0}", name);
  text += "\n";
  for (std::size_t i = 0; i < diagram.branches.size(); ++i)
    for (const BranchPoint& p : diagram.branches[i].points) {
      text += fmt::format("{},{},{},{},{}", i + 1, p.parameter, p.cycle.period, p.cycle.stick_time,
                          p.cycle.is_stable() ? 1 : 0);
      for (std::size_t k = 0; k < kMultipliers; ++k)
        text += k < p.cycle.multipliers.size()
                    ? fmt::format(",{},{}", p.cycle.multipliers[k].real(), p.cycle.multipliers[k].imag())
                    : ",,";
      for (Eigen::Index k = 0; k < p.cycle.largest.size(); ++k)
        text += fmt::format(",{},{}", p.cycle.smallest[k], p.cycle.largest[k]);
      text += "\n";
    }
  return text;
}

std::string motions_csv(const CycleScan& scan, const CycleDiagram& diagram) {
  std::string text = scan.parameter() + ",start,maximum,sticks,on_a_branch\n";
  for (const SettledMotion& m : diagram.motions)
    for (const double maximum : m.maxima)
      text += fmt::format("{},{},{},{},{}\n", m.parameter, m.start, maximum, m.sticks ? 1 : 0, m.explained ? 1 : 0);
  return text;
}

Figure diagram_figure(const CycleScan& scan, const CycleDiagram& diagram) {
  Rows stable, unstable, brute;
  for (const CycleBranch& b : diagram.branches) {
    for (std::size_t i = 0; i < b.points.size(); ++i) {
      const BranchPoint& p = b.points[i];
      const bool is = p.cycle.is_stable();
      const std::vector<double> row{p.parameter, p.cycle.largest[0], p.cycle.period};
      (is ? stable : unstable).push_back(row);
      // The two lines meet where the stability changes.
      if (i + 1 < b.points.size() && b.points[i + 1].cycle.is_stable() != is) {
        (is ? unstable : stable).push_back(row);
        (is ? stable : unstable).emplace_back();
      }
    }
    stable.emplace_back();
    unstable.emplace_back();
  }
  for (const SettledMotion& m : diagram.motions)
    for (const double maximum : m.maxima) brute.push_back({m.parameter, maximum});
  Figure figure("branches", 1000, 900);
  figure.add(
      fmt::format("set multiplot layout 2,1 title {} noenhanced\nset key below\nset lmargin 12\nset xrange "
                  "[{}:{}]\nset offsets 0, 0, "
                  "graph 0.05, graph 0.05\nset xlabel {} noenhanced",
                  gnuplot_string(scan.title()), std::min(scan.options().from, scan.options().to),
                  std::max(scan.options().from, scan.options().to), gnuplot_string(scan.label())));
  const bool any_stable = std::any_of(stable.begin(), stable.end(), [](const auto& r) { return !r.empty(); });
  const bool any_unstable = std::any_of(unstable.begin(), unstable.end(), [](const auto& r) { return !r.empty(); });
  const std::string s = any_stable ? figure.add_data("stable", stable) : "";
  const std::string u = any_unstable ? figure.add_data("unstable", unstable) : "";
  std::array<std::string, 4> events;
  for (std::size_t k = 0; k < events.size(); ++k) {
    Rows rows;
    for (const CycleBranch& b : diagram.branches)
      for (const BranchEvent& e : b.events)
        if (e.kind == static_cast<CycleEvent>(k)) rows.push_back({e.parameter, e.cycle.largest[0], e.cycle.period});
    if (!rows.empty()) events[k] = figure.add_data(fmt::format("event{}", k + 1), rows);
  }
  const auto panel = [&](int column, const std::string& label, const std::string& simulated) {
    std::string plot;
    const auto add = [&](const std::string& what) { plot += (plot.empty() ? "plot " : ", ") + what; };
    if (!simulated.empty())
      add(fmt::format("'{}' using 1:2 with points pt 7 ps 0.5 lc rgb '#b0b0b0' title 'simulation, maxima'", simulated));
    if (!s.empty())
      add(fmt::format("'{}' using 1:{} with lines lw 2 lc rgb '#1f4e79' title 'stable cycle'", s, column));
    if (!u.empty())
      add(fmt::format("'{}' using 1:{} with lines lw 2 dt 2 lc rgb '#c0392b' title 'unstable cycle'", u, column));
    constexpr std::array<int, 4> shapes = {5, 9, 13, 11};
    for (std::size_t k = 0; k < events.size(); ++k)
      if (!events[k].empty())
        add(fmt::format("'{}' using 1:{} with points pt {} ps 1.6 lc rgb '#e67e22' title '{}'", events[k], column,
                        shapes[k], name_of(static_cast<CycleEvent>(k))));
    if (!plot.empty()) figure.add(fmt::format("set ylabel '{}' noenhanced\n{}", label, plot));
  };
  panel(2, fmt::format("largest {} of the cycle", scan.coordinates()[0]),
        brute.empty() ? "" : figure.add_data("simulations", brute));
  panel(3, "period [s]", "");
  figure.add("unset multiplot");
  return figure;
}

Results cycle_scan_results(const CycleScan& scan, const CycleDiagram& diagram) {
  return {"branches",
          diagram_json(scan, diagram).dump(2),
          diagram_text(scan, diagram),
          {{"branches.csv", branches_csv(scan, diagram)}, {"simulations.csv", motions_csv(scan, diagram)}},
          {diagram_figure(scan, diagram)}};
}

}  // namespace slipset
