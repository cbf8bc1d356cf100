// Pictures and videos to paths; the lens; a law from a rendered video.
#include "slipset/vision/track.hpp"

#include <doctest/doctest.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/videoio.hpp>

#include "slipset/core/error.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/vision/track_report.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/vision/rendered_disk.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// A curve with a turning body, y down [pixels].
Pose pose_at(double s) { return {{44 + 75 * s, 76 - 34 * s + 12 * std::sin(3 * s)}, 0.3 + 4.5 * s}; }
constexpr int kFrames = 24;

Camera two_marks() {
  Camera camera;
  camera.marks = {{{3, -2}, 7, {35, 30, 205}}, {{21, 5}, 5, {60, 170, 40}}};
  camera.exposures = 3;
  return camera;
}

std::vector<cv::Mat> film(const Camera& camera, unsigned seed) {
  std::vector<cv::Mat> frames;
  for (int k = 0; k < kFrames; ++k)
    frames.push_back(rendered(
        camera, [&](double u) { return pose_at((k + 0.5 * u) / kFrames); }, seed + static_cast<unsigned>(k)));
  return frames;
}

void save(const std::vector<cv::Mat>& frames, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (std::size_t k = 0; k < frames.size(); ++k)  // frame9 before frame10
    REQUIRE(cv::imwrite((folder / fmt::format("frame{}.png", k)).string(), frames[k]));
}

Vec2 mark_at(const Camera& camera, int k, std::size_t which) {
  const Pose pose = pose_at(static_cast<double>(k) / kFrames);
  return pose.centre + turned(camera.marks[which].place, pose.yaw);
}

