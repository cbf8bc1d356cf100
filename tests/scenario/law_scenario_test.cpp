#include "slipset/scenario/law_setup.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/io/files.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/report/law_report.hpp"
#include "slipset/scenario/catalogue.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/shapes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

LawSetup read(const std::string& text) {
  const test::TemporaryFolder folder;
  write_file(folder.path() / "s.toml", text);
  return read_law(Scenario(folder.path() / "s.toml").root());
}

FrictionLaw law(const std::string& lines) { return read("[law]\n" + lines + "\n").law; }

// Two sets are the same if their radii are.
void check_same(const PlanarSet& a, const PlanarSet& b) {
  for (int i = 0; i < 48; ++i) {
    const double angle = 0.1 + 2 * kPi * i / 48;
    CHECK(a.radius(angle) == near(b.radius(angle), 1e-12));
  }
}

}  // namespace

TEST_CASE("every shape of a scenario file is the shape of its name, with angles in degrees") {
  const double angles[] = {0, radians(60), radians(150), radians(200), radians(300)}, radii[] = {1, 1.2, 0.9, 1, 1.1};
  const std::pair<const char*, PlanarSet> rows[] = {
      {"{ shape = \"disk\", radius = 0.4 }", Disk(0.4)},
      {"{ shape = \"ellipse\", semi_axes = [0.6, 0.3], angle = 30.0 }", Ellipse(0.6, 0.3, radians(30))},
      {"{ shape = \"quadratic\", intercepts = [2, 1], coupling = 0.5 }", quadratic(2, 1, 0.5)},
      {"{ shape = \"superellipse\", semi_axes = [1, 2], exponent = 3, angle = -20 }",
       Superellipse(1, 2, 3, radians(-20))},
      {"{ shape = \"rectangle\", semi_axes = [1, 2], angle = 45 }", Rectangle(1, 2, radians(45))},
      {"{ shape = \"stadium\", half_length = 2, half_width = 1, cap = 0.5, angle = 10 }",
       Stadium(2, 1, 0.5, radians(10))},
      {"{ shape = \"polygon\", vertices = [[1, 0], [0, 1], [-1, -1]], angle = 10 }",
       Polygon({{1, 0}, {0, 1}, {-1, -1}}, radians(10))},
      {"{ shape = \"polar\", angles = [0, 60, 150, 200, 300], radii = [1, 1.2, 0.9, 1, 1.1] }",
       PolarCurve(angles, radii)},
      {"{ shape = \"wedge\", friction = 1.2, slope = 36, angle = 5 }", Wedge(1.2, radians(36), radians(5))},
      {"{ shape = \"norm_mix\", semi_axes = [0.4, 0.2], weights = [2.5, -1.5] }", NormMix(0.4, 0.2, 2.5, -1.5)}};
  CHECK(std::size(rows) == shape_kinds().size());
  for (const auto& row : rows) {
    INFO(row.first);
    check_same(law(fmt::format("reservoir = {}\ndirection = \"collinear\"", row.first)).reservoir(), row.second);
  }
}

TEST_CASE("direction: left out, a word, a shape, a wedge") {
  const std::string ellipse = "reservoir = { shape = \"ellipse\", semi_axes = [0.6, 0.3], angle = 30 }\n";
  check_same(law(ellipse).direction(), Ellipse(0.6, 0.3, radians(30)));
  check_same(law(ellipse + "direction = \"associated\"").direction(), Ellipse(0.6, 0.3, radians(30)));
  check_same(law(ellipse + "direction = \"collinear\"").direction(), Disk(0.3));
  check_same(law(ellipse + "direction = { shape = \"disk\", radius = 99 }").direction(), Disk(0.3));
  const std::string wedge = "{ shape = \"wedge\", friction = 1.2, slope = 36, angle = 20 }";
  const FrictionLaw asperities = law("reservoir = " + wedge + "\ndirection = " + wedge);
  check_same(asperities.direction(), wedge_asperities(1.2, radians(36), radians(20)).direction());
}

