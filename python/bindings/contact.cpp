// Contact problems in Python: from arrays, sparse matrices and files; solved.
#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <Eigen/SparseCore>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include "python/bindings/laws.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/watch.hpp"
#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_derivative.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/mass_delassus.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/io/problem_file.hpp"
#include "slipset/laws/law_parameters.hpp"
#include "slipset/report/solve_report.hpp"

namespace slipset::python {
namespace {

using namespace nb::literals;

// What problems from Python and from files share.
struct Problem {
  ContactProblem problem;
  bool isotropic = false;  // then the full error of Siconos exists
};

// Anything of scipy.sparse.
SparseMatrix sparse_of(nb::handle given, const char* what) {
  const nb::object csc = given.attr("tocsc")();
  const auto shape = nb::cast<std::pair<long, long>>(csc.attr("shape"));
  const Numbers values = finite_numbers(csc.attr("data"), what, {-1});
  const nb::object numpy = nb::module_::import_("numpy");
  const auto places = [&](const char* name) {
    return nb::cast<nb::ndarray<const std::int64_t, nb::numpy, nb::c_contig>>(
        numpy.attr("ascontiguousarray")(csc.attr(name), nb::arg("dtype") = "int64"));
  };
  const auto rows = places("indices"), starts = places("indptr");
  SparseMatrix matrix(shape.first, shape.second);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(values.size());
  const auto fits = [&](std::int64_t j) {
    return starts.data()[j] >= 0 && starts.data()[j] <= starts.data()[j + 1] &&
           starts.data()[j + 1] <= static_cast<std::int64_t>(std::min(values.size(), rows.size()));
  };
  if (starts.size() != static_cast<std::size_t>(shape.second) + 1)
    throw InvalidInput(fmt::format("{}: a broken sparse matrix", what));
  for (long j = 0; j < shape.second; ++j) {
    if (!fits(j)) throw InvalidInput(fmt::format("{}: a broken sparse matrix", what));
    for (std::int64_t k = starts.data()[j]; k < starts.data()[j + 1]; ++k)
      if (rows.data()[k] < 0 || rows.data()[k] >= shape.first)
        throw InvalidInput(fmt::format("{}: a broken sparse matrix, with a row {}", what, rows.data()[k]));
  }
  for (long j = 0; j < shape.second; ++j)
    for (std::int64_t k = starts.data()[j]; k < starts.data()[j + 1]; ++k)
      entries.emplace_back(static_cast<int>(rows.data()[k]), static_cast<int>(j), values.data()[k]);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

bool is_sparse(nb::handle given) { return nb::hasattr(given, "tocsc"); }

// One law for all contacts, a coefficient for all, or one of either for each; None is a contact without friction.
void set_laws(ContactProblem& problem, nb::handle laws, std::size_t contacts) {
  problem.contacts.assign(contacts, Contact{});
  const auto put = [&](std::size_t i, const ContactLaw* law) { problem.contacts[i].law = law; };
  const auto keep = [&](const FrictionLaw& law) {
    if (law.stribeck())
      throw InvalidInput("laws: a contact problem has no speeds before its solution; give laws without stribeck");
    problem.owned.push_back(std::make_shared<const PlanarContactLaw>(law));
    return problem.owned.back().get();
  };
  if (laws.is_none()) return;
  if (nb::isinstance<Law>(laws)) {
    const ContactLaw* const law = keep(nb::cast<const Law&>(laws));
    for (std::size_t i = 0; i < contacts; ++i) put(i, law);
    return;
  }
  if (nb::isinstance<nb::list>(laws) || nb::isinstance<nb::tuple>(laws)) {
    const nb::sequence all = nb::borrow<nb::sequence>(laws);
    bool any_law = false;
    for (const nb::handle one : all) any_law = any_law || nb::isinstance<Law>(one) || one.is_none();
    if (any_law) {
      if (nb::len(all) != contacts)
        throw InvalidInput(
            fmt::format("laws: found {}; expected one, or {}, as many as contacts", nb::len(all), contacts));
      std::map<PyObject*, const ContactLaw*> known;  // one object for equal ones
      std::size_t i = 0;
      for (const nb::handle one : all) {
        if (one.is_none()) {
          ++i;
          continue;
        }
        if (!nb::isinstance<Law>(one)) throw InvalidInput("laws: expected laws, or None for contacts without friction");
        const ContactLaw*& law = known[one.ptr()];
        if (!law) law = keep(nb::cast<const Law&>(one));
        put(i++, law);
      }
      return;
    }
  }
  const Numbers given = finite_numbers(laws, "laws", {}, true);
  if (given.size() != contacts && given.size() != 1)
    throw InvalidInput(
        fmt::format("laws: found {} coefficients; expected one, or {}, as many as contacts", given.size(), contacts));
  std::vector<double> coefficients(contacts);
  for (std::size_t i = 0; i < contacts; ++i) coefficients[i] = given.data()[given.size() == 1 ? 0 : i];
  set_isotropic_laws(problem, coefficients);
}

std::size_t contacts_of(Eigen::Index rows, const char* what) {
  if (rows % 3 != 0)
    throw InvalidInput(fmt::format("{}: found {} rows; expected three per contact: normal, two tangents", what, rows));
  return static_cast<std::size_t>(rows / 3);
}

Problem finished(ContactProblem problem) {
  require_fit(problem);
  const bool isotropic = has_full_error(problem.contacts);
  return {std::move(problem), isotropic};
}

Problem from_delassus(nb::handle w, nb::handle free_velocity, nb::handle laws) {
  ContactProblem problem;
  if (is_sparse(w)) {
    problem.delassus = std::make_shared<const BlockDelassus>(sparse_of(w, "delassus"));
  } else {
    const Eigen::MatrixXd dense = matrix(w, "delassus");
    if (dense.rows() != dense.cols())
      throw InvalidInput(
          fmt::format("delassus: found {} rows and {} columns; expected as many", dense.rows(), dense.cols()));
    contacts_of(dense.rows(), "delassus");
    problem.delassus = std::make_shared<const BlockDelassus>(dense);
  }
  const Eigen::Index rows = problem.delassus->layout().rows();
  problem.free_velocity = vector(free_velocity, "free_velocity", rows);
  set_laws(problem, laws, contacts_of(rows, "delassus"));
  return finished(std::move(problem));
}

Problem from_masses(nb::handle mass, nb::handle directions, nb::handle velocity, nb::handle laws,
                    std::optional<nb::object> offset) {
  if (!is_sparse(mass) || !is_sparse(directions))
    throw InvalidInput("mass, directions: expected matrices of scipy.sparse");
  const SparseMatrix m = sparse_of(mass, "mass"), h = sparse_of(directions, "directions");
  const std::size_t contacts = contacts_of(h.cols(), "directions (columns)");
  ContactProblem problem;
  const auto w = std::make_shared<const MassDelassus>(m, h);
  problem.free_velocity = w->contact_velocity(vector(velocity, "velocity", m.rows()));
  if (offset) problem.free_velocity += vector(*offset, "offset", h.cols());
  problem.delassus = w;
  set_laws(problem, laws, contacts);
  return finished(std::move(problem));
}

ContactOptions options_of(const Problem& problem, const std::string& method, double tolerance, int max_iterations,
                          const std::string& measure, int settled_contacts, int threads) {
  ContactOptions options;
  options.method = contact_method(method);
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.settled_contacts = settled_contacts;
  options.threads = threads;
  if (!(tolerance > 0 && std::isfinite(tolerance)))
    throw InvalidInput(fmt::format("tolerance: found {}; expected a positive number, as 1e-8", tolerance));
  if (max_iterations < 1) throw InvalidInput("max_iterations: expected 1 or more");
  if (threads < 0) throw InvalidInput("threads: expected 0 (all cores) or more");
  if (measure == "full_error" && !problem.isotropic)
    throw InvalidInput("measure: the full error exists for isotropic laws only; use \"residual\"");
  if (measure == "full_error" || (measure == "automatic" && problem.isotropic))
    options.measure = ContactMeasure::full_error;
  else if (measure != "residual" && measure != "automatic")
    throw InvalidInput("measure: found \"" + measure + "\"; expected automatic, residual or full_error");
  return options;
}

ContactSolution solved(const Problem& problem, const std::string& method, double tolerance, int max_iterations,
                       const std::string& measure, std::optional<nb::object> guess, int settled_contacts, int threads) {
  ContactOptions options = options_of(problem, method, tolerance, max_iterations, measure, settled_contacts, threads);
  ContactSolution solution;
  if (guess) solution.impulse = vector(*guess, "guess", problem.problem.free_velocity.size());
  Interrupt interrupt;
  const std::function<bool()> stop = [&] { return interrupt.came(); };
  options.stop = &stop;
  {
    const nb::gil_scoped_release free;
    require_sound(problem.problem);
    ContactSolver().solve(problem.problem, options, solution);
  }
  interrupt.warn("solve: stopped; the impulses are the best up to there");
  return solution;
}

// What a solution is made of, for pickle: a tuple of arrays, names and numbers, and back.
std::string_view kept_for_good(const std::string& reason) {
  static std::mutex mutex;
  static std::set<std::string> all;
  const std::lock_guard lock(mutex);
  return *all.insert(reason).first;
}

nb::tuple state_of(const ContactSolution& s) {
  const ContactReport& r = s.report;
  const ContactOptions& o = r.options;
  std::vector<int> modes;
  for (const ContactMode mode : s.modes) modes.push_back(static_cast<int>(mode));
  nb::object proof = nb::none();
  if (const auto& c = s.contradiction) proof = nb::make_tuple(array_of(c->impulse), c->contacts, c->closing, c->beyond);
  return nb::make_tuple(
      array_of(s.impulse), array_of(s.velocity), modes, s.solutions, proof,
      nb::make_tuple(static_cast<int>(o.method), static_cast<int>(o.measure), o.tolerance, o.max_iterations, o.step,
                     o.settled_contacts, o.threads),
      nb::make_tuple(static_cast<int>(r.status), std::string(r.stop_reason), r.iterations, r.sweeps, r.newton,
                     r.splitting, static_cast<int>(r.finished_by), r.error, r.undetermined, r.settled, r.residual));
}

ContactSolution solution_of(const nb::tuple& state) {
  ContactSolution s;
  s.impulse = vector(state[0], "impulse");
  s.velocity = vector(state[1], "velocity");
  for (const int mode : nb::cast<std::vector<int>>(state[2])) s.modes.push_back(static_cast<ContactMode>(mode));
  s.solutions = nb::cast<std::vector<int>>(state[3]);
  if (const nb::object proof = state[4]; !proof.is_none())
    s.contradiction = Contradiction{vector(proof[0], "impulse"), nb::cast<std::vector<std::size_t>>(proof[1]),
                                    nb::cast<double>(proof[2]), nb::cast<double>(proof[3])};
  const nb::object o = state[5], r = state[6];
  s.report.options = {.method = static_cast<ContactMethod>(nb::cast<int>(o[0])),
                      .measure = static_cast<ContactMeasure>(nb::cast<int>(o[1])),
                      .tolerance = nb::cast<double>(o[2]),
                      .max_iterations = nb::cast<int>(o[3]),
                      .step = nb::cast<double>(o[4]),
                      .settled_contacts = nb::cast<int>(o[5]),
                      .threads = nb::cast<int>(o[6])};
  s.report.status = static_cast<ContactStatus>(nb::cast<int>(r[0]));
  s.report.stop_reason = kept_for_good(nb::cast<std::string>(r[1]));
  s.report.iterations = nb::cast<int>(r[2]);
  s.report.sweeps = nb::cast<int>(r[3]);
  s.report.newton = nb::cast<int>(r[4]);
  s.report.splitting = nb::cast<int>(r[5]);
  s.report.finished_by = static_cast<ContactMethod>(nb::cast<int>(r[6]));
  s.report.error = nb::cast<double>(r[7]);
  s.report.undetermined = nb::cast<std::optional<int>>(r[8]);
  s.report.settled = nb::cast<bool>(r[9]);
  s.report.residual = nb::cast<double>(r[10]);
  return s;
}

// A derivative keeps what it was made from.
struct Derivative {
  std::shared_ptr<const Problem> problem;
  Eigen::VectorXd impulse;
  std::shared_ptr<const ContactDerivative> derivative;
};

Derivative derivative_of(const Problem& problem, const ContactSolution& solution, double border) {
  DerivativeOptions options;
  options.border = border;
  if (!(border >= 0 && border < 1)) throw InvalidInput("border: expected 0 or more, below 1");
  auto kept = std::make_shared<const Problem>(problem);
  auto made = std::make_shared<const ContactDerivative>(kept->problem, solution, options);
  return {kept, solution.impulse, std::move(made)};
}

const FrictionLaw& law_of(const ContactLaw& law) { return law.as_planar()->law(); }

std::vector<std::vector<std::string>> parameter_names(const Derivative& d) {
  std::vector<std::vector<std::string>> all;
  for (const ContactLaw* law : d.derivative->laws()) {
    all.emplace_back();
    for (const LawParameter& parameter : law_parameters(law_of(*law))) all.back().push_back(parameter.name);
  }
  return all;
}

std::pair<NumbersOut, NumbersOut> forward(const Derivative& d, std::optional<nb::object> free_velocity,
                                          std::optional<nb::object> delassus,
                                          std::optional<std::vector<nb::object>> laws) {
  const Eigen::Index rows = d.impulse.size();
  Eigen::VectorXd velocity = Eigen::VectorXd::Zero(rows);
  if (free_velocity) velocity += vector(*free_velocity, "free_velocity", rows);
  if (delassus) {
    if (is_sparse(*delassus)) {
      const SparseMatrix dw = sparse_of(*delassus, "delassus");
      if (dw.rows() != rows || dw.cols() != rows) throw InvalidInput("delassus: expected a change of the size of W");
      velocity += dw * d.impulse;
    } else {
      velocity += matrix(*delassus, "delassus", rows, rows) * d.impulse;
    }
  }
  std::vector<Eigen::VectorXd> changes;
  if (laws)
    for (const nb::object& one : *laws) changes.push_back(one.is_none() ? Eigen::VectorXd() : vector(one, "laws"));
  const ContactDerivative::Change change = d.derivative->forward(velocity, changes);
  return {array_of(change.impulse), array_of(change.velocity)};
}

std::pair<NumbersOut, std::vector<NumbersOut>> reverse(const Derivative& d, std::optional<nb::object> impulse,
                                                       std::optional<nb::object> velocity) {
  const Eigen::Index rows = d.impulse.size();
  const auto given = [&](const std::optional<nb::object>& x, const char* what) {
    return x ? vector(*x, what, rows) : Eigen::VectorXd(Eigen::VectorXd::Zero(rows));
  };
  const ContactDerivative::Gradient gradient =
      d.derivative->reverse(given(impulse, "impulse"), given(velocity, "velocity"));
  std::vector<NumbersOut> laws;
  for (const Eigen::VectorXd& law : gradient.law) laws.push_back(array_of(law));
  return {array_of(gradient.free_velocity), laws};
}

std::vector<std::string> mode_names(const ContactSolution& solution) {
  std::vector<std::string> names;
  for (const ContactMode mode : solution.modes) names.emplace_back(name_of(mode));
  return names;
}

nb::object contradiction_of(const ContactSolution& solution) {
  if (!solution.contradiction) return nb::none();
  nb::dict proof;
  proof["impulse"] = array_of(solution.contradiction->impulse);
  proof["contacts"] = solution.contradiction->contacts;
  proof["closing"] = solution.contradiction->closing;
  return proof;
}

nb::ndarray<nb::numpy, const double> view_of_vector(const Eigen::VectorXd& x, nb::handle owner) {
  return view_of({x.data(), static_cast<std::size_t>(x.size())}, owner);
}

}  // namespace

void bind_contact(nb::module_& m) {
  nb::class_<Problem>(m, "ContactProblem",
                      "Many contacts in one step: u = W p + q, each contact with its law (C.1). Rows of a contact: "
                      "normal, two tangents.")
      .def(
          "__init__",
          [](Problem* self, nb::object delassus, nb::object free_velocity, nb::object laws) {
            new (self) Problem(from_delassus(delassus, free_velocity, laws));
          },
          "delassus"_a, "free_velocity"_a, "laws"_a.none(),
          "W, dense or of scipy.sparse; q [m/s]; one law or coefficient for all contacts, or one each (None: no "
          "friction).")
      .def_static("from_masses", &from_masses, "mass"_a, "directions"_a, "velocity"_a, "laws"_a.none(),
                  "offset"_a = nb::none(),
                  "M and H of scipy.sparse, the free velocity of the system and what is added to that of the contacts; "
                  "W = HᵀM⁻¹H is never formed (C.15).")
      .def_static(
          "read", [](const std::filesystem::path& path) { return finished(read_problem(path).problem); }, "path"_a,
          nb::sig("def read(path: str | os.PathLike[str]) -> ContactProblem"),
          "A file of Siconos (.dat) or FCLib (.hdf5).")
      .def(
          "save",
          [](const Problem& p, const std::filesystem::path& path, const std::string& title) {
            write_problem(path, p.problem, title);
          },
          "path"_a, "title"_a = "", nb::sig("def save(self, path: str | os.PathLike[str], title: str = '') -> None"),
          "To .dat or .hdf5, by the ending.")
      .def_prop_ro("free_velocity",
                   [](nb::handle_t<Problem> self) {
                     return view_of_vector(nb::cast<const Problem&>(self).problem.free_velocity, self);
                   })
      .def_prop_ro("isotropic", [](const Problem& p) { return p.isotropic; })
      .def("__len__", [](const Problem& p) { return p.problem.contacts.size(); })
      .def(
          "multiply",
          [](const Problem& p, nb::object impulse) {
            const Eigen::VectorXd x = vector(impulse, "impulse", p.problem.free_velocity.size());
            Eigen::VectorXd u(x.size());
            p.problem.delassus->multiply_add(x, p.problem.free_velocity, u);
            return array_of(u);
          },
          "impulse"_a, "W p + q.")
      .def(
          "delassus",
          [](const Problem& p) {
            if (p.problem.contacts.size() > 3000)
              throw InvalidInput("delassus: of more than 3000 contacts it is not made dense");
            BlockDelassus blocks;
            p.problem.delassus->assemble(blocks);
            return array_of_matrix(Eigen::MatrixXd(blocks.sparse()));
          },
          "W as a dense array.")
      .def(
          "residual",
          [](const Problem& p, nb::object impulse) {
            return contact_residual(p.problem, vector(impulse, "impulse", p.problem.free_velocity.size()));
          },
          "impulse"_a, "How far impulses are from a solution, without units (C.4).")
      .def(
          "full_error",
          [](const Problem& p, nb::object impulse) {
            return full_error(p.problem, vector(impulse, "impulse", p.problem.free_velocity.size()));
          },
          "impulse"_a, "The full error of Siconos, isotropic laws only, else NaN (C.12).");

  nb::class_<ContactSolution>(m, "ContactSolution", "Impulses, velocities and modes of a contact problem.")
      .def_prop_ro(
          "impulse",
          [](nb::handle_t<ContactSolution> s) {
            return view_of_vector(nb::cast<const ContactSolution&>(s).impulse, s);
          },
          "p [N s].")
      .def_prop_ro(
          "velocity",
          [](nb::handle_t<ContactSolution> s) {
            return view_of_vector(nb::cast<const ContactSolution&>(s).velocity, s);
          },
          "u [m/s].")
      .def_prop_ro("modes", &mode_names, "\"open\", \"stick\" or \"slip\" of each contact; \"none\": no solution.")
      .def_prop_ro(
          "solutions", [](const ContactSolution& s) { return s.solutions; },
          "Of each contact, the others held: more than 1 is ambiguous; 0: not counted.")
      .def_prop_ro("ambiguous", &ContactSolution::ambiguous)
      .def_prop_ro("contradiction", &contradiction_of, "Where there is no solution: what proves it (C.21).")
      .def_prop_ro("solved", [](const ContactSolution& s) { return s.report.solved(); })
      .def_prop_ro(
          "status", [](const ContactSolution& s) { return std::string(name_of(s.report.status)); },
          "\"solved\", \"no-solution\" (proven) or \"not-reached\".")
      .def_prop_ro("stop_reason", [](const ContactSolution& s) { return std::string(s.report.stop_reason); })
      .def_prop_ro(
          "error", [](const ContactSolution& s) { return s.report.error; }, "In the measure that was asked for.")
      .def_prop_ro("iterations", [](const ContactSolution& s) { return s.report.iterations; })
      .def_prop_ro("sweeps", [](const ContactSolution& s) { return s.report.sweeps; })
      .def_prop_ro("newton", [](const ContactSolution& s) { return s.report.newton; })
      .def_prop_ro("splitting", [](const ContactSolution& s) { return s.report.splitting; })
      .def_prop_ro(
          "undetermined", [](const ContactSolution& s) { return s.report.undetermined; },
          "How many independent impulses the laws leave open, at most; None: not looked at.")
      .def("__getstate__", &state_of, nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](ContactSolution& self, const nb::tuple& state) { new (&self) ContactSolution(solution_of(state)); },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...], /) -> None"))
      .def("__repr__", [](const ContactSolution& s) {
        std::ostringstream out;
        out << "ContactSolution: " << s.report;
        return out.str();
      });

