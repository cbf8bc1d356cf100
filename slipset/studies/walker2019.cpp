// Walker & Leine 2019: the limit cycle on the belt (Fig. 17), sliding paths with measured sets (Figs. 19, 27).
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/identification/sliding_paths.hpp"
#include "slipset/stability/belt_cycle.hpp"
#include "slipset/studies/belt_figures.hpp"
#include "slipset/studies/belt_stability.hpp"
#include "slipset/studies/incremental.hpp"
#include "slipset/studies/mechanisms.hpp"
#include "slipset/studies/registry.hpp"
#include "slipset/studies/sliding.hpp"
#include "slipset/studies/tensors.hpp"
#include "slipset/studies/tribometer.hpp"
#include "slipset/systems/disk_on_pads.hpp"

namespace slipset {
namespace {

StudyResult fig17(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 2> keys = {"steps", "cycles"};
  const TomlTable own = study.compute(keys);
  const std::vector<double> steps = own.list("steps");
  if (steps.size() < 2) own.fail("steps", "found one; expected at least two, each half of the one before");
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (!(steps[i] > 0) || (i > 0 && std::abs(steps[i] / steps[i - 1] - 0.5) > 1e-9))
      own.fail("steps", "expected positive steps, each half of the one before, as in [0.02, 0.01]");
  const double cycles = own.positive("cycles");
  if (cycles != std::floor(cycles) || cycles > 10000) own.fail("cycles", "expected a whole number from 1 to 10000");

  const RunSetup scenario = read_run(study.root(), study.root());
  const BeltMotion motion = belt_motion_of(*scenario.system);
  const FrictionLaw& law = scenario.system->contacts().front().law->law();

  // Moreau's motion leads from the file's start to the cycle; the cycle itself is then found without time steps.
  const Run transient = simulate(*scenario.system, scenario.start, Moreau{.step = steps.front()}, scenario.options);
  const std::size_t mode = transient.table.column(scenario.system->contacts()[0].name + ".mode");
  std::optional<Vec2> guess;
  for (const auto row : transient.table.rows())
    if (row[mode] == static_cast<double>(ContactMode::stick)) guess = Vec2(row[1], row[2]);
  if (!guess) throw InvalidInput("walker2019-fig17: the mass does not stick within the duration of [integrator]");
  const std::optional<PeriodicCycle> periodic = periodic_belt_cycle(motion, *guess);
  if (!periodic) throw InvalidInput("walker2019-fig17: no periodic motion found from the end of the run");
  const BeltCycle& cycle = periodic->cycle;

  StudyResult result;
  result.add("period [s]", cycle.period());
  result.add("stick time per period [s]", cycle.stick_time);
  result.add("x, smallest [m]", cycle.smallest.x());
  result.add("x, largest [m]", cycle.largest.x());
  result.add("y, smallest [m]", cycle.smallest.y());
  result.add("y, largest [m]", cycle.largest.y());
  const Vec2 friction = motion.stiffness * cycle.slip_start;
  result.add("friction force along x at the end of stick [N]", friction.x());
  result.add("friction force along y at the end of stick [N]", friction.y());
  result.add("multiplier of the return map [-]", periodic->multiplier,
             fmt::format("Fixed point of a map of one number, found with {} cycles.", periodic->cycles));
  result.add("stick time over period [-]", cycle.stick_time / cycle.period());
  const Vec2 held = -(motion.stiffness * cycle.stick_start) / motion.normal_force;
  result.add("gauge of the friction force when stick begins [-]", law.reservoir().gauge(held));

  std::vector<MoreauCycle> moreau;
  const Vec2 section = 0.5 * (cycle.stick_start + cycle.slip_start);
  for (const double step : steps) {
    moreau.push_back(moreau_cycle(motion, scenario.start, step, section, static_cast<int>(cycles)));
    result.add(fmt::format("period by Moreau, step {} [s]", step), moreau.back().period,
               fmt::format("{} steps had several solutions.", moreau.back().ambiguous));
    progress(static_cast<double>(moreau.size()) / static_cast<double>(steps.size()));
  }
  const MoreauCycle &fine = moreau.back(), &coarse = moreau[moreau.size() - 2];
  result.add("period by Moreau, extrapolated [s]", 2 * fine.period - coarse.period);
  result.add("stick by Moreau, extrapolated [s]", 2 * fine.stick_time - coarse.stick_time);
  if (moreau.size() > 2)
    result.add("order of Moreau's period [-]",
               std::log2((moreau[moreau.size() - 3].period - coarse.period) / (coarse.period - fine.period)));

  Table periods({"step", "period", "stick_time"});
  for (const MoreauCycle& m : moreau) periods.add_row({m.step, m.period, m.stick_time});
  result.tables = {{"slip", cycle.slip.table}, {"moreau-cycle", moreau.front().last}, {"periods", periods}};
  result.figures.push_back(cycle_path_figure(motion, cycle, moreau.front().last));
  result.figures.push_back(cycle_force_figure(motion, cycle, moreau.front().last));
  result.figures.push_back(cycle_time_figure(motion, cycle));
  return result;
}

// End point along the initial slip and to the left of it.
Vec2 in_start_frame(const Slid& s) {
  const Vec2 e = Vec2(s.scenario->start.u.head<2>()).normalized();
  return {e.dot(s.rest.end), e.x() * s.rest.end.y() - e.y() * s.rest.end.x()};
}

// How far the disk on three pads ends from the body, both by Moreau with the file's step.
double disk_off_body(const Slid& s, double step) {
  const FrictionLaw& law = s.scenario->system->contacts().front().law->law();
  const DiskOnPads disk(law, DiskOnPadsParameters{});
  const Vec2 u = s.scenario->start.u.head<2>();
  const State start{0, VectorX::Zero(3), (VectorX(3) << u, 0.0).finished()};
  return (Vec2(simulate(disk, start, Moreau{.step = step}, s.scenario->options).end.q.head<2>()) - s.moreau[0].end)
      .norm();
}

// As if the extended law's path had been filmed, a frame every 2 ms: how far each law's is from it at equal times.
void add_distances(const std::vector<Slid>& shown, StudyResult& result) {
  SlidingPath filmed;
  for (const Slid& s : shown) {
    if (!s.name.starts_with("extended")) continue;
    for (double t = 0; t < s.rest.time; t += 2e-3) filmed.time.push_back(t);
    filmed.position =
        slide_positions(s.scenario->system->contacts().front().law->law(), s.scenario->start.u.head<2>(), filmed.time);
  }
  if (filmed.time.size() < 5) return;
  std::vector<FrictionLaw> laws;
  for (const Slid& s : shown) laws.push_back(s.scenario->system->contacts().front().law->law());
  const PathComparison compared = compare_path(filmed, laws);
  for (std::size_t i = 0; i < shown.size(); ++i)
    result.add("path off that of the extended law, rms, " + shown[i].name + " [m]", compared.laws[i].rms);
}

StudyResult fig27(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 1> keys = {"disk_step"};
  const double step = study.compute(keys).positive("disk_step");
  const std::vector<Slid> all = slide_all(study, progress);
  StudyResult result;
  double off = 0, others = 0, others_e1 = 0, extended = 0, extended_e1 = 0, disk = 0;
  std::vector<Slid> shown;
  for (const Slid& s : all) {
    const Vec2 end = in_start_frame(s);
    result.add("along, " + s.name + " [m]", end.x());
    result.add("lateral, " + s.name + " [m]", end.y());
    result.add("length, " + s.name + " [m]", s.rest.length);
    result.add("time, " + s.name + " [s]", s.rest.time);
    off = std::max({off, (s.rest.end - s.extrapolated.end).norm(), std::abs(s.rest.length - s.extrapolated.length),
                    std::abs(s.rest.time - s.extrapolated.time)});
    const bool from_e1 = s.name.ends_with("from e1"), is_extended = s.name.starts_with("extended");
    double& largest = is_extended ? (from_e1 ? extended_e1 : extended) : (from_e1 ? others_e1 : others);
    largest = std::max(largest, std::abs(end.y()));
    if (from_e1) continue;
    shown.push_back(s);
    if (is_extended) disk = disk_off_body(s, step);
  }
  add_distances(shown, result);
  result.add("lateral of the extended law over the largest of the others [-]", extended / others);
  result.add("the same, phi from e1 [-]", extended_e1 / others_e1);
  result.add("Moreau, extrapolated to step 0, off the event-driven values, largest [m, s]", off);
  result.add("end of the disk on three pads off that of a body, extended, largest [m]", disk);
  add_path_tables(all, result);
  result.figures.push_back(sets_figure(shown, "Fitted sets of PVC on surface ground steel (Fig. 26, Table 1)"));
  result.figures.push_back(paths_along_start_figure(shown, "Sliding paths with the fitted sets (Fig. 27)"));
  return result;
}

// The angle between the last slip and the grooves, e2, from where the body has a hundredth of its speed left [rad].
double last_direction(const Slid& s) {
  const double v0 = s.scenario->start.u.norm();
  const Table::Rows rows = s.run.table.rows();
  for (std::size_t i = rows.size(); i-- > 0;)
    if (const Vec2 u(rows[i][3], rows[i][4]); u.norm() > 0.01 * v0) return std::atan2(std::abs(u.x()), std::abs(u.y()));
  return NAN;
}

StudyResult fig19(const Study& study, const StudyProgress& progress) {
  const std::vector<Slid> all = slide_all(study, progress);
  StudyResult result;
  double off = 0, scaling_low = INFINITY, scaling_high = 0, along = NAN, across = NAN, grows = INFINITY, before = 0;
  std::vector<Slid> speeds, angles;
  for (const Slid& s : all) {
    const Vec2 u = s.scenario->start.u.head<2>();
    result.add("length, " + s.name + " [m]", s.rest.length);
    result.add("last slip from the grooves, " + s.name + " [degrees]", degrees(last_direction(s)));
    off = std::max({off, (s.rest.end - s.extrapolated.end).norm(), std::abs(s.rest.length - s.extrapolated.length)});
    if (s.name.starts_with("47 degrees")) {  // in order of speed
      const double scaled = s.rest.length / u.squaredNorm();
      scaling_low = std::min(scaling_low, scaled);
      scaling_high = std::max(scaling_high, scaled);
      grows = std::min(grows, s.rest.length - before);
      before = s.rest.length;
      speeds.push_back(s);
    }
    if (u.x() == 0 || u.y() == 0) {
      result.add("bend of the path over its length, " + s.name + " [-]", bend(s));
      (u.x() == 0 ? along : across) = s.rest.length;
    }
    if (s.name.ends_with("1.49 m/s")) angles.push_back(s);
  }
  result.add("path along the grooves over that across them [-]", along / across);
  result.add("47 degrees: smallest growth of the length from one speed to the next [m]", grows);
  result.add("47 degrees: length over the square of the speed, largest over smallest, less 1 [-]",
             scaling_high / scaling_low - 1);
  result.add("Moreau, extrapolated to step 0, off the event-driven values, largest [m]", off);
  add_path_tables(all, result);
  result.figures.push_back(
      sliding_paths_figure(speeds, "47 degrees, three speeds; the grooves are vertical (Fig. 19a)", "speeds"));
  result.figures.push_back(
      sliding_paths_figure(angles, "1.49 m/s, several angles; the grooves are vertical (Fig. 19b)", "angles"));
  return result;
}

}  // namespace

std::vector<StudyEntry> walker2019_studies() {
  return {{"walker2019-fig12", walker2019_fig12},
          {"walker2019-fig13", walker2019_fig13},
          {"walker2019-theorem1", walker2019_theorem1},
          {"walker2019-fig16", walker2019_fig16},
          {"walker2019-fig17", fig17},
          {"walker2019-fig19", fig19},
          {"walker2019-fig23", walker2019_fig23},
          {"walker2019-fig24", walker2019_fig24},
          {"walker2019-fig25", walker2019_fig24},
          {"walker2019-fig26", walker2019_fig26},
          {"walker2019-table1", walker2019_table1},
          {"walker2019-fig27", fig27}};
}

}  // namespace slipset
