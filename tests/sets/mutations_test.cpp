// The property checks have teeth: each wrong implementation below is caught by the check that is meant for it.
#include <doctest/doctest.h>

#include "tests/support/set_checks.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

const Ellipse kRight(0.8, 0.2, 0.5);
const Vec2 kPoint(1, 1), kVelocity(0.3, -1);
constexpr double kCaught = 0.05;

struct RadialProjection : Ellipse {
  Vec2 project(const Vec2& t) const { return t / std::max(1.0, gauge(t)); }
};
struct ZeroProjection : Ellipse {
  Vec2 project(const Vec2&) const { return Vec2::Zero(); }
};
struct LostRotationInGauge : Ellipse {
  double gauge(const Vec2& t) const { return Ellipse(0.8, 0.2).gauge(t); }
};
struct LostRotationInSupport : Ellipse {
  double support(const Vec2& v) const { return Ellipse(0.8, 0.2).support(v); }
  Face support_face(const Vec2& v) const { return Ellipse(0.8, 0.2).support_face(v); }
  Vec2 support_point(const Vec2& v) const { return support_face(v).middle(); }
};
struct MissingSquareInSupportPoint : Ellipse {  // diag(a, b) where diag(a², b²) belongs
  Face support_face(const Vec2& v) const {
    const Vec2 z = Ellipse(std::sqrt(0.8), std::sqrt(0.2), 0.5).support_point(v);
    return {z, z};
  }
  Vec2 support_point(const Vec2& v) const { return support_face(v).middle(); }
};
struct MissingRootInGauge : Ellipse {  // still one on the boundary
  double gauge(const Vec2& t) const { return Ellipse::gauge(t) * Ellipse::gauge(t); }
};
struct MissingSquareInGradient : Ellipse {
  Vec2 gauge_gradient(const Vec2& t) const { return Ellipse(std::sqrt(0.8), std::sqrt(0.2), 0.5).gauge_gradient(t); }
};
struct FlippedSupport : Ellipse {
  double support(const Vec2& v) const { return Ellipse::support(turn_left(v)); }
};
struct Nan : Ellipse {
  static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  double gauge(const Vec2&) const { return kNan; }
  Vec2 gauge_gradient(const Vec2&) const { return Vec2::Constant(kNan); }
  double support(const Vec2&) const { return kNan; }
  Face support_face(const Vec2&) const { return {Vec2::Constant(kNan), Vec2::Constant(kNan)}; }
  Vec2 support_point(const Vec2&) const { return Vec2::Constant(kNan); }
  Vec2 project(const Vec2&) const { return Vec2::Constant(kNan); }
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

TEST_CASE("the right ellipse passes every check") {
  CHECK(projection(kRight) < 1e-14);
  CHECK(slant(kRight) < 1e-14);
  CHECK(support_defect(kRight, kVelocity) < 1e-14);
  CHECK(normality_defect(kRight, kVelocity) < 1e-14);
  CHECK(gradient_defect(kRight, kPoint) < 1e-14);
  CHECK(polar_defect(kRight, kPoint, kVelocity) < 1e-14);
  CHECK(curvature_defect(kRight, kVelocity).value() < 1e-13);
}

TEST_CASE("S.7 catches radial scaling and the origin in place of the projection") {
  CHECK(projection(RadialProjection{kRight}) > kCaught);
  CHECK(slant(RadialProjection{kRight}) > kCaught);
  CHECK(projection(ZeroProjection{kRight}) > kCaught);
}

TEST_CASE("a lost rotation is caught, in the gauge or in the support function") {
  CHECK(support_defect(LostRotationInGauge{kRight}, kVelocity) > kCaught);
  CHECK(gradient_defect(LostRotationInGauge{kRight}, kPoint) > kCaught);
  CHECK(polar_defect(LostRotationInGauge{kRight}, kPoint, kVelocity) > kCaught);
  CHECK(support_defect(LostRotationInSupport{kRight}, kVelocity) > kCaught);
  CHECK(normality_defect(LostRotationInSupport{kRight}, kVelocity) > kCaught);
  CHECK(projection(LostRotationInSupport{kRight}) > kCaught);
}

TEST_CASE("a missing square is caught") {
  CHECK(support_defect(MissingSquareInSupportPoint{kRight}, kVelocity) > kCaught);
  CHECK(normality_defect(MissingSquareInSupportPoint{kRight}, kVelocity) > kCaught);
  CHECK(gradient_defect(MissingRootInGauge{kRight}, kPoint) > kCaught);
  CHECK(gradient_defect(MissingSquareInGradient{kRight}, kPoint) > kCaught);
  CHECK(polar_defect(MissingSquareInGradient{kRight}, kPoint, kVelocity) > kCaught);
}

TEST_CASE("a support function of another set is caught by polarity") {
  CHECK(polar_defect(FlippedSupport{kRight}, kPoint, kVelocity) > kCaught);
}

TEST_CASE("NaN never passes") {
  const Nan nan{kRight};
  CHECK_FALSE(projection(nan) < 1);
  CHECK_FALSE(slant(nan) < 1);
  CHECK_FALSE(support_defect(nan, kVelocity) < 1);
  CHECK_FALSE(normality_defect(nan, kVelocity) < 1);
  CHECK_FALSE(gradient_defect(nan, kPoint) < 1);
  CHECK_FALSE(polar_defect(nan, kPoint, kVelocity) < 1);
}
