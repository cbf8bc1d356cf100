// Contacts of bodies that resist drilling and rolling, too.            docs/theory/bodies.md
//   ρ = F (ω_o − ω_s)                relative spin: about the normal (drilling), the first and second axis (rolling)
//   the other body gets Fᵀp at the contact's point and the torque Fᵀτ, the surface gets both back            (G.12)
//   W_ij = Σ_b ±( [F_i; 0][F_j; 0]ᵀ/m_b + B_ib Î_b⁻¹ B_jbᵀ ),  B_ib = [−F_i [r_ib]x; F_i],   q = (γ, ρ)_free   (G.13)
// in the order (γ, ρ), (p, τ). A contact has the rows of the normal and of what its law resists, 1 + m_i of the six;
// its laws are those of contact/rolling_problem.hpp (T.6, T.11). A world without such laws does not come here.
#pragma once

#include "slipset/bodies/body_problem.hpp"
#include "slipset/contact/rolling_problem.hpp"

namespace slipset {

// The same law for contacts beside others that drill or roll. Throws InvalidInput unless C is convex and D the same
// set.
RollingLaw rolling_law_of(const FrictionLaw& law);

class RollingBodies {
 public:
  // Throws InvalidInput if one of the world's laws is not associated.
  explicit RollingBodies(const BodyWorld& world);

  // From the planar problem (G.4): its matrix, free velocities with the gaps, and rate dependence. Guesses of τ become
  // zero.
  void build(const BodyWorld& world, const std::vector<BodyMotion>& motions, const std::vector<BodyContact>& contacts,
             const BodyProblem& planar);
  // Impulses of `solution` and torques() hold the first guess before, the solution after; also modes and the report.
  // Its velocities are left to the caller, who knows those of the bodies.
  void solve(const ContactOptions& options, ContactSolution& solution);

  // spins += Î⁻¹ Σ ± Fᵀτ
  void add_turning(const std::vector<BodyMotion>& motions, const std::vector<BodyContact>& contacts,
                   std::vector<Vec3>& spins) const;
  struct Work {
    double dissipated = 0, input = 0;  // by the torques; by those of prescribed bodies [J]
  };
  // With the spins at the end, along the world's axes.
  Work work(const std::vector<BodyMotion>& motions, const std::vector<BodyContact>& contacts,
            const std::vector<Vec3>& spin_end) const;

  // Along the rows of each contact's frame: τ [N m s].
  std::vector<Vec3>& torques() { return torques_; }
  const std::vector<Vec3>& torques() const { return torques_; }
  std::size_t turning() const { return turning_; }  // contacts that drill or roll
  const RollingProblem& problem() const { return problem_; }

 private:
  using Turn = Eigen::Matrix<double, 6, 3>;
  int components(std::size_t contact, int (&places)[6]) const;

  std::vector<std::shared_ptr<const RollingLaw>> laws_;  // of the world, all of them
  BlockDelassus planar_;
  RollingProblem problem_;
  RollingSolver solver_;
  RollingSolution solution_;
  std::vector<int> sizes_;
  std::vector<Turn> turns_, turns_inertia_;  // ±B and ±B Î⁻¹, two a contact: surface, other
  std::vector<RollingDelassus::Block> row_;
  std::vector<Vec3> torques_;
  std::size_t turning_ = 0;
};

}  // namespace slipset
