// Sweeps of structures: closed forms of where modes begin to grow; modes that cross, enter the box and leave it.
#include "slipset/stability/mode_scan.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

QuadraticProblem problem_of(const Eigen::MatrixXd& damping, const Eigen::MatrixXd& stiffness) {
  QuadraticProblem problem;
  problem.mass = Eigen::MatrixXd::Identity(stiffness.rows(), stiffness.rows()).sparseView();
  problem.damping = damping.sparseView();
  problem.stiffness = stiffness.sparseView();
  return problem;
}

FindModes dense_in(const SpectrumBox& box) {
  return [box](double, const QuadraticProblem& problem, Counting) { return eigenvalues_in_box_dense(problem, box); };
}

// λ² + dλ + k ± √(δ² - c²) = 0: two oscillators of stiffness k ± δ with the circulatory coupling c.
ProblemAt flutter(double d, double k, double delta) {
  return [=](double c) {
    Eigen::Matrix2d stiffness;
    stiffness << k + delta, c, -c, k - delta;
    return problem_of(d * Eigen::Matrix2d::Identity(), stiffness);
  };
}

ScanOptions range(double from, double to, int count) {
  ScanOptions options;
  options.from = from;
  options.to = to;
  options.count = count;
  return options;
}

}  // namespace

TEST_CASE("flutter begins at c² = δ² + d²k, with the frequency √k; on the way back it ends there") {
  const SpectrumBox box{-5, 5, 0, 30};
  for (const double d : {0.3, 0.01, 1.0})
    for (const bool back : {false, true}) {
      const StabilityScan scan =
          scan_modes(flutter(d, 100, 3), dense_in(box), box, back ? range(20, 0.1, 14) : range(0.1, 20, 14));
      CHECK(std::count(scan.answered.begin(), scan.answered.end(), true) == 14);
      REQUIRE(scan.critical.size() == 1);
      CHECK(scan.critical[0].value == near(std::sqrt(9 + d * d * 100), 1e-11));
      CHECK(scan.critical[0].frequency == near(10, 1e-11));
      CHECK(scan.critical[0].unstable_above);
      CHECK(scan.values.cols() == 2);
      for (std::size_t i = 0; i < scan.parameter.size(); ++i)
        CHECK(scan.stable[i] == (scan.parameter[i] < scan.critical[0].value));
    }
}

TEST_CASE("without damping two modes meet at c = δ") {
  const StabilityScan scan =
      scan_modes(flutter(0, 100, 3), dense_in({-5, 5, 0, 30}), {-5, 5, 0, 30}, range(0.1, 7, 12));
  REQUIRE(!scan.critical.empty());
  for (const CriticalValue& critical : scan.critical) {
    CHECK(critical.value == near(3, 1e-9));
    CHECK(critical.frequency == near(10, 1e-6));
    CHECK(critical.by_coalescence);
  }
}

TEST_CASE("modes that cross keep their column; those that leave the box and come into it are not there elsewhere") {
  // ω = 10, ω = 5 + p, ω = 40 - 3p; the box has 7 to 22.
  const auto at = [](double p) {
    const Eigen::Vector3d frequencies(10, 5 + p, 40 - 3 * p);
    return problem_of(0.2 * Eigen::Matrix3d::Identity(), frequencies.cwiseAbs2().asDiagonal());
  };
  const StabilityScan scan = scan_modes(at, dense_in({-5, 5, 7, 22}), {-5, 5, 7, 22}, range(0, 10, 41));
  REQUIRE(scan.values.cols() == 3);
  CHECK(scan.critical.empty());
  const auto damped = [](double frequency) { return std::sqrt(frequency * frequency - 0.01); };
  for (std::size_t i = 0; i < scan.parameter.size(); ++i) {
    const double p = scan.parameter[i];
    // In the order in which they are seen first.
    const double expected[] = {damped(10), damped(5 + p), damped(40 - 3 * p)};
    for (Eigen::Index k = 0; k < 3; ++k) {
      const std::complex<double> value = scan.values(static_cast<Eigen::Index>(i), k);
      const double frequency = expected[k];
      INFO("p ", p, ", mode ", k);
      if (frequency >= 7 && frequency <= 22) {
        CHECK(value.imag() == near(frequency, 1e-12));
      } else {
        CHECK(std::isnan(value.imag()));
      }
    }
  }
}

