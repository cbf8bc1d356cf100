// Contact problems in files: what is written is read again, what is broken is refused with a reason.
#include "slipset/io/problem_file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#ifdef SLIPSET_HAS_FCLIB
extern "C" {
#include <fclib.h>
}
#endif

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/internal/set_numbers.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::internal;
using namespace slipset::test;

namespace {

ContactProblem example(Random& random, std::size_t contacts) {
  std::vector<BlockDelassus::Entry> entries;
  for (std::size_t i = 0; i < contacts; ++i)
    for (std::size_t j = 0; j < contacts; ++j) {
      if (i != j && (i + j) % 3 != 0) continue;
      Mat3 block;
      for (double& x : block.reshaped()) x = random.uniform(-1, 1) / 3;
      if (i == j) block.diagonal().array() += 3;
      entries.push_back({i, j, block});
    }
  ContactProblem problem;
  problem.delassus = std::make_shared<BlockDelassus>(contacts, entries);
  problem.free_velocity.resize(static_cast<Eigen::Index>(3 * contacts));
  for (double& x : problem.free_velocity) x = random.uniform(-1, 1) * 1e-3;
  std::vector<double> coefficients(contacts, 0.3);
  coefficients[0] = 0;
  set_isotropic_laws(problem, coefficients);
  return problem;
}

bool same_matrix(const ContactProblem& first, const ContactProblem& second) {
  const BlockDelassus &a = *first.delassus->as_blocks(), &b = *second.delassus->as_blocks();
  if (a.contacts() != b.contacts() || a.blocks() != b.blocks()) return false;
  for (std::size_t i = 0; i < a.contacts(); ++i)
    for (std::size_t k = 0; k < a.blocks(i); ++k)
      if (a.at<3>(i, k).column != b.at<3>(i, k).column || a.at<3>(i, k).values != b.at<3>(i, k).values) return false;
  return true;
}

const PlanarSet kSets[] = {
    Disk(0.4),
    Ellipse(0.4, 0.2, 0.3),
    Superellipse(0.4, 0.2, 1.7, -0.3),
    Rectangle(0.4, 0.3, 0.1),
    Stadium(0.3, 0.2, 0.1, 0.2),
    Polygon({{0.4, 0}, {0, 0.5}, {-0.3, 0}, {0, -0.2}}, 0.7),
    Wedge(0.3, 0.5, 0.2),
    Wedge(0.3, 0.5, 0.2).scaled(1.3),
    NormMix(0.4, 0.3, 2, -1, 0.5),
    PolarCurve(std::vector<double>{0, 1, 2, 3, 4, 5}, std::vector<double>{.4, .5, .3, .4, .45, .5}, 0.3)};

// W = I of one contact, by hand.
const std::string kByHand = "3 1 1 3 3\n1 1 1\n3\n3\n2 1\n0 1\n0\n0\n1 0 0 0 1 0 0 0 1\n-1 0.1 0.2\n0.5\n";

}  // namespace

TEST_CASE("every shape comes back from its numbers") {
  for (const PlanarSet& set : kSets) {
    CAPTURE(set.description());
    const PlanarSet again = set_from_numbers(set.name(), set_numbers(set));
    for (int k = 0; k < 36; ++k) CHECK(again.radius(0.17 * k) == near(set.radius(0.17 * k), 1e-13));
  }
  CHECK_THROWS_WITH_AS(set_from_numbers("ellipse", {1, 2}), "shape \"ellipse\": found 2 numbers, expected 3",
                       InvalidInput);
  CHECK_THROWS_AS(set_from_numbers("ellipse", {1, -2, 0}), InvalidInput);
  CHECK_THROWS_WITH_AS(set_from_numbers("polygon", {1, 2}),
                       "shape \"polygon\": found 2 numbers, expected pairs and an angle", InvalidInput);
  CHECK_THROWS_WITH_AS(set_from_numbers("circle", {1}), "unknown shape \"circle\"", InvalidInput);
  CHECK_THROWS_WITH_AS(set_from_numbers("user", {1}), "unknown shape \"user\"", InvalidInput);
}

