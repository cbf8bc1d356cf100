#include "slipset/vision/track.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/error.hpp"
#include "slipset/vision/frames.hpp"

namespace slipset {
namespace {

// One mark through the frames.
class Follower {
 public:
  Follower(const Colour& colour, const TrackOptions& options)
      : finder_(ChromaTable(colour, options.tolerance)), region_(options.region), method_(options.method) {}

  Mark find(const cv::Mat& frame) {
    const std::vector<Blob> blobs = finder_.find(frame, region_);
    Mark mark;
    mark.why = "no pixels of the mark's colour";
    if (blobs.empty()) return mark;
    const Blob* best = &blobs.front();
    // Of several that are large enough the one next to the last place.
    std::size_t rivals = 0;
    for (const Blob& blob : blobs) {
      if (blob.weight < 0.3 * blobs.front().weight) break;
      ++rivals;
      if (last_ && (blob.centre - *last_).norm() < (best->centre - *last_).norm()) best = &blob;
    }
    if (rivals > 1) ++ambiguous_;
    mark = locate_mark(frame, *best, method_);
    if (mark.found) last_ = mark.centre;
    return mark;
  }
  std::size_t ambiguous() const { return ambiguous_; }

 private:
  BlobFinder finder_;
  cv::Rect region_;
  MarkMethod method_;
  std::optional<Vec2> last_;
  std::size_t ambiguous_ = 0;
};

// A blob of another size is not the mark: radii beyond half and twice their median.
void reject_other_sizes(std::vector<TrackedFrame>& frames, Mark TrackedFrame::*which) {
  std::vector<double> radii;
  for (const TrackedFrame& frame : frames)
    if ((frame.*which).found) radii.push_back((frame.*which).radius);
  if (radii.empty()) return;
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), middle, radii.end());
  for (TrackedFrame& frame : frames) {
    Mark& mark = frame.*which;
    if (!mark.found || (mark.radius > 0.5 * *middle && mark.radius < 2 * *middle)) continue;
    mark.found = false;
    mark.why = fmt::format("a blob of radius {:.2f} pixels, the mark has {:.2f}", mark.radius, *middle);
  }
}

Vec2 upward(const Vec2& pixel, const cv::Size& size) { return {pixel.x(), size.height - 1 - pixel.y()}; }

void place(Track& track) {
  const TrackOptions& o = track.options;
  const double scale = track.metric() ? o.scale : 1;
  const auto straight = [&](const Vec2& p) { return o.lens ? o.lens->lens.undistorted(p) : p; };
  std::optional<double> last_yaw;
  for (TrackedFrame& frame : track.frames) {
    frame.missing = !frame.first.found                ? frame.first.why
                    : o.second && !frame.second.found ? "second mark: " + frame.second.why
                                                      : "";
    if (!frame.missing.empty()) continue;
    frame.pixel = straight(frame.first.centre);
    frame.position = scale * upward(frame.pixel, track.size);
    if (o.second) {
      const Vec2 way = scale * upward(straight(frame.second.centre), track.size) - frame.position;
      frame.yaw = std::atan2(way.y(), way.x());
      if (last_yaw) frame.yaw += 2 * kPi * std::round((*last_yaw - frame.yaw) / (2 * kPi));
      last_yaw = frame.yaw;
      const Vec2 along = unit(frame.yaw), left(-along.y(), along.x());
      frame.position += o.offset.x() * along + o.offset.y() * left;
    }
    ++track.found;
  }
}

void require_found(const Track& track) {
  const std::size_t all = track.frames.size();
  if (all < 5)
    throw InvalidInput(fmt::format("{}: {} frame{}; a path needs at least 5", track.name, all, all == 1 ? "" : "s"));
  if (track.found >= 5) return;
  std::string why;
  for (const TrackedFrame& frame : track.frames)
    if (!frame.missing.empty()) why = why.empty() ? frame.missing : why;
  throw InvalidInput(fmt::format("{}: the mark was found in {} of {} frames, a path needs at least 5 ({}); give its "
                                 "colour (from a picture), a wider tolerance of the hue, or the region to look in",
                                 track.name, track.found, all, why),
                     "mark");
}

}  // namespace

