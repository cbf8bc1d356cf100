// What each file of this folder adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace slipset::python {

namespace nb = nanobind;

void bind_sets(nb::module_& m);
void bind_laws(nb::module_& m);
void bind_contact(nb::module_& m);
void bind_elastic(nb::module_& m);
void bind_bodies(nb::module_& m);
void bind_motion(nb::module_& m);
void bind_run_derivative(nb::module_& m);
void bind_scenarios(nb::module_& m);

}  // namespace slipset::python
