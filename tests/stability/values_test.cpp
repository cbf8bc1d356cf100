// Numbers of the literature, computed independently by two methods; every digit is good.
#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include "slipset/stability/criteria.hpp"
#include "tests/stability/models.hpp"
#include "tests/support/near.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

double nonzero_eigenvalue(const LinearSliding& s) { return s.damping.trace(); }

// Half a unit of the last digit.
void check_digits(double computed, double known, double unit) { CHECK(std::abs(computed - known) <= 0.51 * unit); }

}  // namespace

TEST_CASE("mass on a belt with two ellipses [WL19 Fig. 16]") {
  const LinearSliding s = linearize_sliding(belt(50));
  check_digits(s.position[0], 20.2015502054, 1e-10);
  check_digits(s.position[1], 2.6750300037, 1e-10);
  check_digits(nonzero_eigenvalue(s), -0.7638547483875, 1e-13);
  const std::vector<Mode> modes = modes_of(s);
  REQUIRE(modes.size() == 4);
  check_digits(modes[0].value.real(), 0.3819273741938, 1e-13);
  check_digits(modes[0].value.imag(), 0.9241923397440, 1e-13);
  CHECK(modes[1].value == std::conj(modes[0].value));
  CHECK(std::abs(modes[2].value.real()) < 1e-14);
  CHECK(std::abs(modes[2].value.imag()) == near(1, 1e-14));
  CHECK_FALSE(is_stable(modes));
  const std::vector<std::pair<double, double>> known = {
      {0, 1.924501}, {40, 0.368640}, {70, -8.711887}, {90, 102.050408}, {130, 5.550351}};
  for (const auto& [angle, value] : known)
    check_digits(nonzero_eigenvalue(linearize_sliding(belt(angle))), value, 1e-6);
}

TEST_CASE("the criteria at the belt") {
  const MassOnBelt unstable = belt(50), quiet = belt(20);
  const Criteria yes = criteria_of(unstable, linearize_sliding(unstable));
  CHECK(yes.trace.verdict == Statement::unstable);
  CHECK(yes.theorem2.verdict == Statement::unstable);
  CHECK(yes.theorem1.verdict == Statement::none);
  CHECK(yes.tangent_cone);
  const Criteria no = criteria_of(quiet, linearize_sliding(quiet));
  CHECK(no.trace.verdict == Statement::none);
  CHECK(no.theorem2.verdict == Statement::none);
  CHECK_FALSE(no.tangent_cone);
  CHECK(is_stable(modes_of(linearize_sliding(quiet))));  // ±i is not growth
}

TEST_CASE("single mode [H07 Fig. 3]") {
  check_digits(growth(single_mode(1, 5, std::nullopt)), 0.14715178, 1e-8);
  check_digits(growth(single_mode(1, 5, 1000)), 0.14711065, 1e-8);
  check_digits(growth(single_mode(10, 5, 1000)), 0.14709760, 1e-8);
  check_digits(growth(single_mode(100, 5, 1000)), 0.14580387, 1e-8);
  check_digits(growth(single_mode(1, 5, 1)), 0.07630970, 1e-8);
  check_digits(growth(single_mode(1, 5, 10)), 0.14208622, 1e-8);
  check_digits(growth(single_mode(1, 5, 100)), 0.14673081, 1e-8);
  CHECK(modes_of(single_mode(1, 5, 100)).size() == 3);  // one deflection: the contact moves along one axis
}

