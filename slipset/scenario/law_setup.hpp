// [law] of a scenario file → FrictionLaw.                             docs/scenarios.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipset/laws/lugre.hpp"
#include "slipset/laws/regularized.hpp"
#include "slipset/scenario/toml_table.hpp"

namespace slipset {

struct LawSetup {
  std::string title;  // the file's, or its name
  FrictionLaw law;
  // Tables of [law] that were validated but are not part of the two sets: their forces are equal to the law's in
  // steady sliding, or tend to it.
  std::vector<std::string> set_aside;
  std::optional<LuGre> lugre;                    // one of them
  std::optional<RegularizedCoulomb> regularize;  // another
};

// The keys of [law]; those of laws with drilling and rolling are in rolling_law.hpp.
std::span<const Key> law_keys();

// The table [law] in `root`; other tables are left alone. Throws InvalidInput with file, line, column, key, what was
// found and what is allowed.
LawSetup read_law(const TomlTable& root);
// A table like [law], wherever it stands.
LawSetup read_law_table(const TomlTable& law, const std::string& title);
// `regularize` of the table [law].
RegularizedCoulomb read_regularize(const TomlTable& law);

}  // namespace slipset
