#include "slipset/contact/internal/prepared_general.hpp"

#include "slipset/core/internal/small_matrix.hpp"

namespace slipset::internal {

PreparedGeneral::PreparedGeneral(const Contact& contact, int rows)
    : law_(&law_of(contact, rows)), contact_(contact), t_(law_->coordinates()), inverse_(small_inverse_of(t_)) {}

LocalBlock PreparedGeneral::block(const ContactMat& g) const {
  LocalBlock block{g, g.trace() / static_cast<double>(g.rows()), {}, {}};
  law_->prepare(block);
  return block;
}

LocalState PreparedGeneral::first_state(const Contact& contact) const {
  LocalState state;
  state.impulse = ContactVec::Zero(law_->rows());
  state.velocity = ContactVec::Zero(law_->rows());
  state.last_slip = contact.last_slip;
  return state;
}

}  // namespace slipset::internal
