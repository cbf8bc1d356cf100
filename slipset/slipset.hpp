// slipset: dry friction that depends on direction. This header is what most programs need.
//   sets      Ellipse, Superellipse, Rectangle, Polygon, PolarCurve, UserSet, ...: gauge, support, projection
//   laws      FrictionLaw{C, D}, isotropic(), associated(), collinear(), ...; law_properties(); RollingLaw, RegularizedLaw
//   contact   ContactProblem, solve(problem, options), contact_residual(); operators in blocks, by bodies, by masses
//   systems   System (derive your own), LinearSystem, AxialSystem, SlidingBody, MassOnBelt, BodyWorld of rigid bodies
//   motion    simulate(system, start, integrator, options): Moreau, EventDriven, RungeKutta4, Adaptive; Run, RunReport
// It needs the headers of Eigen and Boost. Linking: slipset::motion has all of it but rigid bodies (slipset::bodies)
// and the integrators other than Moreau (slipset::integrators). Other systems: slipset/systems/*.hpp. With headers of
// their own: derivatives (contact_derivative.hpp, run_derivative.hpp), stability (scan.hpp, cycle.hpp), identification
// (pin_on_disk.hpp), io (csv.hpp, problem_file.hpp), testing (set_checks.hpp, for your own shapes).
#pragma once

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/body_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/joint_law.hpp"
#include "slipset/contact/mass_delassus.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/laws/properties.hpp"
#include "slipset/laws/regularized_planar.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/sets/planar_set.hpp"
#include "slipset/systems/axial_system.hpp"
#include "slipset/systems/bodies/body_step.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "slipset/systems/spinning_body.hpp"
