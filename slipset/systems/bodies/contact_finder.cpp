#include "slipset/systems/bodies/contact_finder.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/systems/bodies/internal/near_points.hpp"

namespace slipset {
namespace {

Vec3 half_extent(const SolidShape& shape, const BodyState& state) {
  if (shape.kind == BodyKind::sphere) return Vec3::Constant(shape.radius);
  return state.orientation.matrix().cwiseAbs() * shape.half;
}

// What a point of the body moves in a step, at most.
double step_reach(const BodyWorld& world, std::size_t i, double dt) {
  const RigidBody& body = world.bodies[i];
  const BodyState& state = world.states[i];
  double turning = 0;
  if (body.shape.kind == BodyKind::box) {
    turning = state.spin.norm();
    if (!body.prescribed) turning += dt * body.torque.norm() / body.inertia.minCoeff();
    turning *= body.shape.reach();
  }
  const double shaking = 2 * kPi * std::abs(body.motion.frequency) * body.motion.amplitude.norm();
  const double falling = body.prescribed ? 0 : (world.gravity + body.force / body.mass).norm() * dt;
  return dt * (state.velocity.norm() + turning + shaking + falling);
}

}  // namespace

struct ContactFinder::Tree : btDbvt::ICollide {
  using ICollide::Process;
  void Process(const btDbvtNode* a, const btDbvtNode* b) {
    const auto i = static_cast<std::uint32_t>(a->dataAsInt), j = static_cast<std::uint32_t>(b->dataAsInt);
    if (prescribed[i] && prescribed[j]) return;
    pairs.push_back(pair_of(i, j));
  }

  static std::uint64_t pair_of(std::size_t i, std::size_t j) {
    return std::uint64_t{std::min(i, j)} << 32 | std::uint64_t{std::max(i, j)};
  }

  // Takes the pairs out that a joint connects; both lists are then in order.
  void leave_jointed_out(const BodyWorld& world) {
    std::sort(pairs.begin(), pairs.end());
    if (world.joints.empty()) return;
    jointed.clear();
    for (const Joint& joint : world.joints) jointed.push_back(pair_of(joint.first, joint.second));
    std::sort(jointed.begin(), jointed.end());
    std::erase_if(pairs, [&](std::uint64_t pair) { return std::binary_search(jointed.begin(), jointed.end(), pair); });
  }

  void follow(const BodyWorld& world, double dt, double margin) {
    const std::size_t n = world.bodies.size();
    const bool same = leaves.size() == n;
    if (!same) {
      tree.clear();
      leaves.assign(n, nullptr);
      planes.clear();
      prescribed.resize(n);
      for (std::size_t i = 0; i < n; ++i) {
        prescribed[i] = world.bodies[i].prescribed;
        if (world.bodies[i].shape.kind == BodyKind::plane) planes.push_back(static_cast<std::uint32_t>(i));
      }
    }
    reach.resize(n);
    // Scattered: a row of bodies that is put in one by one makes a tree as deep as the row is long.
    std::size_t stride = std::max<std::size_t>(1, n * 618 / 1000);
    while (std::gcd(stride, n) != 1) --stride;
    for (std::size_t k = 0, i = 0; k < n; ++k, i = (i + stride) % n) {
      reach[i] = step_reach(world, i, dt);
      if (world.bodies[i].shape.kind == BodyKind::plane) continue;
      const Vec3 half = half_extent(world.bodies[i].shape, world.states[i]) + Vec3::Constant(margin / 2 + reach[i]);
      const Vec3 low = world.states[i].position - half, high = world.states[i].position + half;
      btDbvtVolume volume = btDbvtVolume::FromMM({low.x(), low.y(), low.z()}, {high.x(), high.y(), high.z()});
      if (same) {
        tree.update(leaves[i], volume, margin);
      } else {
        leaves[i] = tree.insert(volume, nullptr);
        leaves[i]->dataAsInt = static_cast<int>(i);
      }
    }
    tree.optimizeIncremental(1 + static_cast<int>(n) / 100);
  }

