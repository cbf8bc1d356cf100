// Frames one after the other, of a video file or of pictures.
#pragma once

#include <opencv2/core.hpp>
#include <opencv2/videoio.hpp>
#include <string>
#include <vector>

namespace slipset {

// An 8-bit BGR picture. Throws InvalidInput, saying why, if there is none in the file.
cv::Mat read_picture(const std::string& file);

// Files in the place of folders: the pictures in them, numbers in names in their order (frame9 before frame10). Throws
// InvalidInput for files that are not there and folders without pictures.
std::vector<std::string> expand_pictures(const std::vector<std::string>& inputs);

class FrameSource {
 public:
  // One video; or pictures and folders of pictures, which need `rate`. `rate` [1/s] overrides a video's own; 0: that.
  FrameSource(const std::vector<std::string>& inputs, double rate);

  // The next frame, all of one size; false at the end. A picture that cannot be read throws InvalidInput.
  bool next(cv::Mat& frame);

  const std::string& name() const { return name_; }  // of the video or the first picture
  double rate() const { return rate_; }              // frames per second
  double count() const { return count_; }            // of frames, if the file has it; 0: unknown
  bool is_video() const { return pictures_.empty(); }
  // Largest difference between the times in a video and those of a constant rate, over the frames so far [s].
  double jitter() const { return jitter_; }

 private:
  std::string name_;
  std::vector<std::string> pictures_;
  cv::VideoCapture video_;
  cv::Size size_;
  double rate_ = 0, count_ = 0, jitter_ = 0, first_time_ = 0;
  bool given_rate_ = false;
  std::size_t next_ = 0;
};

}  // namespace slipset
