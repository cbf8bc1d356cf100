// UserSet: a planar set of your own, given by its boundary.           docs/theory/sets.md
//   ρ(τ) = ln r(τ), the radius in direction τ, with two derivatives; smooth, any star-shaped curve              (S.20)
// Everything else (gauge, support, projection, cones) follows. It is a PlanarSet, so that laws, solvers, fits and
// figures take it like the shapes that come with the library. Convex where 1 + ρ'² − ρ'' ≥ 0 (S.21), which is looked at
// in 720 directions.
#pragma once

#include <memory>
#include <string>

#include "slipset/sets/smooth_boundary.hpp"

namespace slipset {

// Derive this. Objects are shared by copies of the set and by threads: keep them constant.
class UserShape {
 public:
  virtual ~UserShape() = default;
  virtual LogRadius log_radius(double angle) const = 0;
  virtual std::string description() const { return "a set of the user's own"; }
};

class UserSet : public SmoothSet<UserSet> {
 public:
  static constexpr std::string_view kName = "user";

  // Throws InvalidInput where the boundary is not finite.
  explicit UserSet(std::shared_ptr<const UserShape> shape, double angle = 0, double size = 1);

  const UserShape& shape() const { return *shape_; }
  double size() const { return size_; }  // factor on the shape
  double area() const;
  UserSet scaled(double factor) const;  // throws InvalidInput unless factor > 0

  std::string own_description() const;
  // A function has no numbers: both throw InvalidInput.
  std::vector<double> parameters() const;
  static UserSet from_parameters(std::span<const double> parameters);

 private:
  friend class Oriented<UserSet>;
  friend class SmoothSet<UserSet>;

  double own_gauge(const Vec2& t) const;
  Vec2 own_gauge_gradient(const Vec2& t) const;
  std::optional<double> own_gauge_bending(const Vec2& t) const;
  std::vector<AngleInterval> own_nonconvex_arcs() const;
  std::vector<double> own_resolving_angles(int count) const;

  LogRadius log_radius(double angle) const;
  static Vec2 scale() { return Vec2::Ones(); }

  std::shared_ptr<const UserShape> shape_;
  double size_, log_size_;
};

}  // namespace slipset
