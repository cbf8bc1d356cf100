#include "slipset/contact/internal/contact_sweeps.hpp"

#include "slipset/contact/internal/block_store.hpp"
#include "slipset/contact/internal/body_store.hpp"
#include "slipset/contact/planar_local.hpp"

namespace slipset::internal {

template <class Prepared, class Store>
void ContactSweeps<Prepared, Store>::set_proximal(double to, const Eigen::VectorXd& centre) {
  if (to != 0) centre_ = centre;
  if (to == rho) return;
  rho = to;
  for (std::size_t i = 0; i < size(); ++i) {
    Mat g = scaled_diagonal(i);
    if constexpr (kRows == Eigen::Dynamic)
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

template <class Prepared, class Store>
double ContactSweeps<Prepared, Store>::error() {
  impulse_changed();
  if (options_->measure == ContactMeasure::residual) return residual(options_->tolerance);
  const double most = most_residual(options_->tolerance);
  return larger(full_error(), options_->tolerance * (residual(most) / most));
}

template <class Prepared, class Store>
double ContactSweeps<Prepared, Store>::full_error() {
  sums_.assign(pieces_of(size()), {});
  in_pieces(size(), options_->threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      sums_[piece].add(part_of<kRows>(impulse, layout(), i), store.velocity(i, impulse), contacts[i].cone());
  });
  FullErrorSums all;
  for (const FullErrorSums& s : sums_) all.add(s);
  return all.error(store.free_velocity().norm(), limits_);
}

template <class Prepared, class Store>
double ContactSweeps<Prepared, Store>::combined() {
  double all = 0;
  for (const double w : worst_) all = larger(all, w);
  return all;
}

// Of contacts of fixed size the local map's step first, as (C.4) would see it: no projections. What passes is looked at
// with (C.4) itself. Where the sum of velocities is not at hand it is only formed if what it cannot be below leaves it
// open whether this contact is the worst.
template <class Prepared, class Store>
double ContactSweeps<Prepared, Store>::residual(double tolerance) {
  if constexpr (kRows == Eigen::Dynamic) {
    return exact_residual();
  } else {
    worst_.assign(pieces_of(size()), 0.0);
    in_pieces(size(), options_->threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Prepared& contact = contacts[i];
        const Block plain = rho == 0 ? blocks[i] : contact.block(scaled_diagonal(i));
        const Vec here = contact.scaled_impulse(part_of<kRows>(impulse, layout(), i));
        const auto at = store.look(i, impulse, contact.velocity(plain.g * here));
        State state = contacts.states[i];
        double value = INFINITY;
        if (contact.solve(plain, contact.scaled_velocity(at.velocity) - plain.g * here, map_accuracy, state))
          value = contact.velocity(plain.g * (here - state.impulse)).norm();
        if (at.at_least <= limits_.velocity && value <= worst_[piece] * at.at_least) continue;
        worst_[piece] = larger(worst_[piece], limits_.over(value, store.total(i, impulse, at)));
      }
    });
    const double worst = combined();
    return worst <= tolerance ? exact_residual() : worst;
  }
}

template <class Prepared, class Store>
double ContactSweeps<Prepared, Store>::exact_residual() {
  worst_.assign(pieces_of(size()), 0.0);
  in_pieces(size(), options_->threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Contact& contact = problem_->contacts[store.contact(i)];
      const ContactLaw& law = law_of(contact, layout().rows(i));
      const Vec p = part_of<kRows>(impulse, layout(), i);
      const Mat g = store.diagonal(i);
      const auto at = store.look(i, impulse, g * p);
      if constexpr (kRows == Eigen::Dynamic) {
        VelocitySums sums{store.total(i, impulse, at), store.row_sums(i, impulse)};
        const double hidden = limits_.limit(sums);
        worst_[piece] = larger(worst_[piece], hidden + law.residual(contact, g, p, at.velocity, sums));
      } else {  // over the total alone
        const double value = law.residual(contact, g, p, at.velocity, {1, {}});
        if (at.at_least <= limits_.velocity && value <= worst_[piece] * at.at_least) continue;
        worst_[piece] = larger(worst_[piece], limits_.over(value, store.total(i, impulse, at)));
      }
    }
  });
  return combined();
}

template class ContactSweeps<PreparedPlanar, BlockStore<3>>;
template class ContactSweeps<PreparedPlanar, BodyStore<3>>;
template class ContactSweeps<PreparedGeneral, BlockStore<Eigen::Dynamic>>;
template class ContactSweeps<PreparedGeneral, BodyStore<Eigen::Dynamic>>;

}  // namespace slipset::internal
