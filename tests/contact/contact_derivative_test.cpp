// Derivatives of a contact problem's solution: central differences as the second method; borders are told.   (C.22, C.23)
#include "slipset/contact/contact_derivative.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <random>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/laws/law_parameters.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using slipset::test::near;
using slipset::test::within;
using slipset::test::Worst;

namespace {

ContactProblem problem_of(const Eigen::MatrixXd& w, const Eigen::VectorXd& q,
                          const std::vector<const ContactLaw*>& laws) {
  ContactProblem problem;
  problem.delassus = std::make_shared<BlockDelassus>(w);
  problem.free_velocity = q;
  for (const ContactLaw* law : laws) problem.contacts.push_back(Contact{law});
  return problem;
}

ContactSolution solved(const ContactProblem& problem, const Eigen::VectorXd& guess = {}) {
  ContactOptions options;
  options.tolerance = 1e-14;
  options.method = ContactMethod::newton;
  ContactSolution solution;
  solution.impulse = guess;
  ContactSolver().solve(problem, options, solution);
  return solution;
}

// Impulses and velocities, one behind the other.
Eigen::VectorXd both(const Eigen::VectorXd& p, const Eigen::VectorXd& u) {
  Eigen::VectorXd all(p.size() + u.size());
  all << p, u;
  return all;
}

}  // namespace

TEST_CASE("the resistance's derivatives with respect to its shapes: ellipses by hand") {
  const double a = 0.5, b = 0.3, p = 2, q = 1;
  const FrictionLaw law(Ellipse(a, b), Ellipse(p, q));
  const Vec2 v(0.6, -0.8);
  const std::vector<LawParameter> parameters = law_parameters(law);
  REQUIRE(parameters.size() == 6);
  CHECK(parameters[0].name == "reservoir.a");
  CHECK(parameters[5].name == "direction.angle");
  const Eigen::Matrix2Xd found = resistance_by_parameters(law, v);
  const Vec2 z(p * p * v.x(), q * q * v.y());
  const double k = std::hypot(z.x() / a, z.y() / b);
  // s = z/k, ∂k/∂a = -(z1²/a³)/k; D's semi-axes keep their ratio in the law, which scales it.
  const Vec2 by_a = z * (z.x() * z.x() / (a * a * a)) / (k * k * k);
  CHECK((found.col(0) - by_a).norm() == within(0, 1e-11));
  // A turn of both sets is a turn of the plane: s(R'v) turned.
  const Vec2 s = z / k;
  const Mat2 jacobian = *slip_jacobian(law, v);
  const Vec2 turned = turn_left(s) - jacobian * turn_left(v);
  CHECK((found.col(2) + found.col(5) - turned).norm() == within(0, 1e-10));
  // The size of D changes nothing.
  const std::vector<double> d = {parameters[3].value, parameters[4].value};
  CHECK((found.col(3) * d[0] + found.col(4) * d[1]).norm() == within(0, 1e-11));
}

