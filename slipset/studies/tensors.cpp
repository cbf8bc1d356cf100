#include "slipset/studies/tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/laws/flow.hpp"
#include "slipset/studies/curves.hpp"

namespace slipset {
namespace {

// ln r_D over the angle θ of the force, by Eq. 71 as it is printed: the integral of tan(θ - φ) over θ, by Simpson's rule
// on slip directions φ that are evenly spaced. The library integrates the support function over φ instead (L.2).
struct Eq71 {
  std::vector<double> theta, log_radius;  // from φ = 0 on, over one turn

  explicit Eq71(const Flow& flow) {
    constexpr int count = 20000;
    const double h = 2 * kPi / count;
    const auto force_angle = [&](double phi) {  // near φ
      const Vec2 s = flow(unit(phi)), e = unit(phi);
      return phi + std::atan2(e.x() * s.y() - e.y() * s.x(), e.dot(s));
    };
    const auto integrand = [&](double phi) {
      const double d = 1e-3;
      const double turn =
          (8 * (force_angle(phi + d) - force_angle(phi - d)) - force_angle(phi + 2 * d) + force_angle(phi - 2 * d)) /
          (12 * d);
      return std::tan(force_angle(phi) - phi) * turn;
    };
    theta.push_back(force_angle(0));
    log_radius.push_back(0);
    for (int i = 0; i < count; ++i) {
      const double a = i * h;
      log_radius.push_back(log_radius.back() + h / 6 * (integrand(a) + 4 * integrand(a + h / 2) + integrand(a + h)));
      theta.push_back(force_angle(a + h));
    }
  }
};

Flow flow_of(const TomlTable& t) {
  constexpr std::array<std::string_view, 4> keys = {"name", "second", "fourth", "nonconstant"};
  t.allow_only(keys);
  if (t.has("nonconstant")) {  // T(n) = (nᵀ diag(μ) n) I: the force opposes the slip
    const Vec2 mu = t.positive_pair("nonconstant");
    return [mu](const Vec2& n) { return Vec2(mu.dot(n.cwiseAbs2()) * n); };
  }
  const std::vector<double> a = t.list("second");
  if (a.size() != 4) t.fail("second", "expected four numbers, row by row");
  Mat2 second;
  second << a[0], a[1], a[2], a[3];
  if (!t.has("fourth")) return tensor_flow(second);
  const std::vector<double> b = t.list("fourth");
  if (b.size() != 16) t.fail("fourth", "expected sixteen numbers");
  std::array<double, 16> fourth{};
  std::copy(b.begin(), b.end(), fourth.begin());
  return tensor_flow(second, fourth);
}

struct Compared {
  double by_eq71 = 0;    // radius of D off that of Eq. 71, relative
  double by_flow = 0;    // resistance of the law off that of the tensor, relative
  double roundness = 0;  // largest over smallest radius of D, less 1
};

Compared compare(const Flow& flow, const FrictionLaw& law, const Eq71& curve) {
  Compared c;
  double first = 0, least = INFINITY, most = 0;
  for (std::size_t i = 0; i < curve.theta.size(); i += 37) {
    const double r = 1 / law.direction().gauge(unit(curve.theta[i])), r71 = std::exp(curve.log_radius[i]);
    if (i == 0) first = r;
    c.by_eq71 = std::max(c.by_eq71, std::abs(r / first / r71 - 1));
    least = std::min(least, r);
    most = std::max(most, r);
  }
  c.roundness = most / least - 1;
  for (int k = 0; k < 3600; ++k) {
    const Vec2 v = unit(radians(0.1 * k + 0.03)), s = flow(v);
    c.by_flow = std::max(c.by_flow, (slip_resistance(law, v) - s).norm() / s.norm());
  }
  return c;
}

}  // namespace

StudyResult walker2019_fig12(const Study& study, const StudyProgress& progress) {
  StudyResult result;
  Figure figure("sets", 1200, 460);
  figure.add(
      "set multiplot layout 1,3 title 'Reservoirs and direction sets of friction tensors (Fig. 12)'\nset size ratio "
      "-1");
  const auto cases = study.cases();
  double done = 0;
  for (const TomlTable& c : cases) {
    const std::string name = c.text("name");
    const Flow flow = flow_of(c);
    const double closure = flow_closure(flow);
    result.add("ln of the radius of D gained per turn, " + name + " [-]", closure);
    progress(++done / static_cast<double>(cases.size()));
    std::optional<FrictionLaw> law;
    try {
      law = law_from_flow(flow);
    } catch (const InvalidInput&) {  // that is the answer: no closed D
    }
    result.add("has a direction set, " + name + " [1 yes]", law ? 1 : 0);
    if (!law) continue;
    const Compared compared = compare(flow, *law, Eq71(flow));
    result.add("D off Eq. 71, relative, largest, " + name + " [-]", compared.by_eq71);
    result.add("resistance off that of the tensor, relative, largest, " + name + " [-]", compared.by_flow);
    result.add("largest radius of D over the smallest, less 1, " + name + " [-]", compared.roundness);
    const double p1 = 1 / law->direction().gauge({1, 0}), p2 = 1 / law->direction().gauge({0, 1});
    result.add("p1/p2 of D, " + name + " [-]", p1 / p2);
    result.add("D convex, " + name + " [1 yes]", law->direction().is_convex() ? 1 : 0);
    CurveRows reservoir, direction;
    double scale = INFINITY;  // D inside C
    for (int k = 0; k <= 720; ++k)
      scale = std::min(scale, law->reservoir().boundary_point(radians(0.5 * k)).norm() *
                                  law->direction().gauge(unit(radians(0.5 * k))));
    for (int k = 0; k <= 720; ++k) {
      const Vec2 a = law->reservoir().boundary_point(radians(0.5 * k)),
                 b = scale * law->direction().boundary_point(radians(0.5 * k));
      reservoir.push_back({a.x(), a.y()});
      direction.push_back({b.x(), b.y()});
    }
    figure.add(fmt::format("set title {} noenhanced", gnuplot_string(name)));
    add_plot(name.substr(0, 1),
             {{"reservoir C", reservoir}, {"direction set D, by Eq. 71", direction, "lines lw 2 dt 2"}}, figure);
  }
  figure.add("unset multiplot");
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace slipset
