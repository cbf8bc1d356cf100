// The sparse way to all eigenvalues in a box, against known ones and against the dense way. Under mpirun, too.
#include <doctest/doctest.h>

#include "slipset/stability/spectrum/internal/shifted_matrix.hpp"
#include "slipset/stability/spectrum/internal/team.hpp"
#include "slipset/stability/spectrum/parallel.hpp"
#include "slipset/stability/spectrum/sparse_spectrum.hpp"
#include "tests/support/near.hpp"
#include "tests/support/quadratic_problems.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

const SpectrumOptions kSparse{.method = SpectrumMethod::sparse};

}  // namespace

TEST_CASE("F.3 hidden problems: every eigenvalue in the box, counted") {
  Worst worst;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const KnownProblem known = random_structure(seed, 150, 1000);
    const SpectrumBox box{-20, 30, seed % 2 ? 0.0 : 150.0, 800};
    const Spectrum spectrum = eigenvalues_in_box(known.problem, box, kSparse);
    INFO("seed ", seed, ": ", spectrum.report.reason);
    CHECK(spectrum.report.complete);
    CHECK(spectrum.report.method == SpectrumMethod::sparse);
    worst.add(distance(spectrum.pairs, known.in(box)));
    for (const Eigenpair& pair : spectrum.pairs) {
      CHECK(pair.backward_error < 1e-12);
      CHECK(pair.right.norm() == near(1, 1e-12));
      CHECK(pair.left.norm() == near(1, 1e-12));
    }
  }
  CHECK(worst.value() < 1e-11);
}

TEST_CASE("F.3 few eigenvalues per shift: many shifts, the same list") {
  const KnownProblem known = random_structure(7, 150, 1000);
  const SpectrumBox box{-20, 30, 0, 800};
  SpectrumOptions few = kSparse;
  few.eigenvalues_per_shift = 8;
  const Spectrum spectrum = eigenvalues_in_box(known.problem, box, few);
  CHECK(spectrum.report.complete);
  CHECK(spectrum.report.shifts.size() > 5);
  CHECK(distance(spectrum.pairs, known.in(box)) < 1e-11);
}

TEST_CASE("F.3 a wide box") {
  const SpectrumBox box{-100, 100, 0, 50};
  SpectrumOptions few = kSparse;
  few.eigenvalues_per_shift = 15;
  for (const unsigned seed : {8u, 20u, 21u, 23u, 24u}) {
    const KnownProblem known = random_structure(seed, 150, 100);
    const Spectrum spectrum = eigenvalues_in_box(known.problem, box, few);
    INFO("seed ", seed, ": ", spectrum.report.reason);
    CHECK(spectrum.report.complete);
    CHECK(distance(spectrum.pairs, known.in(box)) < 1e-10);
  }
}

TEST_CASE("factors: after a singular matrix the next one is factorised") {
  HiddenProblem hidden(3);
  for (int i = 1; i <= 6; ++i) hidden.add_pair({0, std::sqrt(static_cast<double>(i))});
  const KnownProblem known = hidden.hide(0);
  const internal::Team team(std::numeric_limits<int>::max());
  internal::ShiftedMatrix matrix(known.problem, team.group(), 1);
  const auto logs = [&](Complex at) {
    Complex sum = 0;
    for (int i = 1; i <= 6; ++i) sum += std::log(at * at + static_cast<double>(i));
    return sum;
  };
  // Rows and columns are scaled: determinants up to a constant factor.
  REQUIRE(matrix.factorise({0.1, 0.5}));
  const Complex factor = matrix.log_determinant() - logs({0.1, 0.5});
  CHECK(!matrix.factorise({0, 1}));
  for (const Complex at : {Complex(0.1, 0.5), Complex(0.3, 0.3), Complex(-1, 2)}) {
    REQUIRE(matrix.factorise(at));
    const Complex off = matrix.log_determinant() - logs(at) - factor;
    CHECK(std::abs(std::exp(off) - 1.0) < 1e-12);
  }
}

TEST_CASE("eigenvalues near a shift: the nearest ones, and all within the radius") {
  const KnownProblem known = chain(200, 2, 5000, 0.3, 1e-4);
  const Complex shift(1, 40);
  const NearestEigenvalues nearest = eigenvalues_near(known.problem, shift, 20);
  REQUIRE(nearest.values.size() >= 20);
  std::vector<Complex> all = known.values;
  for (const Complex& value : known.values) all.push_back(std::conj(value));
  std::sort(all.begin(), all.end(), [&](Complex a, Complex b) { return std::abs(a - shift) < std::abs(b - shift); });
  for (std::size_t i = 0; i < 20; ++i) CHECK(std::abs(nearest.values[i] - all[i]) < 1e-8 * std::abs(all[i]));
  CHECK(nearest.radius >= std::abs(all[19] - shift) * (1 - 1e-8));
  CHECK_THROWS_AS(eigenvalues_near(known.problem, 0, 20), InvalidInput);
  CHECK_THROWS_AS(eigenvalues_near(known.problem, {NAN, 1}, 20), InvalidInput);
  CHECK_THROWS_AS(eigenvalues_near(known.problem, shift, 200), InvalidInput);
  SpectrumOptions negative = kSparse;
  negative.searches = -1;
  CHECK_THROWS_AS(eigenvalues_in_box(known.problem, {-1, 1, 0, 1}, negative), InvalidInput);
}

