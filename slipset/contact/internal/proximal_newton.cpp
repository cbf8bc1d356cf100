#include "slipset/contact/internal/proximal_newton.hpp"

#include <algorithm>
#include <cmath>

namespace slipset::internal {
namespace {

constexpr int kMaxNewton = 20;   // iterations in one proximal step
constexpr int kHalvings = 4;     // of one Newton step
constexpr double kEnough = 0.2;  // of the first merit ends a proximal step
constexpr double kLeastRho = 1e-10, kMostRho = 1e4;
constexpr double kRepairAccuracy = 1e-6;
// Bold: whole steps while the merit stays below a multiple of its smallest; the modes change first, then it falls.
constexpr double kBoldSlack = 1000;
constexpr int kBoldSteps = 6;  // without a smaller merit
// Careful, after bold steps that led nowhere: little slack, and sweeps of Gauss-Seidel where no step helps.
constexpr double kCarefulSlack = 2;
constexpr int kCarefulSweeps = 5;
constexpr int kMostCareful = 64;  // proximal steps

}  // namespace

template <class Prepared>
void ProximalNewton<Prepared>::begin(Work& work, BlockLu<kRows>& factors) {
  work_ = &work;
  factors_ = &factors;
  jacobian_ = work.store.matrix();
  trial_states_ = work.contacts.states;
  x_ = u_ = trial_ = trial_u_ = step_ = work.impulse;
  run_ = since_ = careful_ = 0;
  next_careful_ = 1;
  rho_ = 1e-3;
  least_ = INFINITY;
}

template <class Prepared>
double ProximalNewton<Prepared>::local_map(const Eigen::VectorXd& x, Eigen::VectorXd& u,
                                           std::vector<typename Prepared::State>& states) const {
  work_->store.matrix().multiply_add(x, work_->store.free_velocity(), u);
  double sum = 0;
  for (std::size_t i = 0; i < work_->size(); ++i) {
    const Vec here = work_->scaled_impulse(i, x);
    const Vec c = work_->scaled_velocity(i, here, u) - work_->blocks[i].g * here;
    if (!work_->contacts[i].solve(work_->blocks[i], c, work_->map_accuracy, states[i])) return INFINITY;
    Vec off = work_->blocks[i].g * (here - states[i].impulse);
    if constexpr (Prepared::kMixedRows) off = off.cwiseQuotient(work_->metric[i].cwiseSqrt()).eval();
    sum += off.squaredNorm();
  }
  return std::sqrt(sum);
}

// Rows are of scaled coordinates, columns are not.
template <class Prepared>
bool ProximalNewton<Prepared>::direction() {
  const BlockDelassus& w = work_->store.matrix();
  for (std::size_t i = 0; i < work_->size(); ++i) {
    const auto& state = work_->contacts.states[i];
    const Prepared& contact = work_->contacts[i];
    const Vec r = work_->scaled_impulse(i, x_), u = work_->scaled_velocity(i, r, u_);
    const auto tangent = contact.linearize(work_->blocks[i], state, work_->mobility);
    const Vec right = contact.constant(tangent, state) - tangent.by_impulse * r - tangent.by_velocity * u;
    const bool open = tangent.by_velocity.isZero(0);
    const Mat from_unscaled = tangent.by_velocity * contact.scaling().transpose();
    for (std::size_t k = 0; k < w.blocks(i); ++k) {
      const auto from = w.template at<kRows>(i, k);
      auto to = jacobian_.template values_at<kRows>(i, k);
      if (open)
        to.setZero();
      else
        to.noalias() = from_unscaled * from.values;
      if (from.column != i) continue;
      Mat own = tangent.by_velocity;
      if constexpr (Prepared::kMixedRows) own = Mat(own * work_->metric[i].asDiagonal());
      to += (tangent.by_impulse + work_->rho * own) * contact.inverse_scaling();
    }
    set_part<kRows>(step_, work_->layout(), i, right);
  }
  if (!factors_->factorize(jacobian_)) return false;
  factors_->solve(step_);
  return step_.allFinite();
}

template <class Prepared>
bool ProximalNewton<Prepared>::advance(double& merit) {
  if (!direction()) return false;
  double share = 1;
  for (int k = 0; k < kHalvings; ++k, share /= 2) {
    trial_ = x_ + share * step_;
    trial_states_ = work_->contacts.states;
    const double reached = local_map(trial_, trial_u_, trial_states_);
    const double limit = careful_ > 0          ? kCarefulSlack * merit * (1 - 0.2 * share)
                         : since_ < kBoldSteps ? kBoldSlack * least_
                                               : least_ * (1 - 0.2 * share);
    if (!(reached < limit)) continue;
    std::swap(x_, trial_);
    std::swap(u_, trial_u_);
    std::swap(work_->contacts.states, trial_states_);
    merit = reached;
    note(merit);
    return true;
  }
  return false;
}

template <class Prepared>
void ProximalNewton<Prepared>::note(double merit) {
  ++since_;
  if (!(merit < least_)) return;
  if (merit < 0.9 * least_) since_ = 0;
  least_ = merit;
  best_ = x_;
}

template <class Prepared>
typename ProximalNewton<Prepared>::Step ProximalNewton<Prepared>::step() {
  centre_ = work_->impulse;
  if (run_ > 1) centre_ += (run_ - 1.0) / (run_ + 2.0) * (work_->impulse - last_);
  last_ = work_->impulse;
  work_->scaled_impulses(centre_, scaled_centre_);
  work_->set_proximal(rho_ * work_->mobility, scaled_centre_);
  x_ = centre_;
  double merit = local_map(x_, u_, work_->contacts.states);
  const double first = merit;
  least_ = INFINITY;
  best_ = x_;
  note(merit);
  Step result{0, false};
  const int repairs_allowed = careful_ > 0 ? 2 : 1;
  int repairs = 0;
  while (result.iterations < kMaxNewton && !result.solved && repairs < repairs_allowed) {
    ++result.iterations;
    if (!advance(merit)) {
      ++repairs;
      work_->impulse = best_;
      for (int k = 0; k < (careful_ > 0 ? kCarefulSweeps : 1); ++k) work_->sweep(kRepairAccuracy);
      x_ = work_->impulse;
      merit = local_map(x_, u_, work_->contacts.states);
      note(merit);
    }
    result.solved = std::isfinite(merit) && merit <= kEnough * first;
  }
  if (!(merit <= least_)) {
    x_ = best_;
    local_map(x_, u_, work_->contacts.states);
  }
  // The local solutions, which are admissible, and not x itself; after a step that led nowhere, what it came from.
  if (least_ < first)
    for (std::size_t i = 0; i < work_->size(); ++i)
      set_part<kRows>(work_->impulse, work_->layout(), i,
                      work_->contacts[i].impulse(work_->contacts.states[i].impulse));
  else
    work_->impulse = last_;
  // The extrapolation goes on while it and the step agree in direction.
  const bool ahead = (work_->impulse - centre_).dot(work_->impulse - last_) >= 0;
  run_ = result.solved && ahead ? run_ + 1 : 0;
  choose_next(result, repairs);
  return result;
}

template <class Prepared>
void ProximalNewton<Prepared>::choose_next(const Step& result, int repairs) {
  double change = 1;
  if (!result.solved)
    change = 10;
  else if (repairs == 0)
    change = result.iterations <= 3 ? 0.2 : result.iterations <= 6 ? 0.5 : 1;
  rho_ = std::clamp(rho_ * change, kLeastRho, kMostRho);
  if (careful_ > 0) {
    --careful_;
  } else if (!result.solved) {
    careful_ = next_careful_;
    next_careful_ = std::min(2 * next_careful_, kMostCareful);
  } else {
    next_careful_ = std::max(next_careful_ / 2, 1);
  }
}

template class ProximalNewton<PreparedPlanar>;
template class ProximalNewton<PreparedRolling>;
template class ProximalNewton<PreparedGeneral>;

}  // namespace slipset::internal
