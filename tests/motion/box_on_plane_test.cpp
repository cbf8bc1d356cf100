#include "slipset/systems/box_on_plane.hpp"

#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr double kMass = 2, kLength = 0.2, kHeight = 0.1, kGravity = 9.81;
constexpr double kInertia = kMass * (kLength * kLength + kHeight * kHeight) / 12;

BoxOnPlaneParameters parameters(double restitution = 0) {
  return {kMass, kLength, kHeight, kGravity, restitution, 0, 0};
}

double normal_force(const MoreauStepper& stepper, std::size_t contact, double dt) {
  return stepper.contacts()[contact].impulse[0] / dt;
}

double deepest(const BoxOnPlane& box, const VectorX& q) {
  Least least;
  for (const Vec2& p : box.outline(0, q)) least.add(p.y());
  return least.value();
}

// A box in the air, turned, thrown and spinning.
State random_throw(const BoxOnPlane& box, Random& random) {
  State state = box.start();
  state.q[3] = random.uniform(-kPi, kPi);
  state.q[2] = 0.15;
  for (double& u : state.u) u = random.uniform(-1, 1);
  state.u[3] *= 20;
  return state;
}

}  // namespace

TEST_CASE("box: at rest both edges carry half the weight, and stick") {
  const double dt = 1e-3;
  const BoxOnPlane box(associated(Ellipse(0.4, 0.2)), parameters(0.5));
  MoreauStepper stepper(box, box.start());
  for (int i = 0; i < 20; ++i) stepper.step(dt);
  for (const std::size_t edge : {0U, 1U}) {
    CHECK(normal_force(stepper, edge, dt) == near(kMass * kGravity / 2, 1e-9));
    CHECK(stepper.contacts()[edge].mode == ContactMode::stick);
  }
  CHECK(stepper.contacts()[2].mode == ContactMode::open);
  CHECK((stepper.state().q - box.start().q).norm() < 1e-12);
}

TEST_CASE("box: sliding slows down by g times the resistance; friction loads the front by m g s_x H/L") {
  const double dt = 1e-3;
  Random random(81);
  for (int i = 0; i < 20; ++i) {
    // Coefficients below L/H = 2: it does not tip.
    const FrictionLaw law =
        i == 0 ? isotropic(0.3)
               : FrictionLaw(Ellipse(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0, 3)),
                             Ellipse(random.uniform(1, 2), 1, random.uniform(0, 3)));
    const BoxOnPlane box(law, parameters());
    State start = box.start();
    start.q[2] -= 1e-9;  // in contact whatever rounding does
    start.u[0] = random.uniform(2, 4);
    start.u[1] = random.uniform(-2, 2);
    MoreauStepper stepper(box, start);
    for (int k = 0; k < 20; ++k) stepper.step(dt);
    const Vec2 before = stepper.state().u.head<2>();
    stepper.step(dt);
    const Vec2 after = stepper.state().u.head<2>(), s = slip_resistance(law, after);
    CHECK((before - after - kGravity * dt * s).norm() < 1e-10);
    CHECK(normal_force(stepper, 1, dt) - normal_force(stepper, 0, dt) ==
          near(s.x() * kMass * kGravity * kHeight / kLength, 1e-7));
    CHECK(std::abs(stepper.state().q[3]) < 1e-10);
  }
}

// Pushed at height h: it slides for F > μ m g, tips for F h > m g L/2; so it tips first iff h > L/(2 μ).
TEST_CASE("box: it slides or tips as the height of the push says") {
  const double mu = 0.5;
  struct Row {
    double force, height;  // over μ m g and L/(2 μ)
    bool slides, tips;
  };
  for (const Row row : {Row{0.99, 1.00, false, false},
                        {1.01, 0.98, true, false},
                        {1.01, 1.02, true, true},
                        {0.99, 1.05, false, true}}) {
    auto p = parameters();
    p.height = 0.3;
    p.push = row.force * mu * kMass * kGravity;
    p.push_height = row.height * kLength / (2 * mu);
    const BoxOnPlane box(isotropic(mu), p);
    MoreauStepper stepper(box, box.start());
    bool tips = false;
    Worst slid;
    while (stepper.state().t < 2 && !tips) {
      stepper.step(1e-3);
      tips = stepper.state().q[3] < -0.4;
      slid.add(stepper.contacts()[1].slip.norm());
    }
    INFO(row.force, " ", row.height);
    CHECK(tips == row.tips);
    if (!row.tips) CHECK((slid.value() > 0) == row.slides);
    CHECK(std::abs(stepper.energy().residual()) < 1e-4);
  }
}

