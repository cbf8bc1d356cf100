#include "slipset/systems/disk_on_pads.hpp"

#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

TEST_CASE("disk on pads: without spin it slides as a point; a pure spin stops by the pads' moment") {
  Moreau by_moreau;
  RunOptions options;
  by_moreau.step = 1e-4;
  options.until_stick = true;
  options.duration = 5;
  const FrictionLaw law(Ellipse(0.4, 0.2), Ellipse(2, 1));
  const DiskOnPads disk(law, {});
  const SlidingBody point(law, 0.018, 0.018 * 9.81);
  const Run a = simulate(disk, {0, Vec3(0, 0, 0), Vec3(1, 1, 0)}, by_moreau, options);
  const Run b = simulate(point, {0, Vec2(0, 0), Vec2(1, 1)}, by_moreau, options);
  CHECK((a.end.q.head<2>() - b.end.q).norm() < 1e-9);
  CHECK(std::abs(a.end.q[2]) < 1e-9);
  CHECK(a.report.not_converged == 0);

  // Isotropic: J ψ̈ = -μ m g ρ, from ω0: the time is J ω0/(μ m g ρ) = (radius²/2) ω0/(μ g ρ).
  const DiskOnPads round(isotropic(0.3), {});
  const Run spin = simulate(round, {0, Vec3(0, 0, 0), Vec3(0, 0, 50)}, by_moreau, options);
  const double expected = 0.014 * 0.014 / 2 * 50 / (0.3 * 9.81 * 0.0105);
  CHECK(spin.stop_time.value() == near(expected, 1e-4));
  CHECK(spin.end.q.head<2>().norm() < 1e-12);
  CHECK(std::abs(spin.energy.residual()) < 1e-15);

  // Spinning while it slides, a disk goes further than one that only slides: each pad's friction is not all against the
  // motion.
  const Run straight = simulate(round, {0, Vec3(0, 0, 0), Vec3(1, 0, 0)}, by_moreau, options);
  const Run spinning = simulate(round, {0, Vec3(0, 0, 0), Vec3(1, 0, 100)}, by_moreau, options);
  CHECK(spinning.path_length > 1.02 * straight.path_length);
}
