#include "slipset/report/law_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/report/json.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;
using slipset::json_of;

Json json_of(const Verdict& v) { return {{"value", v.value}, {"why", v.why}}; }
Json json_of(const Extremum& e) { return {{"value", e.value}, {"angle", degrees(e.angle)}}; }
Json json_of(const SlipState& s) {
  return {{"slip_velocity", json_of(s.slip_velocity)}, {"resistance", json_of(s.resistance)}};
}

Json json_of(const DirectionRow& row) {
  Json json = {{"slip_angle", row.slip_angle},
               {"resistance", json_of(row.middle)},
               {"coefficient", row.coefficient},
               {"deflection", row.deflection},
               {"along", row.along},
               {"across", row.across}};
  if (row.resistance.is_flat()) json["range"] = Json::array({json_of(row.resistance.from), json_of(row.resistance.to)});
  return json;
}

Json json_of(const PlanarSet& set) {
  return {{"shape", set.name()}, {"description", set.description()}, {"area", set.area()}};
}

// The table is that of the Stribeck factor one: well above its velocity, without the viscous part.
FrictionLaw without_rate(const FrictionLaw& law) { return {law.reservoir(), law.direction()}; }

struct Named {
  const char* name;
  const Verdict* verdict;
};

std::vector<Named> verdicts(const LawProperties& p) {
  return {{"associated", &p.associated},     {"collinear", &p.collinear},
          {"dissipative", &p.dissipative},   {"strictly dissipative", &p.strictly_dissipative},
          {"monotone", &p.monotone},         {"can destabilise", &p.can_destabilise},
          {"falling with speed", &p.falling}};
}

std::string jacobian_text(const std::optional<Mat2>& jacobian) {
  if (!jacobian) return "does not exist there (flat side of D, corner of C, or zero velocity)";
  const Mat2& j = *jacobian;
  return fmt::format("[[{:.10g}, {:.10g}], [{:.10g}, {:.10g}]] s/m", j(0, 0), j(0, 1), j(1, 0), j(1, 1));
}

}  // namespace

std::vector<DirectionRow> direction_table(const FrictionLaw& law, double step) {
  if (!(step >= 1e-4 && step <= 360))
    throw InvalidInput(fmt::format("step of the table is {} degrees; it must be from 0.0001 to 360", step));
  const FrictionLaw steady = without_rate(law);
  std::vector<DirectionRow> rows;
  const int count = static_cast<int>(std::ceil(360 / step - 1e-9));
  for (int i = 0; i < count; ++i) {
    const double angle = i * step;
    const Vec2 v = unit_at_degrees(angle), s = slip_resistance(steady, v);
    // Rounding across the slip is no deflection.
    const double across = std::abs(cross(v, s)) < 1e-14 * s.norm() ? 0 : cross(v, s);
    rows.push_back({angle, slip_resistance_range(steady, v), s, s.norm(), degrees(std::atan2(across, v.dot(s))),
                    s.dot(v), across});
  }
  return rows;
}

Json law_json(const FrictionLaw& law, const LawProperties& p, const LawReportOptions& options) {
  Json json;
  json["reservoir"] = json_of(law.reservoir());
  json["reservoir"]["convex"] = json_of(p.reservoir_convex);
  json["reservoir"]["star_shaped"] = json_of(p.reservoir_star_shaped);
  json["direction"] = json_of(law.direction());
  json["direction"]["convex"] = json_of(p.direction_convex);
  json["direction"]["inside_reservoir"] = json_of(p.direction_inside);
  json["associated"] = json_of(p.associated);
  json["collinear"] = json_of(p.collinear);
  json["dissipative"] = json_of(p.dissipative);
  json["strictly_dissipative"] = json_of(p.strictly_dissipative);
  json["monotone"] = json_of(p.monotone);
  if (!p.not_monotone.empty())
    json["monotone"]["states"] = Json::array({json_of(p.not_monotone[0]), json_of(p.not_monotone[1])});
  json["can_destabilise"] = json_of(p.can_destabilise);
  json["can_destabilise"]["slip_angles"] = Json::array();
  for (const AngleInterval& i : p.destabilising)
    json["can_destabilise"]["slip_angles"].push_back({degrees(i.from), degrees(i.to)});
  json["falling"] = json_of(p.falling);
  if (law.stribeck())
    json["stribeck"] = {{"static", law.stribeck()->static_ratio},
                        {"velocity", law.stribeck()->velocity},
                        {"viscous", law.stribeck()->viscous}};
  json["coefficient"] = {{"smallest", json_of(p.smallest_coefficient)}, {"largest", json_of(p.largest_coefficient)}};
  json["directions"] = Json::array();
  for (const DirectionRow& row : direction_table(law, options.step)) json["directions"].push_back(json_of(row));
  if (!options.velocity) return json;

  const Vec2& v = *options.velocity;
  const Face range = slip_resistance_range(law, v);
  json["velocity"] = json_of(v);
  json["resistance"] = json_of(slip_resistance(law, v));
  if (range.is_flat()) json["resistance_range"] = Json::array({json_of(range.from), json_of(range.to)});
  const auto jacobian = slip_jacobian(law, v);
  json["jacobian"] = jacobian ? json_of(*jacobian) : Json();
  return json;
}

