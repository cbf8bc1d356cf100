// The fast way of contacts with sliding, drilling and rolling against the careful one.
#include "slipset/contact/internal/rolling_newton.hpp"

#include <doctest/doctest.h>

#include "slipset/contact/internal/prepared_general.hpp"
#include "slipset/contact/internal/prepared_rolling.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_rolling.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// Condition numbers to 1e4; with its normal impulse given or hardly coupled to friction a contact has one solution.
struct Case {
  RollingContactLaw law;
  LocalBlock block;
  ContactVec c;
  Contact contact;
};

Case random_case(Random& random, const RollingLaw& law, bool given) {
  Case one{RollingContactLaw(law), {}, {}, {}};
  const int n = one.law.rows();
  one.block = {random_rolling_block(random, n, 0.1), 0, {}, {}};
  ContactMat& g = one.block.g;
  if (!given)
    for (int k = 1; k < n; ++k) g(0, k) = g(k, 0) = 0.2 / n * random.uniform(-1, 1) * std::sqrt(g(0, 0) * g(k, k));
  g.diagonal() *= 1.1;
  one.block.mobility = g.trace() / n;
  one.law.prepare(one.block);
  one.c.resize(n);
  for (int k = 0; k < n; ++k) one.c[k] = random.uniform(-1, 1) * random.log_uniform(0.03, 1) * std::sqrt(g(k, k));
  one.c[0] = -std::abs(one.c[0]);
  if (given) one.contact.normal_impulse = random.log_uniform(0.1, 10) * std::abs(one.c[0]) / g(0, 0);
  one.contact.reservoir_factor = random.uniform(0.5, 2);
  return one;
}

// No impulse, the solution of another contact, or the own one a little off.
ContactVec random_guess(Random& random, const ContactVec& solution) {
  ContactVec guess = ContactVec::Zero(solution.size());
  const int choice = random.integer(0, 2);
  if (choice == 0) return guess;
  for (Eigen::Index k = 0; k < guess.size(); ++k)
    guess[k] = choice == 1 ? random.uniform(-1, 1) * solution.norm() : solution[k] * random.uniform(0.9, 1.1);
  guess[0] = std::abs(guess[0]);
  return guess;
}

RollingLaw six_rows(Random& random) {
  const auto length = [&] { return random.log_uniform(1e-3, 1); };
  switch (random.integer(0, 2)) {
    case 0: return RollingLaw::product(PlanarSet(Ellipse(0.6, 0.3, 0.3)), Interval(length(), length()), Disk(length()));
    case 1: return RollingLaw::contensou(0.4, length(), PatchPressure::hertz, PlanarSet(Rectangle(0.1, 0.05)));
    default: return RollingLaw::ellipsoid({Vec2(0.4, 0.2), 0.2, length(), Vec2(length(), length()), 0.1});
  }
}

}  // namespace

TEST_CASE("T.8 from any guess and in every mode: what the careful way finds") {
  Random random(311);
  Worst worst;
  int modes[8] = {}, solved = 0, samples = 0;
  for (int i = 0; i < 8000; ++i) {
    const bool product = i % 2 == 0;
    const RollingLaw law = product ? RollingLaw::product(Disk(0.5), Interval(0.1, 0.2), Ellipse(0.2, 0.1, 0.4))
                                   : random_rolling_law(random);
    const Case one = random_case(random, law, i % 3 == 0);
    LocalState careful, fast;
    careful.impulse = ContactVec::Zero(one.law.rows());
    REQUIRE(one.law.solve_carefully(one.contact, one.block, one.c, 1e-14, careful));
    fast.impulse = random_guess(random, careful.impulse);
    REQUIRE(one.law.solve(one.contact, one.block, one.c, 1e-12, fast));
    worst.add((fast.velocity - careful.velocity).norm() / (one.c.norm() + (one.block.g * careful.impulse).norm()));
    CHECK(fast.mode == careful.mode);
    CHECK((fast.velocity - (one.block.g * fast.impulse + one.c)).norm() <= 1e-14 * one.c.norm());
    if (!product) continue;
    // Newton's method itself, and which parts slip.
    const RollingFactors factors(law);
    const auto steps = internal::rolling_steps(factors, one.block.g);
    using Newton = internal::RollingNewton<2, 1, 2>;
    REQUIRE(Newton::fits(factors));
    Newton newton(law, factors, one.block.g.data(), steps, one.contact);
    Newton::Vec p = random_guess(random, careful.impulse), u;
    ++samples;
    solved += newton.solve(one.contact, one.c, 1e-12, p, u);
    const auto moves = [&](int first, int size) {
      return internal::part_norm(careful.velocity, first, size) > 1e-9 * one.c.norm() ? 1 : 0;
    };
    ++modes[moves(1, 2) + 2 * moves(3, 1) + 4 * moves(4, 2)];
  }
  show_worst("rolling newton", "against the careful way", worst.value());
  show_worst("rolling newton", "share solved", 1.0 * solved / samples);
  CHECK(worst.value() < 1e-10);
  CHECK(solved > 0.8 * samples);  // half of the guesses are far off
  for (const int count : modes) CHECK(count > 40);
}

