#include "slipset/laws/properties.hpp"
#include "slipset/laws/destabilising.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include "slipset/laws/classical.hpp"
#include "slipset/testing/law_checks.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shapes.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

Mat2 gauge_matrix(const Ellipse& e) {
  Mat2 r;
  r.col(0) = unit(e.angle());
  r.col(1) = turn_left(unit(e.angle()));
  return r * e.semi_axes().cwiseInverse().cwiseAbs2().asDiagonal() * r.transpose();
}

// For two ellipses with gauge matrices P, Q the normals at u are Pu and Qu: the slip points into C where uᵀPQu < 0.
// A quadratic form: the slip angles at the ends are those of Qu for its two isotropic directions.
std::vector<double> ellipse_ends(const Ellipse& c, const Ellipse& d) {
  const Mat2 product = gauge_matrix(c) * gauge_matrix(d);
  const Eigen::SelfAdjointEigenSolver<Mat2> eigen(0.5 * (product + product.transpose()));
  const Vec2 lambda = eigen.eigenvalues();
  if (lambda[0] >= 0) return {};
  std::vector<double> ends;
  for (const double sign : {-1.0, 1.0})
    for (const double side : {-1.0, 1.0}) {
      const Vec2 u = sign * (std::sqrt(lambda[1]) * eigen.eigenvectors().col(0) +
                             side * std::sqrt(-lambda[0]) * eigen.eigenvectors().col(1));
      ends.push_back(wrap_to_turn(angle_of(gauge_matrix(d) * u)));
    }
  std::sort(ends.begin(), ends.end());
  return ends;
}

}  // namespace

TEST_CASE("WL19 Theorem 2: two ellipses 3:1, the reservoir turned by 30 degrees") {
  const auto intervals = destabilising_directions({Ellipse(30, 10, radians(30)), Ellipse(3, 1)});
  REQUIRE(intervals.size() == 2);
  CHECK(std::abs(degrees(intervals[0].from) - 44.105834691474) < 1e-10);
  CHECK(std::abs(degrees(intervals[0].to) - 75.894165308526) < 1e-10);
  CHECK(std::abs(degrees(intervals[1].from) - 224.105834691474) < 1e-10);
}

TEST_CASE("WL19 118: the reservoir 3:1 begins to destabilise at sin 2ζ = 9/16") {
  const double critical = 0.5 * std::asin(9.0 / 16);
  for (const double zeta : {critical, kPi / 2 - critical}) {
    const double inwards = zeta < kPi / 4 ? 1 : -1;
    for (const double off : {1e-3, 1e-6, 1e-9}) {
      CHECK(destabilising_directions({Ellipse(3, 1, zeta + inwards * off), Ellipse(3, 1)}).size() == 2);
      CHECK(destabilising_directions({Ellipse(3, 1, zeta - inwards * off), Ellipse(3, 1)}).empty());
    }
  }
}

TEST_CASE("destabilising directions of random ellipses by their quadratic form") {
  Random random(41);
  Worst worst;
  int unstable = 0;
  for (int i = 0; i < 400; ++i) {
    const Ellipse c(1, random.log_uniform(1, 30), random.uniform(0, 7)),
        d(1, random.log_uniform(1, 30), random.uniform(0, 7));
    std::vector<double> found;
    for (const AngleInterval& interval : destabilising_directions({c, d})) {
      found.push_back(wrap_to_turn(interval.from));
      found.push_back(wrap_to_turn(interval.to));
    }
    std::sort(found.begin(), found.end());
    const std::vector<double> expected = ellipse_ends(c, d);
    REQUIRE(found.size() == expected.size());
    unstable += !found.empty();
    for (std::size_t k = 0; k < found.size(); ++k) worst.add(std::abs(wrap_to_pi(found[k] - expected[k])));
  }
  show_worst("destabilising ends [deg]", "random ellipses", degrees(worst.value()));
  CHECK(degrees(worst.value()) < 1e-10);
  CHECK(unstable > 50);
}

