// Laws from paths alone: one angle or two, what the law does not explain, and searches that end.
#include <doctest/doctest.h>

#include <random>

#include "slipset/core/angle.hpp"
#include "slipset/identification/sliding_paths.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr double kNoise = 2e-5;

std::vector<SlidingPath> slides_of(const FrictionLaw& law, const std::vector<Vec2>& velocities, unsigned seed,
                                   double step = 0.01) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> gauss(0, kNoise);
  std::vector<SlidingPath> paths;
  for (const Vec2& v : velocities) {
    SlidingPath path;
    for (int i = 0; i < 60; ++i) path.time.push_back(step * i);
    path.position = slide_positions(law, v, path.time);
    for (Vec2& p : path.position) p += Vec2(gauss(engine), gauss(engine));
    paths.push_back(path);
  }
  return paths;
}

const FrictionLaw kTwoAngles(Ellipse(0.6, 0.2, radians(30)), Ellipse(3, 1));
const std::vector<Vec2> kVelocities = {{1, 1}, {1.2, -0.3}, {-0.2, 1.1}};

PathFitOptions ellipses() {
  PathFitOptions options;
  options.model = {ReservoirKind::ellipse, DirectionKind::ellipse};
  return options;
}

bool says(const PathFit& fit, const std::string& words) {
  for (const std::string& note : fit.notes)
    if (note.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("paths of a law with two angles: both are tried, and the two come back") {
  const std::vector<SlidingPath> paths = slides_of(kTwoAngles, kVelocities, 1);
  PathFitOptions options = ellipses();
  options.choose_axes = true;
  const PathFit fit = fit_paths(paths, options);
  REQUIRE(fit.converged);
  CHECK(fit.chosen == "ellipse + ellipse, separate axes");
  REQUIRE(fit.models.size() == 2);
  CHECK(fit.models[1].bic < fit.models[0].bic - 10);
  CHECK(fit.rms == near(kNoise, 0.15));
  CHECK(fit.notes.empty());
  const std::pair<const char*, double> truth[] = {{"reservoir.semi_axes.1", 0.6},
                                                  {"reservoir.semi_axes.2", 0.2},
                                                  {"reservoir.angle", 30},
                                                  {"direction.axis_ratio", 3},
                                                  {"direction.angle", 0}};
  REQUIRE(fit.parameters.size() == 5);
  for (const PathParameter& p : fit.parameters)
    for (const auto& [name, value] : truth)
      if (p.name == name) {
        INFO(name);
        REQUIRE(p.sigma);
        CHECK(p.value == within(value, 4 * *p.sigma));
        CHECK(*p.sigma < 0.01 * std::max(1.0, value));
      }
}

TEST_CASE("paths of a law with one angle: two are not taken for it") {
  const std::vector<SlidingPath> paths =
      slides_of(FrictionLaw(Ellipse(0.5, 0.4), Ellipse(1.7, 1)).turned(radians(20)), kVelocities, 2);
  PathFitOptions options = ellipses();
  options.choose_axes = true;
  const PathFit fit = fit_paths(paths, options);
  REQUIRE(fit.converged);
  CHECK(fit.models.size() == 2);
  CHECK(fit.chosen == "ellipse + ellipse");
  CHECK(fit.notes.empty());
}

TEST_CASE("a law that does not fit the paths says so, and has no intervals") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{3}}) {
    const std::vector<Vec2> velocities(kVelocities.begin(), kVelocities.begin() + static_cast<std::ptrdiff_t>(count));
    const PathFit fit = fit_paths(slides_of(kTwoAngles, velocities, 3), ellipses());
    REQUIRE(fit.converged);
    CHECK(fit.rms > 10 * fit.noise);
    CHECK(says(fit, "times their noise"));
    CHECK(says(fit, "try separate axes"));
    REQUIRE(fit.parameters.size() == 4);
    for (const PathParameter& p : fit.parameters) {
      INFO(p.name);
      CHECK(std::isfinite(p.value));
      CHECK_FALSE(p.sigma.has_value());
      CHECK_FALSE(p.low.has_value());
      CHECK(p.why == "the law does not fit the paths");
    }
  }
}

TEST_CASE("one straight path, with the choice of axes: what it does not determine is said") {
  const FrictionLaw law(Ellipse(0.5, 0.4), Ellipse(1.7, 1));
  PathFitOptions options = ellipses();
  options.choose_axes = true;
  const PathFit fit = fit_paths(slides_of(law, {{1.5, 0}}, 4), options);
  REQUIRE(fit.converged);
  CHECK(fit.chosen == "ellipse + ellipse");
  int undetermined = 0;
  for (const PathParameter& p : fit.parameters) undetermined += p.identified ? 0 : 1;
  CHECK(undetermined >= 2);
  CHECK(says(fit, "direction.axis_ratio is not determined by these paths"));
}

// The intervals of exponents that hardly matter took minutes.
TEST_CASE("searches end: after the work that is allowed, and when asked to, with what was found") {
  const std::vector<SlidingPath> paths =
      slides_of(FrictionLaw(Ellipse(0.5, 0.4), Ellipse(1.7, 1)), {{1, 1}, {1.2, -0.3}}, 5);
  PathFitOptions options;
  options.model = {ReservoirKind::superellipse, DirectionKind::superellipse};
  options.most_work = 3e6;
  const PathFit few = fit_paths(paths, options);
  REQUIRE(few.law);
  CHECK(few.stopped);
  CHECK(says(few, "the search was stopped"));
  for (const PathParameter& p : few.parameters)
    if (!p.sigma) CHECK_FALSE(p.why.empty());

  int asked = 0;
  options.most_work = 1e12;
  options.go_on = [&] { return ++asked < 40; };
  const PathFit ended = fit_paths(paths, options);
  CHECK(ended.stopped);
  CHECK_FALSE(ended.converged);
  CHECK(asked >= 40);
  CHECK(says(ended, "the search was stopped"));
  REQUIRE(ended.law);
  for (const PathParameter& p : ended.parameters) CHECK(p.why == "the fit was stopped");
}
