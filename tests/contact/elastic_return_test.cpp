// The exact return of an elastic interface: residuals, a second method, the rate form, the tangent.
#include "slipset/contact/elastic_return.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <boost/numeric/odeint.hpp>

#include "slipset/laws/classical.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

Adhesion random_adhesion(Random& random, double ratio = 1e4) {
  const double stiffness = random.log_uniform(1e-3, 1e6), other = stiffness * random.log_uniform(1, ratio);
  const bool first = random.coin();
  return {first ? stiffness : other, first ? other : stiffness, random.uniform(0, 7)};
}

double energy_norm(const Adhesion& b, const Vec2& force) { return std::sqrt(2 * b.energy(force)); }

// How far T is from the boundary, and how far T + B k n is from T_trial, n the normal of D on the ray of T (at a corner
// the nearest of its fan). D's own normal, not the solver's: no wrong T passes. The flow residual is a backward error
// as for linear systems, |Ax - b| over |A||x| + |b|: in the metric of B⁻¹, the size of T_trial plus what one rounding
// of T does to B k n, since already T as a double number leaves that much open.
struct Defect {
  double yield, flow;
};
Defect return_defect(const ElasticInterface& interface, const Vec2& trial, double normal, const InterfaceUpdate& u) {
  const PlanarSet &c = interface.law().reservoir(), &d = interface.law().direction();
  const Adhesion& b = interface.adhesion();
  const AngleInterval fan = d.normal_cone(u.force);
  const double k = u.slip.norm(), angle = angle_of(u.slip);
  Vec2 n = u.slip / k;
  double turning = 1;  // how much a relative change of T turns n
  if (fan.width() == 0) {
    const Vec2 m = d.gauge_gradient(u.force);
    n = m.normalized();
    if (const auto bending = d.gauge_hessian(u.force)) turning += bending->norm() * u.force.norm() / m.norm();
  } else if (!fan.contains(angle)) {
    n = unit(std::abs(wrap_to_pi(angle - fan.from)) < std::abs(wrap_to_pi(angle - fan.to)) ? fan.from : fan.to);
  }
  const double scale = energy_norm(b, trial) + k * turning * std::sqrt(b.stiffness().maxCoeff());
  return {std::abs(c.gauge(u.force) / normal - 1), energy_norm(b, trial - u.force - b.force(k * n)) / scale};
}

FrictionLaw random_pair(Random& random, bool elliptic) {
  if (!elliptic) return random_law(random);
  const auto ellipse = [&] {
    return Ellipse(random.log_uniform(0.1, 1), random.log_uniform(0.1, 1), random.uniform(0, 7));
  };
  const Ellipse e = ellipse();
  return random.coin() ? FrictionLaw(e, e) : FrictionLaw(e, ellipse());
}

}  // namespace

// SLIPSET_SAMPLES=300000 takes 300000 trials on two ellipses and 100000 on any two sets; SLIPSET_SHOW=1 shows the
// worst.
TEST_CASE("E.3 E.4 the exact return keeps the yield condition and the flow rule") {
  for (const bool elliptic : {true, false}) {
    Random random(elliptic ? 11 : 12);
    double yield = 0, flow = 0;
    int several = 0, none = 0;
    const int trials = elliptic ? 1 : 20;  // of each interface: the search along the boundary has to be prepared
    const int count = elliptic ? sample_count() : sample_count() / 60;
    for (int i = 0; i < count; ++i) {
      const ElasticInterface interface(random_pair(random, elliptic), random_adhesion(random));
      const ElasticReturn exact(interface);
      const PlanarSet& c = interface.law().reservoir();
      for (int k = 0; k < trials; ++k) {
        const double normal = random.log_uniform(1e-3, 1e3), overshoot = 1 + random.log_uniform(1e-4, 1e6);
        const Vec2 ray = random.direction(c.angle()), trial = ray * (normal * overshoot / c.gauge(ray));
        const InterfaceUpdate u = exact.from_trial(trial, normal, Vec2::Zero());
        none += u.solutions == 0;
        several += u.solutions > 1;
        const Defect defect = return_defect(interface, trial, normal, u);
        yield = !(defect.yield <= yield) ? defect.yield : yield;
        flow = !(defect.flow <= flow) ? defect.flow : flow;
      }
    }
    const char* which = elliptic ? "two ellipses" : "any two sets";
    show_worst("E.3 yield", which, yield);
    show_worst("E.3 flow", which, flow);
    show_worst("E.3 several solutions", which, several);
    CHECK(none == 0);
    CHECK(yield < 1e-13);
    CHECK(flow < 1e-13);
  }
}

