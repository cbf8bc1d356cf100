// Contact problems as other programs write them: small files made here, byte by byte or dataset by dataset, so that the
// readers are tested where neither FCLib, Siconos nor their data are. The answer is always the same three contacts.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <functional>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/hdf5_file.hpp"
#include "slipset/io/problem_file.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// Rows and columns differ in every place, so that a transposed matrix or a mixed-up block shows. Contacts 0 and 2 do not
// act on each other.
double w_at(std::size_t row, std::size_t column, std::size_t dimension) {
  const std::size_t a = row / dimension, b = column / dimension;
  if (a + b == 2 && a != b) return 0;
  return (row == column ? 8 : 0) + 0.25 * static_cast<double>(row) - 0.125 * static_cast<double>(column) + 0.0625;
}
double q_at(std::size_t row) { return -1 + 0.375 * static_cast<double>(row); }
const std::vector<double> kMu = {0.5, 0, 0.75};

std::vector<double> q_of(std::size_t dimension) {
  std::vector<double> q;
  for (std::size_t i = 0; i < 3 * dimension; ++i) q.push_back(q_at(i));
  return q;
}

void check_is_ours(const ProblemFile& file, std::size_t dimension) {
  CHECK(file.dimension == static_cast<int>(dimension));
  CHECK(file.coefficient == kMu);
  REQUIRE(file.problem.contacts.size() == 3);
  CHECK(file.problem.contacts[1].law == nullptr);
  REQUIRE(file.problem.contacts[2].law != nullptr);
  CHECK(file.problem.contacts[2].law->as_planar()->isotropic_coefficient() == 0.75);
  REQUIRE(file.problem.free_velocity.size() == 9);
  REQUIRE(file.problem.delassus->as_blocks() != nullptr);
  const Eigen::MatrixXd w = file.problem.delassus->as_blocks()->sparse();
  REQUIRE(w.rows() == 9);
  // Of a planar problem the second tangents stand apart: nothing moves them.
  for (std::size_t i = 0; i < 9; ++i) {
    const bool row_is_there = i % 3 < dimension;
    const auto place = [&](std::size_t k) { return dimension * (k / 3) + k % 3; };
    CHECK(file.problem.free_velocity[static_cast<Eigen::Index>(i)] == (row_is_there ? q_at(place(i)) : 0));
    for (std::size_t j = 0; j < 9; ++j) {
      const double found = w(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      CAPTURE(i);
      CAPTURE(j);
      if (row_is_there && j % 3 < dimension)
        CHECK(found == w_at(place(i), place(j), dimension));
      else
        CHECK(found == (i == j ? w_at(place(i - 1), place(i - 1), dimension) : 0));  // as the first tangent
    }
  }
}

enum class Storage { triplets, columns, rows };

// What FCLib writes: integers as int, W in one of three ways; i are rows but of compressed rows.
void add_matrix(Hdf5Writer& file, std::size_t dimension, Storage storage) {
  const std::size_t n = 3 * dimension;
  std::vector<int> p, i;
  std::vector<double> x;
  for (std::size_t outer = 0; outer < n; ++outer) {
    if (storage != Storage::triplets) p.push_back(static_cast<int>(x.size()));
    for (std::size_t inner = 0; inner < n; ++inner) {
      const double value = storage == Storage::rows ? w_at(outer, inner, dimension) : w_at(inner, outer, dimension);
      if (value == 0) continue;
      if (storage == Storage::triplets) p.push_back(static_cast<int>(outer));
      i.push_back(static_cast<int>(inner));
      x.push_back(value);
    }
  }
  if (storage != Storage::triplets) p.push_back(static_cast<int>(x.size()));
  const int nonzeros = static_cast<int>(x.size());
  file.add_integers("fclib_local/W/nzmax", {nonzeros});
  file.add_integers("fclib_local/W/m", {static_cast<int>(n)});
  file.add_integers("fclib_local/W/n", {static_cast<int>(n)});
  file.add_integers("fclib_local/W/nz", {storage == Storage::triplets  ? nonzeros
                                         : storage == Storage::columns ? -1
                                                                       : -2});
  file.add_integers("fclib_local/W/p", p);
  file.add_integers("fclib_local/W/i", i);
  file.add_column("fclib_local/W/x", x);
}

std::string fclib_file(std::size_t dimension, Storage storage, const std::function<void(Hdf5Writer&)>& more = {}) {
  Hdf5Writer file;
  file.add_integers("fclib_local/spacedim", {static_cast<int>(dimension)});
  add_matrix(file, dimension, storage);
  file.add_column("fclib_local/vectors/q", q_of(dimension));
  file.add_column("fclib_local/vectors/mu", kMu);
  if (more) more(file);
  return file.bytes();
}

std::string siconos_dense(std::size_t dimension) {
  const std::size_t n = 3 * dimension;
  std::string text = fmt::format("{} 3 0 {} {}\n{} {}\n", dimension, n, n, n, n);
  for (std::size_t column = 0; column < n; ++column)
    for (std::size_t row = 0; row < n; ++row) text += fmt::format("{:.17e} ", w_at(row, column, dimension));
  text += "\n";
  for (const double q : q_of(dimension)) text += fmt::format("{:.17e} ", q);
  text += "\n";
  for (const double mu : kMu) text += fmt::format("{:.17e} ", mu);
  return text + "\n0\n";
}

std::string siconos_blocks(std::size_t dimension) {
  const std::size_t n = 3 * dimension;
  std::string text = fmt::format("{0} 3 1 {1} {1}\n7 3 3\n", dimension, n), ends;
  for (std::size_t i = 1; i <= 3; ++i) ends += fmt::format("{} ", dimension * i);
  text += ends + "\n" + ends + "\n4 7\n0 2 5 7\n0 1 0 1 2 1 2\n";
  std::size_t number = 0;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      if (a + b == 2 && a != b) continue;
      text += fmt::format("{}\n", number++);
      for (std::size_t column = 0; column < dimension; ++column)
        for (std::size_t row = 0; row < dimension; ++row)
          text += fmt::format("{:.17e} ", w_at(dimension * a + row, dimension * b + column, dimension));
      text += "\n";
    }
  for (const double q : q_of(dimension)) text += fmt::format("{:.17e} ", q);
  text += "\n";
  for (const double mu : kMu) text += fmt::format("{:.17e} ", mu);
  return text + "\n";
}

