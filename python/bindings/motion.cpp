// Systems and their motion in Python; a system may be written there.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "python/bindings/handle.hpp"
#include "python/bindings/laws.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/watch.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/report/bodies_report.hpp"
#include "slipset/report/run_report.hpp"
#include "slipset/report/solve_report.hpp"
#include "slipset/systems/chain.hpp"
#include "slipset/systems/forced_oscillator.hpp"
#include "slipset/systems/linear_system.hpp"
#include "slipset/systems/mass_on_belt.hpp"
#include "slipset/systems/sliding_body.hpp"
#include "slipset/systems/snake_robot.hpp"
#include "slipset/systems/spring_slider.hpp"

namespace slipset::python {
namespace {

using namespace nb::literals;

struct PythonContact {
  std::string name;
  std::optional<Law> law;
  bool unilateral = false;
  double restitution = 0;
};

// An array that Python fills, or replaces, and C++ reads.
class Filled {
 public:
  Filled(nb::object holder, const char* name, Shape shape)
      : holder_(std::move(holder)), name_(name), shape_(shape), own_(shape) {
    std::fill_n(own_.data, own_.array.size(), 0.0);
    object_ = nb::cast(own_.array);
    holder_.attr(name) = object_;
  }
  // Row by row; valid until the next call.
  const double* read() {
    const nb::object now = holder_.attr(name_);
    if (now.is(object_)) return own_.data;
    given_ = shape_.size() == 1 ? numbers(now, name_, {static_cast<long>(shape_[0])})
                                : numbers(now, name_, {static_cast<long>(shape_[0]), static_cast<long>(shape_[1])});
    return given_.data();
  }

 private:
  nb::object holder_, object_;
  const char* name_;
  Shape shape_;
  NewArray own_;
  Numbers given_;
};

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A system whose evaluate() is written in Python (slipset/_systems.py). Whoever calls it holds the interpreter: one at a
// time.
class PythonSystem final : public System {
 public:
  PythonSystem(nb::object object, int dofs, const std::vector<PythonContact>& contacts, std::vector<std::string> names,
               bool constant_mass, bool steady_surfaces)
      : object_(std::move(object)),
        dofs_(dofs),
        names_(std::move(names)),
        constant_mass_(constant_mass),
        steady_(steady_surfaces) {
    for (const PythonContact& contact : contacts) {
      SystemContact made;
      made.name = contact.name;
      if (contact.law) made.law = std::make_shared<const PlanarContactLaw>(*contact.law);
      made.unilateral = contact.unilateral;
      made.restitution = contact.restitution;
      contacts_.push_back(std::move(made));
    }
    evaluate_ = object_.attr("evaluate");
    if (nb::hasattr(object_, "potential_energy")) potential_ = object_.attr("potential_energy");
    const nb::module_ systems = nb::module_::import_("slipset._systems");
    const auto n = static_cast<std::size_t>(dofs);
    at_ = systems.attr("SystemAt")();
    mass_.emplace(at_, "mass", Shape{n, n});
    force_.emplace(at_, "force", Shape{n});
    potential_force_.emplace(at_, "potential_force", Shape{n});
    nb::list list;
    for (const SystemContact& contact : contacts_) {
      const nb::object one = systems.attr("ContactAt")();
      contact_objects_.push_back(one);
      list.append(one);
      if (contact.unilateral) normals_.emplace_back(one, "normal", Shape{n});
      tangents_.emplace_back(one, "tangents", Shape{n, 2});
      surfaces_.emplace_back(one, "surface_velocity", Shape{2});
    }
    at_.attr("contacts") = nb::tuple(list);
  }
  ~PythonSystem() override {
    const nb::gil_scoped_acquire hold;
    contact_objects_.clear();
    normals_.clear();
    tangents_.clear();
    surfaces_.clear();
    mass_.reset();
    force_.reset();
    potential_force_.reset();
    at_ = potential_ = evaluate_ = object_ = nb::object();
  }
  PythonSystem(const PythonSystem&) = delete;
  PythonSystem& operator=(const PythonSystem&) = delete;

