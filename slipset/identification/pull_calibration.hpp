// Calibration of an elastic interface from a pulled block.            docs/theory/elastic.md
//   measured: the angle φ between pull and motion for orientations α of the surface      [K07 Sect. 4.6, Figs. 4, 13]
//   model:    tan φ = (1 - r²) sin α cos α / (r² cos² α + sin² α),  r = λ1/λ2            [K07 25, 40 with β = π/2 - α]
// Only r follows from angles; r = (ε1/ε2)(μ1/μ2) [K07 37], so that with friction coefficients from forces the ratio
// of the stiffnesses follows. Neither ε1 nor ε2 does.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slipset/core/vec.hpp"

namespace slipset {

// μ from the force that moves the block and the force that moves the carriage alone.                         [K07 1]
double friction_from_forces(double force, double force_without_block, double normal_force);

// φ(α; r) [rad].                                                                                        [K07 25, 40]
double modelled_pull_angle(double alpha, double ratio);

// r from the largest angle φ [rad]: -tan φ + √(tan² φ + 1).                                              [K07 29, 38]
double ratio_from_maximum(double largest_angle);
// ε1/ε2 = (μ2/μ1) r.                                                                                         [K07 39]
double stiffness_ratio(double ratio, double friction_1, double friction_2);

struct PullAngle {
  double alpha, phi;  // [rad]
};

// r by the formula as printed, which is not the least squares fit (docs/theory/elastic.md). Empty where it gives no
// positive r². Points at α = 0 are left out. [K07 41]
std::optional<double> ratio_by_published_formula(std::span<const PullAngle> data);

struct PullCalibration {
  bool identifiable = false;  // whether r is identifiable at all
  std::string why;
  std::optional<double> ratio;      // r = λ1/λ2, least squares in φ
  std::optional<double> sigma;      // standard deviation of r; needs two points
  std::optional<double> low, high;  // 95 % confidence interval of r, from the sum of squares (I.23)
  double rms = std::numeric_limits<double>::quiet_NaN();  // of φ - model [rad]
  std::size_t points = 0;
  int iterations = 0;
  bool converged = false;
  std::optional<double> by_maximum;  // r by the maximum rule, from the largest |φ| of the data, mirrored to 0 < α < 90°
  std::optional<double> by_published_formula;  // r by Eq. 41
  std::optional<double> stiffness_ratio;       // ε1/ε2, with friction coefficients
};

// `friction`: μ1, μ2 from force readings, if known. Throws InvalidInput without data, for angles that are not finite,
// for φ beyond ±90 degrees, and for coefficients that are not positive.
PullCalibration calibrate_pull(std::span<const PullAngle> data, const std::optional<Vec2>& friction = std::nullopt);

}  // namespace slipset