TEST_CASE("E.3 has teeth: radial return and the paper's map are not the exact return") {
  const Ellipse e(0.1, 0.5, radians(20));
  const ElasticInterface interface(associated(e), Adhesion(1e4, 5e4, radians(50)));
  const Vec2 trial(3, 2);
  const auto flow_defect = [&](const Vec2& force) {
    return return_defect(interface, trial, 1, {force, interface.adhesion().stretch(trial - force), true, 1}).flow;
  };
  CHECK(flow_defect(trial / e.gauge(trial)) > 0.1);
  CHECK(flow_defect(konyukhov_one_step(interface.adhesion(), e, trial, 1)) > 0.01);
  CHECK(flow_defect(ElasticReturn(interface).from_trial(trial, 1, trial).force) < 1e-14);
}

TEST_CASE("E.3 associated flow: the closest point of the reservoir in the metric of the compliance") {
  Random random(3);
  for (int i = 0; i < sample_count() / 100; ++i) {
    const PlanarSet set = random_moderate_set(random, true);
    const ElasticInterface interface(associated(set), random_adhesion(random, 100));
    const Vec2 trial = random.uniform(1.001, 20) * set.boundary_point(random.uniform(0, 7));
    const InterfaceUpdate u = ElasticReturn(interface).from_trial(trial, 1, Vec2::Zero());
    const double found = interface.adhesion().energy(trial - u.force);
    Least least;
    for (int k = 0; k < 720; ++k) least.add(interface.adhesion().energy(trial - set.boundary_point(2 * kPi * k / 720)));
    CHECK(found <= least.value() * (1 + 1e-12));
  }
}

TEST_CASE("E.4 against E.3: the quartic and the search along the boundary give one force") {
  Random random(4);
  Worst worst;
  for (int i = 0; i < sample_count() / 100; ++i) {
    const Ellipse c(random.log_uniform(0.1, 1), random.log_uniform(0.1, 1), random.uniform(0, 7));
    const Ellipse d(random.log_uniform(0.1, 1), random.log_uniform(0.1, 1), random.uniform(0, 7));
    const auto super = [](const Ellipse& e) {
      return Superellipse(e.semi_axes().x(), e.semi_axes().y(), 2, e.angle());
    };
    const Adhesion b = random_adhesion(random, 100);
    const Vec2 trial = random.log_uniform(1.001, 100) * c.boundary_point(random.uniform(0, 7));
    const Vec2 last = c.boundary_point(random.uniform(0, 7));
    const InterfaceUpdate quartic = ElasticReturn({FrictionLaw(c, d), b}).from_trial(trial, 1, last),
                          search = ElasticReturn({FrictionLaw(super(c), super(d)), b}).from_trial(trial, 1, last);
    CHECK(quartic.solutions == search.solutions);
    worst.add((quartic.force - search.force).norm() / c.semi_axes().norm());
  }
  show_worst("E.4 against E.3", "two ellipses", worst.value());
  CHECK(worst.value() < 1e-9);  // a root that is nearly double is known to the root of eps
}

