// A camera's lens from pictures of a chessboard, and points of a picture without its distortion.
//                                                                                        docs/theory/identification.md
//   x_d = x(1 + k₁r² + k₂r⁴) + (2p₁xy + p₂(r² + 2x²), p₁(r² + 2y²) + 2p₂xy),  pixel = K (x_d, 1)                 (I.20)
// Points are undistorted, pictures are not: nothing is interpolated.
#pragma once

#include <array>
#include <functional>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "slipset/core/vec.hpp"

namespace slipset {

struct Lens {
  cv::Matx33d camera = cv::Matx33d::eye();          // K [pixels]
  std::array<double, 4> distortion = {0, 0, 0, 0};  // k₁, k₂, p₁, p₂
  cv::Size size;                                    // of the pictures

  // The point in the picture of a lens with the same K and no distortion.
  Vec2 undistorted(const Vec2& pixel) const;
  Vec2 distorted(const Vec2& pixel) const;  // the inverse
};

struct ChessboardOptions {
  int columns = 9, rows = 6;  // of inner corners
  double square = 0;          // side of a square [m]
};
struct LensReport {
  Lens lens;
  double rms = NAN;                          // reprojection error [pixels]
  double largest_shift = NAN;                // of the distortion over the picture [pixels]
  std::vector<std::string> used, not_found;  // pictures in which the board was found, and not
};
// Throws InvalidInput, with what to do, for fewer than three pictures with the whole board, and for pictures of several
// sizes. `on_picture` is called after each one; false ends it.
LensReport calibrate_lens(const std::vector<std::string>& pictures, const ChessboardOptions& board,
                          const std::function<bool(double done, double all)>& on_picture = {});

}  // namespace slipset
