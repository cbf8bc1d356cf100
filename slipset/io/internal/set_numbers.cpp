#include "slipset/io/internal/set_numbers.hpp"

#include <fmt/format.h>

#include "slipset/core/error.hpp"

namespace slipset::internal {
namespace {

struct Numbers {
  static std::vector<double> of(const Disk& s) { return {s.radius()}; }
  static std::vector<double> of(const Ellipse& s) { return {s.semi_axes().x(), s.semi_axes().y(), degrees(s.angle())}; }
  static std::vector<double> of(const Superellipse& s) {
    return {s.semi_axes().x(), s.semi_axes().y(), s.exponent(), degrees(s.angle())};
  }
  static std::vector<double> of(const Rectangle& s) {
    return {s.semi_axes().x(), s.semi_axes().y(), degrees(s.angle())};
  }
  static std::vector<double> of(const Stadium& s) {
    return {s.half_length(), s.half_width(), s.cap(), degrees(s.angle())};
  }
  static std::vector<double> of(const Wedge& s) {
    return {s.friction(), degrees(s.slope()), s.size(), degrees(s.angle())};
  }
  static std::vector<double> of(const NormMix& s) {
    return {s.semi_axes().x(), s.semi_axes().y(), s.w2(), s.w4(), degrees(s.angle())};
  }
  static std::vector<double> of(const Polygon& s) {
    std::vector<double> numbers;
    for (const Vec2& v : s.vertices()) numbers.insert(numbers.end(), {v.x(), v.y()});
    numbers.push_back(degrees(s.angle()));
    return numbers;
  }
  static std::vector<double> of(const PolarCurve& s) {
    std::vector<double> numbers;
    for (const double angle : s.node_angles())
      numbers.insert(numbers.end(), {degrees(angle), s.radius(angle + s.angle())});
    numbers.push_back(degrees(s.angle()));
    return numbers;
  }
  static std::vector<double> of(const UserSet& s) {
    throw InvalidInput(fmt::format("{}: a user-defined set cannot be written to a file; sample it as a polar curve",
                                   s.shape().description()));
  }
};

}  // namespace

std::vector<double> set_numbers(const PlanarSet& set) {
  return set.visit([](const auto& shape) { return Numbers::of(shape); });
}

PlanarSet set_from_numbers(std::string_view shape, const std::vector<double>& x) {
  const auto expect = [&](std::size_t count) {
    if (x.size() != count)
      throw InvalidInput(fmt::format("shape \"{}\": found {} numbers, expected {}", shape, x.size(), count));
  };
  const auto expect_pairs = [&] {
    if (x.size() < 3 || x.size() % 2 == 0)
      throw InvalidInput(fmt::format("shape \"{}\": found {} numbers, expected pairs and an angle", shape, x.size()));
    return x.size() / 2;
  };
  if (shape == "disk") return expect(1), Disk(x[0]);
  if (shape == "ellipse") return expect(3), Ellipse(x[0], x[1], radians(x[2]));
  if (shape == "superellipse") return expect(4), Superellipse(x[0], x[1], x[2], radians(x[3]));
  if (shape == "rectangle") return expect(3), Rectangle(x[0], x[1], radians(x[2]));
  if (shape == "stadium") return expect(4), Stadium(x[0], x[1], x[2], radians(x[3]));
  if (shape == "norm_mix") return expect(5), NormMix(x[0], x[1], x[2], x[3], radians(x[4]));
  if (shape == "wedge") {
    expect(4);
    const Wedge wedge(x[0], radians(x[1]), radians(x[3]));
    return x[2] == 1 ? wedge : wedge.scaled(x[2]);
  }
  if (shape == "polygon") {
    std::vector<Vec2> vertices(expect_pairs());
    for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = {x[2 * i], x[2 * i + 1]};
    return Polygon(std::move(vertices), radians(x.back()));
  }
  if (shape == "polar") {
    std::vector<double> angles, radii;
    for (std::size_t i = 0; i < expect_pairs(); ++i) {
      angles.push_back(radians(x[2 * i]));
      radii.push_back(x[2 * i + 1]);
    }
    return PolarCurve(angles, radii, radians(x.back()));
  }
  throw InvalidInput(fmt::format("unknown shape \"{}\"", shape));
}

}  // namespace slipset::internal
