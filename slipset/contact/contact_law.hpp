// The law of one contact, as every method sees it.      docs/theory/contact.md
//   u = G p + c,  (p, u) in the law:   n = 1 to 6 rows, G its own block of W, c the velocity without its impulse (C.1)
// A method asks a law for the exact solution of one contact, for its linearisation at that solution, and for how far a
// pair (p, u) is from it; no more. The laws that there are: sliding by two sets (planar_contact_law.hpp), drilling and
// rolling (rolling_contact_law.hpp), friction along a line (line_contact_law.hpp), equality as of a joint
// (joint_law.hpp), and none: a contact without friction. Derive one of your own, and all methods have it.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "slipset/contact/rows.hpp"

namespace slipset {

class ContactLaw;
class PlanarContactLaw;
class RollingContactLaw;

enum class ContactMode { none, open, stick, slip };  // none: no solution (Painlevé), or none was found
std::string_view name_of(ContactMode mode);

// One contact of a step. Its impulses and velocities have the normal row first, then those of its law.
struct Contact {
  const ContactLaw* law = nullptr;  // null: no friction; its rows behind the normal one carry nothing
  std::optional<double> normal_impulse = std::nullopt;  // given [N s]; empty: unilateral, 0 ≤ p_N ⊥ u_N ≥ 0
  double reservoir_factor = 1;    // f > 0, scales what friction can supply: rate dependence, held in the step
  Vec2 last_slip = Vec2::Zero();  // before the step [m/s]; decides between several solutions
};

// One contact alone, in the coordinates of the problem.
template <int Rows>
struct LocalProblemOf {
  static constexpr int kRows = Rows == Eigen::Dynamic ? 0 : Rows;
  RowsMat<Rows> delassus = RowsMat<Rows>::Zero(kRows, kRows);  // G
  RowsVec<Rows> free_velocity = RowsVec<Rows>::Zero(kRows);    // c [m/s], [rad/s]
  std::optional<double> normal_impulse = std::nullopt;         // as in Contact
  double reservoir_factor = 1;
  Vec2 last_slip = Vec2::Zero();
};
using LocalProblem = LocalProblemOf<Eigen::Dynamic>;
using PlanarProblem = LocalProblemOf<3>;  // rows: normal, two tangents

// --- what methods hand to a law: everything in the law's own coordinates, p = T p̃ and ũ = Tᵀu ---------------------

struct LocalBlock {
  ContactMat g;        // TᵀW_ii T, with ρI in a proximal step
  double mobility;     // tr(g)/n [velocity over impulse]
  ContactVec step;     // of the law, by prepare(): impulse over velocity of each row
  ContactMat inverse;  // of the law, by prepare(), where it wants one
};

struct LocalState {
  ContactVec impulse, velocity;  // the first guess before, the solution after
  ContactMode mode = ContactMode::none;
  // First guess of a law that searches along its slip states: the resistance's ray of the last solution, how much
  // velocity across the slip direction a turn of it brings (0: not known), and the slip before the step [m/s].
  Vec2 ray = Vec2::Zero();
  double slope = 0;
  Vec2 last_slip = Vec2::Zero();
};

// What the dynamics add up at a contact before it cancels, in the coordinates of the problem.
struct VelocitySums {
  double total;     // |q_i| + Σ_j |W_ij p_j|                                                                     (C.4)
  ContactVec rows;  // |q_i| + Σ_j |W_ij| |p_j| by rows                                                          (T.12)
};

// What the velocities of a contact keep to whatever its impulses: that alone can prove that a problem has no solution.
enum class Keeps {
  nothing,  // that is known
  apart,    // u_N ≥ 0
  still,    // u = 0
};

// K = { |p_T| ≤ μ p_N, |p_R| ≤ μ_R p_N }: the impulses of friction that is the same in every direction.
struct FrictionCone {
  double sliding = 0;       // μ, of the two rows behind the normal one [-]
  double rolling = 0;       // μ_R, of the rows behind those [m]
  bool everything = false;  // any impulse: a joint
};

class ContactLaw {
 public:
  virtual ~ContactLaw() = default;

