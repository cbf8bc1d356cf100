// The C++ part of the Python package: slipset._core.
#include "python/bindings/module.hpp"

#include "slipset/core/error.hpp"

NB_MODULE(_core, m) {
  using namespace slipset::python;
  nb::set_leak_warnings(false);  // modules that keep their objects to the end are no mistake
  // InvalidInput of C++ is that of Python (slipset/_errors.py), a ValueError.
  static const nb::handle error = nb::object(nb::module_::import_("slipset._errors").attr("InvalidInput")).release();
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const slipset::InvalidInput& invalid) {
      PyErr_SetObject(error.ptr(), nb::str(invalid.what()).ptr());
    }
  });
  bind_sets(m);
  bind_laws(m);
  bind_contact(m);
  bind_elastic(m);
  bind_motion(m);
  bind_run_derivative(m);
  bind_bodies(m);
  bind_scenarios(m);
}
