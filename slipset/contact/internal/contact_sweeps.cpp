#include "slipset/contact/internal/contact_sweeps.hpp"

#include <atomic>

#include "slipset/contact/internal/block_store.hpp"
#include "slipset/contact/internal/body_store.hpp"
#include "slipset/contact/planar_local.hpp"

namespace slipset::internal {
namespace {

// More than rounding: a contact that is skipped is not the largest, so that the largest does not depend on the order in
// which threads look.
constexpr double kSkipped = 1 - 1e-8;
constexpr double kBarely = 1e-3;

}  // namespace

template <class Prepared, class Store>
void ContactSweeps<Prepared, Store>::set_proximal(double to, const Eigen::VectorXd& centre) {
  if (to != 0) centre_ = centre;
  if (to == rho) return;
  if (rho == 0) plain_blocks_ = blocks;
  rho = to;
  if (rho == 0) {
    blocks.swap(plain_blocks_);
    return;
  }
  for (std::size_t i = 0; i < size(); ++i) {
    Mat g = scaled_diagonal(i);
    if constexpr (Prepared::kMixedRows)
      g.diagonal() += rho * metric[i];
    else
      g.diagonal().array() += rho;
    blocks[i] = contacts[i].block(g);
  }
}

template <class Prepared, class Store>
void ContactSweeps<Prepared, Store>::scaled_impulses(const Eigen::VectorXd& x, Eigen::VectorXd& scaled) const {
  scaled.resize(x.size());
  for (std::size_t i = 0; i < size(); ++i) set_part<kRows>(scaled, layout(), i, scaled_impulse(i, x));
}

template <class Prepared, class Store>
bool ContactSweeps<Prepared, Store>::solve_one(std::size_t i, double accuracy) {
  const Prepared& contact = contacts[i];
  State& state = contacts.states[i];
  Vec c = store.without_own(i, contact, blocks[i], impulse);
  if (rho != 0) c -= rho * times_metric(i, part_of<kRows>(centre_, layout(), i));
  if (!contact.solve(blocks[i], c, accuracy, state)) return false;
  const Vec after = contact.impulse(state.impulse);
  store.changed(i, part_of<kRows>(impulse, layout(), i), after);
  set_part<kRows>(impulse, layout(), i, after);
  return true;
}

template <class Prepared, class Store>
int ContactSweeps<Prepared, Store>::sweep(double accuracy, bool backward) {
  return store.order().visit(size(), backward, options_->threads,
                             [&](std::size_t i) { return solve_one(i, accuracy); });
}

// The largest of f(contact, bound) over all contacts, on all threads. `bound` has been found at some contact already: f
// may return it where its own value is not above.
template <class Prepared, class Store>
template <class Function>
double ContactSweeps<Prepared, Store>::largest(Function&& f) {
  worst_.assign(pieces_of(size()), 0.0);
  std::atomic<double> found = 0;
  in_pieces(size(), options_->threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    double& worst = worst_[piece];
    for (std::size_t i = first; i < last; ++i) {
      double bound = found.load(std::memory_order_relaxed);
      worst = larger(worst, f(piece, i, bound));
      while (worst > bound && !found.compare_exchange_weak(bound, worst, std::memory_order_relaxed)) {
      }
    }
  });
  double all = 0;
  for (const double w : worst_) all = larger(all, w);
  return all;
}

// The residual of sliding contacts is the local map's step first, as (C.4) would see it: no projections; what passes is
// looked at with (C.4) itself. Sums of velocities are only formed where what they cannot be below leaves it open whether
// this contact is the worst.
template <class Prepared, class Store>
double ContactSweeps<Prepared, Store>::residual_by_map() {
  const bool full = options_->measure == ContactMeasure::full_error;  // full_error() has filled velocity_
  if constexpr (Prepared::kMixedRows) {
    const double residual = largest([&](std::size_t, std::size_t i, double bound) {
      const Vec u = full ? Vec(part_of<kRows>(velocity_, layout(), i)) : store.velocity(i, impulse);
      return is_below(i, part_of<kRows>(impulse, layout(), i), u, bound) ? bound : exact_residual_of(i, bound);
    });
    return residual <= (full ? most_residual(options_->tolerance) : options_->tolerance) ? exact_residual() : residual;
  } else {
    const double residual = largest([&](std::size_t, std::size_t i, double bound) {
      const Prepared& contact = contacts[i];
      const Block& plain = rho == 0 ? blocks[i] : plain_blocks_[i];
      const Vec here = contact.scaled_impulse(part_of<kRows>(impulse, layout(), i)), own = plain.g * here,
                u = full ? Vec(part_of<kRows>(velocity_, layout(), i)) : store.velocity(i, impulse);
      State state = contacts.states[i];
      double value = INFINITY;
      if (contact.solve(plain, contact.scaled_velocity(u) - own, map_accuracy, state))
        value = contact.velocity(plain.g * (here - state.impulse)).norm();
      const double at_least = sum_at_least(i, u, contact.velocity(own));
      if (at_least <= limits_.velocity && value <= kSkipped * bound * at_least) return bound;
      return limits_.over(value, store.sum(i, impulse));
    });
    return !full && residual <= options_->tolerance ? exact_residual() : residual;
  }
}

