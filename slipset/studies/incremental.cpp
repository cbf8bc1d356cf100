#include "slipset/studies/incremental.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "slipset/scenario/run_setup.hpp"
#include "slipset/studies/curves.hpp"

namespace slipset {
namespace {

// Rows of one motion at whole multiples of the row step: events add rows in between.
struct Motion {
  std::vector<double> time;
  std::vector<Vec2> position, velocity, friction;
};

Motion motion_of(const System& system, const Run& run, double row_step) {
  const std::size_t friction = run.table.column(system.contacts().front().name + ".friction_1");
  Motion m;
  for (const auto row : run.table.rows()) {
    if (std::abs(row[0] - row_step * static_cast<double>(m.time.size())) > 1e-6 * row_step) continue;
    m.time.push_back(row[0]);
    m.position.emplace_back(row[1], row[2]);
    m.velocity.emplace_back(row[3], row[4]);
    m.friction.emplace_back(row[friction], row[friction + 1]);
  }
  return m;
}

// V = ½ Δu·M Δu + ½ Δq·K Δq of two motions of one system, and the work of the difference of their friction forces, which
// is all that can change it.                                                                      [WL19 78, 79]
struct Distance {
  std::vector<double> v;
  double rise = 0;     // from the smallest so far, over the start
  double balance = 0;  // V at the end off V at the start plus that work, over the start
};

Distance distance_of(const Motion& a, const Motion& b, const MatrixX& mass, const MatrixX& stiffness) {
  Distance d;
  const std::size_t count = std::min(a.time.size(), b.time.size());
  double least = INFINITY, work = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 q = a.position[i] - b.position[i], u = a.velocity[i] - b.velocity[i], f = a.friction[i] - b.friction[i];
    d.v.push_back(0.5 * u.dot(mass * u) + 0.5 * q.dot(stiffness * q));
    least = std::min(least, d.v.back());
    d.rise = std::max(d.rise, (d.v.back() - least) / d.v.front());
    if (i == 0) continue;
    const Vec2 before = a.friction[i - 1] - b.friction[i - 1], moved = q - (a.position[i - 1] - b.position[i - 1]);
    work += 0.5 * (f + before).dot(moved);
  }
  d.balance = count == 0 ? NAN : std::abs(d.v.back() - d.v.front() - work) / d.v.front();
  return d;
}

}  // namespace

StudyResult walker2019_theorem1(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 1> keys = {"starts"};
  constexpr std::array<std::string_view, 4> case_keys = {"name", "law", "integrator", "system"};
  const std::vector<double> starts = study.compute(keys).list("starts");
  StudyResult result;
  std::vector<FigureCurve> curves;
  const auto cases = study.cases();
  for (const TomlTable& c : cases) {
    c.allow_only(case_keys);
    const std::string name = c.text("name");
    const RunSetup setup = read_run(study.root(), c);
    const System& system = *setup.system;
    SystemAt at = sized_for(system);
    system.evaluate(0, VectorX::Zero(2), VectorX::Zero(2), at);
    const MatrixX mass = at.mass;
    MatrixX stiffness(2, 2);
    for (Eigen::Index k = 0; k < 2; ++k) {
      system.evaluate(0, VectorX::Unit(2, k), VectorX::Zero(2), at);
      stiffness.col(k) = -at.force;
    }
    const auto* events = std::get_if<EventDriven>(&setup.integrator);
    const double row_step = events ? events->row_step : std::get<Moreau>(setup.integrator).step * setup.options.every;
    std::vector<Motion> motions;
    for (std::size_t i = 0; i + 3 < starts.size(); i += 4) {
      State start{0, Vec2(starts[i], starts[i + 1]), Vec2(starts[i + 2], starts[i + 3])};
      motions.push_back(motion_of(system, simulate(system, start, setup.integrator, setup.options), row_step));
    }
    double rise = 0, balance = 0, growth = 0;
    for (std::size_t i = 0; i < motions.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        const Distance d = distance_of(motions[i], motions[k], mass, stiffness);
        rise = std::max(rise, d.rise);
        balance = std::max(balance, d.balance);
        for (const double v : d.v) growth = std::max(growth, v / d.v.front());
        if (i != 3 || k != 2) continue;
        CurveRows rows;
        for (std::size_t n = 0; n < d.v.size(); ++n) rows.push_back({row_step * static_cast<double>(n), d.v[n]});
        curves.push_back({name, std::move(rows)});
      }
    result.add("largest rise of V over its start, " + name + " [-]", rise,
               fmt::format("Of {} pairs of motions.", motions.size() * (motions.size() - 1) / 2));
    result.add("largest V over its start, " + name + " [-]", growth);
    result.add("V off the work of the friction forces' difference, relative, " + name + " [-]", balance);
    progress(static_cast<double>(curves.size()) / static_cast<double>(cases.size()));
  }
  Figure figure("distance", 900, 560);
  figure.add(
      "set title 'Distance of two motions on the belt (Theorem 1)'\nset xlabel 't [s]'\nset ylabel 'V [J]'\nset "
      "logscale "
      "y\nset format y '10^{%L}'\nset key right bottom");
  add_plot("c", curves, figure);
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace slipset