TEST_CASE("mode coupling: where it begins [H07 Fig. 5]") {
  const auto critical = [](double c1, double c2, double to) {
    ScanOptions options;
    options.from = 0.1;
    options.to = to;
    options.count = 50;
    const StabilityScan scan = scan_stability([&](double mu) { return coupled(isotropic(mu), 1, c1, c2); }, options);
    REQUIRE(scan.critical.size() == 1);
    CHECK(scan.critical[0].unstable_above);
    return scan.critical[0];
  };
  const CriticalValue undamped = critical(0, 0, 0.7);
  CHECK(undamped.by_coalescence);
  CHECK(std::abs(undamped.value - 0.4525) < 1e-10);  // 2 (k1 - k2)² = ... exact: (K11 - K22)²/4 = -K12 K21
  CHECK(undamped.frequency == near(4.5276926, 1e-5));
  check_digits(critical(0.1, 0.1, 0.7).value, 0.45455, 1e-5);
  check_digits(critical(0.4, 0.1, 0.7).value, 0.38888, 1e-5);
}

TEST_CASE("mode coupling with a falling characteristic and with LuGre: critical speeds [H07 Figs. 6, 8]") {
  const auto critical = [](double velocity, std::optional<double> sigma0) {
    ScanOptions options;
    options.from = 0.5;
    options.to = 20;
    options.count = 79;
    const FrictionLaw law = falling(0.6, 0.4, velocity);
    const StabilityScan scan = scan_stability([&](double v) { return coupled(law, v, 0.1, 0.1, sigma0); }, options);
    REQUIRE(scan.critical.size() == 1);
    CHECK_FALSE(scan.critical[0].unstable_above);
    return scan.critical[0].value;
  };
  check_digits(critical(10, std::nullopt), 11.4550885, 1e-7);
  check_digits(critical(2, std::nullopt), 2.5116050, 1e-7);
  check_digits(critical(5, 1), 5.734074, 1e-6);
  check_digits(growth(coupled(falling(0.6, 0.4, 5), 5, 0.1, 0.1, 1)), 0.109618829, 1e-9);
  check_digits(growth(coupled(falling(0.6, 0.4, 5), 5, 0.1, 0.1, 0.01)), 0.109834449, 1e-9);
}

TEST_CASE("critical angles of the belt") {
  ScanOptions options;
  options.from = 0;
  options.to = 180;
  options.count = 91;
  const StabilityScan scan = scan_stability([](double angle) { return linearize_sliding(belt(angle)); }, options);
  REQUIRE(scan.critical.size() == 2);
  CHECK(std::abs(scan.critical[0].value - 44.105834691474) < 1e-10);
  CHECK(std::abs(scan.critical[1].value - 75.894165308526) < 1e-10);
  CHECK(scan.critical[0].unstable_above);
  CHECK_FALSE(scan.critical[1].unstable_above);
  // Away from the angles where two modes meet, the mode along the belt's velocity (±i) and the other never swap:
  // between 80 and 180 degrees two columns stay at ±i, though the others pass from real to complex.
  options.from = 80;
  options.count = 401;
  const StabilityScan beyond = scan_stability([](double angle) { return linearize_sliding(belt(angle)); }, options);
  int staying = 0;
  for (Eigen::Index k = 0; k < 4; ++k)
    staying += (beyond.values.col(k).array() - beyond.values(0, k)).abs().maxCoeff<Eigen::PropagateNaN>() < 1e-6;
  CHECK(staying == 2);
}

// [WL19] says that collinear laws cannot destabilise; that holds for M = m I on springs K = k I only.
TEST_CASE("a collinear law with masses 1 and 16 grows, with equal masses it does not") {
  const auto at = [](double heavy) {
    LinearContact contact{
        collinear(Ellipse(3, 1, radians(45))), Eigen::MatrixX2d::Identity(2, 2), unit(radians(28.5)), 1, {}, 0, 0};
    MatrixX mass = MatrixX::Identity(2, 2);
    mass(1, 1) = heavy;
    const LinearSystem system(mass, MatrixX::Zero(2, 2), MatrixX::Identity(2, 2), VectorX::Zero(2), {contact});
    return modes_of(linearize_sliding(system));
  };
  CHECK(is_stable(at(1)));
  CHECK(std::abs(at(16).front().growth_rate() - 0.3688) < 5e-5);  // errata: +0.3688
}
