// Figures of a body that slides, spins and rolls.                     docs/output.md
#pragma once

#include "slipset/io/figure.hpp"
#include "slipset/motion/run.hpp"
#include "slipset/systems/spinning_body.hpp"

namespace slipset {

Figure spinning_path_figure(const Run& run, const std::string& title);
// Drilling torque over friction force with the reservoir's section, and for a patch the ellipse with the same limits.
Figure spinning_force_figure(const SpinningBody& body, const Run& run, const std::string& title);
Figure spinning_time_figure(const SpinningBody& body, const Run& run, const std::string& title);

}  // namespace slipset
