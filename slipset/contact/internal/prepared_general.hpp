// A contact of any law and 1 to 6 rows, in the law's own coordinates: what the methods work with.
#pragma once

#include <cmath>

#include "slipset/contact/contact_measures.hpp"

namespace slipset::internal {

// D: the rows' own mobilities over the mean of all.                                                            (T.16)
template <int Rows>
RowsVec<Rows> row_metric(const RowsMat<Rows>& g, double mean) {
  RowsVec<Rows> metric(g.rows());
  for (Eigen::Index k = 0; k < metric.size(); ++k) metric[k] = g(k, k) > 0 && mean > 0 ? g(k, k) / mean : 1;
  return metric;
}

class PreparedGeneral {
 public:
  static constexpr int kRows = Eigen::Dynamic;
  static constexpr bool kMixedRows = true;  // each with its own mobility
  using Vec = ContactVec;
  using Mat = ContactMat;
  using Block = LocalBlock;
  using State = LocalState;
  using Tangent = ContactLaw::Tangent;

  PreparedGeneral() = default;
  PreparedGeneral(const Contact& contact, int rows);

  // --- coordinates: p = T p̃, ũ = Tᵀu ---
  ContactVec impulse(const ContactVec& scaled) const { return t_ * scaled; }
  ContactVec scaled_impulse(const ContactVec& p) const { return inverse_ * p; }
  ContactVec scaled_velocity(const ContactVec& u) const { return t_.transpose() * u; }
  ContactVec velocity(const ContactVec& scaled) const { return inverse_.transpose() * scaled; }
  const ContactMat& scaling() const { return t_; }
  const ContactMat& inverse_scaling() const { return inverse_; }

  // --- scaled from here on ---
  LocalBlock block(const ContactMat& g) const;
  LocalState first_state(const Contact& contact) const;
  bool solve(const LocalBlock& block, const ContactVec& c, double accuracy, LocalState& state) const {
    return law_->solve(contact_, block, c, accuracy, state);
  }
  // B dp + A du = 0 at a solution with this block.
  Tangent linearize(const LocalBlock& block, const LocalState& state, double) const {
    return law_->linearize(contact_, block, state);
  }
  // B p + A v there.
  ContactVec constant(const Tangent& tangent, const LocalState& state) const {
    return tangent.by_impulse * state.impulse + tangent.by_velocity * state.velocity;
  }

  double residual_at_most(const LocalBlock&, const ContactVec&, const ContactVec&, const ContactVec&) const {
    return INFINITY;  // not known
  }

  const ContactLaw& law() const { return *law_; }
  std::optional<FrictionCone> cone() const { return cone_of(contact_); }

 private:
  const ContactLaw* law_ = nullptr;
  Contact contact_;
  ContactMat t_, inverse_;
};

}  // namespace slipset::internal
