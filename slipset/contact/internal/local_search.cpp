#include "slipset/contact/internal/local_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/internal/measure_sums.hpp"
#include "slipset/contact/planar_local.hpp"
#include "slipset/core/error.hpp"

namespace slipset::internal {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void resize(const BlockDelassus& w, ContactSolution& solution) {
  const std::size_t n = w.contacts();
  // One contact alone is solved without a first guess.
  if (solution.impulse.size() != w.rows() || (n > 1 && !solution.impulse.allFinite()))
    solution.impulse.setZero(w.rows());
  if (solution.velocity.size() != w.rows()) solution.velocity.setZero(w.rows());
  solution.modes.resize(n);
  solution.solutions.resize(n);
}

// The velocity of a contact without its own impulse.
template <int Rows>
RowsVec<Rows> without_own(const BlockDelassus& w, const Eigen::VectorXd& q, const Eigen::VectorXd& impulse,
                          std::size_t i) {
  RowsVec<Rows> c = part_of<Rows>(q, w.layout(), i);
  for (std::size_t k = 0; k < w.blocks(i); ++k) {
    const auto block = w.at<Rows>(i, k);
    if (block.column != i) c += block.values * part_of<Rows>(impulse, w.layout(), block.column);
  }
  return c;
}

// One contact among the others: how many solutions, and the chosen one.
int search(const Contact& contact, const Mat3& g, const Vec3& c, PlanarSolution& chosen) {
  if (!contact.law) {
    LocalState state;
    const int count = frictionless_law(3).search(contact, g, c, state);
    if (count > 0) chosen = {state.mode, state.impulse, state.velocity};
    return count;
  }
  PlanarProblem local;
  local.delassus = g;
  local.free_velocity = c;
  local.normal_impulse = contact.normal_impulse;
  local.reservoir_factor = contact.reservoir_factor;
  local.last_slip = contact.last_slip;
  const PlanarAnswer answer = solve_planar(*contact.law->as_planar(), local);
  chosen = answer.chosen;
  return answer.count;
}
int search(const Contact& contact, const ContactMat& g, const ContactVec& c, LocalState& chosen) {
  return law_of(contact, static_cast<int>(c.size())).search(contact, g, c, chosen);
}

struct Without {
  std::size_t contact = 0;
  bool proven = false;  // that it has no solution; else none was found
};

// Returns how far impulses moved, over what adds up at each contact; NaN if a contact has no solution: the one in
// `without`.
template <int Rows, class Chosen>
double search_sweep(const BlockDelassus& w, const ContactProblem& problem, ContactSolution& solution,
                    Without& without) {
  double change = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const RowsMat<Rows> g = w.diagonal_of<Rows>(i);
    const RowsVec<Rows> c = without_own<Rows>(w, problem.free_velocity, solution.impulse, i),
                        before = part_of<Rows>(solution.impulse, w.layout(), i);
    Chosen chosen;
    const int count = search(problem.contacts[i], g, c, chosen);
    solution.modes[i] = count > 0 ? chosen.mode : ContactMode::none;
    solution.solutions[i] = std::max(0, count);
    if (count <= 0) {
      without = {i, count == 0};
      if (problem.contacts.size() == 1) solution.impulse.setZero();
      return kNan;
    }
    set_part<Rows>(solution.velocity, w.layout(), i, chosen.velocity);
    set_part<Rows>(solution.impulse, w.layout(), i, chosen.impulse);
    if (problem.contacts.size() == 1) return 0;  // exact
    const double scale = c.norm() + (g * chosen.impulse).norm();
    if (scale > 0) change = std::max(change, (g * (chosen.impulse - before)).norm() / scale);
  }
  return change;
}

double projection_sweep(const BlockDelassus& w, const ContactProblem& problem, double step, ContactSolution& solution) {
  double change = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const ContactMat g = w.diagonal(i);
    const ContactVec c = without_own<Eigen::Dynamic>(w, problem.free_velocity, solution.impulse, i),
                     before = part_of<Eigen::Dynamic>(solution.impulse, w.layout(), i);
    ContactVec after = before;
    const ContactLaw& law = law_of(contact, w.rows(i));
    if (!law.project(contact, g, g * before + c, step, after))
      throw InvalidInput(
          fmt::format("contact problem: contact {}: its law ({}) has no projection for the fixed point; "
                      "choose another method",
                      i, law.description()));
    set_part<Eigen::Dynamic>(solution.impulse, w.layout(), i, after);
    const double scale = c.norm() + (g * after).norm();
    if (scale > 0) change = std::max(change, (g * (after - before)).norm() / scale);
  }
  return change;
}

