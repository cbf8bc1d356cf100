#include "problems/certify.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "problems/measure.hpp"
#include "problems/raw_problem.hpp"
#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/contact_solver.hpp"
#include "slipset/contact/internal/measure_sums.hpp"
#include "slipset/core/error.hpp"

namespace slipset::problems {
namespace {

using Vector = Eigen::VectorXd;

constexpr const char* kNoSolution = "no solution";
constexpr double kSame = 1e-6;  // impulses and velocities of two methods, over the largest
constexpr int kEasy = 100, kMedium = 1000, kMostSweeps = 5000;
constexpr double kSweepTolerance = 1e-8;
constexpr Eigen::Index kMostRowsOfRank = 800;
constexpr double kRankBelow = 1e-11;  // eigenvalues of W with a diagonal of ones, over the largest

struct Found {
  ContactSolution solution;
  std::string method;
  bool from_nothing = true;  // no first guess
  Measured measured;
  double residual = 0;

  double worst() const { return std::max(measured.error, residual); }
};

struct Try {
  double tolerance = 1e-13;
  int iterations = 3000;
  int settled = ContactOptions().settled_contacts;
  Vector guess = {};
};

ContactSolution solved(const ContactProblem& problem, ContactMethod method, const Try& how) {
  ContactOptions options;
  options.method = method;
  options.tolerance = how.tolerance;
  options.max_iterations = how.iterations;
  options.settled_contacts = how.settled;
  ContactSolution solution;
  solution.impulse = how.guess;
  ContactSolver().solve(problem, options, solution);
  return solution;
}

// Eigenvalues of D^(-1/2) W D^(-1/2), D the diagonal: units and masses do not matter.
std::optional<Eigen::Index> rank_of(const Eigen::SparseMatrix<double>& w) {
  if (w.rows() > kMostRowsOfRank) return std::nullopt;
  const Vector scale = Vector(w.diagonal()).unaryExpr([](double x) { return x > 0 ? 1 / std::sqrt(x) : 0.0; });
  const Eigen::MatrixXd even = scale.asDiagonal() * Eigen::MatrixXd(w) * scale.asDiagonal();
  const Vector values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(even, Eigen::EigenvaluesOnly).eigenvalues();
  return (values.array() > kRankBelow * values.maxCoeff<Eigen::PropagateNaN>()).count();
}

double difference(const Vector& a, const Vector& b, double scale) {
  return a == b ? 0 : (a - b).lpNorm<Eigen::Infinity>() / scale;
}

std::string difficulty_of(const Certificate& c, bool reached) {
  if (c.status != "solved") return "hopeless";
  return !reached || c.sweeps > kMedium ? "hard" : c.sweeps > kEasy ? "medium" : "easy";
}

class Certifier {
 public:
  explicit Certifier(const std::filesystem::path& path)
      : raw_(read_raw_problem(path)), given_(read_problem(path).problem), blocks_(assembled(given_)) {}

  Answer run() {
    answer_.certificate.contacts = raw_.laws.size();
    answer_.certificate.rows = raw_.q.size();
    answer_.certificate.joint_rows = raw_.q.size() - raw_.contact_rows();
    answer_.certificate.form = raw_.dimension == 5 ? "rolling" : raw_.global ? "global" : "local";
    answer_.certificate.rank = rank_of(raw_.w);
    try_method(given_, ContactMethod::automatic, {});
    if (const auto& proof = found_.front().solution.contradiction) {
      take_proof(*proof);
    } else {
      if (!found_.front().solution.report.solved()) try_method(given_, ContactMethod::automatic, {.tolerance = 1e-10});
      try_method(blocks_, ContactMethod::newton, {.iterations = 500, .settled = 0});
      if (methods() < 2) try_method(blocks_, ContactMethod::splitting, {.iterations = 2000, .settled = 0});
      if (!is_certified())
        try_method(blocks_, ContactMethod::gauss_seidel, {.iterations = kMostSweeps, .guess = best().solution.impulse});
      if (!is_certified()) try_method(given_, ContactMethod::automatic, {.tolerance = 1e-10, .iterations = 20000});
      take_best();
    }
    Certificate& c = answer_.certificate;
    if (c.status == kNoSolution) {
      c.difficulty = "none";
    } else {
      const ContactReport sweeps = solved(blocks_, ContactMethod::gauss_seidel,
                                          {.tolerance = kSweepTolerance, .iterations = kMostSweeps, .settled = 0})
                                       .report;
      c.sweeps = sweeps.sweeps;
      c.difficulty = difficulty_of(c, sweeps.solved());
    }
    note();
    return answer_;
  }

 private:
  void try_method(const ContactProblem& problem, ContactMethod method, const Try& how) {
    Found found;
    found.solution = solved(problem, method, how);
    found.from_nothing = how.guess.size() == 0;
    found.method = name_of(method);
    const Vector& p = found.solution.impulse;
    found.measured = measure(raw_, p, found.solution.velocity.head(raw_.contact_rows()));
    found.residual = contact_residual(blocks_, p);
    found_.push_back(std::move(found));
  }

  const Found& best() const {
    // Of what is certified, what is settled: everyone's choice of undetermined impulses.
    const auto key = [](const Found& f) {
      return std::pair(!(f.worst() <= kCertified && f.solution.report.settled), f.worst());
    };
    return *std::min_element(found_.begin(), found_.end(),
                             [&](const Found& a, const Found& b) { return key(a) < key(b); });
  }
  bool is_certified() const { return best().worst() <= kCertified; }
  // That found certified impulses.
  std::size_t methods() const {
    std::set<std::string> names;
    for (const Found& found : found_)
      if (found.worst() <= kCertified) names.insert(found.method);
    return names.size();
  }

