#include "slipset/sets/planar_set.hpp"

#include <fmt/format.h>

#include <array>

namespace slipset {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<PlanarSet::Shape>> kNames = {
    "disk", "ellipse", "superellipse", "rectangle", "stadium", "polygon", "polar", "wedge", "norm_mix", "user"};

// Numbers are given to six digits: enough to recognise, not to compute with.
struct Describe {
  std::string operator()(const Disk& s) const { return fmt::format("disk with radius {:.6g}", s.radius()); }
  std::string operator()(const Ellipse& s) const {
    return fmt::format("ellipse with semi-axes {:.6g} and {:.6g}", s.semi_axes().x(), s.semi_axes().y());
  }
  std::string operator()(const Superellipse& s) const {
    return fmt::format("superellipse with semi-axes {:.6g} and {:.6g}, exponent {:.6g}", s.semi_axes().x(),
                       s.semi_axes().y(), s.exponent());
  }
  std::string operator()(const Rectangle& s) const {
    return fmt::format("rectangle with semi-axes {:.6g} and {:.6g}", s.semi_axes().x(), s.semi_axes().y());
  }
  std::string operator()(const Stadium& s) const {
    return fmt::format("stadium with half length {:.6g}, half width {:.6g}, caps of {:.6g}", s.half_length(),
                       s.half_width(), s.cap());
  }
  std::string operator()(const Polygon& s) const {
    return fmt::format("polygon with {} vertices", s.vertices().size());
  }
  std::string operator()(const PolarCurve& s) const {
    return fmt::format("smooth curve through {} points", s.points());
  }
  std::string operator()(const Wedge& s) const {
    return fmt::format("wedge reservoir with friction {:.6g} and slope {:.6g} degrees", s.friction(),
                       degrees(s.slope())) +
           (s.size() == 1 ? "" : fmt::format(", scaled by {:.6g}", s.size()));
  }
  std::string operator()(const NormMix& s) const {
    return fmt::format("{:.6g} times the 2-norm plus {:.6g} times the 4-norm, semi-axes {:.6g} and {:.6g}", s.w2(),
                       s.w4(), s.semi_axes().x(), s.semi_axes().y());
  }
  std::string operator()(const UserSet& s) const {
    return s.shape().description() + (s.size() == 1 ? "" : fmt::format(", scaled by {:.6g}", s.size()));
  }
};

}  // namespace

PlanarSet::PlanarSet(const PlanarSet& other) = default;
PlanarSet::PlanarSet(PlanarSet&& other) noexcept = default;
PlanarSet& PlanarSet::operator=(const PlanarSet& other) = default;
PlanarSet& PlanarSet::operator=(PlanarSet&& other) noexcept = default;
PlanarSet::~PlanarSet() = default;

double PlanarSet::angle() const {
  return visit([](const auto& s) { return s.angle(); });
}
double PlanarSet::gauge(const Vec2& t) const {
  return visit([&](const auto& s) { return s.gauge(t); });
}
Vec2 PlanarSet::gauge_gradient(const Vec2& t) const {
  return visit([&](const auto& s) { return s.gauge_gradient(t); });
}
Vec2 PlanarSet::normal_ray(const Vec2& t) const {
  return visit([&](const auto& s) { return s.normal_ray(t); });
}
std::optional<Mat2> PlanarSet::gauge_hessian(const Vec2& t) const {
  return visit([&](const auto& s) { return s.gauge_hessian(t); });
}
double PlanarSet::support(const Vec2& v) const {
  return visit([&](const auto& s) { return s.support(v); });
}
Face PlanarSet::support_face(const Vec2& v) const {
  return visit([&](const auto& s) { return s.support_face(v); });
}
Vec2 PlanarSet::support_point(const Vec2& v) const {
  return visit([&](const auto& s) { return s.support_point(v); });
}
Vec2 PlanarSet::support_ray(const Vec2& v) const {
  return visit([&](const auto& s) { return s.support_ray(v); });
}
std::optional<Mat2> PlanarSet::support_hessian(const Vec2& v) const {
  return visit([&](const auto& s) { return s.support_hessian(v); });
}
Vec2 PlanarSet::project(const Vec2& t) const {
  return visit([&](const auto& s) { return s.project(t); });
}
double PlanarSet::radius(double direction) const {
  return visit([&](const auto& s) { return s.radius(direction); });
}
Vec2 PlanarSet::boundary_point(double direction) const {
  return visit([&](const auto& s) { return s.boundary_point(direction); });
}
AngleInterval PlanarSet::normal_cone(const Vec2& t) const {
  return visit([&](const auto& s) { return s.normal_cone(t); });
}
AngleInterval PlanarSet::tangent_cone(const Vec2& t) const {
  return visit([&](const auto& s) { return s.tangent_cone(t); });
}
std::vector<AngleInterval> PlanarSet::nonconvex_arcs() const {
  return visit([](const auto& s) { return s.nonconvex_arcs(); });
}
bool PlanarSet::is_convex() const {
  return visit([](const auto& s) { return s.is_convex(); });
}
bool PlanarSet::is_star_shaped() const {
  return visit([](const auto& s) { return s.is_star_shaped(); });
}
std::vector<double> PlanarSet::corners() const {
  return visit([](const auto& s) { return s.corners(); });
}
std::vector<double> PlanarSet::resolving_angles(int count) const {
  return visit([&](const auto& s) { return s.resolving_angles(count); });
}
double PlanarSet::area() const {
  return visit([](const auto& s) { return s.area(); });
}
PlanarSet PlanarSet::turned(double by) const {
  return visit([&](const auto& s) { return PlanarSet(s.turned(by)); });
}
PlanarSet PlanarSet::scaled(double factor) const {
  return visit([&](const auto& s) { return PlanarSet(s.scaled(factor)); });
}

std::string_view PlanarSet::name() const { return kNames[shape_.index()]; }

std::string PlanarSet::description() const {
  const std::string text = visit(Describe{});
  if (angle() == 0) return text;
  return text + fmt::format(", turned by {:.6g} degrees", degrees(angle()));
}

}  // namespace slipset
