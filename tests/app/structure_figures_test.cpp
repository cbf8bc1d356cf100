// slipset stability on structures: the file of modes, and the figures with their data.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "slipset/io/hdf5_file.hpp"
#include "tests/app/structure_folder.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

namespace {

using Rows = std::vector<std::vector<double>>;

// Of a figure's data; an empty row is a break.
Rows rows_of(const std::string& text) {
  Rows rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream numbers(line);
    rows.emplace_back();
    for (double x; numbers >> x;) rows.back().push_back(x);
  }
  return rows;
}

// Two directions coupled by a circulatory force, which feeds one of its two modes; contacts at two nodes of no mass to
// speak of against it: six unknowns.
void write_growing(const StructureFolder& folder, const std::string& more) {
  folder.set("s.toml", std::string(kScenario) + more);
  folder.set("M.mtx", kHead + "6 6 6\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n5 5 1\n6 6 1\n");
  folder.set("K.mtx", kHead + "6 6 8\n1 1 1e4\n2 2 1e4\n3 3 5e4\n4 4 6e4\n5 5 7e4\n6 6 8e4\n1 2 500\n2 1 -500\n");
  folder.set("contacts.csv",
             kColumns + "0,1,2,0,0,1,1,0,0,1000,10,1,0.5,left,\n3,4,5,0,0,-1,1,0,0,1000,10,1,0.5,right,\n");
  folder.set("nodes.csv", "x,y,z,ux,uy,uz\n0,0,1,0,1,2\n0.5,0.25,-1,3,4,5\n");
}

}  // namespace

TEST_CASE("modes.h5 has what modes.csv and participation.csv have, and the vectors") {
  const StructureFolder folder;
  write_growing(folder, "");
  const Ran ran = folder.run("stability s.toml --out out");
  INFO(ran.err);
  REQUIRE(ran.exit_code == 0);
  const Json json = Json::parse(folder.get("out/stability.json"));
  const std::size_t modes = json.at("modes").size();
  REQUIRE(modes == 6);
  const Hdf5Reader file(folder.path() / "out/modes.h5");
  for (const std::string key : {"growth_rate", "frequency", "frequency_hz", "backward_error", "condition", "rounding"})
    for (std::size_t i = 0; i < modes; ++i) CHECK(file.column(key)[i] == json.at("modes")[i].at(key).get<double>());
  CHECK(file.column("grows") == std::vector<double>{1, 0, 0, 0, 0, 0});
  CHECK(file.column("multiplicity") == std::vector<double>(6, 1.0));
  CHECK(file.number("/", "complete") == 1);
  CHECK(file.numbers("/", "box_band_hz")[1] == near(100, 1e-14));
  CHECK(file.numbers("/", "box_growth") == std::vector<double>{-10, 10});
  CHECK(file.text("/", "method") == "dense");
  CHECK(file.text_column("participation/contact") == std::vector<std::string>{"left", "right"});
  for (const std::string name : {"right/real", "right/imag", "left/real", "left/imag"}) {
    CHECK(file.table_size(name).rows == modes);
    CHECK(file.table_size(name).columns == 6);
  }
  const Rows table = rows_of([&] {
    std::string text = folder.get("out/participation.csv");
    std::replace(text.begin(), text.end(), ',', ' ');
    for (const std::string name : {"left", "right"})
      for (std::size_t at; (at = text.find(name)) != std::string::npos;) text.replace(at, name.size(), "0");
    return text;
  }());
  REQUIRE(table.size() == 1 + 2 * modes);  // with the names of the columns
  std::size_t column = 3;
  for (const std::string name : {"normal", "tangential_1", "tangential_2", "growth"}) {
    std::vector<double> values(2 * modes);
    std::vector<Hdf5RowTarget> rows;
    for (std::size_t i = 0; i < modes; ++i) rows.push_back({values.data() + 2 * i});
    file.read_table("participation/" + name, 2, rows);
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == table[i + 1][column]);
    ++column;
  }
}

