#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "app/flags.hpp"
#include "app/identify_options.hpp"
#include "app/output.hpp"
#include "app/scenario_option.hpp"
#include "app/watch.hpp"
#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/report/measurements/input_report.hpp"
#include "slipset/report/measurements/path_report.hpp"
#include "slipset/report/measurements/pin_report.hpp"
#include "slipset/report/measurements/pull_report.hpp"
#include "slipset/report/measurements/rate_report.hpp"
#include "slipset/report/measurements/stick_slip_report.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/scenario.hpp"

namespace slipset::app {
namespace {

using Json = nlohmann::ordered_json;

struct Outcome {
  Results results;
  int exit_code = 0;
};

const std::string& the_file(const IdentifyOptions& o) {
  if (o.files.size() != 1)
    throw InvalidInput(fmt::format("identify: {} files given; --model {} accepts one", o.files.size(), o.model));
  return o.files.front();
}

std::string name_of(const std::string& file) { return std::filesystem::path(file).filename().string(); }

// Messages that do not name the file get it.
template <class Function>
auto of_file(const std::string& file, Function&& f) {
  try {
    return f();
  } catch (const InvalidInput& error) {
    const std::string what = error.what();
    if (what.starts_with(file)) throw;
    throw InvalidInput(file + ": " + what, error.setting());
  }
}

Json with_input(Json json, const Measured& input) {
  json["input"] = input_json(input);
  return json;
}

Outcome elastic_interface(const IdentifyOptions& o) {
  const std::string& file = the_file(o);
  const auto [data, input] = read_pull_angles(file, o.choice);
  std::optional<Vec2> friction;
  if (o.friction.size() == 2) friction.emplace(o.friction[0], o.friction[1]);
  const PullCalibration fit = of_file(file, [&, &data = data] { return calibrate_pull(data, friction); });
  return {{"identify", with_input(pull_json(fit), input).dump(2), input_text(input) + pull_text(fit)},
          !fit.identifiable ? 1
          : fit.converged   ? 0
                            : 3};
}

// "an ellipse", "a disk".
std::string with_article(const std::string& name) {
  constexpr std::string_view vowels = "aeioAEIO";
  return (vowels.find(name.empty() ? 'x' : name.front()) != std::string_view::npos ? "an " : "a ") + name;
}

// What the virtual machine was given, beside what was found.
Json truth_json(const FrictionLaw& law, const TribometerOptions& m) {
  const FrictionLaw sets = law_at_speed(law, m.speed);
  return {{"reservoir", sets.reservoir().description()},
          {"direction", sets.direction().description()},
          {"speed", m.speed},
          {"factor", law.stribeck() ? law.stribeck()->factor(m.speed) : 1},
          {"noise", m.noise},
          {"revolutions", m.revolutions},
          {"samples_per_revolution", m.samples},
          {"crosstalk", m.crosstalk},
          {"wobble", m.wobble},
          {"quantum", m.quantum},
          {"misalignment", degrees(m.misalignment)},
          {"seed", m.seed}};
}

std::string truth_text(const FrictionLaw& law, const TribometerOptions& m) {
  const FrictionLaw sets = law_at_speed(law, m.speed);
  return fmt::format("\ntrue law of the simulated tribometer, which slips at {:g} m/s{}: C is {}; D is {}\n", m.speed,
                     law.stribeck()
                         ? fmt::format(" (there law.stribeck multiplies C by {:.6g})", law.stribeck()->factor(m.speed))
                         : "",
                     with_article(sets.reservoir().description()), with_article(sets.direction().description()));
}

// Steady sliding shows the two sets and the rate dependence, nothing else.
void require_steady(const LawSetup& law, const std::string& file) {
  for (const std::string& table : law.set_aside)
    throw InvalidInput(
        fmt::format("{}: law.{}: the tribometer of --simulate records steady sliding of the two sets, which this is no "
                    "part of; remove it",
                    file, table));
}

Outcome pin_on_disk(const IdentifyOptions& o) {
  PinRecord record;
  std::string name;
  std::optional<LawSetup> truth;
  std::optional<Measured> input;
  TribometerOptions machine = o.machine;
  Outcome out;
  if (!o.simulate.empty()) {
    if (!o.files.empty()) throw InvalidInput("identify: a record cannot be combined with --simulate; remove one");
    name = o.simulate;
    truth = read_law(scenario_of(o.common, o.simulate, {"title", "law"}).root());
    require_steady(*truth, o.simulate);
    machine.misalignment = radians(o.turned_sensor);
    machine.offset = radians(o.turned_surface);
    if (o.sensor.normal_force) machine.normal_force = *o.sensor.normal_force;
    record = simulate_tribometer(truth->law, machine);
    if (!o.common.out.empty() || !o.common.json) out.results.files.emplace_back("signals.csv", pin_record_csv(record));
  } else {
    name = the_file(o);
    FromFile<PinRecord> read = read_pin_record(name, o.choice, pin_sensor(o));
    record = std::move(read.record);
    input = std::move(read.input);
  }
  PinIdentification result = of_file(name, [&] { return identify_pin(std::move(record), pin_options(o)); });
  for (Advice& warning : result.warnings) warning.text = with_flag(warning.text, warning.setting);
  Json json = pin_json(result);
  if (truth) json["truth"] = truth_json(truth->law, machine);
  if (input) json["input"] = input_json(*input);
  out.results.name = "identify";
  out.results.json = json.dump(2);
  out.results.text = (input ? input_text(*input) : "") + pin_text(result);
  if (truth) out.results.text += truth_text(truth->law, machine);
  out.results.files.emplace_back("law.toml", pin_law_toml(result));
  out.results.files.emplace_back("sets.csv", pin_csv(result));
  out.results.figures = pin_figures(result, name_of(name));
  const bool grave =
      std::any_of(result.warnings.begin(), result.warnings.end(), [](const Advice& w) { return w.grave; });
  out.exit_code = result.fit.converged && !grave ? 0 : 3;
  return out;
}

Outcome stick_slip(const IdentifyOptions& o) {
  const std::string& file = the_file(o);
  const auto [record, input] = read_stick_slip(file, o.choice, o.stick.weight);
  const StickSlipResult result =
      of_file(file, [&, &record = record] { return identify_stick_slip(record.time, record.force, o.stick); });
  return {{"identify",
           with_input(stick_slip_json(result, o.stick), input).dump(2),
           input_text(input) + stick_slip_text(result, o.stick),
           {},
           {stick_slip_figure(record, result, name_of(file))}},
          result.static_friction.value <= kLargestFriction ? 0 : 3};
}

Outcome rate(const IdentifyOptions& o) {
  const std::string& file = the_file(o);
  const bool lugre = o.model == "lugre";
  const auto [record, input] = read_rate_record(file, o.choice, o.sensor.normal_force, lugre);
  const RateFit fit = of_file(file, [&, &record = record] {
    return lugre ? fit_lugre(record.time, record.velocity, record.friction)
                 : fit_stribeck(record.velocity, record.friction);
  });
  return {{"identify",
           with_input(rate_json(fit), input).dump(2),
           input_text(input) + rate_text(fit),
           {{"law.toml", rate_law_toml(fit)}},
           {rate_figure(record, fit, name_of(file))}},
          fit.converged && fit.friction <= kLargestFriction ? 0 : 3};
}

Outcome paths(const IdentifyOptions& o) {
  if (o.files.empty()) throw InvalidInput("identify: --model path needs at least one file with time, x, y");
  std::vector<std::string> names;
  std::vector<SlidingPath> all;
  Json inputs = Json::array();
  std::string text;
  for (const std::string& file : o.files) {
    names.push_back(std::filesystem::path(file).stem().string());
    FromFile<SlidingPath> read = read_sliding_path(file, o.choice);
    all.push_back(std::move(read.record));
    inputs.push_back(input_json(read.input));
    text += input_text(read.input);
  }
  std::vector<NamedLaw> laws;
  for (const std::string& file : o.laws) {
    const LawSetup scenario = read_law(Scenario(file).root());
    laws.push_back({scenario.title, scenario.law});
  }
  SlideOptions slide;
  slide.gravity = o.gravity;
  std::optional<PathFitOptions> fit = path_options(o, slide);
  Watch watch(o.common);
  double iterations = 0;
  if (fit) fit->go_on = [&] { return watch.show(++iterations, 0, "iterations"); };
  const PathIdentification result = identify_paths(names, std::move(all), std::move(laws), fit, slide);
  watch.end();
  Json json = paths_json(result);
  json["input"] = inputs;
  Outcome out{{"identify",
               json.dump(2),
               text + paths_text(result),
               {},
               {paths_figure(result, fmt::format("{}", fmt::join(names, ", ")))}}};
  for (std::size_t k = 0; k < result.paths.size(); ++k)
    out.results.files.emplace_back(fmt::format("path-{}.csv", k + 1), path_csv(result.paths[k], result.smoothed[k]));
  if (result.fit && result.fit->law) out.results.files.emplace_back("law.toml", path_law_toml(*result.fit));
  if (result.fit && (!result.fit->converged || result.fit->stopped || !result.fit->plausible)) out.exit_code = 3;
  if (Watch::stopped()) out.exit_code = Interrupt::exit_code();  // what was found is written all the same
  return out;
}

int run_identify(const IdentifyOptions& o) {
  for (const std::string& file : o.files)
    if (file.find('=') != std::string::npos && !std::filesystem::exists(file))
      throw InvalidInput(
          fmt::format("identify: \"{}\" is no file; several columns or units are written with commas, "
                      "as in --columns angle=phi,tangential=Ft",
                      file));
  require_used(o);
  if (o.files.empty() && o.simulate.empty())
    throw InvalidInput("identify: no record; name a file, or --simulate LAW.toml for a virtual tribometer");
  if (o.simulate.empty() && !o.common.set.empty())
    throw InvalidInput("identify: --set changes the scenario of --simulate; there is none");
  const std::vector<std::string> files = !o.simulate.empty() ? std::vector{o.simulate} : o.files;
  // elastic-interface: a few numbers, files only if asked for.
  Output output(o.common, o.model == "elastic-interface" ? "" : folder_of(files.front()), "identify");
  output.of_files(files);
  const Outcome out = o.model == "elastic-interface" ? elastic_interface(o)
                      : o.model == "stick-slip"      ? stick_slip(o)
                      : o.model == "path"            ? paths(o)
                      : o.model == "pin-on-disk"     ? pin_on_disk(o)
                                                     : rate(o);
  return output.write(out.results, out.exit_code);
}

}  // namespace

Work add_identify_command(CLI::App& app) {
  auto options = std::make_shared<IdentifyOptions>();
  CLI::App* command = app.add_subcommand("identify", "Measurements to a friction law, with its uncertainty");
  add_identify_options(*command, *options);
  command->footer(
      "Example: slipset identify record.csv --columns angle=phi,tangential=Ft,radial=Fr,normal=Fz\n"
      "         slipset identify --simulate examples/scenarios/ground-steel.toml --noise 0.01 --revolutions 20\n"
      "         slipset identify k168Nm_v1100.mat --model stick-slip --stiffness 168 --speed 1.1e-3 --weight 0.3012\n"
      "Files go to --out DIR, else to out/NAME of the record; with --json only if --out is given.\n"
      "See docs/identify.md for a guide from record to law.");
  return [options] { return run_identify(*options); };
}

}  // namespace slipset::app
