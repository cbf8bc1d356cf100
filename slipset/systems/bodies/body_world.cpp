#include "slipset/systems/bodies/body_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/error.hpp"
#include "slipset/systems/bodies/body_step.hpp"

namespace slipset {

int BodyWorld::add_law(const FrictionLaw& law) { return add_law(Surface(law).law); }

int BodyWorld::add_law(const RollingLaw& law) { return add_law(Surface(law).law); }

int BodyWorld::add_law(const std::shared_ptr<const ContactLaw>& law) {
  if (!law) throw InvalidInput("add_law: the law is null; use law -1 for surfaces without friction");
  const auto known = std::find(laws.begin(), laws.end(), law);
  if (known != laws.end()) return static_cast<int>(known - laws.begin());
  laws.push_back(law);
  return static_cast<int>(laws.size()) - 1;
}

bool BodyWorld::has_rolling_laws() const {
  return std::any_of(laws.begin(), laws.end(), [](const auto& law) { return law->as_planar() == nullptr; });
}

namespace {

// Lengths, speeds and masses beyond this are mistakes; cubes of them leave the range of the single precision in which
// bounding boxes are kept.
constexpr double kMost = 1e12;

bool is_in_range(const Vec3& x) { return x.cwiseAbs().maxCoeff() <= kMost; }

void check_body(const RigidBody& body, const BodyState& s, std::size_t laws) {
  const auto require = [&](bool fine, const char* what) {
    if (!fine) throw InvalidInput(fmt::format("body \"{}\": {}", body.name, what));
  };
  require(s.position.allFinite() && s.orientation.coeffs().allFinite() && s.velocity.allFinite() &&
              s.spin.allFinite() && s.orientation.norm() > 0,
          "a position, orientation, velocity or spin is not finite");
  // The velocity of a prescribed body is that of its motion, which steps are held against.
  require(is_in_range(s.position) && (body.prescribed || (is_in_range(s.velocity) && is_in_range(s.spin))),
          "a position, velocity or spin is out of range; expected 1e12 at most, in SI units");
  const BodySurface& surface = body.surface;
  require(surface.law >= -1 && surface.law < static_cast<int>(laws),
          "there is no law of this number; add it with add_law(), or use -1: no friction");
  require(surface.restitution >= 0 && surface.restitution <= 1, "restitution must be from 0 to 1");
  require(std::isfinite(surface.priority), "the priority is not finite");
  require(std::abs(surface.axis.norm() - 1) < 1e-9 && std::abs(surface.second_axis.norm() - 1) < 1e-9 &&
              std::abs(surface.axis.dot(surface.second_axis)) < 1e-9,
          "the axes of its surface must be two unit vectors at right angles");
  const SolidShape& shape = body.shape;
  const Vec3 sizes = shape.kind == BodyKind::sphere ? Vec3(Vec3::Constant(shape.radius))
                     : shape.kind == BodyKind::box  ? shape.half
                                                    : Vec3(Vec3::Ones());
  require(sizes.minCoeff() > 0 && sizes.allFinite(), "its radius or sides must be positive and finite");
  require(is_in_range(sizes) && body.mass <= kMost && is_in_range(body.force) && is_in_range(body.torque),
          "its size, mass, force or torque is out of range; expected 1e12 at most, in SI units");
  const PrescribedMotion& m = body.motion;
  require(m.velocity.allFinite() && m.spin.allFinite() && m.amplitude.allFinite() && std::isfinite(m.frequency) &&
              std::isfinite(m.phase) && m.origin.allFinite() && m.first_orientation.coeffs().allFinite(),
          "its prescribed motion is not finite");
  require(is_in_range(m.velocity) && is_in_range(m.spin) && is_in_range(m.amplitude),
          "its prescribed motion is out of range; expected 1e12 at most, in SI units");
  require(body.force.allFinite() && body.torque.allFinite(), "its force or torque is not finite");
  if (body.prescribed) return;
  require(shape.kind != BodyKind::plane, "a plane is infinite and cannot move freely; make it fixed");
  require(body.mass > 0 && body.inertia.minCoeff() > 0 && std::isfinite(body.mass) && body.inertia.allFinite(),
          "mass and moments of inertia must be positive and finite");
}

}  // namespace

void BodyWorld::require_states() const {
  if (states.size() != bodies.size())
    throw InvalidInput(fmt::format("the world has {} bodies and {} states; add bodies with add(), which takes both",
                                   bodies.size(), states.size()));
}

void BodyWorld::require_whole() const {
  require_states();
  for (const std::shared_ptr<const ContactLaw>& law : laws)
    if (!law) throw InvalidInput("a law of the world is null; law -1 is the one without friction");
  for (const std::shared_ptr<const ContactLaw>& law : laws)
    if (law->rows() != 3 && !dynamic_cast<const RollingContactLaw*>(law.get()))
      throw InvalidInput(
          fmt::format("rigid bodies: a law of {} rows ({}); surfaces of bodies slide in a plane: use a law of sliding "
                      "by two sets, a "
                      "rolling law, or one of your own with three rows",
                      law->rows(), law->description()));
  for (std::size_t b = 0; b < bodies.size(); ++b) check_body(bodies[b], states[b], laws.size());
  const auto is_law = [&](int law) { return law >= -1 && law < static_cast<int>(laws.size()); };
  for (const LawPair& pair : pairs)
    if (!is_law(pair.first) || !is_law(pair.second) || !is_law(pair.law))
      throw InvalidInput("a pair of laws names one that the world does not have");
  for (const Joint& joint : joints)
    if (!joint.placed || joint.first >= bodies.size() || joint.second >= bodies.size())
      throw InvalidInput(fmt::format(
          "joint \"{}\": is not between two bodies of the world; add it with add(), after its bodies", joint.name));
    else if (!joint.point_first.allFinite() || !joint.point_second.allFinite() || !joint.frame_first.allFinite() ||
             !joint.second_in_first.coeffs().allFinite())
      throw InvalidInput(fmt::format("joint \"{}\": its place on the bodies is not finite", joint.name));
  if (!gravity.allFinite() || !std::isfinite(time)) throw InvalidInput("rigid bodies: gravity and time must be finite");
  if (!(margin >= 0) || !std::isfinite(margin))
    throw InvalidInput("rigid bodies: the margin must be a finite length that is not negative");
}

std::size_t BodyWorld::add(RigidBody body, const BodyState& state) {
  require_states();
  check_body(body, state, laws.size());
  BodyState start = state;
  start.orientation.normalize();
  if (body.prescribed) {
    body.motion.origin = start.position;
    body.motion.first_orientation = start.orientation;
    start.velocity = body.motion.velocity_at(time);
    start.spin = start.orientation.conjugate() * body.motion.spin;
  }
  bodies.push_back(std::move(body));
  states.push_back(start);
  return bodies.size() - 1;
}

namespace {

RigidBody with_surface(RigidBody body, const Surface& surface, BodyWorld& world) {
  body.surface.law = surface.law ? world.add_law(surface.law) : -1;
  body.surface.priority = surface.priority;
  body.surface.restitution = surface.restitution;
  return body;
}

std::string name_or(const std::string& name, const char* kind, std::size_t bodies) {
  return name.empty() ? fmt::format("{}{}", kind, bodies + 1) : name;
}

}  // namespace

std::size_t BodyWorld::add(const Box& box, const BodyState& state) {
  const std::string name = name_or(box.name, "box", bodies.size());
  const SolidShape shape = box_shape(box.size);
  return add(with_surface(box.fixed ? fixed_body(name, shape) : free_body(name, shape, box.mass), box.surface, *this),
             state);
}

std::size_t BodyWorld::add(const Sphere& sphere, const BodyState& state) {
  const std::string name = name_or(sphere.name, "sphere", bodies.size());
  const SolidShape shape = sphere_shape(sphere.radius);
  return add(
      with_surface(sphere.fixed ? fixed_body(name, shape) : free_body(name, shape, sphere.mass), sphere.surface, *this),
      state);
}

std::size_t BodyWorld::add(const Plane& plane, const BodyState& state) {
  return add(with_surface(fixed_body(name_or(plane.name, "plane", bodies.size()), plane_shape()), plane.surface, *this),
             state);
}

void BodyWorld::add(Joint joint) {
  if (joint.first >= bodies.size() || joint.second >= bodies.size() || joint.first == joint.second)
    throw InvalidInput(fmt::format("joint \"{}\": needs two bodies of the world", joint.name));
  require_states();
  const RigidBody &one = bodies[joint.first], &two = bodies[joint.second];
  const auto how = [](const RigidBody& body) { return body.motion.moves() ? "has a prescribed motion" : "is fixed"; };
  if (one.prescribed && two.prescribed)
    throw InvalidInput(fmt::format("joint \"{}\": \"{}\" {} and \"{}\" {}; make one of them free", joint.name, one.name,
                                   how(one), two.name, how(two)));
  if (!(joint.axis.norm() > 0) || !joint.axis.allFinite() || !joint.point.allFinite())
    throw InvalidInput(fmt::format("joint \"{}\": the axis has no direction, or the point is not finite", joint.name));
  const BodyState &first = states[joint.first], &second = states[joint.second];
  joint.point_first = first.orientation.conjugate() * (joint.point - first.position);
  joint.point_second = second.orientation.conjugate() * (joint.point - second.position);
  Mat3 frame;
  frame.row(0) = joint.axis.normalized();
  frame.row(1) = any_normal_to(joint.axis.normalized());
  frame.row(2) = frame.row(0).cross(frame.row(1));
  joint.frame_first = frame * first.orientation.matrix();
  joint.second_in_first = first.orientation.conjugate() * second.orientation;
  joint.placed = true;
  joints.push_back(std::move(joint));
}

BodyWorld::PairRule BodyWorld::rule_of(std::size_t first, std::size_t second) const {
  if (first >= bodies.size() || second >= bodies.size())
    throw InvalidInput(fmt::format("the world has {} bodies", bodies.size()));
  const BodySurface &a = bodies[first].surface, &b = bodies[second].surface;
  for (const LawPair& pair : pairs) {
    if (pair.first == a.law && pair.second == b.law) return {pair.law, true};
    if (pair.first == b.law && pair.second == a.law) return {pair.law, false};
  }
  if (a.priority != b.priority) return a.priority > b.priority ? PairRule{a.law, true} : PairRule{b.law, false};
  const auto rank = [](const RigidBody& body) {
    return body.shape.kind == BodyKind::plane ? 2 : body.prescribed ? 1 : 0;
  };
  return rank(bodies[first]) >= rank(bodies[second]) ? PairRule{a.law, true} : PairRule{b.law, false};
}

double BodyWorld::kinetic_energy() const {
  require_states();
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].prescribed)
      sum += bodies[i].mass * states[i].velocity.squaredNorm() +
             states[i].spin.dot(bodies[i].inertia.cwiseProduct(states[i].spin));
  return sum / 2;
}

