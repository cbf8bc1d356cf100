// The forms of contact problems in files: local and global, planar, in space and rolling, with joints; in every storage.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <filesystem>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/contact_solver.hpp"
#include "slipset/contact/mass_delassus.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/hdf5_file.hpp"
#include "slipset/io/problem_file.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

std::string numbers(const auto& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{:.17g} ", value);
  return text + "\n";
}

// A matrix as Siconos prints it, all digits. 3: compressed columns of storage 2.
std::string text_of(const Matrix& m, int storage, Eigen::Index block = 1) {
  const Eigen::Index rows = m.rows(), columns = m.cols();
  std::string text = fmt::format("{}\n{}\n{}\n", std::min(storage, 2), rows, columns);
  if (storage == 0) return text + fmt::format("{} {}\n", rows, columns) + numbers(m.reshaped());
  if (storage == 1) {
    const Eigen::Index n = rows / block, k = columns / block;
    text += fmt::format("{}\n{}\n{}\n", n * k, n, k);
    for (Eigen::Index i = 1; i <= n; ++i) text += fmt::format("{} ", i * block);
    text += "\n";
    for (Eigen::Index i = 1; i <= k; ++i) text += fmt::format("{} ", i * block);
    text += fmt::format("\n{}\n{}\n", n + 1, n * k);
    for (Eigen::Index i = 0; i <= n; ++i) text += fmt::format("{} ", i * k);
    text += "\n";
    for (Eigen::Index b = 0; b < n * k; ++b) text += fmt::format("{} ", b % k);
    text += "\n";
    for (Eigen::Index b = 0; b < n * k; ++b) {
      const Matrix part = m.block(b / k * block, b % k * block, block, block);
      text += fmt::format("{}\n{}", b, numbers(part.reshaped()));
    }
    return text;
  }
  const Eigen::Index count = (m.array() != 0).count();
  text += fmt::format("{}\nCSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n",
                      storage == 2 ? 1 : 2);
  text += fmt::format("{}{}-by-{}, nzmax: {} nnz: {}{}\n", storage == 2 ? "triplet: " : "", rows, columns, count + 3,
                      count, storage == 2 ? "" : ", 1-norm: 1.5");
  Eigen::Index place = 0;
  for (Eigen::Index j = 0; j < columns; ++j) {
    const Eigen::Index here = (m.col(j).array() != 0).count();
    if (storage == 3) text += fmt::format("    col {} : locations {} to {}\n", j, place, place + here - 1);
    place += here;
    for (Eigen::Index i = 0; i < rows; ++i)
      if (m(i, j) != 0)
        text += storage == 2 ? fmt::format("    {} {} : {:.17g}\n", i, j, m(i, j))
                             : fmt::format("      {} : {:.17g}\n", i, m(i, j));
  }
  return text;
}

struct Example {
  int dimension = 3;
  Matrix m, h, g;  // g: of joints
  Vector f, w, b, mu, mu_r;

  Matrix delassus() const { return h.transpose() * m.inverse() * h; }
  Vector free_velocity() const { return h.transpose() * m.inverse() * f + w; }
};

Example example(Random& random, int dimension, int contacts, int joint_rows = 0) {
  Example e;
  e.dimension = dimension;
  const int rows = dimension * contacts, dofs = dimension * (contacts + 2);
  const auto noise = [&](int n, int k) {
    Matrix x(n, k);
    for (double& value : x.reshaped()) value = random.uniform(-1, 1);
    return x;
  };
  e.m = Matrix::Zero(dofs, dofs);
  for (int i = 0; i < dofs; ++i) e.m(i, i) = random.uniform(1, 3);
  e.m(0, 1) = e.m(1, 0) = 0.3;
  e.h = noise(dofs, rows);
  e.h.col(rows - 1).head(dofs / 2).setZero();
  e.g = noise(dofs, joint_rows);
  e.f = noise(dofs, 1);
  e.w = noise(rows, 1);
  for (int i = 0; i < contacts; ++i) e.w[dimension * i] -= 1;
  e.b = noise(joint_rows, 1);
  e.mu = Vector::Constant(contacts, 0.4);
  e.mu[0] = 0.7;
  e.mu_r = Vector::Constant(contacts, 0.2);
  return e;
}

std::string dat_of(const Example& e, bool global, int storage) {
  std::string text = fmt::format("{}\n{}\n", e.dimension, e.mu.size());
  if (global)
    text += text_of(e.m, storage, e.dimension) + text_of(e.h, storage, e.dimension) + numbers(e.f) + numbers(e.w);
  else
    text += text_of(e.delassus(), storage, e.dimension) + numbers(e.free_velocity());
  return text + numbers(e.mu) + (e.dimension == 5 ? numbers(e.mu_r) : "");
}

