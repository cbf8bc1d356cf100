#include "slipset/identification/rate_fit.hpp"

#include <doctest/doctest.h>

#include <random>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

using namespace slipset;

TEST_CASE("I.13 a Stribeck curve comes back") {  // its intervals: coverage_test.cpp
  std::mt19937_64 engine(5);
  std::normal_distribution<double> gauss(0, 0.005);
  std::vector<double> v, f;
  for (int i = 1; i <= 200; ++i) {
    v.push_back((i % 2 == 0 ? 1 : -1) * 0.002 * i);
    f.push_back(stribeck_friction(v.back(), 0.3, {1.6, 0.05, 0.2 / 0.3}) + gauss(engine));
  }
  const RateFit fit = fit_stribeck(v, f);
  REQUIRE(fit.converged);
  CHECK(std::abs(fit.friction - 0.3) < 0.02);
  CHECK(std::abs(fit.friction * fit.stribeck.viscous - 0.2) < 0.1);
  CHECK(std::abs(fit.rms - 0.005) < 0.0015);
}

TEST_CASE("what a record does not determine is reported: no low speeds, no fall") {
  std::vector<double> v, f;
  for (int i = 1; i <= 100; ++i) {
    v.push_back(0.5 + 0.01 * i);
    f.push_back(stribeck_friction(v.back(), 0.3, {1.6, 0.05, 0.2 / 0.3}) + 1e-4 * ((i * 7919) % 13 - 6));
  }
  const RateFit high = fit_stribeck(v, f);
  CHECK_FALSE((high.parameter("static").identified && high.parameter("velocity").identified));
  CHECK_FALSE(high.notes.empty());
  f.clear();
  for (const double x : v) f.push_back(0.3 + 0.1 * x + 1e-4 * (static_cast<int>(1e4 * x) % 13 - 6));
  const RateFit flat = fit_stribeck(v, f);
  CHECK_FALSE(flat.parameter("velocity").identified);
  CHECK_THROWS_AS(fit_stribeck({}, {}), InvalidInput);
  const std::vector<double> zero(20, 0.0);
  CHECK_THROWS_AS(fit_stribeck(zero, zero), InvalidInput);
}

TEST_CASE("lugre_response in steady sliding is the curve, in presliding a spring") {
  std::vector<double> t, v;
  for (int i = 0; i <= 20000; ++i) t.push_back(1e-4 * i), v.push_back(0.01);
  const Stribeck curve{1.5, 0.02};
  const LuGre lugre{3e4, 10, 0.4};
  const auto f = lugre_response(t, v, 0.3, curve, lugre);
  CHECK(std::abs(f.back() - stribeck_friction(0.01, 0.3, {1.5, 0.02, 0.4 / 0.3})) < 1e-9);
  // After the first 1e-4 s, at 1e-6 m: σ0 z + σ1 ż + σ2 v.
  const double g = 0.3 * curve.factor(0.01), rate = 3e4 * 0.01 / g;
  const double z = 0.01 / rate * (1 - std::exp(-rate * 1e-4)), expected = 3e4 * z + 10 * (0.01 - rate * z) + 0.4 * 0.01;
  CHECK(std::abs(f[1] - expected) < 1e-12);
}

TEST_CASE("LuGre parameters come back from a record with reversals; without them sigma0 is not identifiable") {
  std::mt19937_64 engine(6);
  std::normal_distribution<double> gauss(0, 0.003);
  std::vector<double> t, v;
  for (int i = 0; i < 4000; ++i) {
    t.push_back(5e-4 * i);
    v.push_back(0.02 * std::sin(2 * kPi * t.back()) + 0.008 * std::sin(2 * kPi * 3.3 * t.back()));
  }
  const LuGre truth{2000, 4, 0.8};
  std::vector<double> f = lugre_response(t, v, 0.3, {1.4, 0.008}, truth);
  for (double& x : f) x += gauss(engine);
  const RateFit fit = fit_lugre(t, v, f);
  REQUIRE(fit.converged);
  REQUIRE(fit.lugre);
  CHECK(std::abs(fit.lugre->sigma0 / 2000 - 1) < 0.05);
  CHECK(std::abs(fit.friction / 0.3 - 1) < 0.05);
  CHECK(std::abs(fit.stribeck.static_ratio / 1.4 - 1) < 0.05);
  CHECK(std::abs(fit.rms - 0.003) < 3e-4);
  for (const char* name : {"friction", "static", "velocity", "sigma0", "sigma1", "sigma2"}) {
    const RateParameter& p = fit.parameter(name);
    INFO(name);
    CHECK(p.identified);
  }
  CHECK(std::abs(fit.parameter("sigma0").value - 2000) < 5 * *fit.parameter("sigma0").sigma);
  CHECK(std::abs(fit.parameter("sigma1").value - 4) < 5 * *fit.parameter("sigma1").sigma);

  // One direction, after long sliding: the bristles are where they are.
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.02 + 0.015 * std::sin(3 * t[i]);
  f = lugre_response(t, v, 0.3, {1.4, 0.008}, {1e7, 0, 0.8}, 0.3 / 1e7);
  for (double& x : f) x += gauss(engine);
  const RateFit blind = fit_lugre(t, v, f);
  CHECK_FALSE(blind.parameter("sigma1").identified);
  CHECK_FALSE(blind.notes.empty());
}
