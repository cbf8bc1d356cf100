#include "slipset/vision/lens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "slipset/core/error.hpp"
#include "slipset/vision/frames.hpp"

namespace slipset {

Vec2 Lens::undistorted(const Vec2& pixel) const {
  const std::vector<cv::Point2d> in = {{pixel.x(), pixel.y()}};
  std::vector<cv::Point2d> out;
  // To the rounding: the default stops after five iterations.
  const cv::TermCriteria enough(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 100, 1e-10);
  cv::undistortPoints(in, out, camera, distortion, cv::noArray(), camera, enough);
  return {out[0].x, out[0].y};
}

Vec2 Lens::distorted(const Vec2& pixel) const {
  const double x = (pixel.x() - camera(0, 2)) / camera(0, 0), y = (pixel.y() - camera(1, 2)) / camera(1, 1);
  const auto [k1, k2, p1, p2] = distortion;
  const double r2 = x * x + y * y, radial = 1 + r2 * (k1 + k2 * r2);
  return {camera(0, 0) * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + camera(0, 2),
          camera(1, 1) * (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) + camera(1, 2)};
}

LensReport calibrate_lens(const std::vector<std::string>& pictures, const ChessboardOptions& board,
                          const std::function<bool(double, double)>& on_picture) {
  if (board.columns < 3 || board.rows < 3)
    throw InvalidInput(
        fmt::format("chessboard of {}x{} inner corners; expected at least 3x3", board.columns, board.rows),
        "chessboard corners");
  require_positive(board.square, "chessboard: side of a square [m]");
  const cv::Size corners(board.columns, board.rows);
  std::vector<cv::Point3f> plane;
  for (int j = 0; j < board.rows; ++j)
    for (int i = 0; i < board.columns; ++i)
      plane.emplace_back(static_cast<float>(board.square * i), static_cast<float>(board.square * j), 0.0f);
  LensReport report;
  std::vector<std::vector<cv::Point2f>> found;
  double done = 0;
  for (const std::string& name : pictures) {
    cv::Mat grey;
    cv::cvtColor(read_picture(name), grey, cv::COLOR_BGR2GRAY);
    if (report.lens.size.empty()) report.lens.size = grey.size();
    if (grey.size() != report.lens.size)
      throw InvalidInput(fmt::format(
          "{}: {} x {} pixels, the first chessboard picture has {} x {}; take all with one camera and one resolution",
          name, grey.cols, grey.rows, report.lens.size.width, report.lens.size.height));
    std::vector<cv::Point2f> points;
    const int flags = cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE;
    if (cv::findChessboardCorners(grey, corners, points, flags)) {
      // Half of the smallest distance between corners, so that a window never holds two.
      double nearest = 1e9;
      for (std::size_t i = 1; i < points.size(); ++i) nearest = std::min(nearest, cv::norm(points[i] - points[i - 1]));
      const int half = std::clamp(static_cast<int>(nearest / 2.5), 2, 11);
      cv::cornerSubPix(grey, points, cv::Size(half, half), cv::Size(-1, -1),
                       cv::TermCriteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 60, 1e-3));
      found.push_back(points);
      report.used.push_back(name);
    } else {
      report.not_found.push_back(name);
    }
    if (on_picture && !on_picture(++done, static_cast<double>(pictures.size()))) return report;
  }
  if (found.size() < 3)
    throw InvalidInput(fmt::format("chessboard: {0} inner corners were found in {1} of {2} pictures, at least 3 are "
                                   "needed; give the number of inner corners (a board of 10 x 7 squares has 9x6), show "
                                   "the whole board with a white border, and each time from a different angle",
                                   fmt::format("{}x{}", board.columns, board.rows), found.size(), pictures.size()),
                       "chessboard corners");
  const std::vector<std::vector<cv::Point3f>> planes(found.size(), plane);
  cv::Mat camera, distortion;
  std::vector<cv::Mat> turns, shifts;
  try {
    report.rms =
        cv::calibrateCamera(planes, found, report.lens.size, camera, distortion, turns, shifts, cv::CALIB_FIX_K3);
  } catch (const cv::Exception& error) {
    throw InvalidInput(
        fmt::format("chessboard: no lens follows from these pictures ({}); take them from several angles", error.err));
  }
  report.lens.camera = cv::Matx33d(camera);
  for (int k = 0; k < 4; ++k) report.lens.distortion[static_cast<std::size_t>(k)] = distortion.at<double>(k);
  report.largest_shift = 0;
  for (const double x : {0.0, report.lens.size.width - 1.0})
    for (const double y : {0.0, report.lens.size.height - 1.0}) {
      const Vec2 corner(x, y);
      report.largest_shift = std::max(report.largest_shift, (report.lens.distorted(corner) - corner).norm());
    }
  if (!std::isfinite(report.rms) || !std::isfinite(report.largest_shift))
    throw InvalidInput("chessboard: no lens follows from these pictures; take them from several angles");
  return report;
}

}  // namespace slipset
