#include "slipset/scenario/ode_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipset {

OdeKeys read_ode_keys(const TomlTable& t, const std::string& kind, const std::optional<RegularizedCoulomb>& form,
                      const std::optional<TomlTable>& law, bool has_state) {
  constexpr std::array<std::string_view, 2> rules = {"fixed-point", "partition"}, bands = {"free", "frozen"};
  const bool needs_law = kind == "rk4" || kind == "adaptive";
  if (needs_law && !form && !has_state)
    t.fail("kind",
           fmt::format("{} needs a regularised law: give [law] regularize, or take event-driven or moreau", kind));
  if (!needs_law && form)
    law->fail("regularize",
              fmt::format("{} solves Coulomb's law as it is; take regularize out, or choose rk4 or adaptive", kind));
  for (const std::string_view name : {"method", "relative_tolerance", "absolute_tolerance"})
    if (t.has(name) && kind != "adaptive") t.fail(name, "is for kind = \"adaptive\" only");
  for (const std::string_view name : {"balance", "band"})
    if (t.has(name) && !form) t.fail(name, "is for regularised laws only");

  OdeKeys keys;
  if (kind == "adaptive") {
    const auto methods = std::span(kOdeMethodNames).subspan(1);  // all but rk4
    const std::string method = t.has("method") ? t.choice("method", methods) : "bdf";
    keys.method = static_cast<OdeMethod>(std::find(kOdeMethodNames.begin(), kOdeMethodNames.end(), method) -
                                         kOdeMethodNames.begin());
    if (t.has("relative_tolerance")) keys.relative_tolerance = t.positive("relative_tolerance");
    if (t.has("absolute_tolerance")) keys.absolute_tolerance = t.positive("absolute_tolerance");
  }
  if (t.has("balance") && t.choice("balance", rules) == "partition") keys.balance = BalanceRule::partition;
  if (t.has("band")) {
    keys.freeze_band = t.choice("band", bands) == "frozen";
    if (keys.freeze_band && form->kind() != Regularization::karnopp)
      t.fail("band", "only the law karnopp has a band that can be frozen");
  }
  return keys;
}

}  // namespace slipset
