// Keys of [integrator] that belong to ordinary integrators.                              docs/scenarios.md
#pragma once

#include <optional>

#include "slipset/dynamics/line_rate.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

constexpr std::array<std::string_view, 5> kOdeKeys = {"method", "relative_tolerance", "absolute_tolerance", "balance",
                                                      "band"};

struct OdeKeys {
  OdeMethod method = OdeMethod::rk4;
  std::optional<double> relative_tolerance, absolute_tolerance;
  BalanceRule balance = BalanceRule::fixed_point;
  bool freeze_band = false;
};

// `kind` is the integrator's: rk4 and adaptive need a regularised law, or one with a state (`has_state`: lugre,
// elastic); all others take no regularised law. `law` is the table of `form`. Throws InvalidInput, located, for keys
// and laws that do not go with the kind.
OdeKeys read_ode_keys(const TomlTable& integrator, const std::string& kind,
                      const std::optional<RegularizedCoulomb>& form, const std::optional<TomlTable>& law,
                      bool has_state = false);

}  // namespace slipset