// Proposition 9: inside the intervals, and only there, the damping matrix has a negative eigenvalue.
TEST_CASE("destabilising directions agree with the sign of the Jacobian's trace, for any smooth law") {
  Random random(42);
  for (int i = 0; i < 60; ++i) {
    const double turn_c = random.uniform(0, 7);
    const PlanarSet c = random.coin() ? PlanarSet(Wedge(1.2, radians(36), turn_c))
                                      : PlanarSet(Superellipse(1, random.log_uniform(0.1, 1), 4, turn_c));
    const PlanarSet d = random.coin() ? PlanarSet(Ellipse(1, random.log_uniform(0.1, 1)))
                                      : PlanarSet(Superellipse(1, random.log_uniform(0.1, 1), 1.5));
    const FrictionLaw law(c, d);
    const auto intervals = destabilising_directions(law);
    for (int k = 0; k < 720; ++k) {
      const double phi = 2 * kPi * (k + 0.37) / 720;
      const auto jacobian = slip_jacobian(law, unit(phi));
      if (!jacobian) continue;
      const bool inside =
          std::any_of(intervals.begin(), intervals.end(), [&](const auto& n) { return n.contains(phi); });
      if (std::abs(jacobian->trace()) > 1e-9 * jacobian->norm()) CHECK(inside == (jacobian->trace() < 0));
    }
  }
}

// Nearly cornered and nearly flat direction sets, aspect ratios to 10³: sampled by slip angle, where the normal of C at
// the resistance is told by closed forms in the set's own axes. Both sets are symmetric, so the intervals repeat after
// half a turn.
TEST_CASE("destabilising directions of sharp and elongated superellipses") {
  Random random(47);
  int unstable = 0;
  for (int i = 0; i < 150; ++i) {
    const double exponent = i % 2 == 0 ? 1 + random.log_uniform(1e-2, 1) : random.log_uniform(2, 50);
    const Superellipse d(1, 1 / random.log_uniform(1, 1e3), exponent);
    const Ellipse c(1, 1 / random.log_uniform(1, 1e3), random.uniform(0, 7));
    const auto intervals = destabilising_directions({c, d});
    INFO("C ", c.semi_axes().y(), " at ", c.angle(), ", D ", d.semi_axes().y(), " exponent ", exponent);
    REQUIRE(intervals.size() % 2 == 0);
    for (std::size_t k = 0; k < intervals.size() / 2; ++k) {
      const AngleInterval &first = intervals[k], &second = intervals[k + intervals.size() / 2];
      CHECK(std::abs(wrap_to_pi(second.from - first.from - kPi)) < 1e-11);
      CHECK(std::abs(wrap_to_pi(second.to - first.to - kPi)) < 1e-11);
    }
    unstable += !intervals.empty();
    for (int k = 0; k < 360; ++k) {
      const double phi = 2 * kPi * (k + 0.37) / 360;
      const double into = c.gauge_gradient(d.support_point(unit(phi))).normalized().dot(unit(phi));
      const bool inside =
          std::any_of(intervals.begin(), intervals.end(), [&](const auto& n) { return n.contains(phi); });
      if (std::abs(into) > 1e-8) CHECK(inside == (into < 0));
    }
  }
  CHECK(unstable > 20);
}

// With corners: brute force over the boundary of D and the directions of each fan.
TEST_CASE("destabilising directions with corners of C and D") {
  Random random(43);
  for (int i = 0; i < 60; ++i) {
    const PlanarSet c =
        random.coin() ? PlanarSet(PolygonKind::make(random)) : PlanarSet(Ellipse(1, 0.1, random.uniform(0, 7)));
    const PlanarSet d = random.coin() ? PlanarSet(Rectangle(1, random.log_uniform(0.05, 1), random.uniform(0, 7)))
                                      : PlanarSet(PolygonKind::make(random));
    const FrictionLaw law(c, d);
    const auto intervals = destabilising_directions(law);
    for (int k = 0; k < 720; ++k) {
      const double phi = 2 * kPi * (k + 0.37) / 720;  // no normal of a side: a corner of D
      const AngleInterval tangent = c.tangent_cone(slip_resistance(law, unit(phi)));
      const bool into = wrap_to_turn(phi - tangent.from) < tangent.width();
      const bool inside =
          std::any_of(intervals.begin(), intervals.end(), [&](const auto& n) { return n.contains(phi); });
      CHECK(inside == into);
    }
  }
}

