// Wrong sizes and numbers at the public entries of contacts: refused, saying what.
#include <Eigen/SparseCore>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/body_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/elastic_return.hpp"
#include "slipset/contact/joint_law.hpp"
#include "slipset/contact/line_contact_law.hpp"
#include "slipset/contact/mass_delassus.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/laws/classical.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refused.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

// Two sliding contacts, W = I.
ContactProblem two_contacts(const ContactLaw& law) {
  ContactProblem problem;
  problem.delassus = std::make_shared<BlockDelassus>(Eigen::MatrixXd(Eigen::MatrixXd::Identity(6, 6)));
  problem.free_velocity = Eigen::VectorXd::Constant(6, -1);
  problem.contacts.assign(2, Contact{&law});
  return problem;
}

LocalProblem local(int rows) {
  LocalProblem p;
  p.delassus = ContactMat::Identity(rows, rows);
  p.free_velocity = ContactVec::Constant(rows, -1);
  return p;
}

SparseMatrix sparse(const Eigen::MatrixXd& m) { return m.sparseView(); }

}  // namespace

TEST_CASE("measures of a problem refuse impulses and velocities that are not one number per row") {
  const PlanarContactLaw law(isotropic(0.5));
  const ContactProblem problem = two_contacts(law);
  const Eigen::VectorXd fits = Eigen::VectorXd::Ones(6);
  for (const Eigen::Index size : {0, 1, 3, 5, 7, 60}) {
    CAPTURE(size);
    const Eigen::VectorXd x = Eigen::VectorXd::Ones(size);
    require_refused({{"residual", [&] { contact_residual(problem, x); }, "of impulse for 2 contacts with 6 rows"},
                     {"error", [&] { full_error(problem, x); }, "of impulse"},
                     {"error with velocity", [&] { full_error(problem, x, fits); }, "of impulse"},
                     {"error with this velocity", [&] { full_error(problem, fits, x); }, "of velocity"}});
  }
  ContactProblem wrong = problem;
  wrong.free_velocity.resize(3);
  ContactProblem none;
  require_refused({{"free velocity", [&] { full_error(wrong, fits, fits); }, "must fit each other"},
                   {"free velocity", [&] { full_error(wrong, fits); }, "must fit each other"},
                   {"no contacts", [&] { contact_residual(none, fits); }, "expected one per row"},
                   {"no contacts", [&] { full_error(none, fits); }, "expected one per row"}});
  CHECK(contact_residual(none, Eigen::VectorXd()) == 0);
  CHECK(full_error(none, Eigen::VectorXd()) == 0);
  // What is no number gives none.
  const Eigen::VectorXd nan = Eigen::VectorXd::Constant(6, kNan);
  CHECK(std::isnan(contact_residual(problem, nan)));
  CHECK(std::isnan(full_error(problem, nan)));
  CHECK(std::isfinite(full_error(problem, fits)));
}

TEST_CASE("one contact alone refuses guesses, impulses and numbers that do not fit its law") {
  const PlanarContactLaw sliding(isotropic(0.5));
  const RollingContactLaw rolling(RollingLaw::product(PlanarSet(Disk(0.5)), Interval(0.1), std::nullopt));
  const LineContactLaw line(Interval(0.5));
  for (const ContactLaw* law : {static_cast<const ContactLaw*>(&sliding), static_cast<const ContactLaw*>(&rolling),
                                static_cast<const ContactLaw*>(&line), &joint_law(4), &frictionless_law(2)}) {
    const LocalProblem good = local(law->rows());
    CHECK(solve_local(*law, good).mode != ContactMode::none);
    for (const int rows : {0, 1, 2, 3, 4, 5, 6}) {
      if (rows == law->rows()) continue;
      CAPTURE(rows);
      const ContactVec x = ContactVec::Ones(rows);
      require_refused({{"guess", [&] { solve_local(*law, good, &x); }, "the first guess has"},
                       {"impulse", [&] { local_residual(*law, good, x); }, "the impulse has"},
                       {"block", [&] { solve_local(*law, local(rows)); }, "rows"}});
    }
    const ContactVec fits = ContactVec::Ones(law->rows());
    require_refused(
        "reservoir factor", kNotPositive,
        [&](double x) {
          LocalProblem p = good;
          p.reservoir_factor = x;
          solve_local(*law, p);
        },
        "reservoir factor");
    require_refused(
        "normal impulse", std::array{-1.0, kNan, kInf},
        [&](double x) {
          LocalProblem p = good;
          p.normal_impulse = x;
          local_residual(*law, p, fits);
        },
        "normal impulse");
  }
  for (const int rows : {-1, 0, 7, 1000}) {
    CAPTURE(rows);
    require_refused({{"frictionless", [&] { frictionless_law(rows); }, "1 to 6"},
                     {"joint", [&] { joint_law(rows); }, "1 to 6"},
                     {"layout", [&] { RowLayout(2, rows); }, "1 to 6"}});
  }
  for (int rows = 1; rows <= 6; ++rows) CHECK(frictionless_law(rows).rows() == rows);
  require_refused(
      {{"rates", [&] { rates_of(rolling, local(4), LocalSolution{}); }, "4 rows"},
       {"nodes", [&] { PlanarContactLaw(isotropic(0.5), 0); }, "nodes"},
       {"nodes", [&] { PlanarContactLaw(isotropic(0.5), -5); }, "nodes"},
       {"line alone", [&] { solve_local(LineContactLaw(Interval(1), LineContactLaw::Rows::line_alone), local(1)); },
        "needs a given normal impulse"}});
}

