#include "slipset/identification/virtual_tribometer.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

Eigen::Matrix3d crosstalk_of(double crosstalk) {
  Eigen::Matrix3d m = Eigen::Matrix3d::Constant(crosstalk);
  m.diagonal().setOnes();
  return m;
}

void check(const TribometerOptions& o) {
  require_positive(o.normal_force, "tribometer: normal force");
  require_positive(o.speed, "tribometer: speed");
  const auto within = [](double value, double from, double to, const char* what) {
    if (!(value >= from && value <= to))
      throw InvalidInput(fmt::format("tribometer: found {} = {:.6g}; expected {:g} to {:g}", what, value, from, to));
  };
  within(o.revolutions, 0.01, 1e6, "revolutions");
  within(o.samples, 8, 1e7, "samples per revolution");
  within(o.revolutions * o.samples, 8, 2e8, "total samples");
  within(o.noise, 0, 10, "noise");
  if (!std::isfinite(o.normal_noise) || o.normal_noise >= 0) within(o.normal_noise, 0, 10, "noise of the normal force");
  within(o.crosstalk, -0.3, 0.3, "crosstalk");
  within(o.wobble, 0, 0.9, "wobble");
  within(o.quantum, 0, 1e6, "quantum");
  within(o.correlation, 0, 0.999, "correlation");
  within(o.outliers, 0, 0.2, "outliers");
  require_finite(o.misalignment, "misalignment");
  require_finite(o.offset, "offset");
}

}  // namespace

Eigen::Matrix3d crosstalk_compensation(double crosstalk) {
  if (!(crosstalk > -0.5 && crosstalk < 1))
    throw InvalidInput(
        fmt::format("tribometer: found crosstalk = {:.6g}; expected a number between -0.5 and 1, where the sensor's "
                    "matrix is singular",
                    crosstalk));
  return crosstalk_of(crosstalk).inverse();
}

FrictionLaw law_at_speed(const FrictionLaw& law, double speed) {
  if (!law.stribeck()) return law;
  return {law.reservoir().scaled(law.stribeck()->factor(speed)), law.direction()};
}

PinRecord simulate_tribometer(const FrictionLaw& law, const TribometerOptions& o) {
  check(o);
  if (law.elastic())
    throw InvalidInput(
        "tribometer: the law is elastic before it slips (law.elastic), and the record is one of steady sliding, which "
        "does not show that; remove law.elastic");
  const auto count = static_cast<std::size_t>(std::llround(o.revolutions * o.samples));
  // The law at the angles of one revolution; they come again in each.
  const auto each = static_cast<std::size_t>(o.samples);
  std::vector<double> along(each), left(each);
  double mean = 0;
  for (std::size_t i = 0; i < each; ++i) {
    const Vec2 n = unit(2 * kPi * static_cast<double>(i) / static_cast<double>(each) + o.offset),
               s = slip_resistance(law, o.speed * n);
    const Vec2 own(s.dot(n), cross(n, s));
    mean += own.x() / static_cast<double>(each);
    along[i] = std::cos(o.misalignment) * own.x() - std::sin(o.misalignment) * own.y();
    left[i] = std::cos(o.misalignment) * own.y() + std::sin(o.misalignment) * own.x();
  }
  std::mt19937_64 engine(o.seed);
  std::normal_distribution<double> gauss;
  std::uniform_real_distribution<double> part;
  const double sigma = o.noise * mean * o.normal_force;
  const double sigma_normal = (o.normal_noise < 0 ? o.noise : o.normal_noise) * o.normal_force;
  const double fresh = std::sqrt(1 - o.correlation * o.correlation);
  const Eigen::Matrix3d sensor = crosstalk_of(o.crosstalk);
  PinRecord record;
  record.angle.reserve(count);
  record.tangential.reserve(count);
  record.radial.reserve(count);
  record.normal.reserve(count);
  Eigen::Vector3d noise(gauss(engine), gauss(engine), gauss(engine));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = i % each;
    const double angle = 2 * kPi * static_cast<double>(i) / static_cast<double>(each);
    const double normal = o.normal_force * (1 + o.wobble * std::sin(angle + 0.7));
    Eigen::Vector3d force(left[k] * normal, along[k] * normal, normal);
    force = sensor * force;
    for (Eigen::Index c = 0; c < 3; ++c) {
      if (i > 0) noise[c] = o.correlation * noise[c] + fresh * gauss(engine);
      force[c] += (c == 2 ? sigma_normal : sigma) * noise[c];
    }
    if (o.outliers > 0 && part(engine) < o.outliers)
      force[part(engine) < 0.5 ? 0 : 1] += 20 * sigma * (part(engine) < 0.5 ? 1 : -1);
    if (o.quantum > 0) force = (force / o.quantum).array().round() * o.quantum;
    record.angle.push_back(angle);
    record.radial.push_back(force[0]);
    record.tangential.push_back(force[1]);
    record.normal.push_back(force[2]);
  }
  return record;
}

}  // namespace slipset
