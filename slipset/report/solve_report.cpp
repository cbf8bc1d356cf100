#include "slipset/report/solve_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/names.hpp"
#include "slipset/report/json.hpp"

namespace slipset {
namespace {

constexpr std::array kMethods = {ContactMethod::automatic, ContactMethod::gauss_seidel, ContactMethod::newton,
                                 ContactMethod::splitting, ContactMethod::search,       ContactMethod::fixed_point};

std::string number_or_dash(double value) { return std::isfinite(value) ? fmt::format("{:.1e}", value) : "-"; }

std::string verdict(const ContactSolution& solution) {
  if (!solution.contradiction)
    return fmt::format("{}: {}", solution.report.status == ContactStatus::no_solution ? "no solution" : "not converged",
                       solution.report.stop_reason);
  const auto& jammed = solution.contradiction->contacts;
  const std::vector<std::size_t> first(
      jammed.begin(), jammed.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(jammed.size(), 8)));
  return fmt::format("no solution: contacts {}{} close at {:.3g} m/s on what is between them", fmt::join(first, ", "),
                     jammed.size() > 8 ? ", ..." : "", solution.contradiction->closing);
}

nlohmann::ordered_json contradiction_json(const std::optional<Contradiction>& proof) {
  if (!proof) return nullptr;
  return {{"contacts", proof->contacts},
          {"impulse", std::vector<double>(proof->impulse.begin(), proof->impulse.end())},
          {"closing", proof->closing},
          {"beyond", json_or_null(proof->beyond)}};
}

// Contacts with several solutions, the others held; null where a method does not count them.
nlohmann::ordered_json ambiguous_json(const std::vector<int>& solutions) {
  if (std::find(solutions.begin(), solutions.end(), 0) != solutions.end()) return nullptr;
  return std::count_if(solutions.begin(), solutions.end(), [](int count) { return count > 1; });
}

// A contact without friction against sliding has no rows of it.
std::vector<int> columns_of(const Contact& contact) {
  const auto* const rolling = dynamic_cast<const RollingContactLaw*>(contact.law);
  return rolling && !rolling->law().has_sliding() ? std::vector<int>{0, 3, 4} : std::vector<int>{0, 1, 2, 3, 4, 5};
}

std::string way(const ContactReport& report) {
  const std::string text = iterations_in_words(report);
  return text.empty() ? fmt::format("{} iterations", report.iterations) : text;
}

}  // namespace

ContactMethod contact_method(const std::string& name) {
  std::vector<std::string_view> names;
  for (const ContactMethod method : kMethods) {
    names.push_back(name_of(method));
    if (name == names.back()) return method;
  }
  const std::string nearest = internal::nearest_name(name, names);
  throw InvalidInput(
      fmt::format("unknown contact method \"{}\"; {}methods: {}", name,
                  nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest), fmt::join(names, ", ")),
      "method");
}

SolvedProblem solve_problem(const ProblemFile& file, const std::string& name, ContactOptions options) {
  SolvedProblem solved;
  solved.name = name;
  solved.contacts = file.coefficient.size();
  solved.joints = file.problem.contacts.size() - solved.contacts;
  solved.dimension = file.dimension;
  solved.global = file.global;
  if (file.problem.delassus) solved.layout = file.problem.delassus->layout();
  for (const Contact& contact : file.problem.contacts) solved.columns.push_back(columns_of(contact));
  const bool isotropic = has_full_error(file.problem.contacts);
  options.measure = isotropic ? ContactMeasure::full_error : ContactMeasure::residual;
  const auto start = std::chrono::steady_clock::now();
  require_sound(file.problem);
  solved.asymmetry = asymmetry(file.problem);
  ContactSolver().solve(file.problem, options, solved.solution);
  solved.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (isotropic) solved.full_error = full_error(file.problem, solved.solution.impulse);
  if (std::isnan(solved.solution.report.residual))
    solved.solution.report.residual = contact_residual(file.problem, solved.solution.impulse);
  return solved;
}

