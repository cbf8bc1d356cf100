#include "slipset/contact/mass_contacts.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <random>

#include "slipset/contact/anderson.hpp"
#include "slipset/contact/scaled_contact.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

constexpr double kFirstRho = 0.05;  // over the mean mobility
constexpr int kProbes = 8;          // random vectors that estimate it

void require_fit(const MassContactProblem& problem) {
  const Index dofs = problem.mass.rows(), rows = at(problem.contacts.size());
  if (problem.mass.cols() != dofs || problem.directions.rows() != dofs || problem.directions.cols() != rows ||
      problem.free_motion.size() != dofs || problem.drift.size() != rows)
    throw InvalidInput(
        fmt::format("contacts with masses: M is {} x {}, H {} x {}, v_free {}, b {} long for {} contacts; expected M "
                    "square, H with "
                    "as many rows and 3 columns a contact, b with 3 numbers a contact",
                    dofs, problem.mass.cols(), problem.directions.rows(), problem.directions.cols(),
                    problem.free_motion.size(), problem.drift.size(), problem.contacts.size()));
  if (dofs > 0 && (problem.mass - Sparse(problem.mass.transpose())).norm() > 1e-10 * problem.mass.norm())
    throw InvalidInput("contacts with masses: M is not symmetric; give both of its triangles");
}

// The problem in the contacts' own tangential coordinates (C.8), with what the splitting needs of it.
class MassWork {
 public:
  explicit MassWork(const MassContactProblem& problem) : mass_(problem.mass), inverse_mass_(problem.mass) {
    if (inverse_mass_.info() != Eigen::Success)
      throw InvalidInput("contacts with masses: M is not positive definite; check it for bodies without mass");
    Sparse turn(at(problem.contacts.size()), at(problem.contacts.size()));
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      contacts.push_back(scaled_contact(problem.contacts[i]));
      entries.emplace_back(at(i), at(i), 1.0);
      for (Index r : {0, 1})
        for (Index c : {0, 1}) entries.emplace_back(at(i) + 1 + r, at(i) + 1 + c, contacts.back().tangential(r, c));
    }
    turn.setFromTriplets(entries.begin(), entries.end());
    directions_ = problem.directions * turn;
    // H Hᵀ and M have one pattern together; it is ordered once.
    product_ = directions_ * Sparse(directions_.transpose());
    factors_.analyzePattern(mass_ + product_);
    free_velocity = directions_.transpose() * problem.free_motion + turn.transpose() * problem.drift;
    mobility = mean_mobility();
  }

  // u = W p + q
  void velocity(const Vector& p, Vector& u) const {
    u = free_velocity + directions_.transpose() * inverse_mass_.solve(directions_ * p);
  }

  bool set_rho(double rho) {
    rho_ = rho;
    factors_.factorize(rho * mass_ + product_);
    return factors_.info() == Eigen::Success;
  }
  // x ← (W + ρI)⁻¹x                                                                                            (C.16)
  void solve(Vector& x) const {
    x -= directions_.transpose() * factors_.solve(directions_ * x);
    x /= rho_;
  }

  std::vector<ScaledContact> contacts;
  Vector free_velocity;
  double mobility = 0;

 private:
  // tr(HᵀM⁻¹H) is the mean of |L⁻¹Hz|² over vectors z of signs.
  double mean_mobility() const {
    std::mt19937 random(1);
    Vector z(directions_.cols());
    double sum = 0;
    for (int k = 0; k < kProbes; ++k) {
      for (double& sign : z) sign = random() % 2 == 0 ? 1 : -1;
      const Vector hz = directions_ * z;
      sum += hz.dot(inverse_mass_.solve(hz));
    }
    return sum / (kProbes * static_cast<double>(z.size()));
  }

  Sparse mass_, directions_, product_;
  Eigen::SimplicialLLT<Sparse> inverse_mass_, factors_;
  double rho_ = 0;
};

class MassSplitting {
 public:
  MassSplitting(const MassContactProblem& problem, const ContactOptions& options, ContactSolution& solution)
      : options_(options), report_(solution.report), work_(problem), anderson_(at(problem.contacts.size())) {
    for (std::size_t i = 0; i < work_.contacts.size(); ++i)
      states_.push_back(first_state(work_.contacts[i], problem.contacts[i]));
    p_ = Vector::Zero(at(work_.contacts.size()));
    if (solution.impulse.size() == p_.size() && solution.impulse.allFinite())
      for (std::size_t i = 0; i < work_.contacts.size(); ++i)
        p_.segment<3>(at(i)) = work_.contacts[i].scaled_impulse(solution.impulse.segment<3>(at(i)));
    best_ = before_ = f_ = r_ = p_;
    work_.velocity(p_, u_);
  }

  void run() {
    if (look()) return;
    if (!restart(kFirstRho * work_.mobility)) return;
    int next_balance = 20;
    while (report_.iterations < options_.max_iterations) {
      iterate();
      if (report_.iterations % 5 == 0 && look()) return;
      if (report_.iterations < next_balance) continue;
      next_balance *= 3;
      // Impulses that differ between the two sides ask for a larger ρ, impulses that still move for a smaller.
      const double ratio = std::sqrt(f_.norm() / std::max((p_ - before_).norm(), 1e-300));
      work_.velocity(p_, u_);
      if ((ratio > 3 || ratio < 1 / 3.0) && !restart(rho_ * std::clamp(ratio, 0.1, 10.0))) return;
    }
  }

