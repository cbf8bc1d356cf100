// Polygon: star-shaped about the origin, convex or not.               docs/theory/sets.md
//   k(t) = n_i·t in the sector of edge i, with n_i normal to the edge and n_i·p = 1 on it    (S.19)
#pragma once

#include "slipset/sets/oriented.hpp"

namespace slipset {

class Polygon : public Oriented<Polygon> {
 public:
  static constexpr std::string_view kName = "polygon";

  // Vertices counter-clockwise, at least three, the origin strictly inside, each seen from it in turn.
  // Throws InvalidInput, naming the vertex, otherwise.
  explicit Polygon(std::vector<Vec2> vertices, double angle = 0);

  const std::vector<Vec2>& vertices() const { return vertices_; }  // in the polygon's own axes
  double area() const;
  Polygon scaled(double factor) const;

  std::string own_description() const;
  std::vector<double> parameters() const;  // x and y of each vertex, angle [degrees]
  static Polygon from_parameters(std::span<const double> parameters);

 private:
  friend class Oriented<Polygon>;
  double own_gauge(const Vec2& t) const { return normals_[edge_at(t)].dot(t); }
  Vec2 own_gauge_gradient(const Vec2& t) const;
  std::optional<double> own_gauge_bending(const Vec2& t) const;
  double own_support(const Vec2& v) const;
  Face own_support_face(const Vec2& v) const;
  std::optional<double> own_support_bending(const Vec2& v) const;
  Vec2 own_project(const Vec2& t) const;
  AngleInterval own_normal_cone(const Vec2& t) const;
  std::vector<AngleInterval> own_nonconvex_arcs() const;
  std::vector<double> own_corners() const;
  std::vector<double> own_resolving_angles(int count) const;

  std::size_t next(std::size_t i) const { return i + 1 == vertices_.size() ? 0 : i + 1; }
  std::size_t before(std::size_t i) const { return i == 0 ? vertices_.size() - 1 : i - 1; }
  // The edge whose sector holds t.
  std::size_t edge_at(const Vec2& t) const;
  // The vertex on the ray of t, or none.
  std::optional<std::size_t> vertex_at(const Vec2& t) const;

  std::vector<Vec2> vertices_;
  std::vector<double> angles_;  // of the vertices, increasing from the first one's, below a turn more
  std::vector<Vec2> normals_;   // of edge i from vertex i, scaled to n·p = 1
};

}  // namespace slipset
