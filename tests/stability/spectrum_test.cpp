// The dense way to all eigenvalues in a box, and what both ways share: the count, clusters, refusals.
#include "slipset/stability/spectrum.hpp"

#include <doctest/doctest.h>

#include <tuple>

#include "slipset/stability/internal/proof.hpp"
#include "slipset/stability/internal/smooth_log.hpp"
#include "tests/support/near.hpp"
#include "tests/support/quadratic_problems.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// log det of a diagonal problem with these roots and their conjugates: the argument principle on its own.
internal::LogDeterminants determinants_of(const std::vector<Complex>& roots) {
  return [roots](const internal::Points& points) {
    internal::Points logs;
    for (const Complex& point : points) {
      Complex sum = 0;
      for (const Complex& root : roots) {
        sum += std::log(point - root);
        if (root.imag() != 0) sum += std::log(point - std::conj(root));
      }
      logs.emplace_back(sum.real(), std::remainder(sum.imag(), 6.283185307179586));
    }
    return logs;
  };
}

std::vector<internal::Found> listed(const std::vector<Complex>& values) {
  std::vector<internal::Found> found(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) found[i].pair.value = values[i];
  return found;
}

}  // namespace

TEST_CASE("F.1 hidden problems: every eigenvalue in the box, counted") {
  Worst worst;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const KnownProblem known = random_structure(seed, 30, 100);
    const SpectrumBox box{-5, 10, seed % 2 ? 0.0 : 20.0, 70};
    const Spectrum spectrum = eigenvalues_in_box_dense(known.problem, box);
    INFO("seed ", seed, ": ", spectrum.report.reason);
    CHECK(spectrum.report.complete);
    CHECK(spectrum.report.method == SpectrumMethod::dense);
    worst.add(distance(spectrum.pairs, known.in(box)));
    for (const Eigenpair& pair : spectrum.pairs) {
      const Eigen::VectorXcd left = (pair.left.adjoint() * known.problem.stiffness).transpose() +
                                    pair.value * (pair.left.adjoint() * known.problem.damping).transpose() +
                                    pair.value * pair.value * (pair.left.adjoint() * known.problem.mass).transpose();
      CHECK(left.norm() < 1e-10 * 1e4);  // entries of K reach 1e4
      CHECK(pair.backward_error < 1e-12);
      CHECK(pair.rounding < 1e-9);
    }
  }
  CHECK(worst.value() < 1e-11);
}

TEST_CASE("F.1 a chain of masses, also overdamped") {
  const KnownProblem light = chain(60, 2, 5000, 0.3, 1e-4), heavy = chain(40, 1, 100, 0, 0.2);
  const SpectrumBox box{-10, 1, 0, 80}, all{-100, 1, 0, 30};
  const Spectrum a = eigenvalues_in_box_dense(light.problem, box), b = eigenvalues_in_box_dense(heavy.problem, all);
  CHECK(a.report.complete);
  CHECK(b.report.complete);
  CHECK(distance(a.pairs, light.in(box)) < 1e-12);
  CHECK(distance(b.pairs, heavy.in(all)) < 1e-10);
}

TEST_CASE("F.5 multiple eigenvalues are listed as often as they are") {
  HiddenProblem hidden(5);
  for (int i = 0; i < 3; ++i) hidden.add_pair({-1, 20});
  for (int i = 0; i < 2; ++i) hidden.add_pair({0.5, 31});
  hidden.add_pair({0.5, 31 + 1e-6});
  for (int i = 0; i < 2; ++i) hidden.add_state(-7);
  for (int i = 0; i < 20; ++i) hidden.add_pair({-0.1 * i, 40.0 + i});
  const KnownProblem known = hidden.hide();
  const SpectrumBox box{-10, 2, 0, 35};
  const Spectrum spectrum = eigenvalues_in_box_dense(known.problem, box);
  CHECK(spectrum.report.complete);
  REQUIRE(spectrum.pairs.size() == 8);
  CHECK(distance(spectrum.pairs, known.in(box)) < 1e-10);
  CHECK(*spectrum.report.count_proven == 14);  // both of each pair, and two real ones
}