double BodyWorld::potential_energy() const {
  require_states();
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].prescribed) sum -= bodies[i].mass * gravity.dot(states[i].position);
  return sum;
}

Vec3 BodyWorld::angular_momentum() const {
  require_states();
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].prescribed)
      sum += bodies[i].mass * states[i].position.cross(states[i].velocity) +
             states[i].orientation * bodies[i].inertia.cwiseProduct(states[i].spin);
  return sum;
}

std::size_t BodyWorld::free_bodies() const {
  std::size_t count = 0;
  for (const RigidBody& body : bodies) count += !body.prescribed;
  return count;
}

double BodyWorld::drive_frequency() const {
  double fastest = 0;
  for (const RigidBody& body : bodies) {
    if (!body.prescribed) continue;
    const PrescribedMotion& m = body.motion;
    if (!m.amplitude.isZero(0)) fastest = std::max(fastest, std::abs(m.frequency));
    // A sphere, and a plane that turns about its normal, are where they were.
    const Vec3 normal = m.first_orientation * Vec3::UnitZ();
    const bool round = body.shape.kind == BodyKind::sphere ||
                       (body.shape.kind == BodyKind::plane && m.spin.cross(normal).norm() <= 1e-12 * m.spin.norm());
    if (!round) fastest = std::max(fastest, m.spin.norm() / (2 * std::numbers::pi));
  }
  return fastest;
}