TEST_CASE("associated and collinear laws never destabilise") {
  Random random(44);
  for (int i = 0; i < 30; ++i) {
    const Ellipse e = EllipseKind::make(random);
    CHECK_FALSE(law_properties(associated(e)).can_destabilise.value);
    CHECK(destabilising_directions(associated(e)).empty());
    const FrictionLaw along = collinear(Wedge(1.2, radians(36), random.uniform(0, 7)));
    CHECK_FALSE(law_properties(along).can_destabilise.value);
    CHECK(destabilising_directions(along).empty());
    CHECK(destabilising_directions(collinear(Superellipse(1, 0.3, 0.5))).empty());
  }
}

// The smallest s·v/|v| of a law: for an associated one the least of its support function, the small semi-axis of an
// ellipse. It is above zero for every law, since the origin is inside D. (Proposition 5)
TEST_CASE("the smallest component against the slip is told with the verdict, and is above zero for thin sets") {
  for (const double b : {0.25, 1e-5}) {
    const LawProperties p = law_properties(associated(Ellipse(0.5, b)));
    CHECK(p.dissipative.value);
    CHECK(p.strictly_dissipative.value);
    CHECK(p.strictly_dissipative.why.find(fmt::format("against the slip is {:.6g} per unit", b)) != std::string::npos);
  }
  // D an ellipse of ratio q in a disk of radius μ: the resistance leaves the slip by at most the angle whose cosine is
  // 2q/(1 + q²), that of Kantorovich for diag(1, q²).
  const double q = 0.01, mu = 0.3;
  const LawProperties p = law_properties(FrictionLaw(Disk(mu), Ellipse(1, q)));
  const double least = mu * 2 * q / (1 + q * q);
  CHECK(p.strictly_dissipative.why.find(fmt::format("is {:.6g} per unit", least)) != std::string::npos);
}

TEST_CASE("properties of the classical laws") {
  const LawProperties iso = law_properties(isotropic(0.4));
  CHECK(iso.associated.value);
  CHECK(iso.collinear.value);
  CHECK(iso.monotone.value);
  CHECK(iso.strictly_dissipative.value);

  const LawProperties sign = law_properties(two_sign(0.4, 0.2, 0.3));
  CHECK(sign.associated.value);
  CHECK_FALSE(sign.collinear.value);
  CHECK(sign.monotone.value);
  CHECK(sign.smallest_coefficient.value == near(0.2, 1e-14));
  CHECK(sign.largest_coefficient.value == near(std::hypot(0.4, 0.2), 1e-14));

  const LawProperties along = law_properties(collinear(Ellipse(0.4, 0.2)));
  CHECK_FALSE(along.associated.value);
  CHECK(along.collinear.value);
  CHECK_FALSE(along.monotone.value);

  const LawProperties wedge = law_properties(wedge_asperities(1.2, radians(36)));
  CHECK_FALSE(wedge.reservoir_convex.value);
  CHECK(wedge.reservoir_convex.why.find("56.098") != std::string::npos);
  CHECK(wedge.reservoir_star_shaped.value);
  CHECK_FALSE(wedge.associated.value);
  CHECK(wedge.direction_inside.value);

  // Every convex shape is associated with itself, at any scale.
  Random random(45);
  CHECK(law_properties({SuperellipseKind::make(random), Disk(1)}).collinear.value);
  for (int i = 0; i < 20; ++i) {
    const PlanarSet set = i % 2 ? PlanarSet(StadiumKind::make(random)) : PlanarSet(SuperellipseKind::make(random));
    const LawProperties p = law_properties({set, set.scaled(0.013)});
    INFO(set.description());
    CHECK(p.associated.value);
    CHECK(p.monotone.value);
  }
  // A superellipse of exponent 2 is an ellipse, whatever its type.
  CHECK(law_properties({Superellipse(0.4, 0.2, 2, 0.3), Ellipse(2, 1, 0.3)}).associated.value);
  CHECK_FALSE(law_properties({Superellipse(0.4, 0.2, 2.001, 0.3), Ellipse(2, 1, 0.3)}).associated.value);
}

