#include "slipset/sets/boundary_scan.hpp"

#include <fmt/format.h>

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

namespace slipset {
namespace {

// Values below this are negative; above, they may be rounding of a touching zero.
constexpr double kNegative = -1e-13;

Extremum refine_minimum(const AngleFunction& f, double lo, double hi) {
  const auto [angle, value] = boost::math::tools::brent_find_minima(f, lo, hi, 52);
  return {angle, value};
}

double sign_change(const AngleFunction& f, double lo, double hi) {
  std::uintmax_t iterations = 100;
  const auto [a, b] =
      boost::math::tools::toms748_solve(f, lo, hi, boost::math::tools::eps_tolerance<double>(53), iterations);
  return a + (b - a) / 2;
}

}  // namespace

std::vector<double> resolving_angles(const PlanarSet& a, const PlanarSet& b, int count) {
  std::vector<double> nodes = a.resolving_angles(count);
  const std::vector<double> more = b.resolving_angles(count);
  nodes.insert(nodes.end(), more.begin(), more.end());
  std::sort(nodes.begin(), nodes.end());
  const auto same = [](double x, double y) { return y - x < 1e-14; };
  nodes.erase(std::unique(nodes.begin(), nodes.end(), same), nodes.end());
  return nodes;
}

Extremum minimum_on_circle(const AngleFunction& f, const std::vector<double>& nodes) {
  const std::size_t n = nodes.size();
  if (n < 3) throw InvalidInput(fmt::format("boundary scan: {} nodes around the circle; expected 3 or more", n));
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = f(nodes[i]);
  Extremum best{nodes[0], values[0]};
  const auto take = [&](const Extremum& e) {
    if (e.value < best.value) best = e;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n, after = (i + 1) % n;
    if (!(values[i] <= values[before] && values[i] <= values[after])) continue;
    take({nodes[i], values[i]});
    // Each side on its own: the node itself may be a corner.
    const double left = nodes[before] - (before > i ? 2 * kPi : 0), right = nodes[after] + (after < i ? 2 * kPi : 0);
    take(refine_minimum(f, left, nodes[i]));
    take(refine_minimum(f, nodes[i], right));
  }
  best.angle = wrap_to_turn(best.angle);
  return best;
}

Extremum maximum_on_circle(const AngleFunction& f, const std::vector<double>& nodes) {
  const Extremum e = minimum_on_circle([&](double angle) { return -f(angle); }, nodes);
  return {e.angle, -e.value};
}

std::vector<AngleInterval> negative_parts(const AngleFunction& f, double from, double to, int inner) {
  if (!(to > from && std::isfinite(to - from)) || inner < 0)
    throw InvalidInput(
        fmt::format("boundary scan: from {} to {} with {} points within; expected an interval and no negative number",
                    from, to, inner));
  const double margin = 1e-9 * (to - from);
  std::vector<Extremum> samples;
  for (int i = 0; i <= inner + 1; ++i) {
    const double angle = std::clamp(from + (to - from) * i / (inner + 1), from + margin, to - margin);
    samples.push_back({angle, f(angle)});
  }
  // A dip between samples that reaches below zero, or a hump that reaches above it, becomes a sample.
  for (std::size_t i = 0, n = samples.size(); i < n; ++i) {
    const double sign = samples[i].value > 0 ? 1 : -1, value = sign * samples[i].value;
    const std::size_t before = i == 0 ? i : i - 1, after = i + 1 == n ? i : i + 1;
    if (!(value <= sign * samples[before].value && value <= sign * samples[after].value) || value > 0.5) continue;
    const Extremum e =
        refine_minimum([&](double angle) { return sign * f(angle); }, samples[before].angle, samples[after].angle);
    if (e.value < kNegative) samples.push_back({e.angle, sign * e.value});
  }
  std::sort(samples.begin(), samples.end(), [](const Extremum& x, const Extremum& y) { return x.angle < y.angle; });

  std::vector<AngleInterval> parts;
  bool inside = samples.front().value < kNegative;
  double start = from;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const bool below = samples[i].value < kNegative;
    if (below == inside) continue;
    // The other sample may be within rounding of zero, on either side of it.
    const double a = samples[i - 1].value, b = samples[i].value;
    const double edge = (a < 0) != (b < 0) && a != 0 && b != 0 ? sign_change(f, samples[i - 1].angle, samples[i].angle)
                                                               : (below ? samples[i - 1].angle : samples[i].angle);
    if (below)
      start = edge;
    else
      parts.push_back({start, edge});
    inside = below;
  }
  if (inside) parts.push_back({start, to});
  return parts;
}

RatioRange radius_ratio(const PlanarSet& a, const PlanarSet& b) {
  const std::vector<double> nodes = resolving_angles(a, b);
  const AngleFunction ratio = [&](double angle) {
    const Vec2 u = unit(angle);
    return b.gauge(u) / a.gauge(u);
  };
  return {minimum_on_circle(ratio, nodes), maximum_on_circle(ratio, nodes)};
}

}  // namespace slipset
