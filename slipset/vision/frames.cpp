#include "slipset/vision/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

namespace fs = std::filesystem;

bool is_picture(const fs::path& path) {
  std::string end = path.extension().string();
  std::transform(end.begin(), end.end(), end.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<std::string_view, 10> known = {".png", ".jpg", ".jpeg", ".tif",  ".tiff",
                                                      ".bmp", ".ppm", ".pgm",  ".webp", ".pnm"};
  return std::find(known.begin(), known.end(), end) != known.end();
}

// Digits compare as numbers.
bool in_order(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      std::size_t m = i, n = j;
      while (m < a.size() && digit(a[m])) ++m;
      while (n < b.size() && digit(b[n])) ++n;
      while (i + 1 < m && a[i] == '0') ++i;
      while (j + 1 < n && b[j] == '0') ++j;
      if (m - i != n - j) return m - i < n - j;
      if (const int order = a.compare(i, m - i, b, j, n - j); order != 0) return order < 0;
      i = m;
      j = n;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

}  // namespace

cv::Mat read_picture(const std::string& file) {
  cv::Mat picture;
  std::error_code error;
  if (!fs::exists(file, error)) throw InvalidInput(fmt::format("{}: no such file", file));
  try {
    picture = cv::imread(file, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
  } catch (const cv::Exception&) {
    picture.release();  // reported below
  }
  if (picture.empty())
    throw InvalidInput(fmt::format("{}: no picture can be read from it; is the file complete?", file));
  return picture;
}

std::vector<std::string> expand_pictures(const std::vector<std::string>& inputs) {
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!fs::exists(input, error)) throw InvalidInput(fmt::format("{}: no such file or folder", input));
    if (!fs::is_directory(input, error)) {
      files.push_back(input);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : fs::directory_iterator(input, error))
      if (is_picture(entry.path())) inside.push_back(entry.path().string());
    if (inside.empty())
      throw InvalidInput(fmt::format("{}: no pictures (png, jpg, tif, bmp, ...) in this folder", input));
    std::sort(inside.begin(), inside.end(), in_order);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

FrameSource::FrameSource(const std::vector<std::string>& inputs, double rate) : rate_(rate), given_rate_(rate > 0) {
  if (inputs.empty()) throw InvalidInput("no video: name a video file, pictures, or a folder of pictures");
  if (!(rate >= 0) || !std::isfinite(rate))
    throw InvalidInput(fmt::format("frames per second: found {}; expected a positive number", rate), "frame rate");
  std::vector<std::string> files = expand_pictures(inputs);
  name_ = inputs.front();
  if (std::all_of(files.begin(), files.end(), [](const std::string& f) { return is_picture(f); })) {
    if (!given_rate_)
      throw InvalidInput(fmt::format("{}: pictures have no time stamps; give the frames per second", name_),
                         "frame rate");
    pictures_ = std::move(files);
    count_ = static_cast<double>(pictures_.size());
    return;
  }
  if (files.size() != 1)
    throw InvalidInput(fmt::format(
        "{} files that are not all pictures; give one video, or pictures (png, jpg, tif, bmp, ...)", files.size()));
  for (const int reader : {cv::CAP_FFMPEG, cv::CAP_OPENCV_MJPEG}) {
    try {
      if (video_.open(name_, reader)) break;
    } catch (const cv::Exception&) {
      video_.release();  // reported below
    }
  }
  if (!video_.isOpened())
    throw InvalidInput(
        fmt::format("{}: not a video that can be read (mp4, avi, mov, mkv, ...); is the file complete?", name_));
  if (!given_rate_) rate_ = video_.get(cv::CAP_PROP_FPS);
  if (!(rate_ > 0) || !std::isfinite(rate_))
    throw InvalidInput(fmt::format("{}: the video has no frame rate; give the frames per second", name_), "frame rate");
  const double count = video_.get(cv::CAP_PROP_FRAME_COUNT);
  count_ = std::isfinite(count) && count > 0 ? count : 0;
}

bool FrameSource::next(cv::Mat& frame) {
  if (is_video()) {
    try {
      if (!video_.read(frame) || frame.empty()) return false;
    } catch (const cv::Exception& error) {
      throw InvalidInput(fmt::format("{}: frame {} cannot be read: {}", name_, next_ + 1, error.err));
    }
    const double time = video_.get(cv::CAP_PROP_POS_MSEC) / 1000;
    if (next_ == 0) first_time_ = time;
    if (!given_rate_) jitter_ = std::max(jitter_, std::abs(time - first_time_ - static_cast<double>(next_) / rate_));
  } else {
    if (next_ >= pictures_.size()) return false;
    frame = read_picture(pictures_[next_]);
  }
  if (next_ == 0) size_ = frame.size();
  if (frame.size() != size_ || frame.type() != CV_8UC3)
    throw InvalidInput(fmt::format("{}: frame {} has {} x {} pixels, the first one {} x {}",
                                   is_video() ? name_ : pictures_[next_], next_ + 1, frame.cols, frame.rows,
                                   size_.width, size_.height));
  ++next_;
  return true;
}

}  // namespace slipset
