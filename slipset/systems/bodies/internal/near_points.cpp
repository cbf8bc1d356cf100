#include "slipset/systems/bodies/internal/near_points.hpp"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>

#include <cmath>

namespace slipset::internal {
namespace {

void sphere_sphere(double r1, const Vec3& x1, double r2, const Vec3& x2, double margin, NearPoints& points) {
  const Vec3 between = x2 - x1;
  const double distance = between.norm(), gap = distance - r1 - r2;
  if (!(gap < margin)) return;
  const Vec3 n = distance > 0 ? Vec3(between / distance) : Vec3(Vec3::UnitZ());
  points.push_back({x1 + (r1 + gap / 2) * n, n, gap});
}

// The plane is the first body.
void plane_sphere(const BodyState& plane, double radius, const Vec3& x, double margin, NearPoints& points) {
  const Vec3 n = plane.orientation * Vec3::UnitZ();
  const double gap = n.dot(x - plane.position) - radius;
  if (gap < margin) points.push_back({x - (radius + gap / 2) * n, n, gap});
}

void plane_box(const BodyState& plane, const Vec3& half, const BodyState& box, double margin, NearPoints& points) {
  const Vec3 n = plane.orientation * Vec3::UnitZ();
  const double height = n.dot(box.position - plane.position);
  if (height - half.norm() > margin) return;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 local((corner & 1) ? half.x() : -half.x(), (corner & 2) ? half.y() : -half.y(),
                     (corner & 4) ? half.z() : -half.z());
    const Vec3 r = box.orientation * local;
    const double gap = height + n.dot(r);
    if (gap < margin) points.push_back({box.position + r - gap / 2 * n, n, gap});
  }
}

// The box is the first body.
void box_sphere(const Vec3& half, const BodyState& box, double radius, const Vec3& x, double margin,
                NearPoints& points) {
  const Vec3 local = box.orientation.conjugate() * (x - box.position);
  const Vec3 nearest = local.cwiseMax(-half).cwiseMin(half);
  const Vec3 out = local - nearest;
  const double distance = out.norm();
  Vec3 n;
  double gap;
  if (distance > 0) {
    n = out / distance;
    gap = distance - radius;
  } else {  // the centre is inside: out through the nearest face
    Eigen::Index face = 0;
    const double depth = (half - local.cwiseAbs()).minCoeff(&face);
    n = Vec3::Zero();
    n[face] = local[face] < 0 ? -1 : 1;
    gap = -depth - radius;
  }
  if (!(gap < margin)) return;
  n = box.orientation * n;
  points.push_back({x - (radius + gap / 2) * n, n, gap});
}

btTransform transform_of(const BodyState& state) {
  const Quaternion& q = state.orientation;
  const Vec3& x = state.position;
  return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), btVector3(x.x(), x.y(), x.z()));
}

struct Box {
  const Vec3& half;
  Vec3 position;
  Mat3 axes;  // columns

  Box(const Vec3& h, const BodyState& state) : half(h), position(state.position), axes(state.orientation.matrix()) {}
  Vec3 clamped(const Vec3& p) const {
    const Vec3 local = axes.transpose() * (p - position);
    return position + axes * local.cwiseMax(-half).cwiseMin(half);
  }
  double support(const Vec3& n) const { return (axes.transpose() * n).cwiseAbs().dot(half); }
  // The face whose normal is n or -n, if there is one.
  int face(const Vec3& n) const {
    for (int k = 0; k < 3; ++k)
      if (std::abs(axes.col(k).dot(n)) > 1 - 1e-9) return k;
    return -1;
  }
};

// What the detector finds: n from the second box to the first.
struct Found : btDiscreteCollisionDetectorInterface::Result {
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3& n, const btVector3& p, btScalar gap) override {
    if (count == 8) return;
    normal = Vec3(n.x(), n.y(), n.z());
    depth[count] = -gap;
    at[count++] = Vec3(p.x(), p.y(), p.z());
  }
  Vec3 normal = Vec3::Zero();
  Vec3 at[8];
  double depth[8];  // of the grown boxes
  int count = 0;
};

