// The answer does not depend on the units of the numbers, nor on how stiff, fast or heavy things are.
#include <doctest/doctest.h>

#include "slipset/stability/criteria.hpp"
#include "tests/stability/models.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

struct Units {
  double length, mass, time;  // numbers of the new units in one of the old
  double force() const { return mass * length / (time * time); }
  double stiffness() const { return mass / (time * time); }
  double damping() const { return mass / time; }
  double speed() const { return length / time; }
};

// m to mm, kg to t, s to ms; all of them; and units that nobody has.
const std::vector<Units> kUnits = {{1e3, 1, 1},      {1, 1e-3, 1},     {1, 1, 1e3},        {1e3, 1e-3, 1e3},
                                   {1e-9, 1e9, 1e9}, {1e9, 1e9, 1e-9}, {1e20, 1e30, 1e-25}};

LinearSliding on_belt(const Units& u) {
  MassOnBeltParameters p;
  p.mass = 1.3 * u.mass;
  p.stiffness = Mat2{{2.0, 0.3}, {0.3, 1.0}} * u.stiffness();
  p.damping = 0.05 * Mat2::Identity() * u.damping();
  p.normal_force = 1 * u.force();
  p.belt_velocity = 1 * u.speed() * unit_at_degrees(50);
  LinearizeOptions options;
  const MassOnBelt system(FrictionLaw(Ellipse(30, 10, radians(30)), Ellipse(3, 1)), p);
  options.guess = VectorX(*system.equilibrium());
  return linearize_sliding(system, options);
}

LinearSliding mode_coupling(const Units& u) {
  ModeCouplingParameters p;
  p.mass = 1 * u.mass;
  p.k1 = 11 * u.stiffness();
  p.k2 = 20 * u.stiffness();
  p.k = 10 * u.stiffness();
  p.c1 = 0.01 * u.damping();
  p.c2 = 0.02 * u.damping();
  p.normal_load = 1 * u.force();
  p.belt_speed = 2 * u.speed();
  LinearizeOptions options;
  options.lugre = LuGre{50 / u.length, 0.3 / u.speed(), 0.01 / u.speed()};
  return linearize_sliding(ModeCoupling(shared(falling(0.6, 0.4, 3 * u.speed())), p), options);
}

// A block with a normal spring on a table that turns under it: the normal force is found, too.
LinearSliding pressed(const Units& u, double stiffness = 4e3) {
  const MatrixX mass = VectorX(Eigen::Vector3d(2, 2, 3)).asDiagonal() * MatrixX::Identity(3, 3) * u.mass;
  MatrixX k = MatrixX::Identity(3, 3) * stiffness * u.stiffness();
  k(0, 2) = k(2, 0) = 0.2 * stiffness * u.stiffness();
  LinearContact contact{
      FrictionLaw(Ellipse(0.5, 0.3), Ellipse(3, 1)), Eigen::MatrixX2d::Zero(3, 2), Vec2(0, 0), 0, {}, 0, 0};
  contact.tangents(0, 0) = contact.tangents(1, 1) = 1;
  contact.normal = VectorX(Eigen::Vector3d(0, 0, 1));
  contact.surface_velocity = Vec2(1, 0.7) * u.speed();
  contact.gap = -1e-3 * u.length;  // pressed in: it is to be found that it closes
  const VectorX force = VectorX(Eigen::Vector3d(0, 0, -40)) * u.force();
  return linearize_sliding(LinearSystem(mass, MatrixX::Zero(3, 3), k, force, {contact}), {});
}

void check_same(LinearSliding (*build)(const Units&)) {
  const LinearSliding usual = build({1, 1, 1});
  REQUIRE(usual.report.converged);
  const std::vector<Mode> modes = modes_of(usual);
  const double size = std::abs(modes.front().value);
  for (const Units& u : kUnits) {
    CAPTURE(u.length);
    CAPTURE(u.mass);
    CAPTURE(u.time);
    const LinearSliding other = build(u);
    REQUIRE(other.report.converged);
    CHECK((other.position / u.length - usual.position).norm() <= 1e-12 * usual.position.norm());
    for (std::size_t i = 0; i < usual.contacts.size(); ++i)
      CHECK(std::abs(other.contacts[i].normal_force / u.force() - usual.contacts[i].normal_force) <=
            1e-12 * usual.contacts[i].normal_force);
    const std::vector<Mode> same = modes_of(other);
    REQUIRE(same.size() == modes.size());
    for (std::size_t i = 0; i < modes.size(); ++i) {
      CHECK(std::abs(same[i].value * u.time - modes[i].value) <= 1e-11 * size);
      CHECK(same[i].grows() == modes[i].grows());
      CHECK(same[i].is_marginal() == modes[i].is_marginal());
      const auto parts = contributions(other, same[i]), expected = contributions(usual, modes[i]);
      REQUIRE(parts.size() == expected.size());
      double sum = 0;
      for (const Contribution& part : parts) sum += part.growth * u.time;
      if (!parts.empty()) CHECK(std::abs(sum - modes[i].growth_rate()) <= 1e-9 * size);
    }
  }
}

}  // namespace

