// Second ways to the same numbers: 40 digits, differences, nonlinear motion, energy.
#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <boost/multiprecision/cpp_complex.hpp>

#include "slipset/stability/criteria.hpp"
#include "tests/stability/models.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

using Big = boost::multiprecision::cpp_bin_float_50;
using BigComplex = boost::multiprecision::cpp_complex_50;

// The roots of Σ coefficients[k] x^k next to the given ones, by Newton's method in 50 digits.
double worst_root_error(const std::vector<Big>& coefficients, const std::vector<Mode>& modes) {
  REQUIRE(modes.size() + 1 == coefficients.size());
  Worst worst;
  for (const Mode& mode : modes) {
    BigComplex x(mode.value.real(), mode.value.imag());
    for (int i = 0; i < 8; ++i) {
      BigComplex value = 0, slope = 0;
      for (std::size_t k = coefficients.size(); k-- > 0;) {
        slope = slope * x + value;
        value = value * x + BigComplex(coefficients[k]);
      }
      x -= value / slope;
    }
    const BigComplex error = x - BigComplex(mode.value.real(), mode.value.imag());
    worst.add(static_cast<double>(abs(error)) / std::max(static_cast<double>(abs(x)), 1.0));
  }
  return worst.value();
}

std::vector<Big> product(const std::vector<Big>& a, const std::vector<Big>& b) {
  std::vector<Big> c(a.size() + b.size() - 1, Big(0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) c[i + j] += a[i] * b[j];
  return c;
}

std::vector<Big> sum(std::vector<Big> a, const std::vector<Big>& b, const Big& factor) {
  a.resize(std::max(a.size(), b.size()), Big(0));
  for (std::size_t i = 0; i < b.size(); ++i) a[i] += factor * b[i];
  return a;
}

struct Falling {
  Big high, low, vs;
  Big value(const Big& v) const { return low + (high - low) * exp(-(v / vs) * (v / vs)); }
  Big slope(const Big& v) const { return -2 * v / (vs * vs) * (high - low) * exp(-(v / vs) * (v / vs)); }
};

// q̇, u̇, ż of the nonlinear equations, written without the linearisation's code.
VectorX rates(const System& system, const std::optional<LuGre>& lugre, const VectorX& x, SystemAt& at) {
  const Eigen::Index n = system.dofs();
  const VectorX q = x.head(n), u = x.segment(n, n);
  system.evaluate(0, q, u, at);
  VectorX force = at.force, out(x.size());
  for (std::size_t i = 0; i < at.contacts.size(); ++i) {
    const FrictionLaw& law = system.contacts()[i].law->law();
    const Vec2 slip = at.contacts[i].tangents.transpose() * u - at.contacts[i].surface_velocity;
    Vec2 resistance = slip_resistance(law, slip);
    if (lugre) {
      const Vec2 z = x.segment<2>(2 * n + 2 * static_cast<Eigen::Index>(i));
      resistance = bristle_resistance(law, *lugre, slip, z);
      out.segment<2>(2 * n + 2 * static_cast<Eigen::Index>(i)) = bristle_rate(law, *lugre, slip, z);
    }
    force -= at.contacts[i].normal_force * (at.contacts[i].tangents * resistance);
  }
  out.head(n) = u;
  out.segment(n, n) = at.mass.llt().solve(force);
  return out;
}

// How far the nonlinear motion from a small disturbance along the leading mode is from the linear one after
// `time`, relative to the disturbance then.
double nonlinear_error(const System& system, const std::optional<LuGre>& lugre, double time) {
  LinearizeOptions options;
  options.lugre = lugre;
  const LinearSliding s = linearize_sliding(system, options);
  const Mode mode = modes_of(s).front();
  const Eigen::Index n = system.dofs();
  VectorX rest = VectorX::Zero(2 * n + (lugre ? 2 : 0)), start;
  rest.head(n) = s.position;
  if (lugre) rest.tail<2>() = steady_deflection(system.contacts()[0].law->law(), *lugre, s.contacts[0].slip_velocity);
  const auto disturbance = [&](double t) {
    VectorX d = VectorX::Zero(rest.size());
    const Eigen::VectorXcd x = mode.state * std::exp(mode.value * t);
    d.head(2 * n) = x.head(2 * n).real();
    for (Eigen::Index k = 2 * n; k < x.size(); ++k) d[k] = x[k].real();
    return d;
  };
  const double size = 1e-5 * std::exp(-mode.growth_rate() * time);
  VectorX x = rest + size * disturbance(0);
  SystemAt at = sized_for(system);
  const int steps = 4000;
  const double h = time / steps;
  for (int i = 0; i < steps; ++i) {
    const VectorX k1 = rates(system, lugre, x, at), k2 = rates(system, lugre, x + h / 2 * k1, at),
                  k3 = rates(system, lugre, x + h / 2 * k2, at), k4 = rates(system, lugre, x + h * k3, at);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const VectorX expected = size * disturbance(time);
  return (x - rest - expected).norm() / expected.norm();
}

}  // namespace

TEST_CASE("eigenvalues against the characteristic polynomial in 50 digits") {
  const Falling g{6, 4, 5}, mu{Big("0.6"), Big("0.4"), 5};
  Worst worst;
  for (const double v : {1.0, 5.0, 8.0}) {
    for (const double omega : {1.0, 10.0, 100.0}) {
      const Big k = Big(omega) * omega, slope = g.slope(v);
      worst.add(worst_root_error({k, slope, 1}, modes_of(single_mode(omega, v, std::nullopt))));
      for (const double sigma0 : {1.0, 30.0, 1000.0}) {
        // (λ² + k)(λ + a) + σ0·(v/g) g' λ·(1/σ0)·σ0 ... : z = -(v/g) g' λ x/(λ + a), a = σ0 v/g       [H07 7, 8]
        const Big a = Big(sigma0) * v / g.value(v);
        const std::vector<Big> p = sum(product({k, 0, 1}, {a, 1}), {0, a * slope}, 1);
        worst.add(worst_root_error(p, modes_of(single_mode(omega, v, sigma0))));
      }
    }
    const Big m = mu.value(v), k11 = 16, k22 = 25, k12 = -5 + 20 * m, k21 = -5, c("0.1");
    const Big normal = 20 * k11 / (k11 * k22 - k12 * k21);  // -k2 x20 of (14) with F_N = 1
    const std::vector<Big> second = {k22, c, 1};
    worst.add(worst_root_error(sum(product({k11, c + normal * mu.slope(v), 1}, second), {k12 * k21}, -1),
                               modes_of(coupled(falling(0.6, 0.4, 5), v, 0.1, 0.1))));
  }
  show_worst("eigenvalue", "characteristic polynomial", worst.value());
  CHECK(worst.value() < 1e-13);
}

TEST_CASE("B and K against differences of the nonlinear forces; their terms add up") {
  ModeCouplingParameters p;
  p.c1 = 0.3;
  p.belt_speed = 4;
  const ModeCoupling system(shared(falling(0.6, 0.4, 5)), p);
  const LinearSliding s = linearize_sliding(system);
  SystemAt at = sized_for(system);
  const double h = 1e-4;
  for (Eigen::Index k = 0; k < 4; ++k) {
    VectorX x = VectorX::Zero(4);
    x.head(2) = s.position;
    const auto f = [&](double t) { return rates(system, std::nullopt, x + t * VectorX::Unit(4, k), at); };
    const VectorX slope = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
    CHECK((slope - s.system.col(k)).norm() < 1e-8);
  }
  MatrixX damping = MatrixX::Zero(2, 2), stiffness = damping;
  for (const LinearTerm& t : s.terms) {
    damping += t.damping;
    stiffness += t.stiffness;
  }
  CHECK((damping - s.damping).norm() < 1e-14);
  CHECK((stiffness - s.stiffness).norm() < 1e-13);
}

TEST_CASE("the nonlinear motion grows as the linearisation says, for each model") {
  BlockOnBeltParameters block;
  block.belt_speed = 5;
  const BlockOnBelt single(shared(falling(6, 4, 5)), block);
  ModeCouplingParameters p;
  p.belt_speed = 4;
  p.c1 = p.c2 = 0.1;
  const ModeCoupling pair(shared(falling(0.6, 0.4, 5)), p);
  const MassOnBelt plane = belt(50);
  CHECK(nonlinear_error(single, std::nullopt, 20) < 1e-4);
  CHECK(nonlinear_error(single, LuGre{10, 0.01, 0.02}, 20) < 1e-4);
  CHECK(nonlinear_error(pair, std::nullopt, 20) < 1e-4);
  CHECK(nonlinear_error(pair, LuGre{1, 0.02, 0.01}, 20) < 1e-4);
  CHECK(nonlinear_error(plane, std::nullopt, 12) < 1e-4);
  CHECK(nonlinear_error(plane, LuGre{40, 0.01, 0.001}, 12) < 1e-4);
}

TEST_CASE("B.6 contributions add up to the growth rate, and name the culprit") {
  const auto total = [](const LinearSliding& s, const Mode& m) {
    double all = 0;
    for (const Contribution& c : contributions(s, m)) all += c.growth;
    return all;
  };
  const std::vector<std::pair<LinearSliding, Mechanism>> cases = {
      {linearize_sliding(belt(50)), Mechanism::anisotropy},
      {single_mode(1, 5, std::nullopt), Mechanism::characteristic},
      {single_mode(1, 5, 10), Mechanism::bristles},
      {coupled(isotropic(0.6), 1, 0.1, 0.1), Mechanism::mode_coupling}};
  for (const auto& [s, culprit] : cases) {
    for (const Mode& m : modes_of(s))
      if (m.value.imag() != 0) CHECK(std::abs(total(s, m) - m.growth_rate()) < 1e-10);
    const std::vector<Contribution> all = contributions(s, modes_of(s).front());
    REQUIRE(!all.empty());
    CHECK(all.front().mechanism == culprit);
    CHECK(all.front().growth > 0);
  }
}

// A block pressed onto the belt by a unilateral contact: y stays 0, λ_N = F + k12 x, and friction feeds it back.
TEST_CASE("a unilateral contact that stays closed: closed form") {
  const double k1 = 4, k12 = 1.5, load = 7, friction = 0.4;
  LinearContact contact{isotropic(friction), Eigen::MatrixX2d::Zero(2, 2), Vec2(1, 0), 0, VectorX::Unit(2, 1), 0, 0};
  contact.tangents(0, 0) = 1;
  MatrixX mass = MatrixX::Identity(2, 2), stiffness(2, 2);
  mass(0, 1) = mass(1, 0) = 0.2;
  stiffness << k1, k12, k12, 9;
  const LinearSystem system(mass, MatrixX::Zero(2, 2), stiffness, Vec2(0, -load), {contact});
  const LinearSliding s = linearize_sliding(system);
  REQUIRE(s.report.converged);
  // x: k1 x = μ λ_N, λ_N = load + k12 x; dynamics (1 - μ 0.2) ẍ + (k1 - μ k12) x = 0.
  CHECK(s.position[0] == near(friction * load / (k1 - friction * k12), 1e-13));
  CHECK(std::abs(s.position[1]) < 1e-13);
  const std::vector<Mode> modes = modes_of(s);
  REQUIRE(modes.size() == 2);
  CHECK(modes[0].frequency() == near(std::sqrt((k1 - friction * k12) / (1 - friction * 0.2)), 1e-13));
}

TEST_CASE("modes are followed through a crossing, with the same bits on any number of threads") {
  // Two oscillators side by side, the stiffness of one of them scans through that of the other.
  const auto at = [](double k) {
    LinearContact contact{isotropic(0.3), Eigen::MatrixX2d::Identity(2, 2), Vec2(1, 0), 1, {}, 0, 0};
    MatrixX stiffness = MatrixX::Identity(2, 2), damping = MatrixX::Zero(2, 2);
    stiffness(0, 0) = k;
    damping(0, 0) = 0.02;
    damping(1, 1) = -0.25;
    return linearize_sliding(LinearSystem(MatrixX::Identity(2, 2), damping, stiffness, VectorX::Zero(2), {contact}));
  };
  ScanOptions options;
  options.from = 0.5;
  options.to = 2;
  options.count = 101;
  options.threads = 1;
  const StabilityScan one = scan_stability(at, options);
  options.threads = 3;
  const StabilityScan three = scan_stability(at, options);
  CHECK(one.values == three.values);
  for (Eigen::Index k = 0; k < 4; ++k) {
    // Each column is one oscillator: its frequency is either the same at both ends, or has followed √k.
    const double first = one.values(0, k).imag(), last = one.values(100, k).imag();
    const bool fixed = std::abs(first - last) < 1e-6;
    CHECK((fixed || std::abs(last / first - 2) < 1e-3));
    for (Eigen::Index i = 1; i < 101; ++i) REQUIRE(std::abs(one.values(i, k) - one.values(i - 1, k)) < 0.03);
  }
}

TEST_CASE("what has no steady sliding is said") {
  MassOnBeltParameters p;
  p.belt_velocity = Vec2(0, 0);
  CHECK_THROWS_WITH_AS(linearize_sliding(MassOnBelt(isotropic(0.3), p)), doctest::Contains("stands still"),
                       InvalidInput);
  p.belt_velocity = Vec2(1, 0);
  p.stiffness = Mat2::Zero();
  const LinearSliding free = linearize_sliding(MassOnBelt(isotropic(0.3), p));
  CHECK_FALSE(free.report.converged);
  CHECK(free.report.why.find("singular") != std::string::npos);
  p.stiffness = Mat2::Identity();
  CHECK_THROWS_WITH_AS(linearize_sliding(MassOnBelt(two_sign(0.3, 0.2), p)), doctest::Contains("flat side"),
                       InvalidInput);
}
