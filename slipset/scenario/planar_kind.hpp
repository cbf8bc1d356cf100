// Entries of the registry for systems with planar contacts.
#pragma once

#include "slipset/scenario/system_kinds.hpp"

namespace slipset {

// A kind of system whose contacts have the law of [law]; run, and cycle with [integrator], support it.
SystemKind planar_kind(Entry entry, BuiltSystem (*build)(const TomlTable&, const FrictionLaw&));
// One with a surface that moves: stability supports it, too.
SystemKind belt_kind(Entry entry, BuiltSystem (*build)(const TomlTable&, const FrictionLaw&));

}  // namespace slipset
