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
  // Viscosity that leaves a fall by a thousandth of itself about v_s/√2, and one that leaves none.
  const double fall = std::sqrt(2 / std::exp(1.0)) * 0.5 / 2;
  const FrictionLaw hardly = isotropic(0.4).with_stribeck({1.5, 2, 0.999 * fall});
  CHECK(monotonicity_violation(hardly).size() == 2);
  CHECK_FALSE(law_properties(hardly).monotone.value);
  CHECK(law_properties(isotropic(0.4).with_stribeck({1.5, 2, 1.001 * fall})).monotone.value);
  // A rectangle's corner cannot follow a rising characteristic: the resistance grows across the slip, too.
  CHECK_FALSE(law_properties(two_sign(0.4, 0.2).with_stribeck({0.5, 2})).monotone.value);
}

// (L.5) of an ellipse in closed form: h'²/(4 h (h + h")) is largest at 45 degrees, (a² - b²)²/(16 a² b²). Viscous
// friction alone has |v| f'/f up to 1, in the limit of fast slip: monotone up to a/b - b/a = 4, that is a/b = 2 + √5.
TEST_CASE("L.5 a rising ellipse is monotone up to the axis ratio of the closed form, whatever the viscosity") {
  const double critical = 2 + std::sqrt(5.0);
  for (const double viscous : {1e-6, 0.5, 1.0, 2.0, 5.0, 1e6})
    for (const double off : {-1e-3, 1e-3}) {
      const LawProperties p =
          law_properties(associated(Ellipse(0.3 * (critical + off), 0.3, 0.4)).with_stribeck({1, 0.1, viscous}));
      INFO("viscous ", viscous, ", off by ", off, ": ", p.monotone.why);
      CHECK(p.monotone.value == (off < 0));
    }
  CHECK(allowed_rise(associated(Ellipse(0.6, 0.1))).value == near(16 * 0.0036 / (0.35 * 0.35), 1e-10));
  CHECK(allowed_rise(associated(Rectangle(0.6, 0.1))).value == 0);
  CHECK(allowed_rise(associated(Rectangle(0.3, 0.3))).value == 0);  // at the corner's middle h' = 0, too
  CHECK(std::isinf(allowed_rise(isotropic(0.3)).value));

  // From 0 (no rate dependence) over 1 (viscous) to 2, where the resistance starts from nothing like x².
  CHECK(steepest_rise({1, 1}) == 0);
  CHECK(steepest_rise({1, 3, 0.2}) == 1);
  CHECK(steepest_rise({1e-12, 3}) == near(2, 1e-4));
  // Without viscosity, x = (v/v_s)²: the largest 2 (1 - x) is where 1 - x = (1 - ratio) exp(-x).
  for (const double x : {0.4, 0.5, 0.7, 0.95})
    CHECK(steepest_rise({1 - (1 - x) * std::exp(x), 3}) == near(2 * (1 - x), 1e-12));
  double sampled = 0;
  const Stribeck rate{0.3, 2, 0.1};
  for (int i = 1; i < 400000; ++i) {
    const double v = 1e-4 * i, r = v * rate.slope(v) / rate.factor(v);
    sampled = r > sampled ? r : sampled;
  }
  CHECK(steepest_rise(rate) == near(sampled < 1 ? 1 : sampled, 1e-7));
}

TEST_CASE("a viscous ellipse is not monotone: the two states of a user's record, and two of its own") {
  const Vec2 v(1.6334474861509682, 2.358241188704693), w(1.7154738394246345, 2.175835932835725);
  // Viscosity that counts from 1e8 times the Stribeck velocity on, and from 1e-7 of it.
  for (const double viscous : {0.5, 1.0, 2.0, 5.0, 1e-7, 1e8}) {
    const FrictionLaw law = associated(Ellipse(0.6, 0.1)).with_stribeck({1, 0.1, viscous});
    if (viscous == 2) CHECK((slip_resistance(law, v) - slip_resistance(law, w)).dot(v - w) == near(-0.00333, 2e-3));
    const LawProperties p = law_properties(law);
    CHECK_FALSE(p.monotone.value);
    REQUIRE(p.not_monotone.size() == 2);
    CHECK(monotonicity_product(p.not_monotone[0], p.not_monotone[1]) < 0);
    for (const SlipState& state : p.not_monotone)
      CHECK((slip_resistance(law, state.slip_velocity) - state.resistance).norm() == 0);
  }
}

