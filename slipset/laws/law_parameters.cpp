#include "slipset/laws/law_parameters.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "slipset/core/angle.hpp"

namespace slipset {
namespace {

struct Names {
  std::string_view shape;
  std::vector<std::string_view> names;  // in the order of parameters(), before the angle
};

// Shapes have their angles in degrees, as files do.
bool is_angle(const std::string& name) { return name.find("angle") != std::string::npos || name == "slope"; }

std::vector<std::string> names_of(const PlanarSet& set) {
  static const std::vector<Names> all = {{"disk", {"radius"}},
                                         {"ellipse", {"a", "b"}},
                                         {"rectangle", {"a", "b"}},
                                         {"superellipse", {"a", "b", "exponent"}},
                                         {"stadium", {"half_length", "half_width", "cap"}},
                                         {"norm_mix", {"a", "b", "w2", "w4"}},
                                         {"wedge", {"friction", "slope", "size"}}};
  const std::size_t count = set.visit([](const auto& shape) { return shape.parameters().size(); });
  std::vector<std::string> names;
  const auto known = std::find_if(all.begin(), all.end(), [&](const Names& n) { return n.shape == set.name(); });
  if (known != all.end()) {
    names.assign(known->names.begin(), known->names.end());
  } else {
    const bool polar = set.name() == PolarCurve::kName;
    for (std::size_t i = 0; 2 * i + 1 < count; ++i) {
      names.push_back(fmt::format("{}[{}]", polar ? "angle" : "x", i));
      names.push_back(fmt::format("{}[{}]", polar ? "radius" : "y", i));
    }
  }
  if (names.size() < count) names.push_back("angle");
  return names;
}

std::vector<LawParameter> parameters_of(const PlanarSet& set) {
  const std::vector<std::string> names = names_of(set);
  const std::vector<double> values = set.visit([](const auto& shape) { return shape.parameters(); });
  std::vector<LawParameter> parameters;
  for (std::size_t i = 0; i < values.size(); ++i)
    parameters.push_back({names[i], is_angle(names[i]) ? radians(values[i]) : values[i]});
  return parameters;
}

PlanarSet with(const PlanarSet& set, std::span<const double> values) {
  const std::vector<std::string> names = names_of(set);
  std::vector<double> in_file(values.begin(), values.end());
  for (std::size_t i = 0; i < in_file.size(); ++i)
    if (is_angle(names[i])) in_file[i] = degrees(in_file[i]);
  return set.visit(
      [&](const auto& shape) -> PlanarSet { return std::decay_t<decltype(shape)>::from_parameters(in_file); });
}

std::vector<double> values_of(const std::vector<LawParameter>& parameters) {
  std::vector<double> values;
  for (const LawParameter& parameter : parameters) values.push_back(parameter.value);
  return values;
}

// f(x ± h), f(x ± 2h) to the derivative, with an error of h⁴.
template <class Function>
auto difference(const Function& f, double x, double h) {
  using Value = decltype(f(x));
  return Value((8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h));
}

// One number of a set.
struct Number {
  const PlanarSet& set;
  std::string name;
  std::vector<double> values;  // of all of them
  std::size_t place;

