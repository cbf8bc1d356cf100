// Chessboards and paths rendered through a lens that is known; its inverse is written here, apart from the library's.
#include "slipset/vision/lens.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <opencv2/imgcodecs.hpp>

#include "slipset/core/error.hpp"
#include "slipset/vision/track.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/vision/rendered_disk.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr int kWidth = 320, kHeight = 240;
constexpr double kFocal = 380, kSquare = 0.02;
const Vec2 kCentre(163, 117);
constexpr double kK1 = -0.22, kK2 = 0.05, kP1 = 0.001, kP2 = -0.0015;

// Pixel of the picture → pixel of the picture without distortion: fixed point of (I.20).
Vec2 straight(const Vec2& pixel) {
  const Vec2 d = (pixel - kCentre) / kFocal;
  Vec2 x = d;
  for (int i = 0; i < 12; ++i) {
    const double r2 = x.squaredNorm(), radial = 1 + kK1 * r2 + kK2 * r2 * r2;
    const Vec2 tangential(2 * kP1 * x.x() * x.y() + kP2 * (r2 + 2 * x.x() * x.x()),
                          kP1 * (r2 + 2 * x.y() * x.y()) + 2 * kP2 * x.x() * x.y());
    x = (d - tangential) / radial;
  }
  return kCentre + kFocal * x;
}

// 7 x 5 inner corners, white around.
cv::Mat chessboard(const Eigen::Vector3d& turn, const Eigen::Vector3d& place, unsigned seed) {
  const Eigen::Matrix3d rotation =
      Eigen::AngleAxisd(turn.norm(), turn.norm() > 0 ? Eigen::Vector3d(turn.normalized()) : Eigen::Vector3d::UnitX())
          .toRotationMatrix();
  Eigen::Matrix3d to_picture;
  to_picture << rotation.col(0), rotation.col(1), place;
  const Eigen::Matrix3d to_board = to_picture.inverse();
  cv::Mat sum(kHeight, kWidth, CV_64F);
  constexpr int n = 3;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      double light = 0;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const Vec2 p = straight({x + (i + 0.5) / n - 0.5, y + (j + 0.5) / n - 0.5});
          const Eigen::Vector3d b =
              to_board * Eigen::Vector3d((p.x() - kCentre.x()) / kFocal, (p.y() - kCentre.y()) / kFocal, 1);
          const double u = b.x() / b.z() / kSquare + 4, v = b.y() / b.z() / kSquare + 3;  // in squares, of 8 x 6
          const bool inside = u > 0 && u < 8 && v > 0 && v < 6;
          const bool black = inside && (static_cast<int>(u) + static_cast<int>(v)) % 2 == 0;
          light += black ? 40 : 215;
        }
      sum.at<double>(y, x) = light / (n * n);
    }
  cv::GaussianBlur(sum, sum, cv::Size(), 0.7);
  cv::Mat picture(kHeight, kWidth, CV_8UC3);
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> gauss(0, 2);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const auto v = static_cast<unsigned char>(std::clamp(sum.at<double>(y, x) + gauss(engine), 0.0, 255.0));
      picture.at<cv::Vec3b>(y, x) = {v, v, v};
    }
  return picture;
}

}  // namespace

