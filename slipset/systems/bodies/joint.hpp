// Joints between rigid bodies, as equality rows of the contact problem.        docs/theory/bodies.md
//   F (v_2 + ω_2 × r_2 − v_1 − ω_1 × r_1) + F g/Δt = 0,   F (ω_2 − ω_1) + F φ/Δt = 0                            (G.15)
// for the rows that the joint holds: g the distance of its two points, φ the turn between its two axes, both at the
// beginning of the step, so that what a step leaves open the next takes back. The two bodies do not touch each other:
// no contacts are looked for between them.
//   ball    the two points stay together                                       3 rows
//   hinge   and the bodies turn about one axis only                            5
//   fixed   and do not turn                                                    6
//   slider  the bodies move along one axis only, and do not turn               5
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "slipset/systems/bodies/rotation.hpp"

namespace slipset {

enum class JointKind { ball, hinge, fixed, slider };
constexpr std::array<std::string_view, 4> kJointKindNames = {"ball", "hinge", "fixed", "slider"};

struct Joint {
  std::string name;
  JointKind kind = JointKind::ball;
  std::size_t first = 0, second = 0;  // bodies of the world; at least one is free
  // Where it is, at the time when it is added: in the world.
  Vec3 point = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();  // of hinges and sliders

  // The world sets these when the joint is added: along the axes of the bodies, from their centres.
  Vec3 point_first = Vec3::Zero(), point_second = Vec3::Zero();
  Mat3 frame_first = Mat3::Identity();                  // rows: the axis, two at right angles
  Quaternion second_in_first = Quaternion::Identity();  // orientation
  bool placed = false;                                  // by BodyWorld::add
};

// Rows that it holds, as bits of BodyRows.
std::uint8_t rows_of(JointKind kind);

}  // namespace slipset
