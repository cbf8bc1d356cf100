#include "slipset/vision/track_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

const char* unit_of(const Track& track) { return track.metric() ? "m" : "pixels"; }

struct Spread {
  double mean = 0, largest = 0;
};
template <class Value>
Spread spread_of(const Track& track, Value&& value) {
  Spread s;
  for (const TrackedFrame& frame : track.frames) {
    if (!frame.missing.empty()) continue;
    s.mean += value(frame) / static_cast<double>(track.found);
    s.largest = std::max(s.largest, value(frame));
  }
  return s;
}

constexpr int kSubPixel = 4;  // bits of a drawn coordinate
cv::Point drawn(const Vec2& p, int zoom) {
  const double f = zoom * (1 << kSubPixel), half = 0.5 * (zoom - 1) * (1 << kSubPixel);
  return {static_cast<int>(std::lround(f * p.x() + half)), static_cast<int>(std::lround(f * p.y() + half))};
}

std::string overlay(const Track& track, const cv::Mat& picture, std::size_t number, bool with_path) {
  // Small pictures are enlarged: the line must be thinner than what it shows.
  const int zoom = std::clamp(1000 / std::max(1, std::max(picture.cols, picture.rows)), 1, 6);
  cv::Mat out;
  cv::resize(picture, out, cv::Size(), zoom, zoom, cv::INTER_NEAREST);
  const cv::Scalar black(0, 0, 0), bright(0, 255, 255), way(255, 160, 0);
  if (with_path) {
    const TrackedFrame* before = nullptr;
    for (const TrackedFrame& frame : track.frames) {
      const TrackedFrame* now = frame.missing.empty() ? &frame : nullptr;
      if (now && before)
        cv::line(out, drawn(before->first.centre, zoom), drawn(now->first.centre, zoom), way, 2, cv::LINE_AA,
                 kSubPixel);
      before = now;
    }
  }
  const auto draw = [&](const Mark& mark) {
    const cv::Point centre = drawn(mark.centre, zoom);
    const int radius = static_cast<int>(std::lround(mark.radius * zoom * (1 << kSubPixel))),
              arm = std::max(radius / 2, 3 << kSubPixel);
    for (const auto& [colour, width] : {std::pair(black, 3), std::pair(bright, 1)}) {
      cv::circle(out, centre, radius, colour, width, cv::LINE_AA, kSubPixel);
      cv::line(out, centre - cv::Point(arm, 0), centre + cv::Point(arm, 0), colour, width, cv::LINE_AA, kSubPixel);
      cv::line(out, centre - cv::Point(0, arm), centre + cv::Point(0, arm), colour, width, cv::LINE_AA, kSubPixel);
    }
  };
  if (track.frames[number].missing.empty()) {
    draw(track.frames[number].first);
    if (track.options.second) draw(track.frames[number].second);
  }
  std::vector<unsigned char> bytes;
  if (!cv::imencode(".png", out, bytes)) throw InvalidInput("a picture could not be encoded as PNG");
  return {bytes.begin(), bytes.end()};
}

Json mark_json(const Mark& mark) {
  return {{"pixel", {mark.centre.x(), mark.centre.y()}}, {"radius", mark.radius}, {"sigma", mark.sigma}};
}

}  // namespace

std::string track_csv(const Track& track) {
  const bool yaw = track.options.second.has_value();
  std::string text =
      track.metric()
          ? fmt::format("# x, y, sigma in metres, {} m per pixel; y up from the lower left pixel; frames from 0\n",
                        track.options.scale)
          : "# no scale was given: pixels only, pixel_y down; frames from 0\n";
  text += fmt::format("time [s],{}{}frame,pixel_x [px],pixel_y [px],pixel_sigma [px],pixel_radius [px]\n",
                      track.metric() ? "x [m],y [m],sigma [m]," : "", yaw ? "yaw [deg]," : "");
  for (std::size_t k = 0; k < track.frames.size(); ++k) {
    const TrackedFrame& f = track.frames[k];
    if (!f.missing.empty()) {
      text += fmt::format("# gap: frame {} at {:.9g} s: {}\n", k, f.time, f.missing);
      continue;
    }
    text += fmt::format("{:.12g},", f.time);
    if (track.metric())
      text +=
          fmt::format("{:.10g},{:.10g},{:.3g},", f.position.x(), f.position.y(), track.options.scale * f.first.sigma);
    if (yaw) text += fmt::format("{:.8g},", degrees(f.yaw));
    text += fmt::format("{},{:.8g},{:.8g},{:.3g},{:.6g}\n", k, f.pixel.x(), f.pixel.y(), f.first.sigma, f.first.radius);
  }
  return text;
}

