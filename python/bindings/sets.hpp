// Planar sets in Python: PlanarSet, and a class for each shape.
#pragma once

#include "python/bindings/arrays.hpp"
#include "slipset/sets/planar_set.hpp"

namespace slipset::python {

// The Python object of a set, of the class of its shape.
using SetObject = nb::typed<nb::object, PlanarSet>;
SetObject to_python(const PlanarSet& set);
// Whether evaluating it calls Python: then the interpreter is needed.
bool calls_python(const PlanarSet& set);

}  // namespace slipset::python
