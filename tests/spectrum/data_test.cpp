// The brake and the pad of shared data, which is beside the repository or not there.
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cstdio>
#include <filesystem>

#include "slipset/io/matrix_file.hpp"
#include "slipset/stability/spectrum/sparse_spectrum.hpp"
#include "tests/support/near.hpp"
#include "tests/support/quadratic_problems.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr double kPi = 3.14159265358979323846;
const std::filesystem::path kData = SLIPSET_DATA;

bool is_there(const char* folder) {
  const bool there = std::filesystem::is_directory(kData / folder);
  if (!there) std::printf("skipped: %s is not there\n", (kData / folder).c_str());
  return there;
}

// M0 of [GMQSW16] at the rotation speed w; the formula of the data's README.
QuadraticProblem brake(double w) {
  const auto read = [](const char* name) { return read_sparse_matrix(kData / "brake" / (std::string(name) + ".mat")); };
  QuadraticProblem problem{read("BMLL00"), read("BDLL00"), read("BKLL00")};
  problem.damping = problem.damping + w * read("BYLL00");
  problem.damping = problem.damping + (1 / w - 1) * read("BDIWLL00");
  problem.damping = problem.damping + 1 / (2 * kPi * 1600) * read("BHLL00");
  problem.stiffness = problem.stiffness + read("BKQLL00");
  problem.stiffness = problem.stiffness + (w * w - 1) * read("BWLL00");
  return problem;
}

// The block on a moving plane, with C an ellipse of axes 0.6 and 0.3 at 30°, D one of 3 and 1.
QuadraticProblem pad() {
  QuadraticProblem problem{read_sparse_matrix(kData / "pad/M.mtx"), read_sparse_matrix(kData / "pad/B.mtx"),
                           read_sparse_matrix(kData / "pad/K.mtx")};
  Eigen::Matrix2d turn;
  turn << std::cos(kPi / 6), -std::sin(kPi / 6), std::sin(kPi / 6), std::cos(kPi / 6);
  const Eigen::Matrix2d c = turn * Eigen::Vector2d(0.36, 0.09).asDiagonal() * turn.transpose(),
                        d = Eigen::Vector2d(9, 1).asDiagonal(), b = d * c.inverse() * d;
  std::FILE* file = std::fopen((kData / "pad/contacts.csv").c_str(), "r");
  REQUIRE(file);
  char line[512];
  REQUIRE(std::fgets(line, sizeof line, file));
  int contacts = 0;
  int u[3];
  double n[3], t[3], stiffness = 0, force = 0, g[2];
  while (std::fscanf(file, "%d,%d,%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", u, u + 1, u + 2, n, n + 1, n + 2, t,
                     t + 1, t + 2, &stiffness, &force, g, g + 1) == 13) {
    ++contacts;
    const Eigen::Vector3d normal(n[0], n[1], n[2]), first(t[0], t[1], t[2]);
    Eigen::Matrix<double, 3, 2> tangents;
    tangents << first, normal.cross(first);
    const Eigen::Vector2d slip(g[0], g[1]);
    const double size = std::sqrt(slip.dot(b * slip));
    const Eigen::Vector2d s = d * slip / size;
    const Eigen::Matrix2d slope = d / size - d * slip * (b * slip).transpose() / (size * size * size);
    const Eigen::Matrix3d k = stiffness * (normal - tangents * s) * normal.transpose(),
                          damping = force * tangents * slope * tangents.transpose();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        problem.stiffness.coeffRef(u[i], u[j]) += k(i, j);
        problem.damping.coeffRef(u[i], u[j]) += damping(i, j);
      }
  }
  std::fclose(file);
  REQUIRE(contacts > 0);
  return problem;
}

std::vector<Eigenpair> unstable(const Spectrum& spectrum) {
  std::vector<Eigenpair> pairs;
  for (const Eigenpair& pair : spectrum.pairs)
    if (pair.value.real() > 0 && pair.value.imag() > 0) pairs.push_back(pair);
  return pairs;
}

}  // namespace

TEST_CASE("the brake at two speeds: complete lists, the unstable modes as computed elsewhere") {
  if (!is_there("brake")) return;
  const SpectrumBox box{-20, 1000, 0, 42000};
  SUBCASE("w = 2π") {
    const Spectrum spectrum = eigenvalues_in_box(brake(2 * kPi), box);
    CHECK(spectrum.report.complete);
    CHECK(distance(unstable(spectrum), {{2.076338214, 4920.344220188},
                                        {69.474050086, 17429.059590272},
                                        {110.335711374, 26296.217772547},
                                        {3.171294706, 36409.822478317}}) < 1e-11);
  }
  SUBCASE("w = 4π") {
    const Spectrum spectrum = eigenvalues_in_box(brake(4 * kPi), box);
    CHECK(spectrum.report.complete);
    CHECK(distance(unstable(spectrum), {{5.474173697, 4932.238867174},
                                        {9.58716e-5, 5130.604865238},
                                        {74.830642475, 17399.587752736},
                                        {119.176489275, 26257.963487109},
                                        {0.573787265, 36380.522879263}}) < 1e-11);
    for (const Eigenpair& pair : spectrum.pairs)
      if (std::abs(pair.value - Complex(0, 5130.604865238)) < 1e-2)
        CHECK(pair.value.real() == within(9.58716e-5, 1e-8));
  }
}

TEST_CASE("the pad: by both ways") {
  if (!is_there("pad")) return;
  const QuadraticProblem problem = pad();
  const SpectrumBox box{-2000, 2000, 0, 60000};
  const Spectrum sparse = eigenvalues_in_box(problem, box), dense = eigenvalues_in_box_dense(problem, box);
  CHECK(sparse.report.method == SpectrumMethod::sparse);
  CHECK(sparse.report.complete);
  CHECK(dense.report.complete);
  const std::vector<Complex> expected = {{906.599608294, 24218.482122669},
                                         {244.065003712, 56240.134101662},
                                         {112.455729930, 8640.910269750},
                                         {17.701737731, 27932.681892155}};
  CHECK(distance(unstable(sparse), expected) < 1e-12);
  CHECK(distance(unstable(dense), expected) < 1e-12);
  std::vector<Complex> values;
  for (const Eigenpair& pair : dense.pairs) values.push_back(pair.value);
  CHECK(distance(sparse.pairs, values) < 1e-10);
}
