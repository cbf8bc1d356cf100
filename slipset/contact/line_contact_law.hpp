// Friction along a line as the law of a contact.      docs/theory/contact.md
//   0 ≤ p_N ⊥ u_N ≥ 0, or p_N given
//   stick: u = 0, -p/p_N ∈ f [-b, a];   slip: -p/p_N = f a (u > 0), -f b (u < 0)                               (C.19)
// Two rows: the normal one and that of the line. Or that of the line alone, one row, where the normal impulse is given:
// Contact::normal_impulse then has no row of its own. Closed forms, all solutions.
#pragma once

#include "slipset/contact/contact_law.hpp"
#include "slipset/sets/interval.hpp"

namespace slipset {

class LineContactLaw final : public ContactLaw {
 public:
  enum class Rows { normal_and_line, line_alone };
  // The resistances [-b, a] per unit normal force [-].
  explicit LineContactLaw(Interval reservoir, Rows rows = Rows::normal_and_line);

  const Interval& reservoir() const { return reservoir_; }

  int rows() const override { return has_normal_ ? 2 : 1; }
  std::optional<FrictionCone> cone() const override;
  Keeps keeps() const override { return has_normal_ ? Keeps::apart : Keeps::nothing; }
  std::string description() const override;
  bool solve(const Contact& contact, const LocalBlock& block, const ContactVec& c, double accuracy,
             LocalState& state) const override;
  Tangent linearize(const Contact& contact, const LocalBlock& block, const LocalState& state) const override;
  double residual(const Contact& contact, const ContactMat& g, const ContactVec& p, const ContactVec& u,
                  const VelocitySums& sums) const override;
  int search(const Contact& contact, const ContactMat& g, const ContactVec& c, LocalState& state) const override;
  bool project(const Contact& contact, const ContactMat& g, const ContactVec& u, double step,
               ContactVec& p) const override;
  ContactMode mode_of(const ContactVec& p, const ContactVec& u, double negligible) const override;

 private:
  Interval reservoir_;
  bool has_normal_;
};

}  // namespace slipset
