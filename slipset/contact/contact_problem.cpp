#include "slipset/contact/contact_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/contact_rows.hpp"
#include "slipset/contact/many_contacts.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

Vec3 velocity_of(const LocalProblem& local, const Vec3& impulse) {
  return local.delassus * impulse + local.free_velocity;
}

// One projection step of [WL19 21, 69]: normal first, then tangential with the new normal impulse. Sets are per unit
// normal impulse, so D grows with it as C does.
Vec3 projected(const ContactLaw& law, const LocalProblem& p, const Vec3& impulse, double relative_step) {
  const Vec3 u = velocity_of(p, impulse);
  Vec3 next;
  next[0] = p.normal_impulse ? *p.normal_impulse : std::max(0.0, impulse[0] - u[0] / p.delassus(0, 0));
  if (!(next[0] > 0)) return {next[0], 0, 0};
  const double strength = next[0] * p.reservoir_factor;
  const Vec2 s = -impulse.tail<2>() / strength;
  const double alpha = alpha_of_resistance(law.law(), s);
  const double r = relative_step * 2 / (p.delassus(1, 1) + p.delassus(2, 2)) / strength;
  const Vec2 x = law.law().direction().project(alpha * s + r * u.tail<2>());
  next.tail<2>() = -strength / alpha * x;
  return next;
}

// A relaxation that suits the law at the slip direction at hand: the ratio of D to C there.                (C.6)
double suitable_step(const ContactLaw& law, const LocalProblem& p, const Vec3& impulse) {
  const Vec2 v = velocity_of(p, impulse).tail<2>();
  if (v.isZero(0)) return 0.5;
  const Vec2 z = law.law().direction().support_point(v);
  return std::clamp(law.law().reservoir().gauge(z), 0.05, 1.0);
}

void sweep(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution, double& change) {
  change = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ContactLaw& law = *problem.contacts[i].law;
    const LocalProblem local = local_problem_of(problem, solution.impulse, i);
    const Vec3 before = solution.impulse.segment<3>(at(i));
    Vec3 after = before;
    if (options.method == ContactMethod::search) {
      const LocalAnswer answer = solve_local(law, local);
      solution.modes[i] = answer.chosen.mode;
      solution.solutions[i] = answer.count;
      if (answer.count == 0) {
        change = std::numeric_limits<double>::quiet_NaN();
        return;
      }
      after = answer.chosen.impulse;
      solution.velocity.segment<3>(at(i)) = answer.chosen.velocity;
    } else {
      after = projected(law, local, before, options.step > 0 ? options.step : suitable_step(law, local, before));
    }
    solution.impulse.segment<3>(at(i)) = after;
    if (problem.contacts.size() == 1 && options.method == ContactMethod::search) return;  // exact
    const double scale = local.free_velocity.norm() + (local.delassus * after).norm();
    if (scale > 0) change = std::max(change, (local.delassus * (after - before)).norm() / scale);
  }
}

// Modes and velocities from the impulses, for methods that do not know them.
void read_off(const ContactProblem& problem, ContactSolution& solution) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const LocalProblem local = local_problem_of(problem, solution.impulse, i);
    const Vec3 p = solution.impulse.segment<3>(at(i)), u = velocity_of(local, p);
    solution.velocity.segment<3>(at(i)) = u;
    const double scale = local.free_velocity.norm() + (local.delassus * p).norm();
    if (!(p[0] > 0))
      solution.modes[i] = ContactMode::open;
    else
      solution.modes[i] = u.tail<2>().norm() <= 1e-9 * scale ? ContactMode::stick : ContactMode::slip;
    solution.solutions[i] = solve_local(*problem.contacts[i].law, local).count;
  }
}

}  // namespace

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

std::string way_of(const ContactReport& report) {
  std::string way;
  const auto add = [&](int count, const char* one, const char* many) {
    if (count > 0) way += fmt::format("{}{} {}", way.empty() ? "" : ", ", count, count == 1 ? one : many);
  };
  add(report.sweeps, "sweep", "sweeps");
  add(report.splitting, "splitting iteration", "splitting iterations");
  add(report.newton, "Newton iteration", "Newton iterations");
  return way;
}

bool ContactSolution::ambiguous() const {
  return std::any_of(solutions.begin(), solutions.end(), [](int count) { return count > 1; });
}

void solve_contact(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  if (options.method != ContactMethod::search && options.method != ContactMethod::fixed_point)
    return solve_many(problem, options, solution);
  if (std::any_of(problem.contacts.begin(), problem.contacts.end(), [](const auto& c) { return c.law == nullptr; }))
    throw InvalidInput(
        "contact problem: a contact has no friction law; the methods search and fixed-point need one each");
  const std::size_t n = problem.contacts.size();
  if (solution.impulse.size() != at(n)) {
    solution.impulse = Eigen::VectorXd::Zero(at(n));
    solution.velocity = Eigen::VectorXd::Zero(at(n));
    solution.modes.resize(n);
    solution.solutions.resize(n);
  }
  ContactReport& report = solution.report;
  report.options = options;
  report.converged = false;
  for (report.iterations = 1; report.iterations <= options.max_iterations; ++report.iterations) {
    double change = 0;
    sweep(problem, options, solution, change);
    if (std::isnan(change)) {
      report.residual = change;
      report.why = "a contact has no solution with the others' impulses held";
      return;
    }
    // One contact alone is exact after one sweep; else the residual is looked at when the impulses have come to rest.
    const bool exact = n <= 1 && options.method == ContactMethod::search;
    if (!exact && change > options.tolerance && report.iterations % 50 != 0) continue;
    if (options.method == ContactMethod::fixed_point) read_off(problem, solution);
    report.residual = exact ? std::numeric_limits<double>::quiet_NaN() : contact_residual(problem, solution.impulse);
    if (exact || report.residual <= options.tolerance) {
      report.converged = true;
      report.why = exact ? "solved exactly, contact by contact" : "residual below the tolerance";
      return;
    }
  }
  report.iterations = options.max_iterations;
  if (options.method == ContactMethod::fixed_point) read_off(problem, solution);
  report.residual = contact_residual(problem, solution.impulse);
  report.converged = report.residual <= options.tolerance;
  report.why = "largest number of iterations";
}

ContactSolution solve_contact(const ContactProblem& problem, const ContactOptions& options) {
  ContactSolution solution;
  solve_contact(problem, options, solution);
  return solution;
}

}  // namespace slipset
