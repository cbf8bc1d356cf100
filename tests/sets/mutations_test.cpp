// The property checks have teeth: each wrong implementation below is caught by the check that is meant for it, for each
// of several shapes.
#include <doctest/doctest.h>

#include "slipset/testing/set_checks.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// All turned by 0.5, about 4:1.
template <class Set>
Set right_one();
template <>
Ellipse right_one() {
  return {0.8, 0.2, 0.5};
}
template <>
Superellipse right_one() {
  return {0.8, 0.2, 3, 0.5};
}
template <>
Polygon right_one() {
  return Polygon({{0.8, 0}, {0.3, 0.25}, {-0.5, 0.2}, {-0.8, -0.1}, {0.2, -0.25}}, 0.5);
}

const Vec2 kPoint(1, 1), kVelocity(0.3, -1);
constexpr double kCaught = 0.05;

template <class Set>
struct RadialProjection : Set {
  Vec2 project(const Vec2& t) const { return t / std::max(this->gauge(t), 1.0); }
};
template <class Set>
struct ZeroProjection : Set {
  Vec2 project(const Vec2&) const { return Vec2::Zero(); }
};
template <class Set>
struct LostRotationInGauge : Set {
  double gauge(const Vec2& t) const { return this->turned(-0.5).gauge(t); }
};
template <class Set>
struct LostRotationInSupport : Set {
  double support(const Vec2& v) const { return this->turned(-0.5).support(v); }
  Face support_face(const Vec2& v) const { return this->turned(-0.5).support_face(v); }
  Vec2 support_point(const Vec2& v) const { return support_face(v).middle(); }
};
template <class Set>
struct MissingRootInGauge : Set {  // still one on the boundary
  double gauge(const Vec2& t) const { return Set::gauge(t) * Set::gauge(t); }
};
template <class Set>
struct FlippedSupport : Set {
  double support(const Vec2& v) const { return Set::support(turn_left(v)); }
};
template <class Set>
struct Nan : Set {
  static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  double gauge(const Vec2&) const { return kNan; }
  Vec2 gauge_gradient(const Vec2&) const { return Vec2::Constant(kNan); }
  double support(const Vec2&) const { return kNan; }
  Face support_face(const Vec2&) const { return {Vec2::Constant(kNan), Vec2::Constant(kNan)}; }
  Vec2 support_point(const Vec2&) const { return Vec2::Constant(kNan); }
  Vec2 project(const Vec2&) const { return Vec2::Constant(kNan); }
};
// diag(a, b) where diag(a², b²) belongs.
struct MissingSquareInSupportPoint : Ellipse {
  Face support_face(const Vec2& v) const {
    const Vec2 z = Ellipse(std::sqrt(0.8), std::sqrt(0.2), 0.5).support_point(v);
    return {z, z};
  }
  Vec2 support_point(const Vec2& v) const { return support_face(v).middle(); }
};
struct MissingSquareInGradient : Ellipse {
  Vec2 gauge_gradient(const Vec2& t) const { return Ellipse(std::sqrt(0.8), std::sqrt(0.2), 0.5).gauge_gradient(t); }
};
// The exponent of the other norm: s where s' belongs.
struct WrongDualExponent : Superellipse {
  double support(const Vec2& v) const {
    return 1 / Superellipse(1.25, 5, 3, 0.5).scaled(1).radius(angle_of(v)) * v.norm();
  }
};

template <class Set>
double projection(const Set& set) {
  return projection_defect(set, kPoint, set.project(kPoint), 0.8);
}
template <class Set>
double slant(const Set& set) {
  return projection_slant(set, kPoint, set.project(kPoint));
}

}  // namespace

TEST_CASE_TEMPLATE("the right set passes every check; wrong ones do not", Set, Ellipse, Superellipse, Polygon) {
  const Set right = right_one<Set>();
  CHECK(projection(right) < 1e-14);
  CHECK(slant(right) < 1e-14);
  CHECK(support_defect(right, kVelocity) < 1e-14);
  CHECK(normality_defect(right, kVelocity) < 1e-14);
  CHECK(gradient_defect(right, kPoint) < 1e-14);
  CHECK(polar_defect(right, kPoint, kVelocity) < 1e-14);
  if (const auto defect = curvature_defect(right, kVelocity); defect && !std::is_same_v<Set, Polygon>)
    CHECK(*defect < 1e-12);

  // Radial scaling, and the origin, in place of the projection.
  CHECK(projection(RadialProjection<Set>{right}) > kCaught);
  CHECK(slant(RadialProjection<Set>{right}) > kCaught);
  CHECK(projection(ZeroProjection<Set>{right}) > kCaught);

  // A lost rotation.
  CHECK(support_defect(LostRotationInGauge<Set>{right}, kVelocity) > kCaught);
  CHECK(gradient_defect(LostRotationInGauge<Set>{right}, kPoint) > kCaught);
  CHECK(polar_defect(LostRotationInGauge<Set>{right}, kPoint, kVelocity) > kCaught);
  CHECK(support_defect(LostRotationInSupport<Set>{right}, kVelocity) > kCaught);
  CHECK(projection(LostRotationInSupport<Set>{right}) > kCaught);

  // A gauge without its root, and the support function of another set.
  CHECK(gradient_defect(MissingRootInGauge<Set>{right}, kPoint) > kCaught);
  CHECK(polar_defect(FlippedSupport<Set>{right}, kPoint, kVelocity) > kCaught);

  const Nan<Set> nan{right};
  CHECK_FALSE(projection(nan) < 1);
  CHECK_FALSE(slant(nan) < 1);
  CHECK_FALSE(support_defect(nan, kVelocity) < 1);
  CHECK_FALSE(normality_defect(nan, kVelocity) < 1);
  CHECK_FALSE(gradient_defect(nan, kPoint) < 1);
  CHECK_FALSE(polar_defect(nan, kPoint, kVelocity) < 1);
}

TEST_CASE("a missing square, and the wrong dual exponent, are caught") {
  const Ellipse right = right_one<Ellipse>();
  CHECK(support_defect(MissingSquareInSupportPoint{right}, kVelocity) > kCaught);
  CHECK(normality_defect(MissingSquareInSupportPoint{right}, kVelocity) > kCaught);
  CHECK(gradient_defect(MissingSquareInGradient{right}, kPoint) > kCaught);
  CHECK(polar_defect(MissingSquareInGradient{right}, kPoint, kVelocity) > kCaught);
  const WrongDualExponent wrong{right_one<Superellipse>()};
  CHECK(gradient_defect(wrong, kPoint) + support_defect(wrong, kVelocity) +
            polar_defect(wrong, Vec2(0.5, 0.7), kPoint) >
        kCaught);
}
