// slipset stability on structures with a mesh: shapes of modes, and meshes that are refused.
#include <doctest/doctest.h>

#include <complex>
#include <nlohmann/json.hpp>

#include "tests/app/structure_folder.hpp"
#include "tests/support/near.hpp"
#include "tests/support/vtk_reader.hpp"

using namespace slipset;
using namespace slipset::test;
using Json = nlohmann::json;

namespace {

// Two masses between two walls, all in a row along y: m = 1, k = 1e4 of each spring. Its second unknown is the second
// displacement less the first if `relative`.
void write_row(const StructureFolder& folder, bool relative) {
  folder.set("s.toml",
             "[system]\nkind = \"structure\"\nM = \"M.mtx\"\nK = \"K.mtx\"\n"
             "mesh = { nodes = \"nodes.csv\", cells = \"cells.csv\" }\n"
             "[modes]\nband = [0, 100]\ngrowth = [-10, 10]\n");
  folder.set("M.mtx", kHead + (relative ? "2 2 4\n1 1 2\n1 2 1\n2 1 1\n2 2 1\n" : "2 2 2\n1 1 1\n2 2 1\n"));
  folder.set("K.mtx", kHead + (relative ? "2 2 4\n1 1 2e4\n1 2 1e4\n2 1 1e4\n2 2 2e4\n"
                                        : "2 2 4\n1 1 2e4\n1 2 -1e4\n2 1 -1e4\n2 2 2e4\n"));
  folder.set("nodes.csv", relative
                              ? "x,y,z,ux,uy,uz,ux2,uy2,uz2\n0,0,0.5,,,,,,\n0,1,0.5,,0,\n0,2,0.5,,1,,,0,\n0,3,0.5,,\n"
                              : "x,y,z,ux,uy,uz\n0,0,0.5,,,\n0,1,0.5,,0,\n0,2,0.5,,1,\n0,3,0.5\n");
  folder.set("cells.csv", "type,n1,n2\nline,0,1\nline,1,2\nline,2,3\nvertex,1\n");
}

}  // namespace

TEST_CASE("shapes of modes: two masses in a row move alike or against each other, walls not at all") {
  for (const bool relative : {false, true}) {
    CAPTURE(relative);
    const StructureFolder folder;
    write_row(folder, relative);
    const Ran none = folder.run("stability s.toml --out out");  // no mode grows
    INFO(none.err);
    REQUIRE(none.exit_code == 0);
    CHECK(Json::parse(folder.get("out/stability.json")).at("shapes").empty());
    CHECK(!folder.has("out/mode-001.vtu"));
    REQUIRE(folder.run("stability s.toml --out out --set modes.shapes=all").exit_code == 0);
    const Json json = Json::parse(folder.get("out/stability.json"));
    CHECK(json.at("shapes") == Json{"mode-001.vtu", "mode-002.vtu"});
    for (std::size_t i = 0; i < 2; ++i) {
      const double omega = json.at("modes")[i].at("frequency").get<double>();
      const double second = omega < 150 ? 1 : -1;  // ω² = k/m of (1, 1), 3 k/m of (1, -1)
      CHECK(omega == near(std::sqrt(second > 0 ? 1e4 : 3e4), 1e-12));
      const VtkRead vtk = read_vtk(folder.get("out/" + json.at("shapes")[i].get<std::string>()));
      CHECK(vtk.arrays.at("Points") == std::vector<double>{0, 0, 0.5, 0, 1, 0.5, 0, 2, 0.5, 0, 3, 0.5});
      CHECK(vtk.arrays.at("connectivity") == std::vector<double>{0, 1, 1, 2, 2, 3, 1});
      CHECK(vtk.arrays.at("types") == std::vector<double>{3, 3, 3, 1});
      const std::vector<double>& real = vtk.arrays.at("real");
      const std::vector<double> expected = {0, 0, 0, 0, 1, 0, 0, second, 0, 0, 0, 0};
      REQUIRE(real.size() == 12);
      for (std::size_t k = 0; k < 12; ++k) {
        CHECK(std::abs(real[k] - expected[k]) <= 1e-12);
        CHECK(std::abs(vtk.arrays.at("imaginary")[k]) <= 1e-12);
        if (expected[k] == 0) CHECK(std::abs(real[k]) + std::abs(vtk.arrays.at("imaginary")[k]) <= 0);
      }
      const std::vector<double>& amplitude = vtk.arrays.at("amplitude");
      CHECK(amplitude[0] + amplitude[3] <= 0);
      CHECK(std::abs(amplitude[1] - 1) + std::abs(amplitude[2] - 1) <= 1e-12);
    }
    // A set of fewer files: those of before are gone.
    REQUIRE(folder.run("stability s.toml --out out --set modes.shapes=none").exit_code == 0);
    CHECK(!folder.has("out/mode-001.vtu"));
  }
}

