#include "slipset/sets/polygon.hpp"

#include <fmt/format.h>

#include "slipset/sets/internal/shape_numbers.hpp"

namespace slipset {

Polygon::Polygon(std::vector<Vec2> vertices, double angle) : Oriented(angle), vertices_(std::move(vertices)) {
  const std::size_t n = vertices_.size();
  if (n < 3) throw InvalidInput(fmt::format("polygon: {} vertices; a polygon has at least 3", n));
  for (const Vec2& v : vertices_)
    if (!v.allFinite()) throw InvalidInput(fmt::format("polygon: vertex ({}, {}) is not finite", v.x(), v.y()));

  double turn = 0;
  std::size_t clockwise = n;  // an edge seen clockwise from the origin
  angles_.push_back(angle_of(vertices_[0]));
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 &a = vertices_[i], &b = vertices_[next(i)];
    const double area = cross(a, b);
    if (!(area > 1e-12 * a.norm() * b.norm())) clockwise = i;
    turn += std::atan2(area, a.dot(b));
    if (i + 1 < n) angles_.push_back(angles_[0] + turn);
    normals_.push_back(-turn_left(b - a) / area);
  }
  if (clockwise < n && turn < -kPi)
    throw InvalidInput("polygon: the vertices run clockwise; list them counter-clockwise");
  if (clockwise < n || std::abs(turn - 2 * kPi) > 1e-6) {
    const std::size_t i = clockwise < n ? clockwise : 0;
    const Vec2 &a = vertices_[i], &b = vertices_[next(i)];
    throw InvalidInput(
        fmt::format("polygon: not star-shaped about the origin: the edge from ({}, {}) to ({}, {}) is not seen "
                    "counter-clockwise from (0, 0); list the vertices counter-clockwise around an origin that "
                    "sees all of the boundary",
                    a.x(), a.y(), b.x(), b.y()));
  }
  set_convex(own_nonconvex_arcs().empty());
}

double Polygon::area() const {
  double twice = 0;
  for (std::size_t i = 0; i < vertices_.size(); ++i) twice += cross(vertices_[i], vertices_[next(i)]);
  return twice / 2;
}

Polygon Polygon::scaled(double factor) const {
  require_positive(factor, "polygon: factor of its size");
  std::vector<Vec2> scaled = vertices_;
  for (Vec2& v : scaled) v *= factor;
  return Polygon(std::move(scaled), angle());
}

std::size_t Polygon::edge_at(const Vec2& t) const {
  const double ahead = angles_[0] + wrap_to_turn(angle_of(t) - angles_[0]);
  const auto after = std::upper_bound(angles_.begin() + 1, angles_.end(), ahead);
  return static_cast<std::size_t>(after - angles_.begin()) - 1;
}

std::optional<std::size_t> Polygon::vertex_at(const Vec2& t) const {
  const std::size_t edge = edge_at(t);
  for (const std::size_t i : {edge, next(edge)}) {
    const Vec2& v = vertices_[i];
    if (v.dot(t) > 0 && std::abs(cross(v, t)) <= kCornerTolerance * v.norm() * t.norm()) return i;
  }
  return std::nullopt;
}

Vec2 Polygon::own_gauge_gradient(const Vec2& t) const {
  if (const auto i = vertex_at(t)) return 0.5 * (normals_[before(*i)] + normals_[*i]);
  return normals_[edge_at(t)];
}

std::optional<double> Polygon::own_gauge_bending(const Vec2& t) const {
  if (vertex_at(t)) return std::nullopt;
  return 0;
}

double Polygon::own_support(const Vec2& v) const {
  double best = vertices_[0].dot(v);
  for (const Vec2& p : vertices_) best = std::max(best, p.dot(v));
  return best;
}

Face Polygon::own_support_face(const Vec2& v) const {
  if (v.hasNaN()) return {v, v};
  std::size_t best = 0;
  for (std::size_t i = 1; i < vertices_.size(); ++i)
    if (vertices_[i].dot(v) > vertices_[best].dot(v)) best = i;
  // v is normal to a neighbouring edge if it makes no angle with it beyond rounding.
  const auto along = [&](std::size_t edge) {
    const Vec2& n = normals_[edge];
    return n.dot(v) > 0 && std::abs(cross(n, v)) <= kFaceTolerance * n.norm() * v.norm();
  };
  std::size_t from = best, to = best;
  while (along(before(from)) && before(from) != to) from = before(from);
  while (along(to) && next(to) != from) to = next(to);
  return {vertices_[from], vertices_[to]};
}

std::optional<double> Polygon::own_support_bending(const Vec2& v) const {
  if (own_support_face(v).is_flat()) return std::nullopt;
  return 0;
}

Vec2 Polygon::own_project(const Vec2& t) const {
  Vec2 closest = vertices_[0];
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const Vec2 edge = vertices_[next(i)] - vertices_[i];
    const Vec2 p = vertices_[i] + std::clamp((t - vertices_[i]).dot(edge) / edge.squaredNorm(), 0.0, 1.0) * edge;
    if ((t - p).squaredNorm() < (t - closest).squaredNorm()) closest = p;
  }
  return closest;
}

AngleInterval Polygon::own_normal_cone(const Vec2& t) const {
  const auto vertex = vertex_at(t);
  const double first = angle_of(normals_[vertex ? before(*vertex) : edge_at(t)]);
  if (!vertex) return {first, first};
  const double turn = wrap_to_pi(angle_of(normals_[*vertex]) - first);
  return turn >= 0 ? AngleInterval{first, first + turn} : AngleInterval{first + turn, first};
}

std::vector<AngleInterval> Polygon::own_nonconvex_arcs() const {
  std::vector<AngleInterval> arcs;
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const Vec2 in = vertices_[i] - vertices_[before(i)], out = vertices_[next(i)] - vertices_[i];
    if (cross(in, out) < -kCornerTolerance * in.norm() * out.norm()) arcs.push_back({angles_[i], angles_[i]});
  }
  return arcs;
}

std::vector<double> Polygon::own_corners() const { return angles_; }

std::vector<double> Polygon::own_resolving_angles(int count) const {
  std::vector<double> angles;
  const int each = std::max(2, count / static_cast<int>(vertices_.size()));
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    for (int j = 0; j < each; ++j)
      angles.push_back(angle_of(vertices_[i] + (vertices_[next(i)] - vertices_[i]) * (static_cast<double>(j) / each)));
  return angles;
}

std::string Polygon::own_description() const { return fmt::format("polygon with {} vertices", vertices_.size()); }

std::vector<double> Polygon::parameters() const {
  std::vector<double> numbers;
  for (const Vec2& v : vertices_) numbers.insert(numbers.end(), {v.x(), v.y()});
  numbers.push_back(degrees(angle()));
  return numbers;
}

Polygon Polygon::from_parameters(std::span<const double> x) {
  std::vector<Vec2> vertices(internal::expect_pairs(kName, x));
  for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = {x[2 * i], x[2 * i + 1]};
  return Polygon(std::move(vertices), radians(x.back()));
}

}  // namespace slipset
