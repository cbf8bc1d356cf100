// Wrong sizes, numbers that are not finite and signs that make no sense, at every way into systems and motion: refused
// with InvalidInput, or a run that says what became of it. Random, with a fixed seed.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "slipset/contact/line_contact_law.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/motion/pulled_block.hpp"
#include "slipset/systems/ball_on_plane.hpp"
#include "slipset/systems/block_on_belt.hpp"
#include "slipset/systems/bodies/piles.hpp"
#include "slipset/systems/box_on_plane.hpp"
#include "slipset/systems/chain.hpp"
#include "slipset/systems/disk_on_pads.hpp"
#include "slipset/systems/follower_pendulum.hpp"
#include "slipset/systems/forced_oscillator.hpp"
#include "slipset/systems/frictional_impact_oscillator.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/mass_on_elastic_belt.hpp"
#include "slipset/systems/mode_coupling.hpp"
#include "slipset/systems/prescribed_circle.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "slipset/systems/snake_robot.hpp"
#include "slipset/systems/spinning_body.hpp"
#include "slipset/systems/spring_slider.hpp"
#include "slipset/systems/two_blocks.hpp"
#include "tests/support/random.hpp"
#include "tests/support/refused.hpp"

using namespace slipset;

namespace {

constexpr std::array<double, 8> kBad = {NAN, INFINITY, -INFINITY, -1, 0, 1e308, -1e308, 5e-324};

double bad(test::Random& random) { return kBad[static_cast<std::size_t>(random.integer(0, 7))]; }

bool is_finite(const Run& run) {
  return run.end.q.allFinite() && run.end.u.allFinite() && std::isfinite(run.end.t) &&
         std::isfinite(run.energy.residual());
}

// A run that goes to its end has a finite result; one that cannot says so.
void require_honest(const System& system, const State& start, const Moreau& integrator, const RunOptions& options) {
  const Run run = simulate(system, start, integrator, options);
  CHECK((is_finite(run) || !run.report.finished()));
  CHECK_FALSE(run.report.stop_reason.empty());
}

void require_finite_work(const InterfacePath& path) {
  CHECK((std::isfinite(path.rows.back().work) || path.not_found > 0));
}

struct Tally {
  int refused = 0, ran = 0;
  template <class Attempt>
  void operator()(Attempt&& attempt) {
    try {
      attempt();
      ++ran;
    } catch (const InvalidInput& error) {
      ++refused;
      CHECK(std::string(error.what()).size() > 10);
    }
  }
};

std::shared_ptr<const PlanarContactLaw> law() { return std::make_shared<PlanarContactLaw>(isotropic(0.3)); }

// One number of the parameters at a time is bad.
template <class Parameters, class Make>
void attack(const std::string& name, const std::vector<double Parameters::*>& members, const Make& make,
            const Parameters& good = {}) {
  CAPTURE(name);
  Tally tally;
  for (const auto member : members)
    for (const double value : kBad) {
      Parameters p = good;
      p.*member = value;
      tally([&] {
        const auto system = make(p);
        require_honest(system, system.start(), Moreau{.step = 1e-3}, {.duration = 2e-3});
      });
    }
  CHECK(tally.refused >= 3 * static_cast<int>(members.size()));  // what is not finite, at least
  const auto fine = make(good);
  CHECK(is_finite(simulate(fine, fine.start(), Moreau{.step = 1e-3}, {.duration = 2e-3})));
}

// A user's own system, whose evaluate() may be wrong.
struct Own final : System {
  std::vector<SystemContact> contact{{"floor", law(), true}};
  std::function<void(SystemAt&)> spoil = [](SystemAt&) {};
  Eigen::Index dofs() const override { return 3; }
  const std::vector<SystemContact>& contacts() const override { return contact; }
  void evaluate(double, const VectorX& q, const VectorX&, SystemAt& at) const override {
    at.mass = MatrixX::Identity(3, 3);
    at.force = Vec3(0, 0, -9.81);
    ContactAt& c = at.contacts[0];
    c.gap = q[2];
    c.normal = Vec3(0, 0, 1);
    c.tangents.setZero();
    c.tangents(0, 0) = c.tangents(1, 1) = 1;
    spoil(at);
  }
};

}  // namespace

