#include "slipset/sets/polar_curve.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <boost/math/quadrature/gauss.hpp>
#include <numeric>

#include "slipset/sets/internal/shape_numbers.hpp"

namespace slipset {

PolarCurve::PolarCurve(std::span<const double> angles, std::span<const double> radii, double angle) : SmoothSet(angle) {
  if (angles.size() != radii.size())
    throw InvalidInput(
        fmt::format("polar: {} angles but {} radii; each point needs both", angles.size(), radii.size()));
  std::vector<double> wrapped;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    require_finite(angles[i], "polar: angle");
    require_positive(radii[i], "polar: radius");
    wrapped.push_back(wrap_to_turn(angles[i]));
    if (2 * kPi - wrapped.back() < 1e-12) wrapped.back() = 0;
  }
  std::vector<std::size_t> order(angles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return wrapped[i] < wrapped[j]; });

  std::vector<double> log_radii;
  for (const std::size_t i : order) {
    if (!nodes_.empty() && wrapped[i] - nodes_.back() < 1e-12) {
      const double other = std::exp(log_radii.back());
      if (std::abs(radii[i] - other) > 1e-9 * other)
        throw InvalidInput(
            fmt::format("polar: two radii, {} and {}, at the same angle {} degrees; give one, for instance their mean",
                        other, radii[i], degrees(wrapped[i])));
      continue;
    }
    nodes_.push_back(wrapped[i]);
    log_radii.push_back(std::log(radii[i]));
  }
  if (nodes_.size() < 4)
    throw InvalidInput(fmt::format("polar: {} different angles; a closed curve needs at least 4", nodes_.size()));
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (piece_end(i) - nodes_[i] >= kPi)
      throw InvalidInput(fmt::format("polar: no point between {} and {} degrees; the points must go all the way round",
                                     degrees(nodes_[i]), degrees(piece_end(i))));
  fit_pieces(log_radii);
  set_convex(own_nonconvex_arcs().empty());
}

double PolarCurve::piece_end(std::size_t i) const {
  return i + 1 < nodes_.size() ? nodes_[i + 1] : nodes_[0] + 2 * kPi;
}

// The second derivatives m_i solve h₋m₋ + 2(h₋ + h)m + h m₊ = 6(slope - slope₋), periodic; symmetric and
// positive definite.
void PolarCurve::fit_pieces(const std::vector<double>& log_radii) {
  const std::size_t n = nodes_.size();
  const auto at = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
  std::vector<double> h(n), slope(n);
  for (std::size_t i = 0; i < n; ++i) {
    h[i] = piece_end(i) - nodes_[i];
    slope[i] = (log_radii[(i + 1) % n] - log_radii[i]) / h[i];
  }
  Eigen::VectorXd rhs(at(n));
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n, after = (i + 1) % n;
    rhs[at(i)] = 6 * (slope[i] - slope[before]);
    entries.emplace_back(at(i), at(i), 2 * (h[before] + h[i]));
    entries.emplace_back(at(i), at(before), h[before]);
    entries.emplace_back(at(i), at(after), h[i]);
  }
  Eigen::SparseMatrix<double> matrix(at(n), at(n));
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(matrix);
  const Eigen::VectorXd m = solver.solve(rhs);
  for (std::size_t i = 0; i < n; ++i) {
    const double here = m[at(i)], there = m[at((i + 1) % n)];
    pieces_.push_back(
        {nodes_[i], {log_radii[i], slope[i] - h[i] * (2 * here + there) / 6, here / 2, (there - here) / (6 * h[i])}});
  }
}

LogRadius PolarCurve::log_radius(double theta) const {
  const double ahead = nodes_[0] + wrap_to_turn(theta - nodes_[0]);
  const auto after = std::upper_bound(nodes_.begin() + 1, nodes_.end(), ahead);
  const Piece& piece = pieces_[static_cast<std::size_t>(after - nodes_.begin()) - 1];
  const double x = ahead - piece.node;
  const auto& c = piece.c;
  return {c[0] + x * (c[1] + x * (c[2] + x * c[3])), c[1] + x * (2 * c[2] + x * 3 * c[3]), 2 * c[2] + 6 * c[3] * x};
}