TEST_CASE("shapes of modes: the growing one of a circulatory force turns on a circle, the other has no file") {
  const StructureFolder folder;
  write_row(folder, false);
  // λ² = -(k ± ic) with (1, ±i): (1, -i) grows, and its real·cos - imaginary·sin = (cos, sin).
  folder.set("K.mtx", kHead + "2 2 4\n1 1 1e4\n1 2 100\n2 1 -100\n2 2 1e4\n");
  folder.set("nodes.csv", "x,y,z,ux,uy,uz\n1,2,3,0,1,\n");
  folder.set("cells.csv", "type,n1\nvertex,0\n");
  const Ran ran = folder.run("stability s.toml --out out");
  INFO(ran.err);
  REQUIRE(ran.exit_code == 0);
  const Json json = Json::parse(folder.get("out/stability.json"));
  REQUIRE(json.at("modes").size() == 2);
  CHECK(json.at("modes")[0].at("growth_rate").get<double>() == near(std::sqrt(std::complex(-1e4, 100.0)).real(), 1e-9));
  CHECK(json.at("shapes") == Json{"mode-001.vtu"});
  CHECK(!folder.has("out/mode-002.vtu"));
  const VtkRead vtk = read_vtk(folder.get("out/mode-001.vtu"));
  const std::vector<double> real = {1, 0, 0}, imaginary = {0, -1, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(std::abs(vtk.arrays.at("real")[k] - real[k]) <= 1e-12);
    CHECK(std::abs(vtk.arrays.at("imaginary")[k] - imaginary[k]) <= 1e-12);
  }
  CHECK(std::abs(vtk.arrays.at("amplitude")[0] - 1) <= 1e-12);
  // Points alone are cells of their own; unknowns that no node has are told, and so is a file that may be cut off.
  folder.set("nodes.csv", "x,y,z,ux,uy,uz\n1,2,3,0,,\n1,2,3,0,,");
  const Ran points = folder.run("stability s.toml --out out --set 'system.mesh={nodes=\"nodes.csv\"}'");
  INFO(points.err);
  REQUIRE(points.exit_code == 0);
  CHECK(points.out.find("1 of 2 unknowns move no node of the mesh") != std::string::npos);
  CHECK(points.out.find("nodes.csv does not end with a new line") != std::string::npos);
  CHECK(read_vtk(folder.get("out/mode-001.vtu")).arrays.at("types") == std::vector<double>{1, 1});
}