TEST_CASE("B4: parameters of the systems that are not finite, negative or absurd") {
  using B = BlockOnBeltParameters;
  attack<B>("B", {&B::mass, &B::stiffness, &B::damping, &B::normal_force, &B::belt_speed},
            [](const B& p) { return BlockOnBelt(law(), p); });
  using M = ModeCouplingParameters;
  attack<M>("M", {&M::mass, &M::k1, &M::k2, &M::k, &M::c1, &M::c2, &M::normal_load, &M::belt_speed},
            [](const M& p) { return ModeCoupling(law(), p); });
  using E = MassOnElasticBeltParameters;
  attack<E>("E", {&E::mass, &E::belt_mass, &E::k1, &E::k2, &E::k, &E::k3, &E::c1, &E::normal_load, &E::belt_speed},
            [](const E& p) { return MassOnElasticBelt(law(), p); });
  using D = DiskOnPadsParameters;
  attack<D>("D", {&D::mass, &D::radius, &D::pad_radius, &D::gravity},
            [](const D& p) { return DiskOnPads(isotropic(0.3), p); });
  using P = BallOnPlaneParameters;
  attack<P>("P", {&P::mass, &P::radius, &P::gravity, &P::restitution},
            [](const P& p) { return BallOnPlane(isotropic(0.3), p); });
  using X = BoxOnPlaneParameters;
  attack<X>("X", {&X::mass, &X::length, &X::height, &X::gravity, &X::restitution, &X::push, &X::push_height},
            [](const X& p) { return BoxOnPlane(isotropic(0.3), p); });
  using F = FollowerPendulumParameters;
  attack<F>("F", {&F::joint_mass, &F::tip_mass, &F::length1, &F::k1, &F::c1, &F::normal_force, &F::belt_speed},
            [](const F& p) { return FollowerPendulum(law(), p); });
  using I = FrictionalImpactOscillatorParameters;
  attack<I>("I", {&I::upper_mass, &I::tip_mass, &I::length, &I::angle, &I::k, &I::c, &I::load, &I::belt_speed},
            [](const I& p) { return FrictionalImpactOscillator(law(), p); });
  using S = SnakeRobotParameters;
  attack<S>("S", {&S::length, &S::mass, &S::gravity, &S::amplitude, &S::frequency, &S::phase, &S::steering},
            [](const S& p) { return SnakeRobot(isotropic(0.3), p); });
  using O = ForcedOscillatorParameters;
  attack<O>("O", {&O::mass, &O::stiffness, &O::damping, &O::friction_limit, &O::amplitude}, forced_oscillator);
  using C = ChainParameters;
  attack<C>("C", {&C::friction_limit, &C::amplitude}, chain);
  using T = TwoBlocksParameters;
  attack<T>("T", {&T::stiffness_ratio, &T::amplitude}, two_blocks);
  using L = SpringSliderParameters;
  attack<L>("L", {&L::mass, &L::stiffness, &L::damping, &L::friction_limit, &L::speed}, spring_slider);
  using Spin = SpinningBodyParameters;
  attack<Spin>("Spin", {&Spin::mass, &Spin::radius, &Spin::gravity, &Spin::slope}, [](const Spin& p) {
    return SpinningBody(RollingLaw::product(PlanarSet(Disk(0.3)), Interval(0.01), std::nullopt), p);
  });
  for (const double value : kBad) {
    if (value >= 0 && std::isfinite(value) && value != 0) continue;
    CHECK_THROWS_AS(SlidingBody(isotropic(0.3), value, 1), InvalidInput);
    CHECK_THROWS_AS(SlidingBody(isotropic(0.3), 1, value), InvalidInput);
    CHECK_THROWS_AS(PrescribedCircle(isotropic(0.3), value, 1, 1), InvalidInput);
    CHECK_THROWS_AS(PrescribedCircle(isotropic(0.3), 1, 1, value), InvalidInput);
  }
  CHECK_THROWS_AS(BlockOnBelt(nullptr, {}), InvalidInput);
  CHECK_THROWS_AS(ModeCoupling(nullptr, {}), InvalidInput);
  CHECK_THROWS_AS(MassOnElasticBelt(nullptr, {}), InvalidInput);
  CHECK_THROWS_AS(FollowerPendulum(nullptr, {}), InvalidInput);
  CHECK_THROWS_AS(FrictionalImpactOscillator(nullptr, {}), InvalidInput);
}

