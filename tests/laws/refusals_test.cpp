// Laws from numbers that are none, negative or missing: refused, saying which.
#include "slipset/laws/classical.hpp"
#include "slipset/laws/elastic_interface.hpp"
#include "slipset/laws/flow.hpp"
#include "slipset/laws/lugre.hpp"
#include "slipset/laws/regularized.hpp"
#include "slipset/laws/rolling_law.hpp"
#include "slipset/laws/slip_path.hpp"
#include "tests/support/refused.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

RollingLaw::EllipsoidAxes axes(const std::optional<Vec2>& sliding, const std::optional<double>& drilling,
                               const std::optional<Vec2>& rolling, double angle = 0) {
  RollingLaw::EllipsoidAxes a;
  a.sliding = sliding;
  a.sliding_angle = angle;
  a.drilling = drilling;
  a.rolling = rolling;
  return a;
}

}  // namespace

TEST_CASE("coefficients, stiffnesses and widths of laws must be positive and finite") {
  const FrictionLaw law = isotropic(0.5);
  const std::vector<std::pair<const char*, std::function<void(double)>>> positive = {
      {"radius", [](double x) { isotropic(x); }},
      {"", [](double x) { two_sign(x, 1); }},
      {"", [](double x) { two_sign(1, x); }},
      {"", [](double x) { wedge_asperities(x, 0.1); }},
      {"", [](double x) { SuperellipsePair(Vec2(x, 1), Vec2(1, 1), 2); }},
      {"", [](double x) { SuperellipsePair(Vec2(1, 1), Vec2(1, x), 2); }},
      {"exponent", [](double x) { SuperellipsePair(Vec2(1, 1), Vec2(1, 1), x); }},
      {"stiffness", [](double x) { Adhesion(x, 1); }},
      {"stiffness", [](double x) { Adhesion(1, x); }},
      {"static",
       [&](double x) {
         law.with_stribeck({x, 1});
       }},
      {"velocity",
       [&](double x) {
         law.with_stribeck({1, x});
       }},
      {"sigma0", [](double x) { require_valid(LuGre{x}); }},
      {"epsilon", [](double x) { RegularizedCoulomb(Regularization::quinn, x); }},
      {"sliding", [](double x) { RollingLaw::ellipsoid(axes(Vec2(1, x), {}, {})); }},
      {"drilling", [](double x) { RollingLaw::ellipsoid(axes({}, x, {})); }},
      {"rolling", [](double x) { RollingLaw::ellipsoid(axes({}, {}, Vec2(x, 1))); }},
      {"patch", [](double x) { RollingLaw::contensou(x, 1, PatchPressure::hertz); }},
      {"patch", [](double x) { RollingLaw::contensou(1, x, PatchPressure::hertz); }},
      {"normal force",
       [&](double x) {
         interface_rate({law, Adhesion(1, 1)}, {0.1, 0}, {1, 0}, x);
       }},
      {"normal force", [](double x) {
         konyukhov_one_step(Adhesion(1, 2), Ellipse(1, 1), {1, 0}, x);
       }}};
  for (const auto& [says, make] : positive) require_refused(says, kNotPositive, make, says);
  const std::vector<std::pair<const char*, std::function<void(double)>>> finite = {
      {"angle", [](double x) { Adhesion(1, 2, x); }},
      {"viscous",
       [&](double x) {
         law.with_stribeck({1, 1, x});
       }},
      {"sigma1",
       [](double x) {
         require_valid(LuGre{1, x});
       }},
      {"sigma2",
       [](double x) {
         require_valid(LuGre{1, 0, x});
       }},
      {"", [](double x) { FrictionLaw(Ellipse(1, 2), Ellipse(1, 2)).turned(x); }},
      {"", [](double x) { wedge_asperities(0.3, x); }},
      {"sliding", [](double x) { RollingLaw::ellipsoid(axes(Vec2(1, 1), {}, {}, x)); }},
      {"finite",
       [&](double x) {
         interface_rate({law, Adhesion(1, 1)}, {x, 0}, {1, 0}, 1);
       }},
      {"finite",
       [&](double x) {
         interface_rate({law, Adhesion(1, 1)}, {0.1, 0}, {1, x}, 1);
       }},
      {"finite",
       [&](double x) {
         interface_rate({law, Adhesion(1, 1)}, {0.1, 0}, {1, 0}, 1, x);
       }},
      {"slack",
       [&](double x) {
         interface_rate({law, Adhesion(1, 1)}, {0.1, 0}, {1, 0}, 1, 0, x);
       }},
      {"finite",
       [](double x) {
         konyukhov_one_step(Adhesion(1, 2), Ellipse(1, 1), {x, 0}, 1);
       }},
      {"finite",
       [](double x) {
         along_turning_axes({1, x}, 0, 1);
       }},
      {"angle", [](double x) {
         along_turning_axes({1, 0}, 0, x);
       }}};
  for (const auto& [says, make] : finite) require_refused(says, kNotFinite, make, says);
}

TEST_CASE("laws from nothing, and vectors that do not fit a law") {
  const FrictionLaw law = isotropic(0.5);
  const RollingLaw rolling = RollingLaw::product(PlanarSet(Disk(0.5)), Interval(0.1), std::nullopt);
  RollingVec closest;
  for (const int size : {0, 1, 2, 4, 5}) {
    CAPTURE(size);
    const RollingVec x = RollingVec::Ones(size);
    require_refused({{"gauge", [&] { rolling.gauge(x); }, "3 components"},
                     {"support", [&] { rolling.support(x); }, "3 components"},
                     {"support point", [&] { rolling.support_point(x); }, "3 components"},
                     {"projection", [&] { rolling.project_own(x, 1, closest, nullptr); }, "3 components"}});
  }
  const Flow flow = [](const Vec2& n) { return Vec2(0.5 * n); };
  require_refused({{"no part", [] { RollingLaw::ellipsoid({}); }, "no part"},
                   {"no flow", [] { law_from_flow(Flow()); }, "empty"},
                   {"no flow", [] { flow_closure(Flow()); }, "empty"},
                   {"tensor", [] { law_from_flow(tensor_flow(Mat2::Constant(NAN))); }, "not finite"},
                   {"nodes", [&] { slip_path(law, 0); }, "nodes"},
                   {"nodes", [&] { slip_path(law, -1); }, "nodes"},
                   {"nodes", [&] { flat_sides(law, 0); }, "nodes"}});
  require_refused(
      "spacing", kNotPositive, [&](double x) { sets_from_flow(flow, {.spacing = x}); }, "spacing");
  require_refused(
      "closure", std::array{kNan, -1.0}, [&](double x) { sets_from_flow(flow, {.closure_tolerance = x}); },
      "closure tolerance");
}