TEST_CASE("the sparse way and the dense way agree") {
  const KnownProblem known = random_structure(9, 80, 5000, 4);
  const SpectrumBox box{-100, 300, 100, 4000};
  const Spectrum sparse = eigenvalues_in_box(known.problem, box, kSparse),
                 dense = eigenvalues_in_box_dense(known.problem, box);
  CHECK(sparse.report.complete);
  CHECK(dense.report.complete);
  REQUIRE(sparse.pairs.size() == dense.pairs.size());
  for (std::size_t i = 0; i < sparse.pairs.size(); ++i) {
    const Eigenpair &a = sparse.pairs[i], &b = dense.pairs[i];
    CHECK(std::abs(a.value - b.value) <= 1e-9 * std::abs(b.value));
    CHECK(std::abs(a.right.dot(b.right)) == near(1, 1e-7));
    CHECK(std::abs(a.left.dot(b.left)) == near(1, 1e-7));
    CHECK(a.rounding == near(b.rounding, 1e-3));
    CHECK(a.condition == near(b.condition, 1e-3));
  }
  // Small problems take the dense way by themselves.
  const KnownProblem small = random_structure(10, 20, 100);
  CHECK(eigenvalues_in_box(small.problem, {-5, 5, 0, 80}).report.method == SpectrumMethod::dense);
}

TEST_CASE("F.5 multiple eigenvalues, close ones, one with a single vector") {
  HiddenProblem hidden(11);
  for (int i = 0; i < 3; ++i) hidden.add_pair({-1, 200});
  for (int i = 0; i < 2; ++i) hidden.add_pair({0.5, 310});
  hidden.add_pair({0.5, 310 + 1e-5});
  for (int i = 0; i < 2; ++i) hidden.add_state(-7);
  for (int i = 0; i < 120; ++i) hidden.add_pair({-0.1 * i, 40.0 + 5.1 * i});
  const KnownProblem known = hidden.hide();
  const SpectrumBox box{-10, 2, 0, 350};
  const Spectrum spectrum = eigenvalues_in_box(known.problem, box, kSparse);
  INFO(spectrum.report.reason);
  CHECK(spectrum.report.complete);
  CHECK(distance(spectrum.pairs, known.in(box)) < 1e-10);

  HiddenProblem single(12);
  single.add_defective({-1, 200}, 1e4);
  for (int i = 0; i < 120; ++i) single.add_pair({-0.1 * i, 40.0 + 5.1 * i});
  const KnownProblem defective = single.hide();
  const Spectrum found = eigenvalues_in_box(defective.problem, box, kSparse);
  INFO(found.report.reason);
  CHECK(found.report.complete);
  // It moves with the root of a rounding error.
  CHECK(distance(found.pairs, defective.in(box)) < 1e-6);
}

TEST_CASE("boxes: empty ones, eigenvalues on the edge") {
  const KnownProblem known = chain(200, 1, 1e6, 0, 0);
  const Spectrum nothing = eigenvalues_in_box(known.problem, {1, 5, 0, 1500}, kSparse);
  CHECK(nothing.report.complete);
  CHECK(nothing.pairs.empty());
  for (const SpectrumBox& box :
       {SpectrumBox{0, 5, 0, 500}, SpectrumBox{-5, 0, 0, 500}, SpectrumBox{-5, 5, 100, known.values[40].imag()}}) {
    const Spectrum edge = eigenvalues_in_box(known.problem, box, kSparse);
    INFO(edge.report.reason);
    CHECK(edge.report.complete);
    std::vector<Complex> expected;
    for (const Complex& value : known.values)
      if (value.imag() <= box.frequency_to && value.imag() >= box.frequency_from)
        expected.emplace_back(0, value.imag());
    CHECK(distance(edge.pairs, expected) < 1e-10);
  }
}

