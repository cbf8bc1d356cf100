#include "slipset/report/measurements/stick_slip_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/report/json.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<double>>;

Json estimate_json(const Estimate& e) {
  return {{"value", e.value}, {"sigma", e.sigma}, {"interval_95", {e.low, e.high}}, {"spread", e.spread}};
}

std::string line(const char* what, const Estimate& e, const char* unit) {
  return fmt::format("{:<26} {:<10.6g} ± {:<9.2g} 95 %: {:.5g} to {:.5g}; single events vary by {:.3g} {}\n", what,
                     e.value, e.sigma, e.low, e.high, e.spread, unit);
}

}  // namespace

Json stick_slip_json(const StickSlipResult& r, const StickSlipOptions& o) {
  Json json;
  json["model"] = "stick-slip";
  json["events"] = r.events.size();
  json["events_without_stick"] = r.swings;
  json["static"] = estimate_json(r.static_friction);
  json["kinetic"] = estimate_json(r.kinetic_friction);
  json["recurrence_time"] = estimate_json(r.recurrence);
  json["fall_time"] = estimate_json(r.fall_time);
  json["slope"] = estimate_json(r.slope);
  json["slope"]["expected"] = r.expected_slope;
  json["slope"]["ratio"] = r.slope.value / r.expected_slope;
  json["slope"]["agrees"] = r.slope_agrees;
  json["simulated"] = {{"period", json_or_null(r.model_period)},
                       {"slip_time", json_or_null(r.model_slip_time)},
                       {"fall_time", json_or_null(r.model_fall_time)}};
  json["creep"] = {{"late_slope_over_stick", r.creep_ratio}, {"speed", estimate_json(r.creep_speed)}};
  json["noise"] = r.noise;
  json["samples"] = r.samples;
  json["duration"] = r.duration;
  json["options"] = {{"stiffness", o.stiffness}, {"speed", o.speed},
                     {"weight", o.weight},       {"mass", o.mass > 0 ? o.mass : o.weight / 9.81},
                     {"tolerance", o.tolerance}, {"prominence", r.prominence}};
  json["notes"] = r.notes;
  return json;
}

std::string stick_slip_text(const StickSlipResult& r, const StickSlipOptions& o) {
  std::string text =
      fmt::format("{} samples in {:.4g} s, {} events with a rise and a fall above {:.3g}; noise of a sample {:.2g}\n\n",
                  r.samples, r.duration, r.events.size(), r.prominence, r.noise);
  text += line("static coefficient", r.static_friction, "");
  text += line("kinetic coefficient", r.kinetic_friction, "");
  text += line("recurrence time [s]", r.recurrence, "s");
  text += line("fall, peak to trough [s]", r.fall_time, "s");
  text += line("slope in stick [1/s]", r.slope, "1/s");
  text += fmt::format(
      "stiffness x speed / weight {:<10.6g} 1/s: the slope {} (ratio {:.4g}; required: within twice their assumed "
      "uncertainty of {:g} %)\n",
      r.expected_slope, r.slope_agrees ? "agrees" : "DISAGREES", r.slope.value / r.expected_slope, 100 * o.tolerance);
  if (r.model_period)
    text += fmt::format(
        "\nspring-slider simulated with these coefficients: period {:.5g} s (measured {:.5g}), fall {:.4g} s (measured "
        "{:.4g})\n",
        *r.model_period, r.recurrence.value, *r.model_fall_time, r.fall_time.value);
  for (const std::string& note : r.notes) text += "note: " + note + "\n";
  return text;
}

Figure stick_slip_figure(const StickSlipRecord& record, const StickSlipResult& r, const std::string& title) {
  Figure figure("stick-slip", 1300, 560);
  // About twelve events; the whole record would be a black band.
  const double from = r.events.front().trough_time, to = from + 12 * r.recurrence.value;
  Rows measured, model, peaks;
  for (std::size_t i = 0; i < record.time.size(); ++i)
    if (record.time[i] >= from - r.recurrence.value / 2 && record.time[i] <= to)
      measured.push_back({record.time[i], record.force[i]});
  for (std::size_t i = 0; i < r.model_time.size(); ++i)
    if (r.model_time[i] <= to) model.push_back({r.model_time[i], r.model_force[i]});
  for (const StickSlipEvent& e : r.events)
    if (e.peak_time <= to) {
      peaks.push_back({e.trough_time, e.trough});
      peaks.push_back({e.peak_time, e.peak});
    }
  const std::string a = figure.add_data("measured", measured), c = figure.add_data("events", peaks);
  std::string plot = fmt::format("plot '{}' using 1:2 with lines lc rgb '#9ab8d4' title 'measured'", a);
  if (!model.empty())
    plot += fmt::format(
        ", '{}' using 1:2 with lines lw 2 lc rgb '#c0392b' title 'spring-slider, rigid law with the mean coefficients'",
        figure.add_data("model", model));
  plot += fmt::format(
      ", '{}' using 1:2 with points pt 7 ps 0.8 lc rgb '#1f4e79' title 'ends of the stick phases found'", c);
  figure.add(
      fmt::format("set title {} noenhanced\nset xlabel 'time [s]'\nset ylabel 'spring force over weight'\n"
                  "set offsets 0,0,graph 0.05,graph 0.05",
                  gnuplot_string(title)));
  figure.add(plot);
  return figure;
}

}  // namespace slipset
