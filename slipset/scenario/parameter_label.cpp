#include "slipset/scenario/parameter_label.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/system_kinds.hpp"

namespace slipset {
namespace {

// Sizes of a reservoir are friction coefficients, unless they are in newtons.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kCoefficients = {
    {{"law.reservoir.radius", "μ"},
     {"law.reservoir.friction", "μ"},
     {"law.reservoir.semi_axes[0]", "μ₁"},
     {"law.reservoir.semi_axes[1]", "μ₂"},
     {"law.reservoir.intercepts[0]", "μ₁"},
     {"law.reservoir.intercepts[1]", "μ₂"}}};

std::string_view unit_in(std::span<const Key> keys, std::string_view name) {
  for (const Key& key : keys)
    if (key.name == name) return key.unit;
  return "";
}

}  // namespace

std::string parameter_label(const TomlTable& root, const std::string& dotted) {
  const bool newtons = root.has("law") && root.table("law").has("reservoir_at");
  for (const auto& [key, name] : kCoefficients)
    if (key == dotted) return fmt::format("{}{} ({})", name, newtons ? " times normal force [N]" : "", dotted);
  const std::string_view whole = dotted, key = whole.substr(0, whole.find('['));
  std::string_view unit;
  if (key.starts_with("law.")) unit = key.ends_with(".angle") ? "degrees" : unit_in(law_keys(), key.substr(4));
  if (key.starts_with("system.") && root.has("system"))
    if (const SystemKind* kind = find_system_kind(root.table("system"))) unit = unit_in(kind->keys, key.substr(7));
  return unit.empty() ? dotted : fmt::format("{} [{}]", dotted, unit);
}

}  // namespace slipset