  void take_proof(const Contradiction& contradiction) {
    const Proof proof = check_proof(raw_, contradiction.impulse);
    if (!proof.holds)
      throw InvalidInput(
          fmt::format("the proof that there is no solution does not hold: W p is {:.1e}, they close at {:.1e}",
                      proof.imbalance, proof.closing));
    Certificate& c = answer_.certificate;
    c.status = kNoSolution;
    c.method = "contradiction";
    c.closing = proof.closing;
    c.residual = c.error = c.equation = c.impulses_differ = c.velocities_differ = std::nan("");
    answer_.filed.contradiction = contradiction.impulse;
  }

  void take_best() {
    const Found& first = best();
    Certificate& c = answer_.certificate;
    c.status = first.worst() <= kCertified ? "solved" : "not reached";
    c.method = first.method;
    c.residual = first.residual;
    c.error = first.measured.error;
    c.equation = first.measured.equation;
    c.undetermined = first.solution.report.undetermined;
    c.impulses_differ = c.velocities_differ = std::nan("");
    c.unique = "-";
    c.settled = first.solution.report.settled;
    const double most = first.solution.impulse.lpNorm<Eigen::Infinity>(), fastest = raw_.q.lpNorm<Eigen::Infinity>();
    for (const Found& other : found_) {
      // The choice of (C.20) is one code for all methods.
      const bool shared = first.solution.report.settled && other.solution.report.settled;
      if (shared || !other.from_nothing || other.method == first.method || !(other.worst() <= kCertified)) continue;
      // The answer that differs most: one that agrees proves nothing where another does not.
      const double impulses = difference(first.solution.impulse, other.solution.impulse, most),
                   velocities = difference(first.solution.velocity, other.solution.velocity, fastest);
      const bool is_first = c.second.empty();
      c.velocities_differ = is_first ? velocities : internal::larger(c.velocities_differ, velocities);
      if (!is_first && impulses <= c.impulses_differ) continue;
      c.second = other.method;
      c.impulses_differ = impulses;
    }
    if (!c.second.empty())
      c.unique = c.impulses_differ <= kSame ? "impulses" : c.velocities_differ <= kSame ? "velocities" : "neither";
    answer_.filed.impulse = first.solution.impulse;
    answer_.filed.velocity = first.solution.velocity;
    answer_.filed.defects = first.measured.defects;
  }

  void note() {
    const Certificate& c = answer_.certificate;
    FiledSolution& filed = answer_.filed;
    filed.texts = {{"status", c.status}, {"method", c.method}};
    if (c.status == kNoSolution) {
      filed.numbers = {{"closing", c.closing}};
      return;
    }
    filed.texts["unique"] = c.unique;
    filed.texts["settled"] = c.settled ? "yes" : "no";
    filed.numbers = {{"residual", c.residual}, {"error", c.error}, {"equation", c.equation}};
    if (c.undetermined) filed.numbers["undetermined"] = *c.undetermined;
    if (c.second.empty()) return;
    filed.texts["second_method"] = c.second;
    filed.numbers["impulses_differ"] = c.impulses_differ;
    filed.numbers["velocities_differ"] = c.velocities_differ;
  }

  RawProblem raw_;
  ContactProblem given_, blocks_;
  std::vector<Found> found_;
  Answer answer_;
};

std::string number(double x) { return std::isnan(x) ? "" : fmt::format("{:.1e}", x); }

}  // namespace

Answer certify(const std::filesystem::path& path) { return Certifier(path).run(); }

Certificate write_certified(const Recipe& recipe, const std::filesystem::path& folder) {
  const ContactProblem problem = recipe.make();
  const std::filesystem::path path = folder / (recipe.name + ".hdf5");
  const std::string title = recipe.name + ": " + recipe.about;
  write_problem(path, problem, title);
  const Answer answer = certify(path);
  write_problem(path, problem, answer.filed, title);
  return answer.certificate;
}

std::string index_header() {
  return "name,family,law,form,contacts,joint_rows,difficulty,sweeps,status,residual,error,equation,undetermined,"
         "settled,"
         "rank,rows,method,second_method,impulses_differ,velocities_differ,unique,closing,about\n";
}

std::string index_line(const Recipe& recipe, const Certificate& c) {
  const auto optional = [](const auto& x) { return x ? fmt::format("{}", *x) : std::string(); };
  const bool none = c.status == kNoSolution;
  std::string line;
  for (const std::string& entry : std::initializer_list<std::string>{recipe.name,
                                                                     recipe.family,
                                                                     recipe.law,
                                                                     c.form,
                                                                     std::to_string(c.contacts),
                                                                     std::to_string(c.joint_rows),
                                                                     c.difficulty,
                                                                     none ? "" : std::to_string(c.sweeps),
                                                                     c.status,
                                                                     number(c.residual),
                                                                     number(c.error),
                                                                     number(c.equation),
                                                                     optional(c.undetermined),
                                                                     none        ? ""
                                                                     : c.settled ? "yes"
                                                                                 : "no",
                                                                     optional(c.rank),
                                                                     std::to_string(c.rows),
                                                                     c.method,
                                                                     c.second,
                                                                     number(c.impulses_differ),
                                                                     number(c.velocities_differ),
                                                                     c.unique,
                                                                     none ? number(c.closing) : ""})
    line += entry + ",";
  return line + recipe.about + "\n";
}

}  // namespace slipset::problems
