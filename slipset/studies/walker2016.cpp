// Walker & Leine 2016: sliding paths and a non-convex reservoir.
#include "slipset/core/angle.hpp"
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
  result.add("end angle, smallest growth from one ratio to the next larger [degrees]", smallest * 180 / kPi);
  const double start = angle_of(Vec2(all.front().scenario->start.u.head<2>()));
  for (const Slid& s : all) {
    result.add("deflection at the end, " + s.name + " [degrees]", (angle_of(s.rest.end) - start) * 180 / kPi);
    result.add("bend of the path over its length, " + s.name + " [-]", bend(s));
  }
  add_path_tables(all, result);
  result.figures.push_back(sets_figure(all, "Elliptical reservoir and direction sets (Fig. 6a)"));
  result.figures.push_back(sliding_paths_figure(all, "Sliding paths for the direction sets (Fig. 6b)"));
  return result;
}

}  // namespace

std::vector<StudyEntry> walker2016_studies() { return {{"walker2016-fig6", fig6}}; }

}  // namespace slipset
