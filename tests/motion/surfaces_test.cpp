// Surfaces that move along their normal, and contacts without friction.
#include <doctest/doctest.h>

#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/angle.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr double kGravity = 9.81;

// A point of mass 2 kg on a plate at z = a sin(ωt), and without friction if there is no law.
class OnPlate : public System {
 public:
  OnPlate(std::shared_ptr<const PlanarContactLaw> law, double amplitude, double frequency)
      : a_(amplitude), w_(frequency) {
    contacts_.push_back({"plate", std::move(law), true, 0});
  }
  Eigen::Index dofs() const override { return 3; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX&, SystemAt& at) const override {
    at.mass = 2 * MatrixX::Identity(3, 3);
    at.force = at.potential_force = Vec3(0, 0, -2 * kGravity);
    ContactAt& c = at.contacts[0];
    c.gap = q[2] - a_ * std::sin(w_ * t);
    c.normal = Vec3(0, 0, 1);
    c.tangents.setZero();
    c.tangents(0, 0) = c.tangents(1, 1) = 1;
    c.surface_normal_velocity = a_ * w_ * std::cos(w_ * t);
  }
  double potential_energy(const VectorX& q) const override { return 2 * kGravity * q[2]; }
  bool has_constant_mass() const override { return true; }
  std::vector<std::string> coordinates() const override { return {"x", "y", "z"}; }

 private:
  double a_, w_;
  std::vector<SystemContact> contacts_;
};

// A disk that turns about the normal, on a belt, by a law of three rows.
class DiskOnBelt : public System {
 public:
  DiskOnBelt(const RollingLaw& law, double belt) : belt_(belt) {
    contacts_.push_back({"belt", nullptr, false, 0, std::make_shared<RollingContactLaw>(law)});
  }
  Eigen::Index dofs() const override { return 3; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double, const VectorX&, const VectorX&, SystemAt& at) const override {
    at.mass = Vec3(2, 2, 0.01).asDiagonal();
    ContactAt& c = at.contacts[0];
    c.other_directions = MatrixX::Identity(3, 3).rightCols(c.other_directions.cols());
    c.normal_force = 2 * kGravity;
    c.surface_velocity = Vec2(belt_, 0);
  }
  bool has_constant_mass() const override { return true; }

 private:
  double belt_;
  std::vector<SystemContact> contacts_;
};

}  // namespace

TEST_CASE("a plate lifts a mass: it follows, and the work is what the energy gains") {
  const double a = 0.1, w = 3, t = 0.5;  // aω² < g: it stays on the plate
  const OnPlate plate(std::make_shared<PlanarContactLaw>(isotropic(0.3)), a, w);
  const State start{0, Vec3(0, 0, 0), Vec3(0, 0, a * w)};
  const double z = a * std::sin(w * t), v = a * w * std::cos(w * t);
  const double gained = 2 * kGravity * z + v * v - a * a * w * w;
  double last = 0;
  for (const double step : {1e-3, 5e-4}) {
    const Run run = simulate(plate, start, Moreau{.step = step}, {.duration = t});
    const double error = std::abs(run.end.q[2] - z) + std::abs(run.end.u[2] - v);
    CHECK(error < 2 * step);
    if (last > 0) CHECK(error < 0.6 * last);
    last = error;
    CHECK(std::abs(run.energy.input - gained) < 5 * step);
    CHECK(std::abs(run.energy.dissipated) < 5 * step);
    CHECK(std::abs(run.energy.dissipated + run.energy.numerical) < step);
    CHECK(std::abs(run.energy.residual()) < 1e-12);
  }
  const Run exact = simulate(plate, start, EventDriven{}, {.duration = t});
  CHECK(std::abs(exact.end.q[2] - z) < 1e-7);
  CHECK(std::abs(exact.energy.input - gained) < 1e-7);
  CHECK(std::abs(exact.energy.residual()) < 1e-7);
}

TEST_CASE("a plate that falls away faster than gravity is left") {
  const OnPlate plate(std::make_shared<PlanarContactLaw>(isotropic(0.3)), 0.1, 30);
  const Run run = simulate(plate, {0, Vec3(0, 0, 0), Vec3(0, 0, 3)}, Moreau{.step = 1e-4}, {.duration = 0.1});
  // Thrown up where the plate's acceleration passes -g: sin(ωt) = g/(aω²).
  const double s = kGravity / 90, t = std::asin(s) / 30, v = 3 * std::sqrt(1 - s * s), rest = 0.1 - t;
  CHECK(run.end.q[2] == near(0.1 * s + v * rest - kGravity / 2 * rest * rest, 1e-3));
  CHECK(run.table["plate.normal_force"].back() == 0);
}

TEST_CASE("a contact without a law has no friction, and other integrators say that they do not take it") {
  const OnPlate plate(nullptr, 0, 1);
  const State start{0, Vec3(0, 0, 0), Vec3(1, 0.5, 0)};
  const Run run = simulate(plate, start, Moreau{.step = 1e-2}, {.duration = 2});
  CHECK((run.end.q - Vec3(2, 1, 0)).norm() < 1e-12);
  CHECK(run.energy.dissipated == within(0, 1e-12));
  CHECK(run.table["plate.normal_force"].back() == near(2 * kGravity, 1e-12));
  CHECK(run.report.not_converged == 0);
  CHECK_THROWS_WITH_AS(simulate(plate, start, EventDriven{}, {}), doctest::Contains("use the moreau"), InvalidInput);
  CHECK_THROWS_AS(simulate(plate, start, RungeKutta4{}, {}), InvalidInput);
}

// It slides until v/(μ g) = 0.34 s, then the belt carries it: half of the work m v² becomes heat.
TEST_CASE("a belt carries a body along, also with drilling friction; it cannot without sliding friction") {
  const DiskOnBelt disk(RollingLaw::product(PlanarSet(Disk(0.3)), Interval(0.01), std::nullopt), 1);
  const Run run = simulate(disk, Moreau{.step = 1e-3}, {.duration = 1});
  CHECK((run.end.u - Vec3(1, 0, 0)).norm() < 1e-9);
  CHECK(run.energy.kinetic == near(1, 1e-9));
  CHECK(run.energy.input == near(2, 1e-2));
  CHECK(run.energy.dissipated == near(1, 1e-2));
  CHECK(std::abs(run.energy.residual()) < 1e-12);
  const RollingLaw drilling = RollingLaw::product(std::nullopt, Interval(0.01), std::nullopt);
  CHECK_THROWS_WITH_AS(simulate(DiskOnBelt(drilling, 1), Moreau{.step = 1e-3}, {.duration = 0.01}),
                       doctest::Contains("surface_velocity"), InvalidInput);
  CHECK(simulate(DiskOnBelt(drilling, 0), Moreau{.step = 1e-3}, {.duration = 0.01}).report.finished());
}
