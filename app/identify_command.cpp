#include <fmt/format.h>

#include <array>

#include "app/commands.hpp"
#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/law_scenario.hpp"
#include "slipset/scenario/path_identification.hpp"
#include "slipset/scenario/pin_identification.hpp"
#include "slipset/scenario/pull_identification.hpp"
#include "slipset/scenario/rate_identification.hpp"
#include "slipset/scenario/stick_slip_identification.hpp"

namespace slipset::app {
namespace {

using Json = nlohmann::ordered_json;

struct IdentifyOptions {
  CommonOptions common;
  std::vector<std::string> files;
  std::string model = "pin-on-disk";
  std::vector<double> friction;
  PinOptions pin;
  std::string simulate;
  TribometerOptions machine;
  double misalignment = 0, machine_offset = 0;  // of the virtual tribometer [degrees]
  StickSlipOptions stick;
  std::vector<std::string> laws;
  bool no_fit = false;
  double gravity = 9.81;
};

// All files of one result; they are written together.
struct Output {
  std::string text;
  Json json;
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<Figure> figures;
  int exit_code = 0;
};

const std::string& the_file(const IdentifyOptions& o) {
  if (o.files.size() != 1)
    throw InvalidInput(fmt::format("identify: {} files given; --model {} takes one", o.files.size(), o.model));
  return o.files.front();
}

// Messages that do not name the file get it.
template <class Function>
auto of_file(const std::string& file, Function&& f) {
  try {
    return f();
  } catch (const InvalidInput& error) {
    const std::string what = error.what();
    if (what.starts_with(file)) throw;
    throw InvalidInput(file + ": " + what);
  }
}

Output elastic_interface(const IdentifyOptions& o) {
  const PullIdentification result = identify_pull(the_file(o), o.friction);
  const int code = !result.fit.identifiable ? 1 : result.fit.converged ? 0 : 3;
  return {pull_identification_text(result), pull_identification_json(result), {}, {}, code};
}

// What the virtual machine was given, beside what was found.
Json truth_json(const FrictionLaw& law, const TribometerOptions& m) {
  return {{"reservoir", law.reservoir().description()},
          {"direction", law.direction().description()},
          {"noise", m.noise},
          {"revolutions", m.revolutions},
          {"samples_per_revolution", m.samples},
          {"crosstalk", m.crosstalk},
          {"wobble", m.wobble},
          {"quantum", m.quantum},
          {"misalignment", degrees(m.misalignment)},
          {"seed", m.seed}};
}

Output pin_on_disk(const IdentifyOptions& o) {
  Output out;
  PinRecord record;
  std::string name;
  std::optional<LawScenario> truth;
  TribometerOptions machine = o.machine;
  if (!o.simulate.empty()) {
    if (!o.files.empty()) throw InvalidInput("identify: give a record or --simulate, not both");
    name = o.simulate;
    truth = read_law_scenario(o.simulate);
    machine.misalignment = radians(o.misalignment);
    machine.offset = radians(o.machine_offset);
    if (o.pin.normal_force) machine.normal_force = *o.pin.normal_force;
    record = simulate_tribometer(truth->law, machine);
    if (!o.common.out.empty() || !o.common.json) out.files.emplace_back("signals.csv", pin_record_csv(record));
    if (!o.pin.compensation.empty() || !o.pin.loads.empty())
      throw InvalidInput("identify: --simulate writes signals.csv; use --compensation and --loads on that file");
  } else {
    name = the_file(o);
    record = read_pin_record(name, o.pin);
  }
  const PinIdentification result = of_file(name, [&] { return identify_pin(std::move(record), o.pin); });
  out.json = pin_json(result);
  if (truth) out.json["truth"] = truth_json(truth->law, machine);
  out.text = pin_text(result);
  if (truth)
    out.text += fmt::format("\ntruth of the simulated machine: C is a {}; D is a {}\n",
                            truth->law.reservoir().description(), truth->law.direction().description());
  out.files.emplace_back("law.toml", result.law_toml());
  out.files.emplace_back("sets.csv", pin_csv(result));
  out.figures = pin_figures(result, std::filesystem::path(name).filename().string());
  out.exit_code = result.fit.converged ? 0 : 3;
  return out;
}

Output stick_slip(const IdentifyOptions& o) {
  const std::string& file = the_file(o);
  const StickSlipRecord record = read_stick_slip(file, o.pin.columns, o.pin.units, o.stick.weight);
  const StickSlipResult result = of_file(file, [&] { return identify_stick_slip(record.time, record.force, o.stick); });
  return {stick_slip_text(result, o.stick),
          stick_slip_json(result, o.stick),
          {},
          {stick_slip_figure(record, result, std::filesystem::path(file).filename().string())},
          0};
}

Output rate(const IdentifyOptions& o) {
  const std::string& file = the_file(o);
  const bool lugre = o.model == "lugre";
  const RateRecord record = read_rate_record(file, o.pin.columns, o.pin.units, o.pin.normal_force.value_or(0), lugre);
  const RateFit fit = of_file(file, [&] {
    return lugre ? fit_lugre(record.time, record.velocity, record.friction)
                 : fit_stribeck(record.velocity, record.friction);
  });
  return {rate_text(fit),
          rate_json(fit),
          {},
          {rate_figure(record, fit, std::filesystem::path(file).filename().string())},
          fit.converged ? 0 : 3};
}

Output paths(const IdentifyOptions& o) {
  if (o.files.empty()) throw InvalidInput("identify: --model path needs at least one file with time, x, y");
  std::vector<std::string> names;
  std::vector<SlidingPath> all;
  for (const std::string& file : o.files) {
    names.push_back(std::filesystem::path(file).stem().string());
    all.push_back(read_sliding_path(file, o.pin.columns, o.pin.units));
  }
  std::vector<NamedLaw> laws;
  for (const std::string& file : o.laws) {
    const LawScenario scenario = read_law_scenario(file);
    laws.push_back({scenario.title, scenario.law});
  }
  SlideOptions slide;
  require_positive(o.gravity, "--gravity");
  slide.gravity = o.gravity;
  std::optional<PathFitOptions> fit;
  if (!o.no_fit) {
    fit.emplace();
    fit->slide = slide;
    constexpr std::array<std::string_view, 3> reservoirs = {"disk", "ellipse", "superellipse"};
    constexpr std::array<std::string_view, 5> directions = {"disk", "ellipse", "superellipse", "", "associated"};
    const auto place = [](const auto& list, const std::string& text, const char* option) {
      const auto at = std::find(list.begin(), list.end(), text);
      if (at == list.end() || text.empty())
        throw InvalidInput(
            fmt::format("{}: found \"{}\"; paths are fitted with disk, ellipse, superellipse (and associated as "
                        "direction)",
                        option, text));
      return static_cast<int>(at - list.begin());
    };
    const std::string c = o.pin.reservoir == "auto" ? "ellipse" : o.pin.reservoir,
                      d = o.pin.direction == "auto" ? "ellipse" : o.pin.direction;
    fit->model.reservoir = static_cast<ReservoirKind>(place(reservoirs, c, "--reservoir"));
    fit->model.direction = static_cast<DirectionKind>(place(directions, d, "--direction"));
    if (o.pin.axes == "separate") fit->model.axes = AxesKind::separate;
    if (o.pin.axes != "separate" && o.pin.axes != "common") {
      fit->model.axes = AxesKind::fixed;
      try {
        fit->model.angle = radians(std::stod(o.pin.axes));
      } catch (const std::exception&) {
        throw InvalidInput(
            fmt::format("--axes: found \"{}\"; expected common, separate or an angle in degrees", o.pin.axes));
      }
    }
  }
  const PathIdentification result = identify_paths(names, std::move(all), std::move(laws), fit, slide);
  Output out{
      paths_text(result), paths_json(result), {}, {paths_figure(result, fmt::format("{}", fmt::join(names, ", ")))}, 0};
  for (std::size_t k = 0; k < result.paths.size(); ++k)
    out.files.emplace_back(fmt::format("path-{}.csv", k + 1), path_csv(result.paths[k], result.smoothed[k]));
  if (result.fit && !result.fit->converged) out.exit_code = 3;
  return out;
}

int run_identify(const IdentifyOptions& o) {
  const Output out = o.model == "elastic-interface" ? elastic_interface(o)
                     : o.model == "stick-slip"      ? stick_slip(o)
                     : o.model == "path"            ? paths(o)
                     : o.model == "pin-on-disk"     ? pin_on_disk(o)
                                                    : rate(o);
  const std::string first = !o.simulate.empty() ? o.simulate : o.files.front();
  std::vector<std::filesystem::path> written;
  std::vector<std::string> problems;
  const bool wanted = !o.common.out.empty() || (!o.common.json && o.model != "elastic-interface");
  if (wanted) {
    const std::filesystem::path folder = o.common.out.empty()
                                             ? std::filesystem::path("out") / std::filesystem::path(first).stem()
                                             : std::filesystem::path(o.common.out);
    StagedFolder staged(folder);
    write_file(staged.path() / "identify.json", out.json.dump(2) + "\n");
    for (const auto& [name, text] : out.files) write_file(staged.path() / name, text);
    for (const Figure& figure : out.figures) {
      const Figure::Saved saved = figure.save(staged.path());
      if (!saved.problem.empty()) problems.push_back(saved.problem);
    }
    written = staged.publish();
  }
  if (o.common.json) {
    fmt::print("{}\n", out.json.dump(2));
  } else if (!o.common.quiet) {
    fmt::print("{}", out.text);
    if (!written.empty()) fmt::print("\n");
    for (const auto& file : written)
      if (file.extension() != ".dat") fmt::print("wrote {}\n", file.string());
  }
  for (const std::string& problem : problems) fmt::print(stderr, "slipset: no picture: {}\n", problem);
  return out.exit_code;
}

void add_pin_options(CLI::App& command, IdentifyOptions& o) {
  command
      .add_option("--columns", o.pin.columns,
                  "Which column is what, by name or number: angle=..,tangential=..,radial=..,normal=..")
      ->delimiter(',')
      ->type_name("ROLE=NAME");
  command.add_option("--units", o.pin.units, "Units, where the file does not give them: angle=rad,force=mN")
      ->delimiter(',')
      ->type_name("KIND=UNIT");
  command.add_option("--normal-force", o.pin.normal_force, "A constant normal force [N], where the file has no column")
      ->type_name("N");
  command.add_option("--compensation", o.pin.compensation, "File with the 3x3 matrix against crosstalk")
      ->type_name("FILE");
  command.add_option("--loads", o.pin.loads, "File with known loads and readings: the matrix is computed from them")
      ->type_name("FILE");
  command.add_option("--lowpass", o.pin.signals.lowpass, "Zero-phase Butterworth low-pass [cycles per revolution]")
      ->type_name("F");
  command.add_option("--order", o.pin.signals.order, "Its order, 1 to 20; 4")->type_name("N");
  command.add_flag("--detrend", o.pin.signals.detrend, "Take straight drifts off the forces");
  command.add_option("--sense", o.pin.sense, "1 or -1: the slip angle grows or falls with the angle; or auto")
      ->type_name("S");
  command.add_option("--offset", o.pin.offset, "Angle of the grooves' frame at angle zero [degrees], or auto")
      ->type_name("DEG");
  command.add_option("--misalignment", o.pin.misalignment, "Of the sensor against the tangent [degrees], or auto")
      ->type_name("DEG");
  command.add_option("--outliers", o.pin.signals.outliers, "Reject beyond so many robust deviations; 0: none")
      ->type_name("X");
  command.add_option("--reservoir", o.pin.reservoir, "auto, disk, ellipse, superellipse, fourier, spline")
      ->type_name("SHAPE");
  command.add_option("--direction", o.pin.direction, "auto, disk, ellipse, superellipse, series, associated")
      ->type_name("SHAPE");
  command.add_option("--axes", o.pin.axes, "common, separate, or a fixed angle [degrees]")->type_name("AXES");
  command.add_flag("--hull", o.pin.hull, "D is the convex hull of the data, smoothed");
  command.add_option("--bootstrap", o.pin.fit.bootstrap, "Replications for the bands; 400")
      ->type_name("N")
      ->check(CLI::Range(0, 100000));
}

void add_machine_options(CLI::App& command, IdentifyOptions& o) {
  command
      .add_option("--simulate", o.simulate,
                  "A virtual tribometer: signals of this law, identified again; writes signals.csv")
      ->type_name("LAW.toml");
  command.add_option("--revolutions", o.machine.revolutions, "of the virtual tribometer; 20")->type_name("N");
  command.add_option("--samples", o.machine.samples, "a revolution; 3600")->type_name("N");
  command.add_option("--noise", o.machine.noise, "over the mean force; 0.01")->type_name("X");
  command.add_option("--crosstalk", o.machine.crosstalk, "between the channels; 0")->type_name("X");
  command.add_option("--wobble", o.machine.wobble, "of the normal force, once a revolution, over its mean; 0")
      ->type_name("X");
  command.add_option("--quantum", o.machine.quantum, "Step of the converter [N]; 0")->type_name("N");
  command.add_option("--turned-sensor", o.misalignment, "Misalignment of the virtual sensor [degrees]; 0")
      ->type_name("DEG");
  command.add_option("--turned-surface", o.machine_offset, "Slip angle at angle zero [degrees]; 0")->type_name("DEG");
  command.add_option("--seed", o.machine.seed, "of the noise; 1")->type_name("N");
}

}  // namespace

Work add_identify_command(CLI::App& app) {
  auto options = std::make_shared<IdentifyOptions>();
  CLI::App* command = app.add_subcommand("identify", "Measurements to a friction law, with its uncertainty");
  command->add_option("FILE", options->files, "Record (CSV and the like, or MATLAB's .mat); several for --model path");
  command
      ->add_option("--model", options->model,
                   "pin-on-disk (default), stick-slip, stribeck, lugre, path, elastic-interface")
      ->check(CLI::IsMember({"pin-on-disk", "stick-slip", "stribeck", "lugre", "path", "elastic-interface"}));
  add_pin_options(*command, *options);
  add_machine_options(*command, *options);
  command->add_option("--stiffness", options->stick.stiffness, "stick-slip: of the spring [N/m]")->type_name("K");
  command->add_option("--speed", options->stick.speed, "stick-slip: of the drive [m/s]")->type_name("V");
  command->add_option("--weight", options->stick.weight, "stick-slip: normal force of the slider [N]")->type_name("W");
  command->add_option("--mass", options->stick.mass, "stick-slip: moving mass [kg]; weight/9.81")->type_name("M");
  command->add_option("--prominence", options->stick.prominence, "stick-slip: smallest rise and fall of an event")
      ->type_name("X");
  command->add_option("--law", options->laws, "path: laws to compare with")->type_name("LAW.toml");
  command->add_flag("--no-fit", options->no_fit, "path: compare only");
  command->add_option("--gravity", options->gravity, "path: [m/s2]; 9.81")->type_name("G");
  command
      ->add_option(
          "--friction", options->friction,
          "elastic-interface: friction coefficients MU1,MU2 from force readings: the ratio of stiffnesses follows")
      ->delimiter(',')
      ->expected(2)
      ->type_name("MU1,MU2");
  add_common_options(*command, options->common);
  command->footer(
      "Example: slipset identify record.csv --columns angle=phi,tangential=Ft,radial=Fr,normal=Fz\n"
      "         slipset identify --simulate examples/scenarios/ground-steel.toml --noise 0.01 --revolutions 20\n"
      "         slipset identify k168Nm_v1100.mat --model stick-slip --stiffness 168 --speed 1.1e-3 --weight 0.3012\n"
      "Files go to --out DIR, else to out/NAME of the record; with --json only if --out is given.\n"
      "docs/identify.md tells how to go from a record to a law.");
  return [options] {
    if (options->files.empty() && options->simulate.empty())
      throw InvalidInput("identify: no record; name a file, or --simulate LAW.toml for a virtual tribometer");
    options->pin.fit.seed = options->machine.seed;
    return run_identify(*options);
  };
}

}  // namespace slipset::app