ContactSolution solved(const ContactProblem& problem) {
  return solve(problem, {.method = ContactMethod::automatic, .tolerance = 1e-13});
}

void add_matrix(Hdf5Writer& file, const std::string& name, const Matrix& m, bool as_siconos = true) {
  std::vector<int> p, i;
  std::vector<double> x;
  for (Eigen::Index column = 0; column < m.cols(); ++column)
    for (Eigen::Index row = 0; row < m.rows(); ++row) {
      p.push_back(static_cast<int>(as_siconos ? column : row));
      i.push_back(static_cast<int>(as_siconos ? row : column));
      x.push_back(m(row, column));
    }
  const int count = static_cast<int>(x.size());
  file.add_integers(name + "/nzmax", {count});
  file.add_integers(name + "/m", {static_cast<int>(m.rows())});
  file.add_integers(name + "/n", {static_cast<int>(m.cols())});
  file.add_integers(name + "/nz", {count});
  file.add_integers(name + "/p", p);
  file.add_integers(name + "/i", i);
  file.add_column(name + "/x", x);
}

std::string fclib_of(const Example& e, bool global, bool as_siconos = true) {
  Hdf5Writer file;
  const std::string group = !global ? "fclib_local" : e.dimension == 5 ? "fclib_global_rolling" : "fclib_global";
  const auto add = [&](const char* name, const Vector& x) {
    file.add_column(group + "/vectors/" + name, {x.begin(), x.end()});
  };
  file.add_integers(group + "/spacedim", {e.dimension});
  const bool joints = e.g.cols() > 0;
  if (global) {
    add_matrix(file, group + "/M", e.m, as_siconos);
    add_matrix(file, group + "/H", e.h, as_siconos);
    add("f", e.f);
    add("w", e.w);
    if (joints) add_matrix(file, group + "/G", e.g, as_siconos);
    if (joints) add("b", e.b);
  } else {
    const Matrix inverse = e.m.inverse();
    add_matrix(file, group + "/W", e.delassus());
    add("q", e.free_velocity());
    if (joints) add_matrix(file, group + "/V", e.h.transpose() * inverse * e.g);
    if (joints) add_matrix(file, group + "/R", e.g.transpose() * inverse * e.g);
    if (joints) add("s", e.g.transpose() * inverse * e.f + e.b);
  }
  add("mu", e.mu);
  if (e.dimension == 5) add("mu_r", e.mu_r);
  return file.bytes();
}

// The rows of a planar local problem without their second tangents; all others as they are.
Vector own_rows(const ContactProblem& problem, const Vector& x, int dimension) {
  if (dimension != 2 || problem.delassus->rows(0) != 3) return x;
  Vector own(x.size() / 3 * 2);
  for (Eigen::Index i = 0; i < x.size() / 3; ++i) own.segment<2>(2 * i) = x.segment<2>(3 * i);
  return own;
}

}  // namespace

TEST_CASE("one problem in every form and storage of .dat files") {
  Random random(11);
  for (const int dimension : {2, 3, 5}) {
    CAPTURE(dimension);
    const Example e = example(random, dimension, 4);
    const ProblemFile first = parse_problem(dat_of(e, false, 0), "dense");
    const ContactSolution expected = solved(first.problem);
    REQUIRE(expected.report.solved());
    const Vector u = own_rows(first.problem, expected.velocity, dimension);
    for (const bool global : {false, true})
      for (const int storage : {0, 1, 2, 3}) {
        CAPTURE(global);
        CAPTURE(storage);
        const ProblemFile file = parse_problem(dat_of(e, global, storage), "x.dat");
        CHECK(file.dimension == dimension);
        CHECK(file.global == global);
        CHECK((dynamic_cast<const MassDelassus*>(file.problem.delassus.get()) != nullptr) == global);
        const ContactSolution found = solved(file.problem);
        REQUIRE(found.report.solved());
        CHECK((own_rows(file.problem, found.velocity, dimension) - u).norm() < 1e-9 * u.norm());
        // With a flag, and with a first guess behind it.
        CHECK(parse_problem(dat_of(e, global, storage) + "0\n", "flag").global == global);
        CHECK(parse_problem(dat_of(e, global, storage) + "1\n", "flag").global == global);
      }
    // The velocities are those of the masses, found with dense matrices: M v = H r + f.
    const ProblemFile file = parse_problem(dat_of(e, true, 2), "x.dat");
    const ContactSolution found = solved(file.problem);
    const Vector v = e.m.lu().solve(e.h * found.impulse + e.f);
    CHECK((e.h.transpose() * v + e.w - found.velocity).norm() < 1e-12 * found.velocity.norm());
  }
}

