// What became of the contacts of a run.                                docs/theory/dynamics.md
#pragma once

#include "slipset/contact/contact_law.hpp"

namespace slipset {

// What became of one contact in one step, or at one moment.
struct ContactStep {
  ContactMode mode = ContactMode::open;
  int solutions = 0;
  Vec3 impulse = Vec3::Zero();  // [N s], along the surface's axes
  Vec2 slip = Vec2::Zero();     // γ_T at the end [m/s]
  double gap_rate = 0;          // γ_N at the end [m/s], unilateral only
  double free_gap_rate = 0;     // the same without contact forces
};

}  // namespace slipset
