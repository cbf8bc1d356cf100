// Fixed-size vectors and matrices of the contact plane.
#pragma once

#include <Eigen/Core>

namespace slipset {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;

// x1 y2 - x2 y1: positive when y lies counter-clockwise of x.
inline double cross(const Vec2& x, const Vec2& y) { return x.x() * y.y() - x.y() * y.x(); }

// Of a symmetric matrix: eigenvalues ascending, unit eigenvectors in the columns, the first in the right half plane.
struct PlanarEigen {
  Vec2 values;
  Mat2 vectors;
};
PlanarEigen symmetric_eigen(const Mat2& a);

// x turned counter-clockwise by a right angle.
inline Vec2 turn_left(const Vec2& x) { return {-x.y(), x.x()}; }

}  // namespace slipset
