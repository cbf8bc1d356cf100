// What `slipset identify FILE.csv` tells: JSON, text, a table, figures.         docs/output.md
#include <fmt/format.h>

#include <algorithm>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/laws/friction_law.hpp"
#include "slipset/scenario/pin_identification.hpp"
#include "slipset/scenario/shape_text.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<double>>;

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

const FittedParameter* find(const FlowFit& fit, const std::string& name) {
  for (const FittedParameter& p : fit.parameters)
    if (p.name == name) return &p;
  return nullptr;
}

// Shape and parameters, with the standard deviation and the interval of each.
Json set_json(const PlanarSet& set, const FlowFit& fit, const std::string& which) {
  Json json = shape_json(set);
  Json sigma = Json::object(), interval = Json::object();
  const auto add = [&](const char* key, const std::vector<std::string>& names) {
    Json s = Json::array(), i = Json::array();
    for (const std::string& name : names) {
      const FittedParameter* p = find(fit, name);
      s.push_back(p != nullptr ? or_null(p->sigma) : Json(0.0));
      i.push_back(p != nullptr && p->low ? Json({*p->low, *p->high}) : Json());
    }
    sigma[key] = s.size() == 1 ? s[0] : s;
    interval[key] = i.size() == 1 ? i[0] : i;
  };
  const bool of_model = json["shape"] != "polar";
  if (of_model && which == "reservoir") {
    if (json.contains("radius")) add("radius", {"reservoir.radius"});
    if (json.contains("semi_axes")) add("semi_axes", {"reservoir.semi_axes.1", "reservoir.semi_axes.2"});
    if (json.contains("exponent")) add("exponent", {"reservoir.exponent"});
    if (find(fit, "reservoir.angle") != nullptr) add("angle", {"reservoir.angle"});
  } else if (of_model && find(fit, "direction.axis_ratio") != nullptr) {
    add("semi_axes", {"direction.axis_ratio", ""});
    if (json.contains("exponent")) add("exponent", {"direction.exponent"});
    const bool own = find(fit, "direction.angle") != nullptr;
    if (own || find(fit, "reservoir.angle") != nullptr) add("angle", {own ? "direction.angle" : "reservoir.angle"});
  }
  json["sigma"] = sigma;
  json["interval_95"] = interval;
  return json;
}

Json fit_json(const FlowFit& fit) {
  return {{"model", fit.model.name()},
          {"parameters", fit.model.size()},
          {"aic", fit.aic},
          {"bic", fit.bic},
          {"sigma_tangential", fit.sigma_tangential},
          {"sigma_radial", fit.sigma_radial},
          {"converged", fit.converged}};
}

}  // namespace

Json pin_json(const PinIdentification& r) {
  Json json;
  json["model"] = "pin-on-disk";
  json["reservoir"] = set_json(r.reservoir, r.fit, "reservoir");
  json["direction"] = set_json(r.direction, r.fit, "direction");
  json["closure"] = r.sets.closure;
  json["closure_sigma"] = r.sets.closure_sigma;
  json["closure_p_value"] = r.sets.closure_p_value;
  json["misalignment"] = {{"degrees", degrees(r.sets.misalignment)},
                          {"sigma", degrees(r.sets.misalignment_sigma)},
                          {"taken_off", degrees(r.misalignment)}};
  json["convexity"] = {
      {"convex", r.sets.convex}, {"smallest_turn", r.sets.smallest_turn}, {"at", degrees(r.sets.smallest_turn_at)}};
  json["associated_p_value"] = r.associated.p_value;
  json["associated"] = {{"harmonics", r.associated.harmonics},
                        {"p_values", r.associated.p_values},
                        {"contrasts", r.associated.contrasts},
                        {"noise", r.associated.noise}};
  json["parameters"] = Json::array();
  for (const FittedParameter& p : r.fit.parameters)
    json["parameters"].push_back({{"name", p.name},
                                  {"value", p.value},
                                  {"sigma", or_null(p.sigma)},
                                  {"interval_95", p.low ? Json({*p.low, *p.high}) : Json()}});
  json["law"] = r.law_toml();
  const FoldedSignals& s = r.signals;
  json["signals"] = {{"samples", s.samples},
                     {"rejected", s.rejected},
                     {"revolutions", s.revolutions},
                     {"bins", s.bins.size()},
                     {"normal_force", s.mean_normal_force},
                     {"normal_variation", s.normal_variation},
                     {"sense", s.sense},
                     {"reversed", s.reversed},
                     {"offset", degrees(r.offset)},
                     {"noise_tangential", s.noise_tangential},
                     {"noise_radial", s.noise_radial},
                     {"autocorrelation", s.autocorrelation}};
  json["models"] = Json::array();
  for (const FlowFit& fit : r.choice.fits) json["models"].push_back(fit_json(fit));
  json["report"] = {{"chosen", r.fit.model.name()},
                    {"iterations", r.fit.iterations},
                    {"converged", r.fit.converged},
                    {"covariance", r.fit.covariance_kind},
                    {"freedom", r.fit.freedom},
                    {"lack_of_fit", r.fit.lack_of_fit},
                    {"replications", r.fit.replications.size()},
                    {"not_identified", r.fit.not_identified}};
  json["warnings"] = r.warnings;
  return json;
}