TEST_CASE("starts, steps and options of a run that do not fit") {
  test::Random random(16);
  const BallOnPlane ball(isotropic(0.3), {});
  const AxialSystem line = chain({.blocks = 4});
  BodyWorld world;
  world.add(Sphere{.radius = 0.1, .mass = 1}, at(0, 0, 0.1));
  world.add(Plane{});
  Tally tally;
  for (int k = 0; k < 200; ++k) {
    const std::array<const System*, 3> systems = {&ball, &line, &world};
    const System& system = *systems[static_cast<std::size_t>(k) % 3];
    State start = system.start();
    Moreau integrator{.step = 1e-3};
    RunOptions options{.duration = 2e-3};
    const auto what = random.integer(0, 8);
    const auto place = [&](VectorX& v) {
      v[static_cast<Eigen::Index>(random.uniform(0, 0.999) * static_cast<double>(v.size()))] = bad(random);
    };
    if (what == 0) start.q.conservativeResize(static_cast<Eigen::Index>(random.uniform(0, 9)));
    if (what == 1) start.u.conservativeResize(static_cast<Eigen::Index>(random.uniform(0, 9)));
    if (what == 2) place(start.q);
    if (what == 3) place(start.u);
    if (what == 4) start.t = bad(random);
    if (what == 5) integrator.step = bad(random);
    if (what == 6) options.duration = bad(random);
    if (what == 7) options.every = random.integer(-3, 0);
    if (what == 8) integrator.closing_distance = bad(random);
    if (what == 6 && options.duration > 1) continue;  // that many steps
    for (Eigen::Index i = 0; what == 0 && i < start.q.size(); ++i) start.q[i] = 1;
    for (Eigen::Index i = 0; what == 1 && i < start.u.size(); ++i) start.u[i] = 1;
    if (std::abs(start.t) > 1 || integrator.step < 1e-9) {
      if (std::isfinite(start.t) && std::isfinite(integrator.step) && integrator.step > 0) continue;
    }
    tally([&] { require_honest(system, start, integrator, options); });
  }
  CHECK(tally.refused > 60);
  CHECK(tally.ran > 10);
  MoreauStepper stepper(ball, ball.start());
  for (const double dt : {0.0, -1e-3, double(NAN), double(INFINITY)}) CHECK_THROWS_AS(stepper.step(dt), InvalidInput);
  for (const std::size_t size : {0u, 1u, 7u, 30u})
    CHECK_THROWS_AS(stepper.restore(std::vector<double>(size)), InvalidInput);
}