TEST_CASE("F.7 the count has teeth: an eigenvalue that is not listed, or twice, is noticed") {
  const KnownProblem known = random_structure(3, 60, 100);
  const SpectrumBox box{-5, 10, 10, 70};
  for (const SpectrumBox& where : {box, SpectrumBox{-5, 10, 0, 70}}) {
    internal::RootCount count(determinants_of(known.values), 5000);
    SpectrumReport report;
    internal::prove(count, where, listed(known.values), report);
    REQUIRE(report.complete);
    CHECK(report.gaps.empty());
    const int whole = count.determinants();
    CHECK(whole < 60);
    for (std::size_t i = 0; i < known.values.size(); ++i) {
      std::vector<Complex> values = known.values;
      const bool inside = report.proven.contains(values[i]);
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
      SpectrumReport without;
      internal::RootCount again(determinants_of(known.values), 5000);
      internal::prove(again, where, listed(values), without);
      // The contour may be another one without it: then it may be outside.
      const bool seen = without.proven.contains(known.values[i]);
      CHECK(without.complete == !seen);
      if (inside && seen) {
        REQUIRE(!without.gaps.empty());
        bool named = false;
        for (const SpectrumGap& gap : without.gaps)
          named = named || (gap.missing > 0 && gap.where.contains(known.values[i]));
        CHECK(named);
      }
    }
    std::vector<Complex> twice = known.values;
    for (const Complex& value : known.values)
      if (box.contains(value)) {
        twice.push_back(value);
        break;
      }
    SpectrumReport more;
    internal::prove(count, where, listed(twice), more);
    CHECK(!more.complete);
    CHECK(*more.count_proven < *more.count_listed);
  }
}

TEST_CASE("F.9 several missing eigenvalues in one place do not hide each other") {
  const KnownProblem known = random_structure(4, 60, 100);
  for (const double width : {40.0, 2.0, 0.01})  // slender boxes are made wider
    for (int missing = 1; missing <= 6; ++missing) {
      std::vector<Complex> roots = known.values;
      for (int i = 0; i < missing; ++i) roots.push_back({0.3 * width, 41.234 + 1e-3 * i});
      internal::RootCount count(determinants_of(roots), 5000);
      SpectrumReport report;
      internal::prove(count, {-0.5 * width, 0.5 * width, 5, 80}, listed(known.values), report);
      INFO("width ", width, ", missing ", missing);
      CHECK(!report.complete);
      // Two that pass a side of the contour very closely may look like none there, not on the other sides.
      if (report.count_proven) CHECK(*report.count_proven > *report.count_listed);
      if (report.count_proven && width > 1) CHECK(*report.count_proven - *report.count_listed == missing);
    }
}

TEST_CASE("F.9 lists that lack what is beyond the box, and some within: every count is right") {
  int counted = 0, incomplete = 0;
  for (const SpectrumBox& box : {SpectrumBox{-100, 100, 0, 50}, SpectrumBox{-50, 50, 0, 50},
                                 SpectrumBox{-20, 30, 15, 80}, SpectrumBox{-100, 100, 20, 50}})
    for (unsigned seed = 1; seed <= 12; ++seed) {
      const KnownProblem known = random_structure(seed, 150, 100);
      std::mt19937_64 random(seed);
      std::uniform_real_distribution<double> number(0, 1);
      for (int removed = 0; removed <= 3; ++removed) {
        const double beyond = number(random) * (removed % 2 ? 0.65 : 0.15);
        const double across = beyond * (box.growth_to - box.growth_from),
                     up = beyond * (box.frequency_to - box.frequency_from);
        const SpectrumBox searched{box.growth_from - across, box.growth_to + across,
                                   std::max(0.0, box.frequency_from - up), box.frequency_to + up};
        std::vector<Complex> list;
        for (const Complex& value : known.values)
          if (searched.contains(value) || number(random) < 0.1) list.push_back(value);
        for (int i = 0; i < removed; ++i) {
          std::vector<std::size_t> inside;
          for (std::size_t k = 0; k < list.size(); ++k)
            if (box.contains(list[k])) inside.push_back(k);
          const std::size_t which = inside[std::min(
              inside.size() - 1, static_cast<std::size_t>(number(random) * static_cast<double>(inside.size())))];
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(which));
        }
        internal::RootCount count(determinants_of(known.values), 20000);
        const SpectrumBox contour = internal::contour_around(box, list, internal::kMargin);
        const auto outcome = count.missing(contour, list);
        INFO("seed ", seed, ", removed ", removed, ": ", outcome.reason);
        REQUIRE(outcome.missing);
        CHECK(*outcome.missing ==
              internal::count_inside(contour, known.values) - internal::count_inside(contour, list));
        ++counted;
        incomplete += *outcome.missing != 0;
      }
    }
  CHECK(counted == 192);
  CHECK(incomplete > 140);
}