  btDbvt tree;
  std::vector<btDbvtNode*> leaves;    // of each body; null for planes
  std::vector<std::uint32_t> planes;  // bodies
  std::vector<char> prescribed;
  std::vector<double> reach;
  std::vector<std::uint64_t> pairs, jointed;
};

ContactFinder::ContactFinder() : tree_(std::make_unique<Tree>()) {}
ContactFinder::~ContactFinder() = default;
ContactFinder::ContactFinder(const ContactFinder&) : ContactFinder() {}
ContactFinder& ContactFinder::operator=(const ContactFinder&) {
  tree_ = std::make_unique<Tree>();
  return *this;
}
ContactFinder::ContactFinder(ContactFinder&&) noexcept = default;
ContactFinder& ContactFinder::operator=(ContactFinder&&) noexcept = default;

Mat3 contact_frame(const BodySurface& surface, const Quaternion& orientation, const Vec3& normal) {
  constexpr double kAlong = 1e-3;  // an axis this close to the normal has no direction in the plane
  const auto in_plane = [&](const Vec3& axis) {
    const Vec3 a = orientation * axis;
    return Vec3(a - a.dot(normal) * normal);
  };
  Vec3 first = in_plane(surface.axis);
  if (first.norm() < kAlong) first = in_plane(surface.second_axis);
  first.normalize();
  Mat3 frame;
  frame.row(0) = normal;
  frame.row(1) = first;
  frame.row(2) = normal.cross(first);
  return frame;
}

void ContactFinder::find(const BodyWorld& world, double dt, double margin, std::vector<BodyContact>& contacts) {
  if (world.states.size() != world.bodies.size() || !(dt >= 0 && std::isfinite(dt)) ||
      !(margin > 0 && std::isfinite(margin)))
    throw InvalidInput(fmt::format(
        "rigid bodies: contacts of {} bodies with {} states, within {} m in a step of {} s; expected a state "
        "for each body, a positive margin and a step that is not negative",
        world.bodies.size(), world.states.size(), margin, dt));
  // What has grown by doubling is given back, once: most piles keep their number of contacts.
  const auto fit = [](auto& list) {
    if (list.capacity() > list.size() + list.size() / 4) list.shrink_to_fit();
  };
  Tree& t = *tree_;
  const bool first_time = contacts.capacity() == 0;
  t.follow(world, dt, margin);
  t.pairs.clear();
  for (const std::uint32_t plane : t.planes)
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
      if (!world.bodies[i].prescribed) t.pairs.push_back(Tree::pair_of(plane, i));
  t.tree.collideTT(t.tree.m_root, t.tree.m_root, t);
  t.leave_jointed_out(world);
  if (first_time) fit(t.pairs);

  contacts.clear();
  internal::NearPoints points;
  for (const std::uint64_t pair : t.pairs) {
    const auto i = static_cast<std::uint32_t>(pair >> 32), j = static_cast<std::uint32_t>(pair);
    const SolidShape &first = world.bodies[i].shape, &second = world.bodies[j].shape;
    double near = margin + t.reach[i] + t.reach[j];
    // Boxes grown by more than themselves would have other points.
    if (first.kind == BodyKind::box && second.kind == BodyKind::box)
      near = std::min(near, std::max(margin, std::min(first.half.minCoeff(), second.half.minCoeff())));
    internal::near_points(first, world.states[i], second, world.states[j], near, points);
    if (points.empty()) continue;
    const BodyWorld::PairRule rule = world.rule_of(i, j);
    const std::uint32_t surface = rule.first_carries ? i : j;
    for (const internal::NearPoint& point : points) {
      BodyContact contact;
      contact.surface = surface;
      contact.other = rule.first_carries ? j : i;
      contact.law = rule.law;
      contact.restitution = world.bodies[surface].surface.restitution;
      contact.gap = point.gap;
      contact.point = point.point;
      contact.frame = contact_frame(world.bodies[surface].surface, world.states[surface].orientation,
                                    rule.first_carries ? point.normal : Vec3(-point.normal));
      contacts.push_back(contact);
    }
  }
  if (first_time) fit(contacts);
}

}  // namespace slipset
