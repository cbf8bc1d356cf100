// What factors and sweeps are made of: products of many 3x3 blocks, and elimination with full pivots.
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <array>
#include <vector>

#include "slipset/contact/internal/block_kernels.hpp"
#include "slipset/contact/internal/block_lu.hpp"
#include "slipset/contact/internal/full_pivots.hpp"
#include "slipset/contact/internal/measure_sums.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using test::Random;

namespace {

// Sums of at most a few dozen products of numbers up to one; measured 2e-15.
constexpr double kTolerance = 1e-13;

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return random.uniform(-1, 1); });
}

}  // namespace

TEST_CASE("products of blocks are those of Eigen, and touch nothing else") {
  Random random(1);
  double worst = 0;
  for (int sample = 0; sample < 200; ++sample) {
    const auto count = static_cast<std::size_t>(random.uniform(0, 9));
    constexpr std::size_t kPlaces = 12;
    const Mat3 left = random_matrix(random, 3, 3);
    std::vector<Mat3> blocks(count), row(kPlaces), expected;
    std::vector<Vec3> x(kPlaces);
    std::vector<std::uint32_t> places(count);
    for (Mat3& b : blocks) b = random_matrix(random, 3, 3);
    for (Mat3& b : row) b = random_matrix(random, 3, 3);
    for (Vec3& v : x) v = random_matrix(random, 3, 1);
    for (std::uint32_t& p : places) p = static_cast<std::uint32_t>(random.uniform(0, kPlaces));  // some twice
    expected = row;
    const double sign = sample % 2 == 0 ? 1 : -1;
    std::array<double, 5> sum = {7, random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 7};
    Vec3 expected_sum(sum[1], sum[2], sum[3]);
    for (std::size_t m = 0; m < count; ++m) {
      expected[places[m]] -= left * blocks[m];
      expected_sum += sign * blocks[m] * x[places[m]];
    }
    const bool plain = random.uniform(0, 1) < 0.5;
    if (count > 0) {
      (plain ? internal::subtract_products_plainly : internal::subtract_products)(left.data(), blocks[0].data(),
                                                                                  places.data(), count, row[0].data());
      (plain ? internal::add_products_plainly : internal::add_products)(blocks[0].data(), places.data(), count,
                                                                        x[0].data(), sign, &sum[1]);
    }
    for (std::size_t p = 0; p < kPlaces; ++p) worst = internal::larger(worst, (row[p] - expected[p]).norm());
    worst = internal::larger(worst, (Vec3(sum[1], sum[2], sum[3]) - expected_sum).norm());
    CHECK(sum[0] == 7);
    CHECK(sum[4] == 7);
  }
  CHECK(worst <= kTolerance);
}

TEST_CASE("factors of blocks solve, whichever rows have nothing beside their diagonal block") {
  Random random(2);
  double worst = 0;
  for (int sample = 0; sample < 100; ++sample) {
    constexpr std::size_t kContacts = 9;
    BlockDelassus a;
    a.resize(kContacts);
    for (std::size_t i = 0; i < kContacts; ++i) {
      a.block<3>(i, i) = random_matrix(random, 3, 3) + 8 * Eigen::MatrixXd::Identity(3, 3);
      const bool open = random.uniform(0, 1) < 0.4;
      for (std::size_t j = 0; j < kContacts; ++j)
        if (j != i && random.uniform(0, 1) < 0.5)
          a.block<3>(i, j) = open ? Eigen::MatrixXd(Eigen::MatrixXd::Zero(3, 3)) : random_matrix(random, 3, 3);
    }
    const Eigen::VectorXd right = random_matrix(random, a.rows(), 1);
    internal::BlockLu<3> factors(a);
    REQUIRE(factors.factorize(a));
    Eigen::VectorXd x = right;
    factors.solve(x);
    Eigen::VectorXd product(x.size());
    a.multiply_add(x, -right, product);
    worst = internal::larger(worst, product.norm());
  }
  CHECK(worst <= kTolerance);
}

TEST_CASE("full pivots: P A Q = L U, and the rank") {
  Random random(3);
  double worst = 0;
  for (int sample = 0; sample < 200; ++sample) {
    const auto n = static_cast<Eigen::Index>(random.uniform(1, 12)),
               rank = static_cast<Eigen::Index>(random.uniform(0, static_cast<double>(n) + 1));
    const Eigen::MatrixXd a = random_matrix(random, n, rank) * random_matrix(random, rank, n);
    constexpr Eigen::Index kRoom = 15;
    Eigen::MatrixXd room = random_matrix(random, kRoom, kRoom);
    room.topLeftCorner(n, n) = a;
    const Eigen::MatrixXd before = room;
    internal::FullPivots pivots;
    pivots.compute(room, n, 1e-10);
    CHECK(pivots.rank() == Eigen::FullPivLU<Eigen::MatrixXd>(a).setThreshold(1e-10).rank());
    CHECK(room.rightCols(kRoom - n) == before.rightCols(kRoom - n));
    CHECK(room.bottomRows(kRoom - n) == before.bottomRows(kRoom - n));
    const Eigen::MatrixXd factors = room.topLeftCorner(n, n);
    const Eigen::MatrixXd product = Eigen::MatrixXd(factors.triangularView<Eigen::UnitLower>()) *
                                    Eigen::MatrixXd(factors.triangularView<Eigen::Upper>());
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        worst = internal::larger(worst, std::abs(product(i, j) - a(pivots.row_at(i), pivots.column_at(j))));
  }
  CHECK(worst <= kTolerance);
}
