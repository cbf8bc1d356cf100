// `slipset track` from the command line: pictures to a path that `slipset identify` reads; input that is refused.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/io/csv.hpp"
#include "slipset/report/measurements/records.hpp"
#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::test;

#ifdef SLIPSET_HAS_VIDEO

#include <opencv2/imgcodecs.hpp>

#include "tests/support/near.hpp"
#include "tests/vision/rendered_disk.hpp"

namespace {

void film(const std::filesystem::path& folder, bool with_mark) {
  std::filesystem::create_directories(folder);
  Camera camera;
  camera.disk_radius = 18;
  if (!with_mark) camera.marks.clear();
  for (int k = 0; k < 16; ++k) {
    const auto number = static_cast<unsigned>(k);
    const cv::Mat picture = rendered(
        camera,
        [&](double) {
          return Pose{{30 + 6.0 * k, 90 - 4.0 * k}, 0.1 * k};
        },
        number);
    REQUIRE(cv::imwrite((folder / fmt::format("f{}.png", k)).string(), k == 9 ? cv::Mat(picture * 0) : picture));
  }
}

}  // namespace

TEST_CASE("slipset track: pictures to path.csv, which identify reads") {
  const TemporaryFolder folder;
  film(folder.path() / "film", true);
  const Ran ran =
      run_program("track film --fps 20 --length 0.1 --between 10,10,110,10 --out path --json", folder.path());
  INFO(ran.err);
  REQUIRE(ran.exit_code == 0);
  CHECK(ran.err == "");
  const auto json = nlohmann::json::parse(ran.out);
  CHECK(json.at("found") == 15);
  CHECK(json.at("missing")[0].at("frame") == 9);
  CHECK(json.at("metres_a_pixel").get<double>() == near(1e-3, 1e-12));
  CHECK(json.at("path").at("length").get<double>() == near(0.1082, 0.01));
  CHECK(json.at("path").at("start")[0].get<double>() == near(0.030, 0.01));
  CHECK(json.at("path").at("start")[1].get<double>() == near(0.029, 0.01));  // 119 - 90: y up
  for (const char* file : {"path.csv", "path.png", "first-frame.png", "last-frame.png", "track.json"})
    CHECK(std::filesystem::exists(folder.path() / "path" / file));
  const Ran identified = run_program("identify path/path.csv --model path --no-fit --json", folder.path());
  INFO(identified.err);
  REQUIRE(identified.exit_code == 0);
  const auto path = nlohmann::json::parse(identified.out).at("paths")[0];
  CHECK(path.at("points") == 15);
  CHECK(path.at("start_velocity")[0].get<double>() == near(0.12, 0.02));
  CHECK(path.at("start_velocity")[1].get<double>() == near(0.08, 0.02));

  // Every number comes back, in the units of the header.
  auto [read, input] = read_sliding_path(folder.path() / "path" / "path.csv", {});
  const NumberTable table = read_number_table(folder.path() / "path" / "path.csv");
  REQUIRE(table.names[1] == "x [m]");
  CHECK(read.time == table.columns[0]);
  REQUIRE(read.position.size() == table.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    CHECK(read.position[i].x() == table.columns[1][i]);
    CHECK(read.position[i].y() == table.columns[2][i]);
  }
  for (const char* role : {"time", "x", "y"}) CHECK(input.column(role).from == "header");

  // Without a scale nothing passes as metres.
  REQUIRE(run_program("track film --fps 20 --out pixels --quiet", folder.path()).exit_code == 0);
  const Ran refused = run_program("identify pixels/path.csv --model path", folder.path());
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("no column for x") != std::string::npos);
  CHECK(run_program("track --help", folder.path()).out.find("--chessboard") != std::string::npos);
}

TEST_CASE("slipset track: input that is refused, exit code 2, what to do, nothing written") {
  const TemporaryFolder folder;
  film(folder.path() / "film", true);
  film(folder.path() / "bare", false);
  write_file(folder.path() / "text.mp4", "this is no video\n");
  const std::pair<std::string, std::string> wrong[] = {
      {"", "INPUT"},
      {"none.mp4", "no such file"},
      {"text.mp4", "not a video"},
      {"film", "--fps"},
      {"film --fps -3", "--fps"},
      {"film/f1.png --fps 20", "1 frame;"},
      {"bare --fps 20", "found in 0 of 16 frames"},
      {"film --fps 20 --colour blue", "--colour"},
      {"film --fps 20 --colour grey", "#rrggbb"},
      {"film --fps 20 --colour '#777777'", "no hue"},
      {"film --fps 20 --length 0.1", "--between"},
      {"film --fps 20 --length 0.1 --between 3,3,3,3", "two points"},
      {"film --fps 20 --scale 0", "--scale"},
      {"film --fps 20 --chessboard film", "--square"},
      {"film --fps 20 --chessboard film --square 0.02", "in 0 of 16 pictures"},
      {"film --fps 20 --chessboard film --square 0.02 --squares 9", "9x6"},
      {"film --fps 20 --region 500,500,20,20", "outside the frames"},
      {"film --fps 20 --second red", "a different colour"},
      {"film --fps 20 --marker square", "--marker"}};
  for (const auto& one : wrong) {
    const std::string &arguments = one.first, &message = one.second;
    const Ran ran = run_program("track " + arguments, folder.path());
    INFO(arguments, ": ", ran.err);
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find(message) != std::string::npos);
    CHECK(ran.err.find("slipset: ") == 0);
    CHECK(ran.out == "");
    CHECK_FALSE(std::filesystem::exists(folder.path() / "out"));
  }
}

#else

TEST_CASE("slipset track in a build without OpenCV says what to install") {
  const TemporaryFolder folder;
  const Ran ran = run_program("track film.mp4", folder.path());
  CHECK(ran.exit_code == 2);
  CHECK(ran.err.find("libopencv-core-dev") != std::string::npos);
}

#endif