// One corner, one short step: P_N and P_T solve γ_N⁺ = -e γ_N⁻ with γ_T⁺ = 0, or with P_T = μ P_N.
TEST_CASE("box: the impulse of a corner that strikes the plane") {
  const double e = 0.6, angle = 0.4, down = 1.5;
  for (const double mu : {1e-12, 0.05, 50.0})
    for (const double along : {-3.0, 3.0}) {
      auto p = parameters(e);
      p.gravity = 1e-9;
      const BoxOnPlane box(isotropic(mu), p);
      State start = box.start();
      start.q[3] = angle;
      start.q[2] -= deepest(box, start.q);
      start.u << along, 0, -down, 2;
      const Vec2 r = box.outline(0, start.q)[0] - Vec2(start.q[0], start.q[2]);
      MoreauStepper stepper(box, start);
      stepper.step(1e-9);
      const double normal = 1 / kMass + r.x() * r.x() / kInertia, tangent = 1 / kMass + r.y() * r.y() / kInertia,
                   mixed = -r.x() * r.y() / kInertia;
      const double gap_rate = -down + 2 * r.x(), slip = along - 2 * r.y();
      double p_n = 0, p_t = 0;
      if (mu > 1) {  // sticks
        const double d = normal * tangent - mixed * mixed;
        p_n = (-(1 + e) * gap_rate * tangent + mixed * slip) / d;
        p_t = (-normal * slip + mixed * (1 + e) * gap_rate) / d;
      } else {  // slips on, in the same direction
        const double sign = slip > 0 ? -1 : 1;
        p_n = -(1 + e) * gap_rate / (normal + sign * mu * mixed);
        p_t = sign * mu * p_n;
      }
      INFO(mu, " ", along);
      const Vec3& impulse = stepper.contacts()[0].impulse;
      CHECK(impulse[0] == near(p_n, 1e-7));
      CHECK(impulse[1] == near(p_t, 1e-7));
      CHECK(stepper.state().u[3] == near(2 + (r.x() * p_n - r.y() * p_t) / kInertia, 1e-7));
      CHECK((stepper.contacts()[0].mode == ContactMode::stick) == (mu > 1));
    }
}

// Newton's law asks for γ_N⁺ = -e γ_N⁻ whatever friction does: where friction turns a small slip around, an eccentric
// impact with e = 1 creates energy. The law does so, not the step: the balance closes, with a negative dissipation.
TEST_CASE("box: what Newton's restitution with friction does to the energy is reported") {
  Worst most;
  for (const double slip : {-0.1, 0.1}) {
    auto p = parameters(1);
    p.gravity = 1e-9;
    const BoxOnPlane box(isotropic(50), p);
    State start = box.start();
    start.q[3] = 0.4;
    start.q[2] -= deepest(box, start.q);
    start.u << slip, 0, -1.5, 0;
    MoreauStepper stepper(box, start);
    stepper.step(1e-9);
    most.add(stepper.energy().kinetic - stepper.energy().initial);
    CHECK(std::abs(stepper.energy().residual()) < 1e-14);
  }
  CHECK(most.value() > 0.01);
}

