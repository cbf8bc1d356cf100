#include "slipset/report/measurements/rate_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "slipset/report/shape_text.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<double>>;

}  // namespace

std::string rate_law_toml(const RateFit& f) {
  std::vector<std::string> undetermined;
  for (const RateParameter& p : f.parameters)
    // Where the bristles started and the sensor's zero are no part of it.
    if (!p.identified && p.name != "z0" && p.name != "offset") undetermined.push_back(p.name);
  std::string text = fmt::format(
      "{}[law]\nreservoir = {{ shape = \"disk\", radius = {} }}\nstribeck = {{ static = {}, velocity = {}{} }}\n",
      undetermined_comment(undetermined), f.friction, f.stribeck.static_ratio, f.stribeck.velocity,
      f.stribeck.viscous > 0 ? fmt::format(", viscous = {}", f.stribeck.viscous) : "");
  if (f.lugre)
    text += fmt::format("lugre = {{ sigma0 = {}, sigma1 = {}, sigma2 = {} }}\n", f.lugre->sigma0, f.lugre->sigma1,
                        f.lugre->sigma2);
  return text;
}

Json rate_json(const RateFit& f) {
  Json json;
  json["model"] = f.lugre ? "lugre" : "stribeck";
  json["parameters"] = Json::array();
  for (const RateParameter& p : f.parameters)
    json["parameters"].push_back({{"name", p.name},
                                  {"value", p.identified ? Json(p.value) : Json()},
                                  {"sigma", p.sigma ? Json(*p.sigma) : Json()},
                                  {"interval_95", p.low ? Json({*p.low, *p.high}) : Json()},
                                  {"identified", p.identified},
                                  {"why", p.why}});
  json["law"] = rate_law_toml(f);
  json["rms"] = f.rms;
  json["autocorrelation"] = f.autocorrelation;
  json["samples"] = f.samples;
  json["steady_samples"] = f.steady;
  json["report"] = {{"converged", f.converged}, {"iterations", f.iterations}};
  json["notes"] = f.notes;
  return json;
}

std::string rate_text(const RateFit& f) {
  std::string text =
      fmt::format("{} samples, {} of them in steady sliding; residuals {:.3g} (rms)\n\n", f.samples, f.steady, f.rms);
  for (const RateParameter& p : f.parameters)
    text += p.identified ? fmt::format("{:<10} {:<12.7g} ± {:<9.2g} 95 %: {:.6g} to {:.6g}\n", p.name, p.value,
                                       *p.sigma, *p.low, *p.high)
                         : fmt::format("{:<10} not determined by this record: {}\n", p.name, p.why);
  for (const std::string& note : f.notes) text += "note: " + note + "\n";
  return text + "\n" + rate_law_toml(f);
}

Figure rate_figure(const RateRecord& record, const RateFit& f, const std::string& title) {
  Figure figure("friction", 1000, 560);
  Rows measured, model;
  const std::size_t step = std::max<std::size_t>(1, record.velocity.size() / 5000);
  for (std::size_t i = 0; i < record.velocity.size(); i += step)
    measured.push_back({record.velocity[i], record.friction[i]});
  if (f.lugre && !record.time.empty()) {
    const auto force = lugre_response(record.time, record.velocity, f.friction, f.stribeck, *f.lugre, f.deflection);
    for (std::size_t i = 0; i < force.size(); i += step) model.push_back({record.velocity[i], force[i] + f.offset});
  } else {
    const auto [low, high] = std::minmax_element(record.velocity.begin(), record.velocity.end());
    for (int i = 0; i <= 1000; ++i) {
      const double v = *low + (*high - *low) * i / 1000;
      const double friction = stribeck_friction(v, f.friction, f.stribeck);
      if (v != 0) model.push_back({v, f.magnitude ? std::abs(friction) : friction + f.offset});
      if (*low < 0 && v < 0 && v + (*high - *low) / 1000 >= 0) model.emplace_back();
    }
  }
  figure.add(
      fmt::format("set title {} noenhanced\nset xlabel 'slip velocity [m/s]'\nset ylabel 'friction over normal force'\n"
                  "set offsets 0,0,graph 0.05,graph 0.05",
                  gnuplot_string(title)));
  const std::string a = figure.add_data("measured", measured), b = figure.add_data("model", model);
  figure.add(
      fmt::format("plot '{}' using 1:2 with points pt 7 ps 0.4 lc rgb '#9ab8d4' title 'measured', "
                  "'{}' using 1:2 with lines lw 2 lc rgb '#c0392b' title '{}'",
                  a, b, f.lugre ? "LuGre" : "Stribeck"));
  return figure;
}

}  // namespace slipset
