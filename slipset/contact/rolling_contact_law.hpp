// Friction against sliding, drilling and rolling as the law of a contact.      docs/theory/rolling.md
//   u = G p + c            1 + m rows, normal first, then those of the law; G symmetric, positive semidefinite
//   0 ≤ p_N ⊥ u_N ≥ 0, or p_N given;   -p_F/p_N ∈ f K,  u_F ∈ N_fK(-p_F/p_N)                                     (T.6)
// With p_N given, y = -p_F is the closest point of p_N f K in the metric of G_FF: min ½ yᵀG_FF y - y·(c_F + p_N G_FN).
// What is left is one scalar equation, u_N(p_N) = 0; u_N(0) = c_N < 0 and it grows in the end, since G is positive
// definite: there is a solution. Newton's method takes all at once; where it fails, the scalar equation is bracketed
// and the metric projection found by Newton's method on a convex merit function (T.8, T.9). An open contact (c_N ≥ 0)
// could be pressed shut by friction alone if the coupling were strong (Painlevé); it stays open here.
#pragma once

#include "slipset/contact/contact_law.hpp"
#include "slipset/contact/rolling_factors.hpp"
#include "slipset/laws/rolling_law.hpp"

namespace slipset {

class RollingContactLaw final : public ContactLaw {
 public:
  explicit RollingContactLaw(RollingLaw law);

  const RollingLaw& law() const { return law_; }
  const RollingFactors& factors() const { return factors_; }

  int rows() const override { return 1 + law_.size(); }
  std::optional<FrictionCone> cone() const override;
  Keeps keeps() const override { return Keeps::apart; }
  std::string description() const override;
  ContactMat coordinates() const override { return coordinates_; }
  void prepare(LocalBlock& block) const override;
  // A few steps of Newton's method from the state's impulse, which do nearly always; else the careful way.
  bool solve(const Contact& contact, const LocalBlock& block, const ContactVec& c, double accuracy,
             LocalState& state) const override;
  static constexpr double kNewtonAccuracy = 1e-12;  // no less is asked of these steps
  bool solve_carefully(const Contact& contact, const LocalBlock& block, const ContactVec& c, double accuracy,
                       LocalState& state) const;
  // pressed: u_N = 0, y = P_{p_N f K}(y + R u_F), linearised; open: p = 0                                       (T.14)
  Tangent linearize(const Contact& contact, const LocalBlock& block, const LocalState& state) const override;
  // In own coordinates, with e the sums by rows: the largest of |min(u_N, G_NN p_N)|/e_N and, for each factor,
  // |x - P_K(x + u/|e|)| with x = -p/(f p_N); where the contact carries little, p_N f < R|e|, its friction counts as a
  // velocity over |e|. (T.10, T.12)
  double residual(const Contact& contact, const ContactMat& g, const ContactVec& p, const ContactVec& u,
                  const VelocitySums& sums) const override;
  bool project(const Contact& contact, const ContactMat& g, const ContactVec& u, double step,
               ContactVec& p) const override;
  const RollingContactLaw* as_rolling() const override { return this; }

 private:
  RollingLaw law_;
  RollingFactors factors_;
  ContactMat coordinates_, inverse_;  // diag(1, L)
};

// Which of its rates are not zero at a solution of its own contact.
struct RollingRates {
  bool slides = false, drills = false, rolls = false;
};
RollingRates rates_of(const RollingContactLaw& law, const LocalProblem& problem, const LocalSolution& solution);

}  // namespace slipset
