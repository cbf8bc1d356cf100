// Walker & Leine 2016: sliding paths and a non-convex reservoir.
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/sets/boundary_scan.hpp"
#include "slipset/studies/registry.hpp"
#include "slipset/studies/sliding.hpp"

namespace slipset {
namespace {

void add_ends(const std::vector<Slid>& all, StudyResult& result) {
  double raw = 0, extrapolated = 0;
  for (const Slid& s : all) {
    result.add("stop time, " + s.name + " [s]", s.rest.time);
    result.add("q1 at the end, " + s.name + " [m]", s.rest.end.x());
    result.add("q2 at the end, " + s.name + " [m]", s.rest.end.y());
    if (!s.event_driven) continue;
    raw = std::max(raw, (s.rest.end - s.moreau[0].end).norm());
    extrapolated = std::max(extrapolated, (s.rest.end - s.extrapolated.end).norm());
  }
  result.add("end points by Moreau off the event-driven ones, largest [m]", raw);
  result.add("the same, extrapolated to step 0 [m]", extrapolated);
}

StudyResult fig6(const Study& study, const StudyProgress& progress) {
  const std::vector<Slid> all = slide_all(study, progress);
  StudyResult result;
  add_ends(all, result);
  double smallest = kPi;
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    smallest = std::min(smallest, angle_of(all[i].rest.end) - angle_of(all[i + 1].rest.end));
  result.add("end angle, smallest growth from one ratio to the next larger [degrees]", degrees(smallest));
  const double start = angle_of(Vec2(all.front().scenario->start.u.head<2>()));
  for (const Slid& s : all) {
    result.add("deflection at the end, " + s.name + " [degrees]", degrees(angle_of(s.rest.end) - start));
    result.add("bend of the path over its length, " + s.name + " [-]", bend(s));
  }
  add_path_tables(all, result);
  result.figures.push_back(sets_figure(all, "Elliptical reservoir and direction sets (Fig. 6a)"));
  result.figures.push_back(sliding_paths_figure(all, "Sliding paths for the direction sets (Fig. 6b)"));
  return result;
}

// The angle between two directions [rad], 0 to π; keeps its digits where they are parallel.
double angle_between(const Vec2& a, const Vec2& b) {
  return std::atan2(std::abs(a.x() * b.y() - a.y() * b.x()), a.dot(b));
}

StudyResult fig7(const Study& study, const StudyProgress&) {
  const RunSetup scenario = read_run(study.root(), study.root());
  const Run run = simulate(*scenario.system, scenario.start, scenario.integrator, scenario.options);
  const SystemContact& contact = scenario.system->contacts().front();
  const PlanarSet &c = contact.law->law().reservoir(), &d = contact.law->law().direction();
  const std::size_t normal = run.table.column(contact.name + ".normal_force"),
                    friction = run.table.column(contact.name + ".friction_1"),
                    slip = run.table.column(contact.name + ".slip_1");
  const double a = c.boundary_point(0).norm(), b = c.boundary_point(kPi / 2).norm();
  double off = 0, ratio = 1e300, from_d = 0, from_c = 0;
  Vec2 largest(0, 0);
  for (std::size_t i = 1; i < run.table.rows().size(); ++i) {  // the first row is before any step
    const auto row = run.table.rows()[i];
    const Vec2 s = -Vec2(row[friction], row[friction + 1]) / row[normal], v(row[slip], row[slip + 1]);
    off = std::max(off, std::abs(c.gauge(s) - 1));
    ratio = std::min(ratio, std::hypot(s.x() / a, s.y() / b));
    largest = largest.cwiseMax(s.cwiseAbs());
    from_d = std::max(from_d, angle_between(v, d.gauge_gradient(s)));
    from_c = std::max(from_c, angle_between(v, c.gauge_gradient(s)));
  }
  double smallest = 1e300;
  for (const double angle : resolving_angles(c, d, 200000)) {
    const Vec2 p = c.boundary_point(angle);
    smallest = std::min(smallest, std::hypot(p.x() / a, p.y() / b));
  }
  StudyResult result;
  result.add("reservoir over the ellipse with its semi-axes, smallest ratio [-]", smallest);
  result.add("the same of the computed forces [-]", ratio);
  result.add("gauge of the forces off 1, largest [-]", off);
  result.add("semi-axis of the forces along e1 [-]", largest.x());
  result.add("semi-axis of the forces along e2 [-]", largest.y());
  result.add("slip off the normal of D, largest [degrees]", degrees(from_d));
  result.add("slip off the normal of C, largest [degrees]", degrees(from_c));
  result.add("arcs where the reservoir is not convex", static_cast<double>(c.nonconvex_arcs().size()));
  result.tables.emplace_back("forces", run.table);
  result.figures.push_back(force_figure(*scenario.system, run, "Forces on a non-convex reservoir (Fig. 7)"));
  return result;
}

StudyResult fig8(const Study& study, const StudyProgress& progress) {
  const std::vector<Slid> all = slide_all(study, progress);
  StudyResult result;
  add_ends(all, result);
  double shortest = 1e300, fastest = 1e300, slowest = 0, rectangle = 0, rectangle_time = 0, nonconvex_time = 0,
         rectangle_deflection = 0, deflection = 0;
  for (const Slid& s : all) {
    const double turned = angle_of(s.rest.end) - angle_of(Vec2(s.scenario->start.u.head<2>()));
    if (s.name == "rectangle") {
      rectangle = s.rest.length;
      rectangle_time = s.rest.time;
      rectangle_deflection = turned;
    } else {
      shortest = std::min(shortest, s.rest.length);
      fastest = std::min(fastest, s.rest.time);
      deflection = std::max(deflection, turned);
    }
    if (s.name == "non-convex")
      nonconvex_time = s.rest.time;
    else
      slowest = std::max(slowest, s.rest.time);
    if (s.name == "collinear") result.add("bend of the path over its length, collinear [-]", bend(s));
    result.add("length of the path, " + s.name + " [m]", s.rest.length);
  }
  result.add("rectangle's path over the shortest other one [-]", rectangle / shortest);
  result.add("rectangle's stop time over the shortest other one [-]", rectangle_time / fastest);
  result.add("rectangle's deflection over the largest other one [-]", rectangle_deflection / deflection,
             "The text says only that the rectangle leads to a large deflection.");
  result.add("non-convex reservoir's stop time over the longest other one [-]", nonconvex_time / slowest);
  add_path_tables(all, result);
  result.figures.push_back(sets_figure(all, "Reservoirs and direction sets of the four laws"));
  result.figures.push_back(sliding_paths_figure(all, "Sliding paths for different force laws (Fig. 8)"));
  return result;
}

}  // namespace

std::vector<StudyEntry> walker2016_studies() {
  return {{"walker2016-fig6", fig6}, {"walker2016-fig7", fig7}, {"walker2016-fig8", fig8}};
}

}  // namespace slipset