State BodyWorld::start() const {
  require_whole();
  State state{time, VectorX(positions()), VectorX(dofs())};
  put(state);
  return state;
}

void BodyWorld::put(State& state) const {
  if (state.q.size() != positions() || state.u.size() != dofs() || states.size() != bodies.size())
    throw InvalidInput("rigid bodies: put() needs a state of the world's size, as start() makes it");
  state.t = time;
  Eigen::Index q = 0, u = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].prescribed) continue;
    const BodyState& s = states[b];
    state.q.segment<3>(q) = s.position;
    state.q.segment<4>(q + 3) << s.orientation.w(), s.orientation.x(), s.orientation.y(), s.orientation.z();
    state.u.segment<3>(u) = s.velocity;
    state.u.segment<3>(u + 3) = s.spin;
    q += 7;
    u += 6;
  }
}

void BodyWorld::take(const State& state) {
  require_states();
  require_fit(*this, state);
  time = state.t;
  Eigen::Index q = 0, u = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    BodyState& s = states[b];
    if (bodies[b].prescribed) {
      s.position = bodies[b].motion.position(time);
      s.orientation = bodies[b].motion.orientation(time);
      s.velocity = bodies[b].motion.velocity_at(time);
      continue;
    }
    s.position = state.q.segment<3>(q);
    s.orientation = Quaternion(state.q[q + 3], state.q[q + 4], state.q[q + 5], state.q[q + 6]);
    if (!(std::abs(s.orientation.norm() - 1) < 1e-6))
      throw InvalidInput(
          fmt::format("body \"{}\": the quaternion of its orientation has the length {:.6g}; it must be 1",
                      bodies[b].name, s.orientation.norm()));
    s.velocity = state.u.segment<3>(u);
    s.spin = state.u.segment<3>(u + 3);
    q += 7;
    u += 6;
  }
}

