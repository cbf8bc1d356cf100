#include "slipset/motion/pulled_block.hpp"

#include <doctest/doctest.h>

#include "slipset/core/error.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// ∮ F dx of the closed polygon of rows [first, last], by the shoelace formula.
double loop_area(const std::vector<InterfaceRow>& rows, std::size_t first) {
  double area = 0;
  for (std::size_t i = first; i < rows.size(); ++i) {
    const InterfaceRow &a = rows[i], &b = rows[i + 1 < rows.size() ? i + 1 : first];
    for (int k = 0; k < 2; ++k) area += (b.position[k] * a.force[k] - a.position[k] * b.force[k]) / 2;
  }
  return std::abs(area);
}

// The row at the start of the last cycle of n.
std::size_t last_cycle(const std::vector<InterfaceRow>& rows, double cycles) {
  std::size_t i = 0;
  while (rows[i].way < rows.back().way * (1 - 1 / cycles) - 1e-12 * rows.back().way) ++i;
  return i;
}

}  // namespace

TEST_CASE("a pulled block moves by Eq. 11 for any adhesion tensor, and straight on for isotropic friction") {
  Random random(1);
  Worst worst, straight;
  for (int i = 0; i < sample_count() / 60; ++i) {
    const double mu1 = random.log_uniform(0.1, 1), mu2 = random.log_uniform(0.1, 1), alpha = random.uniform(-1.5, 1.5);
    const Adhesion b(random.log_uniform(1e3, 1e6), random.log_uniform(1e3, 1e6), random.uniform(0, 7));
    const InterfacePathOptions options{.normal_before = 20, .normal_after = 20};
    const double distance = 100 * 20 / b.stiffness().minCoeff();
    const auto run = pull_block(ElasticReturn({associated(Ellipse(mu1, mu2, alpha)), b}), distance, 30, options);
    REQUIRE(run.not_found == 0);
    REQUIRE(run.rows.back().slips);
    const double t = std::tan(alpha);
    const double tangent = (mu2 * mu2 - mu1 * mu1) / (mu2 * mu2 + mu1 * mu1 * t * t) * t;  // [K07 11]
    worst.add(std::abs(std::tan(angle_of_pull(run)) - tangent) / (1 + tangent * tangent));
    CHECK(std::abs(run.rows.back().force.y()) < 1e-10 * 20);
    const auto even = pull_block(ElasticReturn({isotropic(mu1), b}), distance, 30, options);
    straight.add(std::abs(angle_of_pull(even)));
  }
  show_worst("K07 11", "pulled block", worst.value());
  show_worst("K07 11", "isotropic friction", straight.value());
  CHECK(worst.value() < 1e-9);
  CHECK(straight.value() < 1e-9);
}

TEST_CASE("values: case 4 at 45 degrees, exact model and the paper's map") {
  const Adhesion b(0.5e4, 5e4, radians(45));
  const Ellipse f(0.1, 0.5, radians(45));
  const auto run = pull_block(ElasticReturn({associated(f), b}), 0.01, 50, {});
  CHECK(std::abs(degrees(angle_of_pull(run)) - 42.709) < 0.0005);
  CHECK(std::abs(degrees(pull_angle(associated(f))) - 42.709) < 0.0005);
  CHECK(std::abs(degrees(pull_angle_one_step(b, f)) - 30.964) < 0.0005);
  // The map as the paper iterates it, without memory: T2 = 0 at that angle, and the yield condition holds.
  const Vec2 step = 0.01 * unit(pull_angle_one_step(b, f));
  const Vec2 force = konyukhov_one_step(b, f, b.force(step), 2);
  CHECK(std::abs(force.y()) < 1e-14);
  CHECK(std::abs(f.gauge(force) - 2) < 1e-14);
}

// A jump does not get smaller with the increments; what is no jump does.
TEST_CASE("A26 where the rate form has no solution the force jumps, and the path says so") {
  const Adhesion b(50, 1);
  const FrictionLaw jumping(Ellipse(1, 0.5, radians(40)), Disk(1)), steady = associated(Ellipse(1, 0.5, radians(40)));
  const auto largest_change = [&](const FrictionLaw& law, int increments, InterfacePath& run) {
    InterfacePathOptions options;
    options.rule = IncrementRule::implicit;
    run = move_block(ElasticReturn({law, b}), circle_path(3, 1, increments), options);
    Worst largest;
    for (std::size_t i = 1; i < run.rows.size(); ++i) largest.add((run.rows[i].force - run.rows[i - 1].force).norm());
    return largest.value();
  };
  InterfacePath coarse, fine;
  const double before = largest_change(jumping, 4000, coarse), after = largest_change(jumping, 16000, fine);
  CHECK(after > 0.1);
  CHECK(after > 0.8 * before);
  CHECK(fine.jumps > 0);
  CHECK(fine.jumps < 60);  // not a part of the increments
  CHECK(fine.several >= fine.jumps);
  CHECK(largest_change(steady, 16000, fine) < 0.3 * largest_change(steady, 4000, coarse));
  CHECK(coarse.jumps + fine.jumps == 0);
}

