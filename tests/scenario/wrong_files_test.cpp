// Every kind of wrong scenario file, with the message that it must give: place, key, what was found, what to do.
#include <doctest/doctest.h>

#include <fmt/format.h>
#include <cmath>
#include <stdexcept>

#include "slipset/io/files.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/shapes.hpp"
#include "slipset/scenario/toml_table.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;

namespace {

struct Wrong {
  const char* what;
  std::string text;
  std::string message;  // after the file's name
};

std::string reservoir(const char* shape) { return fmt::format("[law]\nreservoir = {}\n", shape); }
std::string beside_disk(const char* line) {
  return fmt::format("[law]\nreservoir = {{ shape = \"disk\", radius = 1 }}\n{}\n", line);
}

std::string all_shapes() { return fmt::format("{}", fmt::join(names_of(shape_kinds()), ", ")); }

const Wrong kWrong[] = {
    {"unknown key with a near miss", reservoir(R"({ shape = "ellipse", semi_axis = [0.6, 0.3] })"),
     R"(:2:34: law.reservoir.semi_axis: unknown key; did you mean "semi_axes"? allowed: shape, semi_axes, angle)"},
    {"unknown shape with a near miss", reservoir(R"({ shape = "elipse", semi_axes = [0.6, 0.3] })"),
     R"(:2:23: law.reservoir.shape: found "elipse"; did you mean "ellipse"? allowed: )" + all_shapes()},
    {"string for numbers", reservoir(R"({ shape = "ellipse", semi_axes = "0.6, 0.3" })"),
     R"(:2:46: law.reservoir.semi_axes: found the string "0.6, 0.3"; expected two numbers, as in [0.6, 0.3])"},
    {"three numbers for two", reservoir(R"({ shape = "ellipse", semi_axes = [0.6, 0.3, 0.1] })"),
     R"(:2:46: law.reservoir.semi_axes: found a list of 3; expected two numbers, as in [0.6, 0.3])"},
    {"negative semi-axis", reservoir(R"({ shape = "ellipse", semi_axes = [0.6, -0.3] })"),
     R"(:2:46: law.reservoir.semi_axes: found [0.6, -0.3]; expected two numbers above 0)"},
    {"NaN", reservoir(R"({ shape = "ellipse", semi_axes = [0.6, nan] })"),
     R"(:2:52: law.reservoir.semi_axes: found nan; expected a finite number)"},
    {"missing key", reservoir(R"({ shape = "ellipse" })"),
     R"(:2:13: law.reservoir.semi_axes: missing; give two numbers, as in [0.6, 0.3])"},
    {"missing reservoir", "[law]\ndirection = { shape = \"disk\", radius = 1 }\n",
     R"(:1:1: law.reservoir: missing; give a shape, as in { shape = "ellipse", semi_axes = [0.6, 0.3] })"},
    {"no [law]", "[system]\nmass = 1\n", R"(:1:1: law: missing; give a table [law] with the reservoir)"},
    {"unknown table with a near miss", "[lwa]\nreservoir = { shape = \"disk\", radius = 1 }\n",
     R"(:1:2: lwa: unknown key; did you mean "law"? allowed: title, law, system, initial, integrator, output, sweep, stability, modes, laws, body, pile, stack, joint, pair)"},
    {"unknown key of [law]", beside_disk(R"(resevoir_at = 9.3)"),
     R"(:3:1: law.resevoir_at: unknown key; did you mean "reservoir_at"? allowed: reservoir, direction, reservoir_at, stribeck, lugre, elastic, regularize)"},
    {"true for a number", reservoir(R"({ shape = "disk", radius = true })"),
     R"(:2:40: law.reservoir.radius: found true; expected a number)"},
    {"radius zero", reservoir(R"({ shape = "disk", radius = 0 })"),
     R"(:2:40: law.reservoir.radius: found 0; expected a number above 0)"},
    {"direction set with exponent 0.5",
     beside_disk(R"(direction = { shape = "superellipse", semi_axes = [1, 1], exponent = 0.5 })"),
     R"(:3:70: law.direction.exponent: a direction set must be convex, and this superellipse is not: it curves inwards between 0 and 90 degrees; an exponent of at least 1 makes it convex)"},
    {"direction polygon not convex",
     beside_disk(
         R"(direction = { shape = "polygon", vertices = [[1, -1], [1, 0.5], [0.5, 0.5], [0.5, 1], [-1, 1], [-1, -1]] })"),
     R"(:3:45: law.direction.vertices: a direction set must be convex, and this polygon is not: it has a re-entrant corner at 45 degrees; use a convex shape, for instance its convex hull)"},
    {"polygon not star-shaped", reservoir(R"({ shape = "polygon", vertices = [[1, 1], [2, 1], [2, 2], [1, 2]] })"),
     R"(:2:13: law.reservoir: polygon: not star-shaped about the origin: the edge from (1, 2) to (1, 1) is not seen counter-clockwise from (0, 0); list the vertices counter-clockwise around an origin that sees all of the boundary)"},
    {"polygon clockwise", reservoir(R"({ shape = "polygon", vertices = [[1, 0], [0, -1], [-1, 0], [0, 1]] })"),
     R"(:2:13: law.reservoir: polygon: the vertices run clockwise; list them counter-clockwise)"},
    {"empty polygon", reservoir(R"({ shape = "polygon", vertices = [] })"),
     R"(:2:13: law.reservoir: polygon: 0 vertices; a polygon has at least 3)"},
    {"vertex of one number", reservoir(R"({ shape = "polygon", vertices = [[1, 0], [0, 1], [-1]] })"),
     R"(:2:62: law.reservoir.vertices: found a list of 1; expected a point of two numbers, as in [1, 0])"},
    {"associated with a star", reservoir(R"({ shape = "superellipse", semi_axes = [1, 1], exponent = 0.5 })"),
     R"(:2:13: law.reservoir: an associated law needs a convex reservoir, and this superellipse is not convex; give a convex direction set, or direction = "collinear")"},
    {"associated with a steep wedge", reservoir(R"({ shape = "wedge", friction = 1.2, slope = 36 })"),
     R"(:2:13: law.reservoir: an associated law needs a convex reservoir, and this wedge is not convex; give the same wedge as direction, which means its ellipse)"},
    {"wedge that locks", reservoir(R"({ shape = "wedge", friction = 1.2, slope = 45 })"),
     R"(:2:13: law.reservoir: wedge: friction 1.2 with slope 45 degrees locks; friction must be below 1/tan(slope) = 1)"},
    {"quadratic not bounded", reservoir(R"({ shape = "quadratic", intercepts = [1, 1], coupling = 2.5 })"),
     R"(:2:13: law.reservoir: quadratic: coupling is 2.5; its size must be below 2/(n1 n2) = 2, or the set is not bounded)"},
    {"norm mix not positive", reservoir(R"({ shape = "norm_mix", semi_axes = [1, 1], weights = [1, -1] })"),
     R"(:2:13: law.reservoir: norm_mix: weights (1, -1) give a gauge that is not positive in every direction; w2 + w4 and w2 + 0.8409 w4 must be positive)"},
    {"polar with three points", reservoir(R"({ shape = "polar", angles = [0, 90, 180], radii = [1, 1, 1] })"),
     R"(:2:13: law.reservoir: polar: 3 different angles; a closed curve needs at least 4)"},
    {"polar lists of different length",
     reservoir(R"({ shape = "polar", angles = [0, 90, 180, 270], radii = [1, 1, 1] })"),
     R"(:2:13: law.reservoir: polar: 4 angles but 3 radii; each point needs both)"},
    {"direction curve not convex",
     "[law]\nreservoir = { shape = \"polar\", angles = [0, 45, 90, 135, 180, 225, 270, 315], radii = [1, 0.3, 1, 0.3, "
     "1, 0.3, 1, 0.3] }\ndirection = { shape = \"polar\", angles = [0, 45, 90, 135, 180, 225, 270, 315], radii = [1, "
     "0.3, 1, 0.3, 1, 0.3, 1, 0.3] }\n",
     R"(:3:23: law.direction.shape: a direction set must be convex, and this polar is not: it curves inwards between 31.5554 and 58.4446 degrees; use a convex shape, for instance its convex hull)"},
    {"unknown word with a near miss", beside_disk(R"(direction = "colinear")"),
     R"(:3:13: law.direction: found "colinear"; did you mean "collinear"? allowed: associated, collinear)"},
    {"negative normal force", beside_disk(R"(reservoir_at = -9.3)"),
     R"(:3:16: law.reservoir_at: found -9.3; expected a number above 0)"},
    {"stribeck without velocity", beside_disk(R"(stribeck = { static = 1.5 })"),
     R"(:3:12: law.stribeck.velocity: missing; give a number)"},
    {"stribeck velocity zero", beside_disk(R"(stribeck = { static = 1.5, velocity = 0 })"),
     R"(:3:39: law.stribeck.velocity: found 0; expected a number above 0)"},
    {"unknown regularisation with a near miss", beside_disk(R"(regularize = { kind = "quin", epsilon = 1e-3 })"),
     R"(:3:23: law.regularize.kind: found "quin"; did you mean "quinn"? allowed: sign, martins-oden, karnopp, arctan, quinn)"},
    {"negative lugre parameter", beside_disk(R"(lugre = { sigma0 = 1, sigma1 = -1, sigma2 = 0 })"),
     R"(:3:32: law.lugre.sigma1: found -1; expected a number that is not negative)"},
    {"broken table header", "[law\nreservoir = 3\n",
     R"(:1:5: not TOML: Error while parsing table header: expected ']', saw '\n'; a scenario is a TOML file with a [law] table)"},
    {"number for a shape", "[law]\nreservoir = 3\n",
     R"(:2:13: law.reservoir: found 3; expected a shape, as in { shape = "ellipse", semi_axes = [0.6, 0.3] })"},
    {"key given twice", beside_disk(R"(reservoir = { shape = "disk", radius = 2 })"),
     R"(:3:13: not TOML: Error while parsing key-value pair: cannot redefine existing table 'reservoir'; a scenario is a TOML file with a [law] table)"},
    {"number for [law]", "law = 3\n", R"(:1:7: law: found 3; expected a table [law] with the reservoir)"},
    {"not TOML", "this is a letter, not a scenario\n",
     R"(:1:6: not TOML: Error while parsing key-value pair: expected '=', saw 'i'; a scenario is a TOML file with a [law] table)"},
    {"empty file", "", R"(:1:1: law: missing; give a table [law] with the reservoir)"},
    {"unknown key without a near one", reservoir(R"({ shape = "disk", radius = 1, angle = 3 })"),
     R"(:2:43: law.reservoir.angle: unknown key; allowed: shape, radius)"},
    {"infinite semi-axis", reservoir(R"({ shape = "ellipse", semi_axes = [0.6, inf] })"),
     R"(:2:52: law.reservoir.semi_axes: found inf; expected a finite number)"},
    {"negative stiffness", beside_disk(R"(elastic = { stiffness = [1, -1] })"),
     R"(:3:25: law.elastic.stiffness: found [1, -1]; expected two numbers above 0)"},
};

}  // namespace

