// A system, for simulate() and for what shows its motion.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/system.hpp"

namespace slipset::python {

struct Handle {
  std::shared_ptr<const System> system;
};

// Of slipset/_systems.py: its attributes `kind`, `step`, ...
Integrator integrator_of(nanobind::handle given);
// The system's own start, with positions and velocities that are given.
State state_of(const System& system, std::optional<nanobind::object> q, std::optional<nanobind::object> u, double t);

}  // namespace slipset::python
