#include "slipset/contact/pair_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/scaled_contact.hpp"
#include "slipset/contact/sweep_order.hpp"
#include "slipset/contact/sweeps.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

constexpr int kPatience = 400;  // sweeps that do not bring the error down by a third
// What may be assembled and factorised where sweeps lead nowhere.
constexpr std::size_t kMostAssembled = 20000;   // contacts
constexpr std::size_t kMostBlocks = 4'000'000;  // 300 MB

// All arrays are in the order of the sweeps, so that a sweep reads memory from its beginning to its end.
class PairSweeps : public Sweeps {
 public:
  PairSweeps(const PairContactProblem& problem, const ContactOptions& options, const Eigen::VectorXd& guess)
      : options_(options),
        order_(problem.pairs.near_order()),
        pairs_(problem.pairs.reordered(order_)),
        sweep_order_(pairs_),
        free_velocity_(problem.free_velocity.size()) {
    std::vector<std::uint32_t> by_colour = sweep_order_.take_order();
    pairs_ = pairs_.reordered(by_colour);
    for (std::uint32_t& i : by_colour) i = order_[i];
    order_ = std::move(by_colour);
    motion_.resize(pairs_.bodies());
    const bool guessed = guess.size() == at(size()) && guess.allFinite();
    impulse = Eigen::VectorXd::Zero(at(size()));
    points_.reserve(size());
    kind_.reserve(size());
    blocks_.reserve(size());
    states_.reserve(size());
    for (std::size_t k = 0; k < size(); ++k) {
      points_.push_back(&problem.contacts[order_[k]]);
      add_kind();
      states_.push_back(first_state(scaled(k), *points_[k]));
      const Mat3 t = scaled(k).scaling();
      blocks_.emplace_back(t.transpose() * pairs_.diagonal(k) * t);
      free_velocity_.segment<3>(at(k)) = problem.free_velocity.segment<3>(at(order_[k]));
      if (guessed) impulse.segment<3>(at(k)) = guess.segment<3>(at(order_[k]));
    }
    impulse_changed();
  }

  std::size_t size() const { return pairs_.size(); }

  // Impulses and velocities in the order of the problem; mobilities of its contacts.
  void tell(ContactSolution& solution, std::vector<double>& mobility) const {
    solution.impulse.resize(impulse.size());
    solution.velocity.resize(impulse.size());
    mobility.resize(size());
    for (std::size_t k = 0; k < size(); ++k) {
      solution.impulse.segment<3>(at(order_[k])) = impulse.segment<3>(at(k));
      solution.velocity.segment<3>(at(order_[k])) = velocity(k);
      mobility[order_[k]] = blocks_[k].mobility;
    }
  }

  int sweep(double accuracy, bool backward) override {
    return sweep_order_.visit(size(), backward, options_.threads, [&](std::size_t i) {
      const Vec3 before = impulse.segment<3>(at(i));
      const ScaledContact& contact = scaled(i);
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
    sweep_order_.visit(size(), false, options_.threads, [&](std::size_t i) {
      pairs_.push(i, impulse.segment<3>(at(i)), motion_);
      return true;
    });
  }

  double error() override {
    impulse_changed();
    return options_.measure == ContactMeasure::full_error ? full_error_here() : residual_here();
  }

  // W p + q
  Vec3 velocity(std::size_t i) const { return free_velocity_.segment<3>(at(i)) + pairs_.velocity(i, motion_); }

  // (C.4) itself.
  double residual() const {
    return largest_over_scale([&](std::size_t i, const Vec3& p, const Vec3& u) {
      const ContactPoint& point = *points_[i];
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
  const ScaledContact& scaled(std::size_t i) const { return kinds_[kind_[i]]; }

  // Of the last of points_. Contacts in a row with one law share what is scaled: in a pile nearly all.
  void add_kind() {
    const ContactPoint& point = *points_.back();
    const ContactPoint* before = points_.size() > 1 ? points_[points_.size() - 2] : nullptr;
    const bool same = before && before->law == point.law && before->reservoir_factor == point.reservoir_factor &&
                      before->normal_impulse == point.normal_impulse;
    if (!same) kinds_.push_back(scaled_contact(point));
    kind_.push_back(static_cast<std::uint32_t>(kinds_.size() - 1));
  }

  // The largest of f(contact, impulse, velocity) over |q_i| + Σ_j |W_ij p_j|. The sum is only formed where its own part
  // and the norm of the others' together, which are not larger, leave it open whether this contact is the worst.
  template <class Function>
  double largest_over_scale(Function&& f) const {
    std::vector<double> worst(pieces_of(size()), 0.0);
    in_pieces(size(), options_.threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Vec3 p = impulse.segment<3>(at(i)), q = free_velocity_.segment<3>(at(i)), u = velocity(i);
        const double value = f(i, p, u);
        const Vec3 own = scaled(i).velocity(blocks_[i].g * scaled(i).scaled_impulse(p));
        if (value <= worst[piece] * (q.norm() + own.norm() + (u - q - own).norm())) continue;
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
      const ScaledContact& contact = scaled(i);
      const Vec3 here = contact.scaled_impulse(p), c = contact.scaled_velocity(u) - blocks_[i].g * here;
      LocalState state = states_[i];
      if (!solve_block(contact, blocks_[i], c, map_accuracy, state)) return static_cast<double>(INFINITY);
      return contact.velocity(blocks_[i].g * (here - state.impulse)).norm();
    });
    return worst <= options_.tolerance ? residual() : worst;
  }

  double full_error_here() const {
    std::vector<FullErrorSums> sums(pieces_of(size()));
    in_pieces(size(), options_.threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        sums[piece].add(impulse.segment<3>(at(i)), velocity(i), scaled(i).coefficient());
    });
    FullErrorSums all;
    for (const FullErrorSums& s : sums) all.add(s);
    return all.error(free_velocity_.norm());
  }

  const ContactOptions& options_;
  std::vector<std::uint32_t> order_;  // place k: contact order_[k] of the problem
  BodyPairs pairs_;
  SweepOrder sweep_order_;
  Eigen::VectorXd free_velocity_;
  std::vector<const ContactPoint*> points_;
  std::vector<ScaledContact> kinds_;
  std::vector<std::uint32_t> kind_;  // of each contact, in kinds_
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
  const bool may_assemble = options.method == ContactMethod::automatic && sweeps.size() <= kMostAssembled &&
                            problem.pairs.most_blocks() <= kMostBlocks;
  if (options.method == ContactMethod::gauss_seidel) {
    run.sweep_until(options.max_iterations);
  } else {
    run.sweep_until(options.max_iterations, [] { return 40.0; });
    if (!run.done() && !run.out_of_iterations()) run.accelerate(may_assemble ? kPatience : options.max_iterations);
  }
  run.restart_from_best();
  std::vector<double> mobility;
  sweeps.tell(solution, mobility);
  if (may_assemble && !run.done() && !run.out_of_iterations()) return false;
  tell_result(
      run, options, [&](std::size_t i) { return mobility[i]; }, "sweeps bring the error down no more", solution);
  // What passed has been measured.
  const bool measured = options.measure == ContactMeasure::residual && run.done();
  solution.report.residual = measured ? run.best_error() : sweeps.residual();
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
  require_measurable(problem.contacts, options.measure);
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