double path_rms(const Track& track, const Camera& camera) {
  double sum = 0;
  for (int k = 0; k < kFrames; ++k)
    sum += (track.frames[static_cast<std::size_t>(k)].pixel - mark_at(camera, k, 0)).squaredNorm() / kFrames;
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("pictures of a turning disk: path to 0.05 pixel, yaw, y up, gaps reported") {
  const TemporaryFolder folder;
  Camera camera = two_marks();
  camera.noise = 5;
  std::vector<cv::Mat> frames = film(camera, 40);
  save(frames, folder.path() / "film");
  TrackOptions options;
  options.second = parse_colour("green");
  options.rate = 50;
  options.scale = 0.002;
  options.offset = {0.01, -0.004};
  const Track track = track_marks({(folder.path() / "film").string()}, options);
  for (const TrackedFrame& f : track.frames) CHECK(f.missing == "");
  REQUIRE(track.found == kFrames);
  const double rms = path_rms(track, camera);
  show_worst("path", "pictures", rms);
  CHECK(rms < 0.05);
  for (int k = 0; k < kFrames; ++k) {
    const TrackedFrame& f = track.frames[static_cast<std::size_t>(k)];
    const Vec2 a = mark_at(camera, k, 0), b = mark_at(camera, k, 1);
    const double yaw = std::atan2(-(b.y() - a.y()), b.x() - a.x());
    CHECK(std::abs(std::remainder(f.yaw - yaw, 2 * kPi)) < 0.02);
    const Vec2 corner = 0.002 * Vec2(a.x(), camera.height - 1 - a.y()) + turned({0.01, -0.004}, yaw);
    CHECK((f.position - corner).norm() < 0.002 * 0.6);  // the offset turns with yaw's noise
    CHECK(f.time == within(k / 50.0, 1e-12));
  }
  // Turned by -4.5 (y up) over the film: unwrapped, not in ±π.
  CHECK(track.frames.back().yaw - track.frames.front().yaw == near(-4.5 * 23 / 24, 0.01));

  // Frames without the mark are reported, and not part of the path.
  frames[7].setTo(cv::Scalar(120, 120, 120));
  cv::circle(frames[11], cv::Point(10, 10), 2, cv::Scalar(35, 30, 205), cv::FILLED);  // a red speck
  save(frames, folder.path() / "gaps");
  options.second.reset();
  options.offset.setZero();
  const Track gaps = track_marks({(folder.path() / "gaps").string()}, options);
  CHECK(gaps.found == kFrames - 1);
  CHECK(gaps.frames[7].missing.find("colour") != std::string::npos);
  CHECK(gaps.path().time.size() == kFrames - 1);
  CHECK((gaps.frames[11].pixel - mark_at(camera, 11, 0)).norm() < 0.1);
  CHECK(track_csv(gaps).find("# gap: frame 7 at 0.14 s: no pixels") != std::string::npos);
  CHECK(track_csv(gaps).find("nan") == std::string::npos);
  CHECK(track_json(gaps).at("missing").size() == 1);
}

TEST_CASE("videos: lossless as pictures; what compression costs is shown") {
  const TemporaryFolder folder;
  Camera camera = two_marks();
  camera.noise = 3;
  const std::vector<cv::Mat> frames = film(camera, 90);
  // Nothing where OpenCV was built without the codec.
  const auto filmed = [&](const char* name, int code) -> std::optional<double> {
    const std::string file = (folder.path() / name).string();
    cv::VideoWriter writer(file, cv::CAP_FFMPEG, code, 25, frames[0].size());
    if (!writer.isOpened()) return std::nullopt;
    for (const cv::Mat& frame : frames) writer.write(frame);
    writer.release();
    const Track track = track_marks({file}, {});
    CHECK(track.frames.size() == kFrames);
    CHECK(track.rate == near(25, 1e-12));
    REQUIRE(track.found == kFrames);
    CHECK_FALSE(track.metric());
    CHECK(track_csv(track).find("time [s],frame,pixel_x [px]") !=
          std::string::npos);  // no x, y that would pass as metres
    return path_rms(track, camera);
  };
  const auto raw = filmed("raw.avi", 0), motion = filmed("mjpg.avi", cv::VideoWriter::fourcc('M', 'J', 'P', 'G')),
             mpeg = filmed("mpeg.mp4", cv::VideoWriter::fourcc('m', 'p', '4', 'v'));
  show_worst("path", "raw video", raw.value_or(NAN));
  show_worst("path", "motion JPEG", motion.value_or(NAN));
  show_worst("path", "MPEG 4", mpeg.value_or(NAN));
  if (raw) CHECK(*raw < 0.05);
  if (motion) CHECK(*motion < 0.3);
  if (mpeg) CHECK(*mpeg < 0.5);
}

TEST_CASE("a law from rendered videos: simulated slides, filmed, tracked, fitted") {
  const FrictionLaw truth(Ellipse(0.52, 0.42), Ellipse(1.5, 1));
  const TemporaryFolder folder;
  constexpr double kScale = 2e-3, kRate = 200;
  std::vector<SlidingPath> paths;
  unsigned seed = 300;
  for (const double angle : {20.0, 50.0, 75.0}) {
    Camera camera;
    camera.width = camera.height = 176;
    camera.disk_radius = 16;
    camera.marks[0] = {{0, 0}, 6, {35, 30, 205}};
    camera.noise = 3;
    camera.exposures = 3;
    const std::filesystem::path film = folder.path() / fmt::format("slide{}", angle);
    std::vector<cv::Mat> frames;
    const Vec2 start(22, 154);  // [pixels], y down
    for (int k = 0; k < 70; ++k) {
      const auto pose = [&](double u) {  // half of the time between frames
        const std::vector<double> times = {std::max((k + 0.5 + 0.5 * u) / kRate, 0.0)};
        const Vec2 x = slide_positions(truth, 1.5 * unit(radians(angle)), times).front() / kScale;
        return Pose{start + Vec2(x.x(), -x.y()), 0.02 * k};
      };
      frames.push_back(rendered(camera, pose, ++seed));
    }
    save(frames, film);
    TrackOptions options;
    options.rate = kRate;
    options.scale = kScale;
    const Track track = track_marks({film.string()}, options);
    CHECK(track.found == frames.size());
    paths.push_back(track.path());
  }
  PathFitOptions options;
  options.model = {ReservoirKind::ellipse, DirectionKind::ellipse, AxesKind::fixed, 0, 6};
  const PathFit fit = fit_paths(paths, options);
  REQUIRE(fit.converged);
  show_worst("law from video", "rms [pixels]", fit.rms / kScale);
  CHECK(fit.rms / kScale < 0.05);
  const double expected[] = {0.52, 0.42, 1.5};
  REQUIRE(fit.parameters.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    INFO(fit.parameters[k].name, " ", fit.parameters[k].value, " ", *fit.parameters[k].sigma);
    CHECK(std::abs(fit.parameters[k].value - expected[k]) < 3 * *fit.parameters[k].sigma);
    CHECK(*fit.parameters[k].sigma < 0.01 * expected[k]);
  }
}

TEST_CASE("input that cannot be tracked says what to do") {
  const TemporaryFolder folder;
  TrackOptions options;
  const auto fails = [&](const std::vector<std::string>& inputs, const char* message) {
    INFO(message);
    CHECK_THROWS_WITH_AS(track_marks(inputs, options), doctest::Contains(message), InvalidInput);
  };
  const std::string missing = (folder.path() / "none.mp4").string(), film = (folder.path() / "film").string();
  fails({}, "no video");
  fails({missing}, "no such file");
  save(std::vector<cv::Mat>(6, cv::Mat(40, 50, CV_8UC3, cv::Scalar(90, 90, 90))), film);
  fails({film}, "frames per second");
  options.rate = 25;
  fails({film}, "found in 0 of 6 frames");
  fails({film + "/frame0.png"}, "1 frame;");
  options.region = {100, 100, 20, 20};
  fails({film}, "outside the frames");
  options.region = {};
  REQUIRE(cv::imwrite(film + "/frame3.png", cv::Mat(41, 50, CV_8UC3, cv::Scalar(90, 90, 90))));
  fails({film}, "frame 4 has 50 x 41 pixels");
  options.offset = {0.1, 0};
  fails({film}, "second mark");
  CHECK_THROWS_AS(scale_from_length(0.1, {3, 3}, {3, 3}, {}), InvalidInput);
  CHECK_THROWS_AS(scale_from_length(-0.1, {3, 3}, {30, 3}, {}), InvalidInput);
  CHECK(scale_from_length(0.1, {3, 3}, {33, 43}, {}) == near(0.002, 1e-12));
}