double PolarCurve::area() const {
  double sum = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    sum += boost::math::quadrature::gauss<double, 15>::integrate(
        [&](double x) {
          const auto& c = pieces_[i].c;
          return std::exp(2 * (c[0] + x * (c[1] + x * (c[2] + x * c[3]))));
        },
        0.0, piece_end(i) - nodes_[i]);
  return sum / 2;
}

std::vector<std::pair<double, double>> PolarCurve::nodes() const {
  std::vector<std::pair<double, double>> all;
  for (const Piece& piece : pieces_) all.emplace_back(piece.node, std::exp(piece.c[0]));
  return all;
}

PolarCurve PolarCurve::scaled(double factor) const {
  require_positive(factor, "polar: scale");
  PolarCurve copy = *this;
  for (Piece& piece : copy.pieces_) piece.c[0] += std::log(factor);
  return copy;
}

double PolarCurve::own_gauge(const Vec2& t) const {
  const double size = t.norm();
  if (!(size > 0)) return size;
  return size * std::exp(-log_radius(angle_of(t)).value);
}

// k = |t| e^(-ρ): ∇k = e^(-ρ) (radial unit vector - ρ' tangential one).
Vec2 PolarCurve::own_gauge_gradient(const Vec2& t) const {
  const LogRadius rho = log_radius(angle_of(t));
  const Vec2 u = t.normalized();
  return std::exp(-rho.value) * (u - rho.first * turn_left(u));
}

std::optional<double> PolarCurve::own_gauge_bending(const Vec2& t) const {
  const LogRadius rho = log_radius(angle_of(t));
  return std::exp(-rho.value) * rho.convexity() / t.norm();
}

// On each piece 1 + ρ'² - ρ'' is a polynomial of degree four: its roots bound the arcs exactly.
std::vector<AngleInterval> PolarCurve::own_nonconvex_arcs() const {
  std::vector<AngleInterval> arcs;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto& c = pieces_[i].c;
    const double width = piece_end(i) - nodes_[i];
    const double convexity[] = {1 + c[1] * c[1] - 2 * c[2], 4 * c[1] * c[2] - 6 * c[3],
                                4 * c[2] * c[2] + 6 * c[1] * c[3], 12 * c[2] * c[3], 9 * c[3] * c[3]};
    std::vector<double> cuts = polynomial_roots(convexity, 0, width);
    cuts.insert(cuts.begin(), 0);
    cuts.push_back(width);
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      const LogRadius middle = log_radius(nodes_[i] + (cuts[k] + cuts[k + 1]) / 2);
      const double rounding = 1e-12 * (1 + middle.first * middle.first + std::abs(middle.second));
      if (cuts[k + 1] <= cuts[k] || middle.convexity() >= -rounding) continue;
      const AngleInterval arc{nodes_[i] + cuts[k], nodes_[i] + cuts[k + 1]};
      if (!arcs.empty() && arc.from - arcs.back().to < 1e-12)
        arcs.back().to = arc.to;
      else
        arcs.push_back(arc);
    }
  }
  if (arcs.size() > 1 && arcs.front().from + 2 * kPi - arcs.back().to < 1e-12) {
    arcs.back().to = arcs.front().to + 2 * kPi;
    arcs.erase(arcs.begin());
  }
  return arcs;
}

std::vector<double> PolarCurve::own_resolving_angles(int count) const {
  std::vector<double> angles;
  const int each = std::max(4, count / static_cast<int>(nodes_.size()));
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (int j = 0; j < each; ++j) angles.push_back(nodes_[i] + (piece_end(i) - nodes_[i]) * j / each);
  return angles;
}

std::string PolarCurve::own_description() const { return fmt::format("smooth curve through {} points", points()); }

std::vector<double> PolarCurve::parameters() const {
  std::vector<double> numbers;
  for (const double node : nodes_) numbers.insert(numbers.end(), {degrees(node), radius(node + angle())});
  numbers.push_back(degrees(angle()));
  return numbers;
}

PolarCurve PolarCurve::from_parameters(std::span<const double> x) {
  const std::size_t count = internal::expect_pairs(kName, x);
  std::vector<double> angles, radii;
  for (std::size_t i = 0; i < count; ++i) {
    angles.push_back(radians(x[2 * i]));
    radii.push_back(x[2 * i + 1]);
  }
  return {angles, radii, radians(x.back())};
}

}  // namespace slipset
