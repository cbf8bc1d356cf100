// Video or pictures to a path, in a program of its own: OpenCV brings 250 libraries.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <opencv2/core/utility.hpp>
#include <opencv2/core/utils/logger.hpp>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/threads.hpp"
#include "app/watch.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/vision/frames.hpp"
#include "slipset/vision/track_report.hpp"

namespace slipset::app {
namespace {

struct TrackCommandOptions {
  CommonOptions common;
  std::vector<std::string> inputs;
  std::string colour = "red", second;
  double tolerance = 40;  // [degrees]
  std::string marker = "circle";
  std::vector<double> region, between, offset;
  std::optional<double> rate, scale, length;
  std::vector<std::string> chessboard;
  std::string squares = "9x6";
  std::optional<double> square;
};

ChessboardOptions board_of(const TrackCommandOptions& o) {
  ChessboardOptions board;
  char rest = 0;
  if (std::sscanf(o.squares.c_str(), "%dx%d%c", &board.columns, &board.rows, &rest) != 2)
    throw InvalidInput(fmt::format("--squares: found \"{}\"; expected inner corners as 9x6", o.squares));
  if (!o.square) throw InvalidInput("--chessboard needs the side of a square in metres: --square 0.02");
  board.square = *o.square;
  return board;
}

TrackOptions options_of(const TrackCommandOptions& o, const std::function<bool(double, double)>& on_picture) {
  TrackOptions options;
  options.colour = parse_colour(o.colour);
  if (!o.second.empty()) {
    options.second = parse_colour(o.second);
    if (o.second == o.colour) throw InvalidInput("--second: the second mark needs a different colour");
  }
  options.tolerance = radians(o.tolerance);
  if (o.marker == "centroid") options.method = MarkMethod::centroid;
  if (!o.region.empty()) {
    for (const double v : o.region)
      if (!(std::abs(v) < 1e6)) throw InvalidInput("--region: expected X,Y,WIDTH,HEIGHT in pixels");
    const auto whole = [&](std::size_t k) { return static_cast<int>(std::lround(o.region[k])); };
    options.region = {whole(0), whole(1), whole(2), whole(3)};
    if (options.region.width < 3 || options.region.height < 3)
      throw InvalidInput("--region: expected X,Y,WIDTH,HEIGHT in pixels, at least 3 wide and high");
  }
  if (o.rate) {
    require_positive(*o.rate, "--fps");
    options.rate = *o.rate;
  }
  if (o.scale && o.length) throw InvalidInput("give --scale, or --length with --between, not both");
  if (o.length.has_value() != !o.between.empty())
    throw InvalidInput("a known length needs both: --length METRES --between X1,Y1,X2,Y2");
  if (o.scale) require_positive(*o.scale, "--scale (metres per pixel)");
  if (o.scale && !(*o.scale < 1e6)) throw InvalidInput("--scale is metres per pixel; more than 1e6 is out of range");
  if (o.rate && !(*o.rate < 1e9)) throw InvalidInput("--fps is frames per second; more than 1e9 is out of range");
  expand_pictures(o.inputs);  // missing files are reported before any work is done
  if (!o.chessboard.empty()) options.lens = calibrate_lens(expand_pictures(o.chessboard), board_of(o), on_picture);
  if (o.scale) options.scale = *o.scale;
  if (o.length)
    options.scale =
        scale_from_length(*o.length, {o.between[0], o.between[1]}, {o.between[2], o.between[3]}, options.lens);
  if (!o.offset.empty()) options.offset = {o.offset[0], o.offset[1]};
  return options;
}

int run_track(const TrackCommandOptions& o) {
  const int threads = threads_of(o.common);
  cv::setNumThreads(threads > 0 ? threads : -1);
  Watch watch(o.common);
  const auto watched = [&](const char* unit) {
    return [&watch, unit](double done, double all) { return watch.show(done, all, unit); };
  };
  Track track;
  const TrackOptions options = options_of(o, watched("chessboards"));
  std::filesystem::path name = o.inputs.front();
  if (!name.has_filename()) name = name.parent_path();
  Output output(o.common, folder_of(name), "track");
  output.of_files(o.inputs);
  if (!watch.stopped()) track = track_marks(o.inputs, options, watched("frames"));
  if (watch.stopped()) return watch.report_stop();
  watch.end();
  Results results{
      "track", track_json(track).dump(2), track_text(track), {{"path.csv", track_csv(track)}}, {track_figure(track)}};
  if (!output.folder().empty())
    for (const NamedPicture& picture : track_pictures(track)) results.files.emplace_back(picture.name, picture.bytes);
  return output.write(results);
}

void add_options(CLI::App& app, TrackCommandOptions& o) {
  app.add_option("INPUT", o.inputs, "A video; or pictures, or folders of pictures, in their order (with --fps)")
      ->required();
  app.add_option("--colour,--color", o.colour, "Colour of the mark: red (default), green, blue, ..., or '#rrggbb'")
      ->type_name("COLOUR");
  app.add_option("--second", o.second, "Colour of a second mark: yaw is the angle from the first to it")
      ->type_name("COLOUR");
  app.add_option("--offset", o.offset, "From the first mark to the body's point: along yaw, and to its left [m]")
      ->delimiter(',')
      ->expected(2)
      ->type_name("ALONG,LEFT");
  app.add_option("--tolerance", o.tolerance, "Tolerance of the hue [degrees]; default 40")->type_name("DEG");
  app.add_option("--marker", o.marker, "circle (default), or centroid for marks that are not round")
      ->check(CLI::IsMember({"circle", "centroid"}));
  app.add_option("--region", o.region, "Where to look [pixels]")->delimiter(',')->expected(4)->type_name("X,Y,W,H");
  app.add_option("--fps", o.rate, "Frames per second of the recording; default: as stored in the video")
      ->type_name("F");
  app.add_option("--scale", o.scale, "Metres per pixel")->type_name("M");
  app.add_option("--length", o.length, "A known length [m] ...")->type_name("M");
  app.add_option("--between", o.between, "... between two points of the picture [pixels]")
      ->delimiter(',')
      ->expected(4)
      ->type_name("X1,Y1,X2,Y2");
  app.add_option("--chessboard", o.chessboard,
                 "Pictures of a chessboard, or their folder: corrects the distortion of the lens")
      ->type_name("IMAGES");
  app.add_option("--squares", o.squares, "Its inner corners; default 9x6")->type_name("NxM");
  app.add_option("--square", o.square, "Side of one square [m]")->type_name("M");
  add_common_options(app, o.common);
  app.footer(
      "Example: slipset track slide.mp4 --colour red --length 0.30 --between 102,840,1690,844\n"
      "         slipset track frames/ --fps 240 --scale 2e-4 --chessboard boards/ --squares 9x6 --square 0.02\n"
      "         slipset identify out/slide/path.csv --model path\n"
      "Files go to --out DIR, else to out/NAME of the video; with --json only if --out is given.");
}

}  // namespace

Work add_track_command(CLI::App& app) {
  auto options = std::make_shared<TrackCommandOptions>();
  CLI::App* command = app.add_subcommand("track", "Video or pictures of a sliding body to its path");
  add_options(*command, *options);
  return [options] {
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    ::setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", 0);  // we say what is wrong with a file
    return run_track(*options);
  };
}

}  // namespace slipset::app