std::vector<std::string> BodyWorld::coordinates() const {
  std::vector<std::string> names;
  for (const RigidBody& body : bodies)
    if (!body.prescribed)
      for (const char* what : {"x", "y", "z", "qw", "qx", "qy", "qz"})
        names.push_back(fmt::format("{}.{}", body.name, what));
  return names;
}

double BodyWorld::potential_energy(const VectorX& q) const {
  if (q.size() != positions())
    throw InvalidInput(fmt::format("the world has {} positions; found {}", positions(), q.size()));
  double sum = 0;
  Eigen::Index at = 0;
  for (const RigidBody& body : bodies) {
    if (body.prescribed) continue;
    sum -= body.mass * gravity.dot(q.segment<3>(at));
    at += 7;
  }
  return sum;
}

const std::vector<SystemContact>& BodyWorld::contacts() const {
  static const std::vector<SystemContact> none;
  return none;
}

void BodyWorld::evaluate(double, const VectorX&, const VectorX&, SystemAt&) const {
  throw InvalidInput("rigid bodies find their contacts anew in every step: use the moreau integrator");
}

ContactOptions BodyWorld::contact_options() const {
  ContactOptions options;
  options.method = ContactMethod::automatic;
  options.tolerance = 1e-8;
  options.max_iterations = 10000;  // a step that needs more continues with the best so far, and is counted
  return options;
}

std::unique_ptr<SystemStep> BodyWorld::make_step() const { return std::make_unique<BodyStep>(*this); }

double largest_torque(const BodyWorld& world) {
  constexpr double kOverBody = 100;
  double largest_body = 0;
  for (const RigidBody& body : world.bodies)
    if (!body.prescribed) largest_body = std::max(largest_body, body.shape.reach());
  return kOverBody * largest_body;
}

double smallest_size(const BodyWorld& world) {
  double smallest = INFINITY;
  for (const RigidBody& body : world.bodies) {
    if (body.prescribed) continue;
    smallest = std::min(smallest, body.shape.kind == BodyKind::sphere ? body.shape.radius : body.shape.half.minCoeff());
  }
  return std::isfinite(smallest) ? smallest : 1;
}

}  // namespace slipset
