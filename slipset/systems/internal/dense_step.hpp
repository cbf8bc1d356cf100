// A step of a system with few degrees of freedom: M and W in full.     docs/theory/dynamics.md
//   q_M = q_B + u_B Δt/2;  contacts closed at q_M
//   M_M (u_E - u_B) = h_M Δt + W P;  q_E = q_M + u_E Δt/2                                             [WL19 19, 20]
// with the contacts' laws on γ_E = Wᵀu_E - χ, χ the velocity of the surface in every direction (Newton's restitution:
// γ_NE + e γ_NB). Rate-dependent reservoirs are taken at |γ_B|. W and χ are those of the midpoint where surfaces are
// steady, else of (t_E, q_B + u_B Δt): what sticks then has the velocity of its surface at the end of the step.   (D.7)
// Elastic contacts (FrictionLaw::elastic) add B⁻¹/Δt² to their own block and the stretch over Δt to the free velocity;
// the slip is then the plastic part of γ_E. Any stiffness is stable with any step. docs/theory/elastic.md       (E.7)
#pragma once

#include <optional>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/systems/system_step.hpp"

namespace slipset {
class RollingLaw;
}

namespace slipset::internal {

// Rows = 3: every contact slides, or has no friction; Eigen::Dynamic: any laws.
template <int Rows>
class DenseStep final : public SystemStep {
 public:
  explicit DenseStep(const System& system);

  std::unique_ptr<SystemStep> clone() const override { return std::make_unique<DenseStep>(*this); }
  void set_closing_distance(double distance) override;
  double closing_distance() const override;
  void start(const State& state, EnergyBalance& energy) override;
  bool begin(State& state, double dt, ContactProblem& problem, ContactSolution& solution) override;
  void finish(const ContactSolution& solution, double dt, State& state, EnergyBalance& energy) override;
  void give_up(State& state, double dt) override { state.q -= (dt / 2) * state.u; }
  std::span<const std::size_t> closed() const override { return closed_; }
  std::string contact_name(std::size_t contact) const override { return (*parts_)[closed_[contact]].name; }
  const std::vector<ContactStep>& contacts() const override { return contacts_; }
  bool all_stick() override;
  double stick_fraction() const override;
  std::vector<std::string> columns() const override;
  void add_row(const State& state, double dt, const EnergyBalance& energy, std::vector<double>& row) const override;
  void add_memory(std::vector<double>& memory) const override;
  const double* restore(const State& state, const double* from, const double* end) override;

 private:
  using Directions = Eigen::Matrix<double, Eigen::Dynamic, Rows>;
  using Vec = RowsVec<Rows>;

  void look_at_end(const State& state, double dt);
  void look_at_start(const State& state, double dt);
  bool tells_normal_velocities(const SystemAt& at) const;
  const std::vector<ContactAt>& seen() const { return steady_ ? at_.contacts : end_.contacts; }
  void factorise();
  void find_closed(const State& state, double dt);
  double suitable_closing(const State& state, double dt);
  bool take_directions();
  void build_problem(const State& state, double dt, ContactProblem& problem, ContactSolution& solution);
  void copy_directions(std::size_t i);
  bool same_directions(std::size_t i) const;
  void set_surface(std::size_t i);
  Vec velocity_before(std::size_t i, const State& state) const;
  bool rests(std::size_t i, double tolerance) const;
  void warn_of_overlap(const State& state);
  [[gnu::always_inline]] Vec velocity(std::size_t i, const VectorX& u) const {  // hot, called in several places
    return Vec(w_[i].transpose().lazyProduct(u)) - surface_[i];
  }
  Vec2 slip_in(std::size_t i, const Vec& velocity) const;
  void begin_contact(std::size_t i, const Vec& before);
  void balance(const State& state, double dt, EnergyBalance& energy);
  void follow_mass(const State& state, EnergyBalance& energy);
  double stored_energy() const;
  Eigen::Index offset(std::size_t closed) const { return blocks_.layout().offset(closed); }

  const System* system_;
  const std::vector<SystemContact>* parts_;  // what does not change of the contacts
  bool constant_mass_;
  bool steady_;                      // surfaces
  bool unstarted_ = true;            // no step has been made
  std::optional<double> closing_;    // as asked for [m]
  double largest_closing_ = 0;       // [m]
  double surface_acceleration_ = 0;  // along normals, the largest so far [m/s²]
  SystemAt at_;                      // at the midpoint
  SystemAt end_, other_time_;        // at the end, and for gaps alone; where surfaces are not steady
  Cholesky mass_;
  bool factorised_ = false;
  MatrixX inverse_mass_;  // of a constant mass
  VectorX u_free_, u_end_, mean_, q_end_;
  std::vector<int> rows_;            // of each contact
  std::vector<int> sliding_;         // how many rows behind the normal one are sliding: 0, 1 or 2
  std::vector<std::size_t> closed_;  // contacts in this step's problem
  std::vector<std::size_t> closed_before_;
  bool closed_changed_ = true;
  bool can_open_ = false;  // a contact is unilateral
  std::vector<int> closed_rows_;
  std::vector<Directions> w_;   // of each contact: [w_N W_T]
  std::vector<Directions> mw_;  // M⁻¹ [w_N W_T]
  std::vector<Vec> surface_;    // χ of each contact in this step
  std::vector<Vec> warm_;       // last impulses over dt, first guess
  std::vector<Vec> impulse_, velocity_;
  std::vector<Vec> first_;  // γ at the beginning of the step; 0 in the directions that were held there          (D.5)
  std::vector<double> stored_;          // by each elastic contact before the step [J]
  std::vector<Vec> surface_before_;     // χ at the state; where surfaces are not steady
  std::vector<Vec> rate_;               // γ at the state; where surfaces are not steady
  std::vector<double> surface_normal_;  // χ_N from gaps at other times, where evaluate() does not say it
  std::vector<Vec2> elastic_force_;     // T of elastic contacts [N], along the surface's axes
  std::vector<const Adhesion*> elastic_;
  bool has_elastic_ = false;
  BlockDelassus blocks_;
  std::vector<ContactStep> contacts_;
  MatrixX mass_now_;             // M at the state; only if it is not constant
  double driven_ = 0;            // driven energy at the state
  double largest_gap_rate_ = 0;  // [m/s]
};

double kinetic_energy(const MatrixX& mass, const VectorX& u);
// The law of sliding or the other one; null: no friction.
const ContactLaw* contact_law_of(const SystemContact& contact);
const RollingLaw* rolling_law_of(const SystemContact& contact);  // null: a law of another kind

std::unique_ptr<SystemStep> make_dense_step(const System& system);

}  // namespace slipset::internal
