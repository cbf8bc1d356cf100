// Elastic contacts in Moreau's step: stability, energy, the rate form as a second method, the rigid limit.
#include <doctest/doctest.h>

#include <boost/numeric/odeint.hpp>

#include "slipset/laws/classical.hpp"
#include "slipset/laws/elastic_interface.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

State moving(const Vec2& velocity) { return {0, VectorX::Zero(2), velocity}; }

State after(const FrictionLaw& law, double mass, double normal, const Vec2& velocity, double time, int steps) {
  const SlidingBody body(law, mass, normal);
  MoreauStepper stepper(body, moving(velocity));
  for (int i = 0; i < steps; ++i) stepper.step(time / steps);
  return stepper.state();
}

}  // namespace

TEST_CASE("E.7 any stiffness is stable with any step, and no energy is lost or made") {
  for (const double stiffness : {1.0, 1e4, 1e8, 1e12}) {
    const SlidingBody body(associated(Ellipse(0.4, 0.2, 0.3)).with_elastic(Adhesion(stiffness, 3 * stiffness, 0.8)), 2,
                           20);
    MoreauStepper stepper(body, moving({0.3, 1}));
    double last = 0;
    for (int i = 0; i < 400; ++i) {
      stepper.step(1e-3);
      const EnergyBalance& e = stepper.energy();
      CHECK(std::abs(e.residual()) < 1e-12 * e.initial);
      CHECK(e.dissipated >= last * (1 - 1e-14));
      const Vec2 force = -stepper.contacts()[0].impulse.tail<2>() / 1e-3;
      CHECK(body.contacts()[0].law->law().reservoir().gauge(force) <= 20 * (1 + 1e-12));
      last = e.dissipated;
    }
  }
}

TEST_CASE("E.7 within the reservoir: a harmonic oscillation") {
  const double stiffness = 50, mass = 2, omega = std::sqrt(stiffness / mass);
  double last = 0;
  for (const int steps : {1000, 2000, 4000}) {
    const State end = after(isotropic(10).with_elastic(Adhesion(stiffness, stiffness)), mass, 20, {1, 0}, 1, steps);
    const double error = std::abs(end.q[0] - std::sin(omega) / omega);
    if (last > 0) CHECK(std::log2(last / error) > 0.9);
    last = error;
  }
  CHECK(last < 1e-3);
}

TEST_CASE("E.7 a sliding body on an elastic interface tends to the rate form with the step") {
  const double mass = 2, normal = 20, stiffness_1 = 300, stiffness_2 = 120, end_time = 0.4;
  const FrictionLaw law(Ellipse(0.4, 0.2), Ellipse(1.5, 1));
  const Adhesion b(stiffness_1, stiffness_2);
  const Vec2 u0(2, 1.2);
  // Elastic at first, in closed form; then slip by the rate form.
  const Vec2 omega = (b.stiffness() / mass).cwiseSqrt();
  const auto elastic = [&](double t) {
    return Vec2(u0.x() / omega.x() * std::sin(omega.x() * t), u0.y() / omega.y() * std::sin(omega.y() * t));
  };
  double lo = 0, hi = 0.5 / omega.maxCoeff();
  REQUIRE(law.reservoir().gauge(b.force(elastic(hi))) > normal);
  for (int i = 0; i < 100; ++i) {
    const double middle = (lo + hi) / 2;
    (law.reservoir().gauge(b.force(elastic(middle))) < normal ? lo : hi) = middle;
  }
  const Vec2 r = elastic(lo), force = b.force(r);
  std::vector<double> x = {r.x(),     r.y(),    u0.x() * std::cos(omega.x() * lo), u0.y() * std::cos(omega.y() * lo),
                           force.x(), force.y()};
  const ElasticInterface interface(law, b);
  const auto rhs = [&](const std::vector<double>& s, std::vector<double>& ds, double) {
    const Vec2 t(s[4], s[5]);
    const InterfaceRate rate = interface_rate(interface, t, {s[2], s[3]}, normal, 0, 1e-4);
    ds = {s[2], s[3], -t.x() / mass, -t.y() / mass, rate.force_rate.x(), rate.force_rate.y()};
  };
  using namespace boost::numeric::odeint;
  integrate_adaptive(make_controlled<runge_kutta_fehlberg78<std::vector<double>>>(1e-12, 1e-12), rhs, x, lo, end_time,
                     1e-4);
  REQUIRE(std::abs(law.reservoir().gauge({x[4], x[5]}) / normal - 1) < 1e-8);  // slips still

  double last = 0;
  for (const int steps : {400, 800, 1600}) {
    const State end = after(law.with_elastic(b), mass, normal, u0, end_time, steps);
    const double error = (end.q - Vec2(x[0], x[1])).norm() + (end.u - Vec2(x[2], x[3])).norm();
    show_worst("E.7 against the rate form", fmt::format("{} steps", steps), error);
    if (last > 0) CHECK(std::log2(last / error) > 0.9);
    last = error;
  }
  CHECK(last < 2e-3);
}

TEST_CASE("E.8 the rigid law is the limit of stiff interfaces, of first order in the compliance") {
  const FrictionLaw law(Ellipse(0.4, 0.2, 0.5), Ellipse(1.5, 1));
  const State rigid = after(law, 2, 20, {2, 1}, 0.3, 300);
  double last = 0;
  for (const double stiffness : {1e5, 1e6, 1e7, 1e8}) {
    const State soft = after(law.with_elastic(Adhesion(stiffness, 2 * stiffness, 1)), 2, 20, {2, 1}, 0.3, 300);
    const double error = (soft.q - rigid.q).norm() + (soft.u - rigid.u).norm();
    show_worst("E.8 rigid limit", fmt::format("stiffness {:g} N/m", stiffness), error);
    if (last > 0) CHECK(std::log10(last / error) > 0.9);
    if (last > 0) CHECK(std::log10(last / error) < 1.1);
    last = error;
  }
}

TEST_CASE(
    "an elastic contact continues from its memory with the same bits, and the event-driven integrator refuses it") {
  const SlidingBody body(associated(Ellipse(0.4, 0.2, 0.3)).with_elastic(Adhesion(1e3, 3e3, 0.8)), 2, 20);
  MoreauStepper whole(body, moving({0.3, 1})), first(body, moving({0.3, 1})), second(body, moving({0, 0}));
  for (int i = 0; i < 100; ++i) whole.step(1e-3);
  for (int i = 0; i < 40; ++i) first.step(1e-3);
  second.restore(first.memory());
  for (int i = 0; i < 60; ++i) second.step(1e-3);
  CHECK(second.memory() == whole.memory());
  CHECK_THROWS_AS(simulate(body, moving({1, 0}), EventDriven{}, {}), InvalidInput);
}

// It sticks from the start, and a quarter of a period later its velocity is nearly zero.
TEST_CASE("a body that vibrates on its elastic contact is not told to be at rest") {
  const SlidingBody body(isotropic(0.3).with_elastic(Adhesion(1000, 1000)), 1, 9.81);
  const Run run = simulate(body, moving({0.05, 0}), Moreau{.step = 1e-5}, {.duration = 0.06});
  CHECK(run.report.finished());
  CHECK(run.report.warnings.empty());
  // The rigid one stops within a step of 0.1 s.
  const Run rigid =
      simulate(SlidingBody(isotropic(0.3), 1, 9.81), moving({0.05, 0}), Moreau{.step = 0.1}, {.duration = 1});
  REQUIRE(rigid.report.warnings.size() == 1);
  CHECK(rigid.report.warnings[0].find("at rest after") != std::string::npos);
}