  double value() const { return values[place]; }
  // 0 or 1: a or b of a shape that is stretched by them along its own axes; else -1.
  int stretched_axis() const { return name == "a" ? 0 : name == "b" ? 1 : -1; }
  double step() const {
    const bool length = name[0] == 'x' || name[0] == 'y';
    return 1e-4 * (is_angle(name) ? 1 : length ? set.radius(0) : std::max(std::abs(value()), 1e-3));
  }
  PlanarSet changed_to(double x) const {
    std::vector<double> changed = values;
    changed[place] = x;
    return with(set, changed);
  }
  Vec2 into_axes(const Vec2& x) const { return Eigen::Rotation2Dd(-set.angle()) * x; }
  Vec2 out_of_axes(const Vec2& x) const { return Eigen::Rotation2Dd(set.angle()) * x; }
};

// ∂k/∂θ of the gauge at a point.
double gauge_by(const Number& number, const Vec2& t) {
  const PlanarSet& set = number.set;
  if (number.name == "radius") return -set.gauge(t) / number.value();
  if (number.name == "angle") return -set.gauge_gradient(t).dot(turn_left(t));
  if (const int axis = number.stretched_axis(); axis >= 0)  // k = k0(t1/a, t2/b)
    return -number.into_axes(t)[axis] / number.value() * number.into_axes(set.gauge_gradient(t))[axis];
  if (number.name == "exponent") {  // k = (Σ x_i^s)^(1/s), x = |t|/axes
    const Superellipse& shape = *set.as<Superellipse>();
    const Vec2 x = number.into_axes(t).cwiseAbs().cwiseQuotient(shape.semi_axes());
    const double k = set.gauge(t), e = shape.exponent();
    double sum = 0;
    for (const double part : {x[0] / k, x[1] / k})
      if (part > 0) sum += std::pow(part, e) * std::log(part);
    return k * sum / e;
  }
  return difference([&](double x) { return number.changed_to(x).gauge(t); }, number.value(), number.step());
}

// ∂z/∂θ of the support point in direction v, up to a multiple of z.
Vec2 support_by(const Number& number, const Vec2& v) {
  const PlanarSet& set = number.set;
  const Vec2 z = set.support_point(v);
  if (number.name == "radius") return z / number.value();
  const auto hessian = [&] {
    const std::optional<Mat2> found = set.support_hessian(v);
    if (!found)
      throw InvalidInput("law: no derivative where D has a flat side or no curvature; turn the velocity a little");
    return *found;
  };
  if (number.name == "angle") return turn_left(z) - hessian() * turn_left(v);
  if (const int axis = number.stretched_axis(); axis >= 0) {  // h = h0(a v1, b v2)
    Vec2 own = Vec2::Unit(axis) * number.into_axes(z)[axis];
    own += number.into_axes(hessian() * number.out_of_axes(Vec2::Unit(axis))) * number.into_axes(v)[axis];
    return number.out_of_axes(own) / number.value();
  }
  if (number.name == "exponent") {  // z_i ~ a_i^s' |v_i|^(s' - 1), 1/s + 1/s' = 1
    const Superellipse& shape = *set.as<Superellipse>();
    const Vec2 own = number.into_axes(z), direction = number.into_axes(v).cwiseAbs();
    const double slope = -1 / ((shape.exponent() - 1) * (shape.exponent() - 1));
    Vec2 change = Vec2::Zero();
    for (int i = 0; i < 2; ++i)
      if (direction[i] > 0) change[i] = own[i] * std::log(shape.semi_axes()[i] * direction[i]) * slope;
    return number.out_of_axes(change);
  }
  return difference([&](double x) { return Vec2(number.changed_to(x).support_point(v)); }, number.value(),
                    number.step());
}

std::vector<Number> numbers_of(const PlanarSet& set) {
  const std::vector<LawParameter> parameters = parameters_of(set);
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    numbers.push_back({set, parameters[i].name, values_of(parameters), i});
  return numbers;
}

}  // namespace

std::vector<LawParameter> law_parameters(const FrictionLaw& law) {
  std::vector<LawParameter> all;
  for (const auto& [prefix, set] :
       {std::pair{"reservoir.", &law.reservoir()}, std::pair{"direction.", &law.direction()}})
    for (LawParameter& parameter : parameters_of(*set)) all.push_back({prefix + parameter.name, parameter.value});
  return all;
}

FrictionLaw with_parameters(const FrictionLaw& law, std::span<const double> values) {
  const std::size_t first = parameters_of(law.reservoir()).size(), all = law_parameters(law).size();
  if (values.size() != all)
    throw InvalidInput(fmt::format("law: {} numbers for {} parameters; give as many", values.size(), all));
  return {with(law.reservoir(), values.first(first)), with(law.direction(), values.subspan(first))};
}

Eigen::Matrix2Xd resistance_by_parameters(const FrictionLaw& law, const Vec2& v) {
  const std::vector<Number> of_reservoir = numbers_of(law.reservoir()), of_direction = numbers_of(law.direction());
  Eigen::Matrix2Xd columns(2, static_cast<Eigen::Index>(of_reservoir.size() + of_direction.size()));
  Eigen::Index column = 0;
  const Vec2 z = law.direction().support_point(v);
  const double k = law.reservoir().gauge(z);
  const Vec2 gradient = law.reservoir().gauge_gradient(z);
  // s = z/k(z).
  for (const Number& number : of_reservoir) columns.col(column++) = -z / (k * k) * gauge_by(number, z);
  for (const Number& number : of_direction) {
    const Vec2 dz = support_by(number, v);
    columns.col(column++) = dz / k - z / (k * k) * gradient.dot(dz);
  }
  return columns;
}

}  // namespace slipset