TEST_CASE("an evaluate() that writes wrong sizes, or numbers that are not finite, is told what is wrong") {
  const std::vector<std::pair<const char*, std::function<void(SystemAt&)>>> ways = {
      {"mass", [](SystemAt& at) { at.mass = MatrixX::Identity(2, 2); }},
      {"mass", [](SystemAt& at) { at.mass(1, 1) = NAN; }},
      {"mass matrix", [](SystemAt& at) { at.mass(1, 1) = -1; }},
      {"force", [](SystemAt& at) { at.force = VectorX::Zero(4); }},
      {"force", [](SystemAt& at) { at.force[0] = INFINITY; }},
      {"potential_force", [](SystemAt& at) { at.potential_force = VectorX::Zero(1); }},
      {"contacts", [](SystemAt& at) { at.contacts.emplace_back(); }},
      {"normal", [](SystemAt& at) { at.contacts[0].normal = VectorX::Zero(2); }},
      {"tangents", [](SystemAt& at) { at.contacts[0].tangents = Eigen::MatrixX2d::Zero(5, 2); }},
      {"gap", [](SystemAt& at) { at.contacts[0].gap = NAN; }},
      {"surface_velocity", [](SystemAt& at) { at.contacts[0].surface_velocity.x() = NAN; }},
      {"surface_normal_velocity", [](SystemAt& at) { at.contacts[0].surface_normal_velocity = INFINITY; }}};
  for (const auto& [what, way] : ways) {
    Own own;
    own.spoil = way;
    CAPTURE(what);
    CHECK_THROWS_WITH_AS(simulate(own, Moreau{}, {.duration = 0.01}), doctest::Contains(what), InvalidInput);
  }
  // All integrators, with a contact whose normal force is given.
  const std::vector<Integrator> integrators = {
      Moreau{}, EventDriven{}, RungeKutta4{.friction = RegularizedCoulomb(Regularization::quinn, 1e-3)},
      Adaptive{.friction = RegularizedCoulomb(Regularization::quinn, 1e-3)}, Adaptive{.friction = LuGre{1e4}}};
  for (const Integrator& by : integrators) {
    CAPTURE(by.index());
    Own pressed;
    pressed.contact[0].unilateral = false;
    pressed.spoil = [](SystemAt& at) { at.contacts[0].normal_force = -1; };
    CHECK_THROWS_WITH_AS(simulate(pressed, by, {.duration = 0.01}), doctest::Contains("normal_force"), InvalidInput);
    for (const auto& [what, way] : ways) {
      if (std::string_view(what) == "gap" || std::string_view(what).starts_with("normal") ||
          std::string_view(what) == "surface_normal_velocity")
        continue;
      CAPTURE(what);
      pressed.spoil = [&](SystemAt& at) {
        at.contacts[0].normal_force = 1;
        way(at);
      };
      CHECK_THROWS_WITH_AS(simulate(pressed, by, {.duration = 0.01}), doctest::Contains(what), InvalidInput);
    }
  }
  Own bounces;
  bounces.contact[0].restitution = 1.5;
  CHECK_THROWS_WITH_AS(simulate(bounces, Moreau{}, {}), doctest::Contains("restitution"), InvalidInput);
}

TEST_CASE("B3: a contact without a law has no friction; integrators that cannot take it say so") {
  Own own;
  own.contact[0].law = nullptr;
  const State start{0, Vec3(0, 0, 0), Vec3(1, -2, 0)};
  const Run run = simulate(own, start, Moreau{.step = 1e-3}, {.duration = 0.5});
  CHECK((run.end.u - Vec3(1, -2, 0)).norm() < 1e-12);
  CHECK(std::abs(run.table["floor.normal_force"].back() - 9.81) < 1e-9);
  CHECK(run.stick_time == 0);
  const auto refused = [&](const Integrator& by) {
    CHECK_THROWS_WITH_AS(simulate(own, start, by, {.duration = 0.1}), doctest::Contains("floor"), InvalidInput);
  };
  refused(EventDriven{});
  refused(RungeKutta4{});
  refused(Adaptive{});
  refused(RungeKutta4{.friction = RegularizedCoulomb(Regularization::quinn, 1e-3)});
  refused(RungeKutta4{.friction = LuGre{1e4}});
}

