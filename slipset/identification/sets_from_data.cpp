#include "slipset/identification/sets_from_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <complex>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/identification/internal/noise_colour.hpp"

namespace slipset {
namespace {

// Widths of a periodic trapezoidal rule.
std::vector<double> widths_of(std::span<const FoldedBin> bins) {
  const std::size_t n = bins.size();
  std::vector<double> widths(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double before = j > 0 ? bins[j - 1].slip_angle : bins[n - 1].slip_angle - 2 * kPi;
    const double after = j + 1 < n ? bins[j + 1].slip_angle : bins[0].slip_angle + 2 * kPi;
    widths[j] = (after - before) / 2;
  }
  return widths;
}

double deflection_of(const FoldedBin& b) { return std::atan2(b.radial, b.tangential); }

// `sigma`: of the radial force, of one sample; correlated samples count for less.
void check_turning(std::span<const FoldedBin> bins, double sigma_radial, SetsFromData& sets) {
  constexpr int kSectors = 72;
  struct Sector {
    double t = 0, r = 0, phi = 0, count = 0;
  };
  std::vector<Sector> sectors(kSectors);
  for (const FoldedBin& b : bins) {
    Sector& s =
        sectors[std::min<std::size_t>(kSectors - 1, static_cast<std::size_t>(b.slip_angle / (2 * kPi) * kSectors))];
    s.t += b.count * b.tangential;
    s.r += b.count * b.radial;
    s.phi += b.count * b.slip_angle;
    s.count += b.count;
  }
  sets.smallest_turn = INFINITY;
  for (std::size_t k = 0; k < kSectors; ++k) {
    const Sector &a = sectors[k], &b = sectors[(k + 1) % kSectors];
    if (a.count == 0 || b.count == 0) continue;
    const double width = wrap_to_turn(b.phi / b.count - a.phi / a.count);
    const double turn = width + std::atan2(b.r, b.t) - std::atan2(a.r, a.t);
    const double sigma = sigma_radial / (a.t / a.count) * std::sqrt(1 / a.count + 1 / b.count);
    if (turn / width < sets.smallest_turn) {
      sets.smallest_turn = turn / width;
      sets.smallest_turn_at = a.phi / a.count;
    }
    if (turn < -3 * sigma - 1e-9) sets.convex = false;
  }
}

}  // namespace

SetsFromData sets_from_data(const FoldedSignals& signals, const FlowFit& fit) {
  SetsFromData sets;
  const std::span<const FoldedBin> bins = signals.bins;
  const std::size_t n = bins.size();
  if (n < 6 || fit.free.size() != fit.model.size())
    throw InvalidInput(
        fmt::format("sets from data: {} bins and a fit of {} parameters for a model of {}; expected at "
                    "least 6 bins and the fit of that model",
                    n, fit.free.size(), fit.model.size()));
  const std::vector<double> widths = widths_of(bins);
  std::vector<double> difference(n);  // tan δ - tan δ of the model
  double slope = 0, white = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const FoldedBin& b = bins[j];
    const double tangent = b.radial / b.tangential;
    difference[j] = tangent - std::tan(fit.model.deflection(b.slip_angle, fit.free));
    sets.closure += widths[j] * difference[j];
    slope += widths[j] * (1 + tangent * tangent);
    white += std::pow(widths[j] / b.tangential, 2) / b.count *
             (fit.sigma_radial * fit.sigma_radial + std::pow(tangent * fit.sigma_tangential, 2));
  }
  const auto blocks = static_cast<double>(signals.blocks.size());
  // Correlated noise is larger at low harmonics than white noise of the same variance.
  const double low_harmonics = std::max(1.0, internal::noise_colour(signals).density[0]);
  sets.closure_sigma = std::sqrt(white * low_harmonics);
  if (fit.covariance_kind == "blocks of revolutions") {
    double sum = 0;
    for (const auto& block : signals.blocks) {
      double own = 0;
      for (std::size_t j = 0; j < n; ++j)
        own += widths[j] / bins[j].tangential / bins[j].count *
               (block.radial[j] - bins[j].radial / bins[j].tangential * block.tangential[j]);
      sum += own * own;
    }
    sets.closure_sigma = std::sqrt(sum * blocks / (blocks - 1));
  }
  // The rest of the quadrature and rounding, for data without noise.
  const double rounding = 1e-9;
  const double z = std::abs(sets.closure) / (sets.closure_sigma + rounding);
  sets.closure_p_value = 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), std::min(z, 37.0)));
  // ∮ tan(δ - ε) dφ = 0 by Newton's method.
  for (int i = 0; i < 8; ++i) {
    double value = 0, derivative = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double tangent = std::tan(deflection_of(bins[j]) - sets.misalignment);
      value += widths[j] * (tangent - (bins[j].radial / bins[j].tangential - difference[j]));
      derivative -= widths[j] * (1 + tangent * tangent);
    }
    const double step = value / derivative;
    sets.misalignment -= step;
    if (!(std::abs(step) > 1e-14)) break;
  }
  sets.misalignment_sigma = sets.closure_sigma / slope;
  // ∮ (tan δ - r/λ_t) dφ = 0.
  double per_offset = 0;
  for (std::size_t j = 0; j < n; ++j) per_offset += widths[j] / bins[j].tangential;
  const double offset = sets.closure / per_offset * signals.mean_normal_force;
  sets.verdict =
      sets.closure_p_value >= 0.01
          ? "the direction set closes within the noise"
          : fmt::format(
                "the direction set does not close: ln r_D changes by {:.4g} ± {:.2g} per turn. Either the flow is not "
                "normal to any closed set (a friction tensor with a skew part, spin of the pin), or the sensor is "
                "rotated relative to the disk's tangent (an angle of {:.4g} ± {:.2g} degrees would explain it), or the "
                "zero of the radial force is off or drifts (an offset of {:.3g} N would explain it)",
                sets.closure, sets.closure_sigma, degrees(sets.misalignment), degrees(sets.misalignment_sigma), offset);

  // D, and C; neighbours joined.
  std::optional<PlanarSet> model;
  try {
    model = fit.direction();
  } catch (const InvalidInput&) {
    // a series that is not convex: without it
  }
  const std::size_t step = std::max<std::size_t>(1, (n + 719) / 720);
  double integral = 0, model_integral = 0;
  for (std::size_t first = 0; first < n; first += step) {
    DataPoint point{0, Vec2::Zero(), Vec2::Zero(), 0};
    double t = 0, r = 0, phi = 0, log_support = 0;
    const std::size_t last = std::min(n, first + step);
    for (std::size_t j = first; j < last; ++j) {
      const FoldedBin& b = bins[j];
      // The integral up to the middle of the bin's own interval.
      if (j > 0) {
        const double width = b.slip_angle - bins[j - 1].slip_angle;
        integral += width * (difference[j] + difference[j - 1]) / 2;
        model_integral += width *
                          (b.radial / b.tangential - difference[j] + bins[j - 1].radial / bins[j - 1].tangential -
                           difference[j - 1]) /
                          2;
      }
      const double own = model ? std::log(model->support(unit(b.slip_angle))) : model_integral;
      const double evened = integral - sets.closure * (b.slip_angle - bins[0].slip_angle) / (2 * kPi);
      log_support += b.count * (own + evened);
      t += b.count * b.tangential;
      r += b.count * b.radial;
      phi += b.count * b.slip_angle;
      point.count += b.count;
    }
    point.slip_angle = phi / point.count;
    const Vec2 along = unit(point.slip_angle);
    point.reservoir = (t * along + r * turn_left(along)) / point.count;
    point.direction = std::exp(log_support / point.count) * (along + r / t * turn_left(along));
    sets.points.push_back(point);
  }
  check_turning(bins, (signals.noise_radial > 0 ? signals.noise_radial : fit.sigma_radial) * std::sqrt(low_harmonics),
                sets);
  return sets;
}

