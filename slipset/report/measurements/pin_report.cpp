#include "slipset/report/measurements/pin_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/laws/friction_law.hpp"
#include "slipset/report/json.hpp"
#include "slipset/report/shape_text.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

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
      s.push_back(p != nullptr ? json_or_null(p->sigma) : Json(0.0));
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

// A value that holds only if C has the fitted shape, since the record does not show all of it.
bool of_unseen_shape(const PinIdentification& r, const FittedParameter& p) {
  return !r.unseen.gaps.empty() && p.name.starts_with("reservoir.");
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

std::string pin_law_toml(const PinIdentification& r) {
  const bool same = r.fit.model.name().ends_with("associated");
  const std::string unseen =
      r.unseen.gaps.empty()
          ? ""
          : fmt::format("# the record does not show the reservoir from {}:\n# there its shape is that of the model\n",
                        r.unseen.gaps_text());
  return fmt::format("{}{}[law]\nreservoir = {}\n{}", undetermined_comment(r.fit.not_identified), unseen,
                     shape_toml(r.reservoir), same ? "" : fmt::format("direction = {}\n", shape_toml(r.direction)));
}

std::string pin_record_csv(const PinRecord& r) {
  std::string text = "angle [deg],tangential [N],radial [N],normal [N]\n";
  fmt::memory_buffer buffer;
  for (std::size_t i = 0; i < r.size(); ++i)
    fmt::format_to(std::back_inserter(buffer), "{},{},{},{}\n", degrees(r.angle[i]), r.tangential[i], r.radial[i],
                   r.normal.empty() ? r.normal_force : r.normal[i]);
  text.append(buffer.data(), buffer.size());
  return text;
}

Json pin_json(const PinIdentification& r) {
  Json json;
  json["model"] = "pin-on-disk";
  json["reservoir"] = set_json(r.reservoir, r.fit, "reservoir");
  json["reservoir"]["unseen"] = {{"share", r.unseen.share}, {"angles", Json::array()}};
  for (const AngleInterval& gap : r.unseen.gaps)
    json["reservoir"]["unseen"]["angles"].push_back({degrees(gap.from), degrees(gap.to)});
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
                                  {"value", p.sigma ? Json(p.value) : Json()},
                                  {"sigma", json_or_null(p.sigma)},
                                  {"interval_95", p.low ? Json({*p.low, *p.high}) : Json()},
                                  {"if_shape", of_unseen_shape(r, p)}});
  json["law"] = pin_law_toml(r);
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
                     {"reversals", s.directions.reversals},
                     {"zero_offsets", {s.directions.offset_tangential, s.directions.offset_radial}},
                     {"drift", {s.drift_tangential, s.drift_radial, s.drift_normal}},
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
  json["warnings"] = Json::array();
  for (const Advice& warning : r.warnings) json["warnings"].push_back(warning.text);
  return json;
}

std::string pin_text(const PinIdentification& r) {
  const FoldedSignals& s = r.signals;
  std::string text = fmt::format(
      "{} samples, {:.4g} revolutions, normal force {:.4g} N (varies by {:.2g} %); noise of a sample {:.2g} along, "
      "{:.2g} across the slip, per unit normal force; {} outliers removed\n",
      s.samples, s.revolutions, s.mean_normal_force, 100 * s.normal_variation,
      s.noise_tangential > 0 ? s.noise_tangential : r.fit.sigma_tangential,
      s.noise_radial > 0 ? s.noise_radial : r.fit.sigma_radial, s.rejected);
  if (s.reversed) text += "the pin slides against the tangential axis: forces and angle were turned by 180 degrees\n";
  if (s.sense < 0) text += "the slip angle counts against the angle's column\n";
  text += fmt::format("\nmodel {} (C + D), chosen from {} by the Bayesian information criterion\n", r.fit.model.name(),
                      r.choice.fits.size());
  for (const FlowFit& fit : r.choice.fits)
    text += fmt::format("  {:<44} {:2} parameters  BIC {:+.1f}\n", fit.model.name(), fit.model.size(),
                        fit.bic - r.choice.fits[r.choice.best].bic);
  text += fmt::format("\nparameters, 95 % intervals from {}\n",
                      r.fit.covariance_kind.empty() ? "nothing" : r.fit.covariance_kind);
  for (const FittedParameter& p : r.fit.parameters)
    text += p.sigma ? fmt::format("  {:<24} {:<12.8g} ± {:<9.2g} {:.6g} to {:.6g}{}\n", p.name, p.value, *p.sigma,
                                  *p.low, *p.high, of_unseen_shape(r, p) ? "  if C is of this shape" : "")
                    : fmt::format("  {:<24} not determined by these data\n", p.name);
  text += fmt::format("\nclosure of D: ln r_D changes by {:.3g} ± {:.2g} per turn (p = {:.3g}): {}\n", r.sets.closure,
                      r.sets.closure_sigma, r.sets.closure_p_value, r.sets.verdict);
  text += fmt::format("maximum dissipation (associated law): p = {:.3g}, {}\n", r.associated.p_value,
                      r.associated.p_value < 0.05 ? "rejected at 5 %: D is not C" : "not rejected at 5 %");
  for (const Advice& warning : r.warnings) text += "warning: " + warning.text + "\n";
  const std::string law = pin_law_toml(r);
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

}  // namespace slipset
