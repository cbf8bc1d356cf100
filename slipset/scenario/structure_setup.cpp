#include "slipset/scenario/structure_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "slipset/core/angle.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/system_kinds.hpp"

namespace slipset {
namespace {

TomlTable modes_table(const TomlTable& root) {
  return root.table("modes", "a table [modes] with the box, as in band = [0, 7000] and growth = [-100, 1000]")
      .described_by(modes_keys());
}

SpectrumBox read_box(const TomlTable& t) {
  const auto range = [&](std::string_view name) {
    if (!t.has(name)) t.fail(name, "missing; give two numbers, the smaller one first");
    const Vec2 ends = t.pair(name);
    if (!(ends.x() < ends.y()))
      t.fail(name, fmt::format("found [{}, {}]; expected the smaller one first", ends.x(), ends.y()));
    return ends;
  };
  const Vec2 band = range("band"), growth = range("growth");
  if (band.x() < 0) t.fail("band", fmt::format("found {}; frequencies are not negative", band.x()));
  return {growth.x(), growth.y(), 2 * kPi * band.x(), 2 * kPi * band.y()};
}

ModeShapes read_shapes(const TomlTable& t, bool has_mesh) {
  constexpr std::array<std::string_view, 3> names = {"growing", "all", "none"};
  const std::string name = t.choice("shapes", names);
  if (t.has("shapes") && name != "none" && !has_mesh)
    t.fail("shapes", fmt::format("\"{}\" has no effect without a mesh; remove it, or add [system] mesh", name));
  return name == "all" ? ModeShapes::all : name == "none" ? ModeShapes::none : ModeShapes::growing;
}

// What can be changed, but need not stand in the file.
std::vector<std::string> defaults_of(const TomlTable& root) {
  std::vector<std::string> settings;
  const TomlTable system = root.table("system");
  for (const std::string_view key : {"friction_factor", "stiffness_factor", "preload_factor"})
    if (!system.has(key)) settings.push_back(fmt::format("system.{}=1.0", key));
  for (const std::string_view key : {"mass", "stiffness"})
    if (!system.has("rayleigh") || !system.table("rayleigh").has(key))
      settings.push_back(fmt::format("system.rayleigh.{}=0.0", key));
  for (const auto& [name, law] : law_tables_by_name(root))
    for (const std::string_view set : {"reservoir", "direction"}) {
      if (!law.has(set) || law.is_text(set)) continue;
      const TomlTable shape = law.table(set);
      if (!shape.has("angle") && shape.is_text("shape") && shape.text("shape") != "disk")
        settings.push_back(
            fmt::format("{}.{}.angle=0.0", name == "law" ? name : fmt::format("laws.\"{}\"", name), set));
    }
  return settings;
}

// The last name of a dotted key: angle of law.reservoir.angle, angles of law.reservoir.angles[3].
std::string_view last_name(std::string_view dotted) {
  const std::string_view key = dotted.substr(0, dotted.find_last_not_of("]0123456789[") + 1);
  return key.substr(key.rfind('.') + 1);
}

}  // namespace

std::span<const Key> modes_keys() {
  static const std::vector<Key> keys = {{"band", "Hz", kRequired, "[from, to] of the frequency"},
                                        {"growth", "1/s", kRequired, "[from, to] of the growth rate"},
                                        {"shapes", "", "growing",
                                         "which modes get a VTK file of their shape: growing, all, none; needs "
                                         "[system] mesh"}};
  return keys;
}

StructureSetup::StructureSetup(const Scenario& scenario)
    : file_(scenario.file()), title_(scenario.title()), files_(std::make_shared<StructureFiles>()) {
  const TomlTable root = file_.root();
  require_tables_of(system_kind_of(root), root);
  structure_ = read_structure(root, *files_);
  const TomlTable modes = modes_table(root);
  box_ = read_box(modes);
  const TomlTable system = root.table("system").described_by(system_kind_of(root).keys, "kind");
  shapes_ = read_shapes(modes, system.has("mesh"));
  if (system.has("mesh")) mesh_ = files_->mesh(system, structure_.dofs());
  sliding_ = system.located("", [&] { return linearize_structure(structure_); });
  system.located("K", [&] { require_held(sliding_.problem()); });
  file_ = file_.with_settings(defaults_of(root));
  if (!root.has("sweep")) return;
  sweep_ = read_sweep(file_.root(), title_);
  if (!(box_.growth_from <= 0 && box_.growth_to > 0))
    modes.fail("growth", fmt::format("found [{}, {}]; a sweep looks for where modes begin to grow: the range must have "
                                     "0 in it, and more above",
                                     box_.growth_from, box_.growth_to));
  for (const ScanRange* range : {&sweep_->first, sweep_->second ? &*sweep_->second : nullptr})
    if (range && (range->parameter.starts_with("modes.") || range->parameter.starts_with("sweep.")))
      file_.root().table("sweep").fail(
          "parameter",
          fmt::format("{} is no number of the structure; give a key of [law], [laws] or [system]", range->parameter));
  // A value that no structure can have is reported now, with the ends of the range.
  for (const double value : {sweep_->first.from, sweep_->first.to}) {
    at(value, sweep_->second ? std::optional(sweep_->second->from) : std::nullopt);
    if (sweep_->second) at(value, sweep_->second->to);
  }
}

StructureSliding StructureSetup::at(double value, std::optional<double> second) const {
  const TomlFile changed = at_sweep(file_, *sweep_, value, second);
  try {
    return linearize_structure(read_structure(changed.root(), *files_));
  } catch (const InvalidInput& error) {
    file_.root().table("sweep").fail("parameter",
                                     fmt::format("at {} = {}: {}", sweep_->first.parameter, value, error.what()));
  }
}

Structure StructureSetup::with(const std::string& dotted, double value) const {
  const TomlTable system = file_.root().table("system");
  return read_structure(file_.with_number(dotted, value, system, "kind").root(), *files_);
}

std::vector<std::string> StructureSetup::notes() const {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < structure_.laws.size(); ++k)
    if (std::none_of(structure_.contacts.begin(), structure_.contacts.end(),
                     [&](const StructureContact& c) { return c.law == k; }))
      all.push_back(fmt::format("no contact has the law {}", structure_.laws[k].name));
  for (const std::string& file : files_->open_ended())
    all.push_back(fmt::format("{} does not end with a new line: its last number may be cut off", file));
  if (const Eigen::Index unseen = mesh_ ? mesh_->unseen(structure_.dofs()) : 0; unseen > 0)
    all.push_back(fmt::format("{} of {} unknowns move no node of the mesh; shapes of modes do not show them", unseen,
                              structure_.dofs()));
  if (structure_.dofs() > kMostFactorisedMass)
    all.push_back("M was not factorised: that it is positive definite is known of its diagonal alone");
  if (sliding_.unknowns > kMostHeld) all.push_back("K was not factorised: that it holds the structure is not checked");
  return all;
}