namespace {

// The force along r(t), t from 0 to 1, by the rate form; adaptive, 1e-12. The surface turns by `spin` meanwhile.
struct Path {
  std::function<Vec2(double)> velocity;
  double n0, n1, spin;
  double normal(double t) const { return n0 + t * (n1 - n0); }
};

Vec2 by_rate_form(const ElasticInterface& interface, const Path& path, const Vec2& start, double from, double to) {
  using State = std::vector<double>;
  State x{start.x(), start.y()};
  const auto rhs = [&](const State& s, State& ds, double t) {
    const Vec2 v = along_turning_axes(path.velocity(t), path.spin * t, path.spin * t);
    const InterfaceRate rate = interface_rate(interface, {s[0], s[1]}, v, path.normal(t), path.n1 - path.n0, 1e-6);
    ds = {rate.force_rate.x(), rate.force_rate.y()};
  };
  using namespace boost::numeric::odeint;
  integrate_adaptive(make_controlled<runge_kutta_fehlberg78<State>>(1e-13, 1e-13), rhs, x, from, to, 1e-3);
  return {x[0], x[1]};
}

}  // namespace

TEST_CASE("E.3 E.6 increments tend to the rate form: first order implicit, second order by the midpoint") {
  struct Case {
    const char* name;
    FrictionLaw law;
    double n0, n1, spin;
  };
  const std::vector<Case> cases = {
      {"associated ellipse", associated(Ellipse(0.6, 0.2, 0.4)), 1, 1, 0},
      {"two ellipses, N grows", FrictionLaw(Ellipse(0.6, 0.3, 0.4), Ellipse(1.5, 1)), 1, 1.8, 0},
      {"superellipse and ellipse, turning", FrictionLaw(Superellipse(0.5, 0.3, 3, 0.2), Ellipse(1.2, 1)), 1.4, 1, 1.5}};
  for (const Case& c : cases) {
    const ElasticInterface interface(c.law, Adhesion(3, 1, 0.9));
    const ElasticReturn exact(interface);
    const double radius = 0.8, turns = 0.75;
    const auto position = [&](double t) { return Vec2(radius * unit(2 * kPi * turns * t)); };
    const Path path{[&](double t) { return Vec2(2 * kPi * turns * radius * turn_left(unit(2 * kPi * turns * t))); },
                    c.n0, c.n1, c.spin};
    // A start on the boundary that slips from the first moment on.
    const Vec2 start = c.n0 * slip_resistance(c.law, path.velocity(0));
    const Vec2 reference = by_rate_form(interface, path, start, 0, 1);
    REQUIRE(std::abs(c.law.reservoir().gauge(reference) / c.n1 - 1) < 1e-8);
    std::array<double, 2> last{}, order{};
    for (const int steps : {64, 128, 256, 512}) {
      Vec2 implicit = start, midpoint = start;
      for (int i = 0; i < steps; ++i) {
        const double t0 = static_cast<double>(i) / steps, t1 = static_cast<double>(i + 1) / steps;
        const Vec2 d = along_turning_axes(position(t1) - position(t0), c.spin * t0, c.spin * t1);
        implicit = exact.update(implicit, d, path.normal(t1)).force;
        midpoint = exact.midpoint(midpoint, d, path.normal(t0), path.normal(t1)).force;
      }
      const std::array<double, 2> error{(implicit - reference).norm(), (midpoint - reference).norm()};
      for (std::size_t k = 0; k < 2; ++k) order[k] = std::log2(last[k] / error[k]);
      last = error;
      show_worst(c.name, fmt::format("{} increments, implicit", steps), error[0]);
      show_worst(c.name, fmt::format("{} increments, midpoint", steps), error[1]);
    }
    CHECK(order[0] > 0.9);
    CHECK(order[1] > 1.8);
    CHECK(last[1] < 1e-4);
  }
}

TEST_CASE("E.6 a straight pull ends at the law's resistance, whatever the increments") {
  const FrictionLaw law(Ellipse(0.6, 0.3, 0.4), Ellipse(2, 1));
  const ElasticReturn exact({law, Adhesion(30, 5, 0.7)});
  const Vec2 v(1, 0.5);
  for (const double increment : {1e-3, 0.1, 10.0}) {
    Vec2 implicit(0.1, -0.2), midpoint = implicit;
    for (int i = 0; i < 5000; ++i) {
      implicit = exact.update(implicit, increment * v, 2).force;
      if (increment < 0.01) midpoint = exact.midpoint(midpoint, increment * v, 2, 2).force;
    }
    CHECK((implicit - 2 * slip_resistance(law, v)).norm() < 1e-12);
    if (increment < 0.01) CHECK((midpoint - 2 * slip_resistance(law, v)).norm() < 1e-9);
  }
}