nlohmann::ordered_json solve_json(const SolvedProblem& solved) {
  const ContactReport& report = solved.solution.report;
  std::size_t open = 0, stick = 0, slip = 0;
  for (std::size_t i = 0; i < solved.contacts && i < solved.solution.modes.size(); ++i) {
    const ContactMode mode = solved.solution.modes[i];
    open += mode == ContactMode::open;
    stick += mode == ContactMode::stick;
    slip += mode == ContactMode::slip;
  }
  return {{"problem", solved.name},
          {"contacts", solved.contacts},
          {"joints", solved.joints},
          {"rows", solved.dimension},
          {"form", solved.global ? "global" : "local"},
          {"converged", report.solved()},
          {"status", name_of(report.status)},
          {"why", report.stop_reason},
          {"method", name_of(report.options.method)},
          {"ended_by", name_of(report.finished_by)},
          {"iterations", report.iterations},
          {"sweeps", report.sweeps},
          {"newton_iterations", report.newton},
          {"splitting_iterations", report.splitting},
          {"tolerance", report.options.tolerance},
          {"full_error", json_or_null(solved.full_error)},
          {"residual", json_or_null(report.residual)},
          {"undetermined", report.undetermined ? nlohmann::ordered_json(*report.undetermined) : nullptr},
          {"settled", report.settled},
          {"asymmetry", solved.asymmetry},
          {"ambiguous", ambiguous_json(solved.solution.solutions)},
          {"contradiction", contradiction_json(solved.solution.contradiction)},
          {"open", open},
          {"stick", stick},
          {"slip", slip},
          {"seconds", solved.seconds}};
}

std::string solve_table(const std::vector<SolvedProblem>& all) {
  std::size_t width = 7;
  for (const SolvedProblem& s : all) width = std::max(width, s.name.size());
  std::string text = fmt::format("{:<{}}  {:>8}  {:>10}  {:>9}  {:>9}  {:>10}  methods\n", "problem", width, "contacts",
                                 "iterations", "error", "residual", "time [ms]");
  for (const SolvedProblem& s : all) {
    const ContactReport& report = s.solution.report;
    text += fmt::format("{:<{}}  {:>8}  {:>10}  {:>9}  {:>9}  {:>10.3f}  {}{}\n", s.name, width, s.contacts,
                        report.iterations, number_or_dash(s.full_error), number_or_dash(report.residual),
                        1e3 * s.seconds, way(report), report.solved() ? "" : fmt::format("; {}", verdict(s.solution)));
  }
  for (const SolvedProblem& s : all)
    if (s.asymmetry > 1e-4)
      text += fmt::format(
          "{}: W is not symmetric, by {:.1e} of the mobilities, and was solved as it stands: no bodies have such a "
          "matrix\n",
          s.name, s.asymmetry);
  return text;
}

std::string solution_csv(const SolvedProblem& solved) {
  const bool planar = solved.dimension <= 3 && solved.joints == 0;
  const int shown = solved.joints > 0 ? 6 : planar ? 3 : 5;
  constexpr std::array<std::string_view, 6> names = {"n", "t1", "t2", "r1", "r2", "6"};
  std::string text = "contact,mode";
  for (const char* what : {"impulse", "velocity"})
    for (int k = 0; k < shown; ++k) text += fmt::format(",{}_{}", what, names[static_cast<std::size_t>(k)]);
  text += "\n";
  for (std::size_t i = 0; i < solved.columns.size(); ++i) {
    text += fmt::format("{},{}", i, i < solved.contacts ? name_of(solved.solution.modes[i]) : "joint");
    for (const Eigen::VectorXd* x : {&solved.solution.impulse, &solved.solution.velocity}) {
      std::array<std::string, 6> cells;
      for (int k = 0; k < solved.layout.rows(i); ++k)
        cells[static_cast<std::size_t>(solved.columns[i][static_cast<std::size_t>(k)])] =
            fmt::format("{}", (*x)[solved.layout.offset(i) + k]);
      for (int k = 0; k < shown; ++k) text += "," + cells[static_cast<std::size_t>(k)];
    }
    text += "\n";
  }
  return text;
}

}  // namespace slipset
