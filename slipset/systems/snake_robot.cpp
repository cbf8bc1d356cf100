#include "slipset/systems/snake_robot.hpp"

namespace slipset {

// A link in the axes of the shape, with first and second derivatives.
struct SnakeRobot::Link {
  double angle = 0, rate = 0, rate2 = 0;
  Vec2 along = {1, 0};  // to the head
  Vec2 place = Vec2::Zero(), velocity = Vec2::Zero(), acceleration = Vec2::Zero();

  Vec2 along_rate() const { return rate * turn_left(along); }
  Vec2 along_rate2() const { return rate2 * turn_left(along) - rate * rate * along; }
};

SnakeRobot::SnakeRobot(const FrictionLaw& law, const SnakeRobotParameters& parameters) : p_(parameters) {
  require_positive(p_.length, "snake-robot: length");
  require_positive(p_.mass, "snake-robot: mass");
  require_positive(p_.gravity, "snake-robot: gravity");
  require_finite(p_.amplitude, "snake-robot: amplitude");
  require_finite(p_.frequency, "snake-robot: frequency");
  require_finite(p_.phase, "snake-robot: phase");
  require_finite(p_.steering, "snake-robot: steering");
  if (p_.links < 2 || p_.links > 1000) throw InvalidInput("snake-robot: links must be from 2 to 1000");
  link_length_ = p_.length / p_.links;
  link_mass_ = p_.mass / p_.links;
  const auto shared = std::make_shared<PlanarContactLaw>(law);
  for (int k = 0; k < p_.links; ++k) contacts_.push_back({"link" + std::to_string(k + 1), shared, false, 0});
}

SnakeRobot::Link SnakeRobot::after(const Link& link, double t, int joint) const {
  const double omega = 2 * kPi * p_.frequency;
  const Vec2 wave = p_.amplitude * unit(omega * t + joint * p_.phase);
  Link next;
  next.angle = link.angle + wave.y() + p_.steering;
  next.rate = link.rate + omega * wave.x();
  next.rate2 = link.rate2 - omega * omega * wave.y();
  next.along = unit(next.angle);
  const double half = link_length_ / 2;
  next.place = link.place + half * (link.along + next.along);
  next.velocity = link.velocity + half * (link.along_rate() + next.along_rate());
  next.acceleration = link.acceleration + half * (link.along_rate2() + next.along_rate2());
  return next;
}

// Three walks along the snake: for the mean angle, for the centre of mass, and with both known. Nothing is stored.
template <class Visit>
void SnakeRobot::visit_links(double t, Visit&& visit) const {
  const auto walk = [&](Link link, auto&& use) {
    use(std::size_t{0}, link);
    for (int k = 1; k < p_.links; ++k) {
      link = after(link, t, k - 1);
      use(static_cast<std::size_t>(k), link);
    }
  };
  Link tail, sum;
  walk(tail, [&](std::size_t, const Link& link) {
    sum.angle += link.angle;
    sum.rate += link.rate;
    sum.rate2 += link.rate2;
  });
  tail.angle = -sum.angle / p_.links;
  tail.rate = -sum.rate / p_.links;
  tail.rate2 = -sum.rate2 / p_.links;
  tail.along = unit(tail.angle);
  walk(tail, [&](std::size_t, const Link& link) {
    sum.place += link.place;
    sum.velocity += link.velocity;
    sum.acceleration += link.acceleration;
  });
  tail.place = -sum.place / p_.links;
  tail.velocity = -sum.velocity / p_.links;
  tail.acceleration = -sum.acceleration / p_.links;
  walk(tail, visit);
}

void SnakeRobot::add(const Link& link, Shape& s) const {
  const double rod = link_mass_ * link_length_ * link_length_ / 12;
  s.inertia += link_mass_ * link.place.squaredNorm() + rod;
  s.inertia_rate += 2 * link_mass_ * link.place.dot(link.velocity);
  s.momentum += link_mass_ * cross(link.place, link.velocity) + rod * link.rate;
  s.momentum_rate += link_mass_ * cross(link.place, link.acceleration) + rod * link.rate2;
  s.energy += (link_mass_ * link.velocity.squaredNorm() + rod * link.rate * link.rate) / 2;
}

SnakeRobot::Shape SnakeRobot::shape(double t) const {
  Shape s;
  visit_links(t, [&](std::size_t, const Link& link) { add(link, s); });
  return s;
}

void SnakeRobot::evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const {
  const Vec2 ahead = unit(q[2]), left = turn_left(ahead);
  Shape s;
  visit_links(t, [&](std::size_t k, const Link& link) {
    add(link, s);
    const Vec2 across = turn_left(link.along), along = link.along.x() * ahead + link.along.y() * left;
    ContactAt& contact = at.contacts[k];
    contact.tangents.col(0) << along, cross(link.place, link.along);
    contact.tangents.col(1) << turn_left(along), cross(link.place, across);
    contact.surface_velocity = -Vec2(link.velocity.dot(link.along), link.velocity.dot(across));
    contact.normal_force = link_mass_ * p_.gravity;
  });
  at.mass.setZero();
  at.mass(0, 0) = at.mass(1, 1) = p_.mass;
  at.mass(2, 2) = s.inertia;
  at.force.setZero();
  at.force[2] = -s.inertia_rate * u[2] - s.momentum_rate;
}

double SnakeRobot::driven_energy(double t, const VectorX&, const VectorX& u) const {
  const Shape s = shape(t);
  return s.momentum * u[2] + s.energy;
}

State SnakeRobot::start() const {
  const Shape s = shape(0);
  return {0, Vec3(0, 0, 0), Vec3(0, 0, -s.momentum / s.inertia)};
}

std::vector<Vec2> SnakeRobot::outline(double t, const VectorX& q) const {
  const double half = link_length_ / 2;
  const Vec2 ahead = unit(q[2]), left = turn_left(ahead);
  std::vector<Vec2> points;
  const auto put = [&](const Vec2& s) { points.push_back(Vec2(q[0], q[1]) + s.x() * ahead + s.y() * left); };
  visit_links(t, [&](std::size_t k, const Link& link) {
    if (k == 0) put(link.place - half * link.along);
    put(link.place + half * link.along);
    if (k + 1 < contacts_.size()) return;
    const Vec2 end = link.place + half * link.along, e = 0.035 * p_.length * link.along, side = 0.6 * turn_left(e);
    for (const Vec2& s : {Vec2(end + e + side), Vec2(end + 2.4 * e), Vec2(end + e - side), end}) put(s);
  });
  return points;
}

}  // namespace slipset