// Modes and solutions from the impulses and velocities, for the fixed point, which does not know them.
void read_off(const BlockDelassus& w, const ContactProblem& problem, const ContactOptions& options,
              ContactSolution& solution) {
  const Limits limits = limits_of(problem);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const ContactMat g = w.diagonal(i);
    const ContactVec p = part_of<Eigen::Dynamic>(solution.impulse, w.layout(), i),
                     c = without_own<Eigen::Dynamic>(w, problem.free_velocity, solution.impulse, i);
    LocalState state;
    state.mode = ContactMode::none;
    solution.solutions[i] = std::max(0, law_of(contact, w.rows(i)).search(contact, g, c, state));
    solution.modes[i] = state.mode;
    if (!contact.law || !contact.law->as_planar()) continue;
    const ContactVec u = g * p + c;
    double sum = problem.free_velocity.segment(w.offset(i), w.rows(i)).norm();
    for (std::size_t k = 0; k < w.blocks(i); ++k) {
      const auto block = w.at(i, k);
      sum += (block.values * part_of<Eigen::Dynamic>(solution.impulse, w.layout(), block.column)).norm();
    }
    const double untold = negligible_slip(options) * std::min(sum, limits.velocity);
    solution.modes[i] = sliding_mode(contact, p[0], std::hypot(u[1], u[2]), untold);
  }
}

bool is_solved(const ContactOptions& options, const ContactReport& report) {
  return report.error <= options.tolerance &&
         (options.measure == ContactMeasure::residual || report.residual <= most_residual(options.tolerance));
}

// The error of the impulses in the measure asked for, and the residual; whether both are small enough.
bool measured(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  ContactReport& report = solution.report;
  report.residual = contact_residual(problem, solution.impulse);
  report.error =
      options.measure == ContactMeasure::residual ? report.residual : limited_full_error(problem, solution.impulse);
  return is_solved(options, report);
}

void finish(const ContactOptions& options, ContactReport& report) {
  report.iterations = std::min(report.iterations, options.max_iterations);
  report.sweeps = report.iterations;
  const bool solved = is_solved(options, report);
  report.status = solved ? ContactStatus::solved : ContactStatus::not_reached;
  report.stop_reason = !solved ? options.is_stopped() ? kStopped : "largest number of iterations"
                       : options.measure == ContactMeasure::full_error ? "error below the tolerance"
                                                                       : "residual below the tolerance";
}

}  // namespace

void solve_by_search(const ContactProblem& problem, bool planar, const ContactOptions& options,
                     ContactSolution& solution) {
  const BlockDelassus& w = *problem.delassus->as_blocks();
  ContactReport& report = solution.report;
  resize(w, solution);
  const std::size_t n = problem.contacts.size();
  // One contact alone is exact after one sweep; else the error is looked at when the impulses have come to rest.
  const bool exact = n == 1 && options.measure == ContactMeasure::residual;
  // A contact's own velocity is that of the impulses when it was swept; the others' have changed since.
  const auto find_velocities = [&] { w.multiply_add(solution.impulse, problem.free_velocity, solution.velocity); };
  for (report.iterations = 1; report.iterations <= options.max_iterations && !options.is_stopped();
       ++report.iterations) {
    Without without;
    const double change = planar ? search_sweep<3, PlanarSolution>(w, problem, solution, without)
                                 : search_sweep<Eigen::Dynamic, LocalState>(w, problem, solution, without);
    if (std::isnan(change)) {
      find_velocities();
      report.sweeps = report.iterations;
      report.error = report.residual = change;
      const bool alone = w.blocks(without.contact) == 1;
      report.status = alone && without.proven ? ContactStatus::no_solution : ContactStatus::not_reached;
      report.stop_reason = !without.proven ? "no solution of a contact's own law was found"
                           : alone         ? "a contact that no other acts on has no solution"
                                           : "a contact has no solution with the others' impulses held fixed";
      return;
    }
    if (exact) {
      report.sweeps = report.iterations;
      report.error = report.residual = kNan;
      report.status = ContactStatus::solved;
      report.stop_reason = "solved exactly";
      return;
    }
    if (n > 1 && change > options.tolerance && report.iterations % 50 != 0) continue;
    if (measured(problem, options, solution)) break;
  }
  find_velocities();
  measured(problem, options, solution);
  finish(options, report);
}

void count_solutions(const ContactProblem& problem, ContactSolution& solution) {
  const BlockDelassus& w = *problem.delassus->as_blocks();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    LocalState state;
    const int count = law_of(problem.contacts[i], w.rows(i))
                          .search(problem.contacts[i], w.diagonal(i),
                                  without_own<Eigen::Dynamic>(w, problem.free_velocity, solution.impulse, i), state);
    solution.solutions[i] = std::max(0, count);
  }
}

void solve_by_fixed_point(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  const BlockDelassus& w = *problem.delassus->as_blocks();
  ContactReport& report = solution.report;
  resize(w, solution);
  for (report.iterations = 1; report.iterations <= options.max_iterations && !options.is_stopped();
       ++report.iterations) {
    const double change = projection_sweep(w, problem, options.step, solution);
    if (change > options.tolerance && report.iterations % 50 != 0) continue;
    if (measured(problem, options, solution)) break;
  }
  w.multiply_add(solution.impulse, problem.free_velocity, solution.velocity);
  read_off(w, problem, options, solution);
  measured(problem, options, solution);
  finish(options, report);
}

}  // namespace slipset::internal