TEST_CASE("E.5 the tangent is the derivative of the update") {
  Random random(7);
  Worst worst;
  int used = 0;
  std::optional<ElasticReturn> prepared;
  for (int i = 0; i < sample_count() / 10; ++i) {
    if (i % 10 == 0) prepared.emplace(ElasticInterface(random_law(random), random_adhesion(random, 30)));
    const ElasticReturn& exact = *prepared;
    const Adhesion& b = exact.interface().adhesion();
    const double normal = random.uniform(0.5, 2);
    const Vec2 before =
        random.uniform(0, 0.9) * normal * exact.interface().law().reservoir().boundary_point(random.uniform(0, 7));
    const Vec2 d = b.stretch(random.uniform(0, 3) * unit(random.uniform(0, 7)));
    const InterfaceUpdate u = exact.update(before, d, normal);
    if (u.solutions != 1) continue;
    const auto tangent = exact.tangent(u, normal);
    if (!tangent) continue;
    const double h = 1e-6;
    Mat2 difference;
    bool smooth = true;
    for (int k = 0; k < 2; ++k) {
      const Vec2 e = b.stretch(h * Vec2(k == 0, k == 1));
      const InterfaceUpdate plus = exact.update(before, d + e, normal), minus = exact.update(before, d - e, normal);
      smooth = smooth && plus.slips == u.slips && minus.slips == u.slips && plus.solutions == 1 && minus.solutions == 1;
      const InterfaceUpdate plus2 = exact.update(before, d + 2 * e, normal),
                            minus2 = exact.update(before, d - 2 * e, normal);
      difference.col(k) = (plus.force - minus.force) / (2 * h);
      smooth = smooth && ((plus2.force - minus2.force) / (4 * h) - difference.col(k)).norm() < 1e-7;
    }
    if (!smooth) continue;  // near a kink of C or D
    ++used;
    const Vec2 by_normal =
        (exact.update(before, d, normal + h).force - exact.update(before, d, normal - h).force) / (2 * h);
    worst.add((tangent->by_displacement * b.compliance() - difference).norm());
    worst.add((tangent->by_normal_force - by_normal).norm());
  }
  show_worst("E.5 tangent", "difference quotient", worst.value());
  CHECK(used > sample_count() / 40);
  CHECK(worst.value() < 1e-5);
}

TEST_CASE("E.5 Newton's method with the tangent converges quadratically") {
  // A block between two springs on the interface: K Δr + T(Δr) = f.
  const ElasticReturn exact({FrictionLaw(Ellipse(0.6, 0.2, 0.4), Ellipse(1, 0.7)), Adhesion(50, 8, 1.1)});
  Mat2 springs;
  springs << 0.3, 0.05, 0.05, 0.2;
  const Vec2 f(1.5, 0.9), before(0.1, 0.05);
  Vec2 d = Vec2::Zero();
  std::vector<double> residuals;
  for (int i = 0; i < 12; ++i) {
    const InterfaceUpdate u = exact.update(before, d, 1);
    const Vec2 residual = springs * d + u.force - f;
    residuals.push_back(residual.norm());
    show_worst("E.5 Newton", fmt::format("iteration {}", i), residuals.back());
    if (residuals.back() < 1e-14) break;
    const auto tangent = exact.tangent(u, 1);
    REQUIRE(tangent);
    d -= (springs + tangent->by_displacement).inverse() * residual;
  }
  REQUIRE(residuals.back() < 1e-13);
  // Of the last steps above rounding: r_{k+1} ≤ C r_k².
  int quadratic = 0;
  for (std::size_t k = 1; k + 1 < residuals.size(); ++k)
    if (residuals[k] < 0.3 && residuals[k + 1] > 1e-15) {
      CHECK(residuals[k + 1] < 3 * residuals[k] * residuals[k] + 1e-14);
      ++quadratic;
    }
  CHECK(quadratic >= 2);
}