TEST_CASE("worlds of rigid bodies with one bad number") {
  Tally tally;
  for (const double value : kBad)
    for (int what = 0; what < 12; ++what) {
      tally([&] {
        BodyWorld world;
        RigidBody ball = free_body("ball", sphere_shape(what == 0 ? value : 0.1), what == 1 ? value : 1);
        if (what == 2) ball.inertia.x() = value;
        if (what == 3) ball.surface.restitution = value;
        if (what == 4) ball.surface.axis.x() = value;
        if (what == 5) ball.force.x() = value;
        BodyState place = at(0, 0, 0.1);
        if (what == 6) place.position.x() = value;
        if (what == 7) place.velocity.y() = value;
        if (what == 8) place.orientation.x() = value;
        RigidBody plane = fixed_body("plane", plane_shape());
        if (what == 9) plane.motion.velocity.x() = value;
        if (what == 10) plane.motion.frequency = value;
        if (what == 11) world.gravity.z() = value;
        world.add(ball, place);
        world.add(plane, {});
        require_honest(world, world.start(), Moreau{.step = 1e-3}, {.duration = 2e-3});
      });
    }
  CHECK(tally.refused > 3 * 12);
  CHECK_THROWS_AS(make_sphere_pile(10, 1, NAN), InvalidInput);
  CHECK_THROWS_AS(sphere_pile_problem(10, 1, 0.5, -1), InvalidInput);
  BodyWorld world;
  CHECK_THROWS_AS(world.add_law(std::shared_ptr<const ContactLaw>()), InvalidInput);
  CHECK_THROWS_AS(world.rule_of(0, 1), InvalidInput);
  CHECK_THROWS_AS(add_stack(world, 2, Vec3(1, 1, -1), 1000, -1), InvalidInput);
  CHECK_THROWS_AS(add_stack(world, 2, Vec3(1, 1, 1), NAN, -1), InvalidInput);
}