PolarCurve convex_smoothing(std::span<const Vec2> points, int order) {
  if (points.size() < 3 || order < 1)
    throw InvalidInput("convex smoothing: needs three points and an order of at least 1");
  for (const Vec2& p : points)
    if (!p.allFinite()) throw InvalidInput("convex smoothing: a point is not finite");
  const int grid = 64 * order;
  std::vector<std::complex<double>> coefficients(static_cast<std::size_t>(order) + 1);
  for (int i = 0; i < grid; ++i) {
    const double phi = 2 * kPi * i / grid;
    const Vec2 n = unit(phi);
    double support = -INFINITY;
    for (const Vec2& p : points) support = std::max(support, p.dot(n));
    for (int k = 0; k <= order; ++k)
      coefficients[static_cast<std::size_t>(k)] += support * std::polar((k == 0 ? 1.0 : 2.0) / grid, -k * phi);
  }
  std::vector<double> angles, radii;
  const int count = std::max(72, 12 * order);
  for (int i = 0; i < count; ++i) {
    const double phi = 2 * kPi * i / count;
    double support = 0, slope = 0;
    for (int k = 0; k <= order; ++k) {
      const std::complex<double> term =
          (1.0 - k / (order + 1.0)) * coefficients[static_cast<std::size_t>(k)] * std::polar(1.0, k * phi);
      support += term.real();
      slope -= k * term.imag();
    }
    const Vec2 z = support * unit(phi) + slope * turn_left(unit(phi));
    if (!(support > 0)) throw InvalidInput("convex smoothing: the origin is not inside the points");
    angles.push_back(angle_of(z));
    radii.push_back(z.norm());
  }
  return {angles, radii};
}

}  // namespace slipset