TEST_CASE("meshes that are not right are refused with file, line and what to do") {
  const auto refuse = [](const std::string& file, const std::string& text, const std::vector<std::string>& words) {
    const StructureFolder folder;
    write_row(folder, false);
    check_refused(folder, file, text, words);
  };
  const std::string nodes = "x,y,z,ux,uy,uz,uy2\n0,0,0,0,1,\n", cells = "type,n1,n2,n3,n4\nline,0,1\n";
  for (const auto& [row, word] : std::vector<std::pair<std::string, std::string>>{
           {"0,0,0,2,,", "ux is 2; expected the number of an unknown, 0 to 1, or nothing"},
           {"0,0,0,-1,,", "ux is -1"},
           {"0,0,0,,0.5,", "uy is 0.5"},
           {"0,0,0,,1e300,", "uy is 1e+300"},
           {"0,0,0,0,0,", "ux and uy are both 0"},
           {"0,0,0,,1,,1", "uy and uy2 are both 1"},
           {"0,0,0,,fixed,", "\"fixed\" in column 5 is not a finite number"},
           {"0,0,0,,nan,", "\"nan\" in column 5"},
           {"0,,0,0,,", "\"\" in column 2 is not a finite number"},
           {"0,0", "2 fields where 7 are expected; none in column 3, \"z\""},
           {"0,0,0,0,1,,,5", "8 fields where 7 are expected"}})
    refuse("nodes.csv", nodes + row + "\n", {"system.mesh.nodes", "nodes.csv:3:", word});
  refuse("nodes.csv", "x,y,z,ux,uy\n0,0,0,0,1\n", {"nodes.csv:1: no column \"uz\"", "x,y,z,ux,uy,uz"});
  refuse("nodes.csv", "x,y,z,ux,uy,uz,rx\n0,0,0,0,1,,0\n", {"nodes.csv:1:", "unknown column \"rx\"", "ux2,uy2,uz2"});
  refuse("nodes.csv", "x,y,z,ux,uy,uz,ux\n0,0,0,0,1,,\n", {"the column \"ux\" is there twice"});
  refuse("nodes.csv", "0,0,0,0,1,1\n", {"no names of columns"});
  refuse("nodes.csv", "x,y,z,ux,uy,uz\n", {"nodes.csv", "no row"});
  for (const auto& [row, word] : std::vector<std::pair<std::string, std::string>>{
           {"lines,0,1", "unknown type \"lines\"; did you mean \"line\"?"},
           {"hexahedron20,0,1", "the corners"},
           {",0,1", "unknown type \"\""},
           {"line,0", "a line has 2 nodes, and n2 is missing; give n1 to n2"},
           {"line,,1", "n1 is missing"},
           {"triangle,0,1,2,3", "a triangle has 3 nodes, and n4 is given, too"},
           {"hexahedron,0,1,2,3", "a hexahedron has 8 nodes, and n5 is missing"},
           {"quad,0,1,2,3,0", "6 fields where 5 are expected"},
           {"line,0,4", "n2 is 4; expected the number of a node, 0 to 3"},
           {"line,-1,0", "n1 is -1"},
           {"line,0,0.5", "n2 is 0.5"},
           {"line,0,one", "\"one\" in column 3 is not a finite number"}})
    refuse("cells.csv", cells + row + "\n", {"system.mesh.cells", "cells.csv:3:", word});
  refuse("cells.csv", "type,n1,n9\nline,0,1\n", {"cells.csv:1: unknown column \"n9\"", "type,n1,n2"});
  refuse("cells.csv", "n1,n2\n0,1\n", {"cells.csv:1: no column \"type\""});

  const StructureFolder folder;
  write_row(folder, false);
  for (const auto& [set, word] : std::vector<std::pair<std::string, std::string>>{
           {"'system.mesh={nodes=\"none.csv\"}'", "none.csv"},
           {"'system.mesh={cells=\"cells.csv\"}'", "system.mesh.nodes"},
           {"'system.mesh={nodes=\"nodes.csv\", cell=\"cells.csv\"}'", "system.mesh.cell: unknown key"},
           {"'system.mesh=\"nodes.csv\"'", "as in { nodes = "},
           {"modes.shapes=some", "growing"}}) {
    const Ran ran = folder.run("stability s.toml --set " + set);
    INFO(set, "\n", ran.err);
    CHECK(ran.exit_code == 2);
    CHECK(ran.err.find(word) != std::string::npos);
  }
  const StructureFolder without;
  const Ran ran = without.run("stability s.toml --set modes.shapes=all");
  CHECK(ran.exit_code == 2);
  CHECK(ran.err.find("modes.shapes: \"all\" has no effect without a mesh; remove it, or add") != std::string::npos);
  CHECK(without.run("stability s.toml --json --set modes.shapes=none").exit_code == 0);
}
