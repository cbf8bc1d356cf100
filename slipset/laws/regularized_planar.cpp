#include "slipset/laws/regularized_planar.hpp"

#include <algorithm>

namespace slipset {
namespace {

constexpr double kExactFrom = 3;  // σ from which quinn is the slip law

double clamp_to_one(double x) { return cut(x, 1.0); }

}  // namespace

RegularizedLaw::RegularizedLaw(FrictionLaw law, const RegularizedCoulomb& form) : law_(std::move(law)), form_(form) {
  const std::vector<FlatSide> sides = flat_sides(law_);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const double angle = angle_of(sides[i].normal);
    double gap = kPi / 2;
    for (std::size_t j = 0; j < sides.size(); ++j)
      if (j != i) gap = std::min(gap, std::abs(wrap_to_pi(angle_of(sides[j].normal) - angle)));
    const Vec2 across = turn_left(sides[i].normal);
    fans_.push_back({sides[i].normal, across, sides[i].from, sides[i].to, on_reservoir(sides[i].from).dot(across),
                     on_reservoir(sides[i].to).dot(across), std::sin(gap / 2) / 4});
  }
  slope_ = sampled_slope();
}

Vec2 RegularizedLaw::cut_to_reservoir(const Vec2& x) const {
  const double k = law_.reservoir().gauge(x);
  return k > 1 ? Vec2(x / k) : x;
}

double RegularizedLaw::fan_width(const Fan& fan, double speed) const {
  return std::min(form_.half_width(), fan.share * speed);
}

const RegularizedLaw::Fan* RegularizedLaw::fan_of(const Vec2& v, double speed) const {
  if (form_.kind() == Regularization::sign) return nullptr;
  for (const Fan& fan : fans_)
    if (fan.normal.dot(v) > 0 && std::abs(fan.across.dot(v)) < 4 * fan_width(fan, speed)) return &fan;
  return nullptr;
}

// Across the side, quinn's law along one line: place = cut(place of b + v_t/w) for |v_t| up to 2w; from there to 4w the
// direction is stretched so that it meets that of v.                                                       (R.13)
Vec2 RegularizedLaw::in_fan(const Fan& fan, const Vec2& v, double speed, const Vec2* balance) const {
  const double width = fan_width(fan, speed), off = fan.across.dot(v);
  const bool steps = form_.kind() == Regularization::karnopp;
  const double excess = steps ? (std::abs(off) < width ? 0 : std::abs(off))
                              : std::min(std::abs(off), std::max(0.0, 2 * (std::abs(off) - 2 * width)));
  if (excess > 0)
    return slip_resistance(law_.reservoir(), law_.direction(),
                           Vec2(fan.normal.dot(v) * fan.normal + std::copysign(excess, off) * fan.across));
  const double range = fan.second - fan.first;
  double place = balance && range > 0 ? 2 * (fan.across.dot(*balance) - fan.first) / range - 1 : 0;
  place = clamp_to_one(place);
  if (!steps) place = clamp_to_one(place + off / width);
  return on_reservoir(0.5 * ((1 - place) * fan.from + (1 + place) * fan.to));
}

Vec2 RegularizedLaw::slip(const Vec2& v, double speed, const Vec2* balance) const {
  if (const Fan* fan = fan_of(v, speed)) return in_fan(*fan, v, speed, balance);
  return slip_resistance(law_.reservoir(), law_.direction(), v);
}

Vec2 RegularizedLaw::without_rate(const Vec2& v, double speed, const Vec2& balance) const {
  if (speed == 0)
    return form_.kind() == Regularization::martins_oden || form_.kind() == Regularization::arctan
               ? Vec2(0, 0)
               : cut_to_reservoir(balance);
  const double sigma = form_.half_width() > 0 ? speed / form_.half_width() : INFINITY;
  switch (form_.kind()) {
    case Regularization::sign: return slip(v, speed, nullptr);
    case Regularization::martins_oden: return std::min(sigma, 1.0) * slip(v, speed, nullptr);
    case Regularization::karnopp: return sigma < 1 ? cut_to_reservoir(balance) : slip(v, speed, &balance);
    case Regularization::arctan: return std::atan(kPi / 2 * sigma) / (kPi / 2) * slip(v, speed, nullptr);
    case Regularization::quinn: break;
  }
  const Vec2 s = slip(v, speed, &balance);
  if (sigma >= kExactFrom) return s;
  const Vec2 y = cut_to_reservoir(cut_to_reservoir(balance) + sigma * s);
  const double weight = sigma - (kExactFrom - 1);
  return weight > 0 ? cut_to_reservoir(y + weight * (s - y)) : y;
}

Vec2 RegularizedLaw::resistance(const Vec2& v, const Vec2& balance) const {
  const double speed = v.norm();
  if (!law_.stribeck()) return without_rate(v, speed, balance);
  const double factor = law_.stribeck()->factor(speed);
  return factor * without_rate(v, speed, balance / factor);
}

bool RegularizedLaw::needs_balance(const Vec2& v) const {
  const double speed = v.norm();
  switch (form_.kind()) {
    case Regularization::martins_oden:
    case Regularization::arctan: return false;
    case Regularization::sign: return speed == 0;
    case Regularization::karnopp: return speed < form_.half_width() || fan_of(v, speed) != nullptr;
    case Regularization::quinn: break;
  }
  return speed < kExactFrom * form_.half_width() || fan_of(v, speed) != nullptr;
}

double RegularizedLaw::sampled_slope() const {
  if (form_.ramp_slope() == 0) return 0;
  constexpr int count = 360;
  const double speed = form_.half_width() / 2, h = 1e-5 * speed;
  std::vector<double> angles;
  for (int i = 0; i < count; ++i) angles.push_back(2 * kPi * (i + 0.5) / count);
  for (const Fan& fan : fans_) angles.push_back(angle_of(fan.normal));
  double largest = 0;
  for (const double angle : angles) {
    const Vec2 v = speed * unit(angle);
    Mat2 jacobian;
    for (int k = 0; k < 2; ++k) {
      const Vec2 off = h * Vec2::Unit(k);
      jacobian.col(k) = (without_rate(v + off, (v + off).norm(), Vec2::Zero()) -
                         without_rate(v - off, (v - off).norm(), Vec2::Zero())) /
                        (2 * h);
    }
    const Mat2 square = jacobian.transpose() * jacobian;  // its larger eigenvalue
    const double mean = square.trace() / 2, spread = std::hypot((square(0, 0) - square(1, 1)) / 2, square(0, 1));
    largest = std::max(largest, std::sqrt(mean + spread));
  }
  return law_.stribeck() ? largest * std::max(1.0, law_.stribeck()->factor(0)) : largest;
}

}  // namespace slipset