TEST_CASE("contacts of six rows: the same as of any rows, in the same coordinates") {
  Random random(312);
  Worst worst, tangents;
  for (int i = 0; i < 1500; ++i) {
    Case one = random_case(random, six_rows(random), i % 3 == 0);
    one.contact.law = &one.law;
    REQUIRE(internal::PreparedRolling::suits(one.contact));
    const internal::PreparedRolling fixed(one.contact, 6);
    const internal::PreparedGeneral any(one.contact, 6);
    const ContactVec x = one.c;
    CHECK((fixed.impulse(x) - any.impulse(x)).norm() <= 1e-15 * any.impulse(x).norm());
    CHECK((fixed.scaled_impulse(x) - any.scaled_impulse(x)).norm() <= 1e-15 * any.scaled_impulse(x).norm());
    CHECK((fixed.velocity(x) - any.velocity(x)).norm() <= 1e-15 * any.velocity(x).norm());
    CHECK((fixed.scaled_velocity(x) - any.scaled_velocity(x)).norm() <= 1e-15 * any.scaled_velocity(x).norm());
    CHECK(ContactMat(fixed.scaling()) == any.scaling());
    CHECK(ContactMat(fixed.inverse_scaling()) == any.inverse_scaling());
    internal::PreparedRolling::State state = fixed.first_state(one.contact);
    LocalState same = any.first_state(one.contact);
    ContactVec c = one.c;
    if (i % 5 == 0) c[0] = -c[0];  // opens, unless it is pressed
    const auto block = fixed.block(one.block.g);
    REQUIRE(fixed.solve(block, c, 1e-12, state));
    REQUIRE(any.solve(one.block, c, 1e-12, same));
    CHECK(state.mode == same.mode);
    worst.add((state.velocity - same.velocity).norm() / (c.norm() + (one.block.g * same.impulse).norm()));
    same.impulse = state.impulse;
    same.velocity = state.velocity;
    const auto a = fixed.linearize(block, state, 0);
    const auto b = any.linearize(one.block, same, 0);
    tangents.add((a.by_impulse - b.by_impulse).norm() / (1 + b.by_impulse.norm()));
    tangents.add((a.by_velocity - b.by_velocity).norm() / (b.by_velocity.norm() + block.steps[0]));
  }
  show_worst("six rows", "against any rows", worst.value());
  CHECK(worst.value() < 1e-10);
  CHECK(tangents.value() < 1e-13);
}

TEST_CASE("T.12 what the residual is not above: the residual with the same sums, more with less") {
  Random random(313);
  int known = 0;
  Worst equal;
  for (int i = 0; i < 2000; ++i) {
    Case one = random_case(random, six_rows(random), i % 3 == 0);
    one.contact.law = &one.law;
    const internal::PreparedRolling contact(one.contact, 6);
    const auto block = contact.block(one.block.g);
    internal::PreparedRolling::State state = contact.first_state(one.contact);
    REQUIRE(contact.solve(block, one.c, 1e-3, state));
    using Vec = internal::PreparedRolling::Vec;
    Vec p = state.impulse;
    for (int k = 0; k < 6; ++k) p[k] *= 1 + random.log_uniform(1e-9, 1) * random.uniform(-1, 1);
    if (i % 7 == 0) p.setZero();
    const Vec c = one.c, u = block.g * p + c, sums = c.cwiseAbs() + block.g.cwiseAbs() * p.cwiseAbs();
    // In the coordinates of the problem, where sums by rows are larger than those of own coordinates.
    const ContactMat t = contact.scaling(), back = contact.inverse_scaling();
    const ContactMat raw = back.transpose() * one.block.g * back;
    const ContactVec raw_sums = back.transpose().cwiseAbs() * ContactVec(sums);
    const ContactVec there = t.transpose().cwiseAbs() * raw_sums;
    const double residual = one.law.residual(one.contact, raw, contact.impulse(p), contact.velocity(u), {1, raw_sums});
    const double same = contact.residual_at_most(block, p, u, there);
    CHECK(contact.residual_at_most(block, p, u, 0.3 * there) >= same);
    CHECK(same >= (1 - 1e-9) * residual);
    if (!std::isfinite(same)) continue;
    ++known;
    equal.add(std::abs(same - residual) / (residual + 1e-12));
    Vec nan = u;
    nan[i % 6] = NAN;
    CHECK_FALSE(contact.residual_at_most(block, state.impulse, nan, sums) < 1e9);
  }
  CHECK(known > 800);
  CHECK(equal.value() < 1e-6);
}
