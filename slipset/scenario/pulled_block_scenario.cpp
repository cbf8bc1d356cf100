#include "slipset/scenario/pulled_block_scenario.hpp"

#include <fmt/format.h>

#include <array>

#include "slipset/scenario/law_scenario.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

constexpr std::string_view kKind = "pulled-block";
constexpr std::array<std::string_view, 4> kKeys = {"kind", "normal_force", "path", "rule"};
constexpr std::string_view kPathExample = "a table, as in { kind = \"circle\", radius = 0.01 }";

void read_path(const TomlTable& t, PulledBlockScenario& scenario) {
  constexpr std::array<std::string_view, 5> kinds = {"pull", "line", "back-and-forth", "circle", "figure-eight"};
  const std::array<std::vector<std::string_view>, 5> keys = {{{"kind", "distance", "increments"},
                                                              {"kind", "distance", "angle", "increments"},
                                                              {"kind", "amplitude", "angle", "cycles", "increments"},
                                                              {"kind", "radius", "cycles", "increments"},
                                                              {"kind", "length", "angle", "cycles", "increments"}}};
  scenario.motion = t.choice("kind", kinds);
  t.allow_only(keys[static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), scenario.motion) - kinds.begin())]);
  const int increments = t.has("increments") ? t.whole("increments", 4, 1000000) : 400;
  const int cycles = t.has("cycles") ? t.whole("cycles", 1, 10000) : 2;
  if (static_cast<double>(increments) * cycles > 1e7) t.fail("cycles", "more than 1e7 increments in all");
  const double angle = radians(t.number_or("angle", 0));
  scenario.increments = increments;
  if (scenario.motion == "pull") {
    scenario.distance = t.positive("distance");
  } else if (scenario.motion == "line") {
    scenario.positions = line_path(t.positive("distance"), angle, increments);
  } else if (scenario.motion == "back-and-forth") {
    scenario.positions = back_and_forth_path(t.positive("amplitude"), angle, cycles, increments);
  } else if (scenario.motion == "circle") {
    scenario.positions = circle_path(t.positive("radius"), cycles, increments);
  } else {
    scenario.positions = figure_eight_path(t.positive("length"), angle, cycles, increments);
  }
}

}  // namespace

bool is_pulled_block(const std::filesystem::path& path) {
  const TomlFile file(path);
  if (!file.root().has("system")) return false;
  const TomlTable t = file.root().table("system");
  return t.has("kind") && t.is_text("kind") && t.text("kind") == kKind;
}

PulledBlockScenario read_pulled_block(const std::filesystem::path& path) {
  const LawScenario law = read_law_scenario(path);
  const TomlFile file(path);
  const TomlTable root = file.root();
  for (const std::string_view name : {"initial", "integrator", "output"})
    if (root.has(name))
      root.fail(name, "a pulled-block moves as it is led, without inertia, and writes its own files; leave this out");
  for (const std::string& table : law.set_aside)
    if (table != "elastic") root.table("law").fail(table, "is no part of a pulled-block; take it out");
  if (law.law.stribeck()) root.table("law").fail("stribeck", "is no part of a pulled-block; take it out");
  if (!law.law.elastic())
    root.table("law").fail("elastic", "missing; a pulled-block needs elastic = { stiffness = [k1, k2], angle = 0 }");

  const TomlTable t = root.table("system");
  t.allow_only(kKeys);
  PulledBlockScenario scenario{law.title, ElasticReturn({law.law, *law.law.elastic()}), "", {}, 0, 0, {}};
  if (t.is_number("normal_force")) {
    scenario.options.normal_before = scenario.options.normal_after = t.positive("normal_force");
  } else {
    const Vec2 pair = t.positive_pair("normal_force");
    scenario.options.normal_before = pair.x();
    scenario.options.normal_after = pair.y();
  }
  constexpr std::array<std::string_view, 2> rules = {"implicit", "midpoint"};
  if (t.has("rule") && t.choice("rule", rules) == "implicit") scenario.options.rule = IncrementRule::implicit;
  const TomlTable path_table = t.table("path", kPathExample);
  path_table.located("", [&] { read_path(path_table, scenario); });
  return scenario;
}

InterfaceRun run_pulled_block(const PulledBlockScenario& s) {
  return s.positions.empty() ? pull_block(s.interface, s.distance, s.increments, s.options)
                             : lead_block(s.interface, s.positions, s.options);
}

nlohmann::ordered_json pulled_block_json(const PulledBlockScenario& s, const InterfaceRun& run) {
  const InterfaceRow& end = run.rows.back();
  nlohmann::ordered_json json;
  json["motion"] = s.motion;
  json["position"] = {end.position.x(), end.position.y()};
  json["force"] = {end.force.x(), end.force.y()};
  json["slip"] = {end.slip.x(), end.slip.y()};
  json["path_length"] = end.way;
  json["work"] = end.work;
  json["dissipated"] = end.dissipated;
  json["stored"] = end.stored;
  json["energy_residual"] = end.work - end.dissipated - (end.stored - run.rows.front().stored);
  if (s.motion == "pull") json["pull_angle"] = degrees(angle_of_pull(run));
  json["rows"] = run.rows.size();
  json["report"] = {{"rule", s.motion == "pull" || s.options.rule == IncrementRule::implicit ? "implicit" : "midpoint"},
                    {"implicit_increments", run.implicit},
                    {"several", run.several},
                    {"not_found", run.not_found}};
  return json;
}

std::string pulled_block_text(const PulledBlockScenario& s, const InterfaceRun& run) {
  const InterfaceRow& end = run.rows.back();
  std::string text = fmt::format("{}, {} rows, path of {:.10g} m\n", s.motion, run.rows.size(), end.way);
  text += fmt::format("position          {:.10g}, {:.10g} m, of it slip {:.10g}, {:.10g}\n", end.position.x(),
                      end.position.y(), end.slip.x(), end.slip.y());
  text += fmt::format("force             {:.10g}, {:.10g} N\n", end.force.x(), end.force.y());
  if (s.motion == "pull") text += fmt::format("angle to the pull {:.10g} degrees\n", degrees(angle_of_pull(run)));
  text += fmt::format("energy            {:.10g} J work, {:.10g} J dissipated, {:.10g} J stored\n", end.work,
                      end.dissipated, end.stored);
  if (run.implicit > 0)
    text += fmt::format("{} increments were too large for the midpoint rule and taken as implicit ones; give more\n",
                        run.implicit);
  if (run.several > 0) text += fmt::format("several solutions in {} increments; the nearest was taken\n", run.several);
  if (run.not_found > 0) text += "no solution in the last increment: the run ended there\n";
  return text;
}

Trajectory pulled_block_table(const InterfaceRun& run) {
  Trajectory table;
  table.columns = {"way",          "x",     "y",    "force_x",    "force_y", "slip_x", "slip_y",
                   "normal_force", "slips", "work", "dissipated", "stored"};
  for (const InterfaceRow& r : run.rows)
    table.rows.push_back({r.way, r.position.x(), r.position.y(), r.force.x(), r.force.y(), r.slip.x(), r.slip.y(),
                          r.normal_force, r.slips ? 1.0 : 0.0, r.work, r.dissipated, r.stored});
  return table;
}

Figure hysteresis_figure(const InterfaceRun& run, const std::string& title) {
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

Figure interface_force_figure(const PulledBlockScenario& s, const InterfaceRun& run) {
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