TEST_CASE("A12, F4: steady sliding and its modes are the same in all units") {
  SUBCASE("mass on a belt") { check_same(on_belt); }
  SUBCASE("mode coupling with bristles") { check_same(mode_coupling); }
  SUBCASE("a contact that may open") {
    check_same([](const Units& u) { return pressed(u); });
  }
}

// Springs along x and z, coupled by c: z = 1 mm is given by the table; N from the balance along z.
TEST_CASE("A12: springs of 1e8 and 1e12 N/m are not singular") {
  for (const double k : {1.0, 1e4, 1e8, 1e12}) {
    CAPTURE(k);
    const LinearSliding s = pressed({1, 1, 1}, k);
    REQUIRE(s.report.converged);
    CHECK(std::abs(s.position[2] - 1e-3) <= 1e-15);
    // Along the three axes: K q + N s = force + N e_z, with s of the law.
    const SlidingContact& c = s.contacts[0];
    const double n = c.normal_force;
    CHECK(std::abs(k * s.position[0] + 0.2 * k * s.position[2] + n * c.resistance.x()) <= 1e-12 * n);
    CHECK(std::abs(k * s.position[1] + n * c.resistance.y()) <= 1e-12 * n);
    CHECK(std::abs(k * s.position[2] + 0.2 * k * s.position[0] + 40 - n) <= 1e-12 * n);
  }
}

TEST_CASE("A12 has teeth: where nothing holds a body it is still said, at any stiffness") {
  for (const double k : {1e-8, 1.0, 1e8, 1e14}) {
    CAPTURE(k);
    MatrixX stiffness = MatrixX::Zero(2, 2);
    stiffness(0, 0) = k;
    LinearContact contact{isotropic(0.3), Eigen::MatrixX2d::Identity(2, 2), Vec2(1, 0.5), 5, {}, 0, 0};
    const LinearSystem system(MatrixX::Identity(2, 2), MatrixX::Zero(2, 2), stiffness, VectorX::Zero(2), {contact});
    const LinearSliding s = linearize_sliding(system, {});
    CHECK_FALSE(s.report.converged);
    CHECK(s.report.why.find("singular") != std::string::npos);
  }
}

// λ² + λ b/v + 1 = 0 with an eigenvalue b < 0 of the damping at v = 1: λ → -b/v for v → 0.
TEST_CASE("F4: slow belts make large growth rates, fast belts small ones, and neither is lost") {
  const LinearSliding usual = linearize_sliding(belt(50, 1), {});
  const double b = modes_of(usual).size() == 4 ? eigenvalues(usual.damping).real().minCoeff() : NAN;
  REQUIRE(b < 0);
  for (const double v : {1e-3, 1e-14, 1e-100, 1e-200}) {
    CAPTURE(v);
    const LinearSliding s = linearize_sliding(belt(50, v), {});
    CHECK((s.damping * v - usual.damping).norm() <= 1e-13 * usual.damping.norm());
    const Mode fastest = modes_of(s).front();
    CHECK(fastest.grows());
    CHECK(std::abs(fastest.growth_rate() * v / -b - 1) <= v * v * 2 / (b * b) + 1e-12);
  }
  for (const double v : {1e6, 1e60, 1e155}) {
    CAPTURE(v);
    const MassOnBelt system = belt(50, v);
    const LinearSliding s = linearize_sliding(system, {});
    CHECK((s.damping * v - usual.damping).norm() <= 1e-13 * usual.damping.norm());
    CHECK(criteria_of(system, s).trace.verdict == Statement::unstable);
  }
}

TEST_CASE("F4: a matrix that is not finite has no modes, and says so") {
  LinearSliding s = linearize_sliding(belt(50, 1), {});
  for (const double wrong : {NAN, INFINITY}) {
    s.system(0, 1) = wrong;
    CHECK_THROWS_AS(modes_of(s), InvalidInput);
    CHECK_FALSE(eigenvalues_of(s).allFinite());
  }
}

TEST_CASE("steady sliding at zero but for rounding: the springs are not lost") {
  // The loads balance the friction at q = 0 to the last digits, but not to the very last.
  const FrictionLaw law(Ellipse(0.5, 0.3, radians(20)), Ellipse(3, 1));
  const Vec2 belt(-1.1, -0.7), s = slip_resistance(law, -belt);
  LinearContact contact{law, Eigen::MatrixX2d::Identity(2, 2), belt, 3.3, {}, 0, 0};
  const MatrixX k = MatrixX{{7.0, 1.0}, {1.0, 5.0}};
  const auto stiffness = [&](double off) {
    const LinearSystem system(MatrixX::Identity(2, 2), MatrixX::Zero(2, 2), k, VectorX(3.3 * s) * (1 + off), {contact});
    return linearize_sliding(system).stiffness;
  };
  for (const double off : {0.0, 4e-16, -1e-15, 1e-13, 1e-10, 1e-6}) {
    CAPTURE(off);
    CHECK((stiffness(off) - k).norm() < 1e-11);
  }
}
