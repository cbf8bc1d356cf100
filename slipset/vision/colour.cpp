#include "slipset/vision/colour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

struct NamedColour {
  std::string_view name;
  Colour colour;
};
constexpr std::array<NamedColour, 9> kColours = {{{"red", {220, 30, 30}},
                                                  {"orange", {240, 130, 20}},
                                                  {"yellow", {230, 220, 30}},
                                                  {"green", {30, 160, 60}},
                                                  {"cyan", {30, 190, 200}},
                                                  {"blue", {30, 70, 200}},
                                                  {"violet", {120, 50, 180}},
                                                  {"magenta", {220, 30, 180}},
                                                  {"pink", {240, 110, 170}}}};

[[noreturn]] void fail(std::string_view text) {
  std::vector<std::string_view> names;
  for (const NamedColour& c : kColours) names.push_back(c.name);
  throw InvalidInput(fmt::format("colour: found \"{}\"; expected #rrggbb (quoted in a shell) or one of {}", text,
                                 fmt::join(names, ", ")));
}

}  // namespace

Colour parse_colour(std::string_view text) {
  for (const NamedColour& c : kColours)
    if (c.name == text) return c.colour;
  if (text.size() != 7 || text[0] != '#') fail(text);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 7, value, 16);
  if (error != std::errc() || end != text.data() + 7) fail(text);
  return {static_cast<double>(value >> 16), static_cast<double>((value >> 8) & 255), static_cast<double>(value & 255)};
}

ChromaTable::ChromaTable(const Colour& colour, double tolerance) {
  if (!(tolerance > 0 && tolerance < kPi / 2))
    throw InvalidInput(
        fmt::format("tolerance of the hue: found {} degrees; expected between 0 and 90", degrees(tolerance)));
  const cv::Mat pixel(1, 1, CV_32FC3, cv::Scalar(colour.blue / 255, colour.green / 255, colour.red / 255));
  cv::Mat lab;
  cv::cvtColor(pixel, lab, cv::COLOR_BGR2Lab);
  const double a0 = lab.at<cv::Vec3f>(0, 0)[1], b0 = lab.at<cv::Vec3f>(0, 0)[2], chroma = std::hypot(a0, b0);
  if (!(chroma > 12))
    throw InvalidInput(
        fmt::format("colour of the mark: ({}, {}, {}) is grey and has no hue; use a mark of a strong colour",
                    colour.red, colour.green, colour.blue));
  const double narrow = 1 / std::tan(tolerance);
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      const double x = a - 128, y = b - 128, along = (x * a0 + y * b0) / chroma, across = (y * a0 - x * b0) / chroma;
      table_[static_cast<std::size_t>(256 * a + b)] =
          static_cast<std::uint8_t>(std::clamp(along - std::abs(across) * narrow, 0.0, 255.0));
    }
}

}  // namespace slipset
