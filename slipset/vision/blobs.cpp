#include "slipset/vision/blobs.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace slipset {

std::vector<Blob> BlobFinder::find(const cv::Mat& image, const cv::Rect& region) {
  const cv::Rect whole(0, 0, image.cols, image.rows), part = region.empty() ? whole : region & whole;
  std::vector<Blob> blobs;
  if (part.width < 3 || part.height < 3) return blobs;
  cv::cvtColor(image(part), lab_, cv::COLOR_BGR2Lab);
  chroma_.create(lab_.size(), CV_8U);
  for (int y = 0; y < lab_.rows; ++y) {
    const auto* pixel = lab_.ptr<cv::Vec3b>(y);
    auto* out = chroma_.ptr<std::uint8_t>(y);
    for (int x = 0; x < lab_.cols; ++x) out[x] = table_(pixel[x][1], pixel[x][2]);
  }
  cv::blur(chroma_, smooth_, cv::Size(3, 3));
  double peak = 0;
  cv::minMaxLoc(smooth_, nullptr, &peak);
  const double level = std::max(kLeastChroma, 0.45 * peak);
  if (peak < level) return blobs;
  cv::compare(smooth_, level, mask_, cv::CMP_GE);
  const int count = cv::connectedComponentsWithStats(mask_, labels_, stats_, centroids_, 8, CV_32S);
  blobs.resize(static_cast<std::size_t>(count));
  for (int y = 0; y < labels_.rows; ++y) {
    const auto* label = labels_.ptr<int>(y);
    const auto* q = smooth_.ptr<std::uint8_t>(y);
    for (int x = 0; x < labels_.cols; ++x) {
      if (label[x] == 0) continue;
      Blob& blob = blobs[static_cast<std::size_t>(label[x])];
      blob.weight += q[x];
      blob.centre += q[x] * Vec2(x + part.x, y + part.y);
    }
  }
  for (int k = 1; k < count; ++k) {
    Blob& blob = blobs[static_cast<std::size_t>(k)];
    const int* s = stats_.ptr<int>(k);
    blob.centre /= blob.weight;
    blob.area = s[cv::CC_STAT_AREA];
    blob.box = {s[cv::CC_STAT_LEFT] + part.x, s[cv::CC_STAT_TOP] + part.y, s[cv::CC_STAT_WIDTH], s[cv::CC_STAT_HEIGHT]};
    blob.at_border =
        blob.box.x <= 0 || blob.box.y <= 0 || blob.box.br().x >= image.cols || blob.box.br().y >= image.rows;
  }
  blobs.erase(std::remove_if(blobs.begin(), blobs.end(), [](const Blob& b) { return b.area < kLeastArea; }),
              blobs.end());
  std::sort(blobs.begin(), blobs.end(), [](const Blob& p, const Blob& q) { return p.weight > q.weight; });
  return blobs;
}

}  // namespace slipset
