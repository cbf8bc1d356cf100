#include "slipset/contact/contact_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/internal/contradiction.hpp"
#include "slipset/contact/internal/local_search.hpp"
#include "slipset/contact/internal/method_run.hpp"
#include "slipset/contact/internal/settle.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

constexpr int kSearchSweeps = 100;
constexpr double kLoosestSettled = 1e-6;    // tolerance; settling costs several times what a quick look does
constexpr int kFirstSplitting = 500;        // iterations with masses, before W is formed
constexpr Eigen::Index kMostFormed = 3000;  // rows of W then

// Of one contact: no impulse of it is left open. Where that of the normal is given, its row of the block is not looked at.
bool is_regular(const ContactMat& g, bool given_normal) {
  if (g.rows() != 3) return false;
  const double tangential = g(1, 1) + g(2, 2);
  if (given_normal) return g(1, 1) * g(2, 2) - g(1, 2) * g(2, 1) > 1e-9 * tangential * tangential;
  const double size = tangential + g(0, 0);
  return Mat3(g).determinant() > 1e-9 * size * size * size;
}

// Whether every contact has three rows and slides by two sets, or has no friction: the fast way.
bool is_planar(const ContactProblem& problem, const RowLayout& layout) {
  return layout.all_have(3) &&
         std::all_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const Contact& contact) { return !contact.law || contact.law->as_planar(); });
}

// Whether every contact has six rows and slides, drills and rolls: the same for these.
bool is_rolling(const ContactProblem& problem) {
  return std::all_of(problem.contacts.begin(), problem.contacts.end(), internal::PreparedRolling::suits);
}

void require_sensible(const ContactProblem& problem, const ContactOptions& options) {
  if (!(options.tolerance > 0) || !std::isfinite(options.tolerance))
    throw InvalidInput(
        fmt::format("contact solver: a tolerance of {}; expected a positive number, as in 1e-8", options.tolerance));
  if (options.max_iterations < 1)
    throw InvalidInput(
        fmt::format("contact solver: at most {} iterations; expected 1 or more", options.max_iterations));
  if (options.threads < 0)
    throw InvalidInput(
        fmt::format("contact solver: {} threads; expected 1 or more, or 0 for all cores", options.threads));
  if (options.settled_contacts < 0)
    throw InvalidInput(fmt::format("contact solver: settling up to {} contacts; expected 1 or more, or 0 for none",
                                   options.settled_contacts));
  if (!(options.step >= 0) || !std::isfinite(options.step))
    throw InvalidInput(fmt::format(
        "contact solver: a step of {}; expected a positive number, or 0 to let the law choose", options.step));
  if (options.step != 0 && options.method != ContactMethod::fixed_point)
    throw InvalidInput(fmt::format("contact solver: a step is for the fixed point, not for the method {}; remove one",
                                   name_of(options.method)));
  if (options.measure == ContactMeasure::full_error && !has_full_error(problem.contacts))
    throw InvalidInput(
        "contact solver: the full error is for joints and for contacts without given normal impulse whose friction is "
        "the "
        "same in every direction; choose the residual");
}

// Squares of these numbers would be zero.
bool is_too_small(const ContactProblem& problem) {
  constexpr double kSmall = 1e-120;
  double largest = problem.free_velocity.size() > 0 ? problem.free_velocity.lpNorm<Eigen::Infinity>() : 0;
  for (const Contact& contact : problem.contacts) largest = std::max(largest, contact.normal_impulse.value_or(0));
  return largest > 0 && largest < kSmall;
}

ContactReport begun(const ContactOptions& options) {
  ContactReport report;
  report.options = options;
  report.options.stop = nullptr;  // the caller's, and gone with it
  report.finished_by = options.method;
  return report;
}

void solve_nothing(ContactSolution& solution) {
  solution.impulse.resize(0);
  solution.velocity.resize(0);
  solution.modes.clear();
  solution.solutions.clear();
  solution.report.error = solution.report.residual = 0;
  solution.report.status = ContactStatus::solved;
  solution.report.stop_reason = "no contacts";
  solution.report.undetermined = 0;
  solution.report.settled = true;
}

}  // namespace

struct ContactSolver::Work {
  template <class Prepared>
  void solve(internal::MethodRun<Prepared>& run, const ContactProblem& problem, const ContactOptions& options,
             ContactSolution& solution);
  const ContactProblem& assemble(const ContactProblem& problem);
  // The method that the options name, from the impulses in the solution.
  void run(const ContactProblem& problem, bool all_planar, const ContactOptions& options, ContactSolution& solution);
  void search(const ContactProblem& problem, bool all_planar, const ContactOptions& options, ContactSolution& solution);