TEST_CASE("reservoir_at, stribeck, and tables that are set aside") {
  check_same(law("reservoir = { shape = \"disk\", radius = 9.3 }\nreservoir_at = 31").reservoir(), Disk(0.3));
  const auto rate =
      law("reservoir = { shape = \"disk\", radius = 1 }\nstribeck = { static = 1.5, velocity = 5 }").stribeck();
  REQUIRE(rate);
  CHECK(rate->static_ratio == 1.5);
  CHECK(rate->velocity == 5);
  const LawSetup scenario = read(
      "title = \"T\"\n[law]\nreservoir = { shape = \"disk\", radius = 1 }\nlugre = { sigma0 = 1e5, sigma1 = 300, "
      "sigma2 = 0 }\n"
      "regularize = { kind = \"quinn\", epsilon = 1e-3, width = \"half\" }\nelastic = { stiffness = [1, 2] }\n"
      "[system]\nkind = \"sliding-body\"\n");
  CHECK(scenario.title == "T");
  CHECK(scenario.set_aside == std::vector<std::string>{"lugre", "elastic", "regularize"});
}

TEST_CASE("the table of directions: coefficient, deflection and components") {
  const auto rows = direction_table(collinear(Ellipse(0.4, 0.2)), 30);
  REQUIRE(rows.size() == 12);
  CHECK(rows[3].slip_angle == 90);
  CHECK(rows[3].coefficient == near(0.2, 1e-15));
  for (const DirectionRow& row : rows) CHECK(std::abs(row.deflection) < 1e-13);

  // An associated ellipse deflects towards the axis of large friction: at 45°, tan = (μ2/μ1)².
  const DirectionRow diagonal = direction_table(associated(Ellipse(0.4, 0.2)), 45)[1];
  CHECK(diagonal.deflection == near(degrees(std::atan(0.25)) - 45, 1e-13));
  CHECK(diagonal.along == near(diagonal.coefficient * std::cos(radians(diagonal.deflection)), 1e-14));
  CHECK(diagonal.across == near(diagonal.coefficient * std::sin(radians(diagonal.deflection)), 1e-14));

  const DirectionRow flat = direction_table(two_sign(0.4, 0.2), 90)[1];  // slip along e2: the first bearing sticks
  CHECK(flat.resistance.from == Vec2(0.4, 0.2));
  CHECK(flat.resistance.to == Vec2(-0.4, 0.2));
  CHECK(flat.middle == Vec2(0, 0.2));
  CHECK(direction_table(isotropic(1), 7).size() == 52);  // 51.4 steps
}

TEST_CASE("JSON has the stable keys") {
  const FrictionLaw l(Ellipse(0.6, 0.2, radians(30)), Ellipse(3, 1));
  const auto json = law_json(l, law_properties(l), {45, Vec2(1, 0.5)});
  for (const char* key :
       {"associated", "collinear", "dissipative", "strictly_dissipative", "monotone", "can_destabilise"}) {
    CHECK(json.at(key).at("value").is_boolean());
    CHECK(json.at(key).at("why").get<std::string>().size() > 10);
  }
  CHECK(json.at("reservoir").at("convex").at("value") == true);
  CHECK(json.at("reservoir").at("star_shaped").at("value") == true);
  CHECK(json.at("direction").at("convex").at("value") == true);
  CHECK(json.at("can_destabilise").at("slip_angles").at(0).at(0).get<double>() == near(44.105834691474, 1e-13));
  REQUIRE(json.at("directions").size() == 8);
  for (const char* key : {"slip_angle", "resistance", "coefficient", "deflection"})
    CHECK(json.at("directions")[1].contains(key));
  CHECK(json.at("resistance").size() == 2);
  CHECK(json.at("jacobian").size() == 2);
  CHECK(law_json(l, law_properties(l), {45, Vec2(0, 0)}).at("jacobian").is_null());
  CHECK_FALSE(law_json(l, law_properties(l), {45, std::nullopt}).contains("jacobian"));
}

TEST_CASE("the catalogue lists every shape with its keys") {
  const auto groups = catalogue();
  REQUIRE(groups.size() == 7);
  CHECK(groups[0].entries.size() == 10);
  for (const auto& group : groups)
    for (const auto& entry : group.entries) {
      CHECK_FALSE(entry.summary.empty());
      for (const Key& key : entry.keys) CHECK_MESSAGE(!key.meaning.empty(), entry.name, key.name);
    }
}
