// Models of C and of D by themselves.
#include "slipset/identification/flow_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

// So close to an axis the flow of a superellipse has no derivative in practice [rad].
constexpr double kNearAxis = 1e-9;

class SuperellipseReservoir : public ReservoirModel {
 public:
  bool is_superellipse() const override { return true; }
  int size() const override { return 4; }

  double evaluate(double theta, const double* p, double& slope, double* derivatives) const override {
    const double s = p[2], c = std::cos(theta - p[3]), n = std::sin(theta - p[3]);
    const double x = std::log(std::max(std::abs(c), 1e-300)) - p[0], y = std::log(std::max(std::abs(n), 1e-300)) - p[1];
    const double large = std::max(x, y);
    const double ex = std::exp(s * (x - large)), ey = std::exp(s * (y - large)), sum = ex + ey;
    const double log_sum = s * large + std::log(sum), wx = ex / sum, wy = ey / sum;
    slope = (std::abs(c) > kNearAxis ? wx * n / c : 0) - (std::abs(n) > kNearAxis ? wy * c / n : 0);
    derivatives[0] = wx;
    derivatives[1] = wy;
    derivatives[2] = (log_sum / s - ((wx > 0 ? wx * x : 0) + (wy > 0 ? wy * y : 0))) / s;
    derivatives[3] = -slope;
    return -log_sum / s;
  }

  PlanarSet set(const double* p) const override {
    const double a = std::exp(p[0]), b = std::exp(p[1]), s = p[2];
    if (s == 2) return a == b ? PlanarSet(Disk(a)) : PlanarSet(Ellipse(a, b, p[3]));
    return Superellipse(a, b, s, p[3]);
  }
};

class SuperellipseDirection : public DirectionModel {
 public:
  bool is_superellipse() const override { return true; }
  int size() const override { return 3; }

  double evaluate(double phi, const double* p, double* derivatives) const override {
    const double m = 1 / (p[1] - 1), nu = phi - p[2];
    const double c = std::cos(nu), n = std::sin(nu);
    if (std::min(std::abs(c), std::abs(n)) < kNearAxis && derivatives != nullptr) {
      // Next to an axis the deflection is nearly zero, and its derivatives are taken from the side.
      const double side = nu + (c * n < 0 ? -2 : 2) * kNearAxis;
      evaluate(side + p[2], p, derivatives);
      return evaluate(phi, p, nullptr);
    }
    if (c == 0 || n == 0) return 0;
    const double log_tan = std::log(std::abs(n / c)), u = m * log_tan - (1 + m) * p[0];
    const double size = std::exp(-std::abs(u)), root = std::sqrt(1 + size * size);
    const double cos_tau = (u > 0 ? size : 1) / root, sin_tau = (u > 0 ? 1 : size) / root, both = cos_tau * sin_tau;
    // τ - ν, both in one quadrant: sin and cos of the difference of the acute angles.
    const double ac = std::abs(c), an = std::abs(n), sign = (c < 0) == (n < 0) ? 1 : -1;
    if (derivatives != nullptr) {
      derivatives[0] = -sign * (1 + m) * both;
      derivatives[1] = -sign * m * m * (log_tan - p[0]) * both;
      derivatives[2] = 1 - m * both / (ac * an);
    }
    return sign * std::atan2(sin_tau * ac - cos_tau * an, cos_tau * ac + sin_tau * an);
  }

  PlanarSet set(const double* p) const override {
    const double q = std::exp(p[0]), s = p[1];
    if (s == 2) return p[0] == 0 ? PlanarSet(Disk(1)) : PlanarSet(Ellipse(q, 1, p[2]));
    return Superellipse(q, 1, s, p[2]);
  }
};

// 720 points, or fewer where the curve turns slowly, are a smooth curve for the eye and for the integrators.
PolarCurve curve_through(int points, const std::function<Vec2(double)>& point) {
  std::vector<double> angles, radii;
  for (int i = 0; i < points; ++i) {
    const Vec2 polar = point(2 * kPi * i / points);
    angles.push_back(polar.x());
    radii.push_back(polar.y());
  }
  return {angles, radii};
}

class FourierReservoir : public ReservoirModel {
 public:
  explicit FourierReservoir(int order) : order_(order) {}
  int size() const override { return 2 * order_ + 1; }

  double evaluate(double theta, const double* p, double& slope, double* derivatives) const override {
    double rho = p[0];
    slope = 0;
    derivatives[0] = 1;
    const std::complex<double> turn = std::polar(1.0, theta);
    std::complex<double> power = 1;
    for (int k = 1; k <= order_; ++k) {
      power *= turn;
      derivatives[2 * k - 1] = power.real();
      derivatives[2 * k] = power.imag();
      rho += p[2 * k - 1] * power.real() + p[2 * k] * power.imag();
      slope += k * (p[2 * k] * power.real() - p[2 * k - 1] * power.imag());
    }
    return rho;
  }
  PlanarSet set(const double* p) const override {
    std::vector<double> unused(static_cast<std::size_t>(size()));
    double slope = 0;
    return curve_through(std::max(72, 24 * order_),
                         [&](double a) { return Vec2(a, std::exp(evaluate(a, p, slope, unused.data()))); });
  }