  // Made where it is first used: small problems take as long as their work space.
  template <class T>
  static T& needed(std::unique_ptr<T>& part) {
    if (!part) part = std::make_unique<T>();
    return *part;
  }
  std::unique_ptr<internal::MethodRun<internal::PreparedPlanar>> planar;
  std::unique_ptr<internal::MethodRun<internal::PreparedRolling>> rolling;
  std::unique_ptr<internal::MethodRun<internal::PreparedGeneral>> general;
  struct Assembled {
    BlockDelassus blocks;
    ContactProblem problem;
  };
  std::unique_ptr<Assembled> assembled;
  std::unique_ptr<internal::Settling> settling;
};

ContactSolver::ContactSolver() = default;
ContactSolver::ContactSolver(const ContactSolver&) {}
ContactSolver& ContactSolver::operator=(const ContactSolver&) { return *this; }
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;
ContactSolver::~ContactSolver() = default;

const ContactProblem& ContactSolver::Work::assemble(const ContactProblem& problem) {
  auto& [blocks, in_blocks] = needed(assembled);
  problem.delassus->assemble(blocks);
  in_blocks.delassus = kept_elsewhere(blocks);
  in_blocks.free_velocity = problem.free_velocity;
  in_blocks.contacts = problem.contacts;
  return in_blocks;
}

template <class Prepared>
void ContactSolver::Work::solve(internal::MethodRun<Prepared>& run, const ContactProblem& problem,
                                const ContactOptions& options, ContactSolution& solution) {
  if (problem.delassus->as_blocks()) return run.solve_blocks(problem, options, solution);
  const bool sweeps = options.method == ContactMethod::automatic || options.method == ContactMethod::gauss_seidel;
  const auto* bodies = dynamic_cast<const BodyDelassus*>(problem.delassus.get());
  if (bodies && sweeps && problem.contacts.size() >= internal::kManyContacts) {
    if (run.solve_bodies(*bodies, problem, options, solution)) return;
    // Few enough, and sweeps lead nowhere: the rest is as with blocks.
    ContactReport& report = solution.report;
    const int before = report.sweeps;
    report.sweeps = report.iterations = 0;
    ContactOptions rest = options;
    rest.max_iterations -= before;
    run.solve_blocks(assemble(problem), rest, solution);
    report.sweeps += before;
    report.iterations += before;
    return;
  }
  const auto* masses = dynamic_cast<const MassDelassus*>(problem.delassus.get());
  const bool splits = options.method == ContactMethod::automatic || options.method == ContactMethod::splitting;
  if (masses && splits) {
    // Where W would be small, what the splitting does not reach soon is looked for with it.
    const bool may_assemble = options.method == ContactMethod::automatic && masses->rows() <= kMostFormed;
    ContactOptions first = options;
    if (may_assemble) first.max_iterations = std::min(options.max_iterations, kFirstSplitting);
    run.solve_masses(*masses, problem, first, solution);
    ContactReport& report = solution.report;
    report.options = begun(options).options;
    const int left = options.max_iterations - report.iterations;
    if (!may_assemble || report.solved() || options.is_stopped() || left <= 0) return;
    const int before = report.splitting;
    report.splitting = report.iterations = 0;
    ContactOptions rest = options;
    rest.max_iterations = left;
    run.solve_blocks(assemble(problem), rest, solution);
    report.splitting += before;
    report.iterations += before;
    return;
  }
  run.solve_blocks(assemble(problem), options, solution);
}

// Search first. Sweeps over contacts that load each other may need thousands: the rest is then as for many contacts, from
// where they came to, and the solutions of each contact are counted at the end.
void ContactSolver::Work::search(const ContactProblem& problem, bool all_planar, const ContactOptions& options,
                                 ContactSolution& solution) {
  ContactOptions first = options;
  first.max_iterations = std::min(options.max_iterations, kSearchSweeps);
  internal::solve_by_search(problem, all_planar, first, solution);
  ContactReport& report = solution.report;
  const int left = options.max_iterations - report.iterations;
  if (report.status != ContactStatus::not_reached || left <= 0 || options.is_stopped()) return;
  ContactOptions rest = options;
  rest.method = ContactMethod::automatic;
  rest.max_iterations = left;
  const int before = report.sweeps;
  report = begun(options);
  run(problem, all_planar, rest, solution);
  report.iterations += before;
  report.sweeps += before;
  internal::count_solutions(problem, solution);
}

void ContactSolver::Work::run(const ContactProblem& problem, bool all_planar, const ContactOptions& options,
                              ContactSolution& solution) {
  if (options.method == ContactMethod::search || options.method == ContactMethod::fixed_point) {
    const ContactProblem& in_blocks = problem.delassus->as_blocks() ? problem : assemble(problem);
    if (options.method == ContactMethod::search) return search(in_blocks, all_planar, options, solution);
    return internal::solve_by_fixed_point(in_blocks, options, solution);
  }
  if (all_planar)
    solve(needed(planar), problem, options, solution);
  else if (is_rolling(problem))
    solve(needed(rolling), problem, options, solution);
  else
    solve(needed(general), problem, options, solution);
}