TEST_CASE("E.1 the rate form: the force stays on the boundary, a corner of D holds it, unloading is elastic") {
  const FrictionLaw law(Ellipse(0.6, 0.3), Rectangle(2, 1));
  const ElasticInterface interface(law, Adhesion(5, 2, 0.3));
  const PlanarSet& c = law.reservoir();
  const Vec2 corner = c.boundary_point(std::atan2(1, 2)), side = c.boundary_point(0.1);
  const InterfaceRate held = interface_rate(interface, corner, {1, 1}, 1);
  CHECK(held.force_rate.norm() < 1e-14);
  CHECK((held.slip_velocity - Vec2(1, 1)).norm() < 1e-14);
  const InterfaceRate slips = interface_rate(interface, side, {1, 0.3}, 1, 0.2);
  CHECK(slips.slips);
  CHECK(std::abs(c.gauge_gradient(side).dot(slips.force_rate) - 0.2) < 1e-13);
  CHECK(std::abs(slips.slip_velocity.y()) < 1e-13);  // normal to D's side
  const InterfaceRate back = interface_rate(interface, side, {-1, 0}, 1);
  CHECK_FALSE(back.slips);
  CHECK((back.force_rate + interface.adhesion().tensor().col(0)).norm() < 1e-14);
}

TEST_CASE("E.1 corners of both sets: the force leaves along the side on which it then is") {
  const ElasticInterface square(associated(Rectangle(1, 1)), Adhesion(1, 1));
  const auto rate = [&](const Vec2& v) { return interface_rate(square, {1, 1}, v, 1); };
  CHECK((rate({1, -0.5}).force_rate - Vec2(0, -0.5)).norm() < 1e-7);
  CHECK((rate({1, -2}).force_rate - Vec2(0, -2)).norm() < 1e-7);
  CHECK((rate({-2, 1}).force_rate - Vec2(-2, 0)).norm() < 1e-7);
  CHECK((rate({-2, 1}).slip_velocity - Vec2(0, 1)).norm() < 1e-7);
  CHECK_FALSE(rate({-1, -2}).slips);
  CHECK(rate({1, 2}).force_rate.norm() == 0);
}

TEST_CASE("E.2 the force turns with its surface; no pressure, no force; what is not a number is refused") {
  const ElasticReturn exact({associated(Ellipse(0.6, 0.2)), Adhesion(3, 1)});
  const Vec2 before(0.2, 0.1);
  CHECK((exact.update(before, along_turning_axes({0, 0}, 0, 1), 1).force - before).norm() == 0);
  CHECK((along_turning_axes({1, 0}, kPi / 2, kPi / 2) - Vec2(0, -1)).norm() < 1e-15);
  CHECK(exact.update(before, {0.1, 0}, 0).force.norm() == 0);
  CHECK(
      (exact.update(before, {0.1, 0}, -1).slip - (Vec2(0.1, 0) + exact.interface().adhesion().stretch(before))).norm() <
      1e-15);
  CHECK_THROWS_AS(exact.update(before, {NAN, 0}, 1), InvalidInput);
  CHECK_THROWS_AS(Adhesion(1, 0), InvalidInput);
  CHECK_THROWS_AS(Adhesion(1, 1, INFINITY), InvalidInput);
}

TEST_CASE("an update of any kind allocates nothing") {
  const ElasticReturn elliptic({FrictionLaw(Ellipse(0.6, 0.2), Ellipse(1, 2, 1)), Adhesion(3, 1, 0.3)}),
      general({FrictionLaw(Superellipse(0.6, 0.2, 3), Rectangle(1, 2, 1)), Adhesion(3, 1, 0.3)});
  Vec2 a(0, 0), b(0, 0);
  const auto before = allocations();
  for (int i = 0; i < 100; ++i) {
    const Vec2 d = 0.1 * unit(0.1 * i);
    a = elliptic.update(a, d, 1).force;
    b = general.update(b, d, 1).force;
  }
  CHECK(allocations() == before);
  CHECK(a.allFinite());
  CHECK(b.allFinite());
}
