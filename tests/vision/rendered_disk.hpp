// A camera's picture of a grey disk with round marks on a table, by super-sampling: known truth for the tracker.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <opencv2/imgproc.hpp>
#include <random>
#include <vector>

#include "slipset/core/angle.hpp"
#include "slipset/core/vec.hpp"

namespace slipset::test {

struct Pose {
  Vec2 centre = Vec2::Zero();  // of the disk [pixels], y down
  double yaw = 0;
};

struct PaintedMark {
  Vec2 place = Vec2::Zero();  // of the disk's frame [pixels]
  double radius = 8;
  cv::Vec3d bgr = {35, 30, 205};
};

struct Camera {
  int width = 160, height = 120;
  double disk_radius = 32;
  std::vector<PaintedMark> marks = {{}};
  double blur = 0.8;    // Gaussian [pixels]
  double noise = 2;     // a channel, of 255
  int exposures = 1;    // pictures averaged over the exposure
  bool texture = true;  // grain of the table, a dark sector of the disk
  int samples = 8;      // of a pixel's side, at edges
};

inline Vec2 turned(const Vec2& v, double angle) {
  const Vec2 e = unit(angle);
  return {e.x() * v.x() - e.y() * v.y(), e.y() * v.x() + e.x() * v.y()};
}

// Where pixel (x, y) of a picture looks in the ideal picture: lens distortion; the identity if empty.
using Lens = std::function<Vec2(const Vec2&)>;

inline void add_picture(const Camera& camera, const Pose& pose, const Lens& lens, cv::Mat& sum, double weight) {
  const auto colour = [&](const Vec2& p) -> cv::Vec3d {
    const Vec2 own = turned(p - pose.centre, -pose.yaw);
    for (const PaintedMark& mark : camera.marks)
      if ((own - mark.place).squaredNorm() <= mark.radius * mark.radius) return mark.bgr;
    if (own.squaredNorm() <= camera.disk_radius * camera.disk_radius) {
      const bool dark = camera.texture && own.norm() > 0.75 * camera.disk_radius && own.x() > 0 && own.y() > 0;
      return dark ? cv::Vec3d(60, 60, 62) : cv::Vec3d(165, 168, 170);
    }
    const double grain = camera.texture ? 12 * std::sin(0.31 * p.x()) * std::cos(0.23 * p.y() + 0.05 * p.x()) : 0;
    return {95 + grain, 110 + grain, 118 + grain};
  };
  // Within a pixel of an edge; elsewhere one sample is enough.
  const auto at_edge = [&](const Vec2& p) {
    const Vec2 own = turned(p - pose.centre, -pose.yaw);
    const double r = own.norm(), near = 1.2;
    bool edge = std::abs(r - camera.disk_radius) < near;
    if (camera.texture && r < camera.disk_radius)
      edge |= std::abs(r - 0.75 * camera.disk_radius) < near || std::abs(own.x()) < near || std::abs(own.y()) < near;
    for (const PaintedMark& mark : camera.marks) edge |= std::abs((own - mark.place).norm() - mark.radius) < near;
    return edge;
  };
  for (int y = 0; y < camera.height; ++y)
    for (int x = 0; x < camera.width; ++x) {
      cv::Vec3d c(0, 0, 0);
      const int n = at_edge(lens ? lens(Vec2(x, y)) : Vec2(x, y)) ? camera.samples : 1;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const Vec2 p(x + (i + 0.5) / n - 0.5, y + (j + 0.5) / n - 0.5);
          c += colour(lens ? lens(p) : p);
        }
      sum.at<cv::Vec3d>(y, x) += c * (weight / (n * n));
    }
}

// `path(u)`, u in [-1/2, 1/2]: the pose during the exposure; its middle is the truth.
template <class Path>
cv::Mat rendered(const Camera& camera, Path&& path, unsigned seed, const Lens& lens = {}) {
  cv::Mat sum = cv::Mat::zeros(camera.height, camera.width, CV_64FC3);
  for (int k = 0; k < camera.exposures; ++k)
    add_picture(camera, path((k + 0.5) / camera.exposures - 0.5), lens, sum, 1.0 / camera.exposures);
  if (camera.blur > 0) cv::GaussianBlur(sum, sum, cv::Size(), camera.blur, camera.blur, cv::BORDER_REPLICATE);
  cv::Mat picture(camera.height, camera.width, CV_8UC3);
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> gauss(0, 1);
  for (int y = 0; y < camera.height; ++y)
    for (int x = 0; x < camera.width; ++x)
      for (int c = 0; c < 3; ++c)
        picture.at<cv::Vec3b>(y, x)[c] = static_cast<unsigned char>(
            std::clamp(std::lround(sum.at<cv::Vec3d>(y, x)[c] + camera.noise * gauss(engine)), 0L, 255L));
  return picture;
}

}  // namespace slipset::test