TEST_CASE("figures of a structure: growth rates over frequency, contacts as bars and on the mesh") {
  const StructureFolder folder;
  write_growing(folder, "");
  REQUIRE(folder.run("stability s.toml --out out").exit_code == 0);
  for (const char* name : {"eigenvalues.png", "growth.png", "participation.png"})
    CHECK_MESSAGE(folder.has(std::string("out/") + name), name);
  const Json mode = Json::parse(folder.get("out/stability.json")).at("modes")[0];
  const Rows growing = rows_of(folder.get("out/growth-growing.dat"));
  REQUIRE(growing.size() == 1);
  CHECK(growing[0][0] == near(mode.at("frequency_hz").get<double>(), 1e-9));
  CHECK(growing[0][1] == near(mode.at("growth_rate").get<double>(), 1e-9));
  CHECK(rows_of(folder.get("out/growth-decaying.dat")).size() == 5);
  const Rows bars = rows_of(folder.get("out/participation-mode1.dat"));
  REQUIRE(bars.size() == 2);
  // On the mesh: one contact faces up, the other one down, each with its place and the same part of the growth.
  REQUIRE(folder.run("stability s.toml --out out --set 'system.mesh={nodes=\"nodes.csv\"}'").exit_code == 0);
  const Rows up = rows_of(folder.get("out/participation-mode1-1.dat"));
  const Rows down = rows_of(folder.get("out/participation-mode1-2.dat"));
  CHECK(up == Rows{{0, 0, bars[0][1]}});
  CHECK(down == Rows{{0.5, 0.25, bars[1][1]}});
  CHECK(folder.has("out/participation.png"));
  CHECK(!folder.has("out/participation-mode1.dat"));
  // A contact whose node is not in the mesh: bars again. No mode that grows: no such figure.
  folder.set("nodes.csv", "x,y,z,ux,uy,uz\n0,0,1,0,1,2\n");
  REQUIRE(folder.run("stability s.toml --out out --set 'system.mesh={nodes=\"nodes.csv\"}'").exit_code == 0);
  CHECK(folder.has("out/participation-mode1.dat"));
  REQUIRE(folder.run("stability s.toml --out out --set system.rayleigh.mass=20").exit_code == 0);
  CHECK(folder.has("out/growth.png"));
  CHECK(!folder.has("out/participation.png"));
}

TEST_CASE("a sweep of a structure: the lock-in figure breaks its lines where a mode is not in the box") {
  const StructureFolder folder;
  write_growing(folder, "[sweep]\nparameter = \"system.rayleigh.mass\"\nfrom = 0.0\nto = 30\ncount = 16\n");
  const Ran ran = folder.run("stability s.toml --out out");
  INFO(ran.err);
  REQUIRE(ran.exit_code == 0);
  CHECK(folder.has("out/sweep.png"));
  CHECK(folder.has("out/lock-in.png"));
  CHECK(!folder.has("out/campbell.png"));
  // All modes leave the box below -10 1/s, between a mass damping of 20 and 22, but for the one that grows.
  std::size_t lines = 0, longest = 0, points = 0, length = 0;
  for (const std::vector<double>& row : rows_of(folder.get("out/lock-in-modes.dat"))) {
    length = row.empty() ? 0 : length + 1;
    lines += length == 1 ? 1U : 0U;
    if (length > longest) longest = length;
    points += row.empty() ? 0U : 1U;
    if (!row.empty()) CHECK(row[1] < 100);
    if (!row.empty()) CHECK(row[2] >= -10);
  }
  CHECK(lines == 6);
  CHECK(longest > 11);
  CHECK(longest < 16);
  CHECK(points < 6 * 16);
  const Json critical = Json::parse(folder.get("out/stability.json")).at("critical");
  REQUIRE(critical.size() == 1);
  const Rows ceases = rows_of(folder.get("out/lock-in-ceases.dat"));
  REQUIRE(ceases.size() == 1);
  CHECK(ceases[0][0] == near(critical[0].at("value").get<double>(), 1e-9));
  CHECK(ceases[0][1] == near(critical[0].at("frequency_hz").get<double>(), 1e-9));
  // There its line changes its colour: two points, one of each sign.
  std::vector<double> sides;
  for (const std::vector<double>& row : rows_of(folder.get("out/lock-in-modes.dat")))
    if (!row.empty() && row[0] == ceases[0][0]) sides.push_back(row[2]);
  REQUIRE(sides.size() == 2);
  CHECK(sides[0] > 0);
  CHECK(sides[1] < 0);
}

TEST_CASE("a sweep over the speed is a Campbell diagram with its orders") {
  const StructureFolder folder;
  folder.set("s.toml",
             "[system]\nkind = \"structure\"\nM = \"M.mtx\"\nK = \"K.mtx\"\nspeed = 10.0\n"
             "terms = [{ matrix = \"G.mtx\", in = \"D\", power = 1 }]\n"
             "[modes]\nband = [0, 100]\ngrowth = [-10, 10]\n"
             "[sweep]\nparameter = \"system.speed\"\nfrom = 0.0\nto = 100\ncount = 11\n");
  folder.set("M.mtx", kHead + "2 2 2\n1 1 1\n2 2 1\n");
  folder.set("K.mtx", kHead + "2 2 2\n1 1 1e4\n2 2 4e4\n");
  folder.set("G.mtx", kHead + "2 2 2\n1 2 0.5\n2 1 -0.5\n");
  const Ran ran = folder.run("stability s.toml --out out");
  INFO(ran.err);
  REQUIRE(ran.exit_code == 0);
  CHECK(folder.has("out/campbell.png"));
  CHECK(!folder.has("out/lock-in.png"));
  const Rows orders = rows_of(folder.get("out/campbell-orders.dat"));
  REQUIRE(orders.size() == 3 * 10);
  for (std::size_t i = 0; i < orders.size(); i += 3) {
    const std::vector<double>& end = orders[i + 1];
    CHECK(end[1] / end[0] * 2 * std::numbers::pi == near(1 + static_cast<double>(i / 3), 1e-8));
    CHECK(end[0] <= 100);
  }
}
