#include "slipset/laws/rolling_law.hpp"

#include <fmt/format.h>

#include "slipset/core/internal/small_matrix.hpp"
#include "slipset/laws/friction_law.hpp"

namespace slipset {
namespace {

void require_components(const RollingLaw& law, const RollingVec& x) {
  if (x.size() != law.size())
    throw InvalidInput(
        fmt::format("rolling law: a vector of {} numbers; the law has {} components", x.size(), law.size()));
}

double largest_radius(const PlanarSet& set) {
  double largest = 0;
  for (const double angle : set.resolving_angles(180)) largest = std::max(largest, set.radius(angle));
  return largest;
}

Mat2 turned_axes(const Vec2& semi_axes, double angle) {
  const Vec2 axis = unit_at_degrees(degrees(angle));
  Mat2 l;
  l << axis.x() * semi_axes.x(), -axis.y() * semi_axes.y(), axis.y() * semi_axes.x(), axis.x() * semi_axes.y();
  return l;
}

// Of one factor, in own coordinates; each with the factor's part x of a vector.
double gauge_of(const RollingLaw::Factor& factor, const RollingVec& x) {
  if (const auto* interval = std::get_if<Interval>(&factor.set)) return interval->gauge(x[0]);
  if (const auto* planar = std::get_if<PlanarSet>(&factor.set)) return planar->gauge(x);
  if (const auto* patch = std::get_if<ContensouSet>(&factor.set)) return patch->gauge(x);
  return x.norm();
}

double support_of(const RollingLaw::Factor& factor, const RollingVec& w) {
  if (const auto* interval = std::get_if<Interval>(&factor.set)) return interval->support(w[0]);
  if (const auto* planar = std::get_if<PlanarSet>(&factor.set)) return planar->support(w);
  if (const auto* patch = std::get_if<ContensouSet>(&factor.set)) return patch->support(w);
  return w.norm();
}

RollingVec support_point_of(const RollingLaw::Factor& factor, const RollingVec& w) {
  if (const auto* interval = std::get_if<Interval>(&factor.set))
    return RollingVec::Constant(1, interval->support_point(w[0]));
  if (const auto* planar = std::get_if<PlanarSet>(&factor.set)) return planar->support_point(w);
  if (const auto* patch = std::get_if<ContensouSet>(&factor.set)) return patch->support_point(w);
  const double size = w.norm();
  return size > 0 ? RollingVec(w / size) : w;
}

// Closest points of size·K for one factor, written into its rows, and the derivative into its diagonal block.
struct Projection {
  const RollingLaw::Factor& factor;
  const RollingVec& x;
  double size;
  RollingVec& closest;
  RollingMat* derivative;

