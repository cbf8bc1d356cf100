#include "slipset/core/dense.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

MatrixX hilbert(Eigen::Index n) {
  MatrixX h(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) h(i, j) = 1.0 / static_cast<double>(i + j + 1);
  return h;
}

}  // namespace

TEST_CASE("Cholesky solves, tells matrices that are not positive definite, and may be copied before it computes") {
  const MatrixX a = hilbert(4);
  const VectorX x = VectorX::LinSpaced(4, 1, 4);
  const Cholesky empty;
  CHECK_FALSE(empty.positive_definite());
  Cholesky copy = empty;
  CHECK(copy.compute(a));
  CHECK((copy.solve(VectorX(a * x)) - x).norm() < 1e-10);  // condition 1.6e4
  const Cholesky second = copy;
  VectorX b = a * x;
  second.solve_in_place(b);
  CHECK((b - x).norm() < 1e-10);
  CHECK_FALSE(Cholesky(MatrixX(-a)).positive_definite());
  // Assigned: the factors of the other, also where it was assigned to itself or computed something else before.
  Cholesky assigned(MatrixX(MatrixX::Identity(2, 2)));
  assigned = copy;
  const Cholesky& same = assigned;
  assigned = same;
  CHECK((assigned.solve(VectorX(a * x)) - x).norm() < 1e-10);
  CHECK((assigned.solve(MatrixX(a)) - MatrixX::Identity(4, 4)).norm() < 1e-10);
  MatrixX columns = a;
  assigned.solve_in_place(columns);
  CHECK((columns - MatrixX::Identity(4, 4)).norm() < 1e-10);
}

TEST_CASE("LU and QR tell the rank; the shortest solution is at right angles to the kernel") {
  MatrixX a = hilbert(3);
  CHECK(FullLu(a).invertible());
  a.row(2) = a.row(0) + a.row(1);
  CHECK_FALSE(FullLu(a).invertible());
  CHECK(PivotedQr(a).rank() == 2);
  // A pivot of 1e-8 of the largest counts, unless the threshold is above it.
  const MatrixX thin = Eigen::Vector3d(1, 0.5, 1e-8).asDiagonal();
  CHECK(PivotedQr(thin).rank() == 3);
  CHECK(PivotedQr(thin, 1e-10).rank() == 3);
  CHECK(PivotedQr(thin, 1e-6).rank() == 2);
  const Eigen::Vector3d first = a.row(0), second = a.row(1);
  const VectorX kernel = first.cross(second);
  const VectorX x = solve_shortest(a, a * VectorX::Ones(3));
  CHECK((a * x - a * VectorX::Ones(3)).norm() < 1e-14);
  CHECK(std::abs(x.dot(kernel)) < 1e-14 * kernel.norm());
  CHECK(std::abs(VectorX::Ones(3).dot(kernel)) > 0.1 * kernel.norm());  // so that the check before can fail
}

// Displacements in metres and angles in microradians, forces in newtons and meganewtons.
TEST_CASE("LU solves, and tells its error, with rows and columns of any sizes") {
  const VectorX rows = (VectorX(4) << 1e8, 1, 1e-7, 1e3).finished(),
                columns = (VectorX(4) << 1e-6, 1e5, 1, 1e-9).finished();
  const MatrixX a = rows.asDiagonal() * hilbert(4) * columns.asDiagonal();
  const VectorX x = VectorX::LinSpaced(4, 1, 4).cwiseQuotient(columns), b = a * x;
  const FullLu lu(a);
  CHECK(lu.invertible());
  for (Eigen::Index i = 0; i < 4; ++i) CHECK(lu.solve(b)[i] == near(x[i], 1e-10));
  CHECK((MatrixX(a * lu.solve(MatrixX(a))) - a).cwiseQuotient(a).norm() < 1e-10);
  CHECK(lu.error(x, b) < 1e-14);
  VectorX wrong = x;
  wrong[1] *= 1.001;
  CHECK(lu.error(wrong, b) > 1e-5);
  CHECK(lu.error(wrong, b) < 1e-2);
}

TEST_CASE("eigenvalues: of a rotation, and of a symmetric matrix with its vectors") {
  MatrixX turn(2, 2);
  turn << 0, -1, 1, 0;
  CHECK(std::abs(eigenvalues(turn)[0].imag()) == near(1, 1e-15));
  const MatrixX a = hilbert(5);
  const SymmetricEigen eigen(a);
  CHECK((a * eigen.vectors() - eigen.vectors() * eigen.values().asDiagonal()).norm() < 1e-15);
  CHECK(eigen.values()[0] < eigen.values()[4]);
}

TEST_CASE("eigenvalues of what is not finite: their real parts are no growth rates") {
  MatrixX a = hilbert(3);
  a(1, 2) = std::nan("");
  for (const auto& value : eigenvalues(a)) CHECK(std::isnan(value.real()));
  GeneralEigen solver;
  solver.compute(a);
  REQUIRE(solver.values().size() == 3);
  for (const auto& value : solver.values()) CHECK(std::isnan(value.real()));
}