std::string pin_text(const PinIdentification& r) {
  const FoldedSignals& s = r.signals;
  std::string text = fmt::format(
      "{} samples, {:.4g} revolutions, normal force {:.4g} N (varies by {:.2g} %); noise of a sample {:.2g} along, "
      "{:.2g} across "
      "the slip, per unit normal force; {} outliers left out\n",
      s.samples, s.revolutions, s.mean_normal_force, 100 * s.normal_variation,
      s.noise_tangential > 0 ? s.noise_tangential : r.fit.sigma_tangential,
      s.noise_radial > 0 ? s.noise_radial : r.fit.sigma_radial, s.rejected);
  if (s.reversed) text += "the pin slides against the tangential axis: forces and angle were turned by 180 degrees\n";
  if (s.sense < 0) text += "the slip angle counts against the angle's column\n";
  text += fmt::format("\nmodel {} (C + D), chosen of {} by the Bayesian information criterion\n", r.fit.model.name(),
                      r.choice.fits.size());
  for (const FlowFit& fit : r.choice.fits)
    text += fmt::format("  {:<28} {:2} parameters  BIC {:+.1f}\n", fit.model.name(), fit.model.size(),
                        fit.bic - r.choice.fits[r.choice.best].bic);
  text += fmt::format("\nparameters, 95 % intervals from {}\n",
                      r.fit.covariance_kind.empty() ? "nothing" : r.fit.covariance_kind);
  for (const FittedParameter& p : r.fit.parameters)
    text += p.sigma ? fmt::format("  {:<24} {:<12.8g} ± {:<9.2g} {:.6g} to {:.6g}\n", p.name, p.value, *p.sigma, *p.low,
                                  *p.high)
                    : fmt::format("  {:<24} {:<12.8g} not told by the data\n", p.name, p.value);
  text += fmt::format("\nclosure of D: ln r_D gains {:.3g} ± {:.2g} in a turn (p = {:.3g}): {}\n", r.sets.closure,
                      r.sets.closure_sigma, r.sets.closure_p_value, r.sets.verdict);
  text += fmt::format("maximum dissipation (associated law): p = {:.3g}, {}\n", r.associated.p_value,
                      r.associated.p_value < 0.05 ? "rejected at 5 %: D is not C" : "not rejected at 5 %");
  for (const std::string& warning : r.warnings) text += "warning: " + warning + "\n";
  const std::string law = r.law_toml();
  return text + "\n" + (law.size() < 1000 ? law : "[law] is long: see law.toml\n");
}

std::string pin_csv(const PinIdentification& r) {
  std::string text = "slip_angle,tangential,radial,model_tangential,model_radial,count,c1,c2,d1,d2\n";
  const FrictionLaw law(r.reservoir, r.direction);
  double scale = 0;
  for (const DataPoint& p : r.sets.points)
    scale += law.direction().gauge(p.direction) / static_cast<double>(r.sets.points.size());
  for (const DataPoint& p : r.sets.points) {
    const Vec2 n = unit(p.slip_angle), m = r.fit.model.evaluate(p.slip_angle, r.fit.free);
    text += fmt::format("{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{},{:.10g},{:.10g},{:.10g},{:.10g}\n",
                        degrees(p.slip_angle), p.reservoir.dot(n), cross(n, p.reservoir), m.x(), m.y(), p.count,
                        p.reservoir.x(), p.reservoir.y(), p.direction.x() / scale, p.direction.y() / scale);
  }
  return text;
}