nlohmann::ordered_json track_json(const Track& track) {
  Json json;
  json["input"] = track.name;
  json["frames"] = track.frames.size();
  json["found"] = track.found;
  json["missing"] = Json::array();
  for (std::size_t k = 0; k < track.frames.size(); ++k)
    if (!track.frames[k].missing.empty())
      json["missing"].push_back({{"frame", k}, {"time", track.frames[k].time}, {"why", track.frames[k].missing}});
  json["frames_a_second"] = track.rate;
  json["size"] = {track.size.width, track.size.height};
  json["metres_a_pixel"] = track.metric() ? Json(track.options.scale) : Json();
  json["unit"] = unit_of(track);
  const Spread radius = spread_of(track, [](const TrackedFrame&f) { return f.first.radius; }),
               sigma = spread_of(track, [](const TrackedFrame&f) { return f.first.sigma; });
  json["mark"] = {{"method", track.options.method == MarkMethod::circle ? "circle" : "centroid"},
                  {"mean_radius", radius.mean},
                  {"mean_sigma", sigma.mean},
                  {"largest_sigma", sigma.largest}};
  const auto there = [](const TrackedFrame& f) { return f.missing.empty(); };
  const TrackedFrame& first = *std::find_if(track.frames.begin(), track.frames.end(), there);
  const TrackedFrame& last = *std::find_if(track.frames.rbegin(), track.frames.rend(), there);
  json["first"] = mark_json(first.first);
  json["last"] = mark_json(last.first);
  const SlidingPath path = track.path();
  const SmoothedPath smooth = smooth_path(path);
  double length = 0;
  for (std::size_t i = 1; i < smooth.position.size(); ++i)
    length += (smooth.position[i] - smooth.position[i - 1]).norm();
  json["path"] = {{"duration", path.time.back() - path.time.front()},
                  {"length", length},
                  {"start", {path.position.front().x(), path.position.front().y()}},
                  {"end", {path.position.back().x(), path.position.back().y()}},
                  {"noise", smooth.noise},
                  {"start_velocity", {smooth.velocity.front().x(), smooth.velocity.front().y()}}};
  if (track.options.second) json["path"]["turned"] = degrees(last.yaw - first.yaw);
  if (track.options.lens) {
    const LensReport& lens = *track.options.lens;
    const cv::Matx33d& k = lens.lens.camera;
    json["lens"] = {{"rms", lens.rms},
                    {"focal_lengths", {k(0, 0), k(1, 1)}},
                    {"centre", {k(0, 2), k(1, 2)}},
                    {"distortion", lens.lens.distortion},
                    {"largest_shift", lens.largest_shift},
                    {"used", lens.used},
                    {"not_found", lens.not_found}};
  }
  json["warnings"] = track.warnings;
  return json;
}

std::string track_text(const Track& track) {
  const Json json = track_json(track);
  const auto number = [&](const char* group, const char* key) { return json.at(group).at(key).get<double>(); };
  const SlidingPath path = track.path();
  std::string text = fmt::format("{}: mark found in {} of {} frames ({} x {} pixels, {:.6g} per second)\n", track.name,
                                 track.found, track.frames.size(), track.size.width, track.size.height, track.rate);
  text += fmt::format("mark: radius {:.3f} pixels; centre ± {:.3f} pixels (worst {:.3f}) by its {}\n",
                      number("mark", "mean_radius"), number("mark", "mean_sigma"), number("mark", "largest_sigma"),
                      track.options.method == MarkMethod::circle ? "circle" : "centroid");
  if (track.options.lens) {
    const LensReport& lens = *track.options.lens;
    text += fmt::format(
        "lens: {} chessboards, {:.3f} pixels rms; distortion k1 {:.4g}, k2 {:.4g}, p1 {:.2g}, p2 {:.2g}: up to {:.2f} "
        "pixels\n",
        lens.used.size(), lens.rms, lens.lens.distortion[0], lens.lens.distortion[1], lens.lens.distortion[2],
        lens.lens.distortion[3], lens.largest_shift);
    for (const std::string& name : lens.not_found) text += fmt::format("  no board found in {}\n", name);
  }
  text += fmt::format(
      "path: {:.6g} s, length {:.6g} {}, from ({:.6g}, {:.6g}) to ({:.6g}, {:.6g}); noise {:.2g} {} about a "
      "smooth curve{}\n",
      number("path", "duration"), number("path", "length"), unit_of(track), path.position.front().x(),
      path.position.front().y(), path.position.back().x(), path.position.back().y(), number("path", "noise"),
      unit_of(track), track.options.second ? fmt::format("; turned by {:.2f} degrees", number("path", "turned")) : "");
  for (const std::string& warning : track.warnings) text += "warning: " + warning + "\n";
  return text;
}

Figure track_figure(const Track& track) {
  const SlidingPath path = track.path();
  Vec2 low = path.position.front(), high = low;
  for (const Vec2& p : path.position) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const Vec2 extent = (high - low).array() + 0.05 * (high - low).maxCoeff();
  Figure figure("path", 900,
                std::clamp(static_cast<int>(790 * extent.y() / std::max(extent.x(), 1e-12)) + 170, 400, 900));
  const char* unit = unit_of(track);
  figure.add(
      fmt::format("set title {} noenhanced\nset size ratio -1\nset xlabel 'x [{}]'\nset ylabel 'y [{}]'\n"
                  "set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05",
                  gnuplot_string(std::filesystem::path(track.name).filename().string()), unit, unit));
  std::vector<std::vector<double>> rows;
  for (const TrackedFrame& frame : track.frames) {
    if (frame.missing.empty())
      rows.push_back({frame.position.x(), frame.position.y(), frame.time});
    else if (!rows.empty() && !rows.back().empty())
      rows.emplace_back();
  }
  const std::string data = figure.add_data("points", rows),
                    start = figure.add_data("start", {{path.position.front().x(), path.position.front().y()}});
  figure.add(
      fmt::format("plot '{}' using 1:2 with linespoints pt 6 ps 0.5 lw 1.5 lc rgb '#1f4e79' title 'mark', "
                  "'{}' using 1:2 with points pt 7 ps 1.4 lc rgb '#c0392b' title 'start'",
                  data, start));
  return figure;
}

std::vector<NamedPicture> track_pictures(const Track& track) {
  return {{"first-frame.png", overlay(track, track.first_picture, track.first, false)},
          {"last-frame.png", overlay(track, track.last_picture, track.last, true)}};
}

}  // namespace slipset
