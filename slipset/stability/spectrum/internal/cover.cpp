#include "slipset/stability/spectrum/internal/cover.hpp"

#include <algorithm>
#include <cmath>

namespace slipset::internal {
namespace {

// Neighbours' discs are about as large, not quite.
constexpr double kSimilar = 0.85;

int pieces_for(double length, double piece) { return std::clamp(static_cast<int>(std::ceil(length / piece)), 1, 16); }

}  // namespace

bool Disc::covers(const SpectrumBox& box) const {
  const double across = std::max(std::abs(box.growth_from - centre.real()), std::abs(box.growth_to - centre.real()));
  const double up = std::max(std::abs(box.frequency_from - centre.imag()), std::abs(box.frequency_to - centre.imag()));
  return std::hypot(across, up) <= radius;
}

Cover::Cover(const SpectrumBox& box, int pieces) {
  const double width = box.growth_to - box.growth_from, height = box.frequency_to - box.frequency_from;
  for (int i = 0; i < pieces; ++i) {
    const double from = static_cast<double>(i) / pieces, to = (i + 1.0) / pieces;
    SpectrumBox piece = box;
    if (height >= width) {
      piece.frequency_from = box.frequency_from + from * height;
      if (i + 1 < pieces) piece.frequency_to = box.frequency_from + to * height;
    } else {
      piece.growth_from = box.growth_from + from * width;
      if (i + 1 < pieces) piece.growth_to = box.growth_from + to * width;
    }
    pieces_.push_back(piece);
  }
}

bool Cover::covered(const SpectrumBox& box, int depth) const {
  if (std::any_of(discs_.begin(), discs_.end(), [&](const Disc& disc) { return disc.covers(box); })) return true;
  if (depth == 0) return false;
  SpectrumBox first = box, second = box;
  if (box.frequency_to - box.frequency_from >= box.growth_to - box.growth_from)
    first.frequency_to = second.frequency_from = (box.frequency_from + box.frequency_to) / 2;
  else
    first.growth_to = second.growth_from = (box.growth_from + box.growth_to) / 2;
  return covered(first, depth - 1) && covered(second, depth - 1);
}

SpectrumBox Cover::next() {
  const SpectrumBox piece = pieces_.front();
  pieces_.erase(pieces_.begin());
  return piece;
}

std::complex<double> Cover::shift_for(const SpectrumBox& piece) {
  // Not the middle itself, where models with round numbers may have an eigenvalue.
  return {piece.growth_from + 0.501 * (piece.growth_to - piece.growth_from),
          piece.frequency_from + 0.4993 * (piece.frequency_to - piece.frequency_from)};
}

void Cover::finish(const SpectrumBox& piece, const Disc& disc) {
  if (disc.radius > 0) discs_.push_back(disc);
  const double width = piece.growth_to - piece.growth_from, height = piece.frequency_to - piece.frequency_from;
  const bool upright = height >= width;
  const double length = std::max(width, height), breadth = std::min(width, height);
  std::vector<SpectrumBox> fresh;
  // Cuts `box` into a grid, along and across the piece's length.
  const auto cut = [&](const SpectrumBox& box, int along, int across) {
    const int columns = upright ? across : along, rows = upright ? along : across;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        const double dx = (box.growth_to - box.growth_from) / columns,
                     dy = (box.frequency_to - box.frequency_from) / rows;
        fresh.push_back({box.growth_from + j * dx, j + 1 == columns ? box.growth_to : box.growth_from + (j + 1) * dx,
                         box.frequency_from + i * dy,
                         i + 1 == rows ? box.frequency_to : box.frequency_from + (i + 1) * dy});
      }
  };
  if (disc.radius <= 0) {
    cut(piece, 2, 1);
  } else if (disc.radius > 0.6 * breadth) {
    // A strip: the disc covers its middle part, two ends are left.
    const double reach = std::sqrt(disc.radius * disc.radius - 0.26 * breadth * breadth);
    const double middle = upright ? disc.centre.imag() : disc.centre.real();
    SpectrumBox lower = piece, upper = piece;
    double &to = upright ? lower.frequency_to : lower.growth_to,
           &from = upright ? upper.frequency_from : upper.growth_from;
    const double begin = upright ? piece.frequency_from : piece.growth_from, end = begin + length;
    to = middle - reach;
    from = middle + reach;
    if (to > begin) cut(lower, pieces_for(to - begin, 2 * kSimilar * reach), 1);
    if (from < end) cut(upper, pieces_for(end - from, 2 * kSimilar * reach), 1);
  } else {
    // Elsewhere eigenvalues may be fewer: halves or quarters, not a grid of that size.
    const double side = 1.4 * kSimilar * disc.radius;
    cut(piece, std::min(2, pieces_for(length, side)), std::min(2, pieces_for(breadth, side)));
  }
  pieces_.insert(pieces_.end(), fresh.begin(), fresh.end());
  // By more than one disc, to within small parts of the piece.
  std::erase_if(pieces_, [&](const SpectrumBox& box) { return covered(box, 12); });
}

}  // namespace slipset::internal