std::string law_text(const FrictionLaw& law, const LawProperties& p, const LawReportOptions& options) {
  std::string text = fmt::format("reservoir C       {}\ndirection set D   {}\n", law.reservoir().description(),
                                 law.direction().description());
  if (law.stribeck())
    text += fmt::format(
        "Stribeck          {:.6g} times C at rest, C at speeds well above {:.6g} m/s{}\n", law.stribeck()->static_ratio,
        law.stribeck()->velocity,
        law.stribeck()->viscous > 0 ? fmt::format(", and {:.6g} of C more per m/s", law.stribeck()->viscous) : "");
  text += fmt::format(
      "coefficient       {:.6g} at {:.6g} degrees to {:.6g} at {:.6g} degrees (angle of the resistance)\n\n",
      p.smallest_coefficient.value, degrees(p.smallest_coefficient.angle), p.largest_coefficient.value,
      degrees(p.largest_coefficient.angle));

  text += "   slip   resistance            coefficient  deflection   against      across\n";
  text += "  [deg]   x          y          [-]          [deg]        slip [-]     slip [-]\n";
  for (const DirectionRow& row : direction_table(law, options.step))
    text += fmt::format("{:7.5g}   {:<10.6f} {:<10.6f} {:<12.6f} {:<12.4f} {:<12.6f} {:.6f}{}\n", row.slip_angle,
                        row.middle.x() + 0.0, row.middle.y() + 0.0, row.coefficient, row.deflection, row.along,
                        row.across, row.resistance.is_flat() ? "  *" : "");
  if (text.find("  *\n") != std::string::npos)
    text += "  * a flat side of D: any resistance along it is possible; its middle is given\n";
  text += "\n";

  const auto line = [&](const char* name, const Verdict& v) {
    text += fmt::format("{:<22} {:<4} {}\n", name, v.value ? "yes" : "no", v.why);
  };
  line("reservoir convex", p.reservoir_convex);
  line("reservoir star-shaped", p.reservoir_star_shaped);
  line("direction set convex", p.direction_convex);
  line("D inside C", p.direction_inside);
  for (const Named& named : verdicts(p)) line(named.name, *named.verdict);
  if (!options.velocity) return text;

  const Vec2& v = *options.velocity;
  const Vec2 s = slip_resistance(law, v);
  const Face range = slip_resistance_range(law, v);
  text += fmt::format("\nat slip velocity ({:.6g}, {:.6g}) m/s\n  resistance  ({:.10g}, {:.10g})\n", v.x(), v.y(),
                      s.x(), s.y());
  if (range.is_flat())
    text += fmt::format("  anything from ({:.10g}, {:.10g}) to ({:.10g}, {:.10g}): a flat side of D\n", range.from.x(),
                        range.from.y(), range.to.x(), range.to.y());
  text += fmt::format("  jacobian    {}\n", jacobian_text(slip_jacobian(law, v)));
  return text;
}

Results laws_results(const std::vector<LawSetup>& laws, const std::vector<std::string>& files,
                     const std::vector<Results>& each) {
  Json json = {{"laws", Json::array()}};
  std::string text;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    Json law = Json::parse(each[i].json);
    law["file"] = files[i];
    json["laws"].push_back(std::move(law));
    text += fmt::format("{}{} ({})\n\n{}", i > 0 ? "\n" : "", laws[i].title, files[i], each[i].text);
  }
  return {"laws", json.dump(2), text, {}, {laws_figure(laws)}};
}

Results law_results(const LawSetup& scenario, const LawReportOptions& options) {
  const LawProperties properties = law_properties(scenario.law);
  Json json = law_json(scenario.law, properties, options);
  json["title"] = scenario.title;
  json["set_aside"] = scenario.set_aside;
  std::string text = law_text(scenario.law, properties, options);
  for (const std::string& table : scenario.set_aside)
    text += fmt::format("\nnote: [law.{}] was validated; it is not part of the table above\n", table);
  return {"law", json.dump(2), text, {}, {law_figure(scenario.law, properties, scenario.title)}};
}

}  // namespace slipset
