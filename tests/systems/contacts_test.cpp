// Where bodies touch, which law holds there, and in which axes.
#include <doctest/doctest.h>

#include <cmath>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/io/problem_file.hpp"
#include "slipset/sets/ellipse.hpp"
#include "slipset/systems/bodies/internal/near_points.hpp"
#include "slipset/systems/bodies/piles.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/world_stepper.hpp"

using namespace slipset;
using namespace slipset::internal;
using namespace slipset::test;
using test::WorldOptions;
using test::WorldStepper;

namespace {

// The largest separation over the fifteen axes of two boxes: exact for overlap, a lower bound of the distance else.
double separation(const Vec3& h1, const BodyState& a, const Vec3& h2, const BodyState& b) {
  const Mat3 r1 = a.orientation.matrix(), r2 = b.orientation.matrix();
  const Vec3 between = b.position - a.position;
  Worst most;
  const auto look = [&](const Vec3& axis) {
    if (axis.norm() < 1e-6) return;
    const Vec3 n = axis.normalized();
    most.add(std::abs(n.dot(between)) - (r1.transpose() * n).cwiseAbs().dot(h1) -
             (r2.transpose() * n).cwiseAbs().dot(h2));
  };
  for (int i = 0; i < 3; ++i) {
    look(r1.col(i));
    look(r2.col(i));
    for (int j = 0; j < 3; ++j) look(r1.col(i).cross(r2.col(j)));
  }
  return most.value();
}

Vec3 random_vector(test::Random& random, double size) {
  return size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

std::size_t add_part(BodyWorld& world, const Vec3& axis, int law, const Vec3& position) {
  RigidBody part = free_body("part", box_shape({0.04, 0.04, 0.006}), 0.01);
  part.surface.law = law;
  part.surface.priority = 1;
  part.surface.axis = axis.normalized();
  part.surface.second_axis = Vec3::UnitZ().cross(part.surface.axis);
  BodyState state;
  state.position = position;
  return world.add(part, state);
}

}  // namespace

TEST_CASE("G.5 points of two boxes: none is missed, gaps are those of the boxes, normals point from the first") {
  test::Random random(5);
  const Vec3 h1(0.05, 0.04, 0.02), h2(0.03, 0.05, 0.01);
  const double margin = 2e-3;
  int looked_at = 0, faces = 0;
  Worst worst, worst_aligned, asymmetry;
  for (int k = 0; k < 100000; ++k) {
    BodyState a, b;
    const double turn = k % 3 == 0 ? 0 : k % 3 == 1 ? 0.05 : 3;
    a.orientation = rotation_by(random_vector(random, turn));
    b.orientation = rotation_by(random_vector(random, turn));
    b.position = random_vector(random, 0.1);
    const double expected = separation(h1, a, h2, b);
    if (expected > margin / 2 || expected < -3e-3) continue;
    ++looked_at;
    NearPoints points;
    near_points(box_shape(2 * h1), a, box_shape(2 * h2), b, margin, points);
    REQUIRE_FALSE(points.empty());
    Least gap;
    for (const NearPoint& p : points) {
      gap.add(p.gap);
      CHECK(std::abs(p.normal.norm() - 1) < 1e-12);
      CHECK(p.normal.dot(b.position - a.position) > 0);
    }
    faces += points.size() >= 3;
    worst.add(std::abs(gap.value() - expected));
    if (turn == 0 && expected < 0) worst_aligned.add(std::abs(gap.value() - expected));
    // Swapped, the same gaps.
    NearPoints swapped;
    near_points(box_shape(2 * h2), b, box_shape(2 * h1), a, margin, swapped);
    REQUIRE_FALSE(swapped.empty());
    Least swapped_gap;
    for (const NearPoint& p : swapped) {
      swapped_gap.add(p.gap);
      CHECK(p.normal.dot(a.position - b.position) > 0);
    }
    asymmetry.add(std::abs(swapped_gap.value() - gap.value()));
  }
  CHECK(looked_at > 4000);
  CHECK(faces > 1000);
  // The detector takes a face in place of an edge that is a little better, with boxes grown by the margin.
  CHECK(worst.value() < 0.5 * margin);  // measured 0.36
  CHECK(worst_aligned.value() < 1e-12);
  CHECK(asymmetry.value() < 1e-12);
}

TEST_CASE("boxes face to face touch in four points at the corners of what they share") {
  BodyState below, above;
  above.position = Vec3(0.01, 0, 0.05);
  NearPoints points;
  near_points(box_shape({0.1, 0.08, 0.05}), below, box_shape({0.1, 0.08, 0.05}), above, 1e-4, points);
  REQUIRE(points.size() == 4);
  for (const NearPoint& p : points) {
    CHECK(std::abs(p.gap) < 1e-15);
    CHECK((p.normal - Vec3::UnitZ()).norm() < 1e-15);
    CHECK(std::min(std::abs(p.point.x() - 0.05), std::abs(p.point.x() + 0.04)) < 1e-9);
    CHECK(std::abs(std::abs(p.point.y()) - 0.04) < 1e-9);
    CHECK(std::abs(p.point.z() - 0.025) < 1e-12);
  }
}

TEST_CASE("a sphere inside a box, and spheres on one place, have a normal") {
  BodyState box, sphere;
  sphere.position = Vec3(0.04, 0, 0);
  NearPoints points;
  near_points(box_shape({0.1, 0.1, 0.1}), box, sphere_shape(0.02), sphere, 1e-4, points);
  REQUIRE(points.size() == 1);
  CHECK(points[0].gap == near(-0.03, 1e-9));
  CHECK((points[0].normal - Vec3::UnitX()).norm() < 1e-15);
  near_points(sphere_shape(0.1), box, sphere_shape(0.1), box, 1e-4, points);
  REQUIRE(points.size() == 1);
  CHECK(points[0].normal.allFinite());
}

TEST_CASE("two prescribed bodies never touch") {
  BodyWorld world;
  world.add(fixed_body("floor", plane_shape()), {});
  world.add(fixed_body("one", box_shape({1, 1, 1})), {});
  world.add(fixed_body("two", box_shape({1, 1, 1})), {});
  std::vector<BodyContact> contacts;
  ContactFinder().find(world, 1e-3, 1e-3, contacts);
  CHECK(contacts.empty());
}

TEST_CASE("G.8 which law holds: the pair's, the higher priority's, the plane's, the prescribed body's, the first's") {
  BodyWorld world;
  const FrictionLaw law(Disk(0.5), Disk(0.5));
  const int a = world.add_law(law), b = world.add_law(law), c = world.add_law(law);
  const auto add = [&](RigidBody body, int index, double priority = 0) {
    body.surface.law = index;
    body.surface.priority = priority;
    return world.add(body, {});
  };
  const std::size_t box = add(free_body("box", box_shape({1, 1, 1}), 1), a),
                    other = add(free_body("o", sphere_shape(1), 1), b);
  const std::size_t plane = add(fixed_body("plane", plane_shape()), b),
                    table = add(fixed_body("t", box_shape({1, 1, 1})), c);
  const std::size_t high = add(free_body("high", sphere_shape(1), 1), c, 1);
  const auto is = [&](std::size_t first, std::size_t second, int expected, bool first_carries) {
    const BodyWorld::PairRule rule = world.rule_of(first, second), swapped = world.rule_of(second, first);
    CHECK(rule.law == expected);
    CHECK(rule.first_carries == first_carries);
    if (first != box || second != other) CHECK(swapped.first_carries != first_carries);
  };
  is(box, other, a, true);
  is(box, plane, b, false);
  is(box, table, c, false);
  is(plane, table, b, true);
  is(plane, high, c, false);
  world.pairs.push_back({b, a, c});
  is(box, plane, c, false);
  is(other, box, c, true);
}

TEST_CASE("G.9 axes are in the contact plane, right-handed, and turn with the body") {
  BodySurface surface;
  surface.axis = Vec3(1, 0, 1).normalized();
  surface.second_axis = Vec3::UnitY();
  test::Random random(2);
  for (int k = 0; k < 1000; ++k) {
    const Vec3 normal = random_vector(random, 1).normalized();
    const Quaternion turn = rotation_by(random_vector(random, 3));
    const Mat3 frame = contact_frame(surface, Quaternion::Identity(), normal);
    CHECK((frame * frame.transpose() - Mat3::Identity()).norm() < 1e-12);
    CHECK((frame.row(0).cross(frame.row(1)) - frame.row(2)).norm() < 1e-12);
    const Mat3 turned = contact_frame(surface, turn, turn * normal);
    CHECK((turned - frame * turn.matrix().transpose()).norm() < 1e-9);
  }
  const Mat3 along = contact_frame(surface, Quaternion::Identity(), surface.axis);
  CHECK(std::abs(along(1, 1)) > 1 - 1e-12);  // the second axis
}

TEST_CASE("a shaking tilted table sorts parts by their grain: the drift is against A_xy w_y") {
  for (const double side : {1.0, -1.0}) {
    BodyWorld world;
    world.gravity = Vec3(0, -0.85, -9.77);
    const int grain = world.add_law(FrictionLaw(Ellipse(0.15, 0.45), Ellipse(0.15, 0.45)));
    RigidBody table = fixed_body("table", plane_shape());
    table.motion.amplitude = Vec3(0, 0.003, 0);
    table.motion.frequency = 30;
    world.add(table, {});
    const Vec3 axis = Vec3(side, -1, 0).normalized();  // low friction along it
    const std::size_t part = add_part(world, axis, grain, Vec3(0, 0, 0.003));
    WorldStepper stepper(world);
    for (int i = 0; i < 2000; ++i) stepper.step(5e-4);
    const Vec3 way = stepper.world().states[part].position;
    const Vec3 across = Vec3::UnitZ().cross(axis);
    const double a_xy = 0.15 * 0.15 * axis.x() * axis.y() + 0.45 * 0.45 * across.x() * across.y();
    CHECK(way.y() < -0.05);
    CHECK(way.x() * (-a_xy * way.y()) > 0);
    CHECK(std::abs(way.x()) > 0.02);
    CHECK(std::abs(stepper.energy().residual()) < 1e-9);
    CHECK(stepper.energy().input > 0);
  }
}

TEST_CASE("saved problems, read and solved again, give the same impulses") {
  const test::TemporaryFolder folder;
  BodyWorld world;
  const int law = world.add_law(FrictionLaw(Ellipse(0.6, 0.3), Ellipse(0.6, 0.3)));
  SpherePileOptions options;
  options.law = options.wall_law = law;
  add_sphere_pile(world, 12, 9, options);
  WorldOptions with;
  with.contact.tolerance = 1e-11;
  WorldStepper stepper(world, with);
  for (int i = 0; i < 5; ++i) stepper.step(1e-3);
  write_problem(folder.path() / "step.hdf5", stepper.problem(), "a step");
  const ProblemFile file = read_problem(folder.path() / "step.hdf5");
  REQUIRE(file.problem.contacts.size() == stepper.contacts().size());
  // What was solved is a solution of what was written.
  CHECK(contact_residual(file.problem, stepper.solution().impulse) < 1e-10);
  ContactOptions again = with.contact;
  const ContactSolution solution = solve(file.problem, again);
  CHECK(solution.report.solved());
  // The impulses of a pile need not be unique, the velocities that they make are.
  Eigen::VectorXd first(solution.velocity.size()), second(solution.velocity.size());
  file.problem.delassus->multiply_add(stepper.solution().impulse, file.problem.free_velocity, first);
  file.problem.delassus->multiply_add(solution.impulse, file.problem.free_velocity, second);
  CHECK((first - second).norm() < 1e-6 * (1e-2 + first.norm()));
}
