// Friction in your own ordinary differential equation: a mass on springs, pulled to and fro on a table whose
// friction depends on direction. Quinn's law needs the balance resistance: what would hold the mass at rest.
#include <fmt/format.h>

#include "slipset/laws/regularized_planar.hpp"

using namespace slipset;

int main() {
  const double mass = 1, stiffness = 20, normal_force = 10;
  const RegularizedLaw law(FrictionLaw(Ellipse(0.4, 0.2), Ellipse(0.4, 0.2)), {Regularization::quinn, 1e-3});

  // Acceleration at time t. `load` is all that acts on the mass but friction.
  const auto acceleration = [&](double t, const Vec2& q, const Vec2& u) -> Vec2 {
    const Vec2 load = Vec2(5, 3) * std::sin(t) - stiffness * q;
    return (load - normal_force * law.resistance(u, load / normal_force)) / mass;
  };

  Vec2 q(0, 0), u(0, 0);
  const double h = 1e-4;
  fmt::print("     t        x        y    speed\n");
  for (int step = 0; step <= 40000; ++step) {
    const double t = step * h;
    if (step >= 10000 && step % 5000 == 0) fmt::print("{:6.1f} {:8.4f} {:8.4f} {:8.4f}\n", t, q.x(), q.y(), u.norm());
    const Vec2 a1 = acceleration(t, q, u);
    const Vec2 u2 = u + h / 2 * a1, a2 = acceleration(t + h / 2, q + h / 2 * u, u2);
    const Vec2 u3 = u + h / 2 * a2, a3 = acceleration(t + h / 2, q + h / 2 * u2, u3);
    const Vec2 u4 = u + h * a3, a4 = acceleration(t + h, q + h * u3, u4);
    q += h / 6 * (u + 2 * u2 + 2 * u3 + u4);
    u += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
}
