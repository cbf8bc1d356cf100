// The friction laws of the library, by kind and size, and what families share.      docs/problems.md
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "slipset/laws/friction_law.hpp"
#include "slipset/systems/bodies/body_world.hpp"

namespace slipset::problems {

enum class Kind { isotropic, elliptic, superelliptic, nonconvex };
std::string name_of(Kind kind);
// C and D of a surface with coefficients about `friction`:
//   isotropic      two disks of this radius
//   elliptic       C = D, an ellipse 1.3 : 0.6, turned by 30°: associated
//   superelliptic  C 1.2 : 0.7 with exponent 3, D 0.8 : 1.2 with exponent 1.7 and other axes: not associated
//   nonconvex      C the level set 2.5 |t|₂ − 1.5 |t|₄ = 1, D an ellipse
FrictionLaw law_of(Kind kind, double friction);

// The same numbers on every machine.
class Seeded {
 public:
  explicit Seeded(std::uint64_t seed) : engine_(seed) {}
  double uniform(double from, double to) { return from + (to - from) * 0x1p-53 * static_cast<double>(engine_() >> 11); }

 private:
  std::mt19937_64 engine_;
};

RigidBody free_box(const std::string& name, const Vec3& sides, double density, int law);
RigidBody fixed_box(const std::string& name, const Vec3& sides, int law);
RigidBody floor_of(int law);

}  // namespace slipset::problems
