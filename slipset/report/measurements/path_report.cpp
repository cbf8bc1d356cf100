#include "slipset/report/measurements/path_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/core/angle.hpp"
#include "slipset/report/shape_text.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<double>>;

Json summary_json(const PathSummary& s) {
  return {{"length", s.length},       {"along", s.end.x()},
          {"lateral", s.end.y()},     {"deflection", degrees(s.deflection)},
          {"stop_time", s.stop_time}, {"rms", s.rms}};
}

std::string summary_line(const std::string& name, const PathSummary& s) {
  return fmt::format(
      "  {:<28} length {:<10.6g} deflection {:<+9.4g} degrees  end ({:.5g}, {:.5g}) m  time {:.4g} s  rms {:.3g} m\n",
      name, s.length, degrees(s.deflection), s.end.x(), s.end.y(), s.stop_time, s.rms);
}

}  // namespace

std::string path_law_toml(const PathFit& fit) {
  if (!fit.law) return "";
  std::vector<std::string> undetermined;
  for (const PathParameter& p : fit.parameters)
    if (!p.identified) undetermined.push_back(p.name);
  std::string doubt;
  if (!fit.parameters.empty() && fit.parameters[0].identified && !fit.parameters[0].sigma)
    doubt = fmt::format("# without intervals: {}\n", fit.parameters[0].why);
  return fmt::format("{}{}[law]\nreservoir = {}\ndirection = {}\n", undetermined_comment(undetermined), doubt,
                     shape_toml(fit.law->reservoir()), shape_toml(fit.law->direction()));
}

Json paths_json(const PathIdentification& r) {
  Json json;
  json["model"] = "path";
  json["paths"] = Json::array();
  for (std::size_t k = 0; k < r.paths.size(); ++k) {
    const SmoothedPath& s = r.smoothed[k];
    Json path = {{"name", r.names[k]}, {"points", r.paths[k].time.size()}};
    path["start_velocity"] = {r.comparisons[k].start_velocity.x(), r.comparisons[k].start_velocity.y()};
    path["smoothing"] = {{"half_width", s.half_width},
                         {"noise", s.noise},
                         {"velocity_sigma", s.velocity_sigma},
                         {"velocity_bias", s.velocity_bias},
                         {"end_velocity_sigma", s.end_velocity_sigma},
                         {"end_velocity_bias", s.end_velocity_bias}};
    path["measured"] = summary_json(r.comparisons[k].measured);
    path["laws"] = Json::array();
    for (std::size_t i = 0; i < r.laws.size(); ++i) {
      Json law = summary_json(r.comparisons[k].laws[i]);
      law["name"] = r.laws[i].name;
      path["laws"].push_back(law);
    }
    json["paths"].push_back(path);
  }
  if (r.fit) {
    Json fit;
    fit["parameters"] = Json::array();
    for (std::size_t i = 0; i < r.fit->parameters.size(); ++i) {
      const PathParameter& p = r.fit->parameters[i];
      Json ends = Json::array();
      for (Eigen::Index row = 0; row < r.fit->sensitivities.rows(); row += 2)
        ends.push_back({r.fit->sensitivities(row, static_cast<Eigen::Index>(i)),
                        r.fit->sensitivities(row + 1, static_cast<Eigen::Index>(i))});
      fit["parameters"].push_back({{"name", p.name},
                                   {"value", p.identified ? Json(p.value) : Json()},
                                   {"sigma", p.sigma ? Json(*p.sigma) : Json()},
                                   {"interval_95", p.low ? Json({*p.low, *p.high}) : Json()},
                                   {"identified", p.identified},
                                   {"why", p.why},
                                   {"end_point_sensitivity", ends}});
    }
    fit["rms"] = r.fit->rms;
    fit["noise"] = r.fit->noise;
    fit["autocorrelation"] = r.fit->autocorrelation;
    fit["law"] = path_law_toml(*r.fit);
    fit["notes"] = r.fit->notes;
    fit["models"] = Json::array();
    for (const PathModel& m : r.fit->models)
      fit["models"].push_back({{"model", m.name}, {"parameters", m.parameters}, {"rms", m.rms}, {"bic", m.bic}});
    fit["report"] = {{"chosen", r.fit->chosen},
                     {"converged", r.fit->converged},
                     {"stopped", r.fit->stopped},
                     {"iterations", r.fit->iterations}};
    json["fit"] = fit;
  }
  return json;
}