TEST_CASE("E.9 hysteresis along an axis: the parallelogram of a spring and a slider") {
  const double k = 3e4, mu = 0.4, n = 10, amplitude = 1e-3;
  const ElasticReturn interface({associated(Ellipse(mu, 0.2)), Adhesion(k, 1e4)});
  for (const int increments : {7, 40, 400}) {
    InterfacePathOptions options{.normal_before = n, .normal_after = n};
    for (const IncrementRule rule : {IncrementRule::implicit, IncrementRule::midpoint}) {
      options.rule = rule;
      const auto run = move_block(interface, back_and_forth_path(amplitude, 0, 3, increments), options);
      const std::size_t first = last_cycle(run.rows, 3);
      const double area = 4 * mu * n * (amplitude - mu * n / k);
      const double lost = run.rows.back().dissipated - run.rows[first].dissipated;
      CHECK(std::abs(lost / area - 1) < 1e-10);
      CHECK(std::abs(loop_area(run.rows, first) / area - 1) < 1e-10);
    }
  }
}

TEST_CASE("E.9 over a closed path the dissipated energy is the loop's area") {
  Random random(3);
  for (int i = 0; i < sample_count() / 150; ++i) {
    const ElasticReturn interface(
        {random_law(random), Adhesion(random.uniform(1, 9), random.uniform(1, 9), random.uniform(0, 7))});
    const double size = random.uniform(0.5, 2);
    const bool circle = random.coin();
    const int turns = 4;
    const auto path =
        circle ? circle_path(size, turns, 180) : figure_eight_path(size, random.uniform(0, 7), turns, 180);
    const auto run = move_block(interface, path, {});
    if (run.not_found > 0 || run.several > 0) continue;
    const InterfaceRow& end = run.rows.back();
    CHECK(std::abs(end.work - end.dissipated - end.stored) < 1e-12 * (1 + end.work));
    const std::size_t first = last_cycle(run.rows, turns);
    if ((run.rows[first].force - end.force).norm() > 1e-11) continue;  // not yet periodic
    const double lost = end.dissipated - run.rows[first].dissipated;
    CHECK(lost > 0);
    CHECK(std::abs(loop_area(run.rows, first) / lost - 1) < 1e-10);
  }
}

TEST_CASE("elastic energy is recovered on unloading") {
  const ElasticReturn interface({associated(Ellipse(0.5, 0.3, 0.3)), Adhesion(4, 9, 1)});
  const auto run = move_block(interface, back_and_forth_path(0.02, 0.6, 1, 40), {});
  CHECK(std::abs(run.rows[10].stored) > 1e-4);
  CHECK(run.rows.back().dissipated == 0);
  CHECK(std::abs(run.rows.back().work) < 1e-16);
  CHECK(run.rows.back().force.norm() < 1e-14);
}

TEST_CASE("a falling normal force lets a loaded block slip in place; wrong input is refused") {
  const ElasticReturn interface({associated(Ellipse(0.5, 0.3, 0.3)), Adhesion(4, 9, 1)});
  InterfacePathOptions options{.normal_before = 2, .normal_after = 0.5};
  options.start_force = Vec2(0.4, 0.3);
  const std::vector<Vec2> still(50, Vec2::Zero());
  const auto run = move_block(interface, still, options);
  CHECK(run.rows.back().slips);
  CHECK(std::abs(interface.interface().law().reservoir().gauge(run.rows.back().force) - 0.5) < 1e-12);
  CHECK(std::abs(run.rows.back().dissipated - (run.rows.front().stored - run.rows.back().stored)) < 1e-14);
  CHECK(run.rows.back().dissipated > 0);
  options.start_force = Vec2(4, 0);
  CHECK_THROWS_AS(move_block(interface, still, options), InvalidInput);
  CHECK_THROWS_AS(pull_block(interface, 1, 0, {}), InvalidInput);
  CHECK_THROWS_AS(move_block(interface, {}, {}), InvalidInput);
}
