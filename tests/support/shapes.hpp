// Random shapes over the whole range of their parameters, and boundary points by another way than the gauge:
// straight from the definition in words.
#pragma once

#include "slipset/sets/planar_set.hpp"
#include "tests/support/random.hpp"

namespace slipset::test {

inline Vec2 turn(const Vec2& own, double angle) {
  const Vec2 axis = unit_at_degrees(degrees(angle));
  return {axis.x() * own.x() - axis.y() * own.y(), axis.y() * own.x() + axis.x() * own.y()};
}

// Semi-axes with aspect ratios to 10³, and sizes over four decades.
inline Vec2 random_axes(Random& random) {
  const double size = random.log_uniform(1e-2, 1e2), aspect = random.log_uniform(1, 1e3);
  return random.coin() ? Vec2(size, size / aspect) : Vec2(size / aspect, size);
}
inline double random_angle(Random& random) { return random.integer(0, 3) == 0 ? 0 : random.uniform(-4, 4); }

struct DiskKind {
  static Disk make(Random& random) { return Disk(random.log_uniform(1e-2, 1e2)); }
  static Vec2 boundary(const Disk& s, Random& random) { return s.radius() * unit(random.uniform(0, 7)); }
};

struct EllipseKind {
  static Ellipse make(Random& random) {
    const Vec2 a = random_axes(random);
    return {a.x(), a.y(), random_angle(random)};
  }
  static Vec2 boundary(const Ellipse& s, Random& random) {
    const double tau = random.uniform(0, 7);
    return turn({s.semi_axes().x() * std::cos(tau), s.semi_axes().y() * std::sin(tau)}, s.angle());
  }
};

struct SuperellipseKind {
  static double exponent(Random& random) {
    if (random.integer(0, 3) == 0) return random.coin() ? 1 : 2;
    return random.coin() ? random.log_uniform(1, 50) : 1 + random.log_uniform(1e-2, 1);
  }
  static Superellipse make(Random& random) {
    const Vec2 a = random_axes(random);
    return {a.x(), a.y(), exponent(random), random_angle(random)};
  }
  static Vec2 boundary(const Superellipse& s, Random& random) {
    const double share = random.uniform(0, 1);  // of the first power in the sum
    const double x = std::pow(share, 1 / s.exponent()), y = std::pow(1 - share, 1 / s.exponent());
    return turn({s.semi_axes().x() * (random.coin() ? x : -x), s.semi_axes().y() * (random.coin() ? y : -y)},
                s.angle());
  }
};

// In its own axes, where points next to an axis keep all their digits.
struct UnturnedSuperellipseKind : SuperellipseKind {
  static Superellipse make(Random& random) {
    const Vec2 a = random_axes(random);
    return {a.x(), a.y(), exponent(random)};
  }
};

struct RectangleKind {
  static Rectangle make(Random& random) {
    const Vec2 a = random_axes(random);
    return {a.x(), a.y(), random_angle(random)};
  }
  static Vec2 boundary(const Rectangle& s, Random& random) {
    const double along = random.uniform(-1, 1), side = random.coin() ? 1 : -1;
    const Vec2 own = random.coin() ? Vec2(along, side) : Vec2(side, along);
    return turn(own.cwiseProduct(s.semi_axes()), s.angle());
  }
};

struct StadiumKind {
  static Stadium make(Random& random) {
    const double w = random.log_uniform(1e-2, 1e2);
    return {w * random.log_uniform(1e-1, 3e2), w, w * random.log_uniform(1e-1, 3e2), random_angle(random)};
  }
  static Vec2 boundary(const Stadium& s, Random& random) {
    const double side = random.coin() ? 1 : -1;
    if (random.coin()) return turn({s.half_length() * random.uniform(-1, 1), side * s.half_width()}, s.angle());
    const double tau = random.uniform(-kPi / 2, kPi / 2);
    return turn({side * (s.half_length() + s.cap() * std::cos(tau)), s.half_width() * std::sin(tau)}, s.angle());
  }
};

struct PolygonKind {  // convex: vertices on an ellipse
  static Polygon make(Random& random) {
    const Vec2 a = random_axes(random);
    const int n = random.integer(3, 12);
    std::vector<Vec2> vertices;
    for (int i = 0; i < n; ++i) vertices.push_back(unit(2 * kPi * (i + random.uniform(0, 0.4)) / n).cwiseProduct(a));
    return Polygon(vertices, random_angle(random));
  }
  static Vec2 boundary(const Polygon& s, Random& random) {
    const auto n = s.vertices().size();
    const auto i = static_cast<std::size_t>(random.integer(0, static_cast<int>(n) - 1));
    const double share = random.uniform(0, 1);
    return turn(share * s.vertices()[i] + (1 - share) * s.vertices()[(i + 1) % n], s.angle());
  }
};

struct PolarKind {  // a convex curve: support function 1 + small waves, so that its radius of curvature is positive
  static constexpr int kPoints = 90;
  static PolarCurve make(Random& random) {
    const double size = random.log_uniform(1e-2, 1e2);
    double c[3], phase[3];
    for (int k = 0; k < 3; ++k) {
      c[k] = random.uniform(0, 0.25) / ((k + 2) * (k + 2) - 1);
      phase[k] = random.uniform(0, 7);
    }
    std::vector<double> angles, radii;
    for (int i = 0; i < kPoints; ++i) {
      const double phi = 2 * kPi * (i + random.uniform(0, 0.2)) / kPoints;
      double h = 1, dh = 0;
      for (int k = 0; k < 3; ++k) {
        h += c[k] * std::cos((k + 2) * phi + phase[k]);
        dh -= c[k] * (k + 2) * std::sin((k + 2) * phi + phase[k]);
      }
      const Vec2 p = size * (h * unit(phi) + dh * turn_left(unit(phi)));
      angles.push_back(angle_of(p));
      radii.push_back(p.norm());
    }
    return {angles, radii, random_angle(random)};
  }
};

struct WedgeKind {  // convex: μ tan β ≤ 1/√2
  static Wedge make(Random& random) {
    const double slope = random.uniform(0, 1.5);
    const Wedge w(random.uniform(0.01, std::sqrt(0.5)) / std::max(std::tan(slope), 0.1), slope, random_angle(random));
    return w.scaled(random.log_uniform(1e-2, 1e2));
  }
  static Vec2 boundary(const Wedge& s, Random& random) {  // [WL19 50]
    const double theta = random.uniform(0, 7), c = std::cos(theta), sn = std::sin(theta);
    const double mu = s.friction(), cb = std::cos(s.slope()), sb = std::sin(s.slope());
    const double r = mu / cb * std::sqrt(cb * cb * c * c + sn * sn) / (sn * sn + (1 - (1 + mu * mu) * sb * sb) * c * c);
    return turn(s.size() * r * Vec2(c, sn), s.angle());
  }
};

struct NormMixKind {  // convex weights
  static NormMix make(Random& random) {
    const Vec2 a = random_axes(random);
    const double w2 = random.uniform(0.05, 3);
    return {a.x(), a.y(), w2, random.uniform(-0.39 * w2, 3), random_angle(random)};
  }
};

}  // namespace slipset::test
