// Gauss-Seidel over the contacts of a problem, and its errors.      docs/theory/contact.md
// Written once for contacts of fixed and of any size (Prepared), and for operators in blocks and by bodies (Store).
// The problem may have its proximal form, with W + ρ(TTᵀ)⁻¹ and q − ρ T⁻ᵀ·centre, T the contacts' scalings: ρI in
// scaled coordinates. Impulses and velocities are not scaled, so that the matrix is not copied. (C.10)
#pragma once

#include "slipset/contact/internal/contact_set.hpp"
#include "slipset/contact/internal/measure_sums.hpp"
#include "slipset/contact/internal/prepared_general.hpp"
#include "slipset/contact/internal/prepared_planar.hpp"
#include "slipset/contact/internal/prepared_rolling.hpp"
#include "slipset/contact/internal/sweep_run.hpp"

namespace slipset::internal {

template <class Prepared, class Store>
class ContactSweeps final : public ContactIterate {
 public:
  static constexpr int kRows = Prepared::kRows;
  using Vec = typename Prepared::Vec;
  using Mat = typename Prepared::Mat;
  using Block = typename Prepared::Block;
  using State = typename Prepared::State;

  // From `guess` if its size fits and it is finite, else from no impulses. Problem, operator and options must outlive
  // what is done with it.
  template <class Operator>
  void begin(const Operator& w, const ContactProblem& problem, const ContactOptions& options,
             const Eigen::VectorXd& guess);

  int sweep(double accuracy, bool backward = false) override;
  // Without ρ. Siconos' measure adds impulses and velocities: where impulses are large numbers any velocities seem good.
  // So where it passes, the residual counts, too, over what it may be: of the two that which is farther from its end.
  double error() override;
  void impulse_changed() override { store.restart(impulse, options_->threads); }
  double exact_residual();  // (C.4, T.12) itself
  // Of each contact, over what adds up there; up to `enough` they may come out as that.
  void exact_residuals(std::vector<double>& each, double enough = 0) const;
  // What the dynamics add up at a contact, which errors are over; `impulse` has been written.
  double sum(std::size_t i) const { return std::min(store.sum(i, impulse), limits_.velocity); }
  // Whether impulses add up to more than a problem has unless they cancel.
  bool cancels() const {
    for (std::size_t i = 0; i < size(); ++i)
      if (store.sum(i, impulse) > limits_.velocity) return true;
    return false;
  }
  // In the order of the problem; `impulse` becomes its velocities' cause.
  void write(const Eigen::VectorXd& from, Eigen::VectorXd& impulses, Eigen::VectorXd& velocities);

  // Blocks TᵀW_ii T + ρI; the centre is in scaled coordinates.
  void set_proximal(double to, const Eigen::VectorXd& centre);
  // Of contact i in scaled coordinates: its impulse, and its velocity with the part of ρ.
  Vec scaled_impulse(std::size_t i, const Eigen::VectorXd& x) const {
    return contacts[i].scaled_impulse(part_of<kRows>(x, layout(), i));
  }
  Vec scaled_velocity(std::size_t i, const Vec& p, const Eigen::VectorXd& u) const {
    Vec v = contacts[i].scaled_velocity(part_of<kRows>(u, layout(), i));
    if (rho != 0) v += rho * times_metric(i, p - part_of<kRows>(centre_, layout(), i));
    return v;
  }
  // D x
  Vec times_metric(std::size_t i, const Vec& x) const {
    if constexpr (Prepared::kMixedRows)
      return x.cwiseProduct(metric[i]);
    else
      return x;
  }
  void scaled_impulses(const Eigen::VectorXd& x, Eigen::VectorXd& scaled) const;

  std::size_t size() const { return contacts.size(); }
  const RowLayout& layout() const { return store.layout(); }

  Store store;
  ContactSet<Prepared> contacts;
  std::vector<Block> blocks;
  std::vector<Vec> metric;  // D, where rows are mixed; else none
  double mobility = 0;      // mean of the contacts', scaled [velocity over impulse]
  double rho = 0;

 private:
  bool solve_one(std::size_t contact, double accuracy);
  double residual_by_map();
  double full_error();
  template <class Function>
  double largest(Function&& f);
  // Whether the residual of a contact with mixed rows is no more, by sums that are no more than what adds up; false where
  // that is not known.
  bool is_below(std::size_t contact, const Vec& p, const Vec& u, double bound) const;
  // `worst` where it is not above that.
  double exact_residual_of(std::size_t contact, double worst) const;
  // What the sum at a contact with velocity u, of which its own impulse makes `own`, cannot be below.
  double sum_at_least(std::size_t i, const Vec& u, const Vec& own) const {
    const Vec q = part_of<kRows>(store.free_velocity(), layout(), i);
    return q.norm() + own.norm() + (u - q - own).norm();
  }
  Mat scaled_diagonal(std::size_t i) const {
    return contacts[i].scaling().transpose() * Mat(store.diagonal(i) * contacts[i].scaling());
  }

  const ContactProblem* problem_ = nullptr;
  const ContactOptions* options_ = nullptr;
  std::vector<Block> plain_blocks_;  // without ρ, where that is not zero
  Eigen::VectorXd centre_;           // scaled; not looked at where ρ = 0
  Limits limits_;
  std::vector<double> worst_;  // of each piece
  std::vector<FullErrorSums> sums_;
  Eigen::VectorXd velocity_;  // of the last full error
};

template <class Prepared, class Store>
template <class Operator>
void ContactSweeps<Prepared, Store>::begin(const Operator& w, const ContactProblem& problem,
                                           const ContactOptions& options, const Eigen::VectorXd& guess) {
  problem_ = &problem;
  options_ = &options;
  rho = 0;
  map_accuracy = 1e-6;
  store.take(w, problem);
  const std::size_t n = problem.contacts.size();
  contacts.clear(n);
  blocks.clear();
  blocks.reserve(n);
  mobility = 0;
  limits_ = limits_of(problem);
  impulse.setZero(layout().rows());
  const bool guessed = guess.size() == impulse.size() && guess.allFinite();
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = store.contact(k);
    contacts.add(problem.contacts[i], layout().rows(k));
    blocks.push_back(contacts[k].block(scaled_diagonal(k)));
    mobility += blocks.back().mobility;
    if (guessed) set_part<kRows>(impulse, layout(), k, part_of<kRows>(guess, problem.delassus->layout(), i));
  }
  if (n > 0) mobility /= static_cast<double>(n);
  if constexpr (Prepared::kMixedRows) {
    metric.clear();
    metric.reserve(n);
    for (const Block& block : blocks) metric.push_back(row_metric<kRows>(block.g, mobility));
  }
  impulse_changed();
}

template <class Prepared, class Store>
void ContactSweeps<Prepared, Store>::write(const Eigen::VectorXd& from, Eigen::VectorXd& impulses,
                                           Eigen::VectorXd& velocities) {
  impulse = from;
  impulse_changed();
  impulses.resize(impulse.size());
  velocities.resize(impulse.size());
  const RowLayout& given = problem_->delassus->layout();
  for (std::size_t k = 0; k < size(); ++k) {
    set_part<kRows>(impulses, given, store.contact(k), part_of<kRows>(impulse, layout(), k));
    set_part<kRows>(velocities, given, store.contact(k), store.velocity(k, impulse));
  }
}

}  // namespace slipset::internal
