// Derivatives of runs in Python.
#include "slipset/motion/run_derivative.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/arrays.hpp"
#include "python/bindings/handle.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/watch.hpp"
#include "slipset/core/error.hpp"
#include "slipset/laws/law_parameters.hpp"

namespace slipset::python {
namespace {

using namespace nb::literals;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class Derived {
 public:
  Derived(const Handle& handle, nb::object integrator, std::optional<nb::object> q, std::optional<nb::object> u,
          double t, double duration, int every, double difference, double border)
      : system_(handle.system) {
    const Integrator with = integrator_of(integrator);
    const Moreau* const moreau = std::get_if<Moreau>(&with);
    if (!moreau) throw InvalidInput("integrator: derivatives of runs are those of Moreau(...)");
    const State start = state_of(*system_, q, u, t);
    RunDerivativeOptions options;
    options.duration = duration;
    options.every = every;
    options.difference = difference;
    options.border = border;
    options.go_on = [] { return !current_ || current_->go_on(); };
    watched([&] { run_ = std::make_unique<const RunDerivative>(*system_, start, *moreau, options); });
  }

  const RunDerivative& run() const { return *run_; }
  const System& system() const { return *system_; }

  // In a thread of its own; Ctrl-C ends it.
  template <class Function>
  void watched(const Function& f) const {
    Watch watch{nb::none()};
    bool stopped = false;
    try {
      watch.run([&] {
        current_ = &watch;  // of this call's own thread
        f();
        return true;
      });
    } catch (const RunDerivative::Stopped&) {
      stopped = true;
    }
    if (!stopped && !watch.stopped()) return;
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }

 private:
  std::shared_ptr<const System> system_;
  static inline thread_local Watch* current_ = nullptr;
  std::unique_ptr<const RunDerivative> run_;
};

NumbersOut rows_of(const MatrixX& columns) { return array_of_matrix(columns.transpose()); }

Eigen::Index numbers_of(const PlanarContactLaw& law) {
  const FrictionLaw& sets = law.law();
  if (sets.reservoir().name() == UserSet::kName || sets.direction().name() == UserSet::kName) return 0;
  return static_cast<Eigen::Index>(law_parameters(sets).size());
}

std::vector<std::vector<std::string>> parameter_names(const Derived& d) {
  std::vector<std::vector<std::string>> all;
  for (const PlanarContactLaw* const law : d.run().laws()) {
    all.emplace_back();
    if (numbers_of(*law) > 0)
      for (const LawParameter& parameter : law_parameters(law->law())) all.back().push_back(parameter.name);
  }
  return all;
}

std::pair<NumbersOut, NumbersOut> forward(const Derived& d, std::optional<nb::object> q, std::optional<nb::object> u,
                                          std::optional<std::vector<nb::object>> laws) {
  const Eigen::Index n = d.system().dofs();
  const auto given = [&](const std::optional<nb::object>& x, const char* what) -> MatrixX {
    return x ? VectorX(vector(*x, what, n)) : VectorX(VectorX::Zero(n));
  };
  const MatrixX of_q = given(q, "q"), of_u = given(u, "u");
  std::vector<MatrixX> changes;
  if (laws) {
    if (laws->size() != d.run().laws().size())
      throw InvalidInput("laws: expected the changes of each distinct law, or None for one that does not change");
    for (std::size_t i = 0; i < laws->size(); ++i)
      changes.emplace_back((*laws)[i].is_none() ? VectorX()
                                                : VectorX(vector((*laws)[i], "laws", numbers_of(*d.run().laws()[i]))));
  }
  std::vector<RunDerivative::Change> found;
  d.watched([&] { found = d.run().forward(of_q, of_u, changes); });
  return {rows_of(found[0].positions), rows_of(found[0].velocities)};
}

// All directions: positions and velocities of the start, then the numbers of each law.
std::pair<NumbersOut, NumbersOut> jacobian(const Derived& d) {
  const Eigen::Index n = d.system().dofs(), rows = d.run().positions().cols();
  Eigen::Index all = 2 * n;
  for (const PlanarContactLaw* const law : d.run().laws()) all += numbers_of(*law);
  MatrixX q = MatrixX::Zero(n, all), u = MatrixX::Zero(n, all);
  q.leftCols(n).setIdentity();
  u.middleCols(n, n).setIdentity();
  std::vector<MatrixX> laws;
  Eigen::Index first = 2 * n;
  for (const PlanarContactLaw* const law : d.run().laws()) {
    const Eigen::Index count = numbers_of(*law);
    laws.emplace_back(count > 0 ? MatrixX(MatrixX::Zero(count, all)) : MatrixX());
    if (count > 0) laws.back().middleCols(first, count).setIdentity();
    first += count;
  }
  std::vector<RunDerivative::Change> found;
  d.watched([&] { found = d.run().forward(q, u, laws); });
  const auto of = [&](const MatrixX RunDerivative::Change::*what) {
    NewArray out(Shape{static_cast<std::size_t>(rows), static_cast<std::size_t>(n), found.size()});
    double* to = out.data;
    for (Eigen::Index row = 0; row < rows; ++row)
      for (Eigen::Index i = 0; i < n; ++i)
        for (const RunDerivative::Change& change : found) *to++ = (change.*what)(i, row);
    return out.array;
  };
  return {of(&RunDerivative::Change::positions), of(&RunDerivative::Change::velocities)};
}

std::tuple<NumbersOut, NumbersOut, std::vector<NumbersOut>> reverse(const Derived& d, std::optional<nb::object> q,
                                                                    std::optional<nb::object> u) {
  const Eigen::Index n = d.system().dofs(), rows = d.run().positions().cols();
  const auto given = [&](const std::optional<nb::object>& x, const char* what) {
    return x ? MatrixX(matrix(*x, what, rows, n).transpose()) : MatrixX(MatrixX::Zero(n, rows));
  };
  const MatrixX of_q = given(q, "q"), of_u = given(u, "u");
  RunDerivative::Gradient gradient;
  d.watched([&] { gradient = d.run().reverse(of_q, of_u); });
  std::vector<NumbersOut> laws;
  for (const VectorX& law : gradient.law) laws.push_back(array_of(law));
  return {array_of(gradient.q), array_of(gradient.u), laws};
}

}  // namespace

void bind_run_derivative(nb::module_& m) {
  nb::class_<Derived>(
      m, "RunDerivative",
      "A run by Moreau's scheme, and how its states change with its start and with the numbers of its "
      "laws (D.8, D.9). InvalidInput, naming time and contact, where a step is on a border between modes.")
      .def_prop_ro(
          "t", [](const Derived& d) { return array_of(std::span<const double>(d.run().times())); },
          "Times of the rows [s].")
      .def_prop_ro(
          "q", [](const Derived& d) { return rows_of(d.run().positions()); }, "Positions, a row per time.")
      .def_prop_ro(
          "u", [](const Derived& d) { return rows_of(d.run().velocities()); }, "Velocities, a row per time.")
      .def_prop_ro(
          "notes", [](const Derived& d) { return d.run().notes(); },
          "What keeps the derivative from being that of the motion, as impacts.")
      .def_prop_ro("parameters", &parameter_names, "Names of the numbers of each distinct law, angles in radians.")
      .def("forward", &forward, "q"_a = nb::none(), "u"_a = nb::none(), "laws"_a = nb::none(),
           "Changes of (q, u), a row per time, for a change of the start and of each law's numbers (None: of none).")
      .def("reverse", &reverse, "q"_a = nb::none(), "u"_a = nb::none(),
           "Gradients of the sum of q*run.q + u*run.u: of the start's q and u, and a list with those of each law's "
           "numbers.")
      .def("jacobian", &jacobian,
           "Derivatives of (q, u), (rows, dofs, numbers): by the start's q and u, then by the numbers of each law.");
  m.def(
      "differentiate",
      [](const Handle& handle, nb::object integrator, std::optional<nb::object> q, std::optional<nb::object> u,
         double t, double duration, int every, double difference, double border) {
        return std::make_unique<Derived>(handle, integrator, q, u, t, duration, every, difference, border);
      },
      "system"_a, "integrator"_a, "q"_a = nb::none(), "u"_a = nb::none(), "t"_a = 0.0, "duration"_a = 1.0,
      "every"_a = 1, "difference"_a = 1e-5, "border"_a = 1e-9);
}

}  // namespace slipset::python
