// Video or pictures → path of a mark, in metres and seconds.                            docs/theory/identification.md
//   x = m (p_x, height - 1 - p_y):  p the mark's centre without the lens' distortion [pixels], m metres per pixel;
//   y points up, the origin is the centre of the picture's lower left pixel                                     (I.21)
//   t = frame number from 0/frames per second
// With a second mark: yaw = angle from the first mark to the second, counter-clockwise, unwrapped.
#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "slipset/core/angle.hpp"
#include "slipset/identification/sliding_paths.hpp"
#include "slipset/vision/colour.hpp"
#include "slipset/vision/lens.hpp"
#include "slipset/vision/mark.hpp"

namespace slipset {

struct TrackOptions {
  Colour colour{220, 30, 30};
  std::optional<Colour> second;    // of the second mark
  double tolerance = 2 * kPi / 9;  // of the hue [rad]
  MarkMethod method = MarkMethod::circle;
  cv::Rect region;             // marks are looked for in it; empty: everywhere
  double rate = 0;             // frames per second; 0: as stored in the video
  double scale = 0;            // metres per pixel; 0: the path stays in pixels
  Vec2 offset = Vec2::Zero();  // from the first mark to the body's point: along yaw, and to its left [m]
  std::optional<LensReport> lens;
};

struct TrackedFrame {
  double time = 0;  // [s]
  Mark first, second;
  std::string missing;             // why there is no position; empty if there is one
  Vec2 pixel = Vec2(NAN, NAN);     // of the first mark, undistorted; y down
  Vec2 position = Vec2(NAN, NAN);  // (I.21) [m]; [pixels] without a scale
  double yaw = NAN;                // [rad]
};

struct Track {
  std::string name;
  TrackOptions options;
  cv::Size size;                        // of the frames
  double rate = 0;                      // frames per second
  std::vector<TrackedFrame> frames;     // all of them
  std::size_t found = 0;                // of these, with a position
  cv::Mat first_picture, last_picture;  // of the first and last frame with a position
  std::size_t first = 0, last = 0;      // their numbers
  std::vector<std::string> warnings;
  bool stopped = false;  // by `on_frame`

  bool metric() const { return options.scale > 0; }
  SlidingPath path() const;  // the frames with a position
};

// Metres per pixel from a known length between two points of the picture [pixels]. Throws InvalidInput unless positive.
double scale_from_length(double length, const Vec2& from, const Vec2& to, const std::optional<LensReport>& lens);

// Throws InvalidInput, with what to do, for input that cannot be read and for marks that are found in fewer than five
// frames. `on_frame(done, all)` is called after each frame, all = 0 if it is not known; false ends it.
Track track_marks(const std::vector<std::string>& inputs, const TrackOptions& options,
                  const std::function<bool(double done, double all)>& on_frame = {});

}  // namespace slipset
