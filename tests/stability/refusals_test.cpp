// Systems that have no steady sliding, or none by the rigid law: refused by name, not answered.
#include <doctest/doctest.h>

#include "slipset/contact/line_contact_law.hpp"
#include "slipset/stability/criteria.hpp"
#include "tests/stability/models.hpp"
#include "tests/support/near.hpp"

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

TEST_CASE("steady sliding: contacts that are open, and those whose forces nothing determines, are told apart") {
  const auto system_with = [](const VectorX& force, const std::vector<LinearContact>& contacts) {
    const MatrixX one = MatrixX::Identity(2, 2);
    return LinearSystem(one, 0.1 * one, 10 * one, force, contacts);
  };
  LinearContact floor{isotropic(0.3), Eigen::MatrixX2d::Zero(2, 2), Vec2(1, 0), 0, Vec2(0, 1), 0, 0};
  floor.tangents(0, 0) = 1;
  LinearContact given = floor, far = floor;
  given.normal = VectorX();
  given.normal_force = 2;
  far.gap = 2;
  const auto refusal = [](const LinearSystem& system) {
    try {
      return linearize_sliding(system).report.why;
    } catch (const InvalidInput& e) {
      return std::string(e.what());
    }
  };
  const auto holds = [](const std::string& text, const char* part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  const Vec2 down(0, -5);
  CHECK(linearize_sliding(system_with(down, {floor})).contacts[0].normal_force == near(5, 1e-12));
  holds(refusal(system_with(down, {floor, floor})), "the normal forces of contact1, contact2 are not determined");
  // At y = -5/10 without it, so that 2 m - 0.5 m are left; pulled up, 5/10.
  holds(refusal(system_with(down, {given, far})),
        "contact2 is open by 1.5 m in steady sliding; remove it, or press it");
  holds(refusal(system_with(-down, {floor})), "contact1 is open by 0.5 m in steady sliding");
  holds(refusal(system_with(down, {floor, far})), "contact1, contact2 hold the same motion and cannot all be closed");
}
