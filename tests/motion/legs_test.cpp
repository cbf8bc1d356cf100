// A3: a body on a ring of legs, more than determine its normal forces, that spins on them.
#include <doctest/doctest.h>

#include <sstream>

#include "slipset/core/angle.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/sets/ellipse.hpp"
#include "slipset/systems/two_blocks.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr double kGravity = 9.81, kRadius = 0.1, kInertia = 0.01;

// A rigid body of 1 kg: x, y, z, small tilts about x and y, yaw. Its centre is `above` the plane.
struct OnLegs final : System {
  std::vector<SystemContact> legs;
  double start_height, above;
  explicit OnLegs(int count, double height = 0, const FrictionLaw& friction = isotropic(0.26), double centre = 0.05)
      : start_height(height), above(centre) {
    const auto law = std::make_shared<PlanarContactLaw>(friction);
    for (int i = 0; i < count; ++i) legs.push_back({"leg" + std::to_string(i + 1), law, true});
  }
  Eigen::Index dofs() const override { return 6; }
  const std::vector<SystemContact>& contacts() const override { return legs; }
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  void evaluate(double, const VectorX& q, const VectorX&, SystemAt& at) const override {
    at.mass.setZero();
    at.mass.diagonal() << 1, 1, 1, kInertia, kInertia, kInertia;
    at.force.setZero();
    at.force[2] = -kGravity;
    at.potential_force = at.force;
    for (std::size_t i = 0; i < legs.size(); ++i) {
      const Vec2 p = kRadius * unit(q[5] + 2 * kPi * static_cast<double>(i) / static_cast<double>(legs.size()));
      ContactAt& c = at.contacts[i];
      c.gap = q[2] - start_height + p.y() * q[3] - p.x() * q[4];
      c.normal << 0, 0, 1, p.y(), -p.x(), 0;
      c.tangents.col(0) << 1, 0, 0, 0, -above, -p.y();
      c.tangents.col(1) << 0, 1, 0, above, 0, p.x();
    }
  }
  State start() const override {
    State s = System::start();
    s.q[2] = start_height;
    s.u[5] = 20;
    return s;
  }
};

}  // namespace

TEST_CASE("A3: legs at rest on a plane are closed in every step, whatever rounding says of their gaps") {
  for (const int count : {3, 4, 16})
    for (const double height : {0.0, 0.3}) {  // at 0.3 m gaps have rounding of 1e-17
      const OnLegs body(count, height);
      for (const double step : {1e-3, 1e-4}) {
        State start = body.start();
        start.u[5] = 2;
        MoreauStepper stepper(body, start, {.method = ContactMethod::automatic, .tolerance = 1e-10});
        Least fewest;
        Worst lift;
        for (int k = 0; k < 300; ++k) {
          stepper.step(step);
          fewest.add(static_cast<double>(stepper.problem().contacts.size()));
          double normal = 0;
          for (const ContactStep& c : stepper.contacts()) normal += c.impulse[0] / step;
          lift.add(std::abs(normal - kGravity));
        }
        CHECK(fewest.value() == static_cast<double>(body.legs.size()));
        CHECK(lift.value() < 1e-6);
        CHECK(stepper.form().closing_distance() > 0);
        CHECK(stepper.form().closing_distance() <= 0.02 * kGravity * step * step);
      }
    }
}

TEST_CASE("A3: a closing distance that is given is used and reported; a system without gaps refuses one") {
  const OnLegs body(4);
  const Run run = simulate(body, Moreau{.closing_distance = 1e-9}, {.duration = 0.01});
  CHECK(run.report.closing_distance == 1e-9);
  // It falls from 1 mm and stops 0.4 mm above the plane.
  State falls = body.start();
  falls.u.setZero();
  falls.q[2] = 1e-3;
  const Run early = simulate(body, falls, Moreau{.step = 1e-4, .closing_distance = 4e-4}, {.duration = 0.1});
  CHECK(std::abs(early.end.q[2] - 4e-4) < 2e-5);
  CHECK_THROWS_AS(simulate(body, Moreau{.closing_distance = -1.0}, {}), InvalidInput);
  CHECK_THROWS_AS(simulate(body, Moreau{.closing_distance = NAN}, {}), InvalidInput);
}

TEST_CASE("A3: the spin of a body on 3, 4 or 16 legs is the same by every method, tolerance and step") {
  double reference = 0;
  for (const int count : {3, 4, 16})
    for (const double step : {1e-3, 1e-4})
      for (const double tolerance : {1e-6, 1e-9, 1e-12})
        for (const ContactMethod method : {ContactMethod::automatic, ContactMethod::gauss_seidel, ContactMethod::newton,
                                           ContactMethod::splitting, ContactMethod::search}) {
          if (count == 16 && step < 1e-3 && tolerance != 1e-9) continue;  // seconds; all were measured once
          const OnLegs body(count, 0, FrictionLaw(Ellipse(0.4, 0.2), Ellipse(0.4, 0.2)), 0.02);
          const Run run = simulate(body, Moreau{.step = step, .contact = {.method = method, .tolerance = tolerance}},
                                   {.duration = 0.5, .every = 1000});
          if (reference == 0) reference = run.end.u[5];
          CAPTURE(count);
          CAPTURE(step);
          CAPTURE(tolerance);
          CAPTURE(std::string(name_of(method)));
          CHECK(std::abs(run.end.u[5] - reference) < 0.01 * reference);
          CHECK(run.report.not_converged == 0);
        }
}

TEST_CASE("a run says in how many steps the solutions of its contacts were not counted") {
  const OnLegs body(4);
  for (const auto& [method, counts] : {std::pair{ContactMethod::search, true}, {ContactMethod::newton, false}}) {
    const Run run = simulate(body, Moreau{.step = 1e-3, .contact = {.method = method}}, {.duration = 0.01});
    CHECK(run.report.steps == 10);
    CHECK(run.report.not_counted == (counts ? 0 : 10));
  }
}

TEST_CASE("a run says in how many steps it was not looked at whether impulses are open") {
  const OnLegs body(4);
  for (const int settled : {0, 40}) {
    const Run run = simulate(body, Moreau{.step = 1e-3, .contact = {.settled_contacts = settled}}, {.duration = 0.01});
    CHECK(run.report.not_looked_at == (settled == 0 ? 10 : 0));
    CHECK(run.report.undetermined == (settled == 0 ? 0 : 10));
  }
}

TEST_CASE("solutions of chains are counted as those of other systems") {
  const AxialSystem blocks = two_blocks({.stiffness_ratio = 2, .amplitude = 1, .frequency = 1});
  for (const auto& [method, counts] : {std::pair{ContactMethod::search, true}, {ContactMethod::newton, false}}) {
    const Run run = simulate(blocks, {0, Vec2(0, 0), Vec2(1, 0.5)}, Moreau{.step = 1e-3, .contact = {.method = method}},
                             {.duration = 0.01});
    CHECK(run.report.steps == 10);
    CHECK(run.report.ambiguous == 0);
    CHECK(run.report.not_counted == (counts ? 0 : 10));
  }
}

TEST_CASE("that solutions were not counted is told where others were") {
  const auto told = [](long ambiguous, long not_counted) {
    RunReport report;
    report.steps = 10;
    report.ambiguous = ambiguous;
    report.not_counted = not_counted;
    std::ostringstream out;
    out << report;
    return out.str().find("solutions not counted in " + std::to_string(not_counted) + " steps") != std::string::npos;
  };
  CHECK(told(2, 3));
  CHECK(told(0, 3));
  CHECK_FALSE(told(0, 10));  // the method counts none
  CHECK_FALSE(told(2, 0));
}