std::string paths_text(const PathIdentification& r) {
  std::string text;
  for (std::size_t k = 0; k < r.paths.size(); ++k) {
    const SmoothedPath& s = r.smoothed[k];
    text += fmt::format(
        "{}: {} points, noise {:.2g} m; start velocity ({:.5g}, {:.5g}) ± {:.2g} m/s, bias about {:.2g} m/s; later "
        "ones ± "
        "{:.2g} m/s, bias up to {:.2g} m/s (window ± {:.3g} s)\n",
        r.names[k], r.paths[k].time.size(), s.noise, r.comparisons[k].start_velocity.x(),
        r.comparisons[k].start_velocity.y(), s.end_velocity_sigma, s.end_velocity_bias, s.velocity_sigma,
        s.velocity_bias, s.half_width);
    text += summary_line("measured", r.comparisons[k].measured);
    for (std::size_t i = 0; i < r.laws.size(); ++i) text += summary_line(r.laws[i].name, r.comparisons[k].laws[i]);
  }
  if (!r.fit) return text;
  text += fmt::format(
      "\nlaw fitted to the paths alone: {}{}; points off by {:.3g} m (rms per coordinate), their noise {:.2g} m\n",
      r.fit->chosen, r.fit->models.size() > 1 ? ", chosen by the Bayesian information criterion" : "", r.fit->rms,
      r.fit->noise);
  for (const PathParameter& p : r.fit->parameters) {
    if (p.sigma)
      text += fmt::format("  {:<24} {:<12.7g} ± {:<9.2g} 95 %: {:.6g} to {:.6g}\n", p.name, p.value, *p.sigma, *p.low,
                          *p.high);
    else if (p.identified)
      text += fmt::format("  {:<24} {:<12.7g} without an interval: {}\n", p.name, p.value, p.why);
    else
      text += fmt::format("  {:<24} not determined by these paths\n", p.name);
  }
  for (const std::string& note : r.fit->notes) text += "warning: " + note + "\n";
  return text + "\n" + path_law_toml(*r.fit);
}

Figure paths_figure(const PathIdentification& r, const std::string& title) {
  Figure figure("paths", 900, 760);
  figure.add(
      fmt::format("set title {} noenhanced\nset size ratio -1\nset xlabel 'x [m]'\nset ylabel 'y [m]'\n"
                  "set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05",
                  gnuplot_string(title)));
  constexpr const char* colours[] = {"#1f4e79", "#2e8b57", "#c0392b", "#e67e22", "#7d3c98", "#555555"};
  std::string plot = "plot ";
  for (std::size_t k = 0; k < r.paths.size(); ++k) {
    Rows rows;
    for (const Vec2& p : r.paths[k].position) rows.push_back({p.x(), p.y()});
    plot +=
        fmt::format("{}'{}' using 1:2 with points pt 6 ps 0.6 lc rgb '#888888' {}", k > 0 ? ", " : "",
                    figure.add_data(fmt::format("measured-{}", k + 1), rows), k > 0 ? "notitle" : "title 'measured'");
    std::vector<double> times;
    for (const double t : r.paths[k].time) times.push_back(t - r.paths[k].time.front());
    for (std::size_t i = 0; i < r.laws.size(); ++i) {
      rows.clear();
      for (const Vec2& p : slide_positions(r.laws[i].law, r.comparisons[k].start_velocity, times, r.slide)) {
        const Vec2 q = p + r.smoothed[k].position[0];
        rows.push_back({q.x(), q.y()});
      }
      plot += fmt::format(", '{}' using 1:2 with lines lw 2 lc rgb '{}' {}",
                          figure.add_data(fmt::format("law-{}-{}", k + 1, i + 1), rows), colours[i % 6],
                          k > 0 ? "notitle" : fmt::format("title {} noenhanced", gnuplot_string(r.laws[i].name)));
    }
  }
  figure.add(plot);
  return figure;
}

std::string path_csv(const SlidingPath& path, const SmoothedPath& s) {
  std::string text = "time,x,y,smooth_x,smooth_y,velocity_x,velocity_y\n";
  for (std::size_t i = 0; i < path.time.size(); ++i)
    text +=
        fmt::format("{},{},{},{:.10g},{:.10g},{:.10g},{:.10g}\n", path.time[i], path.position[i].x(),
                    path.position[i].y(), s.position[i].x(), s.position[i].y(), s.velocity[i].x(), s.velocity[i].y());
  return text;
}

}  // namespace slipset
