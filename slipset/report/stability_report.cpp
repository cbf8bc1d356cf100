#include "slipset/report/stability_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <cmath>

#include "slipset/report/json.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;
using slipset::json_of;

Json pair_of(std::complex<double> x) { return {x.real(), x.imag()}; }

// A growth that is lost in rounding shows in the criteria: slow growth is growth.
bool is_stable(const StabilityAnswer& a) {
  return slipset::is_stable(a.modes) && !a.sliding.is_painleve() && a.criteria.trace.verdict != Statement::unstable &&
         a.criteria.theorem2.verdict != Statement::unstable;
}

std::string contact_name(const StabilitySetup& scenario, std::size_t i) {
  const auto& contacts = scenario.base().system->contacts();
  return i < contacts.size() ? contacts[i].name : "system";
}

double hertz(double frequency) { return frequency / (2 * kPi); }

// Of the points of a sweep. Two critical values that are closer can both be missed.
double spacing_of(const ScanRange& range) { return std::abs(range.to - range.from) / (range.count - 1); }

Json json_of(const StabilitySetup& scenario, const Mode& mode, const std::vector<Contribution>& parts) {
  Json json;
  json["growth_rate"] = mode.growth_rate();
  json["frequency"] = mode.frequency();
  json["frequency_hz"] = hertz(mode.frequency());
  json["damping_ratio"] = json_or_null(mode.damping_ratio());
  json["rounding"] = mode.rounding;
  auto& shape = json["shape"] = Json::array();
  for (Eigen::Index i = 0; i < mode.shape.size(); ++i) shape.push_back(pair_of(mode.shape[i]));
  auto& list = json["contributions"] = Json::array();
  for (const Contribution& c : parts) {
    Json row = {
        {"contact", contact_name(scenario, c.contact)}, {"mechanism", name_of(c.mechanism)}, {"growth", c.growth}};
    row["work_per_cycle"] = std::isfinite(c.work_per_cycle) ? Json(c.work_per_cycle) : Json();
    list.push_back(std::move(row));
  }
  return json;
}

Json json_of(const Criterion& c) { return {{"verdict", name_of(c.verdict)}, {"why", c.why}}; }

Json json_of(const CriticalValue& c, const std::string& parameter) {
  return {{"parameter", parameter},
          {"value", c.value},
          {"from", c.unstable_above ? "stable" : "unstable"},
          {"to", c.unstable_above ? "unstable" : "stable"},
          {"frequency", c.frequency},
          {"frequency_hz", hertz(c.frequency)},
          {"by_coalescence", c.by_coalescence}};
}

}  // namespace

StabilityAnswer answer_stability(const SlidingSetup& scenario) {
  StabilityAnswer answer{scenario.linearize(), {}, {}, {}};
  if (!answer.sliding.report.converged) return answer;
  answer.modes = modes_of(answer.sliding);
  if (is_stable(answer.modes))  // a mode that grows clearly decides, whatever the others do
    for (const Mode& mode : answer.modes)
      if (!is_resolved(answer.sliding, mode.rounding))
        throw InvalidInput(fmt::format(
            "steady sliding: a mode decays so quickly ({:.3g} 1/s) that rounding ({:.3g} 1/s) hides whether "
            "the others grow",
            answer.modes.back().growth_rate(), mode.rounding));
  for (const Mode& mode : answer.modes) answer.contributions.push_back(contributions(answer.sliding, mode));
  answer.criteria = criteria_of(*scenario.system, answer.sliding);
  return answer;
}