TEST_CASE("I.20 a lens from chessboards, and a path through it in metres") {
  const TemporaryFolder folder;
  std::vector<std::string> boards;
  const std::pair<Eigen::Vector3d, Eigen::Vector3d> views[] = {{{0, 0, 0}, {0, 0, 0.24}},
                                                               {{0.45, 0, 0.1}, {0.02, 0.01, 0.26}},
                                                               {{-0.4, 0.2, 0}, {-0.03, -0.02, 0.26}},
                                                               {{0, 0.5, 0}, {-0.02, 0.03, 0.26}},
                                                               {{0.1, -0.5, 0.2}, {0.03, -0.03, 0.27}},
                                                               {{0.3, 0.3, -0.3}, {0.0, 0.0, 0.25}},
                                                               {{-0.3, -0.3, 0}, {0.03, 0.02, 0.28}},
                                                               {{0.3, -0.2, 0.4}, {-0.03, -0.02, 0.29}}};
  unsigned seed = 1;
  for (const auto& [turn, place] : views) {
    boards.push_back((folder.path() / fmt::format("board{}.png", seed)).string());
    REQUIRE(cv::imwrite(boards.back(), chessboard(turn, place, seed++)));
  }
  const LensReport report = calibrate_lens(boards, {7, 5, kSquare});
  CHECK(report.used.size() >= 6);
  show_worst("lens", "rms [pixels]", report.rms);
  show_worst("lens", "k1 off", std::abs(report.lens.distortion[0] - kK1));
  CHECK(report.rms < 0.1);
  CHECK(std::abs(report.lens.distortion[0] - kK1) < 0.02);
  CHECK(std::abs(report.lens.camera(0, 0) / kFocal - 1) < 0.01);
  Worst worst;
  for (double x = 10; x < kWidth; x += 30)
    for (double y = 10; y < kHeight; y += 30) {
      const Vec2 back = report.lens.distorted(report.lens.undistorted({x, y}));
      worst.add((back - Vec2(x, y)).norm());
    }
  CHECK(worst.value() < 1e-6);

  // A path from corner to corner over a plane 0.5 m away; the scale from a known length, as a person would take it.
  const double scale = 0.5 / kFocal;
  Camera camera;
  camera.width = kWidth;
  camera.height = kHeight;
  camera.disk_radius = 22;
  camera.marks[0] = {{0, 0}, 8, {35, 30, 205}};
  camera.samples = 4;
  std::vector<std::string> film;
  std::vector<Vec2> truth;
  for (int k = 0; k < 15; ++k) {
    const double s = k / 14.0;
    const Pose pose{{24 + 272 * s, 205 - 172 * s + 25 * std::sin(5 * s)}, 2 * s};
    truth.push_back(scale * Vec2(pose.centre.x(), kHeight - 1 - pose.centre.y()));
    film.push_back((folder.path() / fmt::format("frame{}.png", k)).string());
    REQUIRE(cv::imwrite(film.back(), rendered(
                                         camera, [&](double) { return pose; }, 60 + unsigned(k), straight)));
  }
  const auto off = [&](bool with_lens) {
    TrackOptions options;
    options.rate = 10;
    if (with_lens) options.lens = report;
    // A ruler of 0.25 m, seen through the lens: its ends as they are in the picture.
    const double half = 0.125 / scale;
    const auto seen = [](const Vec2& p) {  // (I.20) forwards
      const Vec2 x = (p - kCentre) / kFocal;
      const double r2 = x.squaredNorm(), radial = 1 + kK1 * r2 + kK2 * r2 * r2;
      return Vec2(kCentre + kFocal * Vec2(x.x() * radial + 2 * kP1 * x.x() * x.y() + kP2 * (r2 + 2 * x.x() * x.x()),
                                          x.y() * radial + kP1 * (r2 + 2 * x.y() * x.y()) + 2 * kP2 * x.x() * x.y()));
    };
    options.scale = scale_from_length(0.25, seen(kCentre - Vec2(half, 0)), seen(kCentre + Vec2(half, 0)), options.lens);
    const Track track = track_marks(film, options);
    REQUIRE(track.found == film.size());
    double sum = 0;
    for (std::size_t k = 0; k < truth.size(); ++k)
      sum += (track.frames[k].position - truth[k]).squaredNorm() / static_cast<double>(truth.size());
    return std::sqrt(sum) / scale;
  };
  const double with = off(true), without = off(false);
  show_worst("path through a lens", "[pixels]", with);
  show_worst("the same, no lens", "[pixels]", without);
  CHECK(with < 0.25);
  CHECK(without > 2);
}

TEST_CASE("chessboards that cannot be used say what to do") {
  const TemporaryFolder folder;
  const auto picture = [&](const char* name, const cv::Mat& image) {
    const std::string file = (folder.path() / name).string();
    REQUIRE(cv::imwrite(file, image));
    return file;
  };
  const std::string grey = picture("grey.png", cv::Mat(60, 80, CV_8UC3, cv::Scalar(90, 90, 90))),
                    other = picture("other.png", cv::Mat(61, 80, CV_8UC3, cv::Scalar(90, 90, 90)));
  const auto fails = [&](const std::vector<std::string>& files, const ChessboardOptions& board, const char* message) {
    INFO(message);
    CHECK_THROWS_WITH_AS(calibrate_lens(files, board), doctest::Contains(message), InvalidInput);
  };
  fails({grey, grey, grey}, {7, 5, 0.02}, "in 0 of 3 pictures");
  fails({grey, other}, {7, 5, 0.02}, "one resolution");
  fails({grey}, {7, 5, 0}, "side of a square");
  fails({grey}, {1, 5, 0.02}, "3x3");
  fails({(folder.path() / "none.png").string()}, {7, 5, 0.02}, "no such file");
}
