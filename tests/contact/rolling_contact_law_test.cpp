// One contact with sliding, drilling and rolling: exact, against second methods.
#include "slipset/contact/rolling_contact_law.hpp"

#include <doctest/doctest.h>

#include "slipset/contact/planar_local.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_rolling.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

LocalProblem random_problem(Random& random, const RollingLaw& law, double least) {
  const int n = 1 + law.size();
  LocalProblem p;
  p.delassus = random_rolling_block(random, n, least);
  p.free_velocity.resize(n);
  const double size = random.log_uniform(1e-3, 1e3);
  for (int i = 0; i < n; ++i) p.free_velocity[i] = size * random.uniform(-1, 1);
  if (random.integer(0, 9) > 0) p.free_velocity[0] = -std::abs(p.free_velocity[0]) * random.log_uniform(1e-3, 1e3);
  if (random.integer(0, 2) == 0) p.normal_impulse = random.log_uniform(1e-3, 1e3) * size / p.delassus(1, 1);
  p.reservoir_factor = random.uniform(0.5, 2);
  return p;
}

// Maximum dissipation by gauge and support only; no projection, no own coordinates. Relative to the size of the rates,
// each factor's own: complete, since the parts of a sum that is at its largest are at theirs.
double law_defect(const RollingLaw& law, const LocalProblem& problem, const LocalSolution& s) {
  const Eigen::Index m = law.size();
  const RollingVec t = -s.impulse.tail(m) / (s.impulse[0] * problem.reservoir_factor), v = s.velocity.tail(m);
  const ContactVec sums = problem.free_velocity.cwiseAbs() + problem.delassus.cwiseAbs() * s.impulse.cwiseAbs();
  const double scale = law.support(sums.tail(m)) + 1e-300;
  return std::max(law.gauge(t) - 1, 0.0) + std::abs(law.support(v) - t.dot(v)) / scale;
}

}  // namespace

TEST_CASE("T.6 any law, any block: a solution, to 1e-12 in the residual and by maximum dissipation") {
  Random random(83);
  Worst worst, signorini, dissipation;
  int modes[4] = {}, partial = 0;
  const int samples = std::max(sample_count(), 10000);
  for (int i = 0; i < samples; ++i) {
    const RollingLaw law = random_rolling_law(random);
    // Blocks of condition numbers up to 1e8 and more, one in four.
    const LocalProblem p = random_problem(random, law, i % 4 == 0 ? 1e-4 : i % 4 == 1 ? 1e-2 : 0.5);
    const LocalSolution s = solve_local(RollingContactLaw(law), p);
    ++modes[static_cast<int>(s.mode)];
    const RollingRates rates = rates_of(RollingContactLaw(law), p, s);
    partial += s.mode == ContactMode::slip && law.has_sliding() && law.has_rolling() && rates.slides != rates.rolls;
    const double residual = local_residual(RollingContactLaw(law), p, s.impulse);
    CHECK(s.residual < 1e-12);
    worst.add(residual);
    CHECK((s.velocity - (p.delassus * s.impulse + p.free_velocity)).norm() == 0);
    if (p.normal_impulse) CHECK(s.impulse[0] == *p.normal_impulse);
    if (s.mode == ContactMode::open) {
      CHECK(s.impulse.isZero(0));
      CHECK(s.velocity[0] >= 0);
      continue;
    }
    if (!p.normal_impulse)
      signorini.add(std::abs(s.velocity[0]) /
                    (std::abs(p.free_velocity[0]) + p.delassus.row(0).cwiseAbs().dot(s.impulse.cwiseAbs())));
    dissipation.add(law_defect(law, p, s));
  }
  show_worst("rolling local", "residual", worst.value());
  show_worst("rolling local", "maximum dissipation", dissipation.value());
  CHECK(worst.value() < 1e-12);
  CHECK(dissipation.value() < 1e-11);
  CHECK(signorini.value() < 1e-13);
  CHECK(modes[0] == 0);
  for (int mode = 1; mode < 4; ++mode) CHECK(modes[mode] > 20);
  CHECK(partial > 20);
}

TEST_CASE("the residual has teeth") {
  const RollingLaw law = RollingLaw::contensou(0.3, 0.05, PatchPressure::uniform, PlanarSet(Disk(0.01)));
  Random random(84);
  const LocalProblem p = [&] {
    LocalProblem q = random_problem(random, law, 0.5);
    q.normal_impulse.reset();
    q.free_velocity[0] = -q.free_velocity.norm();
    return q;
  }();
  const LocalSolution s = solve_local(RollingContactLaw(law), p);
  REQUIRE(s.mode == ContactMode::slip);
  for (int i = 0; i < 6; ++i) {
    ContactVec other = s.impulse;
    other[i] *= 1.01;
    CHECK(local_residual(RollingContactLaw(law), p, other) > 1e-5);
  }
  CHECK(local_residual(RollingContactLaw(law), p, ContactVec::Zero(6)) > 0.1);
  ContactVec nan = s.impulse;
  nan[2] = NAN;
  CHECK(std::isnan(local_residual(RollingContactLaw(law), p, nan)));
}