SlidingPath Track::path() const {
  SlidingPath path;
  for (const TrackedFrame& frame : frames) {
    if (!frame.missing.empty()) continue;
    path.time.push_back(frame.time);
    path.position.push_back(frame.position);
  }
  return path;
}

double scale_from_length(double length, const Vec2& from, const Vec2& to, const std::optional<LensReport>& lens) {
  require_positive(length, "known length [m]");
  const double pixels = lens ? (lens->lens.undistorted(to) - lens->lens.undistorted(from)).norm() : (to - from).norm();
  if (!(pixels > 1) || !std::isfinite(pixels))
    throw InvalidInput(fmt::format(
        "known length: its ends ({}, {}) and ({}, {}) are {:.3g} pixels apart; choose two points far from each other",
        from.x(), from.y(), to.x(), to.y(), pixels));
  return length / pixels;
}

Track track_marks(const std::vector<std::string>& inputs, const TrackOptions& options,
                  const std::function<bool(double, double)>& on_frame) {
  if (!(options.scale >= 0) || !std::isfinite(options.scale))
    throw InvalidInput(fmt::format("metres per pixel: found {}; expected a positive number", options.scale));
  if (options.offset != Vec2::Zero() && !options.second)
    throw InvalidInput("an offset from the mark turns with the body: it needs a second mark", "second mark");
  if (options.offset != Vec2::Zero() && !(options.scale > 0))
    throw InvalidInput("an offset in metres needs a scale", "scale");
  Follower first(options.colour, options);
  std::optional<Follower> second;
  if (options.second) second.emplace(*options.second, options);
  FrameSource source(inputs, options.rate);
  Track track;
  track.name = source.name();
  track.options = options;
  track.rate = source.rate();
  cv::Mat frame;
  while (source.next(frame)) {
    if (track.frames.empty()) {
      track.size = frame.size();
      if (options.lens && options.lens->lens.size != frame.size())
        throw InvalidInput(fmt::format(
            "{}: frames of {} x {} pixels, chessboard pictures of {} x {}; take both with the same camera and "
            "resolution",
            track.name, frame.cols, frame.rows, options.lens->lens.size.width, options.lens->lens.size.height));
      if (!options.region.empty() && (options.region & cv::Rect(cv::Point(0, 0), frame.size())).area() < 9)
        throw InvalidInput(fmt::format("{}: the region to look in is outside the frames of {} x {} pixels", track.name,
                                       frame.cols, frame.rows));
    }
    TrackedFrame& row = track.frames.emplace_back();
    row.time = static_cast<double>(track.frames.size() - 1) / track.rate;
    row.first = first.find(frame);
    if (second) row.second = second->find(frame);
    if (row.first.found && (!second || row.second.found)) {
      track.last = track.frames.size() - 1;
      if (track.first_picture.empty()) {
        track.first = track.last;
        track.first_picture = frame.clone();
      }
      frame.copyTo(track.last_picture);
    }
    if (on_frame && !on_frame(static_cast<double>(track.frames.size()), source.count())) {
      track.stopped = true;
      return track;
    }
  }
  reject_other_sizes(track.frames, &TrackedFrame::first);
  if (second) reject_other_sizes(track.frames, &TrackedFrame::second);
  place(track);
  require_found(track);
  const std::size_t gaps = track.frames.size() - track.found;
  if (gaps > 0)
    track.warnings.push_back(
        fmt::format("{} of {} frames have no position; path.csv says which and why", gaps, track.frames.size()));
  const std::size_t ambiguous = std::max(first.ambiguous(), second ? second->ambiguous() : 0);
  if (ambiguous > 0)
    track.warnings.push_back(
        fmt::format("{} frames have several blobs of the mark's colour; the one closest to the last position was used; "
                    "check first-frame.png, or give a region to look in",
                    ambiguous));
  if (source.jitter() > 0.6 / track.rate)
    track.warnings.push_back(
        fmt::format("the times in the video differ by up to {:.3g} s from a constant rate of {:.6g} frames per second, "
                    "which was used",
                    source.jitter(), track.rate));
  if (options.lens && options.lens->rms > 1)
    track.warnings.push_back(fmt::format("the lens fits its chessboards only to {:.2g} pixels", options.lens->rms));
  if (!track.metric())
    track.warnings.emplace_back("no scale: the path is in pixels; give the metres per pixel, or a known length");
  return track;
}

}  // namespace slipset
