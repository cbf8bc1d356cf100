// The mechanisms of Walker & Leine 2019, Fig. 13b-d: closed forms, who is to blame, nonlinear motion.
#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include "slipset/motion/time_stepping.hpp"
#include "slipset/systems/follower_pendulum.hpp"
#include "slipset/systems/frictional_impact_oscillator.hpp"
#include "slipset/systems/mass_on_elastic_belt.hpp"
#include "tests/stability/models.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

LinearSliding elastic_belt(const MassOnElasticBeltParameters& p, double mu) {
  const MassOnElasticBelt system(shared(isotropic(mu)), p);
  LinearizeOptions options;
  options.guess = system.equilibrium();
  return linearize_sliding(system, options);
}

LinearSliding rod(const FrictionalImpactOscillatorParameters& p, double mu) {
  const FrictionalImpactOscillator system(shared(isotropic(mu)), p);
  LinearizeOptions options;
  options.guess = system.start().q;
  return linearize_sliding(system, options);
}

LinearSliding pendulum(const FollowerPendulumParameters& p, double load) {
  return linearize_sliding(FollowerPendulum(shared(isotropic(load / p.normal_force)), p));
}

Mechanism culprit(const LinearSliding& s) { return contributions(s, modes_of(s).front()).front().mechanism; }

}  // namespace

TEST_CASE("B.12 mode coupling with three degrees of freedom: where two modes meet") {
  Random random(1301);
  int met = 0;
  for (int i = 0; i < 8; ++i) {
    MassOnElasticBeltParameters p;
    if (i > 0) {
      p.belt_mass = random.log_uniform(0.02, 0.5);
      p.k1 = random.uniform(5, 20);
      p.k2 = random.uniform(5, 30);
      p.k3 = random.uniform(5, 60);
      p.k = random.uniform(5, 20);
    }
    const auto critical = MassOnElasticBelt::critical_friction(p);
    if (!critical || *critical > 3) continue;
    ++met;
    const SlidingAt at = [&](double mu) { return elastic_belt(p, mu); };
    CHECK(is_stable(modes_of(at(0.99 * *critical))));
    const LinearSliding beyond = at(1.01 * *critical);
    CHECK_FALSE(is_stable(modes_of(beyond)));
    CHECK(culprit(beyond) == Mechanism::mode_coupling);
    const CriticalValue found = refine_critical(at, 0.99 * *critical, 1.01 * *critical);
    CHECK(found.by_coalescence);
    CHECK(std::abs(found.value - *critical) < 1e-9 * *critical);
  }
  CHECK(met > 2);
}

// ω² of the closed contact from the quadratic, and the normal force from the belt's spring.
TEST_CASE("mode coupling with three degrees of freedom: frequencies and equilibrium") {
  const MassOnElasticBeltParameters p;
  const double mu = 0.1, a = 16, b = 5, d = 20, all = 1.1;
  const double c1 = d + all * a + b * mu * 0.1, c0 = a * d - b * b + b * mu * 10;
  const double root = std::sqrt(c1 * c1 - 4 * all * c0);
  const LinearSliding s = elastic_belt(p, mu);
  const std::vector<Mode> modes = modes_of(s);
  std::vector<double> found;
  for (const Mode& m : modes) found.push_back(m.frequency());
  std::sort(found.begin(), found.end());
  CHECK(std::abs(found.front() - std::sqrt((c1 - root) / (2 * all))) < 1e-12);
  CHECK(std::abs(found.back() - std::sqrt((c1 + root) / (2 * all))) < 1e-12);
  CHECK(std::abs(s.contacts[0].normal_force + 10 * s.position[2]) < 1e-12);
  CHECK(std::abs(s.position[1] - s.position[2]) < 1e-14);
}

TEST_CASE("B.13 the rod on the belt: inertia and damping of sprag-slip, Painlevé's friction") {
  Random random(1302);
  for (int i = 0; i < 40; ++i) {
    FrictionalImpactOscillatorParameters p;
    p.tip_mass = random.log_uniform(0.2, 2);
    p.length = random.uniform(0.5, 2);
    p.angle = random.uniform(-0.8, -0.2);
    p.c = random.uniform(0.5, 3);
    p.c_angle = random.uniform(0.05, 1);
    p.k_angle = random.uniform(200, 400);
    const double mu = random.uniform(0.1, 2.5);
    const LinearSliding s = rod(p, mu);
    REQUIRE(s.report.converged);
    const double angle = s.position[1], sine = std::sin(angle), cosine = std::cos(angle);
    const double sprag = sine * (sine + mu * cosine), l2 = p.length * p.length;
    const double inertia = l2 * (p.tip_mass * cosine * cosine + p.upper_mass * sprag);
    const double damping = p.c_angle + p.c * l2 * sprag;
    if (std::abs(mu - FrictionalImpactOscillator::painleve_friction(p, angle)) < 0.02) continue;
    CHECK(s.is_painleve() == (mu > FrictionalImpactOscillator::painleve_friction(p, angle)));
    CHECK(s.is_painleve() == (inertia < 0));
    CHECK((damping < 0) == (mu > FrictionalImpactOscillator::damping_friction(p, angle)));
    // The two eigenvalues add up to minus damping over inertia.
    const std::vector<Mode> modes = modes_of(s);
    REQUIRE(modes.size() == 2);
    CHECK(std::abs((modes[0].value + modes[1].value).real() + damping / inertia) <
          1e-8 * (1 + std::abs(damping / inertia)));
  }
}