TEST_CASE("forward and reverse against central differences, random problems of three contacts") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const FrictionLaw shapes[] = {FrictionLaw(Ellipse(0.5, 0.3, 0.4), Ellipse(2, 1, 0.2)),
                                FrictionLaw(Superellipse(0.6, 0.4, 2.5, 0.3), Superellipse(0.5, 0.4, 3)),
                                isotropic(0.4)};
  Worst by_q, by_w, by_law, dot;
  int compared = 0;
  const int trials = test::sample_count() / 25;  // SLIPSET_SAMPLES=250000: 10⁴
  for (int trial = 0; trial < trials; ++trial) {
    Eigen::MatrixXd h(9, 11);
    for (double& x : h.reshaped()) x = normal(random);
    const Eigen::MatrixXd w = h * h.transpose();
    Eigen::VectorXd q(9);
    for (double& x : q) x = 3 * normal(random);
    const PlanarContactLaw first(shapes[trial % 3]), second(shapes[(trial + 1) % 3]);
    const std::vector<const ContactLaw*> laws = {&first, &second, trial % 4 ? &first : nullptr};
    const ContactProblem problem = problem_of(w, q, laws);
    const ContactSolution at = solved(problem);
    if (!at.report.solved()) continue;
    std::optional<ContactDerivative> made;
    try {
      made.emplace(problem, at, DerivativeOptions{.border = 1e-3});  // far enough for differences
    } catch (const InvalidInput&) {
      continue;
    }
    const ContactDerivative& derivative = *made;
    ++compared;
    const double h1 = 1e-6;
    const auto difference = [&](const auto& changed) {
      const ContactSolution more = solved(changed(h1), at.impulse), less = solved(changed(-h1), at.impulse);
      return Eigen::VectorXd(both(more.impulse - less.impulse, more.velocity - less.velocity) / (2 * h1));
    };
    const auto error = [&](const ContactDerivative::Change& change, const Eigen::VectorXd& expected) {
      return (both(change.impulse, change.velocity) - expected).norm() / std::max(expected.norm(), 1.0);
    };
    Eigen::VectorXd dq(9), p_bar(9), u_bar(9);
    Eigen::MatrixXd dw(9, 9);
    for (Eigen::VectorXd* x : {&dq, &p_bar, &u_bar})
      for (double& entry : *x) entry = normal(random);
    for (double& x : dw.reshaped()) x = normal(random);
    dw = (dw + dw.transpose()).eval();
    by_q.add(error(derivative.forward(dq), difference([&](double t) { return problem_of(w, q + t * dq, laws); })));
    by_w.add(error(derivative.forward(dw * at.impulse),
                   difference([&](double t) { return problem_of(w + t * dw, q, laws); })));
    std::vector<Eigen::VectorXd> change;
    for (const ContactLaw* law : derivative.laws())
      change.push_back(law == &first ? Eigen::VectorXd(Eigen::VectorXd::Constant(
                                           static_cast<Eigen::Index>(law_parameters(first.law()).size()), 0.3))
                                     : Eigen::VectorXd());
    std::vector<std::unique_ptr<PlanarContactLaw>> kept;
    by_law.add(error(derivative.forward(Eigen::VectorXd::Zero(9), change), difference([&](double t) {
                       std::vector<double> values;
                       for (const LawParameter& parameter : law_parameters(first.law()))
                         values.push_back(parameter.value + 0.3 * t);
                       kept.push_back(std::make_unique<PlanarContactLaw>(with_parameters(first.law(), values)));
                       std::vector<const ContactLaw*> others = laws;
                       std::replace(others.begin(), others.end(), static_cast<const ContactLaw*>(&first),
                                    static_cast<const ContactLaw*>(kept.back().get()));
                       return problem_of(w, q, others);
                     })));
    // p̄·dp + ū·du, both ways.
    const ContactDerivative::Gradient gradient = derivative.reverse(p_bar, u_bar);
    const ContactDerivative::Change along = derivative.forward(dq + dw * at.impulse, change);
    double backward = gradient.free_velocity.dot(dq + dw * at.impulse);
    for (std::size_t i = 0; i < change.size(); ++i)
      if (change[i].size() > 0) backward += gradient.law[i].dot(change[i]);
    const double forward = p_bar.dot(along.impulse) + u_bar.dot(along.velocity);
    dot.add(std::abs(forward - backward) / std::max(std::abs(forward), 1.0));
  }
  CHECK(compared > trials / 2);
  test::show_worst("contact derivative", "compared", compared);
  test::show_worst("contact derivative", "by q", by_q.value());
  test::show_worst("contact derivative", "by W", by_w.value());
  test::show_worst("contact derivative", "by law", by_law.value());
  test::show_worst("contact derivative", "forward, reverse", dot.value());
  CHECK(by_q.value() < 1e-6);
  CHECK(by_w.value() < 1e-6);
  CHECK(by_law.value() < 1e-6);
  CHECK(dot.value() < 1e-10);
}

