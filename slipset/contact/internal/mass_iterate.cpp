#include "slipset/contact/internal/mass_iterate.hpp"

namespace slipset::internal {

template <class Prepared>
void MassIterate<Prepared>::begin(const MassDelassus& masses, const ContactProblem& problem,
                                  const ContactOptions& options, const Eigen::VectorXd& guess) {
  masses_ = &masses;
  options_ = &options;
  problem_ = &problem;
  map_accuracy = 1e-6;
  const RowLayout& layout = masses.layout();
  impulse.setZero(layout.rows());
  if (guess.size() == impulse.size() && guess.allFinite()) impulse = guess;
  velocity_ = impulse;
  contacts.clear(problem.contacts.size());
  std::vector<double> scalings;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    contacts.add(problem.contacts[i], layout.rows(i));
    const typename Prepared::Mat t = contacts[i].scaling();
    scalings.insert(scalings.end(), t.data(), t.data() + t.size());
  }
  mobility = masses.mean_mobility(
      Eigen::Map<const Eigen::VectorXd>(scalings.data(), static_cast<Eigen::Index>(scalings.size())));
  limits_ = limits_of(problem, mobility);
  blocks_.clear();
  metric.clear();
  for (std::size_t i = 0; i < problem.contacts.size() && Prepared::kMixedRows; ++i)
    metric.push_back(Prepared::Vec::Ones(layout.rows(i)));
  for (std::size_t i = 0; i < problem.contacts.size() && (Prepared::kMixedRows || i == 0); ++i)
    blocks_.push_back(contacts[i].block(mobility * Prepared::Mat::Identity(layout.rows(i), layout.rows(i))));
}

template <class Prepared>
double MassIterate<Prepared>::error() {
  const double residual = this->residual();
  if (options_->measure == ContactMeasure::residual) return measured = residual;
  measured = full_error();
  return larger(measured, options_->tolerance * (residual / most_residual(options_->tolerance)));
}

// Of the velocities of residual().
template <class Prepared>
double MassIterate<Prepared>::full_error() const {
  const RowLayout& layout = masses_->layout();
  FullErrorSums sums;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    sums.add(part_of<kRows>(impulse, layout, i), part_of<kRows>(velocity_, layout, i), contacts[i].cone());
  return sums.error(problem_->free_velocity.norm(), limits_);
}

template <class Prepared>
double MassIterate<Prepared>::residual() {
  const RowLayout& layout = masses_->layout();
  masses_->multiply_add(impulse, problem_->free_velocity, velocity_);
  double worst = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    using Vec = typename Prepared::Vec;
    const Prepared& contact = contacts[i];
    const Vec p = contact.scaled_impulse(part_of<kRows>(impulse, layout, i)),
              u = contact.scaled_velocity(part_of<kRows>(velocity_, layout, i)),
              q = contact.scaled_velocity(part_of<kRows>(problem_->free_velocity, layout, i));
    typename Prepared::State state = contacts.states[i];
    const bool solved = contact.solve(blocks_[Prepared::kMixedRows ? i : 0], u - mobility * p, map_accuracy, state);
    const double scale = q.norm() + (u - q).norm() + mobility * p.norm();
    const double step = solved ? mobility * (p - state.impulse).norm() : INFINITY;
    worst = larger(worst, limits_.over(step, scale));
  }
  return worst;
}

template <class Prepared>
double MassIterate<Prepared>::sum(std::size_t i, const Eigen::VectorXd& velocity) const {
  const RowLayout& layout = masses_->layout();
  const auto q = part_of<kRows>(problem_->free_velocity, layout, i), u = part_of<kRows>(velocity, layout, i),
             p = part_of<kRows>(impulse, layout, i);
  return std::min(q.norm() + (u - q).norm() + mobility * p.norm(), limits_.velocity);
}

template class MassIterate<PreparedPlanar>;
template class MassIterate<PreparedRolling>;
template class MassIterate<PreparedGeneral>;

}  // namespace slipset::internal