  virtual int rows() const = 0;  // 1 to 6
  virtual std::string description() const = 0;

  // T: coordinates in which the law is simple. Products p·u stay as they are.                                    (C.8)
  virtual ContactMat coordinates() const { return ContactMat::Identity(rows(), rows()); }
  // Once for each block, before solve() and linearize() see it.
  virtual void prepare(LocalBlock&) const {}
  // p and u = G p + c with the law. `accuracy`: relative, of what it iterates for. False if none is found,
  // with the state as it was.
  virtual bool solve(const Contact& contact, const LocalBlock& block, const ContactVec& c, double accuracy,
                     LocalState& state) const = 0;
  // B dp + A du = 0 along the law at a solution: as many regular equations as rows.                              (C.11)
  struct Tangent {
    ContactMat by_impulse, by_velocity;  // B, A
  };
  virtual Tangent linearize(const Contact& contact, const LocalBlock& block, const LocalState& state) const = 0;

  // How far (p, u) is from the law, without units: 0 on it only. In the coordinates of the problem; g is W_ii.
  virtual double residual(const Contact& contact, const ContactMat& g, const ContactVec& p, const ContactVec& u,
                          const VelocitySums& sums) const = 0;

  // --- what not every law has ---

  // Every solution of one contact, in the coordinates of the problem: how many, and in `state` that next to the last
  // step's; 0: there is none, proven. By default solve() alone, which is enough for laws with at most one solution, and
  // kNotFound where it fails.
  static constexpr int kNotFound = -1;
  virtual int search(const Contact& contact, const ContactMat& g, const ContactVec& c, LocalState& state) const;
  // One step of the projection iteration of the papers, p from (p, u), coordinates of the problem; `step` over that
  // which suits, 0: the law's own. False: the law has none. [WL19 69, 70]
  virtual bool project(const Contact&, const ContactMat&, const ContactVec&, double, ContactVec&) const {
    return false;
  }
  virtual bool allows_given_normal_impulse() const { return true; }
  // Where the impulses have one: what Siconos' measure (C.12) needs.
  virtual std::optional<FrictionCone> cone() const { return std::nullopt; }
  // Where the normal impulse is not given.
  virtual Keeps keeps() const { return Keeps::nothing; }
  // Of impulses and velocities in own coordinates; rates up to `negligible` are none. Here as for contacts with a
  // normal row.
  virtual ContactMode mode_of(const ContactVec& p, const ContactVec& u, double negligible) const;
  // Itself, where it is sliding by two sets: methods have a faster way for problems of these alone.
  virtual const PlanarContactLaw* as_planar() const { return nullptr; }
  // The same, where it is sliding, drilling and rolling.
  virtual const RollingContactLaw* as_rolling() const { return nullptr; }
};

// No friction, 1 to 6 rows (else InvalidInput): what stands for a null law.
const ContactLaw& frictionless_law(int rows);

// The law of a contact with so many rows.
inline const ContactLaw& law_of(const Contact& contact, int rows) {
  return contact.law ? *contact.law : frictionless_law(rows);
}

// One contact alone with any law, exactly.
struct LocalSolution {
  ContactMode mode = ContactMode::none;
  ContactVec impulse, velocity;
  double residual = std::numeric_limits<double>::quiet_NaN();  // without units, with what the contact itself adds up
};
// `guess`: an impulse to start from, or null. Throws InvalidInput where sizes do not fit, where a given normal impulse is
// negative and where the reservoir's factor is not positive; velocities that are not numbers have a residual that is
// none. Allocates nothing.
LocalSolution solve_local(const ContactLaw& law, const LocalProblem& problem, const ContactVec* guess = nullptr);
double local_residual(const ContactLaw& law, const LocalProblem& problem, const ContactVec& impulse);

}  // namespace slipset
