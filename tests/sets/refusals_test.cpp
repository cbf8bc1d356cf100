// Sets of no size, or of numbers that are none: refused by every constructor, saying which number.
#include "slipset/sets/boundary_scan.hpp"
#include "slipset/sets/contensou.hpp"
#include "slipset/sets/ellipsoid.hpp"
#include "slipset/sets/interval.hpp"
#include "slipset/sets/planar_set.hpp"
#include "tests/support/refused.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

PolarCurve polar(const std::vector<double>& angles, const std::vector<double>& radii) { return {angles, radii}; }

}  // namespace

TEST_CASE("lengths of sets must be positive and finite, angles finite") {
  const std::vector<std::pair<const char*, std::function<void(double)>>> lengths = {
      {"disk", [](double x) { Disk{x}; }},
      {"interval", [](double x) { Interval{x}; }},
      {"interval", [](double x) { Interval(1, x); }},
      {"ellipse", [](double x) { Ellipse(x, 1); }},
      {"ellipse", [](double x) { Ellipse(1, x); }},
      {"superellipse", [](double x) { Superellipse(x, 1, 2); }},
      {"superellipse", [](double x) { Superellipse(1, x, 2); }},
      {"superellipse", [](double x) { Superellipse(1, 1, x); }},
      {"rectangle", [](double x) { Rectangle(x, 1); }},
      {"rectangle", [](double x) { Rectangle(1, x); }},
      {"stadium", [](double x) { Stadium(x, 1, 1); }},
      {"stadium", [](double x) { Stadium(1, x, 1); }},
      {"stadium", [](double x) { Stadium(1, 1, x); }},
      {"norm mix", [](double x) { NormMix(x, 1, 1, 1); }},
      {"norm mix", [](double x) { NormMix(1, x, 1, 1); }},
      {"wedge", [](double x) { Wedge(x, 0.1); }},
      {"ellipsoid", [](double x) { Ellipsoid(Vec3(1, x, 1)); }},
      {"quadratic", [](double x) { quadratic(x, 1, 0); }},
      {"polar",
       [](double x) {
         polar({0, 1.5, 3, 4.5}, {1, x, 1, 1});
       }},
      {"factor", [](double x) { PlanarSet(Disk(1)).scaled(x); }},
      {"factor", [](double x) { PlanarSet(Wedge(0.3, 0.2)).scaled(x); }},
      {"factor",
       [](double x) {
         PlanarSet(Polygon({{1, 0}, {0, 1}, {-1, -1}})).scaled(x);
       }},
      {"factor", [](double x) {
         PlanarSet(polar({0, 1.5, 3, 4.5}, {1, 1, 1, 1})).scaled(x);
       }}};
  for (const auto& [what, make] : lengths) require_refused(what, kNotPositive, make, "");
  const std::vector<std::pair<const char*, std::function<void(double)>>> angles = {
      {"ellipse", [](double x) { Ellipse(1, 1, x); }},
      {"superellipse", [](double x) { Superellipse(1, 1, 2, x); }},
      {"rectangle", [](double x) { Rectangle(1, 1, x); }},
      {"stadium", [](double x) { Stadium(1, 1, 1, x); }},
      {"norm mix", [](double x) { NormMix(1, 1, 1, 1, x); }},
      {"norm mix", [](double x) { NormMix(1, 1, x, 1); }},
      {"wedge", [](double x) { Wedge(0.3, 0.1, x); }},
      {"wedge", [](double x) { Wedge(0.3, x); }},
      {"ellipsoid", [](double x) { Ellipsoid(Vec3(1, 1, 1), x); }},
      {"quadratic", [](double x) { quadratic(1, 1, x); }},
      {"polygon",
       [](double x) {
         Polygon({{1, 0}, {0, x}, {-1, -1}});
       }},
      {"polar",
       [](double x) {
         polar({0, x, 3, 4.5}, {1, 1, 1, 1});
       }},
      {"turned", [](double x) { PlanarSet(Ellipse(1, 2)).turned(x); }},
      {"turned", [](double x) {
         PlanarSet(Polygon({{1, 0}, {0, 1}, {-1, -1}})).turned(x);
       }}};
  for (const auto& [what, make] : angles) require_refused(what, kNotFinite, make, "");
}

TEST_CASE("shapes from the wrong number of numbers, and scans of nothing") {
  const std::vector<double> none, two(2, 1.0), many(8, 1.0);
  require_refused({{"disk", [&] { Disk::from_parameters(none); }, "expected 1"},
                   {"ellipse", [&] { Ellipse::from_parameters(two); }, "expected 3"},
                   {"superellipse", [&] { Superellipse::from_parameters(two); }, "expected 4"},
                   {"rectangle", [&] { Rectangle::from_parameters(many); }, "expected 3"},
                   {"stadium", [&] { Stadium::from_parameters(none); }, "expected 4"},
                   {"wedge", [&] { Wedge::from_parameters(two); }, "expected 4"},
                   {"norm mix", [&] { NormMix::from_parameters(two); }, "expected 5"},
                   {"polygon", [&] { Polygon::from_parameters(two); }, "pairs"},
                   {"polar", [&] { PolarCurve::from_parameters(many); }, "pairs"},
                   {"polygon", [] { Polygon({}); }, "at least 3"},
                   {"polygon",
                    [] {
                      Polygon({{1, 1}, {2, 1}, {2, 2}, {1, 2}});
                    },
                    "from (1, 2) to (1, 1)"},
                   {"polar", [] { polar({}, {}); }, "polar"},
                   {"polar",
                    [] {
                      polar({0, 1, 2}, {1});
                    },
                    "polar"},
                   {"user", [] { UserSet(nullptr); }, "no shape"},
                   {"angles", [] { PlanarSet(Disk(1)).resolving_angles(0); }, "expected 1 or more"},
                   {"angles", [] { PlanarSet(Disk(1)).resolving_angles(-3); }, "expected 1 or more"},
                   {"angles", [] { resolving_angles(Disk(1), Ellipse(1, 2), 0); }, "expected 1 or more"}});
  const AngleFunction one = [](double) { return 1.0; };
  require_refused({{"minimum", [&] { minimum_on_circle(one, {}); }, "nodes"},
                   {"maximum", [&] { maximum_on_circle(one, {1.0}); }, "nodes"},
                   {"parts", [&] { negative_parts(one, 1, 1, 3); }, "interval"},
                   {"parts", [&] { negative_parts(one, 0, kNan, 3); }, "interval"},
                   {"parts", [&] { negative_parts(one, 0, 1, -1); }, "negative"}});
}
