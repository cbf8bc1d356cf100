// Where bodies touch: points, normals and gaps.                        docs/theory/bodies.md
// Pairs of bodies that are near come from Bullet's tree of bounding boxes (btDbvt), points between two boxes from its
// box-box detector (several points where faces meet); spheres and planes in closed form. A point counts when its gap is
// below the margin and what the bodies can move in a step. Gaps between boxes are measured on the boxes themselves: the
// detector sees them grown by the margin, since it finds points only where boxes overlap.                        (G.5)
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "slipset/systems/bodies/body_world.hpp"

namespace slipset {

struct BodyContact {
  std::uint32_t surface = 0, other = 0;  // bodies: that carries the law; that touches it
  int law = -1;                          // of the world's laws; -1: no friction
  double restitution = 0;                // Newton's, of the surface
  double gap = 0;                        // [m]; below 0: the bodies overlap
  Vec3 point = Vec3::Zero();             // in the world
  Mat3 frame = Mat3::Identity();         // rows: normal from the surface to the other body, first and second axis
};

class ContactFinder {
 public:
  ContactFinder();
  ~ContactFinder();
  // A copy begins with a tree of its own: contacts do not depend on it.
  ContactFinder(const ContactFinder&);
  ContactFinder& operator=(const ContactFinder&);
  ContactFinder(ContactFinder&&) noexcept;
  ContactFinder& operator=(ContactFinder&&) noexcept;

  // Contacts of the world as it stands, ordered by bodies; `margin` [m], positive. Two prescribed bodies never touch,
  // nor do two bodies that a joint connects: they may overlap where it holds them.
  void find(const BodyWorld& world, double dt, double margin, std::vector<BodyContact>& contacts);

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

// Rows: n, the surface's first axis in the contact plane, n x that.                                               (G.9)
Mat3 contact_frame(const BodySurface& surface, const Quaternion& orientation, const Vec3& normal);

}  // namespace slipset