// The order is part of the file format: docs/formats.md.
TEST_CASE("the numbers of each shape keep their order") {
  const auto numbers_are = [](const PlanarSet& set, const std::vector<double>& expected) {
    CAPTURE(set.description());
    const std::vector<double> numbers = set_numbers(set);
    REQUIRE(numbers.size() == expected.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(numbers[i] == within(expected[i], 1e-13));
  };
  const double turn = 30_deg;
  numbers_are(Disk(0.4), {0.4});
  numbers_are(Ellipse(0.4, 0.2, turn), {0.4, 0.2, 30});
  numbers_are(Superellipse(0.4, 0.2, 1.7, turn), {0.4, 0.2, 1.7, 30});
  numbers_are(Rectangle(0.4, 0.3, turn), {0.4, 0.3, 30});
  numbers_are(Stadium(0.3, 0.2, 0.1, turn), {0.3, 0.2, 0.1, 30});
  numbers_are(Wedge(0.3, 20_deg, turn).scaled(1.3), {0.3, 20, 1.3, 30});
  numbers_are(NormMix(0.4, 0.3, 2, -1, turn), {0.4, 0.3, 2, -1, 30});
  numbers_are(Polygon({{0.4, 0}, {0, 0.5}, {-0.3, -0.2}}, turn), {0.4, 0, 0, 0.5, -0.3, -0.2, 30});
  numbers_are(PolarCurve(std::vector{0_deg, 90_deg, 180_deg, 270_deg}, std::vector{.4, .5, .3, .6}, turn),
              {0, .4, 90, .5, 180, .3, 270, .6, 30});
}

TEST_CASE("isotropic problems: .dat and .hdf5 keep every bit") {
  Random random(71);
  const TemporaryFolder folder;
  const ContactProblem problem = example(random, 7);
  for (const char* name : {"a.dat", "a.hdf5"}) {
    write_problem(folder.path() / name, problem, "seven contacts");
    const ProblemFile again = read_problem(folder.path() / name);
    CHECK(same_matrix(again.problem, problem));
    CHECK(again.problem.free_velocity == problem.free_velocity);
    CHECK(again.coefficient == std::vector<double>{0, .3, .3, .3, .3, .3, .3});
    CHECK(again.problem.contacts[0].law == nullptr);
    CHECK(again.problem.contacts[1].law == again.problem.contacts[6].law);
    CHECK(has_full_error(again.problem.contacts));
  }
  CHECK_THROWS_AS(write_problem(folder.path() / "a.txt", problem), InvalidInput);
  for (const char* name : {"none.dat", "none.hdf5"}) {  // no contacts: written, read or refused
    try {
      write_problem(folder.path() / name, ContactProblem{});
      CHECK(read_problem(folder.path() / name).problem.contacts.empty());
    } catch (const InvalidInput&) {
    }
  }
}

TEST_CASE("anisotropic problems: our group in the .hdf5 file; .dat refuses them") {
  Random random(72);
  const TemporaryFolder folder;
  ContactProblem problem = example(random, std::size(kSets) + 1);
  for (std::size_t i = 0; i < std::size(kSets); ++i) {
    problem.owned.push_back(
        std::make_shared<const PlanarContactLaw>(FrictionLaw(kSets[i], Ellipse(0.3, 0.2, 0.1)), 60));
    problem.contacts[i].law = problem.owned.back().get();
  }
  problem.contacts[2].reservoir_factor = 1.5;
  problem.contacts[3].normal_impulse = 0.25;
  write_problem(folder.path() / "b.hdf5", problem);
  const ProblemFile again = read_problem(folder.path() / "b.hdf5");
  CHECK(same_matrix(again.problem, problem));
  CHECK(again.problem.contacts[3].normal_impulse == 0.25);
  CHECK(!again.problem.contacts[4].normal_impulse);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    for (int k = 0; k < 12; ++k) {
      const Vec2 v = unit(0.53 * k);
      const Vec2 before =
          problem.contacts[i].reservoir_factor * slip_resistance(problem.contacts[i].law->as_planar()->law(), v);
      const Vec2 after = slip_resistance(again.problem.contacts[i].law->as_planar()->law(), v);
      CHECK((before - after).norm() < 1e-10);
    }
  // What plain readers see: the largest coefficient.
  CHECK(again.coefficient[1] == near(0.4, 1e-3));
  CHECK_THROWS_AS(write_problem(folder.path() / "b.dat", problem), InvalidInput);
}

TEST_CASE("a .dat file by hand; dense and planar ones; words behind the end") {
  const ProblemFile file = parse_problem(kByHand, "by hand");
  CHECK(file.problem.delassus->diagonal(0) == Mat3::Identity());
  CHECK(file.problem.free_velocity == Vec3(-1, 0.1, 0.2));
  CHECK(file.coefficient == std::vector<double>{0.5});
  CHECK(parse_problem(kByHand + " 0\n", "with a last token").coefficient.size() == 1);
  // Columns one after the other.
  const ProblemFile dense = parse_problem("3 1 0 3 3\n3 3\n1 2 3 4 5 6 7 8 9\n-1 0 0\n0.1\n", "dense");
  CHECK(dense.problem.delassus->diagonal(0)(2, 0) == 3);
  CHECK(dense.problem.delassus->diagonal(0)(0, 2) == 7);
  const ProblemFile planar = parse_problem("2 1 0 2 2\n2 2\n1 0 0 4\n-1 3\n0.5\n", "planar");
  CHECK(planar.dimension == 2);
  CHECK(planar.problem.free_velocity == Vec3(-1, 3, 0));
  ContactOptions options;
  options.method = ContactMethod::automatic;
  const ContactSolution s = solve(planar.problem, options);
  CHECK((s.velocity - Vec3(0, 3 - 4 * 0.5, 0)).norm() < 1e-12);
}

TEST_CASE("broken .dat files are refused with file and line") {
  for (std::size_t size = 0; size + 4 < kByHand.size(); ++size)  // the last number may end anywhere
    CHECK_THROWS_AS(parse_problem(kByHand.substr(0, size), "cut"), InvalidInput);
  const auto message = [](const std::string& content) -> std::string {
    try {
      parse_problem(content, "x.dat");
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "accepted";
  };
  CHECK(message("4 1 1 3 3").find("dimension") != std::string::npos);
  CHECK(message("3 99999999999999999999 1 3 3").find("x.dat:1") == 0);
  CHECK(message("3 1000000 0 3000000 3000000\n3000000 3000000\n1 2 3").find("too large") != std::string::npos);
  CHECK(message("3 1 0 3 3\n3 3\n1 0 0 0 nan 0 0 0 1\n-1 0 0\n0.5\n").find("not finite") != std::string::npos);
  CHECK(message("3 1 0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 0 0\n-0.5\n").find("negative") != std::string::npos);
  CHECK(message("3 1 0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 zero 0\n0.5\n").find("x.dat:4") == 0);
  CHECK(message("3 1 1 3 3\n1 1 1\n3\n3\n2 1\n0 1\n5\n0\n1 0 0 0 1 0 0 0 1\n-1 0 0\n0.5\n").find("outside") !=
        std::string::npos);
  CHECK(message("hello") != "accepted");
}

TEST_CASE("broken .hdf5 files are refused") {
  Random random(73);
  const TemporaryFolder folder;
  ContactProblem problem = example(random, 4);
  problem.owned.push_back(std::make_shared<const PlanarContactLaw>(FrictionLaw(Ellipse(0.3, 0.1), Disk(1)), 60));
  problem.contacts[1].law = problem.owned.back().get();
  write_problem(folder.path() / "c.hdf5", problem);
  const std::string content = read_file(folder.path() / "c.hdf5");
  for (std::size_t size = 8; size < content.size(); size += content.size() / 40)
    CHECK_THROWS_AS(parse_problem(content.substr(0, size), "cut"), InvalidInput);
}

TEST_CASE("the problems of the data folder are read, written and read again") {
  if (!std::filesystem::is_directory(SLIPSET_DATA "/contact")) {
    MESSAGE("skipped: no folder of contact problems beside the repository");
    return;
  }
  const TemporaryFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator(SLIPSET_DATA "/contact")) {
    CAPTURE(entry.path().string());
    const ProblemFile file = read_problem(entry.path());
    CHECK(file.coefficient.size() > 0);
    write_problem(folder.path() / "d.dat", file.problem);
    CHECK(same_matrix(read_problem(folder.path() / "d.dat").problem, file.problem));
    // Every one but the pile of rocks, which takes seconds, to 1e-8 by the default.
    if (entry.path().filename().string().find("RockPile") != std::string::npos) continue;
    ContactOptions options;
    options.method = ContactMethod::automatic;
    options.measure = ContactMeasure::full_error;
    options.tolerance = 1e-8;
    const ContactSolution s = solve(file.problem, options);
    CHECK(s.report.solved());
    CHECK(full_error(file.problem, s.impulse) <= 1e-8);
  }
}

#ifdef SLIPSET_HAS_FCLIB
TEST_CASE("FCLib's own reader reads what we write, and we read what its writer writes") {
  Random random(74);
  const TemporaryFolder folder;
  const ContactProblem problem = example(random, 5);
  const std::string ours = (folder.path() / "ours.hdf5").string(), theirs = (folder.path() / "theirs.hdf5").string();
  write_problem(ours, problem, "for FCLib");
  fclib_local* local = fclib_read_local(ours.c_str());
  REQUIRE(local != nullptr);
  CHECK(local->spacedim == 3);
  CHECK(local->W->m == 15);
  CHECK(local->q[4] == problem.free_velocity[4]);
  CHECK(local->mu[3] == 0.3);
  REQUIRE(fclib_write_local(local, theirs.c_str()) == 1);
  fclib_delete_local(local);
  CHECK(same_matrix(read_problem(theirs).problem, problem));
}
#endif