  void operator()(const UnitBall&) const {
    const auto own = x.segment(factor.first, factor.size);
    const double length = own.norm();
    if (length <= size) return inside();
    closest.segment(factor.first, factor.size) = own * (size / length);
    if (!derivative) return;
    const double ratio = size / length;
    for (int i = 0; i < factor.size; ++i)
      for (int j = 0; j < factor.size; ++j)
        (*derivative)(factor.first + i, factor.first + j) =
            ratio * ((i == j ? 1.0 : 0.0) - own[i] / length * (own[j] / length));
  }
  void operator()(const Interval& interval) const {
    const int i = factor.first;
    closest[i] = size * interval.project(x[i] / size);
    if (derivative) (*derivative)(i, i) = interval.contains(x[i] / size) ? 1 : 0;
  }
  void operator()(const PlanarSet& set) const {
    const Vec2 own = x.segment<2>(factor.first) / size, p = set.project(own);
    if (p == own) return inside();
    closest.segment<2>(factor.first) = size * p;
    if (!derivative) return;
    // By the curvature of the gauge at p: the direction of own - p is lost to rounding near the set.
    Mat2 d = Mat2::Zero();
    if (const auto hessian = set.gauge_hessian(p)) {
      const Vec2 normal = set.gauge_gradient(p);
      const Vec2 along = turn_left(normal) / normal.norm();
      const double curvature = std::max(0.0, along.dot(*hessian * along)) / normal.norm();
      d = along * along.transpose() / (1 + curvature * (own - p).norm());
    }
    derivative->block<2, 2>(factor.first, factor.first) = d;
  }
  void operator()(const ContensouSet& set) const {
    Mat3 d;
    closest.segment<3>(factor.first) = size * set.project(x.segment<3>(factor.first) / size, derivative ? &d : nullptr);
    if (derivative) derivative->block<3, 3>(factor.first, factor.first) = d;
  }
  void inside() const {
    closest.segment(factor.first, factor.size) = x.segment(factor.first, factor.size);
    if (derivative) derivative->block(factor.first, factor.first, factor.size, factor.size).setIdentity();
  }
};

}  // namespace

RollingLaw::RollingLaw(bool sliding, bool drilling, bool rolling)
    : sliding_(sliding), drilling_(drilling), rolling_(rolling) {
  size_ = (sliding ? 2 : 0) + (drilling ? 1 : 0) + (rolling ? 2 : 0);
  if (size_ == 0) throw InvalidInput("rolling law: no part; give sliding, drilling or rolling friction");
  coordinates_ = RollingMat::Identity(size_, size_);
}

void RollingLaw::add_planar(int first, const PlanarSet& set, const char* what) {
  require_moderate(set, what);
  if (!set.is_convex())
    throw InvalidInput(
        fmt::format("{}: this {} is not convex; laws with drilling or rolling need convex sets", what, set.name()));
  if (const auto* ellipse = set.as<Ellipse>()) {
    coordinates_.block<2, 2>(first, first) = turned_axes(ellipse->semi_axes(), ellipse->angle());
    factors_.push_back({first, 2, UnitBall{}});
    return;
  }
  const double size = largest_radius(set);
  coordinates_.block<2, 2>(first, first) = Mat2::Identity() * size;
  if (set.as<Disk>())
    factors_.push_back({first, 2, UnitBall{}});
  else
    factors_.push_back({first, 2, set.scaled(1 / size)});
}

RollingLaw RollingLaw::ellipsoid(const EllipsoidAxes& axes) {
  RollingLaw law(axes.sliding.has_value(), axes.drilling.has_value(), axes.rolling.has_value());
  const auto check = [](const Vec2& pair, double angle, const char* what) {
    require_positive(pair.x(), what);
    require_positive(pair.y(), what);
    require_finite(angle, what);
    require_moderate(Ellipse(pair.x(), pair.y()), what);
  };
  law.description_ = "ellipsoid";
  if (axes.sliding) {
    check(*axes.sliding, axes.sliding_angle, "sliding friction");
    law.coordinates_.block<2, 2>(0, 0) = turned_axes(*axes.sliding, axes.sliding_angle);
  }
  if (axes.drilling) {
    require_positive(*axes.drilling, "drilling friction");
    law.coordinates_(law.drilling_place(), law.drilling_place()) = *axes.drilling;
  }
  if (axes.rolling) {
    check(*axes.rolling, axes.rolling_angle, "rolling friction");
    law.coordinates_.block<2, 2>(law.rolling_place(), law.rolling_place()) =
        turned_axes(*axes.rolling, axes.rolling_angle);
  }
  law.factors_.push_back({0, law.size_, UnitBall{}});
  law.inverse_ = internal::small_inverse_of(law.coordinates_);
  return law;
}

RollingLaw RollingLaw::product(const std::optional<PlanarSet>& sliding, const std::optional<Interval>& drilling,
                               const std::optional<PlanarSet>& rolling) {
  RollingLaw law(sliding.has_value(), drilling.has_value(), rolling.has_value());
  if (sliding) law.add_planar(0, *sliding, "sliding friction");
  if (drilling) {
    const double size = std::max(drilling->backward(), drilling->forward());
    law.coordinates_(law.drilling_place(), law.drilling_place()) = size;
    law.factors_.push_back({law.drilling_place(), 1, drilling->scaled(1 / size)});
  }
  if (rolling) law.add_planar(law.rolling_place(), *rolling, "rolling friction");
  law.description_ = "product";
  law.inverse_ = internal::small_inverse_of(law.coordinates_);
  return law;
}

RollingLaw RollingLaw::contensou(double friction, double radius, PatchPressure pressure,
                                 const std::optional<PlanarSet>& rolling) {
  require_positive(friction, "patch: friction coefficient");
  require_positive(radius, "patch: radius");
  RollingLaw law(true, true, rolling.has_value());
  law.coordinates_.topLeftCorner<2, 2>() = Mat2::Identity() * friction;
  law.coordinates_(2, 2) = friction * radius;
  law.factors_.push_back({0, 3, ContensouSet(pressure)});
  if (rolling) law.add_planar(3, *rolling, "rolling friction");
  law.description_ = fmt::format("contensou, {} pressure", kPatchPressureNames[static_cast<std::size_t>(pressure)]);
  law.inverse_ = internal::small_inverse_of(law.coordinates_);
  return law;
}

double RollingLaw::largest_torque() const {
  const int torques = size_ - drilling_place();
  return torques > 0 ? coordinates_.bottomRows(torques).cwiseAbs().maxCoeff() : 0;
}

double RollingLaw::gauge(const RollingVec& t) const {
  require_components(*this, t);
  const RollingVec x = inverse_ * t;
  double largest = 0;
  for (const Factor& f : factors_) {
    const double k = gauge_of(f, x.segment(f.first, f.size));
    if (k > largest || std::isnan(k)) largest = k;
    if (std::isnan(k)) break;
  }
  return largest;
}

double RollingLaw::support(const RollingVec& v) const {
  require_components(*this, v);
  const RollingVec w = coordinates_.transpose() * v;
  double sum = 0;
  for (const Factor& f : factors_) sum += support_of(f, w.segment(f.first, f.size));
  return sum;
}

RollingVec RollingLaw::support_point(const RollingVec& v) const {
  require_components(*this, v);
  const RollingVec w = coordinates_.transpose() * v;
  RollingVec x(size_);
  for (const Factor& f : factors_) x.segment(f.first, f.size) = support_point_of(f, w.segment(f.first, f.size));
  return coordinates_ * x;
}

void RollingLaw::project_own(const RollingVec& x, double size, RollingVec& closest, RollingMat* derivative) const {
  require_components(*this, x);
  closest.resize(size_);
  if (derivative) derivative->setZero(size_, size_);
  for (const Factor& f : factors_) std::visit(Projection{f, x, size, closest, derivative}, f.set);
}

}  // namespace slipset