TEST_CASE("bodies, joints, piles and states that a world cannot have") {
  const auto world_with = [](const std::function<void(BodyWorld&)>& change) {
    BodyWorld world;
    world.add(Sphere{.radius = 0.1, .mass = 1, .name = "ball"}, at(0, 0, 0.1));
    world.add(Sphere{.radius = 0.1, .mass = 1, .name = "other"}, at(0.3, 0, 0.1));
    world.add(Plane{});
    world.add(Joint{.name = "rod", .first = 0, .second = 1, .point = Vec3(0.15, 0, 0.1)});
    change(world);
    return world;
  };
  CHECK_NOTHROW(world_with([](BodyWorld&) {}).require_whole());
  const auto whole = [&](const std::function<void(BodyWorld&)>& change) {
    return [&world_with, change] { world_with(change).require_whole(); };
  };
  test::require_refused(
      {{"joint", whole([](BodyWorld& w) { w.add(Joint{.name = "rod", .first = 0, .second = 7}); }), "two bodies"},
       {"joint", whole([](BodyWorld& w) { w.add(Joint{.name = "rod", .first = 1, .second = 1}); }), "two bodies"},
       {"joint", whole([](BodyWorld& w) { w.joints[0].second = 9; }), "rod"},
       {"joint", whole([](BodyWorld& w) { w.joints[0].placed = false; }), "rod"},
       {"joint", whole([](BodyWorld& w) { w.joints[0].point_first.x() = NAN; }), "rod"},
       {"joint", whole([](BodyWorld& w) { w.joints[0].frame_first(1, 1) = INFINITY; }), "rod"},
       {"joint error", whole([](BodyWorld& w) { joint_error_of({.name = "rod", .second = 8}, w); }), "rod"},
       {"state", whole([](BodyWorld& w) { w.states.pop_back(); }), "states"},
       {"state", whole([](BodyWorld& w) { w.states[1].velocity.x() = NAN; }), "other"},
       {"orientation", whole([](BodyWorld& w) { w.states[1].orientation.coeffs().setZero(); }), "other"},
       {"origin", whole([](BodyWorld& w) { w.bodies[2].motion.origin.z() = NAN; }), "prescribed motion"},
       {"size", whole([](BodyWorld& w) { w.bodies[0].shape.radius = 0; }), "ball"},
       {"mass", whole([](BodyWorld& w) { w.bodies[0].mass = 0; }), "ball"},
       {"law", whole([](BodyWorld& w) { w.bodies[0].surface.law = 3; }), "ball"},
       {"pair", whole([](BodyWorld& w) {
          w.pairs.push_back({0, 0, 5});
        }),
        "pair"},
       {"line", whole([](BodyWorld& w) { w.add_law(std::make_shared<LineContactLaw>(Interval(1))); }), "2 rows"},
       {"margin", whole([](BodyWorld& w) { w.margin = -1; }), "margin"},
       {"time", whole([](BodyWorld& w) { w.time = NAN; }), "time"},
       {"rotation of no length", whole([](BodyWorld& w) {
          State state = w.start();
          state.q.segment<4>(3).setZero();
          w.take(state);
        }),
        "length 0"},
       {"rotation of length two", whole([](BodyWorld& w) {
          State state = w.start();
          state.q[3] = 2;
          w.take(state);
        }),
        "length 2"},
       {"size of a state", whole([](BodyWorld& w) {
          w.take({0, VectorX::Zero(3), VectorX::Zero(12)});
        }),
        "positions"},
       {"step", whole([](BodyWorld& w) { problem_of(w, NAN); }), "time step"},
       {"closed", whole([](BodyWorld& w) { problem_of(w, 1e-3, 0, -1); }), "closing distance"},
       {"motions", whole([](BodyWorld& w) {
          std::vector<BodyMotion> motions;
          free_motions(w, NAN, motions);
        }),
        "step of nan"}});
  for (const double margin : {0.0, -1.0, double(NAN), double(INFINITY)}) {
    std::vector<BodyContact> contacts;
    test::require_refused(
        {{"margin", whole([&](BodyWorld& w) { ContactFinder().find(w, 1e-3, margin, contacts); }), "positive margin"}});
  }
  BodyWorld world;
  for (const double value : {-1.0, double(NAN), double(INFINITY)}) {
    test::require_refused({{"width", [&] { add_sphere_pile(world, 3, 1, {.width = value}); }, "wide"},
                           {"spread", [&] { add_sphere_pile(world, 3, 1, {.spread = value}); }, "spread"},
                           {"radius", [&] { add_sphere_pile(world, 3, 1, {.radius = value}); }, "radius"},
                           {"density", [&] { add_sphere_pile(world, 3, 1, {.density = value}); }, "density"}});
  }
  test::require_refused({{"centre", [&] { add_sphere_pile(world, 3, 1, {.centre = Vec3(0, NAN, 0)}); }, "centre"},
                         {"base", [&] { add_stack(world, 1, Vec3(1, 1, 1), 1, -1, Vec3(NAN, 0, 0)); }, "finite"},
                         {"plane", [] { free_body("wall", plane_shape(), 1); }, "plane"}});
}