std::vector<std::vector<double>> joined(const std::vector<std::vector<double>>& boundary, const ScanRange& first,
                                        const ScanRange& second) {
  const double dx = std::abs(first.to - first.from), dy = std::abs(second.to - second.from) / (second.count - 1);
  std::vector<bool> used(boundary.size(), false);
  std::vector<std::vector<double>> curves;
  for (std::size_t start = 0; start < boundary.size(); ++start) {
    if (used[start]) continue;
    // On to the nearest point of the next row that crosses the same way.
    for (std::size_t at = start;;) {
      used[at] = true;
      curves.push_back({boundary[at][0], boundary[at][1]});
      std::size_t next = boundary.size();
      for (std::size_t i = at + 1; i < boundary.size(); ++i) {
        const double up = std::abs(boundary[i][1] - boundary[at][1]);
        if (used[i] || up < 0.5 * dy || up > 1.5 * dy || boundary[i][2] != boundary[at][2]) continue;
        const double off = std::abs(boundary[i][0] - boundary[at][0]);
        if (off < 0.1 * dx && (next == boundary.size() || off < std::abs(boundary[next][0] - boundary[at][0])))
          next = i;
      }
      if (next == boundary.size()) break;
      at = next;
    }
    curves.emplace_back();
  }
  return curves;
}

Json stability_json(const StabilitySetup& scenario, const StabilityAnswer& a, const StabilityScan* scan,
                    const StabilityMap* map) {
  const LinearSliding& s = a.sliding;
  Json json;
  json["title"] = scenario.base().title;
  json["report"] = {{"converged", s.report.converged},
                    {"iterations", s.report.iterations},
                    {"residual", s.report.residual},
                    {"why", s.report.why}};
  if (s.report.converged) {
    json["equilibrium"] = json_of(s.position);
    auto& contacts = json["contacts"] = Json::array();
    for (std::size_t i = 0; i < s.contacts.size(); ++i)
      contacts.push_back({{"name", contact_name(scenario, i)},
                          {"slip_velocity", json_of(VectorX(s.contacts[i].slip_velocity))},
                          {"normal_force", s.contacts[i].normal_force},
                          {"resistance", json_of(VectorX(s.contacts[i].resistance))},
                          {"tangent_cone", static_cast<bool>(a.criteria.tangent_cones[i])}});
    auto& slips = json["slip_velocity"] = Json::array();
    for (const SlidingContact& c : s.contacts) slips.push_back(json_of(VectorX(c.slip_velocity)));
    if (slips.size() == 1) json["slip_velocity"] = Json(slips[0]);
    auto& values = json["eigenvalues"] = Json::array();
    for (const Mode& m : a.modes) values.push_back(pair_of(m.value));
    json["stable"] = is_stable(a);
    json["marginal"] = std::count_if(a.modes.begin(), a.modes.end(), [](const Mode& m) { return m.is_marginal(); });
    json["painleve"] = s.is_painleve();
    json["mass_matrix"] = json_of(s.mass);
    json["damping_matrix"] = json_of(s.damping);
    json["stiffness_matrix"] = json_of(s.stiffness);
    json["gyroscopic_matrix"] = json_of(MatrixX((s.damping - s.damping.transpose()) / 2));
    json["circulatory_matrix"] = json_of(MatrixX((s.stiffness - s.stiffness.transpose()) / 2));
    json["tangent_cone"] = a.criteria.tangent_cone;
    json["criteria"] = {{"trace", json_of(a.criteria.trace)},
                        {"theorem1", json_of(a.criteria.theorem1)},
                        {"theorem2", json_of(a.criteria.theorem2)}};
    auto& modes = json["modes"] = Json::array();
    for (std::size_t i = 0; i < a.modes.size(); ++i) modes.push_back(json_of(scenario, a.modes[i], a.contributions[i]));
  }
  add_sweep_json(json, scenario.sweep(), scan, map);
  return json;
}