  double error() const { return best_error_; }

  void finish(ContactSolution& solution) {
    work_.velocity(best_, u_);
    solution.impulse.resize(best_.size());
    solution.velocity.resize(best_.size());
    solution.modes.resize(work_.contacts.size());
    for (std::size_t i = 0; i < work_.contacts.size(); ++i) {
      solution.impulse.segment<3>(at(i)) = work_.contacts[i].impulse(best_.segment<3>(at(i)));
      solution.velocity.segment<3>(at(i)) = work_.contacts[i].velocity(u_.segment<3>(at(i)));
      const double slip = u_.segment<2>(at(i) + 1).norm();
      const double scale = work_.mobility * best_.segment<3>(at(i)).norm() + u_.segment<3>(at(i)).norm();
      solution.modes[i] = !(best_[at(i)] > 0)                                  ? ContactMode::open
                          : slip <= std::max(1e-9, options_.tolerance) * scale ? ContactMode::stick
                                                                               : ContactMode::slip;
    }
    solution.solutions.assign(work_.contacts.size(), 1);
  }

 private:
  bool restart(double rho) {
    rho_ = rho;
    block_ = LocalBlock(rho * Mat3::Identity());
    s_ = p_ + u_ / rho;
    anderson_.restart();
    return work_.set_rho(rho);
  }

  void iterate() {
    r_ = rho_ * s_ - work_.free_velocity;
    work_.solve(r_);
    before_ = p_;
    for (std::size_t i = 0; i < work_.contacts.size(); ++i) {
      const Vec3 c = -rho_ * (2 * r_.segment<3>(at(i)) - s_.segment<3>(at(i)));
      if (solve_block(work_.contacts[i], block_, c, accuracy_, states_[i])) p_.segment<3>(at(i)) = states_[i].impulse;
    }
    f_ = p_ - r_;
    anderson_.next(s_, f_);
    ++report_.iterations;
    ++report_.splitting;
  }

  // Keeps the best impulses; whether they pass.                                                                (C.17)
  bool look() {
    work_.velocity(p_, u_);
    const LocalBlock block(work_.mobility * Mat3::Identity());
    double worst = 0;
    for (std::size_t i = 0; i < work_.contacts.size(); ++i) {
      const Vec3 p = p_.segment<3>(at(i)), u = u_.segment<3>(at(i)), q = work_.free_velocity.segment<3>(at(i));
      LocalState state = states_[i];
      const bool solved = solve_block(work_.contacts[i], block, u - work_.mobility * p, accuracy_, state);
      const double scale = q.norm() + (u - q).norm() + work_.mobility * p.norm();
      const double step = solved ? work_.mobility * (p - state.impulse).norm() : INFINITY;
      const double error = scale == 0 ? 0 : step / scale;
      if (error > worst || std::isnan(error)) worst = error;  // a NaN stays
    }
    if (worst < best_error_) {
      best_error_ = worst;
      best_ = p_;
      if (worst > 0) accuracy_ = std::clamp(1e-3 * worst, 1e-15, 1e-6);
    }
    return best_error_ <= options_.tolerance;
  }

  const ContactOptions& options_;
  ContactReport& report_;
  MassWork work_;
  Anderson anderson_;
  std::vector<LocalState> states_;
  Vector p_, u_, r_, s_, f_, before_, best_;
  LocalBlock block_{Mat3::Identity()};
  double rho_ = 0, accuracy_ = 1e-6, best_error_ = INFINITY;
};

}  // namespace

ContactProblem assembled(const MassContactProblem& problem) {
  require_fit(problem);
  const Eigen::SimplicialLLT<Sparse> mass(problem.mass);
  if (mass.info() != Eigen::Success) throw InvalidInput("contacts with masses: M is not positive definite");
  const Eigen::MatrixXd h = problem.directions;
  ContactProblem result;
  result.delassus = BlockDelassus(Eigen::MatrixXd(h.transpose() * mass.solve(h)));
  result.free_velocity = h.transpose() * problem.free_motion + problem.drift;
  result.contacts = problem.contacts;
  return result;
}

void solve_contact(const MassContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  require_fit(problem);
  if (options.measure != ContactMeasure::residual)
    throw InvalidInput("contacts with masses: only the residual is measured; the full error needs the assembled form");
  solution.report = {};
  ContactReport& report = solution.report;
  report.options = options;
  report.last = ContactMethod::splitting;
  if (problem.contacts.empty()) {
    solution.impulse.resize(0);
    solution.velocity.resize(0);
    solution.modes.clear();
    solution.solutions.clear();
    report.error = report.residual = 0;
    report.converged = true;
    report.why = "no contacts";
    return;
  }
  MassSplitting splitting(problem, options, solution);
  splitting.run();
  splitting.finish(solution);
  report.error = report.residual = splitting.error();
  report.converged = report.error <= options.tolerance;
  report.why = report.converged                              ? "residual below the tolerance"
               : report.iterations >= options.max_iterations ? "largest number of iterations"
                                                             : "the matrix ρM + HHᵀ could not be factorised";
}

ContactSolution solve_contact(const MassContactProblem& problem, const ContactOptions& options) {
  ContactSolution solution;
  solve_contact(problem, options, solution);
  return solution;
}

}  // namespace slipset