TEST_CASE("closed forms of systems refuse parameters as the systems do") {
  using F = FollowerPendulumParameters;
  using E = MassOnElasticBeltParameters;
  using I = FrictionalImpactOscillatorParameters;
  using L = SpringSliderParameters;
  const L slides{.static_limit = 2};
  const auto with = [](auto parameters, auto member, double value) {
    parameters.*member = value;
    return parameters;
  };
  for (const double x : {double(NAN), double(INFINITY)}) {
    CAPTURE(x);
    test::require_refused(
        {{"load", [&] { FollowerPendulum::flutter_load(with(F{}, &F::k1, x)); }, "k1"},
         {"load", [&] { FollowerPendulum::flutter_load(with(F{}, &F::tip_mass, x)); }, "tip_mass"},
         {"friction", [&] { MassOnElasticBelt::critical_friction(with(E{}, &E::k2, x)); }, "k2"},
         {"friction", [&] { FrictionalImpactOscillator::painleve_friction(with(I{}, &I::upper_mass, x), -0.5); },
          "mass"},
         {"angle", [&] { FrictionalImpactOscillator::painleve_friction({}, x); }, "angle"},
         {"angle", [&] { FrictionalImpactOscillator::damping_friction({}, x); }, "angle"},
         {"period", [&] { stick_slip_period(with(slides, &L::mass, x)); }, "mass"},
         {"period", [&] { stick_slip_period(with(slides, &L::static_limit, x)); }, "static limit"},
         {"period", [&] { stick_slip_period(with(slides, &L::speed, x)); }, "pulled forward"}});
  }
  const FrictionalImpactOscillator rod(law(), {});
  test::require_refused({{"state", [&] { rod.solutions(VectorX::Zero(1), VectorX::Zero(2)); }, "positions"},
                         {"state", [&] { rod.solutions(VectorX::Constant(2, NAN), VectorX::Zero(2)); }, "finite"}});
  const auto one = [](double x) { return VectorX::Constant(1, x); };
  SparseMatrix wide(2, 3);
  test::require_refused(
      {{"wide", [&] { CompactMatrix{wide}; }, "as many columns as rows"},
       {"diagonals", [&] { CompactMatrix::tridiagonal(one(1), VectorX(), one(1)); }, "one number per row"}});
  const auto linear = [](const std::function<void(LinearContact&)>& change) {
    LinearContact contact{isotropic(0.3), Eigen::MatrixX2d::Identity(2, 2), Vec2(0, 0), 1, VectorX(), 0, 0};
    change(contact);
    const MatrixX i = MatrixX::Identity(2, 2);
    return LinearSystem(i, i, i, VectorX::Zero(2), {contact});
  };
  CHECK_NOTHROW(linear([](LinearContact&) {}));
  test::require_refused({{"tangents", [&] { linear([](LinearContact& c) { c.tangents(0, 0) = NAN; }); }, "finite"},
                         {"belt", [&] { linear([](LinearContact& c) { c.surface_velocity.x() = NAN; }); }, "finite"},
                         {"gap", [&] { linear([](LinearContact& c) { c.gap = INFINITY; }); }, "finite"},
                         {"normal", [&] { linear([](LinearContact& c) { c.normal = Vec2(NAN, 1); }); }, "finite"}});
}

TEST_CASE("paths of a pulled block with one bad number, and one that is ended on its way") {
  const ElasticReturn block({isotropic(0.3), Adhesion(1e5, 1e5)});
  Tally tally;
  for (const double value : kBad) {
    tally([&] { require_finite_work(pull_block(block, value, 10, {})); });
    tally([&] { require_finite_work(move_block(block, line_path(value, 0, 10), {})); });
    tally([&] { require_finite_work(move_block(block, line_path(1e-5, value, 10), {})); });
    tally([&] { require_finite_work(move_block(block, circle_path(value, 1, 10), {})); });
    InterfacePathOptions options;
    options.normal_before = value;
    tally([&] { require_finite_work(pull_block(block, 1e-5, 10, options)); });
    options = {};
    options.normal_after = value;
    tally([&] { require_finite_work(move_block(block, line_path(1e-5, 0, 10), options)); });
    options = {};
    options.start_force.x() = value;
    tally([&] { require_finite_work(move_block(block, line_path(1e-5, 0, 10), options)); });
  }
  CHECK(tally.refused > 20);
  CHECK_THROWS_AS(line_path(1, 0, 0), InvalidInput);
  // Products that no int holds.
  CHECK_THROWS_AS(circle_path(0.01, 300, 10000000), InvalidInput);
  CHECK_THROWS_AS(figure_eight_path(0.01, 0, 10000000, 10000000), InvalidInput);
  CHECK_THROWS_AS(back_and_forth_path(0.01, 0, 10000000, 300), InvalidInput);
  InterfacePathOptions options;
  options.progress = [](double done, double all) { return done < all / 2; };
  const InterfacePath path = move_block(block, line_path(1e-4, 0, 1000), options);
  CHECK(path.stopped);
  CHECK(path.rows.size() > 400);
  CHECK(path.rows.size() < 600);
  CHECK(pull_block(block, 1e-4, 1000, options).stopped);
}
