#include "slipset/sets/planar_set.hpp"

#include <fmt/format.h>

#include <array>

namespace slipset {
namespace {

template <class... Shapes>
constexpr bool are_shapes(std::type_identity<std::variant<Shapes...>>) {
  return (PlanarShape<Shapes> && ...);
}
template <class... Shapes>
constexpr bool names_differ(std::type_identity<std::variant<Shapes...>>) {
  std::array<std::string_view, sizeof...(Shapes)> names = {Shapes::kName...};
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}
static_assert(are_shapes(std::type_identity<PlanarSet::Shape>{}),
              "a shape lacks a member: PlanarShape in oriented.hpp");
static_assert(names_differ(std::type_identity<PlanarSet::Shape>{}), "two shapes have the same kName");

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
  if (count < 1) throw InvalidInput(fmt::format("set: {} angles to resolve its boundary; expected 1 or more", count));
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

std::string_view PlanarSet::name() const {
  return visit([](const auto& s) { return std::decay_t<decltype(s)>::kName; });
}

std::string PlanarSet::description() const {
  const std::string text = visit([](const auto& s) { return s.own_description(); });
  if (angle() == 0) return text;
  return text + fmt::format(", turned by {:.6g} degrees", degrees(angle()));
}

}  // namespace slipset
