#include "slipset/identification/butterworth.hpp"

#include <doctest/doctest.h>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

// The poles of the sections against the closed form: s_k = tan(πf) exp(iπ(2k + n + 1)/2n) through z = (1 + s)/(1 - s).
TEST_CASE("I.1 the sections have the poles of the closed form and the gain of the formula") {
  for (int order = 1; order <= 20; ++order)
    for (const double cutoff : {1e-4, 0.01, 0.2, 0.45}) {
      const auto sections = butterworth_lowpass(order, cutoff);
      CHECK(sections.size() == static_cast<std::size_t>((order + 1) / 2));
      Worst worst;
      for (int k = 0; k < order; ++k) {
        const std::complex<double> s =
            std::tan(kPi * cutoff) * std::polar(1.0, kPi * (2 * k + order + 1) / (2 * order));
        const std::complex<double> z = (1.0 + s) / (1.0 - s);
        Least nearest;
        for (const FilterSection& f : sections)
          nearest.add(std::abs(z * (z + f.a1) + f.a2) / std::max(std::abs(2.0 * z + f.a1), 1e-300));
        worst.add(nearest.value());
        CHECK(std::abs(z) < 1);
      }
      CHECK(worst.value() < 1e-9);
      // Rounding of the coefficients over the square of the cutoff; 3.1e-9 measured at 1e-4.
      CHECK(std::abs(response(sections, 0) - 1.0) < 1e-15 / (cutoff * cutoff) + 1e-14);
      for (const double f : {0.3 * cutoff, cutoff, std::min(0.49, 2 * cutoff)}) {
        const double expected = 1 / (1 + std::pow(std::tan(kPi * f) / std::tan(kPi * cutoff), 2 * order));
        CHECK(std::abs(std::norm(response(sections, f)) - expected) < 1e-7);
      }
    }
}

TEST_CASE("forward and backward: no delay, the squared gain, lines unchanged to their ends") {
  const auto sections = butterworth_lowpass(4, 0.02);
  std::vector<double> line, wave;
  const double frequency = 0.015;
  for (int i = 0; i < 4000; ++i) {
    line.push_back(3 - 0.01 * i);
    wave.push_back(std::sin(2 * kPi * frequency * i));
  }
  filter_zero_phase(sections, line);
  for (int i = 0; i < 4000; i += 7) CHECK(std::abs(line[static_cast<std::size_t>(i)] - (3 - 0.01 * i)) < 1e-9);
  filter_zero_phase(sections, wave);
  const double gain = std::norm(response(sections, frequency));
  Worst worst;
  for (int i = 1000; i < 3000; ++i)
    worst.add(std::abs(wave[static_cast<std::size_t>(i)] - gain * std::sin(2 * kPi * frequency * i)));
  CHECK(worst.value() < 1e-9);
  CHECK(gain > 0.5);
  CHECK(gain < 1);
}

TEST_CASE("time reversed, the filtered signal is the filtered reversed signal") {
  Random random(4);
  std::vector<double> a(500);
  for (double& x : a) x = random.uniform(-1, 1);
  std::vector<double> b(a.rbegin(), a.rend());
  const auto sections = butterworth_lowpass(5, 0.1);
  filter_zero_phase(sections, a);
  filter_zero_phase(sections, b);
  // The two orders of the passes differ by what the ends' continuation leaves; far inside nothing of it is left.
  for (std::size_t i = 150; i < 350; ++i) CHECK(std::abs(a[i] - b[499 - i]) < 1e-9);
}

TEST_CASE("wrong filters are refused") {
  CHECK_THROWS_AS(butterworth_lowpass(0, 0.1), InvalidInput);
  CHECK_THROWS_AS(butterworth_lowpass(4, 0.5), InvalidInput);
  CHECK_THROWS_AS(butterworth_lowpass(4, NAN), InvalidInput);
  std::vector<double> few(5, 1.0);
  CHECK_THROWS_AS(filter_zero_phase(butterworth_lowpass(4, 0.1), few), InvalidInput);
}