void add_sweep_json(Json& json, const std::optional<Sweep>& sweep, const StabilityScan* scan, const StabilityMap* map) {
  auto& critical = json["critical"] = Json::array();
  if (scan) {
    const ScanRange& range = sweep->first;
    for (const CriticalValue& c : scan->critical) critical.push_back(json_of(c, range.parameter));
    const auto answered = std::count(scan->answered.begin(), scan->answered.end(), true);
    json["sweep"] = {{"parameter", range.parameter},
                     {"label", sweep->first_label},
                     {"from", range.from},
                     {"to", range.to},
                     {"count", range.count},
                     {"spacing", spacing_of(range)},
                     {"answered", answered},
                     {"no_answer", scan->why},
                     {"critical_unknown", scan->critical_unknown}};
    if (scan->counted > 0) json["sweep"]["counted"] = scan->counted;
    if (scan->ended_early) json["sweep"]["ended_early"] = true;
  }
  if (map) {
    json["map"] = {{"first", sweep->first.parameter},
                   {"first_label", sweep->first_label},
                   {"second", sweep->second->parameter},
                   {"second_label", sweep->second_label},
                   {"boundary", map->boundary},
                   {"rows", map->growth.size()},
                   {"unanswered", map->unanswered},
                   {"no_answer", map->why},
                   {"boundary_unknown", map->boundary_unknown}};
    if (map->growth.size() < static_cast<std::size_t>(sweep->second->count)) json["map"]["ended_early"] = true;
  }
}

std::string stability_text(const StabilitySetup& scenario, const StabilityAnswer& a, const StabilityScan* scan,
                           const StabilityMap* map) {
  const LinearSliding& s = a.sliding;
  if (!s.report.converged) return fmt::format("no steady sliding found: {}\n", s.report.why);
  std::string text = fmt::format("steady sliding: {}\n", is_stable(a) ? "stable" : "UNSTABLE");
  if (s.is_painleve())
    text +=
        "  not unique (Painlevé): friction presses the contact more strongly than it is held, so it may also open\n";
  const std::vector<std::string> names = scenario.base().system->coordinates();
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("  {:<10} {:.10g}\n", names[i], s.position[static_cast<Eigen::Index>(i)]);
  for (std::size_t i = 0; i < s.contacts.size(); ++i)
    text += fmt::format("  {}: slip ({:.6g}, {:.6g}) m/s, normal force {:.6g} N, resistance ({:.6g}, {:.6g}){}\n",
                        contact_name(scenario, i), s.contacts[i].slip_velocity.x(), s.contacts[i].slip_velocity.y(),
                        s.contacts[i].normal_force, s.contacts[i].resistance.x(), s.contacts[i].resistance.y(),
                        a.criteria.tangent_cones[i] ? "; the slip points into the tangent cone of C" : "");
  text +=
      "\n  growth rate     frequency       frequency       damping      energy supplied or removed,\n"
      "  [1/s]           [Hz]            [rad/s]         ratio [-]    contribution to the growth rate [1/s]\n";
  for (std::size_t i = 0; i < a.modes.size(); ++i) {
    const Mode& m = a.modes[i];
    if (m.value.imag() < 0) continue;  // of a pair, one
    text += fmt::format("  {:<+15.9g} {:<15.9g} {:<15.9g} {:<+12.6g}", m.is_marginal() ? 0.0 : m.growth_rate(),
                        hertz(m.frequency()), m.frequency(), m.is_marginal() ? 0.0 : m.damping_ratio().value_or(0));
    std::string parts;
    for (const Contribution& c : a.contributions[i])
      if (std::abs(c.growth) > 1e-9 * std::abs(m.value))
        parts += fmt::format("{}{} {:+.4g}", parts.empty() ? " " : ", ", name_of(c.mechanism), c.growth);
    text += parts + "\n";
  }
  text += fmt::format("\n  trace      {}: {}\n  Theorem 1  {}: {}\n  Theorem 2  {}: {}\n",
                      name_of(a.criteria.trace.verdict), a.criteria.trace.why, name_of(a.criteria.theorem1.verdict),
                      a.criteria.theorem1.why, name_of(a.criteria.theorem2.verdict), a.criteria.theorem2.why);
  return text + sweep_text(scenario.sweep(), scan, map);
}