std::vector<Figure> pin_figures(const PinIdentification& r, const std::string& title, const std::string& front) {
  const FrictionLaw law(r.reservoir, r.direction);
  Rows points, curve, c_points, d_points;
  double scale = 0;
  for (const DataPoint& p : r.sets.points)
    scale += law.direction().gauge(p.direction) / static_cast<double>(r.sets.points.size());
  for (const DataPoint& p : r.sets.points) {
    const Vec2 n = unit(p.slip_angle);
    points.push_back({degrees(p.slip_angle), p.reservoir.dot(n), cross(n, p.reservoir)});
    c_points.push_back({p.reservoir.x(), p.reservoir.y()});
    d_points.push_back({p.direction.x() / scale, p.direction.y() / scale});
  }
  for (int i = 0; i <= 1440; ++i) {
    const Vec2 m = r.fit.model.evaluate(radians(0.25 * i + 1e-7), r.fit.free);
    curve.push_back({0.25 * i, m.x(), m.y()});
  }
  Figure forces(front + "forces", 1000, 520);
  const std::string measured = forces.add_data("measured", points), fitted = forces.add_data("model", curve);
  forces.add(
      fmt::format("set title {} noenhanced\nset xlabel 'slip angle φ [degrees]'\nset ylabel 'force over normal "
                  "force'\nset xrange [0:360]\n"
                  "set xtics 45\nset bmargin 5\nset offsets 0,0,graph 0.05,graph 0.05\n"
                  "plot '{}' using 1:2 with points pt 7 ps 0.3 lc rgb '#9ab8d4' title 'tangential, measured', "
                  "'' using 1:3 with points pt 7 ps 0.3 lc rgb '#e8b4a8' title 'radial, measured', "
                  "'{}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'tangential, model', "
                  "'' using 1:3 with lines lw 2 lc rgb '#c0392b' title 'radial, model'",
                  gnuplot_string(title), measured, fitted));

  Figure sets(front + "sets", 860, 800);
  const auto band_rows = [](const std::vector<Band>& band, double factor) {
    Rows rows;
    for (const Band& b : band)
      rows.push_back({factor * b.high * std::cos(b.angle), factor * b.high * std::sin(b.angle)});
    for (auto b = band.rbegin(); b != band.rend(); ++b)
      rows.push_back({factor * b->low * std::cos(b->angle), factor * b->low * std::sin(b->angle)});
    return rows;
  };
  Rows boundary;
  for (int i = 0; i <= 720; ++i) {
    const Vec2 c = law.reservoir().boundary_point(2 * kPi * i / 720),
               d = law.direction().boundary_point(2 * kPi * i / 720);
    boundary.push_back({c.x(), c.y(), d.x(), d.y()});
  }
  std::string bands;
  if (!r.fit.replications.empty()) {
    bands = fmt::format("'{}' using 1:2 with filledcurves closed fc rgb '#551f4e79' title 'C, 95 %', ",
                        sets.add_data("c-band", band_rows(reservoir_band(r.fit), 1)));
    try {
      const double factor = law.direction().radius(0) / r.fit.direction().radius(0);
      bands += fmt::format("'{}' using 1:2 with filledcurves closed fc rgb '#55c0392b' title 'D, 95 %', ",
                           sets.add_data("d-band", band_rows(direction_band(r.fit), factor)));
    } catch (const InvalidInput&) {
      // D is the smoothed hull: no band
    }
  }
  const std::string c_file = sets.add_data("c", c_points), d_file = sets.add_data("d", d_points),
                    model = sets.add_data("model", boundary);
  sets.add(fmt::format(
      "set title {} noenhanced\nset size ratio -1\nset offsets graph 0.04, graph 0.04, graph 0.04, graph 0.04\n"
      "set xlabel 'resistance along e1, per unit normal force'\nset ylabel 'resistance along e2, per unit normal "
      "force'\n"
      "plot {}'{}' using 1:2 with points pt 7 ps 0.3 lc rgb '#9ab8d4' title 'C, measured', "
      "'{}' using 1:2 with points pt 7 ps 0.3 lc rgb '#e8b4a8' title 'D, from the flow', "
      "'{}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'C, {}', '' using 3:4 with lines lw 2 dt 2 lc rgb "
      "'#c0392b' title 'D, {}'",
      gnuplot_string(title), bands, c_file, d_file, model, law.reservoir().name(), law.direction().name()));
  return {forces, sets};
}

}  // namespace slipset
