// Systems along one line, with their friction limits in [system].
#include <fmt/format.h>

#include <array>

#include "slipset/core/angle.hpp"
#include "slipset/scenario/any_run.hpp"
#include "slipset/scenario/run_setup.hpp"
#include "slipset/scenario/system_kinds.hpp"
#include "slipset/systems/chain.hpp"
#include "slipset/systems/forced_oscillator.hpp"
#include "slipset/systems/spring_slider.hpp"
#include "slipset/systems/two_blocks.hpp"

namespace slipset {
namespace {

TimeFunction read_sine(const TomlTable& t, std::string_view name) {
  const TomlTable sine = t.table(name, "a table, as in { amplitude = 1.5, frequency = 0.5 }");
  TimeFunction f;
  f.amplitude = sine.number("amplitude");
  f.frequency = sine.positive("frequency");
  f.phase = sine.number("phase") * kPi / 180;
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

AxialSystem build_forced_oscillator(const TomlTable& t) {
  ForcedOscillatorParameters p;
  p.mass = t.positive("mass");
  p.stiffness = t.not_negative("stiffness");
  p.damping = t.not_negative("damping");
  p.friction_limit = t.not_negative("friction_limit");
  p.static_limit = read_static_limit(t);
  if (t.has("forcing")) {
    const TimeFunction f = read_sine(t, "forcing");
    p.amplitude = f.amplitude;
    p.frequency = f.frequency;
    p.phase = f.phase;
  }
  return forced_oscillator(p);
}

AxialSystem build_chain(const TomlTable& t) {
  ChainParameters p;
  p.blocks = t.whole("blocks", 2, 10000000);
  p.friction_limit = t.not_negative("friction_limit");
  const TimeFunction f = read_sine(t, "forcing");
  if (f.phase != 0) t.table("forcing").fail("phase", "the chain is forced by a sine from rest; remove the phase");
  p.amplitude = f.amplitude;
  p.frequency = f.frequency;
  constexpr std::array<std::string_view, 2> rows = {"published", "symmetric"};
  p.symmetric = t.choice("last_row", rows) == "symmetric";
  return chain(p);
}

AxialSystem build_two_blocks(const TomlTable& t) {
  TwoBlocksParameters p;
  p.stiffness_ratio = t.positive("stiffness_ratio");
  p.friction_limits = t.positive_pair("friction_limits");
  const TimeFunction f = read_sine(t, "drive");
  if (f.phase != 0) t.table("drive").fail("phase", "the belt is driven by a sine from rest; remove the phase");
  p.amplitude = f.amplitude;
  p.frequency = f.frequency;
  return two_blocks(p);
}

AxialSystem build_spring_slider(const TomlTable& t) {
  SpringSliderParameters p;
  p.mass = t.positive("mass");
  p.stiffness = t.positive("stiffness");
  p.damping = t.not_negative("damping");
  p.friction_limit = t.positive("friction_limit");
  p.static_limit = read_static_limit(t);
  p.speed = t.number("speed");
  return spring_slider(p);
}

SystemKind axial_kind(Entry entry, AxialSystem (*build)(const TomlTable&)) {
  SystemKind kind{std::move(entry)};
  kind.build_axial = build;
  kind.read_run = read_any_run_of_system;
  kind.tables = {"title", "law", "system", "initial", "integrator", "output"};
  return kind;
}

constexpr Key kDamping{"damping", "N s/m", 0.0, "beside the spring"};
constexpr Key kLimit{"friction_limit", "N", kRequired, "of the friction force in slip"};
constexpr Key kStaticLimit{"static_limit", "N", kOptional, "at rest, for event-driven; the same as in slip"};

}  // namespace

std::vector<SystemKind> axial_systems() {
  return {axial_kind({"forced-oscillator",
                      "a mass on a spring on rough ground (Quinn 2004)",
                      {{"mass", "kg", 1.0, "of the mass"},
                       {"stiffness", "N/m", 1.0, "of the spring"},
                       kDamping,
                       kLimit,
                       kStaticLimit,
                       {"forcing.amplitude", "N", kRequired, "of the force on the mass; none without forcing"},
                       {"forcing.frequency", "rad/s", kRequired, "of it"},
                       {"forcing.phase", "degrees", 0.0, "of it"}}},
                     build_forced_oscillator),
          axial_kind({"chain",
                      "n blocks of mass 1/n on rough ground joined by springs of stiffness n, forced at one end (Quinn "
                      "2004, Sect. 3.2)",
                      {{"blocks", "", kRequired, "n, 2 to 1e7"},
                       {"friction_limit", "N", 1.0, "of all blocks together"},
                       {"forcing.amplitude", "N", kRequired, "of the force on the first block"},
                       {"forcing.frequency", "rad/s", kRequired, "of it"},
                       {"forcing.phase", "degrees", 0.0, "must be 0"},
                       {"last_row", "", "published", "of the stiffness matrix: published or symmetric"}}},
                     build_chain),
          axial_kind({"two-blocks",
                      "two blocks stacked on a belt that is moved to and fro (Quinn 2004)",
                      {{"stiffness_ratio", "", kRequired, "of the two springs"},
                       {"friction_limits", "N", kRequired, "[belt, between the blocks]"},
                       {"drive.amplitude", "m", kRequired, "of the belt's motion"},
                       {"drive.frequency", "rad/s", kRequired, "of it"},
                       {"drive.phase", "degrees", 0.0, "must be 0"}}},
                     build_two_blocks),
          axial_kind({"spring-slider",
                      "a block pulled through a spring: stick-slip if static_limit is above friction_limit",
                      {{"mass", "kg", kRequired, "of the block"},
                       {"stiffness", "N/m", kRequired, "of the spring"},
                       kDamping,
                       kLimit,
                       kStaticLimit,
                       {"speed", "m/s", kRequired, "of the spring's end"}}},
                     build_spring_slider)};
}

}  // namespace slipset