namespace {

// Of a sweep without a critical value.
std::string verdicts_text(const StabilityScan& scan) {
  std::size_t stable = 0, unstable = 0;
  for (std::size_t i = 0; i < scan.parameter.size(); ++i)
    if (scan.answered[i]) ++(scan.stable[i] ? stable : unstable);
  if (stable == 0 || unstable == 0)
    return fmt::format("  no critical value; {} at each of these points\n", stable > 0 ? "stable" : "unstable");
  return fmt::format(
      "  no critical value was found, but stable at {} points and unstable at {}: a growing mode comes in at an edge "
      "of "
      "the box, or see below\n",
      stable, unstable);
}

}  // namespace

std::string sweep_text(const std::optional<Sweep>& sweep, const StabilityScan* scan, const StabilityMap* map) {
  std::string text;
  if (scan) {
    const ScanRange& range = sweep->first;
    text += fmt::format("\n{} from {:.6g} to {:.6g}, {} points\n", range.parameter, range.from, range.to, range.count);
    const auto first = std::find(scan->answered.begin(), scan->answered.end(), true);
    if (first == scan->answered.end())
      text += "  no steady sliding at any point\n";
    else if (scan->critical.empty())
      text += verdicts_text(*scan);
    for (const CriticalValue& c : scan->critical)
      text += fmt::format("  {:<18.14g} {} above; frequency {:.9g} Hz ({:.9g} rad/s){}\n", c.value,
                          c.unstable_above ? "unstable" : "stable", hertz(c.frequency), c.frequency,
                          c.by_coalescence ? "; two modes meet" : "");
    if (first != scan->answered.end())
      text +=
          fmt::format("  looked for at the points: what changes twice within their distance of {:.6g} is not seen\n",
                      spacing_of(range));
    if (scan->counted > 0)
      text +=
          fmt::format("  the list was counted at {} points; at the others its modes were followed\n", scan->counted);
    for (const std::string& why : scan->critical_unknown) text += "  " + why + "\n";
    for (const std::string& why : scan->why) text += "  no answer at some points: " + why + "\n";
  }
  if (map) {
    text += fmt::format("\nmap over {} and {}: {} points on the boundary\n", sweep->first.parameter,
                        sweep->second->parameter, map->boundary.size());
    for (const std::string& why : map->boundary_unknown) text += "  " + why + "\n";
    if (map->unanswered > 0) text += fmt::format("  no answer at {} points\n", map->unanswered);
    for (const std::string& why : map->why) text += "  no answer at some points: " + why + "\n";
  }
  return text;
}

void StabilityMap::add(const StabilityScan& scan, double second) {
  constexpr std::size_t kMost = 10;  // messages
  std::vector<double> row;
  for (std::size_t i = 0; i < scan.parameter.size(); ++i) row.push_back(largest_growth(scan, i));
  growth.push_back(std::move(row));
  for (const CriticalValue& c : scan.critical) boundary.push_back({c.value, second, c.unstable_above ? 1.0 : 0.0});
  unanswered += static_cast<std::size_t>(std::count(scan.answered.begin(), scan.answered.end(), false));
  for (const std::string& reason : scan.why)
    if (why.size() < kMost && std::find(why.begin(), why.end(), reason) == why.end()) why.push_back(reason);
  for (const std::string& reason : scan.critical_unknown)
    if (boundary_unknown.size() < kMost) boundary_unknown.push_back(fmt::format("at {:.9g}: {}", second, reason));
}

namespace {

// Of two modes that are each other's conjugate at every point, the first.
std::vector<Eigen::Index> without_conjugates(const Eigen::MatrixXcd& values) {
  const auto pair = [&](Eigen::Index a, Eigen::Index b) {
    bool complex = false;
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
      if (std::isnan(values(i, a).real())) continue;  // no answer there
      if (values(i, a) != std::conj(values(i, b))) return false;
      complex = complex || values(i, a).imag() != 0;
    }
    return complex;
  };
  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < values.cols(); ++k)
    if (std::none_of(kept.begin(), kept.end(), [&](Eigen::Index other) { return pair(other, k); })) kept.push_back(k);
  return kept;
}

}  // namespace

