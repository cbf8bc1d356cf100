#include "slipset/studies/sliding.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/laws/slip_path.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/sets/boundary_scan.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

// The event-driven integrator takes direction sets without flat sides and corners.
bool has_smooth_direction(const RunSetup& scenario) {
  for (const SystemContact& contact : scenario.system->contacts())
    if (contact.law->direction_has_corners() || !flat_sides(contact.law->law()).empty()) return false;
  return true;
}

// A sliding body comes to rest within Moreau's last step, the first that sticks: after the part of the step in which
// friction at the reservoir's boundary would have used up the impulse.
double time_of_rest(const RunSetup& scenario, const Run& run) {
  const SystemContact& contact = scenario.system->contacts().front();
  const Table& table = run.table;
  const Table::Row row = table.rows().back();
  const std::size_t normal = table.column(contact.name + ".normal_force"),
                    friction = table.column(contact.name + ".friction_1");
  const Vec2 resistance = -Vec2(row[friction], row[friction + 1]) / row[normal];
  return run.end.t -
         std::get<Moreau>(scenario.integrator).step * (1 - contact.law->law().reservoir().gauge(resistance));
}

// Length of the path of a body without spin: between two rows an arc that turns by the angle δ of the velocities is
// longer than its chord by the factor 1 + δ²/24, to fourth order.
double arc_length(const Run& run) {
  const Table::Rows rows = run.table.rows();
  double length = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Vec2 chord(rows[i][1] - rows[i - 1][1], rows[i][2] - rows[i - 1][2]);
    const Vec2 before(rows[i - 1][3], rows[i - 1][4]), after(rows[i][3], rows[i][4]);
    const double turn = std::atan2(before.x() * after.y() - before.y() * after.x(), before.dot(after));
    const bool moves = !after.isZero(0);  // at rest there is no direction
    length += chord.norm() * (moves ? 1 + turn * turn / 24 : 1);
  }
  return length;
}

Slid slide(const TomlTable& root, const TomlTable& over) {
  Slid slid;
  slid.name = over.text("name");
  slid.scenario = std::make_shared<RunSetup>(read_run(root, over));
  RunSetup& scenario = *slid.scenario;
  if (scenario.system->dofs() != 2) root.table("system").fail("kind", "this study needs a sliding-body");
  scenario.options.until_stick = true;
  Run moreau;
  for (Rest& rest : slid.moreau) {
    moreau = simulate(*scenario.system, scenario.start, scenario.integrator, scenario.options);
    rest = {time_of_rest(scenario, moreau), moreau.end.q.head<2>(), moreau.path_length};
    std::get<Moreau>(scenario.integrator).step /= 2;
  }
  const Rest &coarse = slid.moreau[1], &fine = slid.moreau[2];
  slid.extrapolated = {2 * fine.time - coarse.time, 2 * fine.end - coarse.end, 2 * fine.length - coarse.length};
  slid.event_driven = has_smooth_direction(scenario);
  slid.rest = fine;
  if (slid.event_driven) {
    const double end = moreau.end.t;
    moreau = simulate(*scenario.system, scenario.start, EventDriven{.row_step = end / 5000},
                      {.duration = 10 * end, .until_stick = true});
    slid.rest = {moreau.stop_time.value_or(std::nan("")), moreau.end.q.head<2>(), arc_length(moreau)};
  }
  slid.run = std::move(moreau);
  return slid;
}

// About 1000 points (x, y), the last one among them.
Rows path_of(const Run& run, const std::vector<std::string>& coordinates) {
  const std::size_t x = run.table.column(coordinates[0]), y = run.table.column(coordinates[1]);
  Rows rows;
  const std::size_t step = std::max<std::size_t>(1, run.table.rows().size() / 1000);
  for (std::size_t i = 0; i < run.table.rows().size(); i += step)
    rows.push_back({run.table.rows()[i][x], run.table.rows()[i][y]});
  rows.push_back({run.end.q[0], run.end.q[1]});
  return rows;
}

}  // namespace

std::string curve_colour(std::size_t index) {
  constexpr std::array<const char*, 6> colours = {"#1f4e79", "#2e8b57", "#c0392b", "#e67e22", "#7d3c98", "#555555"};
  return colours[index % colours.size()];
}

double Slid::moreau_order() const {
  return std::log2((moreau[1].end - moreau[0].end).norm() / (moreau[2].end - moreau[1].end).norm());
}

std::vector<Slid> slide_all(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 6> keys = {"name", "law", "system", "initial", "integrator", "output"};
  std::vector<Slid> all;
  const auto cases = study.cases();
  for (const TomlTable& over : cases) {
    over.allow_only(keys);
    all.push_back(slide(study.root(), over));
    progress(static_cast<double>(all.size()) / static_cast<double>(cases.size()));
  }
  return all;
}

double bend(const Slid& slid) {
  const Vec2 along = slid.rest.end / slid.rest.end.norm();
  double largest = 0;
  for (const auto& point : path_of(slid.run, slid.scenario->system->coordinates()))
    largest = std::max(largest, std::abs(along.x() * point[1] - along.y() * point[0]));
  return largest / slid.rest.end.norm();
}

