// Complete defects of every shape over random sets, points and directions.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>
#include <type_traits>

#include "slipset/testing/set_checks.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shapes.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// A curve through points takes a hundred times as long to make as to ask.
template <class Kind>
constexpr int samples_per_set = std::is_same_v<Kind, PolarKind> ? 10 : 1;

// The worst value of defect(set, random) / condition(set) over the samples.
template <class Kind, class Defect>
double worst(unsigned seed, const Defect& defect) {
  Random random(seed);
  Worst most;
  std::optional<decltype(Kind::make(random))> set;
  for (int i = 0; i < sample_count(); ++i) {
    if (i % samples_per_set<Kind> == 0) set.emplace(Kind::make(random));
    most.add(defect(*set, random));
  }
  CHECK(most.count() == sample_count());
  return most.value();
}

// A point at a random distance, from deep inside to far outside, often next to an axis or to the boundary.
template <class Set>
Vec2 random_point(const Set& set, Random& random) {
  const Vec2 u = random.direction(set.angle());
  const double factor =
      random.coin() ? random.log_uniform(1e-2, 1e3) : 1 + random.log_uniform(1e-12, 1) * (random.coin() ? 1 : -0.9);
  return u * (factor / set.gauge(u));
}

}  // namespace

// The worst over 10⁶ samples a shape, over the condition: gauge 6.7e-15, support 8.6e-14, normality 9.3e-16,
// gradient 2.2e-14, polarity 1.1e-14, projection 1.1e-12 (a polygon with the origin next to a side; 1.9e-15 for the
// other shapes), its first order 1.8e-15, curvature 1.7e-12, digits next to an axis 1.7e-13.
using AllKinds = std::tuple<DiskKind, EllipseKind, SuperellipseKind, RectangleKind, StadiumKind, PolygonKind, PolarKind,
                            WedgeKind, NormMixKind>;
using AnchoredKinds =
    std::tuple<DiskKind, EllipseKind, SuperellipseKind, RectangleKind, StadiumKind, PolygonKind, WedgeKind>;
using CurvedKinds =
    std::tuple<DiskKind, EllipseKind, UnturnedSuperellipseKind, StadiumKind, PolarKind, WedgeKind, NormMixKind>;

TEST_CASE_TEMPLATE_DEFINE("S.1 the gauge is one on the boundary", Kind, on_boundary) {
  const double w = worst<Kind>(1, [](const auto& set, Random& random) {
    return std::abs(set.gauge(Kind::boundary(set, random)) - 1) / aspect(set);
  });
  show_worst("gauge on the boundary", typeid(Kind).name(), w);
  CHECK(w < 1e-13);
}
TEST_CASE_TEMPLATE_APPLY(on_boundary, AnchoredKinds);

TEST_CASE_TEMPLATE_DEFINE("S.5 support_point reaches the support function", Kind, support) {
  const double w = worst<Kind>(2, [](const auto& set, Random& random) {
    return support_defect(set, random.log_uniform(1e-9, 1e9) * random.direction(set.angle())) / aspect(set);
  });
  show_worst("support", typeid(Kind).name(), w);
  CHECK(w < 1e-13);
}
TEST_CASE_TEMPLATE_APPLY(support, AllKinds);

TEST_CASE_TEMPLATE_DEFINE("S.5 the slip direction is normal at support_point", Kind, normality) {
  const double w = worst<Kind>(3, [](const auto& set, Random& random) {
    const double condition = aspect(set) * aspect(set);
    return normality_defect(set, random.direction(set.angle())) / condition;
  });
  show_worst("normality", typeid(Kind).name(), w);
  CHECK(w < 1e-12);
}
TEST_CASE_TEMPLATE_APPLY(normality, AllKinds);

TEST_CASE_TEMPLATE_DEFINE("S.3 the gauge's gradient is a subgradient", Kind, gradient) {
  const double w = worst<Kind>(
      4, [](const auto& set, Random& random) { return gradient_defect(set, random_point(set, random)) / aspect(set); });
  show_worst("gradient", typeid(Kind).name(), w);
  CHECK(w < 1e-13);
}
TEST_CASE_TEMPLATE_APPLY(gradient, AllKinds);

TEST_CASE_TEMPLATE_DEFINE("gauge and support are polar to each other", Kind, polar) {
  const double w = worst<Kind>(5, [](const auto& set, Random& random) {
    const Vec2 t = random_point(set, random);
    const Vec2 v = random.coin()
                       ? random.direction(set.angle())
                       : Vec2(set.gauge_gradient(t) + 1e-3 * random.uniform(-1, 1) * turn_left(set.gauge_gradient(t)));
    return polar_defect(set, t, v) / aspect(set);
  });
  show_worst("polarity", typeid(Kind).name(), w);
  CHECK(w < 1e-13);
}
TEST_CASE_TEMPLATE_APPLY(polar, AllKinds);

TEST_CASE_TEMPLATE_DEFINE("S.7 project gives the closest point", Kind, projection) {
  const double w = worst<Kind>(6, [](const auto& set, Random& random) {
    const Vec2 x = random_point(set, random), p = set.project(x);
    const double r_max = set.radius(0) * aspect(set);
    return projection_defect(set, x, p, r_max) / aspect(set);
  });
  show_worst("projection", typeid(Kind).name(), w);
  CHECK(w < 1e-11);
}
TEST_CASE_TEMPLATE_APPLY(projection, AllKinds);

TEST_CASE_TEMPLATE_DEFINE("S.7 project to first order", Kind, slant) {
  const double w = worst<Kind>(7, [](const auto& set, Random& random) {
    const Vec2 x = random_point(set, random);
    return projection_slant(set, x, set.project(x)) / (aspect(set) * aspect(set));
  });
  show_worst("projection, first order", typeid(Kind).name(), w);
  CHECK(w < 1e-12);
}
TEST_CASE_TEMPLATE_APPLY(slant, AllKinds);

TEST_CASE_TEMPLATE_DEFINE("S.4 S.6 curvature of the gauge and of the support function agree", Kind, curvature) {
  int compared = 0;
  const double w = worst<Kind>(8, [&](const auto& set, Random& random) {
    const auto defect = curvature_defect(set, unit(random.uniform(0, 7)));
    compared += defect.has_value();
    return defect.value_or(0) / (aspect(set) * aspect(set));
  });
  show_worst("curvature", typeid(Kind).name(), w);
  CHECK(w < 1e-11);
  CHECK(compared > sample_count() / 2);
}
TEST_CASE_TEMPLATE_APPLY(curvature, CurvedKinds);

// Exponents near 1 and 50, points within 1e-12 of an axis: the gradient at support_point(v) is along v to the last
// digits of its small component, too.
TEST_CASE("superellipse: normals next to an axis keep their digits") {
  const double w = worst<UnturnedSuperellipseKind>(9, [](const Superellipse& set, Random& random) {
    if (set.exponent() == 1) return 0.0;
    const Vec2 v = random.direction(0), z = set.support_point(v);
    if (std::abs(z.x()) < 1e-290 || std::abs(z.y()) < 1e-290) return 0.0;  // underflow of a power
    const Vec2 g = set.gauge_gradient(z) * set.support(v);
    return std::abs(g.x() / v.x() - 1) + std::abs(g.y() / v.y() - 1);
  });
  show_worst("digits next to an axis", "Superellipse", w);
  CHECK(w < 1e-12);
}