std::string scan_csv(const Sweep& sweep, const StabilityScan& scan) {
  std::string text = sweep.first.parameter + ",stable";
  const std::vector<Eigen::Index> columns = without_conjugates(scan.values);
  for (std::size_t k = 1; k <= columns.size(); ++k)
    text += fmt::format(",growth_{0},frequency_{0},frequency_hz_{0},damping_ratio_{0}", k);
  text += "\n";
  for (std::size_t i = 0; i < scan.parameter.size(); ++i) {
    text += fmt::format("{},{}", scan.parameter[i], scan.answered[i] ? (scan.stable[i] ? "1" : "0") : "");
    for (const Eigen::Index k : columns) {
      Mode mode;
      mode.value = scan.values(static_cast<Eigen::Index>(i), k);
      const auto ratio = mode.damping_ratio();
      const bool there = scan.answered[i] && !std::isnan(mode.growth_rate());
      text += there ? fmt::format(",{},{},{},{}", mode.growth_rate(), mode.frequency(), hertz(mode.frequency()),
                                  ratio ? fmt::format("{}", *ratio) : "")
                    : ",,,,";
    }
    text += "\n";
  }
  return text;
}

double largest_growth(const StabilityScan& scan, std::size_t point) {
  double most = NAN;
  for (Eigen::Index k = 0; scan.answered[point] && k < scan.values.cols(); ++k)
    most = std::fmax(most, scan.values(static_cast<Eigen::Index>(point), k).real());
  return most;
}

std::string boundary_csv(const Sweep& sweep, const StabilityMap& map) {
  std::string text = fmt::format("{},{},unstable_above\n", sweep.first.parameter, sweep.second->parameter);
  for (const auto& row : map.boundary) text += fmt::format("{}\n", fmt::join(row, ","));
  return text;
}

// One line per point of the grid; nothing where there is no answer.
std::string map_csv(const Sweep& sweep, const StabilityMap& map) {
  std::string text = fmt::format("{},{},growth\n", sweep.first.parameter, sweep.second->parameter);
  for (std::size_t j = 0; j < map.growth.size(); ++j)
    for (std::size_t i = 0; i < map.growth[j].size(); ++i) {
      const double growth = map.growth[j][i];
      text += fmt::format("{},{},{}\n", sweep.first.at(static_cast<int>(i)), sweep.second->at(static_cast<int>(j)),
                          std::isnan(growth) ? "" : fmt::format("{}", growth));
    }
  return text;
}

Results stability_results(const StabilitySetup& scenario, const StabilityAnswer& answer, const StabilityScan* scan,
                          const StabilityMap* map) {
  Results results{"stability", stability_json(scenario, answer, scan, map).dump(2),
                  stability_text(scenario, answer, scan, map)};
  if (answer.sliding.report.converged) {
    std::vector<std::complex<double>> stable, growing;
    for (const Mode& m : answer.modes) (m.grows() ? growing : stable).push_back(m.value);
    results.figures.push_back(eigenvalue_figure(scenario.base().title, stable, growing));
  }
  std::vector<Figure> figures;
  if (scan && scan->values.cols() > 0) figures.push_back(scan_figure(*scenario.sweep(), *scan));
  add_sweep_files(results, scenario.sweep(), scan, map, std::move(figures));
  return results;
}

void add_sweep_files(Results& results, const std::optional<Sweep>& sweep, const StabilityScan* scan,
                     const StabilityMap* map, std::vector<Figure> figures_of_scan) {
  if (scan) results.files.emplace_back("sweep.csv", scan_csv(*sweep, *scan));
  for (Figure& figure : figures_of_scan) results.figures.push_back(std::move(figure));
  if (map) {
    results.files.emplace_back("boundary.csv", boundary_csv(*sweep, *map));
    results.files.emplace_back("map.csv", map_csv(*sweep, *map));
    results.figures.push_back(map_figure(*sweep, *map));
  }
}

}  // namespace slipset
