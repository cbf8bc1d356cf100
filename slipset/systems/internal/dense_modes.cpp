// Which contacts of a step of few degrees of freedom stick, and since when.
#include <algorithm>

#include "slipset/contact/line_contact_law.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/systems/internal/dense_step.hpp"

namespace slipset::internal {
namespace {

constexpr double kRest = 100;  // times the tolerance, of the velocity that the contact's own impulse makes

}  // namespace

const RollingLaw* rolling_law_of(const SystemContact& contact) {
  const auto* rolling = dynamic_cast<const RollingContactLaw*>(contact.other_law.get());
  return rolling ? &rolling->law() : nullptr;
}

const ContactLaw* contact_law_of(const SystemContact& contact) {
  if (contact.law) return contact.law.get();
  return contact.other_law.get();
}

// Slip within what the tolerance leaves open is none: rounding must not decide whether a body at rest sticks.
template <int Rows>
bool DenseStep<Rows>::rests(std::size_t i, double tolerance) const {
  const SystemContact& contact = (*parts_)[i];
  if ((has_elastic_ && elastic_[i]) || rows_[i] < 2 || !contact_law_of(contact)) return false;
  Vec push = Vec::Zero(rows_[i]), slip = velocity_[i];
  for (int j = 0; j < rows_[i]; ++j)
    for (int k = 0; k < rows_[i]; ++k) push[j] += w_[i].col(j).dot(mw_[i].col(k)) * impulse_[i][k];
  if constexpr (Rows == Eigen::Dynamic)
    if (const ContactLaw* law = contact.other_law.get()) {  // rows of several units, made alike
      const ContactMat alike = law->coordinates().transpose();
      push = alike * push;
      slip = alike * slip;
    }
  double squared = 0;  // by hand: g++ 12 sees tails of vectors of three out of bounds
  for (int j = 1; j < rows_[i]; ++j) squared += slip[j] * slip[j];
  return std::sqrt(squared) <= kRest * tolerance * push.norm();
}

// A box that rests on two of its corners sticks, but not one that turns about a corner or bounces. Gap rates count from
// 1e-9 of the largest so far, with contact forces or without.
template <int Rows>
bool DenseStep<Rows>::all_stick() {
  for (const ContactStep& c : contacts_)
    largest_gap_rate_ = std::max({largest_gap_rate_, std::abs(c.gap_rate), std::abs(c.free_gap_rate)});
  const bool rests = std::all_of(contacts_.begin(), contacts_.end(), [&](const ContactStep& c) {
    return (c.mode == ContactMode::stick || c.mode == ContactMode::open) &&
           std::abs(c.gap_rate) <= 1e-9 * largest_gap_rate_;
  });
  return rests && std::any_of(contacts_.begin(), contacts_.end(),
                              [](const ContactStep& c) { return c.mode == ContactMode::stick; });
}

// A contact that came to rest within the step needed only that part of the impulse that friction could give; one that
// was at rest before needed no time.
template <int Rows>
double DenseStep<Rows>::stick_fraction() const {
  double latest = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Vec& p = impulse_[i];
    if (!(p[0] > 0) || first_[i].tail(rows_[i] - 1).isZero(0)) continue;
    const SystemContact& contact = (*parts_)[i];
    if (contact.law)
      latest = std::max(latest, contact.law->law().reservoir().gauge(-p.template segment<2>(1) / p[0]));
    else if (const RollingLaw* rolling = rolling_law_of(contact))
      latest = std::max(latest, rolling->gauge(-p.tail(rows_[i] - 1) / p[0]));
    else if (const auto* line = dynamic_cast<const LineContactLaw*>(contact.other_law.get()))
      latest = std::max(latest, line->reservoir().gauge(-p[1] / p[0]));
  }
  return std::min(latest, 1.0);
}

template bool DenseStep<3>::rests(std::size_t, double) const;
template bool DenseStep<3>::all_stick();
template double DenseStep<3>::stick_fraction() const;
template bool DenseStep<Eigen::Dynamic>::rests(std::size_t, double) const;
template bool DenseStep<Eigen::Dynamic>::all_stick();
template double DenseStep<Eigen::Dynamic>::stick_fraction() const;

}  // namespace slipset::internal
