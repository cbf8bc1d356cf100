// [system] kind = "structure": the pad against its known eigenvalues, and keys that are obeyed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "slipset/report/mode_shape.hpp"
#include "slipset/report/structure_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "slipset/stability/mode_scan.hpp"
#include "slipset/stability/refine_eigenpair.hpp"
#include "tests/scenario/scenario_file.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

using Complex = std::complex<double>;

const std::filesystem::path kPad = SLIPSET_DATA "/pad";
const std::string kExample = SLIPSET_SOURCE "/examples/scenarios/structure-stability.toml";

bool has_pad() {
  const bool there = std::filesystem::exists(kPad / "M.mtx");
  if (!there) MESSAGE("skipped: the pad of shared/data is not beside the repository");
  return there;
}

std::string pad(const std::string& system = "", const std::string& more = "") {
  const auto file = [](const char* name) { return (kPad / name).string(); };
  return fmt::format(
      "[law]\nreservoir = {{ shape = \"ellipse\", semi_axes = [0.6, 0.3], angle = 30.0 }}\n"
      "direction = {{ shape = \"ellipse\", semi_axes = [3.0, 1.0], angle = 0.0 }}\n[system]\nkind = \"structure\"\n"
      "M = \"{}\"\nK = \"{}\"\nD = \"{}\"\ncontacts = \"{}\"\n{}[modes]\nband = [0, 9000]\ngrowth = [0, 5000]\n{}",
      file("M.mtx"), file("K.mtx"), file("B.mtx"), file("contacts.csv"), system, more);
}

StructureSetup example(std::vector<std::string> settings = {}) {
  return StructureSetup(Scenario(kExample, std::move(settings)));
}

Spectrum modes_of(const StructureSetup& setup) {
  return eigenvalues_in_box_dense(setup.sliding().problem(), setup.box());
}

std::vector<Complex> values_of(const StructureSetup& setup) {
  std::vector<Complex> values;
  for (const Eigenpair& pair : modes_of(setup).pairs) values.push_back(pair.value);
  return values;
}

}  // namespace

TEST_CASE("the pad: four unstable eigenvalues to 1e-9, and no more") {
  if (!has_pad()) return;
  const ScenarioFile file(pad());
  const StructureSetup setup(file.scenario());
  const StructureAnswer answer = answer_structure(setup, modes_of(setup));
  // shared/values.md, 0 < Im ≤ 9000 Hz
  const std::vector<Complex> known = {{906.599608294, 24218.482122669},
                                      {244.065003712, 56240.134101662},
                                      {112.455729930, 8640.910269750},
                                      {17.701737731, 27932.681892155}};
  REQUIRE(answer.spectrum.pairs.size() == 4);
  CHECK(answer.spectrum.report.complete);
  Worst off, sum;
  for (std::size_t i = 0; i < 4; ++i) {
    const Eigenpair& mode = answer.spectrum.pairs[i];
    off.add(std::abs(mode.value - known[i]) / std::abs(known[i]));
    CHECK(mode.backward_error < 1e-15);
    CHECK(mode.grows());
    double total = 0;
    for (const Contribution& c : answer.contributions[i]) total += c.growth;
    sum.add(std::abs(total - mode.value.real()) / std::abs(mode.value));
  }
  show_worst("pad", "eigenvalues", off.value());
  CHECK(off.value() < 1e-9);  // measured 2e-14, the last digit of the known ones
  CHECK(sum.value() < 1e-12);
}

TEST_CASE("the pad: the first instability over all friction, by Newton's method on its derivative") {
  if (!has_pad()) return;
  const ScenarioFile file(pad("friction_factor = 0.28\n"));
  const StructureSetup setup(file.scenario());
  const StructureAnswer answer = answer_structure(setup, modes_of(setup));
  REQUIRE(answer.spectrum.pairs.size() == 1);  // it is the only one yet
  Eigenpair mode = answer.spectrum.pairs[0];
  double f = 0.28;
  for (int i = 0; i < 6; ++i) {
    const StructureSliding sliding = linearize_structure(setup.with("system.friction_factor", f));
    REQUIRE(refine_eigenpair(sliding.problem(), mode, 100));
    const StructureSensitivities slopes(
        sliding, {{"f", "", f, false, [&](double x) { return setup.with("system.friction_factor", x); }}});
    f -= mode.value.real() / slopes.of({mode})[0][0].derivative.real();
  }
  CHECK(f == near(0.269196594674, 1e-9));
  CHECK(mode.value.imag() == near(8630.072746553, 1e-9));
  const ScenarioFile below(pad("friction_factor = 0.269\n"));
  CHECK(values_of(StructureSetup(below.scenario())).empty());
}