TEST_CASE("the rod with the numbers of its header: stable, sprag-slip, Painlevé") {
  const FrictionalImpactOscillatorParameters p;
  CHECK(std::abs(FrictionalImpactOscillator::painleve_friction(p, p.angle) - 1.4433756729740643) < 1e-10);
  CHECK(std::abs(FrictionalImpactOscillator::damping_friction(p, p.angle) - 0.8082903768654761) < 1e-10);
  CHECK(is_stable(modes_of(rod(p, 0.4))));
  const LinearSliding sprag = rod(p, 1.0);
  CHECK_FALSE(is_stable(modes_of(sprag)));
  CHECK_FALSE(sprag.is_painleve());
  CHECK(culprit(sprag) == Mechanism::normal_speed);
  CHECK(rod(p, 1.8).is_painleve());
}

// g̈ = A λ_N + b: all four combinations of signs.
TEST_CASE("no acceleration, one or two: Painlevé's cases") {
  const auto solutions = [](double mu, double load, double turning) {
    FrictionalImpactOscillatorParameters p;
    p.load = load;
    const FrictionalImpactOscillator system(shared(isotropic(mu)), p);
    State at = system.start();
    // Turning with the contact closed: the free tip would rise by l cosφ φ̇².
    at.u << -p.length * std::sin(p.angle) * turning, turning;
    return system.solutions(at.q, at.u);
  };
  CHECK(solutions(0.3, 10, 0) == SlidingSolutions::slides);
  CHECK(solutions(0.3, 10, 0.9) == SlidingSolutions::slides);
  CHECK(solutions(0.3, -10, 0) == SlidingSolutions::opens);
  CHECK(solutions(2.0, 10, 0) == SlidingSolutions::none);
  CHECK(solutions(2.0, -10, 0) == SlidingSolutions::several);
  CHECK(std::string(name_of(SlidingSolutions::none)) == "none");
}

TEST_CASE("B.14 the pendulum under a follower force: Ziegler's loads") {
  FollowerPendulumParameters p;
  CHECK(std::abs(FollowerPendulum::flutter_load(p) - (3.5 - std::sqrt(2.0))) < 1e-15);
  p.normal_force = 4;
  Random random(1303);
  for (int i = 0; i < 6; ++i) {
    if (i > 0) {
      p.joint_mass = random.log_uniform(0.3, 5);
      p.tip_mass = random.log_uniform(0.3, 3);
      p.length1 = random.uniform(0.5, 2);
      p.length2 = random.uniform(0.5, 2);
      p.k1 = random.uniform(0.5, 4);
      p.k2 = random.uniform(0.5, 4);
    }
    const double load = FollowerPendulum::flutter_load(p);
    const SlidingAt at = [&](double q) { return pendulum(p, q); };
    CHECK(is_stable(modes_of(at(0.98 * load))));
    CHECK_FALSE(is_stable(modes_of(at(1.02 * load))));
    CHECK(culprit(at(1.02 * load)) == Mechanism::follower);
    CHECK(std::abs(refine_critical(at, 0.98 * load, 1.02 * load).value - load) < 1e-9 * load);
  }
}

// Small equal dampers bring the load down to 41/28 k/l, with an error of the second order in them.
TEST_CASE("Ziegler's paradox: dampers that destabilise") {
  FollowerPendulumParameters p;
  p.normal_force = 4;
  const auto critical = [&](double c) {
    p.c1 = p.c2 = c;
    return refine_critical([&](double load) { return pendulum(p, load); }, 1.2, 1.9).value;
  };
  const double rough = critical(2e-2), fine = critical(1e-2);
  CHECK(std::abs((4 * fine - rough) / 3 - 41.0 / 28) < 1e-6);
  CHECK(std::abs(fine - 41.0 / 28) > 1e-6);
}

// Moreau's scheme from a small disturbance: it grows and decays as the eigenvalues say.
TEST_CASE("the nonlinear motion of the three models grows where the linearisation does") {
  const auto growth_of = [](const System& system, const VectorX& rest, const VectorX& way, double duration) {
    const State start{0, rest, 1e-4 * way};  // along a motion that keeps the contact closed
    Moreau by_moreau;
    RunOptions options;
    by_moreau.step = 1e-3;
    options.duration = duration;
    const Run run = simulate(system, start, by_moreau, options);
    const auto size = [&](double from, double to) {
      Worst largest;
      for (const auto row : run.table.rows())
        if (row[0] >= from * duration && row[0] <= to * duration)
          for (Eigen::Index k = 0; k < rest.size(); ++k)
            largest.add(std::abs(row[static_cast<std::size_t>(1 + k)] - rest[k]));
      return largest.value();
    };
    return size(0.8, 1) / size(0, 0.2);
  };
  const auto belt_growth = [&](double mu) {
    const MassOnElasticBelt system(shared(isotropic(mu)), {});
    return growth_of(system, *system.equilibrium(), VectorX::Unit(3, 0), 20);
  };
  const double critical = *MassOnElasticBelt::critical_friction({});
  CHECK(belt_growth(1.3 * critical) > 5);
  CHECK(belt_growth(0.7 * critical) < 3);
  const auto rod_growth = [&](double mu) {
    const FrictionalImpactOscillator system(shared(isotropic(mu)), {});
    const VectorX rest = rod({}, mu).position;
    return growth_of(system, rest, 100 * Vec2(-std::sin(rest[1]), 1), 20);
  };
  CHECK(rod_growth(1.0) > 2);
  CHECK(rod_growth(0.4) < 0.5);
  const auto pendulum_growth = [&](double load) {
    const FollowerPendulum system(shared(isotropic(load)), {});
    return growth_of(system, VectorX::Zero(2), VectorX::Unit(2, 0), 30);
  };
  CHECK(pendulum_growth(2.6) > 10);
  CHECK(pendulum_growth(1.8) < 3);
}
