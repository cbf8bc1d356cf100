// [integrator] and [output] of a scenario file, for every kind of system.   docs/scenarios.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

// What [integrator] kind can name, and the keys of [output].
std::span<const Entry> integrators();
std::span<const Key> output_keys();

// What a system allows, and what its law asks for.
struct IntegratorRules {
  std::vector<std::string_view> kinds;        // of integrators
  std::string_view otherwise;                 // the one of them that holds without `kind`
  std::vector<std::string_view> until_stick;  // those of them that can end when every contact sticks
  double period = 0;                          // of a forcing, for `cycles` [s]; 0: none
  // rk4 and adaptive need a regularised law, or one with a state (lugre, elastic); the others take no regularised law.
  std::optional<RegularizedCoulomb> regularize{};
  bool has_state = false;
  std::optional<TomlTable> law{};  // where errors about `regularize` are placed
};

struct IntegratorChoice {
  std::string kind;
  double step = 0;     // [s]
  RunOptions options;  // duration, until_stick
  Adaptive adaptive;   // its method and tolerances
  BalanceOptions balance;

  bool is_ordinary() const { return kind == "rk4" || kind == "adaptive"; }
  // `friction` is for rk4 and adaptive; a row of event-driven every so many steps.
  Integrator integrator(const SmoothFriction& friction, int every) const;
};

// Throws InvalidInput with file, line, column, key and remedy.
IntegratorChoice read_integrator(const TomlTable& root, const IntegratorRules& rules);

struct OutputChoice {
  int every = 1;                     // steps between rows
  std::vector<std::string> formats;  // csv, hdf5
  std::vector<std::string> figures;
};
// `figures` are all that the system has; they are drawn if the file does not say which.
OutputChoice read_output(const TomlTable& root, const std::vector<std::string_view>& formats,
                         const std::vector<std::string_view>& figures);

// Takes a figure that the system does not have out of those that are drawn by default; refuses it, with the reason, if
// it was asked for.
void require_no_figure(const char* name, const TomlTable& root, const std::string& why, OutputChoice& output);

}  // namespace slipset
