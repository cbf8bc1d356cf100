// Piles, and the contact problem of a world.
#include "slipset/systems/bodies/piles.hpp"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCore>
#include <cmath>

#include <Eigen/SparseCore>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/sets/disk.hpp"
#include "slipset/sets/ellipse.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// Jᵀ of all contacts, 6 coordinates per body (velocity, spin along the world's axes), and M⁻¹, both dense: a second way
// to W that shares no formula with the builder.
Eigen::MatrixXd dense_delassus(const BodyWorld& world, const std::vector<BodyContact>& contacts) {
  const auto n = static_cast<Eigen::Index>(contacts.size()), b = static_cast<Eigen::Index>(world.bodies.size());
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(3 * n, 6 * b), inverse_mass = Eigen::MatrixXd::Zero(6 * b, 6 * b);
  for (Eigen::Index i = 0; i < b; ++i) {
    const RigidBody& body = world.bodies[static_cast<std::size_t>(i)];
    if (body.prescribed) continue;
    const Mat3 r = world.states[static_cast<std::size_t>(i)].orientation.matrix();
    const Mat3 inertia = r * body.inertia.asDiagonal() * r.transpose();
    inverse_mass.block<3, 3>(6 * i, 6 * i) = Mat3::Identity() / body.mass;
    inverse_mass.block<3, 3>(6 * i + 3, 6 * i + 3) = inertia.inverse();
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    const BodyContact& c = contacts[static_cast<std::size_t>(k)];
    for (Eigen::Index row = 0; row < 3; ++row) {
      const Vec3 direction = c.frame.row(row);
      const auto side = [&](std::uint32_t body, double sign) {
        const Eigen::Index at = 6 * static_cast<Eigen::Index>(body);
        jacobian.block<1, 3>(3 * k + row, at) += sign * direction.transpose();
        jacobian.block<1, 3>(3 * k + row, at + 3) +=
            sign * (c.point - world.states[body].position).cross(direction).transpose();
      };
      side(c.other, 1);
      side(c.surface, -1);
    }
  }
  return jacobian * inverse_mass * jacobian.transpose();
}

}  // namespace

TEST_CASE("G.4 the Delassus matrix is J M^-1 J^T") {
  BodyWorld world;
  const int law = world.add_law(FrictionLaw(Ellipse(0.6, 0.3), Ellipse(0.6, 0.3)));
  SpherePileOptions options;
  options.law = options.wall_law = law;
  add_sphere_pile(world, 20, 3, options);
  add_stack(world, 3, Vec3(0.03, 0.02, 0.01), 1000, law, Vec3(0.2, 0, 0));
  world.states.back().orientation = rotation_by(Vec3(0, 0, 0.4));
  std::vector<BodyContact> contacts;
  ContactFinder().find(world, 1e-3, 1e-4, contacts);
  std::vector<BodyMotion> motions;
  free_motions(world, 1e-3, motions);
  BodyProblem by_bodies;
  ContactProblem found;
  for (int twice = 0; twice < 2; ++twice) by_bodies.build(world, motions, contacts, 1e-3, 0, found);
  const ContactProblem problem = assembled(found);
  REQUIRE(contacts.size() > 50);
  const Eigen::MatrixXd expected = dense_delassus(world, contacts);
  const BlockDelassus& w = *problem.delassus->as_blocks();
  CHECK((Eigen::MatrixXd(w.sparse()) - expected).norm() < 1e-12 * expected.norm());
  // Every row is ascending and has its diagonal.
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto columns = w.columns(i);
    for (std::size_t k = 1; k < columns.size(); ++k) CHECK(columns[k - 1] < columns[k]);
    CHECK(w.diagonal(i).trace() > 0);
  }
}

TEST_CASE("G.10 a pile of spheres: about three contacts each that carry it, the same for the same seed") {
  const BodyWorld world = make_sphere_pile(500, 7);
  CHECK(world.free_bodies() == 500);
  std::vector<BodyContact> contacts;
  ContactFinder().find(world, 1e-9, 1e-5, contacts);
  CHECK(contacts.size() > 1100);
  CHECK(contacts.size() < 1800);
  // Each came to rest without friction on those that were there before: three of their normals carry its weight, or the
  // floor does.
  std::vector<std::vector<Vec3>> held_by(world.bodies.size());
  Least deepest;
  for (const BodyContact& c : contacts) {
    deepest.add(c.gap);
    if (c.gap > 1e-10) continue;  // 1e-8 of a radius
    const Vec3 normal = c.frame.row(0);
    const bool later_is_other = world.bodies[c.surface].prescribed || c.other > c.surface;
    held_by[later_is_other ? c.other : c.surface].push_back(later_is_other ? normal : Vec3(-normal));
  }
  CHECK(deepest.value() > -1e-12);
  for (std::size_t body = 0; body < world.bodies.size(); ++body) {
    if (world.bodies[body].prescribed) continue;
    const std::vector<Vec3>& normals = held_by[body];
    bool carried = false;
    for (std::size_t i = 0; i < normals.size() && !carried; ++i) {
      carried = normals[i].z() > 1 - 1e-12;
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t k = 0; k < j; ++k) {
          Mat3 all;
          all << normals[i], normals[j], normals[k];
          if (std::abs(all.determinant()) < 1e-6) continue;
          carried = carried || (all.inverse() * Vec3::UnitZ()).minCoeff<Eigen::PropagateNaN>() > -1e-6;
        }
    }
    CHECK(carried);
  }
  const BodyWorld again = make_sphere_pile(500, 7), other = make_sphere_pile(500, 8);
  CHECK(again.states.back().position == world.states.back().position);
  CHECK(other.states.back().position != world.states.back().position);
}

TEST_CASE("the problem of a pile: laws, free velocities, impulses that carry the weight") {
  const BodyWorld world = make_sphere_pile(40, 1, 0.5);
  const double dt = 1e-3;
  const ContactProblem problem = sphere_pile_problem(40, 1, 0.5, dt);
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.tolerance = 1e-9;
  const ContactSolution solution = solve(problem, options);
  CHECK(solution.report.solved());
  // At rest all weight goes into the floor and the walls: the sum over their contacts of what they press upwards is at
  // most the weight, and not less than that of the spheres that do not fall.
  double weight = 0;
  for (const RigidBody& body : world.bodies) weight += body.prescribed ? 0 : body.mass * 9.81 * dt;
  std::vector<BodyContact> contacts;
  ContactFinder().find(world, dt, 1e-5, contacts);
  REQUIRE(contacts.size() == problem.contacts.size());
  double carried = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec3 p = contacts[i].frame.transpose() * solution.impulse.segment<3>(static_cast<Eigen::Index>(3 * i));
    if (world.bodies[contacts[i].surface].prescribed) carried += p.z();
  }
  CHECK(carried <= weight * (1 + 1e-6));
  CHECK(carried > 0.5 * weight);
}