 private:
  int order_;
};

class SplineReservoir : public ReservoirModel {
 public:
  explicit SplineReservoir(int pieces) : pieces_(pieces) {}
  int size() const override { return pieces_; }

  double evaluate(double theta, const double* p, double& slope, double* derivatives) const override {
    const double x = wrap_to_turn(theta) / (2 * kPi) * pieces_;
    const int piece = std::min(static_cast<int>(x), pieces_ - 1);
    const double u = x - piece, v = 1 - u;
    const double value[] = {v * v * v / 6, (4 - 6 * u * u + 3 * u * u * u) / 6, (4 - 6 * v * v + 3 * v * v * v) / 6,
                            u * u * u / 6};
    const double first[] = {-v * v / 2, (-4 * u + 3 * u * u) / 2, (4 * v - 3 * v * v) / 2, u * u / 2};
    double rho = 0;
    slope = 0;
    std::fill(derivatives, derivatives + pieces_, 0.0);
    for (int k = 0; k < 4; ++k) {
      const int at = (piece + k + pieces_ - 1) % pieces_;
      derivatives[at] += value[k];
      rho += p[at] * value[k];
      slope += p[at] * first[k] * pieces_ / (2 * kPi);
    }
    return rho;
  }
  PlanarSet set(const double* p) const override {
    std::vector<double> unused(static_cast<std::size_t>(size()));
    double slope = 0;
    return curve_through(pieces_, [&](double a) { return Vec2(a, std::exp(evaluate(a, p, slope, unused.data()))); });
  }

 private:
  int pieces_;
};

class SeriesDirection : public DirectionModel {
 public:
  explicit SeriesDirection(int order) : order_(order) {}
  int size() const override { return 2 * order_; }

  double evaluate(double phi, const double* p, double* derivatives) const override {
    double tangent = 0;  // (ln h)'
    const std::complex<double> turn = std::polar(1.0, phi);
    std::complex<double> power = 1;
    for (int k = 1; k <= order_; ++k) {
      power *= turn;
      derivatives[2 * k - 2] = -k * power.imag();
      derivatives[2 * k - 1] = k * power.real();
      tangent += p[2 * k - 2] * derivatives[2 * k - 2] + p[2 * k - 1] * derivatives[2 * k - 1];
    }
    for (int k = 0; k < 2 * order_; ++k) derivatives[k] /= 1 + tangent * tangent;
    return std::atan(tangent);
  }
  // Point at the normal φ: angle φ + δ, radius h/cos δ.
  PlanarSet set(const double* p) const override {
    std::vector<double> unused(static_cast<std::size_t>(size()));
    PolarCurve curve = curve_through(std::max(72, 24 * order_), [&](double phi) {
      double log_support = 0;
      for (int k = 1; k <= order_; ++k)
        log_support += p[2 * k - 2] * std::cos(k * phi) + p[2 * k - 1] * std::sin(k * phi);
      const double delta = evaluate(phi, p, unused.data());
      return Vec2(phi + delta, std::exp(log_support) / std::cos(delta));
    });
    if (!curve.is_convex()) {
      const AngleInterval arc = curve.nonconvex_arcs().front();
      throw InvalidInput(
          fmt::format("the direction set from the series is not convex between {:.4g} and {:.4g} degrees",
                      degrees(arc.from), degrees(arc.to)));
    }
    return curve;
  }

 private:
  int order_;
};

}  // namespace

std::shared_ptr<const ReservoirModel> superellipse_reservoir() { return std::make_shared<SuperellipseReservoir>(); }
namespace {

void require_order(int order, int least, const char* what) {
  if (order < least || order > 1000)
    throw InvalidInput(fmt::format("{}: found {}; expected {} to 1000", what, order, least));
}

}  // namespace

std::shared_ptr<const ReservoirModel> fourier_reservoir(int order) {
  require_order(order, 1, "order of a series as reservoir");
  return std::make_shared<FourierReservoir>(order);
}
std::shared_ptr<const ReservoirModel> spline_reservoir(int pieces) {
  require_order(pieces, 4, "pieces of a spline as reservoir");
  return std::make_shared<SplineReservoir>(pieces);
}
std::shared_ptr<const DirectionModel> superellipse_direction() { return std::make_shared<SuperellipseDirection>(); }
std::shared_ptr<const DirectionModel> series_direction(int order) {
  require_order(order, 1, "order of a series as direction set");
  return std::make_shared<SeriesDirection>(order);
}

}  // namespace slipset