TEST_CASE("points without a structure, or with an incomplete list, are told and not followed over") {
  const auto at = [](double p) {
    if (p > 2.9 && p < 3.1) throw InvalidInput("no structure here");
    return flutter(0.3, 100, 3)(p);
  };
  const auto find = [](double, const QuadraticProblem& problem, Counting) {
    Spectrum spectrum = eigenvalues_in_box_dense(problem, {-5, 5, 0, 30});
    if (problem.stiffness.coeff(0, 1) == 1) {
      spectrum.report.complete = false;
      spectrum.report.reason = "gap";
    }
    return spectrum;
  };
  const StabilityScan scan = scan_modes(at, find, {-5, 5, 0, 30}, range(0, 4, 5));
  CHECK(scan.answered == std::vector<bool>{true, false, true, false, true});
  CHECK(scan.why == std::vector<std::string>{"gap", "no structure here"});
  CHECK(std::isnan(scan.values(1, 0).real()));
  CHECK(scan.values.cols() == 2);
  CHECK_THROWS_AS(scan_modes(at, find, {-5, 5, 0, 30}, range(0, 0, 5)), InvalidInput);
  CHECK_THROWS_AS(scan_modes(at, find, {-5, 5, 0, 30}, range(0, 1, 1)), InvalidInput);
}

namespace {

constexpr int kMasses = 60;

// A chain of masses with a contact that couples two of them, as friction does, more and more: c. All of it becomes stiffer
// by `stiffer`, so that modes leave the box at its upper end, and `damper` moves them across its left side and back.
QuadraticProblem chain(double c, double stiffer = 0, double damper = 0) {
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(kMasses, kMasses), damping = stiffness;
  for (int i = 0; i < kMasses; ++i) {
    stiffness(i, i) = 2000 + 7 * i;
    if (i > 0) stiffness(i, i - 1) = stiffness(i - 1, i) = -1000;
  }
  stiffness *= 1 + stiffer;
  damping.diagonal().setConstant(0.05);
  for (int i = 0; i < kMasses; ++i) damping(i, i) += damper * (1 + std::sin(0.7 * i));
  stiffness(20, 21) += c;
  stiffness(21, 20) -= c;
  damping(40, 41) += 0.01 * c;
  return problem_of(damping, stiffness);
}

// Every point of a scan against the same point alone; the largest difference over |λ|.
double worst_against_alone(const StabilityScan& scan, const ProblemAt& at, const SpectrumBox& box) {
  Worst worst;
  for (std::size_t i = 0; i < scan.parameter.size(); ++i) {
    const Spectrum alone = eigenvalues_in_box_dense(at(scan.parameter[i]), box);
    std::vector<std::complex<double>> followed;
    for (Eigen::Index k = 0; k < scan.values.cols(); ++k)
      if (const auto value = scan.values(static_cast<Eigen::Index>(i), k); !std::isnan(value.real()))
        followed.push_back(value);
    INFO("at ", scan.parameter[i]);
    REQUIRE(followed.size() == alone.pairs.size());
    for (const Eigenpair& pair : alone.pairs) {
      Least nearest;
      for (const auto& value : followed) nearest.add(std::abs(value - pair.value));
      worst.add(nearest.value() / std::abs(pair.value));
    }
    CHECK(scan.stable[i] ==
          std::none_of(alone.pairs.begin(), alone.pairs.end(), [](const Eigenpair& pair) { return pair.grows(); }));
  }
  return worst.value();
}

struct Counted {
  StabilityScan scan;
  int counted = 0, solved = 0;  // calls; solved: not counted
};

Counted counted_scan(const ProblemAt& at, const SpectrumBox& box, const ScanOptions& options, double around) {
  Counted result;
  const FindModes counting = [&](double, const QuadraticProblem& problem, Counting counted) {
    ++(counted == Counting::counted ? result.counted : result.solved);
    SpectrumOptions search;
    search.around = around;
    return eigenvalues_in_box_dense(problem, box, search);
  };
  result.scan = scan_modes(at, counting, box, options);
  CHECK(std::count(result.scan.answered.begin(), result.scan.answered.end(), true) == options.count);
  CHECK(result.scan.counted <= static_cast<std::size_t>(result.counted));
  return result;
}

}  // namespace

