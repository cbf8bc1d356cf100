#include "slipset/contact/pair_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/sweep_order.hpp"
#include "slipset/contact/sweeps.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

constexpr int kPatience = 400;                 // sweeps that do not bring the error down by a third
constexpr std::size_t kMostAssembled = 20000;  // contacts whose matrix may be factorised

class PairSweeps : public Sweeps {
 public:
  PairSweeps(const PairContactProblem& problem, const ContactOptions& options, const Eigen::VectorXd& guess)
      : problem_(problem),
        pairs_(problem.pairs),
        options_(options),
        order_(pairs_),
        states_(pairs_.size()),
        motion_(pairs_.bodies()) {
    contacts_.reserve(size());
    blocks_.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) {
      contacts_.push_back(scaled_contact(problem.contacts[i]));
      const Mat3 t = contacts_[i].scaling();
      blocks_.emplace_back(t.transpose() * pairs_.diagonal(i) * t);
    }
    impulse =
        guess.size() == at(size()) && guess.allFinite() ? guess : Eigen::VectorXd(Eigen::VectorXd::Zero(at(size())));
    impulse_changed();
  }

  std::size_t size() const { return problem_.contacts.size(); }
  double mobility(std::size_t i) const { return blocks_[i].mobility; }

  int sweep(double accuracy, bool backward) override {
    return order_.visit(size(), backward, options_.threads, [&](std::size_t i) {
      const Vec3 before = impulse.segment<3>(at(i));
      const ScaledContact& contact = contacts_[i];
      const Vec3 c = contact.scaled_velocity(velocity(i)) - blocks_[i].g * contact.scaled_impulse(before);
      if (!solve_block(contact, blocks_[i], c, accuracy, states_[i])) return false;
      const Vec3 after = contact.impulse(states_[i].impulse);
      pairs_.push(i, after - before, motion_);
      impulse.segment<3>(at(i)) = after;
      return true;
    });
  }

  // From the impulses anew: what sweeps add up loses digits.
  void impulse_changed() override {
    std::fill(motion_.begin(), motion_.end(), BodyVelocity{});
    order_.visit(size(), false, options_.threads, [&](std::size_t i) {
      pairs_.push(i, impulse.segment<3>(at(i)), motion_);
      return true;
    });
  }

  double error() override {
    impulse_changed();
    return options_.measure == ContactMeasure::full_error ? full_error_here() : residual_here();
  }

  // W p + q
  Vec3 velocity(std::size_t i) const { return problem_.free_velocity.segment<3>(at(i)) + pairs_.velocity(i, motion_); }

  // (C.4) itself.
  double residual() const {
    return largest_over_scale([&](std::size_t i, const Vec3& p, const Vec3& u) {
      const ContactPoint& point = problem_.contacts[i];
      LocalProblem local;
      local.delassus = pairs_.diagonal(i);
      local.free_velocity = u - local.delassus * p;
      local.normal_impulse = point.normal_impulse;
      local.reservoir_factor = point.reservoir_factor;
      local.last_slip = point.last_slip;
      return contact_defect(point.law, local, p, u);
    });
  }

 private:
  // The largest of f(contact, impulse, velocity) over |q_i| + Σ_j |W_ij p_j|. The sum is only formed where |u_i − q_i|,
  // which is not larger, leaves it open whether this contact is the worst.
  template <class Function>
  double largest_over_scale(Function&& f) const {
    std::vector<double> worst(pieces_of(size()), 0.0);
    in_pieces(size(), options_.threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Vec3 p = impulse.segment<3>(at(i)), q = problem_.free_velocity.segment<3>(at(i)), u = velocity(i);
        const double value = f(i, p, u);
        if (value <= worst[piece] * (q.norm() + (u - q).norm())) continue;
        const double scale = q.norm() + pairs_.velocity_sum(i, impulse);
        worst[piece] = larger(worst[piece], scale > 0 ? value / scale : value);
      }
    });
    double all = 0;
    for (const double w : worst) all = larger(all, w);
    return all;
  }

  // The local map's step first, as (C.4) would see it: no projections. What passes is looked at with (C.4) itself.
  double residual_here() const {
    const double worst = largest_over_scale([&](std::size_t i, const Vec3& p, const Vec3& u) {
      const ScaledContact& contact = contacts_[i];
      const Vec3 scaled = contact.scaled_impulse(p), c = contact.scaled_velocity(u) - blocks_[i].g * scaled;
      LocalState state = states_[i];
      if (!solve_block(contact, blocks_[i], c, map_accuracy, state)) return static_cast<double>(INFINITY);
      return contact.velocity(blocks_[i].g * (scaled - state.impulse)).norm();
    });
    return worst <= options_.tolerance ? residual() : worst;
  }

  double full_error_here() const {
    std::vector<FullErrorSums> sums(pieces_of(size()));
    in_pieces(size(), options_.threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        sums[piece].add(impulse.segment<3>(at(i)), velocity(i), contacts_[i].coefficient());
    });
    FullErrorSums all;
    for (const FullErrorSums& s : sums) all.add(s);
    return all.error(problem_.free_velocity.norm());
  }

  const PairContactProblem& problem_;
  const BodyPairs& pairs_;
  const ContactOptions& options_;
  SweepOrder order_;
  std::vector<ScaledContact> contacts_;
  std::vector<LocalBlock> blocks_;
  std::vector<LocalState> states_;
  std::vector<BodyVelocity> motion_;  // M⁻¹Hp
};

