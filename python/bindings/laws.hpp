// Friction laws in Python.
#pragma once

#include "python/bindings/sets.hpp"
#include "slipset/laws/friction_law.hpp"

namespace slipset::python {

// A law that also keeps the direction set as it was given, before it was scaled: a copy of it has the same bits.
struct Law : FrictionLaw {
  Law(PlanarSet reservoir, PlanarSet direction, std::optional<Stribeck> stribeck, std::optional<Adhesion> elastic);
  explicit Law(FrictionLaw law);

  PlanarSet given_direction;
};
bool calls_python(const FrictionLaw& law);

}  // namespace slipset::python
