// Connected pixels of a mark's colour.                                                  docs/theory/identification.md
//   q of (I.17), averaged over 3 x 3 pixels, above 0.45 of its largest value and above kLeastChroma
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "slipset/core/vec.hpp"
#include "slipset/vision/colour.hpp"

namespace slipset {

struct Blob {
  Vec2 centre = Vec2::Zero();  // mean weighted with q [pixels], of the whole image
  double area = 0;             // [pixels²]
  double weight = 0;           // Σq
  cv::Rect box;
  bool at_border = false;  // touches the border of the image: part of it may be outside
};

class BlobFinder {
 public:
  explicit BlobFinder(const ChromaTable& table) : table_(table) {}
  // Blobs of at least kLeastArea pixels in `region` (empty: all) of an 8-bit BGR image, largest weight first.
  std::vector<Blob> find(const cv::Mat& image, const cv::Rect& region);

  static constexpr double kLeastChroma = 12;  // of L*a*b*: below are greys with noise or a cast
  static constexpr double kLeastArea = 9;

 private:
  ChromaTable table_;
  cv::Mat lab_, chroma_, smooth_, mask_, labels_, stats_, centroids_;  // work space
};

}  // namespace slipset
