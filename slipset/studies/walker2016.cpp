// Walker & Leine 2016: sliding paths and a non-convex reservoir.
#include <array>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/studies/registry.hpp"
#include "slipset/studies/sliding.hpp"
#include "slipset/studies/star_shaped.hpp"

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

// The gauge as the paper prints it, for unit normal force, written out once more.                    [WL16 31]
struct PrintedGauge {
  double mu1, mu2;

  double operator()(const Vec2& s) const {
    const double a = s.x() / mu1, b = s.y() / mu2;
    return 2.5 * (std::sqrt(a * a + b * b) - 0.6 * std::pow(std::pow(a, 4) + std::pow(b, 4), 0.25));
  }
  Vec2 gradient(const Vec2& s) const {  // by differences of fourth order
    const double d = 1e-3 * s.norm();
    const auto along = [&](const Vec2& e) {
      return (8 * ((*this)(s + d * e) - (*this)(s - d * e)) - (*this)(s + 2 * d * e) + (*this)(s - 2 * d * e)) /
             (12 * d);
    };
    return {along({1, 0}), along({0, 1})};
  }
  Vec2 boundary(const Vec2& direction) const { return direction / (*this)(direction); }
};

// How often the boundary turns from bending inwards to bending outwards, from a polygon of its points.
int dents(const PrintedGauge& gauge) {
  constexpr int count = 3600;
  std::vector<bool> inwards;
  for (int k = 0; k < count; ++k) {
    const auto at = [&](int i) { return gauge.boundary(unit(2 * kPi * (i + 0.5) / count)); };
    const Vec2 a = at(k + 1) - at(k), b = at(k + 2) - at(k + 1);
    inwards.push_back(a.x() * b.y() - a.y() * b.x() < 0);
  }
  int starts = 0;
  for (std::size_t k = 0; k < inwards.size(); ++k) starts += inwards[k] && !inwards[(k + count - 1) % count];
  return starts;
}

StudyResult fig7(const Study& study, const StudyProgress&) {
  constexpr std::array<std::string_view, 2> keys = {"friction", "direction"};
  const TomlTable own = study.compute(keys);
  const Vec2 mu = own.positive_pair("friction"), p = own.positive_pair("direction");
  const PrintedGauge gauge{mu.x(), mu.y()};
  const RunSetup scenario = read_run(study.root(), study.root());
  const Run run = simulate(*scenario.system, scenario.start, scenario.integrator, scenario.options);
  const SystemContact& contact = scenario.system->contacts().front();
  const PlanarSet& c = contact.law->law().reservoir();
  const std::size_t normal = run.table.column(contact.name + ".normal_force"),
                    friction = run.table.column(contact.name + ".friction_1"),
                    slip = run.table.column(contact.name + ".slip_1");
  double off = 0, from_d = 0, from_c = 0, from_force = 0, ratio = 1e300;
  for (std::size_t i = 1; i < run.table.rows().size(); ++i) {  // the first row is before any step
    const auto row = run.table.rows()[i];
    const Vec2 s = -Vec2(row[friction], row[friction + 1]) / row[normal], v(row[slip], row[slip + 1]);
    off = std::max(off, std::abs(gauge(s) - 1));
    ratio = std::min(ratio, std::hypot(s.x() / mu.x(), s.y() / mu.y()));
    // The ellipse D has the normal v where its point is along (p1² v1, p2² v2): there the paper's gauge has the force.
    const Vec2 ray(p.x() * p.x() * v.x(), p.y() * p.y() * v.y());
    from_force = std::max(from_force, (s - gauge.boundary(ray)).norm());
    from_d = std::max(from_d, angle_between(v, Vec2(s.x() / (p.x() * p.x()), s.y() / (p.y() * p.y()))));
    from_c = std::max(from_c, angle_between(v, gauge.gradient(s)));
  }
  StudyResult result;
  result.add("reservoir over the ellipse with its semi-axes, smallest ratio of the computed forces [-]", ratio);
  result.add("Eq. 31 of the forces off 1, largest [-]", off);
  result.add("forces off those by Eq. 31 and the ellipse D, largest [-]", from_force);
  result.add("slip off the normal of D, largest [degrees]", degrees(from_d));
  result.add("slip off the normal of C, largest [degrees]", degrees(from_c));
  result.add("arcs where the reservoir is not convex", static_cast<double>(c.nonconvex_arcs().size()));
  result.add("arcs where the curve of Eq. 31 bends inwards", dents(gauge));
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
  return {{"walker2016-fig5", walker2016_fig5},
          {"walker2016-fig6", fig6},
          {"walker2016-fig7", fig7},
          {"walker2016-fig8", fig8}};
}

}  // namespace slipset
