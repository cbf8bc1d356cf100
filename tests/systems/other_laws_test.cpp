// Systems whose contacts have laws of 1, 2, 4, 5 and 6 rows: tables, motions in closed form, refusals.
#include <doctest/doctest.h>

#include "slipset/contact/joint_law.hpp"
#include "slipset/contact/line_contact_law.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/sets/polygon.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refused.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr double kGravity = 10;

// A block above a floor, coordinates x and z; friction acts along x.
struct BlockOnFloor final : System {
  std::vector<SystemContact> floor;
  bool unilateral = true;
  Vec2 belt = Vec2::Zero();
  int columns;  // of other_directions

  explicit BlockOnFloor(std::shared_ptr<const ContactLaw> law, bool can_open = true)
      : floor{{"floor", nullptr, can_open, 0, law}}, unilateral(can_open), columns(law->rows() - 1) {}
  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return floor; }
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  void evaluate(double, const VectorX& q, const VectorX&, SystemAt& at) const override {
    at.mass = 2 * MatrixX::Identity(2, 2);
    if (unilateral) at.potential_force = at.force = Vec2(0, -2 * kGravity);
    ContactAt& c = at.contacts[0];
    c.gap = q[1];
    c.normal = Vec2(0, 1);
    c.normal_force = 2 * kGravity;
    c.other_directions.setZero();
    if (columns > 0) c.other_directions(0, 0) = 1;
    c.surface_velocity = belt;
  }
  double potential_energy(const VectorX& q) const override { return unilateral ? 2 * kGravity * q[1] : 0; }
};

// A floor that can be pressed in one direction only, without friction: 1 row, or more that carry nothing.
class OwnLaw final : public ContactLaw {
 public:
  explicit OwnLaw(int rows) : like_(&frictionless_law(rows)) {}
  int rows() const override { return like_->rows(); }
  std::string description() const override { return "own"; }
  bool solve(const Contact& contact, const LocalBlock& block, const ContactVec& c, double accuracy,
             LocalState& state) const override {
    return like_->solve(contact, block, c, accuracy, state);
  }
  Tangent linearize(const Contact& contact, const LocalBlock& block, const LocalState& state) const override {
    return like_->linearize(contact, block, state);
  }
  double residual(const Contact& contact, const ContactMat& g, const ContactVec& p, const ContactVec& u,
                  const VelocitySums& sums) const override {
    return like_->residual(contact, g, p, u, sums);
  }
  Keeps keeps() const override { return like_->keeps(); }

 private:
  const ContactLaw* like_;
};

struct NoRows final : System {
  std::vector<SystemContact> floor;
  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return floor; }
  void evaluate(double, const VectorX&, const VectorX&, SystemAt&) const override {}
};

}  // namespace

// 0.3 forward and 0.5 backward: from v the block slides v²/(2μg) in v/(μg).
TEST_CASE("friction along a line as the law of a system: the way to rest, forward and backward, pressed or given") {
  const auto law = std::make_shared<LineContactLaw>(Interval(0.5, 0.3));
  for (const bool unilateral : {true, false})
    for (const double speed : {1.5, -1.5}) {
      CAPTURE(unilateral);
      CAPTURE(speed);
      const BlockOnFloor block(law, unilateral);
      const double mu = speed > 0 ? 0.3 : 0.5, way = speed * speed / (2 * mu * kGravity),
                   time = std::abs(speed) / (mu * kGravity);
      const Run run =
          simulate(block, {0, Vec2(0, 0), Vec2(speed, 0)}, Moreau{.step = 1e-3}, {.duration = 2, .until_stick = true});
      CHECK(run.end.q[0] == near(std::copysign(way, speed), 1e-9));
      CHECK(run.end.q[1] == within(0, 1e-12));
      CHECK(run.stop_time.value() == near(time, 1e-9));
      CHECK(run.energy.dissipated == near(speed * speed, 1e-9));  // ½·2·v²
      // First row with a step: forces as the law has them.
      CHECK(run.table["floor.normal_force"][1] == near(2 * kGravity, 1e-9));
      CHECK(run.table["floor.friction_1"][1] == near(-std::copysign(mu * 2 * kGravity, speed), 1e-9));
      CHECK(run.table["floor.slip_1"][1] == near(speed - std::copysign(mu * kGravity * 1e-3, speed), 1e-9));
      for (const std::string& name : run.table.names()) CHECK(name.find("_2") == std::string::npos);
    }
}

TEST_CASE("friction along a line comes to rest within a step: when, to rounding") {
  const BlockOnFloor block(std::make_shared<LineContactLaw>(Interval(0.5, 0.3)));
  for (const double speed : {1.0007, -1.0007}) {
    const double mu = speed > 0 ? 0.3 : 0.5;
    const Run run = simulate(block, {0, Vec2(0, 0), Vec2(speed, 0)}, Moreau{.step = 1e-3}, {.duration = 1});
    CHECK(run.stop_time.value() == near(std::abs(speed) / (mu * kGravity), 1e-9));
    CHECK(run.end.q[0] == near(std::copysign(speed * speed / (2 * mu * kGravity), speed), 1e-5));
  }
}

