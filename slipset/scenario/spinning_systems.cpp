// Bodies with friction against sliding, drilling and rolling.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "slipset/scenario/any_run.hpp"
#include "slipset/scenario/integrator.hpp"
#include "slipset/scenario/rolling_law.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/system_kinds.hpp"
#include "slipset/systems/spinning_body.hpp"

namespace slipset {
namespace {

constexpr double kLargest = 100;  // of patches and torques per unit force, in radii of the body

SpinningBody read_body(const TomlTable& t, const RollingLaw& law) {
  constexpr std::array<std::string_view, 2> shapes = {"disk", "sphere"};
  SpinningBodyParameters p;
  p.shape = t.choice("shape", shapes) == "disk" ? BodyShape::disk : BodyShape::sphere;
  p.mass = t.positive("mass");
  p.radius = t.positive("radius");
  p.gravity = t.positive("gravity");
  p.slope = radians(t.number("slope"));
  if (t.has("normal_force")) p.normal_force = t.positive("normal_force");
  // Patches and torques far beyond the body leave nothing of its sliding in double precision.
  const Eigen::Index torques = law.size() - law.drilling_place();
  if (torques > 0)
    if (const double largest = law.coordinates().bottomRows(torques).cwiseAbs().maxCoeff();
        largest > kLargest * p.radius)
      t.fail("radius", fmt::format("a torque of {:.3g} m per unit normal force, from the law's patch, drilling or "
                                   "rolling, is out of range for it; expected {:g} radii at most",
                                   largest, kLargest));
  return t.located("", [&] { return SpinningBody(law, p); });
}

RunSetup read_spinning_run(const TomlTable& root) {
  const RollingLaw law = read_rolling_law(root.table("law", "a table [law] with reservoir, drilling or rolling"));
  const TomlTable system = root.table("system").described_by(system_kind_of(root).keys, "kind");
  const IntegratorChoice choice =
      read_integrator(root, {.kinds = {"moreau"}, .otherwise = "moreau", .contacts_open = false});
  auto body = std::make_unique<SpinningBody>(read_body(system, law));
  RunSetup scenario;
  scenario.title = title_of(root);
  scenario.start = body->start();
  scenario.system = std::move(body);
  if (root.has("initial")) {
    const TomlTable t = root.table("initial");
    constexpr std::array<std::string_view, 2> keys = {"position", "velocity"};
    t.allow_only(keys);
    if (t.has("position")) scenario.start.q = t.vector("position", scenario.system->dofs());
    if (t.has("velocity")) scenario.start.u = t.vector("velocity", scenario.system->dofs());
  }
  OutputChoice output = read_output(root, {"csv", "hdf5"}, {"path", "force", "time"});
  if (!(law.has_sliding() && law.has_drilling()))
    require_no_figure("force", root,
                      "\"force\" shows the drilling torque over the friction force; this law does not have both",
                      output);
  scenario.integrator = choice.integrator({});
  scenario.settings = choice.table;
  scenario.options = choice.options;
  scenario.options.every = output.every;
  scenario.formats = std::move(output.formats);
  scenario.figures = std::move(output.figures);
  return scenario;
}

AnyRun read_any_spinning_run(const Scenario& scenario) { return {read_spinning_run(scenario.root())}; }

}  // namespace

std::vector<SystemKind> spinning_systems() {
  SystemKind kind{
      {"spinning-body",
       "a disk or a sphere that slides, spins and rolls: x, y, yaw of a disk; x, y and the angles turned of "
       "a sphere",
       {{"shape", "", kRequired, "disk (flat on the plane) or sphere"},
        {"mass", "kg", kRequired, "of the body"},
        {"radius", "m", kRequired, "of the body"},
        {"gravity", "m/s2", 9.81, "of the weight"},
        {"slope", "degrees", 0.0, "of the plane, down along x"},
        {"normal_force", "N", kOptional, "instead of m g cos(slope)"}}}};
  kind.read_run = read_any_spinning_run;
  kind.tables = {"title", "law", "system", "initial", "integrator", "output"};
  kind.rolling_laws = true;
  return {kind};
}

}  // namespace slipset
