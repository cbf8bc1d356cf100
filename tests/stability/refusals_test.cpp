// Systems that have no steady sliding, or none by the rigid law: refused by name, not answered.
#include <doctest/doctest.h>

#include "slipset/contact/line_contact_law.hpp"
#include "slipset/stability/criteria.hpp"
#include "tests/stability/models.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// A mass on springs in the plane and, at z, on a belt that it may leave; what is asked for changes in time.
struct Shaken final : System {
  enum class By { nothing, spring, damper, gap, normal, normal_velocity };
  By by;
  std::vector<SystemContact> belts;
  explicit Shaken(By what, std::shared_ptr<const PlanarContactLaw> law = shared(isotropic(0.3)))
      : by(what), belts{{"belt", std::move(law), true}} {}
  Eigen::Index dofs() const override { return 3; }
  const std::vector<SystemContact>& contacts() const override { return belts; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override {
    const auto wave = [&](By what) { return by == what ? 0.1 * std::sin(5 * t) : 0; };
    at.mass = MatrixX::Identity(3, 3);
    at.force = -2 * (1 + wave(By::spring)) * q - 0.1 * (1 + wave(By::damper)) * u - 10 * VectorX::Unit(3, 2);
    at.potential_force = at.force;
    ContactAt& c = at.contacts[0];
    c.gap = q[2] - wave(By::gap);
    c.normal = Vec3(wave(By::normal), 0, 1);
    c.tangents.setZero();
    c.tangents(0, 0) = c.tangents(1, 1) = 1;
    c.surface_velocity = Vec2(1, 0.5);
    c.surface_normal_velocity = wave(By::normal_velocity);
  }
};

}  // namespace

TEST_CASE("steady sliding: whatever changes in time is refused, also what does not at rest at zero") {
  CHECK(linearize_sliding(Shaken(Shaken::By::nothing)).report.converged);
  for (const auto by :
       {Shaken::By::spring, Shaken::By::damper, Shaken::By::gap, Shaken::By::normal, Shaken::By::normal_velocity}) {
    CAPTURE(static_cast<int>(by));
    CHECK_THROWS_WITH_AS(linearize_sliding(Shaken(by)), doctest::Contains("driven in time"), InvalidInput);
  }
}

TEST_CASE("steady sliding: contacts without two sets, and elastic ones, are refused by name") {
  const Shaken good(Shaken::By::nothing);
  const LinearSliding steady = linearize_sliding(good);
  Shaken smooth(Shaken::By::nothing, nullptr), other(Shaken::By::nothing, nullptr),
      soft(Shaken::By::nothing, shared(isotropic(0.3).with_elastic(Adhesion(10, 10))));
  other.belts[0].other_law = std::make_shared<LineContactLaw>(Interval(1));
  for (const auto& [system, why] : {std::pair{&smooth, "\"belt\" does not slide by two sets (it has no friction)"},
                                    {&other, "\"belt\" does not slide by two sets (it has another law)"},
                                    {&soft, "\"belt\" is elastic"}}) {
    CHECK_THROWS_WITH_AS(linearize_sliding(*system), doctest::Contains(why), InvalidInput);
    CHECK_THROWS_WITH_AS(criteria_of(*system, steady), doctest::Contains(why), InvalidInput);
  }
  CHECK_NOTHROW(criteria_of(good, steady));
}