  nb::class_<Derivative>(
      m, "ContactDerivative",
      "How the solution of a contact problem changes with its data (C.22, C.23). InvalidInput, naming "
      "the contacts, where it is on a border between modes: there is no derivative.")
      .def(
          "__init__",
          [](Derivative* self, const Problem& problem, const ContactSolution& solution, double border) {
            new (self) Derivative(derivative_of(problem, solution, border));
          },
          "problem"_a, "solution"_a, "border"_a = 1e-9,
          "`border`: how near to a border counts as on it, over the largest forces and velocities.")
      .def("forward", &forward, "free_velocity"_a = nb::none(), "delassus"_a = nb::none(), "laws"_a = nb::none(),
           "Changes of (impulse, velocity) for changes of q, of W, and of the parameters of each law (None: of none).")
      .def("reverse", &reverse, "impulse"_a = nb::none(), "velocity"_a = nb::none(),
           "Gradients of impulse·p + velocity·u: that of q, and a list with that of each law's parameters. That of W "
           "is the "
           "outer product of the first and the solution's impulse.")
      .def_prop_ro("parameters", &parameter_names, "Names of the parameters of each distinct law, angles in radians.");

  m.def("solve_problem", &solved, "problem"_a, "method"_a, "tolerance"_a, "max_iterations"_a, "measure"_a,
        "guess"_a = nb::none(), "settled_contacts"_a = 40, "threads"_a = 0);
}

}  // namespace slipset::python
