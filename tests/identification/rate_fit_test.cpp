#include "slipset/identification/rate_fit.hpp"

#include <doctest/doctest.h>

#include <random>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

bool says(const RateFit& fit, const std::string& words) {
  for (const std::string& note : fit.notes)
    if (note.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

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

// Samples of 2 ms are ten times as long as the bristles' own time. The record: steps of 1 µs, each with v constant.
TEST_CASE("I.26 LuGre parameters of a coarse record without noise come back to 1e-4") {
  const double s0 = 1e4, s1 = 20, s2 = 0.4;
  const auto speed = [](double t) { return 0.02 * std::sin(2 * kPi * 0.7 * t) + 0.08 * std::sin(2 * kPi * 0.31 * t); };
  const auto g = [](double v) { return 0.2 * (1 + 0.6 * std::exp(-v * v / 0.0025)); };
  std::vector<double> t, v, f;
  double z = 0;
  constexpr int kEach = 2000;
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 2000; ++i) {
    const double time = 2e-3 * i, u = speed(time);
    t.push_back(time);
    v.push_back(u);
    f.push_back(s0 * z + s1 * (u - s0 * std::abs(u) * z / g(u)) + s2 * u);
    for (int k = 0; k < kEach; ++k) {
      const double w = speed(time + (k + 0.5) * kStep), rate = s0 * std::abs(w) / g(w) * kStep;
      z = z * std::exp(-rate) + w * kStep * (rate > 1e-12 ? -std::expm1(-rate) / rate : 1);
    }
  }
  const RateFit fit = fit_lugre(t, v, f);
  REQUIRE(fit.converged);
  REQUIRE(fit.lugre);
  CHECK(fit.friction == near(0.2, 1e-4));
  CHECK(fit.stribeck.static_ratio == near(1.6, 1e-4));
  CHECK(fit.stribeck.velocity == near(0.05, 1e-4));
  CHECK(fit.lugre->sigma0 == near(s0, 1e-4));
  CHECK(fit.lugre->sigma2 == near(s2, 1e-3));
  CHECK(fit.rms < 1e-5);
}

TEST_CASE("friction as a magnitude in both directions of slip gets the velocity's sign; LuGre refuses it") {
  std::mt19937_64 engine(8);
  std::normal_distribution<double> gauss(0, 0.001);
  std::vector<double> t, v, magnitude, negative, half;
  for (int i = -200; i <= 200; ++i) {
    t.push_back(0.01 * (i + 200));
    v.push_back(0.002 * i);
    magnitude.push_back(std::abs(stribeck_friction(v.back(), 0.2, {1.6, 0.05, 0.5})) + gauss(engine));
    negative.push_back(-magnitude.back());
    half.push_back((v.back() > 0 ? 1 : -1) * magnitude.back() + 0.3);  // an offset larger than the friction
  }
  const RateFit fit = fit_stribeck(v, magnitude);
  REQUIRE(fit.converged);
  CHECK(fit.magnitude);
  CHECK(says(fit, "taken as a magnitude"));
  CHECK(fit.friction == near(0.2, 0.01));
  CHECK(fit.stribeck.static_ratio == near(1.6, 0.02));
  CHECK(fit.parameters.size() == 4);
  CHECK_THROWS_WITH_AS(fit_stribeck(v, negative), doctest::Contains("friction=-NAME"), InvalidInput);
  CHECK_THROWS_WITH_AS(fit_stribeck(v, half), doctest::Contains("Take the zero offset off"), InvalidInput);
  CHECK_THROWS_WITH_AS(fit_lugre(t, v, magnitude), doctest::Contains("as a magnitude is"), InvalidInput);
}

TEST_CASE("a zero offset of signed friction is a parameter of its own, where there is one") {
  std::mt19937_64 engine(9);
  std::normal_distribution<double> gauss(0, 0.001);
  std::vector<double> v, f, g;
  for (int i = -200; i <= 200; ++i) {
    v.push_back(0.002 * i);
    g.push_back(stribeck_friction(v.back(), 0.2, {1.6, 0.05, 0.5}) + gauss(engine));
    f.push_back(g.back() + 0.05);
  }
  const RateFit fit = fit_stribeck(v, f);
  REQUIRE(fit.converged);
  CHECK(says(fit, "friction has a zero offset of"));
  CHECK(fit.offset == near(0.05, 0.01));
  for (const auto& [name, value] :
       {std::pair{"friction", 0.2}, {"static", 1.6}, {"velocity", 0.05}, {"sigma2", 0.1}, {"offset", 0.05}}) {
    INFO(name);
    REQUIRE(fit.parameter(name).sigma);
    CHECK(fit.parameter(name).value == within(value, 4 * *fit.parameter(name).sigma));
  }
  const RateFit none = fit_stribeck(v, g);
  CHECK(none.parameters.size() == 4);
  CHECK(none.offset == 0);
  CHECK(none.notes.empty());

  std::vector<double> t, w;
  for (int i = 0; i < 1000; ++i) {
    t.push_back(2e-3 * i);
    w.push_back(0.02 * std::sin(2 * kPi * t.back()) + 0.008 * std::sin(2 * kPi * 3.3 * t.back()));
  }
  std::vector<double> h = lugre_response(t, w, 0.3, {1.4, 0.008}, {2000, 4, 0.8});
  for (double& x : h) x += 0.04 + gauss(engine);
  const RateFit lugre = fit_lugre(t, w, h);
  REQUIRE(lugre.converged);
  CHECK(lugre.offset == near(0.04, 0.02));
  CHECK(lugre.parameter("sigma0").value == within(2000, 4 * *lugre.parameter("sigma0").sigma));
}

TEST_CASE("friction of more than ten times the normal force is flagged") {
  std::vector<double> v, f;
  for (int i = 1; i <= 100; ++i) {
    v.push_back(0.004 * i);
    f.push_back(200 * stribeck_friction(v.back(), 0.3, {1.6, 0.05, 0.2}) + 0.01 * (i % 3));
  }
  CHECK(says(fit_stribeck(v, f), "no dry surface has that"));
}

TEST_CASE("a hole in the time of a LuGre record is named, with its row; even and uneven steps are none") {
  const auto record = [](bool hole) {
    std::vector<double> t, v;
    for (int i = 0; i < 2000; ++i) {
      const double time = 1e-3 * i + (i % 2 == 0 ? 2e-4 : 0);
      if (hole && time > 0.8 && time < 1.3) continue;
      t.push_back(time);
      v.push_back(0.02 * std::sin(2 * kPi * time) + 0.008 * std::sin(2 * kPi * 3.3 * time));
    }
    const RateFit fit = fit_lugre(t, v, lugre_response(t, v, 0.3, {1.4, 0.008}, {2000, 4, 0.8}));
    std::string holes;
    for (const std::string& note : fit.notes)
      if (note.find("hole") != std::string::npos) holes += note;
    return holes;
  };
  CHECK(record(false) == "");
  const std::string said = record(true);
  CHECK(said.find("has 1 hole, ") != std::string::npos);
  CHECK(said.find("after row 800:") != std::string::npos);
  CHECK(said.find("the longest is 0.5") != std::string::npos);
}