TEST_CASE("points that are followed have the values of points that are solved") {
  const auto at = [](double c) { return chain(c); };
  const SpectrumBox box{-1, 20, 5, 50};
  const auto [scan, counted, solved] = counted_scan(at, box, range(0, 400, 41), 0);
  CHECK(counted < 6);
  CHECK(solved < 15);
  CHECK(worst_against_alone(scan, at, box) < 1e-10);
  // Every critical value is one: beside it the mode grows on one side only.
  CHECK(!scan.critical.empty());
  for (const CriticalValue& critical : scan.critical)
    for (const double beside : {-1e-6, 1e-6}) {
      const Spectrum spectrum = eigenvalues_in_box_dense(at(critical.value * (1 + beside)), box);
      const auto mode =
          std::min_element(spectrum.pairs.begin(), spectrum.pairs.end(), [&](const auto& a, const auto& b) {
            return std::abs(a.value - std::complex<double>(0, critical.frequency)) <
                   std::abs(b.value - std::complex<double>(0, critical.frequency));
          });
      CHECK(mode->grows() == ((beside > 0) == critical.unstable_above));
    }
}

TEST_CASE("modes that come into the box between two counted points are there from where they come in") {
  // To the left, to the right and back again: what is inside at the end is followed back, what leaves is not.
  const SpectrumBox box{-0.3, 20, 5, 50};
  for (const bool back : {false, true})
    for (const double around : {0.0, 0.25}) {
      const auto at = [](double p) { return chain(40 * p, 0.4 * p, 0.3 * std::sin(4 * p)); };
      const auto [scan, counted, solved] = counted_scan(at, box, back ? range(1, 0, 61) : range(0, 1, 61), around);
      INFO("back ", back, ", around ", around);
      CHECK(counted < 15);
      CHECK(solved < 40);
      CHECK(worst_against_alone(scan, at, box) < 1e-10);
    }
}

TEST_CASE("points so far apart that known vectors do not span what is between are solved") {
  const auto at = [](double c) { return chain(c, 0, 1e-4 * c); };
  const SpectrumBox box{-3, 40, 20, 30};  // few modes, so that their vectors are far from all
  const auto [scan, counted, solved] = counted_scan(at, box, range(0, 400, 13), 0);
  CHECK(solved > 0);
  CHECK(worst_against_alone(scan, at, box) < 1e-10);
}

TEST_CASE("shared work gives the same scan") {
  const auto at = [](double c) { return chain(c); };
  const SpectrumBox box{-1, 20, 5, 50};
  ScanOptions options = range(0, 400, 21);
  options.threads = 1;
  const StabilityScan one = scan_modes(at, dense_in(box), box, options);
  options.threads = 3;
  const StabilityScan three = scan_modes(at, dense_in(box), box, options);
  REQUIRE(one.values.size() == three.values.size());
  CHECK(std::memcmp(one.values.data(), three.values.data(), 16 * static_cast<std::size_t>(one.values.size())) == 0);
  REQUIRE(one.critical.size() == three.critical.size());
  for (std::size_t i = 0; i < one.critical.size(); ++i) CHECK(one.critical[i].value == three.critical[i].value);
}

namespace {

// Oscillators of stiffness k beside others, with λ² + dλ + k = 0.
QuadraticProblem oscillators(const std::vector<double>& damping, const std::vector<double>& stiffness) {
  const auto diagonal = [](const std::vector<double>& x) {
    return Eigen::MatrixXd(
        Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())).asDiagonal());
  };
  return problem_of(diagonal(damping), diagonal(stiffness));
}

}  // namespace

TEST_CASE("real eigenvalues are followed like others, and divergence is found where one passes zero") {
  // λ² + 3λ + 2 - p: real, -1 and -2 at p = 0, zero at p = 2; it oscillates below p = -1/4. Coupled to a chain.
  const auto at = [](double p) {
    QuadraticProblem problem = chain(50);
    problem.damping.coeffRef(0, 0) = 3;
    problem.stiffness.coeffRef(0, 0) = 2 - p;
    problem.stiffness.coeffRef(0, 1) = problem.stiffness.coeffRef(1, 0) = 0;
    return problem;
  };
  const SpectrumBox box{-5, 20, 0, 50};
  for (const int count : {12, 45}) {
    const auto [scan, counted, solved] = counted_scan(at, box, range(-1, 3.03, count), 0.25);
    CHECK(scan.critical_unknown == std::vector<std::string>{});
    const auto divergence = std::find_if(scan.critical.begin(), scan.critical.end(),
                                         [](const CriticalValue& c) { return c.frequency == 0; });
    REQUIRE(divergence != scan.critical.end());
    CHECK(divergence->value == near(2, 1e-11));
    CHECK(divergence->unstable_above);
    CHECK_FALSE(divergence->by_coalescence);
    CHECK(worst_against_alone(scan, at, box) < 1e-10);
  }
}