// Whatever is called monotone has no counterexample, over all scales of speed.
TEST_CASE("monotone laws, with and without rate dependence: no two of many velocities violate it") {
  Random random(48);
  int monotone = 0, not_monotone = 0;
  for (int i = 0; i < 120; ++i) {
    const double b = random.log_uniform(0.12, 1), turn = random.uniform(0, 7);
    const PlanarSet set = i % 4 == 0   ? PlanarSet(Superellipse(1, b, random.uniform(1.3, 6), turn))
                          : i % 4 == 1 ? PlanarSet(Stadium(0.5, b, b, turn))
                                       : PlanarSet(Ellipse(1, b, turn));
    const Stribeck rate{random.log_uniform(0.05, 1.5), random.log_uniform(1e-3, 10),
                        random.coin() ? 0 : random.log_uniform(1e-3, 1e3)};
    const FrictionLaw law = associated(set).with_stribeck(rate);
    const LawProperties p = law_properties(law);
    (p.monotone.value ? monotone : not_monotone)++;
    if (!p.monotone.value) continue;
    INFO(set.description(), ", static ", rate.static_ratio, ", velocity ", rate.velocity, ", viscous ", rate.viscous,
         ": ", p.monotone.why);
    Least least;
    for (int k = 0; k < 4000; ++k) {
      const Vec2 v = random.log_uniform(1e-6, 1e6) * unit(random.uniform(0, 7));
      const Vec2 w = v + random.log_uniform(1e-4, 3) * v.norm() * unit(random.uniform(0, 7));
      const Vec2 ds = slip_resistance(law, v) - slip_resistance(law, w);
      least.add(ds.dot(v - w) / ((slip_resistance(law, v).norm() + slip_resistance(law, w).norm()) * (v - w).norm()));
    }
    CHECK(least.value() > -1e-12);
  }
  CHECK(monotone > 10);
  CHECK(not_monotone > 10);
}

// The growth rate of m·I on springs K in steady sliding at v, with a normal force of 1: eigenvalues of the first-order
// form.
namespace {

double growth(const FrictionLaw& law, const Mat2& stiffness, const Vec2& v) {
  const auto damping = slip_jacobian(law, v);
  REQUIRE(damping.has_value());
  Eigen::Matrix4d a = Eigen::Matrix4d::Zero();
  a.topRightCorner<2, 2>().setIdentity();
  a.bottomLeftCorner<2, 2>() = -stiffness;
  a.bottomRightCorner<2, 2>() = -*damping;
  return Eigen::EigenSolver<Eigen::Matrix4d>(a).eigenvalues().real().maxCoeff<Eigen::PropagateNaN>();
}

}  // namespace

TEST_CASE("can_destabilise is Theorem 2; a no for a law that is not monotone says what is left") {
  // Collinear: nowhere into the tangent cone, stable on equal springs, unstable on others.
  const FrictionLaw along = collinear(Ellipse(0.6, 0.1));
  Mat2 k;
  k << 4558.916984981957, -4979.9603101679, -4979.9603101679, 5442.083015018044;
  const Vec2 v = -2 * unit(radians(187.25));
  CHECK(growth(along, k, v) == near(0.11934, 1e-4));
  CHECK(growth(along, Mat2::Identity(), v) < 1e-9);
  const LawProperties of_along = law_properties(along);
  CHECK_FALSE(of_along.can_destabilise.value);
  CHECK(of_along.can_destabilise.why.find("not monotone") != std::string::npos);
  CHECK(of_along.can_destabilise.why.find("stiffness that differs with direction") != std::string::npos);

  // Associated with viscous friction: Theorem 1 is not of such laws.
  const FrictionLaw thick = associated(Ellipse(0.6, 0.1)).with_stribeck({1, 0.1, 100});
  k << 82086.30990228007, 38339.683177510895, 38339.683177510895, 17943.69009771993;
  const Vec2 fast = -2 * unit(radians(234.5));
  CHECK(growth(thick, k, fast) == near(2.567, 1e-3));
  CHECK(growth(thick, Mat2::Identity(), fast) < 1e-9);
  const LawProperties of_thick = law_properties(thick);
  CHECK_FALSE(of_thick.can_destabilise.value);
  CHECK(of_thick.can_destabilise.why.find("Theorem 1") == std::string::npos);
  CHECK(of_thick.can_destabilise.why.find("not monotone") != std::string::npos);

  CHECK(law_properties(associated(Ellipse(0.6, 0.1))).can_destabilise.why.find("Theorem 1") != std::string::npos);
  const LawProperties safe = law_properties(isotropic(0.3).with_stribeck({1, 0.1, 100}));
  CHECK(safe.can_destabilise.why.find("the law is monotone with its rate dependence") != std::string::npos);
  CHECK(safe.can_destabilise.why.find("Theorem 1") == std::string::npos);
}

// A monotone law is safe on any springs: B + Bᵀ is not negative.
TEST_CASE("monotone laws are stable on random springs in steady sliding") {
  Random random(49);
  for (int i = 0; i < 40; ++i) {
    const FrictionLaw law =
        associated(Ellipse(1, random.log_uniform(0.25, 1), random.uniform(0, 7)))
            .with_stribeck({random.uniform(0.8, 1), random.log_uniform(0.1, 10), random.log_uniform(1e-2, 10)});
    if (!law_properties(law).monotone.value) continue;
    for (int j = 0; j < 50; ++j) {
      const Vec2 stiff = unit(random.uniform(0, 7));
      const Mat2 k = random.log_uniform(1, 1e4) * stiff * stiff.transpose() + Mat2::Identity();
      CHECK(growth(law, k, random.log_uniform(1e-2, 1e2) * unit(random.uniform(0, 7))) < 1e-6);
    }
  }
}