// The laws do not know how large velocities and impulses are together: the same problem, larger.
void ContactSolver::solve_larger(const ContactProblem& problem, const ContactOptions& options,
                                 ContactSolution& solution) {
  constexpr double kLarger = 0x1p450;
  ContactProblem larger = problem;
  larger.free_velocity *= kLarger;
  for (Contact& contact : larger.contacts) {
    if (contact.normal_impulse) *contact.normal_impulse *= kLarger;
    contact.last_slip *= kLarger;  // only its direction counts
    contact.last_slip /= std::max(1.0, contact.last_slip.stableNorm());
  }
  solution.impulse.resize(0);
  solve(larger, options, solution);
  solution.impulse /= kLarger;
  solution.velocity /= kLarger;
  if (!solution.contradiction) return;
  solution.contradiction->closing /= kLarger;
  solution.contradiction->beyond /= kLarger;
}

void ContactSolver::solve(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  const RowLayout* const layout = problem.delassus ? &problem.delassus->layout() : nullptr;
  const bool planar = layout && is_planar(problem, *layout);
  require_fit(problem);
  require_sensible(problem, options);
  if (is_too_small(problem)) return solve_larger(problem, options, solution);
  solve_sound(problem, planar, options, solution);
  // Zeros without a sign.
  solution.impulse.array() += 0.0;
  solution.velocity.array() += 0.0;
}

void ContactSolver::solve_sound(const ContactProblem& problem, bool planar, const ContactOptions& options,
                                ContactSolution& solution) {
  solution.report = begun(options);
  solution.contradiction.reset();
  const std::size_t n = problem.contacts.size();
  if (n == 0) return solve_nothing(solution);
  ContactReport& report = solution.report;
  const bool alone = n == 1 && options.method == ContactMethod::search && problem.delassus->as_blocks();
  if (alone) {  // the quickest way
    internal::solve_by_search(problem, planar, options, solution);
    if (report.solved() && is_regular(problem.delassus->diagonal(0), problem.contacts[0].normal_impulse.has_value())) {
      report.undetermined = 0;
      report.settled = true;
      return;
    }
  }
  if (!work_) work_ = std::make_unique<Work>();
  if (!alone) work_->run(problem, planar, options, solution);
  if (!report.solved() && !options.is_stopped()) {
    if (!solution.contradiction) solution.contradiction = internal::find_contradiction(problem, solution.impulse);
    if (solution.contradiction) {
      report.status = ContactStatus::no_solution;
      report.stop_reason = "no velocities keep all contacts apart";
    }
  }
  if (report.solved() && !options.is_stopped() && static_cast<double>(n) <= options.settled_contacts &&
      options.tolerance <= kLoosestSettled)
    Work::needed(work_->settling)
        .settle(problem.delassus->as_blocks() ? problem : work_->assemble(problem), options, solution);
}

ContactSolution solve(const ContactProblem& problem, const ContactOptions& options) {
  require_sound(problem);
  ContactSolver solver;
  ContactSolution solution;
  solver.solve(problem, options, solution);
  return solution;
}

std::string_view name_of(ContactMethod method) {
  switch (method) {
    case ContactMethod::automatic: return "automatic";
    case ContactMethod::gauss_seidel: return "gauss-seidel";
    case ContactMethod::newton: return "newton";
    case ContactMethod::splitting: return "splitting";
    case ContactMethod::fixed_point: return "fixed-point";
    default: return "search";
  }
}

std::string_view name_of(ContactStatus status) {
  switch (status) {
    case ContactStatus::solved: return "solved";
    case ContactStatus::no_solution: return "no-solution";
    default: return "not-reached";
  }
}

std::string iterations_in_words(const ContactReport& report) {
  std::string words = report.load_paths ? "load paths" : "";
  const auto add = [&](int count, const char* one, const char* many) {
    if (count > 0) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, count == 1 ? one : many);
  };
  add(report.sweeps, "sweep", "sweeps");
  add(report.splitting, "splitting iteration", "splitting iterations");
  add(report.newton, "Newton iteration", "Newton iterations");
  add(report.parts, "part on its own", "parts on their own");
  return words;
}

std::ostream& operator<<(std::ostream& out, const ContactReport& r) {
  const std::string iterations = iterations_in_words(r);
  return out << fmt::format("{}: {} ({}error {:.3g}, tolerance {:g})", name_of(r.status), r.stop_reason,
                            iterations.empty() ? "" : iterations + ", ", r.error, r.options.tolerance);
}

bool ContactSolution::ambiguous() const {
  return std::any_of(solutions.begin(), solutions.end(), [](int count) { return count > 1; });
}

}  // namespace slipset