TEST_CASE("operators refuse sizes, bodies and numbers that cannot be") {
  const Eigen::MatrixXd m = Eigen::MatrixXd::Identity(3, 3);
  const MassDelassus w(sparse(m), sparse(m));
  const auto with = [&](double x) {
    Eigen::MatrixXd bad = m;
    bad(1, 1) = x;
    return bad;
  };
  require_refused(
      "mass", kNotPositive, [&](double x) { MassDelassus(sparse(with(x)), sparse(m)); }, "M ");
  require_refused(
      "directions", kNotFinite, [&](double x) { MassDelassus(sparse(m), sparse(with(x))); }, "not finite");
  require_refused({{"velocity", [&] { w.contact_velocity(Eigen::VectorXd::Ones(2)); }, "expected 3"},
                   {"impulse", [&] { w.effect(Eigen::VectorXd::Ones(4)); }, "expected 3"},
                   {"coordinates", [&] { w.mean_mobility(Eigen::VectorXd::Ones(3)); }, "expected 9"},
                   {"not square", [&] { MassDelassus(sparse(Eigen::MatrixXd::Ones(3, 2)), sparse(m)); }, "square"}});

  BlockDelassus blocks;
  blocks.resize(2);
  require_refused({{"row", [&] { blocks.block(2, 0); }, "2, 0"},
                   {"column", [&] { blocks.block(0, 5); }, "0, 5"},
                   {"append", [&] { blocks.append(0); }, "of 2 contacts"},
                   {"dense", [&] { BlockDelassus(Eigen::MatrixXd(Eigen::MatrixXd::Ones(4, 4))); }, "three rows"}});
  const auto bodies = [](std::uint32_t second, double inverse_mass) {
    BodyDelassus by_bodies;
    by_bodies.resize(2, 1);
    by_bodies.body(1).inverse_mass = inverse_mass;
    by_bodies.contact(0).second = second;
    by_bodies.connect();
    return by_bodies.rows();
  };
  CHECK(bodies(1, 2) == 3);
  CHECK(bodies(1, 0) == 3);
  require_refused({{"body", [&] { bodies(2, 1); }, "body 2"}, {"itself", [&] { bodies(0, 1); }, "itself"}});
  const auto spoilt = [](std::uint8_t rows, double inverse_inertia) {
    BodyDelassus by_bodies;
    by_bodies.resize(2, 1);
    by_bodies.body(1).inverse_mass = 1;
    by_bodies.body(1).inverse_inertia(2, 2) = inverse_inertia;
    by_bodies.contact(0).second = 1;
    by_bodies.contact(0).rows = static_cast<BodyRows>(rows);
    by_bodies.connect();
  };
  require_refused({{"no rows", [&] { spoilt(0, 1); }, "the rows 0"},
                   {"unknown rows", [&] { spoilt(0x47, 1); }, "the rows 71"},
                   {"inertia", [&] { spoilt(7, -1); }, "inertia"}});
  require_refused(
      "mass", std::array{-1.0, kNan, kInf}, [&](double x) { bodies(1, x); }, "1/mass");

  const PlanarContactLaw law(isotropic(0.5));
  ContactOptions options;
  options.settled_contacts = -1;
  require_refused({{"settled", [&] { solve(two_contacts(law), options); }, "settling"}});
}

TEST_CASE("increments of an elastic interface refuse what is not finite") {
  const ElasticReturn elliptic({isotropic(0.5), Adhesion(2, 1)});
  const ElasticReturn searched({associated(Rectangle(0.5, 0.3)), Adhesion(2, 1)});
  for (const ElasticReturn* block : {&elliptic, &searched})
    for (const double x : kNotFinite) {
      CAPTURE(x);
      const Vec2 bad(x, 0), good(0.1, 0);
      const InterfaceUpdate slips = block->update(Vec2(0, 0), Vec2(3, 1), 1);
      REQUIRE(slips.slips);
      require_refused({{"force", [&] { block->update(bad, good, 1); }, "finite"},
                       {"displacement", [&] { block->update(good, bad, 1); }, "finite"},
                       {"normal force", [&] { block->update(good, good, x); }, "finite"},
                       {"midpoint", [&] { block->midpoint(good, good, x, 1); }, "finite"},
                       {"part", [&] { block->elastic_part(good, bad, 1, 1); }, "finite"},
                       {"part", [&] { block->elastic_part(good, good, 1, x); }, "finite"},
                       {"tangent", [&] { block->tangent(slips, x); }, "finite"}});
    }
  // No update was found: no derivative.
  CHECK_FALSE(elliptic.tangent({Vec2(kNan, kNan), Vec2(kNan, kNan), true, 0}, 1));
}