void assemble(const PairContactProblem& problem, ContactProblem& to) {
  problem.pairs.assemble(to.delassus);
  to.free_velocity = problem.free_velocity;
  to.contacts.assign(problem.contacts.begin(), problem.contacts.end());
}

// True if it ends here.
bool solve_by_sweeps(const PairContactProblem& problem, const ContactOptions& options, ContactSolution& solution) {
  solution.report = {};
  solution.report.options = options;
  PairSweeps sweeps(problem, options, solution.impulse);
  SweepRun run(sweeps, options, solution.report);
  if (options.method == ContactMethod::gauss_seidel) {
    run.sweep_until(options.max_iterations);
  } else {
    const bool may_assemble = sweeps.size() <= kMostAssembled;
    run.sweep_until(options.max_iterations, [] { return 40.0; });
    if (!run.done() && !run.out_of_iterations()) run.accelerate(may_assemble ? kPatience : options.max_iterations);
    if (!run.done() && !run.out_of_iterations() && may_assemble) {
      solution.impulse = run.best();
      return false;
    }
  }
  run.restart_from_best();
  solution.impulse = run.best();
  solution.velocity.resize(solution.impulse.size());
  for (std::size_t i = 0; i < sweeps.size(); ++i) solution.velocity.segment<3>(at(i)) = sweeps.velocity(i);
  tell_result(
      run, options, [&](std::size_t i) { return sweeps.mobility(i); }, "sweeps bring the error down no more", solution);
  solution.report.residual = sweeps.residual();
  return true;
}

}  // namespace

ContactProblem assembled(const PairContactProblem& problem) {
  ContactProblem result;
  assemble(problem, result);
  return result;
}

void PairContactSolver::solve(const PairContactProblem& problem, const ContactOptions& options,
                              ContactSolution& solution) {
  if (options.measure == ContactMeasure::full_error && !is_isotropic(problem.contacts))
    throw InvalidInput("contact problem: the full error is for isotropic unilateral contacts; choose the residual");
  const bool by_sweeps = problem.contacts.size() >= kManyContacts &&
                         (options.method == ContactMethod::automatic || options.method == ContactMethod::gauss_seidel);
  if (by_sweeps && solve_by_sweeps(problem, options, solution)) return;
  const int before = by_sweeps ? solution.report.sweeps : 0;
  assemble(problem, assembled_);
  ContactOptions rest = options;
  rest.max_iterations -= before;
  solve_contact(assembled_, rest, solution);
  solution.report.options = options;
  solution.report.sweeps += before;
  solution.report.iterations += before;
}

}  // namespace slipset