TEST_CASE("F.2 eigenvalues of very different sizes in one box: each as exact as it is alone") {
  // Scalar oscillators m = 1: closed form.
  const auto diagonal = [](const std::vector<double>& values) {
    Eigen::SparseMatrix<double> matrix(static_cast<Eigen::Index>(values.size()),
                                       static_cast<Eigen::Index>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
      matrix.insert(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) = values[i];
    return matrix;
  };
  struct Case {
    std::vector<double> damping, stiffness;
    SpectrumBox box;
  };
  for (const Case& c : {Case{{-0.01, -0.1, 5e11}, {1, 400, 100}, {-1e12, 10, 0, 628}},
                        Case{{0.01, 0.1, 5e7}, {0.01, 4, 100}, {-1e8, 10, 0, 628}},
                        Case{{0, 0, 0}, {1e-6, 4, 1e11}, {-100, 100, 0, 6.3e5}},
                        Case{{0, 0, 0}, {1e-6, 1, 1e12}, {-100, 100, 0, 6.3e7}}}) {
    std::vector<Complex> expected;
    for (std::size_t i = 0; i < 3; ++i) {
      const Complex root = std::sqrt(Complex(c.damping[i] * c.damping[i] / 4 - c.stiffness[i], 0));
      const Complex far = -c.damping[i] / 2 - root, near_zero = c.stiffness[i] / far;  // without cancellation
      for (const Complex& value : {far, near_zero})
        if (value.imag() >= 0 && c.box.contains(value)) expected.push_back(value);
    }
    const Spectrum spectrum =
        eigenvalues_in_box_dense({diagonal({1, 1, 1}), diagonal(c.damping), diagonal(c.stiffness)}, c.box);
    INFO(spectrum.report.reason);
    CHECK(spectrum.report.complete);
    CHECK(spectrum.pairs.size() == expected.size());
    CHECK(distance(spectrum.pairs, expected) < 1e-9);
  }
}

TEST_CASE("F.4 critically damped: a double real eigenvalue with one vector, each listed to its rounding") {
  for (const int n : {1, 3, 6, 30})
    for (unsigned seed = 1; seed <= 8; ++seed) {
      HiddenProblem hidden(seed);
      hidden.add_pair({-10, 0});  // λ² + 20λ + 100; listed once by the helper
      for (int i = 1; i < n; ++i) hidden.add_pair({-1.0 / i, 10.0 * std::sqrt(1 + i)});
      const KnownProblem known = hidden.hide(n > 1 ? 3 : 0);
      const Spectrum spectrum = eigenvalues_in_box_dense(known.problem, {-100, 10, 0, 628});
      int doubles = 0;
      for (const Eigenpair& pair : spectrum.pairs) {
        INFO("n ", n, ", seed ", seed, ": ", pair.value.real(), " + ", pair.value.imag(), "i, rounding ",
             pair.rounding);
        CHECK(pair.backward_error < 1e-12);
        if (std::abs(pair.value + 10.0) > 1e-3) continue;
        ++doubles;
        // The rotations that hide it round every entry some times.
        CHECK(std::abs(pair.value + 10.0) <= std::max(40 * pair.rounding, 1e-12));
        CHECK(std::abs(pair.value + 10.0) < 1e-5);
        CHECK(!pair.grows());
      }
      // Both, or a pair about the axis, of which the upper one is listed.
      CHECK((doubles == 2 || (doubles == 1 && spectrum.pairs.size() == static_cast<std::size_t>(n))));
    }
}

TEST_CASE("F.2 any number that the pencil is inverted about: none of them need be regular") {
  Eigen::SparseMatrix<double> m(1, 1), d(1, 1), k(1, 1);
  m.insert(0, 0) = 1;
  d.insert(0, 0) = -1;
  k.insert(0, 0) = 0.21;
  const Spectrum spectrum = eigenvalues_in_box_dense({m, d, k}, {-1, 2, 0, 1});
  CHECK(spectrum.report.complete);
  CHECK(distance(spectrum.pairs, {Complex(0.3), Complex(0.7)}) < 1e-14);
}

TEST_CASE("a free chain: zero twice, and the others") {
  constexpr int kMasses = 6;
  std::vector<Eigen::Triplet<double>> m, k;
  for (int i = 0; i < kMasses; ++i) {
    m.emplace_back(i, i, 1);
    if (i == 0) continue;
    for (const auto& [row, column, value] :
         {std::tuple{i, i, 100.0}, {i - 1, i - 1, 100.0}, {i, i - 1, -100.0}, {i - 1, i, -100.0}})
      k.emplace_back(row, column, value);
  }
  QuadraticProblem problem;
  for (Eigen::SparseMatrix<double>* matrix : {&problem.mass, &problem.damping, &problem.stiffness})
    matrix->resize(kMasses, kMasses);
  problem.mass.setFromTriplets(m.begin(), m.end());
  problem.stiffness.setFromTriplets(k.begin(), k.end());
  std::vector<Complex> expected = {0, 0};
  for (int j = 1; j < kMasses; ++j) expected.emplace_back(0, 20 * std::sin(j * 3.14159265358979323846 / (2 * kMasses)));
  const Spectrum spectrum = eigenvalues_in_box_dense(problem, {-5, 5, 0, 30});
  REQUIRE(spectrum.pairs.size() == expected.size());
  for (const Eigenpair& pair : spectrum.pairs) CHECK(!pair.grows());
  CHECK(spectrum.report.complete);
  CHECK(distance(spectrum.pairs, expected, 1) < 1e-6);  // a double one with one vector: the root of the rounding
}

TEST_CASE("F.8 magnitudes tell the argument of a function without zeros") {
  std::vector<Complex> points;
  for (int i = 0; i < 80; ++i) points.push_back(std::polar(1.0, 0.0785398 * i) + Complex(3, 2));
  const auto f = [](Complex z) { return 3.0 * std::log(z + 2.0) - std::log(z - Complex(0, 4)); };
  Eigen::VectorXd magnitudes(80);
  for (int i = 0; i < 80; ++i) magnitudes[i] = f(points[static_cast<std::size_t>(i)]).real();
  const internal::SmoothLog g(points, magnitudes, false, 1e-9);
  CHECK(g.worst() < 1e-8);
  const Complex offset = f(points[0]) - g(points[0]);  // an imaginary constant remains free
  CHECK(std::abs(offset.real()) < 1e-8);
  Worst worst;
  for (const Complex& point : points) worst.add(std::abs(f(point) - g(point) - offset));
  CHECK(worst.value() < 1e-7);
}

TEST_CASE("boxes: empty ones, eigenvalues on the edge") {
  const KnownProblem known = chain(30, 1, 1000, 0, 0);
  const Spectrum nothing = eigenvalues_in_box_dense(known.problem, {1, 5, 0, 100});
  CHECK(nothing.report.complete);
  CHECK(nothing.pairs.empty());
  // Undamped: all eigenvalues are on the edge.
  for (const SpectrumBox& box :
       {SpectrumBox{0, 5, 0, 30}, SpectrumBox{-5, 0, 0, 30}, SpectrumBox{-5, 5, 0, known.values[9].imag()}}) {
    const Spectrum edge = eigenvalues_in_box_dense(known.problem, box);
    CHECK(edge.report.complete);
    std::vector<Complex> expected;
    for (const Complex& value : known.values)
      if (value.imag() <= box.frequency_to) expected.emplace_back(0, value.imag());
    CHECK(distance(edge.pairs, expected) < 1e-11);
  }
}

TEST_CASE("units do not matter") {
  Worst worst;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const KnownProblem known = random_structure(seed, 30, 1e4, 8);
    const SpectrumBox box{-500, 1000, 0, 7000};
    const Spectrum spectrum = eigenvalues_in_box_dense(known.problem, box);
    CHECK(spectrum.report.complete);
    worst.add(distance(spectrum.pairs, known.in(box)));
  }
  CHECK(worst.value() < 1e-9);
}

