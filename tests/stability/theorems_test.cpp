// Walker & Leine's two theorems as properties of random laws.
#include <doctest/doctest.h>

#include "slipset/laws/destabilising.hpp"
#include "slipset/stability/criteria.hpp"
#include "tests/stability/models.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using test::Random;

namespace {

MassOnBelt random_belt(Random& random, const FrictionLaw& law) {
  MassOnBeltParameters p;
  const double a = random.log_uniform(0.3, 3), b = random.log_uniform(0.3, 3), c = random.uniform(-0.9, 0.9);
  p.stiffness << a, c * std::sqrt(a * b), c * std::sqrt(a * b), b;
  p.belt_velocity = random.log_uniform(0.1, 10) * unit(random.uniform(0, 7));
  p.normal_force = random.log_uniform(0.1, 10);
  p.mass = random.log_uniform(0.3, 3);
  return {law, p};
}

}  // namespace

TEST_CASE("Theorem 1: associated laws are never unstable, with any mass matrix") {
  Random random(611);
  const int count = std::max(50, test::sample_count() / 30);
  int answered = 0;
  for (int i = 0; i < count; ++i) {
    const FrictionLaw law = associated(test::random_moderate_set(random, true));
    LinearContact contact{law,
                          Eigen::MatrixX2d::Identity(2, 2),
                          random.log_uniform(0.1, 10) * unit(random.uniform(0, 7)),
                          random.log_uniform(0.1, 10),
                          {},
                          0,
                          0};
    MatrixX mass = MatrixX::Identity(2, 2), stiffness = mass;
    mass(1, 1) = random.log_uniform(0.05, 20);
    stiffness(0, 1) = stiffness(1, 0) = random.uniform(-0.9, 0.9);
    const LinearSystem system(mass, MatrixX::Zero(2, 2), stiffness, VectorX::Zero(2), {contact});
    try {
      const LinearSliding s = linearize_sliding(system);
      const Criteria c = criteria_of(system, s);
      REQUIRE(is_stable(modes_of(s)));
      REQUIRE(c.theorem1.verdict == Statement::stable);
      REQUIRE(c.theorem2.verdict != Statement::unstable);
      ++answered;
    } catch (const InvalidInput&) {  // along the normal of a flat side of D
    }
  }
  CHECK(answered > count * 3 / 4);
}

// The nonzero eigenvalue of B is negative exactly where the slip points into the tangent cone; for one mass the sliding
// is then unstable.
TEST_CASE("Theorem 2: the sign of B's eigenvalue is that of the tangent cone") {
  Random random(612);
  const int count = std::getenv("SLIPSET_SAMPLES") ? test::sample_count() : 10000;
  int inside = 0, answered = 0;
  const auto draw = [&] {
    return FrictionLaw(Ellipse(random.log_uniform(0.1, 1), random.log_uniform(0.1, 1), random.uniform(0, 7)),
                       random.coin()
                           ? PlanarSet(Ellipse(random.log_uniform(0.1, 1), 1, random.uniform(0, 7)))
                           : PlanarSet(NormMix(random.log_uniform(0.1, 1), 1, 0.7, 0.3, random.uniform(0, 7))));
  };
  FrictionLaw law = draw();
  for (int i = 0; i < count; ++i) {
    if (i % 10 == 0) law = draw();
    const Vec2 v = unit(random.uniform(0, 7));
    const auto jacobian = slip_jacobian(law, v);
    REQUIRE(jacobian);
    if (std::abs(jacobian->trace()) < 1e-9 * jacobian->norm()) continue;  // at the border
    ++answered;
    const bool into = slips_into_reservoir(law, v);
    REQUIRE(into == (jacobian->trace() < 0));
    inside += into;
    if (i % 100 != 0) continue;
    const MassOnBelt system = random_belt(random, law);
    const LinearSliding s = linearize_sliding(system);
    const Criteria c = criteria_of(system, s);
    REQUIRE((c.theorem2.verdict == Statement::unstable) == c.tangent_cone);
    if (c.tangent_cone) REQUIRE_FALSE(is_stable(modes_of(s)));
  }
  CHECK(answered > count * 9 / 10);
  CHECK(inside > count / 50);
}
