#include "slipset/identification/butterworth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

// The memory of a section (transposed direct form II).
struct Memory {
  double first, second;
};

// That of a signal which has been `value` for ever; every section has the gain 1 at frequency 0.
Memory steady(const FilterSection& s, double value) { return {value * (1 - s.b0), value * (s.b2 - s.a2)}; }

double step(const FilterSection& s, Memory& m, double x) {
  const double y = s.b0 * x + m.first;
  m.first = s.b1 * x - s.a1 * y + m.second;
  m.second = s.b2 * x - s.a2 * y;
  return y;
}

// Samples until the slowest pole's memory has fallen to 1e-10.
std::size_t memory_length(std::span<const FilterSection> sections) {
  double largest = 0;
  for (const FilterSection& s : sections) {
    const std::complex<double> root = std::sqrt(std::complex<double>(s.a1 * s.a1 / 4 - s.a2));
    largest = std::max({largest, std::abs(-s.a1 / 2 + root), std::abs(-s.a1 / 2 - root)});
    if (!(std::isfinite(s.b0 + s.b1 + s.b2) && std::abs(s.a2) < 1 && std::abs(s.a1) < 1 + s.a2))
      throw InvalidInput("low-pass: a section of the filter is not stable; use those of butterworth_lowpass");
  }
  return static_cast<std::size_t>(std::ceil(std::log(1e-10) / std::log(std::max(largest, 1e-3)))) + 8;
}

}  // namespace

std::vector<FilterSection> butterworth_lowpass(int order, double cutoff) {
  if (order < 1 || order > 20)
    throw InvalidInput(fmt::format("low-pass: found order {}; expected a whole number from 1 to 20", order));
  if (!(cutoff > 0 && cutoff < 0.5))
    throw InvalidInput(fmt::format(
        "low-pass: found a cutoff of {:.6g} cycles per sample; it must be above 0 and below half the sampling rate",
        cutoff));
  const double w = std::tan(kPi * cutoff);
  std::vector<FilterSection> sections;
  for (int k = 0; k < order / 2; ++k) {
    // (s/w)² + 2 sin(..) s/w + 1 with s = (1 - z⁻¹)/(1 + z⁻¹)
    const double damping = 2 * std::sin(kPi * (2 * k + 1) / (2 * order)), scale = 1 / (1 + damping * w + w * w);
    sections.push_back(
        {w * w * scale, 2 * w * w * scale, w * w * scale, 2 * (w * w - 1) * scale, (1 - damping * w + w * w) * scale});
  }
  if (order % 2 == 1) sections.push_back({w / (1 + w), w / (1 + w), 0, (w - 1) / (1 + w), 0});
  return sections;
}

std::complex<double> response(std::span<const FilterSection> sections, double frequency) {
  const std::complex<double> back = std::polar(1.0, -2 * kPi * frequency);
  std::complex<double> h = 1;
  for (const FilterSection& s : sections)
    h *= (s.b0 + back * (s.b1 + back * s.b2)) / (1.0 + back * (s.a1 + back * s.a2));
  return h;
}

void filter_zero_phase(std::span<const FilterSection> sections, std::span<double> signal) {
  const std::size_t n = signal.size();
  if (sections.empty()) return;
  // The filter's memory is long where the cutoff is low; a record that is shorter is reflected as a whole.
  const std::size_t edge = std::min(memory_length(sections), n - std::min<std::size_t>(n, 1));
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(signal[i]))
      throw InvalidInput(fmt::format("low-pass: row {} of the signal is {}; cut the record there", i + 1, signal[i]));
  if (n < 4 * sections.size() + 4)
    throw InvalidInput(fmt::format(
        "low-pass: {} samples are too few for {} sections; use a longer record or a lower order", n, sections.size()));
  std::vector<double> front(edge), back(edge);
  for (std::size_t i = 0; i < edge; ++i) {
    front[i] = 2 * signal[0] - signal[edge - i];
    back[i] = 2 * signal[n - 1] - signal[n - 2 - i];
  }
  // All sections in one pass over the samples: the signal is read and written twice only.
  std::vector<Memory> memory(sections.size());
  const auto start = [&](double value) {
    for (std::size_t k = 0; k < sections.size(); ++k) memory[k] = steady(sections[k], value);
  };
  const auto through = [&](double& x) {
    for (std::size_t k = 0; k < sections.size(); ++k) x = step(sections[k], memory[k], x);
  };
  start(edge > 0 ? front[0] : signal[0]);
  for (double& x : front) through(x);
  for (double& x : signal) through(x);
  for (double& x : back) through(x);
  start(edge > 0 ? back[edge - 1] : signal[n - 1]);
  for (std::size_t i = edge; i-- > 0;) through(back[i]);
  for (std::size_t i = n; i-- > 0;) through(signal[i]);
}

}  // namespace slipset