template <class Prepared, class Store>
double ContactSweeps<Prepared, Store>::full_error() {
  sums_.assign(pieces_of(size()), {});
  velocity_.resize(impulse.size());
  in_pieces(size(), options_->threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Vec u = store.velocity(i, impulse);
      set_part<kRows>(velocity_, layout(), i, u);
      sums_[piece].add(part_of<kRows>(impulse, layout(), i), u, contacts[i].cone());
    }
  });
  FullErrorSums all;
  for (const FullErrorSums& s : sums_) all.add(s);
  return all.error(store.free_velocity().norm(), limits_);
}

template <class Prepared, class Store>
double ContactSweeps<Prepared, Store>::error() {
  impulse_changed();
  if (options_->measure == ContactMeasure::residual) return measured = residual_by_map();
  measured = full_error();
  if (!(measured <= options_->tolerance)) return measured;
  const double share = residual_by_map() / most_residual(options_->tolerance);
  if (share <= 1) return larger(measured, options_->tolerance * share);
  // Just above the tolerance, below all errors that did not pass: falls as the residual falls.
  return options_->tolerance * (1 + kBarely * (1 - 1 / share));
}

template <class Prepared, class Store>
bool ContactSweeps<Prepared, Store>::is_below(std::size_t i, const Vec& p, const Vec& u, double bound) const {
  if constexpr (Prepared::kMixedRows) {
    if (!(bound > 0 && sum_at_least(i, u, store.diagonal(i) * p) <= limits_.velocity)) return false;
    const Prepared& contact = contacts[i];
    const Block& plain = rho == 0 ? blocks[i] : plain_blocks_[i];
    const Vec here = contact.scaled_impulse(p), own = plain.g * here,
              q = contact.scaled_velocity(part_of<kRows>(store.free_velocity(), layout(), i)),
              velocity = contact.scaled_velocity(u),
              at_least = q.cwiseAbs() + own.cwiseAbs() + (velocity - q - own).cwiseAbs();
    return contact.residual_at_most(plain, here, velocity, at_least) <= kSkipped * bound;
  } else {
    return false;
  }
}

template <class Prepared, class Store>
double ContactSweeps<Prepared, Store>::exact_residual_of(std::size_t i, double worst) const {
  const Contact& contact = problem_->contacts[store.contact(i)];
  const ContactLaw& law = law_of(contact, layout().rows(i));
  const Vec p = part_of<kRows>(impulse, layout(), i);
  const Mat g = store.diagonal(i);
  const Vec u = store.velocity(i, impulse);
  if constexpr (Prepared::kMixedRows) {
    VelocitySums sums{store.sum(i, impulse), store.row_sums(i, impulse)};
    const double hidden = limits_.limit(sums);
    return hidden + law.residual(contact, g, p, u, sums);
  } else {  // over the total alone
    const double value = law.residual(contact, g, p, u, {1, {}});
    const double at_least = sum_at_least(i, u, g * p);
    if (at_least <= limits_.velocity && value <= kSkipped * worst * at_least) return worst;
    return limits_.over(value, store.sum(i, impulse));
  }
}

template <class Prepared, class Store>
double ContactSweeps<Prepared, Store>::exact_residual() {
  return largest([&](std::size_t, std::size_t i, double bound) { return exact_residual_of(i, bound); });
}

template <class Prepared, class Store>
void ContactSweeps<Prepared, Store>::exact_residuals(std::vector<double>& each, double enough) const {
  each.resize(size());
  in_pieces(size(), options_->threads, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Vec p = part_of<kRows>(impulse, layout(), i);
      each[i] = is_below(i, p, store.velocity(i, impulse), enough) ? enough : exact_residual_of(i, enough);
    }
  });
}

template class ContactSweeps<PreparedPlanar, BlockStore<3>>;
template class ContactSweeps<PreparedPlanar, BodyStore<3>>;
template class ContactSweeps<PreparedRolling, BlockStore<6>>;
template class ContactSweeps<PreparedRolling, BodyStore<6>>;
template class ContactSweeps<PreparedGeneral, BlockStore<Eigen::Dynamic>>;
template class ContactSweeps<PreparedGeneral, BodyStore<Eigen::Dynamic>>;

}  // namespace slipset::internal
