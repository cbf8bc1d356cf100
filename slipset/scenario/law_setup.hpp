// [law] of a scenario file → FrictionLaw.                             docs/scenarios.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

struct LawSetup {
  std::string title;  // the file's, or its name
  FrictionLaw law;
  // Tables of [law] that were validated but are not part of the two sets: their forces are equal to the law's in
  // steady sliding, or tend to it.
  std::vector<std::string> set_aside;
  SmoothFriction::Form form;  // of one of them; the elasticity is in the law itself

  std::optional<LuGre> lugre() const;
  std::optional<RegularizedCoulomb> regularize() const;
};

// A table of [law] beside the two sets: friction with a state, or a smooth function in their place. A run takes at most
// one. What commands and integrators do with such a table comes from this list alone.
struct LawTable {
  std::string_view name;
  std::vector<std::string_view> integrators;  // kinds that take it, the default first
  std::string_view others;                    // what the other kinds do instead: "moreau has no bristles"
  bool in_steady_sliding = false;             // stability takes it; in the others steady sliding is that of the sets
  bool along_line = false;                    // systems along one line take it
  bool with_stribeck = true;                  // rk4 and adaptive take it with [law] stribeck
  // Reads the table of that name in [law]: as a friction of ordinary integrators, or into the law of the contacts.
  SmoothFriction::Form (*form)(const TomlTable& law) = nullptr;
  FrictionLaw (*with)(const FrictionLaw& sets, const TomlTable& law) = nullptr;
};
std::span<const LawTable> law_tables();
// The first of them that `law` has; null if it has none. Throws InvalidInput, with its place, if it has several.
const LawTable* one_law_table(const TomlTable& law);

// The keys of [law]; those of laws with drilling and rolling are in rolling_law.hpp.
std::span<const Key> law_keys();

// The table [law] in `root`; other tables are left alone. Throws InvalidInput with file, line, column, key, what was
// found and what is allowed.
LawSetup read_law(const TomlTable& root);
// A table like [law], wherever it stands.
LawSetup read_law_table(const TomlTable& law, const std::string& title);
// [law], as "law", and every [laws.NAME] of a file, as far as it has them.
std::vector<std::pair<std::string, TomlTable>> law_tables_by_name(const TomlTable& root);
// Refuses tables of a law that steady sliding does not know.
void require_steady_tables(const LawSetup& law, const TomlTable& table);
// [law] of a system along one line, whose friction limits stand in [system]: only tables with `along_line`.
SmoothFriction::Form read_line_law(const TomlTable& law);

}  // namespace slipset