TEST_CASE("the pad: its first instability by a sweep, as by Newton's method") {
  if (!has_pad()) return;
  const ScenarioFile file(
      pad("", "[sweep]\nparameter = \"system.friction_factor\"\nfrom = 0.2\nto = 0.6\ncount = 5\n"));
  const StructureSetup setup(file.scenario());
  ScanOptions options;
  options.from = setup.sweep()->first.from;
  options.to = setup.sweep()->first.to;
  options.count = setup.sweep()->first.count;
  const SpectrumBox box{-100, 5000, 0, setup.box().frequency_to};
  const StabilityScan scan = scan_modes(
      [&](double f) { return setup.at(f).problem(); },
      [&](double, const QuadraticProblem& p, Counting) { return eigenvalues_in_box_dense(p, box); }, box, options);
  REQUIRE(scan.critical.size() == 3);
  CHECK(scan.critical[0].value == near(0.269196594674, 1e-9));
  CHECK(scan.critical[0].frequency == near(8630.072746553, 1e-9));
  // Between two points at which the modes nearly meet: at 0.458 all decay but the first, at 0.459 a second one grows.
  CHECK(scan.critical[1].value > 0.458);
  CHECK(scan.critical[1].value < 0.459);
}

TEST_CASE("the example: text and JSON say who, how much and where to act") {
  const StructureSetup setup = example();
  const StructureAnswer answer = answer_structure(setup, modes_of(setup));
  const nlohmann::ordered_json json = structure_json(setup, answer);
  CHECK(json.at("stable") == false);
  CHECK(json.at("method") == "dense");
  CHECK(json.at("complete") == true);
  CHECK(json.at("contacts") == 6);
  const auto& first = json.at("modes")[0];
  CHECK(first.at("growth_rate").get<double>() > 0);
  double sum = 0;
  for (const auto& row : first.at("mechanisms")) sum += row.at("growth").get<double>();
  CHECK(sum == near(first.at("growth_rate").get<double>(), 1e-9));
  const std::string text = structure_text(setup, answer);
  for (const char* word : {"UNSTABLE", "proven complete", "mode coupling", "what would silence it"})
    CHECK_MESSAGE(text.find(word) != std::string::npos, word);
  // Every number of the laws and the system is a parameter, with the defaults that are not in the file.
  std::set<std::string> names;
  for (const auto& row : first.at("sensitivities")) names.insert(row.at("parameter").get<std::string>());
  for (const char* name :
       {"law.reservoir.semi_axes[0]", "law.reservoir.angle", "law.direction.angle", "laws.chamfer.reservoir.radius",
        "laws.chamfer.stribeck.static", "laws.chamfer.stribeck.velocity", "system.friction_factor",
        "system.stiffness_factor", "system.preload_factor", "system.rayleigh.mass", "system.rayleigh.stiffness",
        "stiffness of contacts with the law chamfer", "force of contacts with the law law"})
    CHECK_MESSAGE(names.count(name) == 1, name);
  CHECK(answer.without_derivative.empty());
}

TEST_CASE("derivatives of the example are those of files with other numbers") {
  const StructureSetup setup = example();
  const StructureAnswer answer = answer_structure(setup, modes_of(setup));
  const Eigenpair& mode = answer.spectrum.pairs[0];
  int compared = 0;
  for (const Sensitivity& s : answer.sensitivities[0]) {
    if (s.parameter.find(' ') != std::string::npos) continue;
    CAPTURE(s.parameter);
    const double h = 1e-3 * (s.value != 0 ? std::abs(s.value) : 1);
    const auto at = [&](double x) {
      const StructureSetup changed = example({fmt::format("{}={:#}", s.parameter, x)});
      Eigenpair moved = mode;
      REQUIRE(refine_eigenpair(changed.sliding().problem(), moved, 1e-2 * std::abs(mode.value)));
      return moved.value;
    };
    const Complex difference = (at(s.value + h) - at(s.value - h)) / (2 * h);
    // Differences of second order: 1e-6 of the effect that the value itself has, about.
    CHECK(std::abs(difference - s.derivative) <= 1e-4 * std::abs(s.derivative) + 1e-12 * std::abs(mode.value) / h);
    ++compared;
  }
  CHECK(compared >= 12);
}

TEST_CASE("every key of a structure changes its modes, and other commands refuse it") {
  const std::vector<Complex> plain = values_of(example());
  for (const std::string setting :
       {"system.rayleigh.mass=6", "system.rayleigh.stiffness=1e-7", "system.friction_factor=0.9",
        "system.stiffness_factor=0.9", "system.preload_factor=0.9", "law.reservoir.angle=20",
        "laws.chamfer.reservoir.radius=0.3", "law.lugre.sigma0=1e6", "modes.growth=[-100, 1000]",
        "modes.band=[0, 3000]", "system.D=../structure/M.mtx",
        "system.terms=[{matrix=\"../structure/K.mtx\", in=\"K\", coefficient=0.1}]",
        "system.terms=[{matrix={file=\"../structure/K.mtx\"}, in=\"D\", coefficient=1e-7}]",
        "system.terms=[{matrix=\"../structure/M.mtx\", in=\"M\", coefficient=0.1}]"}) {
    CAPTURE(setting);
    CHECK(values_of(example({setting})) != plain);
  }
  const std::string term = "system.terms=[{matrix=\"../structure/K.mtx\", in=\"K\", coefficient=0.1, power=2}]";
  CHECK(values_of(example({term, "system.speed=2"})) != values_of(example({term, "system.speed=3"})));
  CHECK_THROWS_WITH_AS(example({"system.speed=2"}), doctest::Contains("no effect without terms"), InvalidInput);
  CHECK_THROWS_WITH_AS(read_any_run(Scenario(kExample)), doctest::Contains("use slipset stability"), InvalidInput);
}

