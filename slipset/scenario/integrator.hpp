// [integrator] and [output] of a scenario file, for every kind of system.   docs/scenarios.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

struct IntegratorChoice;

// What [integrator] kind can name: one entry has all that files, messages and `slipset list` know of it.
struct IntegratorKind : Entry {
  // Friction is a function of the state, by one of law_tables(); it comes to rest only in the limit.
  bool ordinary = false;
  bool static_limits = false;  // of systems along one line
  Integrator (*build)(const IntegratorChoice& choice, const SmoothFriction& friction) = nullptr;  // of ordinary ones
};
std::span<const IntegratorKind> integrators();
std::string set_valued_integrators();  // those that are not ordinary, for messages: "moreau or event-driven"
std::span<const Key> output_keys();

// What a system allows, and what its law asks for.
struct IntegratorRules {
  std::vector<std::string_view> kinds;  // of integrators
  std::string_view otherwise;           // the one of them that holds without `kind`
  bool until_stick = true;              // the system can tell when every contact sticks
  bool along_line = false;              // its friction is along lines: [law] holds regularize only
  bool contacts_open = true;            // at least one of its contacts can
  double period = 0;                    // of a forcing, for `cycles` [s]; 0: none
  const LawTable* law_table = nullptr;  // that [law] has
  std::optional<RegularizedCoulomb> regularize{};
  std::optional<TomlTable> law{};  // where errors about `law_table` are placed
};

struct IntegratorChoice {
  const IntegratorKind* kind;
  TomlTable table;                         // [integrator]
  double step = 0;                         // [s]; 0: the integrator's own rows
  RunOptions options;                      // duration, until_stick
  std::optional<double> closing_distance;  // of moreau [m]
  BalanceOptions balance;

  Integrator integrator(const SmoothFriction& friction) const { return kind->build(*this, friction); }
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