// Both are grown by half the margin, so that the detector sees them overlap; then the points go back to the boxes as
// they are and the gap is measured there: against the plane of the face, or between two edges.                   (G.5)
void box_box(const Vec3& half1, const BodyState& state1, const Vec3& half2, const BodyState& state2, double margin,
             NearPoints& points) {
  if ((state2.position - state1.position).norm() > half1.norm() + half2.norm() + margin) return;
  const Vec3 grown1 = half1 + Vec3::Constant(margin / 2), grown2 = half2 + Vec3::Constant(margin / 2);
  const btBoxShape shape1({grown1.x(), grown1.y(), grown1.z()}), shape2({grown2.x(), grown2.y(), grown2.z()});
  btBoxBoxDetector detector(&shape1, &shape2);
  btDiscreteCollisionDetectorInterface::ClosestPointInput input;
  input.m_transformA = transform_of(state1);
  input.m_transformB = transform_of(state2);
  Found found;
  detector.getClosestPoints(input, found, nullptr);
  if (found.count == 0 || !found.normal.allFinite() || !(found.normal.norm() > 0.5)) return;
  const Box one(half1, state1), two(half2, state2);
  Vec3 n = -found.normal.normalized();  // from the first to the second
  const int face1 = one.face(n), face2 = face1 >= 0 ? -1 : two.face(n);
  if (face1 >= 0) n = std::copysign(1.0, one.axes.col(face1).dot(n)) * one.axes.col(face1);
  if (face2 >= 0) n = std::copysign(1.0, two.axes.col(face2).dot(n)) * two.axes.col(face2);
  for (int i = 0; i < found.count; ++i) {
    const Vec3& p = found.at[i];
    if (!p.allFinite()) continue;
    if (face1 < 0 && face2 < 0) {  // edges
      const double gap = n.dot(two.position - one.position) - one.support(n) - two.support(n);
      if (gap < margin) points.push_back({(one.clamped(p) + two.clamped(p)) / 2, n, gap});
      continue;
    }
    const Box &face = face1 >= 0 ? one : two, &corner = face1 >= 0 ? two : one;
    const Vec3 out = face1 >= 0 ? n : Vec3(-n);  // of the face
    // The detector's point is on either box: where it is on the face, the other box is `depth` behind it.
    const double half = face.half[face1 >= 0 ? face1 : face2], height = out.dot(p - face.position) - half;
    const bool on_face = std::abs(height - margin / 2) < std::abs(height - margin / 2 + found.depth[i]);
    const Vec3 q = corner.clamped(on_face ? Vec3(p - found.depth[i] * out) : p);
    const double gap = out.dot(q - face.position) - half;
    if (!(gap < margin)) continue;
    // Sideways within the face, halfway between the two.
    Vec3 on = face.clamped(q);
    on += out.dot(q - on) / 2 * out;
    points.push_back({on, n, gap});
  }
}

}  // namespace

void near_points(const SolidShape& first, const BodyState& first_state, const SolidShape& second,
                 const BodyState& second_state, double margin, NearPoints& points) {
  points.clear();
  const auto rank = [](const SolidShape& s) { return s.kind == BodyKind::plane ? 0 : s.kind == BodyKind::box ? 1 : 2; };
  if (rank(first) > rank(second)) {
    near_points(second, second_state, first, first_state, margin, points);
    for (NearPoint& p : points) p.normal = -p.normal;
    return;
  }
  if (first.kind == BodyKind::plane) {
    if (second.kind == BodyKind::sphere)
      plane_sphere(first_state, second.radius, second_state.position, margin, points);
    else if (second.kind == BodyKind::box)
      plane_box(first_state, second.half, second_state, margin, points);
  } else if (first.kind == BodyKind::box) {
    if (second.kind == BodyKind::sphere)
      box_sphere(first.half, first_state, second.radius, second_state.position, margin, points);
    else
      box_box(first.half, first_state, second.half, second_state, margin, points);
  } else {
    sphere_sphere(first.radius, first_state.position, second.radius, second_state.position, margin, points);
  }
}

}  // namespace slipset::internal