TEST_CASE("a mode that grows faster than the box has it does not make the sliding stable") {
  // Growth p; the box ends at 2.
  const auto at = [](double p) { return oscillators({-2 * p, 0.1, 0.1}, {100, 150, 400}); };
  const SpectrumBox box{-1, 2, 5, 30};
  const FindModes find = [&](double, const QuadraticProblem& problem, Counting) {
    SpectrumOptions search;
    search.around = 0.25;
    return eigenvalues_in_box_dense(problem, box, search);
  };
  for (const int count : {35, 137}) {
    const StabilityScan scan = scan_modes(at, find, box, range(-0.71, 6.1, count));
    REQUIRE(scan.critical.size() == 1);
    CHECK(std::abs(scan.critical[0].value) < 1e-11);
    long unknown = 0;
    for (std::size_t i = 0; i < scan.parameter.size(); ++i) {
      INFO(count, " points, at ", scan.parameter[i]);
      CHECK(scan.stable[i] == (scan.parameter[i] < 0));
      if (scan.parameter[i] < 2) CHECK(scan.answered[i]);
      unknown += !scan.answered[i];
    }
    CHECK((unknown > 0) == !scan.why.empty());
  }
}

TEST_CASE("a critical value at a point of the sweep is not where two modes meet") {
  const auto at = [](double p) { return oscillators({0.2 - 2 * p, 0.3}, {100, 400}); };
  const SpectrumBox box{-5, 5, 1, 30};
  for (const int count : {3, 11}) {
    const StabilityScan scan = scan_modes(at, dense_in(box), box, range(0, 0.2, count));
    REQUIRE(scan.critical.size() == 1);
    CHECK(scan.critical[0].value == near(0.1, 1e-11));
    CHECK_FALSE(scan.critical[0].by_coalescence);
  }
}

TEST_CASE("modes that grow little above a box that begins just below zero are looked at") {
  const auto at = [](double p) { return oscillators({-2 * (p - 0.03), 0.1}, {100, 400}); };
  const SpectrumBox box{-0.1, 100, 1, 30};
  const StabilityScan scan = scan_modes(at, dense_in(box), box, range(-6, 1.38, 2));
  REQUIRE(scan.critical.size() == 1);
  CHECK(scan.critical[0].value == near(0.03, 1e-11));
}

TEST_CASE("one stiff unknown does not hide errors of modes that are followed") {
  const auto at = [](double c) {
    QuadraticProblem problem = chain(c);
    problem.stiffness.coeffRef(59, 59) = 1e10;
    // Local, so that vectors change with the parameter.
    problem.stiffness.coeffRef(10, 10) += 2 * c;
    problem.stiffness.coeffRef(33, 33) += c;
    return problem;
  };
  const SpectrumBox box{-300, 400, 20, 30};
  for (const double to : {100.0, 400.0, 3000.0}) {
    const auto [scan, counted, solved] = counted_scan(at, box, range(0, to, 12), 0);
    CHECK(worst_against_alone(scan, at, box) < 1e-10);
  }
}

TEST_CASE("a verdict that changes where there is no answer is told, and so is a search that fails") {
  const auto at = [](double p) {
    if (std::abs(p - 0.1) < 0.051) throw InvalidInput("no structure here");
    return oscillators({0.2 - 2 * p, 0.3}, {100, 400});
  };
  const SpectrumBox box{-5, 5, 1, 30};
  const StabilityScan gap = scan_modes(at, dense_in(box), box, range(0, 0.2, 5));
  CHECK(gap.critical.empty());
  REQUIRE(gap.critical_unknown.size() == 1);
  CHECK(gap.critical_unknown[0].find("between 0 and 0.2 it becomes unstable") != std::string::npos);
  // No point of the sweep is there, but the search for the critical value ends there.
  const StabilityScan search = scan_modes(at, dense_in(box), box, range(0, 0.2, 2));
  CHECK(search.answered == std::vector<bool>{true, true});
  CHECK(search.critical.empty());
  REQUIRE(search.critical_unknown.size() == 1);
  CHECK(search.critical_unknown[0].find("no structure here") != std::string::npos);
}
