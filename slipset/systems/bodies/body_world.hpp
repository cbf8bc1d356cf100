// Bodies, their surfaces' laws and gravity.                            docs/theory/bodies.md
// Which law holds where two surfaces touch: that of a pair of laws, if one is given, in the axes of its first; else
// that of the surface with the higher priority; else of a plane; else of a prescribed body; else of the body added
// first. (G.8)
#pragma once

#include <memory>
#include <vector>

#include "slipset/contact/contact_law.hpp"
#include "slipset/laws/friction_law.hpp"
#include "slipset/laws/rolling_law.hpp"
#include "slipset/systems/bodies/joint.hpp"
#include "slipset/systems/bodies/rigid_body.hpp"
#include "slipset/systems/bodies/solids.hpp"
#include "slipset/systems/system.hpp"

namespace slipset {

struct LawPair {
  int first = 0, second = 0;  // laws of the two surfaces; the axes are those of the first
  int law = 0;                // that holds between them
};

// A system: q has position and orientation (w, x, y, z) of each free body, u its velocity along the axes of the world
// and its spin along its own.
struct BodyWorld final : System {
  std::vector<RigidBody> bodies;
  std::vector<BodyState> states;
  std::vector<std::shared_ptr<const ContactLaw>> laws;  // sliding (PlanarContactLaw), or with drilling and rolling
  std::vector<LawPair> pairs;
  Vec3 gravity = Vec3(0, 0, -9.81);  // [m/s²]
  double time = 0;                   // [s]
  double margin = 0;  // contacts with smaller gaps count [m]; 0: a hundredth of the smallest radius or half side
  std::vector<Joint> joints;

  int add_law(const FrictionLaw& law);
  int add_law(const RollingLaw& law);
  int add_law(const std::shared_ptr<const ContactLaw>& law);  // a law that the world has already keeps its number
  bool has_rolling_laws() const;
  // Returns its index. Throws InvalidInput for a state that is not finite or a law that the world does not have. The
  // velocity of a prescribed body is that of its motion.
  std::size_t add(RigidBody body, const BodyState& state);
  // In braces (solids.hpp). Names that are left out are box1, sphere2, ..., by the number of bodies.
  std::size_t add(const Box& box, const BodyState& state);
  std::size_t add(const Sphere& sphere, const BodyState& state);
  std::size_t add(const Plane& plane, const BodyState& state = {});

  // Throws InvalidInput for bodies that the world does not have, for two prescribed ones, and for an axis of no length.
  void add(Joint joint);

  // Throws InvalidInput, saying what to do, where bodies, states, laws, pairs and joints do not fit together, or numbers
  // are not finite. Runs begin with it.
  void require_whole() const;

  struct PairRule {
    int law;             // -1: no friction
    bool first_carries;  // the axes are those of the first of the two bodies
  };
  PairRule rule_of(std::size_t first, std::size_t second) const;

  double kinetic_energy() const;    // of the bodies that are free
  double potential_energy() const;  // zero at the origin, without loads
  Vec3 angular_momentum() const;    // about the origin, of the bodies that are free
  std::size_t free_bodies() const;

  State start() const override;   // as it stands
  void put(State& state) const;   // the same, into a state of the right size
  void take(const State& state);  // stands so from now on; prescribed bodies where they are at that time

  Eigen::Index dofs() const override { return 6 * static_cast<Eigen::Index>(free_bodies()); }
  Eigen::Index positions() const override { return 7 * static_cast<Eigen::Index>(free_bodies()); }
  std::vector<std::string> coordinates() const override;  // "name.x" ... "name.qz"
  bool has_constant_mass() const override { return false; }
  double potential_energy(const VectorX& q) const override;
  // Contacts are found anew in every step: none has a name, and evaluate() throws InvalidInput.
  const std::vector<SystemContact>& contacts() const override;
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  bool finds_contacts() const override { return true; }
  double drive_frequency() const override;  // of prescribed motions: shaking, and turning of what is not round
  ContactOptions contact_options() const override;
  std::unique_ptr<SystemStep> make_step() const override;

 private:
  void require_states() const;  // one for each body
};

// The smallest radius or half side of the free bodies [m]; 1 if there are none.
double smallest_size(const BodyWorld& world);
// What a law may have of drilling and rolling per unit normal force [m]: torques far beyond the bodies leave nothing of
// their sliding in double precision.
double largest_torque(const BodyWorld& world);

}  // namespace slipset
