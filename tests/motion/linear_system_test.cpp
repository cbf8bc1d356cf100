#include "slipset/systems/linear_system.hpp"

#include <doctest/doctest.h>

#include "slipset/laws/classical.hpp"
#include "slipset/motion/time_stepping.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

TEST_CASE("linear: the mass on a belt, from matrices") {
  const FrictionLaw law(Ellipse(0.6, 0.3, 0.4), Ellipse(2, 1));
  MassOnBeltParameters p;
  p.stiffness = Vec2(2, 3).asDiagonal();
  p.damping = 0.1 * Mat2::Identity();
  p.belt_velocity = {0.5, 0.2};
  const MassOnBelt belt(law, p);
  LinearContact contact{law, Eigen::MatrixX2d::Identity(2, 2), p.belt_velocity, 1, {}, 0, 0};
  const LinearSystem linear(Mat2::Identity(), p.damping, p.stiffness, Vec2(0, 0), {contact});
  Moreau by_moreau;
  RunOptions options;
  by_moreau.step = 0.01;
  options.duration = 20;
  const Run a = simulate(belt, {0, Vec2(0.1, 0), Vec2(0, 0)}, by_moreau, options),
            b = simulate(linear, {0, Vec2(0.1, 0), Vec2(0, 0)}, by_moreau, options);
  CHECK((a.end.q - b.end.q).norm() < 1e-12);
  CHECK(a.energy.residual() == near(b.energy.residual(), 1e-6));
}

// A point mass thrown on a plane: coordinates along the plane and height, gravity, one unilateral contact.
TEST_CASE("linear: a mass that bounces, slides and stops") {
  const double mu = 0.3, e = 0.5, g = 9.81;
  LinearContact contact{isotropic(mu), Eigen::MatrixX2d::Zero(3, 2), Vec2(0, 0), 0, Vec3(0, 0, 1), 0, e};
  contact.tangents(0, 0) = contact.tangents(1, 1) = 1;
  const LinearSystem ball(Mat3::Identity(), Mat3::Zero(), Mat3::Zero(), Vec3(0, 0, -g), {contact});
  Moreau by_moreau;
  RunOptions options;
  by_moreau.step = 1e-4;
  options.duration = 5;
  const Run run = simulate(ball, {0, Vec3(0, 0, 1), Vec3(2, 0, 0)}, by_moreau, options);
  // Bounces: the heights fall by e²; the highest point after the first impact.
  const std::size_t height = run.table.column("q3"), t = run.table.column("t");
  const double first = std::sqrt(2 / g);
  Worst highest;
  for (const auto row : run.table.rows())
    if (row[t] > first + 0.01 && row[t] < first + 2 * e * std::sqrt(2 * g) / g) highest.add(row[height]);
  CHECK(highest.value() == near(e * e, 5e-3));
  // It ends at rest on the plane, with all its energy dissipated.
  CHECK(run.end.u.norm() < 1e-12);
  CHECK(std::abs(run.end.q[2]) < 1e-3);
  CHECK(run.energy.dissipated == near(g + 2, 1e-3));
  // Each impact takes μ(1 + e) of its normal velocity from the slip, as sliding takes μ g dt: all in all the slip is
  // gone when the normal impulses add up to v/μ; then the path is the same as ∫v dt with the bounces' known times.
  double x = 0, v = 2, vn = std::sqrt(2 * g);
  x += v * first;
  v -= mu * (1 + e) * vn;
  for (vn *= e; vn > 1e-6 && v > 0; vn *= e) {
    x += v * 2 * vn / g;
    v -= mu * (1 + e) * vn;
  }
  if (v > 0) x += v * v / (2 * mu * g);
  CHECK(run.end.q[0] == near(x, 5e-3));
}

TEST_CASE("linear: sizes that do not fit are refused") {
  const LinearContact contact{isotropic(0.3), Eigen::MatrixX2d::Identity(3, 2), Vec2(0, 0), 1, {}, 0, 0};
  CHECK_THROWS_WITH_AS(LinearSystem(Mat2::Identity(), Mat2::Zero(), Mat2::Zero(), Vec2(0, 0), {contact}),
                       "linear: contact1.tangents is 3 x 2; M has 2 rows, so it must be 2 x 2", InvalidInput);
  CHECK_THROWS_AS(LinearSystem(-Mat2::Identity(), Mat2::Zero(), Mat2::Zero(), Vec2(0, 0), {}), InvalidInput);
  CHECK_THROWS_AS(LinearSystem(Mat2::Identity(), Mat3::Zero(), Mat2::Zero(), Vec2(0, 0), {}), InvalidInput);
}