TEST_CASE("wrong files give their message") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "s.toml";
  for (const Wrong& wrong : kWrong) {
    INFO(wrong.what);
    write_file(path, wrong.text);
    std::string message = "no error";
    try {
      read_law(Scenario(path).root());
    } catch (const InvalidInput& error) {
      message = error.what();
    }
    const std::string expected = path.string() + wrong.message;
    CHECK(message == expected);
  }
}

TEST_CASE("missing files and folders are named") {
  const test::TemporaryFolder folder;
  const auto none = folder.path() / "none.toml";
  CHECK_THROWS_WITH_AS(Scenario{none}, (none.string() + ": cannot be read: No such file or directory").c_str(),
                       InvalidInput);
  CHECK_THROWS_WITH_AS(Scenario{folder.path()}, (folder.path().string() + ": this is a folder; name a file").c_str(),
                       InvalidInput);
}

TEST_CASE("a wrong data file of a polar shape is reported at its key, with its own line") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "s.toml", data = folder.path() / "c.csv";
  write_file(path, reservoir("{ shape = \"polar\", file = \"c.csv\" }"));
  const auto message = [&] {
    try {
      read_law(Scenario(path).root());
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string at = path.string() + ":2:39: law.reservoir.file: " + data.string();
  CHECK(message() == at + ": cannot be read: No such file or directory");
  write_file(data, "angle,radius\n0,1\n90,one\n");
  CHECK(
      message() ==
      at +
          ":3: not a number in column 2 (radius): \"one\"; fix the row, comment it out with #, or leave such rows out");
  write_file(data, "0,1,2\n");
  CHECK(message() == at + ": 3 columns; expected two, angle and radius");
  // A8: a unit in its header is obeyed or refused.
  write_file(data, "angle [stone],radius\n0,1\n90,1.2\n180,1\n");
  CHECK(message().starts_with(at + ": column angle: unknown unit \"stone\"; known for an angle: deg"));
  write_file(data, "angle,radius [N]\n0,1\n90,1.2\n180,1\n");
  CHECK(message().starts_with(at + ": column radius: \"N\" is a unit of force"));
  write_file(data, "angle [gon],radius\n0,1\n100,1.2\n200,1\n300,1.2\n");
  const LawSetup in_gon = read_law(Scenario(path).root());
  CHECK(std::abs(in_gon.law.reservoir().gauge(Vec2(0, 1.2)) - 1) < 1e-12);
  write_file(data, "angle,radius\n0,1\n90,1.2\n180,1\n270,1.2\n");
  CHECK(message() == "no error");
}

TEST_CASE("what a library says is kept in the message") {
  const test::TemporaryFolder folder;
  write_file(folder.path() / "s.toml", "[system]\nkind = \"sliding-body\"\n");
  const Scenario scenario(folder.path() / "s.toml");
  const auto broken = []() -> int { throw std::out_of_range("its own words"); };
  CHECK_THROWS_WITH_AS(scenario.located(broken), doctest::Contains("(its own words)"), ScenarioError);
}

TEST_CASE("F7: depth is counted outside comments and quotes, and told with its line") {
  const std::string parts(200, '.');
  CHECK_NOTHROW(require_shallow("# one\n\"" + parts + "\" = 1  # " + parts + "\n'" + parts + "' = 2\n", "file"));
  CHECK_NOTHROW(
      require_shallow("a = \"\"\"\n" + parts + "\n\\\"" + parts + "\"\"\"\nb = \"\\\"" + parts + "\"\n", "file"));
  const std::string deep(70, '[');
  CHECK_THROWS_WITH_AS(require_shallow("# one\n# two\n\n" + deep, "file"), doctest::Contains("file:4: lists"),
                       ScenarioError);
  CHECK_THROWS_WITH_AS(require_shallow("a = \"\"\"\n\n\"\"\"\nb." + parts + " = 1", "file"),
                       doctest::Contains("file:4: a key"), ScenarioError);
}
