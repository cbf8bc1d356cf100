// Bodies on a plane that stands still.
#include "slipset/core/angle.hpp"
#include "slipset/scenario/planar_kind.hpp"
#include "slipset/systems/ball_on_plane.hpp"
#include "slipset/systems/box_on_plane.hpp"
#include "slipset/systems/disk_on_pads.hpp"
#include "slipset/systems/prescribed_circle.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "slipset/systems/snake_robot.hpp"

namespace slipset {
namespace {

BuiltSystem build_sliding_body(const TomlTable& t, const FrictionLaw& law) {
  const double mass = t.positive("mass");
  if (t.has("normal_force") && t.has("gravity")) t.fail("gravity", "cannot be combined with normal_force; remove one");
  const double force = t.has("normal_force") ? t.positive("normal_force") : mass * t.positive("gravity");
  return {std::make_unique<SlidingBody>(law, mass, force), {0, VectorX::Zero(2), VectorX::Zero(2)}, std::nullopt};
}

BuiltSystem build_prescribed_circle(const TomlTable& t, const FrictionLaw& law) {
  auto system = std::make_unique<PrescribedCircle>(law, t.positive("radius"), t.number("angular_velocity"),
                                                   t.positive("normal_force"));
  const State start = system->start();
  return {std::move(system), start, std::nullopt};
}

BuiltSystem build_disk_on_pads(const TomlTable& t, const FrictionLaw& law) {
  DiskOnPadsParameters p;
  p.mass = t.positive("mass");
  p.radius = t.positive("radius");
  p.pad_radius = t.positive("pad_radius");
  p.gravity = t.positive("gravity");
  p.pads = t.whole("pads", 1, 1000);
  return {std::make_unique<DiskOnPads>(law, p), {0, VectorX::Zero(3), VectorX::Zero(3)}, std::nullopt};
}

BuiltSystem build_ball_on_plane(const TomlTable& t, const FrictionLaw& law) {
  BallOnPlaneParameters p;
  p.mass = t.positive("mass");
  p.radius = t.positive("radius");
  p.gravity = t.positive("gravity");
  p.restitution = t.number("restitution");
  auto system = std::make_unique<BallOnPlane>(law, p);
  const State start = system->start();
  return {std::move(system), start, std::nullopt};
}

BuiltSystem build_box_on_plane(const TomlTable& t, const FrictionLaw& law) {
  BoxOnPlaneParameters p;
  p.mass = t.positive("mass");
  p.length = t.positive("length");
  p.height = t.positive("height");
  p.gravity = t.positive("gravity");
  p.restitution = t.number("restitution");
  if (t.has("push")) {
    const TomlTable push = t.table("push", "a table, as in { force = 5, height = 0.1 }");
    p.push = push.number("force");
    p.push_height = push.number("height");
  }
  auto system = std::make_unique<BoxOnPlane>(law, p);
  const State start = system->start();
  return {std::move(system), start, std::nullopt};
}

BuiltSystem build_snake_robot(const TomlTable& t, const FrictionLaw& law) {
  SnakeRobotParameters p;
  p.links = t.whole("links", 2, 1000);
  p.length = t.positive("length");
  p.mass = t.positive("mass");
  p.gravity = t.positive("gravity");
  const TomlTable wave = t.table("wave", "a table, as in { amplitude = 30, frequency = 0.5, phase = 40 }");
  p.amplitude = radians(wave.number("amplitude"));
  p.frequency = wave.positive("frequency");
  p.phase = radians(wave.number("phase"));
  p.steering = radians(wave.number("steering"));
  auto system = std::make_unique<SnakeRobot>(law, p);
  const State start = system->start();
  return {std::move(system), start, std::nullopt};
}

SystemKind with_prescribed_motion(SystemKind kind) {
  kind.prescribed = true;
  return kind;
}

}  // namespace

std::vector<SystemKind> free_systems() {
  const DiskOnPadsParameters kDisk;
  return {
      planar_kind({"sliding-body",
                   "a body that slides freely on a plane",
                   {{"mass", "kg", kRequired, "of the body"},
                    {"gravity", "m/s2", 9.81, "of the weight"},
                    {"normal_force", "N", kOptional, "instead of the weight, mass times gravity"}}},
                  build_sliding_body),
      with_prescribed_motion(planar_kind({"prescribed-circle",
                                          "a body that is moved along a circle: the force that it feels",
                                          {{"radius", "m", kRequired, "of the circle"},
                                           {"angular_velocity", "rad/s", kRequired, "of the motion"},
                                           {"normal_force", "N", kRequired, "of the contact"}}},
                                         build_prescribed_circle)),
      planar_kind({"disk-on-pads",
                   "a rigid disk on pads, position and yaw; by default the PVC disk of Walker & Leine 2019",
                   {{"mass", "kg", kDisk.mass, "of the disk"},
                    {"radius", "m", kDisk.radius, "of the disk"},
                    {"pad_radius", "m", kDisk.pad_radius, "of the circle of the pads"},
                    {"pads", "", kDisk.pads, "how many"},
                    {"gravity", "m/s2", kDisk.gravity, "of the weight"}}},
                  build_disk_on_pads),
      planar_kind(
          {"ball-on-plane",
           "a homogeneous ball that bounces, slides and comes to roll: x, y, z and the angles turned about them",
           {{"mass", "kg", kRequired, "of the body"},
            {"radius", "m", kRequired, "of the ball"},
            {"gravity", "m/s2", 9.81, "of the weight"},
            {"restitution", "", 0.0, "of impacts, 0 to 1"}}},
          build_ball_on_plane),
      planar_kind({"box-on-plane",
                   "a box that bounces, slides, tips over and stops: x, y, z of the centre and pitch from x towards z",
                   {{"mass", "kg", kRequired, "of the body"},
                    {"length", "m", kRequired, "along x"},
                    {"height", "m", kRequired, "along z"},
                    {"gravity", "m/s2", 9.81, "of the weight"},
                    {"restitution", "", 0.0, "of impacts, 0 to 1"},
                    {"push.force", "N", kRequired, "constant, along x; none without push"},
                    {"push.height", "m", kRequired, "of the pushed point above the base"}}},
                  build_box_on_plane),
      planar_kind(
          {"snake-robot",
           "links that follow a wave; the first axis of [law] is along each link: x, y of the centre, heading",
           {{"links", "", kRequired, "how many, 2 to 1000"},
            {"length", "m", kRequired, "of all links"},
            {"mass", "kg", kRequired, "of all links"},
            {"gravity", "m/s2", 9.81, "of the weight"},
            {"wave.amplitude", "degrees", kRequired, "of the joints"},
            {"wave.frequency", "Hz", kRequired, "of the joints"},
            {"wave.phase", "degrees", kRequired, "from joint to joint; above 0 the wave runs from head to tail"},
            {"wave.steering", "degrees", 0.0, "mean angle of the joints"}}},
          build_snake_robot)};
}

}  // namespace slipset