TEST_CASE("one problem in every form of FCLib, with joints: as if they were eliminated") {
  Random random(12);
  for (const int dimension : {2, 3, 5})
    for (const int joints : {0, 1, 4, 8}) {
      if (joints > 2 * dimension) continue;  // these would leave nothing to move
      CAPTURE(dimension);
      CAPTURE(joints);
      const Example e = example(random, dimension, 3, joints);
      // Velocities that joints leave: W' = W − V R⁻¹Vᵀ, q' = q − V R⁻¹s.
      Example without = e;
      const Matrix inverse = e.m.inverse(), r = e.g.transpose() * inverse * e.g, v = e.h.transpose() * inverse * e.g;
      Matrix w = e.delassus();
      Vector q = e.free_velocity();
      if (joints > 0) {
        w -= v * r.lu().solve(v.transpose());
        q -= v * r.lu().solve(e.g.transpose() * inverse * e.f + e.b);
      }
      std::string text = fmt::format("{}\n{}\n", dimension, e.mu.size()) + text_of(w, 0) + numbers(q) + numbers(e.mu);
      if (dimension == 5) text += numbers(e.mu_r);
      const ProblemFile eliminated = parse_problem(text, "eliminated");
      const ContactSolution expected = solved(eliminated.problem);
      REQUIRE(expected.report.solved());
      const Vector p = own_rows(eliminated.problem, expected.impulse, dimension);
      for (const bool global : {false, true})
        for (const bool as_siconos : {true, false}) {
          if (dimension == 5 && !global) continue;  // FCLib has none
          CAPTURE(global);
          const ProblemFile file = parse_problem(fclib_of(e, global, as_siconos), "x.hdf5");
          CHECK(file.problem.contacts.size() == static_cast<std::size_t>(3 + (joints + 5) / 6));
          const ContactSolution found = solved(file.problem);
          REQUIRE(found.report.solved());
          const Vector contacts = found.impulse.head(found.impulse.size() - joints);
          CHECK((own_rows(file.problem, contacts, dimension) - p).norm() < 1e-8 * (1 + p.norm()));
          CHECK(found.velocity.tail(joints).norm() < 1e-9);
        }
    }
}

TEST_CASE("what is written is read as the same problem") {
  Random random(13);
  const TemporaryFolder folder;
  for (const int dimension : {2, 3, 5})
    for (const int joints : {0, 4})
      for (const bool global : {false, true}) {
        if (joints > 0 && dimension == 5 && !global) continue;
        CAPTURE(dimension);
        CAPTURE(global);
        const Example e = example(random, dimension, 3, joints);
        const ContactProblem problem =
            parse_problem(joints > 0 ? fclib_of(e, global) : dat_of(e, global, 0), "x").problem;
        for (const char* name : {"a.dat", "a.hdf5"}) {
          const bool dat = std::string(name) == "a.dat";
          const std::filesystem::path path = folder.path() / name;
          if ((dat && joints > 0) || (!dat && dimension == 5 && !global)) {
            CHECK_THROWS_AS(write_problem(path, problem), InvalidInput);
            continue;
          }
          write_problem(path, problem, "again");
          const ProblemFile again = read_problem(path);
          CHECK(again.global == global);
          Vector p(problem.free_velocity.size()), one(p.size()), other(p.size());
          for (double& x : p) x = random.uniform(-1, 1);
          REQUIRE(again.problem.free_velocity.size() == p.size());
          problem.delassus->multiply_add(p, problem.free_velocity, one);
          again.problem.delassus->multiply_add(p, again.problem.free_velocity, other);
          CHECK((one - other).norm() < 1e-13 * one.norm());
          REQUIRE(again.problem.contacts.size() == problem.contacts.size());
          for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
            const auto a = cone_of(problem.contacts[i]), b = cone_of(again.problem.contacts[i]);
            CHECK(a->sliding == within(b->sliding, 1e-15));
            CHECK(a->rolling == within(b->rolling, 1e-15));
            CHECK(a->everything == b->everything);
          }
        }
      }
}