TEST_CASE("a law that is not monotone shows two slip states of its own that violate it") {
  Random random(46);
  for (int i = 0; i < 60; ++i) {
    const PlanarSet c = i % 3 == 0 ? PlanarSet(Wedge(1.2, radians(36), 0.3)) : PlanarSet(EllipseKind::make(random));
    const PlanarSet d = i % 2 == 0 ? PlanarSet(RectangleKind::make(random)) : PlanarSet(EllipseKind::make(random));
    const FrictionLaw law(c, d);
    const LawProperties p = law_properties(law);
    CHECK_FALSE(p.monotone.value);
    REQUIRE(p.not_monotone.size() == 2);
    const SlipState &a = p.not_monotone[0], &b = p.not_monotone[1];
    CHECK((a.resistance - b.resistance).dot(a.slip_velocity - b.slip_velocity) < 0);
    for (const SlipState& state : {a, b})
      CHECK(law_defect(law, state.slip_velocity, state.resistance) < 1e-9 * aspect(d) * aspect(d) * aspect(c));
  }
}

TEST_CASE("rate dependence: falling laws are not monotone, and say so") {
  const FrictionLaw falling = isotropic(0.4).with_stribeck({1.5, 2});
  const LawProperties p = law_properties(falling);
  CHECK(p.falling.value);
  CHECK_FALSE(p.monotone.value);
  REQUIRE(p.not_monotone.size() == 2);
  const SlipState &a = p.not_monotone[0], &b = p.not_monotone[1];
  CHECK((a.resistance - b.resistance).dot(a.slip_velocity - b.slip_velocity) < 0);
  CHECK((a.resistance - slip_resistance(falling, a.slip_velocity)).norm() == 0);
  // Negative damping: the resistance along the slip falls as the slip speeds up, whatever Theorem 1 says of the sets.
  for (const double angle : {0.0, 1.0, 4.0})
    CHECK((slip_resistance(falling, 1.01 * unit(angle)) - slip_resistance(falling, unit(angle))).dot(unit(angle)) < 0);
  CHECK(p.can_destabilise.value);
  CHECK(p.can_destabilise.why.find("falls with the slip speed") != std::string::npos);
  CHECK_FALSE(law_properties(isotropic(0.4)).can_destabilise.value);
  CHECK_FALSE(law_properties(isotropic(0.4).with_stribeck({0.5, 2})).can_destabilise.value);

  // A law that is neither associated nor falling: the states are of the law with its rate dependence.
  const FrictionLaw other = FrictionLaw(Ellipse(0.4, 0.2, 0.5), Ellipse(3, 1)).with_stribeck({0.2, 5});
  const auto states = monotonicity_violation(other);
  REQUIRE(states.size() == 2);
  CHECK(monotonicity_product(states[0], states[1]) < 0);
  for (const SlipState& state : states)
    CHECK((slip_resistance(other, state.slip_velocity) - state.resistance).norm() < 1e-12);

  const LawProperties rising = law_properties(isotropic(0.4).with_stribeck({0.5, 2}));
  CHECK_FALSE(rising.falling.value);
  CHECK(rising.monotone.value);
  const LawProperties thick = law_properties(isotropic(0.4).with_stribeck({1.5, 2, 0.3}));
  CHECK_FALSE(thick.falling.value);
  CHECK(thick.monotone.value);
  const FrictionLaw both = FrictionLaw(Ellipse(0.4, 0.2, 0.5), Ellipse(3, 1)).with_stribeck({1.5, 2, 0.01});
  for (const SlipState& state : monotonicity_violation(both))
    CHECK((slip_resistance(both, state.slip_velocity) - state.resistance).norm() < 1e-12);
  // A rectangle's corner cannot follow a rising characteristic: the resistance grows across the slip, too.
  CHECK_FALSE(law_properties(two_sign(0.4, 0.2).with_stribeck({0.5, 2})).monotone.value);
}
