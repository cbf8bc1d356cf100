// Where to shift: discs that reach as far as their k-th eigenvalue are to cover the box, with few of them.
#include "slipset/stability/spectrum/internal/cover.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace slipset;

namespace {

struct Covering {
  std::vector<internal::Disc> discs;
  bool done = false;
};

Covering cover(const SpectrumBox& box, const std::vector<std::complex<double>>& eigenvalues, std::size_t per_shift,
               int pieces) {
  internal::Cover cover(box, pieces);
  Covering result;
  while (!cover.done() && result.discs.size() < 500) {
    const SpectrumBox piece = cover.next();
    const std::complex<double> shift = internal::Cover::shift_for(piece);
    std::vector<double> distances;
    for (const std::complex<double>& value : eigenvalues) distances.push_back(std::abs(value - shift));
    std::sort(distances.begin(), distances.end());
    result.discs.push_back({shift, distances[per_shift - 1]});
    cover.finish(piece, result.discs.back());
  }
  result.done = cover.done();
  return result;
}

}  // namespace

TEST_CASE("discs cover the box, with few shifts") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(0, 1);
  for (int sample = 0; sample < 60; ++sample) {
    // From a strip to a square, the eigenvalues close to a line or everywhere, evenly or crowded.
    const double width = std::pow(10.0, -3 + 3 * number(random)), spread = number(random) < 0.5 ? 0.01 : 1;
    const double crowd = 1 + 2 * number(random);
    const SpectrumBox box{-width / 2, width / 2, number(random) < 0.5 ? 0.0 : 0.3, 1.3};
    std::vector<std::complex<double>> eigenvalues;
    for (int i = 0; i < 600; ++i)
      eigenvalues.emplace_back(spread * (number(random) - 0.5), 2.5 * std::pow(number(random), crowd) - 0.5);
    const int pieces = 1 + sample % 4;
    const Covering covering = cover(box, eigenvalues, 40, pieces);
    REQUIRE(covering.done);
    std::size_t inside = 0;
    for (const std::complex<double>& value : eigenvalues) {
      if (!box.contains(value)) continue;
      ++inside;
      CHECK(std::any_of(covering.discs.begin(), covering.discs.end(),
                        [&](const internal::Disc& disc) { return std::abs(value - disc.centre) <= disc.radius; }));
    }
    for (int i = 0; i < 300; ++i) {
      const std::complex<double> point(box.growth_from + width * number(random),
                                       box.frequency_from + (box.frequency_to - box.frequency_from) * number(random));
      CHECK(std::any_of(covering.discs.begin(), covering.discs.end(), [&](const internal::Disc& disc) {
        return std::abs(point - disc.centre) <= disc.radius * (1 + 1e-12);
      }));
    }
    // Worst measured: see the bound; discs overlap, and those at the edges reach outside.
    CHECK(covering.discs.size() < 12 * (1 + inside / 40) + 4 * static_cast<std::size_t>(pieces));
  }
}

TEST_CASE("a shift that finds nothing is followed by smaller pieces") {
  internal::Cover cover({-1, 1, 0, 8}, 1);
  const SpectrumBox piece = cover.next();
  cover.finish(piece, {internal::Cover::shift_for(piece), 0});
  CHECK(cover.pieces().size() == 2);
  CHECK(cover.pieces()[0].frequency_to == 4);
}