TEST_CASE("free bodies: eigenvalues at zero") {
  // Two chains that are held nowhere: λ = 0 four times, twice with one vector each.
  KnownProblem known = chain(200, 1, 1e6, 0, 0);
  for (const int end : {0, 99, 100, 199}) known.problem.stiffness.coeffRef(end, end) = 1e6;
  known.problem.stiffness.coeffRef(99, 100) = known.problem.stiffness.coeffRef(100, 99) = 0;
  const Spectrum spectrum = eigenvalues_in_box(known.problem, {-5, 5, 0, 200}, kSparse);
  INFO(spectrum.report.reason);
  CHECK(spectrum.report.complete);
  std::vector<Complex> expected;
  for (int j = 1; j < 100; ++j) {
    const double frequency = 2e3 * std::sin(j * 3.14159265358979323846 / 200);
    if (frequency <= 200) expected.insert(expected.end(), 2, Complex(0, frequency));
  }
  std::vector<Eigenpair> away;
  int real = 0, pairs = 0;
  for (const Eigenpair& pair : spectrum.pairs) {
    if (std::abs(pair.value) > 1)
      away.push_back(pair);
    else
      ++(pair.value.imag() == 0 ? real : pairs);
  }
  CHECK(real + 2 * pairs == 4);
  CHECK(distance(away, expected) < 1e-9);
}

TEST_CASE("units do not matter") {
  Worst worst;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const KnownProblem known = random_structure(seed, 150, 1e4, 8);
    const SpectrumBox box{-500, 1000, 0, 7000};
    const Spectrum spectrum = eigenvalues_in_box(known.problem, box, kSparse);
    INFO(spectrum.report.reason);
    CHECK(spectrum.report.complete);
    worst.add(distance(spectrum.pairs, known.in(box)));
  }
  CHECK(worst.value() < 1e-9);
}

TEST_CASE("F.7 what Krylov spaces miss is found out, and searched") {
  // From one vector a Krylov space sees one copy of an eigenvalue, and others through rounding errors only.
  HiddenProblem hidden(13);
  for (int i = 0; i < 9; ++i) hidden.add_pair({3, 400});
  for (int i = 0; i < 150; ++i) hidden.add_pair({-0.1 * i, 10 + 6.2 * i});
  const KnownProblem known = hidden.hide();
  const SpectrumBox box{-12, 30, 0, 800};
  SpectrumOptions options = kSparse;
  options.searches = 10;
  const Spectrum searched = eigenvalues_in_box(known.problem, box, options);
  INFO(searched.report.reason);
  CHECK(searched.report.complete);
  CHECK(distance(searched.pairs, known.in(box)) < 1e-10);
}

TEST_CASE("F.7 a list that is not complete says so") {
  const KnownProblem known = random_structure(13, 60, 1000);
  const SpectrumBox box{-20, 30, 0, 800};
  SpectrumOptions one = kSparse;
  one.most_shifts = 1;
  one.eigenvalues_per_shift = 10;
  one.searches = 0;
  const Spectrum part = eigenvalues_in_box(known.problem, box, one);
  CHECK(!part.report.complete);
  CHECK(part.report.reason.find("1 shifts did not cover the box") != std::string::npos);
  REQUIRE(part.report.count_proven);
  CHECK(*part.report.count_proven > *part.report.count_listed);
  CHECK(part.report.gaps.size() == 1);
  CHECK(part.pairs.size() < known.in(box).size());
}

TEST_CASE("progress is told, and it can be stopped") {
  const KnownProblem known = random_structure(14, 150, 1000);
  SpectrumOptions options = kSparse;
  options.eigenvalues_per_shift = 8;
  int calls = 0, last = 0;
  options.progress = [&](const SpectrumProgress& progress) {
    ++calls;
    last = progress.shifts;
  };
  options.stop = [&] { return last >= 2; };
  const Spectrum spectrum = eigenvalues_in_box(known.problem, {-20, 30, 0, 800}, options);
  CHECK(spectrum.report.stopped);
  CHECK(!spectrum.report.complete);
  CHECK(spectrum.report.reason.find("stopped") != std::string::npos);
  if (is_first_rank()) CHECK(calls >= 1);
}

TEST_CASE("what cannot be is refused, with what to do") {
  // Two equal rows: singular for every λ.
  KnownProblem known = chain(200, 1, 1e6, 0, 0);
  for (Eigen::SparseMatrix<double>* matrix : {&known.problem.mass, &known.problem.damping, &known.problem.stiffness})
    for (int i = 0; i < 200; ++i) matrix->coeffRef(7, i) = matrix->coeff(8, i);
  CHECK_THROWS_WITH_AS(eigenvalues_in_box(known.problem, {-1, 1, 0, 100}, kSparse), doctest::Contains("singular"),
                       InvalidInput);
  SpectrumOptions wrong = kSparse;
  wrong.tolerance = 1;
  CHECK_THROWS_AS(eigenvalues_in_box(chain(200, 1, 1, 0, 0).problem, {-1, 1, 0, 1}, wrong), InvalidInput);
}
