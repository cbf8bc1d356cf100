#include "slipset/laws/lugre.hpp"

#include <fmt/format.h>

namespace slipset {

void require_valid(const LuGre& lugre) {
  require_positive(lugre.sigma0, "lugre: sigma0");
  const auto not_negative = [](double value, const char* name) {
    if (!(value >= 0) || !std::isfinite(value))
      throw InvalidInput(fmt::format("lugre: {} is {}; it must be finite and not negative", name, value));
  };
  not_negative(lugre.sigma1, "sigma1");
  not_negative(lugre.sigma2, "sigma2");
}

Mat2 bristle_matrix(const FrictionLaw& law, const Vec2& v) {
  const Vec2 s = slip_resistance(law, v), along = v.stableNormalized();
  const double size = s.norm();
  const Vec2 across = turn_left(s) / size;
  return along * along.transpose() / s.dot(along) + across * across.transpose() / size;
}

Vec2 bristle_rate(const FrictionLaw& law, const LuGre& lugre, const Vec2& v, const Vec2& z) {
  if (!(v.squaredNorm() > 1e-280) && v.allFinite()) return v;  // too slow to have a direction in double precision
  return v - lugre.sigma0 * v.norm() * (bristle_matrix(law, v) * z);
}

Vec2 bristle_resistance(const FrictionLaw& law, const LuGre& lugre, const Vec2& v, const Vec2& z) {
  return lugre.sigma0 * z + lugre.sigma1 * bristle_rate(law, lugre, v, z) + lugre.sigma2 * v;
}

Vec2 steady_deflection(const FrictionLaw& law, const LuGre& lugre, const Vec2& v) {
  return slip_resistance(law, v) / lugre.sigma0;
}

// |v| A(v) s(v) = v for every v. Its derivative gives that of |v|A at fixed z without a derivative of A.
std::optional<BristleJacobian> bristle_jacobian(const FrictionLaw& law, const LuGre& lugre, const Vec2& v) {
  const std::optional<Mat2> jacobian = slip_jacobian(law, v);
  if (!jacobian) return std::nullopt;
  const Mat2 a = v.stableNorm() * bristle_matrix(law, v);
  return BristleJacobian{a * *jacobian, -lugre.sigma0 * a};
}

}  // namespace slipset