TEST_CASE("one block that slides: by hand") {
  // u = p/m + q, isotropic: u_N = 0 gives p_N = -m q_N; then p_T = -μ p_N, u_T = q_T - μ p_N/m.
  const PlanarContactLaw law(isotropic(0.3));
  const Eigen::MatrixXd w = Eigen::MatrixXd::Identity(3, 3) / 2;
  const Eigen::VectorXd q = Vec3(-1, 2, 0);
  const ContactProblem problem = problem_of(w, q, {&law});
  const ContactDerivative derivative(problem, solved(problem));
  const ContactDerivative::Change by_normal = derivative.forward(Vec3(1, 0, 0));
  CHECK(by_normal.impulse[0] == near(-2, 1e-12));
  CHECK(by_normal.impulse[1] == near(0.6, 1e-12));
  CHECK(by_normal.velocity[1] == near(0.3, 1e-12));
  const ContactDerivative::Gradient of_speed = derivative.reverse(Vec3::Zero(), Vec3(0, 1, 0));
  CHECK(of_speed.free_velocity[1] == near(1, 1e-12));
  REQUIRE(of_speed.law.size() == 1);
  CHECK(of_speed.law[0][0] == near(-1, 1e-9));  // ∂u_T/∂μ = -p_N/m
}

TEST_CASE("where there is no derivative it says so") {
  const PlanarContactLaw law(isotropic(0.3)), square(two_sign(0.3, 0.3));
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(3, 3);
  const auto refuses = [](const ContactProblem& problem, const char* what) {
    std::string message;
    try {
      ContactDerivative(problem, solved(problem));
    } catch (const InvalidInput& error) {
      message = error.what();
    }
    CAPTURE(message);
    CHECK(message.find(what) != std::string::npos);
  };
  refuses(problem_of(one, Vec3(0, 0, 0), {&law}), "contact 0 is on a border");
  refuses(problem_of(one, Vec3(-1, 0.3, 0), {&law}), "contact 0 is on a border");   // about to slip
  refuses(problem_of(one, Vec3(-1, 2, 0), {&square}), "contact 0 is on a border");  // D has a flat side there
  // Two contacts at one point of one body.
  Eigen::MatrixXd twice(6, 6);
  twice << one, one, one, one;
  Eigen::VectorXd q(6);
  q << -1, 2, 0, -1, 2, 0;
  refuses(problem_of(twice, q, {&law, &law}), "not determined");
  const ContactProblem good = problem_of(one, Vec3(-1, 2, 0), {&law});
  CHECK_THROWS_AS(ContactDerivative(good, ContactSolution{}), InvalidInput);
  CHECK_THROWS_AS(ContactDerivative(good, solved(good)).forward(Eigen::VectorXd::Zero(2)), InvalidInput);
}

TEST_CASE("many contacts: the sparse way is the dense way") {
  // Independent blocks, more rows than the dense factorisation takes.
  const PlanarContactLaw law(FrictionLaw(Ellipse(0.5, 0.3, 0.4), Ellipse(2, 1, 0.2)));
  const std::size_t contacts = 120;
  std::vector<BlockDelassus::Entry> entries;
  Eigen::VectorXd q(3 * static_cast<Eigen::Index>(contacts)), dq = q;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Mat3 block;
  block << 2, 0.3, 0.1, 0.3, 1.5, -0.2, 0.1, -0.2, 1;
  for (std::size_t i = 0; i < contacts; ++i) {
    entries.push_back({i, i, block});
    q.segment<3>(3 * static_cast<Eigen::Index>(i)) = Vec3(-1, 3 * normal(random), 3 * normal(random));
    dq.segment<3>(3 * static_cast<Eigen::Index>(i)) = Vec3(normal(random), normal(random), normal(random));
  }
  ContactProblem problem;
  problem.delassus = std::make_shared<BlockDelassus>(contacts, entries);
  problem.free_velocity = q;
  problem.contacts.assign(contacts, Contact{&law});
  const ContactSolution solution = solved(problem);
  REQUIRE(solution.report.solved());
  const ContactDerivative::Change all = ContactDerivative(problem, solution).forward(dq);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(q.size());
  const ContactDerivative::Gradient back = ContactDerivative(problem, solution).reverse(ones, ones);
  Worst worst;
  for (const Eigen::Index i : {Eigen::Index{0}, Eigen::Index{57}, Eigen::Index{119}}) {
    const ContactProblem alone = problem_of(block, q.segment<3>(3 * i), {&law});
    const ContactDerivative derivative(alone, solved(alone));
    worst.add((derivative.forward(dq.segment<3>(3 * i)).impulse - all.impulse.segment<3>(3 * i)).norm());
    worst.add(
        (derivative.reverse(Vec3::Ones(), Vec3::Ones()).free_velocity - back.free_velocity.segment<3>(3 * i)).norm());
  }
  CHECK(worst.value() < 1e-10);
}