  Eigen::Index dofs() const override { return dofs_; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  std::vector<std::string> coordinates() const override { return names_.empty() ? System::coordinates() : names_; }
  bool has_constant_mass() const override { return constant_mass_; }
  bool has_steady_surfaces() const override { return steady_; }

  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override {
    const nb::gil_scoped_acquire hold;
    evaluate_(t, array_of(q), array_of(u), at_);
    const auto vector_from = [&](Filled& from) { return Eigen::Map<const Eigen::VectorXd>(from.read(), dofs_); };
    at.mass = Eigen::Map<const RowMajor>(mass_->read(), dofs_, dofs_);
    if (!at.mass.isApprox(at.mass.transpose(), 1e-12))
      throw InvalidInput("evaluate: at.mass is not symmetric; fill both triangles");
    at.force = vector_from(*force_);
    at.potential_force = vector_from(*potential_force_);
    std::size_t unilateral = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      ContactAt& to = at.contacts[i];
      if (contacts_[i].unilateral) {
        to.gap = number(contact_objects_[i].attr("gap"), "at.contacts: gap");
        to.normal = vector_from(normals_[unilateral++]);
      } else {
        to.normal_force = number(contact_objects_[i].attr("normal_force"), "at.contacts: normal_force");
        if (!(to.normal_force >= 0))
          throw InvalidInput(fmt::format(
              "evaluate: normal_force of contact {} is {}; a contact that can open is unilateral", i, to.normal_force));
      }
      to.tangents = Eigen::Map<const RowMajor>(tangents_[i].read(), dofs_, 2);
      to.surface_velocity = Eigen::Map<const Vec2>(surfaces_[i].read());
    }
    if (!checked_) {
      require_filled(*this, at);
      checked_ = true;
    }
  }
  double potential_energy(const VectorX& q) const override {
    if (!potential_.is_valid()) return 0;
    const nb::gil_scoped_acquire hold;
    return number(potential_(array_of(q)), "potential_energy");
  }

