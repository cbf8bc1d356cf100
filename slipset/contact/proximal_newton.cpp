#include "slipset/contact/proximal_newton.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

constexpr int kMaxNewton = 20;    // iterations in one proximal step
constexpr int kHalvings = 4;      // of one Newton step
constexpr double kEnough = 0.05;  // of the first merit ends a proximal step
constexpr double kLeastRho = 1e-10, kMostRho = 1e4;
constexpr double kSweepAccuracy = 1e-6;
// Bold: whole steps while the merit stays below a multiple of its smallest; the modes change first, then it falls.
constexpr double kBoldSlack = 1000;
constexpr int kBoldSteps = 6;  // without a smaller merit
// Careful, after bold steps that led nowhere: little slack, and sweeps of Gauss-Seidel where no step helps.
constexpr double kCarefulSlack = 2;
constexpr int kCarefulSweeps = 5;
constexpr int kMostCareful = 64;  // proximal steps

}  // namespace

ProximalNewton::ProximalNewton(ContactWork& work, BlockLu& factors)
    : work_(work), factors_(factors), jacobian_(work.delassus()), trial_states_(work.states) {
  x_ = u_ = trial_ = trial_u_ = step_ = work.impulse;
}

// Rows of the linearised local laws, in velocities. Open: r_i = 0. Stick: u_i = 0. Slip: u_N = 0 and
//   r_T + r_N s + p_N S'(v) u_T = 0,  s, S' = ∂s/∂v at the local solution (p, v),  S'v = 0                   (C.11)
// scaled by mobility |v|/(|v| + mobility p_N), which keeps it finite as the slip ends. Rows are of scaled coordinates,
// columns are not.
bool ProximalNewton::direction() {
  const BlockDelassus& w = work_.delassus();
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const LocalState& state = work_.states[i];
    const ScaledContact& contact = work_.contacts[i];
    const auto row = jacobian_.row(i);
    const auto from = w.row(i);
    const Vec3 r = work_.scaled_impulse(i, x_), u = work_.scaled_velocity(i, r, u_);
    const double own_mobility = work_.blocks[i].mobility, g = own_mobility > 0 ? own_mobility : work_.mobility;
    Mat3 left = Mat3::Identity(), own = Mat3::Zero();  // row = left (W + ρI)_i + own
    Vec3 right = -u;
    if (state.mode == ContactMode::open) {
      left.setZero();
      own = g * Mat3::Identity();
      right = -g * r;
    } else if (state.mode == ContactMode::slip) {
      const SlipLinearization slip = linearize_slip(contact, state);
      const double pn = state.impulse[0], speed = state.velocity.tail<2>().norm();
      const double scale = contact.kind == LawKind::frictionless ? g : g * speed / (speed + g * pn);
      left.block<2, 2>(1, 1) = scale * pn * slip.jacobian;
      own.block<2, 1>(1, 0) = scale * slip.resistance;
      own.block<2, 2>(1, 1) = scale * Mat2::Identity();
      right.tail<2>() = -scale * (r.tail<2>() + slip.resistance * r[0] + pn * (slip.jacobian * u.tail<2>()));
    }
    if (contact.normal_impulse) {
      left.row(0).setZero();
      own.row(0) << g, 0, 0;
      right[0] = g * (*contact.normal_impulse - r[0]);
    }
    const Mat3 t = contact.scaling(), from_unscaled = left * t.transpose();
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (state.mode == ContactMode::open)
        row[k].values.setZero();
      else
        row[k].values.noalias() = from_unscaled * from[k].values;
      if (row[k].column == i) row[k].values += (own + work_.rho * left) * t.inverse();
    }
    step_.segment<3>(at(i)) = right;
  }
  work_.work += 4 * factors_.factor_work() + 4 * static_cast<double>(w.size() + factors_.filled());
  if (!factors_.factorize(jacobian_)) return false;
  factors_.solve(step_);
  return step_.allFinite();
}

bool ProximalNewton::advance(double& merit) {
  if (!direction()) return false;
  double share = 1;
  for (int k = 0; k < kHalvings; ++k, share /= 2) {
    trial_ = x_ + share * step_;
    trial_states_ = work_.states;
    const double reached = work_.local_map(trial_, trial_u_, trial_states_);
    work_.work += 2 * static_cast<double>(work_.delassus().size());
    const double limit = careful_ > 0          ? kCarefulSlack * merit * (1 - 0.2 * share)
                         : since_ < kBoldSteps ? kBoldSlack * least_
                                               : least_ * (1 - 0.2 * share);
    if (!(reached < limit)) continue;
    std::swap(x_, trial_);
    std::swap(u_, trial_u_);
    std::swap(work_.states, trial_states_);
    merit = reached;
    note(merit);
    return true;
  }
  return false;
}

void ProximalNewton::note(double merit) {
  ++since_;
  if (!(merit < least_)) return;
  if (merit < 0.9 * least_) since_ = 0;
  least_ = merit;
  best_ = x_;
}

ProximalNewton::Step ProximalNewton::step() {
  centre_ = work_.impulse;
  if (run_ > 1) centre_ += (run_ - 1.0) / (run_ + 2.0) * (work_.impulse - last_);
  last_ = work_.impulse;
  work_.set_proximal(rho_ * work_.mobility, work_.scaled_impulses(centre_));
  x_ = centre_;
  double merit = work_.local_map(x_, u_, work_.states);
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
      work_.impulse = best_;
      for (int k = 0; k < (careful_ > 0 ? kCarefulSweeps : 1); ++k) work_.sweep(kSweepAccuracy);
      x_ = work_.impulse;
      merit = work_.local_map(x_, u_, work_.states);
      note(merit);
    }
    result.solved = std::isfinite(merit) && merit <= kEnough * first;
  }
  if (!(merit <= least_)) {
    x_ = best_;
    work_.local_map(x_, u_, work_.states);
  }
  // The local solutions, which are admissible, and not x itself; after a step that led nowhere, what it came from.
  if (least_ < first)
    for (std::size_t i = 0; i < work_.size(); ++i)
      work_.impulse.segment<3>(at(i)) = work_.contacts[i].impulse(work_.states[i].impulse);
  else
    work_.impulse = last_;
  // The extrapolation goes on while it and the step agree in direction.
  const bool ahead = (work_.impulse - centre_).dot(work_.impulse - last_) >= 0;
  run_ = result.solved && ahead ? run_ + 1 : 0;
  choose_next(result, repairs);
  return result;
}

void ProximalNewton::choose_next(const Step& result, int repairs) {
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

}  // namespace slipset