TEST_CASE("what cannot be is refused, with what to do") {
  const KnownProblem known = chain(5, 1, 100, 0, 0);
  const SpectrumBox box{-1, 1, 0, 10};
  const auto refusal = [](const QuadraticProblem& problem, const SpectrumBox& where) -> std::string {
    try {
      eigenvalues_in_box_dense(problem, where);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return {};
  };
  CHECK(refusal(known.problem, box).empty());
  CHECK(refusal(known.problem, {1, 1, 0, 10}).find("larger") != std::string::npos);
  CHECK(refusal(known.problem, {-1, 1, 10, 5}).find("larger") != std::string::npos);
  CHECK(refusal(known.problem, {-1, 1, -1, 5}).find("conjugates") != std::string::npos);
  CHECK(!refusal(known.problem, {-1, std::nan(""), 0, 5}).empty());
  QuadraticProblem wrong = known.problem;
  wrong.damping.resize(4, 4);
  CHECK(refusal(wrong, box).find("damping matrix is 4 x 4") != std::string::npos);
  wrong = known.problem;
  wrong.stiffness.coeffRef(2, 3) = std::nan("");
  CHECK(refusal(wrong, box).find("row 2, column 3") != std::string::npos);
  wrong = known.problem;
  for (Eigen::SparseMatrix<double>* matrix : {&wrong.mass, &wrong.damping, &wrong.stiffness})
    for (int i = 0; i < 5; ++i) matrix->coeffRef(1, i) = 0;
  CHECK(refusal(wrong, box).find("row 1") != std::string::npos);
}