std::string refusal(const std::string& content) {
  try {
    parse_problem(content, "x.hdf5");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

bool names(const std::string& message, const std::string& what) {
  return message.starts_with("x.hdf5: ") && message.find(what) != std::string::npos;
}

}  // namespace

TEST_CASE("FCLib: triplets, columns and rows, of space and of the plane, are one problem") {
  for (const std::size_t dimension : {2u, 3u})
    for (const Storage storage : {Storage::triplets, Storage::columns, Storage::rows}) {
      CAPTURE(dimension);
      check_is_ours(parse_problem(fclib_file(dimension, storage), "x.hdf5"), dimension);
    }
}

TEST_CASE("Siconos: dense and by blocks, of space and of the plane, are the same problem") {
  for (const std::size_t dimension : {2u, 3u}) {
    CAPTURE(dimension);
    check_is_ours(parse_problem(siconos_dense(dimension), "x.dat"), dimension);
    check_is_ours(parse_problem(siconos_blocks(dimension), "x.dat"), dimension);
  }
}

TEST_CASE("FCLib and Siconos: one problem has one solution, whatever file it came from") {
  ContactOptions options;
  options.tolerance = 1e-12;
  const auto solved = [&](const std::string& content) {
    const ProblemFile file = parse_problem(content, "x");
    const ContactSolution s = solve(file.problem, options);
    CHECK(s.report.solved());
    CHECK(contact_residual(file.problem, s.impulse) < 1e-11);
    return s.impulse;
  };
  const Eigen::VectorXd impulse = solved(fclib_file(3, Storage::columns));
  CHECK((solved(siconos_dense(3)) - impulse).norm() < 1e-11 * impulse.norm());
  CHECK((solved(siconos_blocks(3)) - impulse).norm() < 1e-11 * impulse.norm());
}

TEST_CASE("FCLib: our group beside it gives laws, turned by an angle in degrees, and normal impulses") {
  const std::string content = fclib_file(3, Storage::rows, [](Hdf5Writer& file) {
    file.add_integers("slipset/law", {0, -1, 0});
    file.add_column("slipset/angle", {30, 0, 120});
    file.add_column("slipset/normal_impulse", {std::nan(""), 0.5, std::nan("")});
    file.add_column("slipset/laws/0/reservoir", {0.5, 0.25, 0});
    file.add_attribute("slipset/laws/0/reservoir", "shape", std::string("ellipse"));
    file.add_column("slipset/laws/0/direction", {2.0});
    file.add_attribute("slipset/laws/0/direction", "shape", std::string("disk"));
  });
  const ContactProblem problem = parse_problem(content, "x.hdf5").problem;
  // The long axis lies where the angle says.
  const auto reservoir = [&](std::size_t i) { return problem.contacts[i].law->as_planar()->law().reservoir(); };
  for (const auto& [i, angle] : {std::pair<std::size_t, double>{0, 30}, {2, 120}}) {
    CHECK(reservoir(i).radius(radians(angle)) == near(0.5, 1e-14));
    CHECK(reservoir(i).radius(radians(angle + 90)) == near(0.25, 1e-14));
  }
  CHECK(problem.contacts[1].law == nullptr);
  CHECK_FALSE(problem.contacts[0].normal_impulse);
  CHECK(problem.contacts[1].normal_impulse == 0.5);
}

TEST_CASE("FCLib: what is missing, too much or of the wrong size is named") {
  const auto with = [](const std::function<void(Hdf5Writer&)>& make) {
    Hdf5Writer file;
    make(file);
    return refusal(file.bytes());
  };
  CHECK(names(with([](Hdf5Writer& f) { f.add_column("else/x", {1}); }), "no group fclib_local"));
  CHECK(names(with([](Hdf5Writer& f) { f.add_column("fclib_global/M/x", {1}); }), "fclib_global/vectors/mu"));
  const auto local = [&](int dimension, std::vector<double> q, std::vector<double> mu) {
    return with([&](Hdf5Writer& f) {
      f.add_integers("fclib_local/spacedim", {dimension});
      add_matrix(f, 3, Storage::rows);
      f.add_column("fclib_local/vectors/q", q);
      f.add_column("fclib_local/vectors/mu", mu);
    });
  };
  REQUIRE(local(3, q_of(3), kMu) == "accepted");
  CHECK(names(local(1, q_of(3), kMu), "spacedim 1; expected 2 or 3"));
  CHECK(names(local(4, q_of(3), kMu), "spacedim"));
  CHECK(names(local(3, q_of(2), kMu), "q has 6 numbers; expected 9, for 3 contacts"));
  CHECK(names(local(2, q_of(2), kMu), "W is 9 x 9; expected 6 x 6"));  // 9 rows for 6
  CHECK(names(local(3, q_of(3), {0.5, -0.1, 0.2}), "mu of contact 1 is negative"));
  std::vector<double> q = q_of(3);
  q[7] = std::nan("");
  CHECK(names(local(3, q, kMu), "q: number 7 is not finite"));
  CHECK(names(refusal(fclib_file(3, Storage::rows, [](Hdf5Writer& f) { f.add_column("fclib_local/V/x", {1}); })),
              "bilateral"));
  const auto extended = [](std::vector<int> law, std::vector<double> angle, std::vector<double> impulse) {
    return refusal(fclib_file(3, Storage::rows, [&](Hdf5Writer& f) {
      f.add_integers("slipset/law", law);
      f.add_column("slipset/angle", angle);
      f.add_column("slipset/normal_impulse", impulse);
    }));
  };
  REQUIRE(extended({-1, -1, -1}, {0, 0, 0}, {1, 1, 1}) == "accepted");
  CHECK(names(extended({-1, -1}, {0, 0, 0}, {1, 1, 1}), "slipset/law, slipset/angle: expected 3 numbers"));
  CHECK(names(extended({-1, -1, -1}, {0, 0}, {1, 1, 1}), "slipset/law, slipset/angle: expected 3 numbers"));
  CHECK(names(extended({-1, -1, -1}, {0, 0, 0}, {1, 1}), "slipset/normal_impulse: expected 3 numbers"));
  CHECK(names(extended({-1, -1, -1}, {0, 0, 0}, {1, -1, 1}), "number 1 is negative"));
  CHECK(names(extended({-1, 0, -1}, {0, 0, 0}, {1, 1, 1}), "slipset/laws/0"));
}

TEST_CASE("FCLib: places and starts outside the matrix are refused") {
  const auto with = [](std::vector<int> p, std::vector<int> i, int kind) {
    Hdf5Writer f;
    f.add_integers("fclib_local/spacedim", {3});
    f.add_integers("fclib_local/W/m", {3});
    f.add_integers("fclib_local/W/n", {3});
    f.add_integers("fclib_local/W/nz", {kind});
    f.add_integers("fclib_local/W/p", p);
    f.add_integers("fclib_local/W/i", i);
    f.add_column("fclib_local/W/x", {1, 1, 1});
    f.add_column("fclib_local/vectors/q", {-1, 0, 0});
    f.add_column("fclib_local/vectors/mu", {0.5});
    return refusal(f.bytes());
  };
  REQUIRE(with({0, 1, 2, 3}, {0, 1, 2}, -2) == "accepted");
  REQUIRE(with({0, 1, 2}, {0, 1, 2}, 3) == "accepted");
  CHECK(names(with({0, 1, 2, 3}, {0, 1, 3}, -2), "fclib_local/W/i"));
  CHECK(names(with({0, 1, 2, 4}, {0, 1, 2}, -2), "fclib_local/W/p"));
  CHECK(names(with({0, 2, 1, 3}, {0, 1, 2}, -2), "start 1 is wrong"));
  CHECK(names(with({0, 1, 3}, {0, 1, 2}, -2), "3 starts for 3 rows"));
  CHECK(names(with({0, 1, 2, 3}, {0, 1}, -2), "start 2 is wrong"));
  CHECK(names(with({0, 1, 3}, {0, 1, 2}, 3), "fclib_local/W/p"));
  CHECK(names(with({0, 1}, {0, 1, 2}, 3), "fewer places than numbers"));
  CHECK(names(with({0, 1, 2, 3}, {0, 1, 2}, -3), "fclib_local/W/nz"));
}