// Without restitution, whatever the law, a step creates at most what gravity does within it:
// ΔE = Pᵀγ⁺ - ½ PᵀGP + ½ g Δt ΣP_N ≤ m (g Δt)²/8.
TEST_CASE("box: tumbling boxes lose energy, and go into the plane by no more than v Δt") {
  Random random(82);
  for (int i = 0; i < 12; ++i) {
    const double a = random.uniform(0.1, 1.2), b = random.uniform(0.1, 1.2), angle = random.uniform(0, 3);
    const FrictionLaw law = i % 3 == 0   ? associated(Ellipse(a, b, angle))
                            : i % 3 == 1 ? FrictionLaw(Ellipse(a, b, angle), Ellipse(random.uniform(1, 2), 1))
                                         : two_sign(a, b);
    const BoxOnPlane box(law, parameters());
    const State start = random_throw(box, random);
    for (const double dt : {1e-3, 2.5e-4}) {
      MoreauStepper stepper(box, start);
      double energy = stepper.energy().initial;
      Worst created, depth;
      long not_converged = 0;
      while (stepper.state().t < 1) {
        stepper.step(dt);
        const double now = stepper.energy().kinetic + stepper.energy().potential;
        created.add(now - energy);
        energy = now;
        depth.add(-deepest(box, stepper.state().q));
        not_converged += !stepper.report().solved() && stepper.report().iterations > 0;
      }
      CHECK(created.value() < kMass * std::pow(kGravity * dt, 2) / 8 + 1e-12);
      CHECK(std::abs(stepper.energy().residual()) < 1e-11);
      CHECK(depth.value() < 5 * dt);  // the fastest corner: 4 m/s
      CHECK(not_converged == 0);
    }
  }
}

TEST_CASE("box: a run ends when it rests, not while it turns about a corner that sticks") {
  const BoxOnPlane box(isotropic(0.8), parameters(0.2));
  State start = box.start();
  start.q[3] = 0.3;
  start.q[2] -= deepest(box, start.q);
  Moreau by_moreau;
  RunOptions options;
  by_moreau.step = 1e-3;
  options.duration = 5;
  options.until_stick = true;
  const Run run = simulate(box, start, by_moreau, options);
  CHECK(run.report.stop_reason == "every contact sticks");
  CHECK(std::abs(run.end.q[3]) < 1e-3);  // it has fallen on its base
  CHECK(run.end.u.norm() < 1e-6);
}

TEST_CASE("box: wrong parameters are refused") {
  auto p = parameters();
  p.restitution = -0.1;
  CHECK_THROWS_WITH_AS(BoxOnPlane(isotropic(0.2), p), doctest::Contains("it must be from 0 to 1"), InvalidInput);
  p = parameters();
  p.push = NAN;
  CHECK_THROWS_AS(BoxOnPlane(isotropic(0.2), p), InvalidInput);
}

// Two edges share the friction in a way that nothing determines, and leave slips of 1e-15 m/s.
TEST_CASE("a box at rest on its two edges sticks in every step, by every method, and a run until then ends at once") {
  const BoxOnPlane box(isotropic(0.4), parameters());
  for (const double step : {1e-3, 1e-4})
    for (const ContactMethod method :
         {ContactMethod::search, ContactMethod::automatic, ContactMethod::gauss_seidel, ContactMethod::newton}) {
      const Moreau moreau{.step = step, .contact = {.method = method, .tolerance = 1e-10}};
      long slips = 0;
      RunOptions options{.duration = 0.5};
      options.after_step = [&](const MoreauStepper& s, long) {
        for (const ContactStep& c : s.contacts()) slips += c.mode == ContactMode::slip;
      };
      const Run rests = simulate(box, box.start(), moreau, options);
      CHECK(slips == 0);
      CHECK(std::abs(rests.stick_time - 0.5) < 1e-9);
      REQUIRE(rests.stop_time.has_value());
      CHECK(*rests.stop_time <= 1.01 * step);
      const Run ends = simulate(box, box.start(), moreau, {.duration = 0.5, .until_stick = true});
      CHECK(ends.report.status == RunStatus::sticks);
      CHECK(ends.report.steps <= 2);
      // Thrown, it sticks from v/(μg) on, to the end.
      State thrown = box.start();
      thrown.u[0] = 0.5;
      const Run slides = simulate(box, thrown, moreau, {.duration = 0.5});
      REQUIRE(slides.stop_time.has_value());
      CHECK(std::abs(*slides.stop_time - 0.5 / (0.4 * kGravity)) < 2 * step);
      CHECK(std::abs(slides.stick_time + *slides.stop_time - 0.5) < 2 * step);
    }
}