std::vector<StructureParameter> StructureSetup::parameters() const {
  std::vector<StructureParameter> all;
  for (const auto& [key, value] : file_.root().all_numbers()) {
    const bool of_law = key.starts_with("law.") || key.starts_with("laws."), of_system = key.starts_with("system.");
    const std::string_view name = last_name(key);
    if (!(of_law && !structure_.contacts.empty()) && !of_system) continue;
    if (name == "power") continue;
    if (name.ends_with("_factor") && structure_.contacts.empty()) continue;
    const bool angle = name == "angle" || name == "angles" || name == "slope";
    all.push_back({key, angle ? "degrees" : "", value, angle, [this, key = key](double x) { return with(key, x); }});
  }
  if (structure_.laws.size() < 2) return all;
  for (std::size_t k = 0; k < structure_.laws.size(); ++k)
    for (const bool stiffness : {true, false})
      all.push_back(
          {fmt::format("{} of contacts with the law {}", stiffness ? "stiffness" : "force", structure_.laws[k].name),
           "", 1, false, [this, k, stiffness](double x) {
             Structure changed = structure_;
             for (StructureContact& c : changed.contacts)
               if (c.law == k) (stiffness ? c.stiffness : c.preload) *= x;
             return changed;
           }});
  return all;
}

}  // namespace slipset
