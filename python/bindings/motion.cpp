// Systems and their motion in Python; a system may be written there.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "python/bindings/laws.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/results.hpp"
#include "python/bindings/watch.hpp"
#include "slipset/motion/integrators/integrator.hpp"
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
using Made = std::shared_ptr<const System>;

// Arrays that Python fills: views of the numbers that C++ reads, made once.
nb::object writable(double* data, Shape shape, nb::handle owner, bool columns_first = false) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  if (shape.size() == 2)
    strides = columns_first ? std::vector<std::int64_t>{1, static_cast<std::int64_t>(shape[0])}
                            : std::vector<std::int64_t>{static_cast<std::int64_t>(shape[1]), 1};
  return nb::cast(NumbersOut(data, shape.size(), shape.data(), owner, strides.data()));
}

struct PythonContact {
  std::string name;
  std::optional<Law> law;
  bool unilateral = false;
  double restitution = 0;
};

// A system whose evaluate() is written in Python. It is given arrays to fill: at.mass, at.force, at.potential_force and
// for each contact gap, normal_force, normal, tangents, surface_velocity.
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
    // Python's arrays, and their copies for C++.
    at_ = sized_for(*this);
    q_.setZero(dofs);
    u_.setZero(dofs);
    const nb::capsule nobody(this, [](void*) noexcept {});  // they live as long as this, which keeps them
    const auto n = static_cast<std::size_t>(dofs);
    q_array_ = writable(q_.data(), {n}, nobody);
    u_array_ = writable(u_.data(), {n}, nobody);
    const nb::object namespace_ = nb::module_::import_("types").attr("SimpleNamespace");
    nb::list list;
    scalars_.resize(2 * contacts_.size());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      ContactAt& c = at_.contacts[i];
      const nb::object one = namespace_();
      one.attr("gap") = 0.0;
      one.attr("normal_force") = 0.0;
      if (c.normal.size() > 0)
        one.attr("normal") = writable(c.normal.data(), {static_cast<std::size_t>(c.normal.size())}, nobody);
      one.attr("tangents") = writable(c.tangents.data(), {n, 2}, nobody, true);
      one.attr("surface_velocity") = writable(c.surface_velocity.data(), {2}, nobody);
      list.append(one);
      contact_objects_.push_back(one);
    }
    at_object_ = namespace_();
    at_object_.attr("mass") = writable(at_.mass.data(), {n, n}, nobody, true);
    at_object_.attr("force") = writable(at_.force.data(), {n}, nobody);
    at_object_.attr("potential_force") = writable(at_.potential_force.data(), {n}, nobody);
    at_object_.attr("contacts") = list;
  }
  ~PythonSystem() override {
    const nb::gil_scoped_acquire hold;
    contact_objects_.clear();
    at_object_ = q_array_ = u_array_ = potential_ = evaluate_ = object_ = nb::object();
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
    q_ = q;
    u_ = u;
    evaluate_(t, q_array_, u_array_, at_object_);
    at.mass = at_.mass;
    at.force = at_.force;
    at.potential_force = at_.potential_force;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const ContactAt& from = at_.contacts[i];
      ContactAt& to = at.contacts[i];
      if (contacts_[i].unilateral)
        to.gap = nb::cast<double>(contact_objects_[i].attr("gap"));
      else
        to.normal_force = nb::cast<double>(contact_objects_[i].attr("normal_force"));
      to.normal = from.normal;
      to.tangents = from.tangents;
      to.surface_velocity = from.surface_velocity;
    }
    if (!checked_) {
      require_filled(*this, at);
      checked_ = true;
    }
  }
  double potential_energy(const VectorX& q) const override {
    if (!potential_.is_valid()) return 0;
    const nb::gil_scoped_acquire hold;
    q_ = q;
    return nb::cast<double>(potential_(q_array_));
  }

 private:
  nb::object object_, evaluate_, potential_;
  Eigen::Index dofs_;
  std::vector<std::string> names_;
  bool constant_mass_, steady_;
  std::vector<SystemContact> contacts_;
  // What Python reads and fills. One at a time: whoever calls holds the interpreter.
  mutable SystemAt at_;
  mutable VectorX q_, u_;
  mutable bool checked_ = false;
  std::vector<double> scalars_;
  nb::object at_object_, q_array_, u_array_;
  std::vector<nb::object> contact_objects_;
};

