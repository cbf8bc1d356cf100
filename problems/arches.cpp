// Arches of voussoirs, rigid and without mortar: rings of blocks between two abutments, four points at each joint.
//   block between the radii r_i, r_o and the angles φ ± Δ/2: centroid at the radius ⅔ (r_o³−r_i³)/(r_o²−r_i²) sinc(Δ/2)
#include <cmath>

#include "problems/kinds.hpp"
#include "problems/recipe.hpp"
#include "slipset/systems/bodies/body_problem.hpp"

namespace slipset::problems {
namespace {

constexpr double kStep = 1e-3;     // [s]
constexpr double kDensity = 2400;  // of stone [kg/m³]
constexpr double kDepth = 0.3;     // [m]

struct Arch {
  int blocks;
  Kind kind;
  double friction = 0.6;
  double radius = 1, thickness = 0.2;  // of the middle line; of the ring [m]
  double half_angle = 90;              // degrees: a half circle
  double load = 0;                     // on the block at a quarter of the span, over its weight
  double keystone = 1;                 // its mass over that of the others
};

// Axes of a block whose middle is at the angle φ from the vertical: outwards, along the barrel, back along the arch.
Mat3 axes_at(double phi) {
  Mat3 axes;
  axes << std::sin(phi), 0, -std::cos(phi),  //
      0, 1, 0,                               //
      std::cos(phi), 0, std::sin(phi);
  return axes;
}

RigidBody voussoir(const Arch& arch, double angle, double& centroid, int law) {
  const double ri = arch.radius - arch.thickness / 2, ro = arch.radius + arch.thickness / 2;
  const double area = angle / 2 * (ro * ro - ri * ri), fourth = (std::pow(ro, 4) - std::pow(ri, 4)) / 4;
  centroid = 2.0 / 3 * (std::pow(ro, 3) - std::pow(ri, 3)) / (ro * ro - ri * ri) * std::sin(angle / 2) / (angle / 2);
  // Mean squares of the distances from the centroid, along the three axes.
  const double outwards = fourth * (angle + std::sin(angle)) / 2 / area - centroid * centroid;
  const double along = fourth * (angle - std::sin(angle)) / 2 / area, barrel = kDepth * kDepth / 12;
  // Its shape is not looked at: its contacts are those of the joints below.
  RigidBody body =
      free_body("block", box_shape(Vec3(arch.thickness, kDepth, arch.radius * angle)), kDensity * area * kDepth);
  body.inertia = body.mass * Vec3(barrel + along, outwards + along, outwards + barrel);
  body.surface.law = law;
  return body;
}

ContactProblem problem_of_arch(const Arch& arch) {
  BodyWorld world;
  const int law = world.add_law(law_of(arch.kind, arch.friction));
  const double half = arch.half_angle * std::acos(-1.0) / 180, angle = 2 * half / arch.blocks;
  const auto place = [&](double phi, double radius) {
    BodyState state;
    state.orientation = Quaternion(axes_at(phi));
    state.position = radius * axes_at(phi).col(0);
    return state;
  };
  RigidBody abutment = fixed_box("abutment", Vec3::Constant(arch.thickness), law);
  world.add(abutment, place(-half, arch.radius));
  for (int k = 0; k < arch.blocks; ++k) {
    double centroid = 0;
    RigidBody body = voussoir(arch, angle, centroid, law);
    if (k == arch.blocks / 4) body.force = arch.load * body.mass * world.gravity;
    if (k == arch.blocks / 2) {
      body.mass *= arch.keystone;
      body.inertia *= arch.keystone;
    }
    world.add(body, place(-half + (k + 0.5) * angle, centroid));
  }
  world.add(abutment, place(half, arch.radius));

  std::vector<BodyContact> contacts;
  for (int k = 0; k <= arch.blocks; ++k) {
    const double phi = -half + k * angle;
    const Mat3 axes = axes_at(phi);
    for (const double side : {-0.5, 0.5})
      for (const double edge : {-0.5, 0.5}) {
        BodyContact contact;
        contact.surface = static_cast<std::uint32_t>(k);
        contact.other = static_cast<std::uint32_t>(k + 1);
        contact.law = law;
        contact.point = (arch.radius + side * arch.thickness) * axes.col(0) + edge * kDepth * axes.col(1);
        contact.frame = contact_frame(world.bodies[contact.surface].surface, world.states[contact.surface].orientation,
                                      -axes.col(2));
        contacts.push_back(contact);
      }
  }
  std::vector<BodyMotion> motions;
  free_motions(world, kStep, motions);
  BodyProblem builder;
  ContactProblem problem;
  builder.build(world, motions, contacts, kStep, 0, problem);
  return standing_alone(problem, world);
}

Recipe recipe(const Arch& arch, const std::string& ending, const std::string& about) {
  return {"arch-" + std::to_string(arch.blocks) + "-" + name_of(arch.kind) + ending, "arch", name_of(arch.kind),
          std::to_string(arch.blocks) + " voussoirs; " + about, [=] { return problem_of_arch(arch); }};
}

}  // namespace

std::vector<Recipe> arches() {
  return {
      recipe({.blocks = 7, .kind = Kind::isotropic}, "", "half circle; it stands"),
      recipe({.blocks = 15, .kind = Kind::elliptic}, "", "half circle; it stands"),
      recipe({.blocks = 31, .kind = Kind::superelliptic, .thickness = 0.15}, "", "half circle; thinner"),
      recipe({.blocks = 100, .kind = Kind::elliptic, .thickness = 0.15}, "", "half circle; many thin blocks"),
      recipe({.blocks = 15, .kind = Kind::isotropic, .thickness = 0.08}, "-thin", "too thin to stand"),
      recipe({.blocks = 15, .kind = Kind::nonconvex, .load = 20}, "-loaded", "20 weights on one at a quarter"),
      recipe({.blocks = 21, .kind = Kind::elliptic, .friction = 0.2}, "-slippery", "too slippery to stand"),
      recipe({.blocks = 9, .kind = Kind::superelliptic, .radius = 3, .thickness = 0.3, .half_angle = 20}, "-flat",
             "segment of 40 degrees"),
      recipe({.blocks = 15, .kind = Kind::isotropic, .keystone = 1e6}, "-heavy", "keystone a million times heavier"),
  };
}

}  // namespace slipset::problems