TEST_CASE("a belt drives friction along a line up to its own speed, and not across it") {
  BlockOnFloor block(std::make_shared<LineContactLaw>(Interval(0.3)));
  block.belt = Vec2(0.6, 0);
  const Run run = simulate(block, {0, Vec2(0, 0), Vec2(0, 0)}, Moreau{.step = 1e-3}, {.duration = 0.5});
  CHECK(run.end.u[0] == near(0.6, 1e-9));
  CHECK(run.end.q[0] == near(0.6 * 0.5 - 0.6 * 0.6 / (2 * 0.3 * kGravity), 1e-9));
  block.belt = Vec2(0, 0.6);
  require_refused({{"across",
                    [&] {
                      simulate(block, {0, Vec2(0, 0), Vec2(0, 0)}, Moreau{}, {.duration = 0.1});
                    },
                    "along its second axis"}});
}

TEST_CASE("laws of one's own with any number of rows: falling, landing, and sliding on without friction") {
  for (int rows = 1; rows <= 6; ++rows) {
    CAPTURE(rows);
    const BlockOnFloor block(std::make_shared<OwnLaw>(rows));
    const Run run = simulate(block, {0, Vec2(0, 0.2), Vec2(1, 0)}, Moreau{.step = 1e-3}, {.duration = 0.5});
    CHECK(run.end.u[0] == near(1, 1e-12));
    CHECK(run.end.q[0] == near(0.5, 1e-9));
    CHECK(run.end.u[1] == within(0, 1e-9));
    CHECK(std::abs(run.end.q[1]) < 2e-3);                            // of the step in which it lands
    CHECK(run.energy.by_impacts == near(2 * kGravity * 0.2, 1e-2));  // m g h
    CHECK(run.table["floor.normal_force"].back() == near(2 * kGravity, 1e-9));
    std::vector<std::string> expected;
    for (const char* what : {"friction", "slip"})
      for (int k = 1; k < rows; ++k) expected.push_back(fmt::format("floor.{}_{}", what, k));
    std::vector<std::string> found;
    for (const std::string& name : run.table.names())
      if (name.find("friction_") != std::string::npos || name.find("slip_") != std::string::npos) found.push_back(name);
    CHECK(found == expected);
    if (rows > 1) CHECK(run.table["floor.slip_1"].back() == near(1, 1e-12));
  }
}

TEST_CASE("a run with a line law goes on from its checkpoint with the same bits") {
  const BlockOnFloor block(std::make_shared<LineContactLaw>(Interval(0.3)));
  const State start{0, Vec2(0, 0), Vec2(1, 0)};
  MoreauStepper whole(block, start), first(block, start);
  for (int i = 0; i < 20; ++i) whole.step(1e-3);
  for (int i = 0; i < 10; ++i) first.step(1e-3);
  MoreauStepper second(block, start);
  second.restore(first.memory());
  for (int i = 0; i < 10; ++i) second.step(1e-3);
  CHECK(second.state().q == whole.state().q);
  CHECK(second.state().u == whole.state().u);
}

TEST_CASE("laws that no contact of a system can have are refused at the start") {
  NoRows system;
  system.floor = {
      {"floor", nullptr, true, 0, std::make_shared<LineContactLaw>(Interval(0.3), LineContactLaw::Rows::line_alone)}};
  require_refused({{"line alone", [&] { sized_for(system); }, "normal_and_line"}});
  struct Sevenfold final : ContactLaw {
    int rows_ = 7;
    int rows() const override { return rows_; }
    std::string description() const override { return "seven"; }
    bool solve(const Contact&, const LocalBlock&, const ContactVec&, double, LocalState&) const override {
      return false;
    }
    Tangent linearize(const Contact&, const LocalBlock&, const LocalState&) const override { return {}; }
    double residual(const Contact&, const ContactMat&, const ContactVec&, const ContactVec&,
                    const VelocitySums&) const override {
      return 0;
    }
  };
  for (const int rows : {0, -1, 7}) {
    auto law = std::make_shared<Sevenfold>();
    law->rows_ = rows;
    system.floor = {{"floor", nullptr, true, 0, law}};
    require_refused({{"rows", [&] { sized_for(system); }, "1 to 6"}});
  }
}

// Within its last step, too: the impulse that stops it is less than friction could give.
TEST_CASE("a body that resists more one way than the other stops at its own time each way, whatever the step") {
  const FrictionLaw law(Polygon({{0.5, -0.3}, {0.5, 0.3}, {-0.2, 0.3}, {-0.2, -0.3}}), Disk(1));
  const SlidingBody body(law, 3, 3 * kGravity);
  for (const double step : {0.03, 0.007})
    for (const double way : {1.0, -1.0}) {
      const Run run =
          simulate(body, {0, Vec2(0, 0), Vec2(way, 0)}, Moreau{.step = step}, {.duration = 5, .until_stick = true});
      CAPTURE(way);
      CHECK(run.stop_time.value() == near(1 / ((way > 0 ? 0.5 : 0.2) * kGravity), 1e-12));
    }
}