struct Handle {
  Made system;
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
  if (d.contains("normal_force")) contact.normal_force = nb::cast<double>(get("normal_force"));
  if (d.contains("normal")) contact.normal = vector(d["normal"], "normal", dofs);
  if (d.contains("gap")) contact.gap = nb::cast<double>(get("gap"));
  if (d.contains("restitution")) contact.restitution = nb::cast<double>(get("restitution"));
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
  const auto number = [&](const char* name) { return nb::cast<double>(given.attr(name)); };
  const auto given_or = [&](const char* name, auto& to) {
    using T = typename std::decay_t<decltype(to)>::value_type;
    if (const nb::object value = given.attr(name); !value.is_none()) to = nb::cast<T>(value);
  };
  const auto friction = [&]() -> SmoothFriction {
    const nb::object smooth = given.attr("friction");
    if (smooth.is_none()) return {};
    if (nb::isinstance<LuGre>(smooth)) return SmoothFriction(nb::cast<const LuGre&>(smooth));
    const auto name = nb::cast<std::string>(smooth.attr("kind"));
    for (std::size_t i = 0; i < kRegularizationNames.size(); ++i)
      if (kRegularizationNames[i] == name)
        return SmoothFriction(
            RegularizedCoulomb(static_cast<Regularization>(i), nb::cast<double>(smooth.attr("epsilon"))));
    throw InvalidInput(
        fmt::format("friction: found \"{}\"; expected one of {}", name, fmt::join(kRegularizationNames, ", ")));
  };
  if (kind == "moreau") {
    Moreau moreau;
    moreau.step = number("step");
    given_or("tolerance", moreau.contact.tolerance);
    given_or("max_iterations", moreau.contact.max_iterations);
    given_or("closing_distance", moreau.closing_distance);
    if (const nb::object method = given.attr("method"); !method.is_none())
      moreau.contact.method = contact_method(nb::cast<std::string>(method));
    return moreau;
  }
  if (kind == "event-driven") {
    EventDriven events;
    events.row_step = number("row_step");
    events.relative_tolerance = number("relative_tolerance");
    events.throws = false;
    return events;
  }
  if (kind == "rk4") return RungeKutta4{number("step"), friction()};
  const auto method = nb::cast<std::string>(given.attr("method"));
  for (std::size_t i = 0; i < kAdaptiveMethodNames.size(); ++i)
    if (kAdaptiveMethodNames[i] == method) {
      Adaptive adaptive;
      adaptive.method = static_cast<AdaptiveMethod>(i);
      adaptive.row_step = number("row_step");
      adaptive.relative_tolerance = number("relative_tolerance");
      adaptive.absolute_tolerance = number("absolute_tolerance");
      adaptive.friction = friction();
      return adaptive;
    }
  throw InvalidInput(
      fmt::format("method: found \"{}\"; expected one of {}", method, fmt::join(kAdaptiveMethodNames, ", ")));
}

Answer simulated(const Handle& handle, nb::object integrator, std::optional<nb::object> q, std::optional<nb::object> u,
                 double t, double duration, bool until_stick, int every, double cycle, int threads,
                 const std::string& title, nb::object progress) {
  struct Kept {
    Made system;
    Run run;
  };
  const System& system = *handle.system;
  const State start = state_of(system, q, u, t);
  Integrator with = integrator_of(integrator);
  if (auto* const moreau = std::get_if<Moreau>(&with)) moreau->contact.threads = threads;
  RunOptions options;
  options.duration = duration;
  options.until_stick = until_stick;
  options.every = every;
  options.cycle = cycle;
  Watch watch(std::move(progress));
  options.progress = [&](double done, double all) {
    return watch.show(done, until_stick ? 0 : all, "simulated seconds");
  };
  return watch.run([&] {
    auto kept = std::make_shared<Kept>(Kept{handle.system, simulate(system, start, with, options)});
    const Run& run = kept->run;
    Results results{"run", run_json(run).dump(2), run_text(run)};
    if (system.dofs() > 1) results.figures.push_back(path_figure(system, run, title));
    if (!system.contacts().empty() && system.contacts()[0].law)
      results.figures.push_back(force_figure(system, run, title));
    results.figures.push_back(time_figure(system, run, title));
    Answer answer(std::move(results));
    answer.succeeded = run.report.finished() && run.report.trusted();
    answer.stopped = run.report.status == RunStatus::stopped;
    answer.table = &run.table;
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