TEST_CASE("projected gradients reach the same impulses") {
  // Given normal impulse, blocks of moderate condition: y ← P(y + r(b - Gy)) from zero, with nothing of Newton in it.
  Random random(85);
  Worst worst;
  for (int i = 0; i < 150; ++i) {
    const RollingLaw law = random_rolling_law(random);
    const int m = law.size();
    LocalProblem p = random_problem(random, law, 1);
    p.delassus += 0.3 * p.delassus.norm() * ContactMat::Identity(m + 1, m + 1);
    const RollingMat &l = law.coordinates(), back = law.inverse_coordinates();
    // The metric of own coordinates, made even: G in own coordinates is then of condition 10 or so.
    p.delassus.bottomRows(m) = ContactMat(back.transpose() * p.delassus.bottomRows(m));
    p.delassus.rightCols(m) = ContactMat(p.delassus.rightCols(m) * back);
    const Eigen::VectorXd own = l.transpose() * p.free_velocity.tail(m);
    p.normal_impulse = random.log_uniform(0.1, 10) * own.norm() / p.delassus(0, 0);
    const RollingMat g = l.transpose() * p.delassus.bottomRightCorner(m, m) * l;
    const RollingVec b = l.transpose() * (p.free_velocity.tail(m) + *p.normal_impulse * p.delassus.col(0).tail(m));
    RollingVec y = RollingVec::Zero(m), next;
    const double step = 1 / g.norm();
    for (int k = 0; k < 20000; ++k) {
      law.project_own(y + step * (b - g * y), *p.normal_impulse * p.reservoir_factor, next, nullptr);
      const double change = (next - y).norm();
      y = next;
      if (change <= 1e-16 * y.norm()) break;
    }
    const LocalSolution s = solve_local(RollingContactLaw(law), p);
    const RollingVec found = -(back * s.impulse.tail(m));
    worst.add((found - y).norm() / (y.norm() + *p.normal_impulse * p.reservoir_factor));
  }
  show_worst("rolling local", "against projected gradients", worst.value());
  CHECK(worst.value() < 1e-12);
}

TEST_CASE("with two components it is the planar contact of solve_planar") {
  Random random(86);
  Worst worst;
  int compared = 0;
  std::optional<RollingLaw> some;
  std::optional<PlanarContactLaw> same;
  for (int i = 0; i < 2000; ++i) {
    if (i % 40 == 0) {
      const double mu = random.log_uniform(0.05, 1.5);
      const Ellipse ellipse(mu, mu * random.uniform(0.2, 1), random.uniform(0, 6));
      some = RollingLaw::product(PlanarSet(ellipse), std::nullopt, std::nullopt);
      same.emplace(associated(ellipse));
    }
    const RollingLaw& law = *some;
    const PlanarContactLaw& planar = *same;
    const LocalProblem p = random_problem(random, law, 0.3);
    PlanarProblem other;
    other.delassus = p.delassus;
    other.free_velocity = p.free_velocity;
    other.normal_impulse = p.normal_impulse;
    other.reservoir_factor = p.reservoir_factor;
    const PlanarAnswer answer = solve_planar(planar, other);
    if (answer.count != 1) continue;  // friction that can press the contact: more than one solution
    const LocalSolution s = solve_local(RollingContactLaw(law), p);
    CHECK(s.mode == answer.chosen.mode);
    // As velocities: impulses themselves differ by the block's condition number times rounding.
    const Vec3 difference = s.impulse - answer.chosen.impulse;
    worst.add((p.delassus * difference).norm() /
              (p.free_velocity.norm() + p.delassus.norm() * answer.chosen.impulse.norm()));
    CHECK(difference.norm() <= 1e-10 * answer.chosen.impulse.norm());
    ++compared;
  }
  show_worst("rolling local", "against solve_planar", worst.value());
  CHECK(compared > 1500);
  CHECK(worst.value() < 1e-12);
}

TEST_CASE("no friction, no component, no pressure, no way out") {
  LocalProblem p;
  p.delassus = ContactMat::Constant(1, 1, 2);
  p.free_velocity = ContactVec::Constant(1, -3);
  CHECK(solve_local(frictionless_law(1), p).impulse[0] == 1.5);
  p.free_velocity[0] = 3;
  CHECK(solve_local(frictionless_law(1), p).mode == ContactMode::open);
  const RollingLaw law = RollingLaw::product(std::nullopt, Interval(0.1), std::nullopt);
  CHECK_THROWS_AS(solve_local(RollingContactLaw(law), p), InvalidInput);
  p.delassus = ContactMat::Zero(2, 2);  // cannot be stopped
  p.free_velocity = ContactVec::Constant(2, -1);
  CHECK(solve_local(RollingContactLaw(law), p).mode == ContactMode::none);
  p.normal_impulse = 1;  // a drive: no mobility, full resistance
  const LocalSolution s = solve_local(RollingContactLaw(law), p);
  CHECK(s.impulse[1] == near(0.1, 1e-12));
  CHECK(s.residual < 1e-15);
  p.delassus = ContactMat::Constant(2, 2, NAN);
  CHECK_FALSE(solve_local(RollingContactLaw(law), p).residual <= 1e-12);
}

TEST_CASE("a local solution allocates nothing") {
  Random random(87);
  std::vector<RollingContactLaw> laws;
  std::vector<LocalProblem> problems;
  for (int i = 0; i < 50; ++i) {
    laws.emplace_back(random_rolling_law(random));
    problems.push_back(random_problem(random, laws.back().law(), 1e-3));
  }
  const std::size_t before = allocations();
  double sum = 0;
  for (std::size_t i = 0; i < laws.size(); ++i) sum += solve_local(laws[i], problems[i]).residual;
  CHECK(allocations() == before);
  CHECK(sum < 1e-10);
}