void add_path_tables(const std::vector<Slid>& all, StudyResult& result) {
  for (const Slid& slid : all) {
    std::string name = "path-";
    for (const char c : slid.name) {
      const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
      if (plain || name.back() != '-') name += plain ? c : '-';
    }
    Table table(slid.run.table.names());
    const std::size_t rows = slid.run.table.size(), step = std::max<std::size_t>(1, rows / 1000);
    for (std::size_t i = 0; i < rows; i += step) table.add_row(slid.run.table.rows()[i].numbers());
    if ((rows - 1) % step != 0) table.add_row(slid.run.table.rows().back().numbers());
    result.tables.emplace_back(name, std::move(table));
  }
}

namespace {

// Paths, each turned by the angle that `turn` gives.
std::string plot_paths(const std::vector<Slid>& all, double (*turn)(const Slid&), Figure& figure) {
  std::string plot;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Eigen::Rotation2Dd by(turn(all[i]));
    Rows rows = path_of(all[i].run, all[i].scenario->system->coordinates());
    for (auto& row : rows) {
      const Vec2 p = by * Vec2(row[0], row[1]);
      row = {p.x(), p.y()};
    }
    const Vec2 end = by * all[i].rest.end;
    const std::string file = figure.add_data(fmt::format("{}", i + 1), rows),
                      mark = figure.add_data(fmt::format("{}-end", i + 1), {{end.x(), end.y()}});
    plot += fmt::format(
        "{0}'{1}' using 1:2 with lines lw 2 lc rgb '{2}' title {3} noenhanced, '{4}' using 1:2 with points pt 7 ps 1.2 "
        "lc rgb '{2}' notitle",
        i ? ", " : "plot ", file, curve_colour(i), gnuplot_string(all[i].name), mark);
  }
  return plot;
}

}  // namespace

Figure sliding_paths_figure(const std::vector<Slid>& all, const std::string& title, const std::string& name) {
  Figure figure(name, 800, 760);
  figure.add(
      fmt::format("set title {} noenhanced\nset size ratio -1\nset offsets graph 0.02, graph 0.02, graph 0.02, "
                  "graph 0.02\nset xlabel 'q1 [m]'\nset ylabel 'q2 [m]'",
                  gnuplot_string(title)));
  figure.add(plot_paths(
      all, [](const Slid&) { return 0.0; }, figure));
  return figure;
}

Figure paths_along_start_figure(const std::vector<Slid>& all, const std::string& title) {
  Figure figure("paths", 1000, 420);
  figure.add(fmt::format(
      "set title {} noenhanced\nset size ratio -1\nset xrange [0:*]\nset offsets 0, 0, graph 0.1, graph 0.1\n"
      "set xlabel 'along the initial slip [m]'\nset ylabel 'lateral [m]'\nset ytics 0.01",
      gnuplot_string(title)));
  figure.add(plot_paths(
      all, [](const Slid& s) { return -angle_of(Vec2(s.scenario->start.u.head<2>())); }, figure));
  return figure;
}

Figure sets_figure(const std::vector<Slid>& all, const std::string& title) {
  const auto shape_of = [](const PlanarSet& set) {
    std::string shape;
    for (int k = 0; k < 16; ++k) shape += fmt::format("{:.9g} ", set.boundary_point(0.1 + 0.39 * k).norm());
    return shape;
  };
  Figure figure("sets", 800, 640);
  figure.add(
      fmt::format("set title {} noenhanced\nset size ratio -1\nset offsets graph 0.03, graph 0.03, graph 0.03, "
                  "graph 0.03\nset xlabel 'resistance along e1, per unit normal force'\nset ylabel 'resistance "
                  "along e2, per unit normal force'",
                  gnuplot_string(title)));
  const auto reservoir_of = [](const Slid& s) { return s.scenario->system->contacts().front().law->law().reservoir(); };
  const bool one_reservoir = std::all_of(all.begin(), all.end(), [&](const Slid& s) {
    return shape_of(reservoir_of(s)) == shape_of(reservoir_of(all.front()));
  });
  std::string reservoirs, directions;
  std::vector<std::string> drawn;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const FrictionLaw& law = all[i].scenario->system->contacts().front().law->law();
    Rows rows;
    std::vector<double> angles = resolving_angles(law.reservoir(), law.direction());
    angles.push_back(angles.front());
    for (const double a : angles) {
      const Vec2 c = law.reservoir().boundary_point(a), d = law.direction().boundary_point(a);
      rows.push_back({c.x(), c.y(), d.x(), d.y()});
    }
    const std::string file = figure.add_data(fmt::format("{}", i + 1), rows);
    const std::string shape = shape_of(law.reservoir());
    if (std::find(drawn.begin(), drawn.end(), shape) == drawn.end()) {
      // Wide and pale, so that a direction set on it is seen.
      constexpr std::array<const char*, 4> pale = {"#9aa7b4", "#f0c8a0", "#a9cfb8", "#d7b4de"};
      reservoirs += fmt::format("{}'{}' using 1:2 with lines lw 6 lc rgb '{}' title {} noenhanced",
                                drawn.empty() ? "plot " : ", ", file, pale[drawn.size() % pale.size()],
                                gnuplot_string(one_reservoir ? "C" : "C, " + all[i].name));
      drawn.push_back(shape);
    }
    directions += fmt::format(", '{}' using 3:4 with lines lw 2 dt 2 lc rgb '{}' title {} noenhanced", file,
                              curve_colour(i), gnuplot_string("D, " + all[i].name));
  }
  figure.add(reservoirs + directions);
  return figure;
}

}  // namespace slipset
