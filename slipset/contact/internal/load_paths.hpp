// A first guess of the impulses where bodies lie on each other.      docs/theory/contact.md
// From the highest body to the lowest: each is stopped by its contacts with what is below as if that stood still, and
// hands on what it carries. Loads so reach the ground in one pass, where a sweep moves them by one body. (C.24)
#pragma once

#include "slipset/contact/internal/body_store.hpp"
#include "slipset/contact/internal/contact_sweeps.hpp"

namespace slipset::internal {

// Writes the impulses of `work`. False, with none written, where the bodies do not fall together one way.
template <class Prepared>
bool follow_load_paths(ContactSweeps<Prepared, BodyStore<Prepared::kRows>>& work);

}  // namespace slipset::internal