TEST_CASE(
    "shapes: amplitude is the longest displacement of a cycle, largest 1, at t = 0; any phase and scale of a vector") {
  StructureMesh mesh;
  for (int node = 0; node < 3; ++node) {
    mesh.grid.points.emplace_back(node, 0, 0);
    mesh.unknowns.push_back({3 * node, 3 * node + 1, 3 * node + 2, -1, -1, -1});
  }
  mesh.unknowns[1][0] = -1;  // fixed along x
  mesh.unknowns[2][5] = 0;   // z: the sum of unknowns 8 and 0
  Eigen::VectorXcd mode(9);
  mode << Complex(1, 2), Complex(0, -1), Complex(0.5, 0), Complex(9, 9), Complex(-3, 1), Complex(2, 2), Complex(4, -1),
      Complex(1, 1), Complex(-1, 6);
  const ModeShape shape = mode_shape(mesh, mode);
  CHECK(std::abs(shape.real(0, 1)) + std::abs(shape.imaginary(0, 1)) <= 0);
  Worst longest;
  for (Eigen::Index i = 0; i < 3; ++i) {
    double length = 0;
    for (int k = 0; k < 20000; ++k) {
      const double phase = 2 * kPi * k / 20000;
      length =
          std::max(length, (shape.real.col(i) * std::cos(phase) - shape.imaginary.col(i) * std::sin(phase)).norm());
    }
    longest.add(std::abs(length - shape.amplitude[i]));
  }
  CHECK(longest.value() < 1e-7);  // (2π / 40000)² / 2
  CHECK(shape.amplitude.maxCoeff() == near(1, 1e-15));
  Eigen::Index largest = 0;
  shape.amplitude.maxCoeff(&largest);
  CHECK(shape.real.col(largest).norm() == near(1, 1e-14));
  CHECK(std::abs(shape.real.col(largest).dot(shape.imaginary.col(largest))) < 1e-15);
  // The sum: û of node 2 is that of the unknowns (6, 7, 8 + 0), up to one factor for all.
  const Complex factor = Complex(shape.real(0, 0), shape.imaginary(0, 0)) / mode[0];
  CHECK(std::abs(Complex(shape.real(2, 2), shape.imaginary(2, 2)) - factor * (mode[8] + mode[0])) < 1e-14);
  const ModeShape turned = mode_shape(mesh, mode * std::polar(1e-3, 2.5));
  CHECK((turned.real - shape.real).norm() + (turned.imaginary - shape.imaginary).norm() < 1e-14);
  // A mode that moves no node.
  mesh.unknowns.assign(3, {-1, -1, -1, -1, -1, -1});
  const ModeShape still = mode_shape(mesh, mode);
  CHECK(still.real.norm() + still.imaginary.norm() + still.amplitude.norm() <= 0);
}

TEST_CASE("the example: a shape for each growing mode on its mesh") {
  const StructureSetup setup = example();
  const StructureAnswer answer = answer_structure(setup, modes_of(setup));
  REQUIRE(setup.mesh());
  CHECK(setup.mesh()->unseen(setup.structure().dofs()) == 0);
  std::size_t growing = 0;
  for (const Eigenpair& mode : answer.spectrum.pairs) growing += mode.grows() ? 1U : 0U;
  REQUIRE(growing > 0);
  CHECK(structure_json(setup, answer).at("shapes").size() == growing);
  const Results results = structure_results(setup, answer);
  REQUIRE(results.late_files.size() == 1 + growing);
  CHECK(results.late_files[0].first == "modes.h5");
  CHECK(results.late_files[1].first == "mode-001.vtu");
  // Contacts move in the shape as in the table of participation, up to its scale.
  const ModeShape shape = mode_shape(*setup.mesh(), answer.spectrum.pairs[0].right);
  const auto part = [&](Eigen::Index node) { return std::hypot(shape.real(2, node), shape.imaginary(2, node)); };
  const std::vector<Participation>& table = answer.participation[0];
  for (Eigen::Index node = 1; node < 6; ++node)
    CHECK(part(node) / part(0) == near(table[static_cast<std::size_t>(node)].normal / table[0].normal, 1e-12));
  CHECK(structure_results(example({"modes.shapes=none"}), answer).late_files.size() == 1);
  const StructureSetup all = example({"modes.shapes=all"});
  CHECK(structure_results(all, answer).late_files.size() == 1 + answer.spectrum.pairs.size());
}