 private:
  nb::object object_, evaluate_, potential_, at_;
  Eigen::Index dofs_;
  std::vector<std::string> names_;
  bool constant_mass_, steady_;
  std::vector<SystemContact> contacts_;
  mutable bool checked_ = false;
  mutable std::optional<Filled> mass_, force_, potential_force_;
  mutable std::vector<Filled> normals_, tangents_, surfaces_;
  std::vector<nb::object> contact_objects_;
};

LinearContact linear_contact(nb::handle given, Eigen::Index dofs) {
  const nb::dict d = nb::cast<nb::dict>(given);
  const auto get = [&](const char* key) { return d.contains(key) ? nb::object(d[key]) : nb::object(nb::none()); };
  for (const auto& [key, value] : d) {
    const std::string name = nb::cast<std::string>(key);
    const char* const known[] = {"law", "tangents", "surface_velocity", "normal_force", "normal", "gap", "restitution"};
    if (std::none_of(std::begin(known), std::end(known), [&](const char* k) { return name == k; }))
      throw InvalidInput(fmt::format("contacts: there is no \"{}\"; a contact has {}", name, fmt::join(known, ", ")));
  }
  if (!d.contains("law") || !nb::isinstance<Law>(d["law"])) throw InvalidInput("contacts: each needs a law");
  if (!d.contains("tangents")) throw InvalidInput("contacts: each needs tangents, W_T of shape (dofs, 2)");
  LinearContact contact{
      .law = nb::cast<const Law&>(d["law"]), .tangents = matrix(d["tangents"], "tangents", dofs, 2), .normal = {}};
  if (d.contains("surface_velocity")) contact.surface_velocity = vec2(d["surface_velocity"], "surface_velocity");
  if (d.contains("normal") == d.contains("normal_force"))
    throw InvalidInput("contacts: each has either normal_force, or normal (unilateral)");
  for (const char* const name : {"gap", "restitution"})
    if (d.contains(name) && !d.contains("normal"))
      throw InvalidInput(fmt::format("contacts: {} is of unilateral contacts, which have a normal", name));
  if (d.contains("normal_force")) contact.normal_force = number(get("normal_force"), "normal_force");
  if (d.contains("normal")) contact.normal = vector(d["normal"], "normal", dofs);
  if (d.contains("gap")) contact.gap = number(get("gap"), "gap");
  if (d.contains("restitution")) contact.restitution = number(get("restitution"), "restitution");
  return contact;
}

Handle linear_system(nb::object mass, nb::object damping, nb::object stiffness, nb::object force,
                     const std::vector<nb::object>& contacts) {
  const Eigen::MatrixXd m = matrix(mass, "mass");
  const Eigen::Index n = m.rows();
  const auto square = [&](nb::object given, const char* what) {
    return given.is_none() ? Eigen::MatrixXd(Eigen::MatrixXd::Zero(n, n)) : matrix(given, what, n, n);
  };
  const Eigen::VectorXd f = force.is_none() ? Eigen::VectorXd(Eigen::VectorXd::Zero(n)) : vector(force, "force", n);
  std::vector<LinearContact> all;
  for (const nb::object& one : contacts) all.push_back(linear_contact(one, n));
  return {std::make_shared<const LinearSystem>(m, square(damping, "damping"), square(stiffness, "stiffness"), f,
                                               std::move(all))};
}

Handle mass_on_belt(const Law& law, double mass, nb::object stiffness, nb::object damping, double normal_force,
                    nb::object belt_velocity) {
  MassOnBeltParameters p;
  p.mass = mass;
  p.stiffness = mat2(stiffness, "stiffness");
  p.damping = mat2(damping, "damping");
  p.normal_force = normal_force;
  p.belt_velocity = vec2(belt_velocity, "belt_velocity");
  return {std::make_shared<const MassOnBelt>(law, p)};
}

}  // namespace

State state_of(const System& system, std::optional<nb::object> q, std::optional<nb::object> u, double t) {
  State state = system.start();
  if (q) state.q = vector(*q, "q", system.positions());
  if (u) state.u = vector(*u, "u", system.dofs());
  state.t = t;
  require_finite(t, "t");
  return state;
}

Integrator integrator_of(nb::handle given) {
  const auto kind = nb::cast<std::string>(given.attr("kind"));
  const auto number_of = [&](const char* name) { return number(given.attr(name), name); };
  const auto text_of = [](nb::handle text, const char* name) {
    if (!nb::isinstance<nb::str>(text)) throw InvalidInput(fmt::format("{}: expected a name", name));
    return nb::cast<std::string>(text);
  };
  const auto given_or = [&](const char* name, auto& to) {
    using T = typename std::decay_t<decltype(to)>::value_type;
    const nb::object value = given.attr(name);
    if (value.is_none()) return;
    const double x = number(value, name);
    if (std::is_integral_v<T> && !(x >= 1 && x <= 1e9 && x == std::floor(x)))
      throw InvalidInput(fmt::format("{}: found {}; expected a whole number, 1 or more", name, x));
    to = static_cast<T>(x);
  };
  const auto friction = [&]() -> SmoothFriction {
    const nb::object smooth = given.attr("friction");
    if (smooth.is_none()) return {};
    if (nb::isinstance<LuGre>(smooth)) return SmoothFriction(nb::cast<const LuGre&>(smooth));
    if (!nb::hasattr(smooth, "kind") || !nb::hasattr(smooth, "epsilon"))
      throw InvalidInput("friction: expected Regularized(...), LuGre(...) or None");
    const auto name = text_of(smooth.attr("kind"), "friction");
    for (std::size_t i = 0; i < kRegularizationNames.size(); ++i)
      if (kRegularizationNames[i] == name)
        return SmoothFriction(
            RegularizedCoulomb(static_cast<Regularization>(i), number(smooth.attr("epsilon"), "epsilon")));
    throw InvalidInput(
        fmt::format("friction: found \"{}\"; expected one of {}", name, fmt::join(kRegularizationNames, ", ")));
  };
  if (kind == "moreau") {
    Moreau moreau;
    moreau.step = number_of("step");
    given_or("tolerance", moreau.contact.tolerance);
    given_or("max_iterations", moreau.contact.max_iterations);
    given_or("closing_distance", moreau.closing_distance);
    if (const nb::object method = given.attr("method"); !method.is_none())
      moreau.contact.method = contact_method(text_of(method, "method"));
    return moreau;
  }
  if (kind == "event-driven") {
    EventDriven events;
    events.row_step = number_of("row_step");
    events.relative_tolerance = number_of("relative_tolerance");
    events.throws = false;
    return events;
  }
  if (kind == "rk4") return RungeKutta4{number_of("step"), friction()};
  const auto method = text_of(given.attr("method"), "method");
  for (std::size_t i = 0; i < kAdaptiveMethodNames.size(); ++i)
    if (kAdaptiveMethodNames[i] == method) {
      Adaptive adaptive;
      adaptive.method = static_cast<AdaptiveMethod>(i);
      adaptive.row_step = number_of("row_step");
      adaptive.relative_tolerance = number_of("relative_tolerance");
      adaptive.absolute_tolerance = number_of("absolute_tolerance");
      adaptive.friction = friction();
      return adaptive;
    }
  throw InvalidInput(
      fmt::format("method: found \"{}\"; expected one of {}", method, fmt::join(kAdaptiveMethodNames, ", ")));
}

namespace {

Answer simulated(const Handle& handle, nb::object integrator, std::optional<nb::object> q, std::optional<nb::object> u,
                 double t, double duration, bool until_stick, int every, double cycle, int threads,
                 const std::string& title, nb::object progress) {
  const System& system = *handle.system;
  const State start = state_of(system, q, u, t);
  Integrator with = integrator_of(integrator);
  if (auto* const moreau = std::get_if<Moreau>(&with)) moreau->contact.threads = threads;
  RunOptions options;
  options.duration = duration;
  options.until_stick = until_stick;
  options.every = every;
  options.cycle = cycle;
  require_finite(cycle, "cycle");
  Watch watch(std::move(progress));
  options.progress = [&](double done, double all) {
    return watch.show(done, until_stick ? 0 : all, "simulated seconds");
  };
  return watch.run([&] {
    auto kept = std::make_shared<const Run>(simulate(system, start, with, options));
    const Run& run = *kept;
    const auto* const world = dynamic_cast<const BodyWorld*>(&system);
    Results results{"run", (world ? bodies_json(*world, run, title) : run_json(run)).dump(2),
                    world ? bodies_text(*world, run, title) : run_text(run)};
    if (world && run.table.size() > 0)
      for (const auto figure : {bodies_path_figure, snapshots_figure, bodies_time_figure})
        results.figures.push_back(figure(*world, run, title));
    if (run.table.size() > 0 && !system.contacts().empty() && system.contacts()[0].law) {
      if (system.dofs() > 1) results.figures.push_back(path_figure(system, run, title));
      results.figures.push_back(force_figure(system, run, title));
      results.figures.push_back(time_figure(system, run, title));
    }
    Answer answer(std::move(results));
    answer.succeeded = run.report.finished() && run.report.trusted();
    answer.stopped = run.report.status == RunStatus::stopped;
    answer.table = &run.table;
    answer.system = handle.system;
    answer.kept = std::move(kept);
    return answer;
  });
}

}  // namespace

void bind_motion(nb::module_& m) {
  nb::class_<PythonContact>(m, "SystemContact", "A contact of a system of your own: what does not change during a run.")
      .def(
          "__init__",
          [](PythonContact* self, const Law* law, const std::string& name, bool unilateral, double restitution) {
            new (self) PythonContact{name, law ? std::optional(*law) : std::nullopt, unilateral, restitution};
          },
          "law"_a.none() = nb::none(), "name"_a = "contact", "unilateral"_a = false, "restitution"_a = 0.0);
  nb::class_<Handle>(m, "SystemHandle")
      .def_prop_ro("dofs", [](const Handle& h) { return h.system->dofs(); })
      .def_prop_ro("positions", [](const Handle& h) { return h.system->positions(); })
      .def_prop_ro("coordinates", [](const Handle& h) { return h.system->coordinates(); });
  m.def(
      "python_system",
      [](nb::object object, int dofs, const std::vector<PythonContact>& contacts, std::vector<std::string> names,
         bool constant_mass, bool steady_surfaces) {
        if (dofs < 1 || dofs > 10000) throw InvalidInput("dofs: expected 1 to 10000");
        if (!names.empty() && names.size() != static_cast<std::size_t>(dofs))
          throw InvalidInput("coordinates: expected a name for each degree of freedom");
        return Handle{std::make_shared<const PythonSystem>(std::move(object), dofs, contacts, std::move(names),
                                                           constant_mass, steady_surfaces)};
      },
      "system"_a, "dofs"_a, "contacts"_a, "coordinates"_a, "constant_mass"_a, "steady_surfaces"_a);
  m.def("linear_system", &linear_system, "mass"_a, "damping"_a.none(), "stiffness"_a.none(), "force"_a.none(),
        "contacts"_a);
  m.def("mass_on_belt", &mass_on_belt, "law"_a, "mass"_a, "stiffness"_a, "damping"_a, "normal_force"_a,
        "belt_velocity"_a);
  m.def(
      "sliding_body",
      [](const Law& law, double mass, double normal_force) {
        return Handle{std::make_shared<const SlidingBody>(law, mass, normal_force)};
      },
      "law"_a, "mass"_a, "normal_force"_a);
  m.def(
      "spring_slider",
      [](double mass, double stiffness, double damping, double friction_limit, double static_limit, double speed) {
        return Handle{std::make_shared<const AxialSystem>(
            spring_slider({mass, stiffness, damping, friction_limit, static_limit, speed}))};
      },
      "mass"_a, "stiffness"_a, "damping"_a, "friction_limit"_a, "static_limit"_a, "speed"_a);
  m.def(
      "forced_oscillator",
      [](double mass, double stiffness, double damping, double friction_limit, double static_limit, double amplitude,
         double frequency, double phase) {
        return Handle{std::make_shared<const AxialSystem>(
            forced_oscillator({mass, stiffness, damping, friction_limit, static_limit, amplitude, frequency, phase}))};
      },
      "mass"_a, "stiffness"_a, "damping"_a, "friction_limit"_a, "static_limit"_a, "amplitude"_a, "frequency"_a,
      "phase"_a);
  m.def(
      "snake_robot",
      [](const Law& law, int links, double length, double mass, double gravity, double amplitude, double frequency,
         double phase, double steering) {
        return Handle{std::make_shared<const SnakeRobot>(
            law, SnakeRobotParameters{links, length, mass, gravity, amplitude, frequency, phase, steering})};
      },
      "law"_a, "links"_a, "length"_a, "mass"_a, "gravity"_a, "amplitude"_a, "frequency"_a, "phase"_a, "steering"_a);
  m.def("simulate", &simulated, "system"_a, "integrator"_a, "q"_a = nb::none(), "u"_a = nb::none(), "t"_a = 0.0,
        "duration"_a = 1.0, "until_stick"_a = false, "every"_a = 1, "cycle"_a = 0.0, "threads"_a = 0, "title"_a = "",
        "progress"_a.none() = nb::none());
}

}  // namespace slipset::python
