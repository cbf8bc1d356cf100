// A set of a user's own: one that is an ellipse has all that the ellipse has.
#include "slipset/sets/user_set.hpp"

#include <doctest/doctest.h>

#include "tests/support/near.hpp"
#include "tests/support/random.hpp"
#include "tests/support/user_ellipse.hpp"

using namespace slipset;
using namespace slipset::test;

TEST_CASE("S.20 a set by its radius alone: gauge, support, projection and cones of the ellipse that it is") {
  Random random(301);
  Worst worst;
  const auto off = [&](double difference) { worst.add(difference); };
  for (int k = 0; k < 200; ++k) {
    const double a = random.uniform(0.2, 1), b = a * random.uniform(0.2, 1), angle = random.uniform(0, 6);
    const double size = random.uniform(0.5, 2);
    const PlanarSet own = PlanarSet(user_ellipse(a, b)).turned(angle).scaled(size),
                    ellipse = Ellipse(size * a, size * b, angle);
    CHECK(own.is_convex());
    CHECK(own.area() == near(ellipse.area(), 1e-12));
    for (int i = 0; i < 20; ++i) {
      const Vec2 t(random.uniform(-2, 2), random.uniform(-2, 2));
      off(std::abs(own.gauge(t) / ellipse.gauge(t) - 1));
      off((own.gauge_gradient(t) - ellipse.gauge_gradient(t)).norm() / ellipse.gauge_gradient(t).norm());
      off((*own.gauge_hessian(t) - *ellipse.gauge_hessian(t)).norm() / ellipse.gauge_hessian(t)->norm());
      off(std::abs(own.support(t) / ellipse.support(t) - 1));
      off((own.support_point(t) - ellipse.support_point(t)).norm() / (size * a));
      off((*own.support_hessian(t) - *ellipse.support_hessian(t)).norm() / ellipse.support_hessian(t)->norm());
      off((own.project(t) - ellipse.project(t)).norm() / (size * a));
      off(std::abs(wrap_to_pi(own.normal_cone(t).from - ellipse.normal_cone(t).from)));
    }
  }
  show_worst("user set", "against the ellipse", worst.value());
  CHECK(worst.value() <
        1e-10);  // measured 5e-14 and less; a root of an equation for the angle, times the aspect ratio squared
  CHECK(PlanarSet(user_ellipse(1, 0.5)).name() == "user");
  CHECK(PlanarSet(user_ellipse(1, 0.5)).scaled(2).description() == "a user's ellipse, scaled by 2");
}

namespace {

struct Bean final : UserShape {
  LogRadius log_radius(double angle) const override {
    return {0.5 * std::cos(2 * angle), -std::sin(2 * angle), -2 * std::cos(2 * angle)};
  }
};

// Thin at the angle 0, where the search for arcs begins and ends.
struct TurnedBean final : UserShape {
  LogRadius log_radius(double angle) const override {
    return {-0.5 * std::cos(2 * angle), std::sin(2 * angle), 2 * std::cos(2 * angle)};
  }
};

struct Broken final : UserShape {
  LogRadius log_radius(double) const override { return {NAN, 0, 0}; }
};

}  // namespace

TEST_CASE("a set of one's own that is not convex is one, and one that is not finite is refused") {
  const UserSet bean(std::make_shared<Bean>());
  CHECK(!bean.is_convex());
  CHECK(bean.nonconvex_arcs().size() == 2);
  CHECK_THROWS_AS(bean.support(Vec2(1, 0)), InvalidInput);
  // 1 + ρ'² - ρ'' < 0 for cos 2τ > √3 - 1: within 21.47° of the two thin places.
  const UserSet turned(std::make_shared<TurnedBean>());
  const auto is_nonconvex_at = [&](double angle) {
    for (const AngleInterval& arc : turned.nonconvex_arcs())
      if (arc.contains(radians(angle))) return true;
    return false;
  };
  for (const double angle : {-21.0, -10.0, 0.0, 10.0, 21.0, 159.0, 180.0, 201.0}) CHECK(is_nonconvex_at(angle));
  for (const double angle : {-22.0, 22.0, 45.0, 90.0, 158.0, 202.0, 270.0}) CHECK_FALSE(is_nonconvex_at(angle));
  CHECK_THROWS_AS(UserSet(std::make_shared<Broken>()), InvalidInput);
  CHECK_THROWS_AS(UserSet(nullptr), InvalidInput);
  CHECK_THROWS_AS(user_ellipse(1, 0.5).scaled(0), InvalidInput);
}
