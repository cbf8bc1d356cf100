// A round mark's centre to a fraction of a pixel.                                        docs/theory/identification.md
// The image near the mark as a mixture of its colour m and the colour s around it, linear in the pixels:
//   f = (p - s)·d/(m - s)·d,  d = S⁻¹(m - s):  1 on the mark, 0 beside it                                       (I.18)
// S the covariance of the colours around: what varies there, light and dark, is what f does not look at. Linear,
// so that blur, which is linear, too, leaves the edge where it was. With r and θ of a pixel from the centre c:
//   f = f_out + (f_in - f_out) Φ((ρ(θ) - r)/w(θ)),  ρ = R + R₂(θ),  w² = W + W₂(θ),  f_out with a slope      (I.19)
// R₂ and W₂ second harmonics: a circle seen from aside, and blur by motion, both symmetric about c. Least squares over
// the pixels of the edge by Levenberg and Marquardt, robust; pixels whose colour is no mixture of m and s do not count.
// Blur by motion is symmetric about the place at mid exposure: that is the time of a frame.
#pragma once

#include <opencv2/core.hpp>
#include <string>

#include "slipset/vision/blobs.hpp"

namespace slipset {

enum class MarkMethod {
  circle,    // (I.19)
  centroid,  // Σ f x/Σ f over the blob and its edge, for marks that are not round
};

struct Mark {
  bool found = false;
  std::string why;               // if not
  Vec2 centre = Vec2(NAN, NAN);  // [pixels]; whole numbers are centres of pixels
  double radius = NAN;           // [pixels]; of a circle of the same area for `centroid`
  double sigma = NAN;            // of the centre, a coordinate, from the scatter of the pixels [pixels]
  double edge = NAN;             // standard deviation of the edge's blur [pixels]
};

Mark locate_mark(const cv::Mat& image, const Blob& blob, MarkMethod method = MarkMethod::circle);

}  // namespace slipset