TEST_CASE("rows that carry nothing are left out: rolling or sliding without friction") {
  Random random(14);
  Example e = example(random, 5, 3);
  e.mu_r[1] = 0;  // slides only
  e.mu[2] = 0;    // rolls only
  const ProblemFile file = parse_problem(dat_of(e, false, 0), "x");
  CHECK(file.problem.delassus->rows(0) == 5);
  CHECK(file.problem.delassus->rows(1) == 3);
  CHECK(file.problem.delassus->rows(2) == 3);
  const ContactSolution found = solved(file.problem);
  REQUIRE(found.report.solved());
  // With next to no friction there instead of none.
  e.mu_r[1] = e.mu[2] = 1e-9;
  const ProblemFile nearly = parse_problem(dat_of(e, false, 0), "y");
  const ContactSolution other = solved(nearly.problem);
  REQUIRE(other.report.solved());
  Vector p(11), same(11);
  p = found.impulse;
  same << other.impulse.head(5), other.impulse.segment(5, 3), other.impulse[10], other.impulse.tail(2);
  CHECK((p - same).norm() < 1e-7 * p.norm());
}

TEST_CASE("files of one kind are not read as another; cut files are refused") {
  Random random(15);
  const auto refused = [](const std::string& text) {
    try {
      parse_problem(text, "x.dat");
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const int dimension : {2, 3, 5})
    for (const bool global : {false, true}) {
      const std::string whole = dat_of(example(random, dimension, 2), global, 2 + dimension % 2);
      for (std::size_t size = 0; size + 1 < whole.size(); size += 1 + whole.size() / 211)
        CHECK_MESSAGE(!refused(whole.substr(0, size)).empty(), "cut at ", size);
      // Another dimension or number of contacts in the header fits no size.
      for (const char* header : {"2\n2\n", "3\n2\n", "5\n2\n", "3\n3\n", "2\n3\n", "5\n1\n"})
        if (header != fmt::format("{}\n2\n", dimension)) CHECK(!refused(header + whole.substr(4)).empty());
      CHECK(refused(whole + "3.5\n") != "");
    }
  // Planar with rolling: normal, tangent, rolling.
  const Example e = example(random, 3, 4);
  CHECK(refused(dat_of(e, false, 0) + numbers(e.mu)).find("planar problem with rolling friction") != std::string::npos);
  CHECK(refused("4\n1\n0\n4\n4\n").find("dimension 4") != std::string::npos);
  Example negative = example(random, 5, 2);
  negative.mu_r[1] = -0.1;
  CHECK(refused(dat_of(negative, false, 0)).find("mu_r of contact 1") != std::string::npos);
  // M with six digits is taken as it stands, and told; one triangle alone is refused.
  Example rounded = example(random, 3, 2);
  rounded.m(0, 1) *= 1 + 1e-6;
  const ProblemFile taken = parse_problem(dat_of(rounded, true, 2), "x.dat");
  CHECK(asymmetry(taken.problem) > 1e-9);
  const ContactSolution found = solved(taken.problem);
  REQUIRE(found.report.solved());
  const Vector v = rounded.m.lu().solve(rounded.h * found.impulse + rounded.f);
  CHECK((rounded.h.transpose() * v + rounded.w - found.velocity).norm() < 1e-12 * found.velocity.norm());
  rounded.m(0, 1) = 0;
  CHECK(refused(dat_of(rounded, true, 2)).find("not symmetric") != std::string::npos);
  Example flat = example(random, 3, 2);
  flat.m.diagonal().setConstant(-1);
  CHECK(refused(dat_of(flat, true, 0)).find("not positive definite") != std::string::npos);
}

TEST_CASE("every form that Siconos exchanges, to 1e-8 in its own measure") {
  const std::filesystem::path folder = std::filesystem::path(SLIPSET_DATA) / "contact-forms";
  if (!std::filesystem::exists(folder)) {
    MESSAGE("skipped: the folder of samples is not there");
    return;
  }
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    CAPTURE(entry.path().filename().string());
    const ProblemFile file = read_problem(entry.path());
    REQUIRE(has_full_error(file.problem.contacts));
    const ContactSolution found = solve(
        file.problem, {.method = ContactMethod::automatic, .measure = ContactMeasure::full_error, .tolerance = 1e-8});
    CHECK(found.report.solved());
    CHECK(full_error(file.problem, found.impulse) <= 1e-8);
    ++read;
  }
  CHECK(read >= 8);
  // What Siconos 4.4 itself computes for r_k = 1000 sin(k + 1), whatever norm it is given.
  for (const auto& [name, expected] :
       {std::pair{"RFC3D_sphere_1.dat", 0.948082360429049}, {"rockfall_14_25792.dat", 0.811167485407363}}) {
    const ProblemFile file = read_problem(folder / name);
    Vector p(file.problem.free_velocity.size());
    for (Eigen::Index k = 0; k < p.size(); ++k) p[k] = 1e3 * std::sin(static_cast<double>(k) + 1);
    CHECK(full_error(file.problem, p) == near(expected, 1e-12));
  }
}
