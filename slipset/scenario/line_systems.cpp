#include "slipset/scenario/line_systems.hpp"

#include <fmt/format.h>

#include <array>

#include "slipset/core/angle.hpp"
#include "slipset/models/chain.hpp"
#include "slipset/models/forced_oscillator.hpp"
#include "slipset/models/spring_slider.hpp"
#include "slipset/models/two_blocks.hpp"
#include "slipset/scenario/law_scenario.hpp"
#include "slipset/scenario/ode_keys.hpp"
#include "slipset/scenario/system_builders.hpp"

namespace slipset {
namespace {

constexpr std::array<std::string_view, 8> kFileKeys = {"title",      "law",    "system", "initial",
                                                       "integrator", "output", "sweep",  "stability"};

double not_negative(const TomlTable& t, std::string_view name, double otherwise) {
  const double value = t.number_or(name, otherwise);
  if (value < 0) t.fail(name, fmt::format("found {}; expected a number that is not negative", value));
  return value;
}

double whole(const TomlTable& t, std::string_view name, double from, double to) {
  const double value = t.number(name);
  if (value != std::floor(value) || value < from || value > to)
    t.fail(name, fmt::format("found {}; expected a whole number from {} to {}", value, from, to));
  return value;
}

TimeFunction read_sine(const TomlTable& t, std::string_view name) {
  const TomlTable sine = t.table(name, "a table, as in { amplitude = 1.5, frequency = 0.5 }");
  constexpr std::array<std::string_view, 3> keys = {"amplitude", "frequency", "phase"};
  sine.allow_only(keys);
  TimeFunction f;
  f.amplitude = sine.number("amplitude");
  f.frequency = sine.positive("frequency");
  f.phase = sine.number_or("phase", 0) * kPi / 180;
  return f;
}

double read_static_limit(const TomlTable& t) {
  if (!t.has("static_limit")) return 0;
  const double limit = t.positive("static_limit");
  if (limit == t.number("friction_limit")) return 0;  // the same as none
  if (limit < t.number("friction_limit"))
    t.fail("static_limit",
           fmt::format("found {}; it must be at least friction_limit, {}", limit, t.number("friction_limit")));
  return limit;
}

LineSystem build_forced_oscillator(const TomlTable& t) {
  ForcedOscillatorParameters p;
  if (t.has("mass")) p.mass = t.positive("mass");
  if (t.has("stiffness")) p.stiffness = not_negative(t, "stiffness", 1);
  p.damping = not_negative(t, "damping", 0);
  t.number("friction_limit");
  p.friction_limit = not_negative(t, "friction_limit", 1);
  p.static_limit = read_static_limit(t);
  if (t.has("forcing")) {
    const TimeFunction f = read_sine(t, "forcing");
    p.amplitude = f.amplitude;
    p.frequency = f.frequency;
    p.phase = f.phase;
  }
  return forced_oscillator(p);
}

LineSystem build_chain(const TomlTable& t) {
  ChainParameters p;
  p.blocks = static_cast<Eigen::Index>(whole(t, "blocks", 2, 1e7));
  p.friction_limit = not_negative(t, "friction_limit", 1);
  const TimeFunction f = read_sine(t, "forcing");
  if (f.phase != 0) t.table("forcing").fail("phase", "the chain is forced by a sine from rest; leave the phase out");
  p.amplitude = f.amplitude;
  p.frequency = f.frequency;
  constexpr std::array<std::string_view, 2> rows = {"published", "symmetric"};
  p.symmetric = t.has("last_row") && t.choice("last_row", rows) == "symmetric";
  return chain(p);
}

LineSystem build_two_blocks(const TomlTable& t) {
  TwoBlocksParameters p;
  p.stiffness_ratio = t.positive("stiffness_ratio");
  p.friction_limits = t.positive_pair("friction_limits");
  const TimeFunction f = read_sine(t, "drive");
  if (f.phase != 0) t.table("drive").fail("phase", "the belt is driven by a sine from rest; leave the phase out");
  p.amplitude = f.amplitude;
  p.frequency = f.frequency;
  return two_blocks(p);
}

LineSystem build_spring_slider(const TomlTable& t) {
  SpringSliderParameters p;
  p.mass = t.positive("mass");
  p.stiffness = t.positive("stiffness");
  p.damping = not_negative(t, "damping", 0);
  p.friction_limit = t.positive("friction_limit");
  p.static_limit = read_static_limit(t);
  p.speed = t.number("speed");
  return spring_slider(p);
}

struct Builder {
  SystemKind kind;
  LineSystem (*build)(const TomlTable&);
};

const std::vector<Builder>& builders() {
  static const std::vector<Builder> all = {
      {{"forced-oscillator",
        {"mass", "stiffness", "damping", "friction_limit", "static_limit", "forcing"},
        "a mass on a spring on rough ground; forcing = { amplitude, frequency, phase } (Quinn 2004)"},
       build_forced_oscillator},
      {{"chain",
        {"blocks", "friction_limit", "forcing", "last_row"},
        "blocks on rough ground joined by springs, forced at one end (Quinn 2004)"},
       build_chain},
      {{"two-blocks",
        {"stiffness_ratio", "friction_limits", "drive"},
        "two blocks stacked on a belt that is moved to and fro (Quinn 2004)"},
       build_two_blocks},
      {{"spring-slider",
        {"mass", "stiffness", "damping", "friction_limit", "static_limit", "speed"},
        "a block pulled through a spring: stick-slip if static_limit is above friction_limit"},
       build_spring_slider}};
  return all;
}

std::optional<RegularizedCoulomb> read_regularization(const TomlTable& root) {
  if (!root.has("law")) return std::nullopt;
  const TomlTable law = root.table("law");
  for (const std::string_view set : {"reservoir", "direction", "reservoir_at", "stribeck", "lugre", "elastic"})
    if (law.has(set))
      law.fail(set, "this system has its friction limit in [system], along one line; [law] may hold regularize only");
  constexpr std::array<std::string_view, 1> keys = {"regularize"};
  law.allow_only(keys);
  if (!law.has("regularize")) return std::nullopt;
  return read_regularize(law);
}

void read_initial(const TomlTable& root, State& start) {
  if (!root.has("initial")) return;
  const TomlTable t = root.table("initial");
  constexpr std::array<std::string_view, 2> keys = {"position", "velocity"};
  t.allow_only(keys);
  if (t.has("position")) start.q = read_vector(t, "position", start.q.size());
  if (t.has("velocity")) start.u = read_vector(t, "velocity", start.u.size());
}

double read_duration(const TomlTable& t, const LineSystem& system) {
  if (t.has("cycles") && t.has("duration")) t.fail("cycles", "give either cycles or duration, not both");
  if (!t.has("cycles")) return t.positive("duration");
  if (system.period() == 0) t.fail("cycles", "this system is not forced by a sine; give the duration");
  return t.positive("cycles") * system.period();
}

LineMethod line_method(OdeMethod method) {
  const std::string_view name = kOdeMethodNames[static_cast<std::size_t>(method)];
  return static_cast<LineMethod>(std::find(kLineMethodNames.begin(), kLineMethodNames.end(), name) -
                                 kLineMethodNames.begin());
}

void read_integrator(const TomlTable& root, const std::optional<RegularizedCoulomb>& form, LineScenario& scenario) {
  const TomlTable t = root.table("integrator", "a table [integrator] with step and duration");
  constexpr std::array<std::string_view, 10> keys = {"kind",      "step",      "duration",  "cycles",    "until",
                                                     kOdeKeys[0], kOdeKeys[1], kOdeKeys[2], kOdeKeys[3], kOdeKeys[4]};
  constexpr std::array<std::string_view, 4> kinds = {"rk4", "adaptive", "event-driven", "moreau"};
  constexpr std::array<std::string_view, 1> ends = {"stick"};
  t.allow_only(keys);
  const std::string kind = t.has("kind") ? t.choice("kind", kinds) : form ? "rk4" : "event-driven";
  const OdeKeys ode = read_ode_keys(t, kind, form, form ? std::optional<TomlTable>(root.table("law")) : std::nullopt);
  if (t.has("until") && kind != "event-driven") t.fail("until", "is for kind = \"event-driven\" only");

  const double step = t.positive("step"), duration = read_duration(t, scenario.system);
  if (duration / step > 1e9) t.fail("step", "more than 1e9 steps; choose a longer step or a shorter duration");
  scenario.exact = kind == "event-driven";
  scenario.event_options.row_step = scenario.options.step = step;
  scenario.event_options.duration = scenario.options.duration = duration;
  scenario.event_options.until_stick = t.has("until") && t.choice("until", ends) == "stick";
  LineOptions& o = scenario.options;
  if (kind == "moreau") o.method = LineMethod::moreau;
  if (kind == "adaptive") o.method = line_method(ode.method);
  o.relative_tolerance = ode.relative_tolerance.value_or(o.relative_tolerance);
  o.absolute_tolerance = ode.absolute_tolerance.value_or(o.absolute_tolerance);
  o.rate.balance = ode.balance;
  o.rate.freeze_band = ode.freeze_band;
}

void read_output(const TomlTable& root, LineScenario& scenario) {
  scenario.figures = {"time", "force"};
  if (!root.has("output")) return;
  const TomlTable t = root.table("output");
  constexpr std::array<std::string_view, 3> keys = {"every", "formats", "figures"};
  constexpr std::array<std::string_view, 2> figures = {"time", "force"};
  constexpr std::array<std::string_view, 1> formats = {"csv"};
  t.allow_only(keys);
  if (t.has("every")) {
    scenario.options.every = static_cast<int>(whole(t, "every", 1, 1e9));
    scenario.event_options.row_step *= scenario.options.every;
  }
  if (t.has("formats")) t.choices("formats", formats);
  if (t.has("figures")) scenario.figures = t.choices("figures", figures);
}

}  // namespace

std::span<const SystemKind> line_system_kinds() {
  static const std::vector<SystemKind> kinds = kinds_of(builders());
  return kinds;
}

LineSystem read_line_system(const TomlTable& table) {
  const Builder& builder = chosen_builder(builders(), table);
  return table.located("", [&] { return builder.build(table); });
}

bool is_line_system(const TomlTable& table) {
  return table.has("kind") && table.is_text("kind") &&
         std::any_of(builders().begin(), builders().end(),
                     [&](const Builder& b) { return b.kind.name == table.text("kind"); });
}

std::optional<LineScenario> read_line_scenario(const std::filesystem::path& path) {
  const TomlFile file(path);
  const TomlTable root = file.root();
  if (!root.has("system")) return std::nullopt;
  const TomlTable table = root.table("system");
  if (!is_line_system(table)) return std::nullopt;
  root.allow_only(kFileKeys);
  const std::optional<RegularizedCoulomb> law = read_regularization(root);
  LineSystem system = read_line_system(table);
  const State start{0, VectorX::Zero(system.dofs()), VectorX::Zero(system.dofs())};
  LineScenario scenario{root.has("title") ? root.text("title") : path.stem().string(),
                        std::move(system),
                        start,
                        law.value_or(RegularizedCoulomb::sign()),
                        false,
                        {},
                        {},
                        {}};
  read_initial(root, scenario.start);
  read_integrator(root, law, scenario);
  if (!scenario.exact && scenario.system.has_static_limits())
    table.fail("static_limit", "only kind = \"event-driven\" knows a static limit");
  read_output(root, scenario);
  return scenario;
}

LineSimulation simulate(const LineScenario& scenario) {
  return scenario.exact ? simulate_events(scenario.system, scenario.start, scenario.event_options)
                        : simulate(scenario.system, scenario.law, scenario.start, scenario.options);
}

}  // namespace slipset
